"""A counterexample made small: pieces are dropped, or put in the place of what holds them, while it stays one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from decimal import Decimal
from typing import TypeVar

from schema2gbnf.schema.text import Json
from schema2gbnf.verification.mutations import at, paths, replaced
from schema2gbnf.verification.texts import text_of

STEPS = 1_000
"""Smaller values that are tried for one counterexample."""

_PLAIN = frozenset('a01"{}[],: ')
"""Letters that nobody asks about."""
_ALL_CUTS = 64
"""Length up to which every part of a text is cut out, and not only neighbouring ones."""

T = TypeVar("T")


def smallest(start: T, smaller: Callable[[T], Iterator[T]], fails: Callable[[T], bool]) -> T:
    """The last value reached by going to the first smaller one that still fails.

    >>> smallest([0, 7, 0], smaller_values, lambda value: "7" in str(value))
    7
    """
    best, left = start, STEPS
    while True:
        for candidate in smaller(best):
            left -= 1
            if left < 0:
                return best
            if fails(candidate):
                best = candidate
                break
        else:
            return best


def smaller_values(value: Json) -> Iterator[Json]:
    """Values with a shorter text, or one as long of plainer letters, the largest steps first."""
    size = _size(value)
    for candidate in _smaller(value):
        if _size(candidate) < size:
            yield candidate


def _size(value: Json) -> tuple[int, int]:
    text = text_of(value)
    return len(text), sum(letter not in _PLAIN for letter in text)


def _smaller(value: Json) -> Iterator[Json]:
    yield from (0, "", [], {})
    places = sorted(paths(value), key=lambda path: (len(path), -len(text_of(at(value, path)))))
    for path in places:
        inner = at(value, path)
        if isinstance(inner, dict):
            yield from (replaced(value, path, each) for each in inner.values())
            for name in inner:
                yield replaced(value, path, {each: member for each, member in inner.items() if each != name})
        elif isinstance(inner, list):
            yield from (replaced(value, path, each) for each in inner)
            for cut in _cuts(len(inner)):
                yield replaced(value, path, inner[: cut.start] + inner[cut.stop :])
    for path in places:
        inner = at(value, path)
        if isinstance(inner, str):
            for cut in _cuts(len(inner)):
                yield replaced(value, path, inner[: cut.start] + inner[cut.stop :])
            yield replaced(value, path, "a" * len(inner))
            for place in range(min(len(inner), _ALL_CUTS)):
                yield replaced(value, path, f"{inner[:place]}a{inner[place + 1 :]}")
        elif isinstance(inner, int | Decimal) and not isinstance(inner, bool):
            whole = int(inner)
            yield from (replaced(value, path, each) for each in (0, whole, whole // 10, abs(whole)))
        if inner not in (None, 0, ""):
            yield from (replaced(value, path, each) for each in (0, ""))


def smaller_texts(text: str) -> Iterator[str]:
    """The text with parts of it cut out, long ones first."""
    for cut in _cuts(len(text)):
        yield text[: cut.start] + text[cut.stop :]


def _cuts(length: int) -> Iterator[range]:
    size = length
    while size > 0:
        stride = 1 if length <= _ALL_CUTS else max(1, size // 2)
        for start in range(0, length, stride):
            yield range(start, min(start + size, length))
        size = size - 1 if length <= _ALL_CUTS // 4 else size * 2 // 3

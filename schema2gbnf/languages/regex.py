"""The tree of a regular expression over code points: what a pattern says, after its spelling is gone."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from schema2gbnf.languages.charset import NONE, CharSet


@dataclass(frozen=True, slots=True)
class Chars:
    """One character of a set."""

    chars: CharSet


@dataclass(frozen=True, slots=True)
class Concat:
    """The parts one after the other; no part: the empty word."""

    parts: tuple[Regex, ...]


@dataclass(frozen=True, slots=True)
class Choice:
    """Any one of the options; no option: no word at all."""

    options: tuple[Regex, ...]


@dataclass(frozen=True, slots=True)
class Repeat:
    """The item from `low` to `high` times; `high` is None when unbounded."""

    item: Regex
    low: int
    high: int | None


@dataclass(frozen=True, slots=True)
class Start:
    """`^`: nothing stands before."""


@dataclass(frozen=True, slots=True)
class End:
    """`$`: nothing stands behind."""


@dataclass(frozen=True, slots=True)
class WordBoundary:
    """`\\b`, or `\\B` when negated."""

    negated: bool


@dataclass(frozen=True, slots=True)
class Look:
    """`(?=…)`, `(?!…)`, `(?<=…)`, `(?<!…)`."""

    behind: bool
    negated: bool
    item: Regex


Regex = Chars | Concat | Choice | Repeat | Start | End | WordBoundary | Look

EMPTY = Concat(())
NOTHING = Choice(())
_NO_CHARACTER = Chars(NONE)


def literal(text: str) -> Regex:
    """The regex of one word.

    >>> literal("a")
    Chars(chars=CharSet([a]))
    """
    parts = tuple(Chars(CharSet.of(c)) for c in text)
    return parts[0] if len(parts) == 1 else Concat(parts)


def concat(parts: Iterable[Regex]) -> Regex:
    """The parts in order; a part that is itself a sequence is spliced in, and repetitions of one item are added up.

    >>> concat([literal("a"), EMPTY, Repeat(literal("a"), 0, None)])
    Repeat(item=Chars(chars=CharSet([a])), low=1, high=None)
    """
    flat: list[Regex] = []
    for part in parts:
        if part in (NOTHING, _NO_CHARACTER):
            return NOTHING
        for each in part.parts if isinstance(part, Concat) else (part,):
            added = _added(flat[-1], each) if flat else None
            if added is None:
                flat.append(each)
            else:
                flat[-1] = added
    return flat[0] if len(flat) == 1 else Concat(tuple(flat))


def _added(left: Regex, right: Regex) -> Regex | None:
    """One repetition for two neighbours that repeat one item, at least one of them a varying number of times."""
    if not isinstance(left, Repeat):
        # Two single items stay apart: "tt" is no repetition.
        return _added(Repeat(left, 1, 1), right) if isinstance(right, Repeat) and right.item == left else None
    if not isinstance(right, Repeat):
        return _added(left, Repeat(right, 1, 1)) if left.item == right else None
    if left.item != right.item or (left.low == left.high and right.low == right.high):
        return None
    high = None if left.high is None or right.high is None else left.high + right.high
    return Repeat(left.item, left.low + right.low, high)


def choice(options: Iterable[Regex]) -> Regex:
    """Any of the options, each once; those of one character become one set, an empty one makes the rest optional.

    >>> choice([literal("a"), EMPTY, literal("b")])
    Repeat(item=Chars(chars=CharSet([a-b])), low=0, high=1)
    """
    members = [each for option in options for each in (option.options if isinstance(option, Choice) else (option,))]
    chars = CharSet.union(span for each in members if isinstance(each, Chars) for span in each.chars.ranges)
    joined = dict.fromkeys(Chars(chars) if isinstance(each, Chars) else each for each in members)
    found = tuple(each for each in joined if each not in (_NO_CHARACTER, EMPTY))
    body = found[0] if len(found) == 1 else Choice(found)
    return repeat(body, 0, 1) if EMPTY in joined else body


def repeat(item: Regex, low: int, high: int | None) -> Regex:
    """The item from `low` to `high` times, without a repetition directly inside another where one says it all.

    >>> repeat(repeat(literal("a"), 1, None), 0, 1) == Repeat(literal("a"), 0, None)
    True
    """
    if high == 0 or item == EMPTY:
        return EMPTY
    if item in (NOTHING, _NO_CHARACTER):
        return EMPTY if low == 0 else NOTHING
    if (low, high) == (1, 1):
        return item
    if isinstance(item, Repeat):
        if item.low <= 1 and item.high is None:
            return Repeat(item.item, item.low * low, None)
        if (item.low, item.high) == (0, 1):
            return Repeat(item.item, 0, high)
    return Repeat(item, low, high)

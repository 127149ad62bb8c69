"""One character for each class of characters that some sets tell apart, the most readable of the class."""

from __future__ import annotations

import string
from collections.abc import Iterable
from functools import lru_cache

from schema2gbnf.languages.charset import LAST, TEXT, CharSet, minterms

_READABLE = tuple(
    CharSet.of(characters)
    for characters in (string.ascii_lowercase, string.digits, string.ascii_uppercase, " ", string.punctuation)
)
_VISIBLE = TEXT - CharSet.span("\0", "\xa0") - CharSet.of("\xad")


def representatives(sets: Iterable[CharSet]) -> tuple[str, ...]:
    """A character of each class; characters in none of the sets are no class.

    >>> representatives([CharSet.span("a", "z"), CharSet.span("x", "}"), CharSet.of("\\x00\\n")])
    ('\\x00', 'a', 'x', '{')
    """
    return _chosen(tuple(dict.fromkeys(sets)))


@lru_cache(maxsize=8192)
def _chosen(sets: tuple[CharSet, ...]) -> tuple[str, ...]:
    cuts, letters, masks = minterms(sets)
    ends = [*(cut - 1 for cut in cuts[1:]), LAST]
    spans: dict[int, list[tuple[int, int]]] = {}
    for low, high, letter in zip(cuts, ends, letters, strict=True):
        spans.setdefault(letter, []).append((low, high))
    told = 0
    for mask in masks.values():
        told |= mask
    classes = (CharSet.union(found) & TEXT for letter, found in spans.items() if told >> letter & 1)
    return tuple(_most_readable(chars) for chars in classes if chars)


def _most_readable(chars: CharSet) -> str:
    for readable in (*_READABLE, _VISIBLE, TEXT):
        found = chars & readable
        if found:
            return chr(found.ranges[0][0])
    raise AssertionError("a set without a character")

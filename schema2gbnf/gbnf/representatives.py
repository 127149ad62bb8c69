"""One character for each class of characters that some sets tell apart: the most readable of the class."""

from __future__ import annotations

import string
from collections.abc import Iterable
from functools import lru_cache

from schema2gbnf.languages.charset import LAST, TEXT, CharSet, minterms

_READABLE = (
    *map(CharSet.of, (string.ascii_lowercase, string.digits, string.ascii_uppercase, string.punctuation, " ")),
    TEXT - CharSet.span("\0", "\xa0") - CharSet.of("\xad"),
    TEXT,
)
"""Sets of characters, the most readable first."""


def representatives(sets: Iterable[CharSet]) -> tuple[str, ...]:
    """A character of each class, readable ones first; characters in none of the sets are no class.

    >>> representatives([CharSet.span("a", "z"), CharSet.span("x", "}"), CharSet.of("\\x00\\n")])
    ('a', 'x', '{', '\\x00')
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
    return tuple(character for _, character in sorted(_most_readable(chars) for chars in classes if chars))


def _most_readable(chars: CharSet) -> tuple[int, str]:
    """The most readable of some characters, behind a number that is low for the readable."""
    rank, found = next((rank, found) for rank, good in enumerate(_READABLE) if (found := chars & good))
    return rank, chr(found.ranges[0][0])

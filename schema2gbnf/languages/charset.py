"""Sets of Unicode code points as sorted, disjoint, non-adjacent closed intervals."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import reduce

LAST = 0x10FFFF


@dataclass(frozen=True, slots=True)
class CharSet:
    """A set of code points; `ranges` is its one normal form, so equal sets are equal values.

    >>> (CharSet.of("abc") | CharSet.span("d", "f")) - CharSet.of("b")
    CharSet([a c-f])
    >>> ~~CharSet.of("x") == CharSet.of("x")
    True
    """

    ranges: tuple[tuple[int, int], ...]
    _hash: int = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_hash", hash(self.ranges))

    def __hash__(self) -> int:
        return self._hash

    @staticmethod
    def of(characters: str) -> CharSet:
        """The set of the characters of a string."""
        return CharSet.union((ord(c), ord(c)) for c in characters)

    @staticmethod
    def span(first: str, last: str) -> CharSet:
        """All characters from first to last, both included."""
        return CharSet(((ord(first), ord(last)),))

    @staticmethod
    def union(ranges: Iterable[tuple[int, int]]) -> CharSet:
        """The normal form of any collection of closed intervals; an interval that ends before it starts is empty."""
        merged: list[tuple[int, int]] = []
        for low, high in sorted(ranges):
            if low > high:
                continue
            if merged and low <= merged[-1][1] + 1:
                merged[-1] = (merged[-1][0], max(merged[-1][1], high))
            else:
                merged.append((low, high))
        return CharSet(tuple(merged))

    def __or__(self, other: CharSet) -> CharSet:
        return CharSet.union(self.ranges + other.ranges)

    def __invert__(self) -> CharSet:
        gaps, start = [], 0
        for low, high in self.ranges:
            if start < low:
                gaps.append((start, low - 1))
            start = high + 1
        if start <= LAST:
            gaps.append((start, LAST))
        return CharSet(tuple(gaps))

    def __and__(self, other: CharSet) -> CharSet:
        found, i, j = [], 0, 0
        while i < len(self.ranges) and j < len(other.ranges):
            (a, b), (c, d) = self.ranges[i], other.ranges[j]
            if max(a, c) <= min(b, d):
                found.append((max(a, c), min(b, d)))
            if b < d:
                i += 1
            else:
                j += 1
        return CharSet(tuple(found))

    def __sub__(self, other: CharSet) -> CharSet:
        return self & ~other

    def __bool__(self) -> bool:
        return bool(self.ranges)

    def __len__(self) -> int:
        return sum(high - low + 1 for low, high in self.ranges)

    def __contains__(self, character: str) -> bool:
        point = ord(character)
        return any(low <= point <= high for low, high in self.ranges)

    def __iter__(self) -> Iterator[str]:
        """The characters in order; meant for small sets."""
        return (chr(point) for low, high in self.ranges for point in range(low, high + 1))

    @property
    def single(self) -> str | None:
        """The only character, or None when there is not exactly one."""
        if len(self.ranges) == 1 and self.ranges[0][0] == self.ranges[0][1]:
            return chr(self.ranges[0][0])
        return None

    def __repr__(self) -> str:
        def spell(point: int) -> str:
            return chr(point) if 0x21 <= point < 0x7F else f"U+{point:04X}"

        spans = (spell(a) if a == b else f"{spell(a)}-{spell(b)}" for a, b in self.ranges)
        return f"CharSet([{' '.join(spans)}])"


NONE = CharSet(())
ANY = CharSet(((0, LAST),))
SURROGATES = CharSet(((0xD800, 0xDFFF),))
TEXT = ANY - SURROGATES
"""Every code point that a JSON text can spell without a lone surrogate."""

DIGIT = CharSet.span("0", "9")
WORD = reduce(CharSet.__or__, (DIGIT, CharSet.span("A", "Z"), CharSet.span("a", "z"), CharSet.of("_")))
LINE_TERMINATOR = CharSet.of("\n\r\u2028\u2029")
SPACE = LINE_TERMINATOR | CharSet.of("\t\v\f \u00a0\u1680\u202f\u205f\u3000\ufeff") | CharSet.span("\u2000", "\u200a")


def minterms(sets: Iterable[CharSet]) -> tuple[tuple[int, ...], tuple[int, ...], dict[CharSet, int]]:
    """The coarsest partition of Unicode that every given set is a union of.

    Returns `cuts` (the first code point of each interval, ascending from 0), `letters` (the class of each interval,
    numbered by first appearance) and for each set the bit mask of the classes it consists of.
    """
    distinct = list(dict.fromkeys(sets))
    events: dict[int, int] = {0: 0}
    for index, chars in enumerate(distinct):
        for low, high in chars.ranges:
            events[low] = events.get(low, 0) ^ (1 << index)
            if high < LAST:
                events[high + 1] = events.get(high + 1, 0) ^ (1 << index)
    classes: dict[int, int] = {}
    cuts: list[int] = []
    letters: list[int] = []
    members = 0
    for point in sorted(events):
        members ^= events[point]
        letter = classes.setdefault(members, len(classes))
        if not letters or letters[-1] != letter:
            cuts.append(point)
            letters.append(letter)
    masks = {
        chars: sum(1 << letter for signature, letter in classes.items() if signature >> index & 1)
        for index, chars in enumerate(distinct)
    }
    return tuple(cuts), tuple(letters), masks

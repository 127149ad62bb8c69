"""The tree of a regular expression over code points: what a pattern says, after its spelling is gone."""

from __future__ import annotations

from dataclasses import dataclass

from schema2gbnf.languages.charset import CharSet


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


def literal(text: str) -> Regex:
    """The regex of one word.

    >>> literal("a")
    Chars(chars=CharSet([a]))
    """
    parts = tuple(Chars(CharSet.of(c)) for c in text)
    return parts[0] if len(parts) == 1 else Concat(parts)

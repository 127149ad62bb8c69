"""What a check says: as a value, and before it knows its line."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from typing import Literal, NamedTuple

from schema2gbnf.excerpt import LINE_END

Level = Literal["error", "warning"]


class Flaw(NamedTuple):
    """An index into the text, and what is wrong there."""

    position: int
    message: str


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One thing that is wrong with a grammar: the code of the check, where, and what to do; lines count from 1.

    >>> print(Diagnostic("error", "undefined-rule", 3, 9, "the rule x is not defined; define it, or correct the name"))
    3:9: error: undefined-rule: the rule x is not defined; define it, or correct the name
    """

    level: Level
    code: str
    line: int
    column: int
    message: str

    def __str__(self) -> str:
        return f"{self.line}:{self.column}: {self.level}: {self.code}: {self.message}"


class Lines:
    """The lines of a text, to be asked many times.

    >>> Lines("a\\r\\nb").place(3)
    (2, 1)
    """

    def __init__(self, text: str) -> None:
        self._starts = [0, *(end.end() for end in LINE_END.finditer(text))]

    def place(self, position: int) -> tuple[int, int]:
        """Line and column of an index into the text."""
        line = bisect_right(self._starts, position)
        return line, position - self._starts[line - 1] + 1

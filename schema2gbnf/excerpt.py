"""Where something is in a text, for people: line and column, and the line itself with a caret under the place."""

from __future__ import annotations

import re
from dataclasses import dataclass

_CONTEXT = 60
"""How much of a long line is shown on either side of the caret."""
LINE_END = re.compile(r"\r\n|\r|\n")


@dataclass(frozen=True, slots=True)
class Excerpt:
    """A place in a text: line and column counted from 1, and the line it falls in.

    >>> print(Excerpt.at("[1,\\n 2,]", 7))
         2,]
           ^
    """

    line: int
    column: int
    source: str

    @staticmethod
    def at(text: str, offset: int) -> Excerpt:
        """The place at an index into the text."""
        before = LINE_END.split(text[:offset])
        rest = LINE_END.split(text[offset:], maxsplit=1)[0]
        return Excerpt(len(before), len(before[-1]) + 1, before[-1] + rest)

    def __str__(self) -> str:
        skipped = max(0, self.column - 1 - _CONTEXT)
        # A tab stays a tab, so that the caret stands below what it means; other controls could move the terminal.
        piece = self.source[skipped : self.column + _CONTEXT]
        shown = "".join(each if each == "\t" or each.isprintable() else "�" for each in piece)
        indent = re.sub(r"[^\t]", " ", shown[: self.column - 1 - skipped])
        return f"    {shown}\n    {indent}^"

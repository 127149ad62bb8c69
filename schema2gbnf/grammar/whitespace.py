"""Blanks between the tokens of a JSON text, in the four styles a caller may choose."""

from __future__ import annotations

from dataclasses import dataclass, field

from schema2gbnf.grammar.drafts import Draft
from schema2gbnf.grammar.rules import EMPTY, CharClass, Expr, Literal, alternation, repeat, sequence
from schema2gbnf.languages.charset import CharSet

SPACE = "sp"


@dataclass(frozen=True, slots=True)
class Blanks:
    """What may stand around brackets, commas and colons inside a value; nothing ever stands around the whole."""

    gap: Expr
    """After an opening bracket, before a closing one, before a comma or colon."""
    after_comma: Expr
    after_colon: Expr
    colon: Expr = field(init=False, repr=False, compare=False)
    """From the end of a member's name to its value."""
    comma: Expr = field(init=False, repr=False, compare=False)
    """A comma with what follows it; the gap before it is the caller's, who may share it with a closing bracket."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "colon", sequence(self.gap, Literal(":"), self.after_colon))
        object.__setattr__(self, "comma", sequence(Literal(","), self.after_comma))


def blanks(style: str, draft: Draft) -> Blanks:
    """The blanks of a style: "compact", "spaced", "flexible" or "any".

    >>> blanks("spaced", Draft()).colon
    Literal(text=': ')
    """
    if style == "compact":
        return Blanks(EMPTY, EMPTY, EMPTY)
    if style == "spaced":
        return Blanks(EMPTY, Literal(" "), Literal(" "))
    if style == "any":
        gap: Expr = draft.share(SPACE, repeat(CharClass(CharSet.of(" \t\n\r")), 0, None))
        return Blanks(gap, gap, gap)
    line = sequence(repeat(Literal("\n"), 1, 2), repeat(CharClass(CharSet.of(" \t")), 0, 20))
    gap = draft.share(SPACE, alternation(Literal(" "), line, EMPTY))
    return Blanks(gap, gap, gap)

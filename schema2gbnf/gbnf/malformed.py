"""What can be wrong with the text of a grammar: the error, and a table of malformed texts that explains errors.

In comes a parser's complaint; out goes a sentence. An error is explained like the example of the table that fails in
the same state of the parser, at the same thing.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from schema2gbnf.excerpt import Excerpt

if TYPE_CHECKING:
    from lark import Lark
    from lark.exceptions import UnexpectedInput

_ATOMS = ("x", '"x"', "[x]", ".", "(x)")
_ITEMS = (*_ATOMS, "x*", "x+", "x?", "x{1}", "x{1,}", "x{1,2}", '""')
_IN_RULE = ("", "x | ", *(f"{item} " for item in _ITEMS), "x x* ")
_IN_GROUP = tuple(f"({before}" for before in (*_IN_RULE, "x\n", "x*\n"))


def _bodies(begun: tuple[str, ...], *rests: str) -> tuple[str, ...]:
    """Rules that go on with each of the rests, after each of the beginnings."""
    return tuple(f"root ::= {before}{rest}" for rest in rests for before in begun)


_NO_NAME = ("::= x", '"a"', "[a]", "(x)", ".", "<a>", "*", "@", '"a', "[a")

MALFORMED: dict[str, tuple[str, ...]] = {
    "a rule begins with its name, of letters, digits and dashes": (
        *_NO_NAME,
        *(f'root ::= "a"\n{rest}' for rest in _NO_NAME),
    ),
    "a line cannot begin with the bar: let the bar end the line before": ('root ::= "a"\n| "b"', '| "a"'),
    "::= is missing behind the name of the rule": tuple(
        f"root{rest}" for rest in ("", " x", ' "a"', " (", " [a]", " .", " |", "\n::= x", " = x", " : x", ' "a', " [a")
    ),
    "the rule before has not ended: close its groups, and leave no bar and no ::= at its end": (
        *('root ::= "a" |\nx ::= "b"', 'root ::=\nx ::= "b"', 'root ::= "a" x ::= "b"', 'root ::= ("a"\nx ::= "b")'),
        *_bodies(_IN_RULE + _IN_GROUP, "::= x"),
    ),
    "this literal is never closed": _bodies(_IN_RULE + _IN_GROUP, '"a'),
    "this character class is never closed": _bodies(_IN_RULE + _IN_GROUP, "[a"),
    "a token is written <name> or <[7]>": _bodies(_IN_RULE + _IN_GROUP, "<a", "!x"),
    "no group is open that could be closed here": _bodies(_IN_RULE, ")"),
    "a group is still open at the end": _bodies(_IN_GROUP, ""),
    "there is nothing here to repeat": (
        *_bodies(("", "x | ", "(", "(x | "), "*", "+", "?", "{"),
        *_bodies(('"" ', '("" '), "*", "+", "?", "{"),
    ),
    "a count begins with a number; up to n is {0,n}": _bodies(("x", "(x"), "{,3}", "{}", "{a}", "{"),
    "a count is {m}, {m,} or {m,n}": _bodies(
        ("x", "(x"),
        *("{3", "{3;4}", "{3 4}", "{3-4}", "{3\n}", "{3,", "{3,a}", "{3,4", "{3,4,5}", "{3,4 5}", "{3,*}"),
    ),
}
"""What is wrong, and texts that have it."""


class GbnfSyntaxError(ValueError):
    r"""A text that is no grammar: what is wrong, and where; lines and columns are counted from 1.

    >>> print(GbnfSyntaxError.at('root ::= x\nx ::= "a"{2,1}', 20, "this count runs backwards; write {1,2}"))
    line 2, column 10: this count runs backwards; write {1,2}
        x ::= "a"{2,1}
                 ^
    """

    def __init__(self, message: str, line: int, column: int, source: str, position: int) -> None:
        super().__init__(message, line, column, source, position)
        self.message = message
        self.line = line
        self.column = column
        self.source = source
        self.position = position

    @staticmethod
    def at(text: str, position: int, message: str) -> GbnfSyntaxError:
        """The error at an index into the text, its `position`; `source` is the line it falls in."""
        place = Excerpt.at(text, position)
        return GbnfSyntaxError(message, place.line, place.column, place.source, position)

    def __str__(self) -> str:
        excerpt = Excerpt(self.line, self.column, self.source)
        return f"line {self.line}, column {self.column}: {self.message}\n{excerpt}"


def explained(text: str, error: UnexpectedInput, parser: Lark) -> GbnfSyntaxError:
    """The parser's complaint about the text, as the table explains it."""
    from lark.exceptions import UnexpectedToken

    state, found = _symptom(error)
    position = error.pos_in_stream or 0
    if isinstance(error, UnexpectedToken) and error.token.type == "$END":
        position = len(text.rstrip())
    unexplained = f"{text[position : position + 1]!r} cannot stand here"
    return GbnfSyntaxError.at(text, position, _explanations(parser).get((state, found), unexplained))


@lru_cache(maxsize=1)
def _explanations(parser: Lark) -> dict[tuple[object, str], str]:
    """The messages of the table, by the symptoms of their examples."""
    from lark.exceptions import UnexpectedInput

    messages: dict[tuple[object, str], str] = {}
    for message, examples in MALFORMED.items():
        for example in examples:
            try:
                parser.parse(example)
            except UnexpectedInput as error:
                messages[_symptom(error)] = message
    return messages


def _symptom(error: UnexpectedInput) -> tuple[object, str]:
    """The state of the parser, and the terminal or character it could not take there."""
    from lark.exceptions import UnexpectedCharacters, UnexpectedToken

    # The state stands in the error as a number, or as the parser that is in it.
    state = getattr(error.state, "position", error.state)
    if isinstance(error, UnexpectedToken):
        return state, error.token.type
    assert isinstance(error, UnexpectedCharacters)
    return state, error.char

"""GBNF text as a grammar; the syntax stands in `gbnf.lark`.

In comes the text of a grammar as llama.cpp takes it; out goes a `Grammar` in the simple form of the constructors.
Refused, by `GbnfSyntaxError` with line and column, is what llama.cpp refuses, and what it takes in a sense that nobody
can have meant: a rule defined twice, a class without a character, a range or count that runs backwards. Terminals that
name a token of a vocabulary are refused too, because no text can be read against them. Counts over 2000, which
llama.cpp refuses or takes for unbounded, are read as they are written.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple, cast

from schema2gbnf.gbnf.malformed import GbnfSyntaxError, explained
from schema2gbnf.grammar.rules import (
    EMPTY,
    CharClass,
    Expr,
    Grammar,
    Literal,
    Ref,
    alternation,
    references,
    repeat,
    sequence,
)
from schema2gbnf.languages.charset import LAST, SURROGATES, TEXT, CharSet

if TYPE_CHECKING:
    from lark import Lark, Token, Transformer

DEEPEST = 100
"""How deep groups and repetitions may stand in each other."""

_ESCAPED = {"n": "\n", "r": "\r", "t": "\t", "\\": "\\", '"': '"', "[": "[", "]": "]", "-": "-"}
_LONGEST_NUMBER = 9
_HEX_DIGITS = {"x": 2, "u": 4, "U": 8}


def parse(text: str) -> Grammar:
    """The grammar that a text spells.

    >>> parse('root ::= "a" | [b-d]+ # and a comment').rules["root"]
    Alternation(options=(Literal(text='a'), Repeat(item=CharClass(chars=CharSet([b-d])), low=1, high=None)))
    """
    from lark.exceptions import UnexpectedInput

    try:
        rules = cast("list[tuple[Token, Expr]]", _parser().parse(text))
    except UnexpectedInput as error:
        raise explained(text, error, _parser()) from None
    except _Fault as fault:
        raise GbnfSyntaxError.at(text, fault.position, fault.message) from None
    return _grammar(text, rules)


def _grammar(text: str, rules: list[tuple[Token, Expr]]) -> Grammar:
    """The rules by name, each defined once and none missing."""
    bodies: dict[str, Expr] = {}
    for name, body in rules:
        if name in bodies:
            message = f"the rule {name} is defined before; llama.cpp would silently forget that"
            raise GbnfSyntaxError.at(text, _start(name), message)
        bodies[str(name)] = body
    if "root" not in bodies:
        first = _start(rules[0][0]) if rules else 0
        raise GbnfSyntaxError.at(text, first, "none of the rules is named root, which every text begins with")
    missing = {name for body in bodies.values() for name in references(body)} - bodies.keys()
    if missing:
        unknown = next(token for token in _parser().lex(text) if token.type == "NAME" and token in missing)
        raise GbnfSyntaxError.at(text, _start(unknown), f"the rule {unknown} is not defined")
    return Grammar(bodies)


@lru_cache(maxsize=1)
def _parser() -> Lark:
    """The parser of `gbnf.lark`, which builds expressions while it reads."""
    from importlib.resources import files

    from lark import Lark

    syntax = files("schema2gbnf.gbnf").joinpath("gbnf.lark").read_text(encoding="utf-8")
    # lark asks of a transformer no more than a method for each name in the syntax.
    builder = cast("Transformer[Token, object]", _Builder())
    return Lark(syntax, parser="lalr", transformer=builder)


class _Fault(Exception):
    """What is wrong with a piece of the text that is well formed but for its sense."""

    def __init__(self, position: int, message: str) -> None:
        self.position = position
        self.message = message


def _start(token: Token) -> int:
    assert token.start_pos is not None
    return token.start_pos


class _Part(NamedTuple):
    """An expression, and how deep groups and repetitions stand in each other in it."""

    expr: Expr
    depth: int


class _Count(NamedTuple):
    """How often the item before stands, and where that is written."""

    sign: Token
    low: int
    high: int | None


class _Builder:
    """For each rule and alias of the syntax, what becomes of its children."""

    def start(self, rules: list[tuple[Token, Expr]]) -> list[tuple[Token, Expr]]:
        return rules

    def rule(self, children: tuple[Token, _Part]) -> tuple[Token, Expr]:
        name, body = children
        return name, body.expr

    def options(self, parts: list[_Part]) -> _Part:
        return _Part(alternation(*(part.expr for part in parts)), max(part.depth for part in parts))

    def sequence(self, parts: list[_Part]) -> _Part:
        return _Part(sequence(*(part.expr for part in parts)), max((part.depth for part in parts), default=0))

    def item(self, children: list[_Part | _Count]) -> _Part:
        part = cast(_Part, children[0])
        for count in cast("list[_Count]", children[1:]):
            part = _deeper(repeat(part.expr, count.low, count.high), part.depth, count.sign)
        return part

    nested = item

    def group(self, children: tuple[Token, _Part]) -> _Part:
        opening, part = children
        return _deeper(part.expr, part.depth, opening)

    def empty(self, _: list[Token]) -> _Part:
        return _Part(EMPTY, 0)

    def literal(self, children: tuple[Token]) -> _Part:
        characters = []
        for character, position, _ in _characters(children[0], 1):
            if character in SURROGATES:
                raise _Fault(position, "a surrogate is no character; write the character beyond U+FFFF itself")
            characters.append(character)
        return _Part(Literal("".join(characters)), 0)

    def character_class(self, children: tuple[Token]) -> _Part:
        (token,) = children
        negated = token.startswith("[^")
        chars = CharSet.union(_spans(token, 2 if negated else 1)) - SURROGATES
        if not chars:
            raise _Fault(_start(token), 'a class without a character, which llama.cpp skips; the empty text is ""')
        return _Part(CharClass(TEXT - chars if negated else chars), 0)

    def any_character(self, _: tuple[Token]) -> _Part:
        return _Part(CharClass(TEXT), 0)

    def reference(self, children: tuple[Token]) -> _Part:
        return _Part(Ref(str(children[0])), 0)

    def token(self, children: tuple[Token]) -> _Part:
        raise _Fault(_start(children[0]), "terminals that name a token of a vocabulary are not supported")

    def star(self, children: tuple[Token]) -> _Count:
        return _Count(children[0], 0, None)

    def plus(self, children: tuple[Token]) -> _Count:
        return _Count(children[0], 1, None)

    def optional(self, children: tuple[Token]) -> _Count:
        return _Count(children[0], 0, 1)

    def exactly(self, children: tuple[Token, Token]) -> _Count:
        return _Count(children[0], _number(children[1]), _number(children[1]))

    def at_least(self, children: tuple[Token, Token]) -> _Count:
        return _Count(children[0], _number(children[1]), None)

    def between(self, children: tuple[Token, Token, Token]) -> _Count:
        brace, low, high = children
        if _number(high) < _number(low):
            raise _Fault(_start(brace), "this count runs backwards")
        return _Count(brace, _number(low), _number(high))


def _deeper(expr: Expr, depth: int, token: Token) -> _Part:
    if depth >= DEEPEST:
        raise _Fault(_start(token), f"groups and repetitions stand more than {DEEPEST} deep in each other")
    return _Part(expr, depth + 1)


def _number(token: Token) -> int:
    if len(token) > _LONGEST_NUMBER:
        raise _Fault(_start(token), "no count is that large")
    return int(token)


def _spans(token: Token, begin: int) -> Iterator[tuple[int, int]]:
    """The ranges of a character class, from the first character behind the bracket or the `^`."""
    characters = list(_characters(token, begin))
    index = 0
    while index < len(characters):
        low, position, _ = characters[index]
        index += 1
        high = low
        # A dash is itself when it is escaped or last.
        if index + 1 < len(characters) and characters[index][::2] == ("-", False):
            high = characters[index + 1][0]
            index += 2
        if high < low:
            raise _Fault(position, "this range runs backwards")
        yield ord(low), ord(high)


def _characters(token: Token, begin: int) -> Iterator[tuple[str, int, bool]]:
    """The characters of a literal or class from `begin` to its end, each with where it stands and if it is escaped."""
    index, end = begin, len(token) - 1
    while index < end:
        position = _start(token) + index
        if token[index] != "\\":
            yield token[index], position, False
            index += 1
            continue
        sign = token[index + 1]
        index += 2
        if sign in _ESCAPED:
            yield _ESCAPED[sign], position, True
            continue
        size = _HEX_DIGITS.get(sign)
        if size is None:
            raise _Fault(
                position, rf"no escape is written \{sign}; there are \n \r \t \\ \" \[ \] \- \xHH \uHHHH \UHHHHHHHH"
            )
        digits = token[index : index + size]
        if not re.fullmatch(rf"[0-9A-Fa-f]{{{size}}}", digits) or index + size > end:
            raise _Fault(position, rf"\{sign} is followed by {size} hexadecimal digits")
        if int(digits, 16) > LAST:
            raise _Fault(position, f"there is no character past U+{LAST:X}")
        yield chr(int(digits, 16)), position, True
        index += size

"""GBNF text as a tree that says what is written, and where; the syntax stands in `gbnf.lark`.

In comes the text of a grammar as llama.cpp takes it; out go its rules as written, each part with its index into the
text. Whether they make sense is not asked here: rules may be missing, counts may run backwards. Refused, by
`GbnfSyntaxError` with line and column, is what is no GBNF, and groups nested too deeply. `salvage` refuses nothing: it
leaves out the rules that cannot be read, and tells why.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple, cast

from schema2gbnf.gbnf.malformed import GbnfSyntaxError, explained

if TYPE_CHECKING:
    from lark import Lark, Token, Transformer

DEEPEST = 100
"""How deep groups and repetitions may stand in each other."""

MOST_ERRORS = 20
"""Errors after which the rest of a text is not read: each costs another reading."""

_LONGEST_NUMBER = 9
_HEAD = re.compile(r"^[ \t]*([A-Za-z0-9_-]+)[ \t]*::=", re.MULTILINE)
_BETWEEN_RULES = re.compile(r"([ \t]*(#[^\r\n]*)?[\r\n])*[ \t]*(#[^\r\n]*)?$")


@dataclass(frozen=True, slots=True)
class Name:
    """The name of a rule, where a text of it stands."""

    position: int
    name: str


@dataclass(frozen=True, slots=True)
class Quoted:
    """A literal, with its quotes and escapes."""

    position: int
    spelling: str


@dataclass(frozen=True, slots=True)
class Bracketed:
    """A character class, with its brackets and escapes."""

    position: int
    spelling: str


@dataclass(frozen=True, slots=True)
class Dot:
    """Any character."""

    position: int


@dataclass(frozen=True, slots=True)
class Terminal:
    """One token of a vocabulary."""

    position: int
    spelling: str


@dataclass(frozen=True, slots=True)
class Group:
    """Alternatives between parentheses."""

    position: int
    options: tuple[Series, ...]


@dataclass(frozen=True, slots=True)
class Counted:
    """An item, and how often it stands: from `low` to `high` times, or without end; the position is the sign's."""

    position: int
    sign: str
    item: Item
    low: int
    high: int | None


@dataclass(frozen=True, slots=True)
class Series:
    """Items one after the other. Without one, the position is that of the bar, parenthesis or rule before."""

    position: int
    items: tuple[Item, ...]


Item = Name | Quoted | Bracketed | Dot | Terminal | Group | Counted


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule as written: its name, and its alternatives."""

    position: int
    name: str
    options: tuple[Series, ...]


def read(text: str) -> tuple[Rule, ...]:
    """The rules that a text spells.

    >>> read('root ::= "a" |')
    (Rule(position=0, name='root', options=(Series(position=9, items=(Quoted(position=9, spelling='"a"'),)), \
Series(position=13, items=()))),)
    """
    from lark.exceptions import UnexpectedInput

    try:
        return cast("tuple[Rule, ...]", _parser().parse(text))
    except UnexpectedInput as error:
        raise explained(text, error, _parser()) from None
    except Fault as fault:
        raise GbnfSyntaxError.at(text, fault.position, fault.message) from None


class Salvage(NamedTuple):
    """What could be read of a text, why the rest could not, and the names of the rules that were left out."""

    rules: tuple[Rule, ...]
    errors: tuple[GbnfSyntaxError, ...]
    lost: frozenset[str]


def salvage(text: str) -> Salvage:
    """The rules of a text that can be read.

    >>> rules, errors, lost = salvage('root ::= x | y\\nx ::= ("a"\\ny ::= "b"')
    >>> [rule.name for rule in rules], [error.line for error in errors], sorted(lost)
    (['root', 'y'], [3], ['x'])
    """
    errors: list[GbnfSyntaxError] = []
    lost: set[str] = set()
    while True:
        try:
            return Salvage(read(text), tuple(errors), frozenset(lost))
        except GbnfSyntaxError as error:
            errors.append(error)
            begin, end = _damaged(text, error.position)
            lost.update(_HEAD.findall(text, begin, end))
            if len(errors) == MOST_ERRORS:
                lost.update(_HEAD.findall(text))
                return Salvage((), tuple(errors), frozenset(lost))
            # Line breaks stay, so that what follows keeps its place.
            text = text[:begin] + re.sub(r"[^\r\n]", " ", text[begin:end]) + text[end:]


def _damaged(text: str, position: int) -> tuple[int, int]:
    """From where to where the rules reach that an error at this position spoils."""
    begin, before = 0, 0
    for head in _HEAD.finditer(text):
        if head.start() > position:
            return begin, head.start()
        # What goes wrong at a `::=` is the rule before, which has not ended.
        if head.start() <= position < head.end() and head.start(1) < position and before < head.start():
            return before, head.start()
        before, begin = head.start(), head.start()
    return begin, len(text)


def sources(text: str) -> dict[str, str]:
    """The rules of a text by name, as they stand there, without the comments around them.

    >>> sources('root ::= x # first\\n# then\\nx ::=\\n  "a"\\n')
    {'root': 'root ::= x # first', 'x': 'x ::=\\n  "a"'}
    """
    rules = read(text)
    ends = [*(rule.position for rule in rules[1:]), len(text)]
    pieces = {rule.name: text[rule.position : end] for rule, end in zip(rules, ends, strict=True)}
    return {name: _without_rest(piece) for name, piece in pieces.items()}


def _without_rest(piece: str) -> str:
    """A rule without the blank and comment lines that follow it."""
    lines = piece.split("\n")
    while len(lines) > 1 and _BETWEEN_RULES.fullmatch(lines[-1]):
        lines.pop()
    return "\n".join(lines).rstrip()


@lru_cache(maxsize=1)
def _parser() -> Lark:
    """The parser of `gbnf.lark`, which builds the tree while it reads."""
    from importlib.resources import files

    from lark import Lark

    syntax = files("schema2gbnf.gbnf").joinpath("gbnf.lark").read_text(encoding="utf-8")
    # lark asks of a transformer no more than a method for each name in the syntax.
    builder = cast("Transformer[Token, object]", _Builder())
    return Lark(syntax, parser="lalr", transformer=builder)


class Fault(Exception):
    """What is wrong with a piece of the text that is well formed but for its sense; `code` names the kind."""

    def __init__(self, position: int, code: str, message: str) -> None:
        super().__init__(position, code, message)
        self.position = position
        self.code = code
        self.message = message


def _start(token: Token) -> int:
    assert token.start_pos is not None
    return token.start_pos


class _Part(NamedTuple):
    """A part of a rule, and how deep groups and repetitions stand in each other in it."""

    item: Item
    depth: int


class _Parts(NamedTuple):
    """The same for alternatives."""

    options: tuple[Series, ...]
    depth: int


class _Count(NamedTuple):
    """How often the item before stands, and where that is written."""

    sign: Token
    low: int
    high: int | None


class _Builder:
    """For each rule and alias of the syntax, what becomes of its children."""

    def start(self, rules: list[Rule]) -> tuple[Rule, ...]:
        return tuple(rules)

    def rule(self, children: tuple[Token, _Parts]) -> Rule:
        name, parts = children
        return Rule(_start(name), str(name), _placed(parts.options, _start(name)))

    def options(self, children: list[Token | tuple[Series, int]]) -> _Parts:
        """Alternatives, of which those without an item stand where the bar before them does."""
        options: list[Series] = []
        bar, deepest = -1, 0
        for child in children:
            if isinstance(child, tuple):
                series, depth = child
                options.append(series if series.items else Series(bar, ()))
                deepest = max(deepest, depth)
            else:
                bar = _start(child)
        return _Parts(tuple(options), deepest)

    def sequence(self, parts: list[_Part]) -> tuple[Series, int]:
        items = tuple(part.item for part in parts)
        return Series(_beginning(items[0]) if items else -1, items), max((part.depth for part in parts), default=0)

    def item(self, children: list[_Part | _Count]) -> _Part:
        part = cast(_Part, children[0])
        for count in cast("list[_Count]", children[1:]):
            sign, low, high = count
            part = _deeper(Counted(_start(sign), str(sign), part.item, low, high), part.depth, sign)
        return part

    nested = item

    def group(self, children: tuple[Token, _Parts]) -> _Part:
        opening, parts = children
        return _deeper(Group(_start(opening), _placed(parts.options, _start(opening))), parts.depth, opening)

    def empty(self, children: tuple[Token]) -> _Part:
        return self.literal(children)

    def literal(self, children: tuple[Token]) -> _Part:
        return _Part(Quoted(_start(children[0]), str(children[0])), 0)

    def character_class(self, children: tuple[Token]) -> _Part:
        return _Part(Bracketed(_start(children[0]), str(children[0])), 0)

    def any_character(self, children: tuple[Token]) -> _Part:
        return _Part(Dot(_start(children[0])), 0)

    def reference(self, children: tuple[Token]) -> _Part:
        return _Part(Name(_start(children[0]), str(children[0])), 0)

    def token(self, children: tuple[Token]) -> _Part:
        return _Part(Terminal(_start(children[0]), str(children[0])), 0)

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
        return _Count(children[0], _number(children[1]), _number(children[2]))


def _placed(options: tuple[Series, ...], opening: int) -> tuple[Series, ...]:
    """The alternatives, the first of which stands where they are opened when it holds nothing."""
    first, *rest = options
    return options if first.items else (Series(opening, ()), *rest)


def _beginning(item: Item) -> int:
    """Where an item begins."""
    while isinstance(item, Counted):
        item = item.item
    return item.position


def _deeper(item: Item, depth: int, token: Token) -> _Part:
    if depth >= DEEPEST:
        message = f"groups and repetitions stand more than {DEEPEST} deep in each other"
        raise Fault(_start(token), "too-deep", message)
    return _Part(item, depth + 1)


def _number(token: Token) -> int:
    if len(token) > _LONGEST_NUMBER:
        raise Fault(_start(token), "too-large", "no count is that large")
    return int(token)


def items(options: tuple[Series, ...]) -> Iterator[Item]:
    """All items in some alternatives, from left to right, each before what is inside it."""
    todo: list[Item] = [item for series in reversed(options) for item in reversed(series.items)]
    while todo:
        item = todo.pop()
        yield item
        match item:
            case Group(_, inside):
                todo.extend(each for series in reversed(inside) for each in reversed(series.items))
            case Counted(item=inner):
                todo.append(inner)
            case _:
                pass

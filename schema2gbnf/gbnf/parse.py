"""GBNF text as a grammar.

In comes the text of a grammar as llama.cpp takes it; out goes a `Grammar` in the simple form of the constructors.
Refused, by `GbnfSyntaxError` with line and column, is what llama.cpp refuses, and what it takes in a sense that nobody
can have meant: a rule defined twice, a class without a character, a range or count that runs backwards. Terminals that
name a token of a vocabulary are refused too, because no text can be read against them. Counts over 2000, which
llama.cpp refuses or takes for unbounded, are read as they are written.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from schema2gbnf.closed import assert_never
from schema2gbnf.gbnf.malformed import GbnfSyntaxError
from schema2gbnf.gbnf.syntax import (
    Bracketed,
    Counted,
    Dot,
    Fault,
    Group,
    Item,
    Name,
    Quoted,
    Rule,
    Series,
    Terminal,
    items,
    read,
)
from schema2gbnf.grammar.rules import (
    CharClass,
    Expr,
    Grammar,
    Literal,
    Ref,
    alternation,
    repeat,
    sequence,
)
from schema2gbnf.languages.charset import LAST, SURROGATES, TEXT, CharSet

_ESCAPED = {"n": "\n", "r": "\r", "t": "\t", "\\": "\\", '"': '"', "[": "[", "]": "]", "-": "-"}
_HEX_DIGITS = {"x": 2, "u": 4, "U": 8}


def parse(text: str) -> Grammar:
    """The grammar that a text spells.

    >>> parse('root ::= "a" | [b-d]+ # and a comment').rules["root"]
    Alternation(options=(Literal(text='a'), Repeat(item=CharClass(chars=CharSet([b-d])), low=1, high=None)))
    """
    rules = read(text)
    try:
        bodies = {rule.name: meaning(rule.options) for rule in rules}
    except Fault as fault:
        raise GbnfSyntaxError.at(text, fault.position, fault.message) from None
    _check_names(text, rules)
    return Grammar(bodies)


def _check_names(text: str, rules: tuple[Rule, ...]) -> None:
    """Every rule is defined once, `root` is there, and none is missing."""
    known: set[str] = set()
    for rule in rules:
        if rule.name in known:
            message = f"the rule {rule.name} is defined before; llama.cpp would silently forget that"
            raise GbnfSyntaxError.at(text, rule.position, message)
        known.add(rule.name)
    if "root" not in known:
        first = rules[0].position if rules else 0
        raise GbnfSyntaxError.at(text, first, "none of the rules is named root, which every text begins with")
    for rule in rules:
        for item in items(rule.options):
            if isinstance(item, Name) and item.name not in known:
                raise GbnfSyntaxError.at(text, item.position, f"the rule {item.name} is not defined")


def meaning(options: tuple[Series, ...]) -> Expr:
    """The expression that some alternatives are; a `Fault` where a part of them makes no sense."""
    return alternation(*[sequence(*[_item(item) for item in series.items]) for series in options])


def _item(item: Item) -> Expr:
    match item:
        case Name(_, name):
            return Ref(name)
        case Quoted(position, spelling):
            return Literal(literal(spelling, position))
        case Bracketed(position, spelling):
            return CharClass(character_class(spelling, position))
        case Dot():
            return CharClass(TEXT)
        case Terminal(position):
            raise Fault(position, "token-terminal", "terminals that name a token of a vocabulary are not supported")
        case Group(_, options):
            return meaning(options)
        case Counted(position, _, inner, low, high):
            if high is not None and high < low:
                message = f"this count runs backwards; write {{{high},{low}}}"
                raise Fault(position, "reversed-count", message)
            return repeat(_item(inner), low, high)
        case _:
            assert_never(item)


def literal(spelling: str, position: int) -> str:
    """The characters of a literal that stands at the position."""
    read_characters = []
    for character, place, _ in characters(spelling, position, 1):
        if character in SURROGATES:
            message = "a surrogate is no character; write the character beyond U+FFFF itself"
            raise Fault(place, "surrogate", message)
        read_characters.append(character)
    return "".join(read_characters)


def character_class(spelling: str, position: int) -> CharSet:
    """The characters of a class that stands at the position."""
    negated = spelling.startswith("[^")
    chars = CharSet.union(_spans(spelling, position, 2 if negated else 1)) - SURROGATES
    if not chars:
        message = 'a class without a character, which llama.cpp skips; the empty text is ""'
        raise Fault(position, "empty-class", message)
    return TEXT - chars if negated else chars


def _spans(spelling: str, start: int, begin: int) -> Iterator[tuple[int, int]]:
    """The ranges of a character class, from the first character behind the bracket or the `^`."""
    spelled = list(characters(spelling, start, begin))
    index = 0
    while index < len(spelled):
        low, position, _ = spelled[index]
        index += 1
        high = low
        # A dash is itself when it is escaped or last.
        if index + 1 < len(spelled) and spelled[index][::2] == ("-", False):
            high = spelled[index + 1][0]
            index += 2
        if high < low:
            raise Fault(position, "reversed-range", "this range runs backwards; write its lower end first")
        yield ord(low), ord(high)


def characters(spelling: str, start: int, begin: int) -> Iterator[tuple[str, int, bool]]:
    """The characters of a literal or class that stands at `start`, from the one at `begin` to its end.

    Each comes with where it stands, and whether it is escaped.
    """
    index, end = begin, len(spelling) - 1
    while index < end:
        position = start + index
        if spelling[index] != "\\":
            yield spelling[index], position, False
            index += 1
            continue
        sign = spelling[index + 1]
        index += 2
        if sign in _ESCAPED:
            yield _ESCAPED[sign], position, True
            continue
        size = _HEX_DIGITS.get(sign)
        if size is None:
            known = r"\n \r \t \\ \" \[ \] \- \xHH \uHHHH \UHHHHHHHH"
            raise Fault(position, "escape", rf"no escape is written \{sign}; there are {known}")
        digits = spelling[index : index + size]
        if not re.fullmatch(rf"[0-9A-Fa-f]{{{size}}}", digits) or index + size > end:
            raise Fault(position, "escape", rf"\{sign} is followed by {size} hexadecimal digits")
        if int(digits, 16) > LAST:
            raise Fault(position, "escape", f"there is no character past U+{LAST:X}")
        yield chr(int(digits, 16)), position, True
        index += size

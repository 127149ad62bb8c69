"""A grammar as GBNF text, in the part of the language that llama.cpp, XGrammar and llguidance all read alike.

In comes a `Grammar` with a rule `root`; out goes one rule a line, in the grammar's order. What has no portable spelling
is refused by `ValueError`. It is then a mistake of the pass before, which should have pruned the rule without a text,
counted beyond 2000 in blocks, or given the counted group a rule of its own.
"""

from __future__ import annotations

import re
import string
from dataclasses import dataclass, field
from functools import lru_cache

from schema2gbnf.grammar.rules import Alternation, CharClass, Expr, Grammar, Literal, Ref, Repeat, Sequence, folded
from schema2gbnf.languages.charset import SURROGATES, TEXT, CharSet

LARGEST_COUNT = 2000
"""Beyond, llama.cpp refuses `{n}` and silently takes `{0,n}` for unbounded."""

LINE_WIDTH = 120

_NAME = re.compile(r"[a-z][a-zA-Z0-9-]*")
_NO_ESCAPE = re.compile(r"[ !#-\[\]-~]*")
_ASCII = CharSet.span("\0", "\x7f")
_CONTROL = CharSet.span("\0", "\x1f") | CharSet.of("\x7f")
_SHORT_ESCAPES = {"\n": r"\n", "\r": r"\r", "\t": r"\t", "\\": r"\\"}


def write(grammar: Grammar) -> str:
    r"""The text of a grammar; `parse` reads it back to the same rules.

    >>> from schema2gbnf.grammar.rules import alternation, repeat, sequence
    >>> item = sequence(Literal('"'), repeat(CharClass(~CharSet.of('"\n')), 0, 9), Literal('"'))
    >>> print(write(Grammar({"root": alternation(Ref("item"), Literal("null")), "item": item})), end="")
    root ::= item | "null"
    item ::= "\"" [^\n"]{0,9} "\""
    """
    _check_names(grammar)
    printer = _Printer()
    return "".join(printer.rule(name, body) for name, body in grammar.rules.items())


def _check_names(grammar: Grammar) -> None:
    if grammar.root != "root" or "root" not in grammar.rules:
        raise ValueError("a GBNF grammar starts at the rule named root")
    known = {"start": "start"}
    for name in grammar.rules:
        if not _NAME.fullmatch(name):
            raise ValueError(f"{name!r} is no portable rule name: a lower-case letter, then letters, digits, dashes")
        other = known.setdefault(folded(name), name)
        if other != name or name == "start":
            raise ValueError(f"llguidance cannot tell the rule names {name!r} and {other!r} apart")


# -- expressions -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Option:
    """An expression that stands between bars."""

    expr: Expr


@dataclass(frozen=True, slots=True)
class _Part:
    """An expression that stands in a sequence."""

    expr: Expr


@dataclass(frozen=True, slots=True)
class _Count:
    """The sign behind a repeated item."""

    repeat: Repeat
    grouped: bool


@dataclass(frozen=True, slots=True)
class _Open:
    """The parenthesis that begins a group."""


@dataclass(frozen=True, slots=True)
class _Close:
    """The parenthesis that ends a group."""


@dataclass(slots=True)
class _Printer:
    """Spells rules one after the other, counting the symbols that llama.cpp will have made of them.

    The engine makes a symbol of each name it meets, each group and each optional repetition, and refuses to repeat a
    group in which it made more than it repeats at most.
    """

    names: set[str] = field(default_factory=set)
    made: int = 0

    def rule(self, name: str, body: Expr) -> str:
        """The rule on one line, or broken behind the bars of its alternatives where it is too long for one."""
        self.names.add(name)
        options = body.options if isinstance(body, Alternation) else (body,)
        if not options:
            raise ValueError(f"the rule {name} has no text")
        try:
            spelled = [self.spell(option) for option in options]
        except ValueError as error:
            raise ValueError(f"the rule {name} {error}") from None
        line, lines = f"{name} ::= {spelled[0]}", []
        for option in spelled[1:]:
            if len(line) + len(option) + len(" |  |") > LINE_WIDTH:
                # A line that begins with the bar would be refused: the bar ends the line before.
                lines.append(line + " |")
                line = "    " + option
            else:
                line += " | " + option
        return "\n".join((*lines, line, ""))

    def spell(self, expr: Expr) -> str:
        """An expression as it stands between the bars of a rule."""
        spelled: list[str] = []
        opened: list[int] = []
        group_symbols = 0
        todo: list[_Piece] = [_Option(expr)]
        while todo:
            match todo.pop():
                case str(text):
                    spelled.append(text)
                case _Option(inner):
                    todo.extend(reversed(_option(inner)))
                case _Part(Ref(name)):
                    self.names.add(name)
                    spelled.append(name)
                case _Part(inner):
                    todo.extend(reversed(_part(inner)))
                case _Open():
                    opened.append(self.made + len(self.names))
                    self.made += 1
                    spelled.append("(")
                case _Close():
                    group_symbols = self.made + len(self.names) - opened.pop()
                    spelled.append(")")
                case _Count(repeat, grouped):
                    times = repeat.high or repeat.low or 1
                    if grouped and group_symbols * times > LARGEST_COUNT:
                        raise ValueError("repeats a group too large for llama.cpp; it needs a rule of its own")
                    self.made += 1 if repeat.high is None else repeat.high - repeat.low
                    spelled.append(_sign(repeat))
        return "".join(spelled)


_Piece = str | _Option | _Part | _Count | _Open | _Close


def _option(expr: Expr) -> list[_Piece]:
    """What an option is spelled as: the parts of a sequence need no parentheses."""
    if not isinstance(expr, Sequence):
        return [_Part(expr)]
    pieces: list[_Piece] = []
    for part in expr.parts:
        pieces += [" ", _Part(part)]
    return pieces[1:] or ['""']


def _part(expr: Expr) -> list[_Piece]:
    """What one part of a sequence is spelled as."""
    match expr:
        case Literal(text):
            return [" ".join(_literals(text))]
        case CharClass(chars):
            return [_class(chars)]
        case Ref(name):
            return [name]
        case Sequence(()):
            return ['""']
        case Sequence() | Alternation():
            return _group(expr)
        case Repeat(item):
            grouped = _needs_group(item)
            return [*(_group(item) if grouped else _part(item)), _Count(expr, grouped)]


def _group(expr: Expr) -> list[_Piece]:
    options = expr.options if isinstance(expr, Alternation) else (expr,)
    if not options:
        raise ValueError("holds an alternative that has no text")
    pieces: list[_Piece] = []
    for option in options:
        pieces += [" | ", _Option(option)]
    # llguidance drops the parentheses around a group of one, and then stumbles over two signs in a row.
    alone = isinstance(expr, Repeat)
    return [_Open(), *pieces[1:], *([' ""'] if alone else []), _Close()]


def _needs_group(item: Expr) -> bool:
    """Whether a repeated item stands in parentheses."""
    match item:
        case Literal(text):
            return len(_literals(text)) > 1
        case CharClass() | Ref():
            return False
        case Sequence() | Alternation() | Repeat():
            return True


def _sign(repeat: Repeat) -> str:
    """The sign of a repetition: `*`, `+`, `?` or braces."""
    item, low, high = repeat.item, repeat.low, repeat.high
    if item in (Literal(""), Sequence(())):
        raise ValueError("repeats the empty text")
    if low < 0 or high == 0 or (high is not None and high < low):
        raise ValueError(f"has a repetition without a count: from {low} to {high}")
    if max(low, high or 0) > LARGEST_COUNT:
        raise ValueError(f"has a repetition of more than {LARGEST_COUNT}; it must be counted in blocks")
    short = {(0, None): "*", (1, None): "+", (0, 1): "?"}.get((low, high))
    if short is not None:
        return short
    if not isinstance(item, (Ref, CharClass, Literal)):
        raise ValueError("counts the repetitions of a group; it needs a rule of its own")
    if low == high:
        return f"{{{low}}}"
    return f"{{{low},{'' if high is None else high}}}"


# -- characters ------------------------------------------------------------------------------------------------------


def _literals(text: str) -> list[str]:
    """The quoted literals that together spell a text: a new one begins where `\\xHH` would meet a hex digit."""
    if _NO_ESCAPE.fullmatch(text):
        return [f'"{text}"']
    literals: list[str] = []
    begun: list[str] = []
    for character in text:
        if character in SURROGATES:
            raise ValueError(f"holds the lone surrogate U+{ord(character):04X}, which UTF-8 cannot spell")
        spelled = r"\"" if character == '"' else _spelled(character)
        if begun and begun[-1].startswith(r"\x") and spelled in string.hexdigits:
            literals.append("".join(begun))
            begun = []
        begun.append(spelled)
    return [f'"{spelled}"' for spelled in (*literals, "".join(begun))]


def _spelled(character: str) -> str:
    short = _SHORT_ESCAPES.get(character)
    if short is not None:
        return short
    return f"\\x{ord(character):02X}" if character in _CONTROL else character


@lru_cache(maxsize=4096)
def _class(chars: CharSet) -> str:
    """A character class, negated when that is shorter and only ASCII is left out."""
    chars -= SURROGATES
    if not chars:
        raise ValueError("holds a character class without a character")
    positive = f"[{_ranges(chars)}]"
    rest = TEXT - chars
    # llama.cpp refuses split UTF-8 characters near what a negated class leaves out.
    if not rest or rest - _ASCII:
        return positive
    return min(f"[^{_ranges(rest)}]", positive, key=lambda spelled: len(spelled.encode()))


def _ranges(chars: CharSet) -> str:
    """What stands between the brackets: ranges in order, but what ends in `\\xHH` behind the rest, a dash at the end.

    So no `\\xHH` meets a hex digit, no dash makes a range, and a `^` comes first only where it stands alone.
    """
    dash = "-" if "-" in _edges(chars) else ""
    spans = [_span(low, high) for low, high in (chars - CharSet.of(dash)).ranges]
    spans.sort(key=lambda span: span[-4:-2] == r"\x")
    if len(spans) > 1 and spans[0].startswith("^"):
        spans.insert(1, spans.pop(0))
    spelled = "".join(spans) + dash
    return r"\x5E" + spelled[1:] if spelled.startswith("^") else spelled


def _edges(chars: CharSet) -> str:
    return "".join(chr(low) + chr(high) for low, high in chars.ranges)


def _span(low: int, high: int) -> str:
    first, last = _class_character(chr(low)), _class_character(chr(high))
    if low == high:
        return first
    return first + last if high == low + 1 else f"{first}-{last}"


def _class_character(character: str) -> str:
    return r"\]" if character == "]" else _spelled(character)

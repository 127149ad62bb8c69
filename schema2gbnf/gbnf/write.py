"""A grammar as GBNF text, in the part of the language that llama.cpp, XGrammar and llguidance all read alike.

In comes a `Grammar` with a rule `root`; out goes one rule a line, in the grammar's order. What has no portable spelling
is refused by `ValueError`. It is then a mistake of the pass before, which should have pruned the rule without a text,
counted beyond 2000 in blocks, or given the counted group a rule of its own.
"""

from __future__ import annotations

import re
import string
from collections.abc import Mapping
from functools import lru_cache

from schema2gbnf.cache import Cache
from schema2gbnf.grammar.rules import Alternation, CharClass, Expr, Grammar, Literal, Ref, Repeat, Sequence, folded
from schema2gbnf.languages.charset import SURROGATES, TEXT, CharSet

LARGEST_COUNT = 2000
"""Beyond, llama.cpp refuses `{n}` and silently takes `{0,n}` for unbounded."""

LINE_WIDTH = 120

_NAME = re.compile(r"[a-z][a-zA-Z0-9-]*")
_ASCII = CharSet.span("\0", "\x7f")
_CONTROL = CharSet.span("\0", "\x1f") | CharSet.of("\x7f")
_SIGNS: Mapping[tuple[int, int | None], str] = {(0, None): "*", (1, None): "+", (0, 1): "?"}
_SHORT_ESCAPES = {"\n": r"\n", "\r": r"\r", "\t": r"\t", "\\": r"\\"}
_NO_HEX = re.compile("[\t\n\r -~\x80-\ud7ff\ue000-\U0010ffff]*")
_QUOTED = str.maketrans({**_SHORT_ESCAPES, '"': r"\""})


def write(grammar: Grammar) -> str:
    r"""The text of a grammar; `parse` reads it back to the same rules.

    >>> from schema2gbnf.grammar.rules import alternation, repeat, sequence
    >>> item = sequence(Literal('"'), repeat(CharClass(~CharSet.of('"\n')), 0, 9), Literal('"'))
    >>> print(write(Grammar({"root": alternation(Ref("item"), Literal("null")), "item": item})), end="")
    root ::= item | "null"
    item ::= "\"" [^\n"]{0,9} "\""
    """
    _check_names(grammar)
    return "".join(_rule(name, body) for name, body in grammar.rules.items())


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


def _rule(name: str, body: Expr) -> str:
    """The rule as it was spelled before, or spelled now."""
    text = _SPELLED.get((name, body))
    if text is None:
        text = _fresh_rule(name, body)
        _SPELLED.put((name, body), text, len(text))
    return text


_SPELLED: Cache[tuple[str, Expr], str] = Cache(1 << 20)
"""Rules that every grammar has, and those of strings and numbers that many have; by the characters of their text."""


def _fresh_rule(name: str, body: Expr) -> str:
    """The rule on one line, or broken behind the bars of its alternatives where it is too long for one."""
    options = body.options if isinstance(body, Alternation) else (body,)
    if not options:
        raise ValueError(f"the rule {name} has no text")
    try:
        spelled = [_option(option) for option in options]
    except ValueError as error:
        raise ValueError(f"the rule {name} {error}") from None
    except RecursionError:
        raise ValueError(f"the rule {name} nests groups too deeply for any reader") from None
    line, lines = f"{name} ::= {spelled[0]}", []
    for option in spelled[1:]:
        if len(line) + len(option) + len(" |  |") > LINE_WIDTH:
            # A line that begins with the bar would be refused: the bar ends the line before.
            lines.append(line + " |")
            line = "    " + option
        else:
            line += " | " + option
    return "\n".join((*lines, line, ""))


def _option(expr: Expr) -> str:
    """An expression as it stands between bars: the parts of a sequence need no parentheses."""
    if isinstance(expr, Sequence):
        return " ".join(map(_part, expr.parts)) or '""'
    return _part(expr)


def _part(expr: Expr) -> str:
    """An expression as it stands in a sequence."""
    if isinstance(expr, Ref):
        return expr.name
    if isinstance(expr, Literal):
        return " ".join(_literals(expr.text))
    match expr:
        case CharClass(chars):
            return _class(chars)
        case Sequence(()):
            return '""'
        case Sequence() | Alternation():
            return _group(expr)
        case Repeat(item):
            if not _needs_group(item):
                return _part(item) + _sign(expr)
            if _symbols(item) > LARGEST_COUNT:
                raise ValueError("repeats a group too large for llama.cpp; it needs a rule of its own")
            return _group(item) + _sign(expr)


def _group(expr: Expr) -> str:
    options = expr.options if isinstance(expr, Alternation) else (expr,)
    if not options:
        raise ValueError("holds an alternative that has no text")
    # llguidance drops the parentheses around a group of one, and then stumbles over two signs in a row.
    alone = ' ""' if isinstance(expr, Repeat) else ""
    return f"({' | '.join(map(_option, options))}{alone})"


def _symbols(group: Expr) -> int:
    """At most so many symbols llama.cpp makes of a group; it refuses to repeat one of more than it repeats at most.

    It makes one of each name it meets for the first time, of each group and of each optional repetition.
    """
    made, todo = 1, [group]
    names: set[str] = set()
    while todo:
        match todo.pop():
            case Ref(name):
                names.add(name)
            case Sequence(parts):
                made += sum(isinstance(part, Alternation) for part in parts)
                todo.extend(parts)
            case Alternation(options):
                todo.extend(options)
            case Repeat(item, low, high):
                made += (1 if high is None else high - low) + _needs_group(item)
                todo.append(item)
            case _:
                pass
    return made + len(names)


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
    short = _SIGNS.get((low, high))
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
    if _NO_HEX.fullmatch(text):
        return [f'"{text.translate(_QUOTED)}"']
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

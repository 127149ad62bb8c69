"""Python literals, which models write where JSON was meant: `{'a': None}`, `(1, 2)`, `1, 2`.

Comes in: text of at most `MAX_CHARACTERS`. Goes out: None, booleans, finite decimal numbers, strings, lists (tuples
too), dicts with strings as keys. All else is refused. `ast.literal_eval` reads the same and more, but warns through
global state, differs by version, and may end the interpreter on hostile text.
"""

from __future__ import annotations

import math
import re

from schema2gbnf.schema.text import Json
from schema2gbnf.toolcalls.spelling import MAX_DIGITS

MAX_CHARACTERS = 100_000
MAX_DEPTH = 50

_TOKEN = re.compile(
    r"""[ \t\n\r]*(?:
        (?P<string>'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*")
      | (?P<number>[+-]?(?:[0-9][0-9_]*(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)(?!\w)
      | (?P<word>None|True|False)(?!\w)
      | (?P<mark>[][(){},:])
      | (?P<end>\Z)
    )""",
    re.VERBOSE | re.DOTALL,
)
_LOOSE_INTEGER = re.compile(r"[+-]?[0-9]+(?:_[0-9]+)*")
_LOOSE_FLOAT = re.compile(r"[+-]?(?:[0-9]+\.[0-9]*|\.[0-9]+)")
_FLOAT = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_ESCAPE = re.compile(r"\\(?:([0-7]{1,3})|x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|(.))", re.DOTALL)
_MEANT = {"\n": "", "\\": "\\", "'": "'", '"': '"'} | dict(zip("abfnrtv", "\a\b\f\n\r\t\v", strict=True))
_WORDS: dict[str, Json] = {"None": None, "True": True, "False": False}
_CLOSING = {"[": "]", "(": ")", "{": "}"}


class NotLiteralError(ValueError):
    """The text is no literal, or none with a JSON value."""


def loose_number(text: str) -> int | float | None:
    """A decimal number as people and Python write it, or None.

    >>> [loose_number(text) for text in ("+5", "007", "1_000", ".5", "5.", "0x1F", "1e5")]
    [5, 7, 1000, 0.5, 5.0, None, None]
    """
    if _LOOSE_INTEGER.fullmatch(text):
        return int(text) if len(text) <= MAX_DIGITS else None
    if _LOOSE_FLOAT.fullmatch(text):
        return _finite(float(text))
    return None


def _finite(number: float) -> float | None:
    return None if math.isinf(number) else number


def read_literal(text: str) -> Json:
    """The value of a literal; elements with commas between them are a list, brackets or not.

    >>> read_literal("{'a': [1, (None,)]}, True")
    [{'a': [1, [None]]}, True]
    """
    if len(text) > MAX_CHARACTERS:
        raise NotLiteralError
    reader = _Reader(text)
    items, comma = reader.items("")
    if not items:
        raise NotLiteralError
    return items if comma else items[0]


class _Reader:
    """The tokens of one text, one ahead."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.position = 0
        self.depth = 0
        self.advance()

    def advance(self) -> None:
        found = _TOKEN.match(self.text, self.position)
        if found is None:
            raise NotLiteralError
        self.kind, self.token = str(found.lastgroup), found.group(found.lastgroup or 0)
        self.position = found.end()

    def take(self, mark: str) -> bool:
        """Whether the next token is this mark, and then go past it; "" is the end of the text."""
        if self.kind not in ("mark", "end") or self.token != mark:
            return False
        if mark:
            self.advance()
        return True

    def items(self, closing: str) -> tuple[list[Json], bool]:
        """Values up to a closing mark, and whether a comma stood among them."""
        found: list[Json] = []
        comma = False
        while not self.take(closing):
            found.append(self.value())
            if not self.take(","):
                if self.take(closing):
                    break
                raise NotLiteralError
            comma = True
        return found, comma

    def value(self) -> Json:
        kind, token = self.kind, self.token
        if kind == "end" or token in ("]", ")", "}", ",", ":"):
            raise NotLiteralError
        self.advance()
        match kind:
            case "string":
                return _unescaped(token[1:-1])
            case "word":
                return _WORDS[token]
            case "number":
                return _number(token)
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise NotLiteralError
        found = self.members() if token == "{" else self.sequence(token)
        self.depth -= 1
        return found

    def sequence(self, opening: str) -> Json:
        items, comma = self.items(_CLOSING[opening])
        # Parentheses around one value, without a comma, are only parentheses.
        return items[0] if opening == "(" and len(items) == 1 and not comma else items

    def members(self) -> Json:
        found: dict[str, Json] = {}
        while not self.take("}"):
            name = self.value()
            if not isinstance(name, str) or not self.take(":"):
                raise NotLiteralError
            found[name] = self.value()
            if not self.take(","):
                if self.take("}"):
                    break
                raise NotLiteralError
        return found


def _number(token: str) -> int | float:
    number = loose_number(token)
    if number is None and _FLOAT.fullmatch(token):
        number = _finite(float(token))
    if number is None:
        raise NotLiteralError
    return number


def _unescaped(body: str) -> str:
    def meant(found: re.Match[str]) -> str:
        octal, *hexadecimal, single = found.groups()
        if single is None:
            code = int(octal, 8) if octal else int(next(filter(None, hexadecimal)), 16)
            if code > 0x10FFFF:
                raise NotLiteralError
            return chr(code)
        if single in "xuUN":
            raise NotLiteralError
        return _MEANT.get(single, found.group())

    return _ESCAPE.sub(meant, body)

"""JSON text of arguments, read strictly and written by one hand.

Read: RFC 8259 and no more: no NaN or Infinity, no number that a double or Python's `int` cannot take, no nesting that
would end a reader's stack; of members with one name the last counts. Written: `", "` and `": "`, no escape that is not
needed; a lone surrogate, which no UTF-8 holds, stays an escape.
"""

from __future__ import annotations

import json
import math
import re
from typing import NoReturn, cast

from schema2gbnf.schema.text import Json, nesting

MAX_DEPTH = 200
MAX_DIGITS = 4300
"""The longest integer that Python's `int` reads unless told otherwise."""
BLANKS = " \t\n\r"
"""JSON's whitespace."""

_STRING = re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL)
_BRACKET = re.compile(r"[][{}]")
_CLOSER = {"{": "}", "[": "]"}
_SURROGATE = re.compile("[\ud800-\udfff]")


class NotJsonError(ValueError):
    """The text is no JSON, or none that can be passed on."""


def read(text: str) -> Json:
    """The value of a JSON text.

    >>> read(' {"a": 1, "a": 1.50} ')
    {'a': 1.5}
    """
    if nesting(text) > MAX_DEPTH:
        raise NotJsonError
    try:
        return cast(Json, _DECODER.decode(text))
    except (ValueError, RecursionError, MemoryError):
        raise NotJsonError from None


def spell(value: Json) -> str:
    """The text of a value.

    >>> spell({"a": ["é", 1.0, None]})
    '{"a": ["é", 1.0, null]}'
    """
    return encodable(json.dumps(value, ensure_ascii=False, allow_nan=False))


def characters(text: str) -> str:
    """A piece of a string as it stands between the quotes.

    >>> characters('a "b"')
    'a \\\\"b\\\\"'
    """
    return spell(text)[1:-1]


def encodable(text: str) -> str:
    """A JSON text with its surrogates escaped."""
    return _SURROGATE.sub(lambda found: f"\\u{ord(found.group()):04x}", text)


def closing(text: str) -> str:
    """The shortest text that makes a JSON text of the beginning of one.

    >>> [closing(text) for text in ('{', '{"a": "x', '{"a": [1, ', '{"a": ', '{"a": {"b')]
    ['}', '"}', 'null]}', 'null}', '": null}}']
    """
    closers: list[str] = []
    for bracket in _BRACKET.findall(_STRING.sub("", text).partition('"')[0]):
        if bracket in _CLOSER:
            closers.append(_CLOSER[bracket])
        elif closers:
            closers.pop()
    end = "".join(reversed(closers))
    for middle in ("", '"', "null", ": null", '": null', '"": null'):
        try:
            read(text + middle + end)
        except NotJsonError:
            continue
        return middle + end
    return end


def _integer(digits: str) -> int:
    if len(digits) > MAX_DIGITS:
        raise NotJsonError
    return int(digits)


def _float(digits: str) -> float:
    number = float(digits)
    if math.isinf(number):
        raise NotJsonError
    return number


def _no_constant(name: str) -> NoReturn:
    raise NotJsonError


_DECODER = json.JSONDecoder(parse_int=_integer, parse_float=_float, parse_constant=_no_constant)

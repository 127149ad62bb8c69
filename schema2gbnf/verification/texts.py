"""JSON values and their texts: written as they stand, read back exactly, and what place in a value an offset is in."""

from __future__ import annotations

import json
from collections.abc import Iterator
from decimal import Decimal

from schema2gbnf.schema.pointers import escaped
from schema2gbnf.schema.text import Json

_BLANKS = " \t\r\n"


class RepeatedNameError(ValueError):
    """A text repeats a member name, so that validators would see but one of the members."""


def text_of(value: Json, comma: str = ", ", colon: str = ": ") -> str:
    """The text of a value, members in the order they have, numbers as they are written.

    >>> print(text_of({"b": [Decimal("1.50"), True], "a": None}))
    {"b": [1.50, true], "a": null}
    """
    match value:
        case dict():
            members = (
                f"{json.dumps(name, ensure_ascii=False)}{colon}{text_of(each, comma, colon)}"
                for name, each in value.items()
            )
            return "{" + comma.join(members) + "}"
        case list():
            return "[" + comma.join(text_of(each, comma, colon) for each in value) + "]"
        case Decimal():
            return str(value)
        case _:
            return json.dumps(value, ensure_ascii=False)


def value_of(text: str) -> Json:
    """The value of a text, nothing rounded. Raises `ValueError` for what is no JSON, with `RepeatedNameError` for
    an object that repeats a name."""

    def members(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
        found = dict(pairs)
        if len(found) != len(pairs):
            raise RepeatedNameError("a member name is repeated")
        return found

    def constant(name: str) -> Json:
        raise ValueError(f"{name} is no JSON number")

    if text.strip(_BLANKS) != text:
        raise ValueError("blanks around the value")
    value: Json = json.loads(text, parse_float=Decimal, parse_constant=constant, object_pairs_hook=members)
    return value


def pointer_at(text: str, offset: int) -> str:
    """The pointer, into the value of a text, of the value that an offset is in, before or right behind.

    The text may end there.

    >>> pointer_at('{"a": [1, 22]}', 10), pointer_at('{"a": [1, 22]}', 3)
    ('#/a/1', '#')
    """
    return "#" + "".join(f"/{escaped(token)}" for token in _tokens(text, offset))


def _tokens(text: str, offset: int) -> list[str]:
    """The names and indices on the way to the offset."""
    open_values: list[str | int | None] = []
    for sign, start, end in _signs(text):
        if start >= offset and not (sign == '"' and start == offset):
            break
        inside = end > offset
        match sign:
            case "{":
                open_values.append(None)
            case "[":
                open_values.append(0)
            case "}" | "]":
                if open_values:
                    open_values.pop()
            case ",":
                if open_values:
                    last = open_values[-1]
                    open_values[-1] = last + 1 if isinstance(last, int) else None
            case '"' if open_values and open_values[-1] is None and not inside:
                name = _name(text[start:end])
                following = text[end:].lstrip(_BLANKS)
                open_values[-1] = name if following.startswith(":") else None
    return [str(each) for each in open_values if each is not None]


def _name(literal: str) -> str | None:
    try:
        return str(json.loads(literal))
    except ValueError:
        return None


def _signs(text: str) -> Iterator[tuple[str, int, int]]:
    """The brackets, commas and strings of a text, with where they start and end."""
    place = 0
    while place < len(text):
        sign = text[place]
        end = place + 1
        if sign == '"':
            while end < len(text) and text[end] != '"':
                end += 2 if text[end] == "\\" else 1
            end += 1
        if sign in '{}[],"':
            yield sign, place, end
        place = end

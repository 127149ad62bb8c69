"""JSON Pointers: reading them, writing them, one step along them, and what to say when a step leads nowhere."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import islice

from jsonpointer import JsonPointer, JsonPointerException

from schema2gbnf.schema.text import Json


class DeadEndError(Exception):
    """A pointer or fragment that leads nowhere; the message says at which step."""


def escaped(token: str) -> str:
    """A token as it stands in a pointer, after its slash; nothing is percent-encoded, for the sake of the reader."""
    return token.replace("~", "~0").replace("/", "~1")


def tokens_of(pointer: str) -> tuple[str, ...]:
    """The tokens of a JSON Pointer.

    >>> tokens_of("/$defs/A~1B/c~0d")
    ('$defs', 'A/B', 'c~d')
    """
    try:
        return tuple(JsonPointer(pointer).parts)
    except JsonPointerException:
        raise DeadEndError("in a JSON Pointer a '~' of a name is written ~0, and a '/' ~1") from None


def step(value: Json, token: str, where: Callable[[], str]) -> Json:
    """The member of an object or the item of an array; `where` gives the pointer of `value`, for the complaint."""
    if isinstance(value, dict):
        if token in value:
            return value[token]
        raise DeadEndError(f"there is no {token!r} in '{where()}'{near(token, value)}")
    if isinstance(value, list):
        # Only the spelling RFC 6901 knows: no sign, no leading zero, ASCII digits.
        if not (token.isascii() and token.isdigit()) or (token[0] == "0" and token != "0"):
            raise DeadEndError(f"{token!r} is no index of the array '{where()}'")
        if len(token) > 9 or int(token) >= len(value):
            raise DeadEndError(f"the array '{where()}' has {len(value)} items, so no {token}")
        return value[int(token)]
    raise DeadEndError(f"'{where()}' is {kind(value)} and has no {token!r} in it")


def near(name: str, names: Iterable[str]) -> str:
    """A suggestion of the nearest known name, or nothing."""
    from difflib import get_close_matches

    # The comparison is quadratic in the length of names; a hint is not worth more than a moment.
    known = [each for each in islice(names, 500) if len(each) <= 64]
    matches = get_close_matches(name, known, n=1, cutoff=0.7) if len(name) <= 64 else []
    return f"; did you mean {matches[0]!r}?" if matches else ""


def kind(value: Json) -> str:
    """The JSON type of a value, with its article."""
    match value:
        case None:
            return "null"
        case bool():
            return "a boolean"
        case str():
            return "a string"
        case list():
            return "an array"
        case dict():
            return "an object"
        case _:
            return "a number"

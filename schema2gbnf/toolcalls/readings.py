"""From the text of an argument to its value: the readings of a text in order, of which the first admitted one counts.

Comes in: the text between the tags, and the `Domain` of the parameter. Goes out: a `Reading`, always. Nothing is
invented: text that is no reading of an admitted value stays what it is, JSON if it is JSON and else a string.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from typing import Literal

from schema2gbnf.schema.text import Json
from schema2gbnf.toolcalls.domain import EVERYTHING, Domain
from schema2gbnf.toolcalls.literals import NotLiteralError, loose_number, read_literal
from schema2gbnf.toolcalls.spelling import BLANKS, NotJsonError, read, spell

Words = Literal["always", "unless-string"]
"""When `True`, `None` and the like are read as the values they name in Python, in any letter case: where a format's
template writes them so, always; elsewhere only where the parameter can be no string."""

Untyped = Literal["json", "containers"]
"""What a parameter without any constraint is read as: whatever JSON the text is, or only objects and arrays."""

_WORDS: dict[str, Json] = {"true": True, "false": False, "null": None, "none": None}
_NOT_READ = object()
_FLOAT = re.compile(r"[+-]?[0-9.]+(?:[eE][+-]?[0-9]+)?")


@dataclass(frozen=True, slots=True, eq=False)
class Reading:
    """The value of a text, and whether the parameter admits it."""

    value: Json
    admitted: bool


class Text:
    """The text of one argument; what several readings need of it is done once."""

    def __init__(self, text: str) -> None:
        self.text = text

    @cached_property
    def bare(self) -> str:
        """Without blanks around it."""
        return self.text.strip(BLANKS)

    @cached_property
    def json(self) -> Json | object:
        """The JSON value, or `_NOT_READ`."""
        try:
            return read(self.bare)
        except NotJsonError:
            return _NOT_READ

    @cached_property
    def quoted(self) -> Text | None:
        """The text inside a JSON string, or inside quotes with a backslash each."""
        if isinstance(self.json, str):
            return Text(self.json)
        if len(self.bare) >= 4 and self.bare.startswith('\\"') and self.bare.endswith('\\"'):
            return Text(self.bare[2:-2])
        return None

    @cached_property
    def literal(self) -> Json | object:
        """The value of a Python literal, or `_NOT_READ`."""
        try:
            return read_literal(self.text)
        except NotLiteralError:
            return _NOT_READ

    @cached_property
    def spelled(self) -> str:
        """The JSON text of the JSON value."""
        return spell(self.json)  # type: ignore[arg-type]


def read_argument(text: Text, domain: Domain, words: Words, untyped: Untyped = "json") -> Reading:
    """The value of a text where the domain is expected.

    >>> read_argument(Text("5"), Domain(frozenset({"string"})), "always").value
    '5'
    """
    if domain.only_strings:
        return _string(text, domain)
    if untyped == "containers" and domain == EVERYTHING:
        return Reading(text.json if isinstance(text.json, dict | list) else text.text, True)
    for value in _readings(text, domain, words):
        if value is not _NOT_READ and value in domain:  # type: ignore[operator]
            return Reading(value, True)  # type: ignore[arg-type]
    return Reading(text.text if text.json is _NOT_READ else text.json, False)  # type: ignore[arg-type]


def spelled(text: Text, reading: Reading) -> str:
    """The JSON text of a reading."""
    return text.spelled if reading.value is text.json else spell(reading.value)


def _string(text: Text, domain: Domain) -> Reading:
    """The text itself; of a finite set, also a member in quotes, or among blanks."""
    for value in (text.text, text.json, text.bare) if not domain.any_string else (text.text,):
        if isinstance(value, str) and value in domain:
            return Reading(value, True)
    return Reading(text.text, False)


def _readings(text: Text, domain: Domain, words: Words) -> Iterator[Json | object]:
    may_be_string = domain.may_be("string")
    yield _number(text.json, text.bare, domain)
    if words == "always" or not may_be_string:
        yield _WORDS.get(text.bare.lower(), _NOT_READ) if len(text.bare) <= 5 else _NOT_READ
    if may_be_string:
        yield text.text
        yield text.bare
        return
    if text.quoted is not None:
        yield _number(text.quoted.json, text.quoted.bare, domain)
        yield from _loose(text.quoted, domain)
    yield from _loose(text, domain)
    if not text.bare:
        yield None


def _loose(text: Text, domain: Domain) -> Iterator[Json | object]:
    """What is no JSON, but leaves no doubt where the parameter can be no string."""
    number = loose_number(text.bare)
    yield _NOT_READ if number is None else _number(number, text.bare, domain)
    yield {"1": True, "0": False}.get(text.bare, _NOT_READ)
    yield text.literal


def _number(value: Json | object, written: str, domain: Domain) -> Json | object:
    """A float that is an integer, as one where only integers are declared; by its digits, since a double rounds."""
    if not isinstance(value, float) or not domain.whole_numbers or not value.is_integer():
        return value
    exact = Decimal(written) if _FLOAT.fullmatch(written) else Decimal(value)
    return int(exact) if exact == exact.to_integral_value() else int(value)

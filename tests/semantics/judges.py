"""Two independent validators as one judge of texts: what both say, or None where they differ or are known to be wrong.

`jsonschema` is asked with exact decimals, since as floats 0.3 is no multiple of 0.1 and 0.1000000000000000001 is 0.1.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction
from typing import Any

import jsonschema
import jsonschema_rs
from jsonschema import validators

Json = Any

CLASSES = {
    "draft4": (jsonschema.Draft4Validator, jsonschema_rs.Draft4Validator),
    "draft6": (jsonschema.Draft6Validator, jsonschema_rs.Draft6Validator),
    "draft7": (jsonschema.Draft7Validator, jsonschema_rs.Draft7Validator),
    "draft2019-09": (jsonschema.Draft201909Validator, jsonschema_rs.Draft201909Validator),
    "draft2020-12": (jsonschema.Draft202012Validator, jsonschema_rs.Draft202012Validator),
}


class RepeatedNameError(ValueError):
    """A text repeats a member name; the validators see only the last one."""


def read(text: str) -> Json:
    """The value of a text, numbers with a point as decimals. Raises `RepeatedNameError`."""

    def members(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
        if len({name for name, _ in pairs}) != len(pairs):
            raise RepeatedNameError(text)
        return dict(pairs)

    return json.loads(text, parse_float=Decimal, object_pairs_hook=members)


def _multiple_of(_: Any, divisor: Any, instance: Any, __: Any) -> Iterator[jsonschema.ValidationError]:
    is_number = isinstance(instance, int | Decimal) and not isinstance(instance, bool)
    if is_number and (Fraction(instance) / Fraction(divisor)).denominator != 1:
        yield jsonschema.ValidationError(f"{instance} is not a multiple of {divisor}")


def _is_integer(_: Any, instance: Any) -> bool:
    if isinstance(instance, Decimal):
        return instance == instance.to_integral_value()
    return isinstance(instance, int) and not isinstance(instance, bool)


class Judge:
    """The verdicts on the values of one schema."""

    def __init__(self, schema: Json, dialect: str) -> None:
        exact, fast = CLASSES[dialect]
        checker = exact.TYPE_CHECKER
        if dialect != "draft4":
            checker = checker.redefine("integer", _is_integer)
        exact = validators.extend(exact, {"multipleOf": _multiple_of}, type_checker=checker)
        # With `$schema` at the root, `$ref: "#"` would leave the extended class for the registered one.
        text = json.dumps({keyword: value for keyword, value in schema.items() if keyword != "$schema"})
        self._exact = exact(json.loads(text, parse_float=Decimal), format_checker=exact.FORMAT_CHECKER)
        self._fast = fast(json.loads(text), validate_formats=True)
        self.disputed: list[tuple[str, bool, bool]] = []
        # In 2019-09 `contains` does not evaluate items; both validators think it does.
        self._misled = dialect == "draft2019-09" and '"contains"' in text and '"unevaluatedItems"' in text

    def __call__(self, text: str) -> bool | None:
        """Whether the value of a text is valid. Raises `RepeatedNameError`."""
        value = read(text)
        try:
            one = self._exact.is_valid(value)
        except TypeError:
            return None  # jsonschema takes the length of `items` beside `additionalItems`, even of `true`
        other = self._fast.is_valid(json.loads(text))
        if one != other:
            self.disputed.append((text, one, other))
            return None
        if self._misled:
            return None
        if "\\n" in text:
            # In Python `$` also matches before the last line end, and the other validator agrees by chance only.
            return None
        return one


def is_schema(schema: Json, dialect: str) -> bool:
    """Whether the dialect's metaschema accepts it."""
    return bool(CLASSES[dialect][0](CLASSES[dialect][0].META_SCHEMA).is_valid(schema))

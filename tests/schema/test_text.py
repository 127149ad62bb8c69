"""JSON text: what is read, what is refused and where, and that no input exhausts the machine."""

from __future__ import annotations

import json
import math
from collections import OrderedDict
from contextlib import suppress
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schema2gbnf.errors import InvalidSchemaError, SchemaError, UnsupportedSchemaError
from schema2gbnf.schema.text import check_value, read_json

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


@given(JSON, st.sampled_from([None, 1, "\t"]))
def test_reads_what_the_standard_library_reads(value: Any, indent: int | str | None) -> None:
    text = json.dumps(value, indent=indent)
    assert read_json(text) == json.loads(text, parse_float=Decimal)
    assert read_json(text.encode()) == read_json(text)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0.10", Decimal("0.10")),
        ("1e2", Decimal("1e2")),
        ("-0", 0),
        ("9007199254740993", 9007199254740993),
        ("0.1000000000000000055511151231257827", Decimal("0.1000000000000000055511151231257827")),
        ('\ufeff{"a": 1}', {"a": 1}),
        ('"\\ud800"', "\ud800"),
        ('"[[[{{{\\"[["', '[[[{{{"[['),
    ],
)
def test_values_are_exact(text: str, value: object) -> None:
    found = read_json(text)
    assert found == value
    assert type(found) is type(value)
    assert str(found) == str(value)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
def test_bytes_of_any_unicode_encoding(encoding: str) -> None:
    assert read_json('{"ü": "€"}'.encode(encoding)) == {"ü": "€"}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "line 1 column 1"),
        ('{"a": 1,\n "b" 2}', "line 2 column 6"),
        ("{'a': 1}", "line 1 column 2"),
        ("[1, 2", "line 1 column 6"),
        ("[1] 2", "line 1 column 5"),
        ('{"a":\n  [NaN]}', "NaN is no JSON number, line 2 column 4"),
        ('["NaN", -Infinity]', "-Infinity is no JSON number, line 1 column 9"),
        ("01", "line 1 column 2"),
        ('"a\nb"', "line 1 column 3"),
        ('{"a": 1,\n "b": {"x": "a", "a": 2}, "a": 3}', "'a' stands twice in one object, line 2 column 27"),
        ('{"\\u0061": 1, "a": 2}', "'a' stands twice in one object, line 1 column 15"),
        (b'{"a": "\xff"}', "byte 0xff at offset 7"),
    ],
)
def test_what_is_not_json_is_refused_with_its_place(text: str | bytes, said: str) -> None:
    with pytest.raises(InvalidSchemaError) as caught:
        read_json(text)
    assert said in str(caught.value)


@pytest.mark.parametrize(
    "text",
    [
        "[" * 100_000,
        '{"a":' * 100_000,
        "[" * 600 + "]" * 600,
        '["' + '\\"' * 1000 + '", ' + "[" * 600 + "]" * 600 + "]",
        "9" * 100_000,
        "-" + "9" * 5000,
        "1." + "0" * 100_000,
        "1e999999999",
        "1e-99999999999999999999",
        " " * (17 << 20),
    ],
    ids=lambda text: text[:8],
)
def test_what_is_too_much_is_refused_at_once(text: str) -> None:
    with pytest.raises(UnsupportedSchemaError):
        read_json(text)


def test_brackets_in_strings_are_not_nesting() -> None:
    text = json.dumps(["[" * 5000, '"' + "{" * 5000, "\\"])
    assert read_json(text) == json.loads(text)


def test_the_depth_limit_is_exact() -> None:
    assert read_json("[" * 20 + "]" * 20, max_depth=20)
    with pytest.raises(UnsupportedSchemaError):
        read_json("[" * 120 + "]" * 120, max_depth=119)
    assert read_json("[" * 120 + "]" * 120, max_depth=120)


@given(st.text(alphabet='[]{}",:\\ntrue0-1eE.NaI ', max_size=60))
def test_any_text_is_read_or_refused_as_the_standard_library_does(text: str) -> None:
    expected = found = None
    with suppress(ValueError):
        expected = json.loads(text, parse_float=Decimal)
    try:
        found = read_json(text)
    except SchemaError as error:
        # The library takes what the standard does not, and has no limits.
        if any(word in error.message for word in ("twice", "no JSON number", "digits")):
            return
    assert found == expected


# -- values that a program built ---------------------------------------------------------------------------------------


@given(JSON)
def test_json_values_pass(value: Any) -> None:
    check_value(value)


def cycle() -> dict[str, Any]:
    schema: dict[str, Any] = {"properties": {}}
    schema["properties"]["self"] = schema
    return schema


def diamond(levels: int) -> dict[str, Any]:
    schema: dict[str, Any] = {}
    for _ in range(levels):
        schema = {"anyOf": [schema, schema]}
    return schema


def tower(levels: int) -> list[Any]:
    value: list[Any] = []
    for _ in range(levels):
        value = [value]
    return value


@pytest.mark.parametrize(
    ("value", "pointer", "said"),
    [
        ({"a": (1, 2)}, "#/a", "use a list"),
        ({"a/b": [0, {1, 2}]}, "#/a~1b/1", "use a list"),
        ({"a": {1: 2}}, "#/a", "1 is no string"),
        ([math.nan], "#/0", "nan is no JSON number"),
        ([Decimal("Infinity")], "#/0", "no JSON number"),
        ({"a": object}, "#/a", "no type of JSON"),
        (object(), "#", "object is no type of JSON"),
        (cycle(), "#/properties/self", "contains itself"),
    ],
)
def test_what_is_not_json_is_refused_with_its_pointer(value: object, pointer: str, said: str) -> None:
    with pytest.raises(InvalidSchemaError) as caught:
        check_value(value)
    assert caught.value.pointer == pointer
    assert said in caught.value.message


@pytest.mark.parametrize("value", [tower(600), tower(50_000), diamond(60)], ids=["deep", "deeper", "wide"])
def test_values_over_the_limits_are_refused_at_once(value: object) -> None:
    with pytest.raises(UnsupportedSchemaError):
        check_value(value, max_nodes=10_000)


def test_subclasses_and_shared_parts_pass() -> None:
    shared = {"type": "string"}
    check_value(OrderedDict(a=shared, b=[shared, shared]))
    check_value(10**3000)


@pytest.mark.parametrize("number", [10**5000, Decimal("1e99999"), Decimal("1e-99999")], ids=["int", "large", "small"])
def test_numbers_that_would_cost_too_much_are_refused(number: object) -> None:
    with pytest.raises(UnsupportedSchemaError):
        check_value([number])

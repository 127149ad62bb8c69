"""Where readings multiply with each level of a value within itself, a note says so; elsewhere none does."""

from __future__ import annotations

import json
from random import Random
from time import process_time
from typing import Any

import jsonschema_rs
import pytest

from schema2gbnf import compile_schema
from schema2gbnf.cost import readings
from schema2gbnf.gbnf import Matcher, Sampler

SELF = {"$ref": "#"}
NULL = {"type": "null"}
TEXT = {"type": "string"}
LIST = {"type": "array", "items": SELF}

MULTIPLYING: dict[str, tuple[Any, str]] = {
    "contains": (
        {
            "type": ["array", "null", "string"],
            "items": SELF,
            "contains": {"anyOf": [NULL, {"type": "array", "contains": {"type": "string"}}]},
        },
        "#",
    ),
    "contains at most": (
        {
            "type": ["array", "null", "string"],
            "items": SELF,
            "contains": {"type": ["array", "null"], "maxItems": 3},
            "maxContains": 2,
        },
        "#",
    ),
    "arrays side by side": (
        {
            "anyOf": [
                {"type": "array", "items": SELF},
                {"type": "array", "items": {"anyOf": [SELF, {"type": "string"}]}},
                NULL,
            ]
        },
        "#/anyOf/0",
    ),
    "maps side by side": (
        {
            "anyOf": [
                {"type": "object", "additionalProperties": {"anyOf": [SELF, NULL]}},
                {"type": "object", "additionalProperties": {"anyOf": [SELF, {"type": "string"}]}},
            ]
        },
        "#/anyOf/0",
    ),
    "negated members": (
        {
            "anyOf": [
                {"type": ["null", "string"]},
                {
                    "type": "object",
                    "additionalProperties": SELF,
                    "not": {"additionalProperties": {"type": ["object", "null"], "maxProperties": 2}},
                },
            ]
        },
        "#/anyOf/1",
    ),
}

SINGLE: dict[str, Any] = {
    "tree": {"type": "array", "items": SELF},
    "none contained": {"type": "array", "items": SELF, "not": {"contains": {"type": "array", "minItems": 2}}},
    "contains a scalar": {"type": ["array", "null", "string"], "items": SELF, "contains": NULL},
    "tagged": {
        "anyOf": [
            {"properties": {"op": {"const": "neg"}, "of": SELF}, "required": ["op", "of"], "type": "object"},
            {"properties": {"op": {"const": "add"}, "of": SELF}, "required": ["op", "of"], "type": "object"},
            {"type": "number"},
        ]
    },
    "untagged": {
        "anyOf": [
            {"type": "object", "properties": {"of": SELF, "a": TEXT}},
            {"type": "object", "properties": {"of": {"anyOf": [SELF, NULL]}, "b": TEXT}},
        ]
    },
    "tagged or not": {
        "anyOf": [
            {"type": "object", "properties": {"op": TEXT, "of": SELF}, "required": ["op"]},
            {"type": "object", "properties": {"op": {"enum": ["a", "b"]}, "of": SELF, "a": TEXT}, "required": ["op"]},
            {"type": "object", "properties": {"op": {"enum": ["b", "c"]}, "of": LIST, "b": TEXT}, "required": ["op"]},
        ]
    },
    "tagged within": {
        "anyOf": [
            {"type": "object", "properties": {"by": {"type": "object", "properties": {"n": TEXT}}, "of": SELF}},
            {
                "type": "object",
                "properties": {
                    "by": {"type": "object", "properties": {"n": {"const": "x"}}, "required": ["n"]},
                    "of": {"anyOf": [SELF, NULL]},
                    "x": TEXT,
                },
            },
        ]
    },
    "told by what comes first": {
        "anyOf": [
            {"type": "object", "properties": {"a": TEXT, "b": TEXT, "of": SELF}},
            {"type": "object", "properties": {"of": LIST}},
        ]
    },
    "nothing in common but nothing": {
        "anyOf": [
            {"type": "object", "properties": {"by": {"type": "object", "properties": {"n": TEXT}}, "of": SELF}},
            {
                "type": "object",
                "properties": {
                    "by": {"type": "object", "properties": {"n": TEXT}, "required": ["n"]},
                    "of": {"anyOf": [SELF, NULL]},
                    "x": TEXT,
                },
            },
        ]
    },
    "values that are spelled out": {
        "anyOf": [
            {"type": "object", "properties": {"by": {"enum": [{"n": "x"}, "a", None]}, "of": SELF}},
            {
                "type": "object",
                "properties": {
                    "by": {"enum": ["b", {"n": "x"}, {"n": "b"}, None]},
                    "of": {"anyOf": [SELF, NULL]},
                    "x": TEXT,
                },
            },
        ]
    },
    "written again and again": {
        "$ref": "#/$defs/A",
        "$defs": {
            "A": {"properties": {"of": {"anyOf": [{"$ref": "#/$defs/A"}, {"$ref": "#/$defs/B"}]}}, "type": "object"},
            "B": {
                "properties": {"of": {"anyOf": [{"$ref": "#/$defs/A"}, {"$ref": "#/$defs/B"}]}, "b": TEXT},
                "type": "object",
            },
        },
    },
    "not recursive": {
        "type": "array",
        "items": {"type": ["array", "null"], "items": {"type": ["string", "null"]}},
        "contains": {"type": "array", "contains": {"type": "string"}},
    },
}


@pytest.mark.parametrize("name", MULTIPLYING)
def test_a_note_tells_where_readings_multiply(name: str) -> None:
    schema, pointer = MULTIPLYING[name]
    result = compile_schema(schema)
    assert readings(result.grammar).growth is not None
    notes = [finding for finding in result.findings if finding.kind == "note" and "several ways" in finding.message]
    assert pointer in [note.pointer for note in notes]
    assert result.exact


@pytest.mark.parametrize("name", SINGLE)
def test_no_note_where_they_do_not(name: str) -> None:
    result = compile_schema(SINGLE[name])
    assert readings(result.grammar).growth is None
    assert [finding for finding in result.findings if finding.kind == "note"] == []


UNIONS = [
    "untagged",
    "tagged or not",
    "tagged within",
    "told by what comes first",
    "nothing in common but nothing",
    "values that are spelled out",
    "written again and again",
]
NAMES = ("op", "by", "n", "of", "a", "b", "x")


def closed(schema: Any) -> Any:
    """The schema with all objects closed that declare members."""
    match schema:
        case dict():
            closing = {"additionalProperties": False} if "properties" in schema else {}
            return {keyword: closed(value) for keyword, value in schema.items()} | closing
        case list():
            return [closed(value) for value in schema]
        case _:
            return schema


def drawn(random: Random, names: list[str], depth: int) -> Any:
    kind = random.choice(("text", "text", "null", "object", "object", "array")) if depth else "text"
    match kind:
        case "object":
            return {name: drawn(random, names, depth - 1) for name in names if random.random() < 0.45}
        case "array":
            return [drawn(random, names, depth - 1) for _ in range(random.randrange(3))]
        case "null":
            return None
        case _:
            return random.choice("abcx")


@pytest.mark.parametrize("union", UNIONS)
def test_no_value_is_lost_or_won(union: str) -> None:
    random = Random(11)
    result = compile_schema(SINGLE[union])
    validator = jsonschema_rs.validator_for(closed(SINGLE[union]))
    matcher = Matcher(result.grammar)
    names = [name for name in NAMES if f'"{name}"' in json.dumps(SINGLE[union])]
    valid = 0
    for _ in range(4000):
        value = drawn(random, names, 4)
        is_valid = validator.is_valid(value)
        valid += is_valid
        # Written in the order of the grammar, what is valid; and anything else as it is.
        text = result.dumps(value) if is_valid else json.dumps(value)
        assert matcher.accepts(text) == is_valid, text
    assert valid > 30
    sampler = Sampler(result.grammar, seed=4)
    for _ in range(100):
        assert validator.is_valid(json.loads(sampler.sample()))


@pytest.mark.parametrize("form", ["hostname", "email", "date-time", "regex", "uuid"])
def test_no_string_is_lost_beside_a_format(form: str) -> None:
    strings = ["xn--abc", "a@[1.2.3.4]", "2020-12-31T23:59:60+00:07", "[a", "(?<n>)", "x", "00000000-"]
    schema = {
        "anyOf": [
            {"type": "object", "properties": {"by": TEXT, "of": SELF}},
            {"properties": {"by": {"type": "string", "format": form}, "of": {"anyOf": [SELF, NULL]}, "x": TEXT}},
        ]
    }
    result = compile_schema(schema)
    matcher = Matcher(result.grammar)
    for string in strings:
        assert matcher.accepts(result.dumps({"by": string})), string


def test_closed_objects_within_members_are_kept() -> None:
    pair = {"type": "object", "properties": {"n": TEXT}, "required": ["n"], "additionalProperties": False}
    for first in ({"type": "object", "properties": {"z": TEXT}}, SELF):
        schema = {
            "anyOf": [
                {"type": "object", "properties": {"op": first}},
                {"type": "object", "properties": {"op": pair, "by": TEXT}},
            ]
        }
        result = compile_schema(schema)
        for value in ({"op": {"n": "x"}}, {"op": {"n": "x"}, "by": "y"}, {"op": {}}):
            assert Matcher(result.grammar).accepts(result.dumps(value)), value


def test_long_chains_are_merged_in_time() -> None:
    def chained(length: int) -> Any:
        links = {
            f"D{n}": {"properties": {"of": {"$ref": f"#/$defs/D{n + 1}" if n < length else "#"}}, "type": "object"}
            for n in range(length + 1)
        }
        first = {"$ref": "#/$defs/D0"}
        return {"anyOf": [first, {"type": "object", "properties": {"of": first, "z": NULL}}], "$defs": links}

    start = process_time()
    compile_schema(chained(800))
    assert process_time() - start < 5

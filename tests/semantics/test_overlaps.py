"""Where readings multiply with each level of a value within itself, a note says so; elsewhere none does."""

from __future__ import annotations

from typing import Any

import pytest

from schema2gbnf import compile_schema
from schema2gbnf.cost import readings

SELF = {"$ref": "#"}
NULL = {"type": "null"}

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
    "objects side by side": (
        {
            "anyOf": [
                {"type": "object", "properties": {"of": SELF, "a": {"type": "string"}}},
                {"type": "object", "properties": {"of": {"anyOf": [SELF, NULL]}, "b": {"type": "string"}}},
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

"""A proof of use: XGrammar's own converter, given schemas that were normalized for it.

Where no event says that something is not enforced, it must refuse all invalid values; where none says that it refuses
valid ones, it must accept these. XGrammar needs PyTorch, so that it is asked only where somebody has installed it.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from random import Random
from typing import Any

import jsonschema_rs
import pytest

from schema2gbnf import SchemaError, compile_schema
from schema2gbnf.normalize import Event, normalize, normalize_tools
from tests.normalize.relation import as_json, integral, made_values
from tests.normalize.test_corpora import tools

xgrammar = pytest.importorskip("xgrammar")
accepts = pytest.importorskip("xgrammar.testing")._is_grammar_accept_string

SWEEP = bool(os.environ.get("SCHEMA2GBNF_SWEEP"))
LOOSE, TIGHT = ("unenforced", "loosened"), ("backend-tightened",)


def grammar_of(schema: Any) -> Any:
    """What XGrammar makes of a schema; None when it refuses it."""
    try:
        return xgrammar.Grammar.from_json_schema(json.dumps(schema))
    except RuntimeError:
        return None


def misjudged(schema: Any, made: Any, events: tuple[Event, ...], seed: int, count: int) -> list[str]:
    """Texts of values that XGrammar judges otherwise than the schema does, and no event says so."""
    grammar = grammar_of(made)
    if grammar is None:
        return ["refused"]
    severities = {event.severity for event in events}
    if "pattern" in {event.kind for event in events}:
        severities |= {*TIGHT}  # what is read bare is not read escaped
    validator = jsonschema_rs.validator_for(schema, validate_formats=True)
    plain = jsonschema_rs.validator_for(schema, validate_formats=False)
    compiled = compile_schema(schema, additional_properties="spec")
    wrong = []
    for drawn in made_values(schema, made, Random(seed), count):
        value = as_json(integral(drawn))
        if value is None:
            continue
        valid = validator.is_valid(value[0])
        text = compiled.dumps(value[0], check=False) if valid else json.dumps(value[0], ensure_ascii=False)
        if valid and severities.isdisjoint(TIGHT) and not accepts(grammar, text):
            wrong.append(f"refused: {text}")
        if not plain.is_valid(value[0]) and severities.isdisjoint(LOOSE) and accepts(grammar, text):
            wrong.append(f"accepted: {text}")
    return wrong


def test_every_tool_is_read_as_it_is_meant_or_reported() -> None:
    counts: Counter[str] = Counter()
    wrong = []
    for place, (name, schema) in enumerate(tools() if SWEEP else Random(6).sample(tools(), 150)):
        result = normalize_tools([{"name": "tool", "inputSchema": schema}], "xgrammar", policies=True)
        made = result.tools[0]["inputSchema"]
        try:
            found = misjudged(schema, made, result.events, place, 16)
        except (SchemaError, ValueError):
            counts["not judged"] += 1
            continue
        counts["refused as it was"] += grammar_of(schema) is None
        counts["misread as it was"] += bool(misjudged(schema, schema, (), place, 16))
        counts["told" if {event.severity for event in result.events} & {*LOOSE, *TIGHT} else "meant"] += 1
        wrong += [(name, each[:200]) for each in found[:1]]
    print(f"\n{dict(counts)}")
    assert wrong == []


TEXT, INTEGER = {"type": "string"}, {"type": "integer"}
MISREAD: dict[str, Any] = {
    "a bound without a type": {"minimum": 1},
    "a pattern without a type": {"pattern": "^a$"},
    "a pattern beside a list of types": {"type": ["string", "array"], "pattern": "^a$"},
    "a count of members": {"type": "object", "minProperties": 1},
    "a required member": {"type": "object", "required": ["a"]},
    "a prefix": {"type": "array", "prefixItems": [TEXT]},
    "a count of items": {"type": "array", "minItems": 1},
    "items as a list": {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "type": "array",
        "items": [TEXT, INTEGER],
    },
    "an annotation beside an object": {"type": "object", "x-order": 1},
    "an annotation beside an array": {"type": "array", "x-order": 1},
    "a bound with a fraction": {"type": "integer", "minimum": 1.5, "exclusiveMaximum": 7.5},
    "a branch that is never": {"anyOf": [TEXT, False]},
    "siblings of a union": {
        "type": "object",
        "properties": {"a": TEXT},
        "required": ["a"],
        "anyOf": [
            {"properties": {"a": {"const": "x"}}, "additionalProperties": False},
            {"properties": {"a": {"const": "y"}}, "additionalProperties": False},
        ],
    },
    "two unions": {"anyOf": [TEXT, INTEGER], "oneOf": [INTEGER, {"type": "null"}]},
    "siblings of a reference": {"$ref": "#/$defs/x", "pattern": "^a$", "$defs": {"x": TEXT}},
    "an anchor": {"$ref": "#foo", "$defs": {"x": {"$anchor": "foo", "type": "string"}}},
    "an identifier": {"$ref": "other", "$defs": {"x": {"$id": "other", "type": "string"}}},
    "allOf": {"allOf": [INTEGER, {"minimum": 5}]},
    "values beside a type": {"type": "integer", "enum": ["a", 1]},
    "values beside a length": {"type": "string", "enum": ["aaa", "b"], "maxLength": 2},
}
"""Schemas that XGrammar misreads, or refuses, as they are."""


@pytest.mark.parametrize("name", MISREAD)
def test_what_is_misread_is_rewritten(name: str) -> None:
    schema = MISREAD[name]
    result = normalize(schema, "xgrammar", policies=True)
    assert {event.severity for event in result.events} <= {"lossless"}, [str(event) for event in result.events]
    assert misjudged(schema, result.schema, result.events, 1, 60) == []
    assert misjudged(schema, schema, (), 1, 60) != []


@pytest.mark.parametrize(
    ("schema", "kind"),
    [
        ({"type": "string", "not": {"const": "a"}}, "not"),
        ({"type": "array", "items": INTEGER, "uniqueItems": True}, "uniqueItems"),
        ({"type": "array", "items": INTEGER, "contains": {"const": 1}}, "contains"),
        ({"type": "object", "dependentRequired": {"a": ["b"]}}, "dependentRequired"),
        ({"type": "number", "multipleOf": 0.5}, "multipleOf"),
        ({"type": "string", "pattern": "a"}, "pattern-dropped"),
        ({"type": "string", "pattern": "^(?!a)b$"}, "pattern-dropped"),
        ({"type": "string", "pattern": '^a"$'}, "pattern"),
        ({"type": "string", "pattern": "^a+$", "maxLength": 3}, "maxLength"),
        ({"type": "integer", "maximum": 1 << 63}, "bound-dropped"),
        ({"type": "object", "patternProperties": {"^x": INTEGER}}, "patternProperties"),
        ({"type": "object", "properties": {"a": TEXT}, "propertyNames": {"maxLength": 2}}, "propertyNames"),
        ({"oneOf": [INTEGER, {"type": "number"}]}, "oneof-exclusive"),
        ({"type": "number", "minimum": 0.5}, "number-digits"),
        ({"type": "string", "minLength": 1}, "escaped-characters"),
        ({"type": "object", "properties": {"a": TEXT}}, "closed-object"),
    ],
)
def test_what_cannot_be_rewritten_is_told(schema: Any, kind: str) -> None:
    result = normalize(schema, "xgrammar", policies=True)
    assert kind in {event.kind for event in result.events}
    assert misjudged(schema, result.schema, result.events, 2, 60) == []

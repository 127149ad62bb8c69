"""A proof of use: llama.cpp's own converter, given tools as they are and as they were normalized.

The converter that comes with llama-cpp-python is of 2024; what it reads is said by a table, as for any back end. For
every tool it must make a grammar of the normalized schema, and where no event says that something is not enforced, all
sentences of the grammar must be valid.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from random import Random
from typing import Any

import jsonschema_rs
import pytest

from schema2gbnf.gbnf import Sampler, parse
from schema2gbnf.normalize import normalize, normalize_tools
from schema2gbnf.normalize.targets import target_of
from tests.normalize.test_corpora import tools

llama_grammar = pytest.importorskip("llama_cpp.llama_grammar")

SWEEP = bool(os.environ.get("SCHEMA2GBNF_SWEEP"))
BOUNDS = ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum")
OF_2024 = {
    "extends": "ollama",
    "ignored": sorted(target_of("ollama").ignored.union(BOUNDS)),
    "type_lists": False,
    "max_repetition": 40,
    "patterns": [],
}
"""It knows no bounds of integers, reads nothing beside a list of types, reads no escaped
dots, and nests a group for each repetition."""


def converted(schema: Any) -> str | None:
    """The grammar that the converter makes of a schema; None when it fails."""
    try:
        grammar: str = llama_grammar.json_schema_to_gbnf(json.dumps(schema))
    except (AssertionError, AttributeError, KeyError, TypeError, ValueError, RecursionError):
        return None
    return grammar


def wrong_sentences(schema: Any, grammar: str, seed: int, count: int = 6) -> list[str]:
    """Sentences of a grammar that are not valid; those that are no JSON for their control characters are let pass."""
    validator = jsonschema_rs.validator_for(schema, validate_formats=False)
    sampler = Sampler(parse(grammar), seed)
    wrong = []
    for _ in range(count):
        text = sampler.sample()
        try:
            value = json.loads(text, strict=False)
            json.dumps(value, allow_nan=False, ensure_ascii=False).encode()
        except json.JSONDecodeError:
            wrong.append(text)
            continue
        except ValueError:
            continue
        if not validator.is_valid(value):
            wrong.append(text)
    return wrong


def test_every_tool_is_read_as_it_is_meant_or_reported() -> None:
    counts: Counter[str] = Counter()
    misread = []
    for place, (name, schema) in enumerate(tools() if SWEEP else Random(5).sample(tools(), 150)):
        result = normalize_tools([{"name": "tool", "inputSchema": schema}], OF_2024, policies=True)
        made = result.tools[0]["inputSchema"]
        grammar = converted(made)
        assert grammar is not None, name
        counts["failed as it was"] += converted(schema) is None
        told = {event.kind for event in result.events if event.severity in ("unenforced", "loosened")}
        counts["told"] += bool(told)
        counts["meant"] += not told
        wrong = wrong_sentences(schema, grammar, place)
        counts["wrong, told"] += bool(wrong and told)
        if wrong and not told:
            misread.append((name, wrong[0][:200]))
    print(f"\n{dict(counts)}")
    assert misread == []
    assert counts["wrong, told"] > 0, "the test has found nothing that it could"


TEXT, INTEGER = {"type": "string"}, {"type": "integer"}
MISREAD: dict[str, Any] = {
    "siblings of a union": {
        "type": "object",
        "properties": {"a": TEXT},
        "required": ["a"],
        "anyOf": [{"required": ["b"]}, {"required": ["c"]}],
    },
    "two unions": {"anyOf": [TEXT, INTEGER], "oneOf": [INTEGER, {"type": "null"}]},
    "siblings of a reference": {
        "type": "object",
        "properties": {"a": {"$ref": "#/$defs/s", "enum": ["x", "yy"]}},
        "required": ["a"],
        "additionalProperties": False,
        "$defs": {"s": {"type": "string", "maxLength": 1}},
    },
    "values of another type": {"type": "integer", "enum": ["a", 1]},
    "a string in allOf": {"allOf": [TEXT]},
    "lengths in allOf": {"type": "string", "allOf": [{"maxLength": 3}]},
    "optional members in allOf": {
        "allOf": [{"type": "object", "properties": {"a": TEXT, "b": TEXT}, "required": ["a"]}]
    },
    "a member twice in allOf": {
        "type": "object",
        "additionalProperties": False,
        "allOf": [{"properties": {"a": TEXT}}, {"properties": {"a": {"minLength": 2}}}],
        "properties": {"a": {}},
    },
    "allOf beside properties": {"type": "object", "properties": {"a": INTEGER}, "allOf": [{"required": ["a"]}]},
    "values in allOf": {"allOf": [{"enum": ["a", "b"]}, {"enum": ["b", "c"]}]},
    "required, undeclared": {"type": "object", "properties": {"a": INTEGER}, "required": ["b"]},
    "a branch that is never": {"anyOf": [TEXT, {"not": {}}]},
    "anything": {"type": "object", "properties": {"a": {}}, "required": ["a"], "additionalProperties": False},
    "a boolean schema": {"type": "array", "items": True},
    "a name that pointers escape": {
        "type": "object",
        "properties": {"a": {"$ref": "#/$defs/x~1y"}},
        "required": ["a"],
        "$defs": {"x/y": INTEGER},
    },
    "the root": {"type": "object", "properties": {"a": {"$ref": "#"}, "b": INTEGER}, "additionalProperties": False},
    "names that become one rule": {
        "type": "object",
        "properties": {"a": {"$ref": "#/$defs/x_y"}, "b": {"$ref": "#/$defs/x-y"}},
        "required": ["a", "b"],
        "$defs": {"x_y": TEXT, "x-y": INTEGER},
    },
    "names of a definition and a property": {
        "type": "object",
        "properties": {"a": {"$ref": "#/$defs/b"}, "b": {"type": "array", "items": TEXT}},
        "required": ["a", "b"],
        "$defs": {"b": {"enum": [1, 2]}},
    },
    "a definition that begins with itself": {
        "type": "object",
        "properties": {"a": {"$ref": "#/$defs/x"}},
        "$defs": {"x": {"anyOf": [TEXT, {"$ref": "#/$defs/x"}]}},
    },
    "a list of types": {"type": ["string", "array"], "items": INTEGER, "minItems": 1},
}
"""Schemas that the converter misreads, or fails on, as they are."""


@pytest.mark.parametrize("name", MISREAD)
def test_what_is_misread_is_rewritten(name: str) -> None:
    result = normalize(MISREAD[name], OF_2024)
    assert {event.severity for event in result.events} <= {"lossless"}, [str(event) for event in result.events]
    grammar = converted(result.schema)
    assert grammar is not None
    assert wrong_sentences(result.schema, grammar, 1, 40) == []
    assert wrong_sentences(MISREAD[name], grammar, 1, 40) == [] or "begins with itself" in name


@pytest.mark.parametrize(
    ("schema", "kind"),
    [
        ({"oneOf": [INTEGER, {"type": "number"}]}, "oneof-exclusive"),
        ({"type": "number", "minimum": 0}, "number-range"),
        ({"type": "integer", "multipleOf": 3}, "multipleOf"),
        ({"type": "array", "items": TEXT, "uniqueItems": True}, "uniqueItems"),
        ({"type": "array", "items": TEXT, "contains": {"const": "a"}}, "contains"),
        ({"type": "object", "minProperties": 1}, "minProperties"),
        ({"type": "object", "patternProperties": {"^x": TEXT}}, "patternProperties"),
        ({"type": "object", "propertyNames": {"maxLength": 3}}, "propertyNames"),
        ({"type": "object", "dependentRequired": {"a": ["b"]}}, "dependentRequired"),
        ({"type": "string", "not": {"const": "a"}}, "not"),
        ({"type": "string", "if": {"minLength": 1}, "then": {"pattern": "^a$"}}, "if"),
        ({"type": "object", "anyOf": [{}], "unevaluatedProperties": False}, "unevaluatedProperties"),
        ({"type": "string", "pattern": "^.{1,3}$"}, "pattern"),
        ({"type": "string", "pattern": "^a|b$"}, "pattern-dropped"),
        ({"type": "string", "pattern": "^a+$", "maxLength": 3}, "maxLength"),
        ({"type": "string", "format": "date", "minLength": 3}, "minLength"),
        ({"type": "string", "format": "email"}, "format"),
        ({"type": "array", "prefixItems": [TEXT]}, "tuple-fixed-length"),
        ({"type": "array", "prefixItems": [TEXT], "items": INTEGER}, "tuple-fixed-length"),
        ({"type": "integer", "minimum": 105}, "integer-range"),
        ({"type": "integer", "maximum": -50}, "integer-range"),
        ({"type": "integer", "minimum": 1 << 70}, "integer-range"),
        ({"type": "integer", "minimum": 1, "exclusiveMinimum": 5}, "exclusiveMinimum"),
        ({"properties": {"a": TEXT}}, "type-implied"),
    ],
)
def test_what_is_misread_and_cannot_be_rewritten_is_told(schema: Any, kind: str) -> None:
    assert kind in {event.kind for event in normalize(schema).events}


@pytest.mark.parametrize(
    ("schema", "kind"),
    [
        ({"type": "object", "properties": {"a": TEXT}}, "closed-object"),
        ({"type": "object", "properties": {"b": TEXT, "a": TEXT}, "required": ["a"]}, "member-order"),
        ({"type": "object", "properties": {"ab": TEXT}, "additionalProperties": True}, "additional-names"),
        ({"type": "string", "format": "date-time"}, "format-approximated"),
        ({"type": "number"}, "number-digits"),
        ({"const": 1.5}, "one-spelling"),
    ],
)
def test_standing_policies_are_told_on_request(schema: Any, kind: str) -> None:
    assert normalize(schema).events == ()
    assert kind in {event.kind for event in normalize(schema, policies=True).events}

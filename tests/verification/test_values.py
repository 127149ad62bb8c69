"""Values from the meaning of a schema: all of them valid and accepted, every edge among them."""

from __future__ import annotations

import json
from itertools import islice
from random import Random
from typing import Any

import jsonschema
import pytest

from schema2gbnf import compile_schema
from schema2gbnf.gbnf import Matcher
from schema2gbnf.schema.text import Json
from schema2gbnf.semantics.formula import Obeys
from schema2gbnf.semantics.productivity import closed, explore
from schema2gbnf.verification.drafts import drafts
from schema2gbnf.verification.misses import misses
from schema2gbnf.verification.texts import text_of
from schema2gbnf.verification.values import Values
from tests.golden import EXAMPLES

TREE = {
    "type": "object",
    "properties": {"value": {"type": "integer"}, "next": {"anyOf": [{"$ref": "#"}, {"type": "null"}]}},
    "required": ["value", "next"],
}
SCHEMAS: dict[str, Any] = {
    "bounds": {"type": "integer", "minimum": -3, "exclusiveMaximum": 250},
    "fractions": {"type": "number", "minimum": 0, "maximum": 2.5, "multipleOf": 0.25},
    "lengths": {"type": "string", "minLength": 2, "maxLength": 5},
    "pattern": {"type": "string", "pattern": "^(ab|cd)+-[0-9]{2}$"},
    "optional": {
        "type": "object",
        "properties": {"a": {"type": "boolean"}, "b": {"type": "null"}, "c": {"const": 1}},
        "required": ["b"],
    },
    "counted": {"type": "object", "additionalProperties": {"type": "integer"}, "minProperties": 2, "maxProperties": 3},
    "named": {"type": "object", "patternProperties": {"^x-[a-z]+$": {"type": "string"}}, "additionalProperties": False},
    "items": {"type": "array", "items": {"enum": ["a", "b"]}, "minItems": 1, "maxItems": 4},
    "tuple": {"type": "array", "prefixItems": [{"type": "string"}, {"type": "integer"}], "items": False},
    "distinct": {"type": "array", "items": {"type": "string"}, "uniqueItems": True, "minItems": 3},
    "contains": {"type": "array", "contains": {"const": 7}, "minContains": 2, "items": {"type": "integer"}},
    "branches": {"oneOf": [{"type": "string", "maxLength": 1}, {"type": "array", "maxItems": 1}, {"const": None}]},
    "tree": TREE,
    "anything": True,
}


def values_of(schema: Any, seed: int = 0) -> Values:
    result = compile_schema(schema)
    documents = result._meaning.documents
    root = Obeys(documents.root, documents.enter((), documents.root))
    return Values(result._meaning, closed(result._meaning, explore(result._meaning, root)), Random(seed))


def found(schema: Any, seed: int = 0) -> list[Json]:
    values = values_of(schema, seed)
    return [*islice(values.edges(), 200), *islice(values.full(), 20)]


@pytest.mark.parametrize("name", SCHEMAS)
def test_all_values_are_valid_and_accepted(name: str) -> None:
    schema = SCHEMAS[name]
    result = compile_schema(schema)
    matcher = Matcher(result.grammar)
    validator = jsonschema.Draft202012Validator(schema)
    for value in found(schema):
        assert validator.is_valid(json.loads(text_of(value))), value
        assert matcher.accepts(result.dumps(value)), value


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.json")), ids=lambda path: path.stem)
def test_all_values_of_the_examples_are_accepted(path: Any) -> None:
    result = compile_schema(path)
    matcher = Matcher(result.grammar)
    values = found(json.loads(path.read_bytes()))
    assert len(values) > 40
    for value in values:
        assert matcher.accepts(result.dumps(value)), value


@pytest.mark.parametrize(
    ("name", "edges"),
    [
        ("bounds", [-3, -2, 249, 248, 0]),
        ("fractions", ["0", "2.5", "0.25", "2.25"]),
        ("optional", [{"b": None}, {"a": True, "b": None, "c": 1}, {"a": True, "b": None}, {"b": None, "c": 1}]),
        ("items", [["a"], ["a", "a"], ["a"] * 3, ["a"] * 4, ["b"]]),
        ("branches", ["", None, []]),
    ],
)
def test_edges_are_among_the_values(name: str, edges: list[Any]) -> None:
    texts = {text_of(value) for value in found(SCHEMAS[name])}
    for edge in edges:
        assert (edge if name == "fractions" else text_of(edge)) in texts, (edge, texts)


def test_strings_of_all_lengths_at_the_bounds() -> None:
    lengths = {len(value) for value in found(SCHEMAS["lengths"]) if isinstance(value, str)}
    assert lengths == {2, 3, 4, 5}


def test_each_way_through_a_pattern_is_taken() -> None:
    words = {value for value in found(SCHEMAS["pattern"]) if isinstance(value, str)}
    assert any("ab" in word for word in words)
    assert any("cd" in word for word in words)
    assert any(len(word) > 5 for word in words)


def test_recursion_is_unrolled() -> None:
    def depth(value: Any) -> int:
        return 0 if value is None else 1 + depth(value["next"])

    assert {1, 2, 3} <= {depth(value) for value in found(TREE)}


def test_the_seed_chooses() -> None:
    schema = SCHEMAS["pattern"]
    assert found(schema, 1) == found(schema, 1) != found(schema, 2)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("bounds", [-4, 250]),
        ("lengths", ["a", "aaaaaa"]),
        ("optional", [{}]),
        ("items", [[], ["a"] * 5]),
    ],
)
def test_misses_are_just_outside(name: str, expected: list[Any]) -> None:
    missed = [text_of(value) for value in islice(misses(values_of(SCHEMAS[name])), 100)]
    sizes = {len(text) for text in missed}
    for each in expected:
        assert text_of(each) in missed or (isinstance(each, str) and len(text_of(each)) in sizes), (each, missed)


def test_drafts_take_every_branch_and_member() -> None:
    schema = {
        "allOf": [{"properties": {"a": {"const": "one"}}, "required": ["a"]}],
        "properties": {"b": {"oneOf": [{"const": "two"}, {"$ref": "#/$defs/three"}]}},
        "$defs": {"three": {"enum": ["three", 3]}},
    }
    text = text_of(drafts(compile_schema(schema)._meaning.documents))
    assert all(f'"{word}"' in text for word in ("one", "two", "three"))


def test_drafts_of_recursive_schemas_end() -> None:
    assert drafts(compile_schema(TREE)._meaning.documents)

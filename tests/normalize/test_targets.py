"""Targets are tables: each reads what it says, a file may have another, and a wrong table says what is wrong."""

from __future__ import annotations

import json
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from schema2gbnf.normalize import normalize
from schema2gbnf.normalize.patterns import FEATURES
from schema2gbnf.normalize.targets import TargetError, names, target_of
from tests.normalize.relation import relation
from tests.normalize.test_rules import ROWS, Row

TEXT = {"type": "string"}


def test_the_targets_that_there_are() -> None:
    assert names() == ("llama.cpp", "llama.cpp-2025", "ollama", "openai-strict", "xgrammar")
    assert target_of("llamacpp") == target_of("llama.cpp")
    for name in names():
        assert target_of(name).about
        assert (target_of(name).patterns or frozenset()) <= FEATURES.keys()


@pytest.mark.parametrize("target", names())
@pytest.mark.parametrize("row", [row for row in ROWS if row.judged], ids=lambda row: row.name)
def test_the_relation_holds_for_every_target(row: Row, target: str) -> None:
    assert relation(row.given, 2, target, values=16, **row.options).failures == []


@pytest.mark.parametrize(
    ("target", "given", "made", "kinds"),
    [
        ("llama.cpp-2025", {"type": "array", "maxItems": 0}, {"enum": [[]]}, {"empty-array-spelled"}),
        (
            "llama.cpp-2025",
            {"type": "array", "minItems": 2},
            {
                "type": "array",
                "minItems": 2,
                "items": {"type": ["object", "array", "string", "number", "boolean", "null"]},
            },
            {"items-declared"},
        ),
        ("llama.cpp-2025", {"type": "integer", "minimum": 1.5}, {"type": "integer", "minimum": 2}, {"bounds-rounded"}),
        (
            "llama.cpp-2025",
            {"type": "string", "pattern": "^(?:a|b)+?$"},
            {"type": "string", "pattern": "^(a|b)+$"},
            {"pattern-rewritten"},
        ),
        ("llama.cpp", {"type": "string", "pattern": "^(?:a|b)+?$"}, ..., set()),
        (
            "ollama",
            {
                "type": "object",
                "properties": {"n": {"$ref": "#/$defs/n"}, "m": {"$ref": "#/definitions/n-2"}},
                "$defs": {"n": TEXT},
                "definitions": {"n-2": {"type": "integer"}},
            },
            {
                "type": "object",
                "properties": {"n": {"$ref": "#/$defs/n-2"}, "m": {"$ref": "#/definitions/n-2-2"}},
                "$defs": {"n-2": TEXT},
                "definitions": {"n-2-2": {"type": "integer"}},
            },
            {"def-renamed"},
        ),
        (
            "openai-strict",
            {"oneOf": [TEXT, {"type": "integer"}]},
            {"anyOf": [TEXT, {"type": "integer"}]},
            {"oneof-to-anyof"},
        ),
        (
            "openai-strict",
            {"type": "object", "properties": {"a": TEXT, "b": TEXT}, "required": ["a"]},
            ...,
            {"open-object", "optional-property"},
        ),
        ("openai-strict", {"type": "number", "minimum": 0, "multipleOf": 2}, ..., set()),
        ("openai-strict", {"type": "array", "items": TEXT, "uniqueItems": True}, ..., {"uniqueItems"}),
        ("xgrammar", {"type": "object", "properties": {"a": {}}}, ..., set()),
        ("xgrammar", {"type": "string", "pattern": "^[a-z]\\d$"}, ..., set()),
        ("xgrammar", {"type": "string", "pattern": "[a-z]\\d"}, TEXT, {"pattern-dropped"}),
        ("xgrammar", {"type": "integer", "maximum": 1 << 63}, {"type": "integer"}, {"bound-dropped"}),
        (
            "xgrammar",
            {"type": "integer", "exclusiveMinimum": 0.5},
            {"type": "integer", "minimum": 1},
            {"bounds-rounded"},
        ),
        (
            "xgrammar",
            {"type": "object", "maxProperties": 2},
            {"type": "object", "maxProperties": 2, "additionalProperties": True},
            {"opened-object"},
        ),
        (
            "xgrammar",
            {"type": "array", "prefixItems": [TEXT]},
            {
                "type": "array",
                "prefixItems": [TEXT],
                "items": {"type": ["object", "array", "string", "number", "boolean", "null"]},
            },
            {"items-declared"},
        ),
        (
            "xgrammar",
            {"type": ["string", "number", "null"], "format": "date", "minimum": 3},
            {
                "anyOf": [
                    {"type": "string", "format": "date"},
                    {"type": "number", "minimum": 3, "format": "date"},
                    {"type": "null"},
                ]
            },
            {"types-split"},
        ),
        (
            "xgrammar",
            {"pattern": "^a$"},
            {
                "anyOf": [
                    {"type": "object"},
                    {"type": "array"},
                    {"type": "string", "pattern": "^a$"},
                    {"type": "number"},
                    {"type": "boolean"},
                    {"type": "null"},
                ]
            },
            {"any-expanded", "types-split"},
        ),
        ("xgrammar", {"type": "object", "patternProperties": {"^x$": TEXT}}, ..., {"patternProperties"}),
        ("xgrammar", {"type": "string", "pattern": "(?=a)"}, TEXT, {"pattern-dropped"}),
        ("xgrammar", {"type": "string", "maxLength": 9000}, ..., set()),
        ("xgrammar", {"allOf": [TEXT, {"maxLength": 3}]}, {"type": "string", "maxLength": 3}, {"allof-merged"}),
    ],
)
def test_what_a_target_makes(target: str, given: Any, made: Any, kinds: set[str]) -> None:
    result = normalize(given, target)
    assert result.schema == (given if made is ... else made)
    assert {event.kind for event in result.events} == kinds


SAID: dict[str, Any] = {
    "maxLength": 3,
    "pattern": "^[a-z]+$",
    "format": "email",
    "minimum": 3,
    "multipleOf": 7,
    "minItems": 2,
    "uniqueItems": True,
    "contains": TEXT,
    "minProperties": 1,
    "required": ["a"],
    "patternProperties": {"^x$": TEXT},
    "propertyNames": {"maxLength": 3},
    "not": {"const": "a"},
    "dependentRequired": {"a": ["b"]},
}
"""Keywords that speak of values without a word of their type."""
IMPLYING = {"properties", "additionalProperties", "items", "prefixItems", "pattern"}


@pytest.mark.parametrize("target", ["llama.cpp", "llama.cpp-2025", "ollama", "xgrammar"])
def test_what_is_said_without_a_type_is_heard_or_told(target: str) -> None:
    implying = IMPLYING - {"pattern"} if target == "xgrammar" else IMPLYING
    for count in (1, 2, 3):
        for chosen in combinations(SAID, count):
            given = {name: SAID[name] for name in chosen}
            result = normalize(given, target)
            if {"type", "anyOf"}.isdisjoint(result.schema) and implying.isdisjoint(result.schema):
                told = {event.kind for event in result.events if event.severity == "unenforced"}
                assert told.issuperset(result.schema), given
            assert not normalize(result.schema, target).modified, given


def test_a_target_from_a_file(tmp_path: Path) -> None:
    table = tmp_path / "mine.json"
    table.write_text(json.dumps({"extends": "llama.cpp", "about": "mine", "max_repetition": 5, "const": False}))
    result = normalize(
        {"type": "object", "properties": {"a": {"const": 1}, "b": {"type": "string", "maxLength": 6}}}, table
    )
    assert result.schema["properties"] == {"a": {"enum": [1]}, "b": TEXT}
    assert {event.kind for event in result.events} == {"const-to-enum", "repetition-dropped"}
    assert target_of(table).name == "mine"


def test_a_table_that_reads_everything_changes_nothing() -> None:
    for row in ROWS:
        if row.judged and not row.options:
            result = normalize(row.given, {"about": "everything"})
            kinds = {event.kind for event in result.events if event.severity not in ("lossless", "error")}
            assert kinds <= {"ref-dangling", "ref-remote", "ref-cycle-only", "ref-repaired", "nullable-expanded"} | {
                "dialect-modernized",
                "never-property-dropped",
            }, row.name


@pytest.mark.parametrize(
    ("table", "complaint"),
    [
        ({"max_repetitions": 3}, "did you mean 'max_repetition'"),
        ({"max_repetition": -1}, "whole number"),
        ({"ignored": "not"}, "list of names"),
        ({"tuples": "open"}, "choose one of full, fixed, closed"),
        ({"typeless": False}, "choose one of read, implied, structured"),
        ({"const": 1}, "true or false"),
        ({"extends": "nobody"}, "there is no target 'nobody'"),
        ({"extends": 3}, "extends"),
    ],
)
def test_a_wrong_table_is_refused(table: Any, complaint: str) -> None:
    with pytest.raises(TargetError, match=complaint):
        target_of(table)


def test_an_unknown_target_is_refused() -> None:
    with pytest.raises(TargetError, match=r"did you mean 'llama\.cpp'"):
        normalize({}, "lama.cpp")

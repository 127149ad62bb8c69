"""Schemas made to hurt: whatever comes in, an answer comes out, soon, and nothing is raised but in strict mode."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import pytest

from schema2gbnf.normalize import normalize, normalize_tools
from schema2gbnf.normalize.text import written

SECONDS = 20
"""Far more than needed, for a busy machine."""


def nested(depth: int, wrap: Callable[[Any], Any], core: Any) -> Any:
    """A schema in a schema in a schema."""
    for _ in range(depth):
        core = wrap(core)
    return core


def laughs(levels: int, **more: Any) -> Any:
    """Definitions that each refer twice to the next."""
    definitions = {
        f"d{i}": {"type": "object", "properties": {name: {"$ref": f"#/$defs/d{i + 1}", **more} for name in "ab"}}
        for i in range(levels)
    }
    return {"$ref": "#/$defs/d0", "$defs": {**definitions, f"d{levels}": {"type": "object"}}}


def unions(levels: int) -> Any:
    """Unions that multiply at every level."""
    schema: Any = {"type": "object"}
    for _ in range(levels):
        branches = [{"required": ["a"]}, {"required": ["b"]}, {"minProperties": 2}]
        schema = {"type": "object", "properties": {"a": schema, "b": schema}, "anyOf": branches}
    return schema


WIDE = 2_000
HOSTILE: dict[str, Any] = {
    "deep items": nested(1_500, lambda inner: {"items": inner}, {"type": "string"}),
    "deep properties": nested(1_500, lambda inner: {"type": "object", "properties": {"a": inner}}, {"type": "string"}),
    "deep unions": nested(1_000, lambda inner: {"anyOf": [inner, {"type": "null"}]}, {"type": "string"}),
    "deep allOf": nested(1_500, lambda inner: {"allOf": [inner]}, {"type": "string"}),
    "deep not": nested(1_500, lambda inner: {"not": inner}, {"type": "string"}),
    "deep constant": {"const": nested(3_000, lambda inner: [inner], 1), "minLength": 1},
    "billion laughs": laughs(30),
    "billion laughs, constrained": laughs(30, minProperties=0),
    "unions that multiply": unions(7),
    "a product of unions": {"allOf": [{"anyOf": [{"minLength": i}, {"maxLength": i}]} for i in range(40)]},
    "many branches": {"oneOf": [{"type": "object", "properties": {f"p{i}": {}}} for i in range(300)]},
    "many properties": {"type": "object", "properties": {f"p{i}": {"$ref": "#/$defs/x"} for i in range(WIDE)}},
    "a long chain": {"$ref": "#/$defs/d0", "$defs": {f"d{i}": {"$ref": f"#/$defs/d{i + 1}"} for i in range(WIDE)}},
    "everything in a circle": {
        "$ref": "#/$defs/d0",
        "$defs": {f"d{i}": {"anyOf": [{"$ref": f"#/$defs/d{(i + 1) % 200}"}, {"type": "null"}]} for i in range(200)},
    },
    "all of all": {
        "allOf": [{"$ref": f"#/$defs/d{i}"} for i in range(12)],
        "$defs": {
            f"d{i}": {
                "properties": {"x": {"$ref": f"#/$defs/d{(i + 1) % 12}"}, f"y{i}": {"$ref": f"#/$defs/d{(5 * i) % 12}"}}
            }
            for i in range(12)
        },
    },
    "a pattern that explodes": {"type": "string", "enum": ["a" * 60], "pattern": "^(a|a)*(a|aa)+$", "minLength": 2},
    "numbers beyond measure": {"type": "integer", "minimum": 10**3000, "maximum": 10**3001},
    "names beyond measure": {"type": "object", "properties": {"n" * 100_000: {"$ref": "#"}}},
}


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("options", [{}, {"inline_refs": True}], ids=["plain", "inlined"])
def test_an_answer_comes_soon(name: str, options: dict[str, Any]) -> None:
    started = time.process_time()
    result = normalize(HOSTILE[name], **options)
    assert time.process_time() - started < SECONDS
    grown = len(written(result.schema)) / (len(written(HOSTILE[name])) + 20_000)
    assert grown < 60
    again = normalize(result.schema, **options)
    assert written(again.schema) == written(result.schema)


NO_SCHEMAS: dict[str, Any] = {
    "a list": [1],
    "a text": "object",
    "nothing": None,
    "a type that is none": {"type": 3},
    "properties that are none": {"properties": [1]},
    "an empty union": {"anyOf": []},
    "a reference that is none": {"$ref": 3},
    "no number": {"minimum": float("nan")},
    "no JSON": {"enum": [{1, 2}]},
    "too deep": nested(20_000, lambda inner: {"not": inner}, {}),
}


@pytest.mark.parametrize("name", NO_SCHEMAS)
def test_what_is_no_schema_comes_back_with_an_error(name: str) -> None:
    result = normalize(NO_SCHEMAS[name])
    assert result.schema is NO_SCHEMAS[name]
    assert [event.severity for event in result.events] == ["error"]


def test_a_value_that_contains_itself_comes_back_with_an_error() -> None:
    schema: dict[str, Any] = {"type": "object"}
    schema["properties"] = {"a": schema}
    assert normalize(schema).events[0].severity == "error"


@pytest.mark.parametrize(
    "tools", [None, 3, "x", {}, [None, 3, "x", {}, {"name": 1}, {"type": "function"}], {"tools": 3}]
)
def test_what_is_no_tool_passes_through(tools: Any) -> None:
    assert normalize_tools(tools).tools == tools

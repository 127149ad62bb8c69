"""Tool lists: shapes keep their containers, what is no function passes through, and a failing tool stops no other."""

from __future__ import annotations

import logging
from typing import Any

import pytest

from schema2gbnf.normalize import NormalizationError, normalize_tools
from schema2gbnf.normalize.kinds import KINDS

ANY = {"type": ["object", "array", "string", "number", "boolean", "null"]}
LOST = {"type": "object", "properties": {"x": {"$ref": "#/$defs/gone"}}}
FOUND = {"type": "object", "properties": {"x": ANY}}
FINE = {"type": "object", "properties": {"x": {"type": "string"}}}
BROKEN = {"type": "object", "properties": {"x": {"type": "strng"}}}

SHAPES: dict[str, Any] = {
    "openai": lambda schema: [{"type": "function", "function": {"name": "f", "strict": False, "parameters": schema}}],
    "responses": lambda schema: [{"type": "function", "name": "f", "parameters": schema}],
    "functions": lambda schema: [{"name": "f", "description": "d", "parameters": schema}],
    "anthropic": lambda schema: [{"name": "f", "input_schema": schema, "cache_control": {"type": "ephemeral"}}],
    "mcp": lambda schema: [{"name": "f", "inputSchema": schema, "outputSchema": {"type": "object", "not": {}}}],
}


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("auto", [False, True])
def test_a_shape_keeps_its_container(shape: str, auto: bool) -> None:
    given = SHAPES[shape](LOST)
    result = normalize_tools(given, shape="auto" if auto else shape)
    assert result.tools == SHAPES[shape](FOUND)
    assert given == SHAPES[shape](LOST)
    [event] = result.events
    assert (event.tool, event.path, event.kind) == ("f", "/properties/x", "ref-dangling")
    assert result.counters["tools_seen"] == result.counters["tools_modified"] == result.counters["tools_loosened"] == 1


@pytest.mark.parametrize(
    "wrap", [lambda t: {"tools": t, "nextCursor": "c"}, lambda t: {"jsonrpc": "2.0", "result": {"tools": t}}]
)
def test_a_list_may_be_held_by_something(wrap: Any) -> None:
    assert normalize_tools(wrap(SHAPES["mcp"](LOST))).tools == wrap(SHAPES["mcp"](FOUND))


def test_another_shape_is_left_alone() -> None:
    assert normalize_tools(SHAPES["anthropic"](LOST), shape="mcp").tools == SHAPES["anthropic"](LOST)
    with pytest.raises(ValueError, match="shape"):
        normalize_tools([], shape="other")


def test_what_needs_no_change_is_the_same_object() -> None:
    tools = [*SHAPES["openai"](FINE), {"type": "web_search"}, {"type": "function", "function": {"name": "g"}}]
    result = normalize_tools(tools)
    assert all(one is other for one, other in zip(result.tools, tools, strict=True))
    assert not result.modified
    assert result.counters["tools_seen"] == 1


@pytest.mark.parametrize(
    ("given", "made"),
    [
        ({}, {"type": "object", "properties": {}}),
        (True, {"type": "object", "properties": {}}),
        ({"properties": {"x": {"type": "string"}}}, {"properties": {"x": {"type": "string"}}, "type": "object"}),
        ({"$ref": "#/$defs/a", "$defs": {"a": FINE}}, FINE),
        ({"type": ["object", "null"], "properties": {}}, {"type": "object", "properties": {}}),
        ({"anyOf": [FINE, {"type": "null"}]}, FINE),
        ({"allOf": [FINE], "description": "d"}, {"description": "d", **FINE}),
    ],
)
def test_arguments_are_an_object(given: Any, made: Any) -> None:
    [tool] = normalize_tools(SHAPES["mcp"](given)).tools
    assert tool["inputSchema"] == made


def test_a_union_of_arguments_is_an_object_and_told() -> None:
    union = {"type": "object", "anyOf": [{"required": ["a"]}, {"required": ["b"]}]}
    result = normalize_tools(SHAPES["mcp"](union))
    schema = result.tools[0]["inputSchema"]
    assert schema["type"] == "object"
    assert len(schema["anyOf"]) == 2
    assert "root-union" in {event.kind for event in result.events}
    assert normalize_tools(result.tools).tools == result.tools


def two(first: Any, second: Any) -> list[Any]:
    """Two tools that each have a definition of the same name."""
    return [
        {
            "name": name,
            "inputSchema": {"type": "object", "properties": {"o": {"$ref": "#/$defs/O"}}, "$defs": {"O": definition}},
        }
        for name, definition in (("a", first), ("b", second))
    ]


def test_definitions_of_one_name_in_two_tools_get_two() -> None:
    """One converter serves all tools of a request: the second would get the first one's definition."""
    result = normalize_tools(two({"type": "string"}, {"type": "integer"}))
    assert result.tools[0]["inputSchema"]["properties"]["o"] == {"$ref": "#/$defs/O"}
    assert result.tools[1]["inputSchema"]["properties"]["o"] == {"$ref": "#/$defs/O-2"}
    assert [(event.tool, event.kind, event.path) for event in result.events] == [("b", "def-renamed", "/$defs/O")]
    assert normalize_tools(result.tools).tools == result.tools


def test_the_same_definition_in_two_tools_keeps_its_name() -> None:
    tools = two({"type": "string"}, {"type": "string"})
    assert normalize_tools(tools).tools == tools


def test_a_failing_tool_stops_no_other() -> None:
    tools = [*SHAPES["openai"](BROKEN), *SHAPES["mcp"](LOST)]
    kept = normalize_tools(tools)
    assert kept.tools == [*SHAPES["openai"](BROKEN), *SHAPES["mcp"](FOUND)]
    assert kept.counters["tools_failed"] == 1
    assert normalize_tools(tools, on_error="drop").tools == SHAPES["mcp"](FOUND)
    with pytest.raises(NormalizationError, match="/properties/x/type"):
        normalize_tools(tools, on_error="raise")


def test_strict_mode_names_tool_and_path() -> None:
    with pytest.raises(NormalizationError, match="f: /properties/x: ref-dangling") as caught:
        normalize_tools(SHAPES["openai"](LOST), strict=True)
    assert caught.value.events[0].tool == "f"


def test_what_is_grave_is_logged_with_tool_and_path(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING, logger="schema2gbnf.normalize"):
        normalize_tools([*SHAPES["openai"](LOST), *SHAPES["mcp"](FINE)])
    [record] = caplog.records
    assert record.getMessage().startswith("f: /properties/x: ref-dangling: loosened")
    assert (record.__dict__["tool"], record.__dict__["path"], record.__dict__["kind"]) == (
        "f",
        "/properties/x",
        "ref-dangling",
    )


PUBLISHED = (
    "tools_seen tools_modified anyof_rewrites oneof_rewrites not_drops empty_union_drops union_coexistence_skipped"
    " refs_inlined cycles_preserved refs_unresolved size_coarsenings max_inline_depth_reached"
)
"""The counters of mcp-schema-normalize."""


def test_counters_have_the_published_names() -> None:
    tree = {
        "type": "object",
        "properties": {
            "kids": {"type": "array", "items": {"$ref": "#/$defs/t"}},
            "lost": {"$ref": "#/$defs/gone"},
            "near": {"$ref": "#/$defs/s", "maxLength": 3},
            "either": {"type": "string", "anyOf": [{"minLength": 3}, {"not": {}}, {"maxLength": 1}]},
            "one": {"type": "string", "oneOf": [{"const": "a"}, {"const": "b"}]},
        },
        "$defs": {
            "t": {"type": "object", "properties": {"kids": {"type": "array", "items": {"$ref": "#/$defs/t"}}}},
            "s": {"type": "string"},
        },
    }
    counters = normalize_tools(SHAPES["openai"](tree)).counters
    assert counters.keys() >= set(PUBLISHED.split())
    assert counters["refs_unresolved"] == counters["refs_inlined"] == counters["not_drops"] == 1
    assert counters["anyof_rewrites"] == counters["oneof_rewrites"] == 1
    assert counters["cycles_preserved"] >= 1
    assert counters["size_coarsenings"] == counters["max_inline_depth_reached"] == 0
    assert counters["ref-dangling"] == 1
    assert "ref-dangling" in KINDS

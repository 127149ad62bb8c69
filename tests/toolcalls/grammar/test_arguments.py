"""Arguments of every kind in every format: what the grammar allows is read back to what the schema accepts.

For a schema, sampled texts are read by the parser and judged by a validator; a table of values says which must have a
text, and that it reads back to the value.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from functools import lru_cache
from typing import Any

import pytest

from schema2gbnf.cost import readings
from schema2gbnf.gbnf.match import Matcher
from schema2gbnf.gbnf.sample import Sampler
from schema2gbnf.toolcalls import parse
from schema2gbnf.toolcalls.grammar import FORMATS, ToolGrammar, compile_tools
from tests.engine import Engine
from tests.toolcalls.grammar.judges import is_valid, parser_format
from tests.toolcalls.grammar.readings import ReadingCounter

formats = pytest.mark.parametrize("format", FORMATS)
tagged = pytest.mark.parametrize("format", [format for format in FORMATS if format not in ("hermes", "harmony")])


def one(schema: Any) -> dict[str, Any]:
    """The schema of an object with one argument."""
    return {"type": "object", "properties": {"v": schema}, "required": ["v"]}


KIND = {
    "oneOf": [
        {"properties": {"kind": {"const": "text"}, "v": {"type": "string"}}, "required": ["kind", "v"]},
        {"properties": {"kind": {"const": "count"}, "v": {"type": "integer"}}, "required": ["kind", "v"]},
    ],
}
TREE = {
    "type": "object",
    "properties": {
        "tree": {
            "type": "object",
            "properties": {
                "value": {"type": "integer"},
                "left": {"anyOf": [{"$ref": "#/properties/tree"}, {"type": "null"}]},
                "right": {"$ref": "#/properties/tree/properties/left"},
                "next": {"$ref": "#/properties/tree/properties/left/anyOf/0"},
            },
            "required": ["value"],
        }
    },
    "required": ["tree"],
}

NODE = {
    "type": "object",
    "properties": {"node": {"$ref": "#/$defs/Node"}},
    "required": ["node"],
    "$defs": {
        "Node": {"anyOf": [{"$ref": "#/$defs/Any"}, {"$ref": "#/$defs/Add"}, {"type": "integer"}]},
        "Any": {
            "type": "object",
            "properties": {"op": {"type": "string"}, "of": {"$ref": "#/$defs/Node"}},
            "required": ["op"],
        },
        "Add": {
            "type": "object",
            "properties": {
                "op": {"enum": ["add", "sub"]},
                "of": {"anyOf": [{"$ref": "#/$defs/Any"}, {"$ref": "#/$defs/Add"}, {"type": "integer"}]},
                "by": {"type": "integer"},
            },
            "required": ["op"],
        },
    },
}

SCHEMAS: list[tuple[Any, list[Any]]] = [
    (one({"type": "string"}), ["", "x", "7", "null", '"q"', "{", "a\nb", "\n", " x ", "é😀", "<", "</", "</parameter"]),
    (one({"type": "string", "minLength": 2, "maxLength": 4}), ["ab", "abcd", "a\nb", "1234", "a > b"[:4]]),
    (one({"type": "string", "minLength": 1}), ["a", "<", "x</", "\n"]),
    (one({"type": "string", "maxLength": 300}), ["", "x" * 300]),
    (one({"type": "string", "pattern": "^[a-z]+(?:,[a-z]+)*$"}), ["a", "a,b"]),
    (one({"type": "string", "pattern": "^<[a-z]+>$"}), ["<b>"]),
    (one({"type": "string", "format": "date"}), ["2024-02-29"]),
    (one({"enum": ["red", "green", "7", "null", "</p"]}), ["red", "7", "null", "</p"]),
    (one({"enum": ["7", 7, None, "null", "a", True]}), ["7", 7, None, "null", "a", True]),
    (one({"type": "integer", "minimum": 1, "maximum": 7}), [1, 7]),
    (one({"type": "number"}), [0, -1.5, 1e300]),
    (one({"type": "boolean"}), [True, False]),
    (one({"type": ["string", "null"]}), ["", "null", "None", "nULL", None, "7", '"null"', " null "]),
    (one({"type": ["string", "integer"]}), [7, "7", " 7", "-0", "seven", '"7"', "true"]),
    (one({"anyOf": [{"type": "string"}, {"type": "integer", "minimum": 5}]}), [5, "3", "5", "x"]),
    (one({"type": ["string", "integer"], "not": {"type": "integer"}}), ["7", "x"]),
    (one({"type": ["string", "boolean"]}), [True, "true", "True", "1"]),
    (one({"type": ["string", "array"]}), [[], ["a", 1], "[]", "[1", "x"]),
    (one({"anyOf": [{"type": "string", "maxLength": 3}, one({"type": "integer"})]}), ["{", "abc", {"v": 1}]),
    (one({}), [None, 7, "7", "x", "null", [1, {"a": "</arg_value>"}], {"</parameter>": 1}, True]),
    (one({"minLength": 2, "minimum": 3}), ["ab", 3, None, {"x": 1}]),
    (one({"type": "array", "items": {"type": "string"}}), [["</arg_value>", "</parameter>\n</function>", "<|end|>"]]),
    (one({"type": "array", "items": {"type": "string", "maxLength": 200}}), [["a<b", "</arg_value>", "<|call|>"]]),
    (one({"type": "array", "items": {"type": "string", "pattern": "^.+$"}}), [["a<b", "a|b"]]),
    (one({"type": "object", "additionalProperties": {"type": "string"}}), [{"a": "<", "b c": "d"}]),
    (one({"const": {"a": [1, "</arg_value><|end|>"]}}), [{"a": [1, "</arg_value><|end|>"]}]),
]
ROOTS: list[tuple[Any, list[Any]]] = [
    (True, [{}, {"x": 1}, {"x": "y", "z": [None]}]),
    ({"type": "object"}, [{}, {"a b": "1"}]),
    ({"properties": {"a": {"type": "integer"}, "b": {}}, "minProperties": 1}, [{"a": 1}, {"b": "x"}]),
    ({"properties": {"a": {"type": "integer"}}, "additionalProperties": {"type": "boolean"}}, [{"a": 1, "c": True}]),
    ({"patternProperties": {"^x": {"type": "integer"}}, "additionalProperties": False}, [{}, {"x1": 5, "xy": 6}]),
    ({"patternProperties": {"^$": {}, "^a$": {}}, "additionalProperties": False}, [{"a": 1}, {}]),
    ({"properties": {"a": {"type": "integer"}, "b": {}}, "dependentRequired": {"a": ["b"]}}, [{"a": 1, "b": 2}, {}]),
    ({"enum": [{"a": 1, "b": "x"}, {"a": 2}]}, [{"a": 1, "b": "x"}, {"a": 2}]),
    ({"$ref": "#/$defs/A", "$defs": {"A": one({"type": "string"})}}, [{"v": "x"}]),
    ({"allOf": [one({"type": "integer"}), {"properties": {"w": {"type": "null"}}}]}, [{"v": 1, "w": None}]),
    (KIND, [{"kind": "text", "v": "7"}, {"kind": "count", "v": 7}]),
    ({"properties": {"v": {"type": "string"}, "c": {"$ref": "#"}}}, [{"v": "1", "c": {"v": "2", "c": {}}}]),
    (TREE, [{"tree": {"value": 1, "left": {"value": 2, "left": None, "next": {"value": 3}}, "right": {"value": 4}}}]),
    (NODE, [{"node": {"op": "add", "of": {"op": "neg", "of": {"op": "sub", "of": 3, "by": 2}}, "by": 1}}]),
    (
        {"anyOf": [one({"enum": ["a", "b"]}), {"properties": {"v": {"enum": ["b", "c"]}, "w": {"type": "null"}}}]},
        [{"v": "a"}, {"v": "b"}, {"v": "b", "w": None}, {"v": "c"}, {}],
    ),
]


def valid_arguments() -> list[tuple[Any, Any]]:
    """Schemas of arguments with values that must have a text."""
    ones = [(schema, {"v": value}) for schema, values in SCHEMAS for value in values]
    return ones + [(schema, value) for schema, values in ROOTS for value in values]


@lru_cache(maxsize=256)
def _compiled(schema: str, format: str) -> tuple[ToolGrammar, Matcher]:
    compiled = compile_tools([tool(json.loads(schema))], format, tool_choice="f")  # type: ignore[arg-type]
    assert compiled.grammar is not None
    return compiled, Matcher(compiled.grammar)


def compiled(schema: Any, format: str) -> tuple[ToolGrammar, Matcher]:
    return _compiled(json.dumps(schema), format)


def tool(schema: Any) -> dict[str, Any]:
    return {"name": "f", "parameters": schema}


def read(schema: Any, format: str, text: str) -> Any:
    """The arguments of the one call in a text."""
    (call,) = parse(parser_format(format), text, [tool(schema)]).calls
    assert call.complete, text
    return json.loads(call.arguments)


@formats
def test_what_a_grammar_allows_is_read_back_to_valid_arguments(format: str) -> None:
    for schema, _ in (*SCHEMAS, *ROOTS):
        grammar = compiled(schema, format)[0].grammar
        assert grammar is not None
        sampler, counter = Sampler(grammar, seed=1), ReadingCounter(grammar)
        for number in range(12):
            text = sampler.sample()
            arguments = read(schema, format, text)
            assert is_valid(schema, arguments), (schema, text, arguments)
            if number < 3:
                assert counter.count(text) == 1, (schema, text)


@formats
def test_valid_arguments_have_a_text_that_is_read_back(format: str) -> None:
    for schema, arguments in valid_arguments():
        grammar, matcher = compiled(schema, format)
        text = grammar.dumps("f", arguments)
        assert matcher.accepts(text), (schema, text, matcher.match(text))
        found = read(schema, format, text)
        assert (found, type(found)) == (arguments, dict), (schema, text)
        assert json.dumps(found, sort_keys=True) == json.dumps(arguments, sort_keys=True)


@formats
def test_readings_do_not_grow_with_nesting(format: str) -> None:
    grammar = compiled(NODE, format)[0].grammar
    assert grammar is not None
    found = readings(grammar)
    assert (found.ambiguity, found.growth) == (None, None)


@formats
def test_every_grammar_loads(format: str, engine: Engine) -> None:
    for schema, _ in (*SCHEMAS, *ROOTS):
        assert engine.load(compiled(schema, format)[0].gbnf) is not None, schema


# -- raw strings -------------------------------------------------------------------------------------------------------

END = {"qwen3_coder": "</parameter>", "glm47": "</arg_value>", "glm45": "</arg_value>"}


@tagged
def test_a_raw_string_has_everything_but_its_terminator(format: str) -> None:
    schema, end = one({"type": "string"}), END[format]
    grammar, matcher = compiled(schema, format)
    beginnings = [end[:length] for length in range(len(end))]
    for value in (*beginnings, *(2 * each for each in beginnings), *(f"{each}{end[1:]}" for each in beginnings[2:])):
        text = grammar.dumps("f", {"v": value})
        assert matcher.accepts(text), text
        assert read(schema, format, text) == {"v": value}
    with pytest.raises(ValueError, match="cannot be written"):
        grammar.dumps("f", {"v": f"a{end}b"})
    for value in (end, f"x{end}", f"{end}x", f"<{end}", f"\n{end}\n"):
        assert not matcher.accepts(grammar.dumps("f", {"v": "@"}).replace("@", value)), value


@pytest.mark.parametrize(
    ("value", "fits"),
    [
        ("a <parameter=v> b", True),
        ("a\n<parameter=v>\n", False),
        ("<parameter=v>", False),
        ("</function>", True),
        ("</function>\n</tool_call>", False),
        ("</function> </tool_call>", False),
        ("</tool_call>", True),
    ],
)
def test_a_raw_string_does_not_look_like_more_of_the_call(value: str, fits: bool) -> None:
    schema = {"properties": {"v": {"type": "string"}, "w": {"type": "string"}}}
    grammar, matcher = compiled(schema, "qwen3_coder")
    text = grammar.dumps("f", {"v": "@"}).replace("@", value)
    assert matcher.accepts(text) is fits
    if fits:
        assert read(schema, "qwen3_coder", text) == {"v": value}


@tagged
def test_members_of_an_enum_are_raw_and_those_with_the_terminator_told(format: str) -> None:
    grammar, matcher = compiled(one({"enum": ["yes", f"no{END[format]}"]}), format)
    text = grammar.dumps("f", {"v": "yes"})
    assert matcher.accepts(text)
    assert not matcher.accepts(text.replace("yes", '"yes"'))
    (told,) = [each for each in grammar.findings if each.finding.keyword == "enum"]
    assert (told.tool, told.finding.kind, told.finding.pointer) == ("f", "narrowed", "#/0/parameters/properties/v")
    assert END[format] in told.finding.message


@tagged
@pytest.mark.parametrize(("length", "fits"), [(5, True), (6, False)])
def test_lengths_are_counted(format: str, length: int, fits: bool) -> None:
    for most in (5, 300):
        grammar, matcher = compiled(one({"type": "string", "maxLength": most}), format)
        value = "x" * (length + most - 5)
        assert matcher.accepts(grammar.dumps("f", {"v": "@"}).replace("@", value)) is fits


@tagged
def test_a_length_beyond_counting_is_given_up_and_told(format: str) -> None:
    grammar, matcher = compiled(one({"type": "string", "maxLength": 100_000}), format)
    assert any(each.finding.kind == "loosened" and each.finding.keyword == "maxLength" for each in grammar.findings)
    assert matcher.accepts(grammar.dumps("f", {"v": "a < b"}))
    assert len(grammar.gbnf) < 10_000


@tagged
def test_alternatives_that_no_value_tells_apart_keep_to_what_all_read_alike(format: str) -> None:
    schema = {"anyOf": [one({"type": "string"}), one({"type": "integer"})]}
    grammar, matcher = compiled(schema, format)
    for value in ("x", 7):
        text = grammar.dumps("f", {"v": value})
        assert matcher.accepts(text)
        assert read(schema, format, text) == {"v": value}
    with pytest.raises(ValueError, match="cannot be written"):
        grammar.dumps("f", {"v": "7"})
    assert any("another alternative" in each.finding.message for each in grammar.findings)


# -- order, names, references ------------------------------------------------------------------------------------------


@formats
def test_order_is_that_of_the_schema_or_any(format: str) -> None:
    schema = {"properties": {name: {"type": "integer"} for name in "abc"}, "required": ["a", "c"]}
    declared = compile_tools([tool(schema)], format, tool_choice="f")  # type: ignore[arg-type]
    free = compile_tools([tool(schema)], format, tool_choice="f", order="any")  # type: ignore[arg-type]
    call = declared.dumps("f", {"a": 1, "b": 2, "c": 3})
    assert declared.grammar is not None
    assert free.grammar is not None
    assert Matcher(declared.grammar).accepts(call)
    assert Matcher(free.grammar).accepts(call)
    sampler = Sampler(free.grammar)
    texts = [sampler.sample() for _ in range(30)]
    found = {tuple(read(schema, format, text)) for text in texts}
    assert {("a", "c"), ("c", "a")} <= found
    assert all(len(set(names)) == len(names) for names in found)
    assert any(not Matcher(declared.grammar).accepts(text) for text in texts)


@formats
def test_references_of_two_tools_are_their_own(format: str) -> None:
    def refers(kind: str) -> Any:
        return {"properties": {"v": {"$ref": "#/$defs/A"}}, "$defs": {"A": one({"type": kind})}, "required": ["v"]}

    tools = [
        {"name": "a.b", "parameters": refers("integer")},
        {"name": "a-b", "parameters": refers("boolean")},
        {"name": "a", "parameters": refers("null")},
    ]
    grammar = compile_tools(tools, format, tool_choice="required")  # type: ignore[arg-type]
    assert grammar.grammar is not None
    values = {"a.b": 1, "a-b": True, "a": None}
    matcher = Matcher(grammar.grammar)
    for name, value in values.items():
        for other in values.values():
            text = grammar.dumps(name, {"v": {"v": value}}).replace(json.dumps(value), json.dumps(other))
            assert matcher.accepts(text) is (other is value), text
    own = [rule for rule in grammar.grammar.rules if "ref" in rule]
    assert all(rule.startswith("tool-a") for rule in own)


def test_a_tool_more_renames_no_rule() -> None:
    tools = [tool(TREE), {"name": "g", "parameters": one({"type": ["string", "null"]})}]
    fewer = compile_tools(tools[:1], "glm47", tool_choice="required").grammar
    more = compile_tools(tools[::-1], "glm47", tool_choice="required").grammar
    assert fewer is not None
    assert more is not None
    assert {name: body for name, body in more.rules.items() if name in fewer.rules and name != "tool-call"} == {
        name: body for name, body in fewer.rules.items() if name != "tool-call"
    }


def test_words_of_python_are_written_where_wanted_and_read() -> None:
    schema = {"properties": {"v": {"type": ["boolean", "null"]}, "w": {"type": ["string", "boolean"]}}}
    arguments = "<parameter=v>\n{}\n</parameter>\n<parameter=w>\n{}\n</parameter>\n"
    call = f"<tool_call>\n<function=f>\n{arguments}</function>\n</tool_call>"
    for python_case in (False, True):
        compiled = compile_tools([tool(schema)], "qwen3_coder", tool_choice="f", python_case=python_case)
        assert compiled.grammar is not None
        matcher = Matcher(compiled.grammar)
        for word, value in (("True", True), ("None", None), ("true", True)):
            text = call.format(word, "False")
            assert matcher.accepts(text) is python_case
            if python_case:
                assert read(schema, "qwen3_coder", text) == {"v": value, "w": False}
    glm = compile_tools([tool(schema)], "glm47", tool_choice="f", python_case=True)
    assert glm.gbnf == compile_tools([tool(schema)], "glm47", tool_choice="f").gbnf


def test_the_hash_seed_changes_nothing() -> None:
    program = (
        "import json, sys; from schema2gbnf.toolcalls import compile_tools; tools = json.loads(sys.argv[1]);"
        "print(*(compile_tools(tools, each, parallel=True).gbnf for each in ('qwen3_coder', 'glm47', 'harmony')))"
    )
    tools = [{"name": f"f{i}", "parameters": schema} for i, (schema, _) in enumerate(ROOTS)]
    outputs = {
        subprocess.run(
            [sys.executable, "-c", program, json.dumps(tools)],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(outputs) == 1

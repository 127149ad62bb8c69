"""A tool that cannot be compiled is named with a pointer, and degrades alone."""

from __future__ import annotations

import re
from typing import Any

import pytest

from schema2gbnf.errors import (
    InvalidSchemaError,
    SchemaError,
    UnresolvedReferenceError,
    UnsatisfiableSchemaError,
    UnsupportedSchemaError,
)
from schema2gbnf.gbnf.match import Matcher
from schema2gbnf.toolcalls.grammar import FORMATS, compile_tools

formats = pytest.mark.parametrize("format", FORMATS)

GOOD = {"name": "good", "parameters": {"properties": {"n": {"type": "integer"}}, "required": ["n"]}}


def bad(parameters: Any, name: str = "bad") -> dict[str, Any]:
    return {"type": "function", "function": {"name": name, "parameters": parameters}}


FAULTS: list[tuple[Any, type[SchemaError], str]] = [
    (
        {"properties": {"v": {"$ref": "#/$defs/gone"}, "w": {"type": "integer"}}},
        UnresolvedReferenceError,
        "#/1/function/parameters/properties/v: $ref: tool 'bad': ",
    ),
    (
        {"properties": {"v": {"type": "strin"}, "w": {"type": "integer"}}},
        InvalidSchemaError,
        "#/1/function/parameters/properties/v: type: tool 'bad': ",
    ),
    (
        {"properties": {"v": {"pattern": "("}, "w": {"type": "integer"}}},
        InvalidSchemaError,
        "#/1/function/parameters/properties/v: pattern: tool 'bad': ",
    ),
    (
        {"properties": {"v": False, "w": {"type": "integer"}}, "required": ["v"]},
        UnsatisfiableSchemaError,
        "#/1/function/parameters: tool 'bad': no value satisfies the schema",
    ),
    ({"type": "string"}, UnsatisfiableSchemaError, "#/1/function/parameters: tool 'bad': no value satisfies"),
]


@formats
@pytest.mark.parametrize(("parameters", "kind", "says"), FAULTS)
def test_a_fault_names_the_tool_and_the_place(format: str, parameters: Any, kind: type[SchemaError], says: str) -> None:
    with pytest.raises(kind, match=f"^{re.escape(says)}"):
        compile_tools([GOOD, bad(parameters)], format)  # type: ignore[arg-type]


@formats
@pytest.mark.parametrize(("parameters", "kind", "says"), FAULTS)
def test_a_faulty_tool_is_dropped_alone(format: str, parameters: Any, kind: type[SchemaError], says: str) -> None:
    dropped = compile_tools([GOOD, bad(parameters)], format, on_error="drop", tool_choice="required")  # type: ignore[arg-type]
    assert dropped.tools == ("good",)
    assert dropped.gbnf == compile_tools([GOOD], format, tool_choice="required").gbnf  # type: ignore[arg-type]
    (told,) = [each for each in dropped.findings if each.tool == "bad"]
    assert says.split(": ")[0] == told.finding.pointer
    assert "the tool is left out" in told.finding.message


@formats
@pytest.mark.parametrize(("parameters", "kind", "says"), FAULTS)
def test_a_faulty_tool_is_loosened_alone(format: str, parameters: Any, kind: type[SchemaError], says: str) -> None:
    loosened = compile_tools([GOOD, bad(parameters)], format, on_error="loosen", tool_choice="required")  # type: ignore[arg-type]
    assert loosened.tools == ("good", "bad")
    told = [each.finding for each in loosened.findings if each.tool == "bad" and each.finding.kind == "loosened"]
    assert told[0].pointer == says.split(": ")[0]
    assert loosened.grammar is not None
    matcher = Matcher(loosened.grammar)
    assert matcher.accepts(loosened.dumps("good", {"n": 7}))
    assert not matcher.accepts(loosened.dumps("good", {"n": 7}).replace("7", "x"))
    assert matcher.accepts(loosened.dumps("bad", {"w": 7}))
    if kind in (UnresolvedReferenceError, InvalidSchemaError):
        # What is not at fault still holds.
        assert not matcher.accepts(loosened.dumps("bad", {"w": 7}).replace("7", "true"))


@pytest.mark.parametrize(
    ("format", "name", "keyword"),
    [
        ("qwen3_coder", "a>b", "name"),
        ("glm47", "a<b", "name"),
        ("glm47", "a\nb", "name"),
        ("harmony", "a b", "name"),
        ("harmony", "a<|end|>", "name"),
        ("hermes", "a\ud800", "name"),
    ],
)
def test_a_name_that_cannot_be_written_is_refused(format: str, name: str, keyword: str) -> None:
    with pytest.raises(SchemaError) as caught:
        compile_tools([bad({}, name)], format)  # type: ignore[arg-type]
    assert (caught.value.keyword, caught.value.pointer) == (keyword, "#/0/function/parameters")
    for on_error in ("drop", "loosen"):
        assert compile_tools([GOOD, bad({}, name)], format, on_error=on_error).tools == ("good",)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("format", "key"),
    [("qwen3_coder", "a>b"), ("qwen3_coder", " a"), ("qwen3_coder", ""), ("glm47", "a</arg_key>"), ("glm47", "a ")],
)
def test_a_key_that_cannot_be_written_is_refused(format: str, key: str) -> None:
    with pytest.raises(UnsupportedSchemaError, match="cannot be written between the tags"):
        compile_tools([bad({"properties": {key: {}}})], format)  # type: ignore[arg-type]
    assert compile_tools([bad({"properties": {key: {}}})], "hermes").gbnf


@formats
def test_half_a_surrogate_pair_is_refused_where_it_would_be_written(format: str) -> None:
    for parameters, pointer in (
        ({"properties": {"v\ud800": {}}}, "#/1/function/parameters/properties"),
        ({"properties": {"v": {"const": {"\udfff": 1}}}}, "#/1/function/parameters/properties/v/const"),
    ):
        with pytest.raises(UnsupportedSchemaError, match=r"tool 'bad': the name '.*' holds half a surrogate") as caught:
            compile_tools([GOOD, bad(parameters)], format)  # type: ignore[arg-type]
        assert caught.value.pointer == pointer
        assert compile_tools([GOOD, bad(parameters)], format, on_error="loosen").tools == ("good", "bad")  # type: ignore[arg-type]


def test_names_none_of_which_can_be_written_are_an_error_where_one_is_needed() -> None:
    parameters = {"patternProperties": {"^<+$": {}}, "additionalProperties": False, "minProperties": 1}
    with pytest.raises(UnsupportedSchemaError, match="tool 'bad': no arguments that satisfy the schema can be written"):
        compile_tools([bad(parameters)], "glm47")
    assert compile_tools([bad(parameters)], "hermes").gbnf


@pytest.mark.parametrize("name", ["a/b.c:d-e", "日本", 'quo"te', "x" * 300])
def test_other_names_are_written_as_they_are(name: str) -> None:
    for format in FORMATS:
        if format == "qwen3_coder" and '"' in name:
            continue
        grammar = compile_tools([bad({}, name)], format, tool_choice="required")
        assert grammar.grammar is not None
        assert Matcher(grammar.grammar).accepts(grammar.dumps(name, {}))


def test_when_no_tool_is_left_a_required_call_is_an_error() -> None:
    with pytest.raises(SchemaError, match="no tool is left"):
        compile_tools([bad({"type": "strin"})], "hermes", tool_choice="required", on_error="drop")
    assert compile_tools([bad({"type": "strin"})], "hermes", on_error="drop").gbnf == ""


def test_strict_refuses_what_is_loosened_elsewhere() -> None:
    unique = bad({"properties": {"v": {"type": "array", "uniqueItems": True}}})
    assert any(each.finding.keyword == "uniqueItems" for each in compile_tools([unique], "hermes").findings)
    with pytest.raises(UnsupportedSchemaError, match="tool 'bad'"):
        compile_tools([unique], "hermes", strict=True)
    assert compile_tools([GOOD, unique], "hermes", strict=True, on_error="drop").tools == ("good",)


@pytest.mark.parametrize(
    ("choices", "error"),
    [
        ({"format": "xml"}, ValueError),
        ({"format": "hermes", "on_error": "ignore"}, ValueError),
        ({"format": "hermes", "order": "sorted"}, ValueError),
        ({"format": "hermes", "max_calls": 0}, ValueError),
        ({"format": "hermes", "colour": "red"}, TypeError),
    ],
)
def test_a_choice_that_there_is_not_is_an_error(choices: Any, error: type[Exception]) -> None:
    with pytest.raises(error):
        compile_tools([GOOD], **choices)


HOSTILE = {
    "a reference to itself": {"properties": {"v": {"$ref": "#/properties/v"}}},
    "nothing but a reference to itself": {"$ref": "#"},
    "many parameters": {"properties": {f"p{i}": {"type": ["string", "null"]} for i in range(200)}},
    "many alternatives": {"anyOf": [{"properties": {f"k{i}": {"const": i}}, "required": [f"k{i}"]} for i in range(60)]},
    "many words": {"properties": {"v": {"enum": [f"word {i}" for i in range(3000)]}}},
    "a long word": {"properties": {"v": {"type": "string", "enum": ["x" * 20_000]}}},
    "a long name": {"properties": {"x" * 5000: {}}},
    "large lengths": {"properties": {"v": {"type": "string", "maxLength": 10**9, "minLength": 10**8}}},
    "a pattern that explodes": {"properties": {"v": {"type": "string", "pattern": "(a|b)*a(a|b){40}"}}},
}


@pytest.mark.parametrize("format", ["qwen3_coder", "glm47", "harmony"])
@pytest.mark.parametrize("parameters", HOSTILE.values(), ids=HOSTILE)
def test_hostile_tools_end_in_a_grammar_or_an_error(format: str, parameters: Any) -> None:
    grammar = compile_tools([GOOD, bad(parameters)], format, on_error="loosen")  # type: ignore[arg-type]
    assert "good" in grammar.tools

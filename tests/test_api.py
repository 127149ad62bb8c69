"""The front door: what it takes, what it gives, and that the same schema gives the same bytes everywhere."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from decimal import Decimal
from pathlib import Path
from typing import Any

import pydantic
import pytest

import schema2gbnf
from schema2gbnf import (
    Finding,
    InvalidSchemaError,
    Limits,
    Options,
    SchemaError,
    UnresolvedReferenceError,
    UnsatisfiableSchemaError,
    UnsupportedSchemaError,
    clear_cache,
    compile_schema,
)
from schema2gbnf.gbnf import Matcher, compare, parse
from tests.golden import EXAMPLES

PAIR = {
    "type": "object",
    "properties": {"a": {"type": "integer"}, "b": {"type": "array", "items": {"type": "number"}}},
    "required": ["a"],
}


class Person(pydantic.BaseModel):
    name: str = pydantic.Field(min_length=1)
    age: int | None = None
    friends: list[Person] = []


# -- what it takes -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "form", [json.dumps(PAIR), json.dumps(PAIR).encode(), json.dumps(PAIR, indent=2)], ids=["str", "bytes", "indented"]
)
def test_json_text_is_a_schema(form: str | bytes) -> None:
    assert compile_schema(form).gbnf == compile_schema(PAIR).gbnf


def test_a_path_is_a_schema_file(tmp_path: Path) -> None:
    (tmp_path / "schema.json").write_text(json.dumps(PAIR), encoding="utf-8")
    assert compile_schema(tmp_path / "schema.json").gbnf == compile_schema(PAIR).gbnf
    with pytest.raises(FileNotFoundError):
        compile_schema(tmp_path / "none.json")


def test_a_pydantic_model_is_asked_for_its_schema() -> None:
    result = compile_schema(Person)
    assert result.gbnf == compile_schema(Person.model_json_schema()).gbnf
    ann = Person(name="Ann", friends=[Person(name="Bob", age=3)])
    text = result.dumps(ann.model_dump())
    assert Matcher(result.grammar).accepts(text)
    assert Person.model_validate_json(text) == ann


def test_a_type_adapter_is_asked_for_its_schema() -> None:
    adapter = pydantic.TypeAdapter(dict[str, list[Person]])
    assert compile_schema(adapter).gbnf == compile_schema(adapter.json_schema()).gbnf


def test_a_schema_is_not_changed() -> None:
    schema = json.loads((EXAMPLES / "conditional-address.json").read_bytes())
    before = json.dumps(schema)
    compile_schema(schema)
    assert json.dumps(schema) == before


@pytest.mark.parametrize("schema", [None, 3, [PAIR], object()])
def test_anything_else_is_a_type_error(schema: object) -> None:
    with pytest.raises(TypeError, match="a schema is"):
        compile_schema(schema)


# -- options -----------------------------------------------------------------------------------------------------------


def test_options_are_keywords_or_one_value_and_keywords_win() -> None:
    compact = compile_schema(PAIR, whitespace="compact").gbnf
    assert compile_schema(PAIR, Options(whitespace="compact")).gbnf == compact
    assert compile_schema(PAIR, Options(whitespace="any", strict=True), whitespace="compact").gbnf == compact
    assert compact != compile_schema(PAIR).gbnf


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("whitespace", "none"),
        ("additional_properties", "open"),
        ("order", "random"),
        ("formats", True),
        ("default_dialect", "draft5"),
        ("default_dialect", None),
    ],
)
def test_a_choice_that_does_not_exist_is_a_value_error(name: str, value: object) -> None:
    with pytest.raises(ValueError, match=f"{name}={value!r}: choose one of "):
        compile_schema(PAIR, **{name: value})


def test_an_option_that_does_not_exist_is_a_type_error() -> None:
    with pytest.raises(TypeError, match="no such option: white_space; there are "):
        compile_schema(PAIR, white_space="any")


def test_documents_are_found_by_uri() -> None:
    schema = {"items": {"$ref": "urn:pair"}}
    assert '"a\\"' in compile_schema(schema, documents={"urn:pair": PAIR}, order="declared").gbnf
    with pytest.raises(UnresolvedReferenceError):
        compile_schema(schema)


# -- errors and findings -----------------------------------------------------------------------------------------------

FREE_SET = {"properties": {"tags": {"type": "array", "items": {"type": "string"}, "uniqueItems": True}}}
DEEP: Any = {"type": "null"}
for _ in range(600):
    DEEP = {"items": DEEP}

REFUSED: list[tuple[Any, dict[str, Any], type[SchemaError], str, str]] = [
    ({"properties": {"a": {"type": "int"}}}, {}, InvalidSchemaError, "#/properties/a", "type"),
    ({"pattern": "["}, {}, InvalidSchemaError, "#", "pattern"),
    ("{", {}, InvalidSchemaError, "#", ""),
    ({"not": {"$ref": "#/$defs/x"}}, {}, UnresolvedReferenceError, "#/not", "$ref"),
    ({"allOf": [{"type": "null"}, {"type": "string"}]}, {}, UnsatisfiableSchemaError, "#", ""),
    (FREE_SET, {"strict": True}, UnsupportedSchemaError, "#/properties/tags", "uniqueItems"),
    (DEEP, {}, UnsupportedSchemaError, "#", ""),
]


@pytest.mark.parametrize(("schema", "options", "error", "pointer", "keyword"), REFUSED)
def test_errors_say_where_and_which_keyword(
    schema: Any, options: dict[str, Any], error: type[SchemaError], pointer: str, keyword: str
) -> None:
    with pytest.raises(SchemaError) as caught:
        compile_schema(schema, **options)
    assert type(caught.value) is error
    assert (caught.value.pointer, caught.value.keyword) == (pointer, keyword)
    assert caught.value.message in str(caught.value)


def kinds(schema: Any, **options: Any) -> list[tuple[str, str, str]]:
    return [(each.kind, each.keyword, each.pointer) for each in compile_schema(schema, **options).findings]


def test_findings_say_what_where_and_which_keyword() -> None:
    assert kinds(FREE_SET, additional_properties="spec") == [("loosened", "uniqueItems", "#/properties/tags")]
    assert kinds(PAIR) == [("narrowed", "additionalProperties", "#")]
    assert kinds({"type": "string", "format": "colour"}) == [("ignored", "format", "#")]
    assert kinds({"type": "boolean"}) == []


def test_a_grammar_is_exact_if_nothing_is_loosened() -> None:
    assert compile_schema(PAIR).exact
    assert not compile_schema(FREE_SET).exact
    with pytest.raises(UnsupportedSchemaError):
        compile_schema(FREE_SET, strict=True)


def test_a_finding_is_a_sentence() -> None:
    assert str(Finding("note", "nullable", "#/a", "says nothing")) == "#/a: nullable: note: says nothing"


# -- limits ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("schema", "limits"),
    [
        (json.dumps(PAIR), Limits(bytes=20)),
        (PAIR, Limits(depth=2)),
    ],
)
def test_a_schema_over_a_limit_is_refused(schema: Any, limits: Limits) -> None:
    with pytest.raises(UnsupportedSchemaError):
        compile_schema(schema, limits=limits)


@pytest.mark.parametrize(
    ("schema", "limits"),
    [
        ({"prefixItems": [{"minLength": n} for n in range(50)]}, Limits(nonterminals=10)),
        ({"type": "string", "pattern": "^(a|b)*a(a|b){9}$"}, Limits(automaton_states=50)),
        ({"type": "string", "pattern": "^(aa|b)*$", "maxLength": 500}, Limits(printed_states=50)),
        ({"properties": {f"k{n}": {} for n in range(10)}, "minProperties": 5}, Limits(member_states=3)),
        ({"type": "array", "items": {"enum": [1, 2, 3, 4, 5]}, "uniqueItems": True}, Limits(unique_values=4)),
    ],
)
def test_past_a_budget_a_schema_is_loosened_or_in_strict_mode_refused(schema: Any, limits: Limits) -> None:
    assert compile_schema(schema).exact
    assert not compile_schema(schema, limits=limits).exact
    with pytest.raises(UnsupportedSchemaError):
        compile_schema(schema, limits=limits, strict=True)


# -- the canonical text ------------------------------------------------------------------------------------------------

WRITTEN = [
    (PAIR, {"b": [0.5, 2.0], "a": 1}, '{"a": 1, "b": [0.5, 2]}'),
    ({}, {"é": [None, True, '\n"']}, '{"é": [null, true, "\\n\\""]}'),
    ({"type": "number", "minimum": 0}, 1e20, "100000000000000000000"),
    ({"type": "number", "minimum": 0}, Decimal("0.10"), "0.1"),
    ({"enum": [{"b": 1, "a": 2}]}, {"a": 2, "b": 1}, '{"b": 1, "a": 2}'),
    (
        {"anyOf": [{"properties": {"a": {}, "b": {}, "c": {}}, "required": ["c"]}, {"properties": {"b": {}, "a": {}}}]},
        {"a": 1, "b": 2},
        '{"b": 2, "a": 1}',
    ),
    ({"items": PAIR}, [{"b": [], "a": 1}], '[{"a": 1, "b": []}]'),
]


def test_a_value_is_written_by_an_alternative_that_closing_leaves_to_it() -> None:
    """In the first branch `parent` is one of the members that a closed object has not."""
    child = {"properties": {"parent": {"type": "null"}}, "required": ["parent"]}
    schema = {
        "anyOf": [{"properties": {"children": {"type": "null"}}}, child],
        "properties": {"name": {"type": "null"}},
        "required": ["name"],
        "type": "object",
    }
    result = compile_schema(schema)
    text = result.dumps({"name": None, "parent": None})
    assert json.loads(text) == {"name": None, "parent": None}
    assert Matcher(result.grammar).accepts(text)


@pytest.mark.parametrize(("schema", "value", "text"), WRITTEN)
def test_a_value_is_written_as_the_grammar_has_it(schema: Any, value: Any, text: str) -> None:
    result = compile_schema(schema)
    assert result.dumps(value) == text
    assert Matcher(result.grammar).accepts(text)


def test_separators_follow_the_whitespace_option() -> None:
    for whitespace, text in (("compact", '{"a":1,"b":[1,2]}'), ("any", '{"a": 1, "b": [1, 2]}')):
        result = compile_schema(PAIR, whitespace=whitespace)
        assert result.dumps({"b": [1, 2], "a": 1}) == text
        assert Matcher(result.grammar).accepts(text)


def test_an_invalid_value_is_refused_with_a_pointer_unless_unchecked() -> None:
    result = compile_schema(PAIR)
    with pytest.raises(ValueError, match="#/b/1: refused by 'type' at #/properties/b/items"):
        result.dumps({"a": 1, "b": [1, "2"]})
    assert result.dumps({"b": [1, "2"]}, check=False) == '{"b": [1, "2"]}'


def test_a_value_too_deep_for_the_interpreter_is_a_value_error() -> None:
    value: Any = []
    for _ in range(100_000):
        value = [value]
    with pytest.raises(ValueError, match="too deeply"):
        compile_schema({}).dumps(value)


# -- the same bytes everywhere -----------------------------------------------------------------------------------------

PRINT_ALL = """
import sys
from pathlib import Path
from schema2gbnf import compile_schema
for path in sorted(Path(sys.argv[1]).glob("*.json")):
    for order in ("declared", "any"):
        result = compile_schema(path, order=order)
        print(result.gbnf, *result.findings, sep="\\n")
"""


def test_the_hash_seed_changes_nothing() -> None:
    outputs = {
        subprocess.run(
            [sys.executable, "-c", PRINT_ALL, str(EXAMPLES)],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("0", "1", "4242")
    }
    assert len(outputs) == 1
    assert len(outputs.pop()) > 10_000


def test_the_grammar_as_data_and_as_text_are_the_same() -> None:
    result = compile_schema(PAIR)
    assert parse(result.gbnf).rules == result.grammar.rules


def test_the_public_names_are_there() -> None:
    assert all(getattr(schema2gbnf, name) for name in schema2gbnf.__all__)
    with pytest.raises(AttributeError, match="no attribute 'Compiler'"):
        _ = schema2gbnf.Compiler


# -- the cache -------------------------------------------------------------------------------------------------------


def test_the_same_schema_is_compiled_once() -> None:
    first = compile_schema({"type": "integer", "maximum": 7})
    assert compile_schema({"type": "integer", "maximum": 7}) is first
    clear_cache()
    assert compile_schema({"type": "integer", "maximum": 7}) is not first


TOLD_APART: list[tuple[Any, Any]] = [
    ({"const": 1}, {"const": True}),
    ({"const": 0}, {"const": False}),
    ({"properties": {"a": {}, "b": {}}}, {"properties": {"b": {}, "a": {}}}),
    ({"maximum": 1}, {"maximum": 1.0}),
    ('{"const": 1}', {"const": 1}),
    (True, {}),
]


@pytest.mark.parametrize(("left", "right"), TOLD_APART)
def test_schemas_that_python_takes_for_equal_are_told_apart(left: Any, right: Any) -> None:
    assert compile_schema(left) is not compile_schema(right)


def test_options_are_told_apart() -> None:
    schema = {"type": "array", "items": {"type": "null"}}
    assert compile_schema(schema, whitespace="compact").gbnf != compile_schema(schema).gbnf
    assert (
        compile_schema(schema, Options(whitespace="compact")).gbnf == compile_schema(schema, whitespace="compact").gbnf
    )


def test_what_the_caller_does_to_a_schema_does_not_reach_the_result() -> None:
    schema: dict[str, Any] = {"properties": {"a": {"type": "integer"}}}
    result = compile_schema(schema)
    # Nothing of the caller's is held, read already or not.
    assert result._meaning.documents.root.value == schema
    assert result._meaning.documents.root.value is not schema
    schema["properties"]["a"]["type"] = "string"
    again = compile_schema({"properties": {"a": {"type": "integer"}}})
    assert again.dumps({"a": 1}) == result.dumps({"a": 1}) == '{"a": 1}'
    with pytest.raises(ValueError, match="#/a"):
        again.dumps({"a": "x"})
    assert compile_schema(schema).dumps({"a": "x"}) == '{"a": "x"}'


@pytest.mark.parametrize(
    "choices", [{"documents": {"http://example.com/d": {"type": "string"}}}, {"allow_fetch": True}]
)
def test_nor_what_is_done_to_one_that_is_not_kept(choices: dict[str, Any]) -> None:
    schema: dict[str, Any] = {
        "type": "object",
        "properties": {"a": {"type": "string", "x-price": Decimal("1.5")}, "b": {"type": "object"}},
    }
    if "documents" in choices:
        schema["properties"]["c"] = {"$ref": "http://example.com/d"}
    result = compile_schema(schema, **choices)
    schema["properties"]["a"]["type"] = "nothing"
    schema.clear()
    for document in choices.get("documents", {}).values():
        document["type"] = "integer"
    value = {"c": "y", "b": {"c": 1}, "a": "x"} if "documents" in choices else {"b": {"c": 1}, "a": "x"}
    text = result.dumps(value)
    assert text.startswith('{"a": "x", "b": {"c": 1}')
    assert Matcher(parse(result.gbnf)).accepts(text)


def test_what_is_shared_within_a_schema_again_and_again_is_refused_at_once() -> None:
    schema: dict[str, Any] = {"type": "string"}
    for _ in range(64):
        schema = {"type": "object", "properties": {"a": schema, "b": schema}}
    with pytest.raises(UnsupportedSchemaError, match="values"):
        compile_schema(schema)
    schema["properties"]["a"] = schema["properties"]["b"] = schema
    with pytest.raises(SchemaError):
        compile_schema(schema)


def test_a_limit_of_no_nonterminals_leaves_the_root() -> None:
    assert (
        compile_schema(PAIR, limits=Limits(nonterminals=0)).gbnf
        == compile_schema(PAIR, limits=Limits(nonterminals=1)).gbnf
    )


def test_a_schema_with_other_documents_is_compiled_anew() -> None:
    def compiled(kind: str) -> str:
        return compile_schema({"$ref": "urn:other"}, documents={"urn:other": {"type": kind}}).gbnf

    assert compiled("null") != compiled("boolean")


def test_an_error_is_raised_again() -> None:
    for _ in range(2):
        with pytest.raises(UnsatisfiableSchemaError):
            compile_schema({"allOf": [{"type": "null"}, {"type": "string"}]})


@pytest.mark.parametrize(
    ("schema", "same", "pointer", "keyword"),
    [
        (
            {"properties": {"k\ud800": {}, "a": {"type": "null"}}, "type": "object"},
            {"properties": {"a": {"type": "null"}}, "type": "object"},
            "#",
            "properties",
        ),
        ({"required": ["\ud800"]}, {"type": ["array", "string", "number", "boolean", "null"]}, "#", "required"),
        ({"items": {"enum": ["\ud800", 1]}}, {"items": {"enum": [1]}}, "#/items", "enum"),
        ({"enum": ["a", {"\ud800": 1}, ["b\udfff"]]}, {"enum": ["a"]}, "#", "enum"),
        ({"propertyNames": {"enum": ["\ud800", "a"]}}, {"propertyNames": {"const": "a"}}, "#/propertyNames", "enum"),
    ],
)
def test_what_holds_half_a_surrogate_is_left_out_and_told(schema: Any, same: Any, pointer: str, keyword: str) -> None:
    result = compile_schema(schema)
    assert compare(result.grammar, compile_schema(same).grammar).equal
    told = [finding for finding in result.findings if "half a surrogate pair" in finding.message]
    assert [(each.kind, each.keyword, each.pointer) for each in told] == [("narrowed", keyword, pointer)]


@pytest.mark.parametrize(
    ("schema", "pointer", "keyword"),
    [
        ({"enum": ["\ud800"]}, "#", "enum"),
        ({"properties": {"a": {"const": "x\ud800"}}, "required": ["a"]}, "#/properties/a", "const"),
        ({"$ref": "#/$defs/A", "$defs": {"A": {"enum": ["a\ud800b"], "maxLength": 5}}}, "#/$defs/A", "enum"),
        ({"anyOf": [{"const": {"\ud800": [1.5]}}, {"type": "null"}]}, "#/anyOf/0", "const"),
        ({"items": {"enum": [[0.1, "\ud800"]]}}, "#/items", "enum"),
        ({"allOf": [{"type": "string"}, {"pattern": r"^\ud800+$"}]}, "#/allOf/1", "pattern"),
        ({"type": "object", "required": ["\ud800"]}, "#", "required"),
        ({"allOf": [{"type": "object"}, {"required": ["a", "b\ud800"]}]}, "#/allOf/1", "required"),
        ({"type": "object", "properties": {"a": {"$ref": "#"}}, "required": ["\ud800", "a"]}, "#", "required"),
        (
            {"prefixItems": [{"type": "object", "required": ["\ud800"]}], "minItems": 1, "type": "array"},
            "#/prefixItems/0",
            "required",
        ),
        ({"patternProperties": {"^\ud800$": {"type": "null"}}, "type": "object"}, "#", "patternProperties"),
        (
            {
                "properties": {
                    "a": {"patternProperties": {"a?": {}}, "allOf": [{"patternProperties": {r"^\ud800": {}}}]}
                }
            },
            "#/properties/a/allOf/0",
            "patternProperties",
        ),
        ({"items": {"propertyNames": {"pattern": "^[\ud800]$"}}}, "#/items", "propertyNames"),
    ],
)
def test_half_a_surrogate_in_the_only_values_is_refused_where_these_stand(
    schema: Any, pointer: str, keyword: str
) -> None:
    for strict in (False, True):
        with pytest.raises(UnsupportedSchemaError, match=r'"\\ud800", half a surrogate pair') as caught:
            compile_schema(json.dumps(schema), strict=strict)
        assert (caught.value.pointer, caught.value.keyword) == (pointer, keyword)

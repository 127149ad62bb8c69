"""Which keyword values each dialect takes, and what is said of the others."""

from __future__ import annotations

import json
from contextlib import suppress
from decimal import Decimal
from itertools import product
from typing import Any

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schema2gbnf import compile_schema
from schema2gbnf.errors import InvalidSchemaError, SchemaError
from schema2gbnf.schema.dialects import DIALECTS
from schema2gbnf.schema.documents import Documents
from schema2gbnf.schema.keywords import check
from schema2gbnf.semantics.keywords import VOCABULARIES

VALIDATORS = {
    "draft4": jsonschema.Draft4Validator,
    "draft6": jsonschema.Draft6Validator,
    "draft7": jsonschema.Draft7Validator,
    "draft2019-09": jsonschema.Draft201909Validator,
    "draft2020-12": jsonschema.Draft202012Validator,
}


def complaint(schema: Any, dialect: str = "draft2020-12") -> InvalidSchemaError | None:
    try:
        check(Documents(schema, default_dialect=dialect).root)
    except InvalidSchemaError as error:
        return error
    return None


@pytest.mark.parametrize(
    ("schema", "pointer", "keyword", "said"),
    [
        ({"type": "int"}, "#", "type", "did you mean 'integer'?"),
        ({"type": "STRING"}, "#", "type", "did you mean 'string'?"),
        ({"type": "dict"}, "#", "type", "did you mean 'object'?"),
        ({"type": "strnig"}, "#", "type", "did you mean 'string'?"),
        ({"type": "any"}, "#", "type", "leave `type` out"),
        ({"type": "xyzzy"}, "#", "type", "the types are null, boolean, integer"),
        ({"type": ["string", "nul"]}, "#", "type", "did you mean 'null'?"),
        ({"type": []}, "#", "type", "at least one type"),
        ({"type": ["string", "string"]}, "#", "type", "listed twice"),
        ({"type": {"type": "string"}}, "#", "type", "found an object"),
        ({"type": "json_schema", "json_schema": {"schema": {}}}, "#", "type", "json_schema.schema"),
        ({"json_schema": {"name": "x", "schema": {}}}, "#", "json_schema", "json_schema.schema"),
        ({"type": "function", "function": {"name": "f"}}, "#", "type", "function.parameters"),
        ({"required": True}, "#", "required", "list the required names"),
        ({"required": "name"}, "#", "required", "found a string"),
        ({"required": ["a", 1]}, "#", "required", "not a number"),
        ({"minLength": -1}, "#", "minLength", "found -1"),
        ({"maxItems": Decimal("1.5")}, "#", "maxItems", "found 1.5"),
        ({"minItems": "1"}, "#", "minItems", "found a string"),
        ({"minItems": True}, "#", "minItems", "found a boolean"),
        ({"multipleOf": 0}, "#", "multipleOf", "above 0, found 0"),
        ({"minimum": "3"}, "#", "minimum", "found a string"),
        ({"minimum": 1, "exclusiveMinimum": True}, "#", "exclusiveMinimum", "write the bound itself"),
        ({"pattern": 5}, "#", "pattern", "found a number"),
        ({"enum": "a"}, "#", "enum", "an array of values"),
        ({"uniqueItems": "yes"}, "#", "uniqueItems", "true or false"),
        ({"$ref": {"a": 1}}, "#", "$ref", "expected a string, found an object"),
        ({"dependentRequired": {"a": "b"}}, "#", "dependentRequired", "'a': expected an array"),
        ({"allOf": []}, "#", "allOf", "at least one schema"),
        ({"anyOf": {"type": "string"}}, "#", "anyOf", "an array of schemas, found an object"),
        ({"oneOf": [{}, "string"]}, "#/oneOf/1", "oneOf", "not a string"),
        ({"not": None}, "#/not", "not", "not null"),
        ({"properties": ["a"]}, "#", "properties", "an object of schemas"),
        ({"properties": {"a/b": "string"}}, "#/properties/a~1b", "properties", "not a string"),
        ({"items": [{}]}, "#/items", "items", "`prefixItems`"),
        ({"additionalProperties": "no"}, "#/additionalProperties", "additionalProperties", "not a string"),
    ],
    ids=lambda value: json.dumps(value, default=str) if isinstance(value, dict) else "",
)
def test_what_2020_12_forbids_is_refused_with_a_fix(schema: Any, pointer: str, keyword: str, said: str) -> None:
    error = complaint(schema)
    assert error is not None
    assert (error.pointer, error.keyword) == (pointer, keyword)
    assert said in error.message


@pytest.mark.parametrize(
    "schema",
    [
        True,
        False,
        {},
        {"enum": []},
        {"enum": [1, 1]},
        {"required": []},
        {"required": ["a", "a"]},
        {"prefixItems": []},
        {"minLength": 1.0},
        {"minLength": Decimal("2.0")},
        {"properties": {"$ref": {"type": "string"}, "type": {"enum": ["int"]}}},
        {"const": {"type": "int"}},
        {"$defs": {"broken": {"type": "int"}, "worse": 5}},
        {"title": 5, "description": None, "examples": "x", "default": {"type": "int"}},
        {"x-unknown": {"type": "int"}, "additionalItems": 5},
        {"properties": {"json_schema": {"type": "object"}}},
    ],
    ids=str,
)
def test_what_is_allowed_or_clear_passes(schema: Any) -> None:
    assert complaint(schema) is None


@pytest.mark.parametrize(
    ("schema", "takers"),
    [
        ({"exclusiveMinimum": True}, "draft4 openapi3.0"),
        ({"exclusiveMinimum": 1}, "draft6 draft7 draft2019-09 draft2020-12"),
        ({"properties": {"a": True}}, "draft6 draft7 draft2019-09 draft2020-12"),
        ({"additionalProperties": False}, "draft4 draft6 draft7 draft2019-09 draft2020-12 openapi3.0"),
        ({"items": [{}]}, "draft4 draft6 draft7 draft2019-09"),
        ({"type": ["string", "null"]}, "draft4 draft6 draft7 draft2019-09 draft2020-12"),
        ({"maxLength": 1.0}, "draft6 draft7 draft2019-09 draft2020-12 openapi3.0"),
        ({"contains": 5}, "draft4 openapi3.0"),
        ({"if": 5}, "draft4 draft6 openapi3.0"),
        ({"$ref": "#", "type": "int"}, "draft4 draft6 draft7 openapi3.0"),
        ({"dependencies": {"a": 5}}, ""),
        ({"dependencies": {"a": "b"}}, "draft2019-09 draft2020-12 openapi3.0"),
        ({"nullable": "yes"}, "draft4 draft6 draft7 draft2019-09 draft2020-12"),
        ({"$recursiveRef": "#/x"}, "draft4 draft6 draft7 draft2020-12 openapi3.0"),
    ],
    ids=lambda value: json.dumps(value) if isinstance(value, dict) else "",
)
def test_the_dialect_decides(schema: Any, takers: str) -> None:
    dialects = [*VALIDATORS, "openapi3.0"]
    assert [name for name in dialects if complaint(schema, name) is None] == takers.split()


VALUES: list[Any] = [None, True, False, 0, 1, -1, 2.5, 3.0, "", "a", "string", "int", {}, {"type": "string"}]
VALUES += [[], ["a"], ["a", "b"], ["string"], [1], [{}], [True], [[]]]
VALUES += [{"a": {}}, {"a": True}, {"a": ["b"]}, {"a": []}, {"a": 1}]
UNCHECKED = "$comment $defs contentSchema default definitions deprecated description"
UNCHECKED += " examples readOnly title writeOnly"
"""Annotations and definitions."""
ELSEWHERE = "$anchor $dynamicAnchor $id $recursiveRef $ref $schema $vocabulary id"
"""What the metaschemas do not say of these, the specifications do, or it is a syntax of URIs."""
CLEAR = [
    ("enum", "[]", VALIDATORS),
    ("required", "[]", ["draft4"]),
    ("items", "[]", ["draft4", "draft6", "draft7", "draft2019-09"]),
    ("prefixItems", "[]", ["draft2020-12"]),
    ("dependencies", '{"a": []}', ["draft4"]),
    *(
        (keyword, flag, ["draft4"])
        for keyword in ("exclusiveMinimum", "exclusiveMaximum")
        for flag in ("true", "false")
    ),
]
"""What some metaschemas forbid, although it can mean but one thing."""


@pytest.mark.parametrize("dialect", VALIDATORS)
@given(data=st.data())
@settings(max_examples=300, deadline=None)
def test_the_verdict_is_that_of_the_metaschema(dialect: str, data: st.DataObject) -> None:
    left_out = f"{UNCHECKED} {ELSEWHERE}".split()
    keyword = data.draw(st.sampled_from([each for each in DIALECTS[dialect].keywords if each not in left_out]))
    value = data.draw(st.sampled_from(VALUES))
    accepted = complaint({keyword: value}, dialect) is None
    try:
        VALIDATORS[dialect].check_schema({keyword: value})
    except jsonschema.SchemaError:
        clear = [name for name, text, dialects in CLEAR if text == json.dumps(value) and dialect in dialects]
        assert accepted == (keyword in clear)
    else:
        assert accepted


MALFORMED: list[Any] = [5, "x", None, [1], [None], {"a": 1}, {"a": [1]}, {"(": {}}, 1.5, True, -1, {"a": [["x"]]}]


@pytest.mark.parametrize("dialect", VOCABULARIES)
def test_whatever_stands_under_a_keyword_that_is_read_ends_in_a_grammar_or_a_complaint(dialect: str) -> None:
    for keyword, value in product(VOCABULARIES[dialect], MALFORMED):
        for schema in ({keyword: value}, {"type": ["object", "array", "string"], "allOf": [{keyword: value}]}):
            with suppress(SchemaError):
                compile_schema(schema, default_dialect=dialect)


@pytest.mark.parametrize(("dialect", "keyword"), [(d.name, word) for d in DIALECTS.values() for word in d.foreign])
def test_a_keyword_of_another_dialect_that_is_read_is_checked(dialect: str, keyword: str) -> None:
    schema = {"type": "object", "properties": {"p": {keyword: 5}}}
    with pytest.raises(InvalidSchemaError, match=f"^#/properties/p(/{keyword})?: {keyword}: "):
        compile_schema(schema, default_dialect=dialect)

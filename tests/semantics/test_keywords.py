"""One row a keyword and case: schema → values that are accepted, values that are refused."""

from __future__ import annotations

from typing import Any

import pytest

from tests.statements import accepts, rejects

TAG = {"type": "object", "properties": {"t": {"const": "a"}}, "required": ["t"]}
EVEN = {"multipleOf": 2}
TREE = {
    "type": "object",
    "properties": {"v": {"type": "integer"}, "kids": {"type": "array", "items": {"$ref": "#"}}},
    "required": ["v"],
}

ROWS: list[tuple[str, Any, list[Any], list[Any]]] = [
    # -- any type
    ("true", True, [None, 1, "x", [], {"a": [1]}], []),
    ("type", {"type": "integer"}, [0, -7, 10**30], [1.5, "1", None, True]),
    ("type list", {"type": ["string", "null"]}, ["", None], [0, False, []]),
    (
        "const",
        {"const": {"a": [1, "x"], "b": None}},
        [{"a": [1, "x"], "b": None}],
        [{"a": [1, "x"]}, {"a": [1], "b": None}],
    ),
    ("const number", {"const": 1.0}, [1], [True, 1.5, "1"]),
    ("enum", {"enum": ["a", 2, None, [1]]}, ["a", 2, None, [1]], ["b", 3, [2], []]),
    ("enum with type", {"type": "integer", "enum": ["a", 1]}, [1], ["a"]),
    ("enum of objects", {"enum": [{"a": 1}, {"a": 2}]}, [{"a": 1}, {"a": 2}], [{"a": 3}, {}]),
    # -- numbers
    ("minimum", {"type": "integer", "minimum": 100}, [100, 101, 999, 1000], [99, 10, 19, -100]),
    ("minimum fraction", {"minimum": 1.5}, [1.5, 2, 10.25], [1.49, 0, -2]),
    ("maximum negative", {"type": "integer", "maximum": -5}, [-5, -6, -50], [-4, 0, 5]),
    ("exclusive", {"exclusiveMinimum": 0, "exclusiveMaximum": 1}, [0.5, 0.001], [0, 1, -0.5, 1.5]),
    ("range over zero", {"type": "integer", "minimum": -2, "maximum": 12}, [-2, 0, 9, 12], [-3, 13, 20]),
    ("large bounds", {"type": "integer", "minimum": 0, "maximum": 2**63 - 1}, [2**63 - 1], [2**63, -1]),
    ("multipleOf", {"multipleOf": 0.01}, [0.01, 4.02, 5], [0.001, 4.025]),
    ("multipleOf seven", {"type": "integer", "multipleOf": 7}, [0, 7, -14, 7 * 10**20], [1, 8, 10]),
    ("integer and number", {"oneOf": [{"type": "integer"}, {"type": "number"}]}, [1.5], [1]),
    # -- strings
    ("lengths", {"type": "string", "minLength": 2, "maxLength": 3}, ["ab", "äöü", "😀😀"], ["a", "abcd", "😀"]),
    ("pattern", {"type": "string", "pattern": "^a+$", "maxLength": 3}, ["a", "aaa"], ["", "aaaa", "ab", "a\n"]),
    ("pattern is searched", {"pattern": "b"}, ["abc", "b", 1], ["ac", ""]),
    ("pattern after escapes", {"type": "string", "pattern": '^"\\\\$'}, ['"\\'], ['"', "\\"]),
    ("patterns meet", {"allOf": [{"type": "string", "pattern": "^[a-f]+$"}, {"pattern": "e$"}]}, ["ae"], ["a", "ze"]),
    ("format", {"type": "string", "format": "date"}, ["2024-02-29"], ["2023-02-29", "2024-13-01"]),
    ("not a format", {"type": "string", "not": {"format": "ipv4"}}, ["x"], ["127.0.0.1"]),
    # -- objects
    ("properties", {"properties": {"a": {"type": "integer"}}}, [{}, {"a": 1}, {"b": "x"}, 3], [{"a": "x"}]),
    (
        "required",
        {"type": "object", "properties": {"a": {}}, "required": ["b"]},
        [{"b": 1}, {"a": 1, "b": 2}],
        [{}, {"a": 1}],
    ),
    (
        "closed",
        {"type": "object", "properties": {"a": {}}, "additionalProperties": False},
        [{}, {"a": 1}],
        [{"b": 1}, {"aa": 1}],
    ),
    (
        "additional schema",
        {"type": "object", "properties": {"ab": {}}, "additionalProperties": {"type": "null"}},
        [{"ab": 1, "a": None, "abc": None}],
        [{"a": 1}],
    ),
    (
        "patterns",
        {"type": "object", "patternProperties": {"^x": {"type": "integer"}, "y$": {"minimum": 3}}},
        [{"x": 1, "xy": 4, "z": "s"}],
        [{"xy": 2}, {"xy": "s"}, {"x": "s"}],
    ),
    (
        "pattern and name",
        {"properties": {"xa": {"minimum": 2}}, "patternProperties": {"^x": {"type": "integer"}}},
        [{"xa": 2}, {"xb": 0}],
        [{"xa": 1}, {"xa": 2.5}],
    ),
    (
        "propertyNames",
        {"type": "object", "propertyNames": {"pattern": "^[ab]+$"}},
        [{}, {"ab": 1}],
        [{"c": 1}, {"ab": 1, "abc": 2}],
    ),
    (
        "minProperties",
        {
            "type": "object",
            "minProperties": 2,
            "properties": {"a": {}, "b": {}, "c": {}},
            "additionalProperties": False,
        },
        [{"a": 1, "c": 1}, {"a": 1, "b": 2, "c": 3}],
        [{}, {"b": 1}],
    ),
    ("maxProperties", {"type": "object", "maxProperties": 1}, [{}, {"a": 1}], [{"a": 1, "b": 2}]),
    (
        "dependentRequired",
        {"type": "object", "dependentRequired": {"a": ["b", "c"]}},
        [{}, {"b": 1}, {"a": 1, "b": 1, "c": 1}],
        [{"a": 1}, {"a": 1, "b": 2}],
    ),
    (
        "dependentSchemas",
        {"type": "object", "dependentSchemas": {"a": {"properties": {"b": {"type": "null"}}}}},
        [{"b": 1}, {"a": 1, "b": None}, {"a": 1}],
        [{"a": 1, "b": 1}],
    ),
    ("forbidden", {"type": "object", "properties": {"a": False}}, [{}, {"b": 1}], [{"a": 1}]),
    (
        "escaped names",
        {"type": "object", "properties": {'q"\\\n': {"type": "integer"}}, "additionalProperties": False},
        [{'q"\\\n': 1}],
        [{"q": 1}],
    ),
    # -- arrays
    (
        "items",
        {"type": "array", "items": {"type": "integer"}, "minItems": 1, "maxItems": 3},
        [[1], [1, 2, 3]],
        [[], ["x"], [1, 2, 3, 4]],
    ),
    (
        "tuple",
        {"type": "array", "prefixItems": [{"type": "integer"}, {"type": "string"}], "items": False},
        [[], [1], [1, "x"]],
        [["x"], [1, 2], [1, "x", 3]],
    ),
    (
        "tuple and rest",
        {"prefixItems": [{"type": "null"}], "items": {"type": "integer"}},
        [[None], [None, 1, 2], []],
        [[1], [None, None]],
    ),
    ("contains", {"type": "array", "contains": {"const": 1}}, [[1], [0, 1, "x"]], [[], [0]]),
    (
        "counted contains",
        {"contains": {"type": "integer"}, "minContains": 2, "maxContains": 3},
        [[1, 2], [1, "x", 2, 3]],
        [[1], [1, 2, 3, 4]],
    ),
    ("contains none", {"contains": {"type": "integer"}, "minContains": 0, "maxContains": 1}, [[], [1, "x"]], [[1, 2]]),
    (
        "unique enum",
        {"type": "array", "items": {"enum": ["a", "b"]}, "uniqueItems": True},
        [[], ["b", "a"]],
        [["a", "a"], ["c"]],
    ),
    # -- applicators
    (
        "allOf",
        {
            "allOf": [
                {"properties": {"a": {"type": "string"}}},
                {"properties": {"a": {"minLength": 2}}, "required": ["a"]},
            ]
        },
        [{"a": "xy"}],
        [{"a": "x"}, {}],
    ),
    (
        "anyOf beside properties",
        {
            "type": "object",
            "properties": {"a": {"type": "string"}},
            "anyOf": [{"required": ["a"]}, {"required": ["b"]}],
        },
        [{"a": "x"}, {"b": 1}, {"a": "x", "b": 1}],
        [{}, {"a": 1}, {"c": 1}],
    ),
    (
        "oneOf of requireds",
        {"type": "object", "oneOf": [{"required": ["a"]}, {"required": ["b"]}]},
        [{"a": 1}, {"b": 1, "c": 1}],
        [{}, {"a": 1, "b": 1}],
    ),
    (
        "oneOf by tag",
        {"oneOf": [TAG, {"type": "object", "properties": {"t": {"const": "b"}}, "required": ["t"]}]},
        [{"t": "a"}, {"t": "b"}],
        [{"t": "c"}, {}],
    ),
    (
        "oneOf overlapping",
        {"oneOf": [{"properties": {"a": {"type": "integer"}}}, {"properties": {"a": {"minimum": 3}}}]},
        [{"a": 1}, {"a": 3.5}],
        [{"a": 4}, {}, 5],
    ),
    (
        "not an object",
        {"not": {"type": "object", "properties": {"a": {"const": 1}}, "required": ["a"]}},
        [{}, {"a": 2}, {"b": 1}, 1],
        [{"a": 1}, {"a": 1, "b": 2}],
    ),
    (
        "not additional",
        {"type": "object", "not": {"additionalProperties": {"type": "integer"}}},
        [{"x": "s"}, {"x": 1, "y": "s"}],
        [{}, {"x": 1}],
    ),
    ("not items", {"type": "array", "not": {"items": {"type": "integer"}}}, [["x"], [1, "x", 2]], [[], [1, 2]]),
    ("not contains", {"not": {"contains": {"type": "integer"}}}, [[], ["x"]], [[1], ["x", 1], {}]),
    ("not required", {"not": {"required": ["a", "b"]}}, [{"a": 1}, {}], [{"a": 1, "b": 1}, 1]),
    (
        "not propertyNames",
        {"type": "object", "not": {"propertyNames": {"maxLength": 1}}},
        [{"ab": 1}, {"a": 1, "ab": 2}],
        [{}, {"a": 1}],
    ),
    (
        "not count",
        {"type": "object", "not": {"minProperties": 2, "maxProperties": 3}},
        [{}, {"a": 1}, {"a": 1, "b": 2, "c": 3, "d": 4}],
        [{"a": 1, "b": 2}],
    ),
    ("not const object", {"not": {"const": {"a": 1}}}, [{}, {"a": 2}, {"a": 1, "b": 1}], [{"a": 1}]),
    ("not enum of arrays", {"type": "array", "not": {"enum": [[1, 2], []]}}, [[1], [1, 3], [1, 2, 3]], [[1, 2], []]),
    ("not not", {"not": {"not": EVEN}}, [2, "x"], [3]),
    ("not anyOf", {"not": {"anyOf": [{"type": "object"}, {"minimum": 3}]}}, [2, -1.5], [{}, 4, "x", []]),
    (
        "if then else",
        {
            "type": "object",
            "if": {"properties": {"k": {"const": 1}}, "required": ["k"]},
            "then": {"required": ["x"]},
            "else": {"required": ["y"]},
        },
        [{"k": 1, "x": 0}, {"k": 2, "y": 0}, {"y": 0}],
        [{"k": 1}, {"k": 1, "y": 0}, {}],
    ),
    ("then without if", {"then": False}, [1], []),
    # -- unevaluated
    (
        "unevaluatedProperties",
        {
            "type": "object",
            "properties": {"a": {}},
            "allOf": [{"properties": {"b": {}}}],
            "unevaluatedProperties": False,
        },
        [{"a": 1, "b": 2}, {}],
        [{"c": 1}],
    ),
    (
        "unevaluated and anyOf",
        {
            "anyOf": [
                {"properties": {"a": {"const": 1}}, "required": ["a"]},
                {"properties": {"b": {}}, "required": ["b"]},
            ],
            "unevaluatedProperties": False,
        },
        [{"a": 1}, {"b": 2}, {"a": 1, "b": 2}],
        [{"a": 2, "b": 2}, {"a": 1, "c": 1}],
    ),
    (
        "unevaluated and not",
        {"not": {"not": {"properties": {"a": {}}}}, "unevaluatedProperties": False},
        [{}],
        [{"a": 1}],
    ),
    (
        "unevaluatedItems",
        {"prefixItems": [{}], "contains": {"const": 9}, "unevaluatedItems": {"type": "null"}},
        [[1, 9], [1, None, 9]],
        [[1], [1, 2, 9]],
    ),
    # -- references
    ("recursion", TREE, [{"v": 1, "kids": [{"v": 2}, {"v": 3, "kids": []}]}], [{"v": 1, "kids": [{}]}, {"kids": []}]),
    (
        "siblings",
        {"$ref": "#/$defs/s", "maxLength": 3, "$defs": {"s": {"type": "string", "minLength": 2}}},
        ["ab", "abc"],
        ["a", "abcd"],
    ),
    ("cycle vanishes", {"allOf": [{"$ref": "#"}, {"type": "integer"}]}, [1], ["x"]),
    ("cycle is dropped", {"anyOf": [{"$ref": "#"}, {"type": "integer"}]}, [1], ["x"]),
]


@pytest.mark.parametrize(("schema", "yes", "no"), [row[1:] for row in ROWS], ids=[row[0] for row in ROWS])
def test_keyword(schema: Any, yes: list[Any], no: list[Any]) -> None:
    accepts(schema, *yes)
    rejects(schema, *no)


DIALECT_ROWS: list[tuple[str, Any, list[Any], list[Any]]] = [
    ("draft4", {"type": "integer"}, [1], [1.5]),
    ("draft4", {"minimum": 1, "exclusiveMinimum": True}, [2, 1.5], [1, 0]),
    ("draft7", {"items": [{"type": "integer"}], "additionalItems": False}, [[1], []], [["x"], [1, 2]]),
    ("draft7", {"$ref": "#/definitions/a", "type": "string", "definitions": {"a": {"type": "integer"}}}, [1], ["x"]),
    (
        "draft7",
        {"dependencies": {"a": ["b"], "c": {"minProperties": 2}}},
        [{"b": 1}, {"a": 1, "b": 1}, {"c": 1, "d": 1}],
        [{"a": 1}, {"c": 1}],
    ),
    ("draft6", {"if": {"type": "integer"}, "then": False}, [1], []),
    (
        "draft2019-09",
        {"$recursiveAnchor": True, "properties": {"a": {"$recursiveRef": "#"}}, "type": "object"},
        [{"a": {"a": {}}}],
        [{"a": 1}],
    ),
    ("openapi3.0", {"type": "string", "nullable": True}, ["x", None], [1]),
]


@pytest.mark.parametrize(("dialect", "schema", "yes", "no"), DIALECT_ROWS)
def test_keyword_in_dialect(dialect: str, schema: Any, yes: list[Any], no: list[Any]) -> None:
    accepts(schema, *yes, default_dialect=dialect)
    rejects(schema, *no, default_dialect=dialect)

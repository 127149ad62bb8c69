"""What a schema says of a parameter: its types and values, the alternatives of the arguments; never an error."""

from __future__ import annotations

from time import perf_counter
from typing import Any

import pytest

from schema2gbnf.toolcalls.domain import EVERYTHING
from schema2gbnf.toolcalls.shallow import TYPES
from schema2gbnf.toolcalls.signature import Signature

SAMPLES: dict[str, tuple[Any, ...]] = {
    "null": (None,),
    "boolean": (True, False),
    "integer": (0, 5.0, 10**30),
    "number": (0.5,),
    "string": ("", "7"),
    "array": ([], [1]),
    "object": ({}, {"a": 1}),
}


def kinds(schema: Any, **around: Any) -> set[str]:
    """The types that a parameter of this schema may have."""
    signature = Signature({"properties": {"v": schema}, **around})
    domain, _ = signature.domain(0, "v")
    found = {kind for kind, values in SAMPLES.items() if all(value in domain for value in values)}
    assert found == set(domain.kinds)
    return found


ANY = set(TYPES)
NUMBER = {"integer", "number"}


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        ({"type": "integer"}, {"integer"}),
        ({"type": "number"}, NUMBER),
        ({"type": ["string", "null"]}, {"string", "null"}),
        ({"type": "INT32"}, {"integer"}),
        ({"type": "varchar(255)"}, {"string"}),
        ({"type": "list[int]"}, {"array"}),
        ({"type": "Dict<str, int>"}, {"object"}),
        ({"type": ["integer", 5]}, ANY),
        ({"type": "money"}, ANY),
        ({"type": []}, ANY),
        ({"type": "integer", "nullable": True}, {"integer", "null"}),
        ({"anyOf": [{"type": "integer"}], "nullable": True}, {"integer", "null"}),
        ({"allOf": [{"type": ["integer", "string"]}, {"type": ["string", "null"]}]}, {"string"}),
        ({"anyOf": [{"type": "integer"}, {"type": "null"}]}, {"integer", "null"}),
        ({"oneOf": [{"type": "integer"}, {"type": "number"}]}, NUMBER),
        ({"anyOf": []}, ANY),
        ({"anyOf": 5, "oneOf": [7, {"type": "string"}]}, ANY),
        ({"allOf": [{"type": "integer"}, {"type": "string"}]}, ANY),
        ({"not": {}}, ANY),
        (False, ANY),
        (True, ANY),
        ({}, ANY),
        (5, ANY),
        ({"description": "anything", "pattern": "(", "minimum": "x"}, ANY),
        ({"properties": {"a": {}}, "items": {}}, ANY),
        ({"type": "string", "if": {"const": 1}, "then": False, "not": {"type": "string"}}, {"string"}),
        ({"$ref": "#/$defs/int"}, {"integer"}),
        ({"$ref": "#/$defs/chain"}, {"integer"}),
        ({"$ref": "#/$defs/a~1b%20c"}, {"boolean"}),
        ({"$ref": "#/$defs/union/anyOf/1"}, {"string"}),
        ({"$ref": "#/$defs/union/anyOf/01"}, ANY),
        ({"$ref": "#word"}, {"string"}),
        ({"$ref": "#/$defs/union", "type": ["string", "null"]}, {"string"}),
        ({"$ref": "#/$defs/loop"}, ANY),
        ({"$ref": "#/$defs/loop", "type": "string"}, {"string"}),
        ({"anyOf": [{"type": "integer"}, {"$ref": "#/properties/v"}]}, {"integer"}),
        ({"$ref": "#/$defs/nowhere"}, ANY),
        ({"$ref": "https://example.org/nowhere.json"}, ANY),
        ({"$ref": 7}, ANY),
        ({"$ref": "#"}, {"object"}),
    ],
)
def test_the_types_of_a_parameter(schema: Any, expected: set[str]) -> None:
    definitions = {
        "int": {"type": "integer"},
        "chain": {"$ref": "#/$defs/int"},
        "a/b c": {"type": "boolean"},
        "union": {"anyOf": [{"type": "integer"}, {"type": "string"}]},
        "word": {"$anchor": "word", "type": "string"},
        "loop": {"$ref": "#/$defs/loop"},
    }
    assert kinds(schema, type="object", **{"$defs": definitions}) == expected


def test_all_ways_to_say_nothing_are_one() -> None:
    schemas = ({}, {"$ref": "#/nowhere"}, {"$ref": "#/properties/v"}, {"type": "any"}, False)
    domains = [Signature({"properties": {"v": schema}}).domain(0, "v")[0] for schema in schemas]
    assert domains == [EVERYTHING] * len(schemas)


@pytest.mark.parametrize(
    ("schema", "admitted", "refused"),
    [
        ({"const": 7}, (7, 7.0), ("7", True, 8)),
        ({"const": True}, (True,), (1, "true")),
        ({"enum": ["7", None]}, ("7", None), (7, "null")),
        ({"enum": ["a", 1, {"x": 1}], "type": ["string", "object"]}, ("a", {"x": 1.0}), (1, {"x": True}, {})),
        ({"anyOf": [{"enum": ["auto"]}, {"type": "integer"}]}, ("auto", 5), ("other", 0.5)),
        ({"allOf": [{"enum": [1, 2, "a"]}, {"enum": [2, "a", "b"]}]}, (2, "a"), (1, "b")),
        ({"enum": "abc"}, ("x", 1), ()),
    ],
)
def test_the_values_of_a_parameter(schema: Any, admitted: tuple[Any, ...], refused: tuple[Any, ...]) -> None:
    domain, _ = Signature({"properties": {"v": schema}}).domain(0, "v")
    assert [value for value in admitted if value not in domain] == []
    assert [value for value in refused if value in domain] == []


def test_names_that_are_not_declared() -> None:
    signature = Signature(
        {
            "properties": {"a": {"type": "string"}},
            "patternProperties": {"^n_": {"type": "integer"}, "_s$": {"type": ["string", "integer"]}},
            "additionalProperties": {"type": "boolean"},
        }
    )
    found = {name: set(signature.domain(0, name)[0].kinds) for name in ("a", "n_1", "x_s", "n_s", "b")}
    assert found == {
        "a": {"string"},
        "n_1": {"integer"},
        "x_s": {"integer", "string"},
        "n_s": {"integer"},
        "b": {"boolean"},
    }
    assert signature.knows("b")
    assert not Signature({"properties": {"a": {}}, "additionalProperties": False}).knows("b")


def test_a_pattern_that_cannot_be_read_leaves_the_rest_open() -> None:
    signature = Signature({"patternProperties": {"(": {"type": "integer"}}, "additionalProperties": {"type": "string"}})
    assert signature.domain(0, "x") == (EVERYTHING, ())


def names(signature: Signature) -> list[set[str]]:
    return [{name for members in branch.members for name, _ in members.properties} for branch in signature.branches]


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        ({"properties": {"a": {}}}, [{"a"}]),
        ({"anyOf": [{"properties": {"a": {}}}, {"allOf": [{"properties": {"b": {}}}]}]}, [{"a"}, {"b"}]),
        (
            {"properties": {"x": {}}, "oneOf": [{"properties": {"a": {}}}, {"properties": {"b": {}}}]},
            [{"a", "x"}, {"b", "x"}],
        ),
        ({"$ref": "#/$defs/r", "$defs": {"r": {"properties": {"a": {}}, "anyOf": [{"$ref": "#"}, {}]}}}, [{"a"}]),
        ({"anyOf": [{"type": "object", "properties": {"a": {}}}, {"type": "null"}]}, [{"a"}]),
        ({"type": "string"}, [set()]),
        (True, [set()]),
    ],
)
def test_the_alternatives_of_the_arguments(schema: Any, expected: list[set[str]]) -> None:
    assert names(Signature(schema)) == expected


def test_past_the_cap_the_alternatives_are_not_told_apart() -> None:
    def union(count: int) -> Signature:
        options = [{"properties": {"kind": {"const": number}}} for number in range(count)]
        return Signature({"properties": {"s": {"type": "string"}}, "oneOf": options})

    assert len(union(64).branches) == 64
    many = union(65)
    assert [event.kind for event in many.events] == ["too-many-branches"]
    assert many.domain(0, "kind") == (EVERYTHING, ())
    assert set(many.domain(0, "s")[0].kinds) == {"string"}


def diamonds(levels: int, last: Any) -> dict[str, Any]:
    definitions = {
        f"d{level}": {
            "anyOf": [{"allOf": [{"$ref": f"#/$defs/d{level + 1}"}]}, {"$ref": f"#/$defs/d{level + 1}"}, last]
        }
        for level in range(levels)
    }
    return {**definitions, f"d{levels}": {"type": "integer"}}


def nested(depth: int) -> Any:
    schema: Any = {"type": "integer"}
    for _ in range(depth):
        schema = {"allOf": [schema]}
    return schema


@pytest.mark.parametrize(
    "schema",
    [
        {"$ref": "#/$defs/d0", "$defs": diamonds(60, {"$ref": "#/$defs/d0"})},
        {"properties": {"v": {"$ref": "#/$defs/d0"}}, "$defs": diamonds(60, {"$ref": "#/$defs/d0"})},
        {"properties": {"v": {"$ref": "#/$defs/d0"}}, "$defs": diamonds(60, False)},
        {"properties": {"v": nested(250)}},
        nested(250),
        {"allOf": [{"anyOf": [{"properties": {f"{i}{j}": {}}} for i in range(9)]} for j in range(9)]},
        {"properties": {"v": {"anyOf": [{"const": number} for number in range(3000)]}}},
        {"properties": {"v": {"enum": [str(number) for number in range(20_000)]}}},
        {"$id": ":", "properties": []},
        {"$defs": {"a": {"$id": "http://[", "$anchor": 5}}, "properties": {"v": {"$ref": "#x"}}},
    ],
)
def test_hostile_schemas_take_no_time(schema: Any) -> None:
    start = perf_counter()
    signature = Signature(schema)
    for branch in range(len(signature.branches)):
        signature.domain(branch, "v")
    assert perf_counter() - start < 10

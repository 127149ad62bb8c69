"""Names of rules tell the place in the schema, are short at any depth, and depend on nothing that stands elsewhere."""

from __future__ import annotations

import re
from typing import Any

from bench.figures import slope
from bench.growth import nesting
from schema2gbnf import compile_schema
from tests.statements import accepts, rejects


def names(schema: Any) -> list[str]:
    return list(compile_schema(schema).grammar.rules)


def nested(path: list[str], inner: Any) -> Any:
    """A schema of objects in objects, each with one member."""
    for name in reversed(path):
        inner = {"type": "object", "properties": {name: inner}, "required": [name]}
    return inner


def test_names_of_everyday_depth_are_paths() -> None:
    schema = nested(["order", "customerAccount", "billing_address"], {"type": "array", "items": {"type": "integer"}})
    assert names(schema)[5:8] == [
        "order-customerAccount-billing-address-kv",
        "order-customerAccount-billing-address",
        "order-customerAccount-billing-address-rest",
    ]


def test_the_name_of_a_long_path_keeps_its_ends() -> None:
    path = ["order", "positions", "manufacturer", "headquarters", "country", "government", "postalAddress"]
    [name] = [name for name in names(nested([*path, "street"], {"type": "null"})) if name.endswith("-street-kv")]
    assert re.fullmatch("order-positions-[0-9a-f]{6}-postalAddress-street-kv", name)
    assert name in names(nested([*path, "street"], nested(["number"], {"type": "integer"})))


def test_grammars_grow_with_the_depth_as_the_schema_does() -> None:
    depths = (32, 64, 128)
    assert slope(depths, [len(compile_schema(nesting(depth)).gbnf) for depth in depths]) < 1.15


def test_long_paths_with_the_same_ends_have_rules_of_their_own() -> None:
    middle = [f"middle{n}" for n in range(10)]
    branches = {
        name: nested([*middle, name, *middle], {"type": "object", "properties": {"v": {"const": name}}})
        for name in ("a", "b")
    }
    schema = nested(middle, {"type": "object", "properties": branches})

    def value(branch: str, const: str) -> Any:
        inner: Any = {"v": const}
        for name in reversed([*middle, branch, *middle, branch, *middle]):
            inner = {name: inner}
        return inner

    accepts(schema, value("a", "a"), value("b", "b"))
    rejects(schema, value("a", "b"), value("b", "a"))

"""The tables of the dialects against the published metaschemas."""

from __future__ import annotations

from typing import Any
from urllib.parse import urljoin

import pytest
from jsonschema_specifications import REGISTRY

from schema2gbnf.schema.dialects import DIALECTS, Dialect, Place, dialect_of, with_nullable

STANDARD = [dialect for dialect in DIALECTS.values() if dialect.name != "openapi3.0"]
LATER = {
    # Kept in the metaschema after the keyword was withdrawn.
    "draft2019-09": {"dependencies"},
    "draft2020-12": {"dependencies", "$recursiveAnchor", "$recursiveRef"},
}
ADDED = {"$defs", "definitions", "$ref", "writeOnly"}
"""What the tables have beyond some metaschemas: both names for definitions, and two keywords they forgot."""


def published(dialect: Dialect) -> dict[str, Any]:
    """The keywords in a metaschema, each with what the metaschema says of its value."""
    whole: Any = REGISTRY.contents(dialect.uri)
    parts: list[Any] = [REGISTRY.contents(urljoin(dialect.uri, part["$ref"])) for part in whole.get("allOf", [])]
    return {name: schema for part in [whole, *parts] for name, schema in part["properties"].items()}


@pytest.mark.parametrize("dialect", STANDARD, ids=lambda dialect: dialect.name)
def test_the_keywords_are_those_of_the_metaschema(dialect: Dialect) -> None:
    expected = published(dialect).keys() - LATER.get(dialect.name, set())
    assert set(dialect.keywords) - ADDED == expected - ADDED


def place_in(schema: Any) -> Place:
    """Where a metaschema's words on one keyword say that schemas stand."""
    if isinstance(schema, bool):
        return Place.PLAIN
    refers_to_all = {"#", "#meta"}
    if schema.get("$ref", schema.get("$recursiveRef", schema.get("$dynamicRef"))) in refers_to_all:
        return Place.SCHEMA
    if schema.get("$ref", "").endswith("/schemaArray"):
        return Place.SCHEMAS
    if "anyOf" in schema and {"type": "boolean"} in schema["anyOf"]:
        return Place.SCHEMA
    if "anyOf" in schema and any(place_in(each) is Place.SCHEMA for each in schema["anyOf"]):
        return Place.SCHEMA_OR_SCHEMAS
    match place_in(schema["additionalProperties"]) if isinstance(schema.get("additionalProperties"), dict) else None:
        case Place.SCHEMA:
            return Place.SCHEMA_MAP
        case Place.SCHEMA_OR_SCHEMAS:
            return Place.SCHEMA_OR_NAMES_MAP
    return Place.PLAIN


@pytest.mark.parametrize("dialect", STANDARD, ids=lambda dialect: dialect.name)
def test_subschemas_stand_where_the_metaschema_has_them(dialect: Dialect) -> None:
    said = {keyword: place_in(schema) for keyword, schema in published(dialect).items() if keyword in dialect.keywords}
    assert {keyword: dialect.place(keyword) for keyword in said} == said


@pytest.mark.parametrize(
    ("uri", "name"),
    [
        ("http://json-schema.org/draft-04/schema#", "draft4"),
        ("https://json-schema.org/draft-04/schema", "draft4"),
        ("http://json-schema.org/draft-06/schema#", "draft6"),
        ("http://json-schema.org/draft-07/schema", "draft7"),
        ("https://json-schema.org/draft/2019-09/schema", "draft2019-09"),
        ("http://json-schema.org/draft/2020-12/schema#", "draft2020-12"),
    ],
)
def test_dialects_are_known_by_their_uris(uri: str, name: str) -> None:
    assert dialect_of(uri) is DIALECTS[name]


@pytest.mark.parametrize(
    "uri", ["", "http://json-schema.org/draft-03/schema#", "json-schema.org/draft-07/schema", "urn:draft7", "draft7"]
)
def test_other_uris_name_no_dialect(uri: str) -> None:
    assert dialect_of(uri) is None


def test_nullable_can_be_switched() -> None:
    on, off = with_nullable(DIALECTS["draft7"], True), with_nullable(DIALECTS["openapi3.0"], False)
    assert on.nullable
    assert "nullable" in on.keywords
    assert not off.nullable
    assert "nullable" not in off.keywords
    assert with_nullable(DIALECTS["draft7"], False) is DIALECTS["draft7"]

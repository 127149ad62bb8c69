"""The tables of the vocabularies against the published ones, and what a metaschema of one's own makes of a schema."""

from __future__ import annotations

from typing import Any

import pytest
from jsonschema_specifications import REGISTRY

from schema2gbnf import Finding, InvalidSchemaError, Result, UnsupportedSchemaError, compile_schema
from schema2gbnf.schema.vocabularies import VOCABULARIES
from tests.statements import accepts, rejects

OWN = "https://example.com/meta"
OLD, NEW = "https://json-schema.org/draft/2019-09", "https://json-schema.org/draft/2020-12"
WITHDRAWN = {"$recursiveAnchor", "$recursiveRef", "dependencies"}


@pytest.mark.parametrize("dialect", VOCABULARIES)
def test_the_keywords_are_those_of_the_published_vocabularies(dialect: str) -> None:
    for uri, keywords in VOCABULARIES[dialect].items():
        if "json-schema.org" in uri:
            published: Any = REGISTRY.contents(uri.replace("/vocab/", "/meta/"))
            assert keywords == published["properties"].keys() - WITHDRAWN


def metaschema(base: str, required: str = "", optional: str = "") -> dict[str, Any]:
    """A metaschema with these vocabularies of a standard, and whole URIs as they are."""
    names = [(name, True) for name in required.split()] + [(name, False) for name in optional.split()]
    chosen = {name if ":" in name else f"{base}/vocab/{name}": flag for name, flag in names}
    return {"$schema": f"{base}/schema", "$id": OWN, "$vocabulary": chosen}


def given(document: Any, uri: str = OWN) -> dict[str, Any]:
    return {"documents": {uri: document}}


def test_keywords_of_vocabularies_that_are_left_out_say_nothing() -> None:
    schema = {"$schema": OWN, "properties": {"a": {"minimum": 3}, "b": False}, "required": ["a"]}
    options = given(metaschema(NEW, "core applicator"))
    accepts(schema, {"a": 1}, {}, **options)
    rejects(schema, {"b": 1}, **options)
    found = compile_schema(schema, **options).findings
    assert {(each.kind, each.keyword, each.pointer) for each in found if each.kind == "ignored"} == {
        ("ignored", "required", "#"),
        ("ignored", "minimum", "#/properties/a"),
    }


def test_subschemas_under_keywords_that_are_left_out_are_none() -> None:
    schema = {"$schema": OWN, "type": "object", "properties": {"a": {"$id": "x", "type": "no type"}}}
    accepts(schema, {"a": 1}, **given(metaschema(NEW, "core validation")))


@pytest.mark.parametrize(
    ("base", "required", "optional", "asserted"),
    [
        (NEW, "format-assertion", "", True),
        (NEW, "", "format-assertion", True),
        (NEW, "format-annotation", "", False),
        (NEW, "", "", False),
        (OLD, "format", "", True),
        (OLD, "", "format", False),
    ],
)
def test_a_metaschema_asserts_formats(base: str, required: str, optional: str, asserted: bool) -> None:
    schema = {"$schema": OWN, "format": "ipv4"}
    options = {"formats": "annotate", **given(metaschema(base, required, optional))}
    accepts(schema, "127.0.0.1", 1, **options)
    (rejects if asserted else accepts)(schema, "127.0.0", **options)


def test_a_format_that_must_be_asserted_must_be_known() -> None:
    schema = {"$schema": OWN, "format": "colour"}
    options = given(metaschema(NEW, "format-assertion"))
    assert [each.kind for each in compile_schema(schema, **options).findings] == ["loosened"]
    with pytest.raises(UnsupportedSchemaError):
        compile_schema(schema, strict=True, **options)


def loosened(result: Result) -> list[Finding]:
    return [finding for finding in result.findings if finding.kind == "loosened"]


def test_an_unknown_vocabulary_that_is_required_may_say_anything() -> None:
    schema = {"$schema": OWN, "type": "integer", "unit": "kg"}
    options = given(metaschema(NEW, "core validation urn:units"))
    result = compile_schema(schema, **options)
    assert [each.keyword for each in loosened(result)] == ["$schema"]
    assert "'urn:units'" in result.findings[0].message
    with pytest.raises(UnsupportedSchemaError, match="'urn:units'"):
        compile_schema(schema, strict=True, **options)
    accepts(schema, 1, **given(metaschema(NEW, "core validation", "urn:units")))


@pytest.mark.parametrize("named", [OWN, f"{OWN}#"])
@pytest.mark.parametrize("key", [OWN, f"{OWN}#", "urn:another-name"])
def test_a_metaschema_is_found_by_either_of_its_names(named: str, key: str) -> None:
    accepts({"$schema": named, "minimum": 3}, 1, **given(metaschema(NEW, "core"), key))


def test_a_metaschema_speaks_the_dialect_that_it_names_over_others() -> None:
    between = {"$schema": "urn:between", "$id": OWN}
    documents = {OWN: between, "urn:between": metaschema(OLD, "core")}
    schema = {"$schema": OWN, "items": [{"type": "null"}]}
    rejects(schema, [1], documents=documents)
    assert compile_schema(schema, documents=documents).findings == ()


@pytest.mark.parametrize("document", [True, [], "x", {"$schema": OWN}, {"$schema": "urn:unknown"}])
def test_what_leads_to_no_dialect_is_an_unknown_one(document: Any) -> None:
    result = compile_schema({"$schema": OWN, "type": "integer"}, **given(document))
    assert [(each.kind, each.keyword) for each in result.findings] == [("ignored", "$schema")]


@pytest.mark.parametrize("value", [[], 1, {"urn:x": 1}, {"urn:x": None}])
def test_vocabularies_are_named_with_true_or_false(value: Any) -> None:
    with pytest.raises(InvalidSchemaError) as caught:
        compile_schema({"$schema": OWN}, **given({"$schema": f"{NEW}/schema", "$vocabulary": value}))
    assert (caught.value.pointer, caught.value.keyword) == (f"{OWN}#", "$vocabulary")


def test_each_resource_may_name_its_own_metaschema() -> None:
    inner = {"$id": "urn:inner", "$schema": OWN, "minimum": 3}
    schema = {"$schema": f"{NEW}/schema", "minimum": 1, "allOf": [inner]}
    options = given(metaschema(NEW, "core"))
    accepts(schema, 2, **options)
    rejects(schema, 0, **options)

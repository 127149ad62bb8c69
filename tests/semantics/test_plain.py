"""The fast path says what the general way says: the same grammar, the same findings, the same errors."""

from __future__ import annotations

from itertools import pairwise, product
from random import Random
from typing import Any

import pytest

from schema2gbnf import clear_cache, compile_schema
from schema2gbnf.api import _COMPILED
from schema2gbnf.errors import SchemaError
from schema2gbnf.options import Options
from schema2gbnf.semantics import plain
from schema2gbnf.semantics.meaning import Meaning
from schema2gbnf.semantics.plain import Plain
from schema2gbnf.semantics.shapes import AllBut, KeyPart, Member, ObjectShape
from schema2gbnf.semantics.walks import _counted_walk, _free_walk
from tests.corpus.schemas import PARTS, cases

LEAVES: list[dict[str, Any]] = [
    {"type": "string"},
    {"type": "string", "title": "A", "description": "silent"},
    {"type": "string", "maxLength": 3, "default": 7},
    {"type": "integer"},
    {"type": "integer", "minimum": 1},
    {"type": "integer", "minimum": True},
    {"type": "number", "minimum": 1.0},
    {"type": ["string", "null"]},
    {"enum": ["a", 1, None]},
    {"enum": ["a", "\ud800"]},
    {"enum": [1, True]},
    {"enum": [1.0]},
    {"const": 1},
    {"const": True},
    {"const": {"a": 1}},
    {"format": "date", "type": "string"},
    {"format": "nothing-known", "type": "string"},
    {"type": "string", "minlength": 3},
    {"type": "string", "nullable": True},
    {"type": "string", "x-anything": {"deep": [1, 2]}},
    {"type": "string", "pattern": "^a{2,3}$"},
    {"type": "string", "pattern": "("},
    {"type": "string", "pattern": r"^(a)\1$"},
    {"type": "nothing"},
    {"type": []},
    {"$ref": "#"},
    {},
    {"description": "anything"},
]
OBJECTS: list[dict[str, Any]] = [
    {"properties": {"a": leaf, "b": other}, "required": required, **more}
    for leaf, other in pairwise(LEAVES)
    for required, more in (
        (["b"], {}),
        (["a", "c"], {"additionalProperties": {"type": "string"}}),
        ([], {"additionalProperties": False, "title": "O"}),
    )
]
ODD: list[dict[str, Any]] = [
    {"type": "object"},
    {"type": "object", "required": []},
    {"type": "object", "required": ["a"]},
    {"type": "object", "required": True},
    {"type": "object", "required": ["a", "a"], "properties": {"a": {}}},
    {"type": "object", "properties": {}},
    {"type": "object", "properties": []},
    {"type": "object", "properties": {"a": True, "b": False}},
    {"type": "object", "properties": {"a": 1}},
    {"type": "object", "properties": {"\ud800": {}, "b": {}}},
    {"type": "object", "properties": {"a": {}}, "propertys": {}},
    {"type": "object", "properties": {"a": {"type": "object", "properties": {"b": {"enum": []}}, "required": ["b"]}}},
    {"type": "object", "additionalProperties": {"type": "integer"}},
    {"type": "object", "additionalProperties": True, "properties": {"a": {"type": "array", "items": {}}}},
    {"type": "object", "additionalProperties": "no"},
    {"type": "object", "function": {"parameters": {}}, "properties": {"a": {}}},
    {"type": "object", "properties": {"a": {}}, "unevaluatedProperties": False},
    {"type": "object", "properties": {"a": {"$id": "b", "type": "object", "properties": {"c": {"$ref": "#"}}}}},
    {"type": "object", "properties": {"a": {"$ref": "#"}}, "required": ["a"]},
    {"type": "array", "items": {"type": "string"}},
    {"type": "array", "items": {"type": "string"}, "minItems": 2, "maxItems": 1},
    {"type": "array", "items": {"type": "string"}, "minItems": 2.0},
    {"type": "array", "items": {"type": "string"}, "maxItems": -1},
    {"type": "array", "items": {"type": "string"}, "maxItems": 0},
    {"type": "array", "items": [{"type": "string"}]},
    {"type": "array", "items": {"enum": []}},
    {"type": "array", "items": {"$ref": "#"}},
    {"type": "array", "items": {"type": "string"}, "prefixItems": [{}]},
    {"type": "array", "items": {"type": "string"}, "uniqueItems": True},
    {"type": "array"},
]
DIALECTS = ["draft4", "draft7", "draft2019-09", "draft2020-12", "openapi3.0"]
CHOICES: list[dict[str, Any]] = [
    {},
    {"strict": True},
    {"additional_properties": "spec", "whitespace": "compact"},
    {"order": "any"},
    {"prop_order": ("b", "z")},
    {"formats": "annotate", "nullable": True},
]


def told(schema: dict[str, Any], **choices: Any) -> str:
    """All that a compilation says."""
    try:
        result = compile_schema(schema, **choices)
    except SchemaError as error:
        return f"{type(error).__name__}: {error}"
    return "\n".join((result.gbnf, *map(str, result.findings)))


def general(monkeypatch: pytest.MonkeyPatch, schema: dict[str, Any], **choices: Any) -> str:
    """The same without the fast path."""
    with monkeypatch.context() as patch:
        patch.setattr(Plain, "of", lambda self, sub: None)
        clear_cache()
        return told(schema, **choices)


def twice(schema: dict[str, Any], **choices: Any) -> list[str]:
    """What is said the first time, and what once its leaves are known."""
    clear_cache()
    first = told(schema, **choices)
    _COMPILED.clear()
    return [first, told(schema, **choices)]


@pytest.mark.parametrize("choices", CHOICES, ids=str)
def test_it_says_what_the_general_way_says(choices: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    for schema in [*LEAVES, *ODD, *({"type": "object", **each} for each in OBJECTS)]:
        expected = general(monkeypatch, schema, **choices)
        for found in twice(schema, **choices):
            assert found == expected, schema


@pytest.mark.parametrize("dialect", DIALECTS)
def test_it_does_in_every_dialect(dialect: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for schema in [*LEAVES, *ODD, *({"type": "object", **each} for each in OBJECTS[::2])]:
        expected = general(monkeypatch, schema, default_dialect=dialect)
        for found in twice(schema, default_dialect=dialect):
            assert found == expected, schema


@pytest.mark.parametrize("part", range(PARTS))
def test_it_does_for_published_schemas(part: int, monkeypatch: pytest.MonkeyPatch) -> None:
    # The leaves of one schema are known to the next.
    clear_cache()
    found = [told(case.schema) for case in cases(part)]
    for case, said in zip(cases(part), found, strict=True):
        assert said == general(monkeypatch, case.schema), case.name


def test_most_of_what_people_publish_is_plain(monkeypatch: pytest.MonkeyPatch) -> None:
    kinds: list[str] = []
    of = Plain.of

    def counted(self: Plain, sub: Any) -> plain.Reading:
        found = of(self, sub)
        kinds.append("general" if found is None else "plain")
        return found

    monkeypatch.setattr(Plain, "of", counted)
    for _ in range(2):
        _COMPILED.clear()
        kinds.clear()
        for part in range(PARTS):
            for case in cases(part):
                told(case.schema)
    assert kinds.count("plain") > 0.7 * len(kinds)


def test_what_has_to_be_told_of_a_place_is_told_at_each() -> None:
    schema = {"type": "object", "properties": {name: {"format": "nothing-known"} for name in "ab"}}
    for _ in range(2):
        clear_cache()
        told({"format": "nothing-known"})
        assert [finding.pointer for finding in compile_schema(schema).findings if finding.keyword == "format"] == [
            "#/properties/a",
            "#/properties/b",
        ]


def findings(schema: Any, **choices: Any) -> list[str]:
    _COMPILED.clear()
    return [str(finding) for finding in compile_schema(schema, **choices).findings]


def test_a_pattern_of_annex_b_is_told_at_each_place_and_whatever_came_before() -> None:
    leaf = {"type": "string", "pattern": r"\-"}
    other = {**leaf, "maxLength": 3}
    schema = {"type": "object", "properties": {"a": leaf, "b": leaf, "c": other}, "patternProperties": {r"\-": {}}}
    clear_cache()
    for _ in range(2):
        told = [each for each in findings(schema) if "Annex B" in each]
        assert [each.split(":")[0] for each in told] == ["#", *(f"#/properties/{name}" for name in "abc")]
        assert len(findings(leaf)) == len(findings(other)) == 1


def test_that_a_vocabulary_is_left_out_is_told_at_each_place_and_whatever_came_before() -> None:
    base = "https://json-schema.org/draft/2020-12"
    vocabularies = {f"{base}/vocab/{name}": True for name in ("core", "applicator", "validation")}
    metaschema = {"$schema": f"{base}/schema", "$id": "http://example.com/m", "$vocabulary": vocabularies}
    options = Options(documents={"http://example.com/m": metaschema})
    plain_one, with_format = {"type": "string"}, {"type": "string", "format": "date"}
    clear_cache()
    for first, second in [(plain_one, with_format), (with_format, plain_one)] * 2:
        schema = {"$schema": "http://example.com/m", "type": "object", "properties": {"a": first, "b": second}}
        place = "a" if first is with_format else "b"
        assert [f"#/properties/{place}: format" in each for each in findings(schema, options=options)][:1] == [True]


def test_a_broken_place_is_refused_where_and_when_the_general_way_refuses_it(monkeypatch: pytest.MonkeyPatch) -> None:
    broken = {"type": "object", "properties": {"x": {"$id": "http://[bad", "type": "string"}}}
    for schema in (
        {"type": "object", "properties": {"a": broken, "b": {"type": "string", "minLength": "x"}}},
        {"type": "object", "properties": {"a": {"type": "null"}, "b": broken}, "required": ["a"], "maxProperties": 1},
        {"type": "object", "properties": {"a": {"type": "array", "items": broken}, "b": {"minLength": "x"}}},
        {"type": "object", "properties": {"a" * 5000: {"type": "object", "properties": {"b" * 5000: {}}}}},
    ):
        assert told(schema) == general(monkeypatch, schema)


def test_values_that_python_takes_for_equal_are_apart() -> None:
    for kept, asked in product([{"const": 1}, {"const": True}], repeat=2):
        clear_cache()
        told(kept)
        assert ("true" in told({"title": "asked", **asked})) == (asked == {"const": True} and asked["const"] is True)


def test_a_walk_that_is_written_down_is_the_one_that_is_searched() -> None:
    meaning = Meaning.of({}, Options())
    random = Random(26)
    for _ in range(500):
        members = tuple(Member(name, (), random.random() < 0.5) for name in "abcdef"[: random.randint(0, 6)])
        parts = tuple(KeyPart(AllBut((name,)), ()) for name in "xy"[: random.randint(0, 2)])
        shape = ObjectShape(members, parts, 0, None, (), None, "#")
        assert _free_walk(shape) == _counted_walk(meaning, shape, free=False), shape

"""What each rule makes of a schema: a table of schemas, of what they become for llama.cpp, and of what is told."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import pytest

from schema2gbnf.normalize import NormalizationError, normalize
from tests.normalize.relation import relation

ANY = {"type": ["object", "array", "string", "number", "boolean", "null"]}
INTEGER, TEXT = {"type": "integer"}, {"type": "string"}


def thing(**properties: Any) -> dict[str, Any]:
    """An object that may have these properties, and others."""
    return {"type": "object", "properties": properties}


def closed(**properties: Any) -> dict[str, Any]:
    """An object that may have these properties, and no others."""
    return {**thing(**properties), "additionalProperties": False}


@dataclass(frozen=True)
class Row:
    """A schema, what it becomes, and the events as `kind severity path`; no `made`: it stays as it is."""

    name: str
    given: Any
    made: Any = ...
    events: tuple[str, ...] = ()
    options: dict[str, Any] = field(default_factory=dict)
    judged: bool = True
    """Validators agree on what the schema means."""

    @property
    def expected(self) -> Any:
        return self.given if self.made is ... else self.made


ROWS = (
    # -- schemas that say anything or nothing --
    Row("nothing to do", closed(a=TEXT, b={"type": "array", "items": INTEGER})),
    Row("true", closed(a=True), closed(a=ANY), ("any-expanded lossless /properties/a",)),
    Row("empty", closed(a={}), closed(a=ANY), ("any-expanded lossless /properties/a",)),
    Row(
        "annotated only",
        closed(a={"title": "A"}),
        closed(a={"title": "A", **ANY}),
        ("any-expanded lossless /properties/a",),
    ),
    Row("true beyond the declared", {**thing(a=TEXT), "additionalProperties": True}),
    Row(
        "false in a closed object",
        closed(a=TEXT, b=False),
        closed(a=TEXT),
        ("never-property-dropped lossless /properties/b",),
    ),
    Row(
        "false in an open object",
        thing(a=TEXT, b=False),
        thing(a=TEXT),
        ("never-property-dropped loosened /properties/b",),
    ),
    Row(
        "not anything",
        closed(a=TEXT, b={"not": {}}),
        closed(a=TEXT),
        ("never-property-dropped lossless /properties/b",),
    ),
    Row(
        "not anything beside a type",
        closed(a=TEXT, b={"type": "string", "not": {"title": "any"}}),
        closed(a=TEXT),
        ("never-property-dropped lossless /properties/b",),
    ),
    Row("not nothing", {"type": "string", "not": False}, {"type": "string"}),
    Row(
        "a required property that nothing meets",
        {"anyOf": [{**thing(n=False), "required": ["n"]}, TEXT, INTEGER]},
        {"anyOf": [TEXT, INTEGER]},
        ("never-branch-dropped lossless /anyOf/0",),
    ),
    Row(
        "items that nothing meets",
        {"type": "array", "items": {"enum": []}},
        {"type": "array", "maxItems": 0},
        ("tuple-closed lossless ",),
    ),
    Row(
        "required items that nothing meets",
        closed(a=TEXT, b={"type": "array", "items": False, "minItems": 1}),
        closed(a=TEXT),
        ("never-property-dropped lossless /properties/b",),
    ),
    Row("nothing at all", {"allOf": [TEXT, INTEGER]}, events=("unsatisfiable error ",)),
    Row("crossed bounds", {"type": "integer", "minimum": 5, "maximum": 3}, events=("unsatisfiable error ",)),
    Row(
        "crossed bounds of one type",
        {"type": ["string", "integer"], "minLength": 5, "maxLength": 3},
        {"type": "integer"},
        ("type-narrowed lossless ",),
    ),
    # -- references --
    Row("a plain reference", {**thing(a={"$ref": "#/$defs/n", "title": "A"}), "$defs": {"n": INTEGER}}),
    Row("an old container", {**thing(a={"$ref": "#/definitions/n"}), "definitions": {"n": INTEGER}}),
    Row(
        "constraints beside a reference",
        {**closed(a={"$ref": "#/$defs/s", "maxLength": 3}), "$defs": {"s": {"type": "string", "title": "S"}}},
        closed(a={"type": "string", "maxLength": 3, "title": "S"}),
        ("ref-inlined lossless /properties/a",),
    ),
    Row(
        "siblings that draft 7 hides",
        {
            "$schema": "http://json-schema.org/draft-07/schema#",
            **closed(a={"$ref": "#/definitions/s", "maxLength": 3}),
            "definitions": {"s": TEXT},
        },
        {
            "$schema": "http://json-schema.org/draft-07/schema#",
            **closed(a={"$ref": "#/definitions/s"}),
            "definitions": {"s": TEXT},
        },
        ("ref-siblings-dropped lossless /properties/a",),
    ),
    Row(
        "a definition nothing refers to",
        {**closed(a=TEXT), "$defs": {"n": INTEGER}},
        closed(a=TEXT),
        ("unused-def-dropped lossless /$defs/n",),
    ),
    Row(
        "a recursive definition",
        {
            **thing(a={"$ref": "#/$defs/t"}),
            "$defs": {"t": thing(kids={"type": "array", "items": {"$ref": "#/$defs/t"}})},
        },
    ),
    Row(
        "a recursive definition, constrained",
        {
            **closed(a={"$ref": "#/$defs/t", "required": ["next"]}),
            "$defs": {"t": thing(next={"$ref": "#/$defs/t"})},
        },
        {
            **closed(a={**thing(next={"$ref": "#/$defs/t"}), "required": ["next"]}),
            "$defs": {"t": thing(next={"$ref": "#/$defs/t"})},
        },
        ("ref-inlined lossless /properties/a",),
    ),
    Row(
        "two recursions at once",
        {
            **closed(a={"allOf": [{"$ref": "#/$defs/t"}, {"$ref": "#/$defs/u"}]}),
            "$defs": {
                "t": {**thing(next={"$ref": "#/$defs/t"}), "required": ["x"]},
                "u": {**thing(next={"$ref": "#/$defs/u"}), "required": ["y"]},
            },
        },
        {
            **closed(a={**thing(next={"$ref": "#/$defs/next"}, x=ANY, y=ANY), "required": ["x", "y"]}),
            "$defs": {
                "next": {**thing(next={"$ref": "#/$defs/next"}, x=ANY, y=ANY), "required": ["x", "y"]},
            },
        },
    ),
    Row(
        "the root itself",
        closed(next={"$ref": "#"}),
        {
            **closed(next={"$ref": "#/$defs/root"}),
            "$defs": {"root": closed(next={"$ref": "#/$defs/root"})},
        },
        ("def-hoisted lossless ",),
    ),
    Row("a schema around the reference", closed(tree=thing(left={"$ref": "#/properties/tree"}))),
    Row(
        "a place beside the reference",
        closed(start=closed(t=TEXT), end={"$ref": "#/properties/start"}),
        {**closed(start={"$ref": "#/$defs/start"}, end={"$ref": "#/$defs/start"}), "$defs": {"start": closed(t=TEXT)}},
        ("def-hoisted lossless /properties/start",),
    ),
    Row(
        "a place that moves",
        {
            **thing(tree=thing(left={"$ref": "#/properties/tree"})),
            "anyOf": [{"required": ["tree"]}, {"properties": {"tree": {"maxProperties": 0}}}],
        },
        {
            "anyOf": [
                {**thing(tree={"$ref": "#/$defs/tree"}), "required": ["tree"]},
                thing(tree={**thing(left={"$ref": "#/$defs/tree"}), "maxProperties": 0}),
            ],
            "$defs": {"tree": thing(left={"$ref": "#/$defs/tree"})},
        },
        (
            "union-distributed lossless ",
            "maxProperties unenforced /properties/tree",
            "def-hoisted lossless /properties/tree",
        ),
    ),
    Row(
        "an anchor",
        {**closed(a={"$ref": "#n"}), "$defs": {"N": {"$anchor": "n", "type": "integer"}}},
        {**closed(a={"$ref": "#/$defs/N"}), "$defs": {"N": INTEGER}},
        ("ref-rewritten lossless /properties/a",),
    ),
    Row(
        "a resource of its own",
        {
            **closed(a={"$ref": "https://a.example/n"}),
            "$defs": {"N": {"$id": "https://a.example/n", "type": "integer"}},
        },
        {**closed(a={"$ref": "#/$defs/N"}), "$defs": {"N": INTEGER}},
        ("ref-rewritten lossless /properties/a",),
    ),
    Row(
        "a name that pointers escape",
        {**closed(a={"$ref": "#/$defs/a~1b"}), "$defs": {"a/b": INTEGER}},
        {**closed(a={"$ref": "#/$defs/a-b"}), "$defs": {"a-b": INTEGER}},
        ("def-renamed lossless /$defs/a~1b",),
    ),
    Row(
        "names that become one rule",
        {**closed(a={"$ref": "#/$defs/x_y"}, b={"$ref": "#/$defs/x-y"}), "$defs": {"x_y": INTEGER, "x-y": TEXT}},
        {**closed(a={"$ref": "#/$defs/x_y"}, b={"$ref": "#/$defs/x-y-2"}), "$defs": {"x_y": INTEGER, "x-y-2": TEXT}},
        ("def-renamed lossless /$defs/x-y",),
    ),
    Row("nowhere", closed(a={"$ref": "#/$defs/gone"}), closed(a=ANY), ("ref-dangling loosened /properties/a",)),
    Row("elsewhere", closed(a={"$ref": "other.json"}), closed(a=ANY), ("ref-remote loosened /properties/a",)),
    Row(
        "elsewhere, given",
        closed(a={"$ref": "https://a.example/other.json"}),
        {**closed(a={"$ref": "#/$defs/root"}), "$defs": {"root": INTEGER}},
        ("def-hoisted lossless https://a.example/other.json#",),
        {"documents": {"https://a.example/other.json": INTEGER}},
    ),
    Row(
        "in a circle",
        {**closed(a={"$ref": "#/$defs/x"}), "$defs": {"x": {"$ref": "#/$defs/y"}, "y": {"$ref": "#/$defs/x"}}},
        closed(a=ANY),
        ("ref-cycle-only loosened /properties/a",),
    ),
    Row(
        "a definition that begins with itself",
        {**closed(a={"$ref": "#/$defs/x"}), "$defs": {"x": {"anyOf": [TEXT, {"$ref": "#/$defs/x"}, INTEGER]}}},
        {**closed(a={"$ref": "#/$defs/x"}), "$defs": {"x": {"anyOf": [TEXT, INTEGER]}}},
        ("never-branch-dropped lossless /$defs/x/anyOf/1",),
        judged=False,
    ),
    Row(
        "what zod collapsed",
        closed(a=TEXT, b={"$ref": "#/properties/a/anyOf/0"}),
        {**closed(a={"$ref": "#/$defs/a"}, b={"$ref": "#/$defs/a"}), "$defs": {"a": TEXT}},
        ("ref-repaired repaired /properties/b", "def-hoisted lossless /properties/a"),
    ),
    Row(
        "what zod collapsed, unrepaired",
        closed(a=TEXT, b={"$ref": "#/properties/a/anyOf/0"}),
        closed(a=TEXT, b=ANY),
        ("ref-dangling loosened /properties/b",),
        {"repair_zod": False},
    ),
    Row(
        "all inlined",
        {**closed(a={"$ref": "#/$defs/n", "title": "A"}), "$defs": {"n": INTEGER}},
        closed(a={"title": "A", **INTEGER}),
        ("ref-inlined lossless /properties/a",),
        {"inline_refs": True},
    ),
    # -- intersections --
    Row(
        "allOf",
        {"allOf": [{**thing(a=TEXT), "required": ["a"]}, {"properties": {"a": {"minLength": 2}, "b": INTEGER}}]},
        {**thing(a={"type": "string", "minLength": 2}, b=INTEGER), "required": ["a"]},
        ("allof-merged lossless ",),
    ),
    Row(
        "allOf around one reference",
        {**closed(a={"allOf": [{"$ref": "#/$defs/n"}], "default": 1}), "$defs": {"n": INTEGER}},
        {**closed(a={"$ref": "#/$defs/n", "default": 1}), "$defs": {"n": INTEGER}},
        ("allof-merged lossless /properties/a",),
    ),
    Row(
        "a closed member and an open one",
        {"allOf": [closed(a=TEXT), {"properties": {"a": {"maxLength": 5}, "b": INTEGER}}]},
        closed(a={"type": "string", "maxLength": 5}),
        ("allof-merged lossless ",),
    ),
    Row(
        "additional members",
        {"allOf": [{**thing(a=TEXT), "additionalProperties": INTEGER}, {"properties": {"b": {"minimum": 1}}}]},
        {**thing(a=TEXT, b={"type": "integer", "minimum": 1}), "additionalProperties": INTEGER},
        ("allof-merged lossless ",),
    ),
    Row(
        "tighter of each",
        {
            "type": "integer",
            "minimum": 1,
            "multipleOf": 4,
            "allOf": [{"type": "number", "minimum": 3, "multipleOf": 6}],
        },
        {"type": "integer", "minimum": 3, "multipleOf": 12},
        ("allof-merged lossless ", "multipleOf unenforced "),
    ),
    Row(
        "tuples",
        {
            "type": "array",
            "allOf": [{"prefixItems": [TEXT]}, {"items": {"maxLength": 3}}],
            "minItems": 1,
            "maxItems": 1,
        },
        {"type": "array", "prefixItems": [{"type": "string", "maxLength": 3}], "minItems": 1, "maxItems": 1},
        ("allof-merged lossless ", "any-expanded lossless /allOf/1/items", "irrelevant-dropped lossless "),
    ),
    Row(
        "two patterns",
        {"type": "string", "pattern": "^[ab]+$", "allOf": [{"pattern": "^[bc]+$"}]},
        {"type": "string", "pattern": "^[ab]+$", "not": {"not": {"pattern": "^[bc]+$"}}},
        ("allof-merged lossless ", "pattern unenforced "),
    ),
    Row(
        "values",
        {"enum": [1, 2, "a", None, 2.5], "type": ["integer", "null"], "minimum": 2},
        {"enum": [2, None], "type": ["integer", "null"], "minimum": 2},
        ("enum-filtered lossless ",),
    ),
    Row(
        "keywords of other types",
        {"type": "integer", "minLength": 3, "properties": {"a": TEXT}},
        {"type": "integer"},
        ("irrelevant-dropped lossless ",),
    ),
    Row(
        "nothing unevaluated",
        {"allOf": [thing(a=TEXT)], "properties": {"b": INTEGER}, "unevaluatedProperties": False},
        {"type": "object", "properties": {"a": TEXT, "b": INTEGER}, "additionalProperties": False},
        ("allof-merged lossless ", "unevaluated-resolved lossless "),
    ),
    # -- unions --
    Row("annotations beside a union", {"anyOf": [TEXT, {"type": "null"}], "title": "T", "default": None}),
    Row(
        "constraints beside a union",
        {**thing(a=TEXT), "required": ["a"], "anyOf": [{"properties": {"b": INTEGER}}, {"required": ["c"]}]},
        {
            "anyOf": [
                {**thing(a=TEXT, b=INTEGER), "required": ["a"]},
                {**thing(a=TEXT, c=ANY), "required": ["a", "c"]},
            ]
        },
        ("union-distributed lossless ", "required-declared lossless /anyOf/1"),
    ),
    Row(
        "values beside a union",
        {"enum": ["a", "b"], "anyOf": [{"enum": ["b", "c"]}, {"type": "integer"}]},
        {"enum": ["b"]},
        ("union-distributed lossless ", "never-branch-dropped lossless /anyOf/1", "union-collapsed lossless "),
    ),
    Row(
        "a type that the branches have already",
        {
            "type": "object",
            "anyOf": [{"$ref": "#/$defs/a"}, {"$ref": "#/$defs/b"}],
            "$defs": {"a": closed(x=TEXT), "b": closed(y=TEXT)},
        },
        {"anyOf": [{"$ref": "#/$defs/a"}, {"$ref": "#/$defs/b"}], "$defs": {"a": closed(x=TEXT), "b": closed(y=TEXT)}},
        ("union-distributed lossless ",),
    ),
    Row(
        "what the back end skips stays beside a union",
        {"anyOf": [TEXT, INTEGER], "not": {"const": "a"}},
        events=("not unenforced ",),
    ),
    Row(
        "a union in a union",
        {"anyOf": [{"anyOf": [TEXT, INTEGER]}, {"type": "null"}]},
        {"anyOf": [TEXT, INTEGER, {"type": "null"}]},
        ("union-flattened lossless ",),
    ),
    Row("a union of one", {"anyOf": [TEXT], "title": "T"}, {"title": "T", **TEXT}, ("union-collapsed lossless ",)),
    Row(
        "a branch twice",
        {"anyOf": [TEXT, INTEGER, TEXT]},
        {"anyOf": [TEXT, INTEGER]},
        ("duplicate-branch-dropped lossless ",),
    ),
    Row("branches that exclude each other", {"oneOf": [TEXT, INTEGER]}),
    Row(
        "branches told apart by a constant",
        {
            "type": "object",
            "oneOf": [
                {"properties": {"k": {"const": "a"}}, "required": ["k"]},
                {"properties": {"k": {"const": "b"}}, "required": ["k"]},
            ],
        },
        {
            "oneOf": [
                {**thing(k={"const": "a"}), "required": ["k"]},
                {**thing(k={"const": "b"}), "required": ["k"]},
            ]
        },
        ("union-distributed lossless ",),
    ),
    Row(
        "branches that overlap",
        {"oneOf": [INTEGER, {"type": "number", "title": "N"}]},
        events=("oneof-exclusive unenforced ",),
    ),
    Row(
        "branches that would come to overlap",
        {"oneOf": [{"type": "string", "pattern": "^a"}, {"type": "string", "pattern": "^b", "maxLength": 9}]},
        {"anyOf": [TEXT, {"type": "string", "maxLength": 9}]},
        ("pattern-dropped loosened /oneOf/0", "pattern-dropped loosened /oneOf/1", "oneof-to-anyof lossless "),
    ),
    Row(
        "two unions",
        {"type": "string", "anyOf": [{"minLength": 2}, {"maxLength": 9}], "oneOf": [{"const": "a"}, {"const": "bb"}]},
        {
            "anyOf": [
                {"const": "bb", "type": "string", "minLength": 2},
                {"const": "a", "type": "string", "maxLength": 9},
                {"const": "bb", "type": "string", "maxLength": 9},
            ]
        },
    ),
    # -- what the back end counts, matches, closes --
    Row(
        "a long text",
        {"type": "string", "minLength": 1, "maxLength": 65536},
        {"type": "string", "minLength": 1},
        ("repetition-dropped loosened ",),
    ),
    Row(
        "a limit of one's own",
        {"type": "array", "items": TEXT, "minItems": 3, "maxItems": 2},
        events=("unsatisfiable error ",),
        options={"max_repetition": 2},
    ),
    Row("a pattern that is anchored", {"type": "string", "pattern": "^[a-z]+$"}),
    Row("a pattern that is not", {"type": "string", "pattern": "[a-z]"}, TEXT, ("pattern-dropped loosened ",)),
    Row(
        "a pattern that counts too far",
        {"type": "string", "pattern": "^[a-z]{1,5000}$"},
        TEXT,
        ("pattern-dropped loosened ",),
    ),
    Row("a pattern with a shorthand", {"type": "string", "pattern": "^\\d$"}, TEXT, ("pattern-dropped loosened ",)),
    Row(
        "a pattern with a shorthand, rewritten",
        {"type": "string", "pattern": "^\\d[\\w-]$"},
        {"type": "string", "pattern": "^[0-9][A-Za-z0-9_-]$"},
        ("pattern-rewritten lossless ",),
        {"rewrite_patterns": True},
    ),
    Row(
        "a pattern of another language",
        {"type": "string", "pattern": "^(?P<n>a)$"},
        TEXT,
        ("pattern-dropped loosened ",),
    ),
    Row(
        "a closed tuple",
        {"type": "array", "prefixItems": [TEXT, INTEGER], "items": False, "minItems": 2},
        {"type": "array", "prefixItems": [TEXT, INTEGER], "minItems": 2, "maxItems": 2},
        ("tuple-closed lossless ",),
    ),
    Row("an open tuple", {"type": "array", "prefixItems": [TEXT]}, events=("tuple-fixed-length backend-tightened ",)),
    Row(
        "a required name that is not declared",
        {**thing(a=TEXT), "required": ["b"]},
        {**thing(a=TEXT, b=ANY), "required": ["b"]},
        ("required-declared lossless ",),
    ),
    Row(
        "a required name alone",
        {"type": "object", "required": ["b"]},
        {**thing(b=ANY), "required": ["b"], "additionalProperties": True},
        ("required-declared lossless ",),
    ),
    Row("a required name that is forbidden", {"anyOf": [{**closed(a=TEXT), "required": ["b"]}, TEXT]}, TEXT),
    Row(
        "an object said to be open",
        thing(a=TEXT),
        {**thing(a=TEXT), "additionalProperties": True},
        ("opened-object lossless ",),
        {"explicit_open": True},
    ),
    Row("bounds of numbers", {"type": "number", "minimum": 0}, events=("number-range unenforced ",)),
    Row("a bound with zeros", {"type": "integer", "minimum": 100}, events=("integer-range unenforced ",)),
    Row("a bound without", {"type": "integer", "minimum": 250}),
    Row("a negative bound alone", {"type": "integer", "maximum": -5}, events=("integer-range unenforced ",)),
    Row(
        "two lower bounds",
        {"type": "integer", "minimum": 0, "exclusiveMinimum": 3},
        events=("exclusiveMinimum unenforced ",),
    ),
    Row(
        "lengths beside a pattern",
        {"type": "string", "pattern": "^[a-z]+$", "maxLength": 3},
        events=("maxLength unenforced ",),
    ),
    Row("a pattern that matches quotes", {"type": "string", "pattern": "^.{3}$"}, events=("pattern unenforced ",)),
    Row("a format unknown there", {"type": "string", "format": "email"}, events=("format unenforced ",)),
    Row("no type", {"properties": {"a": TEXT}}, events=("type-implied backend-tightened ",)),
    Row("no type, lengths", {"maxLength": 3}, {"maxLength": 3, **ANY}, ("any-expanded lossless ",)),
    Row("no type, a count of items", {"minItems": 2}, {"minItems": 2, **ANY}, ("any-expanded lossless ",)),
    Row(
        "no type, lengths beside what is not read",
        {"not": {"const": "a"}, "maxLength": 3},
        {"not": {"const": "a"}, "maxLength": 3, **ANY},
        ("any-expanded lossless ", "not unenforced "),
    ),
    Row("no type, a format", {"format": "date"}, events=("type-implied backend-tightened ",)),
    Row("no type, a format unknown there", {"format": "email"}, events=("format unenforced ",)),
    # -- other dialects --
    Row(
        "nullable", {"type": "string", "nullable": True}, {"type": ["string", "null"]}, ("nullable-expanded dialect ",)
    ),
    Row("nullable, unread", {"type": "string", "nullable": True}, options={"nullable": False}),
    Row(
        "exclusive bounds of draft 4",
        {
            "$schema": "http://json-schema.org/draft-04/schema#",
            "type": "number",
            "minimum": 0,
            "exclusiveMinimum": True,
        },
        {"$schema": "https://json-schema.org/draft/2020-12/schema", "type": "number", "exclusiveMinimum": 0},
        ("dialect-modernized dialect ", "number-range unenforced "),
    ),
    Row(
        "exclusive bounds of draft 4, unnamed",
        {"type": "integer", "maximum": 9, "exclusiveMaximum": True},
        {"type": "integer", "maximum": 8},
        ("dialect-modernized lossless ",),
    ),
    Row(
        "an array of items",
        {"type": "array", "items": [TEXT, INTEGER], "additionalItems": False, "minItems": 2},
        {"type": "array", "prefixItems": [TEXT, INTEGER], "minItems": 2, "maxItems": 2},
        ("dialect-modernized lossless ", "tuple-closed lossless "),
    ),
    Row("names of types", {"type": "varchar(20)"}, TEXT, ("type-alias dialect ",), {"type_aliases": True}),
    Row("no name of a type", {"type": "thing"}, events=("invalid-schema error /type",)),
    # -- data is not schema --
    Row("properties named as keywords", thing(anyOf=TEXT, **{"not": TEXT, "$ref": TEXT, "$defs": TEXT})),
    Row("schemas in data", closed(a={"const": {"$ref": "#/gone", "not": {}}}, b={"enum": [{"anyOf": []}]})),
    Row("schemas in defaults", closed(a={"type": "object", "default": {"$ref": "#/gone"}})),
)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_a_rule(row: Row) -> None:
    result = normalize(row.given, **row.options)
    assert result.schema == row.expected
    if row.events:
        told = [f"{event.kind} {event.severity} {event.path}" for event in result.events]
        assert told == list(row.events)
    elif row.made is ...:
        assert result.events == ()
    assert result.modified == (row.made is not ...)


@pytest.mark.parametrize("row", [row for row in ROWS if row.judged], ids=lambda row: row.name)
def test_a_rule_keeps_the_relation(row: Row) -> None:
    assert relation(row.given, 1, **row.options).failures == []


@pytest.mark.parametrize(
    "row", [row for row in ROWS if any("loosened" in each for each in row.events)], ids=lambda row: row.name
)
def test_strict_mode_refuses_what_is_loosened(row: Row) -> None:
    with pytest.raises(NormalizationError) as caught:
        normalize(row.given, strict=True, **row.options)
    assert {event.severity for event in caught.value.events} == {"error"}
    kinds = {event.kind for event in caught.value.events}
    assert kinds == {each.split()[0] for each in row.events if "loosened" in each or "repaired" in each}


def test_strict_mode_may_be_about_kinds() -> None:
    schema = {"type": "number", "minimum": 0}
    assert normalize(schema, strict=True).schema == schema
    assert normalize(schema, strict={"format"}).schema == schema
    with pytest.raises(NormalizationError, match="number-range"):
        normalize(schema, strict={"number-range", "format"})


def test_events_carry_what_was_and_what_is() -> None:
    [event] = normalize({"type": "string", "maxLength": 9000}).events
    assert (event.before, event.after) == (9000, None)
    assert event.as_json()["detail"] == "maxLength: no more than 2000 repetitions are counted"


def test_an_unknown_option_is_named() -> None:
    with pytest.raises(TypeError, match="max_repetitions"):
        normalize({}, max_repetitions=3)
    with pytest.raises(ValueError, match="on_error"):
        normalize({}, on_error="ignore")

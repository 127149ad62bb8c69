"""Branches that hold of one object are printed so that it is read once, or a note tells of it, with the same texts."""

from __future__ import annotations

import json
from typing import Any

import pytest

from schema2gbnf import Limits, compile_schema
from schema2gbnf.cost import readings
from schema2gbnf.gbnf import Matcher

STRING, INTEGER = {"type": "string"}, {"type": "integer"}


def branches(*options: dict[str, Any], **siblings: Any) -> dict[str, Any]:
    return {"type": "object", "anyOf": list(options), **siblings}


def with_(*required: str, closed: bool = False, **properties: Any) -> dict[str, Any]:
    closing = {"additionalProperties": False} if closed else {}
    return {"type": "object", "properties": properties, "required": list(required), **closing}


SPELLED = branches(
    with_("a", a={"enum": ["x", "y"]}, b=STRING), with_("a", a={"type": "string", "maxLength": 2}, c=STRING)
)
MANY = dict.fromkeys("abcdefgh", STRING)
NESTED = {"n": {"type": "array", "items": {"anyOf": [STRING, with_("p", p={"enum": ["x", "y"]})]}}}
PARTED = {
    "the same": branches(with_("a", a=STRING), with_("a", a={"type": "string", "title": "A"})),
    "within": branches(with_("a", a={"const": "x"}), with_(a=STRING, b=INTEGER)),
    "within, nested": branches(
        with_(n={"type": "array", "items": with_("p", p={"const": "x"}), "minItems": 1}), with_(**NESTED)
    ),
    "one more": branches(with_(a=STRING, closed=True), with_(a=STRING, b=INTEGER, closed=True)),
    "one of two more": branches(with_(a=STRING), with_(a=STRING, b=INTEGER, c=INTEGER)),
    "each one of its own": branches(with_(a=STRING, b=STRING), with_(a=STRING, c=STRING), with_(a=STRING, d=STRING)),
    "one is required": branches({"required": ["a"]}, {"required": ["b"]}, properties={"a": STRING, "b": STRING}),
    "one of two is required": branches(
        {"required": ["a", "b"]}, {"required": ["c"]}, properties={"a": STRING, "b": STRING, "c": STRING}
    ),
    "another value": branches(
        with_("t", t={"enum": ["x", "y"]}, a=STRING), with_("t", t={"enum": ["y", "z"]}, a=STRING)
    ),
    "another value or one more": branches(with_(t={"enum": ["x", "y"]}), with_(t={"enum": ["y", "z"]}, a=STRING)),
    "apart where both are": branches(with_(a=STRING), with_(a=INTEGER)),
    "a map": branches(
        with_("s", s=STRING, closed=True),
        {"type": "object", "additionalProperties": {"anyOf": [STRING, with_("s", s=STRING, closed=True)]}},
    ),
    "open beside closed": branches(
        with_("a", a=STRING, closed=True), {"properties": {"a": STRING}, "additionalProperties": INTEGER}
    ),
    "fewer": branches({"minProperties": 2}, {"required": ["a"]}, properties={"a": STRING, "b": STRING, "c": STRING}),
    "more": branches({"required": ["a"]}, {"minProperties": 2}, properties={"a": STRING, "b": STRING, "c": STRING}),
    "all of many": branches(*(with_(**{f"{name}{n}": STRING for n in range(2)}, a=STRING) for name in "bcdef")),
}
VALUES: list[Any] = [
    {},
    *({name: value} for name in "abcdst" for value in ("x", "y", "z", 1)),
    *({"a": "x", name: value} for name in "bcdt" for value in ("x", "y", 1)),
    *({"t": value, "a": "x"} for value in "xyz"),
    {"a": "x", "b": "x", "c": "x"},
    {"a": "x", "b": 1, "c": 1},
    {"b": "x", "c": "x"},
    {"b": 1, "c": 1},
    {"s": {"s": "x"}},
    {"s": "x", "a": {"s": "x"}},
    *({"n": items} for items in ([], ["x"], [{"p": "x"}], [{"p": "y"}], [{"p": "x"}, "x"])),
]


@pytest.mark.parametrize("order", ["declared", "any"])
@pytest.mark.parametrize("name", PARTED)
def test_every_object_is_read_once(name: str, order: Any) -> None:
    result = compile_schema(PARTED[name], order=order)
    found = readings(result.grammar)
    assert (found.ambiguity, found.growth, found.complete) == (None, None, True)
    assert not [finding for finding in result.findings if finding.kind == "note"]


@pytest.mark.parametrize("mode", ["closed", "spec"])
@pytest.mark.parametrize("name", PARTED)
def test_no_text_is_lost_or_won(name: str, mode: Any) -> None:
    whole = Matcher(compile_schema(PARTED[name], additional_properties=mode, whitespace="compact").grammar)
    apart = []
    for option in PARTED[name]["anyOf"]:
        alone = {**PARTED[name], "anyOf": [option]}
        apart.append(Matcher(compile_schema(alone, additional_properties=mode, whitespace="compact").grammar))
    for value in VALUES:
        plain = json.dumps(value, separators=(",", ":"))
        for text in (plain, plain.replace('"x"', r'"\u0078"')):
            assert whole.accepts(text) == any(one.accepts(text) for one in apart), text


def test_what_has_a_length_alone_keeps_all_its_spellings() -> None:
    matcher = Matcher(compile_schema(SPELLED).grammar)
    assert matcher.accepts(r'{"a":"\/"}')
    assert matcher.accepts(r'{"a":"\u0078","c":""}')


@pytest.mark.parametrize(
    "schema",
    [
        branches(with_(a={"maxItems": 2}), with_(a={"minItems": 1})),
        SPELLED,
        branches(*(with_(*names, **MANY) for names in ("abc", "def", "adg", "beg", "h"))),
        branches(with_(a=STRING, b=STRING, closed=True), {"minProperties": 2}, properties={"a": STRING}),
    ],
    ids=["values", "spelling", "too much", "names"],
)
def test_what_is_left_is_told(schema: dict[str, Any]) -> None:
    result = compile_schema(schema)
    assert readings(result.grammar).ambiguity is not None
    notes = [(finding.keyword, finding.pointer) for finding in result.findings if finding.kind == "note"]
    assert notes == [("anyOf", "#")]


@pytest.mark.parametrize("inner", [STRING, {"$ref": "#"}], ids=["text", "whole"])
def test_what_is_left_of_an_object_is_kept_where_its_value_is_parted_again(inner: dict[str, Any]) -> None:
    whole: dict[str, Any] = {"$ref": "#"}
    several = branches(
        with_("t", t={"enum": ["x", "y", "z"]}, q=inner),
        with_("u", u=STRING, q=inner),
        with_("u", u={"const": "x"}, q=inner, r=STRING),
    )
    one = with_("t", t={"const": "x"}, q=inner)
    nullable = {"anyOf": [whole, {"type": "null"}]}
    schema = branches(with_(k=several, of=whole, a=STRING), with_(k=one, of=nullable, b=STRING))
    matcher = Matcher(compile_schema(schema, whitespace="compact").grammar)
    for text in ('{"k":{"t":"y"}}', '{"k":{"t":"z"},"of":{"k":{"t":"y"}},"a":""}', '{"k":{"t":"x"},"of":null,"b":""}'):
        assert matcher.accepts(text)
    for text in ('{"k":{"t":"y"},"b":""}', '{"k":{"t":"y"},"of":null}', '{"k":{"u":"x"},"of":{},"b":""}'):
        assert not matcher.accepts(text)


def test_what_is_past_the_limit_is_apart_from_nothing() -> None:
    whole: dict[str, Any] = {"$ref": "#"}
    nullable = {"anyOf": [whole, {"type": "null"}]}
    schema = branches(with_(of=whole, a=STRING), with_(of=nullable, z=with_(q=STRING)))
    told = {}
    for limit in range(3, 7):
        result = compile_schema(schema, limits=Limits(nonterminals=limit))
        told[limit] = [finding.keyword for finding in result.findings if finding.kind == "note"]
    # First the object past the limit, then null, which the grammar takes for any value.
    assert told == {3: ["anyOf", "properties"], 4: ["anyOf", "properties"], 5: [], 6: []}

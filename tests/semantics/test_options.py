"""What each choice of the caller changes in the language, and what it says of it."""

from __future__ import annotations

import json
from decimal import Decimal
from itertools import permutations

import pytest

from schema2gbnf import compile_schema
from schema2gbnf.gbnf.match import Matcher
from tests.statements import accepts, compiled, rejects

PAIR = {
    "type": "object",
    "properties": {"a": {"type": "integer"}, "b": {"type": "null"}, "c": {"type": "boolean"}},
    "required": ["a", "b"],
    "additionalProperties": False,
}


def test_any_order_takes_every_order_and_still_each_member_once() -> None:
    _, matcher = compiled(PAIR, order="any")
    members = {"a": 1, "b": None, "c": True}
    for names in permutations(members):
        assert matcher.accepts(json.dumps({name: members[name] for name in names}, separators=(",", ":")))
    rejects(PAIR, {"a": 1}, {"b": None, "c": True}, order="any")
    assert not matcher.accepts('{"a":1,"b":null,"a":2}')


def test_any_order_of_too_many_members_is_told_to_be_narrowed() -> None:
    many = {"properties": {f"p{n}": {} for n in range(30)}, "additionalProperties": False}
    findings = compile_schema(many, order="any").findings
    assert [(finding.kind, finding.keyword) for finding in findings] == [("narrowed", "properties")]


def test_prop_order_comes_first_in_every_object() -> None:
    result, matcher = compiled(PAIR, prop_order=["b", "c"])
    assert result.dumps({"a": 1, "b": None, "c": True}) == '{"b":null,"c":true,"a":1}'
    assert matcher.accepts('{"b":null,"a":1}')
    assert not matcher.accepts('{"a":1,"b":null}')


def test_closed_objects_are_told_and_spec_leaves_them_open() -> None:
    schema = {"properties": {"a": {}}, "type": "object"}
    closed = compile_schema(schema)
    assert not Matcher(closed.grammar).accepts('{"b": 1}')
    assert [(finding.kind, finding.keyword) for finding in closed.findings] == [("narrowed", "additionalProperties")]
    accepts(schema, {"b": 1})


@pytest.mark.parametrize("schema", [{"required": ["x"]}, {"type": "object"}, {"not": {"properties": {"a": {}}}}])
def test_closing_never_enters_a_meaning(schema: dict[str, object]) -> None:
    """What declares nothing stays open, and a negated `properties` is no declaration."""
    strict = {"strict": True, "whitespace": "compact"}
    try:
        open_one = compile_schema(schema, additional_properties="spec", **strict).gbnf
    except Exception as error:
        with pytest.raises(type(error)):
            compile_schema(schema, **strict)
        return
    assert compile_schema(schema, **strict).gbnf == open_one


def test_an_object_that_needs_a_further_member_is_not_closed() -> None:
    schema = {"type": "object", "properties": {"a": {}}, "minProperties": 2}
    matcher = Matcher(compile_schema(schema, whitespace="compact").grammar)
    assert matcher.accepts('{"a":1,"b":2}')


def test_dotall_lets_a_dot_match_line_breaks() -> None:
    schema = {"type": "string", "pattern": "^a.b$"}
    accepts(schema, "axb")
    assert not compiled(schema)[1].accepts('"a\\nb"')
    assert compiled(schema, dotall=True)[1].accepts('"a\\nb"')


def test_raw_patterns_are_written_without_quotes_and_escapes() -> None:
    schema = {"type": "array", "items": {"type": "string", "pattern": '^"[a-z]+\\n$'}, "minItems": 1, "maxItems": 1}
    _, matcher = compiled(schema, raw_pattern=True)
    assert matcher.accepts('["abc\n]')
    assert not matcher.accepts('["\\"abc\\n"]')


@pytest.mark.parametrize(
    ("whitespace", "yes", "no"),
    [
        ("compact", ["[1,2]"], ["[1, 2]", "[ 1,2]"]),
        ("spaced", ["[1, 2]"], ["[1,2]", "[1,  2]"]),
        ("flexible", ["[1,2]", "[ 1, 2 ]", "[\n  1,\n\n  2\n]"], ["[1,\t2]", " [1,2]", "[1,2]\n", "[1,  2]"]),
        ("any", ["[1,2]", "[\t1 ,\r\n\n 2]"], [" [1,2]", "[1,2] "]),
    ],
)
def test_whitespace(whitespace: str, yes: list[str], no: list[str]) -> None:
    _, matcher = compiled({"type": "array", "items": {"type": "integer"}}, whitespace=whitespace)
    assert [text for text in yes if not matcher.accepts(text)] == []
    assert [text for text in no if matcher.accepts(text)] == []


def test_formats_are_asserted_or_annotations() -> None:
    schema = {"type": "string", "format": "ipv4"}
    rejects(schema, "x")
    accepts(schema, "x", formats="annotate")


LINK = {"type": "object", "minProperties": 1, "properties": {"a": {"$ref": "#/$defs/link"}}}


def test_closing_takes_the_last_value_from_nothing() -> None:
    """Closed, a link would only ever hold a link: it stays open, what leads to it is closed."""
    schema = {
        "$defs": {"link": LINK},
        "type": "object",
        "properties": {"x": {"$ref": "#/$defs/link"}},
        "required": ["x"],
    }
    result = compile_schema(schema, whitespace="compact")
    matcher = Matcher(result.grammar)
    assert matcher.accepts('{"x":{"a":{"b":1}}}')
    assert not matcher.accepts('{"x":{"b":1},"y":2}')
    assert [(finding.kind, finding.pointer) for finding in result.findings] == [("narrowed", "#")]


def test_dumps_refuses_a_number_beyond_all_digits_as_a_value() -> None:
    with pytest.raises(ValueError, match="digits"):
        compile_schema({"type": "number"}).dumps(Decimal("1e4500"))

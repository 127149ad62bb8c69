"""`contentEncoding` and `contentMediaType`: assertions in draft 7, annotations ever since."""

from __future__ import annotations

import json

import pytest

from schema2gbnf import UnsupportedSchemaError, compile_schema
from schema2gbnf.languages.formats import content_encoding, content_media_type
from tests.statements import accepts, rejects

DRAFT7 = "http://json-schema.org/draft-07/schema#"
BASE64 = {"$schema": DRAFT7, "contentEncoding": "base64"}
JSON = {"$schema": DRAFT7, "contentMediaType": "application/json"}

TEXTS = [
    '{"foo": "bar"}',
    "{}",
    "[]",
    "[1, -0.5e+3, [true, false]]",
    '"\\u00e9\\n\\"é"',
    " null\n",
    '{"a" : {"b":1, "c" :2 } , "":[ ]}',
    "0",
]
NO_TEXTS = ["", "{:}", "{", '{"a"}', "[1,]", "[,1]", "01", "1.", "tru", "'a'", '"\n"', "[1]]", "NaN", '"\\x"', "1 2"]


def test_base64() -> None:
    accepts(BASE64, "", "Zg==", "Zm8=", "Zm9v", 100)
    rejects(BASE64, "%", "Zg", "Zg=", "Zm9vZ", "Zg==Zg==")
    rejects({**BASE64, "contentEncoding": "BASE64"}, "%")


def test_base64_under_a_negation_errs_on_the_side_of_the_encoding() -> None:
    opposite = {"$schema": DRAFT7, "not": BASE64}
    accepts(opposite, "%")
    rejects(opposite, "Zg==", "Zm\r\n9v", "Zh==", 1)


@pytest.mark.parametrize("text", TEXTS)
def test_json_in_a_string(text: str) -> None:
    json.loads(text)
    accepts(JSON, text)


@pytest.mark.parametrize("text", NO_TEXTS)
def test_no_json_in_a_string(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        json.loads(text, parse_constant=lambda name: int(name))
    rejects(JSON, text)


def test_parameters_of_a_media_type_say_nothing() -> None:
    rejects({**JSON, "contentMediaType": "Application/JSON; charset=utf-8"}, "{")


def test_nesting_is_narrowed_and_what_lies_deeper_is_not_taken_for_something_else() -> None:
    deep = "[[[0]]]"
    narrowed = [each for each in compile_schema(JSON).findings if each.kind == "narrowed"]
    assert [each.keyword for each in narrowed] == ["contentMediaType"]
    found = content_media_type("application/json")
    assert found is not None
    assert not found.dfa.accepts(deep)
    assert found.outer_dfa.accepts(deep)
    assert (found.dfa - found.outer_dfa).is_empty


def test_json_within_base64_is_loosened() -> None:
    both = {**BASE64, **JSON}
    result = compile_schema(both)
    assert [each.keyword for each in result.findings if each.kind == "loosened"] == ["contentMediaType"]
    with pytest.raises(UnsupportedSchemaError):
        compile_schema(both, strict=True)


def test_other_contents_say_nothing() -> None:
    accepts({"$schema": DRAFT7, "contentEncoding": "7bit", "contentMediaType": "text/html"}, "%", "", 1)
    assert content_encoding("7bit") is None


@pytest.mark.parametrize("dialect", ["draft4", "draft6", "draft2019-09", "draft2020-12"])
def test_content_is_an_annotation_elsewhere(dialect: str) -> None:
    schema = {"contentEncoding": "base64", "contentMediaType": "application/json"}
    accepts(schema, "%", default_dialect=dialect)

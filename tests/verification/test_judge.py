"""The judge: exact numbers, patterns as ECMA-262 has them, formats of every dialect, and why a value is refused."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from schema2gbnf import Options
from schema2gbnf.schema.source import Source
from schema2gbnf.verification.judge import Judge


def judge(schema: Any, dialect: str = "draft2020-12", **choices: Any) -> Judge:
    return Judge(Source(schema), dialect, Options(**choices))


@pytest.mark.parametrize(
    ("schema", "value", "verdict"),
    [
        ({"multipleOf": Decimal("0.1")}, Decimal("0.3"), True),
        ({"multipleOf": Decimal("0.1")}, Decimal("0.35"), False),
        ({"type": "integer"}, Decimal("1.0"), True),
        ({"pattern": "^\\d$"}, "٣", False),
        ({"pattern": "^\\p{Lu}$"}, "É", True),
        ({"pattern": "a$"}, "a\n", False),
        ({"patternProperties": {"^\\w$": {"type": "null"}}, "additionalProperties": False}, {"a": None}, True),
        ({"patternProperties": {"^\\w$": {"type": "null"}}, "additionalProperties": False}, {"é": None}, False),
        ({"format": "email"}, "a", False),
        ({"format": "date"}, "2023-02-29", False),
        ({"format": "unknown"}, "a", True),
    ],
)
def test_verdicts(schema: Any, value: Any, verdict: bool) -> None:
    assert judge(schema).valid(value) is verdict


def test_formats_may_be_annotations() -> None:
    assert judge({"format": "email"}, formats="annotate").valid("a") is True


def test_dialects_differ() -> None:
    assert judge({"type": "integer"}, "draft4").valid(Decimal("1.0")) is False
    assert judge({"type": "string", "nullable": True}, "openapi3.0").valid(None) is True
    assert judge({"type": "string", "nullable": True}).valid(None) is False


def test_documents_are_found() -> None:
    found = judge({"$ref": "urn:a#/$defs/b"}, documents={"urn:a": {"$defs": {"b": {"const": 1}}}})
    assert found.valid(1) is True
    assert found.valid(2) is False


def test_where_the_validators_differ_there_is_no_verdict() -> None:
    # RFC 3339 has the year 0000, Python has not.
    assert judge({"format": "date"}).valid("0000-01-01") is None


def test_a_refusal_tells_where() -> None:
    schema = {"properties": {"a": {"items": {"$ref": "#/$defs/n~1m"}}}, "$defs": {"n/m": {"maximum": 3}}}
    refusal = judge(schema).refusal({"a": [1, 4]})
    assert refusal is not None
    assert (refusal.instance, refusal.keyword, refusal.pointer) == ("#/a/1", "maximum", "#/$defs/n~1m")


def test_all_keywords_that_take_part_are_told() -> None:
    refusal = judge({"not": {"properties": {"a": {"minLength": 2}}}}).refusal({})
    assert refusal is not None
    assert {"not", "minLength"} <= refusal.keywords


def test_the_schema_itself_may_be_recursive_under_its_dialect() -> None:
    schema = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "properties": {"next": {"$ref": "#"}, "step": {"multipleOf": Decimal("0.1")}},
    }
    assert judge(schema).valid({"next": {"step": Decimal("0.3")}}) is True

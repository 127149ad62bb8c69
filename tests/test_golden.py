"""The golden grammars, byte for byte, and what they say of texts: to our reader and matcher, and to llama.cpp."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import jsonschema_rs
import pytest

from schema2gbnf import Result
from schema2gbnf.gbnf import Matcher, parse, samples, write
from schema2gbnf.golden import check
from tests import golden
from tests.engine import Engine
from tests.golden import EXAMPLES, GOLDEN

SAMPLES = 12
LONGEST = 20_000
"""Characters of a text that the engine, which is slow at it, is asked about; the matcher is asked about all."""

VALUES: dict[str, tuple[list[Any], list[Any]]] = {
    "big-bounds": (
        [
            {"title": "t", "body": "b" * 65536},
            {"title": "é" * 255, "body": "", "slug": "a-b-c", "votes": [1, 0, -1] * 1000, "views": 20000000000},
            {"title": "t", "body": "", "votes": [0] * 5000},
        ],
        [
            {"title": "", "body": ""},
            {"title": "t" * 256, "body": ""},
            {"title": "t", "body": "b" * 65537},
            {"title": "t", "body": "", "slug": "a-"},
            {"title": "t", "body": "", "slug": "a" * 25},
            {"title": "t", "body": "", "votes": [2]},
            {"title": "t", "body": "", "votes": [0] * 5001},
            {"title": "t", "body": "", "views": 20000000001},
        ],
    ),
    "conditional-address": (
        [
            {"street": "s", "country": "US", "code": "12345-6789", "kind": "private"},
            {"street": "s", "country": "CA", "code": "K1M 1M4", "kind": "business", "company": "c"},
        ],
        [
            {"street": "s", "country": "US", "code": "K1M 1M4", "kind": "private"},
            {"street": "s", "country": "CA", "code": "12345", "kind": "private"},
            {"street": "s", "country": "CA", "code": "K1M 1M4", "kind": "business"},
            {"street": "s", "country": "CA", "code": "K1M 1M4", "kind": "private", "company": "c"},
        ],
    ),
    "decision": (
        [{"answer": "yes"}, {"answer": "no", "certainty": 100}],
        [{}, {"answer": "maybe"}, {"answer": "no", "certainty": 101}, {"answer": "no", "certainty": 0.5}],
    ),
    "discriminated-union": (
        [
            {"type": "circle", "radius": 0.5},
            {"type": "rectangle", "width": 1, "height": 2.25},
            {"type": "polygon", "points": [[0, 0], [1, 0], [0, -1.5]]},
        ],
        [
            {"type": "circle", "radius": 0},
            {"type": "circle", "width": 1, "height": 1},
            {"type": "square", "radius": 1},
            {"type": "polygon", "points": [[0, 0], [1, 0]]},
            {"type": "polygon", "points": [[0, 0], [1, 0], [0, -1.5, 2]]},
        ],
    ),
    "enums": (
        [
            {"month": "may", "unit": "bit", "currency": None, "level": 1000},
            {"month": "june", "unit": "byte", "currency": "EUR", "level": 10, "answer": {"unsure": True}},
        ],
        [
            {"month": "ma", "unit": "bit", "currency": None, "level": 0},
            {"month": "may", "unit": "bit", "currency": "null", "level": 0},
            {"month": "may", "unit": "bit", "currency": None, "level": 3},
            {"month": "may", "unit": "bit", "currency": None, "level": 0, "answer": {"unsure": False}},
        ],
    ),
    "formats": (
        [
            {
                "id": "12345678-1234-1234-1234-123456789abc",
                "created": "2024-02-29T23:59:59.5+01:00",
                "birthday": "2000-02-29",
                "reminder": "08:30:00Z",
                "timeout": "PT5M",
                "contact": "a.b@example.org",
                "host": "www.example.org",
                "address": "::1",
                "homepage": "https://example.org/a?b#c",
                "field": "/a/0",
            },
        ],
        [
            {"id": "12345678-1234-1234-1234-123456789abc", "created": "2023-02-29T00:00:00Z"},
            {"id": "12345678-1234-1234-1234-123456789ab", "created": "2023-02-28T00:00:00Z"},
            {"id": "12345678-1234-1234-1234-123456789abc", "created": "2023-02-28T00:00:00Z", "address": "1.2.3.256"},
            {"id": "12345678-1234-1234-1234-123456789abc", "created": "2023-02-28T00:00:00Z", "timeout": "5M"},
        ],
    ),
    "mcp-tool": (
        [
            {"owner": "octo-cat", "repository": "hello", "title": "t"},
            {
                "owner": "a",
                "repository": "hello",
                "title": "t",
                "priority": "low",
                "due": None,
                "assignees": ["b", "c"],
                "metadata": {"x": 1.5, "y": True},
                "draft": False,
            },
        ],
        [
            {"owner": "-cat", "repository": "hello", "title": "t"},
            {"owner": "cat", "repository": "", "title": "t"},
            {"owner": "cat", "repository": "hello", "title": "t", "priority": 6},
            {"owner": "cat", "repository": "hello", "title": "t", "due": "2024-13-01"},
            {"owner": "cat", "repository": "hello", "title": "t", "assignees": []},
            {"owner": "cat", "repository": "hello", "title": "t", "metadata": {"x": None}},
        ],
    ),
    "pydantic-comments": (
        [
            {
                "author": {"name": "Ann", "email": None},
                "text": "",
                "rating": 0.25,
                "replies": [{"author": {"name": "Bob", "email": "bob@example.org"}, "text": "hi", "replies": []}],
                "meta": {"a": 1, "b": "c"},
            },
        ],
        [
            {"author": {"name": ""}, "text": ""},
            {"author": {"name": "Ann"}, "text": "", "rating": 1.5},
            {"author": {"name": "Ann"}, "text": "", "replies": [{"text": "hi"}]},
            {"author": {"name": "Ann"}, "text": "", "meta": {"a": 0.5}},
            {"author": {"name": "Ann"}, "text": "", "more": 1},
        ],
    ),
    "recursive-tree": (
        [
            {"tree": {"value": "", "left": None, "right": None}},
            {
                "tree": {
                    "value": "a",
                    "left": None,
                    "right": {"value": "b", "left": {"value": "c", "left": None, "right": None}},
                }
            },
        ],
        [
            {"tree": None},
            {"tree": {"value": "", "left": None}},
            {"tree": {"value": "a", "left": None, "right": {"value": "b", "right": 1}}},
        ],
    ),
    "tool-parameters": (
        [{"location": "Oslo"}, {"location": "Oslo", "unit": "celsius", "days": 14, "include": ["wind", "uv_index"]}],
        [
            {"location": ""},
            {"location": "Oslo", "days": 15},
            {"location": "Oslo", "include": ["wind", "wind"]},
        ],
    ),
    "zod-references": (
        [
            {
                "departure": [{"code": "OSL", "gate": 4}, "domestic"],
                "arrival": {"code": "BGO"},
                "stops": [{"code": "TRD"}],
                "kind": "domestic",
            },
        ],
        [
            {"departure": [{"code": "OSL"}], "arrival": {"code": "BGO"}},
            {"departure": [{"code": "OSL"}, "domestic"], "arrival": {"code": "bgo"}},
            {"departure": [{"code": "OSL"}, "domestic"], "arrival": {"code": "BGO"}, "kind": "local"},
            {"departure": [{"code": "OSL", "gate": 0}, "domestic"], "arrival": {"code": "BGO"}},
        ],
    ),
}
"""For each example, values it accepts and values it refuses."""


@lru_cache(maxsize=64)
def compiled(name: str) -> Result:
    return golden.compiled(name)


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    with Engine() as engine:
        yield engine


def test_every_example_has_values() -> None:
    assert {path.stem for path in EXAMPLES.glob("*.json")} == set(VALUES)


def test_the_grammars_are_what_the_examples_become() -> None:
    departures = "\n".join(map(str, check(golden.PROJECT)))
    assert not departures, f"{departures}\nif that is meant, write it with: make golden"


@pytest.mark.parametrize("name", GOLDEN)
def test_our_reader_gets_the_same_grammar_back(name: str) -> None:
    result = compiled(name)
    assert write(parse(result.gbnf)) == result.gbnf


@pytest.mark.parametrize("name", GOLDEN)
def test_matcher_and_engine_accept_valid_values_and_refuse_invalid_ones(name: str, engine: Engine) -> None:
    result = compiled(name)
    matcher = Matcher(parse(result.gbnf))
    grammar = engine.load(result.gbnf)
    assert grammar is not None, "the engine refuses the grammar"
    accepted, refused = VALUES[GOLDEN[name][0]]
    for value in accepted:
        text = result.dumps(value)
        assert json.loads(text) == value
        assert matcher.accepts(text), text
        assert len(text) > LONGEST or engine.accepts(grammar, text), text
    if "formats" in GOLDEN[name][1]:
        # Its refused values have wrong formats, which say nothing there.
        return
    for value in refused:
        with pytest.raises(ValueError, match="refused by"):
            result.dumps(value)
        for text in (result.dumps(value, check=False), json.dumps(value)):
            assert not matcher.accepts(text), text
            assert len(text) > LONGEST or not engine.accepts(grammar, text), text


@pytest.mark.parametrize("name", GOLDEN)
def test_samples_are_valid_and_the_engine_accepts_them(name: str, engine: Engine) -> None:
    result = compiled(name)
    schema = json.loads((EXAMPLES / f"{GOLDEN[name][0]}.json").read_bytes())
    validator = jsonschema_rs.validator_for(schema, validate_formats="formats" not in GOLDEN[name][1])
    grammar = engine.load(result.gbnf)
    assert grammar is not None
    for text in samples(result.grammar, SAMPLES):
        assert validator.is_valid(json.loads(text)), text
        assert len(text) > LONGEST or engine.accepts(grammar, text), text

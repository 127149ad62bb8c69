"""From text to value: what is read where which types may stand."""

from __future__ import annotations

from typing import Any

import pytest

from schema2gbnf.toolcalls.literals import NotLiteralError, read_literal
from schema2gbnf.toolcalls.readings import Text, Words, read_argument, spelled
from schema2gbnf.toolcalls.signature import Signature
from schema2gbnf.toolcalls.spelling import NotJsonError, closing, read, spell
from tests.toolcalls.cases import same


def value(schema: Any, text: str, words: Words = "always", **options: Any) -> Any:
    domain, _ = Signature({"properties": {"v": schema}}).domain(0, "v")
    return read_argument(Text(text), domain, words, **options).value


@pytest.mark.parametrize(
    ("type_", "text", "expected"),
    [
        ("string", "5", "5"),
        ("string", '"5"', '"5"'),
        ("string", "null", "null"),
        ("integer", " 5\n", 5),
        ("integer", "5.0", 5),
        ("integer", "1e23", 10**23),
        ("integer", "-0.0", 0),
        ("number", "5.0", 5.0),
        ("number", "1e3", 1000.0),
        ("integer", '"5"', 5),
        ("integer", '\\"5\\"', 5),
        ("integer", '"5.0"', 5),
        ("integer", '"5.5"', "5.5"),
        ("number", '"5.5"', 5.5),
        ("integer", "5.5", 5.5),
        ("integer", "+5", 5),
        ("integer", "1_000", 1000),
        ("integer", "1__0", "1__0"),
        ("integer", "5.", 5),
        ("number", ".5", 0.5),
        ("number", "٣", "٣"),
        ("integer", "0x1F", "0x1F"),
        ("integer", "0b1", "0b1"),
        ("integer", "9" * 5000, "9" * 5000),
        ("number", "9" * 400 + ".5", "9" * 400 + ".5"),
        ("number", "-Infinity", "-Infinity"),
        ("array", "[1, 1e400]", "[1, 1e400]"),
        ("boolean", "1", True),
        ("boolean", "0", False),
        ("boolean", "2", 2),
        ("boolean", "yes", "yes"),
        ("boolean", '"true"', True),
        (["boolean", "integer"], "1", 1),
        ("array", "(1, 'a')", [1, "a"]),
        ("array", "1, 2", [1, 2]),
        ("array", "['a\\'b', \"c\", 'caf\\xe9', '\\d']", ["a'b", "c", "café", "\\d"]),
        ("object", "{'a': [None, True], 'b': (1,)}", {"a": [None, True], "b": [1]}),
        ("object", "{1: 2}", "{1: 2}"),
        ("object", "{'a', 'b'}", "{'a', 'b'}"),
        ("object", '{"a": 1, "a": 2}', {"a": 2}),
        ("object", "[" * 100_000, "[" * 100_000),
        ("null", "", None),
        (["null", "integer"], " ", None),
        (["null", "string"], "", ""),
        (["string", "integer"], "7", 7),
        (["string", "integer"], "+7", "+7"),
        (["string", "integer"], '"7"', "7"),
        (["string", "null"], "7", "7"),
        (["string", "object"], "{'a': 1}", "{'a': 1}"),
    ],
)
def test_the_reading_of_a_text(type_: str | list[str], text: str, expected: Any) -> None:
    assert same(value({"type": type_}, text), expected)


@pytest.mark.parametrize(
    ("words", "type_", "expected"),
    [
        ("always", ["string", "null"], None),
        ("unless-string", ["string", "null"], "None"),
        ("always", ["integer", "null"], None),
        ("unless-string", ["integer", "null"], None),
        ("always", "string", "None"),
    ],
)
def test_the_words_of_python_count_where_the_format_writes_them(words: Words, type_: Any, expected: Any) -> None:
    assert same(value({"type": type_}, "None", words), expected)


@pytest.mark.parametrize(("text", "expected"), [("a", "a"), ('"a"', "a"), (" a ", "a"), ("c", "c"), ('"c"', '"c"')])
def test_of_finitely_many_strings_one_may_be_quoted_or_padded(text: str, expected: str) -> None:
    assert value({"type": "string", "enum": ["a", "b"]}, text) == expected


def test_without_a_type_scalars_may_stay_text() -> None:
    texts = ("5", "true", '{"a": 1}', "[1]", '"x"')
    assert [value({}, text) for text in texts] == [5, True, {"a": 1}, [1], "x"]
    assert [value({}, text, untyped="containers") for text in texts] == ["5", "true", {"a": 1}, [1], '"x"']
    assert value({"type": "integer"}, "5", untyped="containers") == 5


@pytest.mark.parametrize(
    "text",
    ["", "[", "[1", "1 2", "'a", "a", "{'a'}", "{'a':}", "[,]", "f'a'", "'\\N{DASH}'", "1e999", "(" * 99, "1+2j"],
)
def test_what_is_no_literal(text: str) -> None:
    with pytest.raises(NotLiteralError):
        read_literal(text)


@pytest.mark.parametrize("text", ["", "NaN", "[1e400]", "01", "'a'", '"\n"', "[" * 300, "1" * 5000, "[1,]", '{"a":1'])
def test_what_is_no_json(text: str) -> None:
    with pytest.raises(NotJsonError):
        read(text)


def test_what_is_written_can_be_encoded_and_read_back() -> None:
    for found in ("\ud800", "🙂\u2028\x7f\x00", {"\udfff": [1.5, 10**30, None]}):
        text = spell(found)
        text.encode()
        assert same(read(text), found)
    text = Text("[1.50]")
    assert spelled(text, read_argument(text, Signature(True).domain(0, "v")[0], "always")) == "[1.5]"


def test_every_beginning_of_a_text_can_be_closed() -> None:
    whole = '{"a": "x\\"y", "b": [1, {"c": null}], "d": {}}'
    # Scalars other than strings are written at once.
    for end in (
        end for end in range(1, len(whole) + 1) if whole[end - 1] not in "\\nul" or whole[end - 1 : end + 1] == "l}"
    ):
        beginning = whole[:end]
        assert isinstance(read(beginning + closing(beginning)), dict)

"""Values and texts: written as they stand, read exactly, located by offsets."""

from __future__ import annotations

from decimal import Decimal

import pytest

from schema2gbnf.verification.texts import RepeatedNameError, pointer_at, text_of, value_of


@pytest.mark.parametrize(
    "text", ["null", "-0.10", "1.0", '"a\\"\\u0001é"', "[]", '{"b": [1, {}], "a": true}', "1000000000000000000000000.5"]
)
def test_what_is_read_is_written_again(text: str) -> None:
    assert text_of(value_of(text)) == text


def test_nothing_is_rounded() -> None:
    assert value_of("0.1000000000000000000001") == Decimal("0.1000000000000000000001")


@pytest.mark.parametrize("text", ["", " 1", "1 ", "NaN", "[1,]", '{"a": 1', "'a'", "01", '"\t"'])
def test_what_is_no_json_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        value_of(text)


def test_a_repeated_name_is_told_apart() -> None:
    with pytest.raises(RepeatedNameError):
        value_of('[{"a": 1, "a": 1}]')


@pytest.mark.parametrize(
    ("text", "found", "pointer"),
    [
        ('{"a": 1}', "1", "#/a"),
        ('{"a": 1}', '"a"', "#"),
        ('{"a": 1, "b": 2}', '"b"', "#"),
        ('{"a": {"x": [true, "no, }"]}}', '"no', "#/a/x/1"),
        ('{"a": {"x": [true, "no, }"]}}', "}}", "#/a/x"),
        ('{"a/b": {"~": null}}', "null", "#/a~1b/~0"),
        ('{"q\\"": 1}', "1", '#/q"'),
        ("[[], [0]]", "0", "#/1/0"),
        ("5", "5", "#"),
    ],
)
def test_the_place_of_an_offset(text: str, found: str, pointer: str) -> None:
    assert pointer_at(text, text.index(found)) == pointer


def test_places_of_texts_that_are_cut_off() -> None:
    for end in range(30):
        assert pointer_at('{"a": {"x": [true, "no, }"]}}'[:end], end).startswith("#")

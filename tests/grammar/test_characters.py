"""Every character has one canonical spelling in a JSON string, and free strings know all the others."""

from __future__ import annotations

import json
import random

import pytest

from schema2gbnf.grammar.characters import ESCAPED, every_spelling, raw, spelled
from schema2gbnf.grammar.drafts import Draft
from schema2gbnf.grammar.rules import NOTHING, repeat
from schema2gbnf.languages.charset import LINE_TERMINATOR, SPACE, SURROGATES, TEXT, CharSet
from tests.grammar.readings import accepts, drafted, printed, readings

EDGES = [*(chr(point) for point in range(0x100)), *"\u2028\u2029\ud7ff\ue000\ufeff\uffff\U00010000\U0001f600\U0010ffff"]


def canonical(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)[1:-1]


def test_the_canonical_spelling_is_that_of_json_dumps() -> None:
    grammar = drafted(lambda draft: spelled(TEXT, draft))
    for char in EDGES:
        assert readings(grammar, canonical(char)) == 1, char


@pytest.mark.parametrize(
    "spelling", [r"\/", r"\u0061", r"\u000A", r"\u000a", r"\u001F", r"\u0022", r"\u007f", '"', "\\"]
)
@pytest.mark.parametrize("more", ["", "\n", "\x1f"])
def test_no_other_spelling_is_canonical(spelling: str, more: str) -> None:
    assert accepts(lambda draft: spelled(TEXT, draft), spelling + more) == [False]


SETS = [
    CharSet.of("\n"),
    CharSet.of("\n\r"),
    CharSet.of("a\\"),
    CharSet.of('"'),
    CharSet.of("\x00\x0b\x1e"),
    CharSet.span("\x00", "\x0b"),
    CharSet.span("\x0e", "\x1f"),
    CharSet.span("\x10", "0"),
    ESCAPED,
    TEXT - LINE_TERMINATOR,
    SPACE,
    TEXT - SPACE,
    ~CharSet.of("a"),
    CharSet.span("\ud000", "\ue000"),
]


@pytest.mark.parametrize("chars", SETS, ids=repr)
def test_a_set_is_spelled_by_its_members_and_no_others(chars: CharSet) -> None:
    grammar = drafted(lambda draft: spelled(chars, draft))
    for char in EDGES:
        assert readings(grammar, canonical(char)) == (char in chars), char


def test_surrogates_have_no_spelling() -> None:
    assert spelled(SURROGATES, Draft()) == raw(SURROGATES, Draft()) == NOTHING


def test_free_strings_take_every_spelling_once() -> None:
    grammar = drafted(every_spelling)
    spellings = {canonical(char) for char in EDGES} | {"\\/"}
    for point in [*range(0x80), 0xD7FF, 0xE000, 0xFFFF]:
        code = f"{point:04x}"
        spellings |= {f"\\u{code}", f"\\u{code.upper()}", f"\\u{code.title()}"}
    spellings |= {r"\ud83d\ude00", r"\uD83D\uDE00", r"\uDBFF\udfff", r"\ud800\uDC00"}
    for spelling in spellings:
        json.loads(f'"{spelling}"')
        assert readings(grammar, spelling) == 1, spelling


@pytest.mark.parametrize(
    "spelling",
    [
        *(r"\ud83d", r"\ude00", r"\ude00\ud83d", r"\ud83d\u0041", r"\ud83dx"),
        *(r"\u12", r"\u12g4", r"\x41", r"\a", r"\U0041", r"\u00411"),
        *("", "\\", '"', "\n", "\x7f\x7f", "ab"),
    ],
)
def test_half_a_pair_is_no_character(spelling: str) -> None:
    assert accepts(every_spelling, spelling) == [False]


def test_a_pair_counts_as_one_character() -> None:
    three = drafted(lambda draft: repeat(every_spelling(draft), 3, 3))
    assert readings(three, r"a\uD83D\uDE00é") == 1
    assert readings(three, r"\uD83D\uDE00a") == 0


def test_any_text_is_read_once() -> None:
    grammar = drafted(lambda draft: repeat(every_spelling(draft), 0, None))
    rng = random.Random(7)
    for _ in range(200):
        text = "".join(rng.choices(EDGES, k=5))
        assert readings(grammar, json.dumps(text)[1:-1]) == readings(grammar, canonical(text)) == 1


@pytest.mark.parametrize(
    ("chars", "text"),
    [
        (CharSet.of("a"), 'root ::= "a"\n'),
        (CharSet.of('"'), 'root ::= "\\\\\\""\n'),
        (CharSet.of("\n\t"), 'root ::= "\\\\" [nt]\n'),
        (CharSet.of("\x0b"), 'root ::= "\\\\u000b"\n'),
        (CharSet.of("ab\\"), 'root ::= "\\\\\\\\" | [ab]\n'),
    ],
    ids=repr,
)
def test_few_characters_are_written_plainly(chars: CharSet, text: str) -> None:
    assert printed(lambda draft: spelled(chars, draft)) == text


def test_rules_are_named_by_content() -> None:
    assert "line-char ::= plain-escape-but-n-r | " in printed(
        lambda d: repeat(spelled(TEXT - LINE_TERMINATOR, d), 0, 1)
    )
    assert "plain-escape ::= " in printed(lambda d: spelled(~CharSet.of("a"), d))

"""Numbers in print: exactly the language within the caps; every JSON number when nothing is asked, none too large."""

from __future__ import annotations

import json
import math
import random
import sys
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schema2gbnf.gbnf.match import Matcher
from schema2gbnf.gbnf.write import write
from schema2gbnf.grammar.drafts import Draft
from schema2gbnf.grammar.numbers import any_number, number
from schema2gbnf.grammar.rules import Grammar
from schema2gbnf.languages.decimals import (
    ALL,
    INTEGERS,
    Digits,
    NumberLanguage,
    at_least,
    at_most,
    integers,
    multiple_of,
    values,
)
from tests.engine import Engine
from tests.grammar.readings import drafted, readings

WHOLE = integers(spelled_with_fraction=True)


def from_(bound: str, *, exclusive: bool = False) -> NumberLanguage:
    return at_least(Fraction(bound), exclusive)


def to(bound: str, *, exclusive: bool = False) -> NumberLanguage:
    return at_most(Fraction(bound), exclusive)


def times(divisor: str) -> NumberLanguage:
    return multiple_of(Fraction(divisor))


def grammar_of(language: NumberLanguage | None, **caps: int) -> Grammar:
    return drafted(lambda draft: number(language, draft, "n", **caps))


def root(language: NumberLanguage) -> str:
    return write(grammar_of(language)).split("\n")[0].removeprefix("root ::= ")


FORMS = [
    (WHOLE, "integer"),
    (WHOLE & from_("0"), '"0" | [1-9] [0-9]{0,63}'),
    (WHOLE & from_("1"), "[1-9] [0-9]{0,63}"),
    (WHOLE & from_("10"), "[1-9] [0-9]{1,63}"),
    (WHOLE & from_("0") & to("5"), "[0-5]"),
    (WHOLE & from_("0") & to("99"), '"0" | [1-9] [0-9]?'),
    (WHOLE & from_("1900") & to("2099"), '("19" | "20") [0-9]{2}'),
    (WHOLE & times("5"), None),
    (WHOLE & times("10"), '("-"? [1-9] [0-9]{0,62})? "0"'),
    (WHOLE & times("100"), '"0" | "-"? [1-9] [0-9]{0,61} "00"'),
    (from_("0"), '("0" | [1-9] [0-9]{0,63}) ("." [0-9]{1,32})?'),
    (from_("0") & to("1"), '"0" ("." [0-9]{1,32})? | "1" ("." "0"{1,32})?'),
    (from_("0") & times("0.01"), None),
    (~WHOLE, '"-"? ("0" | [1-9] [0-9]{0,63}) "." "0"{0,32} [1-9] [0-9]{0,31}'),
    (values([Fraction(1), Fraction(5, 2)]), '"1" | "2.5"'),
]


@pytest.mark.parametrize(
    ("language", "text"), [form for form in FORMS if form[1]], ids=[form[1] for form in FORMS if form[1]]
)
def test_common_numbers_read_well(language: NumberLanguage, text: str) -> None:
    assert root(language) == text


def test_integers_share_a_rule() -> None:
    assert write(grammar_of(WHOLE)) == 'root ::= integer\ninteger ::= "0" | "-"? [1-9] [0-9]{0,63}\n'


LANGUAGES = {
    "all": ALL,
    "0 to 100": WHOLE & from_("0") & to("100"),
    "bytes": WHOLE & from_("-128") & to("127"),
    "port": WHOLE & from_("1") & to("65535"),
    "latitude": from_("-90") & to("90"),
    "above": from_("0", exclusive=True),
    "below": to("-2.5", exclusive=True),
    "between": from_("-12.5") & to("3.75"),
    "cents": times("0.01"),
    "steps": times("2.5"),
    "sevens": times("7") & WHOLE,
    "some sevens": times("7") & WHOLE & from_("-100") & to("1000"),
    "eights": times("8") & WHOLE,
    "not fives": WHOLE - times("5"),
    "fives and thirds": WHOLE & (times("5") | times("3")),
    "quarters": times("0.25"),
    "fours or halves": times("4") | times("0.5") & from_("1"),
    "few": values([Fraction(-1), Fraction(0), Fraction(12), Fraction(1, 8)]),
    "not few": ALL - values([Fraction(0), Fraction(1, 2)]),
    **{f"form {index}": language for index, (language, _) in enumerate(FORMS)},
}


def decimals() -> list[str]:
    """Texts that are numbers, and texts that are nearly."""
    rng = random.Random(4)
    integral = [str(n) for n in range(130)] + [str(rng.randrange(10**k)) for k in range(2, 9) for _ in range(12)]
    texts = [*integral, *(f"{n}{tail}" for n in integral[:60:3] for tail in (".0", ".5", ".25", ".10", ".125", ".001"))]
    nearly = ["", "-", ".", "0.", ".5", "00", "01", "-0", "-0.0", "1e3", "+1", "1.", "--1", "1.2.3", "1-", " 1", "٣"]
    return [*texts, *("-" + text for text in texts), *nearly, "65535", "65536", "90.000", "90.001", "12.5", "-12.51"]


@pytest.mark.parametrize("name", LANGUAGES)
def test_the_language_is_printed_exactly(name: str) -> None:
    language = LANGUAGES[name].plain()
    grammar = grammar_of(LANGUAGES[name])
    for text in decimals():
        assert readings(grammar, text) == language.accepts(text), text


@pytest.mark.parametrize("name", LANGUAGES)
def test_the_engine_reads_the_same(name: str) -> None:
    language = LANGUAGES[name].plain()
    with Engine() as engine:
        grammar = engine.load(write(grammar_of(LANGUAGES[name])))
        assert grammar is not None
        for text in decimals()[::9]:
            assert engine.accepts(grammar, text) == language.accepts(text), text


# -- caps --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("language", "longest", "too_long"),
    [
        (WHOLE, "9" * 64, "9" * 65),
        (from_("0"), "9" * 64 + "." + "9" * 32, "9." + "9" * 33),
        (from_("0"), "0." + "0" * 32, "9" * 65),
        (WHOLE & times("5"), "9" * 63 + "5", "9" * 64 + "5"),
        (WHOLE & times("1000"), "9" * 61 + "000", "9" * 62 + "000"),
        (times("2.5"), "9" * 63 + "7.5", "9" * 64 + "7.5"),
        (times("0.01"), "9" * 64 + ".25", "9" * 65 + ".25"),
    ],
)
def test_digits_are_capped(language: NumberLanguage, longest: str, too_long: str) -> None:
    matcher = Matcher(grammar_of(language))
    assert matcher.accepts(longest)
    assert not matcher.accepts(too_long)


@pytest.mark.parametrize("divisor", ["3", "7", "12", "0.07"])
def test_where_all_digits_decide_a_few_are_counted(divisor: str) -> None:
    language = times(divisor)
    grammar = grammar_of(language, integral_cap=3, fraction_cap=2)
    for count in range(-10_500, 10_500, 37):
        text = f"{count // 10}.{count % 10}" if "." in divisor else str(count)
        within = language.plain().accepts(text) and len(text.partition(".")[0].lstrip("-")) <= 3
        assert readings(grammar, text) == within, text
    assert not Matcher(grammar).accepts(str(84 * 10**30))


def test_caps_are_options() -> None:
    matcher = Matcher(grammar_of(from_("0"), integral_cap=3, fraction_cap=2))
    assert [matcher.accepts(text) for text in ("999.99", "1000", "0.001")] == [True, False, False]


def test_a_cap_leaves_room_for_the_constants() -> None:
    matcher = Matcher(grammar_of(WHOLE & from_("1000000"), integral_cap=3))
    assert matcher.accepts("1000000")
    assert matcher.accepts("98765432")
    tiny = Fraction(1, 10**40)
    assert Matcher(grammar_of(at_least(tiny, False) & at_most(tiny, False))).accepts("0." + "0" * 39 + "1")


# -- every JSON number -------------------------------------------------------------------------------------------------

ANY = drafted(any_number)
MATCHER = Matcher(ANY)


@settings(deadline=None, max_examples=300)
@given(st.floats(-1.789e308, 1.789e308))
def test_every_float_is_a_number_as_python_writes_it(value: float) -> None:
    assert readings(ANY, json.dumps(value)) == 1


@settings(deadline=None, max_examples=100)
@given(st.integers(-(10**64) + 1, 10**64 - 1))
def test_every_integer_within_the_cap_is_a_number(value: int) -> None:
    assert readings(ANY, json.dumps(value)) == 1


@pytest.mark.parametrize(
    "text",
    [
        *("0", "-0", "-0.0", "1e5", "1E5", "1e+5", "1e-05", "12.5e3", "0e0", "1e308", "-1e308", "5e-324", "1.5e300"),
        *("9.9e307", "1.7e308", "1.75e308", "123e-300", "1" + "0" * 63 + "e99"),
        *(repr(sys.float_info.max), repr(sys.float_info.min)),
    ],
)
def test_spelled_as_json_allows(text: str) -> None:
    assert readings(ANY, text) == 1


@pytest.mark.parametrize(
    "text",
    [
        *("", "-", "+1", "01", "1.", ".5", "1e", "1e+", "1e5.0", "0x1", "NaN", "Infinity", "1_000", "1 "),
        *("1e309", "2e308", "1.8e308", "10e308", "1e400", "1" + "0" * 64, "9" * 64 + "e300"),
    ],
)
def test_not_a_number(text: str) -> None:
    assert readings(ANY, text) == 0


def test_no_sentence_overflows() -> None:
    rng = random.Random(1)
    for _ in range(300):
        state, text = MATCHER.start(), ""
        while not (state.can_end and rng.random() < 0.1):
            following = [c for c in "9e+08.1735-" if c in state.next_chars()]
            if not following:
                break
            text += rng.choice(following)
            state = MATCHER.advance(state, text[-1])
        if state.can_end:
            assert math.isfinite(float(text)), text


@pytest.mark.parametrize("integral", [1, 2, 64, 215, 305, 308])
def test_no_cap_lets_a_number_overflow(integral: int) -> None:
    matcher = Matcher(drafted(lambda draft: any_number(draft, integral, 1)))
    assert matcher.accepts("9" * integral)
    assert matcher.accepts("1e308")
    for exponent in (1, 9, 10, 99, 100, 307, 308):
        text = "9" * integral + f"e{exponent}"
        assert not matcher.accepts(text) or math.isfinite(float(text)), text


def test_any_number_is_shared() -> None:
    draft = Draft()
    assert number(None, draft, "a") == number(None, draft, "b")
    assert INTEGERS.accepts("7")


def test_digits_are_capped_for_the_language_asked_for_not_for_an_equal_one() -> None:
    narrow = at_least(0, exclusive=False)
    wide = replace(narrow, digits=Digits(100, 50))
    assert narrow == wide
    assert number(narrow, Draft(), "n") != number(wide, Draft(), "n")

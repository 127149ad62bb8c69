"""Number languages against brute force: every text near a boundary, judged by exact arithmetic on what it spells."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schema2gbnf.languages.decimals import (
    ALL,
    INTEGERS,
    NONE,
    NumberLanguage,
    at_least,
    at_most,
    integers,
    multiple_of,
    spell,
    values,
)
from schema2gbnf.languages.dfa import StateLimitError

D = Decimal
F = Fraction
INTEGRAL = integers(spelled_with_fraction=True)

PLAIN = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?")


def is_plain(text: str) -> bool:
    return bool(PLAIN.fullmatch(text)) and not (text.startswith("-") and Fraction(text) == 0)


def short_texts() -> Iterator[str]:
    """Every word over a telling part of the alphabet up to four characters, and every small decimal."""
    layer = [""]
    for _ in range(4):
        layer = [word + letter for word in layer for letter in "-.0127"]
        yield from layer
    for sign in ("", "-"):
        for whole in [*range(131), 199, 200, 255, 256, 365, 366, 999, 1000, 1001]:
            for rest in (
                "",
                ".0",
                ".00",
                ".01",
                ".1",
                ".10",
                ".25",
                ".3",
                ".49",
                ".5",
                ".50",
                ".500",
                ".51",
                ".75",
                ".99",
            ):
                yield f"{sign}{whole}{rest}"


def random_texts(seed: int, count: int) -> Iterator[str]:
    source = random.Random(seed)
    for _ in range(count):
        whole = str(source.randrange(10 ** source.randint(1, 20)))
        rest = "".join(source.choices("0123456789", [5, *[1] * 9], k=source.randint(0, 4)))
        yield source.choice(["", "-"]) + whole + (source.choice([".", ".0", ""]) + rest if rest else "")


TEXTS = sorted({*short_texts(), *random_texts(1, 2000)})
Holds = Callable[[Fraction], bool]

# The demand as a language, and as arithmetic on the value.
DEMANDS: dict[str, tuple[NumberLanguage, Holds]] = {
    "any": (ALL, lambda x: True),
    "none": (NONE, lambda x: False),
    "integral": (INTEGRAL, lambda x: x.denominator == 1),
    "x >= 0": (at_least(0, False), lambda x: x >= 0),
    "x > 0": (at_least(0, True), lambda x: x > 0),
    "x <= 0": (at_most(0, False), lambda x: x <= 0),
    "x < 0": (at_most(0, True), lambda x: x < 0),
    "x >= 1": (at_least(1, False), lambda x: x >= 1),
    "x > 1": (at_least(1, True), lambda x: x > 1),
    "x < 10": (at_most(10, True), lambda x: x < 10),
    "x <= 10": (at_most(D("1e1"), False), lambda x: x <= 10),
    "x >= -1": (at_least(-1, False), lambda x: x >= -1),
    "x > -1": (at_least(-1, True), lambda x: x > -1),
    "x <= -1": (at_most(-1, False), lambda x: x <= -1),
    "x < -1": (at_most(-1, True), lambda x: x < -1),
    "x >= 0.5": (at_least(D("0.5"), False), lambda x: x >= F(1, 2)),
    "x > 0.5": (at_least(F(1, 2), True), lambda x: x > F(1, 2)),
    "x < -0.50": (at_most(D("-0.50"), True), lambda x: x < F(-1, 2)),
    "x >= -12.5": (at_least(D("-12.5"), False), lambda x: x >= F(-25, 2)),
    "x <= 3.75": (at_most(D("3.75"), False), lambda x: x <= F(15, 4)),
    "x < 100.01": (at_most(D("100.01"), True), lambda x: x < F(10001, 100)),
    "x > 99.99": (at_least(D("99.99"), True), lambda x: x > F(9999, 100)),
    "x < 2^63": (at_most(2**63, True), lambda x: x < 2**63),
    "0.01 | x": (multiple_of(D("0.01")), lambda x: (x * 100).denominator == 1),
    "0.1 | x": (multiple_of(D("0.1")), lambda x: (x * 10).denominator == 1),
    "0.25 | x": (multiple_of(D("0.25")), lambda x: (x * 4).denominator == 1),
    "2.5 | x": (multiple_of(D("2.5")), lambda x: (x / F(5, 2)).denominator == 1),
    "0.3 | x": (multiple_of(D("0.3")), lambda x: (x / F(3, 10)).denominator == 1),
    "2 | x": (multiple_of(2), lambda x: (x / 2).denominator == 1),
    "5 | x": (multiple_of(5), lambda x: (x / 5).denominator == 1),
    "7 | x": (multiple_of(7), lambda x: (x / 7).denominator == 1),
    "10 | x": (multiple_of(10), lambda x: (x / 10).denominator == 1),
    "20 | x": (multiple_of(20), lambda x: (x / 20).denominator == 1),
    "77 | x": (multiple_of(77), lambda x: (x / 77).denominator == 1),
    "365 | x": (multiple_of(365), lambda x: (x / 365).denominator == 1),
    "300 | x": (multiple_of(300), lambda x: (x / 300).denominator == 1),
    "10^6 | x": (multiple_of(10**6), lambda x: (x / 10**6).denominator == 1),
    "one of": (values([0, D("-1.50"), 7, F(1, 4), 100]), lambda x: x in {0, F(-3, 2), 7, F(1, 4), 100}),
}


@pytest.mark.parametrize("name", DEMANDS)
def test_language_is_the_demand_on_every_text(name: str) -> None:
    language, holds = DEMANDS[name]
    for text in TEXTS:
        assert language.accepts(text) == (is_plain(text) and holds(Fraction(text))), text


@pytest.mark.parametrize("name", DEMANDS)
def test_complement_is_within_the_plain_decimals(name: str) -> None:
    language, holds = DEMANDS[name]
    complement = ~language
    for text in TEXTS:
        assert complement.accepts(text) == (is_plain(text) and not holds(Fraction(text))), text
    assert ~complement == language


@pytest.mark.parametrize("modulus", [1, 3, 8, 12, 250, 1000, 4096, 3_000_000])
def test_every_small_multiple(modulus: int) -> None:
    language = multiple_of(modulus)
    for number in {*range(3000), *range(0, 40 * modulus, max(1, modulus // 4))}:
        assert language.accepts(str(number)) == (number % modulus == 0)
        assert language.accepts(f"-{number}.0") == (number % modulus == 0 and number > 0)


@settings(deadline=None, max_examples=60)
@given(st.lists(st.sampled_from(sorted(DEMANDS)), min_size=2, max_size=3), st.data())
def test_algebra_is_the_algebra_of_the_demands(names: list[str], data: st.DataObject) -> None:
    language, holds = DEMANDS[names[0]]
    for name in names[1:]:
        other, also = DEMANDS[name]
        operator = data.draw(st.sampled_from("&|-~"))
        before = holds
        if operator == "&":
            language, holds = language & other, lambda x, a=before, b=also: a(x) and b(x)
        elif operator == "|":
            language, holds = language | other, lambda x, a=before, b=also: a(x) or b(x)
        elif operator == "-":
            language, holds = language - other, lambda x, a=before, b=also: a(x) and not b(x)
        else:
            language, holds = ~language & other, lambda x, a=before, b=also: not a(x) and b(x)
    found = [text for text in TEXTS[::7] if language.accepts(text)]
    assert found == [text for text in TEXTS[::7] if is_plain(text) and holds(Fraction(text))]
    assert all(language.contains(Fraction(text)) for text in found)
    example = language.example()
    assert (example is None) == language.is_empty
    if example is not None:
        assert holds(Fraction(example))


@given(st.decimals(allow_nan=False, allow_infinity=False, places=3), st.decimals(places=3, min_value=-99, max_value=99))
def test_bounds_compare_as_numbers_do(value: Decimal, bound: Decimal) -> None:
    text = spell(value)
    assert at_least(bound, False).accepts(text) == (value >= bound)
    assert at_least(bound, True).accepts(text) == (value > bound)
    assert at_most(bound, False).accepts(text) == (value <= bound)
    assert at_most(bound, True).accepts(text) == (value < bound)


@given(st.decimals(allow_nan=False, allow_infinity=False, min_value=D("-1e30"), max_value=D("1e30")))
def test_spelling_is_the_value_without_idle_digits(value: Decimal) -> None:
    text = spell(value)
    assert is_plain(text)
    assert Fraction(text) == Fraction(value)
    assert not ("." in text and text.endswith("0"))


def test_equal_demands_are_equal_languages() -> None:
    assert at_least(D("1.0"), False) == at_least(1, False)
    assert INTEGRAL & at_least(0, True) == INTEGRAL & at_least(1, False)
    assert multiple_of(2) & multiple_of(5) == multiple_of(10)
    assert at_least(0, False) | at_most(0, True) == ALL
    assert at_least(1, True) & at_most(1, False) == NONE
    assert at_least(1, False) & at_most(1, False) == values([1])
    assert values([]) == NONE


def test_draft_4_reads_the_spelling_and_later_drafts_the_value() -> None:
    assert INTEGRAL.accepts("5.0")
    assert not INTEGERS.accepts("5.0")
    assert (~INTEGERS).accepts("5.0")
    assert not (~INTEGRAL).accepts("5.0")
    assert INTEGERS <= INTEGRAL
    assert not INTEGRAL <= INTEGERS


def test_plain_keeps_every_value_and_drops_only_spellings() -> None:
    assert (INTEGRAL & at_least(3, False)).plain() == INTEGERS & at_least(3, False)
    assert values([5, D("0.5")]).plain().dfa.words(9) == ("0.5", "5")
    for language in (ALL, at_least(0, False), multiple_of(D("0.5")), INTEGERS, NONE):
        assert language.plain() == language
    # In draft 4 "no integer, and a multiple of 1" is only spelled with a fraction.
    only_spelled_long = ~INTEGERS & multiple_of(1)
    assert only_spelled_long.plain() == only_spelled_long


def test_finite_values() -> None:
    assert (INTEGRAL & at_least(-2, True) & at_most(1, False)).finite_values(10) == (-1, 0, 1)
    assert values([F(1, 2), D("0.50"), -3]).finite_values(2) == (-3, F(1, 2))
    assert values([1, 2, 3]).finite_values(2) is None
    assert at_least(0, False).finite_values(1000) is None
    assert (at_least(0, True) & at_most(1, True)).finite_values(1000) is None
    assert (~INTEGERS & values([5])).finite_values(1) == (5,)
    assert NONE.finite_values(0) == ()


def test_example_is_short_and_integral_where_it_can_be() -> None:
    assert ALL.example() == "0"
    assert at_least(D("0.5"), False).example() == "1"
    assert (at_least(D("0.5"), False) & at_most(D("0.7"), False)).example() == "0.5"
    assert at_most(-10, True).example() == "-11"
    assert NONE.example() is None


def test_capped_counts_digits_but_never_loses_what_the_constants_name() -> None:
    capped = ALL.capped(3, 2)
    assert [capped.accepts(text) for text in ("999", "-999.99", "1000", "0.001")] == [True, True, False, False]
    assert values([123456]).capped(3, 2) == values([123456]) & ALL.capped(6, 2)
    assert at_least(10**70, True).capped(64, 32).accepts("1" + "0" * 69 + "1")
    assert multiple_of(D("1e-40")).capped(64, 32).accepts("0." + "0" * 39 + "1")
    assert not (multiple_of(7) & multiple_of(11) & multiple_of(13) & at_least(0, True)).capped(1, 0).is_empty


def test_digits_are_carried_and_compare_equal() -> None:
    wide = at_least(12345, False) & multiple_of(D("0.125"))
    assert wide.digits >= (5, 3)
    assert (~wide).digits == wide.digits
    assert at_least(12345, False) | ALL == ALL


@pytest.mark.parametrize("number", [F(1, 3), D("NaN"), D("Infinity")])
def test_what_no_decimal_spells_is_a_value_error(number: Fraction | Decimal) -> None:
    with pytest.raises(ValueError, match=r"is not a number|no finite decimal"):
        at_least(number, False)
    with pytest.raises(ValueError, match=r"is not a number|no finite decimal"):
        multiple_of(number)
    assert not ALL.contains(number)


@pytest.mark.parametrize("number", [0, -1, D("-0.5")])
def test_divisors_are_positive(number: int | Decimal) -> None:
    with pytest.raises(ValueError, match="positive"):
        multiple_of(number)


@pytest.mark.parametrize(
    "number",
    [D("1e4001"), D("1e999999999"), D("1e-999999999"), 10**5000, F(1, 2**20_000)],
    ids=["1e4001", "1e999999999", "1e-999999999", "10^5000", "2^-20000"],
)
def test_numbers_of_too_many_digits_are_refused_at_once(number: int | Decimal | Fraction) -> None:
    with pytest.raises(StateLimitError):
        at_least(number, False)
    with pytest.raises(StateLimitError):
        multiple_of(number)


def test_states_are_limited() -> None:
    with pytest.raises(StateLimitError):
        multiple_of(1_000_003)
    with pytest.raises(StateLimitError):
        multiple_of(101, limit=50)
    assert len(multiple_of(10**100).dfa.moves) < 300
    assert at_most(D("1e400"), False).accepts("9" * 400)
    assert not at_most(D("1e400"), False).accepts("1" + "0" * 399 + "1")

"""Formats against three judges: the official tests, another validator on random words, and arithmetic on dates."""

from __future__ import annotations

import base64
import calendar
import ipaddress
import itertools
import json
import random
from datetime import date, timedelta
from functools import lru_cache

import idna
import jsonschema_rs
import pytest
import regress

from schema2gbnf.languages import lengths
from schema2gbnf.languages.ecma import parse
from schema2gbnf.languages.formats import Format, format_named, hosts
from tests.data import data
from tests.words import Words

TESTS = data("json-schema-test-suite") / "tests"

STRINGS = (
    *("date", "time", "date-time", "duration", "ipv4", "ipv6", "hostname", "idn-hostname", "email", "idn-email"),
    *("uri", "uri-reference", "iri", "iri-reference", "uri-template", "uuid", "json-pointer", "relative-json-pointer"),
    *("byte", "regex"),
)
VALIDATORS = {
    "draft4": jsonschema_rs.Draft4Validator,
    "draft7": jsonschema_rs.Draft7Validator,
    "draft2020-12": jsonschema_rs.Draft202012Validator,
}


def known(name: str, dialect: str = "draft2020-12") -> Format:
    found = format_named(name, dialect)
    assert found is not None
    return found


# -- the official tests ------------------------------------------------------------------------------------------------

ENCODED = "an encoded label"
CONTEXT = "a character that depends on its neighbours, or a script that needs them"

# Valid texts of the official tests that are refused, each with the part of the narrowing that says so.
REFUSED = {
    ("email", "joe.bloggs@[127.0.0.1]"): "an address in brackets",
    ("email", "joe.bloggs@[IPv6:::1]"): "an address in brackets",
    ("idn-email", "user@cafe\u0301.com"): "a combining mark",
    ("idn-email", "a" * 64 + "@example.com"): "a local part of more than 32 characters",
    ("regex", "(?<name>x)"): "a named group",
    ("regex", r"(?<n>a)\k<n>"): "a back-reference",
    **{
        ("hostname", text): ENCODED
        for text in (
            *("xn--9n2bp8q.xn--9t4b11yi5a", "xn--zca29lwxobi7a", "xn--qmbc", "xn--ll-0ea", "xn--wva3je", "xn--4dbc5h"),
            *("xn--4dbc8h", "xn--k8j5u", "xn--bck0j", "xn--vek778f", "xn--ngba1o", "xn--0-gyc", "xn--11b2ezcw70k"),
            *("xn--11b2ezcs70k", "xn--ngba5hb2804a"),
        )
    },
    ("idn-hostname", "xn--ihqwcrb4cv8a8dqg056pqjye"): ENCODED,
    **{
        ("idn-hostname", text): CONTEXT
        for text in (
            *("ßς\u0f0b\u3007", "\u06fd\u06fe", "l\u00b7l", "\u03b1\u0375\u03b2", "\u05d0\u05f3\u05d1"),
            *("\u05d0\u05f4\u05d1", "\u30fb\u3041", "\u30fb\u30a1", "\u30fb\u4e08", "\u0628\u0660\u0628", "\u06f00"),
            *("\u0915\u094d\u200d\u0937", "\u0915\u094d\u200c\u0937", "\u0628\u064a\u200c\u0628\u064a"),
        )
    },
    **{
        ("idn-hostname", "παράδειγμα" * 5 + "πα" + dot + "com"): "a label of more than 13 letters"
        for dot in ".\u3002\uff0e\uff61"
    },
}


def official() -> list[tuple[str, str, str, bool]]:
    """(dialect, format, text, valid)"""
    rows = []
    for path in sorted(TESTS.glob("draft*/optional/format/*.json")):
        dialect = path.parts[-4]
        if dialect == "draft3":
            continue
        for group in json.loads(path.read_text("utf-8")):
            for test in group["tests"]:
                if isinstance(test["data"], str):
                    rows.append((dialect, group["schema"].get("format", ""), test["data"], test["valid"]))
    return rows


def test_official_tests_are_found_for_every_format() -> None:
    assert {name for _, name, _, _ in official()} >= set(STRINGS) - {"byte"}


@pytest.mark.parametrize("name", STRINGS)
def test_official_tests(name: str) -> None:
    refused = set()
    for dialect, judged, text, valid in official():
        if judged != name:
            continue
        each = known(name, dialect)
        accepted = each.dfa.accepts(text)
        assert not accepted or valid, f"accepted: {text!r}"
        if valid:
            assert each.outer_dfa.accepts(text), f"surely invalid: {text!r}"
            if not accepted:
                refused.add((name, text))
    assert refused == {row for row in REFUSED if row[0] == name}
    assert not refused or known(name).narrowing


# -- another validator ---------------------------------------------------------------------------------------------


@lru_cache(maxsize=64)
def validator(name: str, dialect: str) -> object:
    return VALIDATORS[dialect]({"format": name}, validate_formats=True)


def judged(name: str, dialect: str, text: str) -> bool:
    if name == "byte":  # no business of that validator
        try:
            return base64.b64encode(base64.b64decode(text, validate=True)).decode() == text
        except ValueError:
            return False
    return bool(validator(name, dialect).is_valid(text))  # type: ignore[attr-defined]


CASES = [*((name, "draft2020-12") for name in STRINGS), ("hostname", "draft4"), ("hostname", "draft7")]


@pytest.mark.parametrize(("name", "dialect"), CASES)
def test_random_words_are_valid(name: str, dialect: str) -> None:
    words = Words(known(name, dialect).dfa, seed=1)
    wrong = [word for word in (words.draw() for _ in range(3000)) if not judged(name, dialect, word)]
    assert wrong == []


@pytest.mark.parametrize(("name", "dialect"), CASES)
def test_random_words_outside_the_outer_language_are_invalid(name: str, dialect: str) -> None:
    words = Words(~known(name, dialect).outer_dfa, seed=2)
    drawn = [words.draw() for _ in range(3000)]
    if name == "uri-template":
        # RFC 6570 leaves out what RFC 3987 does, the validator leaves out ASCII only.
        drawn = [word for word in drawn if word.isascii()]
    assert [word for word in drawn if judged(name, dialect, word)] == []


# The validator is laxer than RFC 6570.
@pytest.mark.parametrize("name", [name for name in STRINGS if name != "uri-template"])
def test_random_neighbours_of_valid_texts_are_judged_alike(name: str) -> None:
    """One character of a word is changed, lost or doubled: what is exact agrees, what is narrowed accepts no more."""
    each = known(name)
    words = Words(each.dfa, seed=3)
    dice = random.Random(4)
    for _ in range(1500):
        word = words.draw() or "x"
        at = dice.randrange(len(word))
        changed = word[:at] + dice.choice(["", word[at] * 2, *"0159aFgZ-.:/@+ T%{[\\"]) + word[at + 1 :]
        valid = judged(name, "draft2020-12", changed)
        if each.dfa.accepts(changed):
            assert valid, changed
        elif each.exact:
            assert not valid, changed
        elif valid:
            assert each.outer_dfa.accepts(changed), changed


def test_random_patterns_are_patterns_with_the_u_flag() -> None:
    words = Words(known("regex").dfa, seed=5)
    for _ in range(1500):
        regress.Regex(words.draw(), flags="u")


# -- arithmetic ----------------------------------------------------------------------------------------------------


def test_dates_are_the_calendar() -> None:
    dfa = known("date").dfa
    for year in (0, 1, 4, 96, 100, 200, 300, 400, 1582, 1600, 1899, 1900, 1904, 2000, 2023, 2024, 2100, 2400, 9999):
        for month, day in itertools.product(range(14), range(33)):
            exists = 1 <= month <= 12 and 1 <= day <= calendar.mdays[month] + (month == 2 and calendar.isleap(year))
            assert dfa.accepts(f"{year:04}-{month:02}-{day:02}") == exists
    assert all(dfa.accepts((date(1, 1, 1) + timedelta(days)).isoformat()) for days in range(0, 3_652_059, 97))
    assert sum(dfa.accepts(f"{year:04}-02-29") for year in range(10_000)) == 2425


def test_leap_seconds_are_the_last_of_a_day_in_utc() -> None:
    time, outer = known("time").dfa, known("time").outer_dfa
    assert "of whole and half hours, and of quarters from -12:00 to +14:00" in str(known("time").narrowing)
    for hour, minute, sign, east in itertools.product(range(24), range(60), (1, -1), range(0, 1440, 5)):
        text = f"{hour:02}:{minute:02}:60{'+' if sign > 0 else '-'}{east // 60:02}:{east % 60:02}"
        leap = (60 * hour + minute - sign * east) % 1440 == 1439
        in_use = -720 <= sign * east <= 840
        assert time.accepts(text) == (leap and (east % 30 == 0 or (east % 15 == 0 and in_use))), text
        assert outer.accepts(text), text


def test_ipv6_is_what_the_standard_library_reads() -> None:
    dfa = known("ipv6").dfa
    pieces = ["", "0", "ab", "12345", "1.2.3.4"]
    for count in range(1, 7):
        for parts in itertools.product(pieces, repeat=count):
            text = ":".join(parts)
            try:
                valid = bool(ipaddress.IPv6Address(text))
            except ValueError:
                valid = False
            assert dfa.accepts(text) == valid, text
    for before, after in itertools.product(range(9), range(9)):
        text = ":".join(["1"] * before) + "::" + ":".join(["1"] * after)
        assert dfa.accepts(text) == (before + after <= 7), text


def test_addresses_keep_within_the_length_of_a_path() -> None:
    longest = "a" * 64 + "@" + "a" * 63 + 4 * ("." + "a" * 30)
    dotted = ".".join("a" * 32) + longest[64:]
    assert known("email").dfa.accepts(dotted)
    assert not lengths.has_length(known("email").dfa, 255, None)
    assert not lengths.has_length(known("hostname").dfa, 254, None)


def test_patterns_match_as_in_another_engine() -> None:
    """The pattern as text, in an engine of its own, says what the automaton says."""
    for name in ("date-time", "ipv6", "hostname", "email", "idn-email", "uri", "iri-reference", "regex", "byte"):
        each = known(name)
        assert each.pattern is not None
        engine = regress.Regex(each.pattern, flags="u")
        for dfa in (each.dfa, ~each.dfa):
            words = Words(dfa, seed=6)
            for _ in range(150):
                word = words.draw()
                # A backtracking engine needs its time.
                if len(word) <= 25:
                    assert (engine.find(word) is not None) == each.dfa.accepts(word), word


# -- names -----------------------------------------------------------------------------------------------------------


def test_letters_of_names_are_valid_anywhere_and_stable() -> None:
    for spelled in (hosts.RIGHTWARD, hosts.LEFTWARD):
        for letter in parse(spelled).tree.chars:  # type: ignore[union-attr]
            idna.check_label(letter * 2)
            assert idna.encode(letter).startswith(b"xn--")


@pytest.mark.parametrize(
    ("label", "alphabet", "before", "count", "at_least"),
    [
        (hosts.RIGHTWARD_LABEL, hosts.RIGHTWARD, 4, 9, 55),
        (hosts.RIGHTWARD_LABEL, hosts.RIGHTWARD, 0, 9, 45),
        (hosts.LEFTWARD_LABEL, hosts.LEFTWARD, 0, 14, 50),
    ],
)
def test_longest_labels_fit_when_encoded(label: str, alphabet: str, before: int, count: int, at_least: int) -> None:
    """Letters that cost most in Punycode are sought by climbing from a random word, one letter changed at a time."""
    dice = random.Random(7)
    letters = list(parse(alphabet).tree.chars)  # type: ignore[union-attr]
    matcher = regress.Regex(f"^(?:{label})$", flags="u")
    word = [dice.choice(letters) for _ in range(count)]
    longest = 0
    for _ in range(2000):
        at = dice.randrange(count)
        kept, word[at] = word[at], dice.choice(letters)
        text = "-".join(["a"] * before + word)
        assert matcher.find(text) is not None
        assert matcher.find(text + word[0]) is None
        length = len("xn--") + len(text.encode("punycode"))
        if length < longest:
            word[at] = kept
        longest = max(longest, length)
    assert at_least <= longest <= 63


def test_encoded_labels_are_a_matter_of_the_dialect() -> None:
    assert known("hostname", "draft4").dfa.accepts("xn--4gbwdl.xn--wgbh1c")
    assert known("hostname", "draft6").dfa.accepts("ab--cd.example")
    assert not known("hostname", "draft7").dfa.accepts("ab--cd.example")
    assert not known("hostname", "openapi3.0").dfa.accepts("xn--4gbwdl")


# -- the table -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", STRINGS)
def test_body_lies_within_outer_and_a_narrowing_names_the_rest(name: str) -> None:
    each = known(name)
    assert (each.dfa - each.outer_dfa).is_empty
    assert each.exact == (each.narrowing is None)
    assert each.exact == (each.dfa == each.outer_dfa)
    assert not each.dfa.is_empty
    assert not each.outer_dfa.is_universal


def test_numbers_and_hints() -> None:
    assert known("int32").bounds == (-(2**31), 2**31 - 1)
    assert known("int64").bounds == (-(2**63), 2**63 - 1)
    for name in ("float", "double"):
        assert (known(name).kind, known(name).bounds) == ("number", None)
    for name in ("binary", "password"):
        assert (known(name).kind, known(name).body) == ("string", None)
        assert known(name).dfa.is_universal


@pytest.mark.parametrize("name", ["", "phone", "DATE", "Date-Time", "host-name", "unknown"])
def test_unknown_formats(name: str) -> None:
    assert format_named(name, "draft2020-12") is None

"""String languages against brute force over short words, and what must not cost a state for every length."""

from __future__ import annotations

import time
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schema2gbnf.languages import lengths
from schema2gbnf.languages.automaton import automaton
from schema2gbnf.languages.charset import ANY as ANY_CHARACTER
from schema2gbnf.languages.charset import CharSet
from schema2gbnf.languages.dfa import NOTHING, UNIVERSAL, StateLimitError, of_words
from schema2gbnf.languages.ecma import parse
from schema2gbnf.languages.regex import Chars, Regex, Repeat, concat
from schema2gbnf.languages.strings import Piece, StringLanguage, counted, push_down

WORDS = ["".join(letters) for length in range(7) for letters in product("ab", repeat=length)]


def pattern(source: str) -> StringLanguage:
    return StringLanguage.of_pattern(parse(source))


def whole(source: str) -> Regex:
    """The tree of a pattern that is meant to match whole texts."""
    return parse(source).tree


def accepted(language: StringLanguage) -> set[str]:
    return {word for word in WORDS if language.accepts(word)}


PATTERNS = [
    *["^a*$", "b", "^a", "ab$", "^(ab)*$", "^(?!a)", "^[ab]{2}", "^.{1,70}$", "^b?a{0,90}$", "^a$|^.{3,100}$"],
    *["^(aa)*$", "^a?b*$", "bb|aa", "^(?:ab|a)b{0,80}$", "^a{70,}b$", "^(?:aa){3,99}$", "^$|^.{2,}$"],
]

leaves = st.one_of(
    st.tuples(st.integers(0, 5), st.none() | st.integers(0, 3)).map(
        lambda bounds: StringLanguage.of_lengths(bounds[0], None if bounds[1] is None else bounds[0] + bounds[1])
    ),
    st.sets(st.sampled_from(WORDS), max_size=4).map(StringLanguage.of_words),
    st.sampled_from(PATTERNS).map(pattern),
)
languages = st.recursive(
    leaves,
    lambda inner: st.one_of(
        st.tuples(inner, inner).map(lambda pair: pair[0] & pair[1]),
        st.tuples(inner, inner).map(lambda pair: pair[0] | pair[1]),
        st.tuples(inner, inner).map(lambda pair: pair[0] - pair[1]),
        inner.map(lambda language: ~language),
    ),
    max_leaves=6,
)


@settings(deadline=None)
@given(languages, languages)
def test_the_operators_are_those_of_sets(a: StringLanguage, b: StringLanguage) -> None:
    x, y = accepted(a), accepted(b)
    assert accepted(a & b) == x & y
    assert accepted(a | b) == x | y
    assert accepted(a - b) == x - y
    assert accepted(~a) == set(WORDS) - x


@settings(deadline=None)
@given(languages, languages)
def test_questions_about_two(a: StringLanguage, b: StringLanguage) -> None:
    assert a.equals((a & b) | (a - b))
    assert (~(a | b)).equals(~a & ~b)
    assert a.disjoint(b - a)
    assert a.disjoint(b) == (a & b).is_empty
    assert not a.disjoint(b) or not accepted(a) & accepted(b)
    assert not a.equals(b) or accepted(a) == accepted(b)
    assert (a & ~a) == StringLanguage.NONE
    assert (a | ~a) == StringLanguage.ANY


@settings(max_examples=300, deadline=None)
@given(languages)
def test_each_word_is_in_exactly_one_piece(language: StringLanguage) -> None:
    pieces = language.pieces
    for word in [*WORDS, "c", "a" * 80, "b" * 101]:
        holding = [piece for piece in pieces if _accepts(piece, word)]
        assert len(holding) == language.accepts(word)


def _accepts(piece: Piece, word: str) -> bool:
    return piece.core.accepts(word) and piece.low <= len(word) and (piece.high is None or len(word) <= piece.high)


@settings(max_examples=300, deadline=None)
@given(languages)
def test_pieces_counted_and_pushed_down_are_the_same_words(language: StringLanguage) -> None:
    found = NOTHING
    for piece in language.pieces:
        multiplied = counted(piece, 30_000)
        assert multiplied is not None
        pushed = push_down(piece)
        assert pushed is None or automaton(pushed, search=False) == multiplied
        assert piece.plain is None or automaton(piece.plain, search=False) == piece.core
        found |= multiplied
    assert language.equals(StringLanguage.of_dfa(found))
    # Where no length is left to say, there is one piece, and equal languages are equal values.
    if not any(piece.is_bounded for piece in language.pieces):
        assert language.pieces == (() if found.is_empty else (Piece(found, 0, None),))


@settings(deadline=None)
@given(languages)
def test_emptiness_examples_and_words(language: StringLanguage) -> None:
    example = language.example()
    assert language.is_empty == (example is None)
    assert language.is_universal == (~language).is_empty
    if example is not None:
        assert language.accepts(example)
        assert all(len(example) <= len(word) for word in accepted(language))
    words = language.words(40)
    if words is not None:
        assert language.is_finite
        assert list(words) == sorted(set(words))
        assert {word for word in words if len(word) < 7 and set(word) <= set("ab")} == accepted(language)
    elif language.is_finite:
        size = sum(len(counted(piece, 30_000).words(10**9) or ()) for piece in language.pieces if piece.core.is_finite)
        assert size > 40 or not all(piece.core.is_finite for piece in language.pieces)


# -- lengths stay symbolic ---------------------------------------------------------------------------------------------

LARGE = [
    ("^[a-z]{1,5000}$", 2, 1, 5000),
    ("^.{0,65535}$", 2, 0, 65535),
    ("^.{65536,}$", 2, 65536, None),
    ("^a[b-z]{0,5000}c$", 4, 0, 5002),
    ("^(?:ab){100,200}$", 3, 200, 400),
    ("^[^]{10,999}$", 1, 10, 999),
]


@pytest.mark.parametrize(("source", "states", "low", "high"), LARGE)
def test_a_big_counter_is_a_bound_on_the_length(source: str, states: int, low: int, high: int | None) -> None:
    (piece,) = pattern(source).pieces
    assert len(piece.core.moves) <= states
    assert (piece.low, piece.high) == (low, high)
    assert push_down(piece) == whole(source[1:-1])
    if max(low, high or 0) < 6000:
        assert automaton(parse(source).tree) == counted(piece, 20_000)


def test_small_counters_are_states() -> None:
    (piece,) = pattern("^[a-z]{1,20}$").pieces
    assert not piece.is_bounded
    assert piece.core == automaton(parse("^[a-z]{1,20}$").tree)


@pytest.mark.parametrize("source", [".{1,5000}", "^[^]{3,70000}", "a{1,9999}$", "(?:x{0,5000}y{0,5000})"])
def test_a_big_counter_beside_any_text_needs_only_its_lower_bound(source: str) -> None:
    assert pattern(source).size() <= 6


def test_lengths_alone_cost_nothing() -> None:
    start = time.process_time()
    short, long = StringLanguage.of_lengths(0, 65536), StringLanguage.of_lengths(10**12, None)
    assert short.disjoint(long)
    assert (~short).pieces == (Piece(UNIVERSAL, 65537, None),)
    assert (short | long).size() == 3
    assert (short & pattern("^[a-z]+(?:-[a-z]+)*$")).pieces[0].high == 65536
    assert (long & pattern("^(?:abc|de)*$")).is_empty is False
    assert (long & pattern("^(?:abc)*$") & StringLanguage.of_lengths(0, 10**12)).is_empty
    assert not (long & pattern("^(?:abc)*$") & StringLanguage.of_lengths(0, 10**12 + 2)).is_empty
    assert (long & pattern("^[a-z]{1,5000}$")).is_empty
    assert time.process_time() - start < 2


def test_bounds_that_the_core_implies_are_dropped() -> None:
    uuid = pattern("^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$")
    assert uuid & StringLanguage.of_lengths(36, 36) == uuid
    assert uuid & StringLanguage.of_lengths(1, 500) == uuid
    assert (uuid & StringLanguage.of_lengths(0, 35)).is_empty
    assert pattern("^a+$") & StringLanguage.of_lengths(1, None) == pattern("^a+$")
    (piece,) = (pattern("^aa+$") & StringLanguage.of_lengths(1, 9)).pieces
    assert (piece.low, piece.high) == (0, 9)


def test_the_complement_of_bounded_words() -> None:
    language = ~(pattern("^a+$") & StringLanguage.of_lengths(2, 3))
    assert [language.accepts(word) for word in ["", "a", "aa", "aaa", "aaaa", "ab"]] == [
        True,
        True,
        False,
        False,
        True,
        True,
    ]
    assert ~language == pattern("^a+$") & StringLanguage.of_lengths(2, 3)


def test_what_all_lengths_have_in_common_is_said_once() -> None:
    digits = pattern("^[0-9]+$")
    language = digits | (pattern("^[a-f]+$") & StringLanguage.of_lengths(0, 20))
    common, rest = language.pieces
    assert common == Piece(digits.steps[0].core, 0, None)
    assert (rest.low, rest.high) == (0, 20)
    assert digits.disjoint(StringLanguage.of_dfa(rest.core))


def test_the_regex_is_kept_through_lengths_only() -> None:
    slug = pattern("^[a-z]+$")
    bounded = slug & StringLanguage.of_lengths(3, 9)
    assert slug.pieces[0].plain == whole("[a-z]+")
    assert bounded.pieces[0].plain == whole("[a-z]+")
    assert push_down(bounded.pieces[0]) == whole("[a-z]{3,9}")
    assert (bounded - StringLanguage.of_words(["abc"])).pieces[0].plain is None
    assert (~slug).pieces[0].plain is None
    assert pattern("^(?!a)[a-z]+$").pieces[0].plain is None


def test_equal_languages_know_their_own_regexes() -> None:
    one, two = pattern("^(?:a|b)+$"), pattern("^[ab]+$|^[ab]$")
    assert one == two
    bound = StringLanguage.of_lengths(0, 5)
    assert (one & bound).pieces[0].plain == whole("[ab]+")
    assert (two & bound).pieces[0].plain == whole("[ab]+|[ab]")


def test_lengths_count_code_points() -> None:
    one = StringLanguage.of_lengths(1, 1)
    assert one.accepts("😀")
    assert not one.accepts("e\u0301")


def test_words_of_bounded_languages() -> None:
    digits = pattern("^[01]*$")
    assert (digits & StringLanguage.of_lengths(0, 2)).words(7) == ("", "0", "00", "01", "1", "10", "11")
    assert (digits & StringLanguage.of_lengths(0, 2)).words(6) is None
    assert (digits & StringLanguage.of_lengths(0, 10**9)).words(1000) is None
    assert digits.words(1000) is None
    assert StringLanguage.of_lengths(0, 0).words(1) == ("",)
    assert StringLanguage.NONE.words(0) == ()


def test_examples_reach_far() -> None:
    assert StringLanguage.NONE.example() is None
    assert StringLanguage.ANY.example() == ""
    assert (pattern("^[a-z]*9$") & StringLanguage.of_lengths(5000, None)).example() == "a" * 4999 + "9"
    with pytest.raises(StateLimitError):
        StringLanguage.of_lengths(10**12, None).example()


def test_past_the_limit_is_an_error() -> None:
    with pytest.raises(StateLimitError):
        StringLanguage.of_pattern(parse("(a|b)*a(a|b){12}$"), 1000)
    assert counted(Piece(UNIVERSAL, 0, 5000), 1000) is None


@pytest.mark.parametrize(("low", "high", "word"), [(0, 128, "a" * 32), (8, None, "a")])
def test_a_bound_that_a_pattern_nearly_keeps_takes_few_states(low: int, high: int | None, word: str) -> None:
    core = automaton(parse("^[a-z]{1,32}(?:-[a-z]{1,32}){3}$").tree)
    multiplied = counted(Piece(core, low, high), 1000)
    assert multiplied is not None
    edge = "-".join([word] * 4)
    for text in (edge, edge[:-1], f"{edge}a"):
        within = low <= len(text) and (high is None or len(text) <= high)
        assert multiplied.accepts(text) == (core.accepts(text) and within)
    assert len(multiplied.moves) < 600


# -- bounds pushed down ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("source", "low", "high", "result"),
    [
        (r"[\w-][\w/-]*[\w-]", 0, 20, r"[\w-][\w/-]{0,18}[\w-]"),
        ("[a-z]+", 3, None, "[a-z]{3,}"),
        ("[a-z]{2,9}", 1, 5, "[a-z]{2,5}"),
        ("(?:ab)*", 3, 7, "(?:ab){2,3}"),
        ("https?://[a-z]+", 0, 12, "http://[a-z]{1,5}|https://[a-z]{1,4}"),
        ("[a-z]+|[0-9]{5}", 2, 4, "[a-z]{2,4}"),
        ("[a-z]+(?:-[0-9]{2})?", 0, 5, "[a-z]{1,5}|[a-z]{1,2}-[0-9]{2}"),
        ("[a-z]+[0-9]{1,2}", 4, 6, "[a-z]{3,5}[0-9]|[a-z]{2,4}[0-9]{2}"),
        ("abc", 1, 2, "[]"),
        ("abc", 1, 3, "abc"),
        ("", 0, 0, ""),
    ],
)
def test_a_bound_goes_into_the_one_part_that_varies(source: str, low: int, high: int | None, result: str) -> None:
    assert lengths.push_down(whole(source), low, high) == whole(result)


@pytest.mark.parametrize("source", ["a*b*", "(?:a|bc)*", "(?:-[a-z]+)+", "a*b{0,9}c*", "(?:a?b?c?d?e?f?g?h?)"])
def test_two_parts_that_vary_cannot_share_a_bound(source: str) -> None:
    assert lengths.push_down(whole(source), 0, 5) is None


@pytest.mark.parametrize("low", [0, 1, 5])
@pytest.mark.parametrize("high", [0, 3, 6, None])
@pytest.mark.parametrize(
    "source", ["a*b", "(?:aa|b)a*", "a?b?[^]*", "(?:ab?){1,2}b*", "(?:aa)+b?", "a{2,4}(?:|b|bb)", "a+|b+|ab"]
)
def test_pushing_down_is_exact(source: str, low: int, high: int | None) -> None:
    pushed = lengths.push_down(whole(source), low, high)
    assert pushed is not None
    multiplied = lengths.counted(automaton(whole(source), search=False), low, high, 1000)
    assert automaton(pushed, search=False) == multiplied


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("[a-z]{3,5000}", ("[a-z]*", 3, 5000)),
        ("ab(?:cd){70,}e", ("ab(?:cd)*e", 143, None)),
        ("a{3,9}", None),
        ("a*b{3,999}", None),
        ("(?:a|bc){3,999}", None),
        ("a{1,99}b{1,99}", None),
        ("a{99}b", ("a*b", 100, 100)),
    ],
)
def test_pulling_a_big_counter_out(source: str, found: tuple[str, int, int | None] | None) -> None:
    expected = None if found is None else (whole(found[0]), *found[1:])
    assert lengths.pull_out(whole(source)) == expected


@given(st.sampled_from(WORDS), st.sampled_from(WORDS), st.integers(0, 30), st.none() | st.integers(0, 6))
def test_whether_words_of_some_length_exist(u: str, v: str, low: int, extra: int | None) -> None:
    core = automaton(parse(f"^(?:{u}|{v})*$").tree)
    reachable = (
        {a * len(u) + b * len(v) for a in range(40) for b in range(40)} if u != v else {a * len(u) for a in range(40)}
    )
    high = None if extra is None else low + extra
    expected = any(low <= length and (high is None or length <= high) for length in reachable)
    if high is None and not (u or v):
        expected = low == 0
    assert lengths.has_length(core, low, high) == expected


def test_questions_about_lengths_are_bounded() -> None:
    # Loops of many prime lengths: the sets of states do not repeat for billions of letters.
    primes = [61, 67, 71, 73, 79, 83, 89, 97, 101, 103]
    core = automaton(parse("^(?:" + "|".join(f"(?:{chr(97 + i)}{{{p}}})+" for i, p in enumerate(primes)) + ")$").tree)
    with pytest.raises(StateLimitError):
        lengths.has_length(core, 10**15, 10**15)


def test_width() -> None:
    any_one = Chars(ANY_CHARACTER)
    assert lengths.width(concat([any_one, Repeat(Chars(CharSet.of("a")), 3, 3)])) == 4
    assert lengths.width(whole("ab|cd")) == 2
    assert lengths.width(whole("ab|c")) is None
    assert lengths.width(whole("a*")) is None
    assert lengths.width(whole("[]")) is None


def test_of_words_and_of_dfa() -> None:
    assert StringLanguage.of_words(["b", "a"]).words(2) == ("a", "b")
    assert StringLanguage.of_dfa(of_words(["x"])) == pattern("^x$")
    assert StringLanguage.of_words([]) == StringLanguage.NONE
    assert pattern("") == StringLanguage.ANY

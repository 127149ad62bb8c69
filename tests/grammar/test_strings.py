"""String languages in print: exactly the strings, in forms that are read well and fast, and a word on what is lost."""

from __future__ import annotations

import json
import random
import time

import pytest

from schema2gbnf.cost import readings
from schema2gbnf.gbnf.match import Matcher
from schema2gbnf.gbnf.write import write
from schema2gbnf.grammar.drafts import Draft
from schema2gbnf.grammar.rules import Expr, Literal, Ref, sequence
from schema2gbnf.grammar.strings import any_char, string, string_body, string_rest
from schema2gbnf.languages.charset import SURROGATES
from schema2gbnf.languages.dfa import Dfa, StateLimitError
from schema2gbnf.languages.ecma import PatternError, parse
from schema2gbnf.languages.strings import StringLanguage
from tests.corpus.patterns import patterns
from tests.engine import Engine
from tests.grammar.readings import drafted
from tests.grammar.readings import readings as count


def matching(pattern: str) -> StringLanguage:
    return StringLanguage.of_pattern(parse(pattern))


def lengths(low: int, high: int | None) -> StringLanguage:
    return StringLanguage.of_lengths(low, high)


WORDS = StringLanguage.of_words
ANY = StringLanguage.ANY


def printed(language: StringLanguage, *, canonical: bool = False, limit: int = 2000) -> tuple[str, list[str]]:
    """The grammar of the language and what was said of losses."""
    losses: list[str] = []

    def make(draft: Draft) -> Expr:
        return string(language, draft, "s", canonical=canonical, limit=limit, loosen=losses.append)

    return write(drafted(make)), losses


def exact(language: StringLanguage, *, canonical: bool = False) -> Matcher:
    losses: list[str] = []
    grammar = drafted(lambda draft: string(language, draft, "s", canonical=canonical, loosen=losses.append))
    assert not losses
    return Matcher(grammar)


def quoted(word: str) -> str:
    return json.dumps(word, ensure_ascii=False)


FORMS = [
    (ANY, "string"),
    (lengths(0, 80), r'"\"" char{0,80} "\""'),
    (lengths(3, 3), r'"\"" char{3} "\""'),
    (lengths(1, None), r'"\"" char string-rest'),
    (lengths(0, 5000), r'"\"" (char-250{0,19} char{0,249} | char-250{20}) "\""'),
    (WORDS(["red", "green"]), r'"\"" ("green" | "red") "\""'),
    (matching("^(red|green)$"), r'"\"" ("green" | "red") "\""'),
    (matching("^pkg:"), r'"\"pkg:" plain-rest'),
    (matching("^[a-z]+$"), r'"\"" [a-z]+ "\""'),
    (matching("^[a-z]+$") & lengths(2, 20), r'"\"" [a-z]{2,20} "\""'),
    (matching("^[a-z][a-z0-9-]*$") & lengths(0, 40), r'"\"" [a-z] [0-9a-z-]{0,39} "\""'),
    (matching("^https://") & lengths(0, 100), r'"\"https://" plain-char{0,92} "\""'),
    (matching("^([a-z]{2}-){2,3}$"), r'"\"" s-part{2,3} "\""'),
    (matching("a"), r'"\"" s-next'),
    (matching("[a-z]{162}"), r'"\"" s-0'),
    (matching("^.*$"), r'"\"" line-rest'),
    (matching("^.+$") & lengths(0, 9), r'"\"" line-char{1,9} "\""'),
    (matching(r"^\d{3}-\d{4}$"), r'"\"" [0-9]{3} "-" [0-9]{4} "\""'),
    (matching("^a+a+$"), r'"\"" "a"{2,} "\""'),
    (matching('^"$'), r'"\"\\\"\""'),
]


@pytest.mark.parametrize(("language", "root"), FORMS, ids=[root for _, root in FORMS])
def test_the_form_is_plain(language: StringLanguage, root: str) -> None:
    text, losses = printed(language)
    assert text.split("\n")[0] == f"root ::= {root}"
    assert not losses


def test_the_closing_quote_is_tried_first_and_the_many_characters_last() -> None:
    text, _ = printed(ANY)
    assert r'string-rest ::= "\"" | char string-rest' in text
    assert r"char ::= escape | [^" in text


LANGUAGES = {
    "any": ANY,
    "short": lengths(1, 3),
    "words": WORDS(["", "a", '"', "\n", "aé"]),
    "not words": ~WORDS(["a", "ab", '"']),
    "not words, short": ~WORDS(["a", "ab", '"']) & lengths(1, 2),
    "not words, long": ~WORDS(["a", "ab", '"']) & lengths(2, 70_000),
    "not words, from": ~WORDS(["a", "abc"]) & lengths(3, None),
    "pattern": matching('^[ab"]*$'),
    "found": matching("ab|\n"),
    "two": matching("^a") | lengths(2, 3),
    "either": matching("^a.*b$") | matching("^é{2,}$") & lengths(0, 3),
    "not found": ~matching("b"),
    "ambiguous": matching("^(a+b?)+$"),
    "nullable": matching("^(a?b?){2,3}$"),
    "look": matching("^(?!ab)[ab]{2,3}$"),
    "without": lengths(0, 2) - matching("^a"),
    "line": matching("^.{1,2}$"),
    "escaped": matching('^[\\x00-\\x1f"\\\\]+$'),
}


@pytest.mark.parametrize("canonical", [False, True], ids=["", "canonical"])
@pytest.mark.parametrize("name", LANGUAGES)
def test_short_strings_are_read_once_or_not_at_all(name: str, canonical: bool) -> None:
    language = LANGUAGES[name]
    losses: list[str] = []
    grammar = drafted(lambda draft: string(language, draft, "s", canonical=canonical, loosen=losses.append))
    assert not losses
    for size in range(4):
        for number in range(6**size):
            word = "".join('ab"\né\u2028'[number // 6**place % 6] for place in range(size))
            ways = count(grammar, quoted(word))
            assert (ways > 0) == language.accepts(word), word
            assert ways <= 1, word


@pytest.mark.parametrize("name", LANGUAGES)
def test_bodies_and_rests_are_strings_without_quotes(name: str) -> None:
    language = LANGUAGES[name]

    def from_body(draft: Draft) -> Expr:
        return sequence(Literal('"'), string_body(language, draft, "s", loosen=pytest.fail), Literal('"'))

    def from_rest(draft: Draft) -> Expr:
        return sequence(Literal('"'), string_rest(language, draft, "s", loosen=pytest.fail))

    bodies, rests = Matcher(drafted(from_body)), Matcher(drafted(from_rest))
    for word in ("", "a", "ab", "ba", "aab", '"', "\n", "é", "éé", "a\n", "abc", "x" * 60):
        assert bodies.accepts(quoted(word)) == rests.accepts(quoted(word)) == language.accepts(word), word


@pytest.mark.parametrize("language", [ANY, lengths(1, 1), lengths(1, None)])
def test_names_are_canonical_and_free_strings_are_not(language: StringLanguage) -> None:
    free, names = exact(language), exact(language, canonical=True)
    for text in (r'"\u0061"', r'"\/"', r'"\uD83D\uDE00"', r'"\u000A"'):
        assert free.accepts(text)
        assert not names.accepts(text)
    for matcher in (free, names):
        assert matcher.accepts(r'"\n"')
        assert not matcher.accepts(r'"\uD83D"')


def test_a_declared_name_cannot_be_smuggled() -> None:
    matcher = exact(~WORDS(["kind"]), canonical=True)
    assert matcher.accepts('"kin"')
    assert not matcher.accepts('"kind"')
    assert not matcher.accepts(r'"k\u0069nd"')


@pytest.mark.parametrize(
    "pattern",
    ["a", "abab", "on|off", "[a-f]{3}", "^.*@.*$", r"^\S+@\S+\.\S+$", "^x|y$", "^(a|ab)(c|bc)*$", "^.+/.+$"],
)
@pytest.mark.parametrize("high", [None, 40])
def test_a_pattern_is_found_in_one_way(pattern: str, high: int | None) -> None:
    language = matching(pattern) & lengths(0, high)
    found = readings(drafted(lambda draft: string(language, draft, "s", loosen=pytest.fail)))
    assert (found.ambiguity, found.growth) == (None, None)


@pytest.mark.parametrize("pattern", ["((c1d3g3).{4,8}){6}", "one|two|three|four|five|six|seven"])
def test_what_takes_much_to_tell_apart_is_told(pattern: str) -> None:
    notes: list[str] = []
    for _ in range(2):
        string_rest(matching(pattern), Draft(), "s", loosen=pytest.fail, note=notes.append)
    message = "some strings are read in several ways: telling them apart takes too many rules or branches"
    assert notes == [message, message]


def test_what_comes_before_so_many_of_a_class_is_counted() -> None:
    text, _ = printed(matching("[0-9a-f]{162}"))
    assert r's-0 ::= [0-9a-f]{162} plain-rest | [0-9a-f]{0,161} (plain-escape | [^"0-9\\a-f\x00-\x1F]) s-0' in text


@pytest.mark.parametrize("high", [0, 1, 2000, 2001, 65_536])
def test_lengths_are_exact_at_the_edge(high: int) -> None:
    matcher = exact(lengths(0, high))
    assert matcher.accepts(quoted("x" * high))
    assert not matcher.accepts(quoted("x" * (high + 1)))


def test_a_million_characters_load_at_once() -> None:
    text, losses = printed(lengths(0, 1_000_000))
    assert not losses
    assert len(text) < 500
    with Engine() as engine:
        start = time.thread_time()
        assert engine.load(text) is not None
        assert time.thread_time() - start < 0.1


# -- what is given up -------------------------------------------------------------------------------------------------


def test_an_upper_bound_is_given_up_before_a_lower_one() -> None:
    language = matching("^([a-c]+,)*[a-c]+$") & lengths(10, 5000)
    text, losses = printed(language)
    assert losses == ["at most 5000 characters, counted in a pattern, take more than 2000 states"]
    losses = []
    matcher = Matcher(drafted(lambda draft: string(language, draft, "s", loosen=losses.append)))
    assert matcher.accepts(quoted("a," * 10 + "a"))
    assert not matcher.accepts(quoted("a,a"))
    assert len(text) < 5000


def test_no_empty_word_is_said_in_the_pattern() -> None:
    language = matching("^(a|bc)*(d|ef)*$") & lengths(1, None)
    text, losses = printed(language)
    assert (text, losses) == ('root ::= "\\"" (("a" | "bc")+ ("d" | "ef")* | ("d" | "ef")+) "\\""\n', [])


def test_both_bounds_are_given_up_when_nothing_else_helps() -> None:
    _, losses = printed(matching("^([a-c]+,)*[a-c]+$") & lengths(4000, 5000))
    assert len(losses) == 2


def test_a_pattern_of_too_many_states_is_given_up() -> None:
    language = matching("^(?!x)[ab]*a[ab]{7}$")
    assert not printed(language)[1]
    text, losses = printed(language, limit=10)
    assert losses == ["a pattern takes more than 100 states"]
    assert text.startswith("root ::= string\n")


# -- what real schemas ask ---------------------------------------------------------------------------------------------


def near(dfa: Dfa, rng: random.Random) -> str:
    """A word of the automaton, or one that misses it by a character."""
    graph, state, word = dfa.edges(), 0, ""
    while len(word) < 60 and graph[state] and not (dfa.accepting[state] and rng.random() < 0.3):
        target, chars = rng.choice(list(graph[state].items()))
        low, high = rng.choice(chars.ranges)
        word += chr(rng.randint(low, min(high, low + 300)))
        state = target
    word = "".join(char for char in word if char not in SURROGATES)
    if rng.random() < 0.5:
        place = rng.randrange(len(word) + 1)
        word = word[:place] + rng.choice(["", "x", '"', "\n", "é", "-"]) + word[place + 1 :]
    return word


@pytest.mark.parametrize("complement", [False, True], ids=["", "complement"])
def test_the_engine_reads_patterns_of_the_corpus_alike(complement: bool) -> None:
    rng = random.Random(20)
    sizes: list[int] = []
    with Engine() as engine:
        for pattern in rng.sample(patterns(), 150):
            try:
                language = matching(pattern)
            except (PatternError, StateLimitError):
                continue
            if complement:
                language = ~language
            if language.is_empty:
                continue
            text, losses = printed(language)
            assert not losses, pattern
            sizes.append(len(text))
            grammar = engine.load(text)
            assert grammar is not None, pattern
            core = max(
                (step.core for step in language.steps if not step.core.is_empty), key=lambda core: len(core.moves)
            )
            for _ in range(8):
                word = near(core, rng)
                assert engine.accepts(grammar, quoted(word)) == language.accepts(word), (pattern, word)
    assert sorted(sizes)[len(sizes) // 2] < (800 if complement else 100)
    assert sorted(sizes)[len(sizes) * 95 // 100] < (4500 if complement else 1000)


def test_characters_stand_alone() -> None:
    assert any_char(Draft(), canonical=True) == Ref("plain-char")
    assert any_char(Draft(), canonical=False) == Ref("char")

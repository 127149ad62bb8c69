"""Automata of patterns, judged by `regress` (ECMA-262) on words from them, words nearly from them, and short words."""

from __future__ import annotations

import json
import lzma
import time
from collections.abc import Iterator
from itertools import product
from random import Random

import pytest
import regress
from hypothesis import given, settings
from hypothesis import strategies as st

from schema2gbnf.languages.anchors import plain
from schema2gbnf.languages.automaton import automaton
from schema2gbnf.languages.dfa import NOTHING, UNIVERSAL, Dfa, StateLimitError, of_words
from schema2gbnf.languages.ecma import PatternError, parse
from tests.data import data


def near_words(automaton: Dfa, rng: Random, alphabet: str, walks: int) -> Iterator[str]:
    """Words found by walking the automaton, the same with one character changed, and short random words."""
    sets, live = automaton.letter_sets(), automaton.live()
    for _ in range(walks):
        state, word = 0, ""
        for _ in range(rng.choice([3, 8, 20, 40])):
            if automaton.accepting[state] and rng.random() < 0.3:
                break
            row = automaton.moves[state]
            choices = [letter for letter, target in enumerate(row) if target in live or rng.random() < 0.05]
            if not choices:
                break
            letter = rng.choice(choices)
            low, high = rng.choice(sets[letter].ranges)
            point = rng.randint(low, min(high, low + 60) if rng.random() < 0.9 else high)
            # The judge reads UTF-8, which has no surrogates.
            if 0xD800 <= point <= 0xDFFF:
                break
            word += chr(point)
            state = row[letter]
        yield word
        if word:
            place = rng.randrange(len(word))
            yield word[:place] + word[place + 1 :]
            yield word[:place] + rng.choice(alphabet) + word[place:]
            yield word[:place] + rng.choice(alphabet) + word[place + 1 :]
        yield "".join(rng.choice(alphabet) for _ in range(rng.randrange(7)))


def assert_found_as_judged(source: str, walks: int) -> None:
    pattern = parse(source)
    automaton_ = automaton(pattern.tree)
    judge = regress.Regex(source, "" if pattern.annex_b else "u")
    alphabet = "".join(sorted({*source, *"ab1 _\n-é😀"}))
    for word in near_words(automaton_, Random(source), alphabet, walks):
        assert automaton_.accepts(word) == (judge.find(word) is not None), (source, word)
    whole = plain(pattern.tree)
    if whole is not None:
        assert automaton(whole, search=False) == automaton_, source


PATTERNS = [
    *["", "^", "$", "^$", "$^", "a", "^a", "a$", "^a$", "^ab|b$", "^(?:ab|b)$", "(?:^|b)a(?:$|1)", "(?:a|^)(?:b|$)"],
    *["^^a$$", "(^a)?b", "(^|a)+b", "a(?:$)", "a$b", "a^b", "(?:a$|b)+", "^.$", "^.*$", "[^]", "[^]$", "[]", "a|[]"],
    *["a{2,3}b", "^a{2,3}$", "(?:a?){3}b", "(?:a*b?)*1", "^(?:a|ab)(?:1|b1)$", "^(?:ab){2,}$", "a*?b+?", "(?:){3}"],
    *[
        r"\d\D",
        r"\w\W",
        r"\s\S",
        r"[\W\d]a",
        r"[^\d]",
        r"^[\w.]+@[\w.]+$",
        r"\cJ",
        r"\x61\t?",
        r"\u{1F600}",
        r"\ud83d\ude00a",
    ],
    *["[\\u{1F600}-\\u{1F64F}]", "(?<n>a)b", r"a\-", r"\_}", r"^[\w-.]$", r"^\/\-$"],
    # Word boundaries.
    *[
        r"\bab\b",
        r"\Bab\B",
        r"\b",
        r"\B",
        r"^\B",
        r"^\b$",
        r"(?:\ba)+b",
        r"(?:a\B)+b",
        r"\b-",
        r"a\b\b-",
        r"a\b\B",
        r"^\Ba",
    ],
    # Look-ahead.
    *[
        "^(?!ab)",
        "^(?!ab$)a",
        "a(?=b)b",
        "(?=a)(?=b)",
        "(?=a)ab?",
        "^(?:(?!ab).)*$",
        "^(?:(?!a.*b)[ab1])*a$",
        "(?!$)b*$",
    ],
    *[
        "^(?=.*a)(?=.*b)(?=.*1).{3,5}$",
        "(?:(?=a.*b)a|b)+1",
        "(?!(?!a))b*",
        "(?!(?=a(?!b)))a1*",
        "(?=$)a*",
        "(?!a|b)",
        "(?!)",
    ],
    *[
        "(?:(?=a)|(?=b)){30}a",
        "(?:(?=a)|(?!b))*1",
        "(?=(?:a|b)*1)(?:ab)*",
        "(?:(?!b$)a|b)*$",
        r"(?=\b)a",
        r"(?!\b)a",
        "(?=^a).",
    ],
    # Look-behind.
    *[
        "(?<=a)b",
        "(?<!a)b",
        "(?<=^a*)b",
        "(?<!^)a",
        "(?<=a|b1)-",
        "(?<=(?:ab)*)1",
        "(?<!(?:ab){2})1$",
        "(?<=a$)",
        "(?<!b)$",
    ],
    *[
        r"(?<=\bb)a\b",
        r"(?<!\b)a",
        "^(?:a(?<=b*a)b)*$",
        "(?:(?<!ab)[ab])*$",
        "(?:(?<=a)b|(?<=b)a)+$",
        "(?<=.{3})a",
        "(?<=)a",
    ],
    # One inside another: the outer one waits for the inner one.
    *[
        "(?<=(?=ab)a)b",
        "(?<=a(?=b.*1))b",
        "(?<!a(?!b.*1))b",
        "(?<=(?<=a)b)1",
        "(?<=(?<!a)b)1$",
        "(?=(?<=a)b)b",
        "(?<=a(?=$))",
    ],
    *["(?!(?<=a)b|1)", "(?<!(?<!a)(?=b)b)1", "(?<=a(?!.*1).)b", "^(?=(?:a(?<!ba))*$)"],
]


@pytest.mark.parametrize("source", PATTERNS)
def test_patterns_are_found_where_ecma_262_finds_them(source: str) -> None:
    assert_found_as_judged(source, 60)


SHORT = ["".join(letters) for length in range(5) for letters in product("ab-", repeat=length)]

atoms = st.sampled_from(["a", "b", "ab", "[^a]", ".", r"\w", "-", "", "^", "$", r"\b", r"\B"])


def larger(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    looks = st.sampled_from(["(?=", "(?!", "(?<=", "(?<!"])
    return st.one_of(
        st.tuples(inner, inner).map("".join),
        st.tuples(inner, inner).map(lambda pair: f"(?:{pair[0]}|{pair[1]})"),
        st.tuples(looks, inner).map(lambda pair: f"{pair[0]}{pair[1]})"),
        # The judge goes astray in quantifiers three deep, so here they have only atoms inside.
        st.tuples(atoms, atoms, st.sampled_from(["*", "+", "?", "{2}", "{1,3}", "{2,}"])).map(
            lambda parts: f"(?:{parts[0]}|{parts[1]}){parts[2]}"
        ),
    )


@settings(max_examples=300, deadline=None)
@given(st.recursive(atoms, larger, max_leaves=7))
def test_random_patterns_are_found_as_judged(source: str) -> None:
    tree = parse(source).tree
    found = automaton(tree)
    judge = regress.Regex(source, "u")
    for word in SHORT:
        assert found.accepts(word) == (judge.find(word) is not None), word
    whole = plain(tree)
    assert whole is None or automaton(whole, search=False) == found


def test_patterns_of_real_schemas() -> None:
    sources: dict[str, None] = {}
    with lzma.open(data("maskbench.jsonl.xz"), "rt", encoding="utf-8") as lines:
        for line in lines:
            todo = [json.loads(line)["schema"]]
            while todo:
                node = todo.pop()
                if isinstance(node, dict):
                    pattern, patterns = node.get("pattern"), node.get("patternProperties")
                    sources.update(dict.fromkeys(patterns if isinstance(patterns, dict) else ()))
                    sources.update({pattern: None} if isinstance(pattern, str) else {})
                    todo.extend(node.values())
                elif isinstance(node, list):
                    todo.extend(node)
    refused = 0
    for source in Random(1).sample(list(sources), 250):
        try:
            assert_found_as_judged(source, 6)
        except (PatternError, StateLimitError):
            refused += 1
    assert refused <= 1


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("^(?:foo|bar)$", ["foo", "bar"]),
        ("^a{0,2}$", ["", "a", "aa"]),
        ("^[ab](?!b)[ab]$", ["aa", "ba"]),
        ("^(?=.b)(?:ab|ba|bb)$", ["ab", "bb"]),
        (r"^(?:a|b|-)\b(?:a|b|-)$", ["-a", "-b", "a-", "b-"]),
        (r"^[]$|^a\Bb", None),
    ],
)
def test_finite_patterns_are_their_words(source: str, words: list[str] | None) -> None:
    found = automaton(parse(source).tree)
    if words is None:
        assert not found.is_finite
    else:
        assert found == of_words(words)


@pytest.mark.parametrize(
    "source", [".*", "^[^]*", "(?:)", "a*", "(?=a*)", "(?!a)|a", r"\b|\B", "(?!(?!))", "^", "$", "(?:^|a)*"]
)
def test_patterns_found_everywhere(source: str) -> None:
    assert automaton(parse(source).tree) == UNIVERSAL


@pytest.mark.parametrize(
    "source", ["a^", "$a", "[]", "(?!)", "(?=a)b", r"a\bb", "/^[0-9]{4}$/", "(?<=a)^", r"\b\B", "(?!a|[^a]|$)"]
)
def test_patterns_found_nowhere(source: str) -> None:
    assert automaton(parse(source).tree) == NOTHING


def test_matching_the_whole_text_is_not_searching() -> None:
    tree = parse("a|b+").tree
    assert automaton(tree, search=False) == automaton(parse("^(?:a|b+)$").tree)


@pytest.mark.parametrize(
    ("source", "whole"),
    [
        ("^ab$", "ab"),
        ("ab", "[^]*ab[^]*"),
        ("^a|b$", "a[^]*|[^]*b"),
        ("^(?:a|b$)", "a[^]*|b"),
        ("(?:^|-)a", "[^]*-a[^]*|a[^]*"),
        ("(?:^a)?b", "ab[^]*|[^]*b[^]*"),
        # Σ* takes what it can.
        ("a{2,5}$", "[^]*a{2}"),
        ("(?:ab+)+", "[^]*ab[^]*"),
        ("a*b{0,3}", "[^]*"),
        ("[^]{3,}", "[^]*[^]{3}[^]*"),
        ("(?:a*|b)c", "[^]*c[^]*"),
    ],
)
def test_anchors_are_written_out_as_any_text(source: str, whole: str) -> None:
    assert plain(parse(source).tree) == parse(whole).tree


@pytest.mark.parametrize("source", ["a^b", "a$b", "(?:^a)+", r"\ba", "(?=a)", "(?<!a)b", "^(?:a$)*"])
def test_patterns_whose_anchors_stand_inside_have_no_plain_form(source: str) -> None:
    assert plain(parse(source).tree) is None


HOSTILE = [
    "(a|b)*a(a|b){18}$",
    "((a{1,100}b?){1,100}c?){1,100}$",
    "^(?:a?){1000}a{1000}$",
    "^(a*b*){1000000000000}$",
    "a{1000000000000}",
    "^" + "".join(f"(?=.*{chr(97 + place)})" for place in range(26)),
    "(?:(?=a)|(?=b))(?:(?=c)|(?=d))" * 12,
    "".join(f"(?:(?={chr(97 + place)})|(?={chr(65 + place)}))" for place in range(26)),
    r"^(?!.*://)(?=.{1,255}$)((.{1,63}\.){1,127}(?![0-9]*$)[a-z0-9-]+\.?)$",
    "(?<=(?:a|b)*a(?:a|b){16})c",
    "(?!" * 99 + "a" + ")" * 99,
    "(?<=" * 99 + "a" + ")" * 99,
    "(?=(?<!" * 49 + "a" + "))" * 49,
    "(?:a|(?:b" * 49 + "c" + "))" * 49,
    "(?:a|b(?:c" * 49 + "d" + ")*)+" * 49,
    "^" * 20_000,
    "(^|)" * 5_000,
    "^(?:" + "|".join(f"w{number * 7919 % 100003}" for number in range(4000)) + ")$",
    "a" * 20_000,
    "".join(f"[{chr(0x4E00 + 3 * place)}-{chr(0x4E05 + 5 * place)}]" for place in range(2000)),
    "^" + ".*" * 300 + "x$",
]


@pytest.mark.parametrize("source", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_patterns_end_soon(source: str) -> None:
    tree = parse(source).tree
    start = time.process_time()
    try:
        automaton(tree)
        plain(tree)
    except StateLimitError:
        pass
    assert time.process_time() - start < 8  # about 2 on an idle machine


def test_the_limit_is_the_callers() -> None:
    tree = parse("^a{90}$").tree
    assert len(automaton(tree, limit=100).moves) == 92
    with pytest.raises(StateLimitError):
        automaton(tree, limit=50)

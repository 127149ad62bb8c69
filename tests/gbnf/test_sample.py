"""That samples are sentences, come from their seed alone, reach every branch and always end."""

from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from schema2gbnf.gbnf import Matcher, Sampler, parse, samples
from schema2gbnf.grammar.rules import NOTHING, CharClass, Grammar, Literal, Ref, Repeat, alternation, repeat, sequence
from schema2gbnf.languages.charset import ANY, DIGIT, SURROGATES, TEXT, CharSet
from tests.gbnf.strategies import readable_grammars
from tests.gbnf.test_match import JSON

READINGS = 2000


@settings(max_examples=60)
@given(readable_grammars(), st.integers(0, 1000))
def test_samples_are_sentences(grammar: Grammar, seed: int) -> None:
    matcher = Matcher(grammar)
    assert all(accepts(matcher, text) for text in samples(grammar, 10, seed))


def accepts(matcher: Matcher, text: str) -> bool:
    """Whether the text is a sentence. Grammars whose readings double with every character are not looked at."""
    state = matcher.start()
    for character in text:
        state = matcher.advance(state, character)
        assume(len(state) < READINGS)
    return state.can_end


def test_samples_of_json_are_json_and_differ() -> None:
    matcher = Matcher(parse(JSON))
    texts = samples(parse(JSON), 300)
    assert all(map(matcher.accepts, texts))
    assert len(set(texts)) > 100
    assert {text[0] for text in texts} >= set('{["-tfn')


def test_a_seed_gives_the_same_samples_under_every_hash_seed() -> None:
    program = (
        "from schema2gbnf.gbnf import parse, samples; from tests.gbnf.test_match import JSON;"
        "import sys; sys.stdout.buffer.write(repr(samples(parse(JSON), 50, 7)).encode('utf-8', 'surrogatepass'))"
    )
    outputs = {
        subprocess.run(
            [sys.executable, "-c", program], env={"PYTHONHASHSEED": seed}, capture_output=True, check=True
        ).stdout
        for seed in ("1", "2")
    }
    assert outputs == {repr(samples(parse(JSON), 50, 7)).encode()}
    assert samples(parse(JSON), 50, 8) != samples(parse(JSON), 50, 7)


@pytest.mark.parametrize("seed", range(5))
def test_as_many_samples_as_branches_see_every_branch(seed: int) -> None:
    words = [f"word {number}" for number in range(40)]
    grammar = Grammar({"root": alternation(*map(Literal, words))})
    assert sorted(samples(grammar, 40, seed)) == sorted(words)


def test_counts_spread_from_the_lowest() -> None:
    few = {len(text) for text in samples(Grammar({"root": repeat(Literal("a"), 2, 9)}), 60)}
    assert {2, 3, 9} < few <= set(range(2, 10))
    many = {len(text) for text in samples(Grammar({"root": repeat(Literal("a"), 2, 1000)}), 60)}
    assert {2, 3} < many <= set(range(2, 8))
    unbounded = {len(text) for text in samples(Grammar({"root": repeat(Literal("a"), 0, None)}), 60)}
    assert {0, 1} < unbounded <= set(range(6))


def test_characters_are_edges_and_friendly_ones_and_others() -> None:
    any_but_quote = CharClass(TEXT - CharSet.of('"'))
    texts = "".join(samples(Grammar({"root": any_but_quote}), 400))
    assert {"\0", "!", "#", "\ud7ff", "\ue000", "\U0010ffff"} & set(texts)
    assert sum(text.isascii() and text.isalnum() for text in texts) > 150
    assert any(not text.isascii() for text in texts)
    assert not any(character in SURROGATES for character in "".join(samples(Grammar({"root": CharClass(ANY)}), 400)))


@pytest.mark.parametrize(
    "grammar",
    [
        'root ::= "(" root root root ")" | "x"',
        "root ::= x x x x\nx ::= root | root root | [a]",
        'root ::= ("[" root "]")* "."',
        "root ::= x\nx ::= y y y\ny ::= x | z z\nz ::= x | [a-z]*",
    ],
)
def test_recursion_ends(grammar: str) -> None:
    texts = samples(parse(grammar), 50)
    assert max(map(len, texts)) < 5000


def test_deep_grammars_are_sampled() -> None:
    rules = {f"r{number}": sequence(Literal("("), Ref(f"r{number + 1}"), Literal(")")) for number in range(5000)}
    grammar = Grammar({"root": Ref("r0"), **rules, "r5000": Literal("x")})
    assert samples(grammar, 1) == ("(" * 5000 + "x" + ")" * 5000,)


def test_a_part_without_a_text_is_gone_round() -> None:
    grammar = Grammar({"root": sequence(Repeat(NOTHING, 0, None), alternation(Literal("a"), CharClass(DIGIT)))})
    assert all(map(Matcher(grammar).accepts, samples(grammar, 10)))


@pytest.mark.parametrize(
    ("grammar", "rule"),
    [
        (Grammar({"root": Ref("root")}), "root"),
        (Grammar({"root": sequence(Literal("a"), Ref("root"))}), "root"),
        (Grammar({"root": Literal("a"), "x": alternation(Ref("y"), Ref("x")), "y": Ref("x")}), "x"),
        (Grammar({"root": NOTHING}), "root"),
        (
            Grammar(
                {"root": Ref("r0"), **{f"r{n}": repeat(Ref(f"r{n + 1}"), 2, 2) for n in range(99)}, "r99": Literal("a")}
            ),
            "root",
        ),
    ],
)
def test_rules_without_a_text_are_refused(grammar: Grammar, rule: str) -> None:
    with pytest.raises(ValueError, match=f"the rule {rule} has no text"):
        Sampler(grammar, 0)

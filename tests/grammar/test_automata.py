"""An automaton and its expression hold the same words, each word in one reading, in few characters."""

from __future__ import annotations

import itertools
import json
import random
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schema2gbnf.gbnf.match import Matcher
from schema2gbnf.gbnf.write import write
from schema2gbnf.grammar.automata import automaton, shortest_form, spellable, trie_of
from schema2gbnf.grammar.drafts import Draft
from schema2gbnf.grammar.equations import MAX_DEPTH, Graph, eliminate, right_linear
from schema2gbnf.grammar.folding import Spelling, depth, without_end
from schema2gbnf.grammar.rules import CharClass, Expr, Grammar, Literal, Ref, alternation, sequence
from schema2gbnf.grammar.strings import BARE, QUOTED
from schema2gbnf.languages.automaton import automaton as automaton_of
from schema2gbnf.languages.charset import SURROGATES, CharSet
from schema2gbnf.languages.dfa import NOTHING, UNIVERSAL, Dfa, minimal, of_words
from schema2gbnf.languages.ecma import parse
from tests.engine import Engine
from tests.grammar.readings import drafted, printed, readings

LETTERS = 'ab"\n'
WORDS = ["".join(word) for size in range(5) for word in itertools.product(LETTERS, repeat=size)]
CUTS = (0, 10, 11, 34, 35, 97, 98, 99)
INTERVALS = (4, 3, 4, 2, 4, 0, 1, 4)


def dfa_of(pattern: str) -> Dfa:
    return automaton_of(parse(pattern).tree)


def quoted(word: str) -> str:
    return json.dumps(word, ensure_ascii=False)


def grammar_of(dfa: Dfa, spelling: Spelling = QUOTED) -> Grammar:
    def make(draft: Draft) -> Expr:
        body = automaton(dfa, spelling, draft, "s")
        return sequence(Literal('"'), body) if spelling.end else sequence(Literal('"'), body, Literal('"'))

    return drafted(make)


@st.composite
def automata(draw: st.DrawFn) -> Dfa:
    """Automata of up to six states over a, b, the quote, the newline and all the rest."""
    size = draw(st.integers(1, 6))
    state = st.integers(0, size - 1)
    rows = [tuple(draw(st.tuples(state, state, state, state, state))) for _ in range(size)]
    reached = [0]
    for at in reached:  # grows while it is read
        reached += [target for target in dict.fromkeys(rows[at]) if target not in reached]
    number = {at: index for index, at in enumerate(reached)}
    moves = [tuple(number[target] for target in rows[at]) for at in reached]
    return minimal(CUTS, INTERVALS, moves, [draw(st.booleans()) for _ in reached])


@pytest.mark.parametrize("spelling", [BARE, QUOTED], ids=["bare", "quoted"])
@settings(deadline=None, max_examples=50)
@given(dfa=automata())
def test_every_word_has_one_reading_and_no_other_text_has_any(spelling: Spelling, dfa: Dfa) -> None:
    if dfa.is_empty:
        return
    grammar = grammar_of(dfa, spelling)
    for word in WORDS[:100]:
        assert readings(grammar, quoted(word)) == dfa.accepts(word), word
    assert readings(grammar, '"a') == readings(grammar, '"a\n"') == 0


@settings(deadline=None, max_examples=50)
@given(dfa=automata())
def test_both_forms_agree(dfa: Dfa) -> None:
    graph = Graph.of(dfa)
    closed = eliminate(graph, 10_000)
    assert closed is not None
    system = right_linear(graph)
    rules = {"root": without_end(system.root), **{str(q): without_end(body) for q, body in system.rules.items()}}
    for word in WORDS[:100]:
        assert readings(Grammar({"root": without_end(closed)}), word) == dfa.accepts(word), word
        assert readings(Grammar(rules), word) == dfa.accepts(word), word


def test_no_word_and_every_word() -> None:
    assert shortest_form(NOTHING).root == alternation()
    assert printed(lambda draft: automaton(UNIVERSAL, QUOTED, draft, "s")).startswith("root ::= plain-rest\n")


def test_surrogates_are_not_spelled() -> None:
    everything = spellable(UNIVERSAL)
    assert everything.accepts("a")
    assert not everything.accepts("\ud800")
    assert spellable(of_words(["a", "\udfff"])) == of_words(["a"])


# -- sizes -----------------------------------------------------------------------------------------------------------

SIZES = [
    # pattern, most characters and rules of the root and its states, shared rules left out
    ("^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$", 105, 1),
    ("^[0-9a-zA-Z_-]{1,255}$", 45, 1),
    (r"^\d{4}-[01]\d-[0-3]\dT[0-2]\d:[0-5]\d:[0-5]\d(\.\d+)?(Z|[+-]\d\d:\d\d)$", 170, 1),
    (r"^((25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)\.){3}(25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)$", 560, 11),
    (r"^(https?://)?[a-z0-9.-]+\.[a-z]{2,6}$", 460, 5),
    ("^pkg:", 30, 1),
    ("^[a-z_]+$", 25, 1),
    ("^(?!x-)", 130, 1),
    ("^(?!.*[Cc][Ll][Yy][Dd][Ee])", 800, 4),
    ("^(?!interactive|name|style).+$", 1500, 5),
    ("^(?!.*ab)[a-z]{3,8}$", 450, 13),
    ("^[a-z]{0,300}$", 30, 1),
    ("^(ab){2,70}$", 60, 2),
]
SHARED = re.compile(r"^(plain|line|nonspace)-\S+ ::= .*\n", re.MULTILINE)


@pytest.mark.parametrize(("pattern", "characters", "rules"), SIZES)
def test_automata_are_written_small(pattern: str, characters: int, rules: int) -> None:
    text = SHARED.sub("", printed(lambda draft: automaton(dfa_of(pattern), QUOTED, draft, "s")))
    assert len(text) <= characters
    assert text.count("::=") <= rules


def test_the_complement_of_names_is_a_trie() -> None:
    grammar = grammar_of(~of_words(["id", "if", "name"]))
    assert grammar.rules.keys() == {"root", "plain-char", "plain-escape", "plain-rest"}
    matcher = Matcher(grammar)
    for word in ("", "i", "idx", "ifx", "nam", "names", "n", "x", "é", '"', "\n"):
        assert matcher.accepts(quoted(word)), word
    for word in ("id", "if", "name"):
        assert not matcher.accepts(quoted(word)), word
    assert not matcher.accepts(r'"\u0069d"')


def test_twenty_names_take_a_few_kilobytes() -> None:
    names = "alpha beta gamma delta title name id type items value key count size width height color label index status"
    text = printed(lambda draft: automaton(~of_words(names.split()), QUOTED, draft, "key"))
    assert len(text) < 4500


def test_equal_automata_share_their_rules() -> None:
    draft = Draft()
    first = automaton(dfa_of("^(?!.*ab)[a-z]{3,8}$"), BARE, draft, "a")
    count = len(draft.rules)
    assert automaton(dfa_of("^(?!.*ab)[a-z]{3,8}$"), BARE, draft, "b") == first
    assert len(draft.rules) == count > 1


# -- words -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (["red"], 'root ::= "red"\n'),
        (["red", "green", "rose"], 'root ::= "green" | "r" ("ed" | "ose")\n'),
        (["on", "one", "only"], 'root ::= "on" ("e" | "ly")?\n'),
        (["alpha-id", "beta-id"], 'root ::= "alpha-id" | "beta-id"\n'),
        (["", "a"], 'root ::= "a"?\n'),
        ([str(n) for n in range(100)], None),
        ([f"{n:02}" for n in range(100)], "root ::= [0-9]{2}\n"),
        (['a"b', "a\\", "\n"], 'root ::= "\\\\n" | "a\\\\" ["\\\\]\n'),
    ],
)
def test_words_are_a_trie(words: list[str], text: str | None) -> None:
    found = printed(lambda draft: automaton(of_words(words), BARE, draft, "w"))
    if text is not None and '"b' not in words[0]:
        assert found == text
    matcher = Matcher(drafted(lambda draft: automaton(of_words(words), BARE, draft, "w")))
    for word in words:
        assert matcher.accepts(quoted(word)[1:-1])
    assert not matcher.accepts("x")
    assert not matcher.accepts(quoted(words[-1])[1:-1] + "x")


def test_tries_factor_beginnings_alone() -> None:
    a, b = CharClass(CharSet.of("a")), CharClass(CharSet.of("b"))
    assert trie_of(["ab", "b"]) == alternation(sequence(a, b), b)


# -- size of what comes in -------------------------------------------------------------------------------------------


def deepest(grammar: Grammar) -> int:
    return max(map(depth, grammar.rules.values()))


@pytest.mark.parametrize(
    "dfa",
    [
        of_words(["a" * size for size in range(0, 400, 2)]),
        of_words(["".join(random.Random(n).choices("ab", k=300)) for n in range(40)]),
        ~of_words(["".join(random.Random(n).choices("ab", k=300)) for n in range(3)]),
        of_words(["abc" * 700]),
    ],
    ids=["lengths", "long words", "not long words", "one long word"],
)
def test_nesting_is_bounded(dfa: Dfa) -> None:
    grammar = grammar_of(dfa)
    assert deepest(grammar) <= MAX_DEPTH + 6
    matcher = Matcher(grammar)
    for word in ("", "a", "aa", "aaa", "ab" * 150, "a" * 398, "a" * 400, "abc" * 700):
        assert matcher.accepts(quoted(word)) == dfa.accepts(word)


def test_large_automata_take_a_moment() -> None:
    rng = random.Random(3)
    words = ["".join(rng.choices("abcdefgh", k=12)) for _ in range(900)]
    dfa = of_words(words)
    matcher = Matcher(grammar_of(dfa))
    assert all(matcher.accepts(quoted(word)) for word in words[:50])
    assert not matcher.accepts(quoted(words[0][:-1]))


def test_the_engine_reads_the_same() -> None:
    patterns = [size[0] for size in SIZES] + [
        "a.*b",
        '^[^"]*"$',
        r"^\\+$",
        r"\d{3}\.",
        "(true|false)$",
        r"^[^\x00-\x1f]{2}",
    ]
    rng = random.Random(11)
    with Engine() as engine:
        for pattern in patterns:
            dfa = dfa_of(pattern)
            grammar = engine.load(write(grammar_of(dfa)))
            assert grammar is not None, pattern
            for _ in range(25):
                word = near(dfa, rng)
                assert engine.accepts(grammar, quoted(word)) == dfa.accepts(word), (pattern, word)


def near(dfa: Dfa, rng: random.Random) -> str:
    """A word of the automaton, or one that misses it by a character."""
    graph, state, word = dfa.edges(), 0, ""
    while len(word) < 40 and graph[state] and not (dfa.accepting[state] and rng.random() < 0.3):
        target, chars = rng.choice(list(graph[state].items()))
        low, high = rng.choice(chars.ranges)
        word += chr(rng.randint(low, min(high, low + 300)))
        state = target
    word = "".join(char for char in word if char not in SURROGATES)
    if word and rng.random() < 0.5:
        place = rng.randrange(len(word))
        word = word[:place] + rng.choice(["", "x", '"', "\n", "é"]) + word[place + 1 :]
    return word


def test_rules_do_not_depend_on_what_came_before() -> None:
    def rules(first: str) -> dict[str, Expr]:
        draft = Draft()
        draft.share("other", Literal(first))
        automaton(dfa_of("^(?!.*ab)[a-z]{3,8}$"), BARE, draft, "s")
        return {name: body for name, body in draft.rules.items() if name.startswith("s-")}

    assert rules("x") == rules("y")
    assert Ref("s-4").name in rules("x")

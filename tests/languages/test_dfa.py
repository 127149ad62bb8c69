"""Automata against brute force over short words of a small alphabet."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schema2gbnf.languages import dfa
from schema2gbnf.languages.dfa import Dfa, StateLimitError, explore, minimal, of_words

ALPHABET = "ab"
WORDS = ["".join(letters) for length in range(6) for letters in product(ALPHABET, repeat=length)]
OTHERS = ["", "c", "ac", "\0", "\U0010ffff", "a\U0010ffff"]


def accepted(automaton: Dfa) -> set[str]:
    return {word for word in [*WORDS, *OTHERS] if automaton.accepts(word)}


words = st.sets(st.sampled_from(WORDS), max_size=6)
tables = st.integers(1, 6).flatmap(
    lambda size: st.tuples(
        st.lists(st.tuples(*[st.integers(0, size - 1)] * 3), min_size=size, max_size=size),
        st.lists(st.booleans(), min_size=size, max_size=size),
    )
)


def machine(table: tuple[list[tuple[int, int, int]], list[bool]]) -> Dfa:
    """The minimal automaton of a table of moves over `a`, `b` and all other characters."""
    moves, accepting = table
    cuts, letters = (0, ord("a"), ord("b"), ord("b") + 1), (2, 0, 1, 2)
    return explore(0, lambda state: moves[state], lambda state: accepting[state], cuts, letters)


automata = st.one_of(words.map(of_words), tables.map(machine))


@given(tables)
def test_the_minimal_automaton_reads_as_the_table_does(table: tuple[list[tuple[int, int, int]], list[bool]]) -> None:
    moves, accepting = table
    automaton = machine(table)
    for word in [*WORDS, *OTHERS]:
        state = 0
        for character in word:
            state = moves[state][{"a": 0, "b": 1}.get(character, 2)]
        assert automaton.accepts(word) == accepting[state]


@given(tables)
def test_no_two_states_of_a_minimal_automaton_are_equivalent(
    table: tuple[list[tuple[int, int, int]], list[bool]],
) -> None:
    automaton = machine(table)
    again = minimal(automaton.cuts, automaton.letters, list(automaton.moves), list(automaton.accepting))
    assert again == automaton
    size = len(automaton.moves)
    # Pairs told apart by a word of length n, for growing n (Moore): in the end all must be.
    apart = {(a, b) for a in range(size) for b in range(size) if automaton.accepting[a] != automaton.accepting[b]}
    for _ in range(size):
        apart |= {
            (a, b)
            for a in range(size)
            for b in range(size)
            if any(pair in apart for pair in zip(automaton.moves[a], automaton.moves[b], strict=True))
        }
    assert len(apart) == size * (size - 1)


@given(automata, automata)
def test_the_operators_are_those_of_sets(a: Dfa, b: Dfa) -> None:
    x, y = accepted(a), accepted(b)
    assert accepted(a & b) == x & y
    assert accepted(a | b) == x | y
    assert accepted(a - b) == x - y
    assert accepted(~a) == {*WORDS, *OTHERS} - x


@given(automata, automata)
def test_equal_languages_are_equal_values(a: Dfa, b: Dfa) -> None:
    assert (a & b) | (a - b) == a
    assert ~(a | b) == ~a & ~b
    assert a | ~a == dfa.UNIVERSAL
    assert a & ~a == dfa.NOTHING
    assert hash((a & b) | (a - b)) == hash(a)


@given(words)
def test_the_words_of_a_finite_set_come_back_sorted(chosen: set[str]) -> None:
    automaton = of_words(chosen)
    assert accepted(automaton) == chosen
    assert automaton.words(len(chosen)) == tuple(sorted(chosen))
    assert not chosen or automaton.words(len(chosen) - 1) is None
    assert (~automaton).words(100) is None


@given(automata)
def test_lengths_and_examples(automaton: Dfa) -> None:
    lengths = sorted(map(len, accepted(automaton)))
    example = automaton.example()
    if example is None:
        assert automaton.is_empty
        assert automaton.shortest() == automaton.longest() == -1
        return
    assert automaton.accepts(example)
    assert len(example) == automaton.shortest()
    assert not lengths or len(example) <= lengths[0]
    longest = automaton.longest()
    assert automaton.is_finite == (longest is not None)
    if longest is not None and longest <= 5:
        assert lengths[-1] <= longest


@given(automata)
def test_edges_lead_through_live_states_alone(automaton: Dfa) -> None:
    graph = automaton.edges()
    assert graph.keys() == automaton.live()
    for state, edges in graph.items():
        assert list(edges) == sorted(edges)
        for target, chars in edges.items():
            assert target in graph
            assert all(_move(automaton, state, chr(low)) == target for low, _ in chars.ranges)


def _move(automaton: Dfa, state: int, character: str) -> int:
    for cut, letter in zip(reversed(automaton.cuts), reversed(automaton.letters), strict=True):
        if cut <= ord(character):
            return automaton.moves[state][letter]
    raise AssertionError("an automaton is total")


def test_words_differ_where_characters_meet_the_ends_of_unicode() -> None:
    automaton = of_words(["\0", "\U0010ffff", "\U0010fffe"])
    assert accepted(automaton) == {"\0", "\U0010ffff"}
    assert automaton.words(3) == ("\0", "\U0010fffe", "\U0010ffff")


def test_growth_is_bounded() -> None:
    with pytest.raises(StateLimitError):
        explore(0, lambda state: [state + 1], lambda state: state % 7 == 0, (0,), (0,), 1000)
    left, right = of_words(["a" * 300]), of_words(["b" * 300])
    with pytest.raises(StateLimitError):
        left.product(right, lambda a, b: a != b, limit=300)


@given(tables)
def test_states_are_told_apart_alike_by_rounds_and_by_splitters(
    table: tuple[list[tuple[int, ...]], list[bool]],
) -> None:
    moves, accepting = table
    found = [dfa._partition(moves, accepting), dfa._refined(moves, accepting)]
    blocks = [{tuple(s for s, block in enumerate(each) if block == number) for number in each} for each in found]
    assert blocks[0] == blocks[1]
    assert set(found[0]) == set(range(len(blocks[0])))


def test_a_chain_longer_than_the_rounds_is_told_apart() -> None:
    size = 5 * dfa.ROUNDS
    moves = [(min(state + 1, size - 1),) for state in range(size)]
    assert len(set(dfa._partition(moves, [state == size - 1 for state in range(size)]))) == size

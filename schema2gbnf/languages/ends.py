"""Texts with a fixed end: the words of an automaton, each followed by one and the same word, as one automaton.

Being deterministic, it reads the end as soon as it can be the end, whatever the words before it begin or end with;
of words without the end inside, it is the automaton of Aho and Corasick (1975).
"""

from __future__ import annotations

from bisect import bisect_right
from functools import lru_cache

from schema2gbnf.languages.automaton import automaton
from schema2gbnf.languages.dfa import Dfa, explore, of_words
from schema2gbnf.languages.ecma import parse

Place = tuple[int, frozenset[int]]
"""A state of the words, and those states of the end that a word read before may have led to."""


@lru_cache(maxsize=64)
def without(pattern: str) -> Dfa:
    """All texts in which an ECMA-262 pattern is not found.

    >>> without("</a>").accepts("<</a"), without("</a>").accepts("x</a>")
    (True, False)
    """
    return ~automaton(parse(pattern).tree)


def followed(words: Dfa, end: str, limit: int) -> Dfa:
    """The words, each with the end behind it. Raises `StateLimitError` past `limit` states.

    >>> quoted = followed(without('"'), '"', 100)
    >>> quoted.accepts('ab"'), quoted.accepts('ab'), quoted.accepts('a"b"')
    (True, False, False)
    """
    last = of_words((end,))
    cuts = tuple(sorted({*words.cuts, *last.cuts}))
    pairs: dict[tuple[int, int], int] = {}
    letters = []
    for cut in cuts:
        pair = (words.letters[bisect_right(words.cuts, cut) - 1], last.letters[bisect_right(last.cuts, cut) - 1])
        letters.append(pairs.setdefault(pair, len(pairs)))
    live = last.live()

    def entered(state: int, ends: frozenset[int]) -> Place:
        return state, ends | {0} if words.accepting[state] else ends

    def step(place: Place) -> list[Place]:
        state, ends = place
        return [
            entered(words.moves[state][a], frozenset(last.moves[each][b] for each in ends) & live) for a, b in pairs
        ]

    def accepts(place: Place) -> bool:
        return any(last.accepting[each] for each in place[1])

    return explore(entered(0, frozenset()), step, accepts, cuts, tuple(letters), limit)

"""Automata as grammar expressions.

Comes in: a minimal automaton, and how one of its characters is written. Goes out: an expression of the same language,
in which every text has one reading. Three forms compete, the shortest is printed, with a handicap for the later ones:
the right-linear equations of the states; a finite language of few words as their trie; for small automata the
expression that elimination of all states leaves.
"""

from __future__ import annotations

import hashlib
from bisect import bisect_right
from collections.abc import Callable, Iterable
from functools import lru_cache
from itertools import groupby, takewhile

from schema2gbnf.grammar.ambiguity import is_deterministic_enough
from schema2gbnf.grammar.drafts import Draft
from schema2gbnf.grammar.equations import MAX_DEPTH, Graph, System, eliminate, right_linear, state_ref
from schema2gbnf.grammar.folding import (
    END,
    Spelling,
    any_of,
    chain,
    depth,
    has_broad_star,
    optional,
    spell,
    times,
    weight,
    without_end,
)
from schema2gbnf.grammar.rules import EMPTY, NOTHING, CharClass, Expr
from schema2gbnf.languages.charset import SURROGATES, CharSet
from schema2gbnf.languages.dfa import Dfa, explore

FEW_WORDS, MANY_WORDS = 200, 10_000
FEW_STATES = 60
SPARSE = 3
"""Words whose trie weighs no more than this for each state of their automaton have nothing else in common."""

CLEARLY = 0.8
"""What the weight of a less simple form must be below, as a share of the simpler one's, to be preferred."""


def automaton(dfa: Dfa, spelling: Spelling, draft: Draft, hint: str) -> Expr:
    """The language of the automaton; rules it needs are named after `hint`, and made once for equal automata.

    When an end is spelled too, such as the closing quote of a string, it can be tried before what would go on.
    """

    def make() -> Expr:
        form = shortest_form(spellable(dfa), ended=spelling.end is not None)
        return write_system(form, lambda: repr(dfa), spelling, draft, hint)

    return draft.once((dfa, spelling), make)


def shortest_form(dfa: Dfa, *, ended: bool = False) -> System:
    """The form that is printed, characters unspelled; when `ended`, with placeholders for what ends a word."""
    graph = Graph.of(dfa)
    if ended and not graph.has_broad_loop:
        # Nothing is won by taking the end inside.
        form = shortest_form(dfa)
        return System(chain(form.root, END), form.rules)
    if not ended:
        graph = graph.without_end()
    words = dfa.words(MANY_WORDS)
    if words is None:
        return shortest_system(graph)
    trie = trie_of(words)
    if trie is not None and weight(trie) <= SPARSE * len(dfa.moves):
        return System(trie)
    form = right_linear(graph)
    if len(words) > FEW_WORDS:
        return form
    return System(trie) if trie is not None and CLEARLY * weight(trie) <= form.weight else form


def shortest_system(graph: Graph) -> System:
    """The right-linear equations, or what elimination makes of them where that is clearly shorter."""
    form = right_linear(graph)
    if form.rules and len(graph.rows) <= FEW_STATES and not graph.is_open:
        closed = eliminate(graph, int(CLEARLY * form.weight))
        if closed is None or depth(closed) > MAX_DEPTH or (graph.ended and has_broad_star(closed)):
            return form
        if is_deterministic_enough(without_end(closed)):
            return System(closed)
    return form


def write_system(system: System, identity: Callable[[], str], spelling: Spelling, draft: Draft, hint: str) -> Expr:
    """Spell the equations, each a rule of the draft, and return the expression of the whole."""
    digest = hashlib.sha256(identity().encode()).hexdigest() if system.rules else ""
    names = {state_ref(state): draft.reserve(f"{hint}-{state}", f"{hint} {state} {digest}") for state in system.rules}
    for state, body in system.rules.items():
        draft.define(names[state_ref(state)], spell(body, spelling, draft, hint, names))
    return spell(system.root, spelling, draft, hint, names)


_TEXTS = explore(
    True,
    lambda state: (state, False),
    lambda state: state,
    (0, SURROGATES.ranges[0][0], SURROGATES.ranges[0][1] + 1),
    (0, 1, 0),
)


def spellable(dfa: Dfa) -> Dfa:
    """The words of the automaton without surrogates: those a JSON text can spell."""
    (low, high), *_ = SURROGATES.ranges
    letters = dfa.letters[bisect_right(dfa.cuts, low) - 1 : bisect_right(dfa.cuts, high)]
    live = dfa.live()
    if not any(dfa.moves[state][letter] in live for state in live for letter in letters):
        return dfa
    return dfa & _TEXTS


def trie_of(words: Iterable[str]) -> Expr | None:
    """The words, in order, what they begin with alike written once; None when that is nested too deep."""
    distinct = sorted(set(words))
    return _trie(distinct, MAX_DEPTH // 2) if distinct else NOTHING


def _trie(words: list[str], levels: int) -> Expr | None:
    """The trie of distinct words in order, nested at most so many levels."""
    if levels == 0:
        return None
    same = takewhile(lambda pair: pair[0] == pair[1], zip(words[0], words[-1], strict=False))
    start = "".join(first for first, _ in same)
    branches: dict[str, list[str]] = {}
    for word in words:
        rest = word[len(start) :]
        branches.setdefault(rest[:1], []).append(rest)
    is_end = branches.pop("", None) is not None
    options: list[Expr] = []
    for branch in branches.values():
        option = _trie(branch, levels - 1)
        if option is None:
            return None
        options.append(option)
    more = any_of(*options) if options else EMPTY
    if is_end:
        more = optional(more)
    runs = ((char, len([*run])) for char, run in groupby(start))
    return chain(*(times(_single(char), count, count) for char, count in runs), more)


@lru_cache(maxsize=1 << 10)
def _single(character: str) -> CharClass:
    return CharClass(CharSet.of(character))

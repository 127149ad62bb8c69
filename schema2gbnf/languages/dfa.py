"""Minimal deterministic automata over code points, with the Boolean algebra of the languages they accept.

An automaton is always total, trimmed to its reachable states, minimal, numbered breadth-first and over the coarsest
alphabet, so that equal languages are equal values. Emptiness, universality and finiteness are then a look away.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import chain
from typing import TypeVar

from schema2gbnf.cache import Cache
from schema2gbnf.languages.charset import LAST, CharSet

State = TypeVar("State", bound=Hashable)


EDGES = 2_000_000
"""Moves that an automaton may have while it is built, beside the limit on its states: one or two seconds' worth."""


class StateLimitError(Exception):
    """An automaton grew past the size it was allowed, or a question about one past the steps."""

    def __init__(self, limit: int) -> None:
        super().__init__(f"more than {limit} states")
        self.limit = limit


@dataclass(frozen=True, slots=True)
class Dfa:
    """A minimal automaton; state 0 is the start.

    `cuts[i]` is the first code point of interval i, `letters[i]` the letter all its code points are read as;
    `moves[state][letter]` is the next state.
    """

    cuts: tuple[int, ...]
    letters: tuple[int, ...]
    moves: tuple[tuple[int, ...], ...]
    accepting: tuple[bool, ...]
    _hash: int = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_hash", hash((self.cuts, self.letters, self.moves, self.accepting)))

    def __hash__(self) -> int:
        return self._hash

    # -- questions ---------------------------------------------------------------------------------------------------

    def accepts(self, text: str) -> bool:
        state = 0
        for character in text:
            state = self.moves[state][self.letters[bisect_right(self.cuts, ord(character)) - 1]]
        return self.accepting[state]

    @property
    def is_empty(self) -> bool:
        return not any(self.accepting)

    @property
    def is_universal(self) -> bool:
        return all(self.accepting)

    def live(self) -> frozenset[int]:
        """States from which some word is accepted."""
        before: list[list[int]] = [[] for _ in self.moves]
        for state, row in enumerate(self.moves):
            for target in set(row):
                before[target].append(state)
        found = {state for state, accepted in enumerate(self.accepting) if accepted}
        todo = list(found)
        while todo:
            for state in before[todo.pop()]:
                if state not in found:
                    found.add(state)
                    todo.append(state)
        return frozenset(found)

    def letter_sets(self) -> tuple[CharSet, ...]:
        """The code points of each letter."""
        ranges: list[list[tuple[int, int]]] = [[] for _ in range(max(self.letters) + 1)]
        ends = (*(cut - 1 for cut in self.cuts[1:]), LAST)
        for low, high, letter in zip(self.cuts, ends, self.letters, strict=True):
            ranges[letter].append((low, high))
        return tuple(CharSet.union(spans) for spans in ranges)

    def edges(self) -> dict[int, dict[int, CharSet]]:
        """For each live state, its live successors in order of number, each with the code points that lead there."""
        live, sets = self.live(), self.letter_sets()
        graph: dict[int, dict[int, CharSet]] = {}
        for state in sorted(live):
            spans: dict[int, list[tuple[int, int]]] = {}
            for letter, target in enumerate(self.moves[state]):
                if target in live:
                    spans.setdefault(target, []).extend(sets[letter].ranges)
            graph[state] = {target: CharSet.union(spans[target]) for target in sorted(spans)}
        return graph

    def longest(self) -> int | None:
        """Length in code points of the longest word, None when there is no longest; -1 when there is no word."""
        live = self.live()
        if 0 not in live:
            return -1
        order: list[int] = []
        mark: dict[int, int] = {}
        stack: list[tuple[int, Iterator[int]]] = [(0, iter(set(self.moves[0]) & live))]
        mark[0] = 1
        while stack:
            state, targets = stack[-1]
            for target in targets:
                if mark.get(target) == 1:
                    return None
                if target not in mark:
                    mark[target] = 1
                    stack.append((target, iter(set(self.moves[target]) & live)))
                    break
            else:
                mark[state] = 2
                order.append(state)
                stack.pop()
        depth = dict.fromkeys(live, 0)
        for state in order:
            depth[state] = max((depth[t] + 1 for t in set(self.moves[state]) & live), default=0)
        return depth[0]

    def shortest(self) -> int:
        """Length in code points of the shortest word; -1 when there is no word."""
        seen, layer, length = {0}, [0], 0
        while layer:
            if any(self.accepting[state] for state in layer):
                return length
            layer = list({t for state in layer for t in self.moves[state]} - seen)
            seen.update(layer)
            length += 1
        return -1

    @property
    def is_finite(self) -> bool:
        return self.longest() is not None

    def words(self, limit: int) -> tuple[str, ...] | None:
        """All words in the order of their code points, or None when there are more than `limit`."""
        known = _WORDS.get(self)
        if known is not None:
            return known if len(known) <= limit else None
        if not self.is_finite:
            return None
        graph = self.edges()
        counts: dict[int, int] = {}
        found: list[str] = []

        def count(state: int) -> int:
            # The graph is acyclic here, and no deeper than its longest word.
            todo = [state]
            while todo:
                top = todo[-1]
                missing = [t for t in graph[top] if t not in counts]
                if missing:
                    todo.extend(missing)
                    continue
                todo.pop()
                total = int(self.accepting[top]) + sum(len(chars) * counts[t] for t, chars in graph[top].items())
                counts[top] = min(total, limit + 1)
            return counts[state]

        if 0 not in graph:
            return ()
        if count(0) > limit:
            return None
        # One path is extended and cut back, so that a long word is not copied at each of its characters.
        path: list[str] = []
        stack = [(0, "", 0)]
        while stack:
            depth, character, state = stack.pop()
            del path[max(0, depth - 1) :]
            path.append(character)
            if self.accepting[state]:
                found.append("".join(path))
            for target, chars in graph[state].items():
                stack.extend((len(path) + 1, each, target) for each in chars)
        return tuple(sorted(found))

    def example(self) -> str | None:
        """A shortest word, of the lowest code points; None when there is no word."""
        graph = self.edges()
        if 0 not in graph:
            return None
        seen, layer = {0}, [("", 0)]
        while True:
            following: list[tuple[str, int]] = []
            for word, state in layer:
                if self.accepting[state]:
                    return word
                for target, chars in sorted(graph[state].items(), key=lambda edge: edge[1].ranges):
                    if target not in seen:
                        seen.add(target)
                        following.append((word + next(iter(chars)), target))
            layer = following

    # -- algebra -----------------------------------------------------------------------------------------------------

    def __invert__(self) -> Dfa:
        return Dfa(self.cuts, self.letters, self.moves, tuple(not accepted for accepted in self.accepting))

    def __and__(self, other: Dfa) -> Dfa:
        return self.product(other, lambda a, b: a and b)

    def __or__(self, other: Dfa) -> Dfa:
        return self.product(other, lambda a, b: a or b)

    def __sub__(self, other: Dfa) -> Dfa:
        return self.product(other, lambda a, b: a and not b)

    def product(self, other: Dfa, both: Callable[[bool, bool], bool], limit: int = 100_000) -> Dfa:
        """The automaton that reads a word in both and accepts as `both` says of their verdicts."""
        cuts = sorted({*self.cuts, *other.cuts})
        pairs: dict[tuple[int, int], int] = {}
        letters = []
        for cut in cuts:
            pair = (
                self.letters[bisect_right(self.cuts, cut) - 1],
                other.letters[bisect_right(other.cuts, cut) - 1],
            )
            letters.append(pairs.setdefault(pair, len(pairs)))
        combined = tuple(pairs)

        def step(state: tuple[int, int]) -> Iterable[tuple[int, int]]:
            left, right = self.moves[state[0]], other.moves[state[1]]
            return [(left[a], right[b]) for a, b in combined]

        def accepts(state: tuple[int, int]) -> bool:
            return both(self.accepting[state[0]], other.accepting[state[1]])

        return explore((0, 0), step, accepts, tuple(cuts), tuple(letters), limit)


def explore(
    start: State,
    step: Callable[[State], Iterable[State]],
    accepts: Callable[[State], bool],
    cuts: tuple[int, ...],
    letters: tuple[int, ...],
    limit: int = 100_000,
) -> Dfa:
    """The minimal automaton whose states are found from `start`: `step` gives the successor for every letter in order.

    Raises `StateLimitError` past `limit` states or `EDGES` moves.
    """
    limit = min(limit, EDGES // (max(letters) + 1))
    numbers: dict[State, int] = {start: 0}
    states = [start]
    moves: list[tuple[int, ...]] = []
    accepting: list[bool] = []
    for state in states:  # grows while it is read
        row = []
        for target in step(state):
            number = numbers.get(target)
            if number is None:
                number = numbers[target] = len(states)
                if number >= limit:
                    raise StateLimitError(limit)
                states.append(target)
            row.append(number)
        moves.append(tuple(row))
        accepting.append(accepts(state))
    return minimal(cuts, letters, moves, accepting)


def minimal(
    cuts: tuple[int, ...], letters: tuple[int, ...], moves: list[tuple[int, ...]], accepting: list[bool]
) -> Dfa:
    """The minimal automaton of the language, in normal form; all states must be reachable from 0."""
    block_of = _partition(moves, accepting)
    representative: dict[int, int] = {}
    for state, block in enumerate(block_of):
        representative.setdefault(block, state)
    merged = [tuple([block_of[target] for target in moves[representative[b]]]) for b in range(len(representative))]
    return _normal(
        cuts, letters, merged, [accepting[representative[b]] for b in range(len(representative))], block_of[0]
    )


def _normal(
    cuts: tuple[int, ...], letters: tuple[int, ...], moves: list[tuple[int, ...]], accepting: list[bool], start: int
) -> Dfa:
    """A minimal automaton in normal form: states numbered breadth-first, letters that are read alike one letter."""
    order = [start]
    numbers = {start: 0}
    # Letters in order of appearance in the alphabet, so that the numbering depends on the language alone.
    in_order = list(dict.fromkeys(letters))
    rows = []
    for state in order:  # grows while it is read
        row = []
        here = moves[state]
        for letter in in_order:
            target = here[letter]
            number = numbers.get(target)
            if number is None:
                number = numbers[target] = len(order)
                order.append(target)
            row.append(number)
        rows.append(row)
    columns: dict[tuple[int, ...], int] = {}
    merged = {
        letter: columns.setdefault(column, len(columns))
        for letter, column in zip(in_order, zip(*rows, strict=True), strict=True)
    }
    new_cuts: list[int] = []
    new_letters: list[int] = []
    for cut, letter in zip(cuts, letters, strict=True):
        if not new_letters or new_letters[-1] != merged[letter]:
            new_cuts.append(cut)
            new_letters.append(merged[letter])
    return Dfa(
        tuple(new_cuts),
        tuple(new_letters),
        tuple(zip(*columns, strict=True)),
        tuple([accepting[state] for state in order]),
    )


ROUNDS = 8
"""Rounds in which all states are looked at: most automata are told apart in fewer, long chains are not."""


def _partition(moves: list[tuple[int, ...]], accepting: list[bool]) -> list[int]:
    """The block of equivalent states each state belongs to: by rounds (Moore 1956) as long as these are few."""
    block_of: list[int] = [int(accepted) for accepted in accepting]
    count = len(set(block_of))
    for _ in range(ROUNDS):
        found: dict[tuple[int, ...], int] = {}
        block = block_of.__getitem__
        told = [found.setdefault((block_of[state], *map(block, row)), len(found)) for state, row in enumerate(moves)]
        if len(found) == count:
            return told
        block_of, count = told, len(found)
    return _refined(moves, accepting)


def _refined(moves: list[tuple[int, ...]], accepting: list[bool]) -> list[int]:
    """The same by splitting what leads into one block only (Hopcroft 1971)."""
    before: list[dict[int, list[int]]] = [{} for _ in moves]
    for state, row in enumerate(moves):
        for letter, target in enumerate(row):
            before[target].setdefault(letter, []).append(state)
    yes = {state for state, accepted in enumerate(accepting) if accepted}
    blocks = [block for block in (yes, set(range(len(moves))) - yes) if block]
    block_of = [0] * len(moves)
    for state in blocks[-1]:
        block_of[state] = len(blocks) - 1
    waiting = [min(range(len(blocks)), key=lambda number: len(blocks[number]))]
    while waiting:
        into: dict[int, list[int]] = {}
        for target in blocks[waiting.pop()]:
            for letter, states in before[target].items():
                into.setdefault(letter, []).extend(states)
        for states in into.values():
            hit: dict[int, list[int]] = {}
            for state in states:
                hit.setdefault(block_of[state], []).append(state)
            for number, inside in hit.items():
                block = blocks[number]
                if len(inside) == len(block):
                    continue
                # The smaller part becomes the new block: then the old number needs no second look.
                if 2 * len(inside) <= len(block):
                    small = set(inside)
                    block -= small
                else:
                    small = block.difference(inside)
                    block.intersection_update(inside)
                for state in small:
                    block_of[state] = len(blocks)
                waiting.append(len(blocks))
                blocks.append(small)
    return block_of


UNIVERSAL = Dfa((0,), (0,), ((0,),), (True,))
NOTHING = ~UNIVERSAL


CHARACTERS = 300_000
"""States that the words of one finite set may take."""


def of_words(words: Iterable[str]) -> Dfa:
    """The automaton of a finite set of words. Raises `StateLimitError` when they are beyond all measure.

    Nodes of the trie that the same continuations leave are one state, found from the ends backwards (Revuz 1992).
    """
    listed = tuple(sorted(set(words)))
    trie: list[dict[str, int]] = [{}]
    ends = [False]
    for word in listed:
        state = 0
        for character in word:
            target = trie[state].get(character)
            if target is None:
                target = len(trie)
                if target > CHARACTERS:
                    raise StateLimitError(CHARACTERS)
                trie[state][character] = target
                trie.append({})
                ends.append(False)
            state = target
        ends[state] = True
    alphabet = sorted({c for node in trie for c in node})
    column = {character: number for number, character in enumerate(alphabet, 1)}
    # State 0 is the one from which no word is accepted.
    moves: list[tuple[int, ...]] = [(0,) * (len(alphabet) + 1)]
    accepting = [False]
    registered: dict[tuple[bool, tuple[int, ...]], int] = {}
    state_of = [0] * len(trie)
    for node in range(len(trie) - 1, -1, -1):
        below = sorted((column[c], state_of[target]) for c, target in trie[node].items())
        key = ends[node], tuple(chain.from_iterable(below))
        if key not in registered:
            registered[key] = len(moves)
            row = [0] * (len(alphabet) + 1)
            for number, target in below:
                row[number] = target
            moves.append(tuple(row))
            accepting.append(ends[node])
        state_of[node] = registered[key]
    start = state_of[0]
    if not listed:
        return NOTHING
    cuts, letters = [0], [0]
    for number, character in enumerate(alphabet, 1):
        point = ord(character)
        if cuts[-1] == point:
            cuts.pop()
            letters.pop()
        cuts.append(point)
        letters.append(number)
        if point < LAST:
            cuts.append(point + 1)
            letters.append(0)
    found = _normal(tuple(cuts), tuple(letters), moves, accepting, start)
    _WORDS.put(found, listed, len(trie))
    return found


_WORDS: Cache[Dfa, tuple[str, ...]] = Cache(1 << 18)
"""The words of finite sets whose automata were built from them, by the characters they take."""

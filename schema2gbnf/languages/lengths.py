"""Bounds on the length of words, counted in code points, without a state for every length.

A bound can be asked about (`has_length`), multiplied into an automaton (`counted`), pushed into the one part of a
regex whose length varies (`push_down`), or, the other way round, pulled out of a regex's big counter (`pull_out`).
`high` is None where lengths are unbounded. Regexes here have no anchors and no look-around.
"""

from __future__ import annotations

from functools import lru_cache

from schema2gbnf.languages.dfa import Dfa, StateLimitError, explore
from schema2gbnf.languages.regex import NOTHING, Chars, Choice, Concat, Regex, Repeat, choice, concat, repeat

STEPS = 5_000_000
"""Moves of single states that a question about lengths may take."""

BIG_COUNTER = 64
"""Repetitions from which a counter is rather a bound on the length than states."""

ALTERNATIVES = 64
"""Sequences into which a regex may be split to push a bound into each."""

SMALL_COUNTER = 4
"""Different counts up to which a repetition is split into one sequence for each."""


# -- automata ----------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=4096)
def has_length(dfa: Dfa, low: int, high: int | None) -> bool:
    """Whether some word has a length from `low` to `high`.

    Raises `StateLimitError` when that takes more than `STEPS`.
    """
    if high is not None and low > high:
        return False
    distance = _distances(dfa)
    nearest = min((distance[state] for state in _after(dfa, low)), default=None)
    return nearest is not None and (high is None or low + nearest <= high)


def _successors(dfa: Dfa) -> list[frozenset[int]]:
    """The live states one letter away from each state."""
    live = dfa.live()
    return [live.intersection(row) for row in dfa.moves]


def _after(dfa: Dfa, length: int) -> frozenset[int]:
    """The live states in which words of exactly this length can be.

    The sets of states repeat themselves sooner or later; Brent's algorithm notices it without keeping them all.
    """
    successors = _successors(dfa)
    here = frozenset((0,)) & dfa.live()
    mark, since, span, steps, done = here, 0, 1, 0, 0
    while done < length and here:
        steps += len(here) + 1
        if steps > STEPS:
            raise StateLimitError(STEPS)
        here = frozenset().union(*map(successors.__getitem__, here))
        done += 1
        since += 1
        if here == mark:
            done = length - (length - done) % since
        elif since == span:
            mark, since, span = here, 0, 2 * span
    return here


def _distances(dfa: Dfa) -> dict[int, int]:
    """How many letters each live state is away from accepting."""
    before: list[list[int]] = [[] for _ in dfa.moves]
    for state, row in enumerate(dfa.moves):
        for target in set(row):
            before[target].append(state)
    layer = [state for state, accepted in enumerate(dfa.accepting) if accepted]
    distance = dict.fromkeys(layer, 0)
    for target in layer:  # grows while it is read
        for state in before[target]:
            if state not in distance:
                distance[state] = distance[target] + 1
                layer.append(state)
    return distance


def _farthest(dfa: Dfa) -> dict[int, int]:
    """How many letters at most each live state is away from accepting, but for states from which a loop is reached."""
    successors = _successors(dfa)
    before: dict[int, list[int]] = {state: [] for state in dfa.live()}
    for state in before:
        for target in successors[state]:
            before[target].append(state)
    waiting = {state: len(successors[state]) for state in before}
    done = [state for state, count in waiting.items() if count == 0]
    distance = dict.fromkeys(done, 0)
    for target in done:  # grows while it is read
        for state in before[target]:
            distance[state] = max(distance.get(state, 0), distance[target] + 1)
            waiting[state] -= 1
            if waiting[state] == 0:
                done.append(state)
    return {state: distance[state] for state in done}


def shortest_within(dfa: Dfa, low: int, high: int | None) -> str | None:
    """A shortest word with a length from `low` to `high`, of the lowest code points; None when there is none."""
    if not has_length(dfa, low, high):
        return None
    distance = _distances(dfa)
    length = low + min(distance[state] for state in _after(dfa, low))
    if length > STEPS // 50:
        raise StateLimitError(STEPS)
    # ways[n]: the states from which a word of exactly n more letters is accepted.
    successors = _successors(dfa)
    before: list[set[int]] = [set() for _ in successors]
    for state, targets in enumerate(successors):
        for target in targets:
            before[target].add(state)
    ways: list[frozenset[int]] = [frozenset(state for state, accepted in enumerate(dfa.accepting) if accepted)]
    steps = 0
    for _ in range(length):
        steps += len(ways[-1])
        if steps > STEPS:
            raise StateLimitError(STEPS)
        ways.append(frozenset().union(*(before[target] for target in ways[-1])))
    sets = dfa.letter_sets()
    state, word = 0, []
    for left in reversed(range(length)):
        letter = min(
            (letter for letter, target in enumerate(dfa.moves[state]) if target in ways[left]),
            key=lambda letter: sets[letter].ranges,
        )
        word.append(next(iter(sets[letter])))
        state = dfa.moves[state][letter]
    return "".join(word)


def counted(dfa: Dfa, low: int, high: int | None, limit: int) -> Dfa | None:
    """The automaton of the words with a length from `low` to `high`; None when it takes more than `limit` states.

    A bound is forgotten where no way on can miss it, so that a pattern that nearly keeps it anyway has few more states.
    """
    nearest, farthest = _distances(dfa), _farthest(dfa)
    lost = (-1, 0, 0)

    def counting(at: int, owed: int, left: int | None) -> tuple[int, int, int | None]:
        """A state with the letters that must and may still come."""
        if at not in nearest or (left is not None and left < nearest[at]) or farthest.get(at, owed) < owed:
            return lost
        can_miss = left is not None and farthest.get(at, left + 1) > left
        return at, owed if nearest[at] < owed else 0, left if can_miss else None

    def step(state: tuple[int, int, int | None]) -> list[tuple[int, int, int | None]]:
        at, owed, left = state
        if at < 0:
            return [lost] * len(dfa.moves[0])
        fewer = None if left is None else left - 1
        return [counting(target, max(owed - 1, 0), fewer) for target in dfa.moves[at]]

    def accepts(state: tuple[int, int, int | None]) -> bool:
        at, owed, _ = state
        return at >= 0 and dfa.accepting[at] and owed == 0

    try:
        return explore(counting(0, low, high), step, accepts, dfa.cuts, dfa.letters, limit)
    except StateLimitError:
        return None


def count_exceeds(dfa: Dfa, low: int, high: int | None, limit: int) -> bool:
    """Whether there are certainly more than `limit` words with a length from `low` to `high`.

    Only lengths up to 1000 are looked at, so that False says nothing.
    """
    sizes = [len(chars) for chars in dfa.letter_sets()]
    live = dfa.live()
    ways = {0: 1} if 0 in live else {}
    total = 0
    for length in range(1000 if high is None else min(high + 1, 1000)):
        if length >= low:
            total += sum(count for state, count in ways.items() if dfa.accepting[state])
        if total > limit or not ways:
            break
        after: dict[int, int] = {}
        for state, count in ways.items():
            for letter, target in enumerate(dfa.moves[state]):
                if target in live:
                    after[target] = min(after.get(target, 0) + count * sizes[letter], limit + 1)
        ways = after
    return total > limit


# -- regexes -----------------------------------------------------------------------------------------------------------


def width(tree: Regex) -> int | None:
    """The length that all words of a regex have; None when they differ, or there is no word.

    >>> from schema2gbnf.languages.regex import literal
    >>> width(choice([literal("ab"), literal("cd")])), width(Repeat(literal("ab"), 2, 3))
    (2, None)
    """
    match tree:
        case Chars():
            return 1
        case Concat(parts):
            widths = [width(part) for part in parts]
            known = [each for each in widths if each is not None]
            return sum(known) if len(known) == len(widths) else None
        case Choice(options):
            different = {width(option) for option in options}
            return different.pop() if len(different) == 1 else None
        case Repeat(item, low, high):
            each = width(item)
            return each * low if each is not None and (low == high or each == 0) else None
        case _:
            return None


def pull_out(tree: Regex) -> tuple[Regex, int, int | None] | None:
    """A regex with its one big counter taken off, and the bounds on the length that say the same.

    None unless the counter repeats something of one length and all that stands beside it has one length too.

    >>> from schema2gbnf.languages.charset import CharSet
    >>> pull_out(Repeat(Chars(CharSet.of("a")), 2, 500))
    (Repeat(item=Chars(chars=CharSet([a])), low=0, high=None), 2, 500)
    """
    parts = tree.parts if isinstance(tree, Concat) else (tree,)
    places = [index for index, part in enumerate(parts) if width(part) is None or _big(part)]
    if len(places) != 1:
        return None
    counter = parts[places[0]]
    beside = width(concat((*parts[: places[0]], *parts[places[0] + 1 :])))
    if not isinstance(counter, Repeat) or not _big(counter) or beside is None:
        return None
    each = width(counter.item)
    if not each:
        return None
    free = concat((*parts[: places[0]], Repeat(counter.item, 0, None), *parts[places[0] + 1 :]))
    high = None if counter.high is None else beside + each * counter.high
    return free, beside + each * counter.low, high


def _big(tree: Regex) -> bool:
    return isinstance(tree, Repeat) and max(tree.low, tree.high or 0) > BIG_COUNTER


def push_down(tree: Regex, low: int, high: int | None) -> Regex | None:
    """The regex of the words with a length from `low` to `high`, or None when no counter in it can say so exactly.

    >>> from schema2gbnf.languages.charset import CharSet
    >>> letter = Chars(CharSet.of("a"))
    >>> push_down(concat([letter, Repeat(letter, 0, None)]), 3, 5) == concat([letter, Repeat(letter, 2, 4)])
    True
    """
    sequences = _sequences(tree)
    return None if sequences is None else choice(_bounded(parts, low, high) for parts in sequences)


def _bounded(parts: tuple[Regex, ...], low: int, high: int | None) -> Regex:
    """A sequence with at most one counter, its length bounded."""
    beside = sum(width(part) or 0 for part in parts)
    for place, part in enumerate(parts):
        if isinstance(part, Repeat) and width(part) is None:
            each = width(part.item)
            assert each
            least = max(part.low, -((beside - low) // each))
            bounds = (part.high, None if high is None else (high - beside) // each)
            most = min((bound for bound in bounds if bound is not None), default=None)
            if most is not None and least > most:
                return NOTHING
            return concat((*parts[:place], repeat(part.item, least, most), *parts[place + 1 :]))
    return concat(parts) if low <= beside and (high is None or beside <= high) else NOTHING


def _sequences(tree: Regex) -> list[tuple[Regex, ...]] | None:
    """The regex as alternative sequences of parts of one length, with at most one counter of such among them."""
    if width(tree) is not None:
        return [(tree,)]
    match tree:
        case Choice(options):
            return _together([_sequences(option) for option in options])
        case Concat(parts):
            return _in_order([_sequences(part) for part in parts])
        case Repeat(item, low, high):
            if width(item) is not None:
                return [(tree,)]
            if high is None or high > SMALL_COUNTER:
                return None
            once = _sequences(item)
            return _together([_in_order([once] * count) for count in range(low, high + 1)])
        case _:
            return None


def _together(found: list[list[tuple[Regex, ...]] | None]) -> list[tuple[Regex, ...]] | None:
    """All the alternatives, unless they are too many."""
    alternatives: list[tuple[Regex, ...]] = []
    for each in found:
        if each is None or len(alternatives) + len(each) > ALTERNATIVES:
            return None
        alternatives += each
    return alternatives


def _in_order(found: list[list[tuple[Regex, ...]] | None]) -> list[tuple[Regex, ...]] | None:
    """The alternatives of a sequence, given those of its parts; counters are split until each has one left."""
    sequences: list[tuple[Regex, ...]] = [()]
    for each in found:
        if each is None or len(sequences) * len(each) > ALTERNATIVES:
            return None
        joined = _together([_one_counter((*left, *right)) for left in sequences for right in each])
        if joined is None:
            return None
        sequences = joined
    return sequences


def _one_counter(parts: tuple[Regex, ...]) -> list[tuple[Regex, ...]] | None:
    """A sequence with at most two counters as alternatives with at most one, a small counter written out."""
    counters = [place for place, part in enumerate(parts) if width(part) is None]
    if len(counters) < 2:
        return [parts]
    for place in reversed(counters):
        part = parts[place]
        assert isinstance(part, Repeat)
        if part.high is not None and part.high - part.low < SMALL_COUNTER:
            counts = range(part.low, part.high + 1)
            return [(*parts[:place], repeat(part.item, count, count), *parts[place + 1 :]) for count in counts]
    return None

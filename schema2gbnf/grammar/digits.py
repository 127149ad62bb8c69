"""Caps on the digits of numbers, against a model that cannot stop writing them.

Comes in: the graph of an automaton of decimals. Goes out: the graph with its loops of digits bounded. A digit that
repeats in place is counted. Where the last one, two or three digits alone decide, as for multiples of 5 or 100, any
digits are counted and then those: `[1-9] [0-9]{0,61} "00"`. Other loops, as for multiples of 7, are written once for
each digit where that makes few states; else they stay unbounded.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from itertools import chain as joined
from itertools import product

from schema2gbnf.grammar.equations import Graph, state_ref
from schema2gbnf.grammar.folding import chain, choice, times
from schema2gbnf.grammar.rules import NOTHING, CharClass, Expr
from schema2gbnf.languages.charset import DIGIT, CharSet
from schema2gbnf.languages.decimals import Digits
from schema2gbnf.loops import loops

LAST_DIGITS = 3
MAX_LOOP = 250
COPIES = 120
"""The most states that a loop may become, so that multiples of 7 are counted up to 17 digits."""


def capped(graph: Graph, caps: Digits) -> Graph:
    """The graph with at most about so many digits before and after the point, and never fewer."""
    if not graph.rows:
        return graph
    graph = Graph({state: dict(row) for state, row in graph.rows.items()}, dict(graph.exits))
    before = _fewest_digits(graph, [0, *_targets(graph, 0, "-")])
    behind = _fewest_digits(graph, [target for state in before for target in _targets(graph, state, ".")])
    for fewest, cap in ((before, caps.integral), (behind, caps.fraction)):
        steps = {q: [t for t, chars in graph.rows[q].items() if chars & DIGIT and t in fewest] for q in fewest}
        for loop in loops(steps):
            left = cap - min(fewest[state] for state in loop)
            if len(loop) == 1:
                graph.turns[loop[0]] = max(graph.turns.get(loop[0], 0), left)
            elif len(loop) <= MAX_LOOP and 0 not in loop and not _cap_by_last_digits(graph, sorted(loop), left):
                _cap_by_copies(graph, sorted(loop), left)
    return graph


def _targets(graph: Graph, state: int, character: str) -> list[int]:
    return [target for target, chars in graph.rows[state].items() if character in chars]


def _fewest_digits(graph: Graph, begin: Iterable[int]) -> dict[int, int]:
    """The states that digits lead to, with the least number of digits."""
    fewest = dict.fromkeys(begin, 0)
    todo = deque(fewest)
    while todo:
        state = todo.popleft()
        for target, chars in graph.rows[state].items():
            if chars & DIGIT and target not in fewest:
                fewest[target] = fewest[state] + 1
                todo.append(target)
    return fewest


def _cap_by_last_digits(graph: Graph, loop: list[int], left: int) -> bool:
    """Where the last digits decide, replace the loop by what leads into it: some digits, and the last ones."""
    count = _deciding_digits(graph, loop)
    if count is None:
        return False
    inside = frozenset(loop)
    longer = chain(times(CharClass(DIGIT), 0, max(left - count, 0)), _last_digits(graph, inside, count))
    ways = {state: _few_digits(graph, inside, state, count - 1) for state in loop}
    for state in graph.rows.keys() - inside:
        row = graph.rows[state]
        into = {target: row.pop(target) for target in loop if target in row}
        if into:
            first = CharClass(CharSet.union(joined.from_iterable(chars.ranges for chars in into.values())))
            fewer = (chain(CharClass(chars), ways[target]) for target, chars in into.items())
            graph.exits[state] = choice(graph.exits.get(state, NOTHING), *fewer, chain(first, longer))
    for state in loop:
        del graph.rows[state]
        graph.exits.pop(state, None)
    return True


def _cap_by_copies(graph: Graph, loop: list[int], left: int) -> None:
    """Where they are few, copy the states of the loop for each digit that is read in it."""
    if len(loop) * left > COPIES:
        return
    ways = {state: graph.rows[state] for state in loop}
    # How many digits at least lead out of the loop: from the last copies not all states can get there.
    nearest = {state: 0 for state in loop if state in graph.exits or ways[state].keys() - ways.keys()}
    for target in (todo := list(nearest)):  # grows while it is read
        for state in loop:
            if state not in nearest and target in ways[state]:
                nearest[state] = nearest[target] + 1
                todo.append(state)
    copies = {(state, 0): state for state in loop}
    fresh = max(graph.rows) + 1
    copies |= {each: fresh + n for n, each in enumerate(product(loop, range(1, left + 1)))}
    for (state, read), copy in copies.items():
        graph.rows[copy] = {
            copies[target, read + 1] if target in ways else target: chars
            for target, chars in ways[state].items()
            if target not in ways or read + 1 + nearest[target] <= left
        }
        if state in graph.exits:
            graph.exits[copy] = graph.exits[state]


def _deciding_digits(graph: Graph, loop: list[int]) -> int | None:
    """How many last digits tell the state, whichever state of the loop they are read from; None if more than a few."""
    inside = frozenset(loop)
    images = {inside}
    for count in range(LAST_DIGITS + 1):
        if all(len(image) == 1 for image in images):
            return count
        images = {_image(graph, image, digit) for image in images for digit in DIGIT}
        if not all(image and image <= inside for image in images):
            return None
    return None


def _image(graph: Graph, states: Iterable[int], digit: str) -> frozenset[int]:
    """Where a digit leads from the states; nowhere when it does from one of them."""
    found = [_targets(graph, state, digit) for state in states]
    return frozenset(target for targets in found for target in targets) if all(found) else frozenset()


def _last_digits(graph: Graph, states: frozenset[int], count: int) -> Expr:
    """So many digits from any of the states, and what follows."""
    if count == 0:
        return _way_out(graph, states, min(states))
    images: dict[frozenset[int], str] = {}
    for digit in DIGIT:
        image = _image(graph, states, digit)
        images[image] = images.get(image, "") + digit
    return choice(
        *(
            chain(CharClass(CharSet.of(digits)), _last_digits(graph, image, count - 1))
            for image, digits in images.items()
        )
    )


def _few_digits(graph: Graph, loop: frozenset[int], state: int, most: int) -> Expr:
    """At most so many digits from the state within its loop, and what follows."""
    steps = graph.rows[state].items() if most > 0 else ()
    inside = (
        chain(CharClass(chars & DIGIT), _few_digits(graph, loop, target, most - 1))
        for target, chars in steps
        if target in loop
    )
    return choice(_way_out(graph, loop, state), *inside)


def _way_out(graph: Graph, loop: frozenset[int], state: int) -> Expr:
    """How a number ends or goes on from the state of a loop other than by digits."""
    points = (chain(CharClass(CharSet.of(".")), state_ref(target)) for target in _targets(graph, state, "."))
    return choice(graph.exits.get(state, NOTHING), *points)

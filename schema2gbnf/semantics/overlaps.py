"""Values within themselves that are read in several ways at once, so that the ways multiply with each level.

In comes everything that was explored from the root; out go findings of kind "note". Where an array or object owes
something that the next item or member may bring or not, as with `contains` or a negation, there are two meanings for
one place, and a reader knows only at its end which of them the value has. Where both lead back to the whole, there
are twice as many readings at each level, or one more. Nothing is lost, but an engine that keeps each reading gets slow
on deep values. Two arrays side by side whose items lead back to both are the same.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, product

from schema2gbnf.grammar.loops import loops
from schema2gbnf.semantics.formula import Conjunction
from schema2gbnf.semantics.meaning import Meaning
from schema2gbnf.semantics.productivity import ANYTHING, Alternative, Explored, Nonterminal, live_steps
from schema2gbnf.semantics.shapes import ArrayShape, ObjectShape
from schema2gbnf.semantics.walks import Take, Walk


def note_overlaps(meaning: Meaning, explored: Explored) -> None:
    """Add a note for each place where readings multiply."""
    suspects = {
        conjunction: found
        for conjunction, nonterminal in explored.nonterminals.items()
        if conjunction in explored.productive and (found := list(_rivals(nonterminal, explored.productive)))
    }
    if not suspects:
        return
    circles = _circles(explored)
    for conjunction, rivals in suspects.items():
        if conjunction not in circles:
            continue
        for keyword, pointer, left, right in rivals:
            values = (left, right)
            leads_back = any(circles.get(value) == circles[conjunction] for value in values)
            goes_on = all(value in circles or value == ANYTHING for value in values)
            if leads_back and goes_on and _alike(*map(explored.nonterminals.get, values)):
                message = "what is within is read in several ways, more with each level: deep values are slow"
                meaning.report.add("note", keyword, pointer, message)
                break


Rivals = tuple[str, str, Conjunction, Conjunction]
"""Keyword and pointer of a place, and two meanings that the same value there may have."""


def _rivals(nonterminal: Nonterminal, productive: frozenset[Conjunction]) -> Iterator[Rivals]:
    for alternative in (*nonterminal.objects, *nonterminal.arrays):
        yield from _within(alternative, productive)
    for one, other in combinations(nonterminal.arrays, 2):
        if isinstance(one.shape, ArrayShape) and isinstance(other.shape, ArrayShape):
            for place in range(max(len(one.shape.prefix), len(other.shape.prefix)) + 1):
                for left, right in product(_items(one, place, productive), _items(other, place, productive)):
                    yield "items", one.shape.pointer, left, right


def _items(alternative: Alternative, place: int, productive: frozenset[Conjunction]) -> tuple[Conjunction, ...]:
    """What may stand in a place of an array."""
    shape = alternative.shape
    if not isinstance(shape, ArrayShape) or (shape.high is not None and shape.high <= place):
        return ()
    slot = min(place, len(shape.prefix))
    if alternative.walk is None:
        return ((*shape.prefix, shape.rest)[slot].value,)
    steps = _choices(alternative.walk, productive)
    return tuple(dict.fromkeys(take.value for takes in steps for take in takes if take.place == slot))


def _within(alternative: Alternative, productive: frozenset[Conjunction]) -> Iterator[Rivals]:
    """The meanings between which a walk takes one, for a member or item in the same place."""
    shape = alternative.shape
    if alternative.walk is None or not isinstance(shape, ObjectShape | ArrayShape):
        return
    if not shape.obligations and not (isinstance(shape, ArrayShape) and shape.contains):
        return
    keyword = "properties" if isinstance(shape, ObjectShape) else "contains" if shape.contains else "items"
    for takes in _choices(alternative.walk, productive):
        for one, other in combinations(takes, 2):
            if one.place == other.place and one.value != other.value:
                yield keyword, shape.pointer, one.value, other.value


def _choices(walk: Walk, productive: frozenset[Conjunction]) -> Iterator[tuple[Take, ...]]:
    """The steps of a walk, each with what may be taken there so that the end is still reached."""
    live = live_steps(walk, productive.__contains__)
    for number in sorted(live):
        yield tuple(take for take in walk[number].takes if take.target in live and take.value in productive)


def _circles(explored: Explored) -> dict[Conjunction, int]:
    """The conjunctions that lead back to themselves, those that lead to each other under the same number."""
    known = [each for each in explored.nonterminals if each in explored.productive]
    numbers = {conjunction: number for number, conjunction in enumerate(known)}
    edges = {
        number: list(dict.fromkeys(numbers[v] for v in explored.nonterminals[conjunction].values() if v in numbers))
        for conjunction, number in numbers.items()
    }
    return {known[number]: circle for circle, found in enumerate(loops(edges)) for number in found}


def _alike(left: Nonterminal | None, right: Nonterminal | None) -> bool:
    """Whether values of both may begin alike and go deeper; None is any value."""
    if left is None or right is None or left.options or right.options:
        return True
    return bool((left.objects and right.objects) or (left.arrays and right.arrays))

"""Values within themselves that are read in several ways at once, so that the ways multiply with each level.

In comes everything that was explored from the root; out go findings of kind "note". Where an array or object owes
something that the next item or member may bring or not, as with `contains` or a negation, there are two meanings for
one place, and a reader knows only at its end which of them the value has. Where both lead back to the whole, there
are twice as many readings at each level, or one more. Two arrays side by side whose items lead back to both are the
same, and so are two objects, unless a member before tells them apart. Nothing is lost, but an engine that keeps each
reading gets slow on deep values.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations, product

from schema2gbnf.languages.dfa import StateLimitError
from schema2gbnf.loops import loops
from schema2gbnf.semantics.formula import Conjunction
from schema2gbnf.semantics.meaning import Meaning
from schema2gbnf.semantics.productivity import ANYTHING, Alternative, Explored, Nonterminal, live_steps
from schema2gbnf.semantics.shapes import ArrayShape, ObjectShape
from schema2gbnf.semantics.walks import Take, Walk

SIDE_BY_SIDE = 16
"""Alternatives of one type that are looked at, each with each."""

MESSAGE = "what is within is read in several ways, more with each level: deep values are slow"

Rivals = tuple[str, str, Conjunction, Conjunction]
"""Keyword and pointer of a place, and two meanings that the same value there may have."""


def note_overlaps(meaning: Meaning, explored: Explored) -> None:
    """Add a note for each place where readings multiply."""
    suspects = [each for each in explored.nonterminals if each in explored.productive and _may_fork(explored, each)]
    if not suspects:
        return
    search = _Search(explored)
    for conjunction in suspects:
        if conjunction in search.circles:
            for keyword, pointer in dict.fromkeys(search.places(conjunction)):
                meaning.report.add("note", keyword, pointer, MESSAGE)


def _may_fork(explored: Explored, conjunction: Conjunction) -> bool:
    """Whether a value of some type may be read in two ways, as far as that is plain."""
    nonterminal = explored.nonterminals[conjunction]
    if len(nonterminal.objects) > 1 or len(nonterminal.arrays) > 1:
        return True
    return any(_owes(alternative) for alternative in (*nonterminal.objects, *nonterminal.arrays))


def _owes(alternative: Alternative) -> bool:
    """Whether an array or object has to bring something that no single place has to."""
    match alternative.shape:
        case ArrayShape(contains=contains, obligations=obligations):
            return bool(contains or obligations)
        case ObjectShape(obligations=obligations):
            return bool(obligations)
        case _:
            return False


class _Search:
    """The search in one schema."""

    def __init__(self, explored: Explored) -> None:
        self._known = explored.nonterminals
        self._productive = explored.productive
        self.circles = self._circles()

    def _circles(self) -> Mapping[Conjunction, int]:
        """The conjunctions that lead back to themselves, those that lead to each other under the same number."""
        known = [each for each in self._known if each in self._productive]
        numbers = {conjunction: number for number, conjunction in enumerate(known)}
        edges = {
            number: list(dict.fromkeys(numbers[value] for value in self._known[each].values() if value in numbers))
            for each, number in numbers.items()
        }
        return {known[number]: circle for circle, found in enumerate(loops(edges)) for number in found}

    def places(self, conjunction: Conjunction) -> Iterator[tuple[str, str]]:
        """Keyword and pointer of each place where readings multiply, once for each alternative."""
        nonterminal = self._known[conjunction]
        for alternative in (*nonterminal.objects, *nonterminal.arrays):
            yield from self._first(conjunction, self._within(alternative))
        for one, other in combinations(nonterminal.objects[:SIDE_BY_SIDE], 2):
            yield from self._first(conjunction, self._objects(one, other))
        for one, other in combinations(nonterminal.arrays[:SIDE_BY_SIDE], 2):
            yield from self._first(conjunction, self._arrays(one, other))

    def _first(self, conjunction: Conjunction, rivals: Iterator[Rivals]) -> Iterator[tuple[str, str]]:
        for keyword, pointer, left, right in rivals:
            leads_back = self.circles[conjunction] in (self.circles.get(left), self.circles.get(right))
            goes_on = all(value in self.circles or value == ANYTHING for value in (left, right))
            if leads_back and goes_on and self._alike(left, right):
                yield keyword, pointer
                return

    # -- rivals ------------------------------------------------------------------------------------------------------

    def _within(self, alternative: Alternative) -> Iterator[Rivals]:
        """The meanings between which a walk takes one, for a member or item in the same place."""
        shape = alternative.shape
        if alternative.walk is None or not isinstance(shape, ObjectShape | ArrayShape) or not _owes(alternative):
            return
        keyword = "properties" if isinstance(shape, ObjectShape) else "contains" if shape.contains else "items"
        for takes in self._choices(alternative.walk):
            for one, other in combinations(takes, 2):
                if one.place == other.place and one.value != other.value:
                    yield keyword, shape.pointer, one.value, other.value

    def _objects(self, one: Alternative, other: Alternative) -> Iterator[Rivals]:
        """The members of two objects that may have one name, up to one that tells the objects apart."""
        left, right = one.shape, other.shape
        if not isinstance(left, ObjectShape) or not isinstance(right, ObjectShape):
            return
        theirs = {member.name: member for member in right.members}
        for mine in left.members:
            its = theirs.get(mine.name)
            if its is None:
                continue
            if mine.required and its.required and not self._overlap(mine.value, its.value):
                return
            yield "properties", left.pointer, mine.value, its.value
        for part, its_part in product(left.parts, right.parts):
            yield "additionalProperties", left.pointer, part.value, its_part.value

    def _arrays(self, one: Alternative, other: Alternative) -> Iterator[Rivals]:
        """The items that may stand in one place of two arrays."""
        left, right = one.shape, other.shape
        if not isinstance(left, ArrayShape) or not isinstance(right, ArrayShape):
            return
        for place in range(max(len(left.prefix), len(right.prefix)) + 1):
            for mine, its in product(self._items(one, left, place), self._items(other, right, place)):
                yield "items", left.pointer, mine, its

    def _items(self, alternative: Alternative, shape: ArrayShape, place: int) -> tuple[Conjunction, ...]:
        """What may stand in a place of an array."""
        if shape.high is not None and shape.high <= place:
            return ()
        slot = min(place, len(shape.prefix))
        if alternative.walk is None:
            return ((*shape.prefix, shape.rest)[slot].value,)
        taken = (take for takes in self._choices(alternative.walk) for take in takes)
        return tuple(dict.fromkeys(take.value for take in taken if take.place == slot))

    def _choices(self, walk: Walk) -> Iterator[tuple[Take, ...]]:
        """The steps of a walk, each with what may be taken there so that the end is still reached."""
        live = live_steps(walk, self._productive.__contains__)
        for number in sorted(live):
            takes = walk[number].takes
            yield tuple(take for take in takes if take.target in live and take.value in self._productive)

    # -- what two meanings share -------------------------------------------------------------------------------------

    def _alike(self, left: Conjunction, right: Conjunction) -> bool:
        """Whether values of both may begin alike and go deeper."""
        one, other = self._known.get(left), self._known.get(right)
        if one is None or other is None or one.options or other.options:
            return True
        return bool((one.objects and other.objects) or (one.arrays and other.arrays))

    def _overlap(self, left: Conjunction, right: Conjunction) -> bool:
        """False when certainly no value has both meanings."""
        one, other = self._known.get(left), self._known.get(right)
        if one is None or other is None or one.options or other.options or self._alike(left, right):
            return True
        return _scalars_overlap(one, other)


def _scalars_overlap(one: Nonterminal, other: Nonterminal) -> bool:
    if not set(one.constants).isdisjoint(other.constants):
        return True
    try:
        return not (one.strings & other.strings).is_empty or not (one.numbers & other.numbers).is_empty
    except StateLimitError:
        return True

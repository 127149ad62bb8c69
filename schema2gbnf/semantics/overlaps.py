"""Values within themselves that are read in several ways at once, so that the ways multiply with each level.

In comes everything that was explored from the root; out go findings of kind "note". Where an array or object owes
something that the next item or member may bring or not, as with `contains` or a negation, there are two meanings for
one place, and a reader knows only at its end which of them the value has. Where both lead back to the whole, there
are twice as many readings at each level, or one more. Two arrays side by side whose items lead back to both are the
same, and so are two objects, unless a member before tells them apart. Nothing is lost, but an engine that keeps each
reading gets slow on deep values.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, combinations, product
from math import inf

from schema2gbnf.languages.dfa import StateLimitError
from schema2gbnf.loops import loops
from schema2gbnf.semantics.formula import Conjunction
from schema2gbnf.semantics.inclusion import value_of
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
    for places in forks(meaning, explored).values():
        for keyword, pointer in places:
            meaning.report.add("note", keyword, pointer, MESSAGE)


def forks(meaning: Meaning, explored: Explored) -> Mapping[Conjunction, list[tuple[str, str]]]:
    """The conjunctions whose readings multiply, each with keyword and pointer of the places."""
    suspects = [each for each in explored.nonterminals if each in explored.productive and _may_fork(explored, each)]
    if not suspects:
        return {}
    search = _Search(explored, in_order=meaning.options.order != "any")
    places = {each: list(dict.fromkeys(search.places(each))) for each in suspects if each in search.circles}
    return {each: found for each, found in places.items() if found}


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

    def __init__(self, explored: Explored, in_order: bool) -> None:
        self._known = explored.nonterminals
        self._productive = explored.productive
        self._refined = explored.refined
        self._in_order = in_order
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
            is_told = conjunction in self._refined
            yield from self._first(conjunction, self._objects(one, other, is_told))
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

    def _objects(self, one: Alternative, other: Alternative, is_told: bool) -> Iterator[Rivals]:
        """The members of two objects that may have one name, up to one that tells the objects apart.

        `is_told`: their values are equal, and then written once, or have nothing in common.
        """
        left, right = one.shape, other.shape
        if not isinstance(left, ObjectShape) or not isinstance(right, ObjectShape):
            return
        mine, theirs = self._members(one), self._members(other)
        places = {member.name: place for place, member in enumerate(right.members)}
        shared = [
            (place, places[each.name], mine.get(place, ()), theirs.get(places[each.name], ()))
            for place, each in enumerate(left.members)
            if each.name in places
        ]
        told_left, told_right = (_told_behind(left, right), _told_behind(right, left)) if self._in_order else (inf, inf)
        crossed = [
            (known.get(place, ()), part.value)
            for shape, parts, known in ((left, right.parts, mine), (right, left.parts, theirs))
            for place, part in product(range(len(shape.members)), parts)
            if part.names.accepts(shape.members[place].name)
        ]
        is_one = self._in_order or not (
            any(self._any_differ(values, its) for _, _, values, its in shared)
            or any(self._any_differ(values, (its,)) for values, its in crossed)
        )
        for place, its_place, values, its in shared:
            if place > told_left or its_place > told_right:
                continue
            is_required = left.members[place].required and right.members[its_place].required
            if self._in_order and is_required and not self._any_overlap(values, its):
                return
            for value, its_value in product(values, its):
                if value != its_value or not (is_told or is_one):
                    yield "properties", left.pointer, value, its_value
            is_one = is_one and not self._any_differ(values, its)
        for values, its_value in crossed:
            for value in values:
                yield "additionalProperties", left.pointer, value, its_value
        for part, its_part in product(left.parts, right.parts):
            yield "additionalProperties", left.pointer, part.value, its_part.value

    def _members(self, alternative: Alternative) -> Mapping[int, tuple[Conjunction, ...]]:
        """The values that a walk takes for the members, by their place."""
        found: dict[int, dict[Conjunction, None]] = {}
        for takes in self._choices(alternative.walk or ()):
            for take in takes:
                found.setdefault(take.place, {})[take.value] = None
        return {place: tuple(values) for place, values in found.items()}

    def _any_differ(self, values: Iterable[Conjunction], others: Iterable[Conjunction]) -> bool:
        """Whether some of them are not the same and not apart either."""
        return any(value != other and self._overlap(value, other) for value, other in product(values, others))

    def _any_overlap(self, values: Iterable[Conjunction], others: Iterable[Conjunction]) -> bool:
        return any(self._overlap(value, other) for value, other in product(values, others))

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


def _told_behind(one: ObjectShape, other: ObjectShape) -> float:
    """The place of a member of the one behind which the other is ruled out, as it never has what the one owed."""
    last = {member.name: place for place, member in enumerate(one.members)}
    breaks = chain(*(member.breaks for member in one.members), *(part.breaks for part in one.parts))
    broken = {each.obligation for each in breaks}
    ends = [
        max(map(last.__getitem__, owed.present))
        for number, owed in enumerate(one.obligations)
        if number not in broken and not owed.absent and not owed.counts and owed.present
        if owed.present <= last.keys() and all(value_of(other, name) is None for name in owed.present)
    ]
    return min(ends, default=inf)


def _scalars_overlap(one: Nonterminal, other: Nonterminal) -> bool:
    if not set(one.constants).isdisjoint(other.constants):
        return True
    try:
        return not (one.strings & other.strings).is_empty or not (one.numbers & other.numbers).is_empty
    except StateLimitError:
        return True

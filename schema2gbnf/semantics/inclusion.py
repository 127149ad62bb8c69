"""Whether all values of one conjunction, object or array are values of another, told by what was explored of both.

The answer is about texts: what the one spells, the other spells alike. False is also the answer where that is hard to
tell.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import chain

from schema2gbnf.languages.dfa import StateLimitError
from schema2gbnf.languages.strings import StringLanguage
from schema2gbnf.semantics.emptiness import void
from schema2gbnf.semantics.formula import Conjunction
from schema2gbnf.semantics.meaning import Meaning
from schema2gbnf.semantics.productivity import ANYTHING, Alternative, Explored, Nonterminal
from schema2gbnf.semantics.shapes import AllBut, ArrayShape, KeyPart, Names, ObjectShape

DEPTH = 5
"""Levels of values that are compared."""

MOST_COMPARED = 2_000
"""Pairs of values that are compared in one schema."""


@dataclass
class Inclusion:
    """Questions about the values of one schema, answers kept."""

    meaning: Meaning
    explored: Explored
    made: dict[Conjunction, Nonterminal] = field(default_factory=dict)
    """Nonterminals that came up since."""
    compared: dict[tuple[Conjunction, Conjunction, int], bool] = field(default_factory=dict)
    told_apart: dict[tuple[Conjunction, Conjunction], bool] = field(default_factory=dict)
    productive: set[Conjunction] = field(init=False)
    """Conjunctions that some value meets, those among them that came up since."""

    def __post_init__(self) -> None:
        self.productive = set(self.explored.productive)

    def nonterminal(self, conjunction: Conjunction) -> Nonterminal | None:
        """What a conjunction is; None for anything, and for what was not looked at."""
        return self.explored.nonterminals.get(conjunction) or self.made.get(conjunction)

    def objects_within(self, one: Alternative, other: Alternative, depth: int = DEPTH) -> bool:
        """Whether all objects of the one alternative are those of the other."""
        mine, its = one.shape, other.shape
        if not isinstance(mine, ObjectShape) or not isinstance(its, ObjectShape):
            return mine == its
        needed = {member.name for member in its.members if member.required}
        if not needed <= {member.name for member in mine.members if member.required}:
            return False
        if not is_comparable(mine, its) or not counts_within(mine, its):
            return False
        places = [(member.value, value_of(its, member.name)) for member in mine.members]
        places += [(part.value, value_of_all(its, part)) for part in mine.parts]
        return all(value is not None and self.is_within(each, value, depth) for each, value in places)

    def is_within(self, one: Conjunction, other: Conjunction, depth: int = DEPTH) -> bool:
        """Whether all texts of the one are texts of the other; False also when that is hard to tell."""
        if one == other or other == ANYTHING:
            return True
        key = one, other, depth
        if key not in self.compared and len(self.compared) < MOST_COMPARED:
            self.compared[key] = False
            self.compared[key] = self._is_within(one, other, depth)
        return self.compared.get(key, False)

    def _is_within(self, one: Conjunction, other: Conjunction, depth: int = DEPTH) -> bool:
        left, right = self.nonterminal(one), self.nonterminal(other)
        if left is None or right is None or depth == 0:
            return False
        if left.options or right.options:
            return all(
                any(self.is_within(each, option, depth - 1) for option in right.options or (other,))
                for each in left.options or (one,)
            )
        return (
            set(left.constants) <= set(right.constants)
            and strings_within(left.strings, right.strings)
            and (left.numbers.is_empty or left.numbers == right.numbers)
            and all(any(self.objects_within(each, its, depth - 1) for its in right.objects) for each in left.objects)
            and all(any(self.arrays_within(each, its, depth - 1) for its in right.arrays) for each in left.arrays)
        )

    def arrays_within(self, one: Alternative, other: Alternative, depth: int = DEPTH) -> bool:
        """Whether all arrays of the one alternative are those of the other."""
        mine, its = one.shape, other.shape
        if not isinstance(mine, ArrayShape) or not isinstance(its, ArrayShape):
            return mine == its
        if mine.contains or mine.obligations or not its.plain or not counts_within(mine, its):
            return False
        places = range(max(len(mine.prefix), len(its.prefix)) + 1)
        return all(self.is_within(_item(mine, place), _item(its, place), depth) for place in places)

    def is_apart(self, one: Conjunction, other: Conjunction) -> bool:
        """Whether certainly no value has both meanings."""
        key = one, other
        if key not in self.told_apart and len(self.told_apart) < MOST_COMPARED:
            both = self.meaning.conjunction((*one, *other))
            self.told_apart[key] = both is None or void(self.meaning, both, 1)
        return self.told_apart.get(key, False)


def is_comparable(mine: ObjectShape, its: ObjectShape) -> bool:
    """Whether the members of the one tell whether it is the other: that has them in the same order and owes no more.

    Of names that the one does not declare it has none that the other declares, and no value is split by what it breaks:
    what is demanded beside may declare names that would be closed otherwise.
    """
    names = {member.name for member in mine.members}
    declared = (member.name for member in its.members if member.name not in names)
    if any(part.names.accepts(name) for name in declared for part in mine.parts):
        return False
    breaks = chain(*(member.breaks for member in mine.members), *(part.breaks for part in mine.parts))
    if any(each.demand is not None for each in breaks):
        return False
    return _owes_as_much(mine, its) and _in_order(mine, its)


def _owes_as_much(mine: ObjectShape, its: ObjectShape) -> bool:
    """Whether the one owes all that the other owes, and can bring it in no other way."""
    due = len(its.obligations)
    if its.obligations != mine.obligations[:due] or (due and any(part.breaks for part in (*mine.parts, *its.parts))):
        return False
    ways = [
        {(member.name, each) for member in shape.members for each in member.breaks if each.obligation < due}
        for shape in (mine, its)
    ]
    return ways[0] <= ways[1]


def _in_order(mine: ObjectShape, its: ObjectShape) -> bool:
    """Whether the members of the one stand in the order that the other has them in."""
    places = {member.name: place for place, member in enumerate(its.members)}
    order = [places.get(member.name, len(places)) for member in mine.members if its.parts or member.name in places]
    return order == sorted(order)


def value_of(shape: ObjectShape, name: str) -> Conjunction | None:
    """The value that a shape has for a name; None when it has none."""
    declared = (member.value for member in shape.members if member.name == name)
    return next(chain(declared, (part.value for part in shape.parts if part.names.accepts(name))), None)


def value_of_all(shape: ObjectShape, part: KeyPart) -> Conjunction | None:
    """The value that a shape has for all names of a part; None when it has no one value for them."""
    return next((each.value for each in shape.parts if _names_within(part.names, each.names)), None)


def _names_within(one: Names, other: Names) -> bool:
    if one == other:
        return True
    if isinstance(other, AllBut):
        return not any(map(one.accepts, other.excluded))
    return isinstance(one, StringLanguage) and strings_within(one, other)


def strings_within(one: StringLanguage, other: StringLanguage) -> bool:
    """Whether all strings of the one are strings of the other, and spelled alike."""
    if one == other or one.is_empty or other.is_universal:
        return True
    try:
        # What has nothing but a length is spelled in every way.
        return not one.has_lengths_alone and (one - other).is_empty
    except StateLimitError:
        return False


def _item(shape: ArrayShape, place: int) -> Conjunction:
    return (shape.prefix[place] if place < len(shape.prefix) else shape.rest).value


def counts_within(mine: ObjectShape | ArrayShape, its: ObjectShape | ArrayShape) -> bool:
    """Whether the other has as many members or items as the one."""
    return mine.low >= its.low and (its.high is None or (mine.high is not None and mine.high <= its.high))

"""Alternatives of an object that an `anyOf` leaves side by side, parted so that no object fits two of them.

In comes what was explored, objects closed; out goes the same with the same texts. An alternative is left out where
another has all its objects. Of two that overlap the later one gives up what both have: it then owes a member that the
earlier one does not know, or the absence of one that it requires, or a value that it does not allow. Where values
within would have to be parted too, or too much would be owed, both stay as they are, and a note says so.

This comes after closing: a negation speaks of the objects before, and would take from the later alternative what the
earlier one no longer has.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import chain

from schema2gbnf.languages.dfa import StateLimitError
from schema2gbnf.languages.strings import StringLanguage
from schema2gbnf.semantics.emptiness import void
from schema2gbnf.semantics.formula import All, AnyOf, Ask, Conjunction, Demand, ExactlyOne, Formula, pointer_of
from schema2gbnf.semantics.meaning import Meaning
from schema2gbnf.semantics.objects import not_all, outside
from schema2gbnf.semantics.productivity import (
    ANYTHING,
    Alternative,
    Explored,
    Nonterminal,
    nonterminal_of,
    satisfiable,
)
from schema2gbnf.semantics.shapes import (
    AllBut,
    ArrayShape,
    Break,
    KeyPart,
    Member,
    Names,
    ObjectShape,
    Obligation,
    Range,
)
from schema2gbnf.semantics.walks import WalkLimitError, exact_walk

SIDE_BY_SIDE = 16
"""Alternatives of one object that are compared, each with each."""

MOST_OWED = 3
"""What an object may owe at most at once."""

DEPTH = 5
"""Levels of values that are compared."""

MOST_COMPARED = 2_000
"""Pairs of values that are compared in one schema."""

MESSAGE = "some objects fit more than one branch and are read in several ways"


@dataclass(frozen=True, slots=True)
class Difference:
    """What tells objects of one shape from those of another: any of these; or they have nothing in common (`apart`)."""

    apart: bool = False
    present: tuple[str, ...] = ()
    absent: tuple[str, ...] = ()
    counts: tuple[Range, ...] = ()
    values: tuple[tuple[str, Demand], ...] = ()
    parts: tuple[int, ...] = ()

    @property
    def ways(self) -> int:
        return len((*self.present, *self.absent, *self.counts, *self.values, *self.parts))


APART = Difference(apart=True)


def parted(meaning: Meaning, explored: Explored) -> Explored:
    """The same texts, with alternatives of an object no two of which have one in common, as far as that is cheap."""
    search = _Search(meaning, explored)
    for conjunction, each in explored.nonterminals.items():
        if len(each.objects) > 1 and conjunction in explored.productive and _chooses(meaning, conjunction):
            search.part(each)
    if not search.found:
        return explored
    return Explored(explored.root, {**explored.nonterminals, **search.found}, explored.productive.union(search.found))


def _chooses(meaning: Meaning, conjunction: Conjunction) -> bool:
    """Whether an `anyOf` applies to the value itself."""
    todo: list[Formula] = [Ask(demand) for demand in conjunction]
    met: set[Demand] = set()
    while todo:
        match todo.pop():
            case AnyOf(_, "any"):
                return True
            case All(parts) | AnyOf(parts) | ExactlyOne(parts):
                todo.extend(parts)
            case Ask(demand) if demand not in met:
                met.add(demand)
                todo.append(meaning.formula(demand))
            case _:
                pass
    return False


@dataclass
class _Search:
    """The search in one schema; `found` are nonterminals that are new, or have other alternatives than before."""

    meaning: Meaning
    explored: Explored
    found: dict[Conjunction, Nonterminal] = field(default_factory=dict)
    compared: dict[tuple[Conjunction, Conjunction, int], bool] = field(default_factory=dict)

    def part(self, whole: Nonterminal) -> None:
        """Part the objects of a nonterminal."""
        known = [each for each in whole.objects if satisfiable(each, self.explored.productive)]
        if len(known) > SIDE_BY_SIDE:
            return
        kept: list[Alternative] = []
        earlier: list[ObjectShape] = []
        is_parted = True
        for index, each in enumerate(known):
            shape = each.shape
            if not isinstance(shape, ObjectShape):
                kept.append(each)
                continue
            if any(self.swallows(other, each) for other in known[index + 1 :]):
                continue
            differences = dict.fromkeys(
                self.difference(shape, other) for other in earlier if not _is_read_once(shape, other)
            )
            owed = [difference for difference in differences if difference is not None and not difference.apart]
            is_parted = is_parted and None not in differences
            earlier.append(shape)
            try:
                rest = self.rest(each, _owing(self.meaning, shape, owed))
            except WalkLimitError:
                is_parted, rest = False, each
            if rest is not None:
                kept.append(rest)
        if not is_parted:
            self.meaning.report.add("note", "anyOf", pointer_of(whole.demands), MESSAGE)
        if kept != known:
            self.found[whole.demands] = replace(whole, objects=tuple(kept))

    def swallows(self, other: Alternative, one: Alternative) -> bool:
        """Whether all objects of the one alternative are read as those of the other too."""
        mine, its = one.shape, other.shape
        if not isinstance(mine, ObjectShape) or not isinstance(its, ObjectShape) or _is_read_once(mine, its):
            return False
        return self.objects_within(one, other, DEPTH)

    def rest(self, alternative: Alternative, shape: ObjectShape | None) -> Alternative | None:
        """The alternative with what is left of its shape; None when nothing is. Raises `WalkLimitError`."""
        if shape is None or shape == alternative.shape:
            return alternative if shape is not None else None
        if len(shape.obligations) > MOST_OWED:
            raise WalkLimitError
        rest = replace(alternative, shape=shape, walk=exact_walk(self.meaning, shape))
        for value in rest.values():
            if value != ANYTHING and value not in self.explored.nonterminals:
                self.found[value] = nonterminal_of(self.meaning, value)
        return rest if satisfiable(rest, self.explored.productive.union(self.found)) else None

    # -- differences -------------------------------------------------------------------------------------------------

    def difference(self, one: ObjectShape, other: ObjectShape) -> Difference | None:
        """What tells objects of the one shape from those of the other; None when that cannot be told here."""
        names = {member.name for member in one.members}
        if any(member.required and _value(one, member.name) is None for member in other.members):
            return APART
        told = _is_comparable(one, other)
        present: list[str] = []
        values: list[tuple[str, Demand]] = []
        for member in one.members:
            value = _value(other, member.name)
            if value is not None and self.is_within(member.value, value, DEPTH):
                continue
            if value is None or self.is_apart(member.value, value):
                if member.required:
                    return APART
                present.append(member.name)
            elif self.has_strings_alone(member.value, value) and (refused := not_all(value)) is not None:
                values.append((member.name, refused))
            else:
                told = False
        parts: list[int] = []
        for index, part in enumerate(one.parts):
            value = _covering(other, part)
            if value is None and not other.parts:
                parts.append(index)
            elif value is None or not self.is_within(part.value, value, DEPTH):
                told = False
        needed = {member.name for member in other.members if member.required}
        absent = tuple(member.name for member in one.members if member.name in needed and not member.required)
        if not told or not needed <= names:
            return None
        counts = () if _counts_within(one, other) else outside(other.low, other.high)
        return Difference(False, tuple(present), absent, tuple(counts), tuple(values), tuple(parts))

    def objects_within(self, one: Alternative, other: Alternative, depth: int) -> bool:
        """Whether all objects of the one alternative are those of the other."""
        mine, its = one.shape, other.shape
        if not isinstance(mine, ObjectShape) or not isinstance(its, ObjectShape):
            return mine == its
        needed = {member.name for member in its.members if member.required}
        if not needed <= {member.name for member in mine.members if member.required}:
            return False
        if not _is_comparable(mine, its) or not _counts_within(mine, its):
            return False
        places = [(member.value, _value(its, member.name)) for member in mine.members]
        places += [(part.value, _covering(its, part)) for part in mine.parts]
        return all(value is not None and self.is_within(each, value, depth) for each, value in places)

    def is_within(self, one: Conjunction, other: Conjunction, depth: int) -> bool:
        """Whether all texts of the one are texts of the other; False also when that is hard to tell."""
        if one == other or other == ANYTHING:
            return True
        key = one, other, depth
        if key not in self.compared and len(self.compared) < MOST_COMPARED:
            self.compared[key] = False
            self.compared[key] = self._is_within(one, other, depth)
        return self.compared.get(key, False)

    def _is_within(self, one: Conjunction, other: Conjunction, depth: int) -> bool:
        left, right = self.explored.nonterminals.get(one), self.explored.nonterminals.get(other)
        if left is None or right is None or depth == 0:
            return False
        if left.options or right.options:
            return all(
                any(self.is_within(each, option, depth - 1) for option in right.options or (other,))
                for each in left.options or (one,)
            )
        return (
            set(left.constants) <= set(right.constants)
            and _strings_within(left.strings, right.strings)
            and (left.numbers.is_empty or left.numbers == right.numbers)
            and all(any(self.objects_within(each, its, depth - 1) for its in right.objects) for each in left.objects)
            and all(any(self.arrays_within(each, its, depth - 1) for its in right.arrays) for each in left.arrays)
        )

    def arrays_within(self, one: Alternative, other: Alternative, depth: int) -> bool:
        """Whether all arrays of the one alternative are those of the other."""
        mine, its = one.shape, other.shape
        if not isinstance(mine, ArrayShape) or not isinstance(its, ArrayShape):
            return mine == its
        if mine.contains or mine.obligations or not its.plain or not _counts_within(mine, its):
            return False
        places = range(max(len(mine.prefix), len(its.prefix)) + 1)
        return all(self.is_within(_item(mine, place), _item(its, place), depth) for place in places)

    def is_apart(self, one: Conjunction, other: Conjunction) -> bool:
        """Whether certainly no value has both meanings."""
        both = self.meaning.conjunction((*one, *other))
        return both is None or void(self.meaning, both, 1)

    def has_strings_alone(self, one: Conjunction, other: Conjunction) -> bool:
        """Whether values are strings and constants, so that, with some taken away, the rest is spelled as before."""
        left, right = self.explored.nonterminals.get(one), self.explored.nonterminals.get(other)
        if left is None or right is None or (left.strings.has_lengths_alone and not left.strings.is_empty):
            return False
        return all(
            not each.options and not each.objects and not each.arrays and each.numbers.is_empty
            for each in (left, right)
        )


def _is_read_once(mine: ObjectShape, its: ObjectShape) -> bool:
    """Whether what both have is written once anyway, since members of one name have one value."""
    theirs = {member.name: member.value for member in its.members}
    if mine.parts or its.parts:
        return mine.parts == its.parts and theirs == {member.name: member.value for member in mine.members}
    return all(theirs.get(member.name, member.value) == member.value for member in mine.members)


def _is_comparable(mine: ObjectShape, its: ObjectShape) -> bool:
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


def _value(shape: ObjectShape, name: str) -> Conjunction | None:
    """The value that a shape has for a name; None when it has none."""
    declared = (member.value for member in shape.members if member.name == name)
    return next(chain(declared, (part.value for part in shape.parts if part.names.accepts(name))), None)


def _covering(shape: ObjectShape, part: KeyPart) -> Conjunction | None:
    """The value that a shape has for all names of a part; None when it has no one value for them."""
    return next((each.value for each in shape.parts if _names_within(part.names, each.names)), None)


def _names_within(one: Names, other: Names) -> bool:
    if one == other:
        return True
    if isinstance(other, AllBut):
        return not any(map(one.accepts, other.excluded))
    return isinstance(one, StringLanguage) and _strings_within(one, other)


def _strings_within(one: StringLanguage, other: StringLanguage) -> bool:
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


def _counts_within(mine: ObjectShape | ArrayShape, its: ObjectShape | ArrayShape) -> bool:
    """Whether the other has as many members or items as the one."""
    return mine.low >= its.low and (its.high is None or (mine.high is not None and mine.high <= its.high))


def _owing(meaning: Meaning, shape: ObjectShape, owed: list[Difference]) -> ObjectShape | None:
    """The shape with what it owes: what can only be brought in one way as a condition, the rest as obligations.

    None when something cannot be brought at all.
    """
    members = {member.name: member for member in shape.members}
    low, high = shape.low, shape.high
    todo = sorted(owed, key=lambda difference: difference.ways)
    left: list[Difference] = []
    while todo:
        each = _still_owed(todo.pop(0), members)
        if each is None:
            continue
        if each.ways != 1 or each.parts or (each.absent and shape.obligations):
            left.append(each)
            continue
        todo, left = [*left, *todo], []
        for name in each.present:
            members[name] = replace(members[name], required=True)
        for name in each.absent:
            del members[name]
        for name, demand in each.values:
            value = meaning.conjunction((*members[name].value, demand))
            if value is None:
                return None
            members[name] = replace(members[name], value=value, required=True)
        for least, most in each.counts:
            low = max(low, least)
            high = most if high is None else high if most is None else min(high, most)
    if any(not each.ways for each in left):
        return None
    parts = list(shape.parts)
    for number, each in enumerate(left, len(shape.obligations)):
        for name, demand in each.values:
            members[name] = replace(members[name], breaks=(*members[name].breaks, Break(number, demand)))
        for index in each.parts:
            parts[index] = replace(parts[index], breaks=(*parts[index].breaks, Break(number, None)))
    obligations = (Obligation(frozenset(each.present), frozenset(each.absent), each.counts) for each in left)
    return replace(
        shape,
        members=tuple(members.values()),
        parts=tuple(parts),
        low=low,
        high=high,
        obligations=(*shape.obligations, *obligations),
    )


def _still_owed(difference: Difference, members: dict[str, Member]) -> Difference | None:
    """What is left of a difference when members have become required or have gone; None when it is there for sure."""
    if any(name not in members for name in difference.absent):
        return None
    if any(name in members and members[name].required for name in difference.present):
        return None
    return replace(
        difference,
        present=tuple(name for name in difference.present if name in members),
        absent=tuple(name for name in difference.absent if not members[name].required),
        values=tuple((name, demand) for name, demand in difference.values if name in members),
    )

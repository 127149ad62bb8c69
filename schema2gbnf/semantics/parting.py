"""Alternatives of an object that an `anyOf` leaves side by side, parted so that no object fits two of them.

In comes what was explored, objects closed; out goes the same with the same texts. An alternative is left out where
another has all its objects. Of two that overlap the later one gives up what both have: it then owes a member that the
earlier one does not know, or the absence of one that it requires, or a value that it does not allow. Where values
within would have to be parted too, or too much would be owed, both stay as they are, and a note says so.

Where the objects lie within themselves, it is not enough that one of the readings is ruled out in the end. What members
of one name have in common is then made equal, and read once for all objects that still fit, if it can be.

This comes after closing: a negation speaks of the objects before, and would take from the later alternative what the
earlier one no longer has.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from schema2gbnf.languages.dfa import StateLimitError
from schema2gbnf.semantics.formula import All, AnyOf, Ask, Conjunction, Demand, ExactlyOne, Formula, pointer_of
from schema2gbnf.semantics.halves import Halves
from schema2gbnf.semantics.inclusion import Inclusion, counts_within, is_comparable, value_of, value_of_all
from schema2gbnf.semantics.meaning import Meaning
from schema2gbnf.semantics.objects import not_all, outside
from schema2gbnf.semantics.overlaps import forks
from schema2gbnf.semantics.productivity import (
    ANYTHING,
    Alternative,
    Explored,
    Nonterminal,
    nonterminal_of,
    satisfiable,
)
from schema2gbnf.semantics.refining import refined_objects
from schema2gbnf.semantics.scalars import strings
from schema2gbnf.semantics.shapes import Break, Member, ObjectShape, Obligation, Range
from schema2gbnf.semantics.walks import WalkLimitError, exact_walk

SIDE_BY_SIDE = 16
"""Alternatives of one object that are compared, each with each."""

MOST_OWED = 3
"""What an object may owe at most at once."""

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
    productive, nonterminals = explored.productive, explored.nonterminals
    side_by_side = [each for each, known in nonterminals.items() if len(known.objects) > 1 and each in productive]
    if not side_by_side:
        return explored
    search = _Search(meaning, explored, set(forks(meaning, explored)))
    for conjunction in side_by_side:
        if _chooses(meaning, conjunction):
            search.part(nonterminals[conjunction])
    for half in search.used:  # grows while it is read
        search.part(half)
    if not search.found:
        return explored
    return Explored(
        explored.root,
        {**explored.nonterminals, **search.found},
        explored.productive.union(search.found),
        frozenset(search.refined),
    )


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
    forking: set[Conjunction]
    """Those whose readings multiply with each level."""
    inclusion: Inclusion = field(init=False)
    halves: Halves = field(init=False)
    found: dict[Conjunction, Nonterminal] = field(default_factory=dict)
    refined: set[Conjunction] = field(default_factory=set)
    used: list[Nonterminal] = field(default_factory=list)
    """Halves that objects have as values, which are still to be parted themselves."""

    def __post_init__(self) -> None:
        self.inclusion = Inclusion(self.meaning, self.explored)
        self.halves = Halves(self.inclusion, self.subtract)

    def part(self, whole: Nonterminal) -> None:
        """Part the objects of a nonterminal."""
        if whole.demands in self.forking and self.refine(whole):
            return
        known = [each for each in whole.objects if satisfiable(each, self.inclusion.productive)]
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

    def refine(self, whole: Nonterminal) -> bool:
        """Have a reader go on in all objects that fit at once; false where that is hard to bring about."""
        self.halves.keeps_spellings = False
        refined = refined_objects(self.halves, whole)
        self.halves.keeps_spellings = True
        if refined is None or not all(map(self.is_explored, refined.values())):
            return False
        self.found[whole.demands] = refined
        self.refined.add(whole.demands)
        for value in refined.values():
            self.use(value, forking=True)
        return True

    def is_explored(self, value: Conjunction) -> bool:
        """Whether a value is written as what it means; past the limit `nonterminals` it stands for any."""
        if value == ANYTHING:
            return True
        nonterminal = self.found.get(value) or self.inclusion.nonterminal(value)
        return nonterminal is not None and all(map(self.is_explored, nonterminal.options))

    def swallows(self, other: Alternative, one: Alternative) -> bool:
        """Whether all objects of the one alternative are read as those of the other too."""
        mine, its = one.shape, other.shape
        if not isinstance(mine, ObjectShape) or not isinstance(its, ObjectShape) or _is_read_once(mine, its):
            return False
        return self.inclusion.objects_within(one, other)

    def rest(self, alternative: Alternative, shape: ObjectShape | None) -> Alternative | None:
        """The alternative with what is left of its shape; None when nothing is. Raises `WalkLimitError`."""
        if shape is None or shape == alternative.shape:
            return alternative if shape is not None else None
        if len(shape.obligations) > MOST_OWED:
            raise WalkLimitError
        rest = replace(alternative, shape=shape, walk=exact_walk(self.meaning, shape))
        for value in rest.values:
            self.use(value)
        return rest if satisfiable(rest, self.inclusion.productive) else None

    def use(self, value: Conjunction, forking: bool = False) -> None:
        """Take in what an object has as a value, if it is new. Raises `WalkLimitError` where it is hard to make."""
        if value == ANYTHING or value in self.found or value in self.explored.nonterminals:
            return
        made = self.inclusion.made.get(value)
        if made is None:
            made = nonterminal_of(self.meaning, value)
            if made.options or made.objects or made.arrays:
                raise WalkLimitError
            if not made.scalar:
                return
            self.inclusion.productive.add(value)
        elif len(made.objects) > 1:
            self.used.append(made)
            if forking:
                self.forking.add(value)
        self.found[value] = made

    def subtract(self, alternative: Alternative, others: list[Alternative]) -> Alternative | None:
        """An object without those of others; None when none is left. Raises `WalkLimitError` where that is hard."""
        shape, owed = alternative.shape, list[Difference]()
        for other in others:
            if not isinstance(shape, ObjectShape) or not isinstance(other.shape, ObjectShape):
                raise WalkLimitError
            difference = self.difference(shape, other.shape)
            if difference is None:
                raise WalkLimitError
            owed += [] if difference.apart else [difference]
        assert isinstance(shape, ObjectShape)
        return self.rest(alternative, _owing(self.meaning, shape, list(dict.fromkeys(owed))))

    # -- differences -------------------------------------------------------------------------------------------------

    def difference(self, one: ObjectShape, other: ObjectShape) -> Difference | None:
        """What tells objects of the one shape from those of the other; None when that cannot be told here."""
        names = {member.name for member in one.members}
        if any(member.required and value_of(one, member.name) is None for member in other.members):
            return APART
        told = is_comparable(one, other)
        present: list[str] = []
        values: list[tuple[str, Demand]] = []
        for member in one.members:
            value = value_of(other, member.name)
            if value is not None and self.inclusion.is_within(member.value, value):
                continue
            if value is None or self.inclusion.is_apart(member.value, value):
                if member.required:
                    return APART
                present.append(member.name)
            elif (refused := self.refusal(member.value, value)) is not None:
                values.append((member.name, refused))
            else:
                told = False
        parts: list[int] = []
        for index, part in enumerate(one.parts):
            value = value_of_all(other, part)
            if value is None and not other.parts:
                parts.append(index)
            elif value is None or not self.inclusion.is_within(part.value, value):
                told = False
        needed = {member.name for member in other.members if member.required}
        absent = tuple(member.name for member in one.members if member.name in needed and not member.required)
        if not told or not needed <= names:
            return None
        counts = () if counts_within(one, other) else outside(other.low, other.high)
        return Difference(False, tuple(present), absent, tuple(counts), tuple(values), tuple(parts))

    def refusal(self, one: Conjunction, other: Conjunction) -> Demand | None:
        """A demand that values of the one meet if the other has them not; None where that would cost texts.

        Both are strings and constants, so that, with some taken away, the rest is spelled as before; and the demand
        takes away just what the other has, which it does not where a format is known in part.
        """
        left, right = self.inclusion.nonterminal(one), self.inclusion.nonterminal(other)
        refused = not_all(other)
        if left is None or right is None or refused is None or self.halves.keeps_whole(left.strings):
            return None
        if any(each.options or each.objects or each.arrays or not each.numbers.is_empty for each in (left, right)):
            return None
        rest = self.meaning.conjunction((*one, refused))
        if rest is None:
            return None
        try:
            kept = strings(self.meaning, rest)
            return refused if (kept | (left.strings & right.strings)).equals(left.strings) else None
        except StateLimitError:
            return None


def _is_read_once(mine: ObjectShape, its: ObjectShape) -> bool:
    """Whether what both have is written once anyway, since members of one name have one value."""
    theirs = {member.name: member.value for member in its.members}
    if mine.parts or its.parts:
        return mine.parts == its.parts and theirs == {member.name: member.value for member in mine.members}
    return all(theirs.get(member.name, member.value) == member.value for member in mine.members)


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

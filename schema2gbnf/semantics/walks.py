"""Automata over the members of an object shape and the items of an array shape.

A state says where the walk stands, how many members it has taken (as far as a count depends on it) and which
obligations are still open. What a member does to open obligations decides its value: it breaks some and not the
others, each combination a value of its own, so that every object has one walk.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import TypeVar

from schema2gbnf.schema.subschema import Subschema
from schema2gbnf.semantics.domains import finite_domain
from schema2gbnf.semantics.emptiness import void
from schema2gbnf.semantics.formula import Conjunction, Frozen, Obeys
from schema2gbnf.semantics.meaning import Meaning
from schema2gbnf.semantics.shapes import ArrayShape, Break, ObjectShape, Range, Slot


@dataclass(frozen=True, slots=True)
class Take:
    """One more member or item of this value. `place`: index among the members, then the parts; of an item, its slot."""

    place: int
    value: Conjunction
    target: int


@dataclass(frozen=True, slots=True)
class Step:
    """A state: what may be taken, the state after passing over an optional member, and whether the walk may end."""

    takes: tuple[Take, ...]
    skip: int | None
    ends: bool


Walk = tuple[Step, ...]
"""Steps by number; 0 is the first."""


WAYS = 64
"""The most ways in which one value may break some obligations and keep others."""


class WalkLimitError(Exception):
    """A walk needs more states than it may have."""


State = TypeVar("State", bound=Hashable)
Moves = tuple[Iterable[tuple[int, Conjunction, State]], "State | None", bool]


AnyOrderState = tuple[frozenset[int], int, frozenset[int]]
"""Members taken, how many there are, obligations still open."""
MemberState = tuple[int, int, frozenset[int]]
"""The member that comes next, how many were taken, obligations still open."""
ItemState = tuple[int, tuple[int, ...], frozenset[int], frozenset[Frozen]]
"""Items taken, counts of contained items, obligations still open, values that must not come again."""


def _walk(start: State, moves: Callable[[State], Moves[State]], limit: int) -> Walk:
    numbers: dict[State, int] = {start: 0}
    states = [start]
    steps: list[Step] = []

    def number(state: State) -> int:
        found = numbers.get(state)
        if found is None:
            found = numbers[state] = len(states)
            states.append(state)
            if found >= limit:
                raise WalkLimitError
        return found

    taken = 0
    for state in states:  # grows while it is read
        takes, skip, ends = moves(state)
        targets = tuple(Take(place, value, number(target)) for place, value, target in takes)
        taken += len(targets)
        if taken > 4 * limit:
            raise WalkLimitError
        steps.append(Step(targets, None if skip is None else number(skip), ends))
    return tuple(steps)


def splits(
    meaning: Meaning, value: Conjunction, breaks: tuple[Break, ...], still_open: frozenset[int]
) -> tuple[tuple[Conjunction, frozenset[int]], ...]:
    """The ways in which a value may discharge open obligations: the demands on it, and what is left open."""
    if not breaks or not still_open:
        return ((value, still_open),)
    key = (value, breaks, still_open)
    found = meaning.splits.get(key)
    if found is None:
        found = meaning.splits[key] = _splits(meaning, value, breaks, still_open)
    return found


def _splits(
    meaning: Meaning, value: Conjunction, breaks: tuple[Break, ...], still_open: frozenset[int]
) -> tuple[tuple[Conjunction, frozenset[int]], ...]:
    ways: list[tuple[Conjunction, frozenset[int]]] = [(value, still_open)]
    for each in breaks:
        if each.obligation not in still_open:
            continue
        if each.demand is None:
            ways = [(demands, left - {each.obligation}) for demands, left in ways]
            continue
        following = []
        for demands, left in ways:
            breaking = _inhabited(meaning, (*demands, each.demand))
            keeping = _inhabited(meaning, (*demands, ~each.demand))
            # What the value implies anyway is not added to the demands on it.
            if breaking is not None:
                following.append((demands if keeping is None else breaking, left - {each.obligation}))
            if keeping is not None:
                following.append((demands if breaking is None else keeping, left))
        ways = following
        if len(ways) > WAYS:
            raise WalkLimitError
    return tuple(ways)


def _inhabited(meaning: Meaning, demands: Conjunction) -> Conjunction | None:
    """The conjunction, or None when certainly no value meets it."""
    found = meaning.conjunction(demands)
    return None if found is None or void(meaning, found, 1) else found


def _meets(count: int, ranges: Iterable[Range]) -> bool:
    return any(low <= count and (high is None or count <= high) for low, high in ranges)


def _cap(*ranges: Range) -> int:
    """The least count from which on all counts are alike for every range."""
    return max((low if high is None else max(low, high + 1) for low, high in ranges), default=0)


# -- objects -----------------------------------------------------------------------------------------------------------


def member_walk(meaning: Meaning, shape: ObjectShape) -> Walk:
    """The walk over an object's members; loosens counts and obligations that would need too many states."""
    try:
        return _member_walk(meaning, shape)
    except WalkLimitError:
        message = "counting members and telling what is still due needs too many states; raise 'member_states'"
        meaning.report.loosen("minProperties" if shape.low > 1 else "not", shape.pointer, message)
        low = 1 if shape.low else 0
        return _member_walk(meaning, replace(shape, low=low, high=None, obligations=()), free=True)


def exact_walk(meaning: Meaning, shape: ObjectShape) -> Walk:
    """The walk in the order the caller wants; raises `WalkLimitError` where it would need too many states."""
    if meaning.options.order != "any":
        return _member_walk(meaning, shape)
    walk = any_order_walk(meaning, shape)
    if walk is None:
        raise WalkLimitError
    return walk


def any_order_walk(meaning: Meaning, shape: ObjectShape) -> Walk | None:
    """The walk over an object's members in every order, by the set of those taken; None when it has too many states."""
    members, parts = shape.members, shape.parts
    cap = max(1, _cap((shape.low, shape.high), *(r for o in shape.obligations for r in o.counts)))

    def moves(state: AnyOrderState) -> Moves[AnyOrderState]:
        taken, count, still_open = state
        after = min(count + 1, cap)
        takes: list[tuple[int, Conjunction, AnyOrderState]] = []
        if shape.high is None or count < shape.high:
            for index, member in enumerate(members):
                if index not in taken:
                    present = frozenset(i for i in still_open if member.name in shape.obligations[i].present)
                    for value, left in splits(meaning, member.value, member.breaks, still_open - present):
                        takes.append((index, value, (taken | {index}, after, left)))
            for index, part in enumerate(parts, len(members)):
                for value, left in splits(meaning, part.value, part.breaks, still_open):
                    takes.append((index, value, (taken, after, left)))
        missing = {member.name for index, member in enumerate(members) if index not in taken}
        settled = all(
            _meets(count, shape.obligations[index].counts) or not missing.isdisjoint(shape.obligations[index].absent)
            for index in still_open
        )
        complete = all(index in taken for index, member in enumerate(members) if member.required)
        return takes, None, settled and complete and count >= shape.low

    # The orders of all objects of a schema share one budget.
    left = 4 * meaning.options.limits.member_states - meaning.any_order_states
    limit = min(left, meaning.options.limits.member_states)
    start: AnyOrderState = (frozenset(), 0, frozenset(range(len(shape.obligations))))
    try:
        walk = _walk(start, moves, limit)
    except WalkLimitError:
        meaning.any_order_states += limit
        return None
    meaning.any_order_states += len(walk)
    return walk


def _free_walk(shape: ObjectShape) -> Walk:
    """What `_walk` finds where nothing is counted or owed: for each member a state behind some that were taken and,
    as long as members may be passed over, one behind none."""
    members, parts = shape.members, shape.parts
    steps: list[Step] = []
    states = [False]
    for place, member in enumerate(members):
        some = len(steps) + len(states)
        takes = (Take(place, member.value, some),)
        following = [True]
        for taken in states:
            skip: int | None = None
            if not member.required:
                skip = some if taken else some + 1
                following = following if taken else [True, False]
            steps.append(Step(takes, skip, False))
        states = following
    some = len(steps) if states[0] or not parts else len(steps) + 1
    rest = tuple([Take(place, part.value, some) for place, part in enumerate(parts, len(members))])
    steps.extend([Step(rest, None, True)] * (len(states) + (some > len(steps))))
    return tuple(steps)


def _member_walk(meaning: Meaning, shape: ObjectShape, free: bool = False) -> Walk:
    return _free_walk(shape) if shape.free else _counted_walk(meaning, shape, free)


def _counted_walk(meaning: Meaning, shape: ObjectShape, free: bool) -> Walk:
    members, parts = shape.members, shape.parts
    due = range(len(shape.obligations))
    cap = max(1, _cap((shape.low, shape.high), *(r for o in shape.obligations for r in o.counts)))
    last = [-1] * len(shape.obligations)
    for position, member in enumerate(members):
        for each in member.breaks:
            if not free:
                last[each.obligation] = position
        for index in due:
            obligation = shape.obligations[index]
            if member.name in obligation.present or member.name in obligation.absent:
                last[index] = position
    for part in parts:
        for each in part.breaks:
            if not free:
                last[each.obligation] = len(members)
    for index in due:
        if shape.obligations[index].counts:
            last[index] = len(members)
    absent_from_start = frozenset(due)

    def moves(state: MemberState) -> Moves[MemberState]:
        position, count, still_open = state
        after = min(count + 1, cap)
        full = shape.high is not None and count >= shape.high
        takes: list[tuple[int, Conjunction, MemberState]] = []
        if position == len(members):
            if not full:
                for index, part in enumerate(parts):
                    breaks = () if free else part.breaks
                    for value, left in splits(meaning, part.value, breaks, still_open):
                        takes.append((position + index, value, (position, after, left)))
            settled = all(_meets(count, shape.obligations[index].counts) for index in still_open)
            return takes, None, settled and count >= shape.low and (shape.high is None or count <= shape.high)
        member = members[position]
        if not full:
            present = frozenset(i for i in still_open if member.name in shape.obligations[i].present)
            for value, left in splits(meaning, member.value, () if free else member.breaks, still_open - present):
                if all(last[index] > position for index in left):
                    takes.append((position, value, (position + 1, after, left)))
        skip: MemberState | None = None
        if not member.required:
            left = frozenset(i for i in still_open if member.name not in shape.obligations[i].absent)
            if all(last[index] > position for index in left):
                skip = (position + 1, count, left)
        return takes, skip, False

    # What grows with the number of members alone is not held against it.
    plain = 2 * (len(members) + len(parts) + 1)
    return _walk((0, 0, absent_from_start), moves, meaning.options.limits.member_states + plain)


# -- arrays ------------------------------------------------------------------------------------------------------------


def item_walk(meaning: Meaning, shape: ArrayShape) -> Walk:
    """The walk over an array's items; loosens what would need too many states."""
    domains = _domains(meaning, shape) if shape.unique is not None else None
    if shape.unique is not None and domains is None:
        message = "items of unbounded kind are not kept distinct: no context-free grammar can"
        meaning.report.loosen("uniqueItems", shape.unique, message)
    try:
        return _item_walk(meaning, shape, domains)
    except WalkLimitError:
        message = "counting items needs too many states; raise 'member_states'"
        keyword = "uniqueItems" if domains is not None else "contains" if shape.contains else "maxItems"
        meaning.report.loosen(keyword, shape.unique or shape.pointer, message)
        return _item_walk(meaning, replace(shape, low=min(shape.low, 1), high=None, contains=(), obligations=()), None)


def _domains(meaning: Meaning, shape: ArrayShape) -> list[tuple[Frozen, ...]] | None:
    """The finitely many values of each slot of the prefix, and of the rest."""
    limit = meaning.options.limits.unique_values
    slots = [*shape.prefix, *([shape.rest] if shape.high is None or shape.high > len(shape.prefix) else [])]
    found = [finite_domain(meaning, slot.value, limit) for slot in slots]
    return None if None in found else [domain for domain in found if domain is not None]


def _item_walk(meaning: Meaning, shape: ArrayShape, domains: list[tuple[Frozen, ...]] | None) -> Walk:
    caps = [
        max(
            _cap((count.low, count.high)),
            _cap(*(r for o in shape.obligations for index, r in o.contained if index == place)),
        )
        for place, count in enumerate(shape.contains)
    ]
    length_cap = max(
        len(shape.prefix), _cap((shape.low, shape.high), *(r for o in shape.obligations for r in o.counts))
    )

    def moves(state: ItemState) -> Moves[ItemState]:
        length, counts, still_open, used = state
        takes: list[tuple[int, Conjunction, ItemState]] = []
        if shape.high is None or length < shape.high:
            place = min(length, len(shape.prefix))
            slot = shape.prefix[place] if place < len(shape.prefix) else shape.rest
            for value, now, seen in _items(meaning, slot, place, counts, used, shape, domains):
                capped = tuple(map(min, now, caps))
                if any(c.high is not None and n > c.high for c, n in zip(shape.contains, now, strict=True)):
                    continue
                for demands, left in splits(meaning, value, slot.breaks, still_open):
                    takes.append((place, demands, (min(length + 1, length_cap), capped, left, seen)))
        enough = all(count.low <= n for count, n in zip(shape.contains, counts, strict=True))
        settled = all(
            _meets(length, shape.obligations[index].counts)
            or any(_meets(counts[place], [r]) for place, r in shape.obligations[index].contained)
            for index in still_open
        )
        return takes, None, enough and settled and length >= shape.low

    start: ItemState = (0, (0,) * len(shape.contains), frozenset(range(len(shape.obligations))), frozenset())
    return _walk(start, moves, meaning.options.limits.member_states + len(shape.prefix) + 2)


def _items(
    meaning: Meaning,
    slot: Slot,
    place: int,
    counts: tuple[int, ...],
    used: frozenset[Frozen],
    shape: ArrayShape,
    domains: list[tuple[Frozen, ...]] | None,
) -> Iterator[tuple[Conjunction, tuple[int, ...], frozenset[Frozen]]]:
    """The ways to take an item: its demands, the counts after it, the values used up."""
    ways = counted_ways(meaning, slot.value, counts, shape)
    if domains is None:
        for demands, now in ways:
            yield demands, now, used
        return
    from schema2gbnf.semantics.holds import holds

    for value in domains[min(place, len(domains) - 1)]:
        if value in used:
            continue
        for demands, now in ways:
            if holds(meaning, demands, value.value):
                only = Obeys(meaning.documents.synthetic({"const": value.value}, _near(meaning, slot)))
                yield (only,), now, used | {value}


def counted_ways(
    meaning: Meaning, value: Conjunction, counts: tuple[int, ...], shape: ArrayShape
) -> list[tuple[Conjunction, tuple[int, ...]]]:
    """The ways in which an item is, or is not, one of those that each `contains` counts, with the counts after it."""
    ways: list[tuple[Conjunction, tuple[int, ...]]] = [(value, ())]
    for count, counted in zip(shape.contains, counts, strict=True):
        following = []
        for demands, now in ways:
            inside = _inhabited(meaning, (*demands, count.demand))
            outside = _inhabited(meaning, (*demands, ~count.demand))
            if inside is not None:
                following.append((demands if outside is None else inside, (*now, counted + 1)))
            if outside is not None:
                following.append((demands if inside is None else outside, (*now, counted)))
        ways = following
        if len(ways) > WAYS:
            raise WalkLimitError
    return ways


def _near(meaning: Meaning, slot: Slot) -> Subschema:
    return next((d.sub for d in slot.value if isinstance(d, Obeys)), meaning.documents.root)

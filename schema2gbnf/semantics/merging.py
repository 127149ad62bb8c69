"""Conjunctions of equal content taken for one, where alternatives side by side lead back to themselves.

In comes what was explored, objects closed; out goes the same with the same texts. Subschemas that are written twice
are told apart by their place only. Between two objects that each have a member of such a value, a reader would go on in
both, at each level within the member anew; when the value is one, the member is read once.

The coarsest partition is refined until no class can be told from within (Moore 1956, for trees; the largest part of a
class stays as it is, as in Hopcroft 1971).
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import replace
from typing import TypeVar

from schema2gbnf.loops import loops
from schema2gbnf.semantics.formula import Conjunction
from schema2gbnf.semantics.productivity import Alternative, Explored, Nonterminal
from schema2gbnf.semantics.shapes import ArrayShape, KeyPart, Member, ObjectShape, Slot

Classes = Mapping[Conjunction, Hashable]
Part = TypeVar("Part", Member, KeyPart, Slot)


def merged(explored: Explored) -> Explored:
    """The same texts, with one conjunction for all of equal content; as it is where that would not matter."""
    known = [conjunction for conjunction in explored.nonterminals if conjunction in explored.productive]
    if not any(len(explored.nonterminals[each].objects) > 1 for each in known) or not _forks_again(explored, known):
        return explored
    classes = _classes(explored, known)
    first: dict[Hashable, Conjunction] = {}
    for conjunction in known:
        first.setdefault(classes[conjunction], conjunction)
    if len(first) == len(known):
        return explored
    chosen = {conjunction: first[classes[conjunction]] for conjunction in known}
    nonterminals = {
        each: _renamed(nonterminal, chosen)
        for each, nonterminal in explored.nonterminals.items()
        if chosen.get(each, each) == each
    }
    return Explored(chosen.get(explored.root, explored.root), nonterminals, explored.productive)


def _forks_again(explored: Explored, known: list[Conjunction]) -> bool:
    """Whether a value with objects side by side may lie within itself."""
    numbers = {conjunction: number for number, conjunction in enumerate(known)}
    edges = {
        number: list(
            dict.fromkeys(numbers[value] for value in explored.nonterminals[each].values() if value in numbers)
        )
        for each, number in numbers.items()
    }
    return any(len(explored.nonterminals[known[number]].objects) > 1 for circle in loops(edges) for number in circle)


def _classes(explored: Explored, known: list[Conjunction]) -> Classes:
    """A number for each conjunction, the same where the contents are the same.

    What leads to something that was told apart from its class is looked at again; of the parts of a class the largest
    keeps its number, so that nothing is looked at often.
    """
    users: dict[Conjunction, list[Conjunction]] = {}
    for each in known:
        for value in dict.fromkeys(explored.nonterminals[each].values()):
            users.setdefault(value, []).append(each)
    classes: dict[Conjunction, Hashable] = dict.fromkeys(known, 0)
    contents: dict[Conjunction, Hashable] = {}
    alike: dict[Hashable, dict[Hashable, dict[Conjunction, None]]] = {0: {}}
    count, dirty = 1, dict.fromkeys(known)
    while dirty:
        touched: dict[Hashable, None] = {}
        for each in dirty:
            content = _content(explored.nonterminals[each], classes)
            groups = alike[classes[each]]
            if each in contents:
                groups[contents[each]].pop(each)
            contents[each] = content
            groups.setdefault(content, {})[each] = None
            touched[classes[each]] = None
        moved: list[Conjunction] = []
        for number in touched:
            parts = [(content, group) for content, group in alike[number].items() if group]
            largest = max(parts, key=lambda part: len(part[1]))[0]
            alike[number] = {content: group for content, group in parts if content == largest}
            for content, group in parts:
                if content != largest:
                    classes.update(dict.fromkeys(group, count))
                    alike[count] = {content: group}
                    count += 1
                    moved += group
        dirty = dict.fromkeys(user for each in moved for user in users.get(each, ()))
    return classes


# -- content -----------------------------------------------------------------------------------------------------------


def _content(nonterminal: Nonterminal, classes: Classes) -> Hashable:
    """What a nonterminal is but for the names of what it leads to."""
    return (
        tuple(classes.get(option, option) for option in nonterminal.options),
        nonterminal.constants,
        nonterminal.strings,
        nonterminal.numbers,
        tuple(_alternative(each, classes) for each in nonterminal.objects),
        tuple(_alternative(each, classes) for each in nonterminal.arrays),
    )


def _alternative(alternative: Alternative, classes: Classes) -> Hashable:
    shape = alternative.shape
    walk = alternative.walk and tuple[Hashable, ...](
        (
            tuple((take.place, classes.get(take.value, take.value), take.target) for take in step.takes),
            step.skip,
            step.ends,
        )
        for step in alternative.walk
    )
    match shape:
        case ObjectShape():
            members = tuple((each.name, classes.get(each.value, each.value), each.required) for each in shape.members)
            parts = tuple((each.names, classes.get(each.value, each.value)) for each in shape.parts)
            # What was taken away from an object is told with its place.
            return walk, members, parts, shape.low, shape.high, shape.closable if alternative.closed else None
        case ArrayShape():
            slots = tuple(classes.get(slot.value, slot.value) for slot in (*shape.prefix, shape.rest))
            return walk, slots, shape.low, shape.high, shape.unique is not None
        case _:
            return shape


# -- names -------------------------------------------------------------------------------------------------------------


def _renamed(nonterminal: Nonterminal, chosen: Mapping[Conjunction, Conjunction]) -> Nonterminal:
    return replace(
        nonterminal,
        options=tuple(chosen.get(option, option) for option in nonterminal.options),
        objects=tuple(_renamed_alternative(each, chosen) for each in nonterminal.objects),
        arrays=tuple(_renamed_alternative(each, chosen) for each in nonterminal.arrays),
    )


def _renamed_alternative(alternative: Alternative, chosen: Mapping[Conjunction, Conjunction]) -> Alternative:
    walk = alternative.walk and tuple(
        replace(step, takes=tuple(replace(take, value=chosen.get(take.value, take.value)) for take in step.takes))
        for step in alternative.walk
    )

    def renamed(place: Part) -> Part:
        return replace(place, value=chosen.get(place.value, place.value))

    match alternative.shape:
        case ObjectShape() as shape:
            members, parts = tuple(map(renamed, shape.members)), tuple(map(renamed, shape.parts))
            return replace(alternative, shape=replace(shape, members=members, parts=parts), walk=walk)
        case ArrayShape() as shape:
            prefix, rest = tuple(map(renamed, shape.prefix)), renamed(shape.rest)
            return replace(alternative, shape=replace(shape, prefix=prefix, rest=rest), walk=walk)
        case _:
            return alternative

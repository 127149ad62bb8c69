"""Questions that can be answered on the spot: does certainly no value meet these demands?

"Unknown" is an answer of its own, and here it is False: the caller then takes the value to exist. What is certain
comes from types, scalar languages, finite values, required against forbidden members, counts, and required members
(or items) that are certainly void themselves, a few levels deep.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from schema2gbnf.semantics.alternatives import shapes
from schema2gbnf.semantics.formula import JSON_TYPES, Conjunction, Demand, Frozen, JsonType, frozen
from schema2gbnf.semantics.meaning import Meaning, UnknownError
from schema2gbnf.semantics.scalars import constants, numbers, strings
from schema2gbnf.semantics.shapes import ArrayShape, ObjectShape, Shape

DEPTH = 3

Answer = TypeVar("Answer")


def void(meaning: Meaning, conjunction: Conjunction, depth: int = DEPTH) -> bool:
    """True when certainly no value meets all demands."""
    if not conjunction or conjunction in meaning.void:
        return bool(conjunction)
    # Emptiness is for ever; what is not certain may become so for one who may look deeper.
    looked = (conjunction, depth, meaning.report.asking)
    if looked in meaning.inconclusive:
        return False

    def nothing() -> bool:
        return (
            not constants(meaning, conjunction)
            and strings(meaning, conjunction).is_empty
            and numbers(meaning, conjunction).is_empty
            and void_as(meaning, conjunction, "object", depth)
            and void_as(meaning, conjunction, "array", depth)
        )

    if ask(meaning, nothing, False):
        meaning.void.add(conjunction)
        return True
    meaning.inconclusive.add(looked)
    return False


def ask(meaning: Meaning, question: Callable[[], Answer], unknown: Answer) -> Answer:
    """The answer to a question, or `unknown` when it is not to be had cheaply, or is asked inside too many others."""
    report = meaning.report
    if report.asking > DEPTH:
        return unknown
    report.asking += 1
    try:
        return question()
    except UnknownError:
        return unknown
    finally:
        report.asking -= 1


def void_as(meaning: Meaning, conjunction: Conjunction, kind: JsonType, depth: int = DEPTH) -> bool:
    """True when certainly no value of this type meets all demands."""
    match kind:
        case "string":
            return strings(meaning, conjunction).is_empty
        case "number":
            return numbers(meaning, conjunction).is_empty
        case "object" | "array":
            return all(_contradicts(meaning, shape, depth) for shape in shapes(meaning, conjunction, kind))
        case _:
            return not any((value is None) == (kind == "null") for value in constants(meaning, conjunction))


def possible_types(meaning: Meaning, conjunction: Conjunction) -> set[JsonType]:
    """The types of which some value may meet all demands."""

    def is_void(kind: JsonType) -> bool:
        return ask(meaning, lambda: void_as(meaning, conjunction, kind), False)

    return {kind for kind in JSON_TYPES if not is_void(kind)}


def overlap(meaning: Meaning, left: Demand, right: Demand, kind: JsonType) -> bool:
    """False when certainly no value of this type meets both demands."""
    key = (left, right, kind)
    found = meaning.overlaps.get(key)
    if found is None and _told_apart(_tags(meaning, left, kind), _tags(meaning, right, kind)):
        found = meaning.overlaps[key] = False
    if found is None:
        if key in meaning.comparing:
            return True
        meaning.comparing.add(key)
        conjunction = meaning.conjunction((left, right))
        found = conjunction is not None and ask(meaning, lambda: not void_as(meaning, conjunction, kind), True)
        meaning.comparing.discard(key)
        meaning.overlaps[key] = meaning.overlaps[right, left, kind] = found
    return found


Tags = dict[str, frozenset[Frozen]]
"""Required members that have one of few values, by name."""


def _tags(meaning: Meaning, demand: Demand, kind: JsonType) -> Tags:
    """What tells the objects that meet a demand from others at a glance."""
    if kind != "object":
        return {}
    found = meaning.tags.get(demand)
    if found is None:
        found = meaning.tags[demand] = ask(meaning, lambda: _read_tags(meaning, demand), {})
    return found


def _read_tags(meaning: Meaning, demand: Demand) -> Tags:
    conjunction = meaning.conjunction((demand,))
    known = shapes(meaning, conjunction, "object") if conjunction else ()
    found: Tags = {}
    if len(known) == 1 and isinstance(known[0], ObjectShape):
        for member in known[0].members:
            words = strings(meaning, member.value).words(64) if member.required and member.value else None
            if words is not None and void_but_for_strings(meaning, member.value):
                found[member.name] = frozenset(map(frozen, words))
    return found


def void_but_for_strings(meaning: Meaning, conjunction: Conjunction) -> bool:
    """Whether certainly only strings meet all demands."""
    return all(void_as(meaning, conjunction, kind, 0) for kind in JSON_TYPES if kind != "string")


def _told_apart(left: Tags, right: Tags) -> bool:
    return any(name in right and values.isdisjoint(right[name]) for name, values in left.items())


def _contradicts(meaning: Meaning, shape: Shape, depth: int) -> bool:
    if depth == 0:
        return False
    if isinstance(shape, ObjectShape):
        return any(member.required and void(meaning, member.value, depth - 1) for member in shape.members)
    if isinstance(shape, ArrayShape):
        needed = [slot.value for slot in shape.prefix[: shape.low]]
        if shape.low > len(shape.prefix):
            needed.append(shape.rest.value)
        return any(void(meaning, value, depth - 1) for value in needed)
    return False

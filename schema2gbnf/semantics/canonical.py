"""The canonical text of a value: its members in the order of the grammar, numbers and strings as the grammar has them.

The alternative that fits the value decides the order; undeclared members follow as they are given. Integral floats
are written as integers (but in draft 4, where 1.0 is no integer), and without exponent wherever the schema restricts
numbers.
"""

from __future__ import annotations

import json
from decimal import Decimal
from fractions import Fraction

from schema2gbnf.languages import decimals
from schema2gbnf.schema.text import Json
from schema2gbnf.semantics.emptiness import shapes
from schema2gbnf.semantics.formula import Conjunction, Obeys, exact, frozen
from schema2gbnf.semantics.holds import holds
from schema2gbnf.semantics.meaning import Meaning
from schema2gbnf.semantics.scalars import numbers
from schema2gbnf.semantics.shapes import ArrayShape, Break, ObjectShape, Obligation, ValueShape


class Writer:
    """Writes values that meet conjunctions, with the given separators."""

    def __init__(self, meaning: Meaning, comma: str, colon: str) -> None:
        self.meaning = meaning
        self.comma = comma
        self.colon = colon

    def write(self, conjunction: Conjunction | None, value: Json) -> str:
        """The text of a value; one that does not meet the demands is written as it is given."""
        match value:
            case None | bool() | str():
                return json.dumps(value, ensure_ascii=False)
            case dict():
                return self.write_object(conjunction or (), value)
            case list():
                return self.write_array(conjunction or (), value)
            case _:
                return self.write_number(conjunction or (), value)

    def write_object(self, conjunction: Conjunction, value: dict[str, Json]) -> str:
        members = self.ordered(conjunction, value)
        pieces = (
            f"{json.dumps(name, ensure_ascii=False)}{self.colon}{self.write(at, value[name])}" for name, at in members
        )
        return "{" + self.comma.join(pieces) + "}"

    def write_array(self, conjunction: Conjunction, value: list[Json]) -> str:
        at: list[Conjunction] = [()] * len(value)
        for shape in shapes(self.meaning, conjunction, "array") if conjunction else ():
            if isinstance(shape, ValueShape) and shape.value == frozen(value):
                value = shape.value.value  # type: ignore[assignment]
                break
            if isinstance(shape, ArrayShape) and (found := self.fitting_items(shape, value)) is not None:
                at = found
                break
        return "[" + self.comma.join(self.write(each, item) for each, item in zip(at, value, strict=True)) + "]"

    def write_number(self, conjunction: Conjunction, value: int | float | Decimal) -> str:
        number = exact(value)
        if isinstance(value, int) or not isinstance(number, Fraction):
            return str(value)
        as_given = repr(value) if isinstance(value, float) else str(value)
        text = decimals.spell(number)
        free = not conjunction or numbers(self.meaning, conjunction) == decimals.ALL
        if number.denominator != 1:
            return as_given if free else text
        if not all(d.sub.dialect.integral_floats_are_integers for d in conjunction if isinstance(d, Obeys)):
            # There 1.0 is no integer, and must not become one that the schema would accept.
            return as_given if free else text if holds(self.meaning, conjunction, value) else text + ".0"
        # An integer longer than the grammar's digits has only the spelling with an exponent.
        return as_given if free and len(text) > self.meaning.options.integral_digits else text

    # -- objects -----------------------------------------------------------------------------------------------------

    def ordered(self, conjunction: Conjunction, value: dict[str, Json]) -> list[tuple[str, Conjunction]]:
        """The members of an object in the order of the first alternative that fits, with their demands."""
        for shape in shapes(self.meaning, conjunction, "object") if conjunction else ():
            if isinstance(shape, ValueShape):
                if shape.value == frozen(value) and isinstance(shape.value.value, dict):
                    return [(name, ()) for name in shape.value.value]
            elif isinstance(shape, ObjectShape):
                found = self.fitting_members(shape, value)
                if found is not None:
                    return found
        return [(name, ()) for name in value]

    def fitting_members(self, shape: ObjectShape, value: dict[str, Json]) -> list[tuple[str, Conjunction]] | None:
        """The members in the order of the shape, or None when the value does not fit it."""
        if any(member.required and member.name not in value for member in shape.members):
            return None
        if len(value) < shape.low or (shape.high is not None and len(value) > shape.high):
            return None
        still_open = {index for index, obligation in enumerate(shape.obligations) if not _decided(obligation, value)}
        found: list[tuple[str, Conjunction]] = []
        declared = {member.name for member in shape.members}
        places = [(member.name, member.value, member.breaks) for member in shape.members if member.name in value]
        for name in value:
            if name in declared:
                continue
            part = next((part for part in shape.parts if part.names.accepts(name)), None)
            if part is None:
                return None
            places.append((name, part.value, part.breaks))
        for name, demands, breaks in places:
            demands = self.split(demands, breaks, value[name], still_open)
            if not holds(self.meaning, demands, value[name]):
                return None
            found.append((name, demands))
        return None if still_open else found

    def split(self, demands: Conjunction, breaks: tuple[Break, ...], value: Json, still_open: set[int]) -> Conjunction:
        """The demands on a value that breaks some open obligations and not others; those it breaks are closed."""
        for each in breaks:
            if each.obligation not in still_open:
                continue
            if each.demand is None:
                still_open.discard(each.obligation)
            elif holds(self.meaning, (each.demand,), value):
                demands = self.meaning.conjunction((*demands, each.demand)) or demands
                still_open.discard(each.obligation)
            else:
                demands = self.meaning.conjunction((*demands, ~each.demand)) or demands
        return demands

    # -- arrays ------------------------------------------------------------------------------------------------------

    def fitting_items(self, shape: ArrayShape, value: list[Json]) -> list[Conjunction] | None:
        """The demands on each item, or None when the value does not fit the shape."""
        if len(value) < shape.low or (shape.high is not None and len(value) > shape.high):
            return None
        if shape.unique is not None and len({frozen(item) for item in value}) != len(value):
            return None
        counts = [0] * len(shape.contains)
        still_open = {i for i, o in enumerate(shape.obligations) if not _in_ranges(len(value), o.counts)}
        found = []
        for place, item in enumerate(value):
            slot = shape.prefix[place] if place < len(shape.prefix) else shape.rest
            demands = slot.value
            for index, count in enumerate(shape.contains):
                inside = holds(self.meaning, (count.demand,), item)
                counts[index] += inside
                demand = count.demand if inside else ~count.demand
                demands = self.meaning.conjunction((*demands, demand)) or demands
            demands = self.split(demands, slot.breaks, item, still_open)
            if not holds(self.meaning, demands, item):
                return None
            found.append(demands)
        for count, met in zip(shape.contains, counts, strict=True):
            if met < count.low or (count.high is not None and met > count.high):
                return None
        contained = (
            any(_in_ranges(counts[place], (r,)) for place, r in shape.obligations[index].contained)
            for index in still_open
        )
        return found if all(contained) else None


def _in_ranges(count: int, ranges: tuple[tuple[int, int | None], ...]) -> bool:
    return any(low <= count and (high is None or count <= high) for low, high in ranges)


def _decided(obligation: Obligation, value: dict[str, Json]) -> bool:
    """Whether the names and the number of members discharge an obligation."""
    return (
        any(name in value for name in obligation.present)
        or any(name not in value for name in obligation.absent)
        or _in_ranges(len(value), obligation.counts)
    )

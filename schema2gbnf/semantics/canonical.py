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
from schema2gbnf.semantics.alternatives import shapes
from schema2gbnf.semantics.formula import Conjunction, JsonType, Obeys, exact, frozen
from schema2gbnf.semantics.holds import holds
from schema2gbnf.semantics.meaning import Meaning
from schema2gbnf.semantics.scalars import numbers
from schema2gbnf.semantics.shapes import ArrayShape, Break, ObjectShape, ValueShape
from schema2gbnf.semantics.walks import WalkLimitError, counted_ways, splits


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
        fixed = self.fixed(conjunction, value, "object")
        if fixed is not None:
            return fixed
        members = self.ordered(conjunction, value)
        return "{" + self.comma.join(self.member(name, self.write(at, value[name])) for name, at in members) + "}"

    def member(self, name: str, text: str) -> str:
        return f"{json.dumps(name, ensure_ascii=False)}{self.colon}{text}"

    def write_array(self, conjunction: Conjunction, value: list[Json]) -> str:
        fixed = self.fixed(conjunction, value, "array")
        if fixed is not None:
            return fixed
        at: list[Conjunction] = [()] * len(value)
        for shape in shapes(self.meaning, conjunction, "array") if conjunction else ():
            if isinstance(shape, ArrayShape) and (found := self.fitting_items(shape, value)) is not None:
                at = found
                break
        return "[" + self.comma.join(self.write(each, item) for each, item in zip(at, value, strict=True)) + "]"

    def fixed(self, conjunction: Conjunction, value: Json, kind: JsonType) -> str | None:
        """The value as a `const` or `enum` spells it, or None when it is none of their values."""
        for shape in shapes(self.meaning, conjunction, kind) if conjunction else ():
            if isinstance(shape, ValueShape) and shape.value == frozen(value):
                return self.spelled(shape.value.value)
        return None

    def spelled(self, value: Json) -> str:
        """A value of the schema's own, as the grammar has it."""
        match value:
            case dict():
                return (
                    "{" + self.comma.join(self.member(name, self.spelled(each)) for name, each in value.items()) + "}"
                )
            case list():
                return "[" + self.comma.join(map(self.spelled, value)) + "]"
            case None | bool() | str():
                return json.dumps(value, ensure_ascii=False)
            case _:
                return number_text(value)

    def write_number(self, conjunction: Conjunction, value: int | float | Decimal) -> str:
        number = exact(value)
        if isinstance(value, int) or not isinstance(number, Fraction):
            return str(value)
        as_given = repr(value) if isinstance(value, float) else str(value)
        text = decimals.spell(number)
        free = not conjunction or numbers(self.meaning, conjunction) == decimals.ALL
        if number.denominator != 1:
            return as_given if free else text
        subs = [demand.sub for demand in conjunction if isinstance(demand, Obeys)] or [self.meaning.documents.root]
        spelling_counts = not all(sub.dialect.integral_floats_are_integers for sub in subs)
        if spelling_counts and free:
            return as_given
        # There 1.0 is no integer, and must not become one that the schema accepts where it refuses the float.
        if spelling_counts and not all(holds(self.meaning, conjunction, each) for each in (value, int(value))):
            return text + ".0"
        # An integer longer than the grammar's digits has only the spelling with an exponent.
        return as_given if free and len(text) > self.meaning.options.integral_digits else text

    # -- objects -----------------------------------------------------------------------------------------------------

    def ordered(self, conjunction: Conjunction, value: dict[str, Json]) -> list[tuple[str, Conjunction]]:
        """The members of an object in the order of the first alternative that fits, with their demands.

        One that has to be closed for the grammar fits only without undeclared members, if there is another.
        """
        closing = self.meaning.options.additional_properties == "closed"
        left_out: list[tuple[str, Conjunction]] | None = None
        for shape in shapes(self.meaning, conjunction, "object") if conjunction else ():
            if isinstance(shape, ObjectShape) and (found := self.fitting_members(shape, value)) is not None:
                if not closing or shape.closable is None or _declared(shape, value) == len(value):
                    return found
                left_out = left_out or found
        return left_out or [(name, ()) for name in value]

    def fitting_members(self, shape: ObjectShape, value: dict[str, Json]) -> list[tuple[str, Conjunction]] | None:
        """The members in the order of the shape, or None when the value does not fit it."""
        if any(member.required and member.name not in value for member in shape.members):
            return None
        if len(value) < shape.low or (shape.high is not None and len(value) > shape.high):
            return None
        still_open = frozenset(range(len(shape.obligations)))
        found: list[tuple[str, Conjunction]] = []
        declared = {member.name for member in shape.members}
        for member in shape.members:
            name = member.name
            if name not in value:
                still_open = frozenset(i for i in still_open if name not in shape.obligations[i].absent)
                continue
            still_open = frozenset(i for i in still_open if name not in shape.obligations[i].present)
            way = self.way(member.value, member.breaks, value[name], still_open)
            if way is None:
                return None
            demands, still_open = way
            found.append((name, demands))
        for name in value:
            if name in declared:
                continue
            part = next((part for part in shape.parts if part.names.accepts(name)), None)
            way = self.way(part.value, part.breaks, value[name], still_open) if part is not None else None
            if way is None:
                return None
            demands, still_open = way
            found.append((name, demands))
        settled = all(_in_ranges(len(value), shape.obligations[i].counts) for i in still_open)
        return found if settled else None

    def way(
        self, demands: Conjunction, breaks: tuple[Break, ...], value: Json, still_open: frozenset[int]
    ) -> tuple[Conjunction, frozenset[int]] | None:
        """The one way in which a value breaks some open obligations and keeps the others; None when it does not fit."""
        try:
            ways = list(splits(self.meaning, demands, breaks, still_open))
        except WalkLimitError:
            return None
        return next((way for way in ways if holds(self.meaning, way[0], value)), None)

    # -- arrays ------------------------------------------------------------------------------------------------------

    def fitting_items(self, shape: ArrayShape, value: list[Json]) -> list[Conjunction] | None:
        """The demands on each item, or None when the value does not fit the shape."""
        if len(value) < shape.low or (shape.high is not None and len(value) > shape.high):
            return None
        if shape.unique is not None and len({frozen(item) for item in value}) != len(value):
            return None
        counts = (0,) * len(shape.contains)
        still_open = frozenset(range(len(shape.obligations)))
        found = []
        for place, item in enumerate(value):
            slot = shape.prefix[place] if place < len(shape.prefix) else shape.rest
            ways = counted_ways(self.meaning, slot.value, counts, shape)
            counted = next((way for way in ways if holds(self.meaning, way[0], item)), None)
            way = self.way(counted[0], slot.breaks, item, still_open) if counted is not None else None
            if counted is None or way is None:
                return None
            counts = counted[1]
            found.append(way[0])
            still_open = way[1]
        enough = all(_in_ranges(n, ((c.low, c.high),)) for c, n in zip(shape.contains, counts, strict=True))
        settled = all(
            _in_ranges(len(value), shape.obligations[i].counts)
            or any(_in_ranges(counts[place], (r,)) for place, r in shape.obligations[i].contained)
            for i in still_open
        )
        return found if enough and settled else None


def _declared(shape: ObjectShape, value: dict[str, Json]) -> int:
    """How many members of the value the shape declares."""
    return sum(member.name in value for member in shape.members)


def number_text(value: int | float | Decimal) -> str:
    """A number of the schema's own without exponent, as the grammar has it."""
    number = exact(value)
    return decimals.spell(number) if isinstance(number, Fraction) else str(number)


def _in_ranges(count: int, ranges: tuple[tuple[int, int | None], ...]) -> bool:
    return any(low <= count and (high is None or count <= high) for low, high in ranges)

"""Shapes: what one alternative of a conjunction demands of an object or an array, all Booleans resolved.

A shape is a conjunction of conditions on members (or items) by their place, a count, and *obligations*: disjunctions
that stay open until some member, absence or count discharges them. Negated objects and arrays are obligations, so they
cost a bit of state where forking them would cost an alternative for every member.
"""

from __future__ import annotations

from dataclasses import dataclass

from schema2gbnf.languages.strings import StringLanguage
from schema2gbnf.semantics.formula import Conjunction, Demand, Frozen

Range = tuple[int, "int | None"]
"""Counts from a low to a high end, both included; None is unbounded."""


@dataclass(frozen=True, slots=True)
class Break:
    """A value here that meets the demand discharges the obligation; no demand: any value does."""

    obligation: int
    demand: Demand | None


@dataclass(frozen=True, slots=True)
class Member:
    """A member with a known name."""

    name: str
    value: Conjunction
    required: bool
    breaks: tuple[Break, ...] = ()


@dataclass(frozen=True, slots=True)
class AllBut:
    """All names but these: what most open objects have, kept as a list since its automaton is seldom needed."""

    excluded: tuple[str, ...]

    def accepts(self, name: str) -> bool:
        return name not in self.excluded


Names = StringLanguage | AllBut


@dataclass(frozen=True, slots=True)
class KeyPart:
    """Members whose names are undeclared and among `names`; the parts of one shape are disjoint."""

    names: Names
    value: Conjunction
    breaks: tuple[Break, ...] = ()


@dataclass(frozen=True, slots=True)
class Obligation:
    """Discharged by the presence or absence of a name, by a count, or by a `Break` at a member or item."""

    present: frozenset[str] = frozenset()
    absent: frozenset[str] = frozenset()
    counts: tuple[Range, ...] = ()
    contained: tuple[tuple[int, Range], ...] = ()


@dataclass(frozen=True, slots=True)
class ObjectShape:
    """Known members in the order they are written, then undeclared ones; from `low` to `high` members in all.

    `closable` is the pointer of a subschema that declares properties where none says what else may come, or None.
    """

    members: tuple[Member, ...]
    parts: tuple[KeyPart, ...]
    low: int
    high: int | None
    obligations: tuple[Obligation, ...]
    closable: str | None
    pointer: str

    @property
    def free(self) -> bool:
        """Nothing is counted or owed: which members come depends on their names alone."""
        return not self.obligations and not self.low and self.high is None


@dataclass(frozen=True, slots=True)
class Slot:
    """An item, by its place."""

    value: Conjunction
    breaks: tuple[Break, ...] = ()


@dataclass(frozen=True, slots=True)
class Count:
    """From `low` to `high` items meet the demand."""

    demand: Demand
    low: int
    high: int | None


@dataclass(frozen=True, slots=True)
class ArrayShape:
    """Items of the prefix by their index, then any number of `rest` items; from `low` to `high` items in all."""

    prefix: tuple[Slot, ...]
    rest: Slot
    low: int
    high: int | None
    contains: tuple[Count, ...]
    obligations: tuple[Obligation, ...]
    unique: str | None
    """Pointer of a `uniqueItems`, or None."""
    pointer: str

    @property
    def plain(self) -> bool:
        """No counter, no obligation: the items depend on their index alone."""
        return not self.contains and not self.obligations and self.unique is None


@dataclass(frozen=True, slots=True)
class ValueShape:
    """Exactly this object or array."""

    value: Frozen


Shape = ObjectShape | ArrayShape | ValueShape

"""Demands on a value and the Boolean formulas they unfold to.

A demand says that a subschema must hold of a value, or must not. Reading the subschema's keywords turns it into a
formula over facts (assertions about one JSON type) and further demands on the same value. Negation is pushed down as
a formula is made, so that a literal and its negation can each be approximated in its own safe direction.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from decimal import Decimal
from fractions import Fraction
from typing import Literal

from schema2gbnf.languages import decimals
from schema2gbnf.languages.decimals import NumberLanguage
from schema2gbnf.languages.formats.format import Format
from schema2gbnf.languages.strings import StringLanguage
from schema2gbnf.schema.subschema import Scope, Subschema
from schema2gbnf.schema.text import Json

JsonType = Literal["null", "boolean", "number", "string", "array", "object"]
JSON_TYPES: tuple[JsonType, ...] = ("null", "boolean", "number", "string", "array", "object")


INTEGRAL = decimals.integers(spelled_with_fraction=True)


# -- demands -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Obeys:
    """The subschema holds of the value in this dynamic scope, or (`wanted` false) does not hold."""

    sub: Subschema
    scope: Scope = ()
    wanted: bool = True
    _hash: int = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_hash", hash((self.sub, self.scope, self.wanted)))

    def __hash__(self) -> int:
        return self._hash

    def __invert__(self) -> Obeys:
        return Obeys(self.sub, self.scope, not self.wanted)


@dataclass(frozen=True, slots=True)
class Either:
    """At least one of the demands is met, or (`wanted` false) none is."""

    options: tuple[Demand, ...]
    wanted: bool = True

    def __invert__(self) -> Either:
        return Either(self.options, not self.wanted)


Demand = Obeys | Either
Conjunction = tuple[Demand, ...]
"""Demands on one value that must all be met, each once, in the order in which the schema is read."""


def pointer_of(conjunction: Conjunction) -> str:
    """The pointer of the first subschema that the demands name."""
    return next((demand.sub.pointer for demand in conjunction if isinstance(demand, Obeys)), "#")


# -- assertions: what one keyword says about one type of value ---------------------------------------------------------


@dataclass(frozen=True, slots=True)
class TypeIs:
    """The value has one of the types; "integer" is a number of the language `integers`."""

    types: frozenset[str]
    integers: NumberLanguage = INTEGRAL


@dataclass(frozen=True, slots=True)
class ValueIn:
    """The value equals one of these (`const`, `enum`)."""

    values: tuple[Frozen, ...]
    near: Subschema


@dataclass(frozen=True, slots=True)
class StringIn:
    """A string is a word of the language.

    Where the language is only part of what the keyword means, `narrowed` is the format that says what is left out and
    which strings surely do not meet it; elsewhere these are the complement.
    """

    language: StringLanguage
    keyword: str
    pointer: str
    narrowed: Format | None = None

    def signed(self, wanted: bool) -> StringLanguage:
        """The strings of which the assertion surely holds, or surely does not hold."""
        if wanted:
            return self.language
        return ~(self.language if self.narrowed is None else StringLanguage.of_dfa(self.narrowed.outer_dfa))


@dataclass(frozen=True, slots=True)
class NumberIn:
    """A number is in the language."""

    language: NumberLanguage
    keyword: str
    pointer: str


@dataclass(frozen=True, slots=True)
class Present:
    """An object has a member of this name."""

    name: str
    pointer: str


@dataclass(frozen=True, slots=True)
class PatternMember:
    """Members whose name is in the language meet the demand."""

    names: StringLanguage
    demand: Demand


@dataclass(frozen=True, slots=True)
class Members:
    """What one subschema says of an object's members by their names: one fact, never mixed with another's.

    A member meets the demand under its name and those of all patterns that its name matches; when there are none
    of these, it meets `rest`. `declares` is true when the subschema has `properties`.
    """

    properties: tuple[tuple[str, Demand], ...]
    patterns: tuple[PatternMember, ...]
    rest: Demand | None
    declares: bool
    pointer: str
    _declared: dict[str, Demand] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_declared", dict(self.properties))

    def under(self, name: str) -> list[Demand]:
        """What the fact says of the member with this name."""
        found = [self._declared[name]] if name in self._declared else []
        found += [pattern.demand for pattern in self.patterns if pattern.names.accepts(name)]
        return found if found or self.rest is None else [self.rest]

    def matching(self, matched: frozenset[StringLanguage]) -> list[Demand]:
        """What the fact says of an undeclared member whose name matches these patterns and no others."""
        found = [pattern.demand for pattern in self.patterns if pattern.names in matched]
        return found if found or self.rest is None else [self.rest]


@dataclass(frozen=True, slots=True)
class NamesIn:
    """The names of all members of an object are in the language."""

    language: StringLanguage
    pointer: str


@dataclass(frozen=True, slots=True)
class MemberCount:
    """An object has from `low` to `high` members."""

    low: int
    high: int | None
    keyword: str
    pointer: str


@dataclass(frozen=True, slots=True)
class Items:
    """What one subschema says of an array's items by their index: those of the prefix, and `rest` for all behind it."""

    prefix: tuple[Demand, ...]
    rest: Demand | None
    pointer: str

    def at(self, index: int | None) -> Demand | None:
        """What the fact says of the item at an index; None as the index is behind every prefix."""
        return self.prefix[index] if index is not None and index < len(self.prefix) else self.rest


@dataclass(frozen=True, slots=True)
class ItemCount:
    """An array has from `low` to `high` items."""

    low: int
    high: int | None
    keyword: str
    pointer: str


@dataclass(frozen=True, slots=True)
class Contains:
    """From `low` to `high` items of an array meet the demand. `evaluates`: they count as evaluated items."""

    demand: Demand
    low: int
    high: int | None
    evaluates: bool
    pointer: str


@dataclass(frozen=True, slots=True)
class UniqueItems:
    """No two items of an array are equal."""

    pointer: str


@dataclass(frozen=True, slots=True)
class Unknowable:
    """An assertion about one type that no language here expresses; wanted or not, it is loosened to "true"."""

    json_type: JsonType
    keyword: str
    pointer: str
    reason: str


ObjectAssertion = Present | Members | NamesIn | MemberCount
ArrayAssertion = Items | ItemCount | Contains | UniqueItems
Assertion = TypeIs | ValueIn | StringIn | NumberIn | ObjectAssertion | ArrayAssertion | Unknowable


# -- formulas ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class All:
    """Every part holds; no part: true."""

    parts: tuple[Formula, ...]


Reading = Literal["any", "exclusive", "first"]


@dataclass(frozen=True, slots=True)
class AnyOf:
    """Some part holds; no part: false.

    `reading` tells how to split it into cases. "exclusive": no two parts can hold of one value. "first": the cases are
    made disjoint, each part without those before it. "any": the parts as they are.
    """

    parts: tuple[Formula, ...]
    reading: Reading = "any"
    keyword: str = "anyOf"
    pointer: str = ""


@dataclass(frozen=True, slots=True)
class ExactlyOne:
    """One part holds and the others do not, or (`wanted` false) it is not so."""

    parts: tuple[Ask, ...]
    pointer: str
    wanted: bool = True


@dataclass(frozen=True, slots=True)
class Tried:
    """An `if` alone: true of every value, but where it holds it annotates."""

    demand: Demand


@dataclass(frozen=True, slots=True)
class Fact:
    """An assertion that holds, or does not. `annotates`: it counts for `unevaluated…` around it."""

    assertion: Assertion
    wanted: bool = True
    annotates: bool = True


@dataclass(frozen=True, slots=True)
class Ask:
    """A demand on the same value, not yet unfolded."""

    demand: Demand
    annotates: bool = True


@dataclass(frozen=True, slots=True)
class Unevaluated:
    """All keywords of a subschema that has an `unevaluated…` keyword for this type; unfolded with provenance."""

    demand: Obeys


Formula = All | AnyOf | ExactlyOne | Tried | Fact | Ask | Unevaluated

TRUE = All(())
FALSE = AnyOf(())


def negated(formula: Formula) -> Formula:
    """The complement; what stands under a negation never annotates, not even under two (JSON Schema core, 7.7.1.1)."""
    match formula:
        case All(parts):
            return AnyOf(tuple(map(negated, parts)), "first", "not")
        case AnyOf(parts):
            return All(tuple(map(negated, parts)))
        case ExactlyOne():
            return replace(formula, wanted=not formula.wanted)
        case Tried():
            return FALSE
        case Fact(assertion, wanted):
            return Fact(assertion, not wanted, annotates=False)
        case Ask(demand):
            return Ask(~demand, annotates=False)
        case Unevaluated(demand):
            return Unevaluated(~demand)


# -- JSON values as they are compared ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Frozen:
    """A JSON value to compare by: numbers as exact fractions, objects without order; `value` keeps the original."""

    key: object
    value: Json

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Frozen) and self.key == other.key

    def __hash__(self) -> int:
        return hash(self.key)


def frozen(value: Json) -> Frozen:
    """The comparable form of a value: `true` is not 1, 1 is 1.0, the order of members is nothing.

    >>> frozen({"a": 1, "b": True}) == frozen({"b": True, "a": 1.0}), frozen(1) == frozen(True)
    (True, False)
    """
    return Frozen(_key(value), value)


def _key(value: Json) -> object:
    match value:
        case None | bool() | str():
            return (type(value).__name__, value)
        case list():
            return ("array", tuple(map(_key, value)))
        case dict():
            return ("object", frozenset((name, _key(member)) for name, member in value.items()))
        case _:
            return ("number", exact(value))


MAX_EXPONENT = 5000


def exact(number: int | float | Decimal) -> Fraction | Decimal:
    """The number as a fraction, a float by the decimal text that Python writes for it.

    A number whose exponent is beyond `MAX_EXPONENT` stays a normalised decimal: its fraction would fill the memory.
    """
    if isinstance(number, float):
        number = Decimal(repr(number))
    if isinstance(number, Decimal) and number and abs(number.adjusted()) > MAX_EXPONENT:
        return number.normalize()
    return Fraction(number)


def json_type(value: Json) -> JsonType:
    """The JSON type of a value."""
    match value:
        case None:
            return "null"
        case bool():
            return "boolean"
        case str():
            return "string"
        case list():
            return "array"
        case dict():
            return "object"
        case _:
            return "number"

"""The values that a parameter may have: whole types, and single values beside them.

Comes in: demands on a value, read at the surface. Goes out: a `Domain`, closed under intersection and union, computed
by the compiler's own evaluation of formulas (references, cycles and all). A domain with nothing in it, or one that
would take too long, is everything, with a word on why.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from schema2gbnf.schema.text import Json
from schema2gbnf.semantics.formula import Conjunction, Formula, Frozen, TypeIs, Unknowable, ValueIn, frozen
from schema2gbnf.semantics.scalars import Evaluation, Scalars
from schema2gbnf.toolcalls.calls import Event
from schema2gbnf.toolcalls.shallow import TYPES, Shallow

MOST_STEPS = 20_000
"""Formulas that may be looked at for one parameter."""
MOST_DOUBTS = 10


def kind_of(value: Json) -> str:
    """The type of a value; "number" is one that is no integer.

    >>> [kind_of(value) for value in (True, 5, 5.0, 5.5)]
    ['boolean', 'integer', 'integer', 'number']
    """
    match value:
        case None:
            return "null"
        case bool():
            return "boolean"
        case int():
            return "integer"
        case float():
            return "integer" if value.is_integer() else "number"
        case str():
            return "string"
        case list():
            return "array"
        case dict():
            return "object"
        case _:
            return "integer" if value == value.to_integral_value() else "number"


@dataclass(frozen=True, slots=True)
class Domain:
    """All values of `kinds`, and `values`, whose kinds are `listed`."""

    kinds: frozenset[str]
    values: frozenset[Frozen] = frozenset()
    listed: frozenset[str] = frozenset()
    declared: frozenset[str] = frozenset(TYPES)
    """The kinds with `enum` and `const` left aside."""
    doubts: tuple[str, ...] = field(default=(), compare=False)
    """What could not be read of the schema on the way here."""

    def __contains__(self, value: Json) -> bool:
        kind = kind_of(value)
        return kind in self.kinds or (kind in self.listed and frozen(value) in self.values)

    def may_be(self, kind: str) -> bool:
        """Whether some value of the kind is in the domain."""
        return kind in self.kinds or kind in self.listed

    @property
    def only_strings(self) -> bool:
        return self.kinds | self.listed == {"string"}

    @property
    def any_string(self) -> bool:
        """All strings, and nothing else."""
        return self.only_strings and "string" in self.kinds

    @property
    def whole_numbers(self) -> bool:
        """Whether a number is declared to be an integer."""
        return "integer" in self.declared and "number" not in self.declared

    def __and__(self, other: Domain) -> Domain:
        both = self.values & other.values
        both |= {value for value in self.values if kind_of(value.value) in other.kinds}
        both |= {value for value in other.values if kind_of(value.value) in self.kinds}
        listed = frozenset(kind_of(value.value) for value in both)
        return self._joined(other, self.kinds & other.kinds, both, listed, self.declared & other.declared)

    def __or__(self, other: Domain) -> Domain:
        kinds, values = self.kinds | other.kinds, self.values | other.values
        return self._joined(other, kinds, values, self.listed | other.listed, self.declared | other.declared)

    def _joined(
        self,
        other: Domain,
        kinds: frozenset[str],
        values: frozenset[Frozen],
        listed: frozenset[str],
        declared: frozenset[str],
    ) -> Domain:
        doubts = self.doubts
        if other.doubts and other.doubts != doubts:
            doubts = tuple(dict.fromkeys(doubts + other.doubts))[:MOST_DOUBTS]
        return Domain(kinds, values, listed, declared, doubts)


EVERYTHING = Domain(frozenset(TYPES))
NOTHING = Domain(frozenset(), declared=frozenset())

_DOMAINS: Scalars[Domain] = Scalars("object", EVERYTHING, NOTHING, lambda values, wanted: EVERYTHING)


def domain_of(meaning: Shallow, demands: Conjunction) -> tuple[Domain, tuple[Event, ...]]:
    """The values that meet all demands, and what was wrong with these.

    >>> from schema2gbnf.semantics.formula import Obeys
    >>> from schema2gbnf.toolcalls.shallow import shallow
    >>> meaning, root, scope = shallow({"enum": ["7", None, 8], "type": ["string", "null"]})
    >>> domain, _ = domain_of(meaning, (Obeys(root, scope),))
    >>> "7" in domain, 7 in domain, 8 in domain, domain.may_be("null")
    (True, False, False, True)
    """
    if not demands:
        return EVERYTHING, ()
    try:
        domain = _Surface(meaning).conjunction(demands)
    except (_TooManyStepsError, RecursionError):
        return EVERYTHING, (Event("unreadable-schema", "it refers to itself in too many ways"),)
    events = tuple(Event("unreadable-schema", doubt) for doubt in domain.doubts)
    if not domain.kinds and not domain.values:
        return EVERYTHING, (*events, Event("contradictory-schema", "no value can meet it"))
    return domain, events


class _TooManyStepsError(Exception):
    pass


class _Surface(Evaluation[Domain]):
    """The evaluation of a formula in the algebra of domains."""

    def __init__(self, meaning: Shallow) -> None:
        super().__init__(meaning, _DOMAINS)
        self.steps = 0

    def formula(self, formula: Formula) -> Domain | None:
        self.steps += 1
        if self.steps > MOST_STEPS:
            raise _TooManyStepsError
        return super().formula(formula)

    def fact(self, assertion: object, wanted: bool) -> Domain:
        match assertion:
            case TypeIs(types):
                kinds = types | {"integer"} if "number" in types else types
                return Domain(kinds, declared=kinds)
            case ValueIn(values):
                return Domain(frozenset(), frozenset(values), frozenset(kind_of(each.value) for each in values))
            case Unknowable(_, _, _, reason):
                return Domain(frozenset(TYPES), doubts=(reason,))
            case _:
                return EVERYTHING

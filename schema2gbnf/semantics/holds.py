"""Whether a value meets a conjunction: the same formulas as the compiler's, evaluated on one value.

A demand met again on the same value inside its own unfolding counts as the compiler counts it: it vanishes as a
conjunct and is dropped as a disjunct. An assertion that no language here expresses counts as met.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from typing import cast

from schema2gbnf.languages import decimals
from schema2gbnf.schema.subschema import Scope, Subschema
from schema2gbnf.schema.text import Json
from schema2gbnf.semantics.formula import (
    All,
    AnyOf,
    Ask,
    Assertion,
    Conjunction,
    Contains,
    Demand,
    ExactlyOne,
    Fact,
    Formula,
    ItemCount,
    Items,
    MemberCount,
    Members,
    NamesIn,
    NumberIn,
    Obeys,
    Present,
    StringIn,
    Tried,
    TypeIs,
    Unevaluated,
    UniqueItems,
    Unknowable,
    ValueIn,
    exact,
    frozen,
    json_type,
    negated,
)
from schema2gbnf.semantics.keywords import local_formula
from schema2gbnf.semantics.meaning import Meaning


def holds(meaning: Meaning, conjunction: Conjunction, value: Json) -> bool:
    """True when the value meets all demands."""
    return all(_Judgement(meaning).demand(demand, value, None) is not False for demand in conjunction)


@dataclass(frozen=True, slots=True)
class Failure:
    """Where a value fails: a pointer into the value, and the keyword of the subschema that refuses it."""

    instance: str
    keyword: str
    pointer: str

    def __str__(self) -> str:
        return f"{self.instance or '#'}: refused by {self.keyword!r} at {self.pointer}"


def failure(meaning: Meaning, conjunction: Conjunction, value: Json) -> Failure | None:
    """The first and innermost reason why a value does not meet the demands, or None when it does."""
    for demand in conjunction:
        judgement = _Judgement(meaning)
        if judgement.demand(demand, value, None) is False:
            return judgement.reason("#", demand, value)
    return None


@dataclass(slots=True)
class Marks:
    """The members and items of one value that have been evaluated."""

    names: set[str] = field(default_factory=set)
    items: set[int] = field(default_factory=set)

    def add(self, other: Marks) -> None:
        self.names |= other.names
        self.items |= other.items


class _Judgement:
    """One evaluation; `marks` are collected only inside a subschema with `unevaluated…`."""

    def __init__(self, meaning: Meaning) -> None:
        self.meaning = meaning
        self.path: set[tuple[Demand, int]] = set()

    def demand(self, demand: Demand, value: Json, marks: Marks | None) -> bool | None:
        if isinstance(demand, Obeys) and isinstance(demand.sub.value, bool):
            return demand.sub.value == demand.wanted
        key = (demand, id(value))
        if key in self.path:
            return None
        self.path.add(key)
        verdict = self.formula(self.meaning.formula(demand), value, marks)
        self.path.discard(key)
        return verdict

    def formula(self, formula: Formula, value: Json, marks: Marks | None) -> bool | None:
        match formula:
            case All(parts):
                return self.all_of(parts, value, marks)
            case AnyOf(parts):
                return self.any_of(parts, value, marks)
            case ExactlyOne(parts, _, wanted):
                found = []
                for part in parts:
                    own = Marks() if marks is not None else None
                    if self.formula(part, value, own):
                        found.append(own)
                if len(found) == 1 and wanted and marks is not None and found[0] is not None:
                    marks.add(found[0])
                return (len(found) == 1) == wanted
            case Tried(demand):
                own = Marks() if marks is not None else None
                if marks is not None and self.demand(demand, value, own) and own is not None:
                    marks.add(own)
                return True
            case Fact(Unknowable(kind), wanted):
                return wanted or kind == json_type(value)
            case Fact(StringIn() as assertion, wanted) if isinstance(value, str):
                return assertion.signed(wanted).accepts(value)
            case Fact(assertion, wanted, annotates):
                return self.fact(assertion, value, marks if annotates else None) == wanted
            case Ask(demand, annotates):
                return self.demand(demand, value, marks if annotates else None)
            case Unevaluated(demand):
                verdict = self.unevaluated(demand.sub, demand.scope, value, marks)
                return verdict if demand.wanted or verdict is None else not verdict

    def all_of(self, parts: tuple[Formula, ...], value: Json, marks: Marks | None) -> bool | None:
        verdicts = []
        for part in parts:
            verdict = self.formula(part, value, marks)
            if verdict is False:
                return False
            verdicts.append(verdict)
        return None if verdicts and all(verdict is None for verdict in verdicts) else True

    def any_of(self, parts: tuple[Formula, ...], value: Json, marks: Marks | None) -> bool:
        found = False
        for part in parts:
            own = Marks() if marks is not None else None
            if self.formula(part, value, own):
                found = True
                if marks is None or own is None:
                    return True
                marks.add(own)
        return found

    def unevaluated(self, sub: Subschema, scope: Scope, value: Json, marks: Marks | None) -> bool | None:
        own = Marks()
        verdict = self.formula(local_formula(self.meaning, sub, scope), value, own)
        if verdict is False:
            return False
        keywords = sub.keywords
        if isinstance(value, dict) and "unevaluatedProperties" in keywords:
            rest = self.child(sub, scope, "unevaluatedProperties")
            left = [name for name in value if name not in own.names]
            if not all(self.demand(rest, value[name], None) for name in left):
                return False
            own.names.update(left)
        if isinstance(value, list) and "unevaluatedItems" in keywords:
            rest = self.child(sub, scope, "unevaluatedItems")
            places = [place for place in range(len(value)) if place not in own.items]
            if not all(self.demand(rest, value[place], None) for place in places):
                return False
            own.items.update(places)
        if marks is not None:
            marks.add(own)
        return True

    def child(self, sub: Subschema, scope: Scope, keyword: str) -> Obeys:
        found = self.meaning.documents.child(sub, keyword)
        return Obeys(found, self.meaning.documents.enter(scope, found))

    # -- facts -------------------------------------------------------------------------------------------------------

    def fact(self, assertion: Assertion, value: Json, marks: Marks | None) -> bool:
        """Whether an assertion holds; one about another type does."""
        match assertion, value:
            case TypeIs(types, integers), _:
                kind = json_type(value)
                return kind in types or (kind == "number" and "integer" in types and _within(integers, value))
            case ValueIn(values), _:
                return frozen(value) in values
            case NumberIn(language), int() | float() | Decimal() if not isinstance(value, bool):
                return _within(language, value)
            case Present(name), dict():
                return name in value
            case Members(), dict():
                return self.members(assertion, value, marks)
            case NamesIn(language), dict():
                return all(map(language.accepts, value))
            case MemberCount(low, high), dict():
                return low <= len(value) and (high is None or len(value) <= high)
            case Items(), list():
                return self.items(assertion, value, marks)
            case ItemCount(low, high), list():
                return low <= len(value) and (high is None or len(value) <= high)
            case Contains(demand, low, high, evaluates), list():
                met = [place for place, item in enumerate(value) if self.demand(demand, item, None) is not False]
                if marks is not None and evaluates:
                    marks.items.update(met)
                return low <= len(met) and (high is None or len(met) <= high)
            case UniqueItems(), list():
                return len({frozen(item) for item in value}) == len(value)
            case _:
                return True

    def members(self, fact: Members, value: dict[str, Json], marks: Marks | None) -> bool:
        for name, member in value.items():
            demands = fact.under(name)
            if marks is not None and demands:
                marks.names.add(name)
            if any(self.demand(demand, member, None) is False for demand in demands):
                return False
        return True

    def items(self, fact: Items, value: list[Json], marks: Marks | None) -> bool:
        for place, item in enumerate(value):
            demand = fact.at(place)
            if demand is None:
                break
            if marks is not None:
                marks.items.add(place)
            if self.demand(demand, item, None) is False:
                return False
        return True

    # -- reasons -----------------------------------------------------------------------------------------------------

    def reason(self, instance: str, demand: Demand, value: Json) -> Failure:
        """Follow what fails down to the innermost fact."""
        sub = demand.sub if isinstance(demand, Obeys) else None
        pointer = sub.pointer if sub is not None else "#"
        if sub is None or isinstance(sub.value, bool):
            return Failure(instance, "false", pointer)
        formula = self.meaning.formula(demand)
        if isinstance(formula, Unevaluated):
            local = local_formula(self.meaning, demand.sub, demand.scope) if isinstance(demand, Obeys) else formula
            formula = local if formula.demand.wanted else negated(local)
            if self.formula(formula, value, None):
                return Failure(instance, "unevaluatedProperties", pointer)
        for part in formula.parts if isinstance(formula, All) else (formula,):
            if self.formula(part, value, None) is False:
                return self.part_reason(instance, part, value, pointer)
        return Failure(instance, "not", pointer)

    def part_reason(self, instance: str, part: Formula, value: Json, pointer: str) -> Failure:
        match part:
            case All(parts):
                failing = next(each for each in parts if self.formula(each, value, None) is False)
                return self.part_reason(instance, failing, value, pointer)
            case Ask(demand):
                return self.reason(instance, demand, value)
            case AnyOf(_, _, keyword, where):
                return Failure(instance, keyword, where or pointer)
            case ExactlyOne(_, where):
                return Failure(instance, "oneOf", where)
            case Fact(Members() as fact, True) if isinstance(value, dict):
                for name, member in value.items():
                    for demand in fact.under(name):
                        if self.demand(demand, member, None) is False:
                            return self.reason(f"{instance}/{_escaped(name)}", demand, member)
            case Fact(Items() as fact, True) if isinstance(value, list):
                for place, item in enumerate(value):
                    at = fact.at(place)
                    if at is not None and self.demand(at, item, None) is False:
                        return self.reason(f"{instance}/{place}", at, item)
            case Fact(assertion):
                return Failure(instance, _keyword(assertion), getattr(assertion, "pointer", pointer))
        return Failure(instance, "not", pointer)


def _within(language: decimals.NumberLanguage, value: Json) -> bool:
    number = exact(cast(float, value))
    if isinstance(number, Fraction):
        text = decimals.spell(number)
        # In draft 4 the spelling counts: a float is written with its fraction.
        return language.accepts(text if isinstance(value, int) or "." in text else text + ".0")
    return language == decimals.ALL


def _keyword(assertion: Assertion) -> str:
    match assertion:
        case TypeIs():
            return "type"
        case ValueIn():
            return "enum"
        case Present():
            return "required"
        case Contains():
            return "contains"
        case UniqueItems():
            return "uniqueItems"
        case NamesIn():
            return "propertyNames"
        case StringIn() | NumberIn() | MemberCount() | ItemCount() | Unknowable():
            return assertion.keyword
        case Members():
            return "properties"
        case Items():
            return "items"


def _escaped(token: str) -> str:
    return token.replace("~", "~0").replace("/", "~1")

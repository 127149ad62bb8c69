"""Strings, numbers, booleans and null of a conjunction: the whole Boolean formula evaluated as one language.

Nothing forks here: `∧ ∨` are the operations of the language, negation has already reached the facts, and each fact
that only has an approximation is approximated on its own side (a format that is covered in part is an under-
approximation where it is wanted, and where it is not wanted the report says that it loosens).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from decimal import Decimal
from typing import Generic, Protocol, TypeVar

from schema2gbnf.languages import decimals
from schema2gbnf.languages.decimals import NumberLanguage
from schema2gbnf.languages.dfa import StateLimitError
from schema2gbnf.languages.strings import StringLanguage
from schema2gbnf.semantics.formula import (
    All,
    AnyOf,
    Ask,
    Conjunction,
    Demand,
    ExactlyOne,
    Fact,
    Formula,
    Frozen,
    JsonType,
    NumberIn,
    StringIn,
    Tried,
    TypeIs,
    Unevaluated,
    Unknowable,
    ValueIn,
    exact,
    json_type,
    negated,
    pointer_of,
)
from schema2gbnf.semantics.keywords import local_formula
from schema2gbnf.semantics.meaning import Meaning, own_negation

Self = TypeVar("Self")


class Language(Protocol, Hashable):
    """A set of values with its Boolean operations."""

    def __and__(self: Self, other: Self, /) -> Self: ...
    def __or__(self: Self, other: Self, /) -> Self: ...


L = TypeVar("L", bound=Language)


@dataclass(frozen=True)
class Scalars(Generic[L]):
    """The algebra of one scalar type."""

    json_type: JsonType
    everything: L
    nothing: L
    values: Callable[[list[Frozen], bool], L]
    """The language of these values, or of all others."""


STRINGS: Scalars[StringLanguage] = Scalars(
    "string",
    StringLanguage.ANY,
    StringLanguage.NONE,
    lambda values, wanted: _signed(StringLanguage.of_words(str(v.value) for v in values), wanted),
)
NUMBERS: Scalars[NumberLanguage] = Scalars(
    "number",
    decimals.ALL,
    decimals.NONE,
    lambda values, wanted: _signed(_numbers(values), wanted),
)


def _numbers(values: list[Frozen]) -> NumberLanguage:
    return decimals.values(exact(v.value) for v in values if isinstance(v.value, int | float | Decimal))


def _states(language: object) -> int:
    if isinstance(language, NumberLanguage):
        return len(language.dfa.moves)
    return language.size() if isinstance(language, StringLanguage) else 1


def _signed(language: L, wanted: bool) -> L:
    return language if wanted else ~language  # type: ignore[operator]


def _constants(kind: JsonType, values: tuple[object, ...]) -> Scalars[frozenset[object]]:
    everything = frozenset(values)
    return Scalars(
        kind,
        everything,
        frozenset(),
        lambda found, wanted: (
            frozenset(v.value for v in found) if wanted else everything - frozenset(v.value for v in found)
        ),
    )


NULLS = _constants("null", (None,))
BOOLEANS = _constants("boolean", (False, True))


def strings(meaning: Meaning, conjunction: Conjunction) -> StringLanguage:
    """The strings that meet all demands."""
    if "string" not in meaning.types(conjunction):
        return StringLanguage.NONE
    try:
        language = Evaluation(meaning, STRINGS).conjunction(conjunction)
        _ = language.is_empty  # of lengths and loops together, this may be the hardest question
        return language
    except StateLimitError as error:
        return _too_large(meaning, conjunction, "pattern", f"these patterns together need {error}", STRINGS)


def numbers(meaning: Meaning, conjunction: Conjunction) -> NumberLanguage:
    """The numbers that meet all demands."""
    if "number" not in meaning.types(conjunction):
        return decimals.NONE
    try:
        return Evaluation(meaning, NUMBERS).conjunction(conjunction)
    except StateLimitError as error:
        return _too_large(meaning, conjunction, "multipleOf", f"these bounds and divisors need {error}", NUMBERS)


def _too_large(meaning: Meaning, conjunction: Conjunction, keyword: str, reason: str, algebra: Scalars[L]) -> L:
    """Everything of the type, where the language of the demands would be too large; a finding says so."""
    meaning.report.loosen(keyword, pointer_of(conjunction), reason)
    return algebra.everything


def constants(meaning: Meaning, conjunction: Conjunction) -> tuple[bool | None, ...]:
    """Null and the booleans that meet all demands."""
    found: list[bool | None] = []
    types = meaning.types(conjunction)
    if "null" in types and Evaluation(meaning, NULLS).conjunction(conjunction):
        found.append(None)
    if "boolean" in types:
        booleans = Evaluation(meaning, BOOLEANS).conjunction(conjunction)
        found += [value for value in (True, False) if value in booleans]
    return tuple(found)


class Evaluation(Generic[L]):
    """One formula evaluated in the algebra of one type.

    A demand met again inside its own unfolding is None: as a conjunct it adds nothing, as a disjunct it is dropped
    (the least solution there, the greatest here), so that a cycle and its negation stay complements.
    """

    def __init__(self, meaning: Meaning, algebra: Scalars[L]) -> None:
        self.meaning = meaning
        self.algebra = algebra
        self.path: dict[Demand, None] = {}
        self.cut = False

    def conjunction(self, demands: Conjunction) -> L:
        found = self.all_of(tuple(map(Ask, demands)))
        return self.algebra.everything if found is None else found

    def demand(self, demand: Demand) -> L | None:
        memo = self.meaning.evaluated(self.algebra.json_type)
        if demand in memo:
            return memo[demand]  # type: ignore[return-value]
        if demand in self.path:
            self.cut = True
            return None
        if ~demand in self.path:
            raise own_negation(demand)
        before, self.cut = self.cut, False
        self.path[demand] = None
        found = self.formula(self.meaning.formula(demand))
        del self.path[demand]
        if not self.cut:
            memo[demand] = found
        self.cut = self.cut or before
        return found

    def formula(self, formula: Formula) -> L | None:
        match formula:
            case All(parts):
                return self.all_of(parts)
            case AnyOf(parts):
                return self.any_of(parts)
            case ExactlyOne(parts, _, wanted):
                return self.exactly_one(parts, wanted)
            case Tried():
                return self.algebra.everything
            case Fact(assertion, wanted):
                return self.fact(assertion, wanted)
            case Ask(demand):
                return self.demand(demand)
            case Unevaluated(demand):
                local = local_formula(self.meaning, demand.sub, demand.scope)
                return self.formula(local if demand.wanted else negated(local))

    def all_of(self, parts: tuple[Formula, ...]) -> L | None:
        everything, nothing = self.algebra.everything, self.algebra.nothing
        result: L | None = None if parts else everything
        for part in parts:
            found = self.formula(part)
            if found is None or result is None:
                result = result if found is None else found
            elif found is not everything:
                result = found if result is everything else self.spending(result, found) & found
            if result == nothing:
                return nothing
        return result

    def any_of(self, parts: tuple[Formula, ...]) -> L | None:
        everything, nothing = self.algebra.everything, self.algebra.nothing
        result = nothing
        for part in parts:
            found = self.formula(part)
            if found is not None and found is not nothing:
                result = found if result is nothing else self.spending(result, found) | found
            if result == everything:
                return everything
        return result

    def spending(self, left: L, right: L) -> L:
        """The left operand, when the budget bears an operation of both."""
        self.meaning.spend(_states(left) * _states(right))
        return left

    def exactly_one(self, parts: tuple[Ask, ...], wanted: bool) -> L | None:
        """Negations are evaluated on their own: the complement of an approximation errs on the wrong side."""
        yes = [language for part in parts if (language := self.formula(part)) is not None]
        no = [language for part in parts if (language := self.formula(negated(part))) is not None]
        none, one, more = self.algebra.everything, self.algebra.nothing, self.algebra.nothing
        for holds, fails in zip(yes, no, strict=True):
            more = more if more == self.algebra.everything else more | (one & holds)
            one = (one & fails) | (none & holds)
            none = none & fails
        return one if wanted else none | more

    def fact(self, assertion: object, wanted: bool) -> L:
        kind, algebra = self.algebra.json_type, self.algebra
        match assertion:
            case TypeIs(types, integers):
                if kind == "number" and "number" not in types and "integer" in types:
                    return _signed(integers, wanted)  # type: ignore[return-value]
                return algebra.everything if (kind in types) == wanted else algebra.nothing
            case ValueIn(values):
                return algebra.values([value for value in values if json_type(value.value) == kind], wanted)
            case StringIn(_, keyword, pointer, narrowed) if kind == "string":
                if narrowed is not None and narrowed.narrowing is not None:
                    self.meaning.report.add("narrowed", keyword, pointer, narrowed.narrowing)
                return assertion.signed(wanted)  # type: ignore[return-value]
            case NumberIn(language) if kind == "number":
                return _signed(language, wanted)  # type: ignore[return-value]
            case Unknowable(assertion_type) if kind == assertion_type:
                self.meaning.loosen(assertion)
                return algebra.everything
            case _:
                return algebra.everything if wanted else algebra.nothing

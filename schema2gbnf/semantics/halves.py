"""Values divided in two: those that another conjunction has as well, and those that it has not.

Where every alternative of a value lies either within the other conjunction or apart from it, each half is some of the
alternatives as they stand. They are laid out from there, as a negation would speak of objects that were not closed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import TypeVar

from schema2gbnf.languages import decimals
from schema2gbnf.languages.decimals import NumberLanguage
from schema2gbnf.languages.dfa import StateLimitError
from schema2gbnf.languages.strings import StringLanguage
from schema2gbnf.semantics.formula import Conjunction
from schema2gbnf.semantics.inclusion import Inclusion, strings_within, value_of
from schema2gbnf.semantics.objects import not_all
from schema2gbnf.semantics.productivity import Alternative, Nonterminal, satisfiable
from schema2gbnf.semantics.shapes import ArrayShape, ObjectShape, ValueShape
from schema2gbnf.semantics.walks import WalkLimitError

DEPTH = 3
"""Levels of objects that are divided within each other."""

MOST_STATES = 200
"""States of an automaton of strings some of which are taken away."""

Part = TypeVar("Part")


class _UndividedError(Exception):
    """Some alternative lies across the other conjunction, or it is hard to tell."""


@dataclass
class Halves:
    """The divisions of one schema; the halves are nonterminals that the questions know of."""

    inclusion: Inclusion
    subtract: Callable[[Alternative, list[Alternative]], Alternative | None]
    """An object without those of others; None when none is left. Raises `WalkLimitError` where it is hard to make."""
    keeps_spellings: bool = True
    """Whether strings of which nothing but a length is known stay whole: in pieces, they lose escapes they could do
    without."""
    depth: int = 0
    _known: dict[tuple[Nonterminal, Nonterminal], tuple[Conjunction, Conjunction]] = field(default_factory=dict)

    def divided(self, value: Conjunction, other: Conjunction) -> tuple[Conjunction | None, Conjunction | None] | None:
        """What a value has in common with another, and what not, each None where there is nothing.

        The answer is None where that is hard to tell. Conjunctions that divide a value alike leave the same halves.
        """
        whole, rights = self.inclusion.nonterminal(value), self._alternatives(other)
        refused = not_all(other)
        if whole is None or rights is None or refused is None:
            return None
        try:
            halves = self._divided(whole, other, rights)
        except (_UndividedError, StateLimitError, WalkLimitError):
            return None
        if _is_empty(halves[0]) or _is_empty(halves[1]):
            return (None, value) if _is_empty(halves[0]) else (value, None)
        if halves not in self._known:
            conjunction, nonterminal = self.inclusion.meaning.conjunction, self.inclusion.nonterminal
            common, rest = conjunction((*value, ~refused)), conjunction((*value, refused))
            if common is None or rest is None or nonterminal(common) is not None or nonterminal(rest) is not None:
                return None
            for key, half in zip((common, rest), halves, strict=True):
                self.inclusion.made[key] = replace(half, demands=key)
                self.inclusion.productive.add(key)
            self._known[halves] = common, rest
        return self._known[halves]

    def keeps_whole(self, strings: StringLanguage) -> bool:
        """Whether strings are not to be divided, as they would be spelled otherwise."""
        return self.keeps_spellings and strings.has_lengths_alone and not strings.is_empty

    def _alternatives(self, other: Conjunction) -> list[Nonterminal] | None:
        """The nonterminal, or those of its options."""
        whole = self.inclusion.nonterminal(other)
        found = [whole, *map(self.inclusion.nonterminal, whole.options if whole else ())]
        if any(each is None for each in found) or any(each.options for each in found[1:] if each):
            return None
        return [each for each in found if each]

    def _divided(
        self, whole: Nonterminal, other: Conjunction, rights: list[Nonterminal]
    ) -> tuple[Nonterminal, Nonterminal]:
        """What the other has of a value, and what it has not."""
        inclusion = self.inclusion
        options = _sorted_out(
            whole.options,
            lambda option: inclusion.is_within(option, other),
            lambda option: inclusion.is_apart(option, other),
        )
        objects = self._divided_objects(whole.objects, [its for right in rights for its in right.objects])
        those = [its for right in rights for its in right.arrays]
        arrays = _sorted_out(
            self._satisfiable(whole.arrays),
            lambda each: any(inclusion.arrays_within(each, its) for its in those),
            lambda each: all(self._is_apart(each, its) for its in those),
        )
        constants = {constant for right in rights for constant in right.constants}
        strings = self._divided_strings(whole.strings, [right.strings for right in rights])
        numbers = _divided_numbers(whole.numbers, [right.numbers for right in rights])
        common, rest = (
            Nonterminal(
                whole.demands,
                options[half],
                tuple(each for each in whole.constants if (each in constants) == (half == 0)),
                strings[half],
                numbers[half],
                objects[half],
                arrays[half],
            )
            for half in (0, 1)
        )
        return common, rest

    def _satisfiable(self, alternatives: Iterable[Alternative]) -> list[Alternative]:
        return [each for each in alternatives if satisfiable(each, self.inclusion.productive)]

    def _divided_objects(
        self, whole: Iterable[Alternative], others: list[Alternative]
    ) -> tuple[tuple[Alternative, ...], tuple[Alternative, ...]]:
        inclusion = self.inclusion
        common: list[Alternative] = []
        rest: list[Alternative] = []
        for each in self._satisfiable(whole):
            if any(inclusion.objects_within(each, its) for its in others):
                common.append(each)
                continue
            shared = [its for its in self._satisfiable(others) if not self._is_apart(each, its)]
            left: Alternative | None = each
            if shared:
                if self.depth == DEPTH or not all(inclusion.objects_within(its, each) for its in shared):
                    raise _UndividedError
                self.depth += 1
                try:
                    left = self.subtract(each, shared)
                finally:
                    self.depth -= 1
            common += shared
            rest += [left] if left is not None else []
        return tuple(common), tuple(rest)

    def _divided_strings(
        self, whole: StringLanguage, others: list[StringLanguage]
    ) -> tuple[StringLanguage, StringLanguage]:
        if any(strings_within(whole, other) for other in others):
            return whole, StringLanguage.NONE
        if all((whole & other).is_empty for other in others):
            return StringLanguage.NONE, whole
        if self.keeps_whole(whole):
            raise _UndividedError
        rest = whole
        for other in others:
            rest = rest - other
        if sum(len(step.core.moves) for step in rest.steps) > MOST_STATES:
            raise _UndividedError
        return whole - rest, rest

    def _is_apart(self, one: Alternative, other: Alternative) -> bool:
        """Whether two objects, or two arrays, certainly have no value in common."""
        match one.shape, other.shape:
            case ObjectShape() as mine, ObjectShape() as its:
                return self._objects_apart(mine, its) or self._objects_apart(its, mine)
            case ArrayShape() as mine_array, ArrayShape() as its_array:
                return _ends_before(mine_array, its_array) or _ends_before(its_array, mine_array)
            case ValueShape() as value, ValueShape() as its_value:
                return value != its_value
            case _:
                return False

    def _objects_apart(self, mine: ObjectShape, its: ObjectShape) -> bool:
        """Whether the one requires a member that the other cannot have."""
        for member in mine.members:
            if member.required:
                value = value_of(its, member.name)
                if value is None or self.inclusion.is_apart(member.value, value):
                    return True
        return False


def _is_empty(half: Nonterminal) -> bool:
    return not (half.options or half.objects or half.arrays or half.scalar)


def _ends_before(mine: ArrayShape, its: ArrayShape) -> bool:
    return mine.high is not None and mine.high < its.low


def _sorted_out(
    parts: Iterable[Part], is_within: Callable[[Part], bool], is_apart: Callable[[Part], bool]
) -> tuple[tuple[Part, ...], tuple[Part, ...]]:
    """The parts that are within the other, and those that are apart from it; raises where one is neither."""
    inside: list[Part] = []
    outside: list[Part] = []
    for part in parts:
        if is_within(part):
            inside.append(part)
        elif is_apart(part):
            outside.append(part)
        else:
            raise _UndividedError
    return tuple(inside), tuple(outside)


def _divided_numbers(whole: NumberLanguage, others: list[NumberLanguage]) -> tuple[NumberLanguage, NumberLanguage]:
    if whole.is_empty or whole in others:
        return whole, decimals.NONE
    if all(other.is_empty for other in others):
        return decimals.NONE, whole
    raise _UndividedError

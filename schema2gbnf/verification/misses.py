"""Values that just miss what a schema means: a bound overstepped, a member too few or too many, a word of no pattern.

Each stands in the simplest value around it. Where another branch allows it, it is valid all the same: a validator
tells.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from fractions import Fraction
from itertools import islice

from schema2gbnf.languages.decimals import NumberLanguage, spell
from schema2gbnf.languages.dfa import StateLimitError
from schema2gbnf.schema.text import Json
from schema2gbnf.semantics.productivity import ANYTHING, Nonterminal
from schema2gbnf.semantics.shapes import ArrayShape, ObjectShape
from schema2gbnf.verification.edges import edge_strings, number_of
from schema2gbnf.verification.values import MOST_ITEMS, Nothing, Values, numbers_in, subschemas_of

MOST_BOUNDS = 40


def misses(values: Values) -> Iterator[Json]:
    """Near misses at all nonterminals: one of each, then the next of each, in random order."""
    order = [each for each in values.places if each != ANYTHING and each in values.explored.nonterminals]
    values.random.shuffle(order)
    waiting = deque((each, _misses(values, values.explored.nonterminals[each])) for each in order)
    while waiting:
        conjunction, found = waiting.popleft()
        for value in islice(found, 1):
            placed = values.around(conjunction, value)
            if not isinstance(placed, Nothing):
                yield placed
            waiting.append((conjunction, found))


def _misses(values: Values, nonterminal: Nonterminal) -> Iterator[Json]:
    simplest = values.simplest[nonterminal.demands]
    shapes = [alternative.shape for alternative in (*nonterminal.objects, *nonterminal.arrays)]
    if isinstance(simplest, dict):
        for name in simplest:
            yield {each: member for each, member in simplest.items() if each != name}
        declared = {member.name for shape in shapes if isinstance(shape, ObjectShape) for member in shape.members}
        yield {**simplest, next(name for name in ("x", "xx", "xxx", "x-x-x", "\n") if name not in declared): None}
        for name, member in simplest.items():
            yield {**simplest, name: [member]}
    if isinstance(simplest, list):
        yield from (simplest[:-1], [*simplest, *simplest[-1:]])
        for shape in shapes:
            if isinstance(shape, ArrayShape) and shape.high is not None and shape.high < MOST_ITEMS:
                slots = (*shape.prefix, *[shape.rest] * (shape.high + 1))[: shape.high + 1]
                yield [values.simplest.get(slot.value) for slot in slots]
    if not nonterminal.numbers.is_empty:
        near = [number for sub in subschemas_of(nonterminal.demands) for number in numbers_in(sub.value, 3)]
        yield from _numbers_outside(nonterminal.numbers, list(dict.fromkeys(near))[:MOST_BOUNDS])
    if not nonterminal.strings.is_empty:
        try:
            yield from edge_strings(~nonterminal.strings, values.random)
        except StateLimitError:
            return
    others: tuple[Json, ...] = (None, False, 0, "", [], {})
    yield from (other for other in others if other != simplest)


def _numbers_outside(language: NumberLanguage, near: list[Fraction]) -> Iterator[Json]:
    """Numbers around the given ones that are not in the language, those at a bound and one past it first."""
    for around in near:
        steps = (Fraction(0), Fraction(1), Fraction(-1), Fraction(1, 2), Fraction(-1, 1000), 9 * around, -2 * around)
        for number in (around + step for step in steps):
            if not language.contains(number):
                yield number_of(spell(number))

"""Conjunctions that only few values meet, as the list of these values."""

from __future__ import annotations

from fractions import Fraction

from schema2gbnf.schema.text import Json
from schema2gbnf.semantics.alternatives import shapes
from schema2gbnf.semantics.formula import Conjunction, Frozen, JsonType, frozen
from schema2gbnf.semantics.meaning import Meaning
from schema2gbnf.semantics.scalars import constants, numbers, strings
from schema2gbnf.semantics.shapes import ValueShape


def finite_domain(meaning: Meaning, conjunction: Conjunction, limit: int) -> tuple[Frozen, ...] | None:
    """All values that meet the demands, or None when there are more than `limit`, or it cannot be told."""
    if not conjunction:
        return None
    words = strings(meaning, conjunction).words(limit)
    amounts = numbers(meaning, conjunction).finite_values(limit)
    if words is None or amounts is None:
        return None
    found: list[Json] = [*constants(meaning, conjunction), *words, *map(_plain, amounts)]
    kinds: tuple[JsonType, ...] = ("object", "array")
    for kind in kinds:
        for shape in shapes(meaning, conjunction, kind):
            if not isinstance(shape, ValueShape):
                return None
            found.append(shape.value.value)
    return tuple(map(frozen, found)) if len(found) <= limit else None


def _plain(number: Fraction) -> Json:
    from decimal import Decimal

    from schema2gbnf.languages.decimals import spell

    return int(number) if number.denominator == 1 else Decimal(spell(number))

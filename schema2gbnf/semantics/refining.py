"""Members of one name, in objects side by side, given values that are equal or have nothing in common.

A grammar of several objects reads what they share once as long as members of one name have one value. Where the values
overlap, a reader goes on in each of the objects until one of them is ruled out; where the objects lie within
themselves, in more and more. Each value is therefore divided along the others, and a member taken once for each piece.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from schema2gbnf.semantics.formula import Conjunction
from schema2gbnf.semantics.halves import Halves
from schema2gbnf.semantics.productivity import Alternative, Nonterminal, satisfiable
from schema2gbnf.semantics.shapes import ObjectShape
from schema2gbnf.semantics.walks import Step, Walk

MOST_PIECES = 16
"""Pieces that the values of one name are divided into."""

MOST_TAKES = 200
GROWTH = 2
"""Steps that members may be taken in, when there are more of them than this many times as many as before."""


def refined_objects(halves: Halves, whole: Nonterminal) -> Nonterminal | None:
    """The same objects, each piece of a member's value for itself; None where values cannot be divided."""
    inclusion = halves.inclusion
    known = [each for each in whole.objects if satisfiable(each, inclusion.productive)]
    kept: list[Alternative] = []
    for index, each in enumerate(known):
        others = (*known[index + 1 :], *kept)
        if not any(inclusion.objects_within(each, other) for other in others):
            kept.append(each)
    values: dict[str, dict[Conjunction, None]] = {}
    for each in kept:
        shape = each.shape
        if not isinstance(shape, ObjectShape) or shape.parts or each.walk is None:
            return None
        for step in each.walk:
            for take in step.takes:
                values.setdefault(shape.members[take.place].name, {})[take.value] = None
    pieces: dict[str, Mapping[Conjunction, tuple[Conjunction, ...]]] = {}
    for name, found in values.items():
        divided = _pieces(halves, found)
        if divided is None:
            return None
        pieces[name] = divided
    refined = tuple(_taken_apart(each, pieces) for each in kept)
    if _takes(refined) > max(MOST_TAKES, GROWTH * _takes(kept)):
        return None
    return replace(whole, objects=refined)


def _takes(alternatives: Iterable[Alternative]) -> int:
    return sum(len(step.takes) for each in alternatives for step in each.walk or ())


def _pieces(halves: Halves, values: Iterable[Conjunction]) -> Mapping[Conjunction, tuple[Conjunction, ...]] | None:
    """The pieces of each value, no two of which have anything in common; None where that is hard to tell."""
    pieces: list[Conjunction] = []
    parts: dict[Conjunction, list[Conjunction]] = {}
    for value in values:
        left: Conjunction | None = value
        mine: list[Conjunction] = []
        for piece in list(pieces):
            if left is None:
                break
            within, without = _halves(halves, piece, left)
            shared, rest = _halves(halves, left, piece)
            if within is without is None or shared is rest is None:
                return None
            if within is None:
                continue
            if without is not None:
                at = pieces.index(piece)
                pieces[at : at + 1] = [within, without]
                for each in parts.values():
                    if piece in each:
                        at = each.index(piece)
                        each[at : at + 1] = [within, without]
            mine.append(within)
            left = rest
        if left is not None:
            pieces.append(left)
            mine.append(left)
        if len(pieces) > MOST_PIECES:
            return None
        parts[value] = mine
    return {value: tuple(each) for value, each in parts.items()}


def _halves(halves: Halves, value: Conjunction, other: Conjunction) -> tuple[Conjunction | None, Conjunction | None]:
    """What a value has in common with another, and what not, each None where there is nothing; both where that
    is hard to tell."""
    if halves.inclusion.is_within(value, other):
        return value, None
    if halves.inclusion.is_apart(value, other):
        return None, value
    return halves.divided(value, other) or (None, None)


def _taken_apart(
    alternative: Alternative, pieces: Mapping[str, Mapping[Conjunction, tuple[Conjunction, ...]]]
) -> Alternative:
    shape = alternative.shape
    assert isinstance(shape, ObjectShape)
    assert alternative.walk is not None
    names = [member.name for member in shape.members]
    walk: Walk = tuple(
        Step(
            tuple(replace(take, value=piece) for take in step.takes for piece in pieces[names[take.place]][take.value]),
            step.skip,
            step.ends,
        )
        for step in alternative.walk
    )
    return replace(alternative, walk=walk)

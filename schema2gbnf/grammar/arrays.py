"""Arrays as grammar expressions: a prefix item by item, the rest by repetition; counters and obligations by a walk."""

from __future__ import annotations

from schema2gbnf.grammar.repetition import repetition
from schema2gbnf.grammar.rules import EMPTY, Expr, Literal, Ref, alternation, sequence
from schema2gbnf.grammar.surroundings import Surroundings
from schema2gbnf.grammar.tries import factored
from schema2gbnf.semantics.formula import Conjunction
from schema2gbnf.semantics.productivity import live_steps
from schema2gbnf.semantics.shapes import ArrayShape
from schema2gbnf.semantics.walks import Step, Walk


class ArrayWriter:
    """Writes one array shape. Rules are named after `hint`; `identity` tells the shape from all others."""

    def __init__(self, around: Surroundings, hint: str, *identity: object) -> None:
        self.draft = around.draft
        self.blanks = around.blanks
        self.productive = around.productive
        self.value = around.value
        self.hint = hint
        self.identity = identity

    def plain(self, shape: ArrayShape) -> Expr:
        """An array whose items depend on their index alone."""
        low, high = shape.low, shape.high
        count = len(shape.prefix)
        for place, slot in enumerate(shape.prefix):
            if not self.productive(slot.value):
                count, high = place, place
                break
        if not self.productive(shape.rest.value):
            high = count if high is None else min(high, count)
        if high is not None:
            count = min(count, high)
        gap = self.blanks.gap
        if high == 0:
            return sequence(Literal("["), gap, Literal("]"))
        rest: Expr = EMPTY
        if count > 0:
            rest = self.rest_items(shape, max(0, low - count), None if high is None else high - count)
        for place in reversed(range(1, count)):
            item = sequence(self.blanks.comma, self.item(shape, place), rest)
            if place >= low:
                item = alternation(Literal("]"), item)
            body = sequence(gap, item)
            rest = body if place < low else self.draft.share(f"{self.hint}-item-{place}-rest", body)
        if count == 0:
            less = None if high is None else high - 1
            first = sequence(self.item(shape, 0), self.rest_items(shape, max(0, low - 1), less))
        else:
            first = sequence(self.item(shape, 0), rest)
        return sequence(Literal("["), gap, first if low > 0 else alternation(Literal("]"), first))

    def item(self, shape: ArrayShape, place: int) -> Expr:
        slot, hint = self.slot(shape, place)
        return self.value(slot, hint)

    def slot(self, shape: ArrayShape, place: int) -> tuple[Conjunction, str]:
        if place < len(shape.prefix):
            return shape.prefix[place].value, f"{self.hint}-item-{place}"
        return shape.rest.value, f"{self.hint}-item"

    def rest_items(self, shape: ArrayShape, low: int, high: int | None) -> Expr:
        """From `low` to `high` more items behind the prefix, and the closing bracket."""
        gap, close = self.blanks.gap, Literal("]")
        if high == 0:
            return sequence(gap, close)
        unit = sequence(gap, self.blanks.comma, self.item(shape, len(shape.prefix)))
        more = f"{self.hint}-more"
        if high is None:
            loop = self.draft.place(f"{self.hint}-rest", *self.identity, "rest")
            item = sequence(self.blanks.comma, self.item(shape, len(shape.prefix)), loop)
            self.draft.define(loop, sequence(gap, alternation(close, item)))
            return sequence(repetition(unit, low, low, self.draft, more), loop)
        return sequence(repetition(unit, low, high, self.draft, more), gap, close)

    def walk(self, shape: ArrayShape, walk: Walk) -> Expr:
        """An array whose items are counted or owe something: one rule a step of its walk."""
        live = live_steps(walk, self.productive)
        rests = {
            number: self.draft.place(f"{self.hint}-rest", *self.identity, shape.pointer, "step", number)
            for number in sorted({t.target for n in live for t in walk[n].takes if self.open(t.value, t.target, live)})
        }
        for number, ref in rests.items():
            items = self.items(shape, walk[number], rests, live)
            options = [sequence(self.blanks.comma, items)] if items is not None else []
            if walk[number].ends:
                options.insert(0, Literal("]"))
            self.draft.define(ref, sequence(self.blanks.gap, alternation(*options)))
        items = self.items(shape, walk[0], rests, live)
        options = [items] if items is not None else []
        if walk[0].ends:
            options.insert(0, Literal("]"))
        return sequence(Literal("["), self.blanks.gap, alternation(*options))

    def items(self, shape: ArrayShape, step: Step, rests: dict[int, Ref], live: frozenset[int]) -> Expr | None:
        found = [
            sequence(self.value(take.value, self.slot(shape, take.place)[1]), rests[take.target])
            for take in step.takes
            if self.open(take.value, take.target, live)
        ]
        return factored(found) if found else None

    def open(self, value: Conjunction, target: int, live: frozenset[int]) -> bool:
        return target in live and self.productive(value)

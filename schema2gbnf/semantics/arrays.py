"""Array shapes: the facts of one branch laid side by side, index by index.

The value at an index is the conjunction of what every `Items` fact says there. `contains` keeps its counter; clauses
become obligations, discharged by an item that breaks a fact, by the length, or by a count of contained items.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from schema2gbnf.semantics.branches import Branch
from schema2gbnf.semantics.formula import (
    Conjunction,
    Contains,
    Demand,
    Either,
    Fact,
    ItemCount,
    Items,
    UniqueItems,
)
from schema2gbnf.semantics.meaning import Meaning
from schema2gbnf.semantics.objects import outside
from schema2gbnf.semantics.shapes import ArrayShape, Break, Count, Obligation, Range, Slot


@dataclass
class Watch:
    """A clause while its literals are being decided."""

    counts: list[Range] = field(default_factory=list)
    broken: list[Items] = field(default_factory=list)
    contained: list[tuple[int, Range]] = field(default_factory=list)
    duplicates: list[UniqueItems] = field(default_factory=list)


class Layout:
    """One branch on its way to a shape."""

    def __init__(self, meaning: Meaning, branch: Branch) -> None:
        self.meaning = meaning
        self.facts: list[Items] = []
        self.low = 0
        self.high: int | None = None
        self.counts: list[Count] = []
        self.unique: str | None = None
        self.watches: list[Watch] = []
        self.pointer = "#"
        for fact in branch.facts:
            self.take(fact)
        for clause in branch.clauses:
            self.watch(clause)

    def take(self, fact: Fact) -> None:
        match fact.assertion:
            case Items() if fact.wanted:
                self.facts.append(fact.assertion)
                self.pointer = fact.assertion.pointer
            case ItemCount(low, high) if fact.wanted:
                self.low = max(self.low, low)
                self.high = high if self.high is None else self.high if high is None else min(self.high, high)
            case Contains(demand, low, high) if fact.wanted:
                self.counts.append(Count(demand, low, high))
                if low > 0:
                    self.low = max(self.low, low)
            case UniqueItems(pointer) if fact.wanted:
                self.unique = self.unique or pointer
            case _:
                self.watch((fact,))

    def watch(self, clause: tuple[Fact, ...]) -> None:
        watch = Watch()
        for fact in clause:
            match fact.assertion:
                case Items():
                    watch.broken.append(fact.assertion)
                case ItemCount(low, high):
                    watch.counts.extend([(low, high)] if fact.wanted else outside(low, high))
                case Contains(demand, low, high):
                    ranges = [(low, high)] if fact.wanted else outside(low, high)
                    watch.contained.extend((self.counter(demand), each) for each in ranges)
                case UniqueItems() as unique:
                    watch.duplicates.append(unique)
                case _:
                    raise AssertionError(f"no array automaton watches {fact}")
        self.watches.append(watch)

    def counter(self, demand: Demand) -> int:
        """Index of the counter of a demand, which may only be watched."""
        count = Count(demand, 0, None)
        if count not in self.counts:
            self.counts.append(count)
        return self.counts.index(count)

    # -- the parts ---------------------------------------------------------------------------------------------------

    def shape(self) -> ArrayShape | None:
        """The shape, or None when the facts contradict each other whatever the items are."""
        most = self.meaning.options.limits.obligations
        if len(self.watches) > most:
            message = f"one array owes {len(self.watches)} negations at once; raise the limit 'obligations'"
            self.meaning.report.loosen("not", self.pointer, message)
            self.watches = []
        broken = [fact for watch in self.watches for fact in watch.broken]
        length = max((len(fact.prefix) for fact in [*self.facts, *broken]), default=0)
        prefix: list[Slot] = []
        for index in range(length):
            value = self.value(fact.at(index) for fact in self.facts)
            if value is None:
                self.limit(index)
                break
            prefix.append(Slot(value))
        rest_value = self.value(fact.at(None) for fact in self.facts) if len(prefix) == length else None
        if rest_value is None:
            self.limit(len(prefix))
        rest = Slot(rest_value or ())
        if self.high is not None:
            prefix = prefix[: self.high]
        obligations: list[Obligation] = []
        for watch in self.watches:
            if watch.duplicates:
                where = watch.duplicates[0].pointer
                self.meaning.report.loosen("uniqueItems", where, "that two items are equal is not kept")
                continue
            index = len(obligations)
            prefix = [self.breaking(slot, watch, place, index) for place, slot in enumerate(prefix)]
            if self.high is None or self.high > len(prefix):
                rest = self.breaking(rest, watch, None, index)
            counts = tuple(r for r in dict.fromkeys(watch.counts) if self.reachable(r))
            obligations.append(Obligation(counts=counts, contained=tuple(watch.contained)))
            if (
                not counts
                and not watch.contained
                and not any(brk.obligation == index for slot in [*prefix, rest] for brk in slot.breaks)
            ):
                return None
        if self.high is not None and self.low > self.high:
            return None
        unique = self.unique if self.high is None or self.high > 1 else None
        return ArrayShape(
            tuple(prefix), rest, self.low, self.high, tuple(self.counts), tuple(obligations), unique, self.pointer
        )

    def limit(self, high: int) -> None:
        self.high = high if self.high is None else min(self.high, high)

    def reachable(self, counts: Range) -> bool:
        low, high = counts
        return (high is None or high >= self.low) and (self.high is None or low <= self.high)

    def value(self, demands: Iterable[Demand | None]) -> Conjunction | None:
        return self.meaning.conjunction(demand for demand in demands if demand is not None)

    def breaking(self, slot: Slot, watch: Watch, place: int | None, obligation: int) -> Slot:
        """The slot with the way in which its item may discharge the obligation."""
        refused = tuple(dict.fromkeys(~demand for fact in watch.broken if (demand := fact.at(place)) is not None))
        if not refused:
            return slot
        broken = refused[0] if len(refused) == 1 else Either(refused)
        if self.meaning.conjunction((*slot.value, broken)) is None:
            return slot
        return Slot(slot.value, (*slot.breaks, Break(obligation, broken)))

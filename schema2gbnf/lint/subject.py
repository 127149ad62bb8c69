"""What the checks look at: a grammar as written, and what follows for each part of it.

In comes the text of a grammar; out goes a `Subject`. Every part of it that makes no sense is noted as a fault, and
stands for some character from then on; so does a rule that is missing. One mistake is told once.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

from schema2gbnf.closed import assert_never
from schema2gbnf.gbnf.parse import character_class, literal, meaning
from schema2gbnf.gbnf.syntax import (
    Bracketed,
    Counted,
    Dot,
    Fault,
    Group,
    Item,
    Name,
    Quoted,
    Rule,
    Salvage,
    Series,
    Terminal,
    items,
    salvage,
)
from schema2gbnf.grammar.rules import CharClass, Expr, Grammar
from schema2gbnf.languages.charset import CharSet
from schema2gbnf.lint.deduction import consequences
from schema2gbnf.lint.diagnostic import Lines
from schema2gbnf.loops import loops

ROOT = "root"
_SOMETHING = CharClass(CharSet.of("?"))

Key = int | str
"""A part of a rule by its identity, or a rule by its name."""


@dataclass(frozen=True)
class Subject:
    """A grammar to be checked."""

    text: str
    salvaged: Salvage

    @staticmethod
    def of(text: str) -> Subject:
        return Subject(text, salvage(text))

    @property
    def written(self) -> tuple[Rule, ...]:
        """The rules as written; of two with one name llama.cpp takes the last."""
        return self.salvaged.rules

    @cached_property
    def lines(self) -> Lines:
        return Lines(self.text)

    @cached_property
    def left_loops(self) -> tuple[tuple[str, ...], ...]:
        """Rules that can begin with each other, set by set."""
        names = tuple(self.rules)
        numbers = {name: number for number, name in enumerate(names)}
        edges = {
            number: list(dict.fromkeys(numbers[c.name] for c, _ in self.corners(name) if c.name in numbers))
            for name, number in numbers.items()
        }
        return tuple(tuple(names[number] for number in loop) for loop in loops(edges))

    @cached_property
    def faults(self) -> tuple[Fault, ...]:
        """What makes no sense, in the order of the text."""
        return tuple(fault for rule in self.written for item in items(rule.options) for fault in _faults(item))

    @cached_property
    def rules(self) -> dict[str, Rule]:
        """The rules by name, with a class of some character for each part that makes no sense."""
        broken = {fault.position for fault in self.faults}
        return {rule.name: _mended(rule) if broken else rule for rule in self.written}

    def items(self) -> Iterator[Item]:
        """All items of all rules, each before what is inside it."""
        return (item for rule in self.rules.values() for item in items(rule.options))

    def series(self) -> Iterator[Series]:
        """All alternatives of all rules and groups."""
        for rule in self.rules.values():
            yield from rule.options
        for item in self.items():
            if isinstance(item, Group):
                yield from item.options

    @cached_property
    def callees(self) -> dict[str, tuple[Name, ...]]:
        """For each rule, where it names others."""
        return {
            name: tuple(item for item in items(rule.options) if isinstance(item, Name))
            for name, rule in self.rules.items()
        }

    @cached_property
    def missing(self) -> tuple[Name, ...]:
        """Where rules are named that are not defined."""
        known = self.rules.keys() | self.salvaged.lost
        return tuple(
            item
            for rule in self.written
            for item in items(rule.options)
            if isinstance(item, Name) and item.name not in known
        )

    @cached_property
    def grammar(self) -> Grammar:
        """The grammar that is left when every fault is mended."""
        bodies: dict[str, Expr] = {name: meaning(rule.options) for name, rule in self.rules.items()}
        for names in self.callees.values():
            for name in names:
                bodies.setdefault(name.name, _SOMETHING)
        bodies.setdefault(ROOT, _SOMETHING)
        return Grammar(bodies)

    @cached_property
    def _nullable(self) -> frozenset[Key]:
        return consequences(clause for rule in self.rules.values() for clause in _clauses(rule, self, empty=True))

    @cached_property
    def _productive(self) -> frozenset[Key]:
        return consequences(clause for rule in self.rules.values() for clause in _clauses(rule, self, empty=False))

    def nullable(self, item: Item) -> bool:
        """Whether the empty text is one of the item's."""
        return id(item) in self._nullable

    def productive(self, rule: str) -> bool:
        """Whether the rule has a text."""
        return rule in self._productive

    def corners(self, rule: str) -> Iterator[tuple[Name, bool]]:
        """Where a text of the rule can begin with one of another rule, and whether something empty stands before."""
        todo = [(series, False) for series in reversed(self.rules[rule].options)] if rule in self.rules else []
        while todo:
            series, behind = todo.pop()
            inside: list[tuple[Series, bool]] = []
            for item in series.items:
                core = item
                while isinstance(core, Counted):
                    core = core.item
                match core:
                    case Name():
                        yield core, behind
                    case Group(_, options):
                        inside += [(option, behind) for option in options]
                    case _:
                        pass
                if not self.nullable(item):
                    break
                behind = True
            todo.extend(reversed(inside))


def _faults(item: Item) -> Iterator[Fault]:
    """What makes no sense about an item, apart from what is inside it."""
    try:
        match item:
            case Quoted(position, spelling):
                literal(spelling, position)
            case Bracketed(position, spelling):
                character_class(spelling, position)
            case Terminal() | Name() | Dot():
                meaning((Series(item.position, (item,)),))
            case Counted(position):
                meaning((Series(position, (replace(item, item=Dot(position)),)),))
            case Group():
                pass
            case _:
                assert_never(item)
    except Fault as fault:
        yield fault


def _mended(rule: Rule) -> Rule:
    return replace(rule, options=_mended_options(rule.options))


def _mended_options(options: tuple[Series, ...]) -> tuple[Series, ...]:
    return tuple([Series(series.position, tuple([_mended_item(item) for item in series.items])) for series in options])


def _mended_item(item: Item) -> Item:
    match item:
        case Group(position, options):
            return Group(position, _mended_options(options))
        case Counted():
            inside = replace(item, item=_mended_item(item.item))
            return replace(inside, high=None) if any(_faults(item)) else inside
        case _:
            return Bracketed(item.position, "[?]") if any(_faults(item)) else item


def _clauses(rule: Rule, subject: Subject, *, empty: bool) -> Iterator[tuple[Key, tuple[Key, ...]]]:
    """What has to have a text, or with `empty` the empty one, for each part of a rule to have one."""
    for series in rule.options:
        yield rule.name, (id(series),)
        yield id(series), tuple(map(id, series.items))
    for item in items(rule.options):
        match item:
            case Name(_, name):
                if name in subject.rules:
                    yield id(item), (name,)
                elif not empty:
                    yield id(item), ()
            case Quoted(_, spelling):
                if not empty or len(spelling) == len('""'):
                    yield id(item), ()
            case Bracketed() | Dot() | Terminal():
                if not empty:
                    yield id(item), ()
            case Group(_, options):
                for series in options:
                    yield id(item), (id(series),)
                    yield id(series), tuple(map(id, series.items))
            case Counted(item=inner, low=low):
                yield id(item), (id(inner),) if low else ()
            case _:
                assert_never(item)

"""Checks of repetitions: what llama.cpp does not count, and what can be read in too many ways."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise

from schema2gbnf.gbnf.match import describe
from schema2gbnf.gbnf.parse import character_class, literal
from schema2gbnf.gbnf.syntax import Bracketed, Counted, Dot, Group, Item, Name, Quoted, Series, Terminal
from schema2gbnf.gbnf.write import LARGEST_COUNT
from schema2gbnf.languages.charset import TEXT, CharSet
from schema2gbnf.lint.diagnostic import Flaw
from schema2gbnf.lint.subject import Subject

MOST_PARTS = 200
"""Parts of an item that are looked at for characters that are a whole text of it."""


def unbounded(subject: Subject) -> Iterator[Flaw]:
    """`{m,n}` with an n that llama.cpp takes for no bound at all."""
    for item in _counted(subject):
        if item.low <= LARGEST_COUNT and item.high is not None and item.high > LARGEST_COUNT:
            message = f"llama.cpp silently takes {_sign(item)}, as any bound over {LARGEST_COUNT}, for {{{item.low},}}"
            yield Flaw(
                item.position, f"{message}; count in blocks: a rule for x{{{LARGEST_COUNT // 10}}}, and that ten times"
            )


def refused(subject: Subject) -> Iterator[Flaw]:
    """`{m}` and `{m,n}` with an m that llama.cpp refuses."""
    for item in _counted(subject):
        if item.low > LARGEST_COUNT:
            message = f"llama.cpp refuses {_sign(item)}, as any count from {LARGEST_COUNT + 1} on"
            yield Flaw(
                item.position, f"{message}; count in blocks: a rule for x{{{LARGEST_COUNT // 10}}}, and that ten times"
            )


def too_many_symbols(subject: Subject) -> Iterator[Flaw]:
    """A repeated group out of which llama.cpp would make more symbols than it dares."""
    counting = _Symbols()
    for rule in subject.written:
        counting.names.add(rule.name)
        for item, symbols in counting.repeated_groups(rule.options):
            times = item.high or item.low or 1
            if max(item.low, item.high or 0) <= LARGEST_COUNT < symbols * times:
                message = (
                    f"llama.cpp refuses {_sign(item)} here: {symbols} symbols in the group, repeated {times} times"
                )
                remedy = f"are more than {LARGEST_COUNT}; give the group a rule of its own"
                yield Flaw(item.position, f"{message}, {remedy}")


@dataclass
class _Symbols:
    """The symbols that llama.cpp makes while it reads: of new names, of groups, of optional repetitions."""

    names: set[str] = field(default_factory=set)
    made: int = 0

    def repeated_groups(self, options: tuple[Series, ...]) -> Iterator[tuple[Counted, int]]:
        """The repetitions of groups among some alternatives, each with the symbols made in its group."""
        for series in options:
            for item in series.items:
                yield from self._inside(item)

    def _inside(self, item: Item) -> Iterator[tuple[Counted, int]]:
        match item:
            case Name(_, name):
                self.names.add(name)
            case Group(_, options):
                self.made += 1
                yield from self.repeated_groups(options)
            case Counted(_, _, inner, low, high):
                before = self.made + len(self.names)
                yield from self._inside(inner)
                if not isinstance(inner, (Name, Quoted, Bracketed, Dot, Terminal)):
                    yield item, self.made + len(self.names) - before
                self.made += 1 if high is None else max(high - low, 0)
            case _:
                pass


def nothing(subject: Subject) -> Iterator[Flaw]:
    """`{0}`."""
    for item in _counted(subject):
        if item.high == 0:
            yield Flaw(item.position, f"{_sign(item)} says nothing, and llguidance refuses it; remove it with its item")


def endless_empty_rounds(subject: Subject) -> Iterator[Flaw]:
    """An unbounded repetition of what may be empty."""
    for item in _counted(subject):
        if item.high is None and subject.nullable(item.item):
            message = f"{_sign(item)} repeats what may be empty without end, so a text is read in ever more ways"
            yield Flaw(item.position, f"{message}; let each round read a character, and repeat or leave out the whole")


def empty_rounds(subject: Subject) -> Iterator[Flaw]:
    """A bounded repetition of what may be empty."""
    for item in _counted(subject):
        if item.high is not None and item.high > 0 and subject.nullable(item.item):
            message = f"{_sign(item)} repeats what may be empty, so a text is read in several ways"
            yield Flaw(item.position, f"{message}; let each round read a character, and make the whole optional")


def ambiguous_neighbours(subject: Subject) -> Iterator[Flaw]:
    """Two neighbours that both may be empty, and may both be the same character: it has two readings."""
    for series in subject.series():
        for left, right in pairwise(series.items):
            if subject.nullable(left) and subject.nullable(right):
                shared = _singles(subject, left) & _singles(subject, right)
                if shared:
                    message = f"this and the item before may both be empty, and both be {describe(shared)[0]}"
                    message += ", which is then read in two ways"
                    yield Flaw(_place(right), f"{message}; join the two, or let one of them begin otherwise")


def _counted(subject: Subject) -> Iterator[Counted]:
    return (item for item in subject.items() if isinstance(item, Counted))


def _sign(item: Counted) -> str:
    if item.sign != "{":
        return item.sign
    if item.low == item.high:
        return f"{{{item.low}}}"
    return f"{{{item.low},{'' if item.high is None else item.high}}}"


def _place(item: Item) -> int:
    while isinstance(item, Counted):
        item = item.item
    return item.position


def _singles(subject: Subject, item: Item) -> CharSet:
    """Characters that are a whole text of the item; of an item with very many parts, only some."""
    sets: dict[CharSet, None] = {}
    seen: set[str] = set()
    todo: list[Item] = [item]
    for _ in range(MOST_PARTS):
        if not todo:
            break
        match todo.pop():
            case Name(_, name) if name in subject.rules and name not in seen:
                seen.add(name)
                todo += _alone(subject, subject.rules[name].options)
            case Quoted(position, spelling):
                text = literal(spelling, position)
                sets[CharSet.of(text if len(text) == 1 else "")] = None
            case Bracketed(position, spelling):
                sets[character_class(spelling, position)] = None
            case Dot():
                sets[TEXT] = None
            case Group(_, options):
                todo += _alone(subject, options)
            case Counted(_, _, inner, low, _) if low <= 1 or subject.nullable(inner):
                todo.append(inner)
            case _:
                pass
    return CharSet.union(span for chars in sets for span in chars.ranges)


def _alone(subject: Subject, options: tuple[Series, ...]) -> Iterator[Item]:
    """The items that can be all there is of an alternative, since the others may be empty."""
    for series in options:
        needed = [item for item in series.items if not subject.nullable(item)]
        yield from series.items if not needed else needed if len(needed) == 1 else ()

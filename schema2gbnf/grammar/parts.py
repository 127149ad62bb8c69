"""Parts of an expression that are printed as rules of their own: those that have a name, and those written twice.

Comes in: an expression over characters. Goes out: the same with a placeholder for each such part, and the parts, each
after those it is made of. Parts are found where an expression is nested, and named ones also in the midst of a
sequence and among the options of an alternation. The texts and their readings stay what they are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from schema2gbnf.grammar.folding import weight
from schema2gbnf.grammar.rules import Alternation, Expr, Ref, Repeat, Sequence, sequence

HEAVY = 150
"""The weight from which an expression is looked at."""

WORTH = 30
"""The weight from which a part that is written twice is a rule."""


@dataclass(frozen=True, slots=True)
class Part:
    """One rule to be: what stands for it, its name (None: it has none of its own), its body."""

    placeholder: Ref
    name: str | None
    body: Expr


@dataclass
class _Divider:
    """Replaces parts from the outside in, and keeps them from the inside out."""

    named: Mapping[Expr, str]
    repeated: frozenset[Expr]
    runs: list[Sequence] = field(init=False)
    groups: list[Alternation] = field(init=False)
    parts: list[Part] = field(default_factory=list)
    known: dict[Expr, Ref] = field(default_factory=dict)

    def __post_init__(self) -> None:
        # The longest first: a part may begin like another.
        self.runs = sorted((x for x in self.named if isinstance(x, Sequence)), key=lambda run: -len(run.parts))
        self.groups = sorted((x for x in self.named if isinstance(x, Alternation)), key=lambda set_: -len(set_.options))

    def within(self, expr: Expr) -> Expr:
        """The expression, as a placeholder where it is a part."""
        if expr in self.known:
            return self.known[expr]
        name = self.named.get(expr)
        if name is None and expr not in self.repeated:
            return self.body(expr)
        body = self.body(expr)
        made = self.known[expr] = Ref(f"part {len(self.parts)}")
        self.parts.append(Part(made, name, body))
        return made

    def body(self, expr: Expr) -> Expr:
        """The expression with placeholders for the parts inside it."""
        match expr:
            case Sequence(parts):
                return sequence(*self.row(parts))
            case Alternation(options):
                return Alternation(tuple(self.set_of(options)))
            case Repeat(item, low, high):
                return Repeat(self.within(item), low, high)
            case _:
                return expr

    def row(self, parts: tuple[Expr, ...]) -> Iterator[Expr]:
        """What stands in a sequence, runs that have a name replaced."""
        place = 0
        while place < len(parts):
            runs = (each for each in self.runs if parts[place : place + len(each.parts)] == each.parts != parts)
            run = next(runs, None)
            if run is None:
                yield self.within(parts[place])
                place += 1
            else:
                yield self.within(run)
                place += len(run.parts)

    def set_of(self, options: tuple[Expr, ...]) -> Iterator[Expr]:
        """The options, those that together have a name replaced."""
        left = dict.fromkeys(options)
        for group in self.groups:
            if len(group.options) < len(left) and left.keys() >= set(group.options):
                place = list(left).index(group.options[0])
                rest = [option for option in left if option not in group.options]
                left = dict.fromkeys((*rest[:place], group, *rest[place:]))
        return map(self.within, left)


def divided(expr: Expr, named: Mapping[Expr, str]) -> tuple[Expr, list[Part]]:
    """The expression with placeholders, and the parts they stand for.

    >>> from schema2gbnf.grammar.rules import Literal
    >>> divided(Sequence((Literal("a"), Literal("b"), Literal("c"))), {Sequence((Literal("b"), Literal("c"))): "bc"})[0]
    Sequence(parts=(Literal(text='a'), Ref(name='part 0')))
    """
    counts: Counter[Expr] = Counter()
    _count(expr, counts)
    repeated = frozenset(
        # What is counted out is a rule anyway.
        each
        for each, count in counts.items()
        if count > 1 and not isinstance(each, Repeat) and weight(each) >= WORTH
    )
    divider = _Divider(named, repeated)
    return divider.body(expr), divider.parts


def _count(expr: Expr, counts: Counter[Expr]) -> None:
    """How often each part stands in the expression, those inside another counted at its first place only."""
    counts[expr] += 1
    if counts[expr] > 1:
        return
    match expr:
        case Sequence(parts) | Alternation(parts):
            for part in parts:
                _count(part, counts)
        case Repeat(item):
            _count(item, counts)
        case _:
            pass

"""The draft in which a compiler collects rules, and fragments of it that can be brought into other drafts.

A draft gives out names and makes each rule once. A fragment keeps the steps in which an expression and its rules were
made, so that they need not be made again where the same steps would give the same names.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass, field
from functools import lru_cache

from schema2gbnf.grammar.rules import (
    Alternation,
    Expr,
    Grammar,
    Ref,
    Repeat,
    Sequence,
    abridged,
    digest,
    folded,
    references,
    rule_name,
)

LONGEST_NAME = 96
LONGEST_PATH = 64
"""The length of a name with which the names of the rules inside begin."""


@dataclass(frozen=True, slots=True)
class Reserved:
    """A name was given out."""

    name: str


@dataclass(frozen=True, slots=True)
class Defined:
    """A rule got its body."""

    name: str
    body: Expr


@dataclass(frozen=True, slots=True)
class Shared:
    """A rule was made for all that has this body."""

    name: str
    body: Expr


@dataclass(frozen=True, slots=True)
class Made:
    """An expression was made under a key, once and for all, in these steps."""

    key: Hashable
    expr: Expr
    steps: tuple[Step, ...]


Step = Reserved | Defined | Shared | Made


@dataclass(frozen=True, slots=True)
class Fragment:
    """An expression and the steps in which its rules were made in a draft of its own, to be repeated in others."""

    expr: Expr
    steps: tuple[Step, ...]

    @property
    def size(self) -> int:
        """How many expressions it is made of."""
        return _size(self.expr) + _size_of_steps(self.steps)


FRAGMENT_SYMBOLS = 1 << 18
"""What a cache of fragments may hold in all, by their size: some ten megabytes."""


def _size_of_steps(steps: tuple[Step, ...]) -> int:
    size = 0
    for step in steps:
        match step:
            case Defined(_, body) | Shared(_, body):
                size += 1 + _size(body)
            case Made(_, expr, inner):
                size += _size(expr) + _size_of_steps(inner)
            case Reserved():
                size += 1
    return size


def _size(expr: Expr) -> int:
    size, todo = 0, [expr]
    while todo:
        size += 1
        match todo.pop():
            case Sequence(parts) | Alternation(parts):
                todo.extend(parts)
            case Repeat(item):
                todo.append(item)
            case _:
                pass
    return size


@dataclass
class Draft:
    """Rules under construction: gives out names, shares rules of equal body.

    `kept` names are for shared primitives alone; a rule that a schema names never gets one of them.
    """

    kept: frozenset[str] = frozenset()
    rules: dict[str, Expr] = field(default_factory=dict)
    _taken: set[str] = field(default_factory=lambda: {"start"})
    _shared: dict[Expr, Ref] = field(default_factory=dict)
    _made: dict[Hashable, Expr] = field(default_factory=dict)
    _steps: list[Step] | None = None

    def reserve(self, hint: str, *identity: object) -> Ref:
        """A name that no other rule has; `define` its body later.

        `identity` spells what tells this rule from all others (a pointer, a state); when the hinted name is
        taken, a short hash of it is added, so that names never depend on how many rules came before.
        """
        return self._reserved(rule_name(hint), *identity)

    def _reserved(self, name: str, *identity: object) -> Ref:
        ref = self._reserve(name, *identity)
        if self._steps is not None:
            self._steps.append(Reserved(ref.name))
        return ref

    def _reserve(self, name: str, *identity: object) -> Ref:
        candidate, size = name, 4
        while (key := folded(candidate)) in self._taken:
            candidate = f"{name}-{digest(_spelled(identity))[:size]}"
            size += 1
        self._taken.add(key)
        return Ref(candidate)

    def place(self, hint: str, *identity: object) -> Ref:
        """A name for a rule whose hint comes from the schema's own words, which may go on too long."""
        name = abridged(hint, LONGEST_NAME)
        if folded(name) in self.kept:
            name += f"-{digest(_spelled(identity))[:4]}"
        return self._reserved(name, *identity)

    def define(self, ref: Ref, body: Expr) -> Ref:
        """Give a reserved rule its body."""
        self.rules[ref.name] = body
        if self._steps is not None:
            self._steps.append(Defined(ref.name, body))
        return ref

    def share(self, hint: str, body: Expr) -> Ref:
        """The rule with this body: the one there is, or a new one under the hinted name."""
        ref = self._shared.get(body)
        if ref is None:
            name = rule_name(hint)
            # The body is spelled out only where its hint is taken.
            ref = self._reserve(name, repr(body) if folded(name) in self._taken else "")
            self.rules[ref.name] = body
            self._shared[body] = ref
            if self._steps is not None:
                self._steps.append(Shared(ref.name, body))
        return ref

    def once(self, key: Hashable, make: Callable[[], Expr]) -> Expr:
        """The expression made under this key before, or made now: what has rules of its own is not built twice."""
        expr = self._made.get(key)
        if expr is None:
            outer = self._steps
            self._steps = None if outer is None else []
            expr = self._made[key] = make()
            if outer is not None:
                outer.append(Made(key, expr, tuple(self._steps or ())))
            self._steps = outer
        return expr

    @staticmethod
    def fragment(make: Callable[[Draft], Expr]) -> Fragment:
        """What an expression needs of a draft, found in an empty one."""
        draft = Draft(_steps=[])
        expr = make(draft)
        return Fragment(expr, tuple(draft._steps or ()))

    def bring(self, fragment: Fragment) -> Expr | None:
        """The expression with its rules, as if it were made here; None when its names would not be the same here."""
        if not self._fits(fragment.steps):
            return None
        self._repeat(fragment.steps)
        return fragment.expr

    def _fits(self, steps: tuple[Step, ...]) -> bool:
        for step in steps:
            match step:
                case Reserved(name):
                    if folded(name) in self._taken:
                        return False
                case Shared(name, body):
                    found = self._shared.get(body)
                    if folded(name) in self._taken if found is None else found.name != name:
                        return False
                case Made(key, expr, inner):
                    made = self._made.get(key)
                    if not (self._fits(inner) if made is None else made == expr and self._has(inner)):
                        return False
                case Defined():
                    pass
        return True

    def _has(self, steps: tuple[Step, ...]) -> bool:
        for step in steps:
            match step:
                case Reserved(name):
                    if name not in self.rules:
                        return False
                case Shared(name, body):
                    if self._shared.get(body) != Ref(name):
                        return False
                case Made(key, expr, inner):
                    if self._made.get(key) != expr or not self._has(inner):
                        return False
                case Defined(name, body):
                    if self.rules.get(name) != body:
                        return False
        return True

    def _repeat(self, steps: tuple[Step, ...]) -> None:
        for step in steps:
            match step:
                case Reserved(name):
                    self._taken.add(folded(name))
                case Defined(name, body):
                    self.rules[name] = body
                case Shared(name, body):
                    if body not in self._shared:
                        self._taken.add(folded(name))
                        self.rules[name] = body
                        self._shared[body] = Ref(name)
                case Made(key, expr, inner):
                    if key not in self._made:
                        self._repeat(inner)
                        self._made[key] = expr

    def copy(self) -> Draft:
        """A draft that begins with all this one has."""
        return Draft(self.kept, dict(self.rules), set(self._taken), dict(self._shared), dict(self._made))

    def grammar(self, last: Iterable[str] = ()) -> Grammar:
        """The rules reachable from `root`, in order of first use, those named in `last` at the end in that order."""
        order: dict[str, None] = {"root": None}
        todo = ["root"]
        while todo:
            fresh = [name for name in _names_in(self.rules[todo.pop()]) if name not in order]
            order.update(dict.fromkeys(fresh))
            todo.extend(reversed(fresh))
        tail = {name: None for name in last if name in order}
        names = [name for name in order if name not in tail]
        return Grammar({name: self.rules[name] for name in (*names, *tail)})


@lru_cache(maxsize=1 << 12)
def _names_in(body: Expr) -> tuple[str, ...]:
    """The rules that a body uses, each once; it is asked of the rules of every grammar again and again."""
    return tuple(dict.fromkeys(references(body)))


def _spelled(identity: tuple[object, ...]) -> str:
    return " ".join(map(str, identity))

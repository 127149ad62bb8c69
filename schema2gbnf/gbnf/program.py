"""A grammar made ready for machines that walk it: nodes with an identity, and what each may be or begin with.

In comes a `Grammar`; out goes a `Program`, one tree of nodes a rule. Expressions are equal by what they say, nodes by
where they stand, so that a node is a quick key at any depth. A rule that is used and not defined is refused by
`ValueError`, left recursion, on demand, by `LeftRecursionError`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from schema2gbnf.grammar.rules import Alternation, CharClass, Expr, Grammar, Literal, Ref, Repeat, Sequence
from schema2gbnf.languages.charset import CharSet


class LeftRecursionError(ValueError):
    """A rule that can begin with itself: a reader would never get past it."""

    def __init__(self, rule: str) -> None:
        super().__init__(f"the rule {rule} is left-recursive: it can begin with itself before any character is read")
        self.rule = rule


@dataclass(slots=True, eq=False)
class Text:
    """These characters, at least one."""

    text: str
    nullable: bool = False
    productive: bool = False


@dataclass(slots=True, eq=False)
class Class:
    """One character of a set, whose ranges also stand apart for a quick look."""

    chars: CharSet
    nullable: bool = False
    productive: bool = False
    firsts: tuple[int, ...] = field(init=False)
    lasts: tuple[int, ...] = field(init=False)

    def __post_init__(self) -> None:
        self.firsts = tuple(low for low, _ in self.chars.ranges)
        self.lasts = tuple(high for _, high in self.chars.ranges)


@dataclass(slots=True, eq=False)
class Call:
    """A text of the named rule."""

    name: str
    nullable: bool = False
    productive: bool = False


@dataclass(slots=True, eq=False)
class Concat:
    """The parts one after the other."""

    parts: tuple[Node, ...]
    nullable: bool = False
    productive: bool = False


@dataclass(slots=True, eq=False)
class Choice:
    """Any one of the options."""

    options: tuple[Node, ...]
    nullable: bool = False
    productive: bool = False


@dataclass(slots=True, eq=False)
class Loop:
    """The item from `low` to `high` times, at least once possible; `high` is None when unbounded."""

    item: Node
    low: int
    high: int | None
    nullable: bool = False
    productive: bool = False


Node = Text | Class | Call | Concat | Choice | Loop
"""`productive` tells whether a node has any text, `nullable` whether the empty text is among its texts."""


@dataclass(frozen=True, slots=True)
class Program:
    """The nodes of every rule, children before parents, so that the last is the whole rule."""

    nodes: Mapping[str, tuple[Node, ...]]
    bodies: Mapping[str, Node]
    callers: Mapping[str, tuple[str, ...]]
    """For each rule, the rules that name it."""

    @staticmethod
    def of(grammar: Grammar) -> Program:
        nodes = {name: tuple(_nodes(body)) for name, body in grammar.rules.items()}
        callers: dict[str, dict[str, None]] = {name: {} for name in nodes}
        for name, inside in nodes.items():
            for node in inside:
                if isinstance(node, Call):
                    if node.name not in callers:
                        raise ValueError(f"the rule {name} names the rule {node.name}, which is not defined")
                    callers[node.name][name] = None
        if grammar.root not in nodes:
            raise ValueError(f"there is no rule {grammar.root} to begin with")
        bodies = {name: inside[-1] for name, inside in nodes.items()}
        program = Program(nodes, bodies, {name: tuple(rules) for name, rules in callers.items()})
        program._mark()
        return program

    def _mark(self) -> None:
        """The least fixpoint of "it has a text" and of "the empty text is among its texts"."""
        todo: dict[str, None] = dict.fromkeys(reversed(tuple(self.nodes)))
        while todo:
            name, _ = todo.popitem()
            body = self.bodies[name]
            before = (body.nullable, body.productive)
            for node in self.nodes[name]:
                node.nullable, node.productive = self._is_nullable(node), self._is_productive(node)
            if before != (body.nullable, body.productive):
                todo.update(dict.fromkeys(self.callers[name]))

    def _is_nullable(self, node: Node) -> bool:
        match node:
            case Text() | Class():
                return False
            case Call(name):
                return self.bodies[name].nullable
            case Concat(parts):
                return all(part.nullable for part in parts)
            case Choice(options):
                return any(option.nullable for option in options)
            case Loop(item, low):
                return low == 0 or item.nullable

    def _is_productive(self, node: Node) -> bool:
        match node:
            case Text():
                return True
            case Class(chars):
                return bool(chars)
            case Call(name):
                return self.bodies[name].productive
            case Concat(parts):
                return all(part.productive for part in parts)
            case Choice(options):
                return any(option.productive for option in options)
            case Loop(item, low):
                return low == 0 or item.productive

    def refuse_left_recursion(self) -> None:
        """Raise `LeftRecursionError` for a rule that can begin with itself, if there is one."""
        done: set[str] = set()
        for first in self.nodes:
            path: dict[str, Iterator[str]] = {}
            following: str | None = first
            while following is not None or path:
                if following is None:
                    path.popitem()
                elif following in path:
                    raise LeftRecursionError(following)
                elif following not in done:
                    done.add(following)
                    path[following] = self._left_corners(following)
                following = next(path[next(reversed(path))], None) if path else None

    def _left_corners(self, rule: str) -> Iterator[str]:
        """The rules that a text of this rule can begin with."""
        todo = [self.bodies[rule]]
        while todo:
            match todo.pop():
                case Call(name):
                    yield name
                case Choice(options):
                    todo.extend(reversed(options))
                case Loop(item):
                    todo.append(item)
                case Concat(parts):
                    reached = next((i for i, part in enumerate(parts, 1) if not part.nullable), len(parts))
                    todo.extend(reversed(parts[:reached]))
                case Text() | Class():
                    pass


def _nodes(body: Expr) -> list[Node]:
    """The nodes of an expression, children before parents."""
    before: list[Expr] = []
    todo = [body]
    while todo:
        expr = todo.pop()
        before.append(expr)
        todo.extend(reversed(_children(expr)))
    nodes: list[Node] = []
    finished: list[Node] = []
    for expr in reversed(before):
        node = _node(expr, tuple(finished.pop() for _ in _children(expr)))
        nodes.append(node)
        finished.append(node)
    return nodes


def _children(expr: Expr) -> tuple[Expr, ...]:
    match expr:
        case Sequence(parts):
            return parts
        case Alternation(options):
            return options
        case Repeat(item):
            return (item,)
        case Literal() | CharClass() | Ref():
            return ()


def _node(expr: Expr, children: tuple[Node, ...]) -> Node:
    match expr:
        case Literal(text):
            return Text(text) if text else Concat(())
        case CharClass(chars):
            return Class(chars)
        case Ref(name):
            return Call(name)
        case Sequence():
            return Concat(children)
        case Alternation():
            return Choice(children)
        case Repeat(_, low, high):
            if high is None or high >= max(low, 1):
                return Loop(children[0], low, high)
            return Concat(()) if low <= 0 else Choice(())

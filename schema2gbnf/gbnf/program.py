"""A grammar made ready for machines that walk it: nodes with an identity, and what each may be or begin with.

In comes a `Grammar`; out goes a `Program`, one tree of nodes a rule. Expressions are equal by what they say, nodes by
where they stand, so that a node is a quick key at any depth. Characters that the grammar nowhere tells apart are one
letter, and sets of letters are bit masks. A rule that is used and not defined is refused by `ValueError`, left
recursion, on demand, by `LeftRecursionError`.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import reduce
from operator import or_

from schema2gbnf.grammar.rules import Alternation, CharClass, Expr, Grammar, Literal, Ref, Repeat, Sequence
from schema2gbnf.languages.charset import CharSet, minterms


class LeftRecursionError(ValueError):
    """A rule that can begin with itself: a reader would never get past it."""

    def __init__(self, rule: str) -> None:
        super().__init__(f"the rule {rule} is left-recursive: it can begin with itself before any character is read")
        self.rule = rule


@dataclass(slots=True, eq=False)
class _Marked:
    """What is found out about a node.

    `productive`: it has a text; `nullable`: the empty text is one; `first`: the letters that its texts begin with.
    """

    productive: bool = field(default=False, init=False)
    nullable: bool = field(default=False, init=False)
    first: int = field(default=0, init=False)


@dataclass(slots=True, eq=False)
class Text(_Marked):
    """These characters, at least one; `masks` are their letters."""

    text: str
    masks: tuple[int, ...] = ()


@dataclass(slots=True, eq=False)
class Class(_Marked):
    """One character of a set; `mask` holds the letters."""

    chars: CharSet
    mask: int = 0


@dataclass(slots=True, eq=False)
class Call(_Marked):
    """A text of the named rule."""

    name: str


@dataclass(slots=True, eq=False)
class Concat(_Marked):
    """The parts one after the other."""

    parts: tuple[Node, ...]


@dataclass(slots=True, eq=False)
class Choice(_Marked):
    """Any one of the options."""

    options: tuple[Node, ...]


@dataclass(slots=True, eq=False)
class Loop(_Marked):
    """The item from `low` to `high` times, at least once possible; `high` is None when unbounded."""

    item: Node
    low: int
    high: int | None


Node = Text | Class | Call | Concat | Choice | Loop


@dataclass(frozen=True, slots=True)
class Program:
    """The nodes of every rule, children before parents, so that the last is the whole rule."""

    nodes: Mapping[str, tuple[Node, ...]]
    bodies: Mapping[str, Node]
    callers: Mapping[str, tuple[str, ...]]
    """For each rule, the rules that name it."""
    cuts: tuple[int, ...]
    letters: tuple[int, ...]
    """The letter of all code points from each cut to the next."""
    root: str

    @staticmethod
    def of(grammar: Grammar) -> Program:
        nodes = {name: tuple(_nodes(body)) for name, body in grammar.rules.items()}
        if grammar.root not in nodes:
            raise ValueError(f"there is no rule {grammar.root} to begin with")
        callers = _callers(nodes)
        bodies = {name: inside[-1] for name, inside in nodes.items()}
        cuts, letters = _spell([node for inside in nodes.values() for node in inside])
        program = Program(nodes, bodies, callers, cuts, letters, grammar.root)
        program._mark()
        return program

    def counted_to(self, most: int) -> tuple[Program, dict[Node, Node]]:
        """The program that does not count beyond a number, with at least the same texts, and its node for each of ours.

        Longer counts have no bounds there, but that what may not be empty still may not.
        """
        new: dict[Node, Node] = {}
        for inside in self.nodes.values():
            for node in inside:
                new[node] = _loosened(node, new, most)
        nodes = {name: tuple(new[node] for node in inside) for name, inside in self.nodes.items()}
        bodies = {name: inside[-1] for name, inside in nodes.items()}
        program = Program(nodes, bodies, self.callers, self.cuts, self.letters, self.root)
        program._mark()
        return program, new

    def mask(self, character: str) -> int:
        """The character's letter, as a set of one."""
        return 1 << self.letters[bisect_right(self.cuts, ord(character)) - 1]

    def _mark(self) -> None:
        """Find the least marks that agree with each other."""
        # What a rule names mostly stands behind it, and is marked before it.
        todo = deque(reversed(tuple(self.nodes)))
        waiting = set(todo)
        while todo:
            name = todo.popleft()
            waiting.discard(name)
            body = self.bodies[name]
            before = (body.productive, body.nullable, body.first)
            for node in self.nodes[name]:
                node.productive, node.nullable, node.first = self._marks(node)
            if before != (body.productive, body.nullable, body.first):
                fresh = [caller for caller in self.callers[name] if caller not in waiting]
                todo.extend(fresh)
                waiting.update(fresh)

    def _marks(self, node: Node) -> tuple[bool, bool, int]:
        """Whether the node is productive and nullable, and its first letters, as its children's marks have it."""
        match node:
            case Text():
                return True, False, node.masks[0]
            case Class():
                return bool(node.chars), False, node.mask
            case Call(name):
                body = self.bodies[name]
                return body.productive, body.nullable, body.first
            case Concat(parts):
                if not all(part.productive for part in parts):
                    return False, False, 0
                first = reduce(or_, (part.first for part in parts[: _reach(parts)]), 0)
                return True, all(part.nullable for part in parts), first
            case Choice(options):
                return (
                    any(option.productive for option in options),
                    any(option.nullable for option in options),
                    reduce(or_, (option.first for option in options), 0),
                )
            case Loop(item, low):
                return low == 0 or item.productive, low == 0 or item.nullable, item.first

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
                    todo.extend(reversed(parts[: _reach(parts)]))
                case Text() | Class():
                    pass


def _loosened(node: Node, new: Mapping[Node, Node], most: int) -> Node:
    match node:
        case Text(text, masks):
            return Text(text, masks)
        case Class(chars, mask):
            return Class(chars, mask)
        case Call(name):
            return Call(name)
        case Concat(parts):
            return Concat(tuple(new[part] for part in parts))
        case Choice(options):
            return Choice(tuple(new[option] for option in options))
        case Loop(item, low, high):
            if max(low, high or 0) <= most:
                return Loop(new[item], low, high)
            return Loop(new[item], min(low, 1), None)


def _reach(parts: tuple[Node, ...]) -> int:
    """How many of the parts a text can begin with: all up to the first that is not nullable."""
    return next((number for number, part in enumerate(parts, 1) if not part.nullable), len(parts))


def _callers(nodes: Mapping[str, tuple[Node, ...]]) -> dict[str, tuple[str, ...]]:
    callers: dict[str, dict[str, None]] = {name: {} for name in nodes}
    for name, inside in nodes.items():
        for node in inside:
            if isinstance(node, Call):
                if node.name not in callers:
                    raise ValueError(f"the rule {name} names the rule {node.name}, which is not defined")
                callers[node.name][name] = None
    return {name: tuple(rules) for name, rules in callers.items()}


def _spell(nodes: list[Node]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Give texts and classes their letters; returns where each letter begins, and which it is."""
    characters = dict.fromkeys(character for node in nodes if isinstance(node, Text) for character in node.text)
    sets = {character: CharSet.of(character) for character in characters}
    cuts, letters, masks = minterms((*sets.values(), *(node.chars for node in nodes if isinstance(node, Class))))
    for node in nodes:
        if isinstance(node, Text):
            node.masks = tuple(masks[sets[character]] for character in node.text)
        elif isinstance(node, Class):
            node.mask = masks[node.chars]
    return cuts, letters


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

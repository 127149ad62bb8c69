"""A matcher whose states can be told alike across grammars, and measured.

In comes a matcher and a partition of its rules and another's; out go, for its states, a number that is equal for states
that are written alike, the fewest characters that end a text, and what every text reads next, as far as that is plain.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from math import inf
from typing import NamedTuple

from schema2gbnf.closed import assert_never
from schema2gbnf.gbnf.continuations import continuations
from schema2gbnf.gbnf.equivalence import Partition
from schema2gbnf.gbnf.lengths import shortest
from schema2gbnf.gbnf.match import Leaf, Matcher, Stack, State
from schema2gbnf.gbnf.program import Call, Choice, Class, Concat, Loop, Node, Text
from schema2gbnf.gbnf.representatives import representatives


class Opening(NamedTuple):
    """What every text reads next: a number for how it is written, its top, its least length, and what comes behind."""

    number: int
    top: Stack
    length: int
    below: Stack | None


@dataclass(slots=True)
class Reader:
    """A matcher, and for its states a number that is equal for states written alike, and how much is still to read."""

    matcher: Matcher
    side: int
    partition: Partition
    _continuations: dict[Node, int] = field(default_factory=dict)
    _looks: dict[Node, int] = field(default_factory=dict)
    _lengths: dict[Node, int] = field(default_factory=dict)
    _numbers: dict[Stack, int] = field(default_factory=dict)
    _rests: dict[Stack, int | None] = field(default_factory=dict)
    _firsts: dict[Stack, int] = field(default_factory=dict)
    _states: dict[State, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        program = self.matcher.program
        for nodes in program.nodes.values():
            self._looks.update(self.partition.looks(self.side, nodes))
        self._lengths = shortest(program)
        self._continuations = continuations(program)

    def number(self, state: State) -> int:
        """A number for a state, equal for states that wait for the same in the same places."""
        number = self._states.get(state)
        if number is None:
            leaves = frozenset(map(self._leaf_number, state.leaves))
            number = self._states[state] = self.partition.numbering.number(leaves)
        return number

    def _leaf_number(self, leaf: Leaf | None) -> int:
        if leaf is None:
            return self._stack_number(None)
        node, index, below = leaf
        return self._joined(node, index, self._stack_number(below))

    def _stack_number(self, stack: Stack | None) -> int:
        above: list[Stack] = []
        while stack is not None and stack not in self._numbers:
            above.append(stack)
            stack = stack.below
        number = self.partition.numbering.number("end") if stack is None else self._numbers[stack]
        for each in reversed(above):
            number = self._numbers[each] = self._joined(each.node, each.index, number)
        return number

    def _joined(self, node: Node, index: int, below: int) -> int:
        """The number of a stack: what its top is, and then the number of the rest."""
        join = self.partition.numbering.number
        if isinstance(node, Concat):
            for part in reversed(node.parts[index:]):
                below = self._joined(part, 0, below)
            return below
        return join((self._look(node, index), below))

    def _look(self, node: Node, index: int) -> int:
        """A number for how the rest of a node from an index on is written."""
        join = self.partition.numbering.number
        match node:
            case Text(text):
                return join(("text", text[index:]))
            case Loop(item, low, high):
                rounds = max(low - index, 0), None if high is None else high - index
                return join(("times", self._looks[item], *rounds))
            case Call(name):
                return self._looks[self.matcher.program.bodies[name]]
            case Class() | Concat() | Choice():
                return self._looks[node]
            case _:
                assert_never(node)

    def rest(self, state: State) -> int | None:
        """The fewest characters that end a text; None when no text can be ended."""
        return min((rest for rest in map(self._rest, state.stacks) if rest is not None), default=None)

    def nearest(self, state: State) -> Stack | None:
        """Of the ways to go on, one that ends soonest; the state has one that ends."""
        return min(state.stacks, key=lambda stack: inf if (rest := self._rest(stack)) is None else rest)

    def _rest(self, stack: Stack | None) -> int | None:
        above: list[Stack] = []
        while stack is not None and stack not in self._rests:
            above.append(stack)
            stack = stack.below
        rest = 0 if stack is None else self._rests[stack]
        for each in reversed(above):
            top = self._top(each.node, each.index)
            rest = None if rest is None or top is None else rest + top
            self._rests[each] = rest
        return rest

    def _top(self, node: Node, index: int) -> int | None:
        match node:
            case Text(text):
                return len(text) - index
            case Concat(parts):
                lengths = [self._lengths.get(part) for part in parts[index:]]
                known = [length for length in lengths if length is not None]
                return sum(known) if len(known) == len(lengths) else None
            case Loop(item, low):
                return 0 if index >= low else _times(low - index, self._lengths.get(item))
            case _:
                return self._lengths.get(node)

    def openings(self, state: State) -> Iterator[Opening]:
        """What every text reads next, as a whole and then as its first part, where it is plain where that ends."""
        if len(state.stacks) != 1 or state.stacks[0] is None:
            return
        node, index, below = state.stacks[0].node, state.stacks[0].index, state.stacks[0].below
        while True:
            length = self._top(node, index)
            if (
                length is not None
                and not isinstance(node, Concat)
                and not self._continuations[node] & self._first(below)
            ):
                yield Opening(self._look(node, index), self.matcher.stack(node, index, None), length, below)
            match node:
                case Call(name):
                    node, index = self.matcher.program.bodies[name], 0
                case Concat(parts) if parts:
                    last = index + 1 == len(parts)
                    node, index, below = parts[index], 0, below if last else self.matcher.stack(node, index + 1, below)
                case _:
                    return

    def _first(self, stack: Stack | None) -> int:
        """The letters that the texts of a stack begin with."""
        above: list[Stack] = []
        while stack is not None and stack not in self._firsts and self._first_of_top(stack)[1]:
            above.append(stack)
            stack = stack.below
        first = 0 if stack is None else self._firsts.get(stack, self._first_of_top(stack)[0])
        for each in reversed(above):
            first = self._firsts[each] = first | self._first_of_top(each)[0]
        return first

    def _first_of_top(self, stack: Stack) -> tuple[int, bool]:
        """The letters that the top of a stack begins with, and whether it may be empty."""
        node, index = stack.node, stack.index
        match node:
            case Text(_, masks):
                return masks[index], False
            case Concat(parts):
                first = 0
                for part in parts[index:]:
                    first |= part.first
                    if not part.nullable:
                        return first, False
                return first, True
            case Loop(item, low):
                return item.first, index >= low or item.nullable
            case _:
                return node.first, node.nullable

    def shortest(self, stack: Stack | None) -> str:
        """A shortest text of a stack; where several are, one that is readable."""
        written: list[str] = []
        while stack is not None:
            node, index, stack = stack.node, stack.index, stack.below
            todo: list[Node] = []
            match node:
                case Text(text):
                    written.append(text[index:])
                case Concat(parts):
                    todo += reversed(parts[index:])
                case Loop(item, low):
                    todo += [item] * max(low - index, 0)
                case _:
                    todo.append(node)
            while todo:
                self._write_shortest(todo.pop(), written, todo)
        return "".join(written)

    def _write_shortest(self, node: Node, written: list[str], todo: list[Node]) -> None:
        match node:
            case Text(text):
                written.append(text)
            case Class(chars):
                written.append(representatives((chars,))[0])
            case Call(name):
                todo.append(self.matcher.program.bodies[name])
            case Concat(parts):
                todo += reversed(parts)
            case Choice(options):
                todo.append(min((each for each in options if each in self._lengths), key=self._lengths.__getitem__))
            case Loop(item, low):
                todo += [item] * low
            case _:
                assert_never(node)


def _times(count: int, length: int | None) -> int | None:
    return None if length is None else count * length


def readers(left: Matcher, right: Matcher) -> tuple[Reader, Reader]:
    """Two matchers made ready to be compared."""
    partition = Partition((left.program, right.program))
    return Reader(left, 0, partition), Reader(right, 1, partition)

"""Texts read against a grammar, a character at a time, as llama.cpp reads them: by a set of stacks.

In comes any `Grammar` without left recursion; out goes a `Verdict` on a text, or the states between its characters. A
stack is a linked list of what is still to be read; equal stacks are one object, and a state is a set of them, so that
ways to read a text that end in the same stack cost nothing. Left recursion is refused by `LeftRecursionError`, a rule
that is used and not defined by `ValueError`.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from weakref import WeakValueDictionary

from schema2gbnf.gbnf.program import Call, Choice, Class, Concat, Loop, Node, Program, Text
from schema2gbnf.grammar.rules import Grammar
from schema2gbnf.languages.charset import TEXT, CharSet

END = "end of text"

_REMEMBERED_MOVES = 1 << 16


@dataclass(frozen=True, slots=True)
class Accepted:
    """The text is a sentence of the grammar."""


@dataclass(frozen=True, slots=True)
class Incomplete:
    """The text is the beginning of a sentence; `expected` says how it may go on."""

    expected: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Refused:
    """No sentence begins with the text up to and including the code point at `offset`; `expected` could stand there."""

    offset: int
    expected: tuple[str, ...]


Verdict = Accepted | Incomplete | Refused


class Stack:
    """What is still to be read: `node` from `index` on, then all of `below`; None is the stack with nothing on it.

    The index counts characters of a text, parts of a sequence, or rounds of a loop. Equal stacks of one matcher are one
    object.
    """

    __slots__ = ("__weakref__", "below", "index", "node")

    def __init__(self, node: Node, index: int, below: Stack | None) -> None:
        self.node = node
        self.index = index
        self.below = below


Place = tuple[Node, int, Stack | None]
"""A stack that need not exist: its node, index and what is below."""

Leaf = tuple[Text | Class, int, Stack | None]
"""A place that waits for a character."""


@dataclass(frozen=True, slots=True)
class Frontier:
    """What can come first in a node from some index on; `returns` tells whether the node can also end here."""

    leaves: tuple[Leaf, ...]
    returns: bool


class State:
    """All ways to go on after some text; without a way, the text is refused and the state is false.

    States of one matcher are equal when they have the same ways, and can be keys of a search.
    """

    __slots__ = ("__weakref__", "_matcher", "moves", "stacks")

    def __init__(self, matcher: Matcher, stacks: tuple[Stack | None, ...]) -> None:
        self._matcher = matcher
        self.stacks = stacks
        self.moves: dict[str, State] = {}

    def __bool__(self) -> bool:
        return bool(self.stacks)

    def __len__(self) -> int:
        """The number of stacks that llama.cpp would hold: one for each leaf, and one more if the text can end."""
        return len(dict.fromkeys(self._matcher.leaves(self))) + self.can_end

    @property
    def can_end(self) -> bool:
        """Whether the text so far is a sentence."""
        return any(place is None for place in self._matcher.places(self))

    def next_sets(self) -> tuple[CharSet, ...]:
        """The character sets that leaves wait for; characters in the same of these sets lead to the same state."""
        return tuple(dict.fromkeys(_awaited(node, index) for node, index, _ in self._matcher.leaves(self)))

    def next_chars(self) -> CharSet:
        """All characters that may come next."""
        return CharSet.union(span for chars in self.next_sets() for span in chars.ranges)

    def expected(self) -> tuple[str, ...]:
        """What may come next, in words."""
        return (*describe(self.next_chars()), *([END] if self.can_end else []))


class Matcher:
    """A grammar made ready for reading.

    >>> from schema2gbnf.gbnf.parse import parse
    >>> numbers = Matcher(parse('root ::= "[" ([0-9]+ ("," [0-9]+)*)? "]"'))
    >>> numbers.match("[1,20]"), numbers.match("[1,"), numbers.match("[1,]")
    (Accepted(), Incomplete(expected=("'0'-'9'",)), Refused(offset=3, expected=("'0'-'9'",)))
    """

    def __init__(self, grammar: Grammar) -> None:
        self._program = Program.of(grammar)
        self._program.refuse_left_recursion()
        # Weak, so that a stack or state lives as long as a text or the memory of a move needs it.
        self._stacks: WeakValueDictionary[tuple[Node, int, Stack | None], Stack] = WeakValueDictionary()
        self._states: WeakValueDictionary[frozenset[Stack | None], State] = WeakValueDictionary()
        self._frontiers: dict[tuple[Node, int], Frontier] = {}
        self._reads: dict[tuple[Node, int, str], tuple[Stack | None, ...]] = {}
        self._moved: list[State] = []
        self._start = self._state([self._stack(self._program.bodies[grammar.root], 0, None)])
        self._refused = self._state([])

    def match(self, text: str) -> Verdict:
        """What the grammar says of the whole text."""
        state, refused = self._start, self._refused
        for offset, character in enumerate(text):
            following = state.moves.get(character)
            if following is None:
                following = self.advance(state, character)
            if following is refused:
                return Refused(offset, state.expected())
            state = following
        return Accepted() if state.can_end else Incomplete(state.expected())

    def accepts(self, text: str) -> bool:
        """Whether the text is a sentence of the grammar."""
        return isinstance(self.match(text), Accepted)

    def start(self) -> State:
        """The state before the first character."""
        return self._start

    def advance(self, state: State, character: str) -> State:
        """The state after one more character."""
        following = state.moves.get(character)
        if following is None:
            following = self._state(
                self._pushed(rest, place[2])
                for place in self.places(state)
                if place is not None
                for rest in self._read(place[0], place[1], character)
            )
            if len(self._moved) > _REMEMBERED_MOVES:
                self._forget()
            state.moves[character] = following
            self._moved.append(state)
        return following

    def places(self, state: State) -> Iterator[Place | None]:
        """The places that the stacks of a state can go on from, each once; None is the end of the text."""
        seen: set[Place | None] = set()
        todo = [_top(stack) for stack in reversed(state.stacks)]
        while todo:
            place = todo.pop()
            if self._is_known(place, seen) or (place is not None and not place[0].productive):
                continue
            if place is not None and isinstance(place[0], Loop):
                todo.extend(self._rounds(place[0], place[1], place[2]))
                continue
            yield place
            if place is not None and self._frontier(place[0], place[1]).returns:
                todo.append(_top(place[2]))

    def leaves(self, state: State) -> Iterator[Leaf]:
        """The places that wait for a character, each with the stack that is left once it is read."""
        for place in self.places(state):
            if place is not None:
                for node, index, rest in self._frontier(place[0], place[1]).leaves:
                    yield node, index, self._pushed(rest, place[2])

    def _forget(self) -> None:
        """Drop what was remembered of past moves, so that no text makes the matcher grow without bound."""
        for state in self._moved:
            state.moves.clear()
        self._moved.clear()
        self._frontiers.clear()
        self._reads.clear()

    def _read(self, node: Node, index: int, character: str) -> tuple[Stack | None, ...]:
        """What is left of a node, from an index on, after the character: one stack for each way to read it."""
        key = (node, index, character)
        known = self._reads.get(key)
        if known is None:
            known = self._reads[key] = tuple(
                self._stack(leaf, place + 1, rest) if isinstance(leaf, Text) and place + 1 < len(leaf.text) else rest
                for leaf, place, rest in self._frontier(node, index).leaves
                if _reads(leaf, place, character)
            )
        return known

    def _frontier(self, node: Node, index: int) -> Frontier:
        known = self._frontiers.get((node, index))
        if known is None:
            known = self._frontiers[node, index] = self._expand(node, index)
        return known

    def _expand(self, node: Node, index: int) -> Frontier:
        leaves: dict[Leaf, None] = {}
        seen: set[Place | None] = set()
        todo: list[Place | None] = [(node, index, None)]
        while todo:
            place = todo.pop()
            if self._is_known(place, seen) or place is None or not place[0].productive:
                continue
            node, index, below = place
            match node:
                case Text() | Class():
                    leaves[node, index, below] = None
                case Call(name):
                    todo.append((self._program.bodies[name], 0, below))
                case Choice(options):
                    todo.extend((option, 0, below) for option in reversed(options))
                case Concat(()):
                    todo.append(_top(below))
                case Concat(parts):
                    last = index + 1 == len(parts)
                    todo.append((parts[index], 0, below if last else self._stack(node, index + 1, below)))
                case Loop():
                    todo.extend(self._rounds(node, index, below))
        return Frontier(tuple(leaves), None in seen)

    def _rounds(self, loop: Loop, count: int, below: Stack | None) -> Iterator[Place | None]:
        """Where a loop goes on after some rounds: past it, and into one more."""
        if count >= loop.low or loop.item.nullable:
            yield _top(below)
        following = count + 1 if loop.high is not None else min(count + 1, loop.low)
        yield loop.item, 0, below if following == loop.high else self._stack(loop, following, below)

    @staticmethod
    def _is_known(place: Place | None, seen: set[Place | None]) -> bool:
        """Whether the place leads nowhere new; it is seen from now on."""
        if place is not None and isinstance(place[0], Loop) and place[0].item.nullable:
            # Rounds that read nothing lead only to what the first one leads to already.
            place = (place[0], 0, place[2])
        if place in seen:
            return True
        seen.add(place)
        return False

    def _pushed(self, rest: Stack | None, below: Stack | None) -> Stack | None:
        """The stack of all that `rest` holds, on top of `below`."""
        if below is None:
            return rest
        places = []
        while rest is not None:
            places.append((rest.node, rest.index))
            rest = rest.below
        for node, index in reversed(places):
            below = self._stack(node, index, below)
        return below

    def _stack(self, node: Node, index: int, below: Stack | None) -> Stack:
        key = (node, index, below)
        stack = self._stacks.get(key)
        if stack is None:
            stack = self._stacks[key] = Stack(node, index, below)
        return stack

    def _state(self, stacks: Iterable[Stack | None]) -> State:
        distinct = dict.fromkeys(stacks)
        key = frozenset(distinct)
        state = self._states.get(key)
        if state is None:
            state = self._states[key] = State(self, tuple(distinct))
        return state


def _top(stack: Stack | None) -> tuple[Node, int, Stack | None] | None:
    return None if stack is None else (stack.node, stack.index, stack.below)


def _reads(leaf: Text | Class, index: int, character: str) -> bool:
    """Whether the place waits for this character."""
    if isinstance(leaf, Text):
        return leaf.text[index] == character
    point = ord(character)
    span = bisect_right(leaf.firsts, point) - 1
    return span >= 0 and point <= leaf.lasts[span]


def _awaited(leaf: Text | Class, index: int) -> CharSet:
    """The characters the place waits for."""
    return CharSet.of(leaf.text[index]) if isinstance(leaf, Text) else leaf.chars


def describe(chars: CharSet) -> tuple[str, ...]:
    """A set of characters in words: its ranges, or what it leaves out where that is less to say.

    >>> print(*describe(CharSet.of('",') | CharSet.span("0", "9")), sep=" or ")
    '"' or ',' or '0'-'9'
    >>> print(*describe(TEXT - CharSet.of('"\\n')))
    any character but newline, '"'
    """
    spans = tuple(_describe_span(low, high) for low, high in chars.ranges)
    left_out = (TEXT - chars).ranges
    if len(chars) * 2 < len(TEXT) or len(left_out) > len(spans) + 8:
        return spans
    if not left_out:
        return ("any character",)
    return ("any character but " + ", ".join(_describe_span(low, high) for low, high in left_out),)


def _describe_span(low: int, high: int) -> str:
    return _describe_point(low) if low == high else f"{_describe_point(low)}-{_describe_point(high)}"


def _describe_point(point: int) -> str:
    named = {0x09: "tab", 0x0A: "newline", 0x0D: "carriage return", 0x20: "space"}.get(point)
    if named is not None:
        return named
    return repr(chr(point)) if chr(point).isprintable() else f"U+{point:04X}"

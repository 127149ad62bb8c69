"""Texts read against a grammar, a character at a time, as llama.cpp reads them: by a set of stacks.

In comes any `Grammar` without left recursion; out goes a `Verdict` on a text, or the states between its characters. A
stack is a linked list of what is still to be read, and a state is a set of stacks, so that ways to read a text that end
in the same stack are one. Left recursion is refused by `LeftRecursionError`, a rule that is used and not defined by
`ValueError`, and a text with too many ways to read it by `TooManyReadingsError`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from schema2gbnf.gbnf.program import Call, Choice, Class, Concat, Loop, Node, Program, Text
from schema2gbnf.grammar.rules import Grammar
from schema2gbnf.languages.charset import TEXT, CharSet

END = "end of text"

ANY_LETTER = -1

_REMEMBERED = 1 << 18

MOST_PLACES = 200_000
"""Places of a grammar that a reader may stand at after one text, about 50 MB of them."""


class TooManyReadingsError(ValueError):
    """A text can be read on in more ways than a reader follows: the grammar is highly ambiguous."""

    def __init__(self, offset: int | None = None) -> None:
        where = "" if offset is None else f"after {offset} characters "
        super().__init__(f"{where}more than {MOST_PLACES} ways to read on: the grammar is too ambiguous")
        self.offset = offset


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

    The index counts characters of a text, parts of a sequence, or rounds of a loop. Equal stacks hold the same.
    """

    __slots__ = ("_hash", "below", "index", "node")

    def __init__(self, node: Node, index: int, below: Stack | None) -> None:
        self.node = node
        self.index = index
        self.below = below
        self._hash = hash((node, index, below))

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Stack):
            return NotImplemented
        mine: Stack | None = self
        its: Stack | None = other
        while mine is not its:
            if mine is None or its is None or mine._hash != its._hash:
                return False
            if mine.node is not its.node or mine.index != its.index:
                return False
            mine, its = mine.below, its.below
        return True


Place = tuple[Node, int, Stack | None]
"""A stack that need not exist: its node, index and what is below."""

Leaf = tuple[Text | Class, int, Stack | None]
"""A place that waits for a character."""


class State:
    """All ways to go on after some text; without a way, the text is refused and the state is false.

    States of one matcher are equal when they have the same ways, and can be keys of a search.
    """

    __slots__ = ("_leaves", "_matcher", "key", "moves", "stacks")

    def __init__(self, matcher: Matcher, key: frozenset[Stack | None], stacks: tuple[Stack | None, ...]) -> None:
        self.stacks = stacks
        self.moves: dict[str, State] = {}
        self.key = key
        self._matcher = matcher
        self._leaves: tuple[Leaf | None, ...] | None = None

    def __hash__(self) -> int:
        return hash(self.key)

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, State) and self.key == other.key)

    def __bool__(self) -> bool:
        return bool(self.stacks)

    def __len__(self) -> int:
        """The number of stacks that llama.cpp would hold: one for each leaf, and one more if the text can end."""
        return len(self.leaves)

    @property
    def leaves(self) -> tuple[Leaf | None, ...]:
        """The places that wait for a character; None waits for the end."""
        if self._leaves is None:
            self._leaves = self._matcher.leaves(self, ANY_LETTER)
        return self._leaves

    @property
    def can_end(self) -> bool:
        """Whether the text so far is a sentence."""
        return None in self.leaves

    def next_sets(self) -> tuple[CharSet, ...]:
        """The character sets that leaves wait for; characters in the same of these sets lead to the same state."""
        return tuple(dict.fromkeys(_awaited(leaf) for leaf in self.leaves if leaf is not None))

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

    def __init__(self, grammar: Grammar | Program) -> None:
        self.program = Program.of(grammar) if isinstance(grammar, Grammar) else grammar
        self.program.refuse_left_recursion()
        # What was met before; dropped when it grows too large, so that no text makes a matcher fill the memory.
        self._stacks: dict[Place, Stack] = {}
        self._states: dict[frozenset[Stack | None], State] = {}
        self._missed = 0
        root = self.program.bodies[self.program.root]
        self._start = self.state([self.stack(root, 0, None)] if root.productive else [])

    def match(self, text: str) -> Verdict:
        """What the grammar says of the whole text. Raises `TooManyReadingsError`."""
        state, offset = self._start, 0
        try:
            for offset, character in enumerate(text):
                following = state.moves.get(character)
                if following is None:
                    following = self.advance(state, character)
                if not following.stacks:
                    return Refused(offset, state.expected())
                state = following
            return Accepted() if state.can_end else Incomplete(state.expected())
        except TooManyReadingsError:
            raise TooManyReadingsError(offset) from None

    def accepts(self, text: str) -> bool:
        """Whether the text is a sentence of the grammar. Raises `TooManyReadingsError`."""
        return isinstance(self.match(text), Accepted)

    def start(self) -> State:
        """The state before the first character."""
        return self._start

    def advance(self, state: State, character: str) -> State:
        """The state after one more character."""
        following = state.moves.get(character)
        if following is None:
            self._missed += 1
            if len(self._stacks) + self._missed > _REMEMBERED:
                self._forget()
            following = state.moves[character] = self.state(self._read(state, character))
        return following

    def _forget(self) -> None:
        for state in self._states.values():
            state.moves.clear()
        self._states.clear()
        self._stacks.clear()
        self._missed = 0
        # Whoever holds a state may still move on from it; the start is always held, and must be forgotten again.
        self._states[self._start.key] = self._start

    def _read(self, state: State, character: str) -> Iterator[Stack | None]:
        """What is left on each stack that waits for this character."""
        for leaf in self.leaves(state, self.program.mask(character)):
            if leaf is not None:
                node, index, below = leaf
                more = isinstance(node, Text) and index + 1 < len(node.text)
                yield self.stack(node, index + 1, below) if more else below

    def leaves(self, state: State, letters: int) -> tuple[Leaf | None, ...]:
        """The leaves of a state that wait for one of the letters, each once; None is among them when it can end."""
        leaves: dict[Leaf | None, None] = {}
        seen: set[Place] = set()
        rounds: dict[tuple[Loop, Stack | None], int] = {}
        todo = [_top(stack) for stack in reversed(state.stacks)]
        while todo:
            place = todo.pop()
            if place is None:
                leaves[None] = None
                continue
            node, index, below = place
            if isinstance(node, Loop) and node.item.nullable:
                # Rounds may read nothing: what many rounds lead to, fewer lead to as well.
                if index >= rounds.get((node, below), index + 1):
                    continue
                rounds[node, below] = index
            if place in seen:
                continue
            seen.add(place)
            if len(seen) > MOST_PLACES:
                raise TooManyReadingsError
            match node:
                case Text(_, masks):
                    if masks[index] & letters:
                        leaves[node, index, below] = None
                case Class(_, mask):
                    if mask & letters:
                        leaves[node, index, below] = None
                case Call(name):
                    todo.append((self.program.bodies[name], 0, below))
                case Choice(options):
                    todo.extend((option, 0, below) for option in reversed(options) if _leads(option, letters))
                case Concat(()):
                    todo.append(_top(below))
                case Concat(parts):
                    part = parts[index]
                    if _leads(part, letters):
                        last = index + 1 == len(parts)
                        todo.append((part, 0, below if last else self.stack(node, index + 1, below)))
                case Loop(item, low, high):
                    if index >= low or item.nullable:
                        todo.append(_top(below))
                    if _leads(item, letters):
                        following = index + 1 if high is not None else min(index + 1, low)
                        todo.append((item, 0, below if following == high else self.stack(node, following, below)))
        return tuple(leaves)

    def stack(self, node: Node, index: int, below: Stack | None) -> Stack:
        """The stack with this on its top."""
        key = (node, index, below)
        stack = self._stacks.get(key)
        if stack is None:
            stack = self._stacks[key] = Stack(node, index, below)
        return stack

    def state(self, stacks: Iterable[Stack | None]) -> State:
        """The state of these ways to go on."""
        distinct = dict.fromkeys(stacks)
        key = frozenset(distinct)
        state = self._states.get(key)
        if state is None:
            state = self._states[key] = State(self, key, tuple(distinct))
        return state


def _leads(node: Node, letters: int) -> bool:
    """Whether a text of the node begins with one of the letters, or is empty."""
    return bool(node.first & letters) or node.nullable


def _top(stack: Stack | None) -> Place | None:
    return None if stack is None else (stack.node, stack.index, stack.below)


def _awaited(leaf: Leaf) -> CharSet:
    """The characters the leaf waits for."""
    node, index, _ = leaf
    return CharSet.of(node.text[index]) if isinstance(node, Text) else node.chars


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

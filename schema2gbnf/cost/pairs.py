"""Two readings of one text, walked side by side from the place where they part.

In comes a grammar as `Sentences`; out go `Meeting`s, at which the two are one again, so that a text has two readings,
and `Echo`es, at which the two read on alike but in different surroundings, so that there are two stacks from there on.
Every place of a grammar where readings can part is looked at, whatever text leads there: what stands behind the rule
is made up as it is needed, one caller after the other. The walk stops at a number of pairs, and says so.

Where both readings go on alike the walk skips what they read alike, so that it does not see an ambiguity in which one
of them ends that part sooner than the other.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from schema2gbnf.cost.sentences import LONGEST, Context, Sentences, some_rounds
from schema2gbnf.gbnf.match import Leaf, Matcher, Stack, State
from schema2gbnf.gbnf.program import Choice, Concat, Loop, Node, Text
from schema2gbnf.gbnf.representatives import representatives
from schema2gbnf.languages.charset import CharSet

MOST_PAIRS = 3_000
"""Pairs that are looked at from one place where readings part."""


@dataclass(frozen=True, slots=True)
class Pair:
    """Two stacks, left by two readings of `word` in what stands behind the text `lead`; `outer` begins there.

    What may come behind `outer` is under both stacks, and not yet looked at.
    """

    left: Stack | None
    right: Stack | None
    outer: Node
    lead: str
    word: str

    @property
    def key(self) -> tuple[Stack | None, Stack | None, Node]:
        return self.left, self.right, self.outer


@dataclass(frozen=True, slots=True)
class Meeting:
    """Both readings of the pair end in this stack."""

    pair: Pair
    stack: Stack | None


@dataclass(frozen=True, slots=True)
class Echo:
    """Both readings of the pair have `common` on top of stacks that differ."""

    pair: Pair
    common: Stack


@dataclass(frozen=True, slots=True)
class Unfinished:
    """There are more pairs than are looked at."""

    place: Node


class Pairs:
    """The pairs of one grammar."""

    def __init__(self, matcher: Matcher, sentences: Sentences) -> None:
        self._matcher = matcher
        self._sentences = sentences
        self._leaves: dict[Stack | None, tuple[Leaf | None, ...]] = {None: (None,)}
        self.steps = 0

    def partings(self) -> Iterator[Pair]:
        """The pairs with which two readings begin to differ."""
        for rule in self._sentences.rules:
            for node in self._sentences.program.nodes[rule]:
                match node:
                    case Choice(options):
                        yield from _options(node, options)
                    case Loop(item):
                        yield from self._exits(node, item)
                    case _:
                        pass

    def _exits(self, loop: Loop, item: Node) -> Iterator[Pair]:
        """To leave a loop, or to go round once more."""
        for rounds in sorted({0, *some_rounds(loop)}):
            lead = self._sentences.rounds(item, rounds)
            if rounds < loop.low or rounds == loop.high or lead is None or not item.productive:
                continue
            following = rounds + 1 if loop.high is not None else min(rounds + 1, loop.low)
            below = None if following == loop.high else Stack(loop, following, None)
            yield Pair(None, Stack(item, 0, below), loop, lead, "")

    def walk(self, start: Pair) -> Iterator[Meeting | Echo | Unfinished]:
        """What becomes of two readings."""
        todo = deque([start])
        seen = {start.key}
        while todo:
            pair = todo.popleft()
            self.steps += 1
            for found in self._following(pair):
                if not isinstance(found, Pair):
                    yield found
                    if isinstance(found, Meeting):
                        return
                elif found.key not in seen and len(found.lead) + len(found.word) <= LONGEST:
                    if len(seen) >= MOST_PAIRS:
                        yield Unfinished(start.outer)
                        return
                    seen.add(found.key)
                    todo.append(found)

    def _following(self, pair: Pair) -> Iterator[Pair | Meeting | Echo]:
        left, right = self._leaves_of(pair.left), self._leaves_of(pair.right)
        if None in left and None in right:
            yield Meeting(pair, None)
            return
        if None in left:
            yield from self._revealed(pair, None, pair.right)
        if None in right:
            yield from self._revealed(pair, pair.left, None)
        for one in left:
            for other in right:
                if one is not None and other is not None and _mask(one) & _mask(other):
                    yield from self._read(pair, one, other)

    def _revealed(self, pair: Pair, left: Stack | None, right: Stack | None) -> Iterator[Pair]:
        """The pair with something of what is under both stacks; one of them has come to that."""
        waiting = right if left is None else left
        letters = _letters(self._leaves_of(waiting))
        ends = None in self._leaves_of(waiting)
        for context in self._sentences.contexts(pair.outer):
            if ends or _may_begin(context, letters):
                yield Pair(
                    _upon(left, context), _upon(right, context), context.outer, context.lead + pair.lead, pair.word
                )

    def _read(self, pair: Pair, one: Leaf, other: Leaf) -> Iterator[Pair | Meeting | Echo]:
        character = _common(_awaited(one), _awaited(other))
        if character is None:
            return
        left, right = _behind(one), _behind(other)
        word = pair.word + character
        if left == right:
            yield Meeting(Pair(left, right, pair.outer, pair.lead, word), left)
            return
        common: list[tuple[Node, int]] = []
        while left is not None and right is not None and left.node is right.node and left.index == right.index:
            common.append((left.node, left.index))
            left, right = left.below, right.below
        if not common:
            yield Pair(left, right, pair.outer, pair.lead, word)
            return
        shared = _stacked(common)
        assert shared is not None
        yield Echo(Pair(left, right, pair.outer, pair.lead, word), shared)
        rest = self._sentences.rest(shared)
        if rest is not None:
            yield Pair(left, right, pair.outer, pair.lead, word + rest)

    def _leaves_of(self, stack: Stack | None) -> tuple[Leaf | None, ...]:
        found = self._leaves.get(stack)
        if found is None:
            found = self._leaves[stack] = State(self._matcher, frozenset((stack,)), (stack,)).leaves
        return found


def _options(choice: Choice, options: tuple[Node, ...]) -> Iterator[Pair]:
    """Two options of a choice that may begin alike."""
    letters, nullable = 0, False
    for number, option in enumerate(options):
        if option.productive and (option.first & letters or option.nullable or nullable):
            for other in options[:number]:
                if other.productive and (other.first & option.first or other.nullable or option.nullable):
                    yield Pair(Stack(other, 0, None), Stack(option, 0, None), choice, "", "")
        letters |= option.first
        nullable = nullable or option.nullable


def _may_begin(context: Context, letters: int) -> bool:
    """Whether what may come behind begins with one of the letters, or may be nothing."""
    match context.node:
        case Concat(parts):
            for part in parts[context.index :]:
                if part.first & letters:
                    return True
                if not part.nullable:
                    return False
            return True
        case Loop(item, low):
            return bool(item.first & letters) or item.nullable or context.index >= low


def _letters(leaves: tuple[Leaf | None, ...]) -> int:
    letters = 0
    for leaf in leaves:
        if leaf is not None:
            letters |= _mask(leaf)
    return letters


def _mask(leaf: Leaf) -> int:
    node, index, _ = leaf
    return node.masks[index] if isinstance(node, Text) else node.mask


def _awaited(leaf: Leaf) -> CharSet:
    node, index, _ = leaf
    return CharSet.of(node.text[index]) if isinstance(node, Text) else node.chars


@lru_cache(maxsize=4096)
def _common(left: CharSet, right: CharSet) -> str | None:
    """A character of both sets, if a text can hold one."""
    found = representatives((left & right,))
    return found[0] if found else None


def _behind(leaf: Leaf) -> Stack | None:
    """What is left when the leaf has read its character."""
    node, index, below = leaf
    more = isinstance(node, Text) and index + 1 < len(node.text)
    return Stack(node, index + 1, below) if more else below


def _upon(stack: Stack | None, context: Context) -> Stack:
    """The stack with something under it."""
    places: list[tuple[Node, int]] = []
    while stack is not None:
        places.append((stack.node, stack.index))
        stack = stack.below
    found = _stacked([*places, (context.node, context.index)])
    assert found is not None
    return found


def _stacked(places: list[tuple[Node, int]]) -> Stack | None:
    """A stack of these places, the first on top."""
    stack: Stack | None = None
    for node, index in reversed(places):
        stack = Stack(node, index, stack)
    return stack

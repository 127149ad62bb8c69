"""Whether a grammar reads every text in one way, and whether the ways to read on grow with the text.

In comes a `Grammar`; out go `Readings`: a text with two readings if one was found, a text behind which, repeated,
stacks grow more and more if one was found, and whether everything was looked at. Both are shown on texts, so that
what is told can be checked. The work is bounded. Left recursion is refused by `LeftRecursionError`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from schema2gbnf.cost.pairs import Echo, Meeting, Pairs, Unfinished
from schema2gbnf.cost.sentences import LONGEST, Sentences, frames, joined
from schema2gbnf.gbnf.match import Matcher
from schema2gbnf.gbnf.program import Call, Concat, Loop, Node
from schema2gbnf.grammar.rules import Grammar
from schema2gbnf.loops import loops

MOST_STEPS = 40_000
"""Pairs of stacks that are looked at."""

MOST_LINKS = 100_000
"""Calls that are followed to find the ways from rules to each other."""

MOST_CHARACTERS = 60_000
"""Characters that are read to see stacks grow."""

TURNS = 9
"""Repetitions of a text behind which stacks are counted: more than what grows only at first grows."""

MOST_STACKS = 2_000
"""Stacks from which on it is plain that they grow."""


@dataclass(frozen=True, slots=True)
class Ambiguity:
    """A sentence with two readings; they part in the rule."""

    rule: str
    text: str


@dataclass(frozen=True, slots=True)
class Growth:
    """Texts that begin with `begin` and go on with `turn` again and again leave ever more readings: the counts."""

    rule: str
    begin: str
    turn: str
    counts: tuple[int, ...]

    @property
    def kind(self) -> Literal["linear", "exponential"]:
        """How the readings grow: by about as many each turn, or by a factor."""
        *_, before, last = self.counts
        return "exponential" if last >= before * 1.4 and last > 3 * TURNS else "linear"


@dataclass(frozen=True, slots=True)
class Readings:
    """What was found; None where nothing was, which is the whole truth when everything was looked at (`complete`)."""

    ambiguity: Ambiguity | None
    growth: Growth | None
    complete: bool


def readings(grammar: Grammar) -> Readings:
    """How a grammar reads texts.

    >>> from schema2gbnf.gbnf.parse import parse
    >>> readings(parse('root ::= [a-z]+ ("," [a-z]+)*'))
    Readings(ambiguity=None, growth=None, complete=True)
    >>> readings(parse('root ::= "x" ([a-c]* "b" | "ab")')).ambiguity
    Ambiguity(rule='root', text='xab')
    >>> readings(parse('root ::= "(" root ")" | "(" root "]" | "x"')).growth
    Growth(rule='root', begin='', turn='(', counts=(2, 4, 8, 16, 32, 64, 128, 256, 512))
    """
    search = _Search(grammar)
    search.run()
    return Readings(search.ambiguity, search.growth, search.complete)


class _Search:
    """One search, and what it has found."""

    def __init__(self, grammar: Grammar) -> None:
        self.ambiguity: Ambiguity | None = None
        self.growth: Growth | None = None
        self.complete = True
        self._matcher = Matcher(grammar)
        self._sentences = Sentences(self._matcher.program, grammar.root)
        self._circles = _circles(self._sentences)
        self._tried: set[tuple[str, str]] = set()
        self._ways: dict[str, dict[str, str]] = {}
        self._characters = 0
        self._links = 0

    def run(self) -> None:
        for rule, begin, turn in self._turns():
            self._grow(rule, begin, turn)
        pairs = Pairs(self._matcher, self._sentences)
        for start in pairs.partings():
            if pairs.steps >= MOST_STEPS:
                self.complete = False
                break
            for found in pairs.walk(start):
                match found:
                    case Meeting():
                        self._meet(found)
                    case Echo():
                        self._echo(found)
                    case Unfinished():
                        self.complete = False

    def _meet(self, meeting: Meeting) -> None:
        """Make a sentence of two readings that meet."""
        if self.ambiguity is not None:
            return
        pair = meeting.pair
        around = self._sentences.sentence_around(pair.outer)
        rest = self._sentences.rest(meeting.stack)
        if around is None or rest is None:
            self.complete = False
            return
        text = around[0] + pair.lead + pair.word + rest + around[1]
        self.ambiguity = Ambiguity(self._sentences.owners[pair.outer], text)

    def _echo(self, echo: Echo) -> None:
        """Look for a way from what is read twice to where the readings part: each turn then doubles them."""
        pair = echo.pair
        rule = self._sentences.owners[pair.outer]
        if self.growth is not None or rule not in self._circles:
            return
        inside = self._sentences.around(pair.outer)
        begin = self._begin(rule)
        back = self._way_back(echo, rule)
        if inside is not None and begin is not None and back is not None:
            self._grow(rule, begin, inside[0] + pair.lead + pair.word + back)

    def _way_back(self, echo: Echo, rule: str) -> str | None:
        """A text that leads from what is read twice to the beginning of the rule."""
        before = ""
        for node, index in frames(echo.common):
            for call in self._calls_behind(node, index, rule):
                inside = self._path(node, index, call)
                way = self._way(call.name, rule)
                if inside is not None and way is not None:
                    return before + inside + way
            rest = self._sentences.frame_rest(node, index)
            if rest is None:
                return None
            before += rest
        return None

    def _calls_behind(self, node: Node, index: int, rule: str) -> Iterator[Call]:
        """The calls in a node from an index on that lead to the rule."""
        circle = self._circles[rule]
        for each in self._sentences.program.nodes[self._sentences.owners[node]]:
            if isinstance(each, Call) and self._circles.get(each.name) == circle:
                slot = self._slot(node, each)
                if slot is not None and (slot >= index or isinstance(node, Loop)):
                    yield each

    def _slot(self, node: Node, inner: Node) -> int | None:
        """In which part of a node another is."""
        while inner in self._sentences.parents:
            inner, slot = self._sentences.parents[inner]
            if inner is node:
                return slot
        return None

    def _path(self, node: Node, index: int, call: Call) -> str | None:
        """A text from a node at an index to a call in it."""
        before = ""
        inner: Node = call
        while inner is not node:
            parent, slot = self._sentences.parents[inner]
            if isinstance(parent, Concat):
                left = self._sentences.texts(parent.parts[index if parent is node else 0 : slot])
                if left is None:
                    return None
                before = left + before
            inner = parent
        return before if len(before) <= LONGEST else None

    # -- turns -------------------------------------------------------------------------------------------------------

    def _turns(self) -> Iterator[tuple[str, str, str]]:
        """Texts that lead from a rule to itself, and texts of one round of a loop; each with one to begin with."""
        for rule in self._sentences.rules:
            if self.growth is not None:
                return
            if self._links > MOST_LINKS:
                self.complete = False
                return
            for node in self._sentences.program.nodes[rule]:
                match node:
                    case Call(name) if rule in self._circles and self._circles.get(name) == self._circles[rule]:
                        around, way, begin = self._sentences.around(node), self._way(name, rule), self._begin(rule)
                        if around is not None and way is not None and begin is not None:
                            yield rule, begin, around[0] + way
                    case Loop(item, _, high) if high is None or high > TURNS:
                        around, turn = self._sentences.sentence_around(node), self._sentences.text(item)
                        if around is not None and turn is not None:
                            yield rule, around[0], turn
                    case _:
                        pass

    def _begin(self, rule: str) -> str | None:
        """A text that leads to the rule."""
        around = self._sentences.sentence_around(self._sentences.program.bodies[rule])
        return None if around is None else around[0]

    def _way(self, start: str, goal: str) -> str | None:
        """A text that leads from the beginning of one rule to that of another of the same circle."""
        if goal not in self._ways:
            self._ways[goal] = self._ways_to(goal)
        return self._ways[goal].get(start)

    def _ways_to(self, goal: str) -> dict[str, str]:
        """For the rules of a circle, texts that lead to the goal; some are left out when there is no time for them."""
        ways = {goal: ""}
        todo = [goal]
        for rule in todo:  # grows while it is read
            for call in self._sentences.calls[rule]:
                owner = self._sentences.owners[call]
                self._links += 1
                if owner in ways or self._circles.get(owner) != self._circles[goal]:
                    continue
                around = self._sentences.around(call)
                way = None if around is None else joined((around[0], ways[rule]))
                if way is not None:
                    ways[owner] = way
                    todo.append(owner)
        return ways

    def _grow(self, rule: str, begin: str, turn: str) -> None:
        """Count the readings behind each turn."""
        if self.growth is not None or not turn or (begin, turn) in self._tried:
            return
        self._tried.add((begin, turn))
        if self._characters + len(begin) + TURNS * len(turn) > MOST_CHARACTERS:
            self.complete = False
            return
        state = self._matcher.start()
        counts: list[int] = []
        for text in (begin, *[turn] * TURNS):
            for character in text:
                self._characters += 1
                state = self._matcher.advance(state, character)
                if not state or len(state.stacks) > MOST_STACKS:
                    break
            counts.append(len(state.stacks))
            if counts[-1] > MOST_STACKS or not state:
                break
        grown = counts[1:]
        if len(grown) > 2 and all(left < right for left, right in pairwise(grown)):
            self.growth = Growth(rule, begin, turn, tuple(grown))


def _circles(sentences: Sentences) -> dict[str, int]:
    """The rules that lead back to themselves, those that lead to each other under the same number."""
    numbers = {rule: number for number, rule in enumerate(sentences.rules)}
    edges: dict[int, list[int]] = {number: [] for number in numbers.values()}
    for node, owner in sentences.owners.items():
        if isinstance(node, Call):
            edges[numbers[owner]].append(numbers[node.name])
    return {sentences.rules[number]: circle for circle, found in enumerate(loops(edges)) for number in found}

"""Short texts of a grammar: of each of its parts, around each, and what may come behind each.

In comes a `Program`; out come texts to begin and end with, so that what is found out about one part of a grammar can
be shown on a sentence of the whole. Parts whose shortest text is very long have none here, and None says so.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import count

from schema2gbnf.gbnf.match import Stack
from schema2gbnf.gbnf.program import Call, Choice, Class, Concat, Loop, Node, Program, Text
from schema2gbnf.gbnf.representatives import representatives
from schema2gbnf.gbnf.sample import cheapest

LONGEST = 4_000
"""Characters and rules of a text that is worth to be shown."""


@dataclass(frozen=True, slots=True)
class Context:
    """What may come behind a part: a node from an index on, then what may come behind `outer`, which begins with the
    text `lead` and then the part."""

    node: Concat | Loop
    index: int
    outer: Node
    lead: str


class Sentences:
    """The short texts of one grammar."""

    def __init__(self, program: Program, root: str) -> None:
        self.program = program
        self.root = root
        self.rules = self._reachable()
        self._costs = cheapest(program)
        self._texts: dict[Node, str | None] = {}
        self._around: dict[Node, tuple[str, str] | None] = {}
        self._contexts: dict[Node, tuple[Context, ...]] = {}

    def _reachable(self) -> tuple[str, ...]:
        found = {self.root: None}
        todo = [self.root]
        while todo:
            fresh = [
                node.name
                for node in self.program.nodes[todo.pop()]
                if isinstance(node, Call) and node.name not in found
            ]
            found.update(dict.fromkeys(fresh))
            todo += fresh
        return tuple(name for name in self.program.nodes if name in found)

    @cached_property
    def owners(self) -> dict[Node, str]:
        """The rule that each node stands in."""
        return {node: name for name in self.rules for node in self.program.nodes[name]}

    @cached_property
    def parents(self) -> dict[Node, tuple[Concat | Choice | Loop, int]]:
        """For each node but whole rules, what it is a part of, and which."""
        found: dict[Node, tuple[Concat | Choice | Loop, int]] = {}
        for node in self.owners:
            match node:
                case Concat(parts) | Choice(parts):
                    found.update((part, (node, slot)) for slot, part in enumerate(parts))
                case Loop(item):
                    found[item] = node, 0
                case _:
                    pass
        return found

    @cached_property
    def calls(self) -> dict[str, tuple[Call, ...]]:
        """For each rule, where it is named."""
        found: dict[str, list[Call]] = {name: [] for name in self.rules}
        for node in self.owners:
            if isinstance(node, Call):
                found[node.name].append(node)
        return {name: tuple(nodes) for name, nodes in found.items()}

    # -- texts -------------------------------------------------------------------------------------------------------

    def text(self, node: Node) -> str | None:
        """A short text of a node."""
        if node not in self._texts:
            self._texts[node] = self._spelled(node) if self._costs.get(node, LONGEST + 1) <= LONGEST else None
        return self._texts[node]

    def _spelled(self, node: Node) -> str | None:
        written: list[str] = []
        todo = [node]
        while todo:
            match todo.pop():
                case Text(text):
                    written.append(text)
                case Class(chars):
                    character = representatives((chars,))
                    if not character:
                        return None
                    written.append(character[0])
                case Call(name):
                    todo.append(self.program.bodies[name])
                case Concat(parts):
                    todo.extend(reversed(parts))
                case Choice(options):
                    todo.append(min((o for o in options if o in self._costs), key=lambda o: self._costs[o]))
                case Loop(item, low):
                    todo.extend([item] * low)
        return "".join(written)

    def texts(self, nodes: Iterable[Node]) -> str | None:
        """Short texts of some nodes, one behind the other."""
        return joined(self.text(node) for node in nodes)

    def rounds(self, item: Node, number: int) -> str | None:
        """A short text of so many rounds of an item, of none where the number is below one."""
        text = self.text(item) if number > 0 else ""
        return None if text is None or len(text) * number > LONGEST else text * number

    def rest(self, stack: Stack | None) -> str | None:
        """A short text of all that is on a stack."""
        return joined(self.frame_rest(node, index) for node, index in frames(stack))

    def frame_rest(self, node: Node, index: int) -> str | None:
        """A short text of a node from an index on."""
        match node:
            case Text(text):
                return text[index:]
            case Concat(parts):
                return self.texts(parts[index:])
            case Loop(item, low):
                return self.rounds(item, low - index)
            case _:
                return self.text(node)

    # -- surroundings ------------------------------------------------------------------------------------------------

    def around(self, node: Node) -> tuple[str, str] | None:
        """Texts to stand before and behind a text of the node in one of the whole rule."""
        if node not in self._around:
            self._around[node] = self._found_around(node)
        return self._around[node]

    def _found_around(self, node: Node) -> tuple[str, str] | None:
        before, behind = "", ""
        while node in self.parents:
            parent, slot = self.parents[node]
            match parent:
                case Concat(parts):
                    left, right = self.texts(parts[:slot]), self.texts(parts[slot + 1 :])
                case Loop(item, low):
                    left, right = "", self.rounds(item, low - 1)
                case Choice():
                    left, right = "", ""
            if left is None or right is None:
                return None
            before, behind, node = left + before, behind + right, parent
        return (before, behind) if len(before) + len(behind) <= LONGEST else None

    def sentence_around(self, node: Node) -> tuple[str, str] | None:
        """Texts to stand before and behind a text of the node in a sentence."""
        found = self.around(node)
        rule = self.owners[node]
        while found is not None and rule != self.root:
            call = self._way_in.get(rule)
            outside = None if call is None else self.around(call)
            if call is None or outside is None:
                return None
            found = outside[0] + found[0], found[1] + outside[1]
            rule = self.owners[call]
        return found

    @cached_property
    def _way_in(self) -> dict[str, Call]:
        """For each rule but the root, the call on the shortest way to it (Dijkstra 1959)."""
        found: dict[str, Call] = {}
        done: set[str] = set()
        # The number settles ties: what was found first comes first.
        numbers = count(1)
        todo: list[tuple[int, int, str, Call | None]] = [(0, 0, self.root, None)]
        while todo:
            distance, _, rule, call = heapq.heappop(todo)
            if rule in done:
                continue
            done.add(rule)
            if call is not None:
                found[rule] = call
            for node in self.program.nodes[rule]:
                if isinstance(node, Call) and node.name not in done and (outside := self.around(node)) is not None:
                    length = distance + 1 + len(outside[0]) + len(outside[1])
                    heapq.heappush(todo, (length, next(numbers), node.name, node))
        return found

    def contexts(self, node: Node) -> tuple[Context, ...]:
        """All that may come behind a node, each as far as to the next thing to read."""
        found = self._contexts.get(node)
        if found is None:
            found = self._contexts[node] = tuple(self._found_contexts(node))
        return found

    def _found_contexts(self, start: Node) -> Iterator[Context]:
        todo: list[tuple[Node, str]] = [(start, "")]
        seen = {start}
        while todo:
            node, lead = todo.pop()
            outer: list[tuple[Node, str]] = []
            if node not in self.parents:
                outer = [(call, lead) for call in self.calls[self.owners[node]]]
            else:
                parent, slot = self.parents[node]
                match parent:
                    case Concat(parts):
                        left = self.texts(parts[:slot])
                        if left is None or len(left) + len(lead) > LONGEST:
                            continue
                        if slot + 1 < len(parts):
                            yield Context(parent, slot + 1, parent, left + lead)
                        else:
                            outer = [(parent, left + lead)]
                    case Choice():
                        outer = [(parent, lead)]
                    case Loop(item):
                        for rounds in some_rounds(parent):
                            left = self.rounds(item, rounds - 1)
                            if left is None or len(left) + len(lead) > LONGEST:
                                continue
                            if rounds == parent.high:
                                outer = [(parent, left + lead)]
                            else:
                                yield Context(parent, rounds, parent, left + lead)
            for each in outer:
                if each[0] not in seen:
                    seen.add(each[0])
                    todo.append(each)


def some_rounds(loop: Loop) -> tuple[int, ...]:
    """Numbers of rounds behind one round, as a matcher counts them: where something changes, and next to it."""
    if loop.high is None:
        return tuple(sorted({min(1, loop.low), loop.low}))
    edges = {1, loop.low, loop.low + 1, loop.high - 1, loop.high}
    return tuple(sorted(rounds for rounds in edges if 1 <= rounds <= loop.high))


def frames(stack: Stack | None) -> Iterator[tuple[Node, int]]:
    """The nodes on a stack with their indexes, the top first."""
    while stack is not None:
        yield stack.node, stack.index
        stack = stack.below


def joined(texts: Iterable[str | None]) -> str | None:
    """The texts as one; None when one is missing, or all are too long."""
    length, found = 0, []
    for text in texts:
        if text is None:
            return None
        length += len(text)
        if length > LONGEST:
            return None
        found.append(text)
    return "".join(found)

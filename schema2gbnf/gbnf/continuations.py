"""How texts of a node can go on: the letters that lead from one text of a node to a longer text of it.

In comes a program; out goes a bit mask of letters for each of its nodes, which may hold more letters than there are,
never fewer. Where a text of the node is followed by none of them, it is plain where the text ends: whatever reads on
must be what comes behind the node. The masks follow from those of the parts where one character tells which part reads
on. Where it does not, the states of the node are looked at, without its longer counts; if they are too many, every
letter is taken to lead on.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import reduce
from operator import or_

from schema2gbnf.closed import assert_never
from schema2gbnf.gbnf.match import Leaf, Matcher, TooManyReadingsError
from schema2gbnf.gbnf.program import Call, Choice, Class, Concat, Loop, Node, Program, Text
from schema2gbnf.gbnf.representatives import representatives

LONGEST_COUNT = 3
"""Rounds that are counted where states are looked at."""
MOST_LEAVES = 2_000
"""Places that states of one node may have together."""
MOST_LEAVES_OF_ALL = 30_000
"""Places that states of all nodes may have together."""

Masks = dict[Node, int]
Of = Callable[[Node, Masks], int]
"""The mask of a node, by those of its parts."""


def continuations(program: Program) -> Masks:
    """The masks of all nodes.

    >>> from schema2gbnf.gbnf.parse import parse
    >>> program = Program.of(parse('root ::= "a" "b"* | "c" "d"\\nx ::= "a"? "c"\\ny ::= "a" | "ab"'))
    >>> masks = continuations(program)
    >>> [masks[program.bodies[name]] for name in ("root", "x", "y")] == [program.mask("b"), 0, program.mask("b")]
    True
    """
    loose, counterparts = program.counted_to(LONGEST_COUNT)
    spelling = _Spelling(program)
    letters = spelling.least(spelling.letters)
    return spelling.least(_Continuing(program, Matcher(loose), counterparts, letters).mask)


@dataclass(frozen=True, slots=True)
class _Spelling:
    """What letters there are in the texts of nodes."""

    program: Program

    def least(self, of: Of) -> Masks:
        """The least masks that agree with each other."""
        masks: Masks = dict.fromkeys((node for nodes in self.program.nodes.values() for node in nodes), 0)
        todo: dict[str, None] = dict.fromkeys(reversed(tuple(self.program.nodes)))
        while todo:
            name, _ = todo.popitem()
            body = self.program.bodies[name]
            before = masks[body]
            for node in self.program.nodes[name]:
                masks[node] = of(node, masks)
            if masks[body] != before:
                todo.update(dict.fromkeys(self.program.callers[name]))
        return masks

    def letters(self, node: Node, masks: Masks) -> int:
        """All letters of a node's texts."""
        match node:
            case Text(_, spelled):
                return reduce(or_, spelled, 0)
            case Class(_, mask):
                return mask
            case Call(name):
                return masks[self.program.bodies[name]]
            case Concat(parts) | Choice(parts):
                return reduce(or_, (masks[part] for part in parts), 0)
            case Loop(item):
                return masks[item]
            case _:
                assert_never(node)


@dataclass(slots=True)
class _Continuing:
    """What letters lead on."""

    program: Program
    loose: Matcher
    counterparts: dict[Node, Node]
    """For each node, the one that counts less, in the program of `loose`."""
    letters: Masks
    """All that the node's texts hold."""
    seen: Masks = field(default_factory=dict)
    leaves: int = 0

    def mask(self, node: Node, masks: Masks) -> int:
        match node:
            case Text() | Class():
                return 0
            case Call(name):
                return masks[self.program.bodies[name]]
            case Concat(parts):
                return self._of_parts(node, parts, masks)
            case Choice(options):
                told = 0
                for option in options:
                    if option.first & told:
                        return self._looked_at(node)
                    told |= option.first
                return reduce(or_, (masks[option] for option in options), node.first if node.nullable else 0)
            case Loop(item, low, high):
                if masks[item] & item.first:
                    return self._looked_at(node)
                return masks[item] | (0 if low == high else item.first)
            case _:
                assert_never(node)

    def _of_parts(self, node: Concat, parts: tuple[Node, ...], masks: Masks) -> int:
        """A sequence goes on as its last part does, and as the one before does when the last is empty, and so on."""
        mask, first, nullable = 0, 0, True
        for part in reversed(parts):
            if masks[part] & first:
                return self._looked_at(node)
            if nullable:
                mask |= masks[part]
            first = part.first | (first if part.nullable else 0)
            nullable = nullable and part.nullable
        return mask

    def _looked_at(self, node: Node) -> int:
        """The letters that lead on from states of the node where a text has ended; all of its letters if too many."""
        if node not in self.seen:
            try:
                self.seen[node] = self._of_states(node)
            except TooManyReadingsError:
                self.seen[node] = self.letters[node]
        return self.seen[node]

    def _of_states(self, node: Node) -> int:
        start = self.loose.state([self.loose.stack(self.counterparts[node], 0, None)])
        states, mask = {start: None}, 0
        todo = [start]
        most = min(self.leaves + MOST_LEAVES, MOST_LEAVES_OF_ALL)
        while todo:
            state = todo.pop()
            leaves = state.leaves
            self.leaves += len(leaves)
            if self.leaves > most:
                return self.letters[node]
            if None in leaves:
                mask |= reduce(or_, (_awaited(leaf) for leaf in leaves if leaf is not None), 0)
            for character in representatives(state.next_sets()):
                following = self.loose.advance(state, character)
                if following not in states:
                    states[following] = None
                    todo.append(following)
        return mask


def _awaited(leaf: Leaf) -> int:
    node, index, _ = leaf
    return node.masks[index] if isinstance(node, Text) else node.mask

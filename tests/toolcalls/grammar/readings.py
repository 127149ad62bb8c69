"""How many ways a grammar has to read a text: one, or the engine holds more than it need."""

from __future__ import annotations

from collections import Counter

from schema2gbnf.gbnf.match import Leaf, Place, Stack
from schema2gbnf.gbnf.program import Call, Choice, Class, Concat, Loop, Program, Text
from schema2gbnf.grammar.rules import Grammar

Ways = Counter[Stack | None]
"""What is still to be read, with the number of ways that led there."""


class ReadingCounter:
    """A grammar without left recursion, and in which nothing that may be empty is repeated."""

    def __init__(self, grammar: Grammar) -> None:
        self.program = Program.of(grammar)
        self.root = self.program.bodies[grammar.root]

    def count(self, text: str) -> int:
        """The number of ways to read the text as a sentence."""
        ways: Ways = Counter({Stack(self.root, 0, None): 1})
        for character in text:
            after: Ways = Counter()
            for leaf, number in self.leaves(ways).items():
                if leaf is None:
                    continue
                node, index, below = leaf
                if isinstance(node, Text) and node.text[index] == character:
                    after[Stack(node, index + 1, below) if index + 1 < len(node.text) else below] += number
                elif isinstance(node, Class) and character in node.chars:
                    after[below] += number
            ways = after
        return self.leaves(ways)[None]

    def leaves(self, ways: Ways) -> Counter[Leaf | None]:
        """The places that wait for a character, with the number of ways to each."""
        found: Counter[Leaf | None] = Counter()
        todo: list[tuple[Place | None, int]] = [(_place(stack), number) for stack, number in ways.items()]
        while todo:
            place, number = todo.pop()
            if place is None:
                found[None] += number
                continue
            node, index, below = place
            match node:
                case Text() | Class():
                    found[node, index, below] += number
                case Call(name):
                    todo.append(((self.program.bodies[name], 0, below), number))
                case Choice(options):
                    todo.extend(((option, 0, below), number) for option in options)
                case Concat(()):
                    todo.append((_place(below), number))
                case Concat(parts):
                    rest = below if index + 1 == len(parts) else Stack(node, index + 1, below)
                    todo.append(((parts[index], 0, rest), number))
                case Loop(item, low, high):
                    if index >= low:
                        todo.append((_place(below), number))
                    following = index + 1 if high is not None else min(index + 1, low)
                    todo.append(((item, 0, below if following == high else Stack(node, following, below)), number))
        return found


def _place(stack: Stack | None) -> Place | None:
    return None if stack is None else (stack.node, stack.index, stack.below)

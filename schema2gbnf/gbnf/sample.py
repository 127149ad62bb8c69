"""Texts of a grammar, at random but from a seed, spread over all its branches.

In comes a grammar in which every rule has a text; out go sentences of it. A choice takes the option it has taken least
often so far, so that n samples of a choice among n see each; past a budget every choice takes its cheapest way to an
end, so that recursion ends too. A rule without a text, or without one of reasonable length, is refused by `ValueError`.
"""

from __future__ import annotations

from random import Random

from schema2gbnf.gbnf.lengths import shortest
from schema2gbnf.gbnf.program import Call, Choice, Class, Concat, Loop, Node, Program, Text
from schema2gbnf.grammar.rules import Grammar
from schema2gbnf.languages.charset import TEXT, CharSet

BUDGET = 300
"""Characters and rules after which a sample only looks for its end."""

LONGEST = 10_000_000
"""Characters and rules that a rule's cheapest text may take."""

_SMALL = 20
"""How many more than `low` an upper bound may be and still be reached on purpose."""

_FRIENDLY = CharSet.span("a", "z") | CharSet.span("A", "Z") | CharSet.span("0", "9")


def samples(grammar: Grammar, count: int, seed: int = 0) -> tuple[str, ...]:
    """So many sentences of the grammar.

    >>> from schema2gbnf.gbnf.parse import parse
    >>> sorted(samples(parse('root ::= "a" | "b" | "c"'), 3))
    ['a', 'b', 'c']
    """
    sampler = Sampler(grammar, seed)
    return tuple(sampler.sample() for _ in range(count))


class Sampler:
    """A grammar, and which of its branches have been taken."""

    def __init__(self, grammar: Grammar, seed: int = 0, budget: int = BUDGET) -> None:
        self._random = Random(seed)
        self._budget = budget
        self._root = grammar.root
        self._program = Program.of(grammar)
        self._costs = cheapest(self._program)
        self._taken: dict[Node, list[int]] = {}
        self._characters: dict[Class, tuple[CharSet, str, str]] = {}
        for name, body in self._program.bodies.items():
            if body not in self._costs:
                raise ValueError(f"the rule {name} has no text, or none that could be written out")

    def sample(self) -> str:
        """The next sentence."""
        written: list[str] = []
        spent = 0
        todo = [self._program.bodies[self._root]]
        while todo:
            frugal = spent > self._budget
            match node := todo.pop():
                case Text(text):
                    written.append(text)
                    spent += len(text)
                case Class():
                    written.append(self._character(node))
                    spent += 1
                case Call(name):
                    todo.append(self._program.bodies[name])
                    spent += 1
                case Concat(parts):
                    todo.extend(reversed(parts))
                case Choice():
                    todo.append(self._option(node, frugal))
                case Loop(item, low):
                    todo.extend([item] * (low if frugal else self._count(node)))
        return "".join(written)

    def _option(self, choice: Choice, frugal: bool) -> Node:
        options = [option for option in choice.options if option in self._costs]
        if frugal:
            return min(options, key=lambda option: self._costs[option])
        return options[self._least_taken(choice, len(options))]

    def _count(self, loop: Loop) -> int:
        """How many rounds: the fewest, one more, a few more, and all when that is not many."""
        if loop.item not in self._costs:
            return 0
        low, most = loop.low, loop.low + _SMALL if loop.high is None else loop.high
        counts = [low, low + 1, low + self._random.randint(2, 5)]
        if loop.high is not None and most <= low + _SMALL:
            counts.append(most)
        counts = list(dict.fromkeys(min(count, most) for count in counts))
        return counts[self._least_taken(loop, len(counts))]

    def _least_taken(self, node: Node, size: int) -> int:
        """One of the branches taken least often so far."""
        taken = self._taken.setdefault(node, [])
        taken.extend([min(taken, default=0)] * (size - len(taken)))
        fewest = min(taken[:size])
        branch = self._random.choice([index for index in range(size) if taken[index] == fewest])
        taken[branch] += 1
        return branch

    def _character(self, node: Class) -> str:
        """A letter or digit if there is one, or else the end of a range or any character at all."""
        if node not in self._characters:
            chars = (node.chars & TEXT) or node.chars
            edges = "".join(chr(low) + chr(high) for low, high in chars.ranges)
            self._characters[node] = chars, "".join(chars & _FRIENDLY), edges
        chars, friendly, edges = self._characters[node]
        mood = self._random.random()
        if friendly and mood < 0.6:
            return self._random.choice(friendly)
        if mood < 0.85:
            return self._random.choice(edges)
        low, high = self._random.choice(chars.ranges)
        return chr(self._random.randint(low, high))


def cheapest(program: Program) -> dict[Node, int]:
    """The characters and rules that the cheapest text of each node takes; nodes without a text are left out.

    A rule costs one more than its body, so that whoever always takes the cheapest way gets ever closer to the end.
    """
    return shortest(program, per_rule=1, most=LONGEST)

"""Random words of an automaton."""

from __future__ import annotations

import random

from schema2gbnf.languages.charset import SURROGATES
from schema2gbnf.languages.dfa import Dfa


class Words:
    """Draws words: a walk of some length, then home by the shortest way."""

    def __init__(self, dfa: Dfa, seed: int) -> None:
        self.dfa = dfa
        # Lone surrogates cannot be handed over, and never are.
        self.graph = {
            state: {target: chars - SURROGATES for target, chars in edges.items() if chars - SURROGATES}
            for state, edges in dfa.edges().items()
        }
        self.random = random.Random(seed)
        self.home = self._distances()

    def _distances(self) -> dict[int, int]:
        before: dict[int, list[int]] = {}
        for state, targets in self.graph.items():
            for target in targets:
                before.setdefault(target, []).append(state)
        layer = [state for state in self.graph if self.dfa.accepting[state]]
        found = dict.fromkeys(layer, 0)
        for state in layer:  # grows while it is read
            for previous in before.get(state, ()):
                if previous not in found:
                    found[previous] = found[state] + 1
                    layer.append(previous)
        return found

    def draw(self, longest: int = 300) -> str:
        """A word, of more than `longest` characters only where there is no shorter way to an end."""
        length = min(longest, self.random.choice((2, 5, 15, 40, 300)))
        stop = self.random.choice((0.02, 0.2))
        word: list[str] = []
        state = 0
        while not (
            self.dfa.accepting[state] and (not self.graph[state] or len(word) >= length or self.random.random() < stop)
        ):
            edges = self.graph[state]
            if len(word) < length:
                state = self.random.choice(list(edges))
            else:
                state = min(edges, key=lambda target: (self.home[target], target))
            low, high = self.random.choice(edges[state].ranges)
            word.append(chr(self.random.randint(low, high)))
        return "".join(word)

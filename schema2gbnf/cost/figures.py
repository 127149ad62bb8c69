"""What a grammar costs: its size, the work to load it, and the ways to read on along texts of it.

In comes a grammar, with texts or without; out goes a `Cost`. At each place in a text llama.cpp holds a stack for every
symbol that could come next, and tries each on every token of the vocabulary. Refused, by `LeftRecursionError`, is a
grammar that nobody can read a text against; by `ValueError`, one without a portable spelling, and one without a text
where texts have to be made up.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from schema2gbnf.cost.load import Load
from schema2gbnf.gbnf.match import Matcher
from schema2gbnf.gbnf.sample import samples
from schema2gbnf.gbnf.write import write
from schema2gbnf.grammar.rules import Grammar

TEXTS = 12
"""Texts that are made up where none is given."""

MOST_POSITIONS = 100_000
"""Places that are looked at, in all texts."""


@dataclass(frozen=True, slots=True)
class Spread:
    """A figure at many places: its mean, and the most."""

    mean: float
    most: int

    @staticmethod
    def of(figures: list[int]) -> Spread:
        return Spread(round(sum(figures) / len(figures), 2), max(figures)) if figures else Spread(0.0, 0)

    def __str__(self) -> str:
        return f"{self.mean:.2f} on average, {self.most} at most"


@dataclass(frozen=True, slots=True)
class Cost:
    """The figures of a grammar.

    `bytes` and `rules`: of its text; `symbols`: the rules that llama.cpp makes of these; `load_steps`: what it does
    before the first token; `positions`: places in texts that were looked at; `readings`: at each, the different ways
    in which the text so far was read; `branches`: the symbols that may come next, each once for every reading.
    """

    bytes: int
    rules: int
    symbols: int
    load_steps: int
    positions: int
    readings: Spread
    branches: Spread

    def __str__(self) -> str:
        return (
            f"{self.bytes} bytes, {self.rules} rules, {self.symbols} in llama.cpp, loaded in {self.load_steps} steps; "
            f"at {self.positions} places of texts: readings {self.readings}; branches {self.branches}"
        )


def cost(grammar: Grammar, texts: Iterable[str] | None = None) -> Cost:
    """The cost of a grammar along some texts, each up to where it is refused; along texts made up where none is given.

    >>> from schema2gbnf.gbnf.parse import parse
    >>> print(cost(parse('root ::= "ab" | [ac] "c"'), ["ab"]))
    25 bytes, 1 rules, 1 in llama.cpp, loaded in 21 steps; at 3 places of texts: readings 1.33 on average, 2 at most; \
branches 1.67 on average, 2 at most
    """
    load = Load.of(grammar)
    matcher = Matcher(grammar)
    readings: list[int] = []
    branches: list[int] = []
    for text in samples(grammar, TEXTS) if texts is None else texts:
        state = matcher.start()
        for character in (*text[: MOST_POSITIONS - len(readings)], ""):
            readings.append(len(state.stacks))
            branches.append(len(state))
            state = matcher.advance(state, character) if character else state
            if not state:
                break
    size = len(write(grammar).encode())
    return Cost(
        size, len(grammar.rules), load.symbols, load.steps, len(readings), Spread.of(readings), Spread.of(branches)
    )

"""Readers of grammars as one interface: a grammar is loaded, texts are asked about, sentences are drawn.

An engine refuses a grammar with `GrammarRefusedError`, in its own words. One that runs in a child may die or come too
late: that is `EngineDownError`, and the next question finds a fresh one with the same grammar.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, Protocol

EngineName = Literal["own", "llama.cpp"]


class GrammarRefusedError(Exception):
    """The engine does not take the grammar."""


class EngineDownError(Exception):
    """The engine broke down, or was ended since it took too long; the message says which, and its last words."""


@dataclass(frozen=True, slots=True)
class Draw:
    """A text drawn under a grammar; where it is not `complete`, the drawing was broken off."""

    text: str
    complete: bool


class Engine(Protocol):
    """Something that reads grammars."""

    @property
    def name(self) -> EngineName: ...

    def load(self, gbnf: str) -> None:
        """Take a grammar. Raises `GrammarRefusedError` or `EngineDownError`."""

    def accepts(self, text: str) -> bool:
        """Whether the text is a sentence of the grammar. Raises `EngineDownError`."""

    def draws(self, count: int, seed: int) -> Iterator[Draw]:
        """So many texts under the grammar, the same for the same seed.

        Raises `GrammarRefusedError` for a grammar without texts, `EngineDownError`.
        """

    def close(self) -> None:
        """Give back what the engine holds."""

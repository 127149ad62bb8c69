"""A format: the texts it allows, as an ECMA-262 pattern, and what its pattern leaves out."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from schema2gbnf.languages.automaton import automaton
from schema2gbnf.languages.dfa import Dfa
from schema2gbnf.languages.ecma import parse
from schema2gbnf.languages.regex import Regex


@dataclass(frozen=True, slots=True)
class Format:
    """What a format says of a string, or of an integer.

    `body` matches whole texts, has no anchor and gives each text one reading; all it matches is valid, and all that
    is valid but for what `narrowing` names. `outer` is a body that matches whatever is valid, and more: what *it*
    does not match is surely invalid. The two are the same where nothing is left out. A body of None restricts
    nothing. Trees and automata are built when they are first asked for.

    >>> print(Format("bit", "string", "[01]", "[01]", None).dfa.example())
    0
    """

    name: str
    kind: Literal["string", "number"]
    body: str | None
    outer: str | None
    narrowing: str | None
    bounds: tuple[int, int] | None = None
    """The least and the greatest integer, of a format of numbers that has them."""

    @property
    def exact(self) -> bool:
        return self.body == self.outer

    @property
    def pattern(self) -> str | None:
        """The body as a pattern to search for."""
        return None if self.body is None else f"^(?:{self.body})$"

    @property
    def tree(self) -> Regex:
        """The body as a tree, to be matched with the whole text."""
        return _tree(self.body)

    @property
    def outer_tree(self) -> Regex:
        return _tree(self.outer)

    @property
    def dfa(self) -> Dfa:
        """Texts that are valid."""
        return automaton(self.tree, search=False)

    @property
    def outer_dfa(self) -> Dfa:
        """A set of texts that has all valid ones; its complement holds invalid ones only."""
        return automaton(self.outer_tree, search=False)


@lru_cache(maxsize=64)
def _tree(body: str | None) -> Regex:
    return parse("[^]*" if body is None else body).tree


def exact(name: str, body: str) -> Format:
    """A format of strings whose pattern leaves nothing out."""
    return Format(name, "string", body, body, None)


def narrowed(name: str, body: str, outer: str, narrowing: str) -> Format:
    """A format of strings whose pattern leaves out what `narrowing` says."""
    return Format(name, "string", body, outer, narrowing)

"""This package's reader and matcher as an engine: it reads the text of a grammar, not the data it was written from."""

from __future__ import annotations

from collections.abc import Iterator

from schema2gbnf.gbnf import GbnfSyntaxError, Matcher, Sampler, TooManyReadingsError, parse
from schema2gbnf.grammar.rules import Grammar
from schema2gbnf.verification.engines import Draw, EngineDownError, EngineName, GrammarRefusedError


class Own:
    """The matcher.

    >>> engine = Own()
    >>> engine.load('root ::= "a"+')
    >>> engine.accepts("aa"), engine.accepts("ab")
    (True, False)
    """

    name: EngineName = "own"

    def __init__(self) -> None:
        self._grammar: Grammar | None = None
        self.matcher: Matcher | None = None
        """The matcher of the grammar that is loaded."""

    def load(self, gbnf: str) -> None:
        try:
            self._grammar = parse(gbnf)
            self.matcher = Matcher(self._grammar)
        except (GbnfSyntaxError, ValueError) as error:
            raise GrammarRefusedError(str(error)) from None

    def accepts(self, text: str) -> bool:
        assert self.matcher is not None, "no grammar is loaded"
        try:
            return self.matcher.accepts(text)
        except TooManyReadingsError as error:
            raise EngineDownError(str(error)) from None

    def draws(self, count: int, seed: int) -> Iterator[Draw]:
        assert self._grammar is not None, "no grammar is loaded"
        try:
            sampler = Sampler(self._grammar, seed)
        except ValueError as error:
            raise GrammarRefusedError(str(error)) from None
        for _ in range(count):
            yield Draw(sampler.sample(), True)

    def close(self) -> None:
        """Nothing is held."""

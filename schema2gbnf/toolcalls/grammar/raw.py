"""Strings as they stand, without quotes or escapes, up to what ends them.

Comes in: a language of strings. Goes out: an expression of its strings, each with the end behind it, but for those in
which something is found that must not be there: such a string has no raw text. Lengths are counted while the text is
watched; where that takes too many states, a short string is held to be without `<`, and of a long one the length is
given up. Either is told.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from schema2gbnf.cache import Cache
from schema2gbnf.grammar.automata import automaton
from schema2gbnf.grammar.drafts import FRAGMENT_SYMBOLS, Draft, Fragment
from schema2gbnf.grammar.repetition import repetition
from schema2gbnf.grammar.rules import CharClass, Expr, Literal, Ref, alternation, sequence
from schema2gbnf.grammar.strings import RAW, raw_text
from schema2gbnf.languages.charset import TEXT, CharSet
from schema2gbnf.languages.dfa import Dfa, StateLimitError
from schema2gbnf.languages.ends import followed, without
from schema2gbnf.languages.lengths import counted
from schema2gbnf.languages.strings import Piece, StringLanguage

COUNTED = 320
"""States up to which lengths are counted while the text is watched."""
SHORT = 512
"""The greatest length that is worth more than `<` is."""
ENDED = 20_000
"""States of a text with its end."""
MANY_WORDS = 1000

Told = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class RawTexts:
    """What ends a raw string, and what is not found in it (an ECMA-262 pattern)."""

    end: str
    foreign: str
    begun: str = "<"
    """How what is not found in it may begin: what is not found where lengths are counted and `foreign` is too much."""

    @property
    def free(self) -> Dfa:
        """All texts that may be a raw string."""
        return without(self.foreign)

    def has(self, language: StringLanguage, text: str) -> bool:
        """Whether a string of the language can be written."""
        return language.accepts(text) and self.free.accepts(text)

    def text(self, language: StringLanguage, draft: Draft, hint: str, limit: int, loosen: Told, narrow: Told) -> Expr:
        """The strings of a language with the end behind them."""
        if language.is_universal:
            return self._shared(draft, "raw-text", self._whole(self.free, draft, "raw-text"))
        words = language.words(MANY_WORDS)
        if words is not None:
            written = [word for word in words if self.free.accepts(word)]
            if len(written) < len(words):
                lost = next(word for word in words if word not in written)
                narrow(f"{lost!r} cannot be written, since text in it would end it or begin something else")
            ended = StringLanguage.of_words(word + self.end for word in written)
            return self._shared(draft, hint, raw_text(ended, draft, hint, limit=limit, loosen=loosen))
        if (language & ~StringLanguage.of_dfa(self.free)).is_empty:
            return sequence(raw_text(language, draft, hint, limit=limit, loosen=loosen), Literal(self.end))
        options = (self._piece(piece, draft, hint, loosen, narrow) for piece in language.pieces)
        return self._shared(draft, hint, alternation(*options))

    @staticmethod
    def _shared(draft: Draft, hint: str, expr: Expr) -> Expr:
        return expr if isinstance(expr, Literal | Ref) else draft.share(hint, expr)

    def _piece(self, piece: Piece, draft: Draft, hint: str, loosen: Told, narrow: Told) -> Expr:
        if not piece.is_bounded:
            return self._whole(piece.core & self.free, draft, hint)
        for pattern in (self.foreign, self.begun):
            found = counted(piece.core & without(pattern), piece.low, piece.high, COUNTED)
            if found is not None:
                if pattern != self.foreign:
                    narrow(f"no string of counted length is written in which {pattern} is found")
                return self._whole(found, draft, hint, apart=True)
        if piece.core.is_universal and piece.high is not None and piece.high <= SHORT:
            narrow(f"no string of up to {piece.high} characters is written in which '<' is found")
            chars = CharClass(TEXT - CharSet.of("<"))
            return sequence(repetition(chars, piece.low, piece.high, draft, hint), Literal(self.end))
        if piece.high is not None:
            loosen(f"at most {piece.high} characters are not counted in a text as it stands")
            return self._piece(Piece(piece.core, piece.low, None), draft, hint, loosen, narrow)
        loosen(f"at least {piece.low} characters are not counted in a text as it stands")
        return self._whole(piece.core & self.free, draft, hint)

    def _whole(self, words: Dfa, draft: Draft, hint: str, apart: bool = False) -> Expr:
        """The words with the end behind them; `apart`, which takes fewer states, reads a text and its end at once."""

        def make(draft: Draft) -> Expr:
            try:
                if not apart:
                    return automaton(followed(words, self.end, ENDED), RAW, draft, hint)
            except StateLimitError:
                pass
            return sequence(automaton(words, RAW, draft, hint), Literal(self.end))

        def printed() -> Expr:
            key = words, self.end, hint
            fragment = _PRINTED.get(key)
            if fragment is None:
                fragment = Draft.fragment(make)
                _PRINTED.put(key, fragment, fragment.size)
            return draft.bring(fragment) or make(draft)

        return draft.once(("raw", words, self.end), printed)


_PRINTED: Cache[tuple[Dfa, str, str], Fragment] = Cache(FRAGMENT_SYMBOLS)

"""JSON strings that must not show some text as it stands, because something outside JSON would end there.

Comes in: a pattern of what may not appear. Goes out: expressions of strings, as in `strings`, without it. JSON leaves a
choice of spelling: with one of its characters as an escape the text does not appear, so that next to nothing is lost.
Of strings of which no more than the length is said, every one can still be written. A pattern of the schema's own,
which is written plainly, loses the strings that have the text inside.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from functools import lru_cache

from schema2gbnf.grammar.automata import automaton
from schema2gbnf.grammar.characters import ESCAPE, PLAIN, every_spelling, raw, spelled
from schema2gbnf.grammar.drafts import Draft
from schema2gbnf.grammar.folding import Spelling
from schema2gbnf.grammar.repetition import repetition, until
from schema2gbnf.grammar.rules import NOTHING, CharClass, Expr, Literal, Ref, alternation, sequence
from schema2gbnf.grammar.strings import QUOTE, STATES, Loosen, string_rest, unheard
from schema2gbnf.languages.charset import CharSet
from schema2gbnf.languages.dfa import Dfa, StateLimitError
from schema2gbnf.languages.ends import without
from schema2gbnf.languages.lengths import counted
from schema2gbnf.languages.strings import StringLanguage
from schema2gbnf.languages.strings import counted as counted_piece

FEW_STATES = 400
"""States up to which lengths are counted while the text is watched; beyond, its character is always an escape."""


def _free_char(chars: CharSet, draft: Draft) -> Expr:
    """One character, where the backslash stands for any escape."""
    every_spelling(draft)
    escape = Ref(ESCAPE) if "\\" in chars else NOTHING
    return alternation(escape, raw(chars & PLAIN, draft))


def _rest(chars: CharSet, draft: Draft) -> Expr:
    digest = hashlib.sha256(repr(chars).encode()).hexdigest()[:4]
    return until(draft.share(f"char-{digest}", _free_char(chars, draft)), QUOTE, draft, f"rest-{digest}")


_FREE = Spelling(_free_char, QUOTE, _rest)


@lru_cache(maxsize=16)
def _careful(character: str) -> Spelling:
    """The canonical spelling, but with a character as an escape; one for each, so that it is known again."""
    escape = Literal(_escape(character))

    def char(chars: CharSet, draft: Draft) -> Expr:
        return alternation(escape if character in chars else NOTHING, spelled(chars - CharSet.of(character), draft))

    def rest(chars: CharSet, draft: Draft) -> Expr:
        digest = hashlib.sha256(repr(chars).encode()).hexdigest()[:4]
        return until(draft.share(f"careful-{digest}", char(chars, draft)), QUOTE, draft, f"careful-rest-{digest}")

    return Spelling(char, QUOTE, rest)


def _escape(character: str) -> str:
    return f"\\u{ord(character):04x}"


@dataclass(frozen=True, slots=True)
class Guard:
    """What may not appear in a JSON text: an ECMA-262 pattern, and a character without which it does not match."""

    pattern: str
    character: str = "<"

    @property
    def free(self) -> Dfa:
        """The texts in which the pattern is not found."""
        return without(self.pattern)

    def string_rest(
        self,
        language: StringLanguage,
        draft: Draft,
        hint: str,
        *,
        canonical: bool = False,
        limit: int,
        loosen: Loosen,
        note: Loosen = unheard,
    ) -> Expr:
        """The strings of the language from behind the opening quote, with the closing one."""
        if not canonical and language.has_lengths_alone:
            return alternation(*(self._of_lengths(each.low, each.high, draft, hint) for each in language.pieces))
        kept = self.kept(language)
        spelling = _careful(self.character) if kept is None else None
        return string_rest(
            kept or language, draft, hint, canonical=canonical, limit=limit, loosen=loosen, note=note, spelling=spelling
        )

    def any_rest(self, draft: Draft, *, canonical: bool = False) -> Expr:
        """Any string from behind the opening quote, in all spellings or in the canonical one."""
        return self.string_rest(
            StringLanguage.ANY,
            draft,
            "name" if canonical else "string",
            canonical=canonical,
            limit=STATES,
            loosen=_lossless,
        )

    def _of_lengths(self, low: int, high: int | None, draft: Draft, hint: str) -> Expr:
        """Strings of so many characters, each in all its spellings as far as the pattern lets it."""
        found = counted(self.free, low, high, FEW_STATES)
        if found is not None:
            return draft.once(("guarded", found), lambda: automaton(found, _FREE, draft, hint))
        every_spelling(draft)
        plain = CharClass(PLAIN - CharSet.of(self.character))
        char = draft.share("careful-char", alternation(Ref(ESCAPE), plain))
        return sequence(repetition(char, low, high, draft, hint), QUOTE)

    def kept(self, language: StringLanguage) -> StringLanguage | None:
        """The strings of a language in which the pattern is not found, in their plain spelling.

        None when all are to be written with the character as an escape: where the text would have to be watched while
        a pattern is or lengths are counted, or where nothing else would be left.
        """
        try:
            kept = language & StringLanguage.of_dfa(self.free)
            if kept.equals(language):
                return language
        except StateLimitError:
            return None
        counting = any(counted_piece(piece, FEW_STATES) is None for piece in kept.pieces)
        multiplied = kept.size() > language.size() + 2 * len(self.free.moves)
        return None if counting or multiplied or kept.is_empty else kept

    def spell(self, text: str, language: StringLanguage = StringLanguage.ANY) -> str:
        """A string of the language as the expression of `string_rest` has it, with its quotes."""
        written = json.dumps(text, ensure_ascii=False)
        if language.has_lengths_alone:
            must = any(
                piece.low <= len(text) and counted(self.free, piece.low, piece.high, FEW_STATES) is None
                for piece in language.pieces
            )
        else:
            must = self.kept(language) is None
        return self.spelled(written, must)

    def spelled(self, written: str, must: bool = False) -> str:
        """A JSON text in which the pattern is not found: with escapes where it would be, or (`must`) in any case."""
        if must or not self.free.accepts(written):
            return written.replace(self.character, _escape(self.character))
        return written


def _lossless(reason: str) -> None:
    raise AssertionError(reason)

"""String languages as grammar expressions.

Comes in: a language of strings, unions of automata with bounds on the length. Goes out: an expression of their JSON
texts, and, through `loosen`, a word about every bound that could not be kept. Nothing else is ever loosened.

A string is spelled canonically, but one of which nothing but the length is said has all spellings JSON has, each
escape one character. Member names (`canonical`) never have, so that `\\u0061` cannot stand for a name that is declared.

Each part of the language takes the first form that fits: characters counted; the trie of few words; the pattern as it
was written, bounds pushed into it, when it reads every string in one way and keeps few readings open; its automaton
with the lengths counted in. Where that has too many branches, the pattern is left as it was written, with a word
(`note`) about strings that are then read in several ways.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from schema2gbnf.cache import Cache
from schema2gbnf.closed import assert_never
from schema2gbnf.grammar.ambiguity import is_deterministic_enough, is_unambiguous
from schema2gbnf.grammar.automata import (
    FEW_WORDS,
    MANY_WORDS,
    SPARSE,
    automaton,
    spellable,
    trie_of,
    write_system,
)
from schema2gbnf.grammar.characters import every_spelling, raw, spelled
from schema2gbnf.grammar.drafts import FRAGMENT_SYMBOLS, Draft, Fragment
from schema2gbnf.grammar.equations import MAX_DEPTH, Graph, right_linear
from schema2gbnf.grammar.folding import (
    END,
    REST,
    Spelling,
    broad_loop,
    chain,
    choice,
    items,
    nonempty,
    rest_chars,
    rest_of,
    spell,
    times,
    weight,
)
from schema2gbnf.grammar.parts import HEAVY, divided
from schema2gbnf.grammar.repetition import repetition, until
from schema2gbnf.grammar.rules import EMPTY, NOTHING, Alternation, CharClass, Expr, Literal, Ref, alternation, sequence
from schema2gbnf.languages import dfa
from schema2gbnf.languages.charset import SURROGATES, TEXT, CharSet
from schema2gbnf.languages.dfa import Dfa
from schema2gbnf.languages.ecma import parse
from schema2gbnf.languages.formats import PARTS
from schema2gbnf.languages.regex import Chars, Choice, Concat, End, Look, Regex, Start, WordBoundary
from schema2gbnf.languages.regex import Repeat as Counter
from schema2gbnf.languages.strings import Piece, StringLanguage, Writing, counted, push_down

STATES = 2000
"""The most states an automaton is given for its bounds on the length."""

LARGE_UNION = 100
"""The states from which a union is rather printed as the regexes it is made of, which keep more readings open."""

MANY_STEPS = 1200
MANY_BRANCHES = 5
"""The steps of an automaton, and those from a state on average, beyond which a pattern is rather printed as written.

Of states that tell six letters apart the engine tries a token in so many ways that a mask takes four times as long,
of twelve thirty times as long; up to four it takes as long as with the pattern as written.
"""

CORE_SHARE = 10
"""How many times as many states an automaton may have of itself."""

STRING, STRING_REST, PLAIN_REST = "string", "string-rest", "plain-rest"
SHARED = (STRING, STRING_REST, PLAIN_REST)
"""Names of the rules that many others share, in the order they are best printed."""

QUOTE = Literal('"')

Loosen = Callable[[str], None]


def unheard(reason: str) -> None:
    """Where nobody is to be told."""


def string(
    language: StringLanguage,
    draft: Draft,
    hint: str,
    *,
    canonical: bool = False,
    limit: int = STATES,
    loosen: Loosen,
) -> Expr:
    """The strings of the language, with their quotes.

    >>> string(StringLanguage.of_lengths(0, 3), Draft(), "short", loosen=print)
    Sequence(parts=(Literal(text='"'), Repeat(item=Ref(name='char'), low=0, high=3), Literal(text='"')))
    """
    rest = string_rest(language, draft, hint, canonical=canonical, limit=limit, loosen=loosen)
    whole = sequence(QUOTE, rest)
    return draft.share(STRING, whole) if rest == Ref(STRING_REST) else whole


def string_rest(
    language: StringLanguage,
    draft: Draft,
    hint: str,
    *,
    canonical: bool = False,
    limit: int = STATES,
    loosen: Loosen,
    note: Loosen = unheard,
    spelling: Spelling | None = None,
) -> Expr:
    """What stands behind the opening quote: the characters and the closing quote.

    The closing quote is an option like any other, tried before the characters that would go on: a third less time.
    """
    return _printed(language, _Manner(hint, canonical, limit, spelling or QUOTED), draft, loosen, note)


def string_body(
    language: StringLanguage,
    draft: Draft,
    hint: str,
    *,
    canonical: bool = False,
    limit: int = STATES,
    loosen: Loosen,
) -> Expr:
    """The characters between the quotes."""
    return _printed(language, _Manner(hint, canonical, limit, BARE), draft, loosen)


def raw_text(
    language: StringLanguage, draft: Draft, hint: str, *, limit: int = STATES, loosen: Loosen, note: Loosen = unheard
) -> Expr:
    """The strings of the language as they are: no quotes, no escapes, so no JSON."""
    return _printed(language, _Manner(hint, True, limit, RAW), draft, loosen, note)


def any_rest(draft: Draft, *, canonical: bool) -> Expr:
    """Any characters and the closing quote."""
    return until(any_char(draft, canonical=canonical), QUOTE, draft, PLAIN_REST if canonical else STRING_REST)


def any_char(draft: Draft, *, canonical: bool) -> Expr:
    """Any character in its canonical spelling, or in all its spellings."""
    return spelled(TEXT, draft) if canonical else every_spelling(draft)


def rest(chars: CharSet, draft: Draft) -> Expr:
    """Any number of these characters, in their canonical spelling, and the closing quote."""
    char = spelled(chars, draft)
    if isinstance(char, Ref):
        return until(char, QUOTE, draft, f"{char.name.removesuffix('-char')}-rest")
    digest = hashlib.sha256(repr(chars).encode()).hexdigest()
    return until(char, QUOTE, draft, f"rest-{digest[:4]}")


BARE, QUOTED, RAW = Spelling(spelled), Spelling(spelled, QUOTE, rest), Spelling(raw)


@dataclass(frozen=True, slots=True)
class _Manner:
    """How a language is printed: all that its expression and the names of its rules depend on beside itself."""

    hint: str
    canonical: bool
    limit: int
    spelling: Spelling


def _printed(language: StringLanguage, manner: _Manner, draft: Draft, loosen: Loosen, note: Loosen = unheard) -> Expr:
    """The language as it was printed before, where its rules can have the same names here, or printed now."""
    if language.is_universal:
        return _Printer(manner, draft, loosen, note).language(language)
    key = language, language.written, manner
    found = _PRINTED.get(key)
    if found is None:
        losses: list[str] = []
        notes: list[str] = []
        fragment = Draft.fragment(lambda apart: _Printer(manner, apart, losses.append, notes.append).language(language))
        found = fragment, tuple(losses), tuple(notes)
        _PRINTED.put(key, found, fragment.size)
    fragment, *told = found
    for tell, reasons in zip((loosen, note), told, strict=True):
        for reason in reasons:
            tell(reason)
    return draft.bring(fragment) or _Printer(manner, draft, unheard, unheard).language(language)


_PRINTED: Cache[
    tuple[StringLanguage, tuple[Writing, ...], _Manner], tuple[Fragment, tuple[str, ...], tuple[str, ...]]
] = Cache(FRAGMENT_SYMBOLS)


@dataclass(frozen=True, slots=True)
class _Printer:
    """Prints one language, with its ending or, when the manner has none, bare."""

    manner: _Manner
    draft: Draft
    loosen: Loosen
    note: Loosen

    def language(self, language: StringLanguage) -> Expr:
        if language.is_universal:
            return self._free(0, None)
        words = language.words(MANY_WORDS)
        trie = trie_of(words) if words else None
        if trie is not None and weight(trie) <= SPARSE * language.size():
            return spell(
                _ended(trie) if self.manner.spelling.end else trie, self.manner.spelling, self.draft, self.manner.hint
            )
        if words is not None and len(words) <= FEW_WORDS:
            return self._automaton(dfa.of_words(words))
        return alternation(*(self._piece(piece) for piece in language.pieces))

    def _piece(self, piece: Piece) -> Expr:
        if piece.core.is_universal:
            return self._free(piece.low, piece.high)
        written = self._written(piece)
        if written is not None and is_unambiguous(written):
            return self._spelled(written, piece)
        core = self._counted(piece)
        if core is not None and (written is None or _is_handy(core)):
            return self._automaton(core)
        if written is not None:
            self.note("some strings are read in several ways: telling them apart takes too many rules or branches")
            return self._spelled(written, piece)
        return self._symbolic(piece) or self._loosened(piece)

    def _free(self, low: int, high: int | None) -> Expr:
        """Any characters, so many."""
        spelling, canonical = self.manner.spelling, self.manner.canonical
        own = spelling.char is not spelled
        char = spelling.char(TEXT, self.draft) if own else any_char(self.draft, canonical=canonical)
        if spelling.end is None or high is not None:
            return sequence(repetition(char, low, high, self.draft, self.manner.hint), spelling.end or EMPTY)
        if own and spelling.rest is not None:
            rest = spelling.rest(TEXT, self.draft)
        else:
            rest = any_rest(self.draft, canonical=canonical)
        return sequence(repetition(char, low, low, self.draft, self.manner.hint), rest)

    def _written(self, piece: Piece) -> Expr | None:
        """The regex as it is written, unless it keeps many readings open, or is that of a small union."""
        if piece.joined and len(piece.core.moves) < LARGE_UNION:
            return None
        pushed = push_down(piece)
        tree = piece.plain if pushed is None and (piece.low, piece.high) == (1, None) else pushed
        if tree is None or _is_deep(tree):
            return None
        expr = expression_of(tree) if pushed is not None else nonempty(expression_of(tree))
        return expr if is_deterministic_enough(expr) else None

    def _spelled(self, expr: Expr, piece: Piece) -> Expr:
        """A regex in print, what has a name or is written twice a rule."""
        spelling, hint = self.manner.spelling, self.manner.hint
        expr = _ended(expr) if spelling.end else expr
        if weight(expr) < HEAVY:
            return spell(expr, spelling, self.draft, hint)
        whole, parts = divided(expr, {named_part(name): name for name in piece.parts})
        names: dict[Ref, Ref] = {}
        for part in parts:
            body = spell(part.body, spelling, self.draft, hint, names)
            names[part.placeholder] = self.draft.share(part.name or f"{hint}-part", body)
        return spell(whole, spelling, self.draft, hint, names)

    def _counted(self, piece: Piece) -> Dfa | None:
        """The automaton with its lengths multiplied in, within the limit."""
        limit = self.manner.limit if piece.is_bounded else self.manner.limit * CORE_SHARE
        core = counted(piece, self.manner.limit)
        return None if core is None or len(core.moves) > limit else core

    def _symbolic(self, piece: Piece) -> Expr | None:
        """The automaton with its lengths multiplied in up to where anything may follow, and counted in blocks there."""
        if not piece.is_bounded:
            return None
        graph = _until_free(spellable(piece.core), piece.low, piece.high, self.manner.limit)
        if graph is None:
            return None

        def identity() -> str:
            return f"{piece.core!r} {piece.low} {piece.high}"

        system = right_linear(graph if self.manner.spelling.end else graph.without_end())
        return write_system(system, identity, self.manner.spelling, self.draft, self.manner.hint)

    def _loosened(self, piece: Piece) -> Expr:
        """What is left of the piece when bounds on its length are given up, the upper one first."""
        if len(piece.core.moves) > self.manner.limit * CORE_SHARE:
            self.loosen(f"a pattern takes more than {self.manner.limit * CORE_SHARE} states")
            return self._free(piece.low, piece.high)
        if piece.high is not None:
            self.loosen(
                f"at most {piece.high} characters, counted in a pattern, take more than {self.manner.limit} states"
            )
            return self._piece(Piece(piece.core, piece.low, None, piece.plain))
        self.loosen(f"at least {piece.low} characters, counted in a pattern, take more than {self.manner.limit} states")
        return self._piece(Piece(piece.core, 0, None, piece.plain))

    def _automaton(self, core: Dfa) -> Expr:
        return automaton(core, self.manner.spelling, self.draft, self.manner.hint)


@lru_cache(maxsize=64)
def named_part(name: str) -> Expr:
    """A part of formats that has a name, as it is before characters are spelled."""
    return expression_of(parse(PARTS[name]).tree)


# -- patterns --------------------------------------------------------------------------------------------------------


def _is_deep(tree: Regex) -> bool:
    """Whether a regex is nested deeper than an expression may be."""
    layer = [tree]
    for _ in range(MAX_DEPTH):
        layer = [inner for node in layer for inner in _inner(node)]
        if not layer:
            return False
    return True


def _inner(tree: Regex) -> tuple[Regex, ...]:
    match tree:
        case Concat(parts) | Choice(parts):
            return parts
        case Counter(item) | Look(item=item):
            return (item,)
        case _:
            return ()


def expression_of(tree: Regex) -> Expr:
    """The expression that says what the regex says, in its order."""
    match tree:
        case Chars(chars):
            chars = chars - SURROGATES if chars & SURROGATES else chars
            return CharClass(chars) if chars else NOTHING
        case Concat(parts):
            return chain(*map(expression_of, parts))
        case Choice(options):
            # As it was written: ends in common are not looked for.
            return choice(*map(expression_of, options), sides=(0,))
        case Counter(item, low, high):
            return times(expression_of(item), low, high)
        case Start() | End() | WordBoundary() | Look():
            raise ValueError("a plain regex has no anchors and no look-around")
        case _:
            assert_never(tree)


def _ended(expr: Expr) -> Expr:
    """The expression with its end behind it, as `REST` where anything may come before."""
    *before, last = items(expr) or (EMPTY,)
    loop = broad_loop(last)
    if loop is not None:
        return chain(*before, times(CharClass(loop[0]), loop[1], loop[1]), rest_of(loop[0]))
    if isinstance(last, Alternation):
        ended = [_ended(option) for option in last.options]
        if any(rest_chars(items(option)[-1]) for option in ended):
            return chain(*before, choice(*ended, sides=(-1,)))
    return chain(expr, END)


def _is_handy(core: Dfa) -> bool:
    """Whether the automaton has few steps, and few from each state."""
    rows = core.edges()
    steps = sum(map(len, rows.values()))
    return steps <= MANY_STEPS and steps <= MANY_BRANCHES * len(rows)


# -- lengths ---------------------------------------------------------------------------------------------------------


def _until_free(core: Dfa, low: int, high: int | None, limit: int) -> Graph | None:
    """The automaton with the number of characters read, where anything may follow replaced by so many of it.

    None past `limit` states: unless all loops are such places, the numbers are too many.
    """
    whole = Graph.of(core)
    if 0 not in whole.rows:
        return None
    numbers: dict[tuple[int, int], int] = {(0, 0): 0}
    todo = [(0, 0)]
    rows: dict[int, dict[int, CharSet]] = {}
    exits: dict[int, Expr] = {}
    for state, length in todo:  # grows while it is read
        number = numbers[state, length]
        rows[number] = {}
        more = None if high is None else high - length
        way_out = whole.exits.get(state)
        if way_out == REST:
            least = max(low - length, 0)
            most, way_out = (least, REST) if more is None else (more, END)
            exits[number] = chain(times(CharClass(TEXT), least, most), way_out)
        elif way_out is not None and length >= low:
            exits[number] = END
        for target, chars in whole.rows[state].items() if more != 0 else ():
            if (target, length + 1) not in numbers:
                if len(numbers) >= limit:
                    return None
                numbers[target, length + 1] = len(numbers)
                todo.append((target, length + 1))
            rows[number][numbers[target, length + 1]] = chars
    return Graph(rows, exits)

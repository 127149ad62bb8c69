"""Numbers as grammar expressions.

Comes in: a language of plain decimals, or none for any JSON number at all. Goes out: an expression of its texts with a
cap on the digits before and after the point, never tighter than what the constants of the language need.
"""

from __future__ import annotations

from schema2gbnf.cache import Cache
from schema2gbnf.grammar.automata import shortest_system, write_system
from schema2gbnf.grammar.characters import raw
from schema2gbnf.grammar.digits import capped
from schema2gbnf.grammar.drafts import FRAGMENT_SYMBOLS, Draft, Fragment
from schema2gbnf.grammar.equations import Graph
from schema2gbnf.grammar.folding import Spelling
from schema2gbnf.grammar.repetition import repetition
from schema2gbnf.grammar.rules import NOTHING, CharClass, Expr, Literal, Ref, alternation, repeat, sequence
from schema2gbnf.languages.charset import DIGIT, CharSet
from schema2gbnf.languages.decimals import INTEGERS, Digits, NumberLanguage

INTEGRAL_CAP, FRACTION_CAP = 64, 32

NUMBER, INTEGER, FRACTION, EXPONENT = "number", "integer", "fraction", "exponent"
SHARED = (INTEGER, NUMBER, FRACTION, EXPONENT, f"large-{EXPONENT}")
"""Names of the rules that many others share, in the order they are best printed."""

LARGEST_EXPONENT = 308

_DIGIT = CharClass(DIGIT)
_LEADING = CharClass(CharSet.span("1", "9"))
_ONE_TWO = CharClass(CharSet.of("12"))
_E = CharClass(CharSet.of("eE"))
_PLUS = repeat(Literal("+"), 0, 1)


def number(
    language: NumberLanguage | None,
    draft: Draft,
    hint: str,
    *,
    integral_cap: int = INTEGRAL_CAP,
    fraction_cap: int = FRACTION_CAP,
) -> Expr:
    """The numbers of the language, or every JSON number; `hint` names the rules that a language needs.

    >>> from schema2gbnf.languages.decimals import at_least
    >>> number(at_least(0, exclusive=False) & INTEGERS, Draft(), "count")  # doctest: +NORMALIZE_WHITESPACE
    Alternation(options=(Literal(text='0'),
                         Sequence(parts=(CharClass(chars=CharSet([1-9])),
                                         Repeat(item=CharClass(chars=CharSet([0-9])), low=0, high=63)))))
    """
    if language is None:
        return any_number(draft, integral_cap, fraction_cap)
    key = language, language.digits, hint, integral_cap, fraction_cap
    fragment = _PRINTED.get(key)
    if fragment is None:
        fragment = Draft.fragment(lambda apart: _printed(language, apart, hint, integral_cap, fraction_cap))
        _PRINTED.put(key, fragment, fragment.size)
    return draft.bring(fragment) or _printed(language, draft, hint, integral_cap, fraction_cap)


_PRINTED: Cache[tuple[NumberLanguage, Digits, str, int, int], Fragment] = Cache(FRAGMENT_SYMBOLS)


def _printed(language: NumberLanguage, draft: Draft, hint: str, integral_cap: int, fraction_cap: int) -> Expr:
    language = language.plain()
    caps = Digits(max(integral_cap, language.digits.integral), max(fraction_cap, language.digits.fraction))

    def make() -> Expr:
        graph = capped(Graph.of(language.dfa).without_end(), caps)
        return write_system(shortest_system(graph), lambda: f"{language.dfa!r} {caps}", Spelling(raw), draft, hint)

    expr = draft.once((language.dfa, caps), make)
    return draft.share(INTEGER, expr) if language == INTEGERS else expr


def any_number(draft: Draft, integral_cap: int = INTEGRAL_CAP, fraction_cap: int = FRACTION_CAP) -> Ref:
    """Every JSON number within the caps, with an exponent that keeps it below the largest double, about 1.8e308.

    A number of many digits has an exponent of two; one with a single digit before the point has all that Python's
    `repr` writes. From 1.79e308 on there is only the largest double itself.
    """
    ref = draft.once(("any number", integral_cap, fraction_cap), lambda: _any_number(draft, integral_cap, fraction_cap))
    assert isinstance(ref, Ref)
    return ref


def _any_number(draft: Draft, integral_cap: int, fraction_cap: int) -> Ref:
    integral_cap = min(max(1, integral_cap), LARGEST_EXPONENT)
    fraction_cap = max(1, fraction_cap)
    fraction = draft.share(FRACTION, sequence(Literal("."), repeat(_DIGIT, 1, fraction_cap)))
    exponent = draft.share(EXPONENT, sequence(_E, alternation(*_exponents(LARGEST_EXPONENT - integral_cap))))
    large = alternation(sequence(_ONE_TWO, repeat(_DIGIT, 2, 2)), sequence(Literal("30"), _up_to(7)))
    large_exponent = draft.share(f"large-{EXPONENT}", sequence(_E, _PLUS, large))

    tail = sequence(repeat(fraction, 0, 1), repeat(exponent, 0, 1))
    one = sequence(repeat(fraction, 0, 1), repeat(alternation(exponent, large_exponent), 0, 1))
    many = sequence(repetition(_DIGIT, 1, integral_cap - 1, draft, "digit"), tail) if integral_cap > 1 else NOTHING
    most = alternation(
        sequence(_up_to(6), repeat(_DIGIT, 0, fraction_cap - 1)),
        sequence(Literal("7"), repeat(sequence(_up_to(8), repeat(_DIGIT, 0, max(fraction_cap - 2, 0))), 0, 1)),
        Literal("7976931348623157"),
    )
    largest = sequence(Literal("1"), repeat(sequence(Literal("."), most), 0, 1), _E, _PLUS, Literal("308"))
    body = alternation(sequence(Literal("0"), tail), largest, sequence(_LEADING, alternation(one, many)))
    return draft.share(NUMBER, sequence(repeat(Literal("-"), 0, 1), body))


def _exponents(most: int) -> list[Expr]:
    """The exponents, down to that of the smallest double, and up to one, two or no digits, as many as `most` allows."""
    low = alternation(sequence(_up_to(1), _DIGIT), sequence(Literal("2"), _up_to(4)))
    small = alternation(repeat(_DIGIT, 1, 2), sequence(_ONE_TWO, repeat(_DIGIT, 2, 2)), sequence(Literal("3"), low))
    digits = 2 if most >= 99 else 1 if most >= 9 else 0
    positive = repeat(_DIGIT, 1, digits) if digits else Literal("0")
    return [sequence(_PLUS, positive), sequence(Literal("-"), small)]


def _up_to(digit: int) -> Expr:
    return CharClass(CharSet.span("0", str(digit)))

"""Folded expressions say what the unfolded ones say, in no more ways."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from schema2gbnf.grammar.folding import (
    ANYTHING,
    END,
    REST,
    broad_loop,
    chain,
    choice,
    depth,
    loop_body,
    nonempty,
    nullable,
    optional,
    rest_chars,
    rest_of,
    star,
    substitute,
    times,
    without_end,
)
from schema2gbnf.grammar.rules import (
    EMPTY,
    NOTHING,
    Alternation,
    CharClass,
    Expr,
    Grammar,
    Ref,
    Repeat,
    Sequence,
)
from schema2gbnf.languages.charset import TEXT, CharSet
from tests.grammar.readings import readings

A, B, C = (CharClass(CharSet.of(c)) for c in "abc")
WORDS = ["".join(word) for size in range(5) for word in itertools.product("abc", repeat=size)]

letters = st.sampled_from([A, B, C, CharClass(CharSet.of("ab"))])
expressions = st.recursive(
    letters | st.just(EMPTY),
    lambda inner: st.one_of(
        st.lists(inner, min_size=1, max_size=3).map(lambda parts: Sequence(tuple(parts))),
        st.lists(inner, min_size=1, max_size=3).map(lambda options: Alternation(tuple(options))),
        inner.map(lambda item: item if nullable(item) else Repeat(item, 0, 1)),
        inner.map(lambda item: item if nullable(item) else Repeat(item, 0, None)),
        inner.map(lambda item: item if nullable(item) else Repeat(item, 1, 2)),
    ),
    max_leaves=7,
)


def folded(expr: Expr) -> Expr:
    match expr:
        case Sequence(parts):
            return chain(*map(folded, parts))
        case Alternation(options):
            return choice(*map(folded, options))
        case Repeat(item, low, high):
            return times(folded(item), low, high)
        case _:
            return expr


def ways(expr: Expr) -> list[int]:
    grammar = Grammar({"root": expr})
    return [readings(grammar, word) for word in WORDS]


@settings(deadline=None, max_examples=150)
@given(expressions)
def test_folding_keeps_the_texts_and_adds_no_reading(expr: Expr) -> None:
    for before, after in zip(ways(expr), ways(folded(expr)), strict=True):
        assert (after > 0) == (before > 0)
        assert after <= before


def test_what_may_be_empty_is_not_counted() -> None:
    options = Alternation((Repeat(A, 0, 1), Repeat(Sequence((B, C)), 0, 1)))
    assert chain(options, options) == Sequence((options, options))


@settings(deadline=None, max_examples=100)
@example(Sequence((Alternation((A, Sequence(()))), Alternation((Sequence(()),)))))
@given(expressions)
def test_nonempty_leaves_out_the_empty_text_alone(expr: Expr) -> None:
    before, after = ways(expr), ways(nonempty(expr))
    assert after[0] == 0
    assert [n > 0 for n in after[1:]] == [n > 0 for n in before[1:]]


@settings(deadline=None, max_examples=100)
@given(expressions)
def test_a_star_reads_what_repetition_reads(expr: Expr) -> None:
    assert not nullable(loop_body(expr))
    again = star(nonempty(expr))
    assert [n > 0 for n in ways(star(expr))] == [n > 0 for n in ways(again)]


@pytest.mark.parametrize(
    ("expr", "short"),
    [
        (chain(A, star(A)), Repeat(A, 1, None)),
        (chain(A, Repeat(A, 2, 3)), Repeat(A, 3, 4)),
        (chain(A, optional(chain(A, optional(A)))), Repeat(A, 1, 3)),
        (chain(A, B, star(chain(A, B))), Repeat(Sequence((A, B)), 1, None)),
        (chain(ANYTHING, Repeat(A, 2, 5)), Sequence((ANYTHING, Repeat(A, 2, 2)))),
        (chain(Repeat(A, 1, None), ANYTHING), Sequence((A, ANYTHING))),
        (choice(A, B), CharClass(CharSet.of("ab"))),
        (choice(chain(A, C), chain(B, C)), Sequence((CharClass(CharSet.of("ab")), C))),
        (choice(chain(A, B), chain(A, C)), Sequence((A, CharClass(CharSet.of("bc"))))),
        (choice(chain(C, Ref("x")), Ref("x")), Sequence((Repeat(C, 0, 1), Ref("x")))),
        (
            choice(B, chain(A, choice(B, chain(A, Ref("x"))))),
            Alternation((Sequence((Repeat(A, 2, 2), Ref("x"))), Sequence((Repeat(A, 0, 1), B)))),
        ),
        (
            choice(chain(B, C), chain(A, choice(chain(A, A, Ref("x")), chain(optional(A), B, C)))),
            Alternation((Sequence((Repeat(A, 3, 3), Ref("x"))), Sequence((Repeat(A, 0, 2), B, C)))),
        ),
        (times(optional(A), 2, 3), Repeat(A, 0, 3)),
        (star(Repeat(A, 1, 3)), Repeat(A, 0, None)),
        (choice(NOTHING, A), A),
        (chain(NOTHING, A), NOTHING),
        (times(EMPTY, 2, 9), EMPTY),
        (chain(Sequence((A, EMPTY)), A), Repeat(A, 2, 2)),
    ],
    ids=repr,
)
def test_known_foldings(expr: Expr, short: Expr) -> None:
    assert expr == short


def test_placeholders_tell_their_characters() -> None:
    chars = TEXT - CharSet.of("\n")
    assert rest_chars(rest_of(chars)) == chars
    assert rest_chars(END) is rest_chars(Ref("restless")) is rest_chars(A) is None
    assert without_end(Sequence((A, REST))) == Sequence((A, ANYTHING))
    assert without_end(Alternation((END, Sequence((A, END))))) == Repeat(A, 0, 1)


def test_only_many_characters_are_a_broad_loop() -> None:
    assert broad_loop(ANYTHING) == (TEXT, 0)
    assert broad_loop(star(A)) is broad_loop(Repeat(CharClass(TEXT), 0, 9)) is None


def test_substitution_folds_again() -> None:
    assert substitute(Sequence((A, Ref("x"))), Ref("x"), star(A)) == Repeat(A, 1, None)


def test_depth_is_found_without_recursion() -> None:
    expr: Expr = A
    for _ in range(100_000):
        expr = Repeat(expr, 0, 1)
    assert depth(expr) == 100_001
    while isinstance(expr, Repeat):  # taken apart by hand: the interpreter would recurse to free it
        expr = expr.item

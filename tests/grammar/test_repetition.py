"""Repetitions hold exactly the counts they are asked for, each in one way, in forms that the engine takes."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schema2gbnf.gbnf.write import write
from schema2gbnf.grammar import repetition as module
from schema2gbnf.grammar.drafts import Draft
from schema2gbnf.grammar.repetition import repetition, until
from schema2gbnf.grammar.rules import EMPTY, Alternation, CharClass, Expr, Literal, Ref, Repeat, Sequence, sequence
from schema2gbnf.languages.charset import CharSet
from tests.engine import Engine
from tests.grammar.readings import accepts, drafted, printed, readings

X = CharClass(CharSet.of("x"))
Intervals = list[tuple[int, int | None]]


def counts(expr: Expr, rules: dict[str, Expr]) -> Intervals:
    """The numbers of x that an expression of nothing but x can be, as disjoint intervals in order."""
    match expr:
        case CharClass():
            return [(1, 1)]
        case Literal(text):
            return [(len(text), len(text))]
        case Ref(name):
            return counts(rules[name], rules)
        case Sequence(parts):
            total: Intervals = [(0, 0)]
            for part in parts:
                total = merged([plus(a, b) for a in total for b in counts(part, rules)])
            return total
        case Alternation(options):
            return merged([interval for option in options for interval in counts(option, rules)])
        case Repeat(item, low, high):
            [(each, most)] = counts(item, rules)
            assert each == most, "what is counted has one size"
            if each == 1 or low == high:
                return [(each * low, None if high is None else each * high)]
            assert high is not None
            return [(each * count, each * count) for count in range(low, high + 1)]


def plus(a: tuple[int, int | None], b: tuple[int, int | None]) -> tuple[int, int | None]:
    return a[0] + b[0], None if a[1] is None or b[1] is None else a[1] + b[1]


def merged(intervals: Intervals) -> Intervals:
    done: Intervals = []
    for low, high in sorted(intervals, key=lambda interval: interval[0]):
        if done and (done[-1][1] is None or low <= done[-1][1] + 1):
            last = done[-1][1]
            done[-1] = (done[-1][0], None if last is None or high is None else max(last, high))
        else:
            done.append((low, high))
    return done


def repeats(expr: Expr) -> list[Repeat]:
    match expr:
        case Repeat(item):
            return [expr, *repeats(item)]
        case Sequence(parts) | Alternation(parts):
            return [found for part in parts for found in repeats(part)]
        case _:
            return []


BOUNDS = [0, 1, 2, 250, 1999, 2000, 2001, 2249, 2250, 4999, 65_536, 499_999, 500_249, 500_250, 1_000_000, 62_500_000]


@pytest.mark.parametrize("high", [*BOUNDS, None])
@pytest.mark.parametrize("low", [0, 1, 7, 2001, 1_000_000])
def test_any_bounds_are_exact(low: int, high: int | None) -> None:
    if high is not None and high < low:
        high += low
    draft = Draft()
    expr = repetition(X, low, high, draft, "x")
    assert counts(expr, draft.rules) == [(low, high)]
    assert len(repr(expr)) + len(repr(draft.rules)) < 4000
    for each in [each for body in (expr, *draft.rules.values()) for each in repeats(body)]:
        assert max(each.low, each.high or 0) <= module.DIRECT
        assert isinstance(each.item, Ref | CharClass | Literal)


def test_a_bound_of_any_size_is_written_at_once() -> None:
    draft = Draft()
    expr = repetition(X, 10**30, 10**60, draft, "x")
    assert len(repr(expr)) + len(repr(draft.rules)) < 60_000


@settings(deadline=None, max_examples=40)
@given(low=st.integers(0, 60), more=st.integers(0, 90))
def test_every_count_has_one_reading(low: int, more: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "DIRECT", 8)
        patch.setattr(module, "BLOCK", 3)
        grammar = drafted(lambda draft: repetition(X, low, low + more, draft, "x"))
    for count in {0, 1, low - 1, low, low + 1, low + more // 2, low + more - 1, low + more, low + more + 1} - {-1}:
        assert readings(grammar, "x" * count) == (low <= count <= low + more), count


@pytest.mark.parametrize(
    ("low", "high", "text"),
    [
        (0, None, "root ::= [x]*\n"),
        (1, None, "root ::= [x]+\n"),
        (0, 1, "root ::= [x]?\n"),
        (2, 2, "root ::= [x]{2}\n"),
        (0, 2000, "root ::= [x]{0,2000}\n"),
        (3, None, "root ::= [x]{3,}\n"),
        (0, 5000, "root ::= x-250{0,19} [x]{0,249} | x-250{20}\nx-250 ::= [x]{250}\n"),
        (0, 4999, "root ::= x-250{0,19} [x]{0,249}\nx-250 ::= [x]{250}\n"),
        (5000, None, "root ::= x-250{20} [x]*\nx-250 ::= [x]{250}\n"),
    ],
)
def test_the_form_is_plain(low: int, high: int | None, text: str) -> None:
    assert printed(lambda draft: repetition(X, low, high, draft, "x")) == text


def test_only_what_engines_count_is_counted() -> None:
    group = sequence(X, CharClass(CharSet.of("yz")))
    assert printed(lambda d: repetition(group, 2, 3, d, "pair")) == "root ::= pair{2,3}\npair ::= [x] [yz]\n"
    assert printed(lambda d: repetition(group, 0, None, d, "pair")) == "root ::= ([x] [yz])*\n"


def test_no_repetition_is_nothing() -> None:
    assert repetition(X, 0, 0, Draft(), "x") == EMPTY


def test_until_reads_what_follows_first() -> None:
    text = 'root ::= rest\nrest ::= "!" | [x] rest\n'
    assert printed(lambda draft: until(X, Literal("!"), draft, "rest")) == text
    assert accepts(lambda draft: until(X, Literal("!"), draft, "rest"), "!", "xx!", "xx", "!x") == [
        True,
        True,
        False,
        False,
    ]


def test_equal_ends_are_one_rule() -> None:
    draft = Draft()
    assert until(X, Literal("!"), draft, "a") == until(X, Literal("!"), draft, "b")


@pytest.mark.parametrize(("low", "high"), [(0, 2000), (0, 2001), (0, 5003), (4001, 4003), (2500, None)])
def test_the_engine_counts_alike(low: int, high: int | None) -> None:
    with Engine() as engine:
        grammar = engine.load(write(drafted(lambda draft: repetition(X, low, high, draft, "x"))))
        assert grammar is not None
        for count in (low - 1, low, low + 1, *(() if high is None else (high - 1, high, high + 1))):
            if count >= 0:
                assert engine.accepts(grammar, "x" * count) == (low <= count and (high is None or count <= high)), count


def test_a_million_loads_at_once() -> None:
    with Engine() as engine:
        text = write(drafted(lambda draft: repetition(X, 1, 1_000_000, draft, "x")))
        start = time.thread_time()
        assert engine.load(text) is not None
        assert time.thread_time() - start < 0.1

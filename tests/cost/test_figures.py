"""The figures that a grammar costs, against what can be counted by hand, and against llama.cpp's clock."""

from __future__ import annotations

import time

import pytest

from schema2gbnf.cost import Load, Spread, cost
from schema2gbnf.gbnf import LeftRecursionError, parse
from tests.engine import Engine


@pytest.mark.parametrize(
    ("gbnf", "text", "readings", "branches"),
    [
        ('root ::= "abc"', "abc", Spread(1.0, 1), Spread(1.0, 1)),
        ('root ::= "ab" | "ac" | "ad"', "ab", Spread(1.67, 3), Spread(2.33, 3)),
        ('root ::= "a" [b-d]', "ab", Spread(1.0, 1), Spread(1.0, 1)),
        ("root ::= [ab]* [bc]*", "bb", Spread(1.67, 2), Spread(3.0, 3)),
        ('root ::= "{" root "}" | "{" root "]" | "x"', "{{{x", Spread(4.6, 8), Spread(10.6, 24)),
    ],
)
def test_readings_and_branches(gbnf: str, text: str, readings: Spread, branches: Spread) -> None:
    found = cost(parse(gbnf), [text])
    assert (found.readings, found.branches) == (readings, branches)


def test_a_refused_text_counts_up_to_where_it_is_refused() -> None:
    assert cost(parse('root ::= "abc"'), ["abx", "c", ""]).positions == 3 + 1 + 1


def test_texts_are_made_up_where_none_is_given() -> None:
    grammar = parse('root ::= "[" ([0-9]+ ("," [0-9]+)*)? "]"')
    assert cost(grammar) == cost(grammar)
    assert cost(grammar).positions > 50


@pytest.mark.parametrize(
    ("gbnf", "load"),
    [
        ('root ::= "ab"', Load(1, 3, 9)),
        ('root ::= ("a" | "b")', Load(1, 4, 12)),
        ('root ::= "x" ("a" | "b")', Load(2, 7, 21)),
        ('root ::= "a"?', Load(2, 5, 15)),
        ('root ::= "a"{3}', Load(1, 4, 12)),
        ('root ::= [^"\\\\]*', Load(2, 7, 21)),
        ("root ::= [a-z]{0,2000}", Load(2001, 2 + 4 + 1999 * 5, 3 * 10001)),
    ],
)
def test_what_llama_cpp_makes_of_a_grammar(gbnf: str, load: Load) -> None:
    assert Load.of(parse(gbnf)) == load


def fan(levels: int) -> str:
    rules = [f'r{n} ::= r{n + 1} "a" | r{n + 1} "b"' for n in range(levels)]
    return "\n".join(['root ::= "x" r0', *rules, f'r{levels} ::= "c"', ""])


def test_steps_double_with_each_level_of_shared_left_corners() -> None:
    few, more = Load.of(parse(fan(10))).steps, Load.of(parse(fan(14))).steps
    assert 15 < more / few < 17


def test_steps_foretell_the_time_that_llama_cpp_needs(engine: Engine) -> None:
    def seconds(levels: int) -> float:
        times = []
        for _ in range(3):
            start = time.thread_time()
            assert engine.load(fan(levels)) is not None
            times.append(time.thread_time() - start)
        return min(times)

    expected = Load.of(parse(fan(18))).steps / Load.of(parse(fan(15))).steps
    assert expected / 3 < seconds(18) / seconds(15) < expected * 3


@pytest.mark.parametrize("gbnf", ['root ::= root "a" | "b"', 'root ::= "a"? x\nx ::= root "b" | "c"'])
def test_left_recursion_is_refused(gbnf: str) -> None:
    with pytest.raises(LeftRecursionError):
        Load.of(parse(gbnf))
    with pytest.raises(LeftRecursionError):
        cost(parse(gbnf), ["b"])


def test_no_grammar_makes_the_count_run_away() -> None:
    many = "\n".join(f"r{n} ::= [a-z]{{0,2000}}" for n in range(600))
    gbnf = f"root ::= {' '.join(f'r{n}' for n in range(600))}\n{many}\n"
    assert Load.of(parse(gbnf)).symbols < 600_000

"""Engines: the own matcher, and llama.cpp in a child that may die, come late and be replaced."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator

import pytest

from schema2gbnf.gbnf import Matcher, parse
from schema2gbnf.verification.engines import Engine, EngineDownError, GrammarRefusedError
from schema2gbnf.verification.engines.child import LlamaCpp
from schema2gbnf.verification.engines.own import Own
from tests.engine import require_engine

GBNF = 'root ::= "[" (item ("," item)*)? "]"\nitem ::= "é" | "\\"" [^"]{2,3} "\\"" | root\n'
GREEDY = 'root ::= "a"{3,2}'
"""A grammar on which llama.cpp allocates until there is no memory left."""
ENDLESS = "root ::= x0\n" + "".join(f'x{i} ::= x{i + 1} "a" | x{i + 1} "b"\n' for i in range(40)) + 'x40 ::= "c"'
"""A grammar whose left corners llama.cpp walks 2^40 times."""


@pytest.fixture(scope="module")
def child() -> Iterator[LlamaCpp]:
    require_engine()
    with LlamaCpp(seconds=60) as engine:
        yield engine


@pytest.fixture(params=["own", "llama.cpp"])
def engine(request: pytest.FixtureRequest) -> Engine:
    found: Engine = Own() if request.param == "own" else request.getfixturevalue("child")
    return found


def test_texts_are_accepted_and_refused(engine: Engine) -> None:
    engine.load(GBNF)
    for text in ("[]", "[é]", '["ab","🙂🙂🙂"]', "[[],[é,[]]]"):
        assert engine.accepts(text), text
    for text in ("", "[", "[é", "[e]", '["a"]', '["abcd"]', "[] ", "[,]"):
        assert not engine.accepts(text), text


def test_draws_are_sentences_and_the_seed_chooses(engine: Engine) -> None:
    engine.load(GBNF)
    matcher = Matcher(parse(GBNF))
    draws = list(engine.draws(12, 5))
    assert all(matcher.accepts(draw.text) for draw in draws if draw.complete)
    assert sum(draw.complete for draw in draws) >= 10
    assert draws == list(engine.draws(12, 5))
    assert draws != list(engine.draws(12, 6))


@pytest.mark.parametrize("gbnf", ["root ::= x", 'root ::= "a', 'root ::= root "a" | "b"', ""])
def test_what_is_no_grammar_is_refused_with_a_reason(gbnf: str, engine: Engine) -> None:
    with pytest.raises(GrammarRefusedError, match=r"..."):
        engine.load(gbnf)


def test_the_reason_is_the_engines_own(child: LlamaCpp) -> None:
    with pytest.raises(GrammarRefusedError, match="number of repetitions exceeds sane defaults"):
        child.load('root ::= "x"{5000}')
    with pytest.raises(GrammarRefusedError, match="left recursion detected"):
        child.load('root ::= root "a" | "b"')


def test_a_text_without_end_is_broken_off(child: LlamaCpp) -> None:
    child.load('root ::= "a" root')
    (draw,) = child.draws(1, 0)
    assert not draw.complete


@pytest.mark.skipif(os.name == "nt", reason="there the memory of a process cannot be bounded")
def test_a_child_out_of_memory_is_reported_and_replaced() -> None:
    require_engine()
    with LlamaCpp(memory=600 << 20, seconds=60) as engine:
        engine.load('root ::= "a"')
        with pytest.raises(EngineDownError, match=r"it (was )?ended"):
            engine.load(GREEDY)
        engine.load('root ::= "b"')
        assert engine.accepts("b")


def test_a_late_child_is_ended_and_replaced() -> None:
    require_engine()
    with LlamaCpp(seconds=30) as engine:
        engine.load('root ::= "a"')
        engine._seconds = 1.0
        started = time.monotonic()
        with pytest.raises(EngineDownError, match="no answer within 1 seconds"):
            engine.load(ENDLESS)
        assert time.monotonic() - started < 10
        engine._seconds = 30
        engine.load('root ::= "d"')
        assert engine.accepts("d")


def test_after_a_death_the_next_question_finds_the_grammar_again() -> None:
    require_engine()
    with LlamaCpp() as engine:
        engine.load('root ::= "a"')
        assert engine._child is not None
        engine._child._running.kill()
        with pytest.raises(EngineDownError, match="SIGKILL"):
            engine.accepts("a")
        assert engine.accepts("a")
        assert not engine.accepts("b")


def test_the_parent_is_never_in_danger() -> None:
    """The engine is loaded nowhere but in the child."""
    require_engine()
    import subprocess
    import sys

    program = (
        "import sys\n"
        "from schema2gbnf.verification.engines.child import LlamaCpp\n"
        "with LlamaCpp() as engine:\n"
        "    engine.load('root ::= \"a\"')\n"
        "    assert engine.accepts('a')\n"
        "print('llama_cpp' in sys.modules)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"

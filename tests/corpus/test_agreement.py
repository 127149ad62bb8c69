"""Readers of grammars give the same verdict on the same texts: the matcher, llama.cpp and llguidance.

They are asked on the golden grammars and on those of published schemas; XGrammar is too, where somebody has installed
it, since it needs PyTorch. `SCHEMA2GBNF_AGREEMENT=500` takes a larger sample; its figures are printed with `-s`.
"""

from __future__ import annotations

import json
import lzma
import os
import random
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from typing import Any

import pytest

from schema2gbnf import Result, SchemaError, compile_schema
from schema2gbnf.gbnf.match import Matcher
from schema2gbnf.gbnf.sample import Sampler
from tests.data import data
from tests.engine import Engine
from tests.golden import EXAMPLES, GOLDEN, compiled

SIZE = int(os.environ.get("SCHEMA2GBNF_AGREEMENT", "60"))
SEED = 4
LONGEST = 4000
FUEL = 100_000_000
"""Steps llguidance may take to build a lexer; its default is for grammars that a request brings along."""

Accepts = Callable[[str], bool]


class RefusedError(Exception):
    """A reader does not take the grammar."""


def sample() -> list[dict[str, Any]]:
    with lzma.open(data("maskbench.jsonl.xz"), "rt", encoding="utf-8") as lines:
        drawn = random.Random(SEED).sample(list(lines), SIZE)
    return list(map(json.loads, drawn))


def texts(values: list[Any], sampler: Sampler, seed: random.Random) -> Iterator[str]:
    """Instances in two spellings, sentences of the grammar, and both with a character lost, doubled or replaced."""
    written = [json.dumps(value, ensure_ascii=False) for value in values]
    written += [json.dumps(value, ensure_ascii=False, separators=(",", ":")) for value in values]
    written += [sampler.sample() for _ in range(4)]
    for text in written:
        if len(text) > LONGEST or "\0" in text:
            continue
        yield text
        for _ in range(2):
            place = seed.randrange(len(text))
            other = seed.choice(['"', "\\", "}", ",", "0", "é", text[place] * 2, ""])
            yield text[:place] + other + text[place + 1 :]


def in_llguidance(gbnf: str) -> Accepts:
    """llguidance's reader of GBNF, on a vocabulary of bytes."""
    reason = "llguidance is needed to ask its reader"
    reader = pytest.importorskip("llguidance.gbnf_to_lark", reason=reason)
    llguidance = pytest.importorskip("llguidance", reason=reason)
    limits = llguidance.LLParserLimits(initial_lexer_fuel=FUEL, max_grammar_size=FUEL, step_lexer_fuel=FUEL)
    tokenizer = llguidance.LLTokenizer("byte")
    grammar = llguidance.LLMatcher.grammar_from_lark(reader.gbnf_to_lark(gbnf))
    matcher = llguidance.LLMatcher(tokenizer, grammar, limits=limits)
    if matcher.is_error():
        raise RefusedError(f"llguidance: {matcher.get_error()[:200]}")

    def accepts(text: str) -> bool:
        matcher.reset()
        tokens = tokenizer.tokenize_bytes(text.encode())
        return bool(matcher.try_consume_tokens(tokens) == len(tokens) and matcher.is_accepting())

    return accepts


def in_xgrammar(gbnf: str) -> Accepts:
    """XGrammar's reader."""
    import xgrammar
    from xgrammar.testing import _is_grammar_accept_string

    try:
        grammar = xgrammar.Grammar.from_ebnf(gbnf)
    except RuntimeError as error:
        raise RefusedError(f"XGrammar: {str(error)[:200]}") from None
    return lambda text: bool(_is_grammar_accept_string(grammar, text))


def readers(result: Result, engine: Engine) -> dict[str, Accepts]:
    """The readers, each with the grammar.

    llguidance breaks texts into lexemes, the longest first, and never goes back. Where further members may come, it so
    takes a name that begins like a declared one for that one alone; such grammars it only has to load.
    """
    loaded = engine.load(result.gbnf)
    if loaded is None:
        raise RefusedError("llama.cpp refuses the grammar")
    found: dict[str, Accepts] = {
        "the matcher": Matcher(result.grammar).accepts,
        "llama.cpp": lambda text: engine.accepts(loaded, text),
    }
    if find_spec("xgrammar") is not None:
        found["XGrammar"] = in_xgrammar(result.gbnf)
    third = in_llguidance(result.gbnf)
    return found if _is_open(result) else {**found, "llguidance": third}


def _is_open(result: Result) -> bool:
    """Whether the grammar has a rule for names that are not declared."""
    return any(name.startswith(("additional-name", "plain-rest")) for name in result.grammar.rules)


def disagreements(result: Result, values: list[Any], engine: Engine, seed: random.Random) -> tuple[int, list[str]]:
    """How many texts llguidance was asked too, and those on which any of the readers differ."""
    try:
        asked = readers(result, engine)
    except RefusedError as error:
        return 0, [str(error)]
    wrong, number = [], 0
    for text in texts(values, Sampler(result.grammar, seed.randrange(1 << 30)), seed):
        number += "llguidance" in asked
        verdicts = {name: accepts(text) for name, accepts in asked.items()}
        if len(set(verdicts.values())) > 1:
            wrong.append(f"{verdicts} on {text[:200]}")
    return number, wrong


def test_readers_agree_on_the_golden_grammars(engine: Engine) -> None:
    seed = random.Random(SEED)
    wrong: list[str] = []
    number = 0
    for name, (example, _) in GOLDEN.items():
        result = compiled(name)
        written = json.loads((EXAMPLES / f"{example}.json").read_bytes()).get("examples", [])
        asked, found = disagreements(result, written, engine, seed)
        number += asked
        wrong += [f"{name}: {each}" for each in found]
    print(f"seed {SEED}: {len(GOLDEN)} golden grammars, {number} texts to all three, {len(wrong)} complaints")
    assert not wrong, "\n".join(wrong[:20])
    assert number > 100


def test_readers_agree_on_published_schemas(engine: Engine) -> None:
    seed = random.Random(SEED)
    wrong: list[str] = []
    grammars = number = 0
    for place, row in enumerate(sample()):
        try:
            result = compile_schema(row["schema"], additional_properties=("closed", "spec")[place % 2])
        except SchemaError:
            continue
        grammars += 1
        asked, found = disagreements(result, [test["data"] for test in row["tests"]], engine, seed)
        number += asked
        wrong += [f"{row['id']}: {each}" for each in found]
    print(f"seed {SEED}: {grammars} grammars, {number} texts to all three, {len(wrong)} complaints")
    assert not wrong, "\n".join(wrong[:20])
    assert grammars > SIZE * 0.9
    assert number > SIZE * 4

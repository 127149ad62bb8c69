"""Engines agree on published schemas: the matcher and llama.cpp on every text; llguidance reads all grammars.

`SCHEMA2GBNF_AGREEMENT=500` takes a larger sample; its figures are printed with `-s`.
"""

from __future__ import annotations

import json
import lzma
import os
import random
from collections.abc import Iterator
from typing import Any

import pytest

from schema2gbnf import SchemaError, compile_schema
from schema2gbnf.gbnf.match import Matcher
from schema2gbnf.gbnf.sample import Sampler
from tests.data import data
from tests.engine import Engine

SIZE = int(os.environ.get("SCHEMA2GBNF_AGREEMENT", "60"))
SEED = 4


def sample() -> list[dict[str, Any]]:
    with lzma.open(data("maskbench.jsonl.xz"), "rt", encoding="utf-8") as lines:
        drawn = random.Random(SEED).sample(list(lines), SIZE)
    return list(map(json.loads, drawn))


def texts(row: dict[str, Any], sampler: Sampler, seed: random.Random) -> Iterator[str]:
    """Instances in two spellings, sentences of the grammar, and both with a character lost, doubled or replaced."""
    written = [json.dumps(test["data"], ensure_ascii=False) for test in row["tests"]]
    written += [json.dumps(test["data"], ensure_ascii=False, separators=(",", ":")) for test in row["tests"]]
    written += [sampler.sample() for _ in range(4)]
    for text in written:
        if len(text) > 4000 or "\0" in text:
            continue
        yield text
        for _ in range(2):
            place = seed.randrange(len(text))
            other = seed.choice(['"', "\\", "}", ",", "0", "é", text[place] * 2, ""])
            yield text[:place] + other + text[place + 1 :]


def complaint(gbnf: str) -> str:
    """What llguidance's reader of GBNF has against a grammar; nothing when it takes it."""
    reason = "llguidance is needed to ask its reader"
    reader = pytest.importorskip("llguidance.gbnf_to_lark", reason=reason)
    llguidance = pytest.importorskip("llguidance", reason=reason)
    matcher = llguidance.LLMatcher
    # Its default budget on the size of a grammar is for grammars that a request brings along.
    limits = llguidance.LLParserLimits(initial_lexer_fuel=100_000_000, max_grammar_size=100_000_000)
    compiled = matcher.grammar_from_lark(reader.gbnf_to_lark(gbnf))
    return str(matcher.validate_grammar(compiled, limits=limits))


def test_every_engine_reads_and_agrees(engine: Engine) -> None:
    seed = random.Random(SEED)
    grammars = asked = 0
    wrong: list[str] = []
    for row in sample():
        try:
            result = compile_schema(row["schema"], additional_properties="spec")
        except SchemaError:
            continue
        grammars += 1
        loaded = engine.load(result.gbnf)
        if loaded is None:
            wrong.append(f"{row['id']}: llama.cpp refuses the grammar")
            continue
        if told := complaint(result.gbnf):
            wrong.append(f"{row['id']}: llguidance: {told[:200]}")
        matcher = Matcher(result.grammar)
        for text in texts(row, Sampler(result.grammar, seed.randrange(1 << 30)), seed):
            asked += 1
            if matcher.accepts(text) != engine.accepts(loaded, text):
                wrong.append(f"{row['id']}: the matcher and llama.cpp differ on {text[:200]}")
    print(f"seed {SEED}: {grammars} grammars, {asked} texts, {len(wrong)} complaints")
    assert not wrong, "\n".join(wrong[:20])
    assert grammars > SIZE * 0.9

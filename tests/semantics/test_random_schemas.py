"""Random schemas: what the grammar accepts is valid, what is valid it accepts, and the compiler always comes to an end.

`SCHEMA2GBNF_FUZZ_SECONDS=600 pytest -s tests/semantics/test_random_schemas.py -k longer` tries fresh seeds for so
long and prints the seed, and a smaller schema, of every failure; `case(seed).run()` repeats it.
"""

from __future__ import annotations

import os
import time
from random import Random

import pytest

from schema2gbnf.semantics.keywords import VOCABULARIES
from tests.semantics.judges import Judge, is_schema
from tests.semantics.random_checks import Case, case
from tests.semantics.schemas import DIALECTS, Schema, SchemaMaker
from tests.semantics.shrinking import shrunk

SEEDS = range(200)
SECONDS = float(os.environ.get("SCHEMA2GBNF_FUZZ_SECONDS", "0"))


@pytest.mark.parametrize("seed", SEEDS)
def test_the_grammar_is_the_schema(seed: int) -> None:
    failures = case(seed).run()
    assert not failures, "\n".join(map(str, failures[:5]))


@pytest.mark.skipif(not SECONDS, reason="SCHEMA2GBNF_FUZZ_SECONDS is not set")
def test_longer_on_fresh_seeds() -> None:
    seed = first = time.time_ns() % 1_000_000_000
    deadline = time.monotonic() + SECONDS
    failed = []
    while time.monotonic() < deadline:
        tried = case(seed)
        failures = tried.run()
        if failures:
            failed.append(seed)
            print(f"\nseed {seed}: {shrunk(failures[0], tried.dialect)}", flush=True)
        seed += 1
    assert not failed, f"{len(failed)} of {seed - first} schemas: {failed}"


@pytest.mark.parametrize("dialect", DIALECTS)
def test_all_keywords_of_a_dialect_occur(dialect: str) -> None:
    met: set[str] = set()

    def visit(value: Schema) -> None:
        if isinstance(value, dict):
            met.update(value)
        for each in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
            visit(each)

    for seed in range(300):
        schema = SchemaMaker(Random(seed), dialect).schema()
        assert is_schema(schema, dialect), schema
        visit(schema)
    # Validators differ on `dependencies`, from 2019-09 on there for old schemas only, and on the contents of strings.
    apart = {"dependencies"} if dialect.startswith("draft20") else {"contentEncoding", "contentMediaType"}
    assert set(VOCABULARIES[dialect]) - met <= apart


@pytest.mark.parametrize(
    ("compiled", "judged", "kind"),
    [
        ({"required": ["a"]}, {"required": ["a", "b"]}, "unsound"),
        ({"required": ["a", "b"]}, {"required": ["a"]}, "incomplete"),
        ({"type": "object", "minProperties": 1}, {"type": "object", "minProperties": 2}, "unsound sample"),
        ({"items": {"enum": [1, 2]}}, {"items": {"enum": [1]}}, "holds is wrong"),
        ({"allOf": [{"const": 1}, {"const": 2}]}, {"const": 1}, "satisfiable"),
    ],
)
def test_a_wrong_compiler_would_be_found_out(compiled: Schema, judged: Schema, kind: str) -> None:
    """Compiling one schema and asking the judges about another must fail in the way that names the difference."""
    tried = Case({"$schema": DIALECTS["draft2020-12"], **compiled}, "draft2020-12", Random(1))
    tried.judge = Judge(judged, "draft2020-12")
    kinds = {failure.kind for failure in tried.run()}
    assert kind in kinds or (kind == "incomplete" and "dumps refuses" in kinds), kinds

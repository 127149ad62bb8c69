"""Random schemas of all dialects, for every target: the relation holds, and a second judge does not object.

`SCHEMA2GBNF_FUZZ_SECONDS=600 pytest -s tests/normalize/test_random.py -k longer` tries fresh seeds for so long.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path
from random import Random
from typing import Any

import jsonschema_rs
import pytest

from schema2gbnf.normalize import normalize
from schema2gbnf.normalize.targets import names
from schema2gbnf.normalize.text import written
from tests.normalize.relation import EXACT, Verdict, relation
from tests.semantics.schemas import DIALECTS, SchemaMaker

SEEDS = range(100)
SECONDS = float(os.environ.get("SCHEMA2GBNF_FUZZ_SECONDS", "0"))
TARGETS = names()
ROOT = Path(__file__).parents[2]


def schema_of(seed: int) -> Any:
    """The random schema of a seed."""
    random = Random(seed)
    return SchemaMaker(random, random.choice([*DIALECTS, "draft2020-12"])).schema()


def tried(seed: int) -> Verdict:
    """The verdict on the schema of a seed, for a target of its turn."""
    return relation(schema_of(seed), seed, TARGETS[seed % len(TARGETS)], values=24, policies=seed % 7 == 0)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_relation_holds(seed: int) -> None:
    assert tried(seed).failures == []


@pytest.mark.skipif(not SECONDS, reason="SCHEMA2GBNF_FUZZ_SECONDS is not set")
def test_longer_on_fresh_seeds() -> None:
    seed = first = time.time_ns() % 1_000_000_000
    deadline = time.monotonic() + SECONDS
    failed = {}
    while time.monotonic() < deadline:
        if failures := tried(seed).failures:
            failed[seed] = failures
            print(f"\nseed {seed} of {TARGETS[seed % len(TARGETS)]}: {failures[0]}", flush=True)
        seed += 1
    assert not failed, f"{len(failed)} of {seed - first} schemas: {list(failed)}"


def outputs(seeds: range) -> str:
    """What becomes of the schemas of some seeds, as one text."""
    return "\n".join(written(normalize(schema_of(seed), TARGETS[seed % len(TARGETS)]).schema) for seed in seeds)


def test_outputs_depend_on_nothing_else() -> None:
    """Another process, with hashes of its own, writes the same."""
    program = "from tests.normalize.test_random import outputs; print(outputs(range(120)))"
    environment = {**os.environ, "PYTHONHASHSEED": "7", "PYTHONIOENCODING": "utf-8:surrogatepass"}
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, env=environment, cwd=ROOT, timeout=120)
    assert done.returncode == 0, done.stderr.decode()
    assert done.stdout.decode("utf-8", "surrogatepass").rstrip("\n") == outputs(range(120))


def _contains(outer: Any, inner: Any) -> bool | None:
    """What jsonschema-rs says to whether one schema admits all that another does; None when it cannot tell."""
    try:
        answer = str(jsonschema_rs.canonicalize(outer).covers(jsonschema_rs.canonicalize(inner)))
    except (ValueError, jsonschema_rs.ReferencingError, jsonschema_rs.ValidationError):
        return None
    return {"yes": True, "no": False}.get(answer.lower().rsplit(".", 1)[-1])


def test_a_second_judge_agrees() -> None:
    """jsonschema-rs compares the two schemas as a whole; often it cannot tell, but it must not contradict."""
    proved = 0
    for seed in range(400):
        given = {name: value for name, value in schema_of(seed).items() if name != "$schema"}
        result = normalize(given)
        if any(event.severity == "error" for event in result.events) or "format" in str(given):
            continue
        wider = _contains(result.schema, given)
        assert wider is not False, (seed, given, result.schema)
        proved += wider is True
        if all(event.severity in EXACT for event in result.events):
            narrower = _contains(given, result.schema)
            assert narrower is not False, (seed, given, result.schema)
            proved += narrower is True
    assert proved > 40


@pytest.mark.parametrize(
    ("given", "made", "answer"),
    [({"type": "integer"}, {"type": "number"}, True), ({"type": "number"}, {"type": "integer"}, None)],
)
def test_the_second_judge_knows_something(given: Any, made: Any, answer: bool | None) -> None:
    assert _contains(made, given) in (answer, False)
    assert _contains(made, given) is not (None if answer else True)

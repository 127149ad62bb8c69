"""Verification of all examples and of many published schemas, on both engines.

`python -m tests.corpus.verify` prints every counterexample and the time it took; the exit status is 1 when there is
one. `test_verify.py` takes a few schemas of the same kinds.
"""

from __future__ import annotations

import argparse
import json
import lzma
import random
import sys
import time
from collections.abc import Iterator
from dataclasses import fields
from typing import Any

from schema2gbnf import SchemaError, Verification, verify
from schema2gbnf.verification.report import Counts
from schema2gbnf.verification.run import Choice
from tests.data import data
from tests.golden import EXAMPLES

NUMBER, SAMPLES, SEED = 300, 5, 16


def schemas(number: int) -> Iterator[tuple[str, Any]]:
    """The examples, then so many published schemas, each with its name."""
    for path in sorted(EXAMPLES.glob("*.json")):
        yield path.name, path
    with lzma.open(data("maskbench.jsonl.xz"), "rt", encoding="utf-8") as lines:
        drawn = random.Random(SEED).sample(list(lines), number)
    for row in map(json.loads, drawn):
        yield row["id"], row["schema"]


def verified(number: int, samples: int, engine: Choice) -> Iterator[tuple[str, Verification]]:
    """The outcome for each schema that compiles; the seed is the place in the list."""
    for seed, (name, schema) in enumerate(schemas(number)):
        try:
            yield name, verify(schema, samples=samples, seed=seed, engine=engine)
        except SchemaError:
            continue


def main() -> int:
    """Verify all examples and many published schemas, and print every counterexample."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--schemas", type=int, default=NUMBER, help="how many published schemas (%(default)s)")
    parser.add_argument("--samples", type=int, default=SAMPLES, help="sentences of each grammar (%(default)s)")
    chosen = parser.parse_args()
    started = time.monotonic()
    totals = dict.fromkeys((field.name for field in fields(Counts)), 0)
    outcomes = wrong = 0
    for name, outcome in verified(chosen.schemas, chosen.samples, "both"):
        outcomes += 1
        for count in totals:
            totals[count] += getattr(outcome.counts, count)
        for example in outcome.counterexamples:
            wrong += 1
            print(f"{name}: {example}", flush=True)
    print(f"seed {SEED}: {outcomes} schemas, {wrong} counterexamples, {time.monotonic() - started:.0f} seconds")
    print(", ".join(f"{count} {word}" for word, count in totals.items()))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

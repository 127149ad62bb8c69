"""How long the compiler takes: the fastest of some runs, for each example."""

from __future__ import annotations

import json
import time
from pathlib import Path

from schema2gbnf import compile_schema

EXAMPLES = Path(__file__).parents[1] / "examples"
RUNS = 5


def milliseconds(schema: object) -> float:
    """The time of the fastest of the runs."""
    times = []
    for _ in range(RUNS):
        start = time.perf_counter()
        compile_schema(schema)
        times.append(time.perf_counter() - start)
    return min(times) * 1000


if __name__ == "__main__":
    for path in sorted(EXAMPLES.glob("*.json")):
        print(f"{path.stem:<24}{milliseconds(json.loads(path.read_bytes())):>8.1f} ms")

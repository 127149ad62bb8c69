"""A sample of schemas that people have published, with valid and invalid instances."""

from __future__ import annotations

import json
import lzma
import random
from functools import lru_cache

from tests.corpus.verdicts import Case
from tests.data import data

SIZE = 150
SEED = 20
PARTS = 6


@lru_cache(maxsize=1)
def _sample() -> tuple[Case, ...]:
    with lzma.open(data("maskbench.jsonl.xz"), "rt", encoding="utf-8") as lines:
        drawn = random.Random(SEED).sample(list(lines), SIZE)
    return tuple(Case(row["id"], row["schema"], row["tests"], {}) for row in map(json.loads, drawn))


def cases(part: int) -> tuple[Case, ...]:
    """One part of the sample."""
    return _sample()[part::PARTS]

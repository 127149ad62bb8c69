"""Grammars of published schemas that read some text in two ways, or in ever more ways: `readings_ratchet.json`.

`python -m tests.cost.corpus` writes it anew. A change may shorten it; it may lengthen it for a reason only.
"""

from __future__ import annotations

import json
import lzma
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from schema2gbnf import Result, SchemaError, compile_schema
from schema2gbnf.cost import readings
from tests.data import data

RATCHET = Path(__file__).parent / "readings_ratchet.json"

SIZE = 1_000
SEED = 6


def sample(count: int) -> Iterator[tuple[str, Any]]:
    """The first of a thousand published schemas, drawn at random, with their names."""
    with lzma.open(data("maskbench.jsonl.xz"), "rt", encoding="utf-8") as lines:
        drawn = random.Random(SEED).sample(list(lines), SIZE)[:count]
    return ((row["id"], row["schema"]) for row in map(json.loads, drawn))


def defect(result: Result) -> str | None:
    """How a grammar reads in more than one way; None when no way was found, or a note tells of it."""
    found = readings(result.grammar)
    if any(finding.kind == "note" and "several ways" in finding.message for finding in result.findings):
        return None
    if found.growth is not None:
        return f"readings grow, {found.growth.kind}: {found.growth.rule}"
    return None if found.ambiguity is None else f"two readings: {found.ambiguity.rule}"


def defects(count: int) -> dict[str, str]:
    """What is wrong in the sample, by the name of the schema."""
    found = {}
    for name, schema in sample(count):
        try:
            result = compile_schema(schema)
        except SchemaError:
            continue
        what = defect(result)
        if what is not None:
            found[name] = what
    return found


def known() -> dict[str, str]:
    """What is listed."""
    listed: dict[str, str] = json.loads(RATCHET.read_bytes())
    return listed


if __name__ == "__main__":
    text = json.dumps(defects(SIZE), ensure_ascii=False, indent=1)
    RATCHET.write_text(text + "\n", encoding="utf-8", newline="\n")

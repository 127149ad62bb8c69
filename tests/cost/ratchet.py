"""The worst figures of each golden grammar, along the values that its example accepts: `grammars/costs.json`.

`python -m tests.cost.ratchet` writes it anew. A change may lower a figure; it may raise one for a reason only.
"""

from __future__ import annotations

import json

from schema2gbnf.cost import cost
from tests.golden import GOLDEN, GRAMMARS
from tests.test_golden import VALUES, compiled

RATCHET = GRAMMARS / "costs.json"

LONGEST = 2_000
"""Characters of a text that are looked at: behind them, the long ones only go on as before."""

Worst = dict[str, int]


def worst(name: str) -> Worst:
    """The figures of a golden grammar that may not rise."""
    result = compiled(name)
    accepted, _ = VALUES[GOLDEN[name][0]]
    figures = cost(result.grammar, [result.dumps(value)[:LONGEST] for value in accepted])
    return {
        "load_steps": figures.load_steps,
        "readings": figures.readings.most,
        "branches": figures.branches.most,
    }


def known() -> dict[str, Worst]:
    """The figures as they are listed."""
    listed: dict[str, Worst] = json.loads(RATCHET.read_bytes())
    return listed


if __name__ == "__main__":
    RATCHET.write_text(json.dumps({name: worst(name) for name in GOLDEN}, indent=1) + "\n", encoding="utf-8")

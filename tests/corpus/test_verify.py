"""Published schemas have no counterexample. `SCHEMA2GBNF_VERIFY=300` takes more of them, and both engines."""

from __future__ import annotations

import os

from tests.corpus.verify import SEED, verified
from tests.golden import EXAMPLES

MANY = os.environ.get("SCHEMA2GBNF_VERIFY")


def test_published_schemas_have_no_counterexample() -> None:
    number = int(MANY or 12)
    outcomes = dict(verified(number, 5 if MANY else 3, "both" if MANY else "own"))
    wrong = [f"{name}: {each}" for name, outcome in outcomes.items() for each in outcome.counterexamples]
    print(f"seed {SEED}: {len(outcomes)} schemas, {len(wrong)} counterexamples")
    assert not wrong, "\n".join(wrong)
    assert len(outcomes) > 0.9 * number + len(list(EXAMPLES.glob("*.json")))
    assert sum(outcome.counts.valid for outcome in outcomes.values()) > 20 * len(outcomes)
    assert sum(outcome.counts.invalid for outcome in outcomes.values()) > 8 * len(outcomes)

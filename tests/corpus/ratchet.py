"""The failures that are known: `suite_ratchet.json` and `schemas_ratchet.json`, the worst first, each with its reason.

`python -m tests.corpus.ratchet` writes both anew. A change may shorten them; it may lengthen them for a reason only.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

from tests.corpus import schemas, suite
from tests.corpus.verdicts import KINDS, Case, failures, kind

HERE = Path(__file__).parent
SUITE = HERE / "suite_ratchet.json"
SCHEMAS = HERE / "schemas_ratchet.json"


def known(path: Path) -> dict[str, str]:
    """The failures that a ratchet lists."""
    found: dict[str, str] = json.loads(path.read_bytes())
    return found


def all_failures(cases: Iterable[Case]) -> dict[str, str]:
    """What is wrong in any of the cases."""
    return {name: failure for case in cases for name, failure in failures(case).items()}


def news(found: dict[str, str], listed: dict[str, str]) -> dict[str, list[str]]:
    """How what was found differs from what is listed: failures that are new, and listed ones that are none any more."""
    return {
        "new failures": [f"{name}: {why}" for name, why in found.items() if kind(why) != kind(listed.get(name, ""))],
        "no longer failing": [name for name in listed if name not in found],
    }


def write(path: Path, found: dict[str, str]) -> None:
    """Write a ratchet."""
    worst_first = dict(sorted(found.items(), key=lambda item: KINDS.index(kind(item[1]))))
    path.write_text(json.dumps(worst_first, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    write(SUITE, all_failures(case for draft in suite.DRAFTS for case in suite.cases(draft)))
    write(SCHEMAS, all_failures(case for part in range(schemas.PARTS) for case in schemas.cases(part)))

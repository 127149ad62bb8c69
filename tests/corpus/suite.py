"""The official JSON Schema test suite: the cases of a draft, with what they need."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from tests.corpus.verdicts import Case
from tests.data import data

DRAFTS = ("draft2020-12", "draft2019-09", "draft7", "draft6", "draft4")
REMOTE = "http://localhost:1234/"


@lru_cache(maxsize=1)
def remotes() -> dict[str, Any]:
    """The documents that the suite's references lead to."""
    folder = data("json-schema-test-suite") / "remotes"
    return {
        REMOTE + path.relative_to(folder).as_posix(): json.loads(path.read_bytes())
        for path in sorted(folder.rglob("*.json"))
    }


def cases(draft: str) -> Iterator[Case]:
    """Every case of a draft, the optional ones too; there, files on formats expect formats to be asserted."""
    folder = data("json-schema-test-suite") / "tests" / draft
    for path in sorted(folder.rglob("*.json")):
        file = path.relative_to(folder).with_suffix("").as_posix()
        options = {
            "default_dialect": draft,
            "documents": remotes(),
            "formats": "assert" if file.startswith("optional/format/") else "annotate",
        }
        for case in json.loads(path.read_bytes()):
            yield Case(f"{draft} | {file} | {case['description']}", case["schema"], case["tests"], options)

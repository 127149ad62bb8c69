"""The patterns that published schemas have: each `pattern` and each key of `patternProperties`, once."""

from __future__ import annotations

import json
import lzma
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from tests.data import data


@lru_cache(maxsize=1)
def patterns() -> tuple[str, ...]:
    """All of them, in the order in which they are met."""
    with lzma.open(data("maskbench.jsonl.xz"), "rt", encoding="utf-8") as lines:
        return tuple(dict.fromkeys(pattern for line in lines for pattern in _patterns_in(json.loads(line)["schema"])))


def _patterns_in(schema: Any) -> Iterator[str]:
    todo = [schema]
    while todo:
        node = todo.pop()
        if isinstance(node, list):
            todo.extend(node)
        elif isinstance(node, dict):
            if isinstance(node.get("pattern"), str):
                yield node["pattern"]
            if isinstance(node.get("patternProperties"), dict):
                yield from node["patternProperties"]
            todo.extend(node.values())

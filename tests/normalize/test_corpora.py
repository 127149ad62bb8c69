"""Published schemas: reported bugs, the tools of MCP servers, MaskBench, the official suite.

A sample runs here; `SCHEMA2GBNF_SWEEP=1 pytest -s tests/normalize/test_corpora.py` takes all tools, 2,000 schemas of
MaskBench and the whole suite, and prints what it measured.
"""

from __future__ import annotations

import json
import lzma
import os
import time
from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from schema2gbnf.normalize import normalize, normalize_tools
from tests.data import data
from tests.normalize.relation import relation
from tests.semantics.schemas import DIALECTS

SWEEP = bool(os.environ.get("SCHEMA2GBNF_SWEEP"))
MILLISECONDS = 5.0
"""What a tool may take, 19 of 20 times."""


def tools() -> list[tuple[str, Any]]:
    """The tools of published MCP servers, by name."""
    with lzma.open(data("real-tools/mcp.jsonl.xz"), "rt") as lines:
        servers = [json.loads(line) for line in lines]
    return [
        (f"{server['package']} {tool['name']}", tool["inputSchema"]) for server in servers for tool in server["tools"]
    ]


def maskbench(count: int) -> list[tuple[str, Any]]:
    """Some schemas of MaskBench, always the same."""
    with lzma.open(data("maskbench.jsonl.xz"), "rt") as lines:
        rows = [json.loads(line) for line in lines]
    Random(7).shuffle(rows)
    return [(row["id"], row["schema"]) for row in rows[:count]]


def suite() -> Iterator[tuple[str, Any]]:
    """The schemas of the official test suite, with their dialect."""
    for dialect, uri in DIALECTS.items():
        for path in sorted(data(f"json-schema-test-suite/tests/{dialect}").glob("*.json")):
            for case in json.loads(path.read_text()):
                schema = case["schema"]
                named = {"$schema": uri, **schema} if isinstance(schema, dict) else schema
                yield f"{dialect} {path.stem}: {case['description']}", named


def swept(schemas: list[tuple[str, Any]], *, arguments: bool, seed: int = 0) -> tuple[list[str], Counter[str]]:
    """All failures, and how many values were judged."""
    failures: list[str] = []
    counts: Counter[str] = Counter()
    for place, (name, schema) in enumerate(schemas):
        verdict = relation(schema, seed + place, arguments=arguments, values=24 if SWEEP else 16)
        failures += [f"{name}: {failure}" for failure in verdict.failures]
        counts.update(schemas=1, values=verdict.judged, judged=verdict.judged > 0)
        counts["errors"] += any(event.severity == "error" for event in verdict.events)
        counts["loosened"] += any(event.severity == "loosened" for event in verdict.events)
    print(f"\n{dict(counts)}, failures: {len(failures)}")
    return failures, counts


def sample(schemas: list[tuple[str, Any]], count: int, seed: int) -> list[tuple[str, Any]]:
    """All schemas in a sweep, else some."""
    return schemas if SWEEP else Random(seed).sample(schemas, count)


# -- reported bugs -----------------------------------------------------------------------------------------------------


def reported() -> list[Any]:
    cases = [json.loads(path.read_text()) for path in sorted(data("reported-cases").glob("*.json"))]
    return [case for case in cases if case["kind"] == "normalizer"]


@pytest.mark.parametrize("case", reported(), ids=lambda case: case["id"])
def test_a_reported_bug(case: Any) -> None:
    import jsonschema

    option = {case["normalize_option"]: True} if "normalize_option" in case else {}
    arguments = case.get("context") == "tool-parameters"
    started = time.process_time()
    result = normalize(case["schema"], arguments=arguments, **option)
    assert time.process_time() - started < case.get("limit_seconds", 2)
    text = json.dumps(result.schema)
    assert not [part for part in case.get("normalized_must_not_contain", []) if part in text]
    validator = jsonschema.validators.validator_for(result.schema)(result.schema)
    for value in [*case["valid"], *case.get("normalized_must_not_lose", [])]:
        assert validator.is_valid(value), value
    if arguments:
        assert result.schema["type"] == "object"
        assert isinstance(result.schema["properties"], dict)
    let_through = [value for value in case["invalid"] if validator.is_valid(value)]
    assert not let_through or result.loosened
    if case.get("relaxation_must_be_reported"):
        assert result.loosened
    assert relation(case["schema"], 1, arguments=arguments, **option).failures == []


# -- tools -------------------------------------------------------------------------------------------------------------


def test_tools_of_servers() -> None:
    failures, counts = swept(sample(tools(), 250, 1), arguments=True)
    assert failures == []
    assert counts["errors"] == 0
    assert counts["judged"] == counts["schemas"]


def test_tools_take_no_time() -> None:
    """Measured in time of the processor, without the first ones, which load what is needed."""
    listed = sample(tools(), 600, 2)
    spent = []
    for _, schema in listed:
        started = time.process_time()
        normalize_tools([{"name": "tool", "inputSchema": schema}])
        spent.append((time.process_time() - started) * 1e3)
    spent = sorted(spent[20:])
    quantiles = {q: round(spent[min(len(spent) - 1, int(len(spent) * q))], 2) for q in (0.5, 0.95, 0.99, 1.0)}
    print(f"\nmilliseconds a tool: {quantiles}")
    # A busy machine makes everything slower; the bound is for a sweep on one that is not.
    assert quantiles[0.95] <= MILLISECONDS * (1 if SWEEP else 4)


def test_tool_lists_of_servers_are_stable() -> None:
    """All tools of a server at once: their definitions do not take each other's names, and nothing changes again."""
    with lzma.open(data("real-tools/mcp.jsonl.xz"), "rt") as lines:
        servers = [json.loads(line) for line in lines]
    for server in servers if SWEEP else servers[::6]:
        listed = [{"name": tool["name"], "inputSchema": tool["inputSchema"]} for tool in server["tools"]]
        once = normalize_tools(listed)
        twice = normalize_tools(once.tools)
        assert twice.tools == once.tools, server["package"]
        assert twice.counters["tools_modified"] == 0
        assert once.counters["tools_failed"] == 0


# -- other schemas -----------------------------------------------------------------------------------------------------


def test_schemas_of_maskbench() -> None:
    failures, counts = swept(maskbench(2_000 if SWEEP else 60), arguments=False)
    assert failures == []
    assert counts["judged"] > counts["schemas"] * 0.9


def test_schemas_of_the_official_suite() -> None:
    failures, counts = swept(sample(list(suite()), 200, 3), arguments=False)
    assert failures == []
    assert counts["judged"] > counts["schemas"] * 0.8


def test_schemas_that_generators_write() -> None:
    with lzma.open(data("real-tools/generated.jsonl.xz"), "rt") as lines:
        rows = [json.loads(line) for line in lines]
    failures, _ = swept([(row["id"], row["schema"]) for row in rows], arguments=False)
    assert failures == []

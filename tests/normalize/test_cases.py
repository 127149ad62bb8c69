"""The cases of the normalizer's specification: what is made of a schema or a list of tools, and what is told of it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from schema2gbnf.normalize import Event, NormalizationError, normalize, normalize_tools
from schema2gbnf.normalize.values import content
from tests.data import DATA
from tests.normalize.relation import relation

SPECIFIED = DATA.parent / "spec" / "normalizer.cases.json"


def specified() -> list[Any]:
    if not SPECIFIED.exists():
        pytest.skip(f"{SPECIFIED} is absent", allow_module_level=True)
    cases: list[Any] = json.loads(SPECIFIED.read_bytes())
    return cases


CASES = specified()


def told(events: tuple[Event, ...]) -> set[tuple[str | None, ...]]:
    return {(event.tool, event.path, event.kind, event.severity) for event in events}


def expected(case: Any) -> set[tuple[str | None, ...]]:
    return {(each.get("tool"), each["path"], each["kind"], each["severity"]) for each in case["events"]}


@pytest.mark.parametrize("case", [case for case in CASES if case["relation"] != "error"], ids=lambda case: case["id"])
def test_what_is_made_and_told(case: Any) -> None:
    if case["mode"] == "schema":
        result = normalize(case["input"], **case["options"])
        made = result.schema
    else:
        listed = normalize_tools(case["input"], shape=case["mode"], **case["options"])
        made, result = listed.tools, listed
    assert content(made) == content(case["expected"])
    assert told(result.events) == expected(case)


@pytest.mark.parametrize("case", [case for case in CASES if case["relation"] == "error"], ids=lambda case: case["id"])
def test_what_is_refused(case: Any) -> None:
    with pytest.raises(NormalizationError) as caught:
        normalize(case["input"], **case["options"])
    assert told(caught.value.events) == expected(case)


@pytest.mark.parametrize(
    "case", [case for case in CASES if case["relation"] in ("equal", "superset")], ids=lambda case: case["id"]
)
def test_the_relation(case: Any) -> None:
    verdict = relation(case["input"], 3, values=60, **case["options"])
    assert verdict.failures == []
    loosened = any(event.severity == "loosened" for event in verdict.events)
    assert loosened <= (case["relation"] == "superset")

"""Texts of models with the calls they hold, whole and in pieces."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.data import DATA, data
from tests.toolcalls.cases import SIZES, Case, joined, reported, run, same, specified

# What these expect of parameters without a type is what the parsers read when asked for containers only.
CONTAINERS_ONLY = frozenset(("233-qwen-untyped-parameter", "242-qwen-unknown-parameter"))
SPECIFIED = Path(DATA.parent / "spec" / "toolcalls.cases.json")


def all_cases() -> list[Case]:
    if not SPECIFIED.exists():
        pytest.skip(f"{SPECIFIED} is absent", allow_module_level=True)
    return [*specified(SPECIFIED), *reported(data("reported-cases"), CONTAINERS_ONLY)]


CASES = all_cases()


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_calls_are_read(case: Case) -> None:
    for size in SIZES:
        is_read(case, size)


def is_read(case: Case, size: int) -> None:
    result, deltas = run(case, case.chunks(size))
    read = [{"name": call.name, "arguments": json.loads(call.arguments)} for call in result.calls if call.complete]
    assert same(read, case.expected)
    assert [call.name for call in result.calls if not call.complete] == case.incomplete
    if case.content is not None:
        assert result.content == case.content
    calls, content, reasoning = joined(deltas)
    assert (content, reasoning) == (result.content, result.reasoning)
    assert [index for index, call in enumerate(calls) if call.complete] == [
        call.index for call in result.calls if call.complete
    ]
    for call in result.calls:
        streamed = calls[call.index]
        assert (streamed.name, streamed.complete) == (call.name, call.complete)
        if call.complete:
            assert same(json.loads(streamed.arguments), json.loads(call.arguments))
        else:
            assert streamed.arguments == call.arguments
            with pytest.raises(json.JSONDecodeError):
                json.loads(call.arguments)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_no_cut_changes_anything(case: Case) -> None:
    whole, deltas = run(case, [case.text])
    expected = joined(deltas)
    for place in range(len(case.text) + 1):
        result, deltas = run(case, [case.text[:place], case.text[place:]])
        assert result == whole
        assert joined(deltas) == expected

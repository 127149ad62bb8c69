"""The tools of published MCP servers, a few of them; `python -m bench.tool_grammars` takes them all."""

from __future__ import annotations

import json
import lzma
from typing import Any

import pytest

from tests.data import data
from tests.engine import Engine
from tests.toolcalls.grammar.judges import Outcome, check_list, check_tool

EVERY = 350
"""Of so many tools, one is taken, a different one for each format."""
SAMPLES = 3


def servers() -> list[dict[str, Any]]:
    with lzma.open(data("real-tools/mcp.jsonl.xz"), "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


SERVERS = servers()
TOOLS = [tool for server in SERVERS for tool in server["tools"]]
FORMATS = ("qwen3_coder", "glm47", "hermes", "harmony")

formats = pytest.mark.parametrize(("first", "format"), list(enumerate(FORMATS)))


def wrong(outcomes: list[Outcome]) -> list[Outcome]:
    return [each for each in outcomes if each[0].startswith("not ") or each[0] in ("refused", "several readings")]


@formats
def test_a_tool_called_by_name(engine: Engine, first: int, format: str) -> None:
    for tool in TOOLS[first::EVERY]:
        outcomes = list(check_tool(engine, tool, format, SAMPLES))
        assert not wrong(outcomes), tool["name"]
        assert {"loaded", "valid"} <= {outcome for outcome, _, _ in outcomes}


@formats
def test_whole_lists(engine: Engine, first: int, format: str) -> None:
    server = [server for server in SERVERS if 5 <= len(server["tools"]) <= 15][first]
    for choice in ("auto", "required"):
        outcomes = list(check_list(engine, server["tools"], format, choice, SAMPLES))
        assert not wrong(outcomes), server["package"]
        assert {"loaded", "valid"} <= {outcome for outcome, _, _ in outcomes}

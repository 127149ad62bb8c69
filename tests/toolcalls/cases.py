"""Cases of tool calls as data, the parser run over them, and JSON values compared with their types."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from schema2gbnf.toolcalls import CallArguments, CallEnd, CallStart, Content, Delta, Reasoning, Result, StreamParser

SIZES = (1, 2, 3, 5, 7, 11, 1 << 30)


@dataclass(frozen=True)
class Case:
    """A text, the tools it may call, and the calls it holds."""

    id: str
    format: str
    tools: list[dict[str, Any]]
    text: str
    expected: list[dict[str, Any]]
    incomplete: list[str]
    content: str | None
    reason: str = "stop"
    untyped: str = "json"

    def chunks(self, size: int) -> Iterator[str]:
        return (self.text[start : start + size] for start in range(0, len(self.text), size))


def specified(path: Path) -> list[Case]:
    """The cases of a file that has one tool `f` in each, and maybe others."""
    cases = []
    for row in json.loads(path.read_text(encoding="utf-8")):
        schemas = {"f": row["parameters"], **row.get("extra_tools", {})}
        tools = [{"name": name, "parameters": schema} for name, schema in schemas.items()]
        incomplete = [each["name"] for each in row.get("incomplete", [])]
        reason, content = row.get("finish", "stop"), row.get("content")
        cases.append(
            Case(row["id"], row["format"], tools, row["raw_text"], row["expected"], incomplete, content, reason)
        )
    return cases


def reported(folder: Path, containers: frozenset[str]) -> list[Case]:
    """The cases of a folder that are texts of a model; those of `containers` want scalars without a type as text."""
    cases = []
    for path in sorted(folder.glob("*.json")):
        row = json.loads(path.read_text(encoding="utf-8"))
        if "raw_text" not in row:
            continue
        name = row["tools"][0]["function"]["name"]
        expected = [{"name": name, "arguments": row["expected_arguments"]}]
        untyped = "containers" if row["id"] in containers else "json"
        cases.append(Case(row["id"], row["format"], row["tools"], row["raw_text"], expected, [], None, untyped=untyped))
    return cases


def run(case: Case, chunks: Sequence[str] | Iterator[str]) -> tuple[Result, list[Delta]]:
    """The result of a text given in these pieces, and all deltas."""
    parser = StreamParser(case.format, case.tools, untyped=case.untyped)  # type: ignore[arg-type]
    deltas = [delta for chunk in chunks for delta in parser.feed(chunk)]
    deltas.extend(parser.finish(case.reason))
    return parser.result, deltas


@dataclass
class Streamed:
    """A call put together from its deltas."""

    name: str
    arguments: str = ""
    complete: bool | None = None


def joined(deltas: Sequence[Delta]) -> tuple[list[Streamed], str, str]:
    """What a client makes of the deltas: calls, content, reasoning."""
    calls: list[Streamed] = []
    content = reasoning = ""
    for delta in deltas:
        match delta:
            case Content(text):
                content += text
            case Reasoning(text):
                reasoning += text
            case CallStart(index, _, name):
                assert index == len(calls)
                calls.append(Streamed(name))
            case CallArguments(index, text):
                assert calls[index].complete is None
                calls[index].arguments += text
            case CallEnd(index, complete):
                calls[index].complete = complete
    return calls, content, reasoning


def same(left: object, right: object) -> bool:
    """Equal, and of equal types all the way down."""
    if type(left) is not type(right):
        return False
    if isinstance(left, dict) and isinstance(right, dict):
        return left.keys() == right.keys() and all(same(left[name], right[name]) for name in left)
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(map(same, left, right))
    return left == right

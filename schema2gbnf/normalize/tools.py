"""Tool lists in the shapes that model APIs have them in, each tool's schema normalized where it stands.

Comes in: a list of tools, or an object that holds one under `tools` (an answer of MCP, a request), of OpenAI's chat
completions or responses or legacy `functions`, of Anthropic, or of MCP; `auto` lets each tool be of any shape. Goes
out: the same container, with new schemas. What has no schema, built-in tools and unknown shapes pass through as they
are, and so does a tool that needs no change: it is the same object.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, cast

from schema2gbnf.normalize.events import Event, NormalizationError, counters, enforce
from schema2gbnf.normalize.normalizer import Normalized, Shared, normalized
from schema2gbnf.normalize.options import Options
from schema2gbnf.normalize.targets import Target
from schema2gbnf.schema.text import Json

LOGGER = logging.getLogger("schema2gbnf.normalize")
LOGGER.addHandler(logging.NullHandler())
MOST_LOGGED = 20
"""Events of one call that are logged one by one."""


@dataclass(frozen=True, slots=True)
class Shape:
    """Where a tool has its name and its schema."""

    wrapper: str | None
    schema: str


_CHAT = Shape("function", "parameters")
_FLAT = Shape(None, "parameters")
_ANTHROPIC = Shape(None, "input_schema")
_MCP = Shape(None, "inputSchema")
SHAPES: Mapping[str, tuple[Shape, ...]] = MappingProxyType(
    {
        "auto": (_CHAT, _FLAT, _ANTHROPIC, _MCP),
        "openai": (_CHAT, _FLAT),
        "functions": (_FLAT,),
        "responses": (_FLAT,),
        "anthropic": (_ANTHROPIC,),
        "mcp": (_MCP,),
    }
)
"""The shapes by their names; a tool is of the first that fits."""


@dataclass(frozen=True, slots=True)
class NormalizedTools:
    """A tool list for a back end, and what has become of the one that was given."""

    tools: Any
    events: tuple[Event, ...]
    counters: dict[str, int]

    @property
    def modified(self) -> bool:
        """Whether any tool is another than was given."""
        return self.counters["tools_modified"] > 0


def normalized_tools(tools: object, target: Target, options: Options, shape: str) -> NormalizedTools:
    """Normalize a tool list in its container."""
    if shape not in SHAPES:
        raise ValueError(f"shape={shape!r}: choose one of {', '.join(SHAPES)}")
    if isinstance(tools, Mapping):
        held = next((name for name in ("tools", "functions") if isinstance(tools.get(name), list)), None)
        if held is None:
            nested = tools.get("result")
            if not isinstance(nested, Mapping):
                return NormalizedTools(tools, (), _counted((), 0, Counter()))
            inner = normalized_tools(nested, target, options, shape)
            return NormalizedTools({**tools, "result": inner.tools}, inner.events, inner.counters)
        inner = normalized_tools(tools[held], target, options, shape)
        return NormalizedTools({**tools, held: inner.tools}, inner.events, inner.counters)
    if not isinstance(tools, list):
        return NormalizedTools(tools, (), _counted((), 0, Counter()))
    batch = _Batch(target, options, SHAPES[shape])
    written = [each for tool in tools for each in batch.tool(tool)]
    log(batch.events)
    enforce(batch.events, options.strict)
    return NormalizedTools(written, tuple(batch.events), _counted(batch.events, batch.cycles, batch.counts))


class _Batch:
    """The tools of one request; their definitions do not take each other's names."""

    def __init__(self, target: Target, options: Options, shapes: tuple[Shape, ...]) -> None:
        self.target = target
        self.options = replace(options, arguments=True)
        self.shapes = shapes
        self.shared: Shared = {}
        self.events: list[Event] = []
        self.counts: Counter[str] = Counter()
        self.cycles = 0

    def tool(self, tool: object) -> list[object]:
        """The tool for the back end; none if it failed and is to be dropped."""
        shape = next((each for each in self.shapes if _schema(tool, each) is not None), None)
        if shape is None:
            return [tool]
        self.counts["tools_seen"] += 1
        found = normalized(cast(Json, _schema(tool, shape)), self.target, self.options, self.shared)
        name = _name(cast("dict[str, object]", tool), shape)
        events = tuple(event.of(name) for event in found.events)
        self.events += events
        self.cycles += found.counters["cycles_preserved"]
        self.counts["tools_modified"] += found.modified
        self.counts["tools_loosened"] += found.loosened
        self.counts["tools_failed"] += found.failed
        if found.failed and self.options.on_error == "raise":
            raise NormalizationError(event for event in events if event.severity == "error")
        if found.failed and self.options.on_error == "drop":
            return []
        return [_with(cast("dict[str, object]", tool), shape, found)]


def holds_tools(value: object) -> bool:
    """Whether a value is a tool list, or an object that holds one."""
    if isinstance(value, Mapping):
        inner = value.get("result")
        return any(isinstance(value.get(name), list) for name in ("tools", "functions")) or (
            isinstance(inner, Mapping) and holds_tools(inner)
        )
    return isinstance(value, list)


def is_tool(value: object) -> bool:
    """Whether a value is one tool with a schema."""
    return any(_schema(value, shape) is not None for shape in SHAPES["auto"])


def _schema(tool: object, shape: Shape) -> object:
    """The schema of a tool, if it is of this shape and has one."""
    if not isinstance(tool, dict):
        return None
    if shape.wrapper is None:
        if tool.get("type") not in (None, "function", "custom") or not isinstance(tool.get("name"), str):
            return None
    else:
        tool = tool.get(shape.wrapper)
    schema = tool.get(shape.schema) if isinstance(tool, dict) else None
    return schema if isinstance(schema, dict | bool) else None


def _name(tool: dict[str, object], shape: Shape) -> str:
    holder = cast("dict[str, object]", tool if shape.wrapper is None else tool[shape.wrapper])
    return str(holder.get("name", ""))


def _with(tool: dict[str, object], shape: Shape, found: Normalized) -> dict[str, object]:
    """The tool with its new schema; the tool itself where that says the same."""
    if not found.modified:
        return tool
    if shape.wrapper is None:
        return {**tool, shape.schema: found.schema}
    return {**tool, shape.wrapper: {**cast("dict[str, object]", tool[shape.wrapper]), shape.schema: found.schema}}


def _counted(events: tuple[Event, ...] | list[Event], cycles: int, counts: Counter[str]) -> dict[str, int]:
    names = ("tools_seen", "tools_modified", "tools_loosened", "tools_failed")
    return counters(events, cycles) | {name: counts[name] for name in names}


def log(events: list[Event]) -> None:
    """Log what a gateway should know of, each with its tool and its path."""
    grave = [event for event in events if event.severity in ("loosened", "error")]
    for event in grave[:MOST_LOGGED]:
        LOGGER.warning("%s", event, extra={"tool": event.tool, "path": event.path, "kind": event.kind})
    if len(grave) > MOST_LOGGED:
        LOGGER.warning("%d more events like these", len(grave) - MOST_LOGGED)

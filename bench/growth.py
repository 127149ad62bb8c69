"""How time, size and load grow with a schema: one curve for each way in which schemas are large.

In comes a curve; out go its points, and the slopes with which the figures grow on logarithmic scales: 1 is linear. The
slope is that of the upper half of the sizes, since the time of a small schema is that of what each schema needs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from bench.figures import seconds, slope
from schema2gbnf import clear_cache, compile_schema
from schema2gbnf.toolcalls import compile_tools
from tests.engine import Engine

RUNS = 3
LONG = 0.5
"""Seconds from which on one run is enough."""


@dataclass(frozen=True)
class Curve:
    """A family of inputs by size, and what compiles one."""

    name: str
    sizes: tuple[int, ...]
    make: Callable[[int], Any]
    gbnf: Callable[[Any], str]


@dataclass(frozen=True)
class Point:
    """The figures at one size."""

    size: int
    compile_ms: float
    bytes: int
    load_ms: float


@dataclass(frozen=True)
class Measured:
    """A curve with its points."""

    name: str
    points: tuple[Point, ...]

    @property
    def time_slope(self) -> float:
        """With which power of the size the time grows."""
        return self._slope([point.compile_ms for point in self.points])

    @property
    def bytes_slope(self) -> float:
        """With which power of the size the grammar grows."""
        return self._slope([point.bytes for point in self.points])

    def _slope(self, figures: Sequence[float]) -> float:
        half = len(figures) // 2
        return slope([point.size for point in self.points[half:]], figures[half:])

    def __str__(self) -> str:
        last = self.points[-1]
        return (
            f"{self.name}: time slope {self.time_slope:.2f}, bytes slope {self.bytes_slope:.2f}; at {last.size}: "
            f"compiled in {last.compile_ms:.0f} ms, {last.bytes} bytes, loaded in {last.load_ms:.1f} ms"
        )


def measured(curve: Curve, engine: Engine, sizes: Sequence[int] | None = None) -> Measured:
    """The curve at its sizes, or at these."""
    return Measured(curve.name, tuple(_point(curve, engine, size) for size in sizes or curve.sizes))


def _point(curve: Curve, engine: Engine, size: int) -> Point:
    made = curve.make(size)
    found: list[str] = []
    took = seconds(lambda: found.append(curve.gbnf(made)), before=clear_cache)
    if took < LONG:
        took = min(took, seconds(lambda: curve.gbnf(made), RUNS - 1, before=clear_cache))
    text = found[0]
    loads = seconds(lambda: _load(engine, text), RUNS)
    return Point(size, 1000 * took, len(text.encode()), 1000 * loads)


def _load(engine: Engine, text: str) -> None:
    if engine.load(text) is None:
        raise ValueError("llama.cpp refuses the grammar")


# -- the curves --------------------------------------------------------------------------------------------------------


def optional_properties(count: int) -> Any:
    return {"type": "object", "properties": {f"property_{n}": {"type": "string"} for n in range(count)}}


def enum(count: int) -> Any:
    return {"enum": [f"value-{n * 7919 % 1_000_003:06d}" for n in range(count)]}


def max_length(length: int) -> Any:
    return {"type": "string", "maxLength": length}


def nesting(depth: int) -> Any:
    schema: Any = {"type": "integer"}
    for n in range(depth):
        schema = {"type": "object", "properties": {f"p{n}": schema}, "required": [f"p{n}"]}
    return schema


def tools(count: int) -> Any:
    return [
        {
            "name": f"tool_{n}",
            "inputSchema": {
                "type": "object",
                "properties": {
                    f"query_{n}": {"type": "string"},
                    "limit": {"type": "integer", "minimum": 1, "maximum": 100},
                    "order": {"enum": ["ascending", "descending"]},
                },
                "required": [f"query_{n}"],
            },
        }
        for n in range(count)
    ]


def reference_chain(length: int) -> Any:
    links: dict[str, Any] = {f"d{n}": {"$ref": f"#/$defs/d{n + 1}"} for n in range(length)}
    return {"$ref": "#/$defs/d0", "$defs": {**links, f"d{length}": {"type": "string"}}}


def linked_definitions(length: int) -> Any:
    links: dict[str, Any] = {
        f"d{n}": {"type": "object", "properties": {"v": {"type": "integer"}, "next": {"$ref": f"#/$defs/d{n + 1}"}}}
        for n in range(length)
    }
    return {"$ref": "#/$defs/d0", "$defs": {**links, f"d{length}": {"type": "null"}}}


def tagged_branches(width: int) -> Any:
    return {
        "anyOf": [
            {
                "type": "object",
                "properties": {"kind": {"const": f"kind-{n}"}, f"value_{n}": {"type": "string"}},
                "required": ["kind", f"value_{n}"],
            }
            for n in range(width)
        ]
    }


def keyed_branches(width: int) -> Any:
    return {
        "anyOf": [
            {"type": "object", "properties": {f"value_{n}": {"type": "string"}}, "required": [f"value_{n}"]}
            for n in range(width)
        ]
    }


def of_schema(schema: Any) -> str:
    return compile_schema(schema).gbnf


def of_tools(listed: Any) -> str:
    return compile_tools(listed, "hermes").gbnf


CURVES = (
    Curve("optional properties", (10, 30, 100, 300, 1000), optional_properties, of_schema),
    Curve("enum size", (10, 100, 1000, 3000, 10_000), enum, of_schema),
    Curve("maxLength", (10, 100, 1000, 10_000, 100_000, 1_000_000), max_length, of_schema),
    Curve("nesting depth", (4, 8, 16, 32, 64, 128), nesting, of_schema),
    Curve("tools", (10, 30, 100, 300, 1000), tools, of_tools),
    Curve("$ref chain", (10, 30, 100, 300, 1000), reference_chain, of_schema),
    Curve("linked definitions", (10, 30, 100, 300, 1000), linked_definitions, of_schema),
    Curve("anyOf width, tagged", (4, 8, 16, 32, 64, 128), tagged_branches, of_schema),
    Curve("anyOf width, by key", (4, 8, 16, 32, 64, 128), keyed_branches, of_schema),
)
"""Every curve there is."""

"""What a normalization has to tell: one event for every change and for every keyword that the back end will not keep.

`Severity` orders events by how much they matter to a caller. `counters` adds events up under the names that the
published package `mcp-schema-normalize` uses, and under the kinds of the events themselves.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Literal, get_args

from schema2gbnf.schema.text import Json

Severity = Literal["lossless", "dialect", "repaired", "unenforced", "backend-tightened", "loosened", "error"]
SEVERITIES: tuple[Severity, ...] = get_args(Severity)
"""From what a caller may overlook to what a caller must know."""


@dataclass(frozen=True, slots=True)
class Event:
    """One change to a schema, or one remark on what a back end makes of it.

    `path` is a JSON Pointer into the schema that was given. Severities: `lossless`, the same values are valid;
    `dialect`, read by the rules of another dialect; `repaired`, a reference was guessed; `unenforced`, kept in the
    schema but ignored by the back end; `backend-tightened`, the back end refuses values that are valid; `loosened`,
    values are valid now that were not; `error`, the schema was left as it is.

    >>> print(Event("ref-dangling", "loosened", "/properties/x", "there is no '#/$defs/M'", tool="search"))
    search: /properties/x: ref-dangling: loosened: there is no '#/$defs/M'
    """

    kind: str
    severity: Severity
    path: str
    detail: str
    before: Json = None
    after: Json = None
    tool: str | None = None

    def __str__(self) -> str:
        where = (self.tool, self.path or "/") if self.tool is not None else (self.path or "/",)
        return ": ".join((*where, self.kind, self.severity, self.detail))

    @property
    def weight(self) -> int:
        """The place of the severity in `SEVERITIES`."""
        return SEVERITIES.index(self.severity)

    def of(self, tool: str) -> Event:
        """The event, told of a tool."""
        return replace(self, tool=tool)

    def as_json(self) -> dict[str, Json]:
        """The event as a JSON object: `before` and `after` only where there is one."""
        told: dict[str, Json] = {} if self.tool is None else {"tool": self.tool}
        told |= {"path": self.path, "kind": self.kind, "severity": self.severity, "detail": self.detail}
        shown = {"before": self.before, "after": self.after}
        return told | {name: value for name, value in shown.items() if value is not None}


class NormalizationError(Exception):
    """Strict mode met what it must not let pass; `events` has all of it, each as an error."""

    def __init__(self, events: Iterable[Event]) -> None:
        self.events = tuple(replace(event, severity="error") for event in events)
        super().__init__(self.events)

    def __str__(self) -> str:
        return "\n".join(map(str, self.events))


EXACT_SEVERITIES: frozenset[Severity] = frozenset(("lossless", "unenforced", "backend-tightened"))
"""Severities of events after which the same values are valid as before."""
STRICT_SEVERITIES: frozenset[Severity] = frozenset(("loosened", "repaired", "error"))


def enforce(events: Iterable[Event], strict: bool | frozenset[str]) -> None:
    """Raise a `NormalizationError` with the events that strict mode refuses: by severity, or of the given kinds."""
    if strict is False:
        return
    refused = [
        event
        for event in events
        if (
            event.severity in STRICT_SEVERITIES if strict is True else event.kind in strict or event.severity == "error"
        )
    ]
    if refused:
        raise NormalizationError(refused)


# -- counters ----------------------------------------------------------------------------------------------------------

_PUBLISHED: Mapping[str, frozenset[str]] = {
    "anyof_rewrites": frozenset(),
    "oneof_rewrites": frozenset(),
    "not_drops": frozenset(("never-branch-dropped", "never-property-dropped")),
    "empty_union_drops": frozenset(("union-empty",)),
    "union_coexistence_skipped": frozenset(("union-product-capped", "union-siblings")),
    "refs_inlined": frozenset(("ref-inlined", "root-ref-inlined")),
    "cycles_preserved": frozenset(),
    "refs_unresolved": frozenset(("ref-dangling", "ref-remote", "ref-cycle-only")),
    "size_coarsenings": frozenset(),
    "max_inline_depth_reached": frozenset(),
}
"""The counters of mcp-schema-normalize 0.1.1, each with the kinds of events that it counts here."""
_COUNTED_AS = {kind: name for name, kinds in _PUBLISHED.items() for kind in kinds}

UNION_REWRITES = frozenset(
    ("union-distributed", "union-flattened", "union-collapsed", "union-product", "duplicate-branch-dropped")
)


def counters(events: Iterable[Event], cycles: int) -> dict[str, int]:
    """How many events there are of each kind, and under the names of the published package."""
    kinds = Counter([event.kind for event in events])
    found = dict.fromkeys(_PUBLISHED, 0)
    for kind, count in kinds.items():
        if kind in _COUNTED_AS:
            found[_COUNTED_AS[kind]] += count
    for event in events:
        if event.kind in UNION_REWRITES:
            found["oneof_rewrites" if event.detail.startswith("oneOf") else "anyof_rewrites"] += 1
    found["cycles_preserved"] = cycles
    return found | dict(sorted(kinds.items()))

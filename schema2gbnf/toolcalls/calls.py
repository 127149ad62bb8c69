"""What a parser hands out: the calls of a text and its content, at the end as one result, on the way as deltas.

All of it is data. `openai` renders a delta as the `delta` of a chat completion chunk.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from schema2gbnf.schema.text import Json

EventKind = Literal[
    "contradictory-schema",
    "cut-off",
    "inadmissible",
    "internal-error",
    "invalid-json",
    "malformed",
    "missing-close-tag",
    "missing-open-tag",
    "too-many-branches",
    "unknown-parameter",
    "unknown-tool",
    "unreadable-schema",
    "unsolicited-builtin",
]


@dataclass(frozen=True, slots=True)
class Event:
    """Something a caller may want to log: the text was read, but not as the format or the schema has it.

    >>> print(Event("unknown-parameter", "the schema says nothing of it", "extra"))
    extra: unknown-parameter: the schema says nothing of it
    """

    kind: EventKind
    message: str
    parameter: str | None = None

    def __str__(self) -> str:
        return ": ".join(part for part in (self.parameter, self.kind, self.message) if part)


@dataclass(frozen=True, slots=True)
class Call:
    """One call. Run it only when it is `complete`: of one that was cut off, `arguments` is the beginning of a text."""

    index: int
    id: str
    name: str
    arguments: str
    """The text of a JSON object; as the model wrote it where that is no JSON (`invalid-json` among the events)."""
    complete: bool
    events: tuple[Event, ...] = ()
    raw: str = ""
    """What the model wrote, when the call is not complete."""


@dataclass(frozen=True, slots=True)
class Result:
    """All that a text holds."""

    calls: tuple[Call, ...] = ()
    """The calls in their order, incomplete ones too."""
    content: str = ""
    reasoning: str = ""
    """What a format marks as such; elsewhere reasoning is content."""
    events: tuple[Event, ...] = ()
    """What happened outside calls."""


# -- deltas ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Content:
    """More text for the user."""

    text: str

    def openai(self) -> dict[str, Json]:
        return {"content": self.text}


@dataclass(frozen=True, slots=True)
class Reasoning:
    """More reasoning."""

    text: str

    def openai(self) -> dict[str, Json]:
        return {"reasoning_content": self.text}


@dataclass(frozen=True, slots=True)
class CallStart:
    """A call begins."""

    index: int
    id: str
    name: str

    def openai(self) -> dict[str, Json]:
        function: dict[str, Json] = {"name": self.name, "arguments": ""}
        return {"tool_calls": [{"index": self.index, "id": self.id, "type": "function", "function": function}]}


@dataclass(frozen=True, slots=True)
class CallArguments:
    """More of the text of a call's arguments."""

    index: int
    text: str

    def openai(self) -> dict[str, Json]:
        return {"tool_calls": [{"index": self.index, "function": {"arguments": self.text}}]}


@dataclass(frozen=True, slots=True)
class CallEnd:
    """A call is over; OpenAI's chunks do not say so. One that is not complete was cut off, or turned out to be none."""

    index: int
    complete: bool

    def openai(self) -> None:
        return None


Delta = Content | Reasoning | CallStart | CallArguments | CallEnd


def openai(deltas: tuple[Delta, ...]) -> list[dict[str, Json]]:
    """The deltas as OpenAI's API streams them, one `choices[0].delta` each.

    >>> openai((CallStart(0, "call_0", "f"), CallArguments(0, "{}"), CallEnd(0, True)))[1]
    {'tool_calls': [{'index': 0, 'function': {'arguments': '{}'}}]}
    """
    return [rendered for delta in deltas if (rendered := delta.openai()) is not None]

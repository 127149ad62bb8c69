"""Where a parser puts what it finds: content, reasoning and calls, deltas on the way and a `Result` at the end."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import groupby
from typing import Literal

from schema2gbnf.toolcalls.calls import (
    Call,
    CallArguments,
    CallEnd,
    CallStart,
    Content,
    Delta,
    Event,
    EventKind,
    Reasoning,
    Result,
)
from schema2gbnf.toolcalls.signature import Signature
from schema2gbnf.toolcalls.spelling import closing, encodable
from schema2gbnf.toolcalls.tools import Tool

UnknownTool = Literal["forward", "text", "drop"]


class OpenCall:
    """A call while it is being read. One that is dropped goes nowhere."""

    def __init__(self, session: Session, index: int, name: str, dropped: bool) -> None:
        self.session = session
        self.index = index
        self.name = name
        self.dropped = dropped
        self.signature = session.signature(name)
        self.events: dict[Event, None] = {}
        self.pieces: list[str] = []

    def note(self, kind: EventKind, message: str, parameter: str | None = None) -> None:
        self.events[Event(kind, message, parameter)] = None

    def write(self, text: str) -> None:
        """More of the text of the arguments."""
        if text and not self.dropped:
            text = encodable(text)
            self.pieces.append(text)
            self.session.deltas.append(CallArguments(self.index, text))

    def end(self, arguments: str | None = None) -> None:
        """The call is complete; `arguments` is their text where it is not the one that was written."""
        self._close("".join(self.pieces) if arguments is None else arguments, complete=True)

    def cut(self, raw: str) -> None:
        """The call is over, and not complete."""
        self._close("".join(self.pieces), complete=False, raw=raw)

    def refuse(self, kind: EventKind, message: str) -> None:
        """What was begun turned out to be no call."""
        self.session.open = None
        self.session.note(kind, message)
        if not self.dropped:
            self.session.deltas.append(CallEnd(self.index, complete=False))

    def _close(self, arguments: str, complete: bool, raw: str = "") -> None:
        self.session.open = None
        if self.dropped:
            return
        calls = self.session.calls
        calls.append(
            Call(self.index, self.session.call_id(self.index), self.name, arguments, complete, tuple(self.events), raw)
        )
        self.session.deltas.append(CallEnd(self.index, complete))


class Session:
    """What has been found so far."""

    def __init__(
        self,
        tools: Sequence[Tool],
        unknown_tool: UnknownTool = "forward",
        call_id: Callable[[int], str] = "call_{}".format,
    ) -> None:
        self.tools: Mapping[str, Tool] = {tool.name: tool for tool in tools}
        self.unknown_tool = unknown_tool
        self.call_id = call_id
        self.deltas: list[Delta] = []
        self.calls: list[Call] = []
        self.open: OpenCall | None = None
        self._started = 0
        self._signatures: dict[str, Signature] = {}
        self._content: list[str] = []
        self._reasoning: list[str] = []
        self._events: dict[Event, None] = {}
        self._blanks: list[str] | None = None
        """Whitespace since the last call, as long as nothing else came."""

    def signature(self, name: str) -> Signature:
        """What is known of a tool's arguments; of an unknown tool, nothing."""
        if name not in self.tools:
            return Signature(True)
        if name not in self._signatures:
            self._signatures[name] = Signature(self.tools[name].parameters)
        return self._signatures[name]

    def content(self, text: str) -> None:
        """Text outside calls. Whitespace behind a call waits: it counts only if more text follows."""
        if self._blanks is not None:
            self._blanks.append(text)
            if text.isspace() or not text:
                return
            text, self._blanks = "".join(self._blanks), None
        if text:
            self._content.append(text)
            self.deltas.append(Content(text))

    def reasoning(self, text: str) -> None:
        self._reasoning.append(text)
        self.deltas.append(Reasoning(text))

    def note(self, kind: EventKind, message: str) -> None:
        self._events[Event(kind, message)] = None

    def start(self, name: str) -> OpenCall | None:
        """A call begins; None when it is to be read as text, since there is no such tool."""
        unknown = name not in self.tools
        if unknown and self.unknown_tool == "text":
            return None
        dropped = unknown and self.unknown_tool == "drop"
        self.open = call = OpenCall(self, self._started, name, dropped)
        self._blanks = []
        if unknown:
            call.note("unknown-tool", f"there is no tool {name!r}; its arguments are read as they look")
        for event in call.signature.events:
            call.events[event] = None
        if dropped:
            self.note("unknown-tool", f"a call of {name!r} was dropped; there is no such tool")
        else:
            self._started += 1
            self.deltas.append(CallStart(call.index, self.call_id(call.index), name))
        return call

    def give_up(self, error: str, rest: str) -> None:
        """Our own error: what is left is content, and an open call ends as JSON, though incomplete."""
        self.note("internal-error", error)
        if (call := self.open) is not None:
            call.note("internal-error", error)
            call.write(closing("".join(call.pieces)) if call.pieces else "{}")
            call.cut("")
        self.content(rest)

    def drain(self) -> tuple[Delta, ...]:
        """The deltas since the last time, neighbours of one kind as one."""
        merged: list[Delta] = []
        for _, run in groupby(self.deltas, _kind):
            deltas = list(run)
            if len(deltas) == 1:
                merged.extend(deltas)
                continue
            text = "".join(delta.text for delta in deltas if isinstance(delta, Content | Reasoning | CallArguments))
            match deltas[0]:
                case Content():
                    merged.append(Content(text))
                case Reasoning():
                    merged.append(Reasoning(text))
                case CallArguments(index):
                    merged.append(CallArguments(index, text))
                case CallStart() | CallEnd():
                    merged.extend(deltas)
        self.deltas = []
        return tuple(merged)

    def result(self) -> Result:
        """All that was found."""
        return Result(tuple(self.calls), "".join(self._content), "".join(self._reasoning), tuple(self._events))


def _kind(delta: Delta) -> tuple[type, int]:
    return type(delta), delta.index if isinstance(delta, CallArguments) else -1

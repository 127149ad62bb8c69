"""Where a parser puts what it finds: content, reasoning and calls, deltas on the way and a `Result` at the end."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
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
            self.pieces.append(text)
            self.session.put(CallArguments, self.index, text)

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
            self.session.put(CallEnd, self.index, complete=False)

    def _close(self, arguments: str, complete: bool, raw: str = "") -> None:
        self.session.open = None
        if self.dropped:
            return
        session = self.session
        text, identifier = encodable(arguments), session.call_id(self.index)
        session.calls.append(Call(self.index, identifier, self.name, text, complete, tuple(self.events), raw))
        session.put(CallEnd, self.index, complete=complete)


@dataclass(slots=True)
class _Run:
    """Pieces of text that become one delta."""

    kind: type[Delta]
    index: int
    pieces: list[str]
    complete: bool

    def delta(self, call_id: Callable[[int], str]) -> Delta:
        text = "".join(self.pieces)
        if self.kind is Content:
            return Content(text)
        if self.kind is Reasoning:
            return Reasoning(text)
        if self.kind is CallStart:
            return CallStart(self.index, call_id(self.index), text)
        if self.kind is CallArguments:
            return CallArguments(self.index, encodable(text))
        return CallEnd(self.index, self.complete)


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
        self._runs: list[_Run] = []
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
            self.put(Content, -1, text)

    def reasoning(self, text: str) -> None:
        self._reasoning.append(text)
        self.put(Reasoning, -1, text)

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
            self.put(CallStart, call.index, name)
        return call

    def give_up(self, error: str, rest: str) -> None:
        """Our own error: what is left is content, and an open call ends as JSON, though incomplete."""
        self.note("internal-error", error)
        if (call := self.open) is not None:
            call.note("internal-error", error)
            call.write(closing("".join(call.pieces)) if call.pieces else "{}")
            call.cut("")
        self.content(rest)

    def put(self, kind: type[Delta], index: int, text: str = "", complete: bool = False) -> None:
        """What is to be told; text that continues what was put last becomes one with it."""
        last = self._runs[-1] if self._runs else None
        if last is not None and last.kind is kind and last.index == index:
            last.pieces.append(text)
        else:
            self._runs.append(_Run(kind, index, [text], complete))

    def drain(self) -> tuple[Delta, ...]:
        """The deltas since the last time."""
        runs, self._runs = self._runs, []
        return tuple(run.delta(self.call_id) for run in runs)

    def result(self) -> Result:
        """All that was found."""
        return Result(tuple(self.calls), "".join(self._content), "".join(self._reasoning), tuple(self._events))

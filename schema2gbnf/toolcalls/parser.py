"""The parsers' front door: a whole text, or one that arrives in pieces, read by the same machine.

A parser never raises for what a model writes. Should it meet an error of its own, the rest of the text becomes content
and the result has the event `internal-error`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Literal, Protocol, get_args

from schema2gbnf.toolcalls.calls import Delta, Result
from schema2gbnf.toolcalls.glm47 import Glm47
from schema2gbnf.toolcalls.harmony import Harmony
from schema2gbnf.toolcalls.hermes import Hermes
from schema2gbnf.toolcalls.qwen3_coder import Qwen3Coder
from schema2gbnf.toolcalls.readings import Untyped
from schema2gbnf.toolcalls.session import Session, UnknownTool
from schema2gbnf.toolcalls.source import Source, Steps
from schema2gbnf.toolcalls.tools import read_tools

Format = Literal["qwen3_coder", "glm47", "glm45", "hermes", "harmony"]
FORMATS: tuple[str, ...] = get_args(Format)

WHOLE = frozenset(("stop", "tool_calls", "function_call"))
"""Reasons for the end of a text that leave it whole."""


class Reader(Protocol):
    """What reads a format."""

    def __init__(self, source: Source, session: Session, untyped: Untyped) -> None: ...
    def read(self) -> Steps[None]: ...


READERS: Mapping[str, type[Reader]] = MappingProxyType(
    {"qwen3_coder": Qwen3Coder, "glm47": Glm47, "glm45": Glm47, "hermes": Hermes, "harmony": Harmony}
)
"""One reader for both layouts of GLM: each may be met in the texts of the other's models."""


class StreamParser:
    """A text that arrives in pieces.

    `tools` is what `read_tools` takes. `unknown_tool`: a call of a tool that is not among them is forwarded, left in
    the content, or dropped. `untyped`: what a parameter that the schema says nothing of is read as, any JSON or only
    objects and arrays. `call_id` makes the identifier of a call from its index.

    >>> tools = [{"name": "add", "parameters": {"properties": {"n": {"type": "integer"}}}}]
    >>> parser = StreamParser("glm47", tools)
    >>> for chunk in ("<tool_call>add<arg", "_key>n</arg_key><arg_value>1", "0</arg_value></tool_call>"):
    ...     print(parser.feed(chunk))
    ()
    (CallStart(index=0, id='call_0', name='add'),)
    (CallArguments(index=0, text='{"n": 10}'), CallEnd(index=0, complete=True))
    >>> parser.finish()
    ()
    >>> parser.result.calls[0].arguments
    '{"n": 10}'
    """

    def __init__(
        self,
        format: str,
        tools: object,
        *,
        unknown_tool: UnknownTool = "forward",
        untyped: Untyped = "json",
        call_id: Callable[[int], str] = "call_{}".format,
    ) -> None:
        if format not in READERS:
            raise ValueError(f"unknown format {format!r}; the formats are {', '.join(READERS)}")
        for name, choice, choices in (("unknown_tool", unknown_tool, UnknownTool), ("untyped", untyped, Untyped)):
            if choice not in get_args(choices):
                raise ValueError(f"{name}={choice!r}: choose one of {', '.join(get_args(choices))}")
        self._source = Source()
        self._session = Session(read_tools(tools), unknown_tool, call_id)
        self._steps = READERS[format](self._source, self._session, untyped).read()
        self._failed = False
        self._result: Result | None = None
        self._advance()

    def feed(self, chunk: str) -> tuple[Delta, ...]:
        """More text; what it adds."""
        self._add(chunk)
        return self._session.drain()

    def finish(self, reason: str = "stop") -> tuple[Delta, ...]:
        """The end of the text, by the will of the model (`stop`) or not (`length`); what is still to be told."""
        if self._result is None:
            self._source.end(reason in WHOLE)
            self._advance()
            deltas = self._session.drain()
            self._result = self._session.result()
            return deltas
        return ()

    @property
    def result(self) -> Result:
        """All that the text holds, once it is finished."""
        if self._result is None:
            raise RuntimeError("the text is not over; call finish() first")
        return self._result

    def _add(self, chunk: str) -> None:
        if self._result is not None:
            raise RuntimeError("the text is over; use a parser for each text")
        if self._failed:
            self._session.content(chunk)
        elif chunk:
            self._source.add(chunk)
            self._advance()

    def _advance(self) -> None:
        try:
            next(self._steps, None)
        except Exception as error:
            self._failed = True
            self._session.give_up(f"{type(error).__name__}: {error}", self._source.text[self._source.position :])


def parse(
    format: str,
    text: str,
    tools: object,
    *,
    reason: str = "stop",
    unknown_tool: UnknownTool = "forward",
    untyped: Untyped = "json",
    call_id: Callable[[int], str] = "call_{}".format,
) -> Result:
    """All that a text holds; the choices are those of `StreamParser`.

    >>> tools = [{"name": "add", "parameters": {"properties": {"n": {"type": "integer"}}}}]
    >>> text = "Sure.<tool_call><function=add><parameter=n>10</parameter></function></tool_call>"
    >>> result = parse("qwen3_coder", text, tools)
    >>> result.content, [(call.name, call.arguments, call.complete) for call in result.calls]
    ('Sure.', [('add', '{"n": 10}', True)])
    """
    parser = StreamParser(format, tools, unknown_tool=unknown_tool, untyped=untyped, call_id=call_id)
    parser.feed(text)
    parser.finish(reason)
    return parser.result

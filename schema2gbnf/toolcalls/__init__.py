"""Tool calls: what a model wrote in its wire format, read to arguments with the types that the tool's schema says.

A parameter whose schema says nothing is read as JSON where its text is JSON, and else as a string. It makes no
difference how the schema says nothing: without a type, by a reference that leads nowhere, or by one that leads only
back to itself.

>>> from schema2gbnf.toolcalls import parse
>>> tools = [{"name": "add", "input_schema": {"properties": {"n": {"type": "integer"}, "to": {"type": "string"}}}}]
>>> arguments = "<arg_key>n</arg_key><arg_value>1</arg_value><arg_key>to</arg_key><arg_value>2</arg_value>"
>>> parse("glm47", f"<tool_call>add{arguments}</tool_call>", tools).calls[0].arguments
'{"n": 1, "to": "2"}'

`compile_tools` makes the grammar that keeps a model to such calls, with arguments that the parser reads back to what
the schema accepts.

Parsing needs the standard library and `jsonpointer` alone; `referencing` is loaded only where a schema refers to a
metaschema.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from schema2gbnf.toolcalls.calls import (
        Call,
        CallArguments,
        CallEnd,
        CallStart,
        Content,
        Delta,
        Event,
        Reasoning,
        Result,
        openai,
    )
    from schema2gbnf.toolcalls.grammar import ToolFinding, ToolGrammar, Trigger, compile_tools
    from schema2gbnf.toolcalls.parser import FORMATS, StreamParser, parse
    from schema2gbnf.toolcalls.tools import Tool, ToolError, read_tools

__all__ = [
    "FORMATS",
    "Call",
    "CallArguments",
    "CallEnd",
    "CallStart",
    "Content",
    "Delta",
    "Event",
    "Reasoning",
    "Result",
    "StreamParser",
    "Tool",
    "ToolError",
    "ToolFinding",
    "ToolGrammar",
    "Trigger",
    "compile_tools",
    "openai",
    "parse",
    "read_tools",
]

_LAZY = {
    **dict.fromkeys(("ToolFinding", "ToolGrammar", "Trigger", "compile_tools"), "grammar"),
    **dict.fromkeys(("FORMATS", "StreamParser", "parse"), "parser"),
    **dict.fromkeys(("Tool", "ToolError", "read_tools"), "tools"),
}
"""Where each name is from; all others are from `calls`."""


def __getattr__(name: str) -> Any:
    """Load what is asked for when it is asked for, so that whoever parses calls does not load the compiler."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"schema2gbnf.toolcalls.{_LAZY.get(name, 'calls')}"), name)

"""Tool calls: what a model wrote in its wire format, read to arguments with the types that the tool's schema says.

>>> from schema2gbnf.toolcalls import read_tools
>>> tools = [{"name": "add", "input_schema": {"properties": {"n": {"type": "integer"}}}}]
>>> [tool.name for tool in read_tools(tools)]
['add']
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from schema2gbnf.toolcalls.tools import Tool, ToolError, read_tools

__all__ = ["Tool", "ToolError", "read_tools"]

_LAZY = {"Tool": "tools", "ToolError": "tools", "read_tools": "tools"}


def __getattr__(name: str) -> Any:
    """Load what is asked for when it is asked for, so that whoever parses calls does not load the compiler."""
    if name not in _LAZY:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"schema2gbnf.toolcalls.{_LAZY[name]}"), name)

"""Which calls a request wants, in the spellings of OpenAI's two APIs, of Anthropic's, or as a word or a tool's name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from schema2gbnf.toolcalls.tools import Tool, ToolError

Mode = Literal["none", "auto", "required"]
_MODES: dict[str, Mode] = {"none": "none", "auto": "auto", "required": "required", "any": "required"}


@dataclass(frozen=True, slots=True)
class ToolChoice:
    """Whether a call may or must be made, and the tools it may be of."""

    mode: Mode
    tools: tuple[Tool, ...]
    single: bool = False
    """Whether one tool was named, so that there is to be one call of it."""


def read_choice(written: object, tools: tuple[Tool, ...]) -> ToolChoice:
    """Read a `tool_choice`; raises `ToolError` when it is none, or names a tool that is not there.

    >>> tools = (Tool("a", {}), Tool("b", {}))
    >>> [tool.name for tool in read_choice({"type": "function", "function": {"name": "b"}}, tools).tools]
    ['b']
    >>> read_choice("required", tools).mode
    'required'
    """
    if isinstance(written, str):
        mode = _MODES.get(written)
        return _named(written, tools) if mode is None else _of_mode(mode, tools)
    if written is None:
        return _of_mode("auto", tools)
    if not isinstance(written, Mapping):
        raise ToolError("tool_choice", "", f"expected a word, a name or an object, found a {type(written).__name__}")
    kind = written.get("type")
    if kind == "allowed_tools":
        return _allowed(written.get("allowed_tools", written), tools)
    if isinstance(kind, str) and kind in _MODES:
        return _of_mode(_MODES[kind], tools)
    return _named(_name(written), tools)


def _of_mode(mode: Mode, tools: tuple[Tool, ...]) -> ToolChoice:
    if mode == "required" and not tools:
        raise ToolError("tool_choice", "", "a call is required, but there is no tool")
    return ToolChoice(mode if tools else "none", tools)


def _named(name: object, tools: tuple[Tool, ...]) -> ToolChoice:
    for tool in tools:
        if tool.name == name:
            return ToolChoice("required", (tool,), single=True)
    known = ", ".join(repr(tool.name) for tool in tools[:10]) or "none"
    message = f"{name!r} is no tool of the list; there are {known}{', …' if len(tools) > 10 else ''}"
    raise ToolError("tool_choice", "name", message)


def _name(written: Mapping[object, object]) -> object:
    function = written.get("function", written)
    return function.get("name") if isinstance(function, Mapping) else None


def _allowed(allowed: object, tools: tuple[Tool, ...]) -> ToolChoice:
    listed = allowed.get("tools") if isinstance(allowed, Mapping) else None
    mode = _MODES.get(str(allowed.get("mode", "auto"))) if isinstance(allowed, Mapping) else None
    if not isinstance(listed, Sequence) or isinstance(listed, str) or mode is None:
        message = "allowed_tools has a mode, auto or required, and a list of tools"
        raise ToolError("tool_choice", "allowed_tools", message)
    names = [_name(each) if isinstance(each, Mapping) else each for each in listed]
    for name in names:
        _named(name, tools)
    return _of_mode(mode, tuple(tool for tool in tools if tool.name in names))

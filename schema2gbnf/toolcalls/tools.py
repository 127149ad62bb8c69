"""Tool lists in the shapes that model APIs want them in, read to one form.

Comes in: a list of tools (or an object that holds one under `tools`), each in the shape of OpenAI's chat completions
or responses, of Anthropic, or of MCP; shapes may be mixed, and a tool may be a pydantic model of one. Goes out: a
tuple of `Tool`. Refused with a `ToolError`: what is in none of these shapes, a tool without a name, two of one name,
parameters that are no JSON. What the parameters say as a schema is not looked at here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from schema2gbnf.errors import SchemaError
from schema2gbnf.schema.pointers import kind
from schema2gbnf.schema.text import Json, check_value

Parameters = bool | dict[str, Json]


class ToolError(SchemaError):
    """A tool list that cannot be used; `pointer` leads into the list, `keyword` is the member at fault."""


@dataclass(frozen=True, slots=True)
class Tool:
    """A function that a model may call."""

    name: str
    parameters: Parameters
    """The schema of its arguments, an object's."""
    description: str = ""
    pointer: str = "#"
    """Where the parameters stand in the list that was read."""


NO_PARAMETERS: Mapping[str, Json] = {"type": "object", "properties": {}}
"""What a tool without a word on parameters takes."""

_SCHEMA_MEMBERS = ("parameters", "input_schema", "inputSchema")
"""Where the schema stands in OpenAI's shapes, in Anthropic's, in MCP's."""


def read_tools(tools: object) -> tuple[Tool, ...]:
    """Read a tool list.

    >>> chat = {"type": "function", "function": {"name": "now"}}
    >>> mcp = {"name": "add", "inputSchema": {"type": "object"}}
    >>> [(tool.name, tool.parameters, tool.pointer) for tool in read_tools([chat, mcp])]
    [('now', {'type': 'object', 'properties': {}}, '#/0/function'), ('add', {'type': 'object'}, '#/1/inputSchema')]
    """
    listed, where = _listed(tools)
    found: dict[str, Tool] = {}
    for index, written in enumerate(listed):
        tool = written if isinstance(written, Tool) else _tool(_plain(written), f"{where}/{index}")
        if tool.name in found:
            raise ToolError(f"{where}/{index}", "name", f"a second tool of the name {tool.name!r}; rename one")
        found[tool.name] = tool
    return tuple(found.values())


def _listed(tools: object) -> tuple[Sequence[object], str]:
    """The list, and the pointer to it: it may stand in a request's body, or in MCP's answer to `tools/list`."""
    where = "#"
    for member in ("result", "tools"):
        if isinstance(tools, Mapping) and member in tools:
            tools, where = tools[member], f"{where}/{member}"
    if isinstance(tools, list | tuple):
        return tools, where
    raise ToolError(where, "", f"expected a list of tools, found {_kind(tools)}")


def _plain(tool: object) -> object:
    dump = getattr(tool, "model_dump", None)
    return dump(by_alias=True, exclude_none=True) if callable(dump) else tool


def _tool(tool: object, pointer: str) -> Tool:
    if not isinstance(tool, Mapping):
        raise ToolError(pointer, "", f"expected a tool, an object, found {_kind(tool)}")
    function = tool.get("function")
    if function is not None:
        if not isinstance(function, Mapping):
            raise ToolError(
                pointer, "function", f"expected an object with name and parameters, found {_kind(function)}"
            )
        tool, pointer = function, f"{pointer}/function"
    elif tool.get("type") not in (None, "function", "custom"):
        message = f"{tool['type']!r} is no function whose arguments a schema describes; leave built-in tools out"
        raise ToolError(pointer, "type", message)
    name = tool.get("name")
    if name is None:
        raise ToolError(pointer, "name", "the tool has no name")
    if not isinstance(name, str) or not name:
        raise ToolError(pointer, "name", f"expected a name, found {repr(name) if name == '' else _kind(name)}")
    parameters, pointer = _parameters(tool, name, pointer)
    description = tool.get("description")
    return Tool(name, parameters, description if isinstance(description, str) else "", pointer)


def _parameters(tool: Mapping[str, object], name: str, pointer: str) -> tuple[Parameters, str]:
    """The schema of the arguments, and the pointer to it; None under its name says as little as its absence."""
    given = [member for member in _SCHEMA_MEMBERS if tool.get(member) is not None]
    if len(given) > 1:
        raise ToolError(pointer, given[1], f"the tool {name!r} has its schema twice, also under {given[0]!r}")
    if not given:
        return dict(NO_PARAMETERS), pointer
    parameters = tool[given[0]]
    if not isinstance(parameters, bool | dict):
        message = f"the parameters of the tool {name!r} are a schema, an object, not {_kind(parameters)}"
        raise ToolError(pointer, given[0], message)
    pointer = f"{pointer}/{given[0]}"
    try:
        check_value(parameters)
    except SchemaError as error:
        message = f"the parameters of the tool {name!r} cannot be read: {error.message}"
        raise ToolError(pointer + error.pointer.removeprefix("#"), "", message) from None
    return cast(Parameters, parameters), pointer


def _kind(value: object) -> str:
    """How a value is called in a complaint, JSON or not."""
    if value is None or isinstance(value, bool | int | float | str | list | dict):
        return kind(cast(Json, value))
    return f"a {type(value).__name__}"

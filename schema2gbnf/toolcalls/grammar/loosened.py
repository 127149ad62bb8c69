"""A tool whose schema has a fault, without what is at fault.

Comes in: a tool and the error that its schema ended in. Goes out: the tool with that keyword left out, or that
subschema replaced by one that says nothing; at last a tool that takes any object. Every step takes something away, so
that repeating it ends.
"""

from __future__ import annotations

from dataclasses import replace

from schema2gbnf.errors import SchemaError, UnsatisfiableSchemaError
from schema2gbnf.schema.pointers import tokens_of
from schema2gbnf.schema.text import Json
from schema2gbnf.toolcalls.tools import Parameters, Tool, ToolError

ANY_OBJECT: Parameters = {"type": "object"}


def loosened(tool: Tool, error: SchemaError) -> Tool | None:
    """The tool without what the error, of which the pointer is one into the list, says; None when it has no way out.

    >>> from schema2gbnf.errors import UnresolvedReferenceError
    >>> tool = Tool("f", {"properties": {"a": {"$ref": "#/$defs/b", "title": "A"}}}, pointer="#/0/parameters")
    >>> loosened(tool, UnresolvedReferenceError("#/0/parameters/properties/a", "$ref", "leads nowhere")).parameters
    {'properties': {'a': {'title': 'A'}}}
    """
    if isinstance(error, ToolError) or tool.parameters == ANY_OBJECT:
        return None
    inside = error.pointer.removeprefix(tool.pointer)
    if inside and not isinstance(error, UnsatisfiableSchemaError) and error.pointer.startswith(tool.pointer):
        tokens = tokens_of(inside)
    elif error.pointer == tool.pointer and error.keyword:
        tokens = ()
    else:
        return replace(tool, parameters=ANY_OBJECT)
    found = _without(tool.parameters, tokens, error.keyword)
    if not isinstance(found, dict) or found == tool.parameters:
        return replace(tool, parameters=ANY_OBJECT)
    return replace(tool, parameters=found)


def _without(value: Json, tokens: tuple[str, ...], keyword: str) -> Json:
    """The value with the keyword taken out of the subschema that the tokens lead to, or with that replaced."""
    if not tokens:
        if isinstance(value, dict) and keyword in value:
            return {name: each for name, each in value.items() if name != keyword}
        return True
    first, rest = tokens[0], tokens[1:]
    if isinstance(value, dict) and first in value:
        return {name: _without(each, rest, keyword) if name == first else each for name, each in value.items()}
    if isinstance(value, list) and first.isdecimal() and int(first) < len(value):
        return [_without(each, rest, keyword) if index == int(first) else each for index, each in enumerate(value)]
    return value

"""Tool lists: every API's shape is read to the same tools; what is wrong is told with its place."""

from __future__ import annotations

import pytest
from pydantic import BaseModel

from schema2gbnf.toolcalls import Tool, ToolError, read_tools

SCHEMA = {"type": "object", "properties": {"n": {"type": "integer"}}}


@pytest.mark.parametrize(
    ("tool", "pointer"),
    [
        (
            {"type": "function", "function": {"name": "f", "description": "d", "parameters": SCHEMA}},
            "/function/parameters",
        ),
        ({"function": {"name": "f", "description": "d", "parameters": SCHEMA, "strict": True}}, "/function/parameters"),
        ({"type": "function", "name": "f", "description": "d", "parameters": SCHEMA, "strict": False}, "/parameters"),
        ({"name": "f", "description": "d", "parameters": SCHEMA}, "/parameters"),
        ({"name": "f", "description": "d", "input_schema": SCHEMA}, "/input_schema"),
        ({"type": "custom", "name": "f", "description": "d", "input_schema": SCHEMA}, "/input_schema"),
        ({"name": "f", "description": "d", "inputSchema": SCHEMA, "outputSchema": {}}, "/inputSchema"),
    ],
)
def test_every_shape_is_read(tool: dict[str, object], pointer: str) -> None:
    assert read_tools([tool]) == (Tool("f", SCHEMA, "d", f"#/0{pointer}"),)


def test_a_list_may_stand_in_what_carries_it() -> None:
    tools = [{"name": "f", "inputSchema": SCHEMA}]
    for carrier, pointer in (({"tools": tools}, "#/tools"), ({"result": {"tools": tools}}, "#/result/tools")):
        assert read_tools(carrier) == (Tool("f", SCHEMA, "", f"{pointer}/0/inputSchema"),)


def test_tools_are_read_twice_unchanged() -> None:
    tools = read_tools([{"name": "f", "inputSchema": SCHEMA}])
    assert read_tools(tools) == tools


@pytest.mark.parametrize("more", [{}, {"parameters": None}, {"description": None}])
def test_no_parameters_is_an_object_without_members(more: dict[str, object]) -> None:
    assert read_tools([{"name": "f", **more}])[0].parameters == {"type": "object", "properties": {}}


def test_a_model_of_a_tool_is_read() -> None:
    class Function(BaseModel):
        name: str
        parameters: dict[str, object] | None = None

    class ToolModel(BaseModel):
        type: str = "function"
        function: Function

    tools = read_tools([ToolModel(function=Function(name="f", parameters=SCHEMA))])
    assert tools == (Tool("f", SCHEMA, "", "#/0/function/parameters"),)


LOOP: dict[str, object] = {}
LOOP["properties"] = LOOP


@pytest.mark.parametrize(
    ("tools", "message"),
    [
        (None, "#: expected a list of tools, found null"),
        ({"name": "f"}, "#: expected a list of tools, found an object"),
        ({"tools": "f"}, "#/tools: expected a list of tools, found a string"),
        ([1], "#/0: expected a tool, an object, found a number"),
        ([{"function": []}], "#/0: function: expected an object with name and parameters, found an array"),
        ([{"type": "function", "function": {}}], "#/0/function: name: the tool has no name"),
        ([{"name": ""}], "#/0: name: expected a name, found ''"),
        ([{"name": 1}], "#/0: name: expected a name, found a number"),
        ([{"type": "web_search"}], "#/0: type: 'web_search' is no function whose arguments a schema describes; "),
        ([{"name": "f"}, {"name": "f"}], "#/1: name: a second tool of the name 'f'; rename one"),
        (
            [{"name": "f", "parameters": []}],
            "#/0: parameters: the parameters of the tool 'f' are a schema, an object, ",
        ),
        ([{"name": "f", "parameters": {}, "inputSchema": {}}], "#/0: inputSchema: the tool 'f' has its schema twice"),
        (
            [{"name": "f", "parameters": {"x": {1}}}],
            "#/0/parameters/x: the parameters of the tool 'f' cannot be read: a set",
        ),
        (
            [{"name": "f", "parameters": LOOP}],
            "#/0/parameters/properties: the parameters of the tool 'f' cannot be read: ",
        ),
    ],
)
def test_what_is_no_tool_list_is_told_with_its_place(tools: object, message: str) -> None:
    with pytest.raises(ToolError) as caught:
        read_tools(tools)
    assert str(caught.value).startswith(message)

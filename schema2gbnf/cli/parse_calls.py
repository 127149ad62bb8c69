"""Read the tool calls in what a model wrote, with the types that the tools' schemas say.

Prints one JSON object with the calls and the content; with --stream, before it, one line for each OpenAI delta, of the
text given in pieces of N characters. What was read but is not as the format or the schema has it is told on standard
error. Exit status: 0 there are calls and all are complete, 1 there is none or one is not, 2 something cannot be read.
"""

from __future__ import annotations

import json
from argparse import ArgumentParser, Namespace

from schema2gbnf.cli.files import DONE, NO, Complaint, complain, label, read_bytes, read_text
from schema2gbnf.cli.schemas import count
from schema2gbnf.errors import SchemaError
from schema2gbnf.options import Limits
from schema2gbnf.schema.text import Json, read_json
from schema2gbnf.toolcalls.calls import Call, Delta, Result, openai
from schema2gbnf.toolcalls.parser import FORMATS, StreamParser
from schema2gbnf.toolcalls.spelling import NotJsonError, read
from schema2gbnf.toolcalls.tools import Tool, ToolError, read_tools


def declare(parser: ArgumentParser) -> None:
    """Let the parser take the arguments of this verb."""
    parser.add_argument("text", metavar="TEXT", help='a file, "-" for standard input, or (with a "<" in it) the text')
    parser.add_argument("--format", required=True, choices=FORMATS, help="how the model writes calls")
    parser.add_argument(
        "--tools", required=True, metavar="TOOLS.json", help="the tools, as OpenAI, Anthropic or MCP lists them"
    )
    parser.add_argument("--stream", type=count, metavar="N", help="give the text in pieces of N characters")
    parser.add_argument(
        "--finish", choices=("stop", "length"), default="stop", help="why it ends (default: %(default)s)"
    )
    parser.add_argument(
        "--unknown-tool",
        choices=("forward", "text", "drop"),
        default="forward",
        help="what becomes of a call of a tool that there is not (default: %(default)s)",
    )
    parser.add_argument(
        "--untyped",
        choices=("json", "containers"),
        default="json",
        help="what a parameter that the schema says nothing of is read as: any JSON, or only objects and arrays, all "
        "else being text (default: %(default)s)",
    )


def run(arguments: Namespace) -> int:
    """Parse and print."""
    tools = read_tool_file(arguments.tools)
    name = arguments.text
    text = name if "<" in name else read_text(name)
    parser = StreamParser(arguments.format, tools, unknown_tool=arguments.unknown_tool, untyped=arguments.untyped)
    size = arguments.stream or max(len(text), 1)
    for start in range(0, len(text), size):
        _tell(parser.feed(text[start : start + size]), arguments.stream)
    _tell(parser.finish(arguments.finish), arguments.stream)
    result = parser.result
    _complain(result, "text" if "<" in name else label(name))
    print(json.dumps(_shown(result), ensure_ascii=False, indent=None if arguments.stream else 2))
    return DONE if result.calls and all(call.complete for call in result.calls) else NO


def read_tool_file(name: str) -> tuple[Tool, ...]:
    """The tools that a file lists."""
    limits = Limits()
    try:
        return read_tools(read_json(read_bytes(name, limits.bytes), max_depth=limits.depth, max_bytes=limits.bytes))
    except (SchemaError, ToolError) as error:
        raise Complaint(label(name), str(error)) from None


def _tell(deltas: tuple[Delta, ...], wanted: int | None) -> None:
    for delta in openai(deltas) if wanted else ():
        print(json.dumps(delta, ensure_ascii=False))


def _complain(result: Result, name: str) -> None:
    for event in result.events:
        complain(name, event)
    for call in result.calls:
        for event in call.events:
            complain(f"{name}: {call.name}", event)


def _shown(result: Result) -> dict[str, Json]:
    shown: dict[str, Json] = {"calls": [_shown_call(call) for call in result.calls], "content": result.content}
    return shown | ({"reasoning": result.reasoning} if result.reasoning else {})


def _shown_call(call: Call) -> dict[str, Json]:
    """The arguments as the value they spell, or as text where they spell none."""
    try:
        arguments = read(call.arguments)
    except NotJsonError:
        arguments = call.arguments
    return {"name": call.name, "arguments": arguments, "complete": call.complete}

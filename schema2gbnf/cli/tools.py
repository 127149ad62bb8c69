"""Compile a list of tools to the grammar of their calls in a wire format.

The tools may be in the shape of OpenAI's chat completions or responses, of Anthropic, or of MCP. What is to be told of
a tool goes to standard error. Exit status: 0 done, 1 a tool or the choice is refused, 2 a file cannot be read or
written.
"""

from __future__ import annotations

import json
from argparse import ArgumentParser, Namespace
from dataclasses import replace

from schema2gbnf.cli.files import DONE, NO, STREAM, Complaint, complain, label, read_bytes, write_text
from schema2gbnf.cli.schemas import chosen_options, count, declare_options
from schema2gbnf.errors import SchemaError
from schema2gbnf.schema.text import Json, read_json
from schema2gbnf.toolcalls.grammar import FORMATS, ToolGrammar, compile_tools


def declare(parser: ArgumentParser) -> None:
    """Let the parser take the arguments of this verb."""
    parser.add_argument("tools", metavar="TOOLS", help='a JSON file with a list of tools; "-" is standard input')
    parser.add_argument("--format", required=True, choices=FORMATS, help="the wire format of the model")
    parser.add_argument(
        "--tool-choice",
        type=_choice,
        default="auto",
        metavar="CHOICE",
        help="auto, required, none, the name of a tool, or a JSON object as an API takes it (default: %(default)s)",
    )
    parser.add_argument("--parallel", action="store_true", help="allow several calls")
    parser.add_argument("--max-calls", type=count, metavar="N", help="at most so many calls (with --parallel)")
    parser.add_argument(
        "--python-case", action="store_true", help="allow True, False and None too, where the format reads them"
    )
    parser.add_argument(
        "--on-error",
        choices=("raise", "drop", "loosen"),
        default="raise",
        help="a tool that cannot be compiled is an error, is left out, or loses what is wrong in its schema",
    )
    parser.add_argument(
        "--turn",
        choices=("full", "lazy"),
        help="the grammar of the whole turn, or from a trigger on, where no call is required "
        "(default: full; with --json, lazy)",
    )
    parser.add_argument(
        "--json",
        action="store_true",
        help="write the members of a llama-server request: grammar, grammar_lazy, grammar_triggers, preserved_tokens",
    )
    parser.add_argument(
        "-o", "--output", default=STREAM, metavar="FILE", help="where the answer goes (default: standard output)"
    )
    declare_options(parser)


def run(arguments: Namespace) -> int:
    """Compile and write."""
    compiled = _compiled(arguments)
    if not arguments.quiet:
        for finding in compiled.findings:
            complain(label(arguments.tools), finding)
    if arguments.json:
        fields = compiled.server_fields(lazy=arguments.turn != "full")
        write_text(arguments.output, json.dumps(fields, ensure_ascii=False, indent=2) + "\n")
    else:
        lazy = arguments.turn == "lazy" and compiled.lazy_gbnf
        write_text(arguments.output, compiled.lazy_gbnf if lazy else compiled.gbnf)
    return DONE


def _compiled(arguments: Namespace) -> ToolGrammar:
    options = chosen_options(arguments)
    nullable = True if options.nullable is None else options.nullable
    limits = options.limits
    try:
        tools = read_json(read_bytes(arguments.tools, limits.bytes), max_depth=limits.depth, max_bytes=limits.bytes)
        return compile_tools(
            tools,
            arguments.format,
            tool_choice=arguments.tool_choice,
            parallel=arguments.parallel,
            max_calls=arguments.max_calls,
            on_error=arguments.on_error,
            python_case=arguments.python_case,
            order=options.order,
            options=replace(options, nullable=nullable),
        )
    except SchemaError as error:
        raise Complaint(label(arguments.tools), str(error), NO) from None


def _choice(text: str) -> Json:
    """A word, or the object that the text is."""
    if not text.startswith("{"):
        return text
    try:
        return read_json(text)
    except SchemaError as error:
        raise ValueError(str(error)) from None

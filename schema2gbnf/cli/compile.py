"""Compile a JSON Schema to a GBNF grammar.

Findings, the places where the grammar is not exactly the schema, go to standard error, and so does what the grammar
costs llama.cpp. Exit status: 0 done, 1 the schema is refused, 2 a file cannot be read or written.
"""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser, Namespace
from dataclasses import asdict

from schema2gbnf.api import Result
from schema2gbnf.cli.files import DONE, NO, STREAM, complain, label, write_text
from schema2gbnf.cli.schemas import compiled, declare_options


def declare(parser: ArgumentParser) -> None:
    """Let the parser take the arguments of this verb."""
    parser.add_argument("schema", metavar="SCHEMA", help='a file with a JSON Schema; "-" is standard input')
    parser.add_argument(
        "-o", "--output", default=STREAM, metavar="FILE", help="where the grammar goes (default: standard output)"
    )
    parser.add_argument(
        "--stats", action="store_true", help="tell what the grammar costs llama.cpp, along texts made up from it"
    )
    parser.add_argument("--json", action="store_true", help="with --stats: tell it as a JSON object")
    declare_options(parser)


def run(arguments: Namespace) -> int:
    """Compile, write, and tell the cost."""
    result = compiled(arguments, arguments.schema, refusal=NO)
    write_text(arguments.output, result.gbnf)
    if arguments.stats:
        _tell_cost(result, label(arguments.schema), as_json=arguments.json)
    return DONE


def _tell_cost(result: Result, source: str, *, as_json: bool) -> None:
    from schema2gbnf.cost import cost

    figures = cost(result.grammar)
    if as_json:
        print(json.dumps(asdict(figures)), file=sys.stderr)
    else:
        complain(source, figures)

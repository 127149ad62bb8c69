"""Compile a JSON Schema to a GBNF grammar.

Findings, the places where the grammar is not exactly the schema, go to standard error. Exit status: 0 done, 1 the
schema is refused, 2 a file cannot be read or written.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from schema2gbnf.cli.files import DONE, NO, STREAM, write_text
from schema2gbnf.cli.schemas import compiled, declare_options

SUMMARY = "compile a JSON Schema to a GBNF grammar"


def declare(parser: ArgumentParser) -> None:
    """Let the parser take the arguments of this verb."""
    parser.add_argument("schema", metavar="SCHEMA", help='a file with a JSON Schema; "-" is standard input')
    parser.add_argument(
        "-o", "--output", default=STREAM, metavar="FILE", help="where the grammar goes (default: standard output)"
    )
    declare_options(parser)


def run(arguments: Namespace) -> int:
    """Compile and write."""
    write_text(arguments.output, compiled(arguments, arguments.schema, refusal=NO).gbnf)
    return DONE

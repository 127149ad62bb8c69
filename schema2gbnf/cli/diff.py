"""Show how a grammar, or the grammar that a schema becomes, differs from another.

Told are the rules that were added, removed, renamed or changed, and for each side a shortest text that only it accepts,
or that there is none. The search for such texts visits pairs of states, and is given up after --states of them. Exit
status: 0 done, 2 something cannot be read; with --exit-code 1 when there is a text that only one accepts.
"""

from __future__ import annotations

import json
from argparse import ArgumentParser, Namespace

from schema2gbnf.api import Result
from schema2gbnf.cli.files import DONE, NO, STREAM, Complaint, label
from schema2gbnf.cli.schemas import count, declare_options, parsed, text_or_compiled
from schema2gbnf.differences import Difference, Side
from schema2gbnf.gbnf import compare
from schema2gbnf.gbnf.witnesses import LIMIT
from schema2gbnf.grammar.rules import Grammar


def declare(parser: ArgumentParser) -> None:
    """Let the parser take the arguments of this verb."""
    for name, metavar in (("first", "A"), ("second", "B")):
        parser.add_argument(
            name, metavar=metavar, help='a .gbnf file, or a .json file with a schema; "-" is standard input'
        )
    parser.add_argument("--exit-code", action="store_true", help="exit with 1 when some text is accepted by one alone")
    parser.add_argument("--format", choices=("text", "json"), default="text", help="form of the answer")
    parser.add_argument(
        "--states",
        type=count,
        default=LIMIT,
        metavar="N",
        help="pairs of states to visit each way (default: %(default)s)",
    )
    declare_options(parser)


def run(arguments: Namespace) -> int:
    """Compare and print."""
    if arguments.first == arguments.second == STREAM:
        raise Complaint("schema2gbnf diff", "only one of the two can be standard input")
    (first, old), (second, new) = (_side(arguments, name) for name in (arguments.first, arguments.second))
    try:
        difference = Difference(first, second, compare(old, new, arguments.states))
    except ValueError as error:
        raise Complaint(f"{first.name}, {second.name}", str(error)) from None
    if arguments.format == "json":
        print(json.dumps(difference.data(), ensure_ascii=False, indent=2))
    else:
        print(difference)
    return NO if arguments.exit_code and difference.comparison.differs else DONE


def _side(arguments: Namespace, name: str) -> tuple[Side, Grammar]:
    source = text_or_compiled(arguments, name)
    if isinstance(source, Result):
        return Side(label(name), source.gbnf), source.grammar
    return Side(label(name), source), parsed(name, source)

"""The command line: arguments come in, files are read, one library function is called, and its answer is printed.

Exit status: 0 done, 1 the answer is no (a text or a schema is refused), 2 it could not be asked. Answers go to standard
output, messages to standard error, each as `file: #/pointer: keyword: what and what to do`; bad input never ends in a
traceback. A verb is a module with `declare(parser)` and `run(arguments)`, loaded when it is asked for.
"""

from __future__ import annotations

import io
import os
import sys
from argparse import ArgumentParser
from collections.abc import Mapping, Sequence
from importlib import import_module
from types import ModuleType
from typing import NoReturn

from schema2gbnf import __version__
from schema2gbnf.cli.files import COULD_NOT_RUN, DONE, Complaint, complain

VERBS: Mapping[str, str] = {
    "compile": "compile a JSON Schema to a GBNF grammar",
    "match": "tell whether texts fit a grammar or a schema",
    "sample": "write sentences of a grammar or a schema",
    "verify": "try a grammar against its schema: sentences, valid and invalid values",
    "diff": "show what one grammar or schema accepts and another does not",
    "lint": "find what is wrong with grammars",
    "golden": "check or update grammars kept in files",
    "normalize": "rewrite tool schemas for a narrower back end",
    "tools": "compile a list of tools to the grammar of their calls",
    "parse-calls": "read the tool calls in what a model wrote",
}
"""What each verb does, in a few words."""

INTERRUPTED = 130


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command, and return its exit status."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace", newline="\n")
    if sys.stdout is None:
        complain("standard output", "closed")
        return COULD_NOT_RUN
    given = list(sys.argv[1:] if argv is None else argv)
    try:
        status = _run(given)
        sys.stdout.flush()
    except Complaint as complaint:
        complain(complaint.source, complaint.message)
        return complaint.status
    except OSError as error:
        # A reader that has gone needs no word.
        if not isinstance(error, BrokenPipeError):
            complain("standard output", error.strerror or str(error))
        _give_up_output()
        return COULD_NOT_RUN
    except MemoryError:
        complain("schema2gbnf", "out of memory")
        return COULD_NOT_RUN
    except KeyboardInterrupt:
        complain("schema2gbnf", "interrupted")
        return INTERRUPTED
    return status


def _give_up_output() -> None:
    """Send what is still in the buffer nowhere, so that it is not tried again at the end of the process."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _run(given: list[str]) -> int:
    if given and given[0] not in (*VERBS, "-h", "--help", "--version"):
        given = ["compile", *given]
    try:
        arguments = _parser(*given[:1]).parse_args(given)
    except SystemExit as leave:
        # Help and version have been printed, or the mistake told.
        return int(leave.code or DONE)
    status: int = _module(arguments.verb).run(arguments)
    return status


class _Parser(ArgumentParser):
    """A parser that tells a mistake in one line."""

    def error(self, message: str) -> NoReturn:
        self.exit(COULD_NOT_RUN, f"{self.prog}: {message}; {self.prog} --help tells more\n")


def _parser(wanted: str = "") -> ArgumentParser:
    parser = _Parser(
        prog="schema2gbnf",
        description="Compile JSON Schema to GBNF, the grammar language of llama.cpp.",
        epilog="Without a verb, compile is meant: schema2gbnf schema.json > out.gbnf",
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"schema2gbnf {__version__}")
    verbs = parser.add_subparsers(dest="verb", required=True, metavar="|".join(VERBS))
    for name, summary in VERBS.items():
        verb = verbs.add_parser(name, help=summary, allow_abbrev=False)
        if name == wanted:
            module = _module(name)
            verb.description = module.__doc__
            module.declare(verb)
    return parser


def _module(verb: str) -> ModuleType:
    return import_module(f"schema2gbnf.cli.{verb.replace('-', '_')}")

"""The command line: arguments come in, files are read, one library function is called, and its answer is printed.

Exit status: 0 done, 1 the answer is no (a text or a schema is refused), 2 it could not be asked. Answers go to standard
output, messages to standard error, each as `file: #/pointer: keyword: what and what to do`; bad input never ends in a
traceback. A verb is a module with `SUMMARY`, `declare(parser)` and `run(arguments)`.
"""

from __future__ import annotations

import io
import os
import sys
from argparse import ArgumentParser
from collections.abc import Mapping, Sequence
from types import ModuleType
from typing import NoReturn

from schema2gbnf import __version__
from schema2gbnf.cli import compile as compile_verb
from schema2gbnf.cli import diff as diff_verb
from schema2gbnf.cli import golden as golden_verb
from schema2gbnf.cli import lint as lint_verb
from schema2gbnf.cli import match as match_verb
from schema2gbnf.cli import normalize as normalize_verb
from schema2gbnf.cli import parse_calls as parse_calls_verb
from schema2gbnf.cli import sample as sample_verb
from schema2gbnf.cli import tools as tools_verb
from schema2gbnf.cli import verify as verify_verb
from schema2gbnf.cli.files import COULD_NOT_RUN, DONE, Complaint, complain

VERBS: Mapping[str, ModuleType] = {
    "compile": compile_verb,
    "match": match_verb,
    "sample": sample_verb,
    "verify": verify_verb,
    "diff": diff_verb,
    "lint": lint_verb,
    "golden": golden_verb,
    "parse-calls": parse_calls_verb,
    "tools": tools_verb,
    "normalize": normalize_verb,
}

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
        arguments = _parser().parse_args(given)
    except SystemExit as leave:
        # Help and version have been printed, or the mistake told.
        return int(leave.code or DONE)
    status: int = VERBS[arguments.verb].run(arguments)
    return status


class _Parser(ArgumentParser):
    """A parser that tells a mistake in one line."""

    def error(self, message: str) -> NoReturn:
        self.exit(COULD_NOT_RUN, f"{self.prog}: {message}; {self.prog} --help tells more\n")


def _parser() -> ArgumentParser:
    parser = _Parser(
        prog="schema2gbnf",
        description="Compile JSON Schema to GBNF, the grammar language of llama.cpp.",
        epilog="Without a verb, compile is meant: schema2gbnf schema.json > out.gbnf",
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"schema2gbnf {__version__}")
    verbs = parser.add_subparsers(dest="verb", required=True, metavar="|".join(VERBS))
    for name, verb in VERBS.items():
        verb.declare(verbs.add_parser(name, help=verb.SUMMARY, description=verb.__doc__, allow_abbrev=False))
    return parser

"""Find what is wrong with grammars: what engines refuse, misread or do not survive, and where.

Each finding is a line with file, place, level, code and remedy (text), an object of a list (json), or an annotation of
a GitHub workflow (github). Exit status: 0 nothing of level error was found, 1 something was, 2 a file cannot be read.
"""

from __future__ import annotations

import json
from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from dataclasses import asdict

from schema2gbnf.cli.files import COULD_NOT_RUN, DONE, NO, Complaint, complain, label, read_text
from schema2gbnf.lint import CHECKS, Diagnostic, lint
from schema2gbnf.options import Limits

Findings = list[tuple[str, Diagnostic]]
"""What was found, each with the file."""


def declare(parser: ArgumentParser) -> None:
    """Let the parser take the arguments of this verb."""
    parser.add_argument("files", metavar="FILE.gbnf", nargs="+", help='grammars; "-" is standard input')
    parser.add_argument("--format", choices=FORMATS, default="text", help="form of the findings (default: %(default)s)")
    parser.add_argument(
        "--ignore",
        action="append",
        choices=[check.code for check in CHECKS],
        default=[],
        metavar="CODE",
        help="a check to leave out; may be repeated",
    )


def run(arguments: Namespace) -> int:
    """Lint each file and print what was found."""
    status = DONE
    found: Findings = []
    for file in arguments.files:
        try:
            text = read_text(file, Limits().bytes)
        except Complaint as complaint:
            complain(complaint.source, complaint.message)
            status = COULD_NOT_RUN
            continue
        found += [(label(file), each) for each in lint(text) if each.code not in arguments.ignore]
    print(FORMATS[arguments.format](found), end="")
    return max(status, NO if any(each.level == "error" for _, each in found) else DONE)


def _text(found: Findings) -> str:
    return "".join(f"{file}:{each}\n" for file, each in found)


def _json(found: Findings) -> str:
    return json.dumps([{"file": file, **asdict(each)} for file, each in found], ensure_ascii=False, indent=2) + "\n"


def _github(found: Findings) -> str:
    return "".join(
        f"::{each.level} file={_property(file)},line={each.line},col={each.column},title={each.code}"
        f"::{_data(each.message)}\n"
        for file, each in found
    )


def _data(text: str) -> str:
    """A text as a workflow command holds it."""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


FORMATS: dict[str, Callable[[Findings], str]] = {"text": _text, "json": _json, "github": _github}

"""Tell whether texts are sentences of a grammar, or of the grammar that a schema becomes.

A text that is refused is shown with a caret where it went wrong, and with what could have stood there; under a schema
also whether the value itself is at fault, or only its spelling. A line break at the end of a file may be there or not.
Exit status: 0 all are accepted, 1 some are not, 2 something cannot be read.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from schema2gbnf.api import Result
from schema2gbnf.cli.files import COULD_NOT_RUN, DONE, NO, Complaint, complain, label, read_text
from schema2gbnf.cli.schemas import declare_options, grammar_or_compiled
from schema2gbnf.errors import SchemaError
from schema2gbnf.gbnf import Accepted, Matcher, TooManyReadingsError, Verdict, told
from schema2gbnf.schema.text import read_json


def declare(parser: ArgumentParser) -> None:
    """Let the parser take the arguments of this verb."""
    parser.add_argument("grammar", metavar="GRAMMAR_OR_SCHEMA", help="a .gbnf file, or a .json file with a schema")
    parser.add_argument("files", metavar="TEXT_FILE", nargs="*", help='files with a text each; "-" is standard input')
    parser.add_argument("--text", action="append", default=[], help="a text itself; may be repeated")
    declare_options(parser)


def run(arguments: Namespace) -> int:
    """Match each text and print the verdict."""
    if not arguments.files and not arguments.text:
        raise Complaint("schema2gbnf match", "no text is given; name a file, or use --text")
    source = grammar_or_compiled(arguments, arguments.grammar)
    try:
        matcher = Matcher(source.grammar if isinstance(source, Result) else source)
    except ValueError as error:
        raise Complaint(label(arguments.grammar), str(error)) from None
    status = DONE
    for place, text in enumerate(arguments.text, 1):
        name = "--text" if len(arguments.text) == 1 else f"--text {place}"
        status = max(status, _matched(name, text, matcher, source))
    for file in arguments.files:
        try:
            text = read_text(file)
        except Complaint as complaint:
            complain(complaint.source, complaint.message)
            status = COULD_NOT_RUN
            continue
        status = max(status, _matched(label(file), text, matcher, source, whole=False))
    return status


def _matched(name: str, text: str, matcher: Matcher, source: object, whole: bool = True) -> int:
    """Match a text, of which the last line break may count or not, and print the verdict; return the exit status."""
    try:
        verdict = matcher.match(text)
        if not whole and not isinstance(verdict, Accepted) and (line := _without_line_break(text)) != text:
            text, verdict = line, matcher.match(line)
        return _tell(name, text, verdict, matcher, source)
    except TooManyReadingsError as error:
        complain(name, str(error))
        return COULD_NOT_RUN


def _without_line_break(text: str) -> str:
    return text.removesuffix("\n").removesuffix("\r") if text.endswith("\n") else text


def _tell(name: str, text: str, verdict: Verdict, matcher: Matcher, source: object) -> int:
    """Print the verdict on a text; return the exit status for it."""
    print(f"{name}: {told(text, verdict)}")
    if isinstance(verdict, Accepted):
        return DONE
    if isinstance(source, Result) and (more := _of_value(text, matcher, source)):
        print(f"    {more}")
    return NO


def _of_value(text: str, matcher: Matcher, result: Result) -> str | None:
    """What the schema says of the value that a refused text spells, if it spells one."""
    try:
        value = read_json(text)
    except SchemaError:
        return None
    try:
        canonical = result.dumps(value)
    except ValueError as error:
        return f"the schema refuses the value: {error}"
    if matcher.accepts(canonical):
        return f"the schema accepts the value; the grammar spells it {canonical}"
    return "the schema accepts the value; the grammar leaves it out, as the narrowed findings say"

"""Rewrite a schema, or the schemas of a tool list, for a back end that does not read all of JSON Schema.

The result goes to standard output, as the tool list it came in as; what a caller should know goes to standard error,
and all events, as lines of JSON, to where --report says. Exit status: 0 done, 1 an event is as grave as --fail-on, 2
something cannot be read, a schema is none or allows nothing, or strict mode refuses it.
"""

from __future__ import annotations

import sys
from argparse import SUPPRESS, ArgumentParser, BooleanOptionalAction, Namespace
from collections.abc import Mapping
from dataclasses import fields
from difflib import unified_diff
from pathlib import Path
from typing import get_args

from schema2gbnf.cli.files import (
    COULD_NOT_RUN,
    DONE,
    NO,
    STREAM,
    Complaint,
    complain,
    complaining,
    label,
    read_bytes,
    write_text,
)
from schema2gbnf.cli.schemas import count
from schema2gbnf.errors import SchemaError
from schema2gbnf.normalize import DEFAULT_TARGET, SEVERITIES, Event, NormalizationError, Options
from schema2gbnf.normalize.kinds import is_kind
from schema2gbnf.normalize.normalizer import normalized
from schema2gbnf.normalize.options import OnError
from schema2gbnf.normalize.targets import Target, TargetError, names, target_of
from schema2gbnf.normalize.text import written
from schema2gbnf.normalize.tools import SHAPES, holds_tools, is_tool, normalized_tools
from schema2gbnf.options import Limits
from schema2gbnf.schema.text import Json, read_json

_QUIET = ("lossless",)
"""Severities that are told in the report only."""


def declare(parser: ArgumentParser) -> None:
    """Let the parser take the arguments of this verb."""
    parser.add_argument("file", metavar="FILE", nargs="?", help='a file with JSON; "-", the default, is standard input')
    parser.add_argument("-o", "--output", default=STREAM, metavar="FILE", help="where the result goes")
    parser.add_argument(
        "--target",
        default=DEFAULT_TARGET,
        metavar="NAME|FILE",
        help=f"the back end: {', '.join(names())}, or a file with a table (default: %(default)s)",
    )
    parser.add_argument(
        "--shape",
        choices=("auto", "schema", *(shape for shape in SHAPES if shape != "auto")),
        default="auto",
        help="what the input is (default: a tool list if it looks like one, else a schema)",
    )
    parser.add_argument(
        "--strict",
        nargs="?",
        const="",
        metavar="KINDS",
        help="refuse what is loosened, repaired or an error; or, as --strict=a,b, events of these kinds",
    )
    parser.add_argument("--report", metavar="FILE", help='where events go as lines of JSON; "-" is standard error')
    parser.add_argument("--fail-on", choices=SEVERITIES, metavar="SEVERITY", help=f"one of {', '.join(SEVERITIES)}")
    parser.add_argument("--diff", action="store_true", help="write what has changed, as a unified diff, not the result")
    parser.add_argument("--indent", type=int, default=2, metavar="N", help="blanks a level (default: %(default)s)")
    parser.add_argument("--max-repetition", type=count, metavar="N", help="in place of the target's own limit")
    parser.add_argument(
        "--on-error", choices=get_args(OnError), default="keep", help="what becomes of a tool that fails"
    )
    for name, default in _switches().items():
        switch = f"--{name.replace('_', '-')}"
        parser.add_argument(switch, action=BooleanOptionalAction, default=default, help=_MEANINGS.get(name, SUPPRESS))


def _switches() -> dict[str, bool]:
    defaults = Options()
    given = {each.name: getattr(defaults, each.name) for each in fields(Options)}
    return {name: value for name, value in given.items() if isinstance(value, bool) and name != "strict"}


_MEANINGS: Mapping[str, str] = {
    "repair_zod": "guess what references to unions mean that zod has collapsed",
    "explicit_open": "write additionalProperties: true where the back end would close an object",
    "rewrite_patterns": "rewrite patterns that the back end does not read, where that is possible",
    "type_aliases": "read the type names of other languages",
    "nullable": "let nullable: true add null",
    "inline_refs": "replace references by what they lead to, unless they are recursive",
    "policies": "report also what the back end does to every schema",
    "arguments": "a schema is that of a tool's arguments: an object",
}


def run(arguments: Namespace) -> int:
    """Normalize, write, report."""
    file, strict = _strictness(arguments)
    value = _read(file)
    target = _target(arguments.target)
    chosen = {name: getattr(arguments, name) for name in _switches()}
    options = Options(max_repetition=arguments.max_repetition, strict=strict, on_error=arguments.on_error, **chosen)
    try:
        result, events = _normalized(value, target, options, arguments.shape)
    except NormalizationError as error:
        for event in error.events:
            complain(label(file), event)
        return COULD_NOT_RUN
    _report(arguments, file, events)
    if arguments.diff:
        write_text(arguments.output, _diff(value, result, label(file)))
    else:
        write_text(arguments.output, written(result, arguments.indent if arguments.indent >= 0 else None) + "\n")
    if any(event.severity == "error" for event in events):
        return COULD_NOT_RUN
    limit = SEVERITIES.index(arguments.fail_on) if arguments.fail_on else len(SEVERITIES)
    return NO if any(event.weight >= limit for event in events) else DONE


def _strictness(arguments: Namespace) -> tuple[str, bool | frozenset[str]]:
    """The file, and what is refused: `--strict FILE` names no kinds."""
    if arguments.strict is None:
        return arguments.file or STREAM, False
    kinds = [kind for kind in arguments.strict.split(",") if kind]
    unknown = [kind for kind in kinds if not is_kind(kind)]
    if unknown and arguments.file is None:
        return arguments.strict, True
    if unknown:
        raise Complaint("schema2gbnf normalize", f"--strict: there are no events of the kind {unknown[0]!r}")
    return arguments.file or STREAM, frozenset(kinds) if kinds else True


def _read(file: str) -> Json:
    limits = Limits()
    try:
        return read_json(read_bytes(file, limits.bytes), max_depth=limits.depth, max_bytes=limits.bytes)
    except SchemaError as error:
        raise Complaint(label(file), str(error)) from None


def _target(choice: str) -> Target:
    try:
        with complaining(choice):
            return target_of(Path(choice) if choice.endswith(".json") or "/" in choice else choice)
    except (TargetError, SchemaError) as error:
        raise Complaint("--target", str(error)) from None


def _normalized(value: Json, target: Target, options: Options, shape: str) -> tuple[Json, tuple[Event, ...]]:
    if shape == "schema" or (shape == "auto" and not holds_tools(value) and not is_tool(value)):
        from schema2gbnf.normalize.events import enforce

        schema = normalized(value, target, options)
        enforce(schema.events, options.strict)
        return schema.schema, schema.events
    alone = is_tool(value)
    tools = normalized_tools([value] if alone else value, target, options, shape)
    return (next(iter(tools.tools), None) if alone else tools.tools), tools.events


def _report(arguments: Namespace, file: str, events: tuple[Event, ...]) -> None:
    lines = "".join(written(event.as_json()) + "\n" for event in events)
    if arguments.report == STREAM:
        print(lines, end="", file=sys.stderr)
        return
    for event in events:
        if event.severity not in _QUIET:
            complain(label(file), event)
    if arguments.report is not None:
        write_text(arguments.report, lines)


def _diff(before: Json, after: Json, name: str) -> str:
    old, new = (written(value, 2).splitlines(keepends=True) for value in (before, after))
    return "".join(line if line.endswith("\n") else line + "\n" for line in unified_diff(old, new, name, "normalized"))

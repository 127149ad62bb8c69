"""Schemas and grammars of the command line: the options of the compiler as arguments, and what they are applied to."""

from __future__ import annotations

from argparse import ArgumentParser, ArgumentTypeError, Namespace
from dataclasses import fields
from pathlib import Path

from schema2gbnf.api import Result, compile_schema
from schema2gbnf.cli.files import (
    COULD_NOT_RUN,
    STREAM,
    Complaint,
    complain,
    complaining,
    decoded,
    label,
    read_bytes,
    read_text,
)
from schema2gbnf.errors import SchemaError
from schema2gbnf.gbnf import GbnfSyntaxError, parse
from schema2gbnf.grammar.rules import Grammar
from schema2gbnf.options import CHOICES, Limits, Options
from schema2gbnf.schema.text import Json, read_json

_LIMITS = tuple(field.name for field in fields(Limits))


def declare_options(parser: ArgumentParser) -> None:
    """Let a parser take the options of the compiler."""
    group = parser.add_argument_group("options of the compiler")
    group.add_argument("--strict", action="store_true", help="refuse what a grammar cannot hold, instead of loosening")
    for name, meaning in (
        ("additional_properties", "further members of objects with properties: none, or as the standard has it"),
        ("whitespace", "blanks between tokens"),
        ("order", "order of members"),
        ("formats", "whether format restricts strings"),
        ("default_dialect", "dialect of schemas without $schema"),
    ):
        group.add_argument(
            f"--{name.replace('_', '-')}",
            choices=CHOICES[name],
            default=getattr(Options(), name),
            help=f"{meaning} (default: %(default)s)",
        )
    group.add_argument(
        "--prop-order", type=_names, default=(), metavar="A,B,…", help="members that come first in every object"
    )
    group.add_argument(
        "--nullable", action="store_true", default=None, help="let nullable: true add null in every dialect"
    )
    group.add_argument("--dotall", action="store_true", help="let a dot in a pattern match line breaks too")
    group.add_argument(
        "--raw-pattern", action="store_true", help="write strings with a pattern bare, without quotes and escapes"
    )
    group.add_argument("--allow-fetch", action="store_true", help="load referenced schemas over HTTP(S)")
    group.add_argument(
        "--document",
        type=_pair,
        action="append",
        default=[],
        metavar="URI=FILE",
        help="a schema that references find under the URI; may be repeated",
    )
    for part in ("integral", "fraction"):
        name = f"{part}_digits"
        group.add_argument(
            f"--{part}-digits",
            type=count,
            default=getattr(Options(), name),
            metavar="N",
            help=f"most {part} digits of a number, unless the schema itself has more (default: %(default)s)",
        )
    group.add_argument(
        "--limit",
        type=_limit,
        action="append",
        default=[],
        metavar="NAME=N",
        help=f"a budget: {', '.join(_LIMITS)}; may be repeated",
    )
    group.add_argument("-q", "--quiet", action="store_true", help="tell errors only, no findings")


def compiled(arguments: Namespace, name: str, *, data: bytes | None = None, refusal: int = COULD_NOT_RUN) -> Result:
    """The schema in a file (or in `data`, already read from it), compiled; findings are told on standard error.

    `refusal` is the exit status for a schema that is refused.
    """
    options = chosen_options(arguments)
    if name == STREAM and data is None:
        data = read_bytes(name, options.limits.bytes)
    try:
        with complaining(name):
            result = compile_schema(Path(name) if data is None else data, options)
    except SchemaError as error:
        raise Complaint(label(name), str(error), refusal) from None
    if not arguments.quiet:
        for finding in result.findings:
            complain(label(name), finding)
    return result


def grammar_or_compiled(arguments: Namespace, name: str) -> Grammar | Result:
    """The grammar in a file, or the schema in it, compiled."""
    source = text_or_compiled(arguments, name)
    return parsed(name, source) if isinstance(source, str) else source


def text_or_compiled(arguments: Namespace, name: str) -> str | Result:
    """The text of the grammar in a file, or the schema in it, compiled.

    The ending of the name says which it is, `.gbnf` or `.json`; with another, what begins with a brace is a schema.
    """
    match Path(name).suffix:
        case ".json":
            return compiled(arguments, name)
        case ".gbnf":
            return read_text(name, Limits().bytes)
    data = read_bytes(name, Limits().bytes)
    if data.lstrip().startswith(b"{"):
        return compiled(arguments, name, data=data)
    return decoded(name, data)


def parsed(name: str, text: str) -> Grammar:
    """The grammar in a text that was read from a file."""
    try:
        return parse(text)
    except GbnfSyntaxError as error:
        raise Complaint(label(name), str(error)) from None


def chosen_options(arguments: Namespace) -> Options:
    """The options of the compiler that the arguments choose."""
    chosen = {field.name: getattr(arguments, field.name) for field in fields(Options) if field.name in arguments}
    limits = Limits(**dict(arguments.limit))
    documents = {uri: _document(name, limits) for uri, name in arguments.document}
    return Options(**{**chosen, "documents": documents, "limits": limits})


def _document(name: str, limits: Limits) -> Json:
    try:
        return read_json(read_bytes(name, limits.bytes), max_depth=limits.depth, max_bytes=limits.bytes)
    except SchemaError as error:
        raise Complaint(label(name), str(error)) from None


# -- values of arguments -----------------------------------------------------------------------------------------------


def _names(text: str) -> tuple[str, ...]:
    return tuple(name for name in text.split(",") if name)


def _pair(text: str) -> tuple[str, str]:
    # A URI may hold equals signs, a name of a file seldom does.
    uri, equals, name = text.rpartition("=")
    if not equals or not uri or not name:
        raise ArgumentTypeError(f"{text!r} is not URI=FILE")
    return uri, name


def _limit(text: str) -> tuple[str, int]:
    name, _, number = text.partition("=")
    if name not in _LIMITS:
        raise ArgumentTypeError(f"there is no limit {name!r}, but {', '.join(_LIMITS)}")
    return name, count(number)


def count(text: str) -> int:
    """A number that is at least 1."""
    if not text.isascii() or not text.isdigit() or len(text) > 12 or int(text) < 1:
        raise ArgumentTypeError(f"{text!r} is no whole number from 1 on")
    return int(text)

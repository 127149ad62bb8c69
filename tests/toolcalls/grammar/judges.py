"""What holds of a tool grammar: it loads, what it allows is read back to valid arguments, and what is valid fits.

Each check yields outcomes with their number and, for one that is wrong (it begins with "not "), what it is about.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import jsonschema_rs
from jsonschema.validators import Draft202012Validator, validator_for

from schema2gbnf import compile_schema
from schema2gbnf.errors import SchemaError
from schema2gbnf.gbnf.match import Matcher
from schema2gbnf.gbnf.sample import Sampler
from schema2gbnf.grammar.rules import Grammar
from schema2gbnf.semantics.formula import frozen
from schema2gbnf.toolcalls import parse
from schema2gbnf.toolcalls.grammar import ToolGrammar, compile_tools
from tests.engine import Engine
from tests.toolcalls.grammar.readings import ReadingCounter

Outcome = tuple[str, int, str]


def parser_format(format: str) -> str:
    """The format under which the parser knows the layout."""
    return "glm47" if format == "glm45" else format


def schema_of(tool: dict[str, Any]) -> Any:
    """The schema of a tool's arguments, in MCP's shape."""
    return tool.get("inputSchema", tool.get("parameters"))


def is_valid(schema: Any, value: object) -> bool:
    """Whether a validator of the schema's dialect accepts a value, formats asserted.

    Where it does not, one is asked that reads patterns as ECMA-262 has them: Python's `\\s` is not quite the same.
    """
    validator = validator_for(schema, Draft202012Validator)
    try:
        if validator(schema, format_checker=validator.FORMAT_CHECKER).is_valid(value):
            return True
    except re.error:
        pass
    return bool(jsonschema_rs.validator_for(schema, validate_formats=True).is_valid(value))


def check_tool(engine: Engine, tool: dict[str, Any], format: str, samples: int, counted: int = 5) -> Iterator[Outcome]:
    """One tool, called by its name; of so many of the samples the readings are counted."""
    try:
        compiled = compile_tools([tool], format, tool_choice=tool["name"])  # type: ignore[arg-type]
    except SchemaError as error:
        yield "refused", 1, str(error)
        return
    yield "bytes", len(compiled.gbnf), ""
    yield from _loaded(engine, compiled.gbnf)
    yield from _sampled(compiled, compiled.grammar, [tool], format, samples, least=1, counted=counted)
    yield from _canonical(compiled, tool, format, samples)


def check_list(
    engine: Engine, tools: list[dict[str, Any]], format: str, choice: str, samples: int
) -> Iterator[Outcome]:
    """A whole list, with several calls allowed."""
    compiled = compile_tools(tools, format, tool_choice=choice, parallel=True, on_error="loosen")  # type: ignore[arg-type]
    yield "bytes", len(compiled.gbnf), ""
    yield from _loaded(engine, compiled.gbnf)
    yield from _sampled(compiled, compiled.grammar, tools, format, samples, least=1 if choice == "required" else 0)
    if choice == "auto":
        yield from _loaded(engine, compiled.lazy_gbnf)
        yield from _sampled(compiled, compiled.lazy_grammar, tools, format, samples, least=1)
    for tool in [tool for tool in tools if tool["name"] in compiled.tools][:samples]:
        yield from _canonical(compiled, tool, format, 1)


def _loaded(engine: Engine, gbnf: str) -> Iterator[Outcome]:
    loaded = engine.load(gbnf) is not None
    yield ("loaded" if loaded else "not loaded"), 1, ("" if loaded else gbnf[:200])


def _sampled(
    compiled: ToolGrammar,
    grammar: Grammar | None,
    tools: list[dict[str, Any]],
    format: str,
    samples: int,
    least: int,
    counted: int = 5,
) -> Iterator[Outcome]:
    """Texts of the grammar are read back to calls with valid arguments, and each has one reading."""
    assert grammar is not None
    sampler, counter = Sampler(grammar), ReadingCounter(grammar) if counted else None
    schemas = {tool["name"]: schema_of(tool) for tool in tools}
    loose = {each.tool for each in compiled.findings if each.finding.kind == "loosened"}
    for number in range(samples):
        text = sampler.sample()
        result = parse(parser_format(format), text, tools)
        if len(result.calls) < least or not all(call.complete for call in result.calls):
            yield "not read back", 1, text
        for call in result.calls:
            if call.name in schemas and is_valid(schemas[call.name], json.loads(call.arguments)):
                yield "valid", 1, ""
            elif call.name in loose:
                yield "loosened", 1, ""
            else:
                yield "not valid", 1, f"{text!r} → {call.arguments}"
        if counter is not None and number < counted:
            ways = counter.count(text)
            yield ("one reading" if ways == 1 else "several readings"), 1, ("" if ways == 1 else f"{ways}: {text!r}")


def _canonical(compiled: ToolGrammar, tool: dict[str, Any], format: str, samples: int) -> Iterator[Outcome]:
    """Valid arguments, canonically spelled, are accepted, and read back to themselves."""
    schema = schema_of(tool)
    try:
        plain = compile_schema(schema, nullable=True, whitespace="spaced")
    except SchemaError:
        return
    assert compiled.grammar is not None
    sampler, matcher = Sampler(plain.grammar), Matcher(compiled.grammar)
    narrowed = any(each.tool == tool["name"] and each.finding.keyword in _LENGTHS for each in compiled.findings)
    for _ in range(samples):
        arguments = json.loads(sampler.sample())
        if not isinstance(arguments, dict) or not is_valid(schema, arguments):
            continue
        try:
            text = compiled.dumps(tool["name"], arguments)
        except ValueError as error:
            yield "no text", 1, f"{error}: {arguments}"
            continue
        if not matcher.accepts(text):
            yield ("narrowed" if narrowed else "not accepted"), 1, f"{text!r}: {matcher.match(text)}"
            continue
        read = parse(parser_format(format), text, [tool]).calls
        same = len(read) == 1 and frozen(json.loads(read[0].arguments)) == frozen(arguments)
        yield ("same" if same else "not the same"), 1, ("" if same else f"{text!r} → {read}")


_LENGTHS = ("maxLength", "minLength", "enum", "const", "pattern")

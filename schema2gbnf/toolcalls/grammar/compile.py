"""A list of tools compiled to the grammar of a request, with all that llama.cpp wants beside it.

>>> weather = {"name": "weather", "parameters": {"properties": {"city": {"type": "string"}}, "required": ["city"]}}
>>> grammar = compile_tools([weather], "glm47", tool_choice="weather")
>>> print(grammar.dumps("weather", {"city": "Oslo"}))
<tool_call>weather<arg_key>city</arg_key><arg_value>Oslo</arg_value></tool_call>
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from schema2gbnf.errors import SchemaError
from schema2gbnf.findings import Finding
from schema2gbnf.garbage import no_collection
from schema2gbnf.gbnf.write import write
from schema2gbnf.grammar.aliases import without_aliases
from schema2gbnf.grammar.assemble import SHARED, Primitives, primitives
from schema2gbnf.grammar.rules import Expr, Grammar, folded, rule_name
from schema2gbnf.options import Options
from schema2gbnf.schema.text import Json
from schema2gbnf.toolcalls.grammar.calls import NAMES, Wanted, full, lazy
from schema2gbnf.toolcalls.grammar.choice import read_choice
from schema2gbnf.toolcalls.grammar.loosened import loosened
from schema2gbnf.toolcalls.grammar.part import Part, part, spelled_name
from schema2gbnf.toolcalls.grammar.wire import FORMATS, WIRES, Format, Trigger, Wire
from schema2gbnf.toolcalls.tools import Tool, ToolError, read_tools

OnError = Literal["raise", "drop", "loosen"]

LONGEST = 48
"""Characters of what the names of a tool's rules begin with."""

_TRIGGER_TYPES = {"word": 1, "pattern": 2}
"""What llama-server calls them."""


@dataclass(frozen=True, slots=True)
class ToolFinding:
    """What is to be told of a tool: a finding, or the error for which it was dropped or loosened."""

    tool: str
    finding: Finding

    def __str__(self) -> str:
        return f"{self.tool}: {self.finding}"


@dataclass(frozen=True)
class ToolGrammar:
    """The grammar of a request's calls."""

    gbnf: str
    """The grammar of the whole turn; empty when there is to be no call."""
    lazy_gbnf: str
    """The grammar from a trigger on; empty where a call is required, for then nothing has to be waited for."""
    triggers: tuple[Trigger, ...]
    preserved_tokens: tuple[str, ...]
    findings: tuple[ToolFinding, ...]
    grammar: Grammar | None
    lazy_grammar: Grammar | None
    _wire: Wire
    _parts: Mapping[str, Part]

    @property
    def tools(self) -> tuple[str, ...]:
        """The names of the tools that can be called."""
        return tuple(self._parts)

    def server_fields(self, lazy: bool = True) -> dict[str, Json]:
        """The members of a llama-server request: the lazy grammar if there is one and it is wanted, else the full."""
        if not self.gbnf:
            return {}
        lazy = lazy and bool(self.lazy_gbnf)
        found: dict[str, Json] = {"grammar": self.lazy_gbnf if lazy else self.gbnf, "grammar_lazy": lazy}
        if lazy:
            found["grammar_triggers"] = [
                {"type": _TRIGGER_TYPES[each.kind], "value": each.value} for each in self.triggers
            ]
        found["preserved_tokens"] = list(self.preserved_tokens)
        return found

    @property
    def trigger_patterns(self) -> tuple[str, ...]:
        """The triggers as patterns, as `llama_sampler_init_grammar_lazy_patterns` takes them."""
        return tuple(_escaped(each.value) if each.kind == "word" else each.value for each in self.triggers)

    def dumps(self, tool: str, arguments: dict[str, Json]) -> str:
        """The canonical text of a call, as the grammar has it; `ValueError` when the schema refuses the arguments."""
        found = self._parts[tool]
        wire = self._wire
        name = spelled_name(found.tool, wire)
        header = "<|channel|>commentary" if wire.name == "harmony" else ""
        constraint = " <|constrain|>json" if wire.name == "harmony" else ""
        return f"{header}{wire.opening}{name}{constraint}{wire.before_arguments}{found.dumps(arguments)}"


def _escaped(word: str) -> str:
    """A word as an ECMAScript pattern of it."""
    return re.sub(r"[.^$|()*+?\[\]{}\\]", r"\\\g<0>", word)


def compile_tools(
    tools: object,
    format: Format,
    *,
    tool_choice: object = "auto",
    parallel: bool = False,
    order: Literal["declared", "any"] = "declared",
    on_error: OnError = "raise",
    max_calls: int | None = None,
    python_case: bool = False,
    options: Options | None = None,
    **choices: Any,
) -> ToolGrammar:
    """Compile a list of tools, in the shape of any API, to the grammar of their calls in a wire format.

    `tool_choice` is "auto", "required", "none", the name of a tool, or an object as OpenAI's or Anthropic's API has it;
    `parallel` allows several calls, at most `max_calls`; `order` is that of members; `python_case` also allows `True`,
    `False` and `None` as values where the format reads them so (qwen3_coder). The other choices are those of
    `compile_schema`. A tool that cannot be compiled is an error that names it, or (`on_error`) is dropped, or loosened:
    what is wrong in its schema is left out, and at last any object will do; a finding says so. Raises a `SchemaError`.
    """
    if format not in WIRES:
        raise ValueError(f"format={format!r}: choose one of {', '.join(FORMATS)}")
    if on_error not in ("raise", "drop", "loosen"):
        raise ValueError(f"on_error={on_error!r}: choose one of raise, drop, loosen")
    if max_calls is not None and max_calls < 1:
        raise ValueError(f"max_calls={max_calls}: at least one call must be allowed")
    chosen = (options or Options(nullable=True)).with_choices({"order": order, **choices})
    choice = read_choice(tool_choice, read_tools(tools))
    wire = WIRES[format]
    with no_collection():
        parts, findings, shared = _parts(choice.tools, wire, chosen, on_error, python_case)
        if choice.mode == "none" or not parts:
            if choice.mode == "required":
                raise _nothing_left(findings)
            return ToolGrammar("", "", (), (), findings, None, None, wire, {})
        wanted = Wanted(choice.mode == "required", 1 if choice.single or not parallel else max_calls)
        whole = _grammar(full(wire, parts, wanted, shared.draft), shared)
        partial = None if wanted.required else _grammar(lazy(wire, parts, wanted, shared.draft), shared)
        return ToolGrammar(
            write(whole),
            "" if partial is None else write(partial),
            () if partial is None else _triggers(wire, parts),
            wire.preserved,
            findings,
            whole,
            partial,
            wire,
            {each.tool.name: each for each in parts},
        )


def _parts(
    tools: tuple[Tool, ...], wire: Wire, options: Options, on_error: OnError, python_case: bool
) -> tuple[list[Part], tuple[ToolFinding, ...], Primitives]:
    """The tools compiled into one draft, one after the other: what one of them spoils is not kept."""
    shared = primitives(options.whitespace, options.integral_digits, options.fraction_digits, wire.json).copy()
    shared.draft.kept = shared.draft.kept | frozenset(map(folded, NAMES))
    found: list[Part] = []
    told: list[ToolFinding] = []
    for tool, namespace in zip(tools, _namespaces(tools), strict=True):
        written: Tool | None = tool
        while written is not None:
            # An error that is raised leaves nothing to be kept clean.
            trial = shared if on_error == "raise" else replace(shared, draft=shared.draft.copy())
            try:
                made = part(written, wire, options, trial, namespace, tool.parameters, python_case)
            except SchemaError as error:
                if on_error == "raise":
                    raise
                written = loosened(written, error) if on_error == "loosen" else None
                told.append(ToolFinding(tool.name, _told(error, written is not None)))
                continue
            shared = trial
            found.append(made)
            told += [ToolFinding(tool.name, finding) for finding in made.findings]
            break
    return found, tuple(dict.fromkeys(told)), shared


def _told(error: SchemaError, loosened: bool) -> Finding:
    """The error that a tool was dropped or loosened for, as a finding."""
    if loosened:
        return Finding("loosened", error.keyword, error.pointer, f"left out of the schema: {error.message}")
    return Finding("narrowed", error.keyword, error.pointer, f"the tool is left out: {error.message}")


def _nothing_left(findings: tuple[ToolFinding, ...]) -> SchemaError:
    first = findings[0].finding
    return ToolError(first.pointer, first.keyword, f"a call is required, but no tool is left: {first.message}")


def _namespaces(tools: tuple[Tool, ...]) -> list[str]:
    """What the names of a tool's rules begin with: `tool-` and its name, with a hash where others look the same."""
    plain = [f"tool-{rule_name(tool.name)}"[:LONGEST] for tool in tools]
    alike = Counter(map(folded, plain))
    return [
        f"{name}-{hashlib.sha256(tool.name.encode('utf-8', 'surrogatepass')).hexdigest()[:6]}"
        if alike[folded(name)] > 1
        else name
        for name, tool in zip(plain, tools, strict=True)
    ]


def _triggers(wire: Wire, parts: list[Part]) -> tuple[Trigger, ...]:
    """The triggers of the format, and those of calls that lack the beginning of their opening."""
    if not wire.optional_opening:
        return wire.triggers
    opening = wire.opening.removeprefix(wire.optional_opening)
    words = (opening + spelled_name(each.tool, wire) + wire.before_arguments.strip() for each in parts)
    return (*wire.triggers, *(Trigger("word", word) for word in words))


def _grammar(root: Expr, shared: Primitives) -> Grammar:
    """The grammar of one root, with all rules of the draft that it needs."""
    draft = shared.draft.copy()
    draft.rules["root"] = root
    last = (*NAMES, *SHARED)
    return without_aliases(draft.grammar(last=last), kept=last)

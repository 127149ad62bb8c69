"""The rules of one tool in the grammar of many: its arguments, in the notation of the format.

Comes in: a tool and the draft of the whole. Goes out: the expression of its arguments, what is to be told of it, and
the canonical text of arguments. Rule names begin with the tool's namespace, so that each tool's references are its own;
strings, numbers and whatever else is named by its content is shared. Refused with a `SchemaError`: a schema that is
none, that no arguments satisfy, or, in strict mode, that no grammar holds; its pointers are those of the tool list.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, replace

from schema2gbnf.errors import SchemaError, UnsupportedSchemaError
from schema2gbnf.findings import Finding
from schema2gbnf.grammar.assemble import Assembly, Primitives
from schema2gbnf.grammar.rules import Expr, Literal, Ref, sequence
from schema2gbnf.languages.ends import without
from schema2gbnf.options import Options
from schema2gbnf.schema.pointers import escaped
from schema2gbnf.schema.text import Json, half_of
from schema2gbnf.semantics.emptiness import possible_types
from schema2gbnf.semantics.formula import Demand, Obeys
from schema2gbnf.semantics.holds import failure
from schema2gbnf.semantics.meaning import Meaning, Report
from schema2gbnf.semantics.merging import merged
from schema2gbnf.semantics.overlaps import note_overlaps
from schema2gbnf.semantics.parting import parted
from schema2gbnf.semantics.productivity import Explored, closed, explore
from schema2gbnf.toolcalls.grammar.tagged import GuardedWriter, TaggedArguments
from schema2gbnf.toolcalls.grammar.wire import Wire
from schema2gbnf.toolcalls.signature import Signature
from schema2gbnf.toolcalls.tools import Parameters, Tool, ToolError

Dumps = Callable[[dict[str, Json]], "str | None"]


@dataclass(frozen=True)
class Part:
    """A tool in the grammar."""

    tool: Tool
    arguments: Expr
    """Its arguments, and what closes the call."""
    findings: tuple[Finding, ...]
    _meaning: Meaning
    _root: tuple[Demand, ...]
    _dumps: Dumps

    def dumps(self, arguments: dict[str, Json]) -> str:
        """The canonical text of arguments, and what closes the call; `ValueError` when the schema refuses them."""
        conjunction = self._meaning.conjunction(self._root)
        assert conjunction is not None, "a tool without arguments is refused"
        reason = failure(self._meaning, conjunction, arguments)
        if reason is not None:
            raise ValueError(str(reason))
        text = self._dumps(arguments)
        if text is None:
            raise ValueError("these arguments have no text in this format")
        return text


def part(
    tool: Tool, wire: Wire, options: Options, shared: Primitives, namespace: str, read_as: Parameters, python_case: bool
) -> Part:
    """Compile one tool; its rules are added to the draft. `read_as` is what a reader knows of its parameters."""
    try:
        return _part(tool, wire, options, shared, namespace, read_as, python_case)
    except RecursionError:
        message = "the schema applies subschemas to one value in too deep a nesting"
        raise UnsupportedSchemaError(tool.pointer, "", f"tool {tool.name!r}: {message}") from None
    except SchemaError as error:
        raise type(error)(_within(tool, error.pointer), error.keyword, f"tool {tool.name!r}: {error.message}") from None


def _within(tool: Tool, pointer: str) -> str:
    """A pointer into the tool's schema as one into the list."""
    return tool.pointer + pointer.removeprefix("#") if pointer.startswith("#") else pointer


def _part(
    tool: Tool, wire: Wire, options: Options, shared: Primitives, namespace: str, read_as: Parameters, python_case: bool
) -> Part:
    if without(wire.tool_name).accepts(tool.name) or half_of(tool.name):
        raise ToolError("#", "name", f"this name cannot be written in the format {wire.name}")
    _refuse_broken_names(tool.parameters)
    meaning = Meaning.of(tool.parameters, options)
    root = _root(meaning)
    explored = _explored(meaning, root, is_tagged=wire.tags is not None)
    note_overlaps(meaning, explored)
    assembly = Assembly(meaning, explored, shared, namespace)
    dumps: Dumps
    if wire.tags is None:
        arguments = sequence(assembly.value(explored.root, f"{namespace}-args"), Literal(wire.closing))
        assembly.finish()
        comma, colon = (",", ":") if options.whitespace == "compact" else (", ", ": ")

        def dumps(value: dict[str, Json]) -> str:
            return GuardedWriter(assembly, comma, colon).write(explored.root, value) + wire.closing

    else:
        tagged = TaggedArguments(assembly, wire.tags, Signature(read_as), python_case)
        if not tagged.alternatives:
            message = "no arguments that satisfy the schema can be written between the tags of this format"
            raise UnsupportedSchemaError("#", "", message)
        body = tagged.expression(wire.closing)
        ref = shared.draft.place(f"{namespace}-args", f"{namespace} args")
        arguments = body if isinstance(body, Literal | Ref) else shared.draft.define(ref, body)

        def dumps(value: dict[str, Json]) -> str | None:
            return tagged.dumps(value, wire.closing)

    findings = meaning.findings()
    meaning.report = Report(strict=False)
    told = tuple(replace(each, pointer=_within(tool, each.pointer)) for each in findings)
    return Part(tool, arguments, told, meaning, root, dumps)


def _explored(meaning: Meaning, root: tuple[Demand, ...], is_tagged: bool) -> Explored:
    """What the arguments lead to, with objects that are read once.

    Between tags, the arguments themselves stay as they are: what tells their alternatives apart is the reader's matter.
    """
    explored = merged(closed(meaning, explore(meaning, *root)))
    apart = parted(meaning, explored)
    if not is_tagged or explored.root not in explored.nonterminals:
        return apart
    arguments = {explored.root: explored.nonterminals[explored.root]}
    return replace(apart, nonterminals={**apart.nonterminals, **arguments}, refined=apart.refined.difference(arguments))


def _refuse_broken_names(parameters: Json) -> None:
    """Half a surrogate pair in the name of a member would be in the grammar, and that is UTF-8."""
    todo: list[tuple[str, Json]] = [("#", parameters)]
    while todo:
        pointer, value = todo.pop()
        if isinstance(value, dict):
            for name, member in value.items():
                if half_of(name):
                    message = f"the name {name!r} holds half a surrogate pair, which no text does"
                    raise UnsupportedSchemaError(pointer, "", message)
                todo.append((f"{pointer}/{escaped(name)}", member))
        elif isinstance(value, list):
            todo.extend((f"{pointer}/{index}", item) for index, item in enumerate(value))


def _root(meaning: Meaning) -> tuple[Demand, ...]:
    """The demands on the arguments: the schema's, and that they are an object, unless it says so itself."""
    conjunction = meaning.conjunction((meaning.root,))
    if conjunction is None or (conjunction and possible_types(meaning, conjunction) <= {"object"}):
        return (meaning.root,)
    return meaning.root, Obeys(meaning.documents.synthetic({"type": "object"}, meaning.documents.root))


def spelled_name(tool: Tool, wire: Wire) -> str:
    """The name of a tool as it stands in a call."""
    return json.dumps(tool.name, ensure_ascii=False)[1:-1] if wire.name == "hermes" else tool.name

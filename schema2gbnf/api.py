"""The library's front door: a schema goes in, a compiled grammar with its report comes out."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, fields
from typing import Any, TypeVar

from schema2gbnf.errors import UnsupportedSchemaError
from schema2gbnf.findings import Finding
from schema2gbnf.grammar.assemble import assemble
from schema2gbnf.grammar.rules import Grammar
from schema2gbnf.languages.dfa import StateLimitError
from schema2gbnf.options import Options
from schema2gbnf.schema.documents import Documents
from schema2gbnf.schema.source import load
from schema2gbnf.schema.text import Json
from schema2gbnf.semantics.canonical import Writer
from schema2gbnf.semantics.formula import Conjunction, Obeys
from schema2gbnf.semantics.holds import failure
from schema2gbnf.semantics.meaning import Meaning, Report
from schema2gbnf.semantics.productivity import closed, explore

Answer = TypeVar("Answer")

SEPARATORS = {"compact": (",", ":")}


@dataclass(frozen=True)
class Result:
    """A compiled schema."""

    gbnf: str
    """The grammar, as text that llama.cpp, XGrammar and llguidance read."""
    grammar: Grammar
    """The same grammar as data."""
    findings: tuple[Finding, ...]
    """Every place where the grammar is not exactly the schema."""
    _meaning: Meaning
    _root: Conjunction

    @property
    def exact(self) -> bool:
        """Whether every text of the grammar is a value that the schema accepts."""
        return not any(finding.kind == "loosened" for finding in self.findings)

    def dumps(self, value: Json, check: bool = True) -> str:
        """The canonical text of a value, which the grammar accepts: members in the order of the grammar, `", "` and
        `": "` between tokens but in compact style, integral floats as integers (but in draft 4), no exponent where
        the schema restricts numbers.

        Raises `ValueError`, with a pointer into the value, when the schema refuses it; `check=False` writes anything.
        """
        if check:
            reason = _bounded(lambda: failure(self._meaning, self._root, value))
            if reason is not None:
                raise ValueError(str(reason))
        comma, colon = SEPARATORS.get(self._meaning.options.whitespace, (", ", ": "))
        return _bounded(lambda: Writer(self._meaning, comma, colon).write(self._root, value))


def _bounded(question: Callable[[], Answer]) -> Answer:
    try:
        return question()
    except RecursionError:
        raise ValueError("the value is nested too deeply") from None
    except StateLimitError:
        raise ValueError("a number of the value has too many digits") from None


def compile_schema(schema: object, options: Options | None = None, **choices: Any) -> Result:
    """Compile a JSON Schema to a GBNF grammar.

    `schema` is a dict or bool, JSON text, a path, or a pydantic model class or `TypeAdapter`. Choices are the fields of
    `Options`, as keywords or as one value. Raises a `SchemaError`: `InvalidSchemaError` when it is no schema,
    `UnresolvedReferenceError` when a reference leads nowhere, `UnsatisfiableSchemaError` when no value satisfies it,
    `UnsupportedSchemaError` past a limit or, in strict mode, for what no context-free grammar can hold.

    >>> print(compile_schema({"enum": ["yes", "no"]}).gbnf)
    root ::= "\\"" ("yes\\"" | "no\\"")
    <BLANKLINE>
    """
    chosen = _options(options, choices)
    try:
        with _no_collection():
            return _compile(schema, chosen)
    except RecursionError:
        raise UnsupportedSchemaError(
            "#", "", "the schema applies subschemas to one value in too deep a nesting"
        ) from None


@contextmanager
def _no_collection() -> Iterator[None]:
    """Without the collector of cyclic garbage: a compilation makes hardly any, but so many objects that the whole heap
    of the program around would be walked again and again, a quarter of the time in a large one."""
    if not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def _options(options: Options | None, choices: Mapping[str, object]) -> Options:
    known = {field.name for field in fields(Options)}
    unknown = [name for name in choices if name not in known]
    if unknown:
        raise TypeError(f"no such option: {', '.join(unknown)}; there are {', '.join(sorted(known))}")
    given = {} if options is None else {name: getattr(options, name) for name in known}
    chosen = Options(**{**given, **choices})
    chosen.validate()
    return chosen


def _compile(schema: object, options: Options) -> Result:
    from schema2gbnf.gbnf.write import write

    limits = options.limits
    source = load(schema, max_depth=limits.depth, max_bytes=limits.bytes)
    documents = Documents(
        source.value,
        default_dialect=options.default_dialect,
        documents=options.documents,
        base=source.base,
        base_uri=source.base_uri,
        allow_fetch=options.allow_fetch,
        nullable=options.nullable,
        max_depth=limits.depth,
        max_bytes=limits.bytes,
    )
    report = Report(options.strict)
    meaning = Meaning(documents, options, report)
    root = Obeys(documents.root, documents.enter((), documents.root))
    explored = closed(meaning, explore(meaning, root))
    grammar = assemble(meaning, explored)
    unread = next((finding for finding in documents.findings if finding.kind == "loosened"), None)
    if options.strict and unread is not None:
        raise UnsupportedSchemaError(unread.pointer, unread.keyword, unread.message)
    findings = (*documents.findings, *report.findings)
    meaning.report = Report(strict=False)  # what `dumps` asks later is no matter of the grammar
    return Result(write(grammar), grammar, findings, meaning, explored.root)

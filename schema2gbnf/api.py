"""The library's front door: a schema goes in, a compiled grammar with its report comes out."""

from __future__ import annotations

import marshal
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple, TypeVar, cast

from schema2gbnf.cache import Cache, clear_all
from schema2gbnf.errors import UnsupportedSchemaError
from schema2gbnf.findings import Finding
from schema2gbnf.garbage import no_collection
from schema2gbnf.grammar.assemble import assemble
from schema2gbnf.grammar.rules import Grammar
from schema2gbnf.languages.dfa import StateLimitError
from schema2gbnf.options import Options
from schema2gbnf.schema.documents import Documents
from schema2gbnf.schema.text import Json, check_value, copied, is_modest
from schema2gbnf.semantics.canonical import Writer
from schema2gbnf.semantics.formula import Conjunction
from schema2gbnf.semantics.holds import failure
from schema2gbnf.semantics.meaning import Meaning, Report
from schema2gbnf.semantics.merging import merged
from schema2gbnf.semantics.overlaps import note_overlaps
from schema2gbnf.semantics.parting import parted
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
    _documents: Documents
    _options: Options

    @property
    def exact(self) -> bool:
        """Whether every text of the grammar is a value that the schema accepts."""
        return not any(finding.kind == "loosened" for finding in self.findings)

    @cached_property
    def _meaning(self) -> Meaning:
        """The schema's meaning, read anew: most results are never asked for it, and it is many times their size."""
        return Meaning(self._documents, self._options, Report(strict=False))

    @cached_property
    def _root(self) -> Conjunction:
        root = self._meaning.conjunction((self._meaning.root,))
        assert root is not None, "a schema that no value satisfies has no result"
        return root

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
        comma, colon = SEPARATORS.get(self._options.whitespace, (", ", ": "))
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
    root ::= "\\"" ("no" | "yes") "\\""
    <BLANKLINE>
    """
    key = _key(schema, options, choices)
    if key is not None and (found := _COMPILED.get(key)) is not None:
        return found
    chosen = (options or Options()).with_choices(choices)
    if isinstance(schema, dict):
        # The result outlives this call: what the caller does to the schema afterwards is no matter to it.
        schema = marshal.loads(key.schema) if key is not None else _own(schema, chosen)
    try:
        with no_collection():
            result = _compile(schema, chosen)
    except RecursionError:
        raise UnsupportedSchemaError(
            "#", "", "the schema applies subschemas to one value in too deep a nesting"
        ) from None
    if key is not None:
        _COMPILED.put(key, result, len(key.schema) + len(result.gbnf))
    return result


def clear_cache() -> None:
    """Forget the results of earlier calls of `compile_schema`, and all that was kept to make the next ones fast."""
    clear_all()


def _own(schema: dict[str, Json], options: Options) -> Json:
    """A copy of what a program built, if it is a JSON value."""
    check_value(schema, max_depth=options.limits.depth)
    return copied(schema)


class _Key(NamedTuple):
    """All that a result depends on, where that is not more than a schema and a few words."""

    schema: bytes
    kind: type
    options: Options | None
    choices: tuple[tuple[str, Hashable], ...]


def _key(schema: object, options: Options | None, choices: Mapping[str, Any]) -> _Key | None:
    """None where files, other documents or a program's own types are in play."""
    if (options is not None and (options.documents or options.allow_fetch)) or not _DEPENDENT.isdisjoint(choices):
        return None
    try:
        # Tells 1 from 1.0 and true, and keeps the order of members; what is not plain JSON is refused.
        match schema:
            case str():
                written = schema.encode("utf-8", "surrogatepass")
            case dict() | bool() if is_modest(schema):
                # What is shared within it is written as often as it is met.
                written = marshal.dumps(cast("dict[str, Json]", schema), 2)
            case _:
                return None
        key = _Key(written, type(schema), options, tuple(choices.items()))
        hash(key)
    except (ValueError, TypeError):
        return None
    return key


_DEPENDENT = frozenset({"documents", "allow_fetch"})

_COMPILED: Cache[_Key, Result] = Cache(1 << 22)
"""Results by the characters of schema and grammar, about ten bytes each: the same tools come again and again."""


def _compile(schema: object, options: Options) -> Result:
    from schema2gbnf.gbnf.write import write

    meaning = Meaning.of(schema, options)
    explored = parted(meaning, merged(closed(meaning, explore(meaning, meaning.root))))
    note_overlaps(meaning, explored)
    grammar = assemble(meaning, explored)
    findings = meaning.findings()
    try:
        text = write(grammar)
    except ValueError as error:
        # Half a surrogate in a name or a value, which no UTF-8 text holds.
        raise UnsupportedSchemaError("#", "", f"the grammar cannot be written: {error}") from None
    return Result(text, grammar, findings, meaning.documents, options)

"""Whether two subschemas certainly have no value in common: first at a glance, then by the compiler's own reasoning."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import cast

from schema2gbnf.errors import SchemaError
from schema2gbnf.languages.dfa import StateLimitError
from schema2gbnf.normalize.reading import Reader
from schema2gbnf.normalize.references import Found, References
from schema2gbnf.normalize.values import common_types, content, named_types, types_of
from schema2gbnf.options import Limits, Options
from schema2gbnf.schema.subschema import Subschema
from schema2gbnf.schema.text import Json
from schema2gbnf.semantics.emptiness import overlap
from schema2gbnf.semantics.formula import JSON_TYPES, JsonType, Obeys
from schema2gbnf.semantics.holds import holds
from schema2gbnf.semantics.meaning import Meaning, Report, UnknownError

LIMITS = Limits(branches=16, automaton_states=1_000, work=50_000, member_states=500)
"""Questions of a rewriter are worth less time than those of the compiler."""
MOST_BRANCHES = 24
"""Branches that the compiler is asked about, two at a time."""
_FAILURES = (SchemaError, StateLimitError, UnknownError, RecursionError, ValueError)


class Knowledge:
    """The compiler's understanding of a schema, built when the first question cannot be answered without it."""

    def __init__(self, reader: Reader, references: References) -> None:
        self.reader = reader
        self.references = references

    @cached_property
    def meaning(self) -> Meaning:
        return Meaning(self.reader.documents, Options(formats="annotate", limits=LIMITS), Report(strict=False))

    def disjoint(self, left: Subschema, right: Subschema, types: Json, ask: bool) -> bool:
        """True when certainly no value of these types (None: of any) is valid under both; `ask` the compiler too."""
        one, other = self._types(left), self._types(right)
        if one is not None and other is not None and common_types(one, other) == []:
            return True
        if self._tagged_apart(left, right):
            only = {name for each in (one, other, types) if each is not None for name in named_types(each)}
            if only == {"object"}:
                return True
        if not ask:
            return False
        kinds: Iterable[JsonType] = JSON_TYPES
        if types is not None:
            wanted = {"number" if name == "integer" else name for name in named_types(types)}
            kinds = [kind for kind in JSON_TYPES if kind in wanted]
        try:
            return not any(overlap(self.meaning, Obeys(left), Obeys(right), kind) for kind in kinds)
        except _FAILURES:
            return False

    def holds(self, subs: Iterable[Subschema], value: Json) -> bool:
        """Whether a value meets all the subschemas, as far as can be told."""
        try:
            return holds(self.meaning, tuple(map(Obeys, subs)), value)
        except _FAILURES:
            return True

    def types(self, sub: Subschema) -> Json:
        """The types that a subschema plainly has, as it is written; None where it does not say."""
        return self._types(sub)

    def _plain(self, sub: Subschema) -> Subschema:
        found = self.references.resolved(sub)
        return found.target if isinstance(found, Found) else sub

    def _types(self, sub: Subschema) -> Json:
        keywords = self.reader.read(self._plain(sub)).keywords
        if "type" in keywords:
            return cast(Json, keywords["type"])
        values = self._values(sub)
        if values is None:
            return None
        return cast("list[Json]", sorted({name for value in values for name in types_of(value)} - {"integer"}))

    def _values(self, sub: Subschema) -> list[Json] | None:
        keywords = self.reader.read(self._plain(sub)).keywords
        if "const" in keywords:
            return [cast(Json, keywords["const"])]
        return cast("list[Json] | None", keywords.get("enum"))

    def _tagged_apart(self, left: Subschema, right: Subschema) -> bool:
        """Whether a required member has other constants on the one side than on the other."""
        one, other = self._tags(left), self._tags(right)
        return any(name in other and values.isdisjoint(other[name]) for name, values in one.items())

    def _tags(self, sub: Subschema) -> dict[str, frozenset[object]]:
        reading = self.reader.read(self._plain(sub))
        required = cast("list[str]", reading.keywords.get("required", []))
        declared = reading.schema_map("properties")
        found: dict[str, frozenset[object]] = {}
        for name in required:
            values = self._values(declared[name]) if name in declared else None
            if values is not None:
                found[name] = frozenset(map(content, values))
        return found

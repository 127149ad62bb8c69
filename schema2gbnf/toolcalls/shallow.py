"""What a schema says at the surface of a value: its type, and which values it may equal. Never an error.

`Shallow` is the compiler's `Meaning` with a vocabulary of its own: the keywords that decide between types, each as lax
as tool schemas in the wild are. Bounds, patterns, formats, conditions and what stands inside a value say nothing here.
What cannot be read (a reference that leads nowhere, a type no one knows) is an `Unknowable` fact, which holds.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from schema2gbnf.errors import SchemaError
from schema2gbnf.options import Options
from schema2gbnf.schema.documents import Documents
from schema2gbnf.schema.subschema import Scope, Subschema
from schema2gbnf.schema.text import Json
from schema2gbnf.semantics.formula import (
    FALSE,
    TRUE,
    All,
    AnyOf,
    Ask,
    Demand,
    Fact,
    Formula,
    Members,
    Obeys,
    PatternMember,
    Present,
    TypeIs,
    Unknowable,
    ValueIn,
    frozen,
)
from schema2gbnf.semantics.keywords import Place
from schema2gbnf.semantics.meaning import Meaning, Report

TYPES = ("null", "boolean", "integer", "number", "string", "array", "object")

_FOREIGN: Mapping[str, str] = MappingProxyType(
    {
        foreign: known
        for known, names in {
            "string": "str text varchar char enum uuid date datetime time timestamp bytes",
            "integer": "int int32 int64 uint long short bigint smallint",
            "number": "float double decimal real numeric",
            "boolean": "bool",
            "object": "dict map",
            "array": "list arr tuple set",
        }.items()
        for foreign in names.split()
    }
    | {name: name for name in TYPES}
)
"""The types of JSON Schema, and what they are called by those who do not know them."""


class Shallow(Meaning):
    """Subschemas read for types alone."""

    def __init__(self, documents: Documents) -> None:
        super().__init__(documents, Options(nullable=True), Report(strict=False))
        self._read: dict[Demand, Formula] = {}

    def formula(self, demand: Demand) -> Formula:
        """What meeting the demand comes to, one step unfolded."""
        found = self._read.get(demand)
        if found is None:
            found = self._read[demand] = _formula(self, demand)
        return found


def _formula(meaning: Shallow, demand: Demand) -> Formula:
    assert isinstance(demand, Obeys), "nothing here is an alternative of demands"
    assert demand.wanted, "nothing here is negated"
    sub = demand.sub
    if isinstance(sub.value, bool):
        return TRUE if sub.value else FALSE
    place = Place(meaning, sub, demand.scope, sub.keywords)
    readers = dict.fromkeys(VOCABULARY[keyword] for keyword in sub.keywords if keyword in VOCABULARY)
    formula = All(tuple(_readable(place, reader) for reader in readers))
    return AnyOf((Fact(TypeIs(frozenset({"null"}))), formula)) if sub.get("nullable") is True else formula


def _readable(place: Place, reader: Callable[[Place], Formula]) -> Formula:
    try:
        return reader(place)
    except (SchemaError, ImportError) as error:
        return unreadable(place, str(error))
    except RecursionError:
        return unreadable(place, f"{place.pointer}: nested too deeply")


def unreadable(place: Place, reason: str) -> Formula:
    """No constraint, with the reason."""
    return Fact(Unknowable("null", "", place.pointer, reason))


# -- keywords ----------------------------------------------------------------------------------------------------------


def type_(at: Place) -> Formula:
    """A type or several; their letter case and what stands in brackets behind them are nothing."""
    written = at.keywords["type"]
    names = written if isinstance(written, list) else [written]
    if not all(isinstance(name, str) for name in names):
        return unreadable(at, f"{at.pointer}: type: a type is a string")
    types = {_FOREIGN.get(_bare(str(name))) for name in names}
    if None in types:
        return unreadable(at, f"{at.pointer}: type: unknown type {written!r}")
    return Fact(TypeIs(frozenset(name for name in types if name is not None)))


def _bare(name: str) -> str:
    for bracket in "([<":
        name = name.partition(bracket)[0]
    return name.strip().lower()


def enum(at: Place) -> Formula:
    values = at.keywords["enum"]
    return Fact(ValueIn(tuple(map(frozen, values)), at.sub)) if isinstance(values, list) else TRUE


def const(at: Place) -> Formula:
    return Fact(ValueIn((frozen(at.keywords["const"]),), at.sub))


def ref(at: Place) -> Formula:
    return Ask(at.meaning.target(at.sub, at.scope, "$ref"))


def dynamic_ref(at: Place) -> Formula:
    keyword = at.sub.dialect.dynamic_reference
    return Ask(at.meaning.target(at.sub, at.scope, keyword)) if keyword in at.keywords and keyword else TRUE


def all_of(at: Place) -> Formula:
    return All(_each(at, "allOf"))


def any_of(at: Place) -> Formula:
    return AnyOf(_each(at, "anyOf")) if at.keywords["anyOf"] != [] else TRUE


def one_of(at: Place) -> Formula:
    """As `anyOf`: that only one branch holds tells no type apart."""
    return AnyOf(_each(at, "oneOf"), keyword="oneOf") if at.keywords["oneOf"] != [] else TRUE


def _each(at: Place, keyword: str) -> tuple[Formula, ...]:
    written = at.keywords[keyword]
    if not isinstance(written, list):
        return (unreadable(at, f"{at.pointer}: {keyword}: expected an array of schemas"),)
    return tuple(_readable(at, _asking(keyword, index)) for index in range(len(written)))


def _asking(keyword: str, index: int) -> Callable[[Place], Formula]:
    return lambda at: at.ask(keyword, index)


def not_(at: Place) -> Formula:
    """Only the negation of everything says something of types."""
    return FALSE if at.keywords["not"] in ({}, True) else TRUE


def required(at: Place) -> Formula:
    names = at.keywords["required"]
    if not isinstance(names, list):
        return TRUE
    return All(tuple(Fact(Present(name, at.pointer)) for name in names if isinstance(name, str)))


def members(at: Place) -> Formula:
    """`properties`, `patternProperties` and `additionalProperties`, as far as each can be read."""
    properties = tuple(
        (name, demand) for name in _names(at, "properties") if (demand := _member(at, "properties", name))
    )
    patterns = []
    rest = _member(at, "additionalProperties") if "additionalProperties" in at.keywords else None
    for source in _names(at, "patternProperties"):
        demand = _member(at, "patternProperties", source)
        try:
            language = at.meaning.pattern(source, "patternProperties", at.pointer)
        except (SchemaError, RecursionError):
            language = "no pattern"
        if isinstance(language, str) or demand is None:
            # What the pattern matches is not additional, so nothing can be said of the rest.
            rest = None
        else:
            patterns.append(PatternMember(language, demand))
    return Fact(Members(properties, tuple(patterns), rest, "properties" in at.keywords, at.pointer))


def _names(at: Place, keyword: str) -> list[str]:
    written: Json = at.keywords.get(keyword)
    return list(written) if isinstance(written, dict) else []


def _member(at: Place, *tokens: str) -> Obeys | None:
    try:
        return at.demand(*tokens)
    except SchemaError:
        return None


VOCABULARY: Mapping[str, Callable[[Place], Formula]] = MappingProxyType(
    {
        "type": type_,
        "enum": enum,
        "const": const,
        "$ref": ref,
        "$dynamicRef": dynamic_ref,
        "$recursiveRef": dynamic_ref,
        "allOf": all_of,
        "anyOf": any_of,
        "oneOf": one_of,
        "not": not_,
        "required": required,
        "properties": members,
        "patternProperties": members,
        "additionalProperties": members,
    }
)
"""Keyword → the function that reads it, whatever the dialect."""


def shallow(schema: Json) -> tuple[Shallow, Subschema, Scope]:
    """The surface of a schema, with its root; raises `SchemaError` for what is no schema at all."""
    documents = Documents(schema)
    return Shallow(documents), documents.root, documents.enter((), documents.root)

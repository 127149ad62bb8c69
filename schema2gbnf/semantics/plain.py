"""The fast path: subschemas that are read at sight, without formulas and branches.

Most subschemas are plain. A *leaf* is about strings, numbers, booleans and null alone and refers to nothing: what it
says depends on its content, its dialect and a few options, so that what was read of one before holds of all its like.
Objects that have `properties` and arrays that have `items`, with no keyword beside them that would need a choice, are
laid out as they are written. What is not plain, and what might have to be told of, takes the general way; both lead to
the same.
"""

from __future__ import annotations

import marshal
from collections.abc import Hashable
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Literal, cast

from schema2gbnf.cache import Cache
from schema2gbnf.languages.decimals import NumberLanguage
from schema2gbnf.languages.strings import StringLanguage
from schema2gbnf.options import Options
from schema2gbnf.schema.dialects import Dialect
from schema2gbnf.schema.documents import MAX_PATH
from schema2gbnf.schema.subschema import Subschema
from schema2gbnf.schema.text import Json, half_of
from schema2gbnf.semantics.formula import Conjunction, Obeys
from schema2gbnf.semantics.keywords import ANNOTATIONS, VOCABULARIES, meant
from schema2gbnf.semantics.shapes import AllBut, ArrayShape, KeyPart, Member, ObjectShape, Slot

if TYPE_CHECKING:
    from schema2gbnf.semantics.meaning import Meaning

SILENT = frozenset(
    ["title", "description", "default", "examples", "example", "$comment", "deprecated", "readOnly", "writeOnly"]
)
"""Keywords that say nothing whatever stands under them."""

STRUCTURAL = frozenset(
    [
        *("$ref", "$dynamicRef", "$recursiveRef", "$id", "id", "$schema", "$anchor", "$dynamicAnchor"),
        *("$recursiveAnchor", "$vocabulary", "$defs", "definitions", "allOf", "anyOf", "oneOf", "not", "if", "then"),
        *("else", "properties", "patternProperties", "additionalProperties", "propertyNames", "dependencies"),
        *("dependentSchemas", "items", "prefixItems", "additionalItems", "contains", "unevaluatedProperties"),
        *("unevaluatedItems", "contentSchema", "json_schema", "function"),
    ]
)
"""Keywords that other subschemas stand under, or that make a place of one."""

PLACED = {"$schema", "$id", "id", "$defs", "definitions"}
"""Keywords that say something of a place, and nothing of a value."""
OBJECT = SILENT | PLACED | {"type", "properties", "required", "additionalProperties"}
ARRAY = SILENT | {"type", "items", "minItems", "maxItems"}
"""All that a plain object or array may have."""

Structure = Literal["object", "array"]


@dataclass(frozen=True, slots=True)
class Leaf:
    """All values that a leaf accepts."""

    constants: tuple[bool | None, ...]
    strings: StringLanguage
    numbers: NumberLanguage


Reading = Leaf | Structure | None
"""What is plain about a subschema: what it accepts, or what it is to be read as."""

_Key = tuple[Dialect, Hashable, bytes]

_LEAVES: Cache[_Key, Leaf] = Cache(1 << 20)
"""What was read of leaves in any schema, within a bound on their bytes and the states of their automata."""


class Plain:
    """What is plain in one schema."""

    def __init__(self, options: Options) -> None:
        limits = options.limits
        self._reading = (options.formats, options.dotall, options.nullable, limits.automaton_states, limits.work)
        self._ordered = bool(options.prop_order)
        self._found: dict[Subschema, Reading] = {}

    def of(self, sub: Subschema) -> Reading:
        """What is plain about a subschema."""
        if sub in self._found:
            return self._found[sub]
        found = self._found[sub] = self._of(sub)
        return found

    def _of(self, sub: Subschema) -> Reading:
        kind = sub.keywords.get("type")
        if sub.dialect.left_out:
            # That a vocabulary is left out is told at each place.
            return None
        if kind == "object" and not self._ordered and _has_only(OBJECT, sub):
            return "object" if _is_object(sub) else None
        if kind == "array" and _has_only(ARRAY, sub):
            return "array" if _is_array(sub) else None
        key = self._key(sub)
        return None if key is None else _LEAVES.get(key)

    def learn(self, sub: Subschema, leaf: Leaf) -> None:
        """Keep what a leaf accepts. To be called where nothing was told of its place, and nothing spent on it."""
        key = None if sub.dialect.left_out else self._key(sub)
        if key is not None:
            _LEAVES.put(key, leaf, len(key[2]) + leaf.strings.size() + len(leaf.numbers.dfa.moves))

    def _key(self, sub: Subschema) -> _Key | None:
        keywords = sub.keywords
        if not STRUCTURAL.isdisjoint(keywords):
            return None
        said = [(keyword, value) for keyword, value in keywords.items() if keyword not in SILENT]
        try:
            # Tells 1 from 1.0 and true, which Python's own comparison does not.
            return sub.dialect, self._reading, marshal.dumps(said, 2)
        except ValueError:
            return None


def _has_only(plain: frozenset[str], sub: Subschema) -> bool:
    """Whether a subschema has but these keywords, and words that are no keywords and not meant to be."""
    others = [keyword for keyword in sub.keywords if keyword not in plain]
    return not others or not any(is_known(keyword, sub.dialect.name) for keyword in others)


@lru_cache(maxsize=1 << 12)
def is_known(keyword: str, dialect: str) -> bool:
    """Whether a word is a keyword, is meant to be one, or is looked at for another reason."""
    named = VOCABULARIES[dialect]
    return keyword in named or keyword in ANNOTATIONS or keyword in STRUCTURAL or meant(keyword, dialect) is not None


def _is_object(sub: Subschema) -> bool:
    keywords = sub.keywords
    properties, required = keywords.get("properties", {}), keywords.get("required", [])
    return (
        isinstance(properties, dict)
        and isinstance(required, list)
        and all(isinstance(name, str) and name in properties for name in required)
        and all(_is_child(value, sub) for value in properties.values())
        and (isinstance(rest := keywords.get("additionalProperties", True), bool) or _is_child(rest, sub))
        and sum(map(len, sub.tokens)) + max(map(len, properties), default=0) < MAX_PATH // 2
        and all(isinstance(keywords.get(keyword, ""), str) for keyword in ("$schema", "$id", "id"))
        and not half_of(list(properties))
    )


def _is_array(sub: Subschema) -> bool:
    low, high = sub.keywords.get("minItems", 0), sub.keywords.get("maxItems", 0)
    counts = type(low) is int and type(high) is int and min(low, high) >= 0
    return counts and _is_child(sub.get("items"), sub) and sum(map(len, sub.tokens)) < MAX_PATH // 2


def _is_child(value: Json, sub: Subschema) -> bool:
    """Whether a value is a schema, and nothing is to be told or refused when its place is entered."""
    return isinstance(value, dict) and "$schema" not in value and sub.dialect.id_keyword not in value


def object_shape(meaning: Meaning, demand: Obeys) -> ObjectShape | None:
    """The shape of a plain object; None where a member can have no value."""
    sub = demand.sub
    required = set(cast("list[str]", sub.get("required") or ()))
    members = []
    for name, inner in cast("dict[str, Json]", sub.get("properties") or {}).items():
        value = _value(meaning, demand, inner, "properties", name)
        if value is None:
            return None
        members.append(Member(name, value, name in required))
    rest: Conjunction | None = ()
    if "additionalProperties" in sub:
        rest = _value(meaning, demand, sub.get("additionalProperties"), "additionalProperties")
    # Where nothing is said of members, there is no place to show either.
    pointer = sub.pointer if "properties" in sub or "additionalProperties" in sub else "#"
    parts = () if rest is None else (KeyPart(AllBut(tuple([member.name for member in members])), rest),)
    closable = pointer if "properties" in sub and "additionalProperties" not in sub else None
    return ObjectShape(tuple(members), parts, 0, None, (), closable, pointer)


def array_shape(meaning: Meaning, demand: Obeys) -> ArrayShape | None:
    """The shape of a plain array; None where an item can have no value, or where there is no such count."""
    sub = demand.sub
    value = _value(meaning, demand, sub.get("items"), "items")
    low, high = cast("int", sub.get("minItems") or 0), cast("int | None", sub.get("maxItems"))
    if value is None or (high is not None and low > high):
        return None
    return ArrayShape((), Slot(value), low, high, (), (), None, sub.pointer)


def _value(meaning: Meaning, demand: Obeys, inner: Json, *trail: str) -> Conjunction | None:
    """What is demanded of the members or items for which a subschema stands at the end of the trail."""
    child = meaning.documents.interned(demand.sub, trail, inner)
    return meaning.conjunction((Obeys(child, meaning.documents.enter(demand.scope, child)),))

"""What each keyword says, as a formula; a dialect is a table from keyword to the function that reads it.

One function a keyword, named as the keyword (a trailing underscore where Python has the word). Keywords that only mean
something together share one function, which is called once, where the first of them is written. A keyword that is in
no table says nothing about instances.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from difflib import get_close_matches
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, cast

from schema2gbnf.errors import UnsupportedSchemaError
from schema2gbnf.languages import decimals
from schema2gbnf.languages.decimals import INTEGERS, NumberLanguage
from schema2gbnf.languages.dfa import StateLimitError
from schema2gbnf.languages.formats import content_encoding, content_media_type
from schema2gbnf.languages.strings import StringLanguage
from schema2gbnf.schema.subschema import Scope, Subschema
from schema2gbnf.schema.text import HALF, Json, half_of
from schema2gbnf.semantics.formula import (
    TRUE,
    All,
    AnyOf,
    Ask,
    Contains,
    ExactlyOne,
    Fact,
    Formula,
    ItemCount,
    Items,
    MemberCount,
    Members,
    NamesIn,
    NumberIn,
    Obeys,
    PatternMember,
    Present,
    StringIn,
    Tried,
    TypeIs,
    UniqueItems,
    Unknowable,
    ValueIn,
    exact,
    frozen,
    negated,
)

if TYPE_CHECKING:
    from schema2gbnf.semantics.meaning import Meaning


@dataclass(frozen=True, slots=True)
class Place:
    """A subschema being read in a dynamic scope."""

    meaning: Meaning
    sub: Subschema
    scope: Scope
    keywords: Mapping[str, Json]

    def demand(self, *tokens: str | int) -> Obeys:
        """That the subschema under these tokens holds."""
        child = self.meaning.documents.child(self.sub, *tokens)
        return Obeys(child, self.meaning.documents.enter(self.scope, child))

    def ask(self, *tokens: str | int) -> Ask:
        return Ask(self.demand(*tokens))

    @property
    def pointer(self) -> str:
        return self.sub.pointer

    def number(self, keyword: str) -> Fraction | Decimal:
        """The value of a numeric keyword; a decimal when its exponent is out of all bounds."""
        return exact(cast(float, self.keywords[keyword]))

    def count(self, keyword: str) -> int:
        value = self.number(keyword)
        if isinstance(value, Decimal):
            raise UnsupportedSchemaError(self.pointer, keyword, f"{value} is too large a count")
        return int(value)


Keyword = Callable[[Place], Formula]


# -- any type ----------------------------------------------------------------------------------------------------------


def type_(at: Place) -> Formula:
    names = at.keywords["type"]
    types = frozenset([names] if isinstance(names, str) else cast("list[str]", names))
    if at.keywords.get("nullable") is True and at.meaning.nullable(at.sub):
        types |= {"null"}
    return Fact(TypeIs(types) if at.sub.dialect.integral_floats_are_integers else TypeIs(types, INTEGERS))


def enum(at: Place) -> Formula:
    values = cast("list[Json]", at.keywords["enum"])
    written = [value for value in values if not half_of(value)]
    if 0 < len(written) < len(values):
        values = written
        at.meaning.report.add("narrowed", "enum", at.pointer, f"values with {HALF} are not written")
    return Fact(ValueIn(tuple(dict.fromkeys(map(frozen, values))), at.sub))


def const(at: Place) -> Formula:
    return Fact(ValueIn((frozen(at.keywords["const"]),), at.sub))


# -- numbers -----------------------------------------------------------------------------------------------------------


def _number(at: Place, keyword: str, language: Callable[[], NumberLanguage]) -> Formula:
    try:
        return Fact(NumberIn(language(), keyword, at.pointer))
    except StateLimitError as error:
        return Fact(Unknowable("number", keyword, at.pointer, f"its automaton needs {error}"))


def minimum(at: Place) -> Formula:
    exclusive = at.keywords.get("exclusiveMinimum") is True  # a boolean in draft 4 and OpenAPI 3.0 only
    return _number(at, "minimum", lambda: decimals.at_least(at.number("minimum"), exclusive))


def maximum(at: Place) -> Formula:
    exclusive = at.keywords.get("exclusiveMaximum") is True
    return _number(at, "maximum", lambda: decimals.at_most(at.number("maximum"), exclusive))


def exclusiveMinimum(at: Place) -> Formula:
    return _number(at, "exclusiveMinimum", lambda: decimals.at_least(at.number("exclusiveMinimum"), True))


def exclusiveMaximum(at: Place) -> Formula:
    return _number(at, "exclusiveMaximum", lambda: decimals.at_most(at.number("exclusiveMaximum"), True))


def multipleOf(at: Place) -> Formula:
    return _number(at, "multipleOf", lambda: decimals.multiple_of(at.number("multipleOf")))


# -- strings -----------------------------------------------------------------------------------------------------------


def minLength(at: Place) -> Formula:
    return Fact(StringIn(StringLanguage.of_lengths(at.count("minLength"), None), "minLength", at.pointer))


def maxLength(at: Place) -> Formula:
    return Fact(StringIn(StringLanguage.of_lengths(0, at.count("maxLength")), "maxLength", at.pointer))


def pattern(at: Place) -> Formula:
    source = cast(str, at.keywords["pattern"])
    language = at.meaning.pattern(source, "pattern", at.pointer)
    if isinstance(language, str):
        return Fact(Unknowable("string", "pattern", at.pointer, language))
    return Fact(StringIn(language, "pattern", at.pointer))


def format_(at: Place) -> Formula:
    return at.meaning.format(cast(str, at.keywords["format"]), at.sub)


def content(at: Place) -> Formula:
    """`contentEncoding` and `contentMediaType` (draft 7): how texts are encoded, and what type is in them."""
    encoding = content_encoding(str(at.keywords.get("contentEncoding", "")))
    media_type = content_media_type(str(at.keywords.get("contentMediaType", "")))
    parts: list[Formula] = []
    if encoding is not None:
        parts.append(at.meaning.texts(encoding, "contentEncoding", at.sub))
    if media_type is not None and "contentEncoding" not in at.keywords:
        parts.append(at.meaning.texts(media_type, "contentMediaType", at.sub))
    elif media_type is not None:
        reason = f"that what the text encodes is {media_type.name} is not kept"
        parts.append(Fact(Unknowable("string", "contentMediaType", at.pointer, reason)))
    return All(tuple(parts))


# -- objects -----------------------------------------------------------------------------------------------------------


def required(at: Place) -> Formula:
    names = dict.fromkeys(cast("list[str]", at.keywords["required"]))
    pointer = at.pointer
    return All(tuple(Fact(Present(name, pointer)) for name in names))


def members(at: Place) -> Formula:
    """`properties`, `patternProperties` and `additionalProperties`: one fact, the third depends on the others."""
    declared = cast("dict[str, Json]", at.keywords.get("properties", {}))
    patterns = cast("dict[str, Json]", at.keywords.get("patternProperties", {}))
    found = []
    lost: list[Formula] = []
    for source in patterns:
        names = at.meaning.pattern(source, "patternProperties", at.pointer)
        if isinstance(names, str):
            lost.append(Fact(Unknowable("object", "patternProperties", at.pointer, names)))
        else:
            found.append(PatternMember(names, at.demand("patternProperties", source)))
    rest = at.demand("additionalProperties") if "additionalProperties" in at.keywords else None
    if lost and rest is not None:
        # What the unread pattern matches is not additional; without the pattern nothing can be said of the rest.
        lost.append(Fact(Unknowable("object", "additionalProperties", at.pointer, "it depends on that pattern")))
        rest = None
    fact = Members(
        tuple((name, at.demand("properties", name)) for name in declared),
        tuple(found),
        rest,
        "properties" in at.keywords,
        at.pointer,
    )
    return All((Fact(fact), *lost))


def propertyNames(at: Place) -> Formula:
    names = at.meaning.names_language(at.demand("propertyNames"))
    return Fact(NamesIn(names, at.pointer))


def minProperties(at: Place) -> Formula:
    return Fact(MemberCount(at.count("minProperties"), None, "minProperties", at.pointer))


def maxProperties(at: Place) -> Formula:
    return Fact(MemberCount(0, at.count("maxProperties"), "maxProperties", at.pointer))


def _if_present(at: Place, keyword: str, name: str, then: Formula) -> Formula:
    """`then`, of objects that have the member."""
    present = Fact(Present(name, at.pointer))
    no_object = negated(Fact(TypeIs(frozenset({"object"}))))
    return AnyOf((no_object, negated(present), All((present, then))), "exclusive", keyword, at.pointer)


def _names_required(at: Place, keyword: str, name: str, names: Json) -> Formula:
    absent = negated(Fact(Present(name, at.pointer)))
    no_object = negated(Fact(TypeIs(frozenset({"object"}))))
    return All(
        tuple(
            AnyOf((no_object, absent, Fact(Present(other, at.pointer))), "any", keyword, at.pointer)
            for other in dict.fromkeys(cast("list[str]", names))
        )
    )


def dependentRequired(at: Place) -> Formula:
    groups = cast("dict[str, Json]", at.keywords["dependentRequired"])
    return All(tuple(_names_required(at, "dependentRequired", name, names) for name, names in groups.items()))


def dependentSchemas(at: Place) -> Formula:
    groups = cast("dict[str, Json]", at.keywords["dependentSchemas"])
    return All(tuple(_if_present(at, "dependentSchemas", name, at.ask("dependentSchemas", name)) for name in groups))


def dependencies(at: Place) -> Formula:
    groups = cast("dict[str, Json]", at.keywords["dependencies"])
    return All(
        tuple(
            _names_required(at, "dependencies", name, [value] if isinstance(value, str) else value)
            if isinstance(value, list | str)
            else _if_present(at, "dependencies", name, at.ask("dependencies", name))
            for name, value in groups.items()
        )
    )


# -- arrays ------------------------------------------------------------------------------------------------------------


def items(at: Place) -> Formula:
    """`prefixItems` and `items` (2020-12): the prefix, and the rest behind it."""
    count = len(cast("list[Json]", at.keywords.get("prefixItems", [])))
    prefix = tuple(at.demand("prefixItems", index) for index in range(count))
    rest = at.demand("items") if "items" in at.keywords else None
    return Fact(Items(prefix, rest, at.pointer))


def items_or_tuple(at: Place) -> Formula:
    """`items` and `additionalItems` (up to 2019-09): an array of schemas is a prefix, one schema is for all items."""
    value = at.keywords.get("items")
    if isinstance(value, list):
        prefix = tuple(at.demand("items", index) for index in range(len(value)))
        rest = at.demand("additionalItems") if "additionalItems" in at.keywords else None
        return Fact(Items(prefix, rest, at.pointer))
    return Fact(Items((), at.demand("items"), at.pointer)) if value is not None else TRUE


def minItems(at: Place) -> Formula:
    return Fact(ItemCount(at.count("minItems"), None, "minItems", at.pointer))


def maxItems(at: Place) -> Formula:
    return Fact(ItemCount(0, at.count("maxItems"), "maxItems", at.pointer))


def contains(at: Place) -> Formula:
    """`contains` with `minContains` and `maxContains`; these two say nothing alone."""
    if "contains" not in at.keywords:
        return TRUE
    counted = at.sub.dialect.counted_contains
    low = at.count("minContains") if counted and "minContains" in at.keywords else 1
    high = at.count("maxContains") if counted and "maxContains" in at.keywords else None
    evaluates = at.sub.dialect.contains_evaluates
    return Fact(Contains(at.demand("contains"), low, high, evaluates, at.pointer))


def uniqueItems(at: Place) -> Formula:
    return Fact(UniqueItems(at.pointer)) if at.keywords["uniqueItems"] is True else TRUE


# -- applicators to the same value -------------------------------------------------------------------------------------


def allOf(at: Place) -> Formula:
    return All(tuple(at.ask("allOf", index) for index in range(len(cast("list[Json]", at.keywords["allOf"])))))


def anyOf(at: Place) -> Formula:
    options = tuple(at.ask("anyOf", index) for index in range(len(cast("list[Json]", at.keywords["anyOf"]))))
    return AnyOf(options, "any", "anyOf", at.pointer)


def oneOf(at: Place) -> Formula:
    options = tuple(at.ask("oneOf", index) for index in range(len(cast("list[Json]", at.keywords["oneOf"]))))
    return ExactlyOne(options, at.pointer)


def not_(at: Place) -> Formula:
    return negated(at.ask("not"))


def if_(at: Place) -> Formula:
    """`if`, `then` and `else`; without `if` the other two say nothing."""
    if "if" not in at.keywords:
        return TRUE
    condition = at.ask("if")
    if "then" not in at.keywords and "else" not in at.keywords:
        return Tried(condition.demand)
    then = at.ask("then") if "then" in at.keywords else TRUE
    other = at.ask("else") if "else" in at.keywords else TRUE
    return AnyOf((All((condition, then)), All((negated(condition), other))), "exclusive", "if", at.pointer)


def ref(at: Place) -> Formula:
    return Ask(at.meaning.target(at.sub, at.scope, "$ref"))


def dynamicRef(at: Place) -> Formula:
    return Ask(at.meaning.target(at.sub, at.scope, "$dynamicRef"))


def recursiveRef(at: Place) -> Formula:
    return Ask(at.meaning.target(at.sub, at.scope, "$recursiveRef"))


# -- dialects ----------------------------------------------------------------------------------------------------------

_DRAFT4: dict[str, Keyword] = {
    "$ref": ref,
    "type": type_,
    "enum": enum,
    "minimum": minimum,
    "maximum": maximum,
    "multipleOf": multipleOf,
    "minLength": minLength,
    "maxLength": maxLength,
    "pattern": pattern,
    "format": format_,
    "properties": members,
    "patternProperties": members,
    "additionalProperties": members,
    "required": required,
    "minProperties": minProperties,
    "maxProperties": maxProperties,
    "dependencies": dependencies,
    "items": items_or_tuple,
    "additionalItems": items_or_tuple,
    "minItems": minItems,
    "maxItems": maxItems,
    "uniqueItems": uniqueItems,
    "allOf": allOf,
    "anyOf": anyOf,
    "oneOf": oneOf,
    "not": not_,
}
_DRAFT6 = _DRAFT4 | {
    "const": const,
    "contains": contains,
    "propertyNames": propertyNames,
    "exclusiveMinimum": exclusiveMinimum,
    "exclusiveMaximum": exclusiveMaximum,
}
_CONDITIONS: dict[str, Keyword] = {"if": if_, "then": if_, "else": if_}
# From 2019-09 on, what a text encodes is an annotation.
_DRAFT7 = _DRAFT6 | _CONDITIONS | {"contentEncoding": content, "contentMediaType": content}
_DRAFT2019_09 = (
    _DRAFT6
    | _CONDITIONS
    | {
        "$recursiveRef": recursiveRef,
        "dependentRequired": dependentRequired,
        "dependentSchemas": dependentSchemas,
        "minContains": contains,
        "maxContains": contains,
    }
)
_DRAFT2020_12 = {
    keyword: function
    for keyword, function in _DRAFT2019_09.items()
    if keyword not in ("$recursiveRef", "items", "additionalItems")
} | {"$dynamicRef": dynamicRef, "prefixItems": items, "items": items}

VOCABULARIES: Mapping[str, Mapping[str, Keyword]] = {
    "draft4": _DRAFT4,
    "draft6": _DRAFT6,
    "draft7": _DRAFT7,
    "draft2019-09": _DRAFT2019_09,
    "draft2020-12": _DRAFT2020_12,
    "openapi3.0": _DRAFT4,
}
"""Keyword → the function that reads it, for each dialect; `unevaluated…` stand outside, they need provenance."""

ANNOTATIONS = frozenset(
    [
        "$schema",
        "$id",
        "id",
        "$anchor",
        "$dynamicAnchor",
        "$recursiveAnchor",
        "$comment",
        "$defs",
        "definitions",
        "$vocabulary",
        "title",
        "description",
        "default",
        "examples",
        "example",
        "deprecated",
        "readOnly",
        "writeOnly",
        "contentEncoding",
        "contentMediaType",
        "contentSchema",
        "unevaluatedProperties",
        "unevaluatedItems",
        "then",
        "else",
        "minContains",
        "maxContains",
        "nullable",
        "discriminator",
        "xml",
        "externalDocs",
        "exclusiveMinimum",
        "exclusiveMaximum",
        "additionalItems",
        "prefixItems",
    ]
)
"""Keywords that are known and say nothing by themselves, so that no typo is suspected behind them."""


@lru_cache(maxsize=1 << 12)
def meant(keyword: str, dialect: str) -> str | None:
    """The keyword of a dialect for which one that it does not know is probably written.

    >>> meant("additionalproperties", "draft7"), meant("x-order", "draft7"), meant("title", "draft7")
    ('additionalProperties', None, None)
    """
    vocabulary = VOCABULARIES[dialect]
    if keyword in vocabulary or keyword in ANNOTATIONS or not 3 < len(keyword) <= LONGEST:
        return None
    return next(iter(get_close_matches(keyword, vocabulary, 1, 0.85)), None)


LONGEST = 64
"""Characters of a word that may be a keyword; comparing takes time in proportion to its square."""


def local_formula(meaning: Meaning, sub: Subschema, scope: Scope) -> Formula:
    """What all keywords of one subschema say together, `unevaluatedProperties` and `unevaluatedItems` left aside."""
    if isinstance(sub.value, bool):
        return TRUE if sub.value else AnyOf(())
    meaning.check(sub)
    vocabulary = VOCABULARIES[sub.dialect.name]
    at = Place(meaning, sub, scope, sub.keywords)
    functions = dict.fromkeys(vocabulary[keyword] for keyword in sub.keywords if keyword in vocabulary)
    parts: list[Formula] = []
    for function in functions:
        formula = function(at)
        parts.extend(formula.parts if isinstance(formula, All) else (formula,))
    return parts[0] if len(parts) == 1 else All(tuple(parts))

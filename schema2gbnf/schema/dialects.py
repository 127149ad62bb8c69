"""The dialects of JSON Schema as tables: the keywords of each, where subschemas stand under them, how it refers.

A dialect is data; whoever reads a schema asks its dialect and never compares draft numbers.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import Enum, auto
from functools import lru_cache
from types import MappingProxyType


class Place(Enum):
    """What stands under a keyword: where the subschemas are, if there are any."""

    SCHEMA = auto()
    SCHEMAS = auto()
    """An array of schemas."""
    SCHEMA_MAP = auto()
    """An object whose members are schemas."""
    SCHEMA_OR_SCHEMAS = auto()
    """One schema, or an array of them: `items` before 2020-12."""
    SCHEMA_OR_NAMES_MAP = auto()
    """An object whose members are schemas or arrays of names: `dependencies`."""
    PLAIN = auto()
    """No schema: a value of the keyword's own kind."""


@dataclass(frozen=True, slots=True, eq=False)
class Dialect:
    """One version of JSON Schema; compare dialects by `name`."""

    name: str
    uri: str
    keywords: Mapping[str, Place]
    id_keyword: str | None = "$id"
    anchor_keywords: tuple[str, ...] = ()
    fragment_ids: bool = False
    """`"$id": "#name"` declares an anchor."""
    dynamic_reference: str | None = None
    ref_hides_siblings: bool = False
    boolean_schemas: bool = True
    """`true` and `false` are schemas everywhere, not only under `additionalProperties` and `additionalItems`."""
    boolean_exclusive_bounds: bool = False
    """`exclusiveMinimum: true` sharpens `minimum`; elsewhere the keyword is a bound of its own."""
    integral_floats_are_integers: bool = True
    """1.0 is an integer."""
    contains_evaluates: bool = False
    """Items that `contains` matches count as evaluated for `unevaluatedItems`."""
    nullable: bool = False
    """`nullable: true` adds null to the types."""
    asserts_formats: bool = False
    """`format` restricts strings whatever the caller chose."""
    left_out: frozenset[str] = frozenset()
    """Keywords that the metaschema has left out of its dialect; they say nothing."""
    foreign: Mapping[str, Place] = field(default_factory=dict)
    """Keywords of other dialects that are read all the same, for people write them."""

    def place(self, keyword: str) -> Place:
        """What stands under a keyword; nothing that matters under one the dialect does not know."""
        return self.keywords.get(keyword, Place.PLAIN)

    @property
    def counted_contains(self) -> bool:
        """`minContains` and `maxContains` count what `contains` finds."""
        return "minContains" in self.keywords

    @property
    def unevaluated(self) -> bool:
        """`unevaluatedItems` and `unevaluatedProperties` are keywords."""
        return "unevaluatedProperties" in self.keywords

    def __repr__(self) -> str:
        return f"Dialect({self.name!r})"


def _keywords(places: Mapping[Place, str]) -> dict[str, Place]:
    return {keyword: place for place, names in places.items() for keyword in names.split()}


_OPENAPI30 = _keywords(
    {
        Place.SCHEMA: "additionalProperties items not",
        Place.SCHEMAS: "allOf anyOf oneOf",
        Place.SCHEMA_MAP: "$defs definitions properties",
        Place.PLAIN: "$ref default deprecated description discriminator enum example exclusiveMaximum exclusiveMinimum"
        " externalDocs format maxItems maxLength maxProperties maximum minItems minLength minProperties minimum"
        " multipleOf nullable pattern readOnly required title type uniqueItems writeOnly xml",
    }
)
_DRAFT4 = _keywords(
    {
        Place.SCHEMA: "additionalItems additionalProperties not",
        Place.SCHEMAS: "allOf anyOf oneOf",
        Place.SCHEMA_MAP: "$defs definitions patternProperties properties",
        Place.SCHEMA_OR_SCHEMAS: "items",
        Place.SCHEMA_OR_NAMES_MAP: "dependencies",
        Place.PLAIN: "$ref $schema default description enum exclusiveMaximum exclusiveMinimum format id maxItems"
        " maxLength maxProperties maximum minItems minLength minProperties minimum multipleOf pattern required title"
        " type uniqueItems",
    }
)
_DRAFT6 = {keyword: place for keyword, place in _DRAFT4.items() if keyword != "id"} | _keywords(
    {Place.SCHEMA: "contains propertyNames", Place.PLAIN: "$id const examples"}
)
_DRAFT7 = _DRAFT6 | _keywords(
    {Place.SCHEMA: "if then else", Place.PLAIN: "$comment contentEncoding contentMediaType readOnly writeOnly"}
)
_DRAFT2019 = {keyword: place for keyword, place in _DRAFT7.items() if keyword != "dependencies"} | _keywords(
    {
        Place.SCHEMA: "contentSchema unevaluatedItems unevaluatedProperties",
        Place.SCHEMA_MAP: "dependentSchemas",
        Place.PLAIN: "$anchor $recursiveAnchor $recursiveRef $vocabulary dependentRequired deprecated maxContains"
        " minContains",
    }
)
_DRAFT2020 = {
    keyword: place
    for keyword, place in _DRAFT2019.items()
    if keyword not in ("$recursiveAnchor", "$recursiveRef", "additionalItems")
} | _keywords({Place.SCHEMA: "items", Place.SCHEMAS: "prefixItems", Place.PLAIN: "$dynamicAnchor $dynamicRef"})

_DEPENDENCIES = MappingProxyType({"dependencies": Place.SCHEMA_OR_NAMES_MAP})


DIALECTS: Mapping[str, Dialect] = MappingProxyType(
    {
        dialect.name: dialect
        for dialect in (
            Dialect(
                "draft4",
                "http://json-schema.org/draft-04/schema",
                MappingProxyType(_DRAFT4),
                id_keyword="id",
                fragment_ids=True,
                ref_hides_siblings=True,
                boolean_schemas=False,
                boolean_exclusive_bounds=True,
                integral_floats_are_integers=False,
            ),
            Dialect(
                "draft6",
                "http://json-schema.org/draft-06/schema",
                MappingProxyType(_DRAFT6),
                fragment_ids=True,
                ref_hides_siblings=True,
            ),
            Dialect(
                "draft7",
                "http://json-schema.org/draft-07/schema",
                MappingProxyType(_DRAFT7),
                fragment_ids=True,
                ref_hides_siblings=True,
            ),
            Dialect(
                "draft2019-09",
                "https://json-schema.org/draft/2019-09/schema",
                MappingProxyType(_DRAFT2019),
                anchor_keywords=("$anchor",),
                dynamic_reference="$recursiveRef",
                foreign=_DEPENDENCIES,
            ),
            Dialect(
                "draft2020-12",
                "https://json-schema.org/draft/2020-12/schema",
                MappingProxyType(_DRAFT2020),
                anchor_keywords=("$anchor", "$dynamicAnchor"),
                dynamic_reference="$dynamicRef",
                contains_evaluates=True,
                foreign=_DEPENDENCIES,
            ),
            Dialect(
                "openapi3.0",
                "https://spec.openapis.org/oas/3.0/schema",
                MappingProxyType(_OPENAPI30),
                id_keyword=None,
                ref_hides_siblings=True,
                boolean_schemas=False,
                boolean_exclusive_bounds=True,
                nullable=True,
                foreign=MappingProxyType(
                    {word: _DRAFT4[word] for word in ("patternProperties", "additionalItems", "dependencies")}
                ),
            ),
        )
    }
)

_BY_URI = MappingProxyType({dialect.uri.partition("://")[2]: dialect for dialect in DIALECTS.values()})


def dialect_of(uri: str) -> Dialect | None:
    """The dialect that a `$schema` names, with or without a trailing `#`, over http or https; None if it is unknown.

    >>> dialect_of("https://json-schema.org/draft-07/schema#")
    Dialect('draft7')
    """
    scheme, _, rest = uri.removesuffix("#").partition("://")
    return _BY_URI.get(rest.removesuffix("/")) if scheme in ("http", "https") else None


@lru_cache(maxsize=64)
def with_nullable(dialect: Dialect, nullable: bool) -> Dialect:
    """The dialect in which `nullable` counts, or does not, whatever its standard says."""
    if dialect.nullable == nullable:
        return dialect
    keywords = {keyword: place for keyword, place in dialect.keywords.items() if keyword != "nullable"}
    if nullable:
        keywords["nullable"] = Place.PLAIN
    return replace(dialect, nullable=nullable, keywords=MappingProxyType(keywords))

"""The dialect that a `$schema` names: a published one, or what a given metaschema makes of one by its `$vocabulary`.

Comes in: the URI, and the documents at hand. Goes out: the dialect, with the keywords of the vocabularies that are in
force and no others; and the vocabularies that are required but not known. A metaschema speaks the dialect that its own
`$schema` names; what its dialect has beside vocabularies, such as the core, is always in force.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from types import MappingProxyType

from schema2gbnf.errors import InvalidSchemaError
from schema2gbnf.schema.dialects import Dialect, dialect_of
from schema2gbnf.schema.text import Json

_SHARED = {
    "applicator": "additionalProperties allOf anyOf contains dependentSchemas else if items not oneOf patternProperties"
    " properties propertyNames then",
    "validation": "const dependentRequired enum exclusiveMaximum exclusiveMinimum maxContains maxItems maxLength"
    " maxProperties maximum minContains minItems minLength minProperties minimum multipleOf pattern required type"
    " uniqueItems",
    "meta-data": "default deprecated description examples readOnly title writeOnly",
    "content": "contentEncoding contentMediaType contentSchema",
}


def _published(version: str, own: Mapping[str, str]) -> dict[str, frozenset[str]]:
    """The keywords by the URI of their vocabulary: those that both versions have, and those of this one."""
    return {
        f"https://json-schema.org/draft/{version}/vocab/{name}": frozenset(
            f"{_SHARED.get(name, '')} {own.get(name, '')}".split()
        )
        for name in {**_SHARED, **own}
    }


VOCABULARIES: Mapping[str, Mapping[str, frozenset[str]]] = MappingProxyType(
    {
        "draft2019-09": _published(
            "2019-09",
            {"applicator": "additionalItems unevaluatedItems unevaluatedProperties", "format": "format"},
        ),
        "draft2020-12": _published(
            "2020-12",
            {
                "applicator": "prefixItems",
                "unevaluated": "unevaluatedItems unevaluatedProperties",
                "format-annotation": "format",
                "format-assertion": "format",
            },
        )
        | {
            "https://spec.openapis.org/oas/3.1/vocab/base": frozenset(
                ("discriminator", "example", "externalDocs", "xml")
            )
        },
    }
)
"""The keywords of each vocabulary, for each dialect that has any; those of the core are in force in every schema."""

_CORE = frozenset(f"https://json-schema.org/draft/{version}/vocab/core" for version in ("2019-09", "2020-12"))


def named_dialect(uri: str, documents: Mapping[str, Json], default: Dialect) -> tuple[Dialect, tuple[str, ...]] | None:
    """The dialect of this URI, None if it is not known; `documents` are metaschemas by URI without an empty fragment.

    With it come the vocabularies that it requires and that are not known: what their keywords say is not known either.

    >>> core = {"https://json-schema.org/draft/2020-12/vocab/core": True}
    >>> meta = {"$schema": "https://json-schema.org/draft/2020-12/schema", "$vocabulary": core | {"urn:units": True}}
    >>> from schema2gbnf.schema.dialects import DIALECTS
    >>> found, unknown = named_dialect("urn:meta", {"urn:meta": meta}, DIALECTS["draft7"])
    >>> found, "minimum" in found.left_out, unknown
    (Dialect('draft2020-12'), True, ('urn:units',))
    """
    chosen: dict[str, bool] | None = None
    passed: set[str] = set()
    here: Json = uri
    while isinstance(here, str) and (dialect := dialect_of(here)) is None:
        here = here.removesuffix("#")
        metaschema = documents.get(here)
        if here in passed or not isinstance(metaschema, dict):
            return None
        if not passed:
            chosen = _vocabularies(metaschema, here)
        passed.add(here)
        here = metaschema.get("$schema")
    dialect = dialect_of(here) if isinstance(here, str) else default
    assert dialect is not None
    known = VOCABULARIES.get(dialect.name)
    if chosen is None or known is None:
        return dialect, ()
    unknown = tuple(name for name, required in chosen.items() if required and name not in known.keys() | _CORE)
    return with_vocabularies(dialect, tuple(sorted(chosen.items()))), unknown


def _vocabularies(metaschema: dict[str, Json], uri: str) -> dict[str, bool] | None:
    value = metaschema.get("$vocabulary")
    if value is None:
        return None
    if not isinstance(value, dict) or not all(isinstance(required, bool) for required in value.values()):
        raise InvalidSchemaError(f"{uri}#", "$vocabulary", "expected an object of true and false")
    return {name: required is True for name, required in value.items()}


@lru_cache(maxsize=64)
def with_vocabularies(dialect: Dialect, vocabularies: tuple[tuple[str, bool], ...]) -> Dialect:
    """The dialect with the keywords of these vocabularies, each of which is required or not, and of no others.

    Formats are asserted by their vocabulary for that in 2020-12, required or not, and in 2019-09 by one that is
    required.
    """
    known = VOCABULARIES[dialect.name]
    in_force = frozenset[str]().union(*(known.get(uri, ()) for uri, _ in vocabularies))
    left_out = frozenset[str]().union(*known.values()) - in_force
    return replace(
        dialect,
        keywords=MappingProxyType({each: place for each, place in dialect.keywords.items() if each not in left_out}),
        left_out=left_out,
        asserts_formats=any(
            uri.endswith("/vocab/format-assertion") or (uri.endswith("/vocab/format") and required)
            for uri, required in vocabularies
            if uri in known
        ),
    )

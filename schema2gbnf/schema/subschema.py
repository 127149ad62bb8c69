"""Schemas at their places: a document, the resources in it, their subschemas, all of them made by `Documents`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from schema2gbnf.errors import InvalidSchemaError
from schema2gbnf.schema.dialects import Dialect
from schema2gbnf.schema.pointers import escaped, kind
from schema2gbnf.schema.text import Json


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Document:
    """One JSON document; `uri` is what its pointers begin with, empty for the schema that is compiled."""

    uri: str
    value: Json
    made_up_at: str | None = None
    """The pointer of all its subschemas, if a program made it up."""

    def pointer(self, tokens: tuple[str, ...]) -> str:
        """How a place in the document is shown: its URI, then the tokens, escaped but not percent-encoded."""
        if self.made_up_at is not None:
            return self.made_up_at
        return "".join([self.uri, "#", *(f"/{escaped(token)}" for token in tokens)])


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Resource:
    """A document, or the part of one under an `$id`: what `#` means in it, and what relative URIs are relative to."""

    uri: str
    document: Document
    tokens: tuple[str, ...]
    """Where its root is in the document."""


@dataclass(frozen=True, slots=True, eq=False)
class Subschema:
    """A schema at its place; identity is equality."""

    value: bool | dict[str, Json]
    keywords: Mapping[str, Json]
    """The members in force: none of a boolean, `$ref` alone where it hides its siblings."""
    tokens: tuple[str, ...]
    dialect: Dialect
    resource: Resource

    @property
    def pointer(self) -> str:
        """`#/properties/a`, after the URI of its document unless that is the schema compiled."""
        # Not kept: the pointers of a large document can be far longer than the document.
        return self.resource.document.pointer(self.tokens)

    def get(self, keyword: str) -> Json:
        """The value of a keyword in force, None when it is absent."""
        return self.keywords.get(keyword)

    def __contains__(self, keyword: str) -> bool:
        return keyword in self.keywords

    def __repr__(self) -> str:
        return f"Subschema({self.pointer!r})"


Scope: TypeAlias = "tuple[tuple[str, Subschema], ...]"
"""A dynamic scope: for each dynamic anchor, sorted by name, the subschema in the outermost resource that has it."""


def no_schema(pointer: str, keyword: str, value: Json, fix: str = "") -> InvalidSchemaError:
    """The complaint that a value stands where a schema must."""
    return InvalidSchemaError(pointer, keyword, f"a schema is an object, true or false, not {kind(value)}{fix}")

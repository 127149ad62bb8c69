"""The ways a schema can be refused: one class a fact, each carrying where it is and what to do."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(eq=True, frozen=True)
class SchemaError(Exception):
    """A schema that cannot become a grammar.

    `pointer` is a JSON Pointer fragment into the schema (`#/properties/a`), after the document's URI when it is
    another document; `keyword` is the keyword at fault, or "" for the subschema as a whole.

    >>> print(InvalidSchemaError("#/properties/n", "type", "unknown type 'int'; did you mean 'integer'?"))
    #/properties/n: type: unknown type 'int'; did you mean 'integer'?
    """

    pointer: str
    keyword: str
    message: str

    def __str__(self) -> str:
        return ": ".join(part for part in (self.pointer, self.keyword, self.message) if part)


# An exception is not a value that stays still: raising it sets its traceback.
def _settable(error: SchemaError, name: str, value: object) -> None:
    object.__setattr__(error, name, value)


SchemaError.__setattr__ = _settable  # type: ignore[method-assign,assignment]


class InvalidSchemaError(SchemaError):
    """Not a schema: not JSON, a keyword with a value its dialect forbids, a pattern that is no regular expression."""


class UnresolvedReferenceError(SchemaError):
    """A reference that leads nowhere, or only back to itself."""


class UnsupportedSchemaError(SchemaError):
    """A right schema that no exact grammar can be given for here: strict mode, or a size or depth limit."""


class UnsatisfiableSchemaError(SchemaError):
    """A schema that no value satisfies, so that its grammar would be empty."""

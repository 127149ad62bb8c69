"""Schemas carried over as they were: what a back end skips, and what must not change its meaning.

A schema under `not` that is loosened tightens the whole, so nothing is rewritten here but references, which lead to
definitions that are carried over likewise. Old spellings are read into those of 2020-12.
"""

from __future__ import annotations

from typing import cast

from schema2gbnf.normalize.definitions import Ledger
from schema2gbnf.normalize.intersection import Residue
from schema2gbnf.normalize.reading import Reader, Reading, Value
from schema2gbnf.normalize.references import Found, References
from schema2gbnf.normalize.tasks import Task
from schema2gbnf.schema.subschema import Subschema
from schema2gbnf.schema.text import Json, copied


class Copyist:
    """Copies schemas; the answer is None for one that cannot be kept, as it refers to nowhere."""

    def __init__(self, reader: Reader, references: References, ledger: Ledger) -> None:
        self.reader = reader
        self.references = references
        self.ledger = ledger

    def schema(self, sub: Subschema) -> Task[Json]:
        """A copy of a schema."""
        if isinstance(sub.value, bool):
            return sub.value
        reading = self.reader.read(sub)
        return (yield from self.keywords(reading, tuple(reading.keywords)))

    def residue(self, residue: Residue) -> Task[Json]:
        """A schema of the keywords that are left over."""
        return (yield from self.keywords(residue.reading, residue.keywords))

    def keywords(self, reading: Reading, keywords: tuple[str, ...]) -> Task[Json]:
        """A schema of some keywords of a reading."""
        if any(event.severity == "loosened" for event in reading.events):
            return None
        made: dict[str, Json] = {}
        for keyword in keywords:
            if keyword == "$ref":
                reference = yield from self.reference(reading.sub)
                if reference is None:
                    return None
                made |= reference
                self.ledger.instead(reference, made)
            else:
                value = yield from self.value(reading.keywords[keyword])
                if value is None and reading.keywords[keyword] is not None:
                    return None
                made[keyword] = value
        return made

    def value(self, value: Value) -> Task[Json]:
        """A copy of the value of a keyword."""
        if isinstance(value, Subschema):
            copy: Json = yield self.schema(value)
            return copy
        if isinstance(value, list) and value and isinstance(value[0], Subschema):
            listed: list[Json] = []
            for sub in value:
                copy = yield self.schema(sub)
                if copy is None:
                    return None
                listed.append(copy)
            return listed
        if isinstance(value, dict) and value and isinstance(next(iter(value.values())), Subschema):
            members: dict[str, Json] = {}
            for name, sub in value.items():
                members[name] = yield self.schema(sub)
                if members[name] is None:
                    return None
            return members
        return copied(cast(Json, value))

    def reference(self, at: Subschema) -> Task[dict[str, Json] | None]:
        """A reference to a copy of what a `$ref` leads to."""
        found = self.references.follow(at)
        if not isinstance(found, Found) or not isinstance(self.references.resolved(found.target), Found):
            return None
        definition = self.ledger.open((found.target,), verbatim=True)
        made = self.ledger.reference(definition)
        if not definition.begun:
            definition.begun = True
            self.ledger.finish(definition, (yield self.schema(found.target)))
        return None if definition.void else made

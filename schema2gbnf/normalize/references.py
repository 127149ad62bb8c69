"""What the references of a schema lead to, and what is to be said of those that lead nowhere."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from schema2gbnf.errors import InvalidSchemaError, SchemaError
from schema2gbnf.normalize.reading import APPLICATORS, Reader
from schema2gbnf.schema.documents import Documents
from schema2gbnf.schema.pointers import DeadEndError, escaped, tokens_of
from schema2gbnf.schema.subschema import Subschema

_UNIONS = ("allOf", "anyOf", "oneOf")


@dataclass(frozen=True, slots=True)
class Found:
    """Where a reference leads."""

    target: Subschema
    repaired: str = ""
    """How the reference had to be read, if it leads nowhere as it is written."""


@dataclass(frozen=True, slots=True)
class Lost:
    """A reference that leads nowhere."""

    kind: str
    detail: str


class References:
    """Follows references, each once."""

    def __init__(self, documents: Documents, reader: Reader, repair_zod: bool) -> None:
        self.documents = documents
        self.reader = reader
        self.repair_zod = repair_zod
        self._found: dict[Subschema, Found | Lost] = {}
        self.targets: set[tuple[str, ...]] = set()
        """Where in the document the references lead that were followed."""
        self._resolved: dict[Subschema, Found | Lost] = {}
        self._within: dict[Subschema, Mapping[Subschema, None]] = {}

    def follow(self, at: Subschema) -> Found | Lost:
        """What the `$ref` of a subschema leads to, in one step."""
        found = self._found.get(at)
        if found is None:
            found = self._found[at] = self._follow(at)
            if isinstance(found, Found):
                self.targets.add(found.target.tokens)
        return found

    def _follow(self, at: Subschema) -> Found | Lost:
        try:
            return Found(self.documents.reference(at, self._keyword(at)))
        except InvalidSchemaError:
            raise
        except SchemaError as error:
            if self.repair_zod and (meant := self._collapsed(at)) is not None:
                return Found(meant, f"{error.message}; read as a reference to {meant.pointer!r}, as zod means it")
            remote = not str(at.keywords[self._keyword(at)]).startswith("#")
            return Lost("ref-remote" if remote else "ref-dangling", error.message)

    def _keyword(self, at: Subschema) -> str:
        """The keyword that was written; a dynamic reference that has one target alone is read as `$ref`."""
        return "$ref" if "$ref" in at.keywords else str(at.dialect.dynamic_reference)

    def _collapsed(self, at: Subschema) -> Subschema | None:
        """The schema meant by a pointer to the one branch of a union that its writer has since collapsed."""
        written = str(at.keywords[self._keyword(at)])
        try:
            tokens = tokens_of(written.removeprefix("#"))
        except DeadEndError:
            return None
        if len(tokens) < 2 or tokens[-1] != "0" or tokens[-2] not in _UNIONS:
            return None
        shorter = "#" + "".join(f"/{escaped(token)}" for token in tokens[:-2])
        value = {"$ref": shorter}
        try:
            meant = self.documents.reference(Subschema(dict(value), dict(value), at.tokens, at.dialect, at.resource))
        except SchemaError:
            return None
        return meant if isinstance(meant.value, dict) and tokens[-2] not in meant.value else None

    def resolved(self, at: Subschema) -> Found | Lost:
        """What a subschema is that says nothing but `$ref`, and so on along the references.

        A circle of references alone leads nowhere.
        """
        passed: list[Subschema] = []
        found: Found | Lost = Found(at)
        while isinstance(found, Found) and found.target not in self._resolved:
            here = found.target
            if self.reader.read(here).constraints != ["$ref"]:
                self._resolved[here] = found
            else:
                passed.append(here)
                # Coming by here again before the end is known, one goes in a circle.
                self._resolved[here] = Lost("ref-cycle-only", "these references lead only to each other")
                found = self.follow(here)
        end = self._resolved[found.target] if isinstance(found, Found) else found
        self._resolved.update(dict.fromkeys(passed, end))
        return end

    @cached_property
    def recursive(self) -> frozenset[Subschema]:
        """The targets of references that lead back to themselves, and those between two such."""
        leads = self._leads()
        while idle := [sub for sub, targets in leads.items() if not targets]:
            for sub in idle:
                del leads[sub]
            leads = {sub: {each for each in targets if each in leads} for sub, targets in leads.items()}
        while unreached := leads.keys() - {each for targets in leads.values() for each in targets}:
            for sub in unreached:
                del leads[sub]
        return frozenset(leads)

    def _leads(self) -> dict[Subschema, set[Subschema]]:
        """For each target of a reference, the targets of the references in it."""
        found: dict[Subschema, set[Subschema]] = {}
        targets = [self.documents.root]
        while targets:
            target = targets.pop()
            if target in found:
                continue
            found[target] = set()
            todo = [target]
            while todo:
                reading = self.reader.read(todo.pop())
                for value in reading.keywords.values():
                    listed = (
                        value.values() if isinstance(value, dict) else value if isinstance(value, list) else (value,)
                    )
                    todo.extend(each for each in listed if isinstance(each, Subschema))
                if "$ref" in reading.keywords and isinstance(following := self.follow(reading.sub), Found):
                    found[target].add(following.target)
                    targets.append(following.target)
        return found

    def within(self, sub: Subschema) -> Mapping[Subschema, None]:
        """What a subschema applies to the same value, along references and through `allOf` and unions, itself first."""
        found = self._within.get(sub)
        if found is None:
            found = self._within[sub] = self._applied(sub)
        return found

    def _applied(self, sub: Subschema) -> Mapping[Subschema, None]:
        met: dict[Subschema, None] = {}
        todo = [sub]
        while todo:
            each = todo.pop()
            if each in met:
                continue
            met[each] = None
            reading = self.reader.read(each)
            # The last is looked at first.
            for keyword in [each for each in reversed(reading.keywords) if each in APPLICATORS]:
                if keyword != "$ref":
                    todo.extend(reversed(reading.schemas(keyword)))
                elif isinstance(following := self.follow(each), Found):
                    todo.append(following.target)
        return met


def is_definition(sub: Subschema) -> bool:
    """Whether a subschema stands where definitions of a whole schema do."""
    return len(sub.tokens) == 2 and sub.tokens[0] in ("$defs", "definitions")


def encloses(outer: Subschema, inner: Subschema) -> bool:
    """Whether a subschema stands in another, or is it."""
    same = outer.resource.document is inner.resource.document
    return same and inner.tokens[: len(outer.tokens)] == outer.tokens

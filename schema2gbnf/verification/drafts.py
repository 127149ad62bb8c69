"""Values as someone would draft them who reads a schema one keyword at a time, without asking what it means together.

They need not be valid, nor need the grammar have those that are: objects may be closed. But nothing of the compiler but
its reading of references is in them, so that a branch or a member that the meaning has lost is still tried.
"""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from itertools import islice
from typing import cast

from schema2gbnf.errors import SchemaError
from schema2gbnf.schema.documents import Documents
from schema2gbnf.schema.subschema import Subschema
from schema2gbnf.schema.text import Json

DEPTH = 6
MOST = 24
"""Drafts of one subschema."""
LONGEST = 2_000

_HINTS = {
    "object": ("properties", "required", "additionalProperties", "patternProperties", "minProperties"),
    "array": ("items", "prefixItems", "minItems", "contains"),
    "string": ("minLength", "maxLength", "pattern", "format"),
    "number": ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"),
}
"""Keywords that tell which type a schema without `type` has in mind."""


def drafts(documents: Documents) -> list[Json]:
    """Drafts of the schema's values."""
    return _Drafter(documents).of(documents.root, DEPTH)


class _Drafter:
    def __init__(self, documents: Documents) -> None:
        self._documents = documents
        self._known: dict[tuple[Subschema, int], list[Json]] = {}

    def of(self, sub: Subschema, depth: int) -> list[Json]:
        key = (sub, depth)
        if key not in self._known:
            self._known[key] = []  # what refers to itself alone has no drafts
            self._known[key] = list(islice(self._all(sub, depth), MOST))
        return self._known[key]

    def _all(self, sub: Subschema, depth: int) -> Iterator[Json]:
        if isinstance(sub.value, bool) or depth == 0:
            yield from () if sub.value is False else (0,)
            return
        for keyword in ("default", "example"):
            if keyword in sub:
                yield sub.get(keyword)
        for keyword in ("enum", "examples"):
            listed = sub.get(keyword)
            yield from listed if isinstance(listed, list) else ()
        if "const" in sub:
            yield sub.get("const")
        if "$ref" in sub:
            yield from self._referred(sub, depth)
        own = list(self._typed(sub, depth))
        if own and "anyOf" not in sub and "oneOf" not in sub:
            yield from own
        base = own[0] if own else None
        for keyword in ("anyOf", "oneOf"):
            for branch in self._branches(sub, keyword):
                yield from (_merged(base, draft) for draft in self.of(branch, depth - 1)[:6])
        together = base
        for branch in self._branches(sub, "allOf"):
            inner = self.of(branch, depth - 1)
            yield from (_merged(together, draft) for draft in inner[1:4])
            together = _merged(together, inner[0]) if inner else together
        if "allOf" in sub:
            yield together
        for keyword in ("then", "else"):
            if keyword in sub:
                yield from (_merged(base, draft) for draft in self.of(self._documents.child(sub, keyword), depth - 1))

    def _referred(self, sub: Subschema, depth: int) -> list[Json]:
        try:
            return self.of(self._documents.reference(sub), depth - 1)
        except SchemaError:
            return []

    def _branches(self, sub: Subschema, keyword: str) -> list[Subschema]:
        listed = sub.get(keyword)
        number = len(listed) if isinstance(listed, list) else 0
        return [self._documents.child(sub, keyword, index) for index in range(number)]

    def _typed(self, sub: Subschema, depth: int) -> Iterator[Json]:
        named = sub.get("type")
        types = [named] if isinstance(named, str) else named if isinstance(named, list) else None
        if types is None:
            types = [name for name, keywords in _HINTS.items() if any(keyword in sub for keyword in keywords)]
        for name in types:
            match name:
                case "object":
                    yield from self._objects(sub, depth)
                case "array":
                    yield from self._arrays(sub, depth)
                case "string":
                    yield from _strings(sub)
                case "number" | "integer":
                    yield from _numbers(sub)
                case "boolean":
                    yield from (True, False)
                case "null":
                    yield None

    def _objects(self, sub: Subschema, depth: int) -> Iterator[Json]:
        properties = sub.get("properties")
        names = list(properties) if isinstance(properties, dict) else []
        required = cast("list[str]", sub.get("required")) if isinstance(sub.get("required"), list) else []
        members = {name: self.of(self._documents.child(sub, "properties", name), depth - 1) for name in names}
        full = {name: found[0] for name, found in members.items() if found}
        least = {name: full.get(name, "") for name in required}
        yield least
        yield {**full, **least}
        for name, found in members.items():
            yield from ({**least, name: each} for each in found[:4])
        for name in names:
            yield {each: value for each, value in full.items() if each != name or name in required}

    def _arrays(self, sub: Subschema, depth: int) -> Iterator[Json]:
        low = sub.get("minItems")
        low = low if isinstance(low, int) and low <= MOST else 0
        prefix = "prefixItems" if "prefixItems" in sub else "items"
        if isinstance(sub.get(prefix), list):
            inner = [self.of(each, depth - 1) for each in self._branches(sub, prefix)]
            yield [found[0] for found in inner if found]
        elif "items" in sub:
            items = self.of(self._documents.child(sub, "items"), depth - 1)
            yield items[:1] * low
            yield items[: max(low, 2)]
            yield from ([each] * max(low, 1) for each in items[:6])
        else:
            yield [0] * low


def _strings(sub: Subschema) -> Iterator[Json]:
    bounds = [sub.get("minLength"), sub.get("maxLength")]
    yield from ("a" * bound for bound in bounds if isinstance(bound, int) and bound <= LONGEST)
    yield "a"
    yield ""


def _numbers(sub: Subschema) -> Iterator[Json]:
    yield from (0, 1, -1)
    for keyword in _HINTS["number"]:
        bound = sub.get(keyword)
        if isinstance(bound, int | float | Decimal) and not isinstance(bound, bool):
            yield bound
            yield from (Decimal(repr(bound) if isinstance(bound, float) else bound) + step for step in (1, -1))


def _merged(left: Json, right: Json) -> Json:
    return {**left, **right} if isinstance(left, dict) and isinstance(right, dict) else right

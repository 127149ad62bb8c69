"""Subschemas as they were written, read into the keywords of 2020-12.

Comes in: a `Subschema` of any dialect. Goes out: its `Reading`, the keywords that are in force, each with its JSON or,
where schemas stand, with their subschemas. Names and definitions are left aside, since references are followed by
`Documents`. Refused with `InvalidSchemaError`: what the core's check of keywords refuses.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import cast

from schema2gbnf.normalize.events import Event, Severity
from schema2gbnf.schema.dialects import Place
from schema2gbnf.schema.documents import Documents
from schema2gbnf.schema.keywords import check
from schema2gbnf.schema.places import mentions
from schema2gbnf.schema.pointers import escaped
from schema2gbnf.schema.subschema import Subschema
from schema2gbnf.schema.text import Json
from schema2gbnf.semantics.keywords import VOCABULARIES

UNEVALUATED = ("unevaluatedProperties", "unevaluatedItems")
"""The keywords that see what other keywords and applied schemas have evaluated."""
CONSTRAINTS = frozenset(VOCABULARIES["draft2020-12"]) | {*UNEVALUATED}
"""The keywords that say something about instances; all others are annotations."""
APPLICATORS = ("$ref", "allOf", "anyOf", "oneOf")
"""The keywords that apply schemas to the same value, and that are taken apart."""
OWN = CONSTRAINTS - {*APPLICATORS, *UNEVALUATED}
"""The keywords that mean the same whatever else applies to the value."""
DEFINITIONS = ("$defs", "definitions")
NAMING = frozenset(("$schema", "$id", "$anchor", "$dynamicAnchor", "$recursiveAnchor", "$vocabulary", *DEFINITIONS))
"""Keywords that name schemas, or hold named ones; what is written in their place is up to whoever writes the whole."""

Value = object
"""The value of a keyword: `Json`; or a `Subschema`, a list of them, a dict of them, as the place under it has it."""


@dataclass(frozen=True, slots=True, eq=False)
class Reading:
    """The keywords of a subschema in the terms of 2020-12, in the order written."""

    sub: Subschema
    keywords: dict[str, Value]
    events: tuple[Event, ...] = ()
    """What had to be changed."""
    modernized: bool = False
    """A keyword is spelled otherwise than the dialect of the subschema has it."""

    @property
    def constraints(self) -> list[str]:
        """The keywords that say something about instances."""
        return [keyword for keyword in self.keywords if keyword in CONSTRAINTS]

    def schemas(self, keyword: str) -> list[Subschema]:
        """The subschemas of a keyword that has an array of them."""
        return cast("list[Subschema]", self.keywords.get(keyword, []))

    def schema_map(self, keyword: str) -> dict[str, Subschema]:
        """The subschemas of a keyword that has an object of them."""
        return cast("dict[str, Subschema]", self.keywords.get(keyword, {}))

    def schema(self, keyword: str) -> Subschema | None:
        """The subschema of a keyword that has one."""
        return cast("Subschema | None", self.keywords.get(keyword))


def path_of(sub: Subschema, *tokens: str) -> str:
    """The pointer of a subschema as events show it, or of something in it."""
    return sub.pointer.removeprefix("#") + "".join(f"/{escaped(token)}" for token in tokens)


class Reader:
    """Reads subschemas, each once."""

    def __init__(self, documents: Documents) -> None:
        self.documents = documents
        self.modernized = False
        """Some reading is spelled otherwise than the dialect of the whole schema has it."""
        self._readings: dict[Subschema, Reading] = {}

    def read(self, sub: Subschema) -> Reading:
        """The reading of a subschema; one of a boolean has no keywords."""
        found = self._readings.get(sub)
        if found is None:
            found = self._readings[sub] = self._read(sub)
            made_up = sub.resource.document.made_up_at is not None
            self.modernized |= found.modernized or (sub.dialect is not self.documents.root.dialect and not made_up)
        return found

    def _read(self, sub: Subschema) -> Reading:
        if isinstance(sub.value, bool):
            return Reading(sub, {})
        check(sub)
        draft, dialect = _Draft(self.documents, sub), sub.dialect
        hidden = dialect.ref_hides_siblings and "$ref" in sub.value
        for keyword, written in sub.value.items():
            if keyword in NAMING or keyword == dialect.id_keyword:
                continue
            if hidden and keyword in CONSTRAINTS and keyword != "$ref":
                draft.tell("ref-siblings-dropped", "lossless", f"{dialect.name} hides {keyword} beside $ref", keyword)
            elif keyword in TRANSLATIONS:
                TRANSLATIONS[keyword](draft, written)
            elif keyword in dialect.keywords:
                draft.keywords[keyword] = draft.placed(keyword, written)
            elif keyword in CONSTRAINTS:
                draft.tell("irrelevant-dropped", "lossless", f"{dialect.name} has no {keyword}", keyword)
            else:
                draft.keywords[keyword] = written
        return Reading(sub, draft.keywords, tuple(draft.events), draft.modernized)


@dataclass(slots=True)
class _Draft:
    """A reading in the making."""

    documents: Documents
    sub: Subschema
    keywords: dict[str, Value] = field(default_factory=dict)
    events: list[Event] = field(default_factory=list)
    modernized: bool = False

    def tell(self, kind: str, severity: Severity, detail: str, keyword: str) -> None:
        self.events.append(Event(kind, severity, path_of(self.sub), detail, self.written(keyword)))

    def modernize(self, keyword: str, detail: str) -> None:
        """Report that a keyword is spelled anew, so that the whole schema becomes one of 2020-12."""
        self.modernized = True
        # In draft 4 alone, 1.0 is no integer.
        severity: Severity = "lossless" if self.sub.dialect.integral_floats_are_integers else "dialect"
        self.tell("dialect-modernized", severity, detail, keyword)

    def written(self, keyword: str) -> Json:
        return cast("dict[str, Json]", self.sub.value).get(keyword)

    def knows(self, keyword: str) -> bool:
        return keyword in self.sub.dialect.keywords

    def placed(self, keyword: str, value: Json) -> Value:
        """The value of a keyword, with the subschemas that stand under it."""
        place = self.sub.dialect.place(keyword)
        if place is Place.PLAIN:
            return value
        sub, interned = self.sub, self.documents.interned
        match place:
            case Place.SCHEMA:
                return interned(sub, (keyword,), value)
            case Place.SCHEMAS:
                listed = cast("list[Json]", value)
                return [interned(sub, (keyword, str(index)), item) for index, item in enumerate(listed)]
            case Place.SCHEMA_MAP:
                members = cast("dict[str, Json]", value)
                return {name: interned(sub, (keyword, name), member) for name, member in members.items()}
            case _:
                return value

    @property
    def sole_resource(self) -> bool:
        """Whether no identifier opens a resource inside the whole schema, so that dynamic scopes do not matter."""
        whole = self.documents.root.value
        return isinstance(whole, bool) or not mentions(list(whole.values()), frozenset(("$id",)))


# -- keywords that may be spelled otherwise in 2020-12 -----------------------------------------------------------------


def type_(draft: _Draft, value: Json) -> None:
    """`type`, to which `nullable` adds null."""
    draft.keywords["type"] = value
    if draft.written("nullable") is not True or not draft.sub.dialect.nullable:
        return
    names = cast("list[Json]", value if isinstance(value, list) else [value])
    if "null" not in names:
        draft.keywords["type"] = [*names, "null"]
        draft.tell("nullable-expanded", "dialect", "nullable: true adds null to the types", "nullable")


def nullable(draft: _Draft, value: Json) -> None:
    """`nullable`, which has done its part beside a `type`."""
    if not (value is True and draft.written("type") is not None and draft.sub.dialect.nullable):
        draft.keywords["nullable"] = value


def _bound(draft: _Draft, keyword: str, value: Json, step: int) -> None:
    exclusive = "exclusive" + keyword.capitalize()
    if not (draft.sub.dialect.boolean_exclusive_bounds and draft.written(exclusive) is True):
        draft.keywords[keyword] = value
    elif draft.written("type") == "integer" and cast(int, value) % 1 == 0:
        # Written so, it means the same in every dialect.
        draft.keywords[keyword] = int(cast(int, value)) + step
        draft.tell("dialect-modernized", "lossless", f"{exclusive} of integers is said by {keyword}", exclusive)
    else:
        draft.keywords[exclusive] = value
        draft.modernize(exclusive, f"{exclusive} is a bound of its own from draft 6 on")


def minimum(draft: _Draft, value: Json) -> None:
    """`minimum`, which a boolean beside it makes exclusive in old dialects."""
    _bound(draft, "minimum", value, 1)


def maximum(draft: _Draft, value: Json) -> None:
    """`maximum`, likewise."""
    _bound(draft, "maximum", value, -1)


def _exclusive(draft: _Draft, keyword: str, value: Json) -> None:
    if not draft.sub.dialect.boolean_exclusive_bounds:
        draft.keywords[keyword] = value
    elif value is False:
        draft.tell("dialect-modernized", "lossless", f"{keyword} is a bound of its own from draft 6 on", keyword)


def exclusiveMinimum(draft: _Draft, value: Json) -> None:
    """`exclusiveMinimum`, a boolean in old dialects, which the bound beside it has read."""
    _exclusive(draft, "exclusiveMinimum", value)


def exclusiveMaximum(draft: _Draft, value: Json) -> None:
    """`exclusiveMaximum`, likewise."""
    _exclusive(draft, "exclusiveMaximum", value)


def items(draft: _Draft, value: Json) -> None:
    """`items`: an array of schemas is a prefix, which `additionalItems` goes with."""
    if not isinstance(value, list):
        draft.keywords["items"] = draft.documents.child(draft.sub, "items")
        return
    draft.modernize("items", "an array of schemas is prefixItems from 2020-12 on")
    if value:
        draft.keywords["prefixItems"] = [draft.documents.child(draft.sub, "items", i) for i in range(len(value))]
    if draft.knows("additionalItems") and draft.written("additionalItems") is not None:
        draft.keywords["items"] = draft.documents.child(draft.sub, "additionalItems")


def additionalItems(draft: _Draft, value: Json) -> None:
    """`additionalItems`, which says nothing but beside an array of `items`."""
    if not draft.knows("additionalItems"):
        draft.keywords["additionalItems"] = value
    elif not isinstance(draft.written("items"), list):
        draft.tell("irrelevant-dropped", "lossless", "says nothing without an array of items", "additionalItems")


def dependencies(draft: _Draft, value: Json) -> None:
    """`dependencies`, two keywords from 2019-09 on."""
    if not draft.knows("dependencies"):
        draft.keywords["dependencies"] = value
        return
    draft.modernize("dependencies", "dependencies is two keywords from 2019-09 on")
    groups = cast("dict[str, Json]", value)
    listed = {name: group for name, group in groups.items() if isinstance(group, list)}
    if listed:
        draft.keywords["dependentRequired"] = listed
    if len(listed) < len(groups):
        draft.keywords["dependentSchemas"] = {
            name: draft.documents.child(draft.sub, "dependencies", name) for name in groups if name not in listed
        }


def contentSchema(draft: _Draft, value: Json) -> None:
    """`contentSchema`, an annotation; with references in it, it would have to be rewritten for no reader."""
    if mentions(value, frozenset(("$ref", "$dynamicRef", "$recursiveRef"))):
        draft.tell("annotation-dropped", "lossless", "contentSchema has references of its own", "contentSchema")
    else:
        draft.keywords["contentSchema"] = value


def dynamicRef(draft: _Draft, value: Json) -> None:
    """`$dynamicRef` and `$recursiveRef`: where there is one resource alone, no more than `$ref`."""
    keyword = str(draft.sub.dialect.dynamic_reference)
    if keyword not in draft.sub or draft.written(keyword) is not value:
        draft.tell("irrelevant-dropped", "lossless", "the dialect has no such dynamic reference", keyword)
    elif draft.sole_resource and "$ref" not in draft.sub:
        draft.keywords["$ref"] = value
        draft.tell("ref-rewritten", "lossless", "a dynamic reference with one target is a plain one", keyword)
    else:
        draft.tell("dynamic-ref-dropped", "loosened", "where it leads depends on what refers to it", keyword)


TRANSLATIONS: Mapping[str, Callable[[_Draft, Json], None]] = MappingProxyType(
    {
        "type": type_,
        "nullable": nullable,
        "minimum": minimum,
        "maximum": maximum,
        "exclusiveMinimum": exclusiveMinimum,
        "exclusiveMaximum": exclusiveMaximum,
        "items": items,
        "additionalItems": additionalItems,
        "dependencies": dependencies,
        "contentSchema": contentSchema,
        "$dynamicRef": dynamicRef,
        "$recursiveRef": dynamicRef,
    }
)

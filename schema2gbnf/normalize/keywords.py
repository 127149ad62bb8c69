"""Plain keywords: the intersection of what was gathered, its parts rewritten, contradictions and idle words dropped."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from schema2gbnf.normalize import settling
from schema2gbnf.normalize.events import Severity
from schema2gbnf.normalize.gathering import Gathered, Link
from schema2gbnf.normalize.intersection import Conjunction, Merged, merged
from schema2gbnf.normalize.reading import APPLICATORS, CONSTRAINTS, Reading, path_of
from schema2gbnf.normalize.remarks import policies, remarks
from schema2gbnf.normalize.tasks import Task
from schema2gbnf.normalize.values import ALL_TYPES, copied, named_types, spelled_types, types_of
from schema2gbnf.schema.subschema import Subschema
from schema2gbnf.schema.text import Json

if TYPE_CHECKING:
    from schema2gbnf.normalize.rewriting import Rewriter

Schema = dict[str, Json]

_APPLIES = {
    keyword: kind
    for kind, keywords in {
        "string": "minLength maxLength pattern",
        "number": "minimum maximum exclusiveMinimum exclusiveMaximum multipleOf",
        "array": "prefixItems items minItems maxItems uniqueItems contains minContains maxContains unevaluatedItems",
        "object": "properties patternProperties additionalProperties required minProperties maxProperties propertyNames"
        " dependentRequired dependentSchemas unevaluatedProperties",
    }.items()
    for keyword in keywords.split()
}
"""The type of value that a keyword speaks of."""
_COUNTED = frozenset(("minLength", "maxLength", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"))


class Keywords:
    """Writes plain keywords."""

    def __init__(self, rewriter: Rewriter) -> None:
        self.rewriter = rewriter

    def schema(self, gathered: Gathered, partial: bool = False) -> Task[Schema | None]:
        """A schema of what was gathered; a `partial` one stands beside a union and need not say all."""
        found = merged(gathered.readings)
        found.residues += gathered.residues
        if not self._values_left(gathered, found):
            return None
        self._drop_irrelevant(gathered, found)
        sheet = Sheet(self.rewriter, gathered.place, {k: copied(v) for k, v in found.plain.items()})
        if not (yield sheet.fill(found)):
            return None
        if not sheet.settle():
            return None
        if not partial:
            sheet.finish(gathered.lost)
        return sheet.schema if partial else self.in_order(gathered, sheet.schema)

    def in_order(self, gathered: Gathered, schema: Schema) -> Schema:
        """The keywords and the annotations around them, in the order in which they were written."""
        made: Schema = {}
        for name in gathered.order:
            if name in schema:
                made[name] = schema[name]
            elif name in gathered.annotations and name not in CONSTRAINTS:
                made[name] = copied(gathered.annotations[name])
        made.update((name, value) for name, value in schema.items() if name not in made)
        return made

    # -- values and types ------------------------------------------------------------------------------------------------

    def _values_left(self, gathered: Gathered, found: Merged) -> bool:
        """Keep those members of `const` and `enum` that all the rest allows; false when there are none."""
        if found.plain.get("type") == []:
            return False
        if "const" not in found.plain and "enum" not in found.plain:
            return True
        given = cast("list[Json]", found.plain.get("enum", []))
        values = [found.plain["const"]] if "const" in found.plain and found.plain.get("enum") != [] else given
        left = [value for value in values if self._allowed(gathered, found, value)]
        if len(left) < len(values) and left:
            detail = f"{len(values) - len(left)} of {len(values)} values are refused by what stands beside enum"
            self.rewriter.tell(gathered.place, "enum-filtered", "lossless", detail, list(values), list(left))
        if "enum" in found.plain:
            if "const" in found.plain:
                del found.plain["enum"]
            else:
                found.plain["enum"] = left
        return bool(left)

    def _allowed(self, gathered: Gathered, found: Merged, value: Json) -> bool:
        if "type" in found.plain and types_of(value).isdisjoint(named_types(found.plain["type"])):
            return False
        if len(gathered.seen) == 1 and set(found.keywords) <= {"type", "enum", "const"}:
            return True
        return self.rewriter.knowledge.holds(gathered.seen, value)

    def _drop_irrelevant(self, gathered: Gathered, found: Merged) -> None:
        """Drop keywords that speak of types which no value here can have."""
        if "type" in found.plain:
            names = {"number" if name == "integer" else name for name in named_types(found.plain["type"])}
        elif "enum" in found.plain or "const" in found.plain:
            values = cast("list[Json]", found.plain.get("enum", [found.plain.get("const")]))
            names = {name for value in values for name in types_of(value)}
        else:
            return
        idle = [keyword for keyword in found.keywords if keyword in _APPLIES and _APPLIES[keyword] not in names]
        for keyword in idle:
            found.plain.pop(keyword, None)
            found.kept.pop(keyword, None)
        if "object" not in names:
            found.properties = found.additional = None
        if "array" not in names:
            found.prefix = found.items = None
        if idle:
            detail = f"{', '.join(idle)}: no {' or '.join(dict.fromkeys(_APPLIES[k] for k in idle))} is valid here"
            self.rewriter.tell(gathered.place, "irrelevant-dropped", "lossless", detail)

    # -- when nothing is merged any more -----------------------------------------------------------------------------------

    def as_written(self, link: Link) -> Task[Schema | None]:
        """A schema with the applicators of the one given where they are: what merging would multiply too often."""
        rewriter, reading = self.rewriter, self.rewriter.reader.read(link.sub)
        if link.sub.value is False:
            return None
        rewriter.report.tell(reading)
        if rewriter.gatherer.never(reading):
            return None
        gathered = Gathered(seen={link.sub: link}, links=[link], order=dict.fromkeys(reading.keywords))
        gathered.readings = own = rewriter.gatherer.local(gathered, reading)
        gathered.annotations = {
            name: cast(Json, value) for name, value in reading.keywords.items() if name not in CONSTRAINTS
        }
        applied = [name for name in APPLICATORS if name in reading.keywords]
        made: Schema | None = yield self.schema(gathered, partial=bool(applied))
        if made is None or not applied:
            return made
        for keyword in applied:
            if keyword == "$ref":
                target = rewriter.gatherer.target(link.sub)
                if target is None:
                    continue
                reference: Schema | None = yield rewriter.reference(link.sub, target)
                if reference is None:
                    return None
                made["$ref"] = reference["$ref"]
                continue
            branches: list[Json] = []
            for sub in reading.schemas(keyword):
                branch: Schema | None = yield rewriter.body([Link(sub, link, branch=True)])
                if branch is not None:
                    branches.append(branch)
                elif keyword == "allOf":
                    return None
            if not branches:
                return None
            made[keyword] = branches
        if len(applied) + len(own) > 1 or "allOf" in applied:
            rewriter.tell(link.sub, "union-siblings", "unenforced", "left unmerged, for it would grow beyond the limit")
        whole = self.in_order(gathered, made)
        if "$ref" in applied and "$ref" in whole:
            rewriter.ledger.instead(reference, whole)
        return whole


class Sheet:
    """One schema in the making."""

    def __init__(self, rewriter: Rewriter, place: Subschema, schema: Schema) -> None:
        self.rewriter = rewriter
        self.target = rewriter.target
        self.place = place
        self.schema = schema
        self.impossible: dict[str, None] = {}
        """Types that no value can have any more."""

    def tell(self, kind: str, severity: Severity, detail: str, before: Json = None, after: Json = None) -> None:
        self.rewriter.tell(self.place, kind, severity, detail, before, after)

    def fill(self, found: Merged) -> Task[bool]:
        """Write the parts; false when no type is left."""
        yield self._members(found)
        yield self._items(found)
        for keyword, kept in found.kept.items():
            if keyword in self.schema:
                continue
            copy: Json = yield self.rewriter.copyist.value(kept.reading.keywords[keyword])
            if copy is None:
                self._lose(keyword, kept.reading)
            else:
                self.schema[keyword] = copy
        for residue in found.residues:
            copy = yield self.rewriter.copyist.residue(residue)
            if copy is None:
                self._lose(residue.keywords[0], residue.reading)
            else:
                self._deny({"not": copy})
                detail = f"a second {residue.keywords[0]}, which the back end skips"
                self.tell(residue.keywords[0], "unenforced", detail)
        return True

    def _lose(self, keyword: str, reading: Reading) -> None:
        """Drop a keyword that refers to nowhere, and what goes with it."""
        for other in {"if": ("then", "else"), "patternProperties": ("additionalProperties",)}.get(keyword, ()):
            self.schema.pop(other, None)
        path = path_of(reading.sub)
        self.rewriter.report.add("ref-dangling", "loosened", path, f"{keyword} refers to nowhere and is dropped")

    def _deny(self, schema: Schema) -> None:
        """Say of the whole that it must not meet a schema."""
        if "not" not in self.schema:
            self.schema["not"] = schema if schema.keys() != {"not"} else {"not": schema["not"]}
            return
        denied = cast(Schema, self.schema["not"])
        if list(denied) == ["anyOf"]:
            cast("list[Json]", denied["anyOf"]).append(schema)
        else:
            self.schema["not"] = {"anyOf": [denied, schema]}

    def child(self, conjunction: Conjunction) -> Task[Json]:
        """A schema in this one: None when it allows nothing, `true` where that may stay."""
        if self.target.boolean_schemas and len(conjunction) == 1 and conjunction[0].value is True:
            return True
        return (yield self.rewriter.schema(conjunction))

    # -- members ---------------------------------------------------------------------------------------------------------

    def _members(self, found: Merged) -> Task[None]:
        required = cast("list[str]", self.schema.get("required", []))
        if found.properties is not None:
            declared: Schema = {}
            for name, conjunction in found.properties.items():
                member: Json = yield self._member(found, name, conjunction, name in required)
                if member is not None:
                    declared[name] = member
            self.schema["properties"] = declared
        if found.additional is not None:
            yield self._additional(found)
        if required and not self.target.undeclared_required:
            yield self._declare(found, required)
        elif found.closed and "patternProperties" not in found.kept:
            if any(name not in (found.properties or {}) for name in required):
                self.impossible["object"] = None

    def _member(self, found: Merged, name: str, conjunction: Conjunction, required: bool) -> Task[Json]:
        """The schema of a declared member; None when there can be none."""
        report = self.rewriter.report
        mark = report.mark
        made: Json = yield self.child(conjunction)
        if made is not None:
            return made
        report.take_back(mark)
        if required:
            self.impossible["object"] = None
        elif name not in found.forbidden:
            closed = found.closed and "patternProperties" not in found.kept
            origin = conjunction[0]
            report.add(
                "never-property-dropped",
                "lossless" if closed else "loosened",
                path_of(origin),
                f"no value is valid for {name!r}" + ("" if closed else ", which the open object now leaves free"),
                copied(cast(Json, origin.value)),
            )
        return None

    def _additional(self, found: Merged) -> Task[None]:
        assert found.additional is not None
        if found.closed:
            self.schema["additionalProperties"] = False
        elif found.additional[0].value is True:
            self.schema["additionalProperties"] = True
        else:
            mark = self.rewriter.report.mark
            made: Json = yield self.child(found.additional)
            if made is None:
                self.rewriter.report.take_back(mark)
                self.tell("additional-closed", "lossless", "no value is valid for additional members", None, False)
            self.schema["additionalProperties"] = False if made is None else made

    def _declare(self, found: Merged, required: list[str]) -> Task[None]:
        """Declare the required members that are not."""
        known = found.properties if found.properties is not None else {}
        missing = [name for name in dict.fromkeys(required) if name not in known]
        if not missing or "patternProperties" in found.kept:
            return
        if found.closed or self.schema.get("additionalProperties") is False:
            self.impossible["object"] = None
            return
        declared = cast(Schema, self.schema.setdefault("properties", {}))
        for name in missing:
            if found.additional is None or found.additional[0].value is True:
                declared[name] = self._anything()
            else:
                declared[name] = yield self.child(found.additional)
        if found.properties is None and "additionalProperties" not in self.schema and self.target.closes_objects:
            self.schema["additionalProperties"] = True
        self.tell("required-declared", "lossless", f"required members get an entry in properties: {', '.join(missing)}")

    def _anything(self) -> Schema:
        return {"type": list(ALL_TYPES)} if self.target.any_value == "types" else {}

    # -- items -----------------------------------------------------------------------------------------------------------

    def _items(self, found: Merged) -> Task[None]:
        report = self.rewriter.report
        if found.prefix is not None:
            prefix: list[Json] = []
            for conjunction in found.prefix:
                mark = report.mark
                item: Json = yield self.child(conjunction)
                if item is None:
                    report.take_back(mark)
                    settling.cut_prefix(self.schema, prefix)
                    self.tell("tuple-closed", "lossless", f"no value is valid for item {len(prefix)}")
                    return
                prefix.append(item)
            self.schema["prefixItems"] = prefix
        if found.items is not None:
            mark = report.mark
            made: Json = yield self.child(found.items)
            if made is None:
                report.take_back(mark)
            self.schema["items"] = False if made is None else made

    # -- the whole -------------------------------------------------------------------------------------------------------

    def settle(self) -> bool:
        """Settle each type of value; false when none is left."""
        options = self.rewriter.options
        present = {_APPLIES[keyword] for keyword in self.schema if keyword in _APPLIES}
        for kind, settle in _SETTLING.items():
            if kind in present and not settle(self.schema, self.target, options, self.tell):
                self.impossible[kind] = None
        if not self.impossible:
            return True
        names = named_types(self.schema["type"]) if "type" in self.schema else list(ALL_TYPES)
        left = [name for name in names if ("number" if name == "integer" else name) not in self.impossible]
        if not left:
            return False
        if "const" in self.schema or "enum" in self.schema:
            return True
        self.schema["type"] = spelled_types(left)
        for keyword in [each for each in self.schema if _APPLIES.get(each) in self.impossible]:
            del self.schema[keyword]
        self.tell("type-narrowed", "lossless", f"what is said of {', '.join(self.impossible)} contradicts itself")
        return True

    def finish(self, told: bool) -> None:
        """Say that anything is valid where nothing is said (`told` already why), and what will not be kept."""
        telling = [keyword for keyword in self.schema if keyword in CONSTRAINTS]
        bare = not telling or (not self.target.typeless and _COUNTED.issuperset(telling))
        if bare and self.target.any_value == "types":
            self.schema["type"] = list(ALL_TYPES)
            if not told:
                self.tell(
                    "any-expanded", "lossless", "the types are listed, as the back end does not read their absence"
                )
        if not self.target.const and "const" in self.schema:
            self.schema["enum"] = [self.schema.pop("const")]
            self.tell("const-to-enum", "lossless", "the back end does not read const")
        for kind, severity, detail in remarks(self.schema, self.target):
            self.tell(kind, severity, detail)
        if self.rewriter.options.policies:
            for kind, severity, detail in policies(self.schema, self.target):
                self.tell(kind, severity, detail)


_SETTLING = {
    "string": settling.strings,
    "number": settling.numbers,
    "array": settling.arrays,
    "object": settling.objects,
}

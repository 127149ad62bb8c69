"""One schema in the making: its parts rewritten, each type of value settled, and what the back end will not keep told.

Comes in: the intersection of some readings. Goes out: the keywords that say it, as plain JSON. A type of value that can
have no value any more is taken out; when none is left, neither is the schema.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from schema2gbnf.normalize import settling
from schema2gbnf.normalize.events import Severity
from schema2gbnf.normalize.intersection import Conjunction, Merged, together
from schema2gbnf.normalize.reading import Reading, path_of
from schema2gbnf.normalize.remarks import policies, remarks, unheard
from schema2gbnf.normalize.tasks import Task
from schema2gbnf.normalize.values import ALL_TYPES, named_types, spelled_types, types_of
from schema2gbnf.schema.subschema import Subschema
from schema2gbnf.schema.text import Json, copied

if TYPE_CHECKING:
    from schema2gbnf.normalize.rewriting import Rewriter

Schema = dict[str, Json]

APPLIES = {
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
_SPLIT = frozenset(("type", "enum", "const", "format"))
_SETTLING = {
    "string": settling.strings,
    "number": settling.numbers,
    "array": settling.arrays,
    "object": settling.objects,
}
"""What settles the keywords of a type."""


class Sheet:
    """One schema in the making."""

    def __init__(self, rewriter: Rewriter, place: Subschema, schema: Schema) -> None:
        self.rewriter = rewriter
        self.target = rewriter.target
        self.place = place
        self.schema = schema
        self.denies = False
        """There is a `not` that was written as one."""
        self.impossible: dict[str, None] = {}
        """Types that no value can have any more."""

    def tell(self, kind: str, severity: Severity, detail: str, before: Json = None, after: Json = None) -> None:
        self.rewriter.tell(self.place, kind, severity, detail, before, after)

    def fill(self, found: Merged) -> Task[None]:
        """Write the parts."""
        yield from self._keep(found)
        yield from self._members(found)
        yield from self._items(found)
        self.denies = "not" in found.kept
        for residue in found.residues:
            copy = yield from self.rewriter.copyist.residue(residue)
            if copy is None:
                self._lose(residue.kind, residue.reading)
            else:
                self._deny({"not": copy})
                if "not" in self.target.ignored | self.target.refused:
                    self.tell(residue.kind, "unenforced", "kept under a double negation, which the back end skips")

    def _keep(self, found: Merged) -> Task[None]:
        """Carry over what is not rewritten; what refers to nowhere is dropped, and what goes with it."""
        lost: set[str] = set()
        for keyword, kept in found.kept.items():
            leading = together(keyword)[0]
            if leading in lost:
                continue
            copy = yield from self.rewriter.copyist.value(kept.reading.keywords[keyword])
            if copy is None:
                lost.add(leading)
                self._lose(leading, kept.reading)
            else:
                self.schema[keyword] = copy
        for keyword in [each for each in found.kept if together(each)[0] in lost]:
            del found.kept[keyword]
            self.schema.pop(keyword, None)
        if "patternProperties" in lost:
            found.additional = None

    def _lose(self, keyword: str, reading: Reading) -> None:
        detail = f"{keyword} refers to nowhere and is dropped"
        self.rewriter.report.add("ref-dangling", "loosened", path_of(reading.sub), detail)

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
        made: Json = yield self.rewriter.schema(conjunction)
        return made

    # -- members -------------------------------------------------------------------------------------------------------

    def _members(self, found: Merged) -> Task[None]:
        required = cast("list[str]", self.schema.get("required", []))
        if found.properties is not None:
            declared: Schema = {}
            for name, conjunction in found.properties.items():
                member = yield from self._member(found, name, conjunction, name in required)
                if member is not None:
                    declared[name] = member
            self.schema["properties"] = declared
        if found.additional is not None:
            yield from self._additional(found)
        if required and not self.target.undeclared_required:
            yield from self._declare(found, required)
        elif found.only_declared and any(name not in (found.properties or {}) for name in required):
            self.impossible["object"] = None

    def _member(self, found: Merged, name: str, conjunction: Conjunction, required: bool) -> Task[Json]:
        """The schema of a declared member; None when there can be none."""
        report = self.rewriter.report
        mark = report.mark
        made = yield from self.child(conjunction)
        if made is not None:
            return made
        report.take_back(mark)
        if required:
            self.impossible["object"] = None
        elif name not in found.forbidden:
            closed = found.only_declared
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
            made = yield from self.child(found.additional)
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
                declared[name] = yield from self.child(found.additional)
        if found.properties is None and "additionalProperties" not in self.schema and self.target.closes_objects:
            self.schema["additionalProperties"] = True
        self.tell("required-declared", "lossless", f"required members get an entry in properties: {', '.join(missing)}")

    def _anything(self) -> Schema:
        return {"type": list(ALL_TYPES)} if self.target.any_value == "types" else {}

    # -- items ---------------------------------------------------------------------------------------------------------

    def _items(self, found: Merged) -> Task[None]:
        report = self.rewriter.report
        if found.prefix is not None:
            prefix: list[Json] = []
            for conjunction in found.prefix:
                mark = report.mark
                item = yield from self.child(conjunction)
                if item is None:
                    report.take_back(mark)
                    settling.cut_prefix(self.schema, prefix)
                    self.tell("tuple-closed", "lossless", f"no value is valid for item {len(prefix)}")
                    return
                prefix.append(item)
            self.schema["prefixItems"] = prefix
        if found.items is not None:
            mark = report.mark
            made = yield from self.child(found.items)
            if made is None:
                report.take_back(mark)
            self.schema["items"] = False if made is None else made

    # -- the whole -----------------------------------------------------------------------------------------------------

    def settle(self) -> bool:
        """Settle each type of value; false when none is left."""
        options = self.rewriter.options
        present = {APPLIES[keyword] for keyword in self.schema if keyword in APPLIES}
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
        for keyword in [each for each in self.schema if APPLIES.get(each) in self.impossible]:
            del self.schema[keyword]
        self.tell("type-narrowed", "lossless", f"what is said of {', '.join(self.impossible)} contradicts itself")
        return True

    def finish(self, told: bool) -> None:
        """Say that anything is valid where nothing is said (`told` already why), and what will not be kept."""
        if unheard(self.schema, self.target):
            self.schema["type"] = list(ALL_TYPES)
            if not told:
                self.tell(
                    "any-expanded", "lossless", "the types are listed, as the back end does not read their absence"
                )
        if not self.target.type_lists:
            self._split_types()
        if not self.target.const and "const" in self.schema:
            self.schema["enum"] = [self.schema.pop("const")]
            self.tell("const-to-enum", "lossless", "the back end does not read const")
        self.remark(self.schema)
        if self.rewriter.options.policies:
            for kind, severity, detail in policies(self.schema, self.target):
                self.tell(kind, severity, detail)

    def remark(self, schema: Schema) -> None:
        """Tell what the back end will not keep; residues have been told of already."""
        for kind, severity, detail in remarks(schema, self.target):
            if kind != "not" or self.denies:
                self.tell(kind, severity, detail)

    def _split_types(self) -> None:
        """Write a branch for each type that is listed, as the back end misreads what is beside a list."""
        names = self.schema.get("type")
        if not isinstance(names, list) or len(self.schema) == 1:
            return
        values = cast("list[Json]", self.schema.get("enum", [self.schema["const"]] if "const" in self.schema else []))
        branches: list[Json] = []
        for name in cast("list[str]", names):
            kind = "number" if name == "integer" else name
            branch: Schema = {"type": name}
            branch |= {key: copied(value) for key, value in self.schema.items() if APPLIES.get(key) == kind}
            if "format" in self.schema and kind in ("string", "number"):
                branch["format"] = self.schema["format"]
            if values:
                own = [value for value in values if name in types_of(value)]
                branch = {"enum": own} if own else {}
            if branch:
                branches.append(branch)
        rest = {key: value for key, value in self.schema.items() if key not in APPLIES and key not in _SPLIT}
        self.schema.clear()
        self.schema.update({**rest, "anyOf": branches} if len(branches) > 1 else {**rest, **cast(Schema, branches[0])})
        self.tell("types-split", "lossless", "a branch for each type, as the back end misreads what is beside a list")

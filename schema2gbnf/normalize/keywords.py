"""Plain keywords: the intersection of what was gathered, its parts rewritten, contradictions and idle words dropped."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, cast

from schema2gbnf.normalize.gathering import Gathered
from schema2gbnf.normalize.intersection import Merged, merged
from schema2gbnf.normalize.reading import APPLICATORS, CONSTRAINTS, UNEVALUATED
from schema2gbnf.normalize.settling import open_bare
from schema2gbnf.normalize.sheet import APPLIES, Sheet
from schema2gbnf.normalize.tasks import Task
from schema2gbnf.normalize.unevaluated import RESOLVED
from schema2gbnf.normalize.values import content, named_types, types_of
from schema2gbnf.schema.subschema import Subschema
from schema2gbnf.schema.text import Json, copied

if TYPE_CHECKING:
    from schema2gbnf.normalize.rewriting import Rewriter

Schema = dict[str, Json]


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
        if not found.flat:
            yield from sheet.fill(found)
        if not sheet.settle():
            return None
        if partial:
            sheet.remark({name: value for name, value in sheet.schema.items() if name in self.rewriter.target.ignored})
            return sheet.schema
        sheet.finish(gathered.lost)
        made = self.in_order(gathered, sheet.schema)
        if not self.rewriter.target.bare_structures:
            for each in (*cast("list[Schema]", made.get("anyOf", [])), made):
                open_bare(each, sheet.tell)
        return made

    def in_order(self, gathered: Gathered, schema: Schema) -> Schema:
        """The keywords and the annotations around them, in the order in which they were written."""
        made: Schema = {}
        for name in gathered.order:
            if name in schema:
                made[name] = schema[name]
            elif name in gathered.annotations and name not in CONSTRAINTS:
                made[name] = copied(gathered.annotations[name])
        for name, value in schema.items():
            made.setdefault(name, value)
        return made

    # -- values and types ----------------------------------------------------------------------------------------------

    def _values_left(self, gathered: Gathered, found: Merged) -> bool:
        """Keep those members of `const` and `enum` that all the rest allows; false when there are none."""
        if found.plain.get("type") == []:
            return False
        if "const" not in found.plain and "enum" not in found.plain:
            return True
        values = cast("list[Json]", found.plain.get("enum", [found.plain.get("const")]))
        if "const" in found.plain:
            only = content(found.plain["const"])
            values = [found.plain["const"]] if any(content(value) == only for value in values) else []
        left = [value for value in values if self._allowed(gathered, found, value)]
        if len(left) < len(values) and left:
            detail = f"{len(values) - len(left)} of {len(values)} values are refused by what stands beside enum"
            self.rewriter.tell(gathered.place, "enum-filtered", "lossless", detail, list(values), list(left))
        if "const" in found.plain:
            found.plain.pop("enum", None)
        else:
            found.plain["enum"] = left
        return bool(left)

    def _allowed(self, gathered: Gathered, found: Merged, value: Json) -> bool:
        if "type" in found.plain and types_of(value).isdisjoint(named_types(found.plain["type"])):
            return False
        bare = len(gathered.seen) == 1 and set(found.keywords) <= {"type", "enum", "const"}
        if bare and not found.residues:
            return True
        return self.rewriter.knowledge.holds(self._conjuncts(gathered, found), value)

    def _conjuncts(self, gathered: Gathered, found: Merged) -> Iterator[Subschema]:
        """Subschemas that say what the readings and the residues say, and not which unions a branch was chosen from.

        A value that a union as a whole refuses must still be one of its branch: another branch may count on that.
        """
        for residue in found.residues:
            sub = residue.reading.sub
            left = {name: value for name, value in cast(Schema, sub.value).items() if name in residue.keywords}
            yield Subschema(left, left, sub.tokens, sub.dialect, sub.resource)
        for reading in gathered.readings:
            sub = reading.sub
            written = cast(Schema, sub.value)
            said = {name: value for name, value in written.items() if name not in (*APPLICATORS, *UNEVALUATED)}
            for keyword, plain in RESOLVED.items():
                if plain in reading.keywords and plain not in written and keyword in written:
                    names = reading.keywords.get("properties", {})
                    said = {"properties": dict.fromkeys(cast("dict[str, object]", names), True)} if names else {}
                    said |= {"prefixItems": [True] * len(reading.schemas("prefixItems"))} if plain == "items" else {}
                    said[plain] = written[keyword]
            # The place is the same, so that its parts are the same subschemas.
            yield Subschema(said, said, sub.tokens, sub.dialect, sub.resource)

    def _drop_irrelevant(self, gathered: Gathered, found: Merged) -> None:
        """Drop keywords that speak of types which no value here can have."""
        if "type" in found.plain:
            names = {"number" if name == "integer" else name for name in named_types(found.plain["type"])}
        elif "enum" in found.plain or "const" in found.plain:
            values = cast("list[Json]", found.plain.get("enum", [found.plain.get("const")]))
            names = {name for value in values for name in types_of(value)}
        else:
            return
        idle = [keyword for keyword in found.keywords if keyword in APPLIES and APPLIES[keyword] not in names]
        for keyword in idle:
            found.plain.pop(keyword, None)
            found.kept.pop(keyword, None)
        if "object" not in names:
            found.properties = found.additional = None
        if "array" not in names:
            found.prefix = found.items = None
        if idle:
            detail = f"{', '.join(idle)}: no {' or '.join(dict.fromkeys(APPLIES[k] for k in idle))} is valid here"
            self.rewriter.tell(gathered.place, "irrelevant-dropped", "lossless", detail)

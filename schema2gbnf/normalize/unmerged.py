"""Schemas with their applicators where they are: what is written when merging them would multiply a schema too often.

References, `allOf` and unions stay beside whatever they stand beside, which back ends may not read, and which is told.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from schema2gbnf.normalize.gathering import Gathered, Link
from schema2gbnf.normalize.reading import APPLICATORS, CONSTRAINTS, Reading
from schema2gbnf.normalize.tasks import Task
from schema2gbnf.schema.subschema import Subschema
from schema2gbnf.schema.text import Json

if TYPE_CHECKING:
    from schema2gbnf.normalize.rewriting import Rewriter

Schema = dict[str, Json]


class Unmerged:
    """Writes schemas as they are put together, each part rewritten."""

    def __init__(self, rewriter: Rewriter) -> None:
        self.rewriter = rewriter

    def schema(self, link: Link) -> Task[Schema | None]:
        """A schema of one subschema; None when it plainly allows nothing."""
        rewriter, reading = self.rewriter, self.rewriter.reader.read(link.sub)
        if link.sub.value is False or rewriter.gatherer.never(reading):
            return None
        rewriter.report.tell(reading)
        gathered = self._gathered(link, reading)
        applied = [name for name in APPLICATORS if name in reading.keywords]
        made = yield from rewriter.keywords.schema(gathered, partial=bool(applied))
        if made is None or not applied:
            return made
        if len(applied) + len(gathered.readings) > 1 or "allOf" in applied:
            rewriter.tell(link.sub, "union-siblings", "unenforced", "left unmerged, for it would grow beyond the limit")
        reference: Schema | None = None
        if "$ref" in applied and (target := rewriter.gatherer.target(link.sub)) is not None:
            reference = yield from rewriter.reference(link.sub, target)
            if reference is None:
                return None
            made["$ref"] = reference["$ref"]
        for keyword in applied:
            if keyword != "$ref" and not (yield from self._apply(link, reading, keyword, made)):
                return None
        whole = rewriter.keywords.in_order(gathered, made)
        if "oneOf" in whole:
            rewriter.exclusive.append((link.sub, whole))
        if reference is not None:
            rewriter.ledger.instead(reference, whole)
        return whole

    def _gathered(self, link: Link, reading: Reading) -> Gathered:
        gathered = Gathered(seen={link.sub: link}, links=[link], order=dict.fromkeys(reading.keywords))
        gathered.readings = self.rewriter.gatherer.local(gathered, reading)
        gathered.annotations = {
            name: cast(Json, value) for name, value in reading.keywords.items() if name not in CONSTRAINTS
        }
        return gathered

    def _apply(self, link: Link, reading: Reading, keyword: str, made: Schema) -> Task[bool]:
        """Write an applicator; false when it leaves no value."""
        rewriter, mark = self.rewriter, self.rewriter.report.mark
        branches = yield from self._branches(link, keyword, reading.schemas(keyword))
        if branches is None:
            return False
        exact = rewriter.report.exact_since(mark) and link.sub not in rewriter.lessons.inexact
        if keyword != "oneOf" or exact:
            made[keyword] = branches
            return True
        rewriter.tell(link.sub, "oneof-to-anyof", "loosened", "oneOf has branches that were loosened")
        # Beside another anyOf it is left out, which is wider still.
        made.setdefault("anyOf", branches)
        return True

    def _branches(self, link: Link, keyword: str, subs: list[Subschema]) -> Task[list[Json] | None]:
        """The schemas of an applicator; None when they leave no value."""
        branches: list[Json] = []
        for sub in subs:
            branch: Schema | None = yield self.rewriter.body([Link(sub, link, branch=True)])
            if branch is not None:
                branches.append(branch)
            elif keyword == "allOf":
                return None
        return branches or None

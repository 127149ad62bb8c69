"""Unions: constraints beside them taken into the branches, branches that allow nothing dropped, nested ones spliced.

A back end that reads `anyOf` reads nothing beside it, so each branch has to say all. Several unions on one value
multiply, up to a limit; past it the others are kept as residues.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, cast

from schema2gbnf.normalize.disjoint import MOST_BRANCHES
from schema2gbnf.normalize.gathering import Gathered, Link, Union
from schema2gbnf.normalize.intersection import Residue, merged
from schema2gbnf.normalize.tasks import Task
from schema2gbnf.normalize.values import common_types, content
from schema2gbnf.schema.subschema import Subschema
from schema2gbnf.schema.text import Json

if TYPE_CHECKING:
    from schema2gbnf.normalize.rewriting import Rewriter

Schema = dict[str, Json]


@dataclass(frozen=True, slots=True)
class Branch:
    """A branch that is left, and what has become of it."""

    sub: Subschema
    schema: Schema


class Unions:
    """Writes unions."""

    def __init__(self, rewriter: Rewriter) -> None:
        self.rewriter = rewriter

    def schema(self, gathered: Gathered) -> Task[Schema | None]:
        """A union that says all that was gathered; None when no branch is left."""
        rewriter, place = self.rewriter, gathered.place
        union, rest = gathered.unions[0], self._within_limit(gathered)
        constraints = gathered.constraints
        telling = [keyword for keyword in constraints if keyword not in rewriter.target.ignored]
        distributed = bool(rest or telling) and not rewriter.target.union_siblings
        if rest:
            rewriter.tell(place, "union-product", "lossless", f"{union.keyword} and {rest[0].keyword} are multiplied")
        elif distributed:
            detail = f"{union.keyword} takes in what stands beside it: {', '.join(constraints)}"
            rewriter.tell(place, "union-distributed", "lossless", detail)
        branches: list[Branch] = []
        start = rewriter.report.mark
        for sub in union.branches:
            mark = rewriter.report.mark
            made = yield from self._branch(gathered, union, rest, sub, distributed)
            if made is not None:
                branches.append(Branch(sub, made))
                continue
            rewriter.report.take_back(mark)
            detail = f"{union.keyword}: no value is valid here"
            rewriter.tell(sub, "never-branch-dropped", "lossless", detail, cast(Json, sub.value))
        exact = rewriter.report.exact_since(start) and union.owner.sub not in rewriter.lessons.inexact
        keyword = union.keyword
        if keyword == "oneOf" and len(branches) > 1:
            keyword = self._exclusive(gathered, branches, exact)
        if keyword == "anyOf" and len(branches) > 1:
            branches = list(self._once(branches, place))
        if not branches:
            return None
        stays = not distributed and bool(constraints or gathered.residues)
        if len(branches) == 1 and stays:
            # What was to stay beside the union now stands beside its one branch.
            return (yield from self._branch(gathered, union, rest, branches[0].sub, True))
        outside: Schema | None = {}
        if stays:
            outside = yield from rewriter.keywords.schema(gathered.without(union, rest), partial=True)
        return None if outside is None else self._written(gathered, union, keyword, branches, outside)

    def _branch(
        self, gathered: Gathered, union: Union, rest: list[Union], sub: Subschema, distributed: bool
    ) -> Task[Schema | None]:
        """A branch, together with what stands beside the union if that is not left there."""
        rewriter = self.rewriter
        link = Link(sub, union.owner, branch=True)
        made: Schema | None = None
        if not distributed or (not rest and self._implied(gathered, sub)):
            made = yield rewriter.body([link])
        elif (joined := rewriter.gatherer.gather([link], gathered.without(union, rest))) is not None:
            made = yield rewriter.shape(joined)
        return made

    def _implied(self, gathered: Gathered, sub: Subschema) -> bool:
        """Whether a branch says by itself what stands beside the union: types alone."""
        if list(gathered.constraints) != ["type"] or gathered.residues:
            return False
        outer, own = self._types(gathered), self.rewriter.knowledge.types(sub)
        return own is not None and common_types(own, outer) == own

    @staticmethod
    def _types(gathered: Gathered) -> Json:
        return merged(gathered.readings).plain.get("type")

    def _within_limit(self, gathered: Gathered) -> list[Union]:
        """The further unions, as many as may be multiplied with the first; the others become residues."""
        first, *others = gathered.unions
        count, rest = len(first.branches), list[Union]()
        for union in others:
            count *= len(union.branches)
            if count <= self.rewriter.options.limits.product:
                rest.append(union)
                continue
            count //= len(union.branches)
            reading = self.rewriter.reader.read(union.owner.sub)
            gathered.residues.append(Residue(reading, (union.keyword,)))
            detail = f"a product of more than {self.rewriter.options.limits.product} branches; {union.keyword} is kept"
            self.rewriter.tell(union.owner.sub, "union-product-capped", "unenforced", detail)
        return rest

    # -- what the branches come to -------------------------------------------------------------------------------------

    def _written(
        self, gathered: Gathered, union: Union, keyword: str, branches: list[Branch], outside: Schema
    ) -> Schema:
        rewriter, place = self.rewriter, gathered.place
        schemas = [branch.schema for branch in branches]
        if keyword == "anyOf" and any(list(schema) == ["anyOf"] for schema in schemas):
            rewriter.tell(place, "union-flattened", "lossless", "anyOf in anyOf")
            schemas = list(self._spliced(schemas))
        if len(schemas) == 1:
            rewriter.tell(place, "union-collapsed", "lossless", f"{union.keyword} has one branch left")
            return self._collapsed(gathered, schemas[0])
        whole = rewriter.keywords.in_order(gathered, {**outside, keyword: cast(Json, schemas)})
        if keyword == "oneOf":
            rewriter.exclusive.append((union.owner.sub, whole))
        return whole

    def _exclusive(self, gathered: Gathered, branches: list[Branch], exact: bool) -> str:
        """The keyword for a `oneOf`.

        It becomes `anyOf` where that says the same and unions are multiplied, where it is refused, and where a branch
        is not exact: as soon as more is valid in one branch, less may be in the whole.
        """
        rewriter, place = self.rewriter, gathered.place
        types, ask = self._types(gathered), len(branches) <= MOST_BRANCHES
        apart = all(
            rewriter.knowledge.disjoint(one.sub, other.sub, types, ask) for one, other in combinations(branches, 2)
        )
        if apart and (gathered.multiplied or not exact or rewriter.target.one_of == "refused"):
            rewriter.tell(place, "oneof-to-anyof", "lossless", "oneOf has branches that exclude each other")
            return "anyOf"
        if not exact or rewriter.target.one_of == "refused":
            rewriter.tell(place, "oneof-to-anyof", "loosened", "oneOf has branches that may overlap")
            return "anyOf"
        if not apart and rewriter.target.one_of == "any":
            rewriter.tell(
                place, "oneof-exclusive", "unenforced", "oneOf is read as anyOf, and its branches may overlap"
            )
        return "oneOf"

    def _spliced(self, schemas: list[Schema]) -> Iterator[Schema]:
        """The branches, with those of a branch that is a union itself in its place, each once."""
        seen: set[object] = set()
        for schema in schemas:
            inner = cast("list[Schema]", schema["anyOf"]) if list(schema) == ["anyOf"] else [schema]
            for each in inner:
                if (key := self._key(each)) not in seen:
                    seen.add(key)
                    yield each

    def _once(self, branches: list[Branch], place: Subschema) -> Iterator[Branch]:
        """The branches, each once."""
        seen: set[object] = set()
        for branch in branches:
            key = self._key(branch.schema)
            if key in seen:
                self.rewriter.tell(place, "duplicate-branch-dropped", "lossless", "anyOf has a branch twice")
            else:
                seen.add(key)
                yield branch

    def _key(self, schema: Schema) -> object:
        """Equal for schemas that say the same in the same words."""
        return content(schema), self.rewriter.ledger.referred(schema)

    def _collapsed(self, gathered: Gathered, branch: Schema) -> Schema:
        """The one branch in place of the union: annotations around it win."""
        whole = {name: value for name, value in branch.items() if name not in gathered.annotations}
        made = self.rewriter.keywords.in_order(gathered, whole)
        self.rewriter.ledger.instead(branch, made)
        return made

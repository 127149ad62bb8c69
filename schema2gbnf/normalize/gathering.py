"""All that one value must meet, gathered from the subschemas that apply to it.

`allOf` is taken apart and references are followed as far as needed; what is left is readings without applicators, and
unions that still have to be chosen from. A schema met again on the way adds nothing; a branch that needs the union it
belongs to can be dropped.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple, cast

from schema2gbnf.normalize.intersection import Residue
from schema2gbnf.normalize.reading import CONSTRAINTS, OWN, UNEVALUATED, Reading, path_of
from schema2gbnf.normalize.references import Found, Lost, References
from schema2gbnf.normalize.report import Report
from schema2gbnf.normalize.unevaluated import Plain, Sealed, read
from schema2gbnf.schema.subschema import Subschema
from schema2gbnf.schema.text import Json


class Link(NamedTuple):
    """A subschema and how it came to apply: by which other, and whether as one branch among several."""

    sub: Subschema
    parent: Link | None = None
    branch: bool = False

    def returns_to(self, target: Subschema) -> bool | None:
        """Whether a target that is on the way here is so through a branch; None when it is not."""
        link: Link | None = self
        through_branch = False
        while link is not None:
            if link.sub is target:
                return through_branch
            through_branch |= link.branch
            link = link.parent
        return None


@dataclass(frozen=True, slots=True)
class Union:
    """An `anyOf` or `oneOf` to choose from."""

    keyword: str
    branches: tuple[Subschema, ...]
    owner: Link


@dataclass(slots=True)
class Gathered:
    """What applies to one value."""

    readings: list[Reading] = field(default_factory=list)
    """What each subschema says by itself, in the order in which they are read; only their `OWN` keywords count."""
    unions: list[Union] = field(default_factory=list)
    references: list[tuple[Link, Subschema]] = field(default_factory=list)
    """References that were not followed: who refers, and to what."""
    seen: dict[Subschema, Link] = field(default_factory=dict)
    annotations: dict[str, Json] = field(default_factory=dict)
    """The outermost annotation of each name."""
    order: dict[str, None] = field(default_factory=dict)
    """All keywords in the order in which they were met."""
    residues: list[Residue] = field(default_factory=list)
    """What could not be taken apart any further."""
    multiplied: bool = False
    """It is one of the products of several unions."""
    lost: bool = False
    """A reference led nowhere, which has been told."""
    links: list[Link] = field(default_factory=list)
    """What was gathered last."""

    def without(self, union: Union, rest: list[Union]) -> Gathered:
        """The constraints alone, ready to be taken together with a branch of the union."""
        return Gathered(
            readings=list(self.readings),
            unions=list(rest),
            residues=list(self.residues),
            multiplied=self.multiplied or bool(rest),
            seen=dict(self.seen),
            order=dict.fromkeys(key for key in self.order if key in CONSTRAINTS and key != union.keyword),
            lost=self.lost,
            links=self.links,
        )

    @property
    def constraints(self) -> dict[str, None]:
        """The keywords of the readings that say something about instances."""
        return dict.fromkeys([keyword for reading in self.readings for keyword in reading.keywords if keyword in OWN])

    @property
    def place(self) -> Subschema:
        """The subschema that events are told of."""
        return self.links[0].sub

    @property
    def sole_reference(self) -> Subschema | None:
        """The target, when the value must meet what references lead to and nothing else."""
        if not self.references:
            return None
        targets = dict.fromkeys(target for _, target in self.references)
        if len(targets) == 1 and not self.unions and not self.constraints:
            return next(iter(targets))
        return None


class Gatherer:
    """Takes subschemas apart."""

    def __init__(self, references: References, report: Report) -> None:
        self.references = references
        self.reader = references.reader
        self.report = report

    def gather(self, links: Sequence[Link], base: Gathered | None = None, *, follow: bool = False) -> Gathered | None:
        """What the subschemas demand together with the base; None when it is certainly nothing that could be met.

        References are followed where they stand beside anything else, or, one step, when `follow` says so.
        """
        found = base if base is not None else Gathered()
        found.links = list(links) or found.links
        todo: list[Link | Reading] = [*reversed(links)]
        while True:
            if not self._take_apart(found, todo):
                return None
            if not found.references or (found.sole_reference is not None and not follow):
                return found
            follow = False
            waiting, found.references = found.references, []
            for holder, target in reversed(waiting):
                again = holder.returns_to(target)
                if again:
                    return None
                if again is None:
                    self.report.add("ref-inlined", "lossless", path_of(holder.sub), f"{target.pointer} is written here")
                    todo.append(Link(target, holder))

    def _take_apart(self, found: Gathered, todo: list[Link | Reading]) -> bool:
        """Gather from all that is to do, references aside; false when something says that no value is valid."""
        while todo:
            step = todo.pop()
            if isinstance(step, Reading):
                found.readings.append(step)
                continue
            if step.sub in found.seen:
                continue
            found.seen[step.sub] = step
            if isinstance(step.sub.value, bool):
                if not step.sub.value:
                    return False
                continue
            if not self._open(found, step, todo):
                return False
        return True

    def _open(self, found: Gathered, link: Link, todo: list[Link | Reading]) -> bool:
        """Take one subschema apart; false when it says plainly that no value is valid."""
        reading = self.reader.read(link.sub)
        self.report.tell(reading)
        if self.never(reading):
            return False
        found.order.update(dict.fromkeys(reading.keywords))
        for keyword, value in reading.keywords.items():
            if keyword not in CONSTRAINTS:
                found.annotations.setdefault(keyword, cast(Json, value))
        for keyword in ("anyOf", "oneOf"):
            if keyword in reading.keywords:
                found.unions.append(Union(keyword, tuple(reading.schemas(keyword)), link))
        steps: list[Link | Reading] = []
        if "allOf" in reading.keywords:
            steps += [Link(member, link) for member in reading.schemas("allOf")]
            self.report.add("allof-merged", "lossless", path_of(link.sub), "the members of allOf are intersected")
        local = self.local(found, reading)
        if local:
            # A schema is read from top to bottom: what stands above the rest comes first.
            steps = [*steps, *local] if steps and reading.constraints[0] == "allOf" else [*local, *steps]
        todo.extend(reversed(steps))
        if "$ref" in reading.keywords:
            target = self.target(link.sub)
            if target is None:
                found.lost = True
            else:
                found.references.append((link, target))
        return True

    def never(self, reading: Reading) -> bool:
        """Whether a `not` rules out everything."""
        denied = reading.schema("not")
        return denied is not None and denied.value is not False and not self.reader.read(denied).constraints

    def local(self, found: Gathered, reading: Reading) -> list[Reading]:
        """What a reading says by itself, its `unevaluated…` keywords as facts of their own or as a residue."""
        fact = reading
        if (denied := reading.schema("not")) is not None and denied.value is False:
            fact = replace(fact, keywords={name: value for name, value in fact.keywords.items() if name != "not"})
        facts = [] if OWN.isdisjoint(fact.keywords) else [fact]
        for keyword in UNEVALUATED:
            if keyword not in reading.keywords:
                continue
            match read(reading, keyword, self.references):
                case Plain(keywords):
                    detail = f"{keyword} is written as {' and '.join(keywords) or 'nothing, for all is evaluated'}"
                    self.report.add("unevaluated-resolved", "lossless", path_of(reading.sub), detail)
                    facts += [Reading(reading.sub, keywords)] if keywords else []
                    found.order.update(dict.fromkeys(keywords))
                case Sealed():
                    found.residues.append(Residue(reading, tuple(reading.keywords), keyword))
        return facts

    def target(self, at: Subschema) -> Subschema | None:
        """What a `$ref` leads to; None, and reported, where that is nowhere."""
        found = self.references.follow(at)
        if isinstance(found, Found):
            end = self.references.resolved(found.target)
            if isinstance(end, Lost) and end.kind == "ref-cycle-only":
                found = end
        if isinstance(found, Lost):
            self.report.add(found.kind, "loosened", path_of(at), found.detail, written_reference(at))
            return None
        if found.repaired:
            self.report.add("ref-repaired", "repaired", path_of(at), found.repaired, written_reference(at))
        return found.target


def written_reference(at: Subschema) -> Json:
    """The reference as it was written."""
    return at.get("$ref")

"""The intersection of readings: one set of keywords that says what all of them say.

A table has a function for each keyword that knows how two of its values combine; where two cannot be said by one
keyword, the second stays behind as a residue, which is written under a double negation: `{"not": {"not": …}}` means
the same as the schema itself and stands wherever back ends skip `not`. (They do not skip `allOf`: llama.cpp reads a
string with `allOf` as an empty object.)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import lcm
from types import MappingProxyType
from typing import cast

from schema2gbnf.normalize.reading import OWN, Reading
from schema2gbnf.normalize.values import common_types, content
from schema2gbnf.schema.subschema import Subschema
from schema2gbnf.schema.text import Json
from schema2gbnf.semantics.formula import exact

Conjunction = tuple[Subschema, ...]
"""Subschemas that one value must all meet."""


@dataclass(frozen=True, slots=True, eq=False)
class Residue:
    """Some keywords of a reading, as they were written: a conjunct of its own."""

    reading: Reading
    keywords: tuple[str, ...]
    about: str = ""
    """The keyword for which it is left over, if not the first."""

    @property
    def kind(self) -> str:
        return self.about or self.keywords[0]


@dataclass(frozen=True, slots=True, eq=False)
class Kept:
    """Keywords with schemas that are carried over from one reading as they are."""

    reading: Reading
    keyword: str


@dataclass(slots=True)
class Merged:
    """One set of keywords; where schemas are rewritten, conjunctions stand in their place."""

    plain: dict[str, Json] = field(default_factory=dict)
    """Keywords without schemas, `required` among them."""
    properties: dict[str, Conjunction] | None = None
    forbidden: set[str] = field(default_factory=set)
    """Declared names that another reading, being closed, does not know."""
    additional: Conjunction | None = None
    """What further members must meet; None when nothing is said."""
    prefix: list[Conjunction] | None = None
    items: Conjunction | None = None
    kept: dict[str, Kept] = field(default_factory=dict)
    residues: list[Residue] = field(default_factory=list)

    @property
    def closed(self) -> bool:
        """Whether `additionalProperties` is plainly false."""
        return self.additional is not None and any(sub.value is False for sub in self.additional)

    @property
    def only_declared(self) -> bool:
        """Whether an object can have no members but the declared ones."""
        return self.closed and "patternProperties" not in self.kept

    @property
    def flat(self) -> bool:
        """Whether there are neither schemas nor names in it."""
        members = self.properties is not None or self.additional is not None or "required" in self.plain
        return not members and self.prefix is None and self.items is None and not self.kept and not self.residues

    @property
    def keywords(self) -> list[str]:
        """All keywords that are in force, residues aside."""
        listed = [*self.plain]
        if self.properties is not None:
            listed.append("properties")
        if self.additional is not None:
            listed.append("additionalProperties")
        if self.prefix is not None:
            listed.append("prefixItems")
        if self.items is not None:
            listed.append("items")
        return [*listed, *self.kept]


def merged(readings: Iterable[Reading]) -> Merged:
    """The intersection of what readings say by their `OWN` keywords."""
    found = Merged()
    listed = list(readings)
    if structured := [reading for reading in listed if not _STRUCTURED.isdisjoint(reading.keywords)]:
        _members(found, [reading for reading in structured if not _MEMBERS.isdisjoint(reading.keywords)])
        _items(found, [reading for reading in structured if not _ITEMS.isdisjoint(reading.keywords)])
    for reading in listed:
        for keyword, value in reading.keywords.items():
            if keyword in _PLAIN:
                _plain(found, reading, keyword, cast(Json, value))
            elif keyword in _GROUPS:
                _group(found, reading, _GROUPS[keyword])
    return found


# -- keywords without schemas ------------------------------------------------------------------------------------------

Combine = Callable[[Json, Json], "Json | None"]
"""One value that says what both say, or None when there is none."""


def _plain(found: Merged, reading: Reading, keyword: str, value: Json) -> None:
    if keyword not in found.plain:
        found.plain[keyword] = value
        return
    before = found.plain[keyword]
    if content(before) == content(value):
        return
    if keyword == "const":
        found.plain["enum"] = []
        return
    both = COMBINED[keyword](before, value) if keyword in COMBINED else None
    if both is None:
        found.residues.append(Residue(reading, (keyword,)))
    else:
        found.plain[keyword] = both


def _larger(left: Json, right: Json) -> Json:
    return left if exact(cast(float, left)) >= exact(cast(float, right)) else right


def _smaller(left: Json, right: Json) -> Json:
    return left if exact(cast(float, left)) <= exact(cast(float, right)) else right


def _united(left: Json, right: Json) -> Json:
    return list(dict.fromkeys([*cast("list[str]", left), *cast("list[str]", right)]))


def _common_multiple(left: Json, right: Json) -> Json | None:
    one, other = exact(cast(float, left)), exact(cast(float, right))
    if isinstance(one, Fraction) and isinstance(other, Fraction) and one.denominator == other.denominator == 1:
        return lcm(int(one), int(other))
    return None


def _either(left: Json, right: Json) -> Json:
    return left is True or right is True


def _common_values(left: Json, right: Json) -> Json:
    known = {content(value) for value in cast("list[Json]", right)}
    return [value for value in cast("list[Json]", left) if content(value) in known]


def _united_groups(left: Json, right: Json) -> Json:
    one, other = cast("dict[str, Json]", left), cast("dict[str, Json]", right)
    return {name: _united(one.get(name, []), other.get(name, [])) for name in dict.fromkeys([*one, *other])}


COMBINED: Mapping[str, Combine] = MappingProxyType(
    {
        "type": common_types,
        "enum": _common_values,
        "minimum": _larger,
        "exclusiveMinimum": _larger,
        "maximum": _smaller,
        "exclusiveMaximum": _smaller,
        "multipleOf": _common_multiple,
        "minLength": _larger,
        "maxLength": _smaller,
        "minItems": _larger,
        "maxItems": _smaller,
        "minProperties": _larger,
        "maxProperties": _smaller,
        "uniqueItems": _either,
        "required": _united,
        "dependentRequired": _united_groups,
    }
)
"""How two values of a keyword combine."""


# -- keywords that only mean something together, and are not rewritten -------------------------------------------------

_TOGETHER = (
    ("not",),
    ("if", "then", "else"),
    ("contains", "minContains", "maxContains"),
    ("propertyNames",),
    ("dependentSchemas",),
)
_GROUPS: Mapping[str, tuple[str, ...]] = MappingProxyType({name: group for group in _TOGETHER for name in group})


def together(keyword: str) -> tuple[str, ...]:
    """The keywords that a keyword goes with, the leading one first."""
    return _GROUPS.get(keyword, (keyword,))


def _group(found: Merged, reading: Reading, group: tuple[str, ...]) -> None:
    """Keep a group from the first reading that has it; that of another is a residue."""
    here = tuple(keyword for keyword in group if keyword in reading.keywords)
    if group[0] not in here:
        return  # `then` without `if` says nothing
    known = found.kept.get(group[0])
    if known is None:
        found.kept.update({keyword: Kept(reading, keyword) for keyword in here})
    elif known.reading is not reading and not any(
        each.reading is reading and each.keywords == here for each in found.residues
    ):
        found.residues.append(Residue(reading, here))


# -- members -----------------------------------------------------------------------------------------------------------

_MEMBERS = frozenset(("properties", "patternProperties", "additionalProperties"))


def _members(found: Merged, facts: list[Reading]) -> None:
    """Intersect what readings say of members by name; each reading is a fact of its own, never mixed with another.

    Where a fact has patterns, its additional members are not known name by name, so only one such fact can be joined,
    with others that say nothing of additional members.
    """
    if not facts:
        return
    patterned = [fact for fact in facts if fact.schema_map("patternProperties")]
    simple = [fact for fact in facts if fact not in patterned]
    if patterned and simple and _entangled(patterned[0], simple):
        found.residues.extend(_as_residue(fact) for fact in patterned)
        patterned = []
    found.residues.extend(_as_residue(fact) for fact in patterned[1:])
    joined = [fact for fact in facts if fact in simple or fact in patterned[:1]]
    if not joined:
        return
    if len(joined) == 1 and "properties" in joined[0].keywords:
        found.properties = {name: (sub,) for name, sub in joined[0].schema_map("properties").items()}
    elif any("properties" in fact.keywords for fact in joined):
        names = dict.fromkeys(name for fact in joined for name in fact.schema_map("properties"))
        found.properties = {name: _under(found, joined, name) for name in names}
    rest = [sub for fact in joined if (sub := fact.schema("additionalProperties")) is not None]
    if rest:
        found.additional = distinct(rest)
    for fact in patterned[:1]:
        found.kept["patternProperties"] = Kept(fact, "patternProperties")


def _entangled(fact: Reading, simple: list[Reading]) -> bool:
    """Whether it takes a fact's patterns to tell which members another fact speaks of, or which it leaves over."""
    if any("additionalProperties" in other.keywords for other in simple):
        return True
    declared = fact.schema_map("properties")
    return "additionalProperties" in fact.keywords and any(
        name not in declared for other in simple for name in other.schema_map("properties")
    )


def _as_residue(fact: Reading) -> Residue:
    return Residue(fact, tuple(keyword for keyword in fact.keywords if keyword in _MEMBERS))


def _under(found: Merged, facts: list[Reading], name: str) -> Conjunction:
    demands: list[Subschema] = []
    for fact in facts:
        declared = fact.schema_map("properties").get(name)
        rest = fact.schema("additionalProperties")
        if declared is not None:
            demands.append(declared)
        elif rest is not None:
            if rest.value is False:
                found.forbidden.add(name)
            demands.append(rest)
    return distinct(demands)


# -- items -------------------------------------------------------------------------------------------------------------

_ITEMS = frozenset(("prefixItems", "items"))


def _items(found: Merged, facts: list[Reading]) -> None:
    length = max((len(fact.schemas("prefixItems")) for fact in facts), default=0)
    if length:
        found.prefix = [_at(facts, index) for index in range(length)]
    rest = [sub for fact in facts if (sub := fact.schema("items")) is not None]
    if rest:
        found.items = distinct(rest)


def _at(facts: list[Reading], index: int) -> Conjunction:
    demands: list[Subschema] = []
    for fact in facts:
        prefix = fact.schemas("prefixItems")
        if index < len(prefix):
            demands.append(prefix[index])
        elif (rest := fact.schema("items")) is not None:
            demands.append(rest)
    return distinct(demands)


_STRUCTURED = _MEMBERS | _ITEMS
_PLAIN = OWN - {*_STRUCTURED, *_GROUPS}


def distinct(subs: Iterable[Subschema]) -> Conjunction:
    """The subschemas, each once; those that allow everything only if there is nothing else."""
    listed = list(dict.fromkeys(subs))
    if len(listed) == 1:
        return tuple(listed)
    telling = [sub for sub in listed if sub.value is not True and sub.value != {}]
    return tuple(telling or listed[:1])

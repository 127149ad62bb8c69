"""Object shapes: the facts of one branch laid side by side, name by name.

Each subschema's `Members` fact speaks for itself; the value of a member is the conjunction of what every fact says
under its name. Undeclared names are split into the non-empty intersections of all patterns. Clauses lose the literals
that are already decided; one that has a single literal left becomes a condition, one that has none ends the branch.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from schema2gbnf.languages.dfa import StateLimitError
from schema2gbnf.languages.strings import StringLanguage
from schema2gbnf.schema.text import HALF, half_of
from schema2gbnf.semantics.branches import OBJECT_FACTS, Branch
from schema2gbnf.semantics.formula import (
    Conjunction,
    Demand,
    Either,
    Fact,
    MemberCount,
    Members,
    NamesIn,
    Present,
)
from schema2gbnf.semantics.meaning import Meaning
from schema2gbnf.semantics.shapes import (
    AllBut,
    Break,
    KeyPart,
    Member,
    Names,
    ObjectShape,
    Obligation,
    Range,
)


@dataclass
class Watch:
    """A clause while its literals are being decided."""

    present: dict[str, None] = field(default_factory=dict)
    absent: dict[str, None] = field(default_factory=dict)
    counts: list[Range] = field(default_factory=list)
    broken: list[Members] = field(default_factory=list)
    refused_names: list[NamesIn] = field(default_factory=list)


class Layout:
    """One branch on its way to a shape."""

    def __init__(self, meaning: Meaning, branch: Branch) -> None:
        self.meaning = meaning
        self.facts: list[Members] = []
        self.required: dict[str, None] = {}
        self.forbidden: dict[str, None] = {}
        self.names_in: list[StringLanguage] = []
        self.low = 0
        self.high: int | None = None
        self.watches: list[Watch] = []
        self.order: dict[str, None] = {}
        self.late: dict[str, None] = {}
        self.mixed = False
        assertions = (fact.assertion for fact in branch.facts)
        self.pointer = next((each.pointer for each in assertions if isinstance(each, OBJECT_FACTS)), "#")
        for fact in branch.facts:
            self.take(fact)
        for clause in branch.clauses:
            self.watch(clause)

    def take(self, fact: Fact) -> None:
        match fact.assertion:
            case Members(properties) if fact.wanted:
                self.facts.append(fact.assertion)
                self.order.update(dict.fromkeys(name for name, _ in properties))
            case Present(name):
                (self.required if fact.wanted else self.forbidden)[name] = None
                self.late[name] = None
            case NamesIn(language) if fact.wanted:
                self.names_in.append(language)
            case MemberCount(low, high) if fact.wanted:
                self.low = max(self.low, low)
                self.high = _least(self.high, high)
            case _:
                self.watch((fact,))

    def watch(self, clause: tuple[Fact, ...]) -> None:
        watch = Watch()
        for fact in clause:
            match fact.assertion:
                case Members(properties):
                    watch.broken.append(fact.assertion)
                    self.order.update(dict.fromkeys(name for name, _ in properties))
                case Present(name):
                    (watch.present if fact.wanted else watch.absent)[name] = None
                    self.late[name] = None
                case MemberCount(low, high):
                    watch.counts.extend([(low, high)] if fact.wanted else outside(low, high))
                case NamesIn():
                    watch.refused_names.append(fact.assertion)
                case _:
                    raise AssertionError(f"no object automaton watches {fact}")
        self.watches.append(watch)

    # -- the parts ---------------------------------------------------------------------------------------------------

    def shape(self) -> ObjectShape | None:
        """The shape, or None when the facts contradict each other whatever the values are."""
        if not self.required.keys().isdisjoint(self.forbidden):
            return None
        declared = [fact for fact in self.facts if fact.declares]
        names = self.ordered_names()
        members: dict[str, Member] = {}
        for name in names:
            value = self.value(demand for fact in self.facts for demand in fact.under(name))
            allowed = value is not None and name not in self.forbidden and self.may_be_named(name)
            if allowed and half_of(name):
                keyword = "required" if name in self.required else "properties"
                self.meaning.report.add("narrowed", keyword, self.pointer, f"members named with {HALF} are not written")
                allowed = False
            if not allowed:
                if name in self.required:
                    return None
                self.forbidden[name] = None
                continue
            assert value is not None
            members[name] = Member(name, value, name in self.required)
        parts = self.key_parts(names)
        low = max(self.low, len(self.required))
        if not parts:
            self.high = _least(self.high, len(members))
        if self.high is not None and low > self.high:
            return None
        if len(self.watches) > 4 * self.meaning.options.limits.obligations:
            # So many are not even looked at one by one.
            self.meaning.report.loosen("not", self.pointer, f"one object owes {len(self.watches)} negations at once")
            self.watches = []
        settled = self.settle(members, parts)
        if settled is None:
            return None
        members, parts, obligations = settled
        required = sum(member.required for member in members.values())
        if self.high is not None and required > self.high:
            return None
        if self.high is not None and not parts and self.high >= len(members):
            self.high = None
        closable = declared[0].pointer if declared and all(fact.rest is None for fact in self.facts) else None
        pointer = (declared or self.facts)[0].pointer if self.facts else self.pointer
        return ObjectShape(
            tuple(members.values()),
            tuple(parts),
            0 if self.low <= required else self.low,
            self.high,
            tuple(obligations),
            closable,
            pointer,
        )

    def may_be_named(self, name: str) -> bool:
        return all(language.accepts(name) for language in self.names_in)

    def ordered_names(self) -> list[str]:
        """Names in the order in which they are written: those the caller puts first, the declared, the rest."""
        names = dict.fromkeys([*self.order, *self.late])
        first = [name for name in self.meaning.options.prop_order if name in names]
        return list(dict.fromkeys([*first, *names]))

    def value(self, demands: Iterable[Demand]) -> Conjunction | None:
        return self.meaning.conjunction(demands)

    def key_parts(self, names: list[str]) -> list[KeyPart]:
        """The undeclared names, split by which of all patterns they match, with what each part demands."""
        try:
            return self.split_names(names)
        except StateLimitError as error:
            return self.unsplit(names, f"these patterns together need {error}")

    def unsplit(self, names: list[str], reason: str) -> list[KeyPart]:
        """All undeclared names as one part, of which nothing more is known."""
        self.meaning.report.loosen("patternProperties", self.pointer, reason)
        self.mixed = True
        return [KeyPart(AllBut(tuple(names)), ())]

    def split_names(self, names: list[str]) -> list[KeyPart]:
        sources = [*self.facts, *(fact for watch in self.watches for fact in watch.broken)]
        patterns = list(dict.fromkeys(pattern.names for fact in sources for pattern in fact.patterns))
        patterns += [each.language for watch in self.watches for each in watch.refused_names]
        if not patterns and not self.names_in:
            value = self.value(f.rest for f in self.facts if f.rest is not None)
            return [] if value is None else [KeyPart(AllBut(tuple(names)), value)]
        rest = ~StringLanguage.of_words(names) if names else StringLanguage.ANY
        for language in self.names_in:
            rest = rest & language
        cells: list[tuple[StringLanguage, frozenset[StringLanguage]]] = [(rest, frozenset())]
        for pattern in dict.fromkeys(patterns):
            split = []
            for language, matched in cells:
                split.append((language & pattern, matched | {pattern}))
                split.append((language - pattern, matched))
            cells = [(language, matched) for language, matched in split if not language.is_empty]
            if len(cells) > self.meaning.options.limits.key_parts:
                limit = self.meaning.options.limits.key_parts
                return self.unsplit(names, f"more than {limit} intersections of patterns; raise the limit 'key_parts'")
        parts = []
        for language, matched in cells:
            if language.is_empty:
                continue
            value = self.value(demand for fact in self.facts for demand in fact.matching(matched))
            if value is not None:
                parts.append(KeyPart(language, value))
        return parts

    # -- clauses -----------------------------------------------------------------------------------------------------

    def settle(
        self, members: dict[str, Member], parts: list[KeyPart]
    ) -> tuple[dict[str, Member], list[KeyPart], list[Obligation]] | None:
        """Decide what can be decided of the clauses; the rest become obligations with their breaks."""
        open_watches = list(self.watches)
        changed = True
        while changed:
            changed = False
            for watch in list(open_watches):
                verdict = self.decide(watch, members, parts)
                if verdict is False:
                    return None
                if verdict is True:
                    open_watches.remove(watch)
                    changed = True
        obligations: list[Obligation] = []
        most = self.meaning.options.limits.obligations
        if len(open_watches) > most:
            message = f"one object owes {len(open_watches)} negations at once; raise the limit 'obligations'"
            self.meaning.report.loosen("not", self.pointer, message)
            return members, parts, []
        for index, watch in enumerate(open_watches):
            obligations.append(
                Obligation(frozenset(watch.present), frozenset(watch.absent), tuple(dict.fromkeys(watch.counts)))
            )
            for name, demand in self.breaks_at_members(watch, members):
                old = members[name]
                members[name] = Member(old.name, old.value, old.required, (*old.breaks, Break(index, demand)))
            for position, demand in self.breaks_at_parts(watch, parts):
                part = parts[position]
                parts[position] = KeyPart(part.names, part.value, (*part.breaks, Break(index, demand)))
        return members, parts, obligations

    def decide(self, watch: Watch, members: dict[str, Member], parts: list[KeyPart]) -> bool | None:
        """True when the clause holds or has become a condition, False when it cannot hold, None while it is open."""
        required = {name for name, member in members.items() if member.required}
        if any(name in required for name in watch.present) or any(name not in members for name in watch.absent):
            return True
        for name in [name for name in watch.present if name not in members]:
            del watch.present[name]
        for name in [name for name in watch.absent if name in required]:
            del watch.absent[name]
        watch.counts = [r for r in watch.counts if self.reachable(r, required, members, parts)]
        at_members = self.breaks_at_members(watch, members)
        at_parts = self.breaks_at_parts(watch, parts)
        literals = len(watch.present) + len(watch.absent) + len(watch.counts) + len(at_members) + len(at_parts)
        if literals == 0:
            return False
        if literals > 1:
            return None
        for name in watch.present:
            members[name] = Member(name, members[name].value, True)
            return True
        for name in watch.absent:
            del members[name]
            return True
        for name, demand in at_members:
            value = members[name].value if demand is None else self.value((*members[name].value, demand))
            if value is None:
                return False
            members[name] = Member(name, value, True)
            return True
        for low, high in watch.counts:
            self.low = max(self.low, low)
            self.high = _least(self.high, high)
            return True
        return None

    def reachable(self, counts: Range, required: set[str], members: dict[str, Member], parts: list[KeyPart]) -> bool:
        low, high = counts
        most = self.high if parts else _least(self.high, len(members))
        return (high is None or high >= max(self.low, len(required))) and (most is None or low <= most)

    def breaks_at_members(self, watch: Watch, members: dict[str, Member]) -> list[tuple[str, Demand | None]]:
        found: list[tuple[str, Demand | None]] = []
        everywhere = watch.refused_names or any(fact.patterns or fact.rest is not None for fact in watch.broken)
        named = (name for fact in watch.broken for name, _ in fact.properties)
        for name in members if everywhere else dict.fromkeys(name for name in named if name in members):
            member = members[name]
            if any(not refused.language.accepts(name) for refused in watch.refused_names):
                found.append((name, None))
                continue
            broken = not_all(demand for fact in watch.broken for demand in fact.under(name))
            if broken is not None and self.value((*member.value, broken)) is not None:
                found.append((name, broken))
        return found

    def breaks_at_parts(self, watch: Watch, parts: list[KeyPart]) -> list[tuple[int, Demand | None]]:
        found: list[tuple[int, Demand | None]] = []
        if self.mixed and (watch.broken or watch.refused_names):
            return [(0, None)]
        for position, part in enumerate(parts):
            if any(_apart(part.names, refused.language) for refused in watch.refused_names):
                found.append((position, None))
                continue
            matched = frozenset(
                pattern.names
                for fact in watch.broken
                for pattern in fact.patterns
                if not _apart(part.names, pattern.names)
            )
            broken = not_all(demand for fact in watch.broken for demand in fact.matching(matched))
            if broken is not None and self.value((*part.value, broken)) is not None:
                found.append((position, broken))
        return found


def _apart(part: Names, language: StringLanguage) -> bool:
    """Whether a part has no name of the language. Where any language is asked about, no part is left as `AllBut`."""
    return not isinstance(part, AllBut) and (part & language).is_empty


def not_all(demands: Iterable[Demand]) -> Demand | None:
    """That at least one of the demands is not met; None when there is none to break."""
    refused = tuple(dict.fromkeys(~demand for demand in demands))
    if not refused:
        return None
    return refused[0] if len(refused) == 1 else Either(refused)


def _least(left: int | None, right: int | None) -> int | None:
    return right if left is None else left if right is None else min(left, right)


def outside(low: int, high: int | None) -> list[Range]:
    """The counts outside a range."""
    below: list[Range] = [(0, low - 1)] if low > 0 else []
    return below if high is None else [*below, (high + 1, None)]

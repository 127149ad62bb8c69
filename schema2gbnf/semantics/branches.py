"""A conjunction of demands on an object or array, brought to alternatives: the disjunctive normal form of its facts.

Each branch is a set of facts that must hold together, in the order in which the schema is read, with *obligations*:
disjunctions of facts that a member automaton can watch, left standing where forking would multiply alternatives.
A demand that is already in the branch adds nothing. One that is its own ancestor vanishes as a conjunct, and a
disjunct that needs it is dropped; a demand beside its own negation ends the branch.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from schema2gbnf.semantics.formula import (
    All,
    AnyOf,
    Ask,
    Conjunction,
    Contains,
    Demand,
    Either,
    ExactlyOne,
    Fact,
    Formula,
    ItemCount,
    Items,
    JsonType,
    MemberCount,
    Members,
    NamesIn,
    Obeys,
    PatternMember,
    Present,
    Tried,
    TypeIs,
    Unevaluated,
    UniqueItems,
    Unknowable,
    ValueIn,
    json_type,
    negated,
)
from schema2gbnf.semantics.keywords import local_formula
from schema2gbnf.semantics.meaning import Meaning, own_negation

ASKED = 24
"""Branches that a question asked on the way may look at."""

Clause = tuple[Fact, ...]
"""A disjunction of facts."""

OBJECT_FACTS = (Present, Members, NamesIn, MemberCount)
ARRAY_FACTS = (Items, ItemCount, Contains, UniqueItems)


@dataclass(frozen=True, slots=True)
class Branch:
    """One alternative: all facts and all clauses hold."""

    facts: tuple[Fact, ...]
    clauses: tuple[Clause, ...]
    lossy: bool = False
    """Whether a disjunction was dropped, so that what it would have evaluated is not known."""


@dataclass(frozen=True, slots=True)
class Path:
    """The demands whose unfolding led here, innermost first; `forked` where a choice was made on the way."""

    demand: Demand | None
    outer: Path | None

    def place_of(self, demand: Demand) -> str | None:
        """ "conjunct" or "disjunct" when the demand is an ancestor, as this stands to it; None when it is not."""
        node: Path | None = self
        forked = False
        while node is not None:
            if node.demand is None:
                forked = True
            elif node.demand == demand:
                return "disjunct" if forked else "conjunct"
            node = node.outer
        return None


@dataclass(frozen=True, slots=True)
class Todo:
    """A formula still to be made true, and what comes after it."""

    formula: Formula
    path: Path | None
    annotates: bool
    then: Todo | None


@dataclass(slots=True)
class Search:
    """A branch under construction."""

    todo: Todo | None
    facts: dict[Fact, None] = field(default_factory=dict)
    clauses: dict[Clause, None] = field(default_factory=dict)
    met: dict[tuple[Demand, bool], None] = field(default_factory=dict)
    lossy: bool = False

    def fork(self, todo: Todo | None) -> Search:
        return Search(todo, dict(self.facts), dict(self.clauses), dict(self.met), self.lossy)


def branches(meaning: Meaning, conjunction: Conjunction, kind: JsonType) -> tuple[Branch, ...]:
    """The alternatives of a conjunction as an object or as an array."""
    todo: Todo | None = None
    for demand in reversed(conjunction):
        todo = Todo(Ask(demand), None, True, todo)
    return Expansion(meaning, kind, tracking=False).run(todo)


class Expansion:
    """The search for all branches of one type; `tracking` keeps apart what annotates for an `unevaluated…` keyword."""

    def __init__(self, meaning: Meaning, kind: JsonType, tracking: bool, outer: Path | None = None) -> None:
        self.meaning = meaning
        self.kind = kind
        self.tracking = tracking
        self.limit = meaning.options.limits.branches
        if meaning.report.asking:
            self.limit = min(self.limit, ASKED)
        self.forks = 0
        self.outer = outer
        self.entangled = False
        """Whether some demand turned out to be an ancestor of the whole search."""

    def run(self, todo: Todo | None) -> tuple[Branch, ...]:
        done: dict[Branch, None] = {}
        stack = [Search(todo)]
        while stack:
            options = self.advance(stack.pop(), len(stack) + len(done))
            if isinstance(options, Branch):
                done[options] = None
            else:
                stack.extend(reversed(options))
        return tuple(done)

    def advance(self, search: Search, pending: int) -> Branch | list[Search]:
        """Work a search off until it is a branch, forks, or dies (no search)."""
        while search.todo is not None:
            todo = search.todo
            search.todo = todo.then
            match todo.formula:
                case All(parts):
                    for part in reversed(parts):
                        search.todo = Todo(part, todo.path, todo.annotates, search.todo)
                case Fact():
                    if not self.add_fact(search, todo.formula, todo):
                        return []
                case Ask(demand, annotates):
                    if not self.add_demand(search, demand, annotates and todo.annotates, todo):
                        return []
                case Tried(demand):
                    if self.tracking and todo.annotates:
                        ask = Ask(demand)
                        split = AnyOf((ask, negated(ask)), "exclusive", "if")
                        search.todo = Todo(split, todo.path, True, search.todo)
                case Unevaluated(demand):
                    search.todo = Todo(self.with_provenance(demand, todo.path), todo.path, todo.annotates, search.todo)
                case AnyOf() | ExactlyOne():
                    options = self.options(search, todo)
                    if options is None:
                        continue
                    self.forks += len(options)
                    if len(options) > 1 and (pending + len(options) > self.limit or self.forks > 4 * self.limit):
                        self.meaning.report.loosen(
                            todo.formula.keyword if isinstance(todo.formula, AnyOf) else "oneOf",
                            todo.formula.pointer or "#",
                            f"more than {self.limit} alternatives of one {self.kind}; raise the limit 'branches'",
                        )
                        search.lossy = True
                        continue
                    if len(options) > 1 and not self.consistent(search):
                        return []
                    forked = Path(None, todo.path)
                    return [search.fork(Todo(option, forked, todo.annotates, search.todo)) for option in options]
        if not self.consistent(search):
            return []
        return Branch(tuple(search.facts), tuple(search.clauses), search.lossy)

    def consistent(self, search: Search) -> bool:
        """False when a member that must be there certainly has no value: then no fork of the branch is worth a look."""
        if self.kind != "object":
            return True
        from schema2gbnf.semantics.emptiness import void

        members = [fact.assertion for fact in search.facts if fact.wanted and isinstance(fact.assertion, Members)]
        needed: dict[str, list[Demand]] = {}
        for fact in search.facts:
            match fact:
                case Fact(Present(name), True):
                    needed.setdefault(name, [])
                case Fact(Members(((name, demand),), (), None), False):
                    needed.setdefault(name, []).append(~demand)
        for name, broken in needed.items():
            demands = [*(demand for member in members for demand in member.under(name)), *broken]
            if len(demands) > 1:
                value = self.meaning.conjunction(demands)
                if value is None or void(self.meaning, value, 1):
                    return False
        return True

    # -- conjuncts ---------------------------------------------------------------------------------------------------

    def add_fact(self, search: Search, fact: Fact, todo: Todo) -> bool:
        """Take a fact into the branch; False when it cannot hold of this type."""
        verdict = self.verdict(fact)
        if verdict is not None:
            return verdict
        match fact.assertion:
            case Unknowable() as unknown:
                self.meaning.loosen(unknown)
            case ValueIn(values, near) if not fact.wanted:
                for value in values:
                    if json_type(value.value) == self.kind:
                        refused = ~self.meaning.structure(value, near)
                        search.todo = Todo(Ask(refused, annotates=False), todo.path, False, search.todo)
            case _:
                search.facts[Fact(fact.assertion, fact.wanted, fact.annotates and todo.annotates)] = None
        return True

    def verdict(self, fact: Fact) -> bool | None:
        """What the type alone decides of a fact."""
        match fact.assertion:
            case TypeIs(types):
                return (self.kind in types) == fact.wanted
            case ValueIn(values):
                return None if any(json_type(value.value) == self.kind for value in values) else not fact.wanted
            case Unknowable(kind):
                return None if kind == self.kind else fact.wanted
            case assertion:
                facts = OBJECT_FACTS if self.kind == "object" else ARRAY_FACTS
                return None if isinstance(assertion, facts) else fact.wanted

    def add_demand(self, search: Search, demand: Demand, annotates: bool, todo: Todo) -> bool:
        """Unfold a demand into the branch; False when the branch already holds its negation, or needs it for itself."""
        place = todo.path.place_of(demand) if todo.path is not None else None
        if place is not None:
            self.entangled = self.entangled or (self.outer is not None and self.outer.place_of(demand) is not None)
            return place == "conjunct"
        if todo.path is not None and todo.path.place_of(~demand) is not None:
            raise own_negation(demand)
        if (demand, annotates) in search.met:
            return True
        if (~demand, True) in search.met or (~demand, False) in search.met:
            return False
        search.met[demand, annotates] = None
        search.todo = Todo(self.meaning.formula(demand), Path(demand, todo.path), annotates, search.todo)
        return True

    # -- disjuncts ---------------------------------------------------------------------------------------------------

    def options(self, search: Search, todo: Todo) -> list[Formula] | None:
        """The cases to fork into; None when there is nothing to do, or it was done without a fork."""
        match todo.formula:
            case AnyOf(parts, reading):
                return self.any_of(search, todo, parts, reading)
            case ExactlyOne(parts, pointer, wanted):
                possible = [part for part in parts if self.shallow(part, search) is not False]
                return self.exactly_one(search, todo, possible, wanted, pointer)
            case _:
                return None

    def any_of(self, search: Search, todo: Todo, parts: tuple[Formula, ...], reading: str) -> list[Formula] | None:
        possible = []
        for part in dict.fromkeys(parts):
            verdict = self.shallow(part, search)
            if verdict is True and not (self.tracking and todo.annotates):
                return None
            if verdict is not False:
                possible.append(part)
        clause: dict[Fact, None] = {}
        others: list[Formula] = []
        for part in possible:
            literals = self.literals(part)
            if literals is None:
                others.append(part)
            else:
                clause.update(dict.fromkeys(literals))
        if not others:
            if len(clause) == 1:
                search.todo = Todo(next(iter(clause)), todo.path, todo.annotates, search.todo)
                return None
            if not clause:
                return []
            search.clauses[tuple(clause)] = None
            return None
        if reading == "exclusive" or len(possible) == 1:
            return possible
        if self.tracking and todo.annotates and reading == "any":
            return _subsets(possible, self.limit)
        if reading == "any":
            return possible
        cases = [*others]
        if clause:
            cases.insert(0, AnyOf(tuple(clause), "any"))
        return [All((case, *map(negated, cases[:index]))) for index, case in enumerate(cases)]

    def exactly_one(
        self, search: Search, todo: Todo, parts: list[Ask], wanted: bool, pointer: str
    ) -> list[Formula] | None:
        if len(parts) <= 8 and parts and all(self.single(part) is not None for part in parts):
            facts = [fact for part in parts if (fact := self.single(part)) is not None]
            none = All(tuple(map(negated, facts)))
            pairs = [(a, b) for i, a in enumerate(facts) for b in facts[i + 1 :]]
            if wanted:
                at_most = [AnyOf((negated(a), negated(b))) for a, b in pairs]
                search.todo = Todo(All((AnyOf(tuple(facts)), *at_most)), todo.path, todo.annotates, search.todo)
                return None
            return [none, *(All(pair) for pair in pairs)]
        twice = [part for part in dict.fromkeys(parts) if parts.count(part) > 1]
        if twice:
            # Two equal branches never hold one without the other.
            rest = ExactlyOne(tuple(part for part in parts if part not in twice), pointer, wanted)
            neither = All((*map(negated, twice), rest))
            return [neither] if wanted else [*twice, neither]
        if wanted:
            cases: list[Formula] = []
            for part in parts:
                others = [negated(other) for other in parts if other is not part and self.overlap(part, other)]
                if len(others) > self.meaning.options.limits.obligations:
                    message = f"a branch may hold together with {len(others)} others; raise the limit 'obligations'"
                    self.meaning.report.loosen("oneOf", pointer, message)
                    return list(parts)
                cases.append(All((part, *others)))
            return cases
        cases = [All(tuple(map(negated, parts)))]
        cases += [All((a, b)) for i, a in enumerate(parts) for b in parts[i + 1 :] if self.overlap(a, b)]
        return cases

    def overlap(self, left: Ask, right: Ask) -> bool:
        """False when no value of this type can meet both for certain."""
        from schema2gbnf.semantics.emptiness import overlap

        return overlap(self.meaning, left.demand, right.demand, self.kind)

    def shallow(self, formula: Formula, search: Search, depth: int = 4) -> bool | None:
        """What the type, and the demands already in the branch, decide of a formula; None when they decide nothing."""
        match formula:
            case Fact():
                return self.verdict(formula)
            case Ask(demand):
                if isinstance(demand, Obeys) and isinstance(demand.sub.value, bool):
                    return demand.sub.value == demand.wanted
                if (~demand, True) in search.met or (~demand, False) in search.met:
                    return False
                return self.shallow(self.meaning.formula(demand), search, depth - 1) if depth else None
            case All(parts):
                verdicts = [self.shallow(part, search, depth) for part in parts]
                return False if False in verdicts else None if None in verdicts else True
            case AnyOf(parts):
                verdicts = [self.shallow(part, search, depth) for part in parts]
                return True if True in verdicts else None if None in verdicts else False
            case _:
                return None

    def literals(self, formula: Formula, depth: int = 4) -> Clause | None:
        """The formula as a disjunction of facts that a member or item automaton can watch, or None."""
        match formula:
            case Fact(assertion, wanted):
                verdict = self.verdict(formula)
                if verdict is not None:
                    return () if verdict is False else None
                watched = isinstance(assertion, Present | MemberCount | ItemCount)
                watched = watched or (not wanted and isinstance(assertion, Members | NamesIn | Items | Contains))
                # Where items count as evaluated, it matters which of the facts hold.
                watched = watched or (isinstance(assertion, Contains) and not self.tracking)
                return (formula,) if watched else None
            case AnyOf(parts):
                found: list[Fact] = []
                for part in parts:
                    literals = self.literals(part, depth)
                    if literals is None:
                        return None
                    found.extend(literals)
                return tuple(found)
            case All(parts):
                undecided = [part for part in parts if self.shallow(part, Search(None)) is not True]
                return self.literals(undecided[0], depth) if len(undecided) == 1 else None
            case Ask(demand):
                if depth == 0 or (isinstance(demand, Obeys) and isinstance(demand.sub.value, bool)):
                    return None
                return self.literals(self.meaning.formula(demand), depth - 1)
            case _:
                return None

    def single(self, part: Ask) -> Fact | None:
        """The one fact a demand comes to, when both it and its negation can be watched."""
        literals = self.literals(part)
        if literals is not None and len(literals) == 1 and isinstance(literals[0].assertion, Present | MemberCount):
            return literals[0]
        return None

    # -- unevaluated -------------------------------------------------------------------------------------------------

    def with_provenance(self, demand: Obeys, path: Path | None) -> Formula:
        """A subschema with `unevaluated…`, as alternatives that each say what exactly has been evaluated.

        The other keywords are expanded alone, apart from what stands around the subschema, with every `anyOf` split
        by which of its branches hold; the keyword then speaks of what none of the facts of an alternative names.
        """
        sub, meaning = demand.sub, self.meaning
        local = local_formula(meaning, sub, demand.scope)
        keyword = "unevaluatedProperties" if self.kind == "object" else "unevaluatedItems"
        if not isinstance(sub.value, dict) or keyword not in sub.value:
            return local if demand.wanted else negated(local)
        child = meaning.documents.child(sub, keyword)
        rest = Obeys(child, meaning.documents.enter(demand.scope, child))
        alternatives = self.tracked(demand, local, path)
        cases = []
        for branch in alternatives:
            kept: list[Formula] = [*branch.facts, *(AnyOf(clause) for clause in branch.clauses)]
            watched = self.unevaluated(branch, rest, sub.pointer)
            if watched is not None and not (branch.lossy and demand.wanted):
                kept.append(watched if demand.wanted else negated(watched))
                cases.append(All(tuple(kept)))
            elif demand.wanted:
                cases.append(All(tuple(kept)))
        split = AnyOf(tuple(cases), "exclusive", keyword, sub.pointer)
        return split if demand.wanted else AnyOf((negated(local), split), "exclusive", keyword, sub.pointer)

    def tracked(self, demand: Obeys, local: Formula, path: Path | None) -> tuple[Branch, ...]:
        """The alternatives of a subschema's other keywords; remembered unless they depend on what led here."""
        key = (demand.sub, demand.scope, self.kind)
        found = self.meaning.tracked.get(key)
        if found is None:
            inner = Expansion(self.meaning, self.kind, tracking=True, outer=path)
            found = inner.run(Todo(local, Path(Obeys(demand.sub, demand.scope), path), True, None))
            self.entangled = self.entangled or inner.entangled
            if not inner.entangled and not self.meaning.report.asking:
                self.meaning.tracked[key] = found
        return found

    def unevaluated(self, branch: Branch, rest: Obeys, pointer: str) -> Fact | None:
        """The fact that what the branch has not evaluated meets `rest`; None when it evaluates everything."""
        true = Obeys(self.meaning.documents.synthetic(True, rest.sub))
        seen = [fact.assertion for fact in branch.facts if fact.annotates and fact.wanted]
        if self.kind == "object":
            members = [assertion for assertion in seen if isinstance(assertion, Members)]
            if any(assertion.rest is not None for assertion in members):
                return None
            names = dict.fromkeys(name for assertion in members for name, _ in assertion.properties)
            patterns = dict.fromkeys(pattern.names for assertion in members for pattern in assertion.patterns)
            return Fact(
                Members(
                    tuple((name, true) for name in names),
                    tuple(PatternMember(language, true) for language in patterns),
                    rest,
                    False,
                    pointer,
                )
            )
        items = [assertion for assertion in seen if isinstance(assertion, Items)]
        if any(assertion.rest is not None for assertion in items):
            return None
        longest = max((len(assertion.prefix) for assertion in items), default=0)
        contained = [each.demand for each in seen if isinstance(each, Contains) and each.evaluates]
        behind = Either((*dict.fromkeys(contained), rest)) if contained else rest
        return Fact(Items((true,) * longest, behind, pointer))


def _subsets(parts: list[Formula], limit: int) -> list[Formula]:
    """One case for each non-empty set of parts that hold, the others negated; stops past the limit."""
    cases: list[Formula] = []
    for mask in range(1, 1 << len(parts)):
        cases.append(All(tuple(p if mask >> i & 1 else negated(p) for i, p in enumerate(parts))))
        if len(cases) > limit:
            break
    return cases

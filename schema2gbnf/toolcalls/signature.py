"""The arguments that a tool takes: the alternatives of its argument object, and what each says of a parameter.

Comes in: a `Tool`. Goes out: branches (one unless the root of the schema forks), and the `Domain` of a name in a
branch. Nothing is refused: what cannot be read constrains nothing, and the call's events say so. A reference that
leads nowhere or only to itself, and a parameter without a type, thus behave alike: their text is read as JSON where
it is JSON.
"""

from __future__ import annotations

from dataclasses import dataclass

from schema2gbnf.errors import SchemaError
from schema2gbnf.schema.text import Json
from schema2gbnf.semantics.branches import Branch, Expansion, Search, Todo
from schema2gbnf.semantics.formula import Ask, Conjunction, Demand, Members, Obeys, Present
from schema2gbnf.toolcalls.calls import Event
from schema2gbnf.toolcalls.domain import EVERYTHING, Domain, domain_of
from schema2gbnf.toolcalls.shallow import Shallow, shallow

BRANCHES = 64
"""Alternatives of one argument object that are told apart."""


@dataclass(frozen=True, slots=True)
class Alternative:
    """One branch of the argument object."""

    members: tuple[Members, ...] = ()
    required: frozenset[str] = frozenset()

    def demands(self, name: str) -> Conjunction:
        """What the branch says of the value under a name; that there must be none is not said of the value."""
        said = (demand for members in self.members for demand in members.under(name))
        return tuple(dict.fromkeys(demand for demand in said if not _forbids(demand)))

    def fits(self, names: frozenset[str]) -> bool:
        """Whether an object with exactly these names lacks nothing and has nothing that is forbidden."""
        said = (demand for name in names for members in self.members for demand in members.under(name))
        return self.required <= names and not any(map(_forbids, said))


def _forbids(demand: Demand) -> bool:
    return isinstance(demand, Obeys) and demand.sub.value is False


class Signature:
    """What is known of a tool's arguments; each question is answered once."""

    def __init__(self, parameters: Json) -> None:
        self.events: tuple[Event, ...] = ()
        self.branches: tuple[Alternative, ...] = (Alternative(),)
        self._domains: dict[Conjunction, tuple[Domain, tuple[Event, ...]]] = {}
        try:
            self._meaning, root, scope = shallow(parameters)
            self.branches = self._expanded(Todo(Ask(Obeys(root, scope)), None, True, None))
        except (SchemaError, RecursionError) as error:
            self.events = (Event("unreadable-schema", str(error)),)
        declared = (name for branch in self.branches for members in branch.members for name, _ in members.properties)
        self.names = frozenset(declared)

    def domain(self, branch: int, name: str) -> tuple[Domain, tuple[Event, ...]]:
        """The values that a branch allows under a name, and what is to be told of it."""
        demands = self.branches[branch].demands(name)
        if not demands:
            return EVERYTHING, ()
        if demands not in self._domains:
            self._domains[demands] = domain_of(self._meaning, demands)
        return self._domains[demands]

    def knows(self, name: str) -> bool:
        """Whether some branch says anything of the name."""
        return name in self.names or any(branch.demands(name) for branch in self.branches)

    def _expanded(self, todo: Todo) -> tuple[Alternative, ...]:
        found = _Fork(self._meaning, BRANCHES).run(todo)
        if any(branch.lossy for branch in found):
            # Which forks were dropped depends on their order; so drop all of them.
            message = f"more than {BRANCHES} alternatives of the arguments; none of them is told from another"
            self.events = (Event("too-many-branches", message),)
            found = _Fork(self._meaning, 1).run(todo)
        return tuple(dict.fromkeys(map(_alternative, found))) or (Alternative(),)


class _Fork(Expansion):
    """The search for the alternatives of an argument object."""

    def __init__(self, meaning: Shallow, limit: int) -> None:
        super().__init__(meaning, "object", tracking=False)
        self.limit = limit

    def consistent(self, search: Search) -> bool:
        """Alternatives are ruled out by the arguments that come, never beforehand."""
        return True


def _alternative(branch: Branch) -> Alternative:
    facts = [fact.assertion for fact in branch.facts if fact.wanted]
    members = tuple(fact for fact in facts if isinstance(fact, Members))
    return Alternative(members, frozenset(fact.name for fact in facts if isinstance(fact, Present)))

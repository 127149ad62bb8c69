"""Which rules of several programs say the same, whatever they are called.

In come programs; out goes a number for each rule, equal for rules that are written alike when the names in them are
read as the rules they stand for. Rules of equal number have the same texts; the converse does not hold. This is the
coarsest partition that agrees with itself, found by splitting sets of rules until no two in a set look different.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass, field

from schema2gbnf.closed import assert_never
from schema2gbnf.gbnf.program import Call, Choice, Class, Concat, Loop, Node, Program, Text

RuleKey = tuple[int, str]
"""A rule: the number of its program, and its name."""


@dataclass(slots=True)
class Numbering:
    """Numbers for structures, equal for equal ones."""

    numbers: dict[Hashable, int] = field(default_factory=dict)

    def number(self, structure: Hashable) -> int:
        return self.numbers.setdefault(structure, len(self.numbers))


@dataclass(slots=True)
class Partition:
    """Rules in blocks; what is written alike is in one block. Names in `fixed` stand for themselves."""

    programs: tuple[Program, ...]
    fixed: frozenset[str] = frozenset()
    numbering: Numbering = field(default_factory=Numbering)
    block: dict[RuleKey, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        rules = [
            (side, name)
            for side, program in enumerate(self.programs)
            for name in program.nodes
            if name not in self.fixed
        ]
        self.block = dict.fromkeys(rules, 0)
        members = {0: dict.fromkeys(rules)}
        looks = {0: -1}
        fresh = dict.fromkeys(rules)
        while fresh:
            moved = self._split(fresh, members, looks)
            fresh = dict.fromkeys(
                (side, caller)
                for side, name in moved
                for caller in self.programs[side].callers[name]
                if caller not in self.fixed
            )

    def _split(
        self, fresh: Iterable[RuleKey], members: dict[int, dict[RuleKey, None]], looks: dict[int, int]
    ) -> list[RuleKey]:
        """Look at some rules anew, and give new blocks to those that no longer look like the rest of their block."""
        found: dict[int, dict[int, list[RuleKey]]] = {}
        for rule in fresh:
            found.setdefault(self.block[rule], {}).setdefault(self.look(rule), []).append(rule)
        moved: list[RuleKey] = []
        for block, parts in found.items():
            seen = {rule for part in parts.values() for rule in part}
            unseen = len(members[block]) - len(seen)
            if unseen:
                parts.setdefault(looks[block], [])
            # The largest part keeps the number, so that no rule is moved often.
            kept = max(parts, key=lambda look: len(parts[look]) + (unseen if look == looks[block] else 0))
            for look, part in parts.items():
                if look == kept:
                    continue
                if unseen and look == looks[block]:
                    part = part + [rule for rule in members[block] if rule not in seen]
                following = len(members)
                members[following] = dict.fromkeys(part)
                looks[following] = look
                for rule in part:
                    del members[block][rule]
                    self.block[rule] = following
                moved += part
            looks[block] = kept
        return moved

    def look(self, rule: RuleKey) -> int:
        """A number for how a rule is written."""
        side, name = rule
        nodes = self.programs[side].nodes[name]
        return self.looks(side, nodes)[nodes[-1]]

    def looks(self, side: int, nodes: tuple[Node, ...]) -> dict[Node, int]:
        """A number for how each node is written; children come before parents."""
        looks: dict[Node, int] = {}
        for node in nodes:
            looks[node] = self.numbering.number(self._structure(side, node, looks))
        return looks

    def _structure(self, side: int, node: Node, looks: dict[Node, int]) -> Hashable:
        match node:
            case Text(text):
                return "text", text
            case Class(chars):
                return "class", chars
            case Call(name):
                return ("name", name) if name in self.fixed else ("rule", self.block[side, name])
            case Concat(parts):
                return "all", *(looks[part] for part in parts)
            case Choice(options):
                # The order of alternatives means nothing.
                return "any", frozenset(looks[option] for option in options)
            case Loop(item, low, high):
                return "times", looks[item], low, high
            case _:
                assert_never(node)

"""What has become of the rules of a grammar in another: which are new, gone, renamed, or say something else.

In come two grammars; out goes a `Changes`. A rule that only one of them has is the other's renamed when the two are
written alike, once the names in them are read as renamed too.
"""

from __future__ import annotations

from dataclasses import dataclass

from schema2gbnf.gbnf.equivalence import Partition
from schema2gbnf.gbnf.program import Program


@dataclass(frozen=True, slots=True)
class Changes:
    """Rules by name, in the order of the grammars."""

    added: tuple[str, ...]
    removed: tuple[str, ...]
    renamed: tuple[tuple[str, str], ...]
    """Pairs of the name before and the name after."""
    changed: tuple[str, ...]

    def __bool__(self) -> bool:
        return bool(self.added or self.removed or self.renamed or self.changed)


def changes(before: Program, after: Program) -> Changes:
    """What has become of the rules.

    >>> from schema2gbnf.gbnf.parse import parse
    >>> old = Program.of(parse('root ::= x | y\\nx ::= "a" x | "b"\\ny ::= "c"'))
    >>> new = Program.of(parse('root ::= z | y\\nz ::= "a" z | "b"\\ny ::= "d" u\\nu ::= "e"'))
    >>> changes(old, new)
    Changes(added=('u',), removed=(), renamed=(('x', 'z'),), changed=('y',))
    """
    common = frozenset(before.nodes.keys() & after.nodes.keys())
    alike = Partition((before, after), common)
    places: dict[int, list[str]] = {}
    for name in after.nodes:
        if name not in common:
            places.setdefault(alike.block[1, name], []).append(name)
    renamed = []
    removed = []
    for name in before.nodes:
        if name not in common:
            candidates = places.get(alike.block[0, name])
            if candidates:
                renamed.append((name, candidates.pop(0)))
            else:
                removed.append(name)
    found = {new for _, new in renamed}
    return Changes(
        tuple(name for name in after.nodes if name not in common and name not in found),
        tuple(removed),
        tuple(renamed),
        tuple(name for name in before.nodes if name in common and alike.look((0, name)) != alike.look((1, name))),
    )

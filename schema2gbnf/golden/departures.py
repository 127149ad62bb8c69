"""How kept grammars depart from what their schemas become, and how they are brought back."""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from schema2gbnf.api import compile_schema
from schema2gbnf.differences import Difference, Side
from schema2gbnf.errors import SchemaError
from schema2gbnf.gbnf.witnesses import LIMIT
from schema2gbnf.golden.table import Pair, Project

MOST_LINES = 80
"""Lines of a text diff that are shown."""


@dataclass(frozen=True, slots=True)
class Missing:
    """There is no such file yet."""

    grammar: Path
    fresh: str

    def __str__(self) -> str:
        return f"{_shown(self.grammar)}: missing"


@dataclass(frozen=True, slots=True)
class Stale:
    """The file holds something else than the schema becomes."""

    grammar: Path
    kept: str
    fresh: str
    limit: int = LIMIT

    def __str__(self) -> str:
        return "\n".join((f"{_shown(self.grammar)}: not what the schema becomes", *self._lines(), *self._meaning()))

    def _lines(self) -> Iterator[str]:
        """The text diff."""
        lines = list(
            difflib.unified_diff(self.kept.splitlines(), self.fresh.splitlines(), "kept", "fresh", lineterm="")
        )
        yield from lines[:MOST_LINES]
        if len(lines) > MOST_LINES:
            yield f"… and {len(lines) - MOST_LINES} lines more"

    def _meaning(self) -> Iterator[str]:
        """What the difference means for texts."""
        try:
            difference = Difference.between(Side("kept", self.kept), Side("fresh", self.fresh), self.limit)
        except ValueError as error:
            yield f"the kept grammar cannot be read: {error}"
        else:
            yield from difference.witnesses()


@dataclass(frozen=True, slots=True)
class Orphan:
    """The file is where grammars of the table are kept, and is none of them."""

    grammar: Path

    def __str__(self) -> str:
        return f"{_shown(self.grammar)}: no schema becomes this grammar"


@dataclass(frozen=True, slots=True)
class Refused:
    """The schema cannot be compiled."""

    schema: Path
    reason: str

    def __str__(self) -> str:
        return f"{_shown(self.schema)}: {self.reason}"


Departure = Missing | Stale | Orphan | Refused


def check(project: Project, limit: int = LIMIT) -> Iterator[Departure]:
    """The departures of a project; witnesses are looked for in at most `limit` pairs of states each way."""
    for pair in project.pairs:
        found = _of_pair(project, pair, limit)
        if found is not None:
            yield found
    yield from map(Orphan, project.orphans())


def _of_pair(project: Project, pair: Pair, limit: int) -> Departure | None:
    try:
        fresh = compile_schema(pair.schema, pair.options(project.folder)).gbnf
    except SchemaError as error:
        return Refused(pair.schema, str(error))
    return departure(pair.grammar, fresh, limit)


def departure(grammar: Path, fresh: str, limit: int = LIMIT) -> Missing | Stale | None:
    """How a file departs from the text that it should hold."""
    if not grammar.exists():
        return Missing(grammar, fresh)
    kept = grammar.read_bytes().decode("utf-8", "backslashreplace")
    return None if kept == fresh else Stale(grammar, kept, fresh, limit)


def update(found: Departure, prune: bool = False) -> bool:
    """Bring a departure back, if that can be done: write the fresh grammar, or with `prune` remove the orphan."""
    match found:
        case Missing(grammar, fresh) | Stale(grammar, _, fresh):
            grammar.parent.mkdir(parents=True, exist_ok=True)
            grammar.write_bytes(fresh.encode())
            return True
        case Orphan(grammar) if prune:
            grammar.unlink()
            return True
        case _:
            return False


def _shown(path: Path) -> str:
    """A path as people know it: below the current folder, if it is there."""
    here = Path.cwd()
    return path.relative_to(here).as_posix() if path.is_relative_to(here) else str(path)

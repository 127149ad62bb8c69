"""Grammars that are kept in files beside the schemas they come from, and whether they still are what these become.

In comes a folder whose pyproject.toml has a table `[tool.schema2gbnf]`; out go the pairs of schema and grammar that it
names, and for each grammar that is missing, stale or made by no schema a `Departure` that says how it departs: as text,
and by shortest texts that only the kept or only the fresh grammar accepts.
"""

from __future__ import annotations

from schema2gbnf.golden.departures import Departure, Missing, Orphan, Refused, Stale, check, departure, update
from schema2gbnf.golden.table import Pair, Project, TableError

__all__ = [
    "Departure",
    "Missing",
    "Orphan",
    "Pair",
    "Project",
    "Refused",
    "Stale",
    "TableError",
    "check",
    "departure",
    "update",
]

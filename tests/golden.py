"""The golden grammars, as the table in pyproject.toml has them: which example is compiled how, and where it is kept."""

from __future__ import annotations

from pathlib import Path

from schema2gbnf import Result, compile_schema
from schema2gbnf.golden import Project

HOUSE = Path(__file__).parents[1]
EXAMPLES = HOUSE / "examples"
GRAMMARS = HOUSE / "grammars"

PROJECT = Project.at(HOUSE)
PAIRS = {pair.grammar.stem: pair for pair in PROJECT.pairs}
GOLDEN = {name: (pair.schema.stem, pair.choices) for name, pair in PAIRS.items()}
"""For each golden grammar the example, and the options that are not the default ones."""


def compiled(name: str) -> Result:
    """The example of a golden grammar, compiled with its options."""
    pair = PAIRS[name]
    return compile_schema(pair.schema, pair.options(PROJECT.folder))

"""The golden grammars: which example is compiled how, and where the result is kept.

`python -m tests.golden` writes them all anew.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from schema2gbnf import Result, compile_schema

HOUSE = Path(__file__).parents[1]
EXAMPLES = HOUSE / "examples"
GRAMMARS = HOUSE / "grammars"

VARIANTS: dict[str, tuple[str, dict[str, Any]]] = {
    "tool-parameters.compact": ("tool-parameters", {"whitespace": "compact"}),
    "tool-parameters.any-order": ("tool-parameters", {"order": "any"}),
    "mcp-tool.open": ("mcp-tool", {"additional_properties": "spec"}),
    "discriminated-union.any-whitespace": ("discriminated-union", {"whitespace": "any"}),
    "formats.annotated": ("formats", {"formats": "annotate"}),
    "recursive-tree.prop-order": ("recursive-tree", {"prop_order": ("right", "left")}),
}
"""Grammars beside those of the default options: the example, and the options."""

GOLDEN = {
    **{path.stem: (path.stem, dict[str, Any]()) for path in sorted(EXAMPLES.glob("*.json"))},
    **VARIANTS,
}


def compiled(name: str) -> Result:
    """The example of a golden grammar, compiled with its options."""
    example, options = GOLDEN[name]
    return compile_schema(EXAMPLES / f"{example}.json", **options)


def path_of(name: str) -> Path:
    """Where the grammar is kept."""
    return GRAMMARS / f"{name}.gbnf"


if __name__ == "__main__":
    for stale in GRAMMARS.glob("*.gbnf"):
        if stale.stem not in GOLDEN:
            stale.unlink()
    for each in GOLDEN:
        path_of(each).write_text(compiled(each).gbnf, encoding="utf-8", newline="\n")

"""What a grammar costs the engine that decodes with it, and whether any text of it has two readings.

`cost` counts what llama.cpp will do: size, steps to load, ways to read on along texts.
"""

from __future__ import annotations

from schema2gbnf.cost.figures import Cost, Spread, cost
from schema2gbnf.cost.load import Load

__all__ = ["Cost", "Load", "Spread", "cost"]

"""What a grammar costs the engine that decodes with it, and whether any text of it has two readings.

`cost` counts what llama.cpp will do: size, steps to load, ways to read on along texts. `readings` looks for a text with
two readings, and for texts along which the readings grow.
"""

from __future__ import annotations

from schema2gbnf.cost.figures import Cost, Spread, cost
from schema2gbnf.cost.load import Load
from schema2gbnf.cost.readings import Ambiguity, Growth, Readings, readings

__all__ = ["Ambiguity", "Cost", "Growth", "Load", "Readings", "Spread", "cost", "readings"]

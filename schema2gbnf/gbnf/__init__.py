"""GBNF, the grammar language of llama.cpp: written, read, matched and sampled.

Comes in and goes out: a `Grammar`, its text, and texts of it. Nothing here knows of schemas.
"""

from __future__ import annotations

from schema2gbnf.gbnf.match import Accepted, Incomplete, Matcher, Refused, State, Verdict
from schema2gbnf.gbnf.program import LeftRecursionError
from schema2gbnf.gbnf.write import write

__all__ = [
    "Accepted",
    "Incomplete",
    "LeftRecursionError",
    "Matcher",
    "Refused",
    "State",
    "Verdict",
    "write",
]

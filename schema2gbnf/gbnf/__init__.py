"""GBNF, the grammar language of llama.cpp: written, read, matched and sampled.

A `Grammar` comes in and its text goes out, or the other way round; a `Matcher` says of any text whether it is one of
the grammar's, a `Sampler` makes up texts that are. Nothing here knows of schemas.
"""

from __future__ import annotations

from schema2gbnf.gbnf.malformed import GbnfSyntaxError
from schema2gbnf.gbnf.match import Accepted, Incomplete, Matcher, Refused, State, Verdict
from schema2gbnf.gbnf.parse import parse
from schema2gbnf.gbnf.program import LeftRecursionError
from schema2gbnf.gbnf.sample import Sampler, samples
from schema2gbnf.gbnf.write import write

__all__ = [
    "Accepted",
    "GbnfSyntaxError",
    "Incomplete",
    "LeftRecursionError",
    "Matcher",
    "Refused",
    "Sampler",
    "State",
    "Verdict",
    "parse",
    "samples",
    "write",
]

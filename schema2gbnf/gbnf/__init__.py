"""GBNF, the grammar language of llama.cpp: written, read, matched, sampled and compared.

A `Grammar` comes in and its text goes out, or the other way round; a `Matcher` says of any text whether it is one of
the grammar's, a `Sampler` makes up texts that are, `compare` finds texts that only one of two grammars has. Nothing
here knows of schemas.
"""

from __future__ import annotations

from schema2gbnf.gbnf.changes import Changes
from schema2gbnf.gbnf.compare import Comparison, compare
from schema2gbnf.gbnf.malformed import GbnfSyntaxError
from schema2gbnf.gbnf.match import Accepted, Incomplete, Matcher, Refused, State, TooManyReadingsError, Verdict
from schema2gbnf.gbnf.parse import parse
from schema2gbnf.gbnf.program import LeftRecursionError
from schema2gbnf.gbnf.sample import Sampler, samples
from schema2gbnf.gbnf.verdicts import told
from schema2gbnf.gbnf.witnesses import NoWitness, Unknown, Witness
from schema2gbnf.gbnf.write import write

__all__ = [
    "Accepted",
    "Changes",
    "Comparison",
    "GbnfSyntaxError",
    "Incomplete",
    "LeftRecursionError",
    "Matcher",
    "NoWitness",
    "Refused",
    "Sampler",
    "State",
    "TooManyReadingsError",
    "Unknown",
    "Verdict",
    "Witness",
    "compare",
    "parse",
    "samples",
    "told",
    "write",
]

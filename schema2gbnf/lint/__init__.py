"""What is wrong with a grammar, or will be in some engine: each finding with its code, place and remedy.

In comes the text of a grammar, however broken; out come `Diagnostic`s in the order of the text. Errors are what
llama.cpp refuses, misreads, or does not survive; warnings are what other engines refuse, and what is read in needlessly
many ways. The checks stand in the table `CHECKS`. Nothing is refused, but past a size the costly checks are left out.
"""

from __future__ import annotations

from schema2gbnf.lint.diagnostic import Diagnostic, Level
from schema2gbnf.lint.table import CHECKS, Check, lint

__all__ = ["CHECKS", "Check", "Diagnostic", "Level", "lint"]

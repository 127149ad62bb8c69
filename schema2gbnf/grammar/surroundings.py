"""What the writer of one object or array needs of the grammar around it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from schema2gbnf.grammar.drafts import Draft
from schema2gbnf.grammar.rules import Expr
from schema2gbnf.grammar.whitespace import Blanks
from schema2gbnf.semantics.formula import Conjunction
from schema2gbnf.semantics.shapes import Names


@dataclass(frozen=True, slots=True)
class Surroundings:
    """The draft, the blanks, and the expressions of what stands inside."""

    draft: Draft
    blanks: Blanks
    productive: Callable[[Conjunction], bool]
    """Whether some value meets a conjunction."""
    value: Callable[[Conjunction, str], Expr]
    """The expression of a value; the second argument hints at the name of its rule."""
    name_of: Callable[[Names, str], Expr]
    """The expression of an undeclared member's name, from behind its opening quote, with the closing one."""

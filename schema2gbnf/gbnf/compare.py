"""Two grammars side by side: what has become of the rules, and a shortest text each way that only one accepts.

In come two grammars that can be read; out goes a `Comparison`. What a `Matcher` refuses (left recursion, missing rules)
is refused here by the same `ValueError`.
"""

from __future__ import annotations

from dataclasses import dataclass

from schema2gbnf.gbnf.changes import Changes, changes
from schema2gbnf.gbnf.match import Matcher
from schema2gbnf.gbnf.reader import readers
from schema2gbnf.gbnf.witnesses import LIMIT, NoWitness, Outcome, Witness, witness
from schema2gbnf.grammar.rules import Grammar


@dataclass(frozen=True, slots=True)
class Comparison:
    """How the second grammar differs from the first."""

    rules: Changes
    only_first: Outcome
    """A shortest text that only the first accepts."""
    only_second: Outcome
    """A shortest text that only the second accepts."""

    @property
    def differs(self) -> bool:
        """Whether some text is known that only one of the two accepts."""
        return isinstance(self.only_first, Witness) or isinstance(self.only_second, Witness)

    @property
    def equal(self) -> bool:
        """Whether both are known to accept the same texts."""
        return isinstance(self.only_first, NoWitness) and isinstance(self.only_second, NoWitness)


def compare(first: Grammar, second: Grammar, limit: int = LIMIT) -> Comparison:
    """The second grammar compared with the first, visiting at most `limit` pairs of states each way.

    >>> from schema2gbnf.gbnf.parse import parse
    >>> compared = compare(parse('root ::= "a" x*\\nx ::= "b"'), parse('root ::= "a" y+\\ny ::= "b"'))
    >>> compared.rules.renamed, compared.rules.changed
    ((('x', 'y'),), ('root',))
    >>> compared.only_first, compared.only_second
    (Witness(text='a'), NoWitness())
    """
    left, right = Matcher(first), Matcher(second)
    one, other = readers(left, right)
    return Comparison(changes(left.program, right.program), witness(one, other, limit), witness(other, one, limit))

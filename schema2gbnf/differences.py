"""A comparison of two grammars in words: rules side by side, and texts that only one accepts.

In come the texts of the grammars, what people call them, and the comparison; out goes text, or data that JSON can hold.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass

from schema2gbnf.closed import assert_never
from schema2gbnf.gbnf import Comparison, Matcher, NoWitness, Unknown, Witness, compare, parse, told
from schema2gbnf.gbnf.syntax import sources
from schema2gbnf.gbnf.witnesses import LIMIT, Outcome
from schema2gbnf.schema.text import Json

_LONGEST_SHOWN = 400
"""Characters of a text that is shown in full."""


@dataclass(frozen=True, slots=True)
class Side:
    """One of the grammars: what it is called, and its text."""

    name: str
    text: str


@dataclass(frozen=True, slots=True)
class Difference:
    """Two grammars, and how the second differs."""

    first: Side
    second: Side
    comparison: Comparison

    @staticmethod
    def between(first: Side, second: Side, limit: int = LIMIT) -> Difference:
        """The comparison made; a text that is no grammar, or cannot be read against, is refused by `ValueError`.

        >>> old = Side("old", 'root ::= "a" x\\nx ::= "b"\\n')
        >>> new = Side("new", 'root ::= "a" y?\\ny ::= "b"\\n')
        >>> print(Difference.between(old, new))
        renamed: x is y
        changed:
        - root ::= "a" x
        + root ::= "a" y?
        only old accepts: no text
        only new accepts: a
            old: incomplete at 1:2
            a
             ^
            expected 'b'
        """
        return Difference(first, second, compare(parse(first.text), parse(second.text), limit))

    def __str__(self) -> str:
        return "\n".join((*self._rules(), *self.witnesses()))

    def _rules(self) -> Iterator[str]:
        rules = self.comparison.rules
        before, after = sources(self.first.text), sources(self.second.text)
        for old, new in rules.renamed:
            yield f"renamed: {old} is {new}"
        if rules.changed:
            yield "changed:"
        for name in rules.changed:
            yield from _marked("-", before[name])
            yield from _marked("+", after[name])
        for word, mark, names, bodies in (
            ("removed", "-", rules.removed, before),
            ("added", "+", rules.added, after),
        ):
            if names:
                yield f"{word}:"
            for name in names:
                yield from _marked(mark, bodies[name])

    def witnesses(self) -> Iterator[str]:
        """The texts that only one of the two accepts, in lines."""
        if self.comparison.equal:
            yield "both accept the same texts"
            return
        yield from _found(self.comparison.only_first, self.first, self.second)
        yield from _found(self.comparison.only_second, self.second, self.first)

    def data(self) -> Json:
        """The same as JSON can hold it."""
        rules = self.comparison.rules
        before, after = sources(self.first.text), sources(self.second.text)
        return {
            "rules": {
                "added": {name: after[name] for name in rules.added},
                "removed": {name: before[name] for name in rules.removed},
                "renamed": dict(rules.renamed),
                "changed": {name: [before[name], after[name]] for name in rules.changed},
            },
            "only_first": {"grammar": self.first.name, **_outcome(self.comparison.only_first)},
            "only_second": {"grammar": self.second.name, **_outcome(self.comparison.only_second)},
        }


def _marked(mark: str, rule: str) -> Iterator[str]:
    return (f"{mark} {line}" for line in rule.splitlines())


def _found(outcome: Outcome, side: Side, other: Side) -> Iterator[str]:
    match outcome:
        case Witness(text):
            yield f"only {side.name} accepts: {_shown(text)}"
            verdict = told(text, Matcher(parse(other.text)).match(text))
            first, *rest = f"{other.name}: {verdict}".splitlines()
            yield from (f"    {first}", *rest)
        case NoWitness():
            yield f"only {side.name} accepts: no text"
        case Unknown(states, length):
            searched = f"in {states} states; one would have at least {length} characters"
            yield f"only {side.name} accepts: no text found {searched}"
        case _:
            assert_never(outcome)


def _shown(text: str) -> str:
    """A text on one line, cut in the middle where it is long."""
    if not text or not text.isprintable():
        text = json.dumps(text, ensure_ascii=False)
    half = _LONGEST_SHOWN // 2
    return text if len(text) <= _LONGEST_SHOWN else f"{text[:half]} … {text[-half:]} ({len(text)} characters)"


def _outcome(outcome: Outcome) -> dict[str, Json]:
    match outcome:
        case Witness(text):
            return {"found": "text", "text": text}
        case NoWitness():
            return {"found": "nothing"}
        case Unknown(states, length):
            return {"found": "unknown", "states": states, "length": length}
        case _:
            assert_never(outcome)

"""What a verification has found: how much was tried, and every counterexample."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from schema2gbnf.findings import Finding
from schema2gbnf.verification.engines import EngineName

Kind = Literal["false accept", "false reject", "not JSON", "unwritable", "rewritten", "grammar refused", "engine down"]

_SAID: dict[Kind, str] = {
    "false accept": "the grammar accepts a text that the schema refuses",
    "false reject": "the grammar refuses a value that the schema accepts",
    "not JSON": "the grammar accepts a text that is no JSON value",
    "unwritable": "dumps refuses a value that the schema accepts",
    "rewritten": "dumps writes another value than it is given",
    "grammar refused": "an engine does not take the grammar",
    "engine down": "an engine broke down",
}


@dataclass(frozen=True, slots=True)
class Counterexample:
    """One fault, by the smallest text that was found to show it.

    `instance` is a pointer into the value of the text, `keyword` and `pointer` are the place in the schema that is
    concerned (several keywords where it cannot be told which). `times`: how many texts showed the fault before they
    were made small.
    """

    kind: Kind
    text: str
    engines: tuple[EngineName, ...]
    instance: str = "#"
    keyword: str = ""
    pointer: str = "#"
    message: str = ""
    times: int = 1

    def __str__(self) -> str:
        place = ": ".join(part for part in (self.pointer, self.keyword) if part)
        engines = ", ".join(self.engines)
        lines = [f"{place}: {_SAID[self.kind]}" + (f" ({engines})" if engines else "")]
        lines += [f"    {self.text}"] if self.text else []
        detail = ": ".join(part for part in (self.instance if self.instance != "#" else "", self.message) if part)
        lines += [f"    {detail}"] if detail else []
        lines += [f"    and {self.times - 1} more of the kind"] if self.times > 1 else []
        return "\n".join(lines)


@dataclass(frozen=True, slots=True)
class Counts:
    """How much was tried. What is listed from `narrowed` on is no counterexample, and is only counted."""

    sentences: int = 0
    """Sentences that engines drew from the grammar and that were validated."""
    valid: int = 0
    """Valid values that the grammar had to accept."""
    invalid: int = 0
    """Invalid values of which the grammar had to refuse every spelling."""
    narrowed: int = 0
    """Valid values that a finding says are left out."""
    loosened: int = 0
    """Invalid values that a finding says are let in."""
    unjudged: int = 0
    """Values on which the validators differ, or break down."""
    repeated: int = 0
    """Sentences with a member name twice, which no context-free grammar can rule out."""
    unfinished: int = 0
    """Sentences that were broken off because of their length."""


@dataclass(frozen=True, slots=True)
class Verification:
    """The outcome: it is good when there is no counterexample."""

    engines: tuple[EngineName, ...]
    counts: Counts
    counterexamples: tuple[Counterexample, ...]
    findings: tuple[Finding, ...]
    """What the compiler itself tells of the grammar."""

    @property
    def ok(self) -> bool:
        return not self.counterexamples

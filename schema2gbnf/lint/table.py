"""The table of checks, and the linter that runs it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from schema2gbnf.lint import portability, repetition, structure
from schema2gbnf.lint.diagnostic import Diagnostic, Flaw, Level
from schema2gbnf.lint.portability import faulty
from schema2gbnf.lint.stacks import live_stacks
from schema2gbnf.lint.subject import Subject


@dataclass(frozen=True, slots=True)
class Check:
    """A code, how grave what it finds is, and the function that looks for it."""

    code: str
    level: Level
    flaws: Callable[[Subject], Iterator[Flaw]]


def syntax(subject: Subject) -> Iterator[Flaw]:
    """What cannot be read."""
    return (Flaw(error.position, error.message) for error in subject.salvaged.errors)


CHECKS = (
    Check("syntax", "error", syntax),
    Check("undefined-rule", "error", structure.undefined),
    Check("duplicate-rule", "error", structure.duplicate),
    Check("missing-root", "error", structure.missing_root),
    Check("unreachable-rule", "warning", structure.unreachable),
    Check("unproductive-rule", "error", structure.unproductive),
    Check("left-recursion", "error", structure.left_recursion),
    Check("exponential-left-corners", "error", structure.exponential_left_corners),
    Check("unbounded-count", "error", repetition.unbounded),
    Check("refused-count", "error", repetition.refused),
    Check("too-many-symbols", "error", repetition.too_many_symbols),
    Check("reversed-count", "error", faulty("reversed-count")),
    Check("zero-count", "warning", repetition.nothing),
    Check("endless-empty-rounds", "error", repetition.endless_empty_rounds),
    Check("empty-rounds", "warning", repetition.empty_rounds),
    Check("ambiguous-neighbours", "warning", repetition.ambiguous_neighbours),
    Check("bad-escape", "error", faulty("escape")),
    Check("surrogate", "error", faulty("surrogate")),
    Check("empty-class", "error", faulty("empty-class")),
    Check("reversed-range", "error", faulty("reversed-range")),
    Check("token-terminal", "warning", faulty("token-terminal")),
    Check("underscore-in-name", "error", portability.underscore),
    Check("name-start", "warning", portability.name_start),
    Check("name-clash", "warning", portability.name_clash),
    Check("empty-alternative", "warning", portability.empty_alternative),
    Check("dot", "warning", portability.dot),
    Check("unicode-escape", "warning", portability.unicode_escape),
    Check("unportable-escape", "warning", portability.unportable_escape),
    Check("hex-before-digit", "warning", portability.hex_before_digit),
    Check("raw-control", "warning", portability.raw_control),
    Check("negated-non-ascii", "warning", portability.negated_non_ascii),
    Check("doubled-sign", "warning", portability.doubled_sign),
    Check("nested-count", "warning", portability.nested_count),
    Check("deep-groups", "warning", portability.deep_groups),
    Check("live-stacks", "warning", live_stacks),
)
"""Every check there is."""


def lint(text: str) -> tuple[Diagnostic, ...]:
    """What is wrong with a grammar, in the order of the text.

    >>> for each in lint('root ::= "a"{0,3000} | x root'):
    ...     print(each)
    1:13: error: unbounded-count: llama.cpp silently takes {0,3000}, as any bound over 2000, for {0,}; \
count in blocks: a rule for x{200}, and that ten times
    1:24: error: undefined-rule: the rule x is not defined; define it, or correct the name
    """
    subject = Subject.of(text)
    found = [(flaw.position, check, flaw.message) for check in CHECKS for flaw in check.flaws(subject)]
    found.sort(key=lambda each: each[0])
    return tuple(
        Diagnostic(check.level, check.code, *subject.lines.place(position), message)
        for position, check, message in found
    )

"""Verdicts in words, with a caret where a text went wrong."""

from __future__ import annotations

from schema2gbnf.closed import assert_never
from schema2gbnf.excerpt import Excerpt
from schema2gbnf.gbnf.match import Accepted, Incomplete, Refused, Verdict

MOST_EXPECTED = 12
"""How many things that could come next are told."""


def told(text: str, verdict: Verdict) -> str:
    """The verdict on a text, in one line or four.

    >>> print(told("[1;2]", Refused(2, ("','", "']'"))))
    refused at 1:3
        [1;2]
          ^
        expected ',', ']'
    """
    match verdict:
        case Accepted():
            return "accepted"
        case Incomplete(expected):
            word, excerpt = "incomplete", Excerpt.at(text, len(text))
        case Refused(offset, expected):
            word, excerpt = "refused", Excerpt.at(text, offset)
        case _:
            assert_never(verdict)
    return f"{word} at {excerpt.line}:{excerpt.column}\n{excerpt}\n    expected {_listed(expected)}"


def _listed(expected: tuple[str, ...]) -> str:
    shown = expected[:MOST_EXPECTED]
    rest = len(expected) - len(shown)
    return ", ".join(shown) + (f" and {rest} more" if rest else "")

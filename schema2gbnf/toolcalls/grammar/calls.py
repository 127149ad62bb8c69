"""Calls in a turn of the model: one or several, in free text or not, from the turn's beginning or from a trigger on.

Comes in: the calls of all tools, and which of them a request wants. Goes out: the roots of two grammars in one draft,
the `full` one of the whole turn and the `lazy` one that starts at a trigger; there is a lazy one only where a turn
without a call is right too.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from schema2gbnf.grammar.automata import automaton
from schema2gbnf.grammar.drafts import Draft
from schema2gbnf.grammar.repetition import repetition
from schema2gbnf.grammar.rules import EMPTY, Expr, Literal, alternation, repeat, sequence
from schema2gbnf.grammar.strings import RAW
from schema2gbnf.grammar.tries import factored
from schema2gbnf.languages.ends import without
from schema2gbnf.toolcalls.grammar.part import Part, spelled_name
from schema2gbnf.toolcalls.grammar.wire import Wire

CALL, BEGUN_CALL, TEXT, MORE = "tool-call", "function-call", "text", "more-calls"
NAMES = (
    CALL,
    BEGUN_CALL,
    TEXT,
    MORE,
    "recipient-in-role",
    "recipient-in-channel",
    "channel",
    "constraint",
    "other-message",
)
"""Names of rules that no tool's rules get."""

START, MESSAGE, END_OF_MESSAGE = "<|start|>assistant", "<|message|>", "<|end|>"


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a turn is to be."""

    required: bool
    """At least one call."""
    most: int | None
    """At most so many; None is unbounded."""


def full(wire: Wire, parts: Iterable[Part], wanted: Wanted, draft: Draft) -> Expr:
    """The turn from its beginning."""
    calls = _several(wire, _call(wire, tuple(parts), draft), wanted, draft)
    text = _text(wire, draft)
    if wire.name != "harmony":
        return sequence(text, calls if wanted.required else repeat(calls, 0, 1))
    channel = Literal("<|channel|>")
    other = sequence(channel, alternation(Literal("analysis"), Literal("commentary")), Literal(MESSAGE), text)
    other = draft.share("other-message", sequence(other, Literal(END_OF_MESSAGE + START)))
    final = sequence(channel, Literal(f"final{MESSAGE}"), text)
    return sequence(repeat(other, 0, None), calls if wanted.required else alternation(calls, final))


def lazy(wire: Wire, parts: Iterable[Part], wanted: Wanted, draft: Draft) -> Expr:
    """The turn from a trigger on, which may be behind the beginning of the first call."""
    parts = tuple(parts)
    call = _call(wire, parts, draft)
    if not wire.optional_opening:
        return _several(wire, call, wanted, draft)
    begun = sequence(repeat(Literal(wire.optional_opening), 0, 1), _begun_call(wire, parts, draft))
    return sequence(begun, _more(wire, call, wanted, draft))


def _call(wire: Wire, parts: tuple[Part, ...], draft: Draft) -> Expr:
    """One call of one of the tools."""
    if wire.name == "harmony":
        return _harmony_call(wire, parts, draft)
    return draft.share(CALL, sequence(Literal(wire.optional_opening), _begun_call(wire, parts, draft)))


def _begun_call(wire: Wire, parts: tuple[Part, ...], draft: Draft) -> Expr:
    """A call without the part of its opening that may be lacking."""
    opening = wire.opening.removeprefix(wire.optional_opening)
    calls = (
        sequence(Literal(opening + spelled_name(each.tool, wire) + wire.before_arguments), each.arguments)
        for each in parts
    )
    return draft.share(BEGUN_CALL, factored(calls)) if wire.optional_opening else factored(calls)


def _harmony_call(wire: Wire, parts: tuple[Part, ...], draft: Draft) -> Expr:
    """A call whose recipient stands in the role or in the channel of its header."""
    channel = sequence(Literal("<|channel|>"), alternation(Literal("commentary"), Literal("analysis")))
    channel = draft.share("channel", channel)
    named = alternation(Literal(" json"), sequence(repeat(Literal(" "), 0, 1), Literal("<|constrain|>json")))
    constraint = draft.share("constraint", repeat(named, 0, 1))

    def recipient(*header: Expr) -> Expr:
        calls = (
            sequence(Literal(wire.opening + each.tool.name), *header, Literal(wire.before_arguments), each.arguments)
            for each in parts
        )
        return factored(calls)

    in_role = draft.share("recipient-in-role", recipient(channel, constraint))
    in_channel = draft.share("recipient-in-channel", sequence(channel, recipient(constraint)))
    return draft.share(CALL, alternation(in_role, in_channel))


def _several(wire: Wire, call: Expr, wanted: Wanted, draft: Draft) -> Expr:
    return sequence(call, _more(wire, call, wanted, draft))


def _more(wire: Wire, call: Expr, wanted: Wanted, draft: Draft) -> Expr:
    """Further calls."""
    if wanted.most == 1:
        return EMPTY
    separator = factored(Literal(text) if text else EMPTY for text in wire.separators)
    another = sequence(separator, call)
    return repetition(another, 0, None if wanted.most is None else wanted.most - 1, draft, MORE)


def _text(wire: Wire, draft: Draft) -> Expr:
    """Text without anything that begins a call."""
    return draft.share(TEXT, automaton(without(wire.text), RAW, draft, TEXT))

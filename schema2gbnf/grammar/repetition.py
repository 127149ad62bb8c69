"""Repetition within any bounds, in the few forms that every engine reads alike.

Comes in: an expression that is never the empty text, and how often it may stand. Goes out: an expression of exactly
these repetitions. Braces stand only behind a rule name, a class or a literal, and never hold more than 2000: beyond,
llama.cpp takes `{0,n}` for unbounded, without a word, and refuses `{n}`.

Larger bounds are counted in blocks, `b ::= x{250}`, as one counts in tens: up to `250 q + r` of x is either fewer than
q blocks and up to 249 more, or q blocks and up to r more. A count has one such form, and at any time two or three ways
to go on are open, where n single optional steps would be n rules.
"""

from __future__ import annotations

from schema2gbnf.grammar.drafts import Draft
from schema2gbnf.grammar.rules import EMPTY, CharClass, Expr, Literal, Ref, alternation, repeat, sequence

DIRECT = 2000
"""The largest bound that all engines count."""

BLOCK = 250


def repetition(item: Expr, low: int, high: int | None, draft: Draft, hint: str) -> Expr:
    """The item from `low` to `high` times, `high` None when unbounded; `hint` names the item if it needs a rule.

    >>> repetition(Ref("char"), 0, 500_003, Draft(), "char")  # doctest: +NORMALIZE_WHITESPACE
    Alternation(options=(Sequence(parts=(Repeat(item=Ref(name='char-250'), low=0, high=1999),
                                         Repeat(item=Ref(name='char'), low=0, high=249))),
                         Sequence(parts=(Repeat(item=Ref(name='char-250'), low=2000, high=2000),
                                         Repeat(item=Ref(name='char'), low=0, high=3)))))
    """
    if high == 0 or item == EMPTY or (low <= 1 and high in (1, None)):
        return repeat(item, low, high)
    if not isinstance(item, Ref | CharClass | Literal):
        item = draft.share(hint, item)
    if isinstance(item, Ref):
        hint = item.name
    if low <= DIRECT and (high is None or high <= DIRECT):
        return repeat(item, low, high)
    first = _exactly(item, low, 1, draft, hint)
    rest = repeat(item, 0, None) if high is None else _up_to(item, high - low, 1, draft, hint)
    return sequence(first, rest)


def _exactly(item: Expr, count: int, size: int, draft: Draft, hint: str) -> Expr:
    """`count` times the item, which itself is `size` units long."""
    if count <= DIRECT:
        return repeat(item, count, count)
    blocks, rest = divmod(count, BLOCK)
    size *= BLOCK
    return sequence(_exactly(_block(item, size, draft, hint), blocks, size, draft, hint), repeat(item, rest, rest))


def _up_to(item: Expr, count: int, size: int, draft: Draft, hint: str) -> Expr:
    """At most `count` times the item, which itself is `size` units long."""
    if count <= DIRECT:
        return repeat(item, 0, count)
    blocks, rest = divmod(count, BLOCK)
    size *= BLOCK
    block = _block(item, size, draft, hint)
    if rest == BLOCK - 1:
        return sequence(_up_to(block, blocks, size, draft, hint), repeat(item, 0, rest))
    return alternation(
        sequence(_up_to(block, blocks - 1, size, draft, hint), repeat(item, 0, BLOCK - 1)),
        sequence(_exactly(block, blocks, size, draft, hint), repeat(item, 0, rest)),
    )


def _block(item: Expr, size: int, draft: Draft, hint: str) -> Ref:
    return draft.share(f"{hint}-{size}", repeat(item, BLOCK, BLOCK))


def until(item: Expr, then: Expr, draft: Draft, hint: str) -> Ref:
    """Any number of the item, then the other: a rule in which the other is tried before one more item.

    The engine tries every token on every option. What takes nearly all of them is best tried last, and a star is
    always tried first: with `rest ::= "\"" | char rest` a mask of a free string costs a third less than with `char*`.
    """

    def make() -> Expr:
        ref = draft.reserve(hint, (item, then))
        return draft.define(ref, alternation(then, sequence(item, ref)))

    ref = draft.once(("until", item, then), make)
    assert isinstance(ref, Ref)
    return ref

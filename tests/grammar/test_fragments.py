"""Fragments: an expression printed once and brought into other drafts reads as if it were printed there."""

from __future__ import annotations

import pytest

from schema2gbnf.grammar.drafts import Draft
from schema2gbnf.grammar.rules import Expr, Literal, Ref, alternation, sequence


def loop(draft: Draft) -> Expr:
    """A recursive rule around a shared one, made under a key."""

    def make() -> Expr:
        shared = draft.share("letter", alternation(Literal("a"), Literal("b")))
        ref = draft.reserve("loop", "loop")
        return draft.define(ref, alternation(Literal("!"), sequence(shared, ref)))

    return sequence(Literal("<"), draft.once("loop", make))


def empty() -> Draft:
    return Draft()


def with_the_loop() -> Draft:
    draft = Draft()
    loop(draft)
    return draft


def with_the_letters() -> Draft:
    draft = Draft()
    draft.share("letter", alternation(Literal("a"), Literal("b")))
    return draft


@pytest.mark.parametrize("begun", [empty, with_the_loop, with_the_letters])
def test_what_is_brought_is_what_is_made(begun: object) -> None:
    assert callable(begun)
    made, brought = begun(), begun()
    expr = loop(made)
    assert brought.bring(Draft.fragment(loop)) == expr
    assert brought == made


def with_another_loop() -> Draft:
    draft = Draft()
    draft.define(draft.reserve("loop", "mine"), Literal("x"))
    return draft


def with_the_letters_elsewhere() -> Draft:
    draft = Draft()
    draft.share("sign", alternation(Literal("a"), Literal("b")))
    return draft


def with_other_letters() -> Draft:
    draft = Draft()
    draft.share("letter", Literal("c"))
    return draft


def with_the_key_made_otherwise() -> Draft:
    draft = Draft()
    draft.once("loop", lambda: Ref("else"))
    return draft


@pytest.mark.parametrize(
    "begun", [with_another_loop, with_the_letters_elsewhere, with_other_letters, with_the_key_made_otherwise]
)
def test_nothing_is_brought_where_names_would_differ(begun: object) -> None:
    assert callable(begun)
    draft, before = begun(), begun()
    assert draft.bring(Draft.fragment(loop)) is None
    assert draft == before


def test_a_fragment_knows_its_size() -> None:
    assert Draft.fragment(lambda draft: Literal("a")).size == 1
    assert Draft.fragment(loop).size > 8

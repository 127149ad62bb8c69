"""Grammars for hypothesis, in the simple form of the constructors and the portable part of GBNF."""

from __future__ import annotations

from hypothesis import strategies as st

from schema2gbnf.gbnf.program import Loop, Program
from schema2gbnf.grammar.rules import (
    EMPTY,
    NOTHING,
    CharClass,
    Expr,
    Grammar,
    Literal,
    Ref,
    alternation,
    repeat,
    sequence,
)
from schema2gbnf.languages.charset import TEXT, CharSet

AWKWARD = '\0\n\r\t\x1f "#()*+-./?[\\]^{|}0aAfgz~\x7f\x80\xe9\u2028\ud7ff\ue000\uffff\U0001f600\U0010ffff'
"""Characters at which a spelling or a range can go wrong."""


def literals(alphabet: str) -> st.SearchStrategy[Expr]:
    return st.text(alphabet, min_size=1, max_size=4).map(Literal)


def classes(alphabet: str) -> st.SearchStrategy[Expr]:
    """Classes whose ranges begin and end in the alphabet, plain and negated."""
    ends = st.lists(st.tuples(st.sampled_from(alphabet), st.sampled_from(alphabet)), min_size=1, max_size=4)
    spans = ends.map(lambda pairs: CharSet.union((ord(min(pair)), ord(max(pair))) for pair in pairs) & TEXT)
    return st.one_of(spans, spans.map(lambda chars: TEXT - chars)).filter(bool).map(CharClass)


def expressions(alphabet: str, names: tuple[str, ...], guard: bool = False) -> st.SearchStrategy[Expr]:
    """Expressions that use these rules; with `guard`, a rule is only named behind a character, so none recurs left."""
    references: st.SearchStrategy[Expr] = st.sampled_from(names).map(Ref)
    if guard:
        references = st.builds(sequence, literals(alphabet), references)
    atoms = st.one_of(literals(alphabet), classes(alphabet), references)
    counted = st.builds(
        lambda item, low, more: repeat(item, low, None if more is None else low + more),
        atoms.filter(lambda atom: isinstance(atom, (Literal, CharClass, Ref))),
        st.integers(0, 3),
        st.none() | st.integers(0, 3),
    )

    def larger(inner: st.SearchStrategy[Expr]) -> st.SearchStrategy[Expr]:
        several = st.lists(inner, min_size=1, max_size=4)
        return st.one_of(
            several.map(lambda parts: sequence(*parts)),
            st.builds(
                lambda options, optional: alternation(*options, *([EMPTY] if optional else [])), several, st.booleans()
            ),
            st.builds(
                lambda item, bounds: repeat(item, *bounds), inner, st.sampled_from([(0, None), (1, None), (0, 1)])
            ),
        )

    return st.recursive(st.one_of(atoms, counted), larger, max_leaves=8)


@st.composite
def _any_grammars(draw: st.DrawFn, alphabet: str, guard: bool) -> Grammar:
    names = ("root", "x", "ruleB", "y-2")[: draw(st.integers(1, 4))]
    body = expressions(alphabet, names, guard).filter(lambda expr: expr != NOTHING)
    return Grammar({name: draw(body) for name in names})


def grammars(alphabet: str = AWKWARD) -> st.SearchStrategy[Grammar]:
    """Grammars of up to four rules, left-recursive and useless ones among them."""
    return _any_grammars(alphabet, guard=False)


def readable_grammars(alphabet: str = AWKWARD) -> st.SearchStrategy[Grammar]:
    """Grammars that can be read: without left recursion, rules without a text, or rounds that may read nothing."""
    return _any_grammars(alphabet, guard=True).filter(_is_readable)


def _is_readable(grammar: Grammar) -> bool:
    program = Program.of(grammar)
    program.refuse_left_recursion()
    nodes = [node for inside in program.nodes.values() for node in inside]
    return all(node.productive and not (isinstance(node, Loop) and node.item.nullable) for node in nodes)

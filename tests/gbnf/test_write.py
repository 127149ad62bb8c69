"""What grammars look like as text, and that every engine reads that text."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from schema2gbnf.gbnf import parse, write
from schema2gbnf.grammar.rules import (
    EMPTY,
    NOTHING,
    Alternation,
    CharClass,
    Expr,
    Grammar,
    Literal,
    Ref,
    Repeat,
    Sequence,
    alternation,
    repeat,
    sequence,
)
from schema2gbnf.languages.charset import ANY, DIGIT, SURROGATES, TEXT, CharSet
from tests.engine import Engine
from tests.gbnf.strategies import AWKWARD, grammars, readable_grammars

A, B, C, X = Literal("a"), Literal("b"), Literal("c"), Ref("x")


def chars(*spans: str) -> CharClass:
    return CharClass(CharSet.union((ord(span[0]), ord(span[-1])) for span in spans))


def without(*spans: str) -> CharClass:
    return CharClass(TEXT - chars(*spans).chars)


SPELLED: list[tuple[Expr, str]] = [
    # literals
    (Literal("plain text"), '"plain text"'),
    (Literal('say "hi"\\'), r'"say \"hi\"\\"'),
    (Literal("[]-^'/{é😀"), '"[]-^\'/{é😀"'),
    (Literal("\n\r\t"), r'"\n\r\t"'),
    (Literal("\0\x1f\x7f"), r'"\x00\x1F\x7F"'),
    (Literal("\x01g\x01"), r'"\x01g\x01"'),
    (Literal("\x01a\x02b\n0"), r'"\x01" "a\x02" "b\n0"'),
    (Literal("\\x410"), r'"\\x410"'),
    (Literal(""), '""'),
    # character classes
    (CharClass(DIGIT), "[0-9]"),
    (chars("a"), "[a]"),
    (chars("a", "b", "d"), "[abd]"),
    (chars("ac", "x"), "[a-cx]"),
    (chars("a", "-", "z"), "[az-]"),
    (chars("+-"), "[+,-]"),
    (chars("!-"), "[!-,-]"),
    (chars("-/"), "[./-]"),
    (chars(" ~"), "[ -~]"),
    (chars("-"), "[-]"),
    (chars("^"), r"[\x5E]"),
    (chars("^", "a"), "[a^]"),
    (chars("^", "A"), "[A^]"),
    (chars("^_", "-"), r"[\x5E_-]"),
    (chars("^z"), r"[\x5E-z]"),
    (chars("^", "\0\x1f"), r"[\x00-\x1F^]"),
    (chars("^", "c", "\0\x1f"), r"[c^\x00-\x1F]"),
    (chars("[", "]", "\\"), r"[[-\]]"),
    (chars("]", "["), r"[[\]]"),
    (chars("\0\x1f", "a"), r"[a\x00-\x1F]"),
    (chars("\0A", "\n", "f"), r"[\x00-Af]"),
    (chars("\t\n", "\r", "-"), r"[\t\n\r-]"),
    (chars("é", "😀"), "[é😀]"),
    (without('"', "\\", "\0\x1f"), r'[^"\\\x00-\x1F]'),
    (without("-"), "[^-]"),
    (without("^"), r"[^\x5E]"),
    (without("\0\x7f"), r"[^\x00-\x7F]"),
    (without("é"), "[\\x00-èê-\ud7ff\ue000-\U0010ffff]"),
    (CharClass(TEXT), "[\\x00-\ud7ff\ue000-\U0010ffff]"),
    (CharClass(ANY), "[\\x00-\ud7ff\ue000-\U0010ffff]"),
    # sequences and alternations
    (sequence(A, X, chars("b")), '"a" x [b]'),
    (alternation(A, sequence(B, X)), '"a" | "b" x'),
    (sequence(alternation(A, X), B), '("a" | x) "b"'),
    (sequence(A, alternation(B, EMPTY)), '"a" "b"?'),
    (alternation(A, B, EMPTY), '("a" | "b")?'),
    (Alternation((A, EMPTY)), '"a" | ""'),
    (Sequence((A, Alternation((EMPTY, B)))), '"a" ("" | "b")'),
    (EMPTY, '""'),
    # repetition
    (repeat(A, 0, None), '"a"*'),
    (repeat(X, 1, None), "x+"),
    (repeat(CharClass(DIGIT), 0, 1), "[0-9]?"),
    (repeat(A, 3, 3), '"a"{3}'),
    (repeat(X, 2, None), "x{2,}"),
    (repeat(CharClass(DIGIT), 0, 9), "[0-9]{0,9}"),
    (repeat(X, 0, 2000), "x{0,2000}"),
    (repeat(Literal("ab"), 2, 3), '"ab"{2,3}'),
    (repeat(sequence(A, X), 0, None), '("a" x)*'),
    (repeat(alternation(A, X), 1, None), '("a" | x)+'),
    (repeat(sequence(A, repeat(X, 2, 3)), 0, 1), '("a" x{2,3})?'),
    (repeat(sequence(A, repeat(sequence(B, repeat(C, 0, 1)), 0, 1)), 0, 1), '("a" ("b" "c"?)?)?'),
    (repeat(repeat(X, 2, 3), 0, 1), '(x{2,3} "")?'),
    (repeat(repeat(X, 1, None), 0, None), '(x+ "")*'),
    (repeat(Literal("\0a"), 0, None), r'("\x00" "a")*'),
]


def grammar_of(body: Expr) -> Grammar:
    return Grammar({"root": body, "x": Literal("x")})


@pytest.mark.parametrize(("expr", "spelled"), SPELLED, ids=[spelled for _, spelled in SPELLED])
def test_spelling(expr: Expr, spelled: str) -> None:
    assert write(grammar_of(expr)) == f'root ::= {spelled}\nx ::= "x"\n'


def test_a_long_rule_is_broken_behind_its_bars() -> None:
    text = write(Grammar({"root": alternation(*(Literal(f"option {number}") for number in range(30)))}))
    lines = text.splitlines()
    assert len(lines) > 1
    assert max(map(len, lines)) <= 120
    assert all(line.endswith(" |") for line in lines[:-1])
    assert all(line.startswith('    "') for line in lines[1:])


REFUSED: list[tuple[Expr, str]] = [
    (NOTHING, "the rule root has no text"),
    (Sequence((A, NOTHING)), "an alternative that has no text"),
    (Sequence((A, CharClass(CharSet(())))), "a character class without a character"),
    (CharClass(SURROGATES), "a character class without a character"),
    (Literal("\ud800"), r"lone surrogate U\+D800"),
    (Repeat(X, 0, 2001), "more than 2000"),
    (Repeat(X, 2001, None), "more than 2000"),
    (Repeat(X, 3, 2), "from 3 to 2"),
    (Repeat(X, 0, 0), "from 0 to 0"),
    (Repeat(X, -1, 2), "from -1 to 2"),
    (Repeat(EMPTY, 0, None), "repeats the empty text"),
    (Repeat(Literal(""), 0, None), "repeats the empty text"),
    (repeat(sequence(A, X), 2, 3), "counts the repetitions of a group"),
    (repeat(repeat(X, 2, 3), 4, 5), "counts the repetitions of a group"),
    (repeat(sequence(repeat(A, 0, 1000), repeat(B, 0, 1000)), 0, 1), "a group too large"),
]


@pytest.mark.parametrize(("expr", "reason"), REFUSED)
def test_what_has_no_portable_spelling_is_refused(expr: Expr, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        write(grammar_of(expr))


@pytest.mark.parametrize("name", ["Rule", "2nd", "a_b", "a b", "", "é", "start", "x-"])
def test_names_that_not_every_engine_takes_are_refused(name: str) -> None:
    if name == "x-":
        write(Grammar({"root": A, name: A}))
        return
    with pytest.raises(ValueError, match="name"):
        write(Grammar({"root": A, name: A}))


def test_names_that_llguidance_folds_into_one_are_refused() -> None:
    with pytest.raises(ValueError, match="apart"):
        write(Grammar({"root": A, "fooBar": A, "foo-bar": A}))


def test_a_grammar_starts_at_root() -> None:
    with pytest.raises(ValueError, match="root"):
        write(Grammar({"x": A}, root="x"))


def nested(levels: int) -> Grammar:
    body: Expr = A
    for _ in range(levels):
        body = Repeat(Sequence((B, body)), 0, 1)
    return Grammar({"root": body})


def test_a_deep_expression_is_written() -> None:
    assert write(nested(150)).count("(") == 150


def test_a_bottomless_expression_is_refused() -> None:
    with pytest.raises(ValueError, match="too deeply"):
        write(nested(800))


@given(grammars())
def test_parsing_is_the_inverse_of_writing(grammar: Grammar) -> None:
    assert parse(write(grammar)) == grammar


# -- the engines -----------------------------------------------------------------------------------------------------


def llguidance_complaint(gbnf: str) -> str:
    """What llguidance's reader of GBNF has against a text; nothing when it takes it."""
    reason = "llguidance is needed to ask its reader"
    reader = pytest.importorskip("llguidance.gbnf_to_lark", reason=reason)
    llguidance = pytest.importorskip("llguidance", reason=reason)
    compiled = llguidance.LLMatcher.grammar_from_lark(reader.gbnf_to_lark(gbnf))
    return str(llguidance.LLMatcher.validate_grammar(compiled))


@pytest.mark.parametrize(("expr", "spelled"), SPELLED, ids=[spelled for _, spelled in SPELLED])
def test_every_spelling_is_read_by_every_engine(engine: Engine, expr: Expr, spelled: str) -> None:
    text = write(Grammar({"root": sequence(Literal(">"), expr), "x": Literal("x")}))
    assert engine.load(text) is not None
    assert llguidance_complaint(text) == ""


def test_a_broken_rule_is_read_by_every_engine(engine: Engine) -> None:
    text = write(Grammar({"root": sequence(A, X), "x": alternation(*(Literal(f"option {n}") for n in range(30)))}))
    grammar = engine.load(text)
    assert grammar is not None
    assert all(engine.accepts(grammar, f"aoption {number}") for number in range(30))
    assert llguidance_complaint(text) == ""


@pytest.mark.parametrize("size", [999, 1000])
def test_the_largest_group_that_llama_cpp_repeats(engine: Engine, size: int) -> None:
    group = sequence(repeat(A, 0, 1000), repeat(B, 0, size))
    bodies = [sequence(repeat(group, 0, 1), C), sequence(group, C)]
    # One symbol more for the group itself.
    if size == 999:
        assert engine.load(write(grammar_of(bodies[0]))) is not None
    else:
        ungrouped = write(grammar_of(bodies[1]))
        assert engine.load(ungrouped.replace("root ::= ", "root ::= (").replace(' "c"', ')? "c"')) is None


@settings(max_examples=60)
@given(grammar=readable_grammars())
def test_every_grammar_is_read_by_every_engine(engine: Engine, grammar: Grammar) -> None:
    text = write(grammar)
    assert engine.load(text) is not None
    assert llguidance_complaint(text) == ""


@given(grammar=readable_grammars())
@settings(max_examples=60)
def test_the_engine_reads_characters_as_they_were_meant(engine: Engine, grammar: Grammar) -> None:
    """One character of a class, or all of a literal: the parts in which escapes stand."""
    loaded = {}
    for body in grammar.rules.values():
        for atom in (body, *getattr(body, "parts", ()), *getattr(body, "options", ())):
            if isinstance(atom, (Literal, CharClass)):
                loaded[atom] = engine.load(write(Grammar({"root": atom})))
    for atom, reading in loaded.items():
        assert reading is not None
        if isinstance(atom, Literal) and "\0" not in atom.text:
            assert engine.accepts(reading, atom.text)
        if isinstance(atom, CharClass):
            for character in AWKWARD[1:]:
                assert engine.accepts(reading, character) == (character in atom.chars)

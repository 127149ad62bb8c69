"""How GBNF is read: what each piece of syntax means, what is refused and where, and that llama.cpp agrees."""

from __future__ import annotations

import pytest
from hypothesis import given

from schema2gbnf.gbnf import GbnfSyntaxError, parse, write
from schema2gbnf.gbnf.malformed import MALFORMED
from schema2gbnf.grammar.rules import EMPTY, CharClass, Expr, Grammar, Literal, Ref, alternation, repeat, sequence
from schema2gbnf.languages.charset import TEXT, CharSet
from tests.engine import Engine
from tests.gbnf.strategies import grammars

A, B, C, X = Literal("a"), Literal("b"), Literal("c"), Ref("x")


def chars(characters: str) -> CharClass:
    return CharClass(CharSet.of(characters))


READ: list[tuple[str, Expr]] = [
    # literals and their escapes
    ('"a"', A),
    ('""', EMPTY),
    ('"a" "b"', Literal("ab")),
    (r'"\n\r\t\\\"\[\]\-"', Literal('\n\r\t\\"[]-')),
    (r'"\x41\u00e9\U0001F600"', Literal("Aé😀")),
    (r'"\x41B"', Literal("AB")),
    ('"é😀\t"', Literal("é😀\t")),
    ('"two\nlines"', Literal("two\nlines")),
    ('"# no comment"', Literal("# no comment")),
    # character classes
    ("[abc]", chars("abc")),
    ("[a-c]", chars("abc")),
    ("[a-cx-z]", chars("abcxyz")),
    ("[a-]", chars("a-")),
    ("[-a]", chars("-a")),
    ("[-]", chars("-")),
    ("[a-c-]", chars("abc-")),
    ("[!--]", CharClass(CharSet.span("!", "-"))),
    (r"[a\-c]", chars("a-c")),
    (r"[\[\]\\]", chars("[]\\")),
    (r"[Z-\]]", chars("Z[\\]")),
    (r"[\x41-\u0043]", chars("ABC")),
    ('["]', chars('"')),
    ("[[]", chars("[")),
    ("[a^]", chars("a^")),
    ("[^a]", CharClass(TEXT - CharSet.of("a"))),
    ("[^^]", CharClass(TEXT - CharSet.of("^"))),
    ("[^-]", CharClass(TEXT - CharSet.of("-"))),
    ("[^é]", CharClass(TEXT - CharSet.of("é"))),
    (r"[\uD7FF-\uE000]", chars("\ud7ff\ue000")),
    ("[# a]", chars("# a")),
    (".", CharClass(TEXT)),
    # sequences, alternatives, groups
    ('"a" x', sequence(A, X)),
    ('"a"x', sequence(A, X)),
    ('"a" | x', alternation(A, X)),
    ('| "a"', alternation(EMPTY, A)),
    ('"a" |', alternation(A, EMPTY)),
    ('"a" | | x', alternation(A, EMPTY, X)),
    ('"a" | "a"', A),
    ('"a" | "b" x', alternation(A, sequence(B, X))),
    ('("a" | x) "b"', sequence(alternation(A, X), B)),
    ('("a" | ("b" | x))', alternation(A, B, X)),
    ('(("a"))', A),
    ("()", EMPTY),
    # repetition
    ("x*", repeat(X, 0, None)),
    ("x +", repeat(X, 1, None)),
    ("x?", repeat(X, 0, 1)),
    ("x{3}", repeat(X, 3, 3)),
    ("x{3,}", repeat(X, 3, None)),
    ("x{0,3}", repeat(X, 0, 3)),
    ("x{ 1 , 3 }", repeat(X, 1, 3)),
    ("x{0}", EMPTY),
    ('"ab"*', repeat(Literal("ab"), 0, None)),
    ('"a" "b"*', sequence(A, repeat(B, 0, None))),
    ('("a" x)+', repeat(sequence(A, X), 1, None)),
    ("x+?", repeat(X, 0, None)),
    # lines and comments
    ('"a" # comment', A),
    ("\n\n  # comment\n  x", X),
    ('"a" |\n  x', alternation(A, X)),
    ('"a" | # comment\n\n  # another\n  x', alternation(A, X)),
    ('(\n"a"\n| x # comment\n)\n', alternation(A, X)),
    ('("a"\n"b"\n*)', sequence(A, repeat(B, 0, None))),
    ('("a" ("b"\nx\n)\n)', sequence(Literal("ab"), X)),
    ('"a"\r\n', A),
    ('"a" |\r\n x', alternation(A, X)),
]


@pytest.mark.parametrize(("spelled", "expr"), READ, ids=[spelled for spelled, _ in READ])
def test_what_syntax_means(spelled: str, expr: Expr) -> None:
    assert parse(f'x ::= "x"\nroot ::= {spelled}').rules == {"root": expr, "x": Literal("x")}


def test_layout_between_rules_means_nothing() -> None:
    plain = parse("root ::= x-1 | B_2\nx-1 ::= B_2\nB_2 ::= [0-9]")
    assert parse("# first\n\n  root::=x-1|B_2\r\n\r\n# c\n\tx-1 ::=\n B_2 # d\n# e\nB_2 ::= [0-9]\n\n # end") == plain
    assert list(plain.rules) == ["root", "x-1", "B_2"]


@given(grammars())
def test_writing_what_was_read_changes_it_no_more(grammar: Grammar) -> None:
    text = write(grammar)
    assert write(parse(text)) == text


# -- what is refused -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("message", MALFORMED)
def test_each_malformed_example_is_explained_by_its_own_message(message: str) -> None:
    for example in MALFORMED[message]:
        with pytest.raises(GbnfSyntaxError) as caught:
            parse(example)
        assert caught.value.message == message, example


REFUSED: list[tuple[str, int, int, str]] = [
    ("", 1, 1, "named root"),
    ("# nothing", 1, 1, "named root"),
    ('x ::= "a"', 1, 1, "named root"),
    ("root ::= x", 1, 10, "the rule x is not defined"),
    ('root ::= "x" |\n  [x] x-1 # x-2', 2, 7, "the rule x-1 is not defined"),
    ('root ::= "a"\n\nroot ::= "b"', 3, 1, "defined before"),
    ('root ::= "a" |\n  "b', 2, 3, "never closed"),
    ('root ::= "a"\n  | "b"', 2, 3, "cannot begin with the bar"),
    ('root ::= "a" |\nx ::= "b"', 2, 3, "the rule before has not ended"),
    ('root ::= ("a"\n\n', 1, 14, "still open"),
    ("root ::= x @", 1, 12, "'@' cannot stand here"),
    (r'root ::= "a\qb"', 1, 12, r"no escape is written \\q"),
    (r'root ::= "\x4g"', 1, 11, "2 hexadecimal digits"),
    (r'root ::= "\x4"', 1, 11, "2 hexadecimal digits"),
    (r"root ::= [\u12]", 1, 11, "4 hexadecimal digits"),
    (r'root ::= "\uD83D\uDE00"', 1, 11, "surrogate"),
    (r'root ::= "\U00110000"', 1, 11, r"past U\+10FFFF"),
    ('root ::= "a" []', 1, 14, "class without a character"),
    ("root ::= [^]", 1, 10, "class without a character"),
    (r"root ::= [\uD800]", 1, 10, "class without a character"),
    ("root ::= [az-f]", 1, 12, "range runs backwards; write its lower end first"),
    ('root ::= "a"{3,2}', 1, 13, r"count runs backwards; write \{2,3\}"),
    ('root ::= "a"{9999999999}', 1, 14, "no count is that large"),
    ("root ::= <[7]>", 1, 10, "token of a vocabulary"),
    ("root ::= (!<think>)*", 1, 11, "token of a vocabulary"),
    ('root ::= ""*', 1, 12, "nothing here to repeat"),
    ("root ::= " + "(" * 5000 + '"a"' + ")" * 5000, 1, 4909, "100 deep"),
    ('root ::= "a"' + "*?" * 5000, 1, 113, "100 deep"),
]


@pytest.mark.parametrize(("text", "line", "column", "message"), REFUSED)
def test_errors_say_where_and_what(text: str, line: int, column: int, message: str) -> None:
    with pytest.raises(GbnfSyntaxError, match=message) as caught:
        parse(text)
    assert (caught.value.line, caught.value.column) == (line, column)


def test_an_error_shows_its_line_and_a_caret() -> None:
    with pytest.raises(GbnfSyntaxError) as caught:
        parse('root ::= x\nx ::=\t"é" [z-a]\n')
    message, shown, caret = str(caught.value).splitlines()
    assert message == "line 2, column 12: this range runs backwards; write its lower end first"
    assert shown == '    x ::=\t"é" [z-a]'
    assert caret == "         \t     ^"


def test_of_a_long_line_only_what_surrounds_the_error_is_shown() -> None:
    with pytest.raises(GbnfSyntaxError) as caught:
        parse("root ::= " + '"a" ' * 10_000 + "@" + ' "b"' * 10_000)
    _, shown, caret = str(caught.value).splitlines()
    assert len(shown) < 200
    assert shown[caret.index("^")] == "@"


def test_a_large_grammar_is_read_in_one_pass() -> None:
    rules = "\n".join(f'r{number} ::= "a" ("b" | [c-e]*)? r{number + 1}' for number in range(2000))
    assert len(parse(f'root ::= r0\n{rules}\nr2000 ::= "z"').rules) == 2002


# -- the engine ------------------------------------------------------------------------------------------------------


def engine_takes(engine: Engine, text: str) -> bool:
    return engine.load(text) is not None


@pytest.mark.parametrize(("spelled", "_"), READ, ids=[spelled for spelled, _ in READ])
def test_the_engine_takes_what_is_read_here(engine: Engine, spelled: str, _: Expr) -> None:
    if spelled == "x+?":
        pytest.skip("a repetition of a repetition counts as left recursion there")
    assert engine_takes(engine, f'root ::= ">" ({spelled}\n)\nx ::= "x"')


@pytest.mark.parametrize("message", MALFORMED)
def test_the_engine_refuses_what_is_malformed_here(engine: Engine, message: str) -> None:
    # Texts with all names defined, so that only the syntax is at fault.
    assert not any(engine_takes(engine, f'x ::= "x"\n{example}') for example in MALFORMED[message])


MEANT_OTHERWISE = {
    '"a" []': "a class without a character is the empty text there",
    "[^]": "a class without a character is the empty text there",
    "[z-a]": "a range that runs backwards is empty there",
    r'"\uD83D"': "the engine looks at no code point",
    "<[7]>": "the engine reads tokens",
}


@pytest.mark.parametrize("spelled", MEANT_OTHERWISE)
def test_what_the_engine_takes_and_is_refused_here(engine: Engine, spelled: str) -> None:
    assert engine_takes(engine, f"root ::= {spelled}")
    with pytest.raises(GbnfSyntaxError):
        parse(f"root ::= {spelled}")

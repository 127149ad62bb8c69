"""Texts with two readings and readings that grow are found, shown on texts, and not made up."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings

from schema2gbnf.cost import readings
from schema2gbnf.gbnf import LeftRecursionError, Matcher, parse
from schema2gbnf.grammar.rules import Grammar
from tests.gbnf.strategies import readable_grammars
from tests.golden import GOLDEN
from tests.grammar.readings import readings as count
from tests.test_golden import compiled

PLAIN = [
    'root ::= "a"',
    'root ::= "ab" | "ac" | "b" root',
    'root ::= [a-z]+ ("," [a-z]+)*',
    'root ::= "a"? "b"? "c"*',
    'root ::= x | "a" y\nx ::= "ab"\ny ::= "c"',
    'root ::= "[" (root ("," root)*)? "]" | [0-9]+',
    'root ::= [a-z]{0,9} "-" [a-z-]{2,5}',
    "root ::= b{0,3} [a]{0,4} | b{4} [a]{0,2}\nb ::= [a]{5}",
    'root ::= "a" x "b" | "c" x "d"\nx ::= "e" | "e" "f"',
]
AMBIGUOUS = [
    'root ::= x | y\nx ::= "a"\ny ::= [ab]',
    'root ::= ("a" | "b") "c" | "ac"',
    'root ::= "a"* "a"*',
    'root ::= "a"? "a"?',
    "root ::= x x\nx ::= [ab]?",
    "root ::= [ab]{1,3} [bc]{1,3}",
    'root ::= x\nx ::= "(" x ")" | "(" y ")"\ny ::= "-" | "(-)"',
    'root ::= x "b"\nx ::= y | "a"\ny ::= "a" z\nz ::= "b" | ""',
    'root ::= y "b" | "a" "bb"\ny ::= "a" | "ab"',
    'root ::= "a" ("b" | "") ("b" | "") "c"',
    "root ::= b{0,3} [a]{0,5} | b{4} [a]{0,2}\nb ::= [a]{5}",
    'root ::= "-" x\nx ::= "x" x | [a-z] x | "!"',
]


@pytest.mark.parametrize("gbnf", PLAIN)
def test_one_reading(gbnf: str) -> None:
    found = readings(parse(gbnf))
    assert found.ambiguity is None
    assert found.complete


@pytest.mark.parametrize("gbnf", AMBIGUOUS)
def test_two_readings(gbnf: str) -> None:
    grammar = parse(gbnf)
    found = readings(grammar)
    assert found.ambiguity is not None
    assert count(grammar, found.ambiguity.text) > 1


@settings(max_examples=60, suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow])
@given(readable_grammars("ab"))
def test_what_is_found_is_what_counting_finds(grammar: Grammar) -> None:
    found = readings(grammar)
    matcher = Matcher(grammar)
    if found.ambiguity is not None:
        assert matcher.accepts(found.ambiguity.text)
        assert len(found.ambiguity.text) > 10 or count(grammar, found.ambiguity.text) > 1
        return
    todo = [("", matcher.start())]
    for text, state in todo:  # grows while it is read
        assert not state.can_end or count(grammar, text) == 1
        if len(text) < 4:
            todo += [(text + each, following) for each in "ab" if (following := matcher.advance(state, each))]


@pytest.mark.parametrize(
    ("gbnf", "kind"),
    [
        ('root ::= "(" root ")" | "(" root "]" | "x"', "exponential"),
        ('root ::= "{" pair "}" | "1"\npair ::= "k:" root | "k:" other\nother ::= "{" pair "}" | "2"', "exponential"),
        ('root ::= "[" many "]"\nmany ::= root | free\nfree ::= "[" free "]" | "1"', "linear"),
        ('root ::= "(" root ")" | "(" other "]" | "x"\nother ::= "(" other ")" | "y"', "linear"),
        ('root ::= "<" [a-z]{0,50} [a-y]{0,50} ">"', "linear"),
    ],
)
def test_readings_that_grow(gbnf: str, kind: str) -> None:
    grammar = parse(gbnf)
    growth = readings(grammar).growth
    assert growth is not None
    assert growth.kind == kind
    matcher = Matcher(grammar)
    state = matcher.start()
    for character in growth.begin + growth.turn * 2:
        state = matcher.advance(state, character)
    assert len(state.stacks) == growth.counts[1]


@pytest.mark.parametrize(
    "gbnf",
    [
        'root ::= "(" root ")" | "x"',
        'root ::= "[" (root ("," root)*)? "]" | "{" root "}" | [0-9]+',
        'root ::= "\\"" [^"]{0,2000} "\\""',
        "root ::= b{0,300} [a]{0,99} | b{301} [a]{0,20}\nb ::= [a]{100}",
        'root ::= "a" x | "b" x\nx ::= "(" x ")" | "-"',
    ],
)
def test_readings_that_do_not_grow(gbnf: str) -> None:
    assert readings(parse(gbnf)).growth is None


@pytest.mark.parametrize("name", GOLDEN)
def test_no_golden_grammar_has_a_text_with_two_readings(name: str) -> None:
    found = readings(compiled(name).grammar)
    assert (found.ambiguity, found.growth) == (None, None)


HOSTILE: dict[str, str] = {
    "fan": "\n".join(["root ::= r0", *(f'r{n} ::= r{n + 1} "a" | r{n + 1} "b"' for n in range(12)), 'r12 ::= "c"', ""]),
    "mesh": "\n".join(
        ["root ::= r0", *(f'r{n} ::= "a" (r{(7 * n + 1) % 400} | r{(11 * n + 3) % 400}) | "b"' for n in range(400)), ""]
    ),
    "words": "root ::= " + " | ".join(f'"{n * 7919 % 65536:04x}"' for n in range(1500)),
    "counts": "root ::= " + " ".join(f"[a-{chr(98 + n % 20)}]{{0,2000}}" for n in range(12)),
    "deep": "root ::= r0\n" + "\n".join(f'r{n} ::= "(" r{n + 1} ")"?' for n in range(1000)) + '\nr1000 ::= "x"',
    "long": 'root ::= x{2000}\nx ::= y{2000}\ny ::= z{2000}\nz ::= "a"{2000} | "b"',
}


@pytest.mark.parametrize("name", HOSTILE)
def test_the_work_is_bounded(name: str) -> None:
    readings(parse(HOSTILE[name]))


def test_left_recursion_is_refused() -> None:
    with pytest.raises(LeftRecursionError):
        readings(parse('root ::= root "a" | "b"'))

"""Parts of long expressions as rules: named ones, repeated ones, and formats as a person would write them."""

from __future__ import annotations

import json

import pytest

from schema2gbnf import compile_schema
from schema2gbnf.gbnf import Matcher
from schema2gbnf.gbnf.sample import samples
from schema2gbnf.grammar.folding import substitute
from schema2gbnf.grammar.parts import divided
from schema2gbnf.grammar.rules import Alternation, CharClass, Expr, Repeat, Sequence
from schema2gbnf.grammar.strings import named_part
from schema2gbnf.languages.charset import CharSet
from schema2gbnf.languages.formats import PARTS, format_named
from tests.words import Words

A, B, C, D = (CharClass(CharSet.of(letter)) for letter in "abcd")
AB, AC, BD, CB = (Sequence((left, right)) for left, right in ((A, B), (A, C), (B, D), (C, B)))
LONG = Sequence(tuple(CharClass(CharSet.span(letter, "z")) for letter in "abcdefgh"))


def names(expr: Expr, named: dict[Expr, str]) -> list[str | None]:
    """The names of the parts, having seen to it that, put back, they give the expression."""
    whole, parts = divided(expr, named)
    for part in reversed(parts):
        whole = substitute(whole, part.placeholder, part.body)
    assert whole == expr
    return [part.name for part in parts]


@pytest.mark.parametrize(
    ("expr", "found"),
    [
        (Repeat(AB, 0, None), ["ab"]),
        (Sequence((C, A, B, D)), ["ab"]),
        (Sequence((A, B, A, B, C)), ["ab"]),
        (AB, []),
        (Alternation((C, AB)), ["ab"]),
        (Sequence((A, C)), []),
        (Sequence((Alternation((AC, BD, CB)), C)), ["ac-or-bd"]),
        (Sequence((Alternation((AC, CB)), C)), []),
        (Sequence((Repeat(LONG, 0, 1), D, Repeat(LONG, 2, 3))), [None]),
        (Sequence((Repeat(LONG, 0, 1), D)), []),
        (Sequence((Repeat(AB, 2, 3), D, Repeat(CB, 1, 4), A, Repeat(CB, 1, 4))), ["ab"]),
    ],
)
def test_parts(expr: Expr, found: list[str | None]) -> None:
    assert names(expr, {AB: "ab", Alternation((AC, BD)): "ac-or-bd"}) == found


def test_a_part_comes_after_those_inside_it() -> None:
    outer = Sequence((AB, C))
    flat = Sequence((A, B, C))
    _, parts = divided(Repeat(flat, 1, 2), {AB: "inner", flat: "outer"})
    assert outer != flat
    assert [part.name for part in parts] == ["inner", "outer"]


def test_every_named_part_of_a_format_is_an_expression_of_its_own() -> None:
    assert len({named_part(name) for name in PARTS}) == len(PARTS)


SIZES = {
    "date": 500,
    "time": 4500,
    "date-time": 5000,
    "duration": 300,
    "email": 800,
    "idn-email": 1600,
    "hostname": 600,
    "idn-hostname": 1400,
    "ipv4": 250,
    "ipv6": 900,
    "uri": 1500,
    "uri-reference": 1700,
    "iri": 1700,
    "iri-reference": 2000,
    "uuid": 150,
    "json-pointer": 200,
    "relative-json-pointer": 250,
    "uri-template": 500,
    "regex": 1800,
    "byte": 150,
}
"""Characters that the grammar of a format may take; half of a time are its leap seconds."""


@pytest.mark.parametrize("name", SIZES)
def test_formats_are_short_and_are_what_their_automata_say(name: str) -> None:
    result = compile_schema({"type": "string", "format": name}, whitespace="compact")
    assert len(result.gbnf) <= SIZES[name]
    found = format_named(name, "draft2020-12")
    assert found is not None
    for text in samples(result.grammar, 100, seed=3):
        assert found.dfa.accepts(json.loads(text)), text
    matcher, words = Matcher(result.grammar), Words(found.dfa, seed=3)
    for _ in range(100):
        assert matcher.accepts(result.dumps(words.draw()))


def rule(name: str) -> str:
    gbnf = compile_schema({"items": {"type": "string", "format": name}}, whitespace="compact").gbnf
    return next(line for line in gbnf.splitlines() if line.startswith(f"{name} ::= "))


@pytest.mark.parametrize(
    "line",
    [
        r'date-time ::= "\"" full-date [Tt] full-time "\""',
        r'ipv4 ::= "\"" ipv4-address "\""',
        r'email ::= "\"" (dot-atom | quoted-string) "@" mail-domain "\""',
        r'iri ::= "\"" scheme ("/" ("/" iri-authority iri-path | iri-rootless)? | iri-rootless)? iri-suffix "\""',
    ],
)
def test_formats_read_like_their_rfcs(line: str) -> None:
    assert rule(line.partition(" ")[0]) == line


def test_unions_of_formats_are_written_as_their_parts() -> None:
    gbnf = compile_schema({"type": "string", "anyOf": [{"format": f} for f in ("hostname", "ipv4", "ipv6")]}).gbnf
    assert len(gbnf) < 2000
    assert "ipv6-address ::= " in gbnf


def test_a_member_named_like_a_part_keeps_the_part_its_name() -> None:
    inner = {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]}
    schema = {"type": "object", "properties": {"full-date": inner, "d": {"format": "date", "type": "string"}}}
    gbnf = compile_schema(schema).gbnf
    assert 'full-date ::= leap-year "-02-29"' in gbnf


def test_what_a_pattern_says_twice_is_written_once() -> None:
    word = "(?:[a-f]x[0-9]+y|[g-k]z[0-9]+w|[m-p]{2}[0-9]*[xyz])"
    gbnf = compile_schema({"type": "string", "pattern": f"^{word}(?:-{word}|/{word})?$"}, whitespace="compact").gbnf
    assert gbnf.count('[a-f] "x"') == 1
    assert 'part ("-" ' in gbnf

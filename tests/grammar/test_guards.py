"""Strings in which a text does not appear, and what that costs: nothing but another spelling."""

from __future__ import annotations

import json

import pytest

from schema2gbnf.gbnf.match import Matcher
from schema2gbnf.grammar.drafts import Draft
from schema2gbnf.grammar.guards import Guard
from schema2gbnf.grammar.rules import Expr, sequence
from schema2gbnf.grammar.strings import QUOTE
from schema2gbnf.languages.ecma import parse
from schema2gbnf.languages.strings import StringLanguage
from tests.grammar.readings import drafted, readings

GUARD = Guard("</a>")
BARS = Guard(r"<\|[a-z]+\|>", "|")
ANY = StringLanguage.ANY


def pattern(source: str) -> StringLanguage:
    return StringLanguage.of_pattern(parse(source))


def strings(guard: Guard, language: StringLanguage) -> Matcher:
    return Matcher(drafted(lambda draft: _quoted(guard, language, draft)))


def _quoted(guard: Guard, language: StringLanguage, draft: Draft) -> Expr:
    def loosen(reason: str) -> None:
        raise AssertionError(reason)

    return sequence(QUOTE, guard.string_rest(language, draft, "text", limit=2000, loosen=loosen))


LANGUAGES = {
    "any": ANY,
    "short": StringLanguage.of_lengths(0, 12),
    "not empty": StringLanguage.of_lengths(1, None),
    "long": StringLanguage.of_lengths(2, 5000),
    "line": pattern("^[^\\n]+$"),
    "line of counted length": pattern("^[^\\n]+$") & StringLanguage.of_lengths(0, 5000),
    "with the text": pattern("^x*</a>x*$"),
}


@pytest.mark.parametrize("guard", [GUARD, BARS], ids=["tag", "bars"])
@pytest.mark.parametrize("language", LANGUAGES.values(), ids=LANGUAGES)
def test_a_string_is_written_without_the_text(guard: Guard, language: StringLanguage) -> None:
    matcher = strings(guard, language)
    for text in ("x", "</a>", "xx</a>x", "<</a", "<|end|>", "a<|b", "<a|b>", 'q"\\', "é😀"):
        plain = json.dumps(text, ensure_ascii=False)
        written = guard.spell(text, language)
        assert json.loads(written) == text
        assert guard.free.accepts(written)
        if not guard.free.accepts(plain):
            assert not matcher.accepts(plain)
        kept = guard.kept(language)
        if language.accepts(text) and (kept is None or kept.accepts(text)):
            assert matcher.accepts(written), (text, written)


def test_no_value_is_lost_where_only_the_length_is_said() -> None:
    for language in (ANY, StringLanguage.of_lengths(0, 12), StringLanguage.of_lengths(2, 5000)):
        assert strings(GUARD, language).accepts(r'"x\u003c/a>"')
        assert not strings(GUARD, language).accepts('"x</a>"')


def test_a_pattern_that_has_the_text_is_written_with_escapes() -> None:
    matcher = strings(GUARD, pattern("^x*</a>x*$"))
    assert matcher.accepts(r'"x\u003c/a>"')
    assert not matcher.accepts('"x</a>"')
    assert GUARD.spell("x</a>", pattern("^x*</a>x*$")) == r'"x\u003c/a>"'


def test_a_pattern_that_never_has_it_is_as_ever() -> None:
    assert GUARD.kept(pattern("^[a-z]+$")) == pattern("^[a-z]+$")
    assert strings(GUARD, pattern("^[a-z<]+$")).accepts('"a<<b"')


def test_a_text_has_one_reading() -> None:
    for language in (ANY, StringLanguage.of_lengths(0, 5000)):
        grammar = drafted(lambda draft, language=language: _quoted(GUARD, language, draft))
        for text in (r'"\u003c/a>x"', '"x>y"', r'"a\/b"'):
            assert readings(grammar, text) == 1

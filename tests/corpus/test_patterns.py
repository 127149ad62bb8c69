"""The bench of patterns on a sample: languages are right, grammars load and are fast, and what is wrong is noticed."""

from __future__ import annotations

import random
from typing import Any

import pytest
import regress

from bench.patterns import Figures, measure, quantile, strings
from schema2gbnf.languages.ecma import parse
from schema2gbnf.languages.strings import StringLanguage
from tests.corpus.patterns import patterns
from tests.data import data
from tests.engine import Vocabulary

SAMPLE = 40


def test_patterns_of_a_sample_are_right_load_and_are_fast() -> None:
    with Vocabulary(data("vocab/qwen2.gguf")) as vocabulary:
        found = measure(random.Random(SAMPLE).sample(patterns(), SAMPLE), 6, 1, vocabulary)
    assert not found.mismatches
    assert not found.refused
    assert found.strings > 10 * SAMPLE
    assert 0.1 < found.matching / found.strings < 0.9
    assert max(found.masks)[0] < 500
    assert len(found.masks) > SAMPLE
    assert len(found.unread) < 3


@pytest.mark.parametrize("pattern", ["^a{3,500}$", "^(?!x)[a-z]+$", "a|^b", "^é?$", "^[0-9]{1,3}\\.[0-9]+$"])
def test_compared_strings_match_and_do_not_match(pattern: str) -> None:
    language = StringLanguage.of_pattern(parse(pattern))
    drawn = list(strings(pattern, language, 10, 0))
    judge: Any = regress.Regex(pattern, flags="u")
    assert {language.accepts(text) for text in drawn} == {True, False}
    assert all((judge.find(text) is not None) == language.accepts(text) for text in drawn)


def test_bounds_are_compared_at_their_edges() -> None:
    drawn = set(strings("^a{3,500}$", StringLanguage.of_pattern(parse("^a{3,500}$")), 2, 0))
    assert {"a" * count for count in (2, 3, 500, 501)} <= drawn


def test_what_is_not_a_language_is_listed() -> None:
    found = measure(["^a$", "(a)\\1", "("], 2, 0, None)
    assert (found.patterns, len(found.unread), len(found.read_ms)) == (3, 2, 1)
    assert found.missed() == []


@pytest.mark.parametrize(
    ("figures", "missed"),
    [
        (Figures(mismatches=["x"]), "a language differs"),
        (Figures(refused=["x"]), "a grammar is refused"),
        (Figures(read_ms=[2.0] * 3), "the median language takes more than 1.0 ms"),
        (Figures(read_ms=[0.1] * 9 + [11.0]), "one language in twenty takes more than 10.0 ms"),
        (Figures(masks=[(1.0, "a"), (501.0, "b")]), "a mask takes more than 500.0 ms"),
    ],
)
def test_a_missed_target_is_named(figures: Figures, missed: str) -> None:
    assert figures.missed() == [missed]
    assert dict(figures.rows())["masks"].startswith(str(len(figures.masks)))


def test_quantiles() -> None:
    assert (quantile([3, 1, 2], 0.5), quantile([3, 1, 2], 1.0), quantile([], 0.5)) == (2, 3, 0)

"""Patterns: which features they are written with, and how they are written with fewer, matching the same strings."""

from __future__ import annotations

import pytest
import regress

from schema2gbnf.normalize.patterns import FEATURES, traits, without


@pytest.mark.parametrize(
    ("source", "features"),
    [
        ("^[a-z]+$", set()),
        ("^(a|b)$", set()),
        ("a", {"unanchored"}),
        ("^a", {"unanchored"}),
        ("^a|b$", {"unanchored", "inner-anchor"}),
        ("^(^a$|b)$", {"inner-anchor"}),
        ("^a\\b$", {"boundary"}),
        ("^(?!a)b$", {"lookaround"}),
        ("^(?<=a)b$", {"lookaround"}),
        ("^(a)\\1$", {"back-reference"}),
        ("^\\d[\\w]$", {"shorthand"}),
        ("^\\p{L}$", {"property"}),
        ("^(?:a)(?<n>b)$", {"group"}),
        ("^a*?b??$", {"lazy"}),
        ("^[(?:]$", set()),
        ("^\\(\\?$", set()),
        ("^a\\/b$", {"escape"}),
        ("^[a\\-z]$", {"escape"}),
        ("^[\\]\\\\]$", set()),
        ("^a\\.b$", {"literal-escape"}),
        ("^\\f$", {"escape"}),
    ],
)
def test_features(source: str, features: set[str]) -> None:
    found = traits(source)
    assert not isinstance(found, str)
    assert found.features == features
    assert features <= FEATURES.keys()


def test_what_is_no_pattern() -> None:
    assert "group" in str(traits("^(?P<n>a)$")) or isinstance(traits("^(?P<n>a)$"), str)
    assert isinstance(traits("^(a$"), str)


SUBJECTS = [
    "a/-",
    "-",
    "z",
    "^",
    ".",
    "/",
    ".$",
    "a-.",
    "",
    "a",
    "b",
    "ab",
    "7",
    "a7",
    "é",
    " ",
    "\n",
    "a\nb",
    "_",
    "-",
    "12",
    "a b",
    "\u2028",
    "aa\n",
    "bb7",
]


@pytest.mark.parametrize(
    "source",
    [
        "a",
        "^a",
        "a$",
        "\\d",
        "^\\w+$",
        "\\s",
        "^[\\w-]*?$",
        "(?:a|b)7",
        "a|b",
        "^\\S+$",
        "\\D\\W",
        "^a\\/$",
        "^[a\\-z]$",
        "^[\\^a]$",
        "^[^\\.\\/]$",
        "^\\.\\$$",
        "^[\\w\\-\\.]+$",
    ],
)
def test_fewer_features_match_the_same(source: str) -> None:
    rewritten = without(source, frozenset(FEATURES) & traits_of(source))
    assert rewritten is not None
    assert traits_of(rewritten) == set()
    for subject in SUBJECTS:
        was = regress.Regex(source, "u").find(subject) is not None
        assert (regress.Regex(rewritten, "u").find(subject) is not None) == was, (rewritten, subject)


@pytest.mark.parametrize(
    "source", ["(?=a)", "^a|b$", "[^\\S]", "(a)\\1", "a\\b", "^\\f$", "^[\\--/]$", "^[\\^]$", "^\\^$"]
)
def test_some_cannot_be_written_with_fewer(source: str) -> None:
    assert without(source, frozenset(traits_of(source))) is None


def traits_of(source: str) -> set[str]:
    """The features of a pattern."""
    found = traits(source)
    assert not isinstance(found, str), found
    return set(found.features)

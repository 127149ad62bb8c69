"""Which patterns are safe to print as they are written, or read in one way, and that finding out never takes long."""

from __future__ import annotations

import pytest

from schema2gbnf.grammar.ambiguity import is_deterministic_enough, is_unambiguous
from schema2gbnf.grammar.rules import CharClass, Expr, Ref, Repeat, Sequence
from schema2gbnf.grammar.strings import expression_of
from schema2gbnf.languages.anchors import plain
from schema2gbnf.languages.charset import CharSet
from schema2gbnf.languages.ecma import parse


def expression(pattern: str) -> Expr:
    tree = plain(parse(pattern).tree)
    assert tree is not None
    return expression_of(tree)


SAFE = [
    "^$",
    "^abc$",
    "^(red|green|blue)$",
    "^[a-z]+$",
    "^[a-z]+(-[a-z]+)*$",
    "^([a-z]{1,63}\\.)+[a-z]{2,}$",
    "^(a|b)*c$",
    "^(a*)*$",
    "^(a+)+$",
    "^(a?b?)*$",
    "^[0-9]{1,3}(,[0-9]{3})*$",
    "^\\S+@\\S+\\.\\S+$",
    "^(/[^/]+)+$",
    "a",
    "^x|y$",
    "^[a-z]{0,2000}$",
    "^(([a-z]{1,9}-){1,9}){2}$",
]
UNSAFE = [
    "^([^/ ]+/?)+$",
    "^(a+b?)+$",
    "^(a*b*)*c*(a|b)*(ab|a|b)*$",
    "^(a|aa)+$",
    "^([a-z]+[0-9]*)+$",
    "^(a|b|ab)*$",
    ".*\\*.*\\*.*\\*.*",
    "^(x+x+)+y$",
    "^(.*,)*.*,.*$",
    "^(?:(?:[A-Za-z0-9]+[-]?)+[A-Za-z0-9]/)?$",
]


@pytest.mark.parametrize("pattern", SAFE)
def test_safe(pattern: str) -> None:
    assert is_deterministic_enough(expression(pattern))


@pytest.mark.parametrize("pattern", UNSAFE)
def test_unsafe(pattern: str) -> None:
    assert not is_deterministic_enough(expression(pattern))


ONCE = [
    "^(red|green|blue)$",
    "^[a-z]+(-[a-z]+)*$",
    "^([a-z]{1,63}\\.)+[a-z]{2,}$",
    "^(a|b)*c$",
    "^[0-9]{1,3}(,[0-9]{3})*$",
    "^pkg:",
    "^.*a.{9}$",
    "^[a-z]{0,2000}$",
    "^[a-z]+[0-9]?$",
]
TWICE = [
    "a",
    "[a-z]{3}",
    "^x|y$",
    "^.*@.*$",
    "^.*@.*[.].*$",
    "^[a-z]+[a-z0-9]+$",
    "^\\S+@\\S+\\.\\S+$",
    "^([0-2][0-3]|[01][0-9]):$",
    "^(a|ab)(c|bc)$",
    "^([^/ ]+/?)+$",
]


@pytest.mark.parametrize("pattern", ONCE)
def test_every_text_is_read_once(pattern: str) -> None:
    assert is_unambiguous(expression(pattern))


@pytest.mark.parametrize("pattern", TWICE)
def test_some_text_is_read_twice(pattern: str) -> None:
    assert not is_unambiguous(expression(pattern))


A = CharClass(CharSet.of("a"))


def test_the_number_of_readings_is_a_parameter() -> None:
    three = Sequence((Repeat(A, 0, None), Repeat(A, 0, 1), CharClass(CharSet.of("b"))))
    assert is_deterministic_enough(three, readings=9)
    assert not is_deterministic_enough(three, readings=2)


def test_rules_are_not_looked_into() -> None:
    assert not is_deterministic_enough(Ref("x"))
    assert not is_unambiguous(Ref("x"))


@pytest.mark.parametrize(
    "pattern",
    [
        "^(([a-z]{1,50}-){1,50}){1,50}$",
        "^(" + "|".join(f"{7919 * n % 16**5:05x}" for n in range(3000)) + ")*$",
        "^(" + "".join(f"[a-z]{n % 9}?" for n in range(1400)) + "-)*$",
    ],
    ids=["counters", "options", "optional"],
)
def test_what_is_too_large_is_not_safe(pattern: str) -> None:
    assert not is_deterministic_enough(expression(pattern))
    assert not is_unambiguous(expression(pattern))

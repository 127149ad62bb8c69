"""Checks of spellings that some engine refuses, or reads in its own way."""

from __future__ import annotations

import re
import string
from collections.abc import Callable, Iterator
from typing import TypeGuard

from schema2gbnf.gbnf.parse import character_class
from schema2gbnf.gbnf.syntax import Bracketed, Counted, Dot, Group, Item, Name, Quoted, items
from schema2gbnf.grammar.rules import folded
from schema2gbnf.languages.charset import TEXT, CharSet
from schema2gbnf.lint.diagnostic import Flaw
from schema2gbnf.lint.subject import Subject

DEEPEST_GROUPS = 28
"""How deep groups may stand in each other for llguidance."""

_ASCII = CharSet.span("\0", "\x7f")
_ESCAPE = re.compile(r"\\(?:x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8}|[\s\S])")


def faulty(code: str) -> Callable[[Subject], Iterator[Flaw]]:
    """The check that finds faults of one kind."""

    def check(subject: Subject) -> Iterator[Flaw]:
        return (Flaw(fault.position, fault.message) for fault in subject.faults if fault.code == code)

    return check


def underscore(subject: Subject) -> Iterator[Flaw]:
    """A name with an underscore."""
    for position, name in _names(subject):
        if "_" in name:
            yield Flaw(position, f"llama.cpp refuses the underscore in {name}; write {name.replace('_', '-')}")


def name_start(subject: Subject) -> Iterator[Flaw]:
    """A name that does not begin with a letter."""
    for position, name in _names(subject):
        if not name[0].isalpha() and name[0] != "_":
            yield Flaw(position, f"XGrammar and llguidance refuse names that begin like {name}; begin with a letter")


def name_clash(subject: Subject) -> Iterator[Flaw]:
    """Names that llguidance makes one."""
    known = {"start": "start"}
    for name, rule in subject.rules.items():
        other = known.setdefault(folded(name), name)
        if name == "start":
            yield Flaw(rule.position, "llguidance has a rule start of its own, and refuses this one; call it otherwise")
        elif other != name:
            yield Flaw(rule.position, f"llguidance cannot tell {name} and {other} apart; call one of them otherwise")


def empty_alternative(subject: Subject) -> Iterator[Flaw]:
    """An alternative with nothing in it."""
    for series in subject.series():
        if not series.items:
            yield Flaw(
                series.position, 'XGrammar refuses an alternative with nothing in it; write "", or (…)? around the rest'
            )


def dot(subject: Subject) -> Iterator[Flaw]:
    """A dot."""
    for item in subject.items():
        if isinstance(item, Dot):
            yield Flaw(
                item.position,
                "a dot reads line breaks in llama.cpp only, and XGrammar has none; write the class: [^\\n]",
            )


def unicode_escape(subject: Subject) -> Iterator[Flaw]:
    """`\\uXXXX` and `\\UXXXXXXXX`."""
    for position, escape, _ in _escapes(subject):
        if escape[1] in "uU":
            yield Flaw(position, f"llguidance refuses {escape}; write the character itself, or \\xHH for a control")


def unportable_escape(subject: Subject) -> Iterator[Flaw]:
    """An escaped dash, or an escaped bracket in a literal."""
    for position, escape, item in _escapes(subject):
        if escape == r"\-":
            remedy = "put it last in the class" if isinstance(item, Bracketed) else "write it bare"
            yield Flaw(position, f"llguidance refuses an escaped dash; {remedy}")
        elif escape in (r"\[", r"\]") and isinstance(item, Quoted):
            yield Flaw(position, f"llguidance refuses {escape} in a literal; write it bare")


def hex_before_digit(subject: Subject) -> Iterator[Flaw]:
    """`\\xHH` with a hexadecimal digit behind it."""
    for position, escape, item in _escapes(subject):
        end = position - item.position + len(escape)
        if escape[1] == "x" and item.spelling[end : end + 1] in set(string.hexdigits):
            remedy = "begin a new literal behind it" if isinstance(item, Quoted) else "put it last"
            yield Flaw(position, f"XGrammar reads the digit behind {escape} as a part of it; {remedy}")


def raw_control(subject: Subject) -> Iterator[Flaw]:
    """A line break or another control in a literal."""
    for item in subject.items():
        if isinstance(item, Quoted) and (found := re.search(r"[\x00-\x1f\x7f]", item.spelling)):
            position = item.position + found.start()
            yield Flaw(position, "llguidance refuses controls in a literal; write \\n, \\t, \\r or \\xHH")


def negated_non_ascii(subject: Subject) -> Iterator[Flaw]:
    """A negated class that leaves out more than ASCII."""
    for item in subject.items():
        if isinstance(item, Bracketed) and item.spelling.startswith("[^"):
            left_out = TEXT - character_class(item.spelling, item.position)
            if left_out - _ASCII:
                message = "next to what it leaves out beyond ASCII, this class makes llama.cpp refuse split UTF-8"
                yield Flaw(item.position, f"{message}; write the ranges it holds")


def doubled_sign(subject: Subject) -> Iterator[Flaw]:
    """A repetition of nothing but a repetition."""
    for item in subject.items():
        if isinstance(item, Counted) and isinstance(_alone(item.item), Counted):
            yield Flaw(item.position, "XGrammar and llguidance refuse a sign behind a repetition; give it a rule")


def nested_count(subject: Subject) -> Iterator[Flaw]:
    """Braces behind a group that holds braces."""
    for item in subject.items():
        if _is_braced(item) and isinstance(item.item, Group) and any(map(_is_braced, items(item.item.options))):
            message = "a count on a group with a count in it is multiplied out by llama.cpp, and refused by others"
            yield Flaw(item.position, f"{message}; give the group a rule of its own")


def _is_braced(item: Item) -> TypeGuard[Counted]:
    return isinstance(item, Counted) and item.sign == "{"


def deep_groups(subject: Subject) -> Iterator[Flaw]:
    """Groups in groups in groups."""
    for rule in subject.rules.values():
        level = [item for series in rule.options for item in series.items]
        for _ in range(DEEPEST_GROUPS + 1):
            level = [each for item in level for each in _one_deeper(item)]
        if level:
            message = f"llguidance refuses groups more than {DEEPEST_GROUPS} deep in each other"
            yield Flaw(_first(level), f"{message}; give the inner ones a rule")


def _one_deeper(item: Item) -> Iterator[Item]:
    while isinstance(item, Counted):
        item = item.item
    if isinstance(item, Group):
        yield from (each for series in item.options for each in series.items)


def _first(level: list[Item]) -> int:
    return min(item.position for item in level)


def _alone(item: Item) -> Item:
    """What is left of parentheses around one item."""
    while isinstance(item, Group) and len(item.options) == 1 and len(item.options[0].items) == 1:
        item = item.options[0].items[0]
    return item


def _names(subject: Subject) -> Iterator[tuple[int, str]]:
    """The names of rules, each where it is first met as the name of a rule or else in one."""
    told: set[str] = set()
    defined = ((rule.position, rule.name) for rule in subject.written)
    for position, name in (
        *defined,
        *((item.position, item.name) for item in subject.items() if isinstance(item, Name)),
    ):
        if name not in told:
            told.add(name)
            yield position, name


def _escapes(subject: Subject) -> Iterator[tuple[int, str, Quoted | Bracketed]]:
    """The escapes in literals and classes, each where it stands."""
    for item in subject.items():
        if isinstance(item, (Quoted, Bracketed)):
            for found in _ESCAPE.finditer(item.spelling):
                yield item.position + found.start(), found.group(), item

"""Rules that are only another name of a rule: a pass that takes them out of a grammar."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from schema2gbnf.closed import assert_never
from schema2gbnf.grammar.rules import (
    Alternation,
    CharClass,
    Expr,
    Grammar,
    Literal,
    Ref,
    Repeat,
    Sequence,
    references,
)


def without_aliases(grammar: Grammar, kept: Collection[str] = ()) -> Grammar:
    """The same texts without rules that only rename another; `root` itself stays one where it names what is `kept`, or
    what other rules refer to as well.

    >>> rules = {"root": Ref("a"), "a": Sequence((Ref("b"), Ref("b"))), "b": Ref("c"), "c": Literal("x")}
    >>> without_aliases(Grammar(rules)).rules
    {'root': Sequence(parts=(Ref(name='c'), Ref(name='c'))), 'c': Literal(text='x')}
    """
    aliases = {name: body.name for name, body in grammar.rules.items() if isinstance(body, Ref) and name != "root"}
    rules = dict(grammar.rules)
    if aliases:
        targets = {name: Ref(_end(name, aliases)) for name in aliases}
        rules = {name: _renamed(body, targets) for name, body in rules.items() if name not in aliases}
    root = rules["root"]
    if isinstance(root, Ref) and root.name not in kept and _uses(root.name, rules) == 1:
        rules["root"] = rules.pop(root.name)
    return grammar if len(rules) == len(grammar.rules) else Grammar(rules)


def _end(name: str, aliases: Mapping[str, str]) -> str:
    """What a name stands for at last. Rules that are names of each other in a circle have no text, and are not made."""
    while name in aliases:
        name = aliases[name]
    return name


def _uses(name: str, rules: Mapping[str, Expr]) -> int:
    return sum(used == name for body in rules.values() for used in references(body))


def _renamed(expr: Expr, targets: Mapping[str, Ref]) -> Expr:
    match expr:
        case Ref(name):
            return targets.get(name, expr)
        case Sequence(parts):
            return Sequence(tuple(_renamed(part, targets) for part in parts))
        case Alternation(options):
            return Alternation(tuple(_renamed(option, targets) for option in options))
        case Repeat(item, low, high):
            return Repeat(_renamed(item, targets), low, high)
        case Literal() | CharClass():
            return expr
        case _:
            assert_never(expr)

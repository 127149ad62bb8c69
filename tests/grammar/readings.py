"""How often a grammar reads a text, found by trying everything: for short texts the judge of what it means."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from schema2gbnf.gbnf.match import Matcher
from schema2gbnf.gbnf.write import write
from schema2gbnf.grammar.drafts import Draft
from schema2gbnf.grammar.rules import Alternation, CharClass, Expr, Grammar, Literal, Ref, Repeat, Sequence


def drafted(make: Callable[[Draft], Expr]) -> Grammar:
    """The grammar whose root is the expression made; it must also have a portable text."""
    draft = Draft()
    root = draft.reserve("root", "")
    draft.define(root, make(draft))
    grammar = draft.grammar()
    write(grammar)
    return grammar


def accepts(make: Callable[[Draft], Expr], *texts: str) -> list[bool]:
    matcher = Matcher(drafted(make))
    return [matcher.accepts(text) for text in texts]


def printed(make: Callable[[Draft], Expr]) -> str:
    return write(drafted(make))


def readings(grammar: Grammar, text: str) -> int:
    """The number of ways to read the text as a sentence."""
    return _ends(grammar, grammar.rules[grammar.root], text, 0)[len(text)]


def _ends(grammar: Grammar, expr: Expr, text: str, start: int) -> Counter[int]:
    """Where a reading from `start` can end, and in how many ways."""
    match expr:
        case Literal(literal):
            return Counter({start + len(literal): 1} if text.startswith(literal, start) else {})
        case CharClass(chars):
            return Counter({start + 1: 1} if start < len(text) and text[start] in chars else {})
        case Ref(name):
            return _ends(grammar, grammar.rules[name], text, start)
        case Sequence(parts):
            return _in_turn(grammar, parts, text, Counter({start: 1}))
        case Alternation(options):
            found: Counter[int] = Counter()
            for option in options:
                found.update(_ends(grammar, option, text, start))
            return found
        case Repeat(item, low, high):
            here = Counter({start: 1})
            total: Counter[int] = Counter(here) if low == 0 else Counter()
            count = 0
            while here and (high is None or count < high):
                assert not any(_ends(grammar, item, text, place)[place] for place in here), "loops over nothing"
                here = _in_turn(grammar, (item,), text, here)
                count += 1
                if count >= low:
                    total.update(here)
            return total


def _in_turn(grammar: Grammar, parts: tuple[Expr, ...], text: str, here: Counter[int]) -> Counter[int]:
    for part in parts:
        after: Counter[int] = Counter()
        for place, ways in here.items():
            for end, more in _ends(grammar, part, text, place).items():
                after[end] += ways * more
        here = after
    return here

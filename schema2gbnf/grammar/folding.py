"""Expressions kept short: what options share at either end is written once, and what stands in a row is counted.

The constructors `chain`, `choice`, `optional`, `star` and `times` build an expression like `sequence`, `alternation`
and `repeat` do, of the same texts, and never with more readings of one. Characters stay unspelled here: a `CharClass`
is a set of characters of the language, and `spell` turns it at last into what stands for it in the grammar.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from types import MappingProxyType
from typing import TypeAlias

from schema2gbnf.closed import assert_never
from schema2gbnf.grammar.drafts import Draft
from schema2gbnf.grammar.repetition import repetition, until
from schema2gbnf.grammar.rules import (
    EMPTY,
    NOTHING,
    Alternation,
    CharClass,
    Expr,
    Literal,
    Ref,
    Repeat,
    Sequence,
    alternation,
    references,
    repeat,
    sequence,
)
from schema2gbnf.languages.charset import TEXT, CharSet

Speller: TypeAlias = Callable[[CharSet, Draft], Expr]


@dataclass(frozen=True, slots=True)
class Spelling:
    """How characters are written in the grammar, and what stands behind a text, if anything."""

    char: Speller
    """One character of a set."""
    end: Expr | None = None
    rest: Speller | None = None
    """Any number of characters of a set, with the end behind them; there when `end` is."""


ANYTHING = Repeat(CharClass(TEXT), 0, None)
END = Ref("end")
"""Placeholder for what ends a text of the language in the grammar."""

BROAD = 1000
"""Sets of at least so many characters are tried last, and looped over with the end tried first."""

MAX_SYMBOLS = 1000
FOLDED_AT_ONCE = 12
"""How many parts of a sequence are looked at when something is put before it."""


def rest_of(chars: CharSet) -> Ref:
    """Placeholder for any number of these characters and the end."""
    return Ref("rest " + " ".join(f"{low:x}-{high:x}" for low, high in chars.ranges))


def rest_chars(expr: Expr) -> CharSet | None:
    """The characters of a placeholder that `rest_of` made."""
    if not isinstance(expr, Ref) or not expr.name.startswith("rest "):
        return None
    spans = (span.split("-") for span in expr.name.split(" ")[1:])
    return CharSet(tuple((int(low, 16), int(high, 16)) for low, high in spans))


REST = rest_of(TEXT)


def without_end(expr: Expr) -> Expr:
    """The expression with nothing in place of what ends a text."""
    expr = substitute(expr, END, EMPTY)
    for name in sorted(set(references(expr))):
        chars = rest_chars(Ref(name))
        if chars is not None:
            expr = substitute(expr, Ref(name), star(CharClass(chars)))
    return expr


def items(expr: Expr) -> tuple[Expr, ...]:
    """The parts of a sequence; anything else is its own only part."""
    return expr.parts if isinstance(expr, Sequence) else (expr,)


def nullable(expr: Expr) -> bool:
    """Whether the empty text is among the texts; rules count as not empty."""
    match expr:
        case Literal(text):
            return not text
        case CharClass() | Ref():
            return False
        case Sequence(parts):
            return all(map(nullable, parts))
        case Alternation(options):
            return any(map(nullable, options))
        case Repeat(item, low):
            return low == 0 or nullable(item)
        case _:
            assert_never(expr)


def chain(*parts: Expr) -> Expr:
    """The parts in order, equal neighbours counted: `x x*` is `x+`, `x x{2,3}` is `x{3,4}`, `a b (a b)*` is `(a b)+`.

    Beside "anything at all" a repetition needs no more than its least: `Σ* x{2,5}` is `Σ* x{2}`. What may be empty is
    not counted: no engine does well on rounds that read nothing.
    """
    done: list[Expr] = []
    for part in parts:
        inner = items(part)
        # Sequences come folded; their beginning alone may fold with what stands before.
        for piece in inner[:FOLDED_AT_ONCE]:
            if isinstance(piece, Sequence) and not piece.parts:
                continue
            done.append(piece)
            while _fold_end(done):
                pass
        done += inner[FOLDED_AT_ONCE:]
    return sequence(*done)


def _fold_end(parts: list[Expr]) -> bool:
    """Fold the last part into those before it; False when there is nothing to fold."""
    if len(parts) < 2:
        return False
    before, last = parts[-2:]
    if isinstance(last, CharClass):
        # What is read character by character comes here most of all.
        if isinstance(before, CharClass):
            if before.chars.ranges != last.chars.ranges:
                return False
        elif not isinstance(before, Repeat):
            return False
    if ANYTHING in (before, last) and before != last:
        beside = before if last == ANYTHING else last
        if isinstance(beside, Repeat) and beside.low != beside.high:
            least = items(repeat(beside.item, beside.low, beside.low))
            parts[-2:] = [*least, last] if last == ANYTHING else [before, *least]
            return True
    (item, low, high), (other, more, most) = _counted(before), _counted(last)
    if item == other and not isinstance(item, Ref) and not nullable(item):
        parts[-2:] = [Repeat(item, low + more, None if high is None or most is None else high + most)]
        return True
    if isinstance(other, Sequence) and tuple(parts[-1 - len(other.parts) : -1]) == other.parts and not nullable(other):
        parts[-1 - len(other.parts) :] = [Repeat(other, more + 1, None if most is None else most + 1)]
        return True
    return False


def _counted(expr: Expr) -> tuple[Expr, int, int | None]:
    return (expr.item, expr.low, expr.high) if isinstance(expr, Repeat) else (expr, 1, 1)


def any_of(*options: Expr) -> Expr:
    """Any of the options, single characters as one class."""
    return alternation(*_merged(options))


def choice(*options: Expr, sides: tuple[int, ...] = (-1, 0)) -> Expr:
    """Any of the options, their common ends and beginnings factored out: `a c | b c` is `[ab] c`."""
    flat: list[Expr] = []
    for option in options:
        flat.extend(option.options if isinstance(option, Alternation) else (option,))
    some = _merged(option for option in flat if option != EMPTY)
    # Ends first: what then still begins alike differs behind, and must be kept apart there.
    for side in sides:
        some = _factored(some, side, sides)
    body = alternation(*_with_counted_heads(_with_optional_heads(some)))
    return optional(body) if EMPTY in flat else body


def _merged(options: Iterable[Expr]) -> list[Expr]:
    """The options without repetition, character classes as one."""
    distinct = list(dict.fromkeys(options))
    classes = [option.chars for option in distinct if isinstance(option, CharClass)]
    if len(classes) < 2:
        return distinct
    together = CharClass(CharSet.union(span for chars in classes for span in chars.ranges))
    return [together, *(option for option in distinct if not isinstance(option, CharClass))]


def _factored(options: list[Expr], side: int, sides: tuple[int, ...]) -> list[Expr]:
    groups: dict[Expr, list[Expr]] = {}
    for option in options:
        groups.setdefault(items(option)[side], []).append(option)
    if len(groups) == len(options):
        return options
    factored: list[Expr] = []
    for common, group in groups.items():
        if len(group) == 1:
            factored += group
        elif side == 0:
            factored.append(chain(common, choice(*(sequence(*items(option)[1:]) for option in group), sides=sides)))
        else:
            factored.append(chain(choice(*(sequence(*items(option)[:-1]) for option in group), sides=sides), common))
    return _merged(factored)


def _with_optional_heads(options: list[Expr]) -> list[Expr]:
    """`x (a | b) | a | b` is `x? (a | b)`."""
    for option in options:
        *head, last = items(option)
        if head and isinstance(last, Alternation) and set(last.options) <= set(options):
            joined = chain(optional(chain(*head)), last)
            return [joined, *(other for other in options if other != option and other not in last.options)]
    return options


def _with_counted_heads(options: list[Expr]) -> list[Expr]:
    """`x (x y | a) | a` is `x{2} y | x? a`, and `x (x{2} y | x? a) | a` is `x{3} y | x{0,2} a`."""
    for option in options:
        head, *tail = items(option)
        if not isinstance(head, CharClass) or len(tail) != 1 or not isinstance(tail[0], Alternation):
            continue
        others = [other for other in options if other != option]
        for inner in tail[0].options:
            item, count, most = _counted(next(iter(items(inner)), EMPTY))
            if item != head or count != most:
                continue
            failing = others if count == 1 else [chain(times(head, 0, count - 1), any_of(*others))]
            if set(tail[0].options) == {inner, *failing}:
                return [chain(head, inner), chain(times(head, 0, count), any_of(*others))]
    return options


def optional(expr: Expr) -> Expr:
    """The expression or nothing."""
    return expr if nullable(expr) else repeat(expr, 0, 1)


def star(expr: Expr) -> Expr:
    """Any number of the expression."""
    return times(expr, 0, None)


def times(expr: Expr, low: int, high: int | None) -> Expr:
    """From `low` to `high` of the expression, which itself is never taken empty: `(a?){2,3}` is `a{0,3}`."""
    if expr == EMPTY or high == 0:
        return EMPTY
    if nullable(expr):
        expr, low = loop_body(expr) if high is None else nonempty(expr), 0
    if isinstance(expr, Repeat) and expr.low <= 1 and low <= 1 and (high is None or expr.high is None):
        # (x+)* and (x{1,3})* are x*, (x+){1,3} is x+.
        return repeat(expr.item, min(low, expr.low), None)
    return repeat(expr, low, high)


def nonempty(expr: Expr) -> Expr:
    """The texts of the expression but for the empty one."""
    if not nullable(expr):
        return expr
    match expr:
        case Sequence(parts) if parts:
            head, tail = parts[0], chain(*parts[1:])
            return choice(chain(nonempty(head), tail), nonempty(tail))
        case Alternation(options):
            return choice(*(nonempty(option) for option in options))
        case Repeat(item, _, high):
            return times(nonempty(item), 1, high)
        case _:
            return NOTHING


def loop_body(expr: Expr) -> Expr:
    """An expression that is never empty, whose repetitions are those of the given one (star normal form)."""
    if not nullable(expr):
        return expr
    match expr:
        case Sequence(parts):
            return choice(*(loop_body(part) for part in parts))
        case Alternation(options):
            return choice(*(loop_body(option) for option in options))
        case Repeat(item):
            return loop_body(item)
        case _:
            return NOTHING


@lru_cache(maxsize=1 << 14)
def weight(expr: Expr) -> int:
    """About how many characters the expression takes in print."""
    match expr:
        case Literal(text):
            return len(text) + 3
        case CharClass(chars):
            return 10 if chars == TEXT else 3 if chars.single else 3 + 3 * min(len(chars.ranges), 8)
        case Ref(name):
            return min(len(name), 10) + 1
        case Sequence(parts):
            # Characters in a row are one literal.
            joined = sum(_is_single(left) and _is_single(right) for left, right in pairwise(parts))
            return 2 + sum(map(weight, parts)) - 2 * joined
        case Alternation(options):
            return 2 + sum(map(weight, options))
        case Repeat(item, low, high):
            return weight(item) + (1 if (low, high) in ((0, 1), (0, None), (1, None)) else 5)
        case _:
            assert_never(expr)


def _is_single(expr: Expr) -> bool:
    return isinstance(expr, CharClass) and expr.chars.single is not None


def depth(expr: Expr) -> int:
    """How deep expressions are nested in the expression; found without recursion."""
    deepest, todo = 0, [(expr, 1)]
    while todo:
        part, level = todo.pop()
        deepest = max(deepest, level)
        match part:
            case Sequence(parts) | Alternation(parts):
                todo.extend((each, level + 1) for each in parts)
            case Repeat(item):
                todo.append((item, level + 1))
            case _:
                pass
    return deepest


def substitute(expr: Expr, ref: Ref, body: Expr) -> Expr:
    """The expression with `body` in place of a rule."""
    match expr:
        case Ref():
            return body if expr == ref else expr
        case Sequence(parts):
            return chain(*(substitute(part, ref, body) for part in parts))
        case Alternation(options):
            return choice(*(substitute(option, ref, body) for option in options))
        case Repeat(item, 0, 1):
            return optional(substitute(item, ref, body))
        case Repeat(item, low, high):
            return times(substitute(item, ref, body), low, high)
        case _:
            return expr


def breadth(expr: Expr) -> int:
    """How many characters the expression can begin with, about."""
    match expr:
        case CharClass(chars):
            return len(chars)
        case Sequence(parts):
            total = 0
            for part in parts:
                total += breadth(part)
                if not nullable(part):
                    break
            return total
        case Alternation(options):
            return sum(map(breadth, options))
        case Repeat(item):
            return breadth(item)
        case _:
            return BROAD if rest_chars(expr) else 1


def spell(
    expr: Expr, spelling: Spelling, draft: Draft, hint: str, names: Mapping[Ref, Ref] = MappingProxyType({})
) -> Expr:
    """The expression as it is printed: characters spelled, placeholders replaced, what is counted a rule.

    Options go from narrow to broad. The engine tries every token on each of them, and the less the first ones take,
    the less often what they take is tried again: 36 % less time for a free string.
    """

    def within(part: Expr) -> Expr:
        return spell(part, spelling, draft, hint, names)

    match expr:
        case CharClass(chars):
            return spelling.char(chars, draft)
        case Sequence(parts):
            behind: deque[Expr] = deque()
            for part in reversed(parts):
                loop = broad_loop(part) if behind else None
                if loop is None:
                    found = spelling.char(part.chars, draft) if isinstance(part, CharClass) else within(part)
                    if found != EMPTY:
                        behind.appendleft(found)
                else:
                    char = within(CharClass(loop[0]))
                    if isinstance(char, Alternation):
                        char = draft.share(f"{hint}-char", char)
                    least = repetition(char, loop[1], loop[1], draft, hint)
                    behind = deque((least, until(char, sequence(*behind), draft, f"{hint}-next")))
            return sequence(*behind)
        case Alternation(options):
            return alternation(*map(within, sorted(options, key=breadth)))
        case Repeat(item, low, high):
            spelled = within(item)
            if isinstance(spelled, Literal) and low == high and low * len(spelled.text) <= 8:
                return Literal(spelled.text * low)
            if isinstance(spelled, Sequence | Alternation) and symbols(spelled) > MAX_SYMBOLS:
                spelled = draft.share(f"{hint}-part", spelled)
            return repetition(spelled, low, high, draft, f"{hint}-part")
        case Ref():
            rest = rest_chars(expr)
            if rest is not None and spelling.rest is not None:
                return spelling.rest(rest, draft)
            return spelling.end if expr == END and spelling.end is not None else names.get(expr, expr)
        case Literal():
            return expr
        case _:
            assert_never(expr)


def broad_loop(expr: Expr) -> tuple[CharSet, int] | None:
    """The characters and the least number of them, where there may be any number of one of many."""
    match expr:
        case Repeat(CharClass(chars), low, None) if len(chars) >= BROAD:
            return chars, low
        case _:
            return None


def has_broad_star(expr: Expr) -> bool:
    """Whether some loop takes nearly all characters, but for loops over one set, which `spell` takes care of."""
    match expr:
        case Sequence(parts) | Alternation(parts):
            return any(map(has_broad_star, parts))
        case Repeat(CharClass()):
            return False
        case Repeat(item, _, high):
            return (high is None and breadth(item) >= BROAD) or has_broad_star(item)
        case _:
            return False


def symbols(expr: Expr) -> int:
    """How many symbols the engine makes of the expression: it repeats no group of more than 2000."""
    match expr:
        case Sequence(parts) | Alternation(parts):
            return 1 + sum(map(symbols, parts))
        case Repeat(item, low, high):
            return symbols(item) + (1 if high is None else high - low)
        case _:
            return 1

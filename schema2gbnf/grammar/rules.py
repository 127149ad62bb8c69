"""A grammar as data: expressions over characters and rule names.

The constructors `sequence`, `alternation` and `repeat` keep expressions in a simple form: no sequence directly inside
a sequence, neighbouring literals joined, no alternation of one, no repetition of nothing. Expressions keep their hash,
since a compiler looks them up again and again.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from schema2gbnf.languages.charset import CharSet


@dataclass(frozen=True, slots=True)
class Literal:
    """These characters, exactly."""

    text: str

    def __hash__(self) -> int:
        return hash(self.text)


@dataclass(frozen=True, slots=True)
class CharClass:
    """One character of a set."""

    chars: CharSet

    def __hash__(self) -> int:
        return hash(self.chars)


@dataclass(frozen=True, slots=True)
class Ref:
    """A text of the named rule."""

    name: str

    def __hash__(self) -> int:
        return hash(self.name)


@dataclass(frozen=True, slots=True)
class Sequence:
    """The parts one after the other; no part: the empty text."""

    parts: tuple[Expr, ...]
    _hash: int = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_hash", hash((Sequence, self.parts)))

    def __hash__(self) -> int:
        return self._hash


@dataclass(frozen=True, slots=True)
class Alternation:
    """Any one of the options; no option: no text at all."""

    options: tuple[Expr, ...]
    _hash: int = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_hash", hash((Alternation, self.options)))

    def __hash__(self) -> int:
        return self._hash


@dataclass(frozen=True, slots=True)
class Repeat:
    """The item from `low` to `high` times; `high` is None when unbounded."""

    item: Expr
    low: int
    high: int | None
    _hash: int = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_hash", hash((Repeat, self.item, self.low, self.high)))

    def __hash__(self) -> int:
        return self._hash


Expr = Literal | CharClass | Ref | Sequence | Alternation | Repeat

EMPTY = Sequence(())
NOTHING = Alternation(())


def sequence(*parts: Expr) -> Expr:
    """The parts in order.

    >>> sequence(Literal("a"), sequence(Literal("b"), Ref("x")), EMPTY)
    Sequence(parts=(Literal(text='ab'), Ref(name='x')))
    """
    flat: list[Expr] = []
    last: Expr | None = None
    for part in parts:
        if isinstance(part, Literal):
            if isinstance(last, Literal):
                flat[-1] = part = Literal(last.text + part.text)
            elif part.text:
                flat.append(part)
            else:
                continue
            last = part
        elif isinstance(part, Sequence):
            inner = part.parts
            if not inner:
                continue
            if isinstance(last, Literal) and isinstance(first := inner[0], Literal):
                flat[-1] = Literal(last.text + first.text)
                inner = inner[1:]
            flat += inner
            last = flat[-1]
        elif isinstance(part, Alternation) and not part.options:
            return NOTHING
        else:
            flat.append(part)
            last = part
    return flat[0] if len(flat) == 1 else Sequence(tuple(flat))


def alternation(*options: Expr) -> Expr:
    """Any of the options, each once; character classes among them are one class, an empty one makes the rest optional.

    >>> alternation(Literal("a"), EMPTY)
    Repeat(item=Literal(text='a'), low=0, high=1)
    """
    flat: dict[Expr, None] = {}
    for option in options:
        if isinstance(option, Alternation):
            flat.update(dict.fromkeys(option.options))
        else:
            flat[option] = None
    optional = flat.pop(EMPTY, flat) is None
    rest = tuple(flat)
    body = rest[0] if len(rest) == 1 else Alternation(rest)
    if not optional:
        return body
    return repeat(body, 0, 1) if rest else EMPTY


def repeat(item: Expr, low: int, high: int | None) -> Expr:
    """The item from `low` to `high` times."""
    if high == 0 or item == EMPTY:
        return EMPTY
    if item == NOTHING:
        return EMPTY if low == 0 else NOTHING
    if (low, high) == (1, 1):
        return item
    if (low, high) == (0, 1) and isinstance(item, Repeat) and item.low <= 1:
        return Repeat(item.item, 0, item.high)
    return Repeat(item, low, high)


def references(expr: Expr) -> list[str]:
    """Names of the rules an expression uses, in order of appearance, with repetitions."""
    names: list[str] = []
    stack: list[Expr] = [expr]
    while stack:
        part = stack.pop()
        if isinstance(part, Ref):
            names.append(part.name)
        elif isinstance(part, Sequence):
            stack += part.parts[::-1]
        elif isinstance(part, Alternation):
            stack += part.options[::-1]
        elif isinstance(part, Repeat):
            stack.append(part.item)
    return names


@dataclass(frozen=True)
class Grammar:
    """Rules by name, in the order they are printed; texts of the grammar are those of `root`."""

    rules: Mapping[str, Expr]
    root: str = "root"


# -- names of rules ----------------------------------------------------------------------------------------------------


def rule_name(hint: str) -> str:
    """A portable rule name: letters, digits and dashes, a lower-case letter first.

    >>> rule_name("$defs/My Type"), rule_name("2nd"), rule_name("Tree")
    ('defs-My-Type', 'n2nd', 'tree')
    """
    is_clean = hint.isascii() and hint.replace("-", "").isalnum() and "--" not in hint
    name = (hint if is_clean else _NOT_PORTABLE.sub("-", hint)).strip("-")
    if not name:
        return "rule"
    if name[0].isdigit():
        return "n" + name
    return name[0].lower() + name[1:]


_NOT_PORTABLE = re.compile("[^a-zA-Z0-9]+")


def abridged(hint: str, longest: int) -> str:
    """The rule name for a hint; of one that is too long, the first words, a hash and the last words.

    >>> abridged("a few words", 24), abridged("first words and many more up to the last words", 36)
    ('a-few-words', 'first-words-1df3e2-last-words')
    """
    name = rule_name(hint)
    if len(name) <= longest:
        return name
    head, tail = name[: longest // 3], name[-(longest // 3) :]
    return "-".join((head.rpartition("-")[0] or head, digest(hint)[:6], tail.partition("-")[2] or tail))


@lru_cache(maxsize=1 << 12)
def folded(name: str) -> str:
    """What llguidance makes of a rule name; two names that it folds into one would be one rule there."""
    if name.islower():
        return name.replace("-", "_")
    return _CAMEL.sub(r"\1_\2", name).replace("-", "_").lower()


_CAMEL = re.compile("([a-z0-9])([A-Z])")


def digest(identity: str) -> str:
    """A hash of a text that tells a rule from others, in hexadecimal digits."""
    return hashlib.sha256(identity.encode("utf-8", "surrogatepass")).hexdigest()

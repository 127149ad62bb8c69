"""Tries: what may come next, read character by character so that common beginnings are read once.

A `KeyTrie` is a persistent trie of member names. The tries of successive positions in an object differ in one name, so
that they share almost all their nodes, and n optional members cost nodes in proportion to the length of their names.
To share them even where many names begin differently, the characters of one node are themselves in a binary radix
tree (Okasaki and Gill 1998). `factored` is the same idea for any expressions that begin alike.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache

from schema2gbnf.grammar import characters
from schema2gbnf.grammar.characters import spelled
from schema2gbnf.grammar.drafts import Draft
from schema2gbnf.grammar.rules import EMPTY, Alternation, CharClass, Expr, Literal, Sequence, alternation, sequence
from schema2gbnf.grammar.strings import any_rest
from schema2gbnf.languages.charset import TEXT, CharSet

Edge = tuple[object, tuple[object, ...]]
"""What is read after the name, and the places from which reading goes on."""


@dataclass(slots=True, eq=False)
class End:
    """Where names end: the edges that leave; without an edge, the trie of no name."""

    edges: tuple[Edge, ...]


@dataclass(slots=True, eq=False)
class Char:
    """Names that go on with one character."""

    char: str
    below: KeyTrie

    @property
    def prefix(self) -> int:
        return ord(self.char)


@dataclass(slots=True, eq=False)
class Fork:
    """Names that go on with characters alike above `bit`: those without the bit, and those with it."""

    prefix: int
    bit: int
    left: KeyTrie
    right: KeyTrie

    def covers(self, prefix: int) -> bool:
        return prefix & ~(2 * self.bit - 1) == self.prefix


KeyTrie = End | Char | Fork


@dataclass
class Forest:
    """Interned nodes, so that equal tries are one object and merging is remembered; once made, none is changed."""

    _nodes: dict[tuple[object, ...], KeyTrie] = field(default_factory=dict)
    _merged: dict[tuple[int, int], KeyTrie] = field(default_factory=dict)
    empty: KeyTrie = field(init=False)

    def __post_init__(self) -> None:
        self.empty = self.end(())

    def end(self, edges: tuple[Edge, ...]) -> KeyTrie:
        key = (edges,)
        node = self._nodes.get(key)
        if node is None:
            node = self._nodes[key] = End(edges)
        return node

    def char(self, char: str, below: KeyTrie) -> KeyTrie:
        key = char, id(below)
        node = self._nodes.get(key)
        if node is None:
            node = self._nodes[key] = Char(char, below)
        return node

    def fork(self, prefix: int, bit: int, left: KeyTrie, right: KeyTrie) -> KeyTrie:
        key = bit, id(left), id(right)
        node = self._nodes.get(key)
        if node is None:
            node = self._nodes[key] = Fork(prefix, bit, left, right)
        return node

    def single(self, text: str, edge: Edge) -> KeyTrie:
        """The trie of one name, given as it stands in the grammar with its closing quote."""
        nodes = self._nodes
        node: KeyTrie = self.end((edge,))
        for char in reversed(text):
            key = char, id(node)
            found = nodes.get(key)
            if found is None:
                found = nodes[key] = Char(char, node)
            node = found
        return node

    def merge(self, first: KeyTrie, second: KeyTrie) -> KeyTrie:
        """The trie of the names of both. Equal continuations of one name become one edge, the first's come first."""
        if first is second or second is self.empty:
            return first
        if first is self.empty:
            return second
        begun = []
        while isinstance(first, Char) and isinstance(second, Char) and first.char == second.char:
            begun.append(first.char)
            first, second = first.below, second.below
        key = (id(first), id(second))
        node = self._merged.get(key)
        if node is None:
            node = self._merged[key] = self._merge(first, second)
        for char in reversed(begun):
            node = self.char(char, node)
        return node

    def _merge(self, first: KeyTrie, second: KeyTrie) -> KeyTrie:
        if first is second:
            return first
        match first, second:
            case End(edges), End(others):
                joined: dict[object, dict[object, None]] = {}
                for value, targets in (*edges, *others):
                    joined.setdefault(value, {}).update(dict.fromkeys(targets))
                return self.end(tuple((value, tuple(targets)) for value, targets in joined.items()))
            case Fork(prefix, bit, left, right), Fork(other, another, low, high) if (prefix, bit) == (other, another):
                return self.fork(prefix, bit, self.merge(left, low), self.merge(right, high))
            case Fork(prefix, bit, left, right), Char() | Fork() if first.covers(second.prefix) and _bit(second) < bit:
                if second.prefix & bit:
                    return self.fork(prefix, bit, left, self.merge(right, second))
                return self.fork(prefix, bit, self.merge(left, second), right)
            case Char() | Fork(), Fork(prefix, bit, left, right) if second.covers(first.prefix) and _bit(first) < bit:
                if first.prefix & bit:
                    return self.fork(prefix, bit, left, self.merge(first, right))
                return self.fork(prefix, bit, self.merge(first, left), right)
            case Char() | Fork(), Char() | Fork():
                bit = 1 << ((first.prefix ^ second.prefix).bit_length() - 1)
                left, right = (second, first) if first.prefix & bit else (first, second)
                return self.fork(first.prefix & ~(2 * bit - 1), bit, left, right)
            case _:
                raise AssertionError("a name that ends in its quote is no beginning of another")


def _bit(node: Char | Fork) -> int:
    return node.bit if isinstance(node, Fork) else 0


def all_but(names: Iterable[str], draft: Draft) -> Expr:
    """All names but these, from behind the opening quote to the closing one, character by character.

    Follows the excluded names as long as the text does; where it leaves them, anything may come.
    """
    followed, ends = {"": ""}, set(names)
    for name in sorted(ends):
        for size in range(len(name)):
            before, char = name[:size], name[size]
            if char not in followed.setdefault(before, ""):
                followed[before] += char
        followed.setdefault(name, "")
    if not ends:
        return any_rest(draft, canonical=True)
    exprs: dict[str, Expr] = {}
    for before in sorted(followed, key=len, reverse=True):
        chars = followed[before]
        options: list[Expr] = [] if before in ends else [Literal('"')]
        options += [sequence(_spelled(char, draft), exprs[before + char]) for char in chars]
        expr = alternation(*options, any_but("".join(sorted(chars)), draft))
        # Groups inside groups are read by recursion in many a parser: long names are cut into rules.
        deep = len(before) % DEEPEST == 0 and before != ""
        exprs[before] = draft.share(f"no-name-{before[:DEEPEST]}", expr) if deep else expr
    return exprs[""]


DEEPEST = 24
"""Characters of a name that are read in groups inside groups."""


def _spelled(char: str, draft: Draft) -> Expr:
    return Literal(char) if " " <= char <= "~" and char not in '"\\' else spelled(CharSet.of(char), draft)


def any_but(chars: str, draft: Draft) -> Expr:
    """Any text that does not begin with one of these characters, and the closing quote: a rule that many share."""

    def make() -> Expr:
        rest = any_rest(draft, canonical=True)
        if not chars:
            return sequence(spelled(TEXT, draft), rest)
        if ESCAPED.isdisjoint(chars):
            first = alternation(spelled(characters.ESCAPED, draft), _plain_but(chars))
        else:
            first = spelled(TEXT - CharSet.of(chars), draft)
        # llguidance folds capitals, so they are named by their code.
        named = (char if char.islower() and char.isascii() else f"x{ord(char):x}" for char in chars)
        return draft.share("-".join(("not", *named)), sequence(first, rest))

    return draft.once(("any but", chars), make)


ESCAPED = frozenset(characters.ESCAPED)


@lru_cache(maxsize=4096)
def _plain_but(chars: str) -> Expr:
    return CharClass(characters.PLAIN - CharSet.of(chars))


def factored(options: Iterable[Expr]) -> Expr:
    """The options with common beginnings read once.

    >>> factored([Literal("true"), Literal("tree"), Literal("x")])  # doctest: +NORMALIZE_WHITESPACE
    Alternation(options=(Sequence(parts=(Literal(text='tr'),
                                         Alternation(options=(Literal(text='ue'), Literal(text='ee'))))),
                         Literal(text='x')))
    """
    flat: dict[Expr, None] = {}
    for option in options:
        if isinstance(option, Alternation):
            flat.update(dict.fromkeys(option.options))
        else:
            flat[option] = None
    if len({_beginning(option) for option in flat}) == len(flat):
        return alternation(*flat)
    return _factored([option.parts if isinstance(option, Sequence) else (option,) for option in flat])


def _beginning(expr: Expr) -> object:
    """What tells the beginnings of two expressions apart: a character, or an expression."""
    head = expr
    if isinstance(expr, Sequence):
        head = expr.parts[0] if expr.parts else EMPTY
    return head.text[0] if isinstance(head, Literal) else head


def _factored(options: list[tuple[Expr, ...]]) -> Expr:
    groups: dict[object, list[tuple[Expr, ...]]] = {}
    for option in options:
        head = option[0] if option else EMPTY
        groups.setdefault(head.text[0] if isinstance(head, Literal) else head, []).append(option)
    found = []
    for group in groups.values():
        if len(group) == 1:
            found.append(sequence(*group[0]))
            continue
        head = _common(group)
        rests = [_without(option, head) for option in group]
        found.append(sequence(head, _factored(list(dict.fromkeys(rests)))))
    return alternation(*found)


def _common(group: list[tuple[Expr, ...]]) -> Expr:
    """The longest literal, or else the one expression, that all options begin with."""
    first = group[0][0] if group[0] else EMPTY
    if not isinstance(first, Literal):
        return first
    size = len(first.text)
    for option in group[1:]:
        head = option[0]
        assert isinstance(head, Literal)
        size = min(size, len(head.text))
        while head.text[:size] != first.text[:size]:
            size -= 1
    return Literal(first.text[:size])


def _without(option: tuple[Expr, ...], head: Expr) -> tuple[Expr, ...]:
    if not option:
        return ()
    if isinstance(head, Literal):
        first = option[0]
        assert isinstance(first, Literal)
        rest = first.text[len(head.text) :]
        return (Literal(rest), *option[1:]) if rest else option[1:]
    return option[1:]

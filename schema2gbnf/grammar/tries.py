"""Tries: what may come next, read character by character so that common beginnings are read once.

`KeyTrie` is a persistent trie of member names. The tries of successive positions in an object differ in one name, so
that they share almost all their nodes, and n optional members cost nodes in proportion to the length of their names.
`factored` is the same idea for any expressions that begin alike.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from schema2gbnf.grammar.characters import spelled
from schema2gbnf.grammar.rules import EMPTY, Alternation, Draft, Expr, Literal, Sequence, alternation, sequence
from schema2gbnf.grammar.strings import any_rest
from schema2gbnf.languages.charset import TEXT, CharSet

Edge = tuple[object, tuple[object, ...]]
"""What is read after the name, and the places from which reading goes on."""


@dataclass(frozen=True, slots=True, eq=False)
class KeyTrie:
    """A node, interned in a `Forest`: its children by character, and the edges that leave where a name ends."""

    children: tuple[tuple[str, KeyTrie], ...]
    edges: tuple[Edge, ...]


@dataclass
class Forest:
    """Interned nodes, so that equal tries are one object and merging is remembered."""

    _nodes: dict[tuple[object, ...], KeyTrie] = field(default_factory=dict)
    _merged: dict[tuple[int, int], KeyTrie] = field(default_factory=dict)

    def node(self, children: tuple[tuple[str, KeyTrie], ...], edges: tuple[Edge, ...]) -> KeyTrie:
        key = (tuple((char, id(child)) for char, child in children), edges)
        found = self._nodes.get(key)
        if found is None:
            found = self._nodes[key] = KeyTrie(children, edges)
        return found

    @property
    def empty(self) -> KeyTrie:
        return self.node((), ())

    def single(self, text: str, edge: Edge) -> KeyTrie:
        """The trie of one name, given as it stands in the grammar with its closing quote."""
        node = self.node((), (edge,))
        for char in reversed(text):
            node = self.node(((char, node),), ())
        return node

    def merge(self, first: KeyTrie, second: KeyTrie) -> KeyTrie:
        """The trie of the names of both; the first's come first. Equal continuations of one name become one edge.

        Children in the order of their first name; as deep as the longer name, so the recursion is along one name.
        """
        if first is second or not (second.children or second.edges):
            return first
        if not (first.children or first.edges):
            return second
        key = (id(first), id(second))
        found = self._merged.get(key)
        if found is None:
            children = dict(first.children)
            for char, child in second.children:
                children[char] = self.merge(children[char], child) if char in children else child
            edges: dict[object, dict[object, None]] = {}
            for value, targets in (*first.edges, *second.edges):
                edges.setdefault(value, {}).update(dict.fromkeys(targets))
            joined = tuple((value, tuple(targets)) for value, targets in edges.items())
            found = self._merged[key] = self.node(tuple(children.items()), joined)
        return found


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
        exprs[before] = alternation(*options, _any_but("".join(sorted(chars)), draft))
    return exprs[""]


def _spelled(char: str, draft: Draft) -> Expr:
    return Literal(char) if " " <= char <= "~" and char not in '"\\' else spelled(CharSet.of(char), draft)


def _any_but(chars: str, draft: Draft) -> Expr:
    """Any text that does not begin with one of these characters, and the closing quote: a rule that many share."""

    def make() -> Expr:
        body = sequence(spelled(TEXT - CharSet.of(chars), draft), any_rest(draft, canonical=True))
        # llguidance folds capitals, so they are named by their code.
        named = (char if char.islower() and char.isascii() else f"x{ord(char):x}" for char in chars)
        return draft.share("-".join(("not", *named)), body) if chars else body

    return draft.once(("any but", chars), make)


def factored(options: Iterable[Expr]) -> Expr:
    """The options with common beginnings read once.

    >>> factored([Literal("true"), Literal("tree"), Literal("x")])  # doctest: +NORMALIZE_WHITESPACE
    Alternation(options=(Sequence(parts=(Literal(text='tr'),
                                         Alternation(options=(Literal(text='ue'), Literal(text='ee'))))),
                         Literal(text='x')))
    """
    flat: list[tuple[Expr, ...]] = []
    for option in options:
        for each in option.options if isinstance(option, Alternation) else (option,):
            flat.append(each.parts if isinstance(each, Sequence) else (each,))
    return _factored(list(dict.fromkeys(flat)))


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

"""Patterns without their anchors: the regex of the whole text that says the same as a search for the pattern.

A pattern is found anywhere in a text, so it stands for Σ* p Σ*, cut short where `^` and `$` hold. `plain` writes that
out as a tree of characters, sequences, choices and repetitions alone, where anchors stand only at the edges of
alternatives. It gives None for look-around, word boundaries and anchors in any other place.
"""

from __future__ import annotations

from typing import TypeAlias

from schema2gbnf.languages.charset import ANY
from schema2gbnf.languages.regex import (
    EMPTY,
    Chars,
    Choice,
    Concat,
    End,
    Look,
    Regex,
    Repeat,
    Start,
    WordBoundary,
    choice,
    concat,
    repeat,
)

ANYTHING: Regex = Repeat(Chars(ANY), 0, None)
"""Σ*."""

OPTIONS = 256
"""Alternatives that distributing anchors over choices may make."""

_Anchor: TypeAlias = "type[Start] | type[End]"


def plain(tree: Regex) -> Regex | None:
    """The anchor-free regex of all texts in which `tree` is found, or None.

    >>> from schema2gbnf.languages.ecma import parse
    >>> plain(parse("^(?:a|b$)").tree) == plain(parse("^a|^b$").tree)
    True
    >>> plain(parse("a^b").tree) is None
    True
    """
    found: list[Regex] = []
    for from_start, left in _edges(tree, Start):
        for to_end, whole in _edges(left, End):
            if _has(whole, Start | End | WordBoundary | Look) or len(found) == OPTIONS:
                return None
            before = () if from_start else (ANYTHING,)
            after = () if to_end else (ANYTHING,)
            body = whole if from_start else absorb(whole, leading=True)
            body = body if to_end else absorb(body, leading=False)
            found.append(concat((*before, body, *after)) if body != EMPTY else _once(from_start, to_end))
    return choice(found)


def _once(from_start: bool, to_end: bool) -> Regex:
    """The texts in which the empty word is found between anchors."""
    return EMPTY if from_start and to_end else ANYTHING


def absorb(tree: Regex, *, leading: bool) -> Regex:
    """A simpler regex for the same place next to Σ*, which stands before it (`leading`) or behind it.

    Σ* x{m,n} = Σ* x{m}, since Σ* can take every further x; what may be empty vanishes; options are absorbed one by one.

    >>> absorb(Repeat(Chars(ANY), 1, None), leading=True)
    Chars(chars=CharSet([U+0000-U+10FFFF]))
    """
    match tree:
        case Repeat(item, low, _):
            if low != 1:
                return repeat(item, low, low)
            return absorb(item, leading=leading)
        case Choice(options):
            absorbed = [absorb(option, leading=leading) for option in options]
            return EMPTY if EMPTY in absorbed else choice(absorbed)
        case Concat(parts):
            rest = list(parts)
            while rest:
                edge = absorb(rest.pop(0 if leading else -1), leading=leading)
                if edge != EMPTY:
                    return concat((edge, *rest) if leading else (*rest, edge))
            return EMPTY
        case _:
            return tree


def _edges(tree: Regex, anchor: _Anchor) -> list[tuple[bool, Regex]]:
    """The tree as alternatives, each with whether it began (ended) with the anchor, which is then taken off it."""
    if isinstance(tree, anchor):
        return [(True, EMPTY)]
    if not _has(tree, anchor):
        return [(False, tree)]
    if isinstance(tree, Choice):
        return [edge for option in tree.options for edge in _edges(option, anchor)]
    if isinstance(tree, Repeat) and (tree.low, tree.high) == (0, 1):
        return [(False, EMPTY), *_edges(tree.item, anchor)]
    if not isinstance(tree, Concat):
        return [(False, tree)]
    parts = tree.parts if anchor is Start else tree.parts[::-1]
    found: list[tuple[bool, Regex]] = []
    unread = {False: None}  # whether the anchor has been met, for the alternatives that have not read anything yet
    for index, part in enumerate(parts):
        edges = _edges(part, anchor)
        for met in unread:
            for anchored, edge in edges:
                if edge != EMPTY:
                    whole = (edge, *parts[index + 1 :])
                    found.append((met or anchored, concat(whole if anchor is Start else whole[::-1])))
        unread = {met or anchored: None for met in unread for anchored, edge in edges if edge == EMPTY}
        if not unread or len(found) > OPTIONS:
            return found
    return found + [(met, EMPTY) for met in unread]


def _has(tree: Regex, kinds: object) -> bool:
    """Whether a node of these kinds is anywhere in the tree."""
    todo: list[Regex] = [tree]
    while todo:
        node = todo.pop()
        if isinstance(node, kinds):  # type: ignore[arg-type]
            return True
        match node:
            case Concat(parts):
                todo.extend(parts)
            case Choice(options):
                todo.extend(options)
            case Repeat(item) | Look(item=item):
                todo.append(item)
            case _:
                pass
    return False

"""What a regular expression asks of a back end: the features it is written with, and how to write it with fewer.

The tree of the core's ECMA-262 parser tells what a pattern is; the features that are only spelling are looked up in
its text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from schema2gbnf.languages import ecma
from schema2gbnf.languages.charset import CharSet
from schema2gbnf.languages.regex import Chars, Choice, Concat, End, Look, Regex, Repeat, Start, WordBoundary

FEATURES = {
    "unanchored": "it is not anchored at both ends",
    "inner-anchor": "it has an anchor inside",
    "boundary": "it has a word boundary",
    "lookaround": "it looks ahead or behind",
    "back-reference": "it refers back to a group",
    "shorthand": "it has a shorthand for a class (\\d, \\w, \\s)",
    "property": "it has a Unicode property",
    "group": "it has a non-capturing or named group",
    "lazy": "it has a lazy repetition",
}
"""What a back end may not read, and how that is said."""

_TOKEN = re.compile(r"\\(?:p\{[^}]*\}|P\{[^}]*\}|.)|\(\?(?:<[A-Za-z_$][^>]*>|[:=!]|<[=!])|[*+?}]\?|.", re.DOTALL)
_CLASS_ESCAPES = {
    "\\d": "0-9",
    "\\w": "A-Za-z0-9_",
    "\\s": "\\t\\n\\v\\f\\r \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff",
}
_NEGATED = {"\\D": "\\d", "\\W": "\\w", "\\S": "\\s"}
_ANYTHING = "(.|[\\n\\r\u2028\u2029])*"
"""Any text; a dot alone is no line break."""
_UNSAFE = CharSet.of('"\\') | CharSet.span("\0", "\x1f")
"""What stands in the text of a JSON string only behind a backslash."""


@dataclass(frozen=True, slots=True)
class Traits:
    """What is to be known of a pattern."""

    features: frozenset[str]
    nesting: int
    matches_unsafe: bool
    """It matches characters that JSON text only has escaped."""


@lru_cache(maxsize=1024)
def traits(source: str) -> Traits | str:
    """The traits of a pattern, or why it is none."""
    try:
        tree = ecma.parse(source).tree
    except ecma.PatternError as error:
        if error.unsupported and re.search(r"\\[1-9k]", source):
            return Traits(frozenset(("back-reference",)), 0, False)
        return str(error)
    nodes = [node for node, _ in _nodes(tree)]
    inner = nodes[1:] if isinstance(tree, Start | End) else nodes
    anchors = sum(isinstance(node, Start | End) for node in inner)
    anchored = isinstance(tree, Concat) and len(tree.parts) > 1 and tree.parts[0] == Start() and tree.parts[-1] == End()
    found = set(_spelled(source))
    found |= set() if anchored else {"unanchored"}
    found |= {"inner-anchor"} if anchors > (2 if anchored else _outer(tree)) else set()
    found |= {"boundary"} if any(isinstance(node, WordBoundary) for node in nodes) else set()
    found |= {"lookaround"} if any(isinstance(node, Look) for node in nodes) else set()
    unsafe = any(isinstance(node, Chars) and (node.chars & _UNSAFE).ranges for node in nodes)
    return Traits(frozenset(found), max(depth for _, depth in _nodes(tree)), bool(unsafe))


def _outer(tree: Regex) -> int:
    """How many anchors an unanchored pattern has at its ends."""
    if isinstance(tree, Concat) and tree.parts:
        return (tree.parts[0] == Start()) + (tree.parts[-1] == End())
    return 0


def _nodes(tree: Regex) -> Iterator[tuple[Regex, int]]:
    todo = [(tree, 0)]
    while todo:
        node, depth = todo.pop()
        yield node, depth
        match node:
            case Concat(parts):
                todo.extend((part, depth) for part in parts)
            case Choice(options):
                todo.extend((option, depth + 1) for option in options)
            case Repeat(item) | Look(_, _, item):
                todo.append((item, depth + 1))


def _spelled(source: str) -> Iterator[str]:
    """The features that are a matter of spelling."""
    in_class = False
    for token in _TOKEN.findall(source):
        if token in ("[", "]"):
            in_class = token == "["
        elif token[:1] == "\\" and token[1:2] in "dDwWsS":
            yield "shorthand"
        elif token[:2] in ("\\p", "\\P"):
            yield "property"
        elif token.startswith("(?") and not in_class and token[2:] not in ("=", "!", "<=", "<!"):
            yield "group"
        elif len(token) == 2 and token[1] == "?" and token[0] in "*+?}" and not in_class:
            yield "lazy"


def without(source: str, unread: frozenset[str]) -> str | None:
    """The pattern spelled without some features, matching the same strings; None where that is not known how.

    >>> without("^(?:a|\\\\d+?)$", frozenset({"group", "lazy", "shorthand"}))
    '^(a|[0-9]+)$'
    >>> without("x", frozenset({"unanchored"}))
    '^(.|[\\\\n\\\\r\\u2028\\u2029])*x(.|[\\\\n\\\\r\\u2028\\u2029])*$'
    """
    if unread - {"unanchored", "group", "lazy", "shorthand"}:
        return None
    pieces: list[str] = []
    in_class = False
    for token in _TOKEN.findall(source):
        if token in ("[", "]"):
            in_class = token == "["
        if token in _NEGATED:
            if in_class:
                return None
            token = f"[^{_CLASS_ESCAPES[_NEGATED[token]]}]"
        elif token in _CLASS_ESCAPES:
            token = _CLASS_ESCAPES[token] if in_class else f"[{_CLASS_ESCAPES[token]}]"
        elif token.startswith("(?") and not in_class and "group" in unread:
            token = "("
        elif len(token) == 2 and token[1] == "?" and token[0] in "*+?}" and not in_class and "lazy" in unread:
            token = token[0]
        pieces.append(token)
    rewritten = "".join(pieces)
    return _anchored(rewritten) if "unanchored" in unread else rewritten


def _anchored(source: str) -> str | None:
    """A pattern that matches as a whole the strings in which the given one is found."""
    tree = ecma.parse(source).tree
    if isinstance(tree, Choice):
        if any(isinstance(node, Start | End) for node, _ in _nodes(tree)):
            return None
        return f"^{_ANYTHING}({source}){_ANYTHING}$"
    starts = tree == Start() or (isinstance(tree, Concat) and tree.parts[:1] == (Start(),))
    ends = tree == End() or (isinstance(tree, Concat) and tree.parts[-1:] == (End(),))
    body = source[1 if starts else 0 : len(source) - 1 if ends else len(source)]
    if (starts and not source.startswith("^")) or (ends and not source.endswith("$")):
        return None
    # A choice of single characters is a set by now, but its bar is still there.
    body = f"({body})" if "|" in body else body
    return ("^" if starts else f"^{_ANYTHING}") + body + ("$" if ends else f"{_ANYTHING}$")

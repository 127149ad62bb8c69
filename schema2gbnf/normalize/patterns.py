"""What a regular expression asks of a back end: the features it is written with, and how to write it with fewer.

The tree of the core's ECMA-262 parser tells what a pattern is; the features that are only spelling are looked up in
its text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

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
    "escape": "it has an escape that grammars do not",
    "literal-escape": "it has an escaped dot, caret or dollar sign",
    "group": "it has a non-capturing or named group",
    "lazy": "it has a lazy repetition",
}
"""What a back end may not read, and how that is said."""

_TOKEN = re.compile(r"\\(?:p\{[^}]*\}|P\{[^}]*\}|.)|\(\?(?:<[A-Za-z_$][^>]*>|[:=!]|<[=!])|[*+?}]\?|.", re.DOTALL)
_CLASS_ESCAPES = {
    "\\d": "0-9",
    "\\w": "A-Za-z0-9_",
    "\\s": "\\t\\n\\x0b\\x0c\\r \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff",
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
    longest: int
    """The highest count of a repetition in it."""
    matches_unsafe: bool
    """It matches characters that JSON text only has escaped."""


@lru_cache(maxsize=1024)
def traits(source: str) -> Traits | str:
    """The traits of a pattern, or why it is none."""
    try:
        tree = ecma.parse(source).tree
    except ecma.PatternError as error:
        if error.unsupported and re.search(r"\\[1-9k]", source):
            return Traits(frozenset(("back-reference",)), 0, 0, False)
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
    longest = max((node.high or node.low for node in nodes if isinstance(node, Repeat)), default=0)
    return Traits(frozenset(found), max(depth for _, depth in _nodes(tree)), longest, bool(unsafe))


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


def _tokens(source: str) -> Iterator[tuple[str, bool]]:
    """The tokens of a pattern, each with whether it stands in a class; brackets around a class do not."""
    in_class = False
    for token in _TOKEN.findall(source):
        if token == "]":
            in_class = False
        yield token, in_class
        if token == "[":
            in_class = True


def _spelled(source: str) -> Iterator[str]:
    """The features that are a matter of spelling."""
    for token, in_class in _tokens(source):
        if token[:1] == "\\":
            yield from _escape(token, in_class)
        elif not in_class and _is_special_group(token):
            yield "group"
        elif not in_class and _is_lazy(token):
            yield "lazy"


def _escape(token: str, in_class: bool) -> Iterator[str]:
    """The feature that a backslash with what follows it is of, if any."""
    character = token[1:2]
    if character in "dDwWsS":
        yield "shorthand"
    elif character in "pP":
        yield "property"
    elif not in_class and character in ".^$":
        yield "literal-escape"
    elif character not in ("\\[]nrtxu" if in_class else "\\[](){}|*+?nrtxubBk123456789"):
        yield "escape"


def _is_special_group(token: str) -> bool:
    return token.startswith("(?") and token[2:] not in ("=", "!", "<=", "<!")


def _is_lazy(token: str) -> bool:
    return len(token) == 2 and token[1] == "?" and token[0] in "*+?}"


SPELLED_OUT = frozenset(("group", "lazy", "escape", "literal-escape"))
"""Features that are always written otherwise, as nothing is lost by it."""


def without(source: str, unread: frozenset[str]) -> str | None:
    """The pattern spelled without some features, matching the same strings; None where that is not known how.

    >>> without("^(?:a|\\\\d+?)$", frozenset({"group", "lazy", "shorthand"}))
    '^(a|[0-9]+)$'
    >>> without("x", frozenset({"unanchored"}))
    '^(.|[\\\\n\\\\r\\u2028\\u2029])*x(.|[\\\\n\\\\r\\u2028\\u2029])*$'
    """
    if unread - {"unanchored", "shorthand"} - SPELLED_OUT:
        return None
    pieces: list[str | None] = []
    members: list[str] = []
    for token, in_class in _tokens(source):
        if in_class:
            members.append(token)
            continue
        if token == "]":
            pieces.append(_class(members))
            members = []
        pieces.append(_outside(token, unread))
    if None in pieces:
        return None
    rewritten = "".join(piece for piece in pieces if piece is not None)
    return _anchored(rewritten) if "unanchored" in unread else rewritten


def _class(members: list[str]) -> str | None:
    """What stands between the brackets of a class, with no more escapes than grammars have.

    >>> _class(["^", "a", "\\\\-", "z", "\\\\/", "\\\\d"])
    '^az/0-9-'
    """
    negation = members[:1] if members[:1] == ["^"] else []
    rest = members[len(negation) :]
    # A dash and a caret mean themselves at the end.
    last = "".join(token[1:] for token in ("\\^", "\\-") if token in rest)
    if last and any("-" in pair and not {"\\-", "\\^"}.isdisjoint(pair) for pair in pairwise(rest)):
        return None
    kept = [_member(token) for token in rest if token not in ("\\^", "\\-")]
    if None in kept or (last.startswith("^") and not negation and not kept):
        return None
    body = "".join(token for token in kept if token is not None)
    return "".join(negation) + (body.removesuffix("-") if last.endswith("-") and kept[-1:] == ["-"] else body) + last


def _member(token: str) -> str | None:
    if token in _NEGATED:
        return None
    if token in _CLASS_ESCAPES:
        return _CLASS_ESCAPES[token]
    if token[:1] == "\\" and "escape" in _escape(token, True):
        return None if token[1:].isalnum() else token[1:]
    return token


def _outside(token: str, unread: frozenset[str]) -> str | None:
    if token in _NEGATED:
        return f"[^{_CLASS_ESCAPES[_NEGATED[token]]}]"
    if token in _CLASS_ESCAPES:
        return f"[{_CLASS_ESCAPES[token]}]"
    if _is_special_group(token) and "group" in unread:
        return "("
    if _is_lazy(token) and "lazy" in unread:
        return token[0]
    if "literal-escape" in unread and token[:1] == "\\" and "literal-escape" in _escape(token, False):
        return None if token == "\\^" else f"[{token[1:]}]"
    if token[:1] == "\\" and "escape" in _escape(token, False):
        return None if token[1:].isalnum() else token[1:]
    return token


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

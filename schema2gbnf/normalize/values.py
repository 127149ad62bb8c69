"""JSON values by their content: what makes two of them one, copies, and the types that schemas name."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal
from fractions import Fraction
from typing import cast

from schema2gbnf.schema.text import Json
from schema2gbnf.semantics.formula import exact

ALL_TYPES: tuple[str, ...] = ("object", "array", "string", "number", "boolean", "null")
"""The types that together allow everything, in the order in which a schema is written that says so."""

Content = tuple[object, ...]


def content(value: object, *, ordered: bool = False) -> Content:
    """A flat tuple that is equal for equal JSON values, without regard to the order of members unless `ordered`.

    >>> content({"a": 1, "b": [True]}) == content({"b": [True], "a": 1}), content(1) == content(True)
    (True, False)
    """
    flat: list[object] = []
    todo: list[object] = [value]
    while todo:
        node = todo.pop()
        if isinstance(node, str):
            flat.append("s" + node)
        elif isinstance(node, dict):
            names = list(node) if ordered else sorted(node)
            flat += ("{", len(names), *names)
            todo += [node[name] for name in reversed(names)]
        elif isinstance(node, list):
            flat += ("[", len(node))
            todo += reversed(node)
        elif isinstance(node, bool) or node is None:
            flat.append(repr(node))
        else:
            flat.append(exact(cast("int | float | Decimal", node)))
    return tuple(flat)


def same_content(left: Json, right: Json) -> bool:
    """Whether two values have the same content.

    >>> same_content({"a": 1, "b": [True]}, {"b": [True], "a": 1}), same_content(1, True)
    (True, False)
    """
    todo = [(left, right)]
    while todo:
        one, other = todo.pop()
        if isinstance(one, dict):
            if not isinstance(other, dict) or one.keys() != other.keys():
                return False
            todo += [(member, other[name]) for name, member in one.items() if member is not other[name]]
        elif isinstance(one, list):
            if not isinstance(other, list) or len(one) != len(other):
                return False
            todo += [(item, twin) for item, twin in zip(one, other, strict=True) if item is not twin]
        elif isinstance(other, (dict, list)) or content(one) != content(other):
            return False
    return True


def size(value: Json) -> int:
    """How many objects and arrays a value has in it, itself counted."""
    count = 0
    todo = [value]
    while todo:
        node = todo.pop()
        if isinstance(node, dict):
            count += 1
            todo.extend([each for each in node.values() if isinstance(each, (dict, list))])
        elif isinstance(node, list):
            count += 1
            todo.extend([each for each in node if isinstance(each, (dict, list))])
    return count


def types_of(value: Json) -> frozenset[str]:
    """The types a value has, as schemas name them: 1.0 is an integer too."""
    match value:
        case None:
            return frozenset(("null",))
        case bool():
            return frozenset(("boolean",))
        case str():
            return frozenset(("string",))
        case list():
            return frozenset(("array",))
        case dict():
            return frozenset(("object",))
        case _:
            number = exact(value)
            integral = isinstance(number, Decimal) or number.denominator == 1
            return frozenset(("number", "integer") if integral else ("number",))


def named_types(value: Json) -> list[str]:
    """The names that a `type` gives."""
    return cast("list[str]", value if isinstance(value, list) else [value])


def common_types(left: Json, right: Json) -> Json:
    """The `type` of values that have both: numbers take in integers. An empty list where there are none.

    >>> common_types(["string", "number"], ["integer", "null"])
    'integer'
    """
    one, other = named_types(left), named_types(right)
    common = [name for name in one if name in other or (name == "integer" and "number" in other)]
    if "number" in one and "number" not in other and "integer" in other and "integer" not in common:
        common.insert(one.index("number"), "integer")
    return spelled_types(dict.fromkeys(common))


def spelled_types(names: Iterable[str]) -> Json:
    """One name alone, several as a list."""
    listed = list(names)
    return listed[0] if len(listed) == 1 else cast("list[Json]", listed)


def whole(number: Fraction | Decimal) -> bool:
    """Whether a number is an integer."""
    return isinstance(number, Fraction) and number.denominator == 1

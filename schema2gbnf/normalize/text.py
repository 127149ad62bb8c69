"""JSON values written as text: every number as it was read, and no depth too deep."""

from __future__ import annotations

import json
from collections.abc import Iterator
from decimal import Decimal

from schema2gbnf.schema.text import Json


def written(value: Json, indent: int | None = None) -> str:
    """The text of a value; `indent` blanks a level, or all on one line.

    >>> print(written({"multipleOf": Decimal("0.10"), "enum": []}, indent=2))
    {
      "multipleOf": 0.10,
      "enum": []
    }
    """
    return "".join(_pieces(value, indent))


def _pieces(value: Json, indent: int | None) -> Iterator[str]:
    """The text in pieces. On the stack: what is still to be written, with its level, or a piece that is ready."""
    todo: list[tuple[Json, int] | str] = [(value, 0)]
    while todo:
        step = todo.pop()
        if isinstance(step, str):
            yield step
            continue
        node, level = step
        if not isinstance(node, dict | list):
            yield str(node) if isinstance(node, Decimal) else json.dumps(node, ensure_ascii=False)
            continue
        opening, closing = "{}" if isinstance(node, dict) else "[]"
        if not node:
            yield opening + closing
            continue
        todo.append(_line(indent, level) + closing)
        members = list(node.items()) if isinstance(node, dict) else [(None, item) for item in node]
        for place, (name, member) in reversed(list(enumerate(members))):
            comma = "" if place == 0 else "," if indent is not None else ", "
            todo.append((member, level + 1))
            key = "" if name is None else json.dumps(name, ensure_ascii=False) + ": "
            todo.append(comma + _line(indent, level + 1) + key)
        yield opening


def _line(indent: int | None, level: int) -> str:
    return "" if indent is None else "\n" + " " * (indent * level)

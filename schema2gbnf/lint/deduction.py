"""What follows from clauses "this holds if all of those do", in linear time (Dowling and Gallier)."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import TypeVar

K = TypeVar("K", bound=Hashable)


def consequences(clauses: Iterable[tuple[K, tuple[K, ...]]]) -> frozenset[K]:
    """Everything that holds: the heads of clauses whose bodies hold.

    >>> sorted(consequences([("a", ()), ("b", ("a", "a")), ("c", ("b", "d")), ("d", ("c",))]))
    ['a', 'b']
    """
    heads: list[K] = []
    open_parts: list[int] = []
    waiting: dict[K, list[int]] = {}
    holding: dict[K, None] = {}
    for number, (head, body) in enumerate(clauses):
        parts = dict.fromkeys(body)
        heads.append(head)
        open_parts.append(len(parts))
        for part in parts:
            waiting.setdefault(part, []).append(number)
        if not parts:
            holding[head] = None
    todo = list(holding)
    while todo:
        for number in waiting.get(todo.pop(), ()):
            open_parts[number] -= 1
            head = heads[number]
            if not open_parts[number] and head not in holding:
                holding[head] = None
                todo.append(head)
    return frozenset(holding)

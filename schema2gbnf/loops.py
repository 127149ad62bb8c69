"""The loops of a graph: its strongly connected components that have an edge inside (Kosaraju's two walks)."""

from __future__ import annotations

from collections.abc import Collection, Mapping


def loops(edges: Mapping[int, Collection[int]]) -> list[list[int]]:
    """Sets of nodes each of which leads to each, itself too, those that are led to first.

    >>> loops({0: [1], 1: [2, 0], 2: [3], 3: [3]})
    [[0, 1], [3]]
    """
    order = _leaving_order(edges)
    before: dict[int, list[int]] = {node: [] for node in edges}
    for node, targets in edges.items():
        for target in targets:
            before[target].append(node)
    found: list[list[int]] = []
    placed: set[int] = set()
    for root in reversed(order):
        if root in placed:
            continue
        placed.add(root)
        component = [root]
        for node in component:  # grows while it is read
            fresh = dict.fromkeys(other for other in before[node] if other not in placed)
            placed.update(fresh)
            component += fresh
        if len(component) > 1 or root in edges[root]:
            found.append(component)
    return found


def _leaving_order(edges: Mapping[int, Collection[int]]) -> list[int]:
    """The nodes in the order in which a walk in depth leaves them."""
    order: list[int] = []
    seen: set[int] = set()
    for root in edges:
        if root in seen:
            continue
        seen.add(root)
        stack = [(root, iter(edges[root]))]
        while stack:
            node, targets = stack[-1]
            for target in targets:
                if target not in seen:
                    seen.add(target)
                    stack.append((target, iter(edges[target])))
                    break
            else:
                order.append(node)
                stack.pop()
    return order

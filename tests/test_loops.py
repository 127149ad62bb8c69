"""Loops of a graph, against reachability found by brute force."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from schema2gbnf.loops import loops

graphs = st.integers(1, 7).flatmap(
    lambda size: st.lists(st.lists(st.integers(0, size - 1), max_size=3), min_size=size, max_size=size)
)


def reached(edges: dict[int, list[int]], start: int) -> set[int]:
    """The nodes that one or more steps lead to."""
    found: set[int] = set()
    todo = list(edges[start])
    while todo:
        node = todo.pop()
        if node not in found:
            found.add(node)
            todo += edges[node]
    return found


@given(graphs)
def test_nodes_are_together_that_lead_to_each_other(rows: list[list[int]]) -> None:
    edges = dict(enumerate(rows))
    reach = {node: reached(edges, node) for node in edges}
    expected = {frozenset(b for b in edges if b in reach[a] and a in reach[b]) for a in edges} - {frozenset()}
    found = loops(edges)
    assert {frozenset(loop) for loop in found} == expected
    assert sum(map(len, found)) == len(set().union(*found))


def test_a_long_chain_is_no_recursion() -> None:
    size = 50_000
    edges = {node: [node + 1] for node in range(size)} | {size: [0]}
    assert len(loops(edges)) == 1
    del edges[size]
    assert loops(edges | {size: []}) == []

"""The length of the shortest text of every node of a program, in characters."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping

from schema2gbnf.closed import assert_never
from schema2gbnf.gbnf.program import Call, Choice, Class, Concat, Loop, Node, Program, Text


def shortest(program: Program, per_rule: int = 0, most: int | None = None) -> dict[Node, int]:
    """The lengths, each rule on the way counted for `per_rule` characters more; nodes without a text, or without one
    of at most `most`, are left out.
    """
    lengths: dict[Node, int] = {}
    todo = deque(reversed(tuple(program.nodes)))
    waiting = set(todo)
    while todo:
        name = todo.popleft()
        waiting.discard(name)
        body = program.bodies[name]
        before = lengths.get(body)
        for node in program.nodes[name]:
            length = _length(node, lengths, program, per_rule)
            if length is not None and (most is None or length <= most):
                lengths[node] = length
        if lengths.get(body) != before:
            fresh = [caller for caller in program.callers[name] if caller not in waiting]
            todo.extend(fresh)
            waiting.update(fresh)
    return lengths


def _length(node: Node, lengths: Mapping[Node, int], program: Program, per_rule: int) -> int | None:
    match node:
        case Text(text):
            return len(text)
        case Class(chars):
            return 1 if chars else None
        case Call(name):
            body = lengths.get(program.bodies[name])
            return None if body is None else body + per_rule
        case Concat(parts):
            return sum(lengths[part] for part in parts) if all(part in lengths for part in parts) else None
        case Choice(options):
            return min((lengths[option] for option in options if option in lengths), default=None)
        case Loop(item, low):
            if low == 0:
                return 0
            return low * lengths[item] if item in lengths else None
        case _:
            assert_never(node)

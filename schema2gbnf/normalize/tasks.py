"""Recursion without the machine's stack: a task is a generator that yields the tasks it waits for.

The depth of a schema is then bounded by memory alone, and no input ends in a `RecursionError`. A task may also be part
of another (`yield from`), which is faster; but on every way on which tasks come back to themselves, one has to wait.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Any, TypeVar

Answer = TypeVar("Answer")

Task = Generator["Task[Any]", Any, Answer]
"""A computation of an `Answer` that may wait for others."""


def run(task: Task[Answer]) -> Answer:
    """The answer of a task, and with it of all tasks that it waits for.

    >>> def depth(value: list) -> Task[int]:
    ...     return 1 + ((yield depth(value[0])) if value else 0)
    >>> run(depth([[[]]]))
    3
    """
    waiting: list[Task[Any]] = [task]
    answer: Any = None
    while True:
        try:
            waiting.append(waiting[-1].send(answer))
            answer = None
        except StopIteration as stop:
            waiting.pop()
            answer = stop.value
            if not waiting:
                found: Answer = answer
                return found

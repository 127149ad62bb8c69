"""Ways through the walk of an object or array shape: the shortest, one through each step, and the fullest.

A way is the members (or items) that it takes, in order. Only values that exist are taken.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator

from schema2gbnf.semantics.formula import Conjunction
from schema2gbnf.semantics.walks import Take, Walk

Way = tuple[Take, ...]

_Back = tuple[int, "Take | None"]
"""The step before, and what was taken there; None where something was passed over."""


class Paths:
    """The ways through one walk, taking values that `exists` knows of."""

    def __init__(self, walk: Walk, exists: Callable[[Conjunction], bool]) -> None:
        self.walk = walk
        self._takes = [tuple(take for take in step.takes if exists(take.value)) for step in walk]
        self._ahead = self._to_the_end()
        self._back = self._from_the_start()

    @property
    def any(self) -> bool:
        """Whether there is a way at all."""
        return 0 in self._ahead

    def shortest(self) -> Way:
        """A way that takes as little as possible."""
        return self._rest(0)

    def takes(self) -> Iterator[tuple[int, Take]]:
        """Every take that is on some way, with the number of its step."""
        for number in sorted(self._back):
            for take in self._takes[number]:
                if take.target in self._ahead:
                    yield number, take

    def fullest(self, most: int) -> Way:
        """A way that takes whatever it can, each take once, until it has `most`."""
        return tuple(self._greedy(0, most, None))

    def without(self, most: int) -> Iterator[Way]:
        """The fullest ways that pass over one step each."""
        for number, step in enumerate(self.walk):
            if step.skip is not None and number in self._back and step.skip in self._ahead and self._takes[number]:
                yield (*self._start(number), *self._greedy(step.skip, most, number))

    def through(self, number: int, take: Take) -> tuple[Way, int]:
        """A short way with this take at this step, and the place of the take in it."""
        before = self._start(number)
        return (*before, take, *self._rest(take.target)), len(before)

    def _greedy(self, number: int, most: int, passed: int | None) -> Iterator[Take]:
        used: set[tuple[int, Take]] = set()
        taken = 0
        while taken < most:
            step = self.walk[number]
            more = (t for t in self._takes[number] if t.target in self._ahead and (number, t) not in used)
            take = next(more, None) if number != passed else None
            if take is not None:
                used.add((number, take))
                taken += 1
                yield take
                number = take.target
            elif step.skip is not None and step.skip in self._ahead:
                number = step.skip
            else:
                break
        yield from self._rest(number)

    def _to_the_end(self) -> dict[int, _Back]:
        """For every step that an end can be reached from, the next move on a shortest way there."""
        before: dict[int, list[tuple[int, Take | None]]] = {}
        for number, step in enumerate(self.walk):
            for take in self._takes[number]:
                before.setdefault(take.target, []).append((number, take))
            if step.skip is not None:
                before.setdefault(step.skip, []).append((number, None))
        ends = [number for number, step in enumerate(self.walk) if step.ends]
        return _search(ends, lambda number: before.get(number, []))

    def _from_the_start(self) -> dict[int, _Back]:
        def after(number: int) -> list[tuple[int, Take | None]]:
            step = self.walk[number]
            moves: list[tuple[int, Take | None]] = [(take.target, take) for take in self._takes[number]]
            return moves if step.skip is None else [(step.skip, None), *moves]

        return _search([0], after)

    def _rest(self, number: int) -> Way:
        taken: list[Take] = []
        while not self.walk[number].ends:
            number, take = self._ahead[number]
            taken += [] if take is None else [take]
        return tuple(taken)

    def _start(self, number: int) -> Way:
        taken: list[Take] = []
        while number != 0:
            number, take = self._back[number]
            taken += [] if take is None else [take]
        return tuple(reversed(taken))


def _search(sources: list[int], moves: Callable[[int], list[tuple[int, Take | None]]]) -> dict[int, _Back]:
    """A shortest way to each step from the sources, as the last move of each; passing over costs nothing."""
    found: dict[int, _Back] = {}
    todo: deque[tuple[int, _Back]] = deque((source, (source, None)) for source in sources)
    while todo:
        number, back = todo.popleft()
        if number in found:
            continue
        found[number] = back
        for target, take in moves(number):
            if target not in found:
                if take is None:
                    todo.appendleft((target, (number, None)))
                else:
                    todo.append((target, (number, take)))
    return found

"""Shortest texts that one grammar accepts and another does not, searched over pairs of states.

In come two readers; out goes a shortest text that only the first accepts, the fact that there is none, or how far the
search came. Pairs are visited in the order of the shortest text of the first grammar that leads through them (A*: what
is read, and the least that is still to be read), so the first difference met is a shortest one. Three things keep the
pairs few. Characters that no state tells apart are tried once. Pairs whose states are written alike hide no difference.
And where both must read the same next, and it is plain where that ends, it makes no difference: any text of it is as
good as another, and the shortest is taken in one step.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from heapq import heappop, heappush

from schema2gbnf.gbnf.match import Stack, State, TooManyReadingsError
from schema2gbnf.gbnf.reader import Reader
from schema2gbnf.gbnf.representatives import representatives

LIMIT = 20_000
"""Pairs of states that are visited, unless another number is asked for."""

STACKS = 20
"""Stacks that the states of a pair may have on the average."""

LONGEST = 1_000_000
"""Characters of a witness that would still be written out."""


@dataclass(frozen=True, slots=True)
class Witness:
    """A shortest text that only one grammar accepts."""

    text: str


@dataclass(frozen=True, slots=True)
class NoWitness:
    """There is no such text."""


@dataclass(frozen=True, slots=True)
class Unknown:
    """The search was given up after so many pairs of states; such a text has at least `length` characters."""

    states: int
    length: int


Outcome = Witness | NoWitness | Unknown

Pair = tuple[int, int]
Step = tuple[Pair, str | Stack]
"""Whence a pair was reached, and what was read: a character, or a shortest text of something."""


def witness(only: Reader, other: Reader, limit: int = LIMIT) -> Outcome:
    """A shortest text that `only` accepts and `other` does not.

    >>> from schema2gbnf.gbnf.match import Matcher
    >>> from schema2gbnf.gbnf.parse import parse
    >>> from schema2gbnf.gbnf.reader import readers
    >>> few, many = readers(Matcher(parse('root ::= "a"{1,2}')), Matcher(parse('root ::= x+\\nx ::= "a"')))
    >>> witness(many, few), witness(few, many)
    (Witness(text='aaa'), NoWitness())
    """
    came: dict[Pair, Step | None] = {}
    start = only.matcher.start(), other.matcher.start()
    waiting: list[tuple[int, int, int, tuple[State, State], Step | None]] = []
    if (rest := only.rest(start[0])) is not None:
        waiting.append((rest, rest, 0, start, None))
    pushed = stacks = 0
    while waiting:
        least, unread, _, (mine, its), step = heappop(waiting)
        try:
            pair = only.number(mine), other.number(its)
            if pair[0] == pair[1] or pair in came:
                continue
            stacks += len(mine.stacks) + len(its.stacks)
            if len(came) >= limit or stacks > limit * STACKS or least > LONGEST:
                return Unknown(len(came), least)
            came[pair] = step
            if other.rest(its) is None or (mine.can_end and not its.can_end):
                return Witness(_spelled(only, came, pair) + only.shortest(only.nearest(mine)))
            steps = list(_steps(only, other, mine, its))
        except TooManyReadingsError:
            return Unknown(len(came), least)
        for following, read, length in steps:
            rest = only.rest(following[0])
            if rest is not None:
                pushed += 1
                # Of texts of one length, those that are nearly read come first, and then those that came first.
                heappush(waiting, (least - unread + length + rest, rest, pushed, following, (pair, read)))
    return NoWitness()


def _steps(
    only: Reader, other: Reader, mine: State, its: State
) -> Iterator[tuple[tuple[State, State], str | Stack, int]]:
    """The pairs that a pair leads to, what is read on the way, and its length."""
    alike = {opening.number: opening for opening in reversed(list(other.openings(its)))}
    for opening in only.openings(mine):
        if opening.number in alike:
            below = alike[opening.number].below
            yield (only.matcher.state([opening.below]), other.matcher.state([below])), opening.top, opening.length
            return
    for character in representatives((*mine.next_sets(), *its.next_sets())):
        following = only.matcher.advance(mine, character)
        if following:
            yield (following, other.matcher.advance(its, character)), character, 1


def _spelled(only: Reader, came: dict[Pair, Step | None], pair: Pair) -> str:
    """The text that led to a pair."""
    pieces: list[str] = []
    step = came[pair]
    while step is not None:
        pair, read = step
        pieces.append(read if isinstance(read, str) else only.shortest(read))
        step = came[pair]
    return "".join(reversed(pieces))

"""How many readings an expression keeps open at once: the cost of a grammar in the engine.

The engine holds every way in which the text so far can be read, and follows a rejected token along each of them.
Comes in: an expression over characters, without rules. Goes out: whether it is safe to print as it stands. It is not
when two loops read one text between the same two positions, for then readings double with every turn (Weber and
Seidl 1991), nor when some text of 24 characters leaves more than 64 readings open.

The expression is looked at as the engine expands it: one position per character class, `x{2,4}` as `x x (x x?)?`.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from itertools import combinations

from schema2gbnf.closed import assert_never
from schema2gbnf.grammar.rules import Alternation, CharClass, Expr, Literal, Ref, Repeat, Sequence
from schema2gbnf.languages.charset import CharSet, minterms
from schema2gbnf.loops import loops

LENGTH = 24
READINGS = 64
MAX_POSITIONS = 2000
MAX_STEPS = 200_000


class _TooLargeError(Exception):
    """The expression has more positions, or more pairs of them, than are worth looking at."""


def is_deterministic_enough(expr: Expr, readings: int = READINGS) -> bool:
    """Whether the expression keeps few readings open on every text; False also when that is too costly to find out.

    >>> digits = Repeat(CharClass(CharSet.span("0", "9")), 1, None)
    >>> is_deterministic_enough(digits), is_deterministic_enough(Repeat(digits, 0, None))
    (True, False)
    """
    automaton = _Positions()
    try:
        start = automaton.add(expr)
        automaton.name_letters()
        return automaton.most_readings(start) <= readings and not automaton.doubles(start)
    except _TooLargeError:
        return False


def is_unambiguous(expr: Expr) -> bool:
    """Whether the expression reads every text in one way; False also when that is too costly to find out.

    >>> a = CharClass(CharSet.of("a"))
    >>> twice = Sequence((Repeat(a, 0, None), Repeat(a, 0, 1)))
    >>> is_deterministic_enough(twice), is_unambiguous(twice)
    (True, False)
    """
    automaton = _Positions()
    try:
        start = automaton.add(expr)
        automaton.name_letters()
        return not automaton.reads_twice(start)
    except _TooLargeError:
        return False


@dataclass(frozen=True, slots=True)
class _Fragment:
    """Where a part of the expression can begin and end, and whether it can be empty."""

    nullable: bool
    firsts: tuple[int, ...] = ()
    lasts: tuple[int, ...] = ()


@dataclass
class _Positions:
    """The position automaton (Glushkov 1961): which position may follow which, and the letters each one reads."""

    chars: list[CharSet] = field(default_factory=list)
    follow: list[dict[int, None]] = field(default_factory=list)
    letters: list[int] = field(default_factory=list)

    def add(self, expr: Expr) -> _Fragment:
        match expr:
            case CharClass(chars):
                return self._position(chars)
            case Literal(text):
                whole = _Fragment(True)
                for character in text:
                    whole = self._then(whole, self._position(CharSet.of(character)))
                return whole
            case Sequence(parts):
                whole = _Fragment(True)
                for part in parts:
                    whole = self._then(whole, self.add(part))
                return whole
            case Alternation(options):
                found = [self.add(option) for option in options]
                return _Fragment(
                    any(each.nullable for each in found),
                    tuple(p for each in found for p in each.firsts),
                    tuple(p for each in found for p in each.lasts),
                )
            case Repeat(item, low, high):
                return self._repeated(item, low, high)
            case Ref():
                raise _TooLargeError
            case _:
                assert_never(expr)

    def _position(self, chars: CharSet) -> _Fragment:
        if len(self.chars) >= MAX_POSITIONS:
            raise _TooLargeError
        here = (len(self.chars),)
        self.chars.append(chars)
        self.follow.append({})
        return _Fragment(False, here, here)

    def _link(self, lasts: tuple[int, ...], firsts: tuple[int, ...]) -> None:
        for last in lasts:
            self.follow[last].update(dict.fromkeys(firsts))

    def _then(self, left: _Fragment, right: _Fragment) -> _Fragment:
        self._link(left.lasts, right.firsts)
        return _Fragment(
            left.nullable and right.nullable,
            left.firsts + right.firsts if left.nullable else left.firsts,
            left.lasts + right.lasts if right.nullable else right.lasts,
        )

    def _repeated(self, item: Expr, low: int, high: int | None) -> _Fragment:
        # Nothing is seen beyond LENGTH characters, so that longer counts look like this one.
        most = LENGTH + 1
        if high is None:
            loop = self.add(item)
            self._link(loop.lasts, loop.firsts)
            tail = _Fragment(True, loop.firsts, loop.lasts)
        else:
            tail = _Fragment(True)
            for _ in range(min(high - low, most)):
                tail = self._then(self.add(item), tail)
                tail = _Fragment(True, tail.firsts, tail.lasts)
        whole = _Fragment(True)
        for _ in range(min(low, most)):
            whole = self._then(whole, self.add(item))
        return self._then(whole, tail)

    def name_letters(self) -> None:
        """Give each position the bit mask of the letters it reads, over the coarsest alphabet."""
        masks = minterms(self.chars)[2]
        self.letters = [masks[chars] for chars in self.chars]

    def most_readings(self, start: _Fragment) -> int:
        """The number of open readings on a text found by taking, each time, the letter that leaves most of them."""
        open_at: dict[int, int] = {}
        for position in start.firsts:
            open_at[position] = open_at.get(position, 0) + 1
        most = sum(open_at.values())
        for _ in range(LENGTH):
            best: dict[int, int] = {}
            letters = 0
            for position in open_at:
                letters |= self.letters[position]
            for letter in _bits(letters):
                after: dict[int, int] = {}
                for position, count in open_at.items():
                    if self.letters[position] & letter:
                        for follower in self.follow[position]:
                            after[follower] = after.get(follower, 0) + count
                if sum(after.values()) > sum(best.values()):
                    best = after
            open_at = best
            most = max(most, sum(open_at.values()))
        return most

    def doubles(self, start: _Fragment) -> bool:
        """Whether some position can be left and come back to on one text in two ways."""
        return any(self._doubles_within(loop) for loop in loops(dict(enumerate(self.follow))))

    def _doubles_within(self, loop: list[int]) -> bool:
        inside = set(loop)
        follow = {p: [q for q in self.follow[p] if q in inside] for p in loop}
        return self._meet(follow.values(), follow, frozenset())

    def reads_twice(self, start: _Fragment) -> bool:
        """Whether some text leads from the beginning to the end in two ways."""
        return self._meet((start.firsts, *self.follow), dict(enumerate(self.follow)), frozenset(start.lasts))

    def _meet(
        self, forks: Collection[Collection[int]], follow: Mapping[int, Collection[int]], ends: frozenset[int]
    ) -> bool:
        """Whether two ways that part at a fork come, on one text, to one position again, or both to an end."""
        steps = sum(len(fork) ** 2 for fork in forks)
        if steps > MAX_STEPS:
            raise _TooLargeError
        partings = ((min(pair), max(pair)) for fork in forks for pair in combinations(fork, 2))
        todo = [pair for pair in dict.fromkeys(partings) if self.letters[pair[0]] & self.letters[pair[1]]]
        seen = set(todo)
        while todo:
            left, right = todo.pop()
            if left in ends and right in ends:
                return True
            for p in follow[left]:
                for q in follow[right]:
                    steps += 1
                    if steps > MAX_STEPS:
                        raise _TooLargeError
                    if not self.letters[p] & self.letters[q]:
                        continue
                    if p == q:
                        return True
                    pair = (min(p, q), max(p, q))
                    if pair not in seen:
                        seen.add(pair)
                        todo.append(pair)
        return False


def _bits(mask: int) -> list[int]:
    return [1 << index for index in range(mask.bit_length()) if mask >> index & 1]

"""Sets of numbers as regular languages over plain decimal texts: `-?(0|[1-9][0-9]*)(\\.[0-9]+)?`, no exponent, no "-0".

A language is a set of *texts*, and the algebra is exact on texts: `~` is the complement within all plain decimals.
A demand on the value (a bound, a divisor, a finite set, "integral" from draft 6 on) holds all spellings of each of
its values: with 5 it has 5.0 and 5.00. Only draft 4 looks at the spelling: there 5.0 is no integer. So everything
before printing is decided on these languages as they are, and `plain` then drops the spellings nobody needs.

Constants come as exact numbers, never as floats. What has no finite decimal expansion is a `ValueError`; what would
need too many states or digits is a `StateLimitError`.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple, Protocol

from schema2gbnf.languages.dfa import NOTHING, Dfa, StateLimitError, explore, of_words

STATE_LIMIT = 20_000
DIGIT_LIMIT = 4_000

Number = Fraction | Decimal | int


class Digits(NamedTuple):
    """How many digits a text has, or may have, before and after the point."""

    integral: int
    fraction: int


ONE_DIGIT = Digits(1, 0)


@dataclass(frozen=True, slots=True)
class NumberLanguage:
    """A set of plain decimal texts.

    >>> small = at_least(0, exclusive=False) & at_most(Fraction(5, 2), exclusive=True)
    >>> (small - integers(spelled_with_fraction=True)).example()
    '0.1'
    """

    dfa: Dfa
    digits: Digits = field(default=ONE_DIGIT, compare=False)
    """The digits that the constants of the language need: a cap on digits must not be tighter."""

    def __and__(self, other: NumberLanguage) -> NumberLanguage:
        return NumberLanguage(self.dfa.product(other.dfa, lambda a, b: a and b, STATE_LIMIT), self._most(other))

    def __or__(self, other: NumberLanguage) -> NumberLanguage:
        return NumberLanguage(self.dfa.product(other.dfa, lambda a, b: a or b, STATE_LIMIT), self._most(other))

    def __sub__(self, other: NumberLanguage) -> NumberLanguage:
        return NumberLanguage(self.dfa.product(other.dfa, lambda a, b: a and not b, STATE_LIMIT), self._most(other))

    def __invert__(self) -> NumberLanguage:
        return ALL - self

    def __le__(self, other: NumberLanguage) -> bool:
        return (self - other).is_empty

    def _most(self, other: NumberLanguage) -> Digits:
        return Digits(*map(max, self.digits, other.digits))

    @property
    def is_empty(self) -> bool:
        return self.dfa.is_empty

    def accepts(self, text: str) -> bool:
        return self.dfa.accepts(text)

    def contains(self, value: Number) -> bool:
        """Whether the shortest spelling of the value is in the language."""
        try:
            return self.dfa.accepts(spell(value))
        except ValueError:  # no decimal spells it
            return False

    def example(self) -> str | None:
        """A shortest text, an integer if there is one; None when there is no text."""
        return (self & INTEGERS).dfa.example() or self.dfa.example()

    def reduced(self) -> NumberLanguage:
        """The values of the language, each in its shortest spelling, be that in the language or not."""
        return NumberLanguage(_without_trailing_zeros(self.dfa), self.digits) & _SHORTEST

    def finite_values(self, limit: int) -> tuple[Fraction, ...] | None:
        """All values of the language in ascending order, or None when there are more than `limit`."""
        words = self.reduced().dfa.words(limit)
        return None if words is None else tuple(sorted(map(Fraction, words)))

    def plain(self) -> NumberLanguage:
        """The language to print: integral or finitely many values only in their shortest spelling, if it is there.

        >>> integers(spelled_with_fraction=True).plain() == INTEGERS
        True
        """
        reduced = self.reduced()
        if (reduced <= INTEGERS or reduced.dfa.is_finite) and reduced <= self:
            return reduced
        return self

    def capped(self, integral: int, fraction: int) -> NumberLanguage:
        """The texts with at most so many digits before and after the point, or as many as the constants need.

        A language that is not empty does not become empty: some shortest text always stays.
        """
        needed = self.digits
        shortest = self.example()
        if shortest is not None:
            whole, _, rest = shortest.lstrip("-").partition(".")
            needed = Digits(max(needed.integral, len(whole)), max(needed.fraction, len(rest)))
        return self & _capped(max(integral, needed.integral), max(fraction, needed.fraction))


# -- exact numbers -------------------------------------------------------------------------------------------------


def _exact(number: Number) -> Fraction:
    """The number as a fraction, unless its digits are too many to look at."""
    if isinstance(number, Decimal):
        if not number.is_finite():
            raise ValueError(f"{number} is not a number")
        _, digits, exponent = number.as_tuple()
        assert isinstance(exponent, int)
        if number and len(digits) + abs(exponent) > DIGIT_LIMIT:
            raise StateLimitError(DIGIT_LIMIT)
        return Fraction(number) if number else Fraction(0)
    fraction = Fraction(number)
    # Three bits and a third make a digit; a denominator of 2^k alone needs k digits.
    if abs(fraction.numerator).bit_length() > DIGIT_LIMIT * 3 or fraction.denominator.bit_length() > DIGIT_LIMIT * 3:
        raise StateLimitError(DIGIT_LIMIT)
    return fraction


def _places(number: Fraction) -> int:
    """The fraction digits of the shortest spelling."""
    rest, places = number.denominator, 0
    for prime in (2, 5):
        power = 0
        while rest % prime == 0:
            rest //= prime
            power += 1
        places = max(places, power)
    if rest != 1:
        raise ValueError(f"{number} has no finite decimal expansion")
    if places > DIGIT_LIMIT:
        raise StateLimitError(DIGIT_LIMIT)
    return places


def spell(number: Number) -> str:
    """The shortest plain decimal text of a number.

    >>> spell(Fraction(-5, 2)), spell(Decimal("1e3"))
    ('-2.5', '1000')
    """
    exact = _exact(number)
    places = _places(exact)
    text = str(abs(exact.numerator) * 10**places // exact.denominator).rjust(places + 1, "0")
    sign = "-" if exact < 0 else ""
    return f"{sign}{text[:-places]}.{text[-places:]}" if places else sign + text


# -- reading digits ------------------------------------------------------------------------------------------------

_LETTERS = "-.0123456789\0"  # the last one stands for every other character
_CUTS = (0, *(ord(c) for c in "-./0123456789:"))
_INTERVALS = (12, 0, 1, 12, *range(2, 12), 12)

Memory = tuple[int, int]


class _Reader(Protocol):
    """A set of numbers as what must be remembered of the digits read so far; None: no number begins like this."""

    def integral(self, memory: Memory, digit: int) -> Memory | None:
        """One more digit before the point."""

    def point(self, memory: Memory) -> Memory | None:
        """The point, or the end of a text without."""

    def fraction(self, memory: Memory, digit: int) -> Memory | None:
        """One more digit after the point."""

    def accepts(self, memory: Memory, negative: bool) -> bool:
        """Whether the number may end here, after `point`."""


# Where a text stands: before the sign, after it, after a leading zero, among integral digits, after the point, behind.
_BEGIN, _MINUS, _ZERO, _INTEGRAL, _POINT, _FRACTION = range(6)


# (place, negative, anything but zeros read, memory)
_State = tuple[int, bool, bool, Memory] | None


def _language(reader: _Reader, digits: Digits, start: Memory = (0, 0), limit: int = STATE_LIMIT) -> NumberLanguage:
    """The plain decimals that the reader accepts."""

    def advance(state: _State, letter: str) -> _State:
        if state is None or letter == "\0":
            return None
        place, negative, nonzero, memory = state
        if letter == "-":
            return (_MINUS, True, False, memory) if place == _BEGIN else None
        following: Memory | None
        if letter == ".":
            following = reader.point(memory) if place in (_ZERO, _INTEGRAL) else None
            return following and (_POINT, negative, nonzero, following)
        digit = int(letter)
        if place == _ZERO:
            return None
        if place in (_POINT, _FRACTION):
            following, place = reader.fraction(memory, digit), _FRACTION
        else:
            following = reader.integral(memory, digit)
            place = _ZERO if place != _INTEGRAL and not digit else _INTEGRAL
        return following and (place, negative, nonzero or digit > 0, following)

    def step(state: _State) -> list[_State]:
        return [advance(state, letter) for letter in _LETTERS]

    def accepts(state: _State) -> bool:
        if state is None:
            return False
        place, negative, nonzero, memory = state
        if place not in (_ZERO, _INTEGRAL, _FRACTION) or (negative and not nonzero):
            return False
        end = memory if place == _FRACTION else reader.point(memory)
        return end is not None and reader.accepts(end, negative)

    begin: _State = (_BEGIN, False, False, start)
    return NumberLanguage(explore(begin, step, accepts, _CUTS, _INTERVALS, limit), digits)


@dataclass(frozen=True, slots=True)
class _AtMostDigits:
    """Numbers of so many digits before and after the point; None is unbounded. The memory counts the digits."""

    most_integral: int | None
    most_fraction: int | None

    def integral(self, memory: Memory, digit: int) -> Memory | None:
        return _count(memory, self.most_integral)

    def point(self, memory: Memory) -> Memory:
        return (0, 0)

    def fraction(self, memory: Memory, digit: int) -> Memory | None:
        return _count(memory, self.most_fraction)

    def accepts(self, memory: Memory, negative: bool) -> bool:
        return True


def _count(memory: Memory, most: int | None) -> Memory | None:
    if most is None:
        return memory
    return (memory[0] + 1, 0) if memory[0] < most else None


@dataclass(frozen=True, slots=True)
class _NoTrailingZero:
    """Numbers whose fraction does not end in zero. The memory says whether the last digit of the fraction is zero."""

    def integral(self, memory: Memory, digit: int) -> Memory:
        return memory

    def point(self, memory: Memory) -> Memory:
        return memory

    def fraction(self, memory: Memory, digit: int) -> Memory:
        return (int(digit == 0), 0)

    def accepts(self, memory: Memory, negative: bool) -> bool:
        return memory[0] == 0


@dataclass(frozen=True, slots=True)
class _Above:
    """Numbers from a bound on. The memory is (digits read, up to one more than the bound has; comparison so far)."""

    whole: str
    rest: str
    bound_negative: bool
    exclusive: bool

    def integral(self, memory: Memory, digit: int) -> Memory:
        count, order = memory
        if count >= len(self.whole):
            return (len(self.whole) + 1, 1)
        return (count + 1, order or _compare(digit, int(self.whole[count])))

    def point(self, memory: Memory) -> Memory:
        count, order = memory
        return (0, -1 if count < len(self.whole) else order)

    def fraction(self, memory: Memory, digit: int) -> Memory:
        count, order = memory
        if order:
            return (0, order)
        if count == len(self.rest):
            return (count, _compare(digit, 0))
        return (count + 1, _compare(digit, int(self.rest[count])))

    def accepts(self, memory: Memory, negative: bool) -> bool:
        count, order = memory
        if not order and count < len(self.rest):
            order = -1  # the last digit of `rest` is not zero
        if negative != self.bound_negative:
            return not negative
        if negative:
            order = -order
        return order > 0 or (not order and not self.exclusive)


def _compare(a: int, b: int) -> int:
    return (a > b) - (a < b)


@dataclass(frozen=True, slots=True)
class _Multiple:
    """Multiples of modulus · 10^zeros / 10^places, where zeros or places is 0.

    Before the point the memory is (remainder of the digits but the last zeros, up to `zeros` such last zeros), so
    that powers of ten cost a state a digit; behind it is (remainder, places read).
    """

    modulus: int
    zeros: int
    places: int

    def integral(self, memory: Memory, digit: int) -> Memory:
        remainder, trailing = memory
        if digit == 0 and trailing < self.zeros:
            return (remainder, trailing + 1)
        if digit == 0:
            return (remainder * 10 % self.modulus, trailing)
        return ((remainder * 10 ** (trailing + 1) + digit) % self.modulus, 0)

    def point(self, memory: Memory) -> Memory | None:
        remainder, trailing = memory
        if trailing < self.zeros or (remainder and not self.places):
            return None
        return (remainder, 0)

    def fraction(self, memory: Memory, digit: int) -> Memory | None:
        remainder, count = memory
        if count < self.places:
            return ((remainder * 10 + digit) % self.modulus, count + 1)
        return memory if digit == 0 else None

    def accepts(self, memory: Memory, negative: bool) -> bool:
        remainder, count = memory
        return not remainder * 10 ** (self.places - count) % self.modulus


# -- spellings of one value ----------------------------------------------------------------------------------------


def _columns(dfa: Dfa) -> dict[str, int]:
    """The automaton's own letter for each of ours."""
    return {letter: dfa.letters[bisect_right(dfa.cuts, ord(letter)) - 1] for letter in _LETTERS}


def _without_trailing_zeros(dfa: Dfa) -> Dfa:
    """The texts that the automaton accepts once zeros are written behind them, after a point if they have none."""
    column = _columns(dfa)

    def step(state: tuple[int, bool]) -> list[tuple[int, bool]]:
        number, behind = state
        return [(dfa.moves[number][column[letter]], behind or letter == ".") for letter in _LETTERS]

    def accepts(state: tuple[int, bool]) -> bool:
        number, behind = state
        if dfa.accepting[number]:
            return True
        if not behind:
            number = dfa.moves[number][column["."]]
        seen: set[int] = set()
        while number not in seen:
            seen.add(number)
            number = dfa.moves[number][column["0"]]
            if dfa.accepting[number]:
                return True
        return False

    return explore((0, False), step, accepts, _CUTS, _INTERVALS, STATE_LIMIT)


def _with_trailing_zeros(dfa: Dfa, limit: int) -> Dfa:
    """The texts that the automaton accepts once the zeros at the end of the fraction, and a bare point, are cut off."""
    column = _columns(dfa)

    # A state is (where the cut text leads, where the whole text leads, point read).
    def step(state: tuple[int, int, bool]) -> list[tuple[int, int, bool]]:
        cut, whole, behind = state
        row = []
        for letter in _LETTERS:
            target = dfa.moves[whole][column[letter]]
            droppable = letter == "." or (behind and letter == "0")
            row.append((cut if droppable else target, target, behind or letter == "."))
        return row

    return explore((0, 0, False), step, lambda state: dfa.accepting[state[0]], _CUTS, _INTERVALS, limit)


# -- the languages -------------------------------------------------------------------------------------------------

ALL = _language(_AtMostDigits(None, None), ONE_DIGIT)
NONE = NumberLanguage(NOTHING)
INTEGERS = _language(_AtMostDigits(None, 0), ONE_DIGIT)
"""The texts without a fraction."""

_SHORTEST = _language(_NoTrailingZero(), ONE_DIGIT)


@lru_cache(maxsize=64)
def _capped(integral: int, fraction: int) -> NumberLanguage:
    return _language(_AtMostDigits(integral, fraction), ONE_DIGIT)


def integers(spelled_with_fraction: bool) -> NumberLanguage:
    """The integral numbers: with 5 also 5.0, as from draft 6 on, or only texts without a fraction, as in draft 4."""
    return multiple_of(1) if spelled_with_fraction else INTEGERS


@lru_cache(maxsize=256)
def at_least(bound: Number, exclusive: bool, limit: int = STATE_LIMIT) -> NumberLanguage:
    """The numbers from the bound on, with it or, when `exclusive`, without.

    >>> at_least(Decimal("0.5"), exclusive=False).accepts("0.50")
    True
    """
    text = spell(bound)
    whole, _, rest = text.lstrip("-").partition(".")
    # One digit more than the bound has is enough to pass it.
    digits = Digits(len(whole) + 1, len(rest) + 1)
    return _language(_Above(whole, rest, text.startswith("-"), exclusive), digits, limit=limit)


@lru_cache(maxsize=256)
def at_most(bound: Number, exclusive: bool, limit: int = STATE_LIMIT) -> NumberLanguage:
    """The numbers up to the bound, with it or, when `exclusive`, without."""
    return ~at_least(bound, not exclusive, limit)


@lru_cache(maxsize=256)
def multiple_of(divisor: Number, limit: int = STATE_LIMIT) -> NumberLanguage:
    """The integral multiples of a positive number.

    >>> multiple_of(Decimal("0.01")).accepts("3.140")
    True
    """
    exact = _exact(divisor)
    if exact <= 0:
        raise ValueError(f"{exact} is no divisor: it is not positive")
    places = _places(exact)
    scaled = int(exact * 10**places)
    text = str(scaled)
    zeros = 0 if places else len(text) - len(text.rstrip("0"))
    modulus = scaled // 10**zeros
    digits = Digits(max(1, len(text) - places), places)
    return _language(_Multiple(modulus, zeros, places), digits, (0, zeros), limit)


def values(numbers: Iterable[Number], limit: int = STATE_LIMIT) -> NumberLanguage:
    """The given numbers, each in all its spellings.

    >>> values([Fraction(1, 2)]).accepts("0.500")
    True
    """
    texts = [spell(number) for number in numbers]
    parts = [text.lstrip("-").partition(".") for text in texts]
    digits = Digits(
        max((len(whole) for whole, _, _ in parts), default=1), max((len(rest) for _, _, rest in parts), default=0)
    )
    return NumberLanguage(_with_trailing_zeros(of_words(texts), limit), digits) & ALL

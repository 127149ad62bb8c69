"""What llama.cpp does with a grammar before the first token: the rules it makes of it, and the steps of its check.

In comes a `Grammar`; out goes a `Load`. Reading, llama.cpp makes a rule of every group and every optional round:
`x{2,4}` is `x x r2` with `r2 ::= x r1 |` and `r1 ::= x |`. Then it looks for left recursion, and walks whatever a rule
can begin with each time the rule is met, so that left corners shared over k levels take 2^k steps. Left recursion
itself is refused by `LeftRecursionError`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from schema2gbnf.closed import assert_never
from schema2gbnf.gbnf.program import LeftRecursionError
from schema2gbnf.grammar.rules import Alternation, CharClass, Expr, Grammar, Literal, Ref, Repeat, Sequence
from schema2gbnf.languages.charset import TEXT, CharSet

MOST_SYMBOLS = 500_000
"""Rules after which no more optional rounds are made; the figures are then too small."""

_LAST_ASCII = 0x7F


@dataclass(frozen=True, slots=True)
class Load:
    """The rules and elements that a grammar becomes, and the elements that are met until it is found sound."""

    symbols: int
    elements: int
    steps: int

    @staticmethod
    def of(grammar: Grammar) -> Load:
        """The load of a grammar.

        >>> from schema2gbnf.gbnf.parse import parse
        >>> Load.of(parse('root ::= x "a"\\nx ::= [0-9]{1,3}'))
        Load(symbols=4, elements=16, steps=48)
        """
        reader = _Reader(grammar)
        elements = sum(symbol.elements for symbol in reader.symbols)
        return Load(len(reader.symbols), elements, elements + _steps(reader))


@dataclass(slots=True)
class _Symbol:
    """A rule as llama.cpp holds it: its name, how many elements, whether an alternative is empty, and for each
    alternative the symbols it begins with, up to the first that cannot be empty."""

    name: str
    elements: int = 0
    empty: bool = False
    corners: list[tuple[int, ...]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Run:
    """A part of an alternative: its elements, and the symbols among them before the first character."""

    elements: int
    refs: tuple[int, ...]
    characters: bool


_NOTHING_YET = _Run(0, (), False)


def _joined(left: _Run, right: _Run) -> _Run:
    refs = left.refs if left.characters else left.refs + right.refs
    return _Run(left.elements + right.elements, refs, left.characters or right.characters)


class _Reader:
    """The symbols in the order in which llama.cpp numbers them: as it meets their names, groups and rounds."""

    def __init__(self, grammar: Grammar) -> None:
        self.symbols: list[_Symbol] = []
        self._numbers: dict[str, int] = {}
        for name, body in grammar.rules.items():
            self._fill(self._number(name), body)

    def _number(self, name: str) -> int:
        number = self._numbers.get(name)
        if number is None:
            number = self._numbers[name] = self._fresh(name)
        return number

    def _fresh(self, name: str) -> int:
        self.symbols.append(_Symbol(name))
        return len(self.symbols) - 1

    def _fill(self, number: int, body: Expr) -> None:
        """Give a symbol the alternatives of an expression."""
        symbol = self.symbols[number]
        for option in body.options if isinstance(body, Alternation) else (body,):
            self._add(symbol, self._run(option, symbol.name))

    def _add(self, symbol: _Symbol, run: _Run) -> None:
        # One element more ends the alternative.
        symbol.elements += run.elements + 1
        symbol.empty = symbol.empty or not run.elements
        symbol.corners.append(run.refs)

    def _run(self, expr: Expr, rule: str) -> _Run:
        match expr:
            case Literal(text):
                return _Run(len(text), (), bool(text))
            case CharClass(chars):
                return _Run(_class_elements(chars), (), True)
            case Ref(name):
                return _Run(1, (self._number(name),), False)
            case Sequence(parts):
                whole = _NOTHING_YET
                for part in parts:
                    is_group = isinstance(part, Alternation)
                    whole = _joined(whole, self._group(part, rule) if is_group else self._run(part, rule))
                return whole
            case Alternation():
                return self._group(expr, rule)
            case Repeat(item, low, high):
                return self._repeated(item, low, high, rule)
            case _:
                assert_never(expr)

    def _group(self, expr: Expr, rule: str) -> _Run:
        number = self._fresh(rule)
        self._fill(number, expr)
        return _Run(1, (number,), False)

    def _repeated(self, item: Expr, low: int, high: int | None, rule: str) -> _Run:
        is_single = isinstance(item, (Literal, CharClass, Ref))
        one = self._run(item, rule) if is_single else self._group(item, rule)
        refs = one.refs if one.characters else one.refs * min(low, 1 + len(self.symbols))
        whole = _Run(one.elements * low, refs, one.characters) if low else _NOTHING_YET
        inner: _Run | None = None
        for _ in range(1 if high is None else high - low):
            if len(self.symbols) > MOST_SYMBOLS:
                break
            number = self._fresh(rule)
            following = _Run(1, (number,), False)
            self._add(self.symbols[number], _joined(one, following if high is None else inner or _NOTHING_YET))
            self._add(self.symbols[number], _NOTHING_YET)
            inner = following
        return _joined(whole, inner or _NOTHING_YET)


def _class_elements(chars: CharSet) -> int:
    """One for each character that stands alone, two for each range, in the shorter of the class and its negation."""
    rest = (TEXT - chars).ranges
    written = _span_elements(chars.ranges)
    return written if not rest or rest[-1][1] > _LAST_ASCII else min(written, _span_elements(rest))


def _span_elements(ranges: tuple[tuple[int, int], ...]) -> int:
    return sum(1 if low == high else 2 for low, high in ranges)


def _steps(reader: _Reader) -> int:
    """The elements met by the check for left recursion, which walks each symbol that no walk before has met."""
    symbols = reader.symbols
    begins = [tuple(_begins(symbol, symbols)) for symbol in symbols]
    walks: dict[int, int] = {}
    total = 0
    for first in range(len(symbols)):
        if first in walks:
            continue
        for number in _corners_first(first, begins, walks, symbols):
            walks[number] = 2 * symbols[number].elements + sum(walks[corner] for corner in begins[number])
        total += walks[first]
    return total


def _begins(symbol: _Symbol, symbols: list[_Symbol]) -> Iterator[int]:
    """The symbols that are walked from this one, as often as they are."""
    for corners in symbol.corners:
        for corner in corners:
            yield corner
            if not symbols[corner].empty:
                break


def _corners_first(
    first: int, begins: list[tuple[int, ...]], done: dict[int, int], symbols: list[_Symbol]
) -> Iterator[int]:
    """The symbols not done that this one leads to, itself the last, each behind those that it begins with."""
    path: dict[int, Iterator[int]] = {first: iter(begins[first])}
    while path:
        number, corners = next(reversed(path.items()))
        following = next((corner for corner in corners if corner not in done), None)
        if following is None:
            path.popitem()
            yield number
        elif following in path:
            raise LeftRecursionError(symbols[following].name)
        else:
            path[following] = iter(begins[following])

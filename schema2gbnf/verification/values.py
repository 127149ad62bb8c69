"""Values that a schema's meaning promises: the simplest, and those at the edges of everything it says.

In comes what the compiler explored, objects closed as it closes them; out come values that the grammar must accept.
Each edge of each nonterminal (a bound, a branch, a member there or not, a word of a pattern) is put into the simplest
value around it; some values are as full as their depth allows, recursion unrolled.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain, count, islice
from random import Random
from typing import TypeAlias

from schema2gbnf.languages.dfa import StateLimitError
from schema2gbnf.schema.subschema import Subschema
from schema2gbnf.schema.text import Json
from schema2gbnf.semantics.formula import Conjunction, Obeys, exact, json_type
from schema2gbnf.semantics.holds import holds
from schema2gbnf.semantics.meaning import Meaning
from schema2gbnf.semantics.productivity import ANYTHING, Alternative, Explored, Nonterminal
from schema2gbnf.semantics.shapes import AllBut, ArrayShape, KeyPart, ObjectShape, Slot, ValueShape
from schema2gbnf.semantics.walks import Take, Walk
from schema2gbnf.verification.edges import edge_numbers, edge_strings, number_of, plain_word
from schema2gbnf.verification.paths import Paths, Way
from schema2gbnf.verification.texts import text_of

_NESTED: tuple[list[Json], dict[str, Json]] = ([[0]], {"": {"a": 0}})
ANY_VALUES: tuple[Json, ...] = (
    *(None, True, 0, -1, number_of("0.5"), 10**17, "", 'é"\\\n'),
    *([], {}, *_NESTED),
)
"""Values where everything is allowed."""
MOST_MEMBERS = 60
MOST_ITEMS = 300
"""Items of an array that is as long as it may be, where that is not longer than this."""
FULL = 200
"""Values that a full value has inside."""
DEEP = 3
WAYS = 60
"""Ways through one object or array that are tried."""

Place: TypeAlias = "tuple[Conjunction, int | None, int, Take | None]"
"""Where a nonterminal stands in another: in which alternative (None: as an option of it), and as which item or, where
there is a walk, at which step of it."""


@dataclass(frozen=True, slots=True)
class _Walked:
    """An alternative whose members or items are read along a walk."""

    shape: ObjectShape | ArrayShape
    paths: Paths


class Values:
    """The values of one schema; the same for the same seed."""

    def __init__(self, meaning: Meaning, explored: Explored, random: Random) -> None:
        self._meaning = meaning
        self.explored = explored
        self.random = random
        self.simplest: dict[Conjunction, Json] = {ANYTHING: None}
        """The simplest value of every nonterminal that has one."""
        self._walked: dict[tuple[Conjunction, int], _Walked] = {}
        self._alternatives: dict[Conjunction, tuple[Alternative, ...]] = {}
        self._complete = False
        self._find_simplest()
        self._complete = True
        self.places: dict[Conjunction, Place | None] = {explored.root: None}
        """Every nonterminal that can be reached, with where it stands, the nearest to the root."""
        self._find_places()

    def edges(self) -> Iterator[Json]:
        """Values with one edge each; of all nonterminals one edge, then of all the next, in random order."""
        yield self.simplest[self.explored.root]
        order = list(self.places)
        self.random.shuffle(order)
        waiting = deque((conjunction, self._variations(conjunction)) for conjunction in order)
        while waiting:
            conjunction, variations = waiting.popleft()
            variation = next(variations, NOTHING)
            if isinstance(variation, Nothing):
                continue
            waiting.append((conjunction, variations))
            value = self.around(conjunction, variation)
            if not isinstance(value, Nothing):
                yield value

    def full(self) -> Iterator[Json]:
        """Values with as much in them as their depth allows, without end."""
        for number in count():
            yield self._fuller(self.explored.root, 1 + number % DEEP, [FULL])

    # -- the simplest ------------------------------------------------------------------------------------------------

    def _find_simplest(self) -> None:
        todo = [each for each in self.explored.nonterminals.items() if each[0] in self.explored.productive]
        for conjunction, nonterminal in todo:
            self._alternatives[conjunction] = (*nonterminal.objects, *nonterminal.arrays)
        while todo:
            left = []
            for conjunction, nonterminal in todo:
                found = self._simple(conjunction, nonterminal)
                if isinstance(found, Nothing):
                    left.append((conjunction, nonterminal))
                else:
                    self.simplest[conjunction] = found
            if len(left) == len(todo):
                break
            todo = left

    def _simple(self, conjunction: Conjunction, nonterminal: Nonterminal) -> Json | Nothing:
        for option in nonterminal.options:
            if option in self.simplest:
                return self.simplest[option]
        if nonterminal.constants:
            return nonterminal.constants[0]
        number = nonterminal.numbers.example()
        if number is not None:
            return number_of(number)
        try:
            word = plain_word(nonterminal.strings)
        except StateLimitError:
            word = None
        if word is not None:
            return word
        for alternative in self._alternatives[conjunction]:
            found = self._shortest(alternative)
            if not isinstance(found, Nothing):
                return found
        return NOTHING

    def _shortest(self, alternative: Alternative) -> Json | Nothing:
        shape = alternative.shape
        if isinstance(shape, ValueShape):
            return shape.value.value
        if alternative.walk is None:
            assert isinstance(shape, ArrayShape)
            return self._array(shape, shape.low)
        paths = Paths(alternative.walk, self._exists)
        return self._along(shape, paths.shortest()) if paths.any else NOTHING

    def _exists(self, conjunction: Conjunction) -> bool:
        return conjunction in self.simplest

    # -- edges -------------------------------------------------------------------------------------------------------

    def _variations(self, conjunction: Conjunction) -> Iterator[Json]:
        """Values of one nonterminal, each at an edge of its own."""
        if conjunction == ANYTHING:
            yield from ANY_VALUES
            return
        nonterminal = self.explored.nonterminals[conjunction]
        for number, alternative in enumerate(self._alternatives[conjunction]):
            yield from islice(self._ways(conjunction, number, alternative), WAYS)
        yield from nonterminal.constants
        yield from self._scalars(conjunction, nonterminal)
        for sub in subschemas_of(conjunction):
            for value in _written(sub):
                if holds(self._meaning, conjunction, value) and json_type(value) not in ("object", "array"):
                    yield value

    def _scalars(self, conjunction: Conjunction, nonterminal: Nonterminal) -> Iterator[Json]:
        if not nonterminal.strings.is_empty:
            yield from edge_strings(nonterminal.strings, self.random)
        if not nonterminal.numbers.is_empty:
            near = list(dict.fromkeys(n for sub in subschemas_of(conjunction) for n in numbers_in(sub.value, 3)))
            capped = nonterminal.numbers.capped(*self._digits)
            yield from edge_numbers(capped, near[:40], self.random)

    @property
    def _digits(self) -> tuple[int, int]:
        options = self._meaning.options
        return options.integral_digits, options.fraction_digits

    def _ways(self, conjunction: Conjunction, number: int, alternative: Alternative) -> Iterator[Json]:
        shape = alternative.shape
        if isinstance(shape, ValueShape):
            yield shape.value.value
            return
        if alternative.walk is None:
            assert isinstance(shape, ArrayShape)
            for length in _lengths(shape):
                found = self._array(shape, length)
                if not isinstance(found, Nothing):
                    yield found
            return
        paths = self._paths(conjunction, number, alternative.walk)
        if not paths.any:
            return
        most = MOST_ITEMS if shape.high is None else min(shape.high, MOST_ITEMS)
        takes = list(islice(paths.takes(), 4 * WAYS))
        self.random.shuffle(takes)
        through = (paths.through(*each)[0] for each in takes)
        ways = chain(through, paths.without(MOST_MEMBERS))
        for way in (paths.shortest(), paths.fullest(min(most, MOST_MEMBERS)), *islice(ways, 2 * WAYS)):
            found = self._along(shape, way)
            if not isinstance(found, Nothing):
                yield found

    def _paths(self, conjunction: Conjunction, number: int, walk: Walk) -> Paths:
        found = self._walked.get((conjunction, number))
        if found is None:
            shape = self._alternatives[conjunction][number].shape
            assert not isinstance(shape, ValueShape)
            found = self._walked[conjunction, number] = _Walked(shape, Paths(walk, self._exists))
        return found.paths

    # -- building ----------------------------------------------------------------------------------------------------

    def _along(
        self, shape: ObjectShape | ArrayShape, way: Way, at: int | None = None, inside: Json = None
    ) -> Json | Nothing:
        """The value that a way makes, of the simplest values but for `inside` at one place."""
        values = [inside if place == at else self.simplest[take.value] for place, take in enumerate(way)]
        return self._made(shape, way, values, at)

    def _made(
        self, shape: ObjectShape | ArrayShape, way: Way, values: Sequence[Json], at: int | None = None
    ) -> Json | Nothing:
        if isinstance(shape, ArrayShape):
            return self._items(shape, values, [take.value for take in way], at)
        found: dict[str, Json] = {}
        for take, value in zip(way, values, strict=True):
            name: str | None
            if take.place < len(shape.members):
                name = shape.members[take.place].name
            else:
                name = _fresh_name(shape.parts[take.place - len(shape.members)], found)
            if name is None:
                return NOTHING
            found[name] = value
        return found

    def _array(self, shape: ArrayShape, length: int, at: int | None = None, inside: Json = None) -> Json | Nothing:
        """So many items, the simplest but for `inside` at one place; different ones where that is wanted."""
        slots = [_slot(shape, place) for place in range(length)]
        if any(slot.value not in self.simplest for slot in slots):
            return NOTHING
        items = [inside if place == at else self.simplest[slot.value] for place, slot in enumerate(slots)]
        return self._items(shape, items, [slot.value for slot in slots], at)

    def _items(
        self, shape: ArrayShape, items: Sequence[Json], demands: Sequence[Conjunction], kept: int | None = None
    ) -> list[Json]:
        """The items; where they must be distinct, those that come again are replaced, but for the one that is kept."""
        if shape.unique is None:
            return list(items)
        found: list[Json] = []
        taken: set[str] = set() if kept is None else {text_of(items[kept])}
        for place, (item, conjunction) in enumerate(zip(items, demands, strict=True)):
            if place != kept and text_of(item) in taken:
                others = islice(self._others(conjunction), 4 * len(items))
                item = next((other for other in others if text_of(other) not in taken), item)
            taken.add(text_of(item))
            found.append(item)
        return found

    def _others(self, conjunction: Conjunction) -> Iterator[Json]:
        """Values of a nonterminal, as far as they can be told while the simplest ones are still being found."""
        nonterminal = self.explored.nonterminals.get(conjunction)
        if self._complete or nonterminal is None:
            return self._variations(conjunction)
        return self._scalars(conjunction, nonterminal)

    def _find_places(self) -> None:
        todo = deque(self.places)
        while todo:
            for child, place in self._children(todo.popleft()):
                if child not in self.places and child in self.simplest:
                    self.places[child] = place
                    todo.append(child)

    def _children(self, conjunction: Conjunction) -> Iterator[tuple[Conjunction, Place]]:
        nonterminal = self.explored.nonterminals.get(conjunction)
        if nonterminal is None:
            return
        for option in nonterminal.options:
            yield option, (conjunction, None, 0, None)
        for number, alternative in enumerate(self._alternatives[conjunction]):
            shape = alternative.shape
            if isinstance(shape, ValueShape):
                continue
            if alternative.walk is None:
                assert isinstance(shape, ArrayShape)
                for index in range(len(shape.prefix) + 1):
                    if shape.high is None or index < shape.high:
                        yield _slot(shape, index).value, (conjunction, number, index, None)
                continue
            paths = self._paths(conjunction, number, alternative.walk)
            if paths.any:
                for step, take in paths.takes():
                    yield take.value, (conjunction, number, step, take)

    def around(self, conjunction: Conjunction, value: Json) -> Json | Nothing:
        """The simplest value of the schema that has this value at a place of the nonterminal."""
        found: Json | Nothing = value
        place = self.places[conjunction]
        while place is not None and not isinstance(found, Nothing):
            outer, number, index, take = place
            if number is not None:
                found = self._placed(outer, number, index, take, found)
            place = self.places[outer]
        return found

    def _placed(self, outer: Conjunction, number: int, index: int, take: Take | None, value: Json) -> Json | Nothing:
        alternative = self._alternatives[outer][number]
        shape = alternative.shape
        assert not isinstance(shape, ValueShape)
        if take is not None:
            assert alternative.walk is not None
            way, at = self._paths(outer, number, alternative.walk).through(index, take)
            return self._along(shape, way, at, value)
        assert isinstance(shape, ArrayShape)
        return self._array(shape, max(shape.low, index + 1), index, value)

    # -- full values -------------------------------------------------------------------------------------------------

    def _fuller(self, conjunction: Conjunction, depth: int, budget: list[int]) -> Json:
        """A value with all that its alternative can have, down to a depth and up to a budget."""
        budget[0] -= 1
        nonterminal = self.explored.nonterminals.get(conjunction)
        if nonterminal is None or budget[0] <= 0:
            return self.simplest[conjunction]
        options = [option for option in nonterminal.options if option in self.simplest]
        if options:
            return self._fuller(self.random.choice(options), depth, budget)
        alternatives = list(enumerate(self._alternatives[conjunction]))
        self.random.shuffle(alternatives)
        for number, alternative in alternatives if depth > 0 else ():
            found = self._filled(conjunction, number, alternative, depth - 1, budget)
            if not isinstance(found, Nothing):
                return found
        scalars = [*nonterminal.constants, *islice(self._scalars(conjunction, nonterminal), 12)]
        return self.random.choice(scalars) if scalars else self.simplest[conjunction]

    def _filled(
        self, conjunction: Conjunction, number: int, alternative: Alternative, depth: int, budget: list[int]
    ) -> Json | Nothing:
        shape = alternative.shape
        if isinstance(shape, ValueShape):
            return shape.value.value
        if alternative.walk is None:
            assert isinstance(shape, ArrayShape)
            most = max(shape.low, self.random.randint(1, 3), len(shape.prefix))
            slots = [_slot(shape, place) for place in range(most if shape.high is None else min(most, shape.high))]
            if any(slot.value not in self.simplest for slot in slots):
                return NOTHING
            items = [self._fuller(slot.value, depth, budget) for slot in slots]
            return self._items(shape, items, [slot.value for slot in slots])
        paths = self._paths(conjunction, number, alternative.walk)
        if not paths.any:
            return NOTHING
        way = paths.fullest(MOST_MEMBERS)
        return self._made(shape, way, [self._fuller(take.value, depth, budget) for take in way])


class Nothing:
    """No value; `None` is one."""


NOTHING = Nothing()


def _slot(shape: ArrayShape, place: int) -> Slot:
    return shape.prefix[place] if place < len(shape.prefix) else shape.rest


def _lengths(shape: ArrayShape) -> list[int]:
    """Lengths at the bounds and beside them, and one past the prefix."""
    high = shape.high
    wanted = [shape.low, shape.low + 1, len(shape.prefix), len(shape.prefix) + 1, len(shape.prefix) + 3]
    wanted += [] if high is None else [high, high - 1]
    fits = (n for n in wanted if shape.low <= n <= MOST_ITEMS and (high is None or n <= high))
    return list(dict.fromkeys(fits))


def _fresh_name(part: KeyPart, taken: dict[str, Json]) -> str | None:
    """A name of the part that is not taken."""
    names = part.names
    if isinstance(names, AllBut):
        return next(name for name in map("x{}".format, count()) if name not in taken and names.accepts(name))
    try:
        candidates = edge_strings(names, Random(len(taken)))
    except StateLimitError:
        return None
    return next((name for name in candidates if name not in taken), None)


def subschemas_of(conjunction: Conjunction) -> list[Subschema]:
    return list(dict.fromkeys(demand.sub for demand in conjunction if isinstance(demand, Obeys)))


def _written(sub: Subschema) -> list[Json]:
    """The values that a subschema gives as examples."""
    examples = sub.get("examples")
    found = list(examples) if isinstance(examples, list) else []
    return found + [sub.keywords[name] for name in ("default", "example") if name in sub]


def numbers_in(schema: Json, depth: int) -> Iterator[Fraction]:
    """The numbers that are written in a schema, not too deep inside."""
    match schema:
        case bool() | None | str():
            return
        case dict() | list() if depth > 0:
            for inner in schema.values() if isinstance(schema, dict) else schema:
                yield from numbers_in(inner, depth - 1)
        case int() | float():
            number = exact(schema)
            if isinstance(number, Fraction):
                yield number
        case dict() | list():
            return
        case _:
            number = exact(schema)
            if isinstance(number, Fraction):
                yield number

"""All conjunctions that values of the root lead to, and which of them some finite value meets.

First everything reachable is explored symbolically; then one least fixpoint over all of it decides what is productive
(Dowling and Gallier 1984). Only what is left may be laid out: an optional member without a value is a member that is
not there.
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import chain

from schema2gbnf.errors import SchemaError, UnsatisfiableSchemaError, UnsupportedSchemaError
from schema2gbnf.languages import decimals
from schema2gbnf.languages.decimals import NumberLanguage
from schema2gbnf.languages.strings import StringLanguage
from schema2gbnf.schema.text import half_of
from schema2gbnf.semantics.alternatives import shapes
from schema2gbnf.semantics.branches import branches
from schema2gbnf.semantics.emptiness import possible_types
from schema2gbnf.semantics.formula import (
    JSON_TYPES,
    AnyOf,
    Ask,
    Conjunction,
    Demand,
    ExactlyOne,
    JsonType,
    Obeys,
    Present,
    ValueIn,
    pointer_of,
)
from schema2gbnf.semantics.keywords import VOCABULARIES
from schema2gbnf.semantics.meaning import Meaning
from schema2gbnf.semantics.objects import Layout
from schema2gbnf.semantics.plain import Leaf, array_shape, object_shape
from schema2gbnf.semantics.scalars import constants, numbers, strings
from schema2gbnf.semantics.shapes import ArrayShape, ObjectShape, Shape, ValueShape
from schema2gbnf.semantics.walks import Walk, any_order_walk, item_walk, member_walk

ANYTHING: Conjunction = ()

_STRUCTURES = frozenset({"object", "array"})

REOPENED = 64
"""Objects that are asked one by one whether they could be closed after all."""


@dataclass(frozen=True, slots=True)
class Alternative:
    """A shape with the walk over its members or items; plain arrays and fixed values need none."""

    shape: Shape
    walk: Walk | None
    closed: bool = False
    """Whether undeclared members were taken away that the schema allows."""
    values: tuple[Conjunction, ...] = field(init=False, repr=False, compare=False)
    """The conjunctions of the members or items."""

    def __post_init__(self) -> None:
        values: Iterable[Conjunction] = ()
        if self.walk is not None:
            values = [take.value for step in self.walk for take in step.takes]
        elif isinstance(self.shape, ArrayShape):
            values = [slot.value for slot in (*self.shape.prefix, self.shape.rest)]
        object.__setattr__(self, "values", tuple(dict.fromkeys(values)))


@dataclass(frozen=True, slots=True)
class Nonterminal:
    """All values that meet a conjunction, type by type; or, with `options`, all that meet one of these."""

    demands: Conjunction
    options: tuple[Conjunction, ...]
    constants: tuple[bool | None, ...]
    strings: StringLanguage
    numbers: NumberLanguage
    objects: tuple[Alternative, ...]
    arrays: tuple[Alternative, ...]

    def values(self) -> list[Conjunction]:
        """The conjunctions that its alternatives lead to."""
        return [*self.options, *(value for each in (*self.objects, *self.arrays) for value in each.values)]

    @property
    def scalar(self) -> bool:
        return bool(self.constants) or not self.strings.is_empty or not self.numbers.is_empty


@dataclass(frozen=True, slots=True)
class Explored:
    """The nonterminals of a schema by their conjunction, and those of them that some value meets."""

    root: Conjunction
    nonterminals: dict[Conjunction, Nonterminal]
    productive: frozenset[Conjunction]
    refined: frozenset[Conjunction] = frozenset()
    """Those in whose objects members of one name have values that are equal or have nothing in common."""


def explore(meaning: Meaning, *root: Demand) -> Explored:
    """Explore from the demands on the root.

    Raises `UnsatisfiableSchemaError` when no value meets them all, and `UnsupportedSchemaError` when no text holds one.
    """
    start = meaning.conjunction(root)
    if start is None:
        raise UnsatisfiableSchemaError("#", "", "the schema is false: no value satisfies it")
    found: dict[Conjunction, Nonterminal] = {}
    todo = deque([start])
    waiting = {start}
    while todo:
        conjunction = todo.popleft()
        if conjunction == ANYTHING:
            continue
        if found and len(found) >= meaning.options.limits.nonterminals:
            _over_limit(meaning, conjunction)
            continue
        nonterminal = found[conjunction] = nonterminal_of(meaning, conjunction)
        for value in nonterminal.values():
            if value not in waiting:
                waiting.add(value)
                todo.append(value)
    explored = Explored(start, found, _fixpoint(found))
    if start != ANYTHING and start not in explored.productive:
        raise _Reasons(meaning, explored).error()
    return explored


def _over_limit(meaning: Meaning, conjunction: Conjunction) -> None:
    limit = meaning.options.limits.nonterminals
    message = f"more than {limit} distinct sets of demands; raise the limit 'nonterminals'"
    meaning.report.loosen("", pointer_of(conjunction), message)


def nonterminal_of(meaning: Meaning, conjunction: Conjunction) -> Nonterminal:
    """What the values of a conjunction are, of which something is demanded."""
    plain = _plain(meaning, conjunction)
    if plain is not None:
        return plain
    options = _options(meaning, conjunction)
    if options is not None:
        return Nonterminal(conjunction, options, (), StringLanguage.NONE, decimals.NONE, (), ())
    if len(conjunction) == 1 and _STRUCTURES.isdisjoint(meaning.types(conjunction)):
        return _scalars(meaning, conjunction)
    return Nonterminal(
        conjunction,
        (),
        constants(meaning, conjunction),
        strings(meaning, conjunction),
        numbers(meaning, conjunction),
        tuple(_object(meaning, shape) for shape in shapes(meaning, conjunction, "object")),
        tuple(_array(meaning, shape) for shape in shapes(meaning, conjunction, "array")),
    )


def _plain(meaning: Meaning, conjunction: Conjunction) -> Nonterminal | None:
    """The same by the fast path; None where there is more to it."""
    demand = conjunction[0]
    if len(conjunction) > 1 or not isinstance(demand, Obeys):
        return None
    objects: tuple[Alternative, ...] = ()
    arrays: tuple[Alternative, ...] = ()
    match meaning.reading(demand):
        case Leaf(known, texts, amounts):
            return Nonterminal(conjunction, (), known, texts, amounts, (), ())
        case "object":
            layout = object_shape(meaning, demand)
            objects = () if layout is None else (_object(meaning, layout),)
        case "array":
            row = array_shape(meaning, demand)
            arrays = () if row is None else (_array(meaning, row),)
        case _:
            pass
    if not objects and not arrays:
        return None
    return Nonterminal(conjunction, (), (), StringLanguage.NONE, decimals.NONE, objects, arrays)


def _scalars(meaning: Meaning, conjunction: Conjunction) -> Nonterminal:
    """What the values of a demand are that no object or array meets; kept for the next time, where that is safe."""
    (demand,) = conjunction
    spent = meaning.spent
    is_new = not any(demand in meaning.evaluated(kind) for kind in JSON_TYPES)
    leaf = Leaf(constants(meaning, conjunction), strings(meaning, conjunction), numbers(meaning, conjunction))
    is_free = is_new and meaning.spent == spent
    if isinstance(demand, Obeys) and demand.wanted and is_free and not meaning.report.tells_of(demand.sub):
        meaning.plain.learn(demand.sub, leaf)
    return Nonterminal(conjunction, (), leaf.constants, leaf.strings, leaf.numbers, (), ())


def _options(meaning: Meaning, conjunction: Conjunction) -> tuple[Conjunction, ...] | None:
    """The branches of a lone `anyOf` or `oneOf` no two of which share a type, so that each can stand for itself."""
    if len(conjunction) != 1:
        return None
    formula = meaning.formula(conjunction[0])
    if not isinstance(formula, AnyOf | ExactlyOne) or (isinstance(formula, ExactlyOne) and not formula.wanted):
        return None
    found: dict[Conjunction, None] = {}
    taken: set[JsonType] = set()
    for part in formula.parts:
        if not isinstance(part, Ask):
            return None
        option = meaning.conjunction((part.demand,))
        if option is None:
            continue
        kinds = set(JSON_TYPES) if option == ANYTHING else possible_types(meaning, option)
        if not taken.isdisjoint(kinds):
            return None
        taken |= kinds
        if kinds:
            found[option] = None
    return tuple(found) if taken & {"object", "array"} else None


def _object(meaning: Meaning, shape: Shape) -> Alternative:
    return Alternative(shape, object_walk(meaning, shape) if isinstance(shape, ObjectShape) else None)


def object_walk(meaning: Meaning, shape: ObjectShape) -> Walk:
    """The walk over an object's members in the order the caller wants."""
    if meaning.options.order == "any":
        walk = any_order_walk(meaning, shape)
        if walk is not None:
            return walk
        message = f"{len(shape.members)} members in every order need too many states; only the declared order is kept"
        meaning.report.add("narrowed", "properties", shape.pointer, message)
    return member_walk(meaning, shape)


def _array(meaning: Meaning, shape: Shape) -> Alternative:
    if not isinstance(shape, ArrayShape) or shape.plain:
        return Alternative(shape, None)
    walk = item_walk(meaning, shape)
    if shape.unique is not None and not shape.contains and not shape.obligations and len(walk) == 1:
        return Alternative(replace(shape, unique=None), None)
    return Alternative(shape, walk)


# -- productivity ------------------------------------------------------------------------------------------------------


def _fixpoint(nonterminals: dict[Conjunction, Nonterminal]) -> frozenset[Conjunction]:
    users: dict[Conjunction, list[Conjunction]] = {}
    for conjunction, nonterminal in nonterminals.items():
        for value in nonterminal.values():
            users.setdefault(value, []).append(conjunction)
    # Conjunctions past the budget stay unexplored and stand for any value.
    productive = {ANYTHING, *(value for value in users if value not in nonterminals)}
    todo = deque(nonterminals)
    while todo:
        conjunction = todo.popleft()
        if conjunction in productive:
            continue
        nonterminal = nonterminals[conjunction]
        if (
            nonterminal.scalar
            or any(option in productive for option in nonterminal.options)
            or any(satisfiable(alternative, productive) for alternative in (*nonterminal.objects, *nonterminal.arrays))
        ):
            productive.add(conjunction)
            todo.extend(users.get(conjunction, ()))
    return frozenset(productive)


def closed(meaning: Meaning, explored: Explored) -> Explored:
    """The objects that declare properties without undeclared members, but for those that cannot do without them.

    Closing comes after meaning, and must not take the last value from anything that has one: what would lose it, be it
    because an object then only ever contains itself, stays open.
    """
    if meaning.options.additional_properties == "spec":
        return explored
    narrow: dict[Conjunction, Nonterminal] = {}
    certain = True
    for conjunction, each in explored.nonterminals.items():
        objects = tuple([_closed(meaning, explored, one) for one in each.objects])
        if any(one.closed for one in objects):
            narrow[conjunction] = replace(each, objects=objects)
            certain = certain and all(_free(one) for one in objects)
    nonterminals = {**explored.nonterminals, **narrow}
    if certain:
        # Whether such an object has a value depends on members that must come, which are all declared.
        return Explored(explored.root, nonterminals, explored.productive)
    # Conjunctions past the budget may not be led to any more, and cannot be opened.
    kept = explored.productive & explored.nonterminals.keys()
    opened: dict[Conjunction, None] = {}
    while lost := kept - _fixpoint(nonterminals):
        opened.update(dict.fromkeys(each for each in narrow if each in lost))
        nonterminals.update((each, explored.nonterminals[each]) for each in opened)
    # What was only lost for the sake of another need not stay open with it.
    for conjunction in list(opened)[:REOPENED]:
        again = {**nonterminals, conjunction: narrow[conjunction]}
        if kept <= _fixpoint(again):
            nonterminals = again
    return Explored(explored.root, nonterminals, explored.productive)


def _closed(meaning: Meaning, explored: Explored, alternative: Alternative) -> Alternative:
    shape = alternative.shape
    if not isinstance(shape, ObjectShape) or shape.closable is None or not shape.parts:
        return alternative
    narrow = replace(shape, parts=())
    walk = object_walk(meaning, narrow)
    closer = Alternative(narrow, walk, closed=True)
    return closer if satisfiable(closer, explored.productive) else alternative


def _free(alternative: Alternative) -> bool:
    """Whether an alternative is an object in which nothing is counted or owed."""
    return isinstance(alternative.shape, ObjectShape) and alternative.shape.free


def satisfiable(alternative: Alternative, productive: set[Conjunction] | frozenset[Conjunction]) -> bool:
    """Whether a shape has a value, given the conjunctions that have one."""
    shape = alternative.shape
    if isinstance(shape, ValueShape):
        return True
    if isinstance(shape, ObjectShape) and shape.free:
        return all(member.value in productive for member in shape.members if member.required)
    if alternative.walk is not None:
        return 0 in live_steps(alternative.walk, productive.__contains__)
    assert isinstance(shape, ArrayShape)
    needed = [slot.value for slot in shape.prefix[: shape.low]]
    if shape.low > len(shape.prefix):
        needed.append(shape.rest.value)
    return all(value in productive for value in needed)


def live_steps(walk: Walk, productive: Callable[[Conjunction], bool]) -> frozenset[int]:
    """The steps of a walk from which its end can be reached taking productive values only."""
    before: dict[int, list[int]] = {}
    for number, step in enumerate(walk):
        for take in step.takes:
            if productive(take.value):
                before.setdefault(take.target, []).append(number)
        if step.skip is not None:
            before.setdefault(step.skip, []).append(number)
    todo = [number for number, step in enumerate(walk) if step.ends]
    live = set(todo)
    while todo:
        for number in before.get(todo.pop(), ()):
            if number not in live:
                live.add(number)
                todo.append(number)
    return frozenset(live)


# -- reasons -----------------------------------------------------------------------------------------------------------


class _Reasons:
    """Why a schema has no value: the chain of required members and items down to where keywords clash."""

    def __init__(self, meaning: Meaning, explored: Explored) -> None:
        self.meaning = meaning
        self.explored = explored

    def error(self) -> SchemaError:
        reasons: list[str] = []
        seen: set[Conjunction] = set()
        conjunction = self.explored.root
        while True:
            where, keywords = _described(conjunction)
            if conjunction in seen:
                reasons.append(f"{where} only ever contains itself, so no finite value satisfies it")
                break
            seen.add(conjunction)
            following = self.inner(conjunction)
            if following is None:
                if (broken := self.broken(conjunction)) is not None:
                    return broken
                reasons.append(self.clash(conjunction, where, keywords))
                break
            what, conjunction = following
            reasons.append(what)
        message = "no value satisfies the schema: " + "; ".join(reasons)
        return UnsatisfiableSchemaError(self.meaning.documents.root.pointer, "", message)

    def is_void(self, conjunction: Conjunction) -> bool:
        """Whether the conjunction was explored and has no value."""
        return conjunction in self.explored.nonterminals and conjunction not in self.explored.productive

    def inner(self, conjunction: Conjunction) -> tuple[str, Conjunction] | None:
        """A member or item without a value that the conjunction cannot do without."""
        nonterminal = self.explored.nonterminals[conjunction]
        for alternative in (*nonterminal.objects, *nonterminal.arrays):
            shape = alternative.shape
            if isinstance(shape, ObjectShape):
                for member in shape.members:
                    if member.required and self.is_void(member.value):
                        where, _ = _described(member.value)
                        return f"the member {member.name!r} ({where}) is required and has no value", member.value
            elif isinstance(shape, ArrayShape):
                for place, slot in enumerate([*shape.prefix, shape.rest][: shape.low]):
                    if self.is_void(slot.value):
                        where, _ = _described(slot.value)
                        return f"item {place} ({where}) is needed and has no value", slot.value
        return None

    def broken(self, conjunction: Conjunction) -> UnsupportedSchemaError | None:
        """The complaint that the name of a required member holds half a surrogate pair, where nothing else is wrong."""
        for required in self.required(conjunction):
            half = next(((present, found) for present, _ in required if (found := half_of(present.name))), None)
            if half is not None and not any(self.meaning.conjunction(demands) is None for _, demands in required):
                message = f"the name holds {json.dumps(half[1])}, half a surrogate pair, which no text does"
                return UnsupportedSchemaError(half[0].pointer, "required", message)
        return None

    def clash(self, conjunction: Conjunction, where: str, keywords: str) -> str:
        for present, demands in chain.from_iterable(self.required(conjunction)):
            if self.meaning.conjunction(demands) is None:
                places, _ = _described(demands)
                return f"the member {present.name!r} is required at {present.pointer}, but {places} forbids it"
        return f"{keywords} at {where} cannot hold together"

    def required(self, conjunction: Conjunction) -> Iterator[list[tuple[Present, Conjunction]]]:
        """The members that each branch of an object requires, with the demands on their values."""
        for branch in branches(self.meaning, conjunction, "object"):
            if any(isinstance(fact.assertion, ValueIn) for fact in branch.facts):
                continue
            layout = Layout(self.meaning, branch)
            yield [
                (fact.assertion, tuple(each for other in layout.facts for each in other.under(fact.assertion.name)))
                for fact in branch.facts
                if isinstance(fact.assertion, Present) and fact.wanted
            ]


def _described(conjunction: Conjunction) -> tuple[str, str]:
    """The places a conjunction comes from, and the keywords that stand there."""
    subs = list(dict.fromkeys(demand.sub for demand in conjunction if isinstance(demand, Obeys)))
    obeyed = [demand for demand in conjunction if isinstance(demand, Obeys)]
    places = ", ".join(dict.fromkeys(("" if each.wanted else "not ") + each.sub.pointer for each in obeyed))
    said = (keyword for sub in subs for keyword in sub.keywords if keyword in VOCABULARIES[sub.dialect.name])
    keywords = dict.fromkeys(f"'{keyword}'" for keyword in said)
    return places or "#", " and ".join(keywords) or "the demands"

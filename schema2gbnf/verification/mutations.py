"""Values one step away from a value: most of a valid one's neighbours are invalid, and near to what a grammar may get
wrong."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from random import Random

from schema2gbnf.schema.text import Json

Path = tuple[str | int, ...]

_PLAIN: tuple[Json, ...] = (None, True, False, 0, 1, -1, Decimal("0.5"), "", "a", [], {}, [0], {"a": 0})
_LETTERS = 'a0 "\\/\n\x7fé\U0001f600'


class Mutations:
    """Neighbours of values; `words` are scalars that the schema speaks of, the likeliest to be nearly right."""

    def __init__(self, schema: Json, random: Random) -> None:
        self._random = random
        self._words = list({repr(word): word for word in _scalars(schema, 12)}.values()) or [0]

    def of(self, value: Json) -> Json:
        """The value changed at one place, or at a few."""
        for _ in range(self._random.choice((1, 1, 1, 2))):
            path = self._random.choice(list(paths(value)))
            value = replaced(value, path, self._changed(at(value, path)))
        return value

    def _changed(self, value: Json) -> Json:
        random = self._random
        if random.random() < 0.2:
            return random.choice((*_PLAIN, *self._words[:50]))
        match value:
            case dict():
                return self._object(value)
            case list():
                return self._array(value)
            case str():
                return self._string(value)
            case bool():
                return not value
            case None:
                return random.choice(_PLAIN)
            case _:
                number = value if isinstance(value, int) else Decimal(str(value))
                return random.choice(
                    [number + 1, number - 1, -number, number * 10, number + Decimal("0.5"), str(value)]
                )

    def _object(self, value: dict[str, Json]) -> Json:
        random, names = self._random, list(value)
        action = random.choice(("drop", "rename", "add", "copy")) if names else "add"
        name = random.choice(names) if names else ""
        match action:
            case "drop":
                return {each: member for each, member in value.items() if each != name}
            case "rename":
                return {self._string(each) if each == name else each: member for each, member in value.items()}
            case "copy":
                return {**value, self._name(): value[name]}
            case _:
                return {**value, self._name(): random.choice(_PLAIN)}

    def _name(self) -> str:
        names = [word for word in self._words if isinstance(word, str) and len(word) < 60]
        return self._random.choice([*names, "x", ""])

    def _array(self, value: list[Json]) -> Json:
        if not value:
            return [self._random.choice((*_PLAIN, *self._words[:50]))]
        place = self._random.randrange(len(value))
        return self._random.choice(
            [
                value[:place] + value[place + 1 :],
                value[: place + 1] + value[place:],
                [*value, self._random.choice(_PLAIN)],
                value[::-1],
            ]
        )

    def _string(self, value: str) -> str:
        random = self._random
        place = random.randrange(len(value) + 1)
        letter = random.choice(_LETTERS)
        return random.choice(
            [
                value[:place] + letter + value[place:],
                value[:place] + letter + value[place + 1 :],
                value[:place] + value[place + 1 :],
                value + value[-1:],
                value[:-1],
                value.swapcase(),
            ]
        )


def paths(value: Json, path: Path = ()) -> Iterator[Path]:
    """The places in a value, each before those inside it."""
    yield path
    members = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for token, member in members:
        yield from paths(member, (*path, token))


def at(value: Json, path: Path) -> Json:
    """What stands at a place."""
    for token in path:
        value = value[token]  # type: ignore[index]
    return value


def replaced(value: Json, path: Path, by: Json) -> Json:
    """The value with something else at a place."""
    if not path:
        return by
    token, *rest = path
    if isinstance(value, dict):
        return {name: replaced(each, tuple(rest), by) if name == token else each for name, each in value.items()}
    assert isinstance(value, list)
    return [replaced(each, tuple(rest), by) if place == token else each for place, each in enumerate(value)]


def _scalars(schema: Json, depth: int) -> Iterator[Json]:
    """Values, names and numbers that are written in a schema."""
    match schema:
        case dict() if depth > 0:
            for keyword, inner in schema.items():
                if keyword in ("properties", "required", "patternProperties", "dependentRequired"):
                    yield from inner if isinstance(inner, dict | list) else ()
                if keyword not in ("title", "description", "$id", "$schema", "$ref", "$comment", "pattern", "type"):
                    yield from _scalars(inner, depth - 1)
        case list() if depth > 0:
            for inner in schema:
                yield from _scalars(inner, depth - 1)
        case dict() | list():
            return
        case _:
            yield schema

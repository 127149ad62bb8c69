"""A failing schema made small: pieces are dropped or put in the place of what holds them while the failure stays."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from copy import deepcopy
from random import Random
from typing import Any

from tests.semantics.judges import is_schema
from tests.semantics.random_checks import Case, Failure
from tests.semantics.schemas import Json, Schema

Path = tuple[str | int, ...]

KEPT = ("$schema", "$defs", "definitions", "$dynamicAnchor", "$recursiveAnchor")


def shrunk(failure: Failure, dialect: str, seconds: float = 60) -> Failure:
    """The smallest schema found in this time with a failure of the same kind."""

    def again(schema: Schema) -> Failure | None:
        if not is_schema(schema, dialect):
            return None
        for seed in range(2):
            try:
                found = Case(schema, dialect, Random(seed)).run()
            except Exception:  # a validator that breaks down on the smaller schema says nothing about it
                continue
            alike = [each for each in found if each.kind == failure.kind]
            if alike:
                return min(alike, key=lambda each: len(each.text))
        return None

    deadline = time.monotonic() + seconds
    best = failure
    while (better := _first(smaller(best.schema), again, deadline)) is not None:
        best = better
    return best


def _first(schemas: Iterator[Schema], again: Callable[[Schema], Failure | None], deadline: float) -> Failure | None:
    for schema in schemas:
        if time.monotonic() > deadline:
            return None
        if (found := again(schema)) is not None:
            return found
    return None


def smaller(schema: Schema) -> Iterator[Schema]:
    """Schemas one step smaller, the largest steps first."""
    places = sorted(_places(schema), key=lambda place: -len(json.dumps(_at(schema, place))))
    for place in places:
        if place and place != ("$schema",):
            yield _changed(schema, place, drop=True)
    for place in places:
        value = _at(schema, place)
        inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
        if not place:
            frame = {keyword: value[keyword] for keyword in KEPT if keyword in value}
            yield from ({**frame, **each} for each in _schemas(inner))
        else:
            yield from (_changed(schema, place, each) for each in inner if isinstance(each, dict | bool))
            if value and isinstance(value, dict):
                yield _changed(schema, place, {})


def _schemas(values: Any) -> Iterator[Schema]:
    for value in values:
        yield from (each for each in (value if isinstance(value, list) else [value]) if isinstance(each, dict))


def _places(value: Json, place: Path = ()) -> Iterator[Path]:
    yield place
    members = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for token, member in members:
        yield from _places(member, (*place, token))


def _at(value: Json, place: Path) -> Json:
    for token in place:
        value = value[token]
    return value


def _changed(schema: Schema, place: Path, value: Json = None, drop: bool = False) -> Schema:
    changed = deepcopy(schema)
    around = _at(changed, place[:-1])
    if drop:
        del around[place[-1]]
    else:
        around[place[-1]] = deepcopy(value)
    return changed

"""The relation between a schema and what became of it: every valid value stays valid, and none is added unreported.

Values come from the grammar of the schema and of its rewriting, from a maker of values that looks at both, and from
mutations of these; `jsonschema-rs` says which are valid, formats aside, for whether they count is for the dialect to
say, and that may change. What it cannot read is not judged. For draft 4 alone 1.0 is no integer; there, values are
judged as numbers, not as they are spelled.
"""

from __future__ import annotations

import copy
import json
import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random
from typing import Any

import jsonschema_rs

from schema2gbnf import SchemaError, compile_schema
from schema2gbnf.gbnf import Sampler
from schema2gbnf.normalize import Event, normalize, normalize_tools
from schema2gbnf.normalize.kinds import is_kind
from schema2gbnf.normalize.values import content
from tests.semantics.schemas import ValueMaker

Json = Any

EXACT = {"lossless", "unenforced", "backend-tightened"}
COMPILED = 12_000
"""Characters of a schema that is worth compiling for the sake of some values."""


@dataclass(frozen=True)
class Verdict:
    """What was found out about one schema."""

    schema: Json
    events: tuple[Event, ...]
    judged: int = 0
    """Values that both schemas were asked about."""
    failures: list[str] = field(default_factory=list)

    @property
    def kinds(self) -> set[str]:
        return {event.kind for event in self.events}


def rewritten(schema: Json, target: Any, arguments: bool, **choices: Any) -> tuple[Json, tuple[Event, ...]]:
    """The schema for the target, as that of a tool's arguments or by itself."""
    if not arguments:
        result = normalize(schema, target, **choices)
        return result.schema, result.events
    tools = normalize_tools([{"name": "tool", "inputSchema": schema}], target, **choices)
    return tools.tools[0]["inputSchema"], tools.events


def relation(
    schema: Json, seed: int, target: Any = "llama.cpp", *, arguments: bool = False, values: int = 40, **choices: Any
) -> Verdict:
    """Rewrite a schema and put all that must hold of it to the test."""
    before = content(schema, ordered=True)
    after, events = rewritten(schema, target, arguments, **choices)
    verdict = Verdict(after, events)
    fail = verdict.failures.append
    if content(schema, ordered=True) != before:
        fail("the input was changed")
    unknown = [event.kind for event in events if not is_kind(event.kind)]
    if unknown:
        fail(f"events of unknown kinds: {unknown}")
    if any(event.severity == "error" for event in events):
        if content(after, ordered=True) != before:
            fail("an error did not leave the schema as it was")
        return verdict
    again, _ = rewritten(after, target, arguments, **choices)
    if content(again, ordered=True) != content(after, ordered=True):
        fail(f"not idempotent: {json.dumps(again)[:300]}")
    return Verdict(
        after, events, _compared(schema, after, events, Random(seed), arguments, values, fail), verdict.failures
    )


def _compared(
    given: Json, made: Json, events: tuple[Event, ...], random: Random, arguments: bool, values: int, fail: Any
) -> int:
    try:
        old = jsonschema_rs.validator_for(given, validate_formats=False)
    except (ValueError, jsonschema_rs.ReferencingError, jsonschema_rs.ValidationError):
        return 0
    try:
        new = jsonschema_rs.validator_for(made, validate_formats=False)
    except (ValueError, jsonschema_rs.ReferencingError, jsonschema_rs.ValidationError) as error:
        fail(f"the output is no schema: {error}"[:300])
        return 0
    spelled = isinstance(given, dict) and "draft-04" in str(given.get("$schema", "draft-04" if _is_old(events) else ""))
    exact = all(event.severity in EXACT for event in events)
    judged = 0
    for made_up in made_values(given, made, random, values):
        value = as_json(integral(made_up) if spelled else made_up)
        if value is None or (arguments and not isinstance(value[0], dict)):
            continue
        judged += 1
        was, is_now = old.is_valid(value[0]), new.is_valid(value[0])
        if was and not is_now:
            fail(f"tightened: {json.dumps(value[0])[:200]}")
        elif is_now and not was and exact:
            fail(f"loosened, unreported: {json.dumps(value[0])[:200]}")
    return judged


def _is_old(events: tuple[Event, ...]) -> bool:
    """Whether a schema was read as one of draft 4 for its spelling."""
    return any(event.kind == "dialect-modernized" for event in events)


def integral(value: Json) -> Json:
    """The value with integers for floats without a fraction."""
    match value:
        case list():
            return [integral(item) for item in value]
        case dict():
            return {name: integral(member) for name, member in value.items()}
        case bool() | str() | None:
            return value
        case _:
            return int(value) if math.isfinite(value) and value == int(value) else value


def as_json(value: Json) -> tuple[Json] | None:
    """The value with floats for decimals; None if it is not quite JSON."""
    try:
        text = json.dumps(value, allow_nan=False, ensure_ascii=False, default=float)
        text.encode()
    except ValueError:
        return None
    return (json.loads(text),)


def made_values(given: Json, made: Json, random: Random, count: int) -> Iterator[Json]:
    for schema in (given, made):
        maker = _maker(random, schema)
        for value in _sentences(schema, random, count // 8):
            yield value
            yield maker.mutated(value)
            yield maker.mutated(maker.mutated(value))
        for _ in range(count // 2):
            try:
                yield maker.value()
            except (AttributeError, KeyError, TypeError, ValueError, RecursionError):  # it is made for simpler ones
                yield maker.any_value(3)


def _maker(random: Random, schema: Json) -> ValueMaker:
    """A maker of values for the schema; for any, where its properties are named as keywords, which misleads it."""
    try:
        return ValueMaker(random, schema)
    except (AttributeError, TypeError):
        return ValueMaker(random, {})


def _sentences(schema: Json, random: Random, count: int) -> Iterator[Json]:
    """Values that the compiler takes for valid."""
    if len(json.dumps(schema)) > COMPILED:
        return
    policy = random.choice(["spec", "closed"])
    try:
        grammar = compile_schema(copy.deepcopy(schema), whitespace="compact", additional_properties=policy).grammar
    except SchemaError:
        return
    sampler = Sampler(grammar, random.randrange(1 << 30))
    for _ in range(count):
        try:
            yield json.loads(sampler.sample())
        except ValueError:
            continue

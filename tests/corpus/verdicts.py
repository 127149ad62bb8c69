"""What a strict compilation makes of a schema's instances: which of them its grammar gets wrong.

A valid instance is right when the text that `dumps` writes for it is accepted; an invalid one is right when no spelling
of it is: as given, compact, with its members in other orders, as `dumps` writes it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import islice, permutations
from typing import Any

from schema2gbnf import Result, SchemaError, UnsatisfiableSchemaError, compile_schema
from schema2gbnf.gbnf import Matcher

ORDERS = 24


@dataclass(frozen=True)
class Case:
    """A schema with instances, each a mapping with `data`, `valid` and perhaps a `description`."""

    name: str
    schema: Any
    tests: Sequence[Mapping[str, Any]]
    options: Mapping[str, Any]


def failures(case: Case) -> dict[str, str]:
    """What is wrong, by the name of the case or of one instance: "false accept", "false reject" or "refused", each with
    a reason. A schema is rightly refused when nothing satisfies it."""
    try:
        result = compile_schema(case.schema, strict=True, additional_properties="spec", **case.options)
    except UnsatisfiableSchemaError as error:
        return {case.name: f"refused: {error}"} if any(test["valid"] for test in case.tests) else {}
    except SchemaError as error:
        return {case.name: f"refused: {error}"}
    assert result.exact, "strict mode has loosened"
    matcher = Matcher(result.grammar)
    found = {}
    for place, test in enumerate(case.tests):
        if wrong := _wrong(test, result, matcher):
            found[f"{case.name} | {test.get('description', place)}"] = wrong
    return found


def _wrong(test: Mapping[str, Any], result: Result, matcher: Matcher) -> str | None:
    if not test["valid"]:
        accepted = next((text for text in spellings(test["data"], result) if matcher.accepts(text)), None)
        return None if accepted is None else f"false accept: {accepted[:100]}"
    narrowed = "; ".join(finding.message for finding in result.findings if finding.kind == "narrowed")[:160]
    try:
        text = result.dumps(test["data"])
    except ValueError as error:
        return f"false reject: {narrowed or error}"
    assert exactly(text) == exactly(json.dumps(test["data"])), "dumps has changed the value"
    return None if matcher.accepts(text) else f"false reject: {narrowed or text[:100]}"


def exactly(text: str) -> Any:
    """The value of a JSON text, with nothing rounded."""
    return json.loads(text, parse_float=Decimal)


def spellings(value: Any, result: Result) -> Iterator[str]:
    """Texts of an invalid instance."""
    yield json.dumps(value, ensure_ascii=False)
    yield json.dumps(value)
    yield json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    yield result.dumps(value, check=False)
    if isinstance(value, dict) and len(value) <= 4:
        for names in islice(permutations(value), 1, ORDERS):
            yield json.dumps({name: value[name] for name in names}, ensure_ascii=False)


KINDS = ("false accept", "false reject", "refused")
"""The worst first."""


def kind(failure: str) -> str:
    """The kind of a failure, without its reason."""
    return failure.partition(":")[0]

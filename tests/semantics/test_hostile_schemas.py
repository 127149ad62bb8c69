"""Schemas made to hurt: each ends in a grammar or in a `SchemaError`, within seconds and below a gigabyte."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

Schema = Any

SECONDS = 60
"""Generous: tests run on slow and busy machines too; alone, none needs a quarter of it."""
BYTES = 1 << 30

SCRIPT = f"""
import json, os, resource, signal, sys
from schema2gbnf import Limits, SchemaError, compile_schema

options = json.loads(sys.argv[1])
if "nonterminals" in options:
    options["limits"] = Limits(nonterminals=options.pop("nonterminals"))
for name, schema in json.load(sys.stdin).items():
    child = os.fork()
    if child:
        _, status = os.waitpid(child, 0)
        if status:
            print(json.dumps([name, f"ended with status {{status}}"]), flush=True)
        continue
    resource.setrlimit(resource.RLIMIT_AS, ({BYTES}, {BYTES}))
    signal.alarm({SECONDS})
    try:
        outcome = "exact" if compile_schema(json.dumps(schema), **options).exact else "loosened"
    except SchemaError as error:
        outcome = type(error).__name__
    print(json.dumps([name, outcome]), flush=True)
    os._exit(0)
"""
"""Compiles each schema in a process of its own, and prints "exact", "loosened", the error's name, or the crash."""

A = {"$ref": "#/$defs/A"}


def nested(depth: int, around: Callable[[int, Schema], Schema], inner: Schema) -> Schema:
    """A schema wrapped so many times."""
    for level in range(depth):
        inner = around(level, inner)
    return inner


def chain(length: int, link: Callable[[int, Schema], Schema], end: Schema) -> Schema:
    """Definitions that each refer to the next."""
    links = {f"d{i}": link(i, {"$ref": f"#/$defs/d{i + 1}"}) for i in range(length)}
    return {"$defs": {**links, f"d{length}": end}, "$ref": "#/$defs/d0"}


def circle(body: Schema) -> Schema:
    return {"$defs": {"A": body}, **A}


def member(name: str, value: Schema) -> Schema:
    return {"properties": {name: value}, "required": [name]}


INTEGER = {"type": "integer"}
STRING = {"type": "string"}

DEEP: dict[str, Schema] = {
    **{
        f"{keyword} in {keyword}": nested(240, lambda _, inner, word=keyword: {word: [inner]}, STRING)
        for keyword in ("allOf", "anyOf", "oneOf", "prefixItems")
    },
    **{
        f"{keyword} in {keyword}": nested(450, lambda _, inner, word=keyword: {word: inner}, STRING)
        for keyword in ("not", "items", "if", "additionalProperties", "contains", "propertyNames", "unevaluatedItems")
    },
    "nots over an object": nested(101, lambda _, inner: {"not": inner}, member("a", STRING)),
    "not of allOf of not": nested(100, lambda i, inner: {"not": {"allOf": [inner, {"required": [f"n{i}"]}]}}, STRING),
    "else of else": nested(
        60, lambda i, inner: {"if": {"required": [f"k{i}"]}, "then": {"required": [f"t{i}"]}, "else": inner}, {}
    ),
}

OVERLAPS: dict[str, Schema] = {
    "oneOf in oneOf": nested(30, lambda i, inner: {"oneOf": [inner, {"properties": {f"p{i}": INTEGER}}]}, STRING),
    "40 overlapping objects": {"oneOf": [{"properties": {f"p{i}": INTEGER}} for i in range(40)]},
    "300 overlapping objects": {"oneOf": [member(f"p{i}", INTEGER) for i in range(300)]},
    "oneOf 12 to the 6th": {"allOf": [{"oneOf": [member(f"p{i}{j}", INTEGER) for i in range(12)]} for j in range(6)]},
    "anyOf 10 to the 10th": {
        "allOf": [{"anyOf": [{"properties": {f"p{j}": {"const": i}}} for i in range(10)]} for j in range(10)]
    },
    "a negated anyOf": {"not": {"anyOf": [member(f"p{i}", STRING) for i in range(60)]}},
    "a negated allOf": {
        "not": {"allOf": [{"properties": {f"p{i}": STRING, f"q{i}": {"minimum": 3}}} for i in range(30)]}
    },
    "200 negated members": {"not": {"properties": {f"p{i}": STRING for i in range(200)}}},
    "12 negations on the same members": {
        "allOf": [
            {"not": {"properties": {name: {"multipleOf": k + 2} for name in "abcdefgh"}, "required": list("abcdefgh")}}
            for k in range(12)
        ]
    },
    "12 negations on all members": {
        "allOf": [{"not": {"additionalProperties": {"multipleOf": k + 2}}} for k in range(12)]
    },
    "8 contains": {
        "allOf": [{"contains": {"multipleOf": k + 2}, "minContains": 2, "maxContains": 4} for k in range(8)]
    },
    "a negated tuple": {"not": {"prefixItems": [INTEGER] * 200}, "contains": {"const": 3}},
    "30 dependent schemas": {
        "dependentSchemas": {f"p{i}": {"properties": {f"p{i + 1}": STRING}, "required": [f"q{i}"]} for i in range(30)}
    },
    "200 dependent names": {
        "dependentRequired": {f"p{i}": [f"p{(i * 7 + 1) % 200}", f"p{(i * 3 + 2) % 200}"] for i in range(200)}
    },
    "30 cases of a kind": {
        "allOf": [{"if": member("kind", {"const": f"k{i}"}), "then": member(f"f{i}", STRING)} for i in range(30)]
    },
    "20 independent cases": {
        "allOf": [{"if": member(f"s{i}", {"const": 1}), "then": {"required": [f"f{i}"]}} for i in range(20)]
    },
    "unevaluated behind 16 options": {
        "anyOf": [{"properties": {f"p{i}": INTEGER}} for i in range(16)],
        "unevaluatedProperties": False,
    },
    "unevaluated behind 4 to the 6th": {
        "allOf": [{"anyOf": [member(f"p{j}{i}", INTEGER) for i in range(4)]} for j in range(6)],
        "unevaluatedProperties": False,
    },
}

REFERENCES: dict[str, Schema] = {
    "shared members": chain(60, lambda _, following: {"properties": {"a": following, "b": following}}, {}),
    "the same option twice": chain(60, lambda _, following: {"anyOf": [following, following]}, member("a", {})),
    "options that differ": chain(
        40,
        lambda i, following: {
            "anyOf": [{"allOf": [following, {"required": [f"{x}{i}"]}]} for x in "xy"],
        },
        {"type": "object"},
    ),
    "negated exclusions": chain(30, lambda _, following: {"not": {"oneOf": [following, following]}}, member("a", {})),
    "circle of anyOf": circle({"anyOf": [A, STRING]}),
    "circle of allOf": circle({"allOf": [A, A]}),
    "circle of oneOf": circle({"oneOf": [A, {"type": "object"}]}),
    "circle of not": circle({"not": A}),
    "circle of two nots": circle({"not": {"not": A}}),
    "circle of if": circle({"if": A, "then": {"type": "object"}}),
    "circle of names": circle({"propertyNames": A}),
    "circle of dependents": circle({"dependentSchemas": {"a": A}, "required": ["a"]}),
    "circle under unevaluated": circle({"anyOf": [A, {"properties": {"a": A}}], "unevaluatedProperties": False}),
    "not in a member": circle(member("a", {"not": A})),
    "not in an item": circle({"contains": {"not": A}}),
    "ever larger conjunctions": {
        "$defs": {
            "A": member("a", {"allOf": [A, {"$ref": "#/$defs/B"}]}),
            "B": {"properties": {"a": {"not": A}, "b": {"$ref": "#/$defs/B"}}},
        },
        **A,
    },
}

SIZES: dict[str, Schema] = {
    "10,000 properties": {"properties": {f"property{i}": STRING for i in range(10_000)}},
    "10,000 required": {
        "properties": {f"property{i}": STRING for i in range(10_000)},
        "required": [f"property{i}" for i in range(10_000)],
    },
    "3 of 1,000 properties": {
        "properties": {f"p{i}": STRING for i in range(1_000)},
        "minProperties": 3,
        "additionalProperties": False,
    },
    "500 of 1,000 properties": {"properties": {f"p{i}": {} for i in range(1_000)}, "minProperties": 500},
    "1,000 patterns": {"patternProperties": {f"^p{i}x*$": STRING for i in range(1_000)}},
    "1,000 overlapping patterns": {"patternProperties": {f"a{i}": {"minLength": i} for i in range(1_000)}},
    "30 overlapping patterns": {"patternProperties": {chr(97 + i % 26) + str(i): {"minLength": i} for i in range(30)}},
    "20,000 words": {"enum": [f"word{i * 7919 % 1_000_003}" for i in range(20_000)]},
    "10,000 numbers": {"enum": [i * 7919 % 1_000_003 for i in range(10_000)]},
    "3,000 objects": {"enum": [{"a": i, "b": [i]} for i in range(3_000)]},
    "all but 10,000 words": {**STRING, "not": {"enum": [f"word{i * 7919 % 1_000_003}" for i in range(10_000)]}},
    "all but 300 objects": {"not": {"enum": [{"a": i, "b": [i]} for i in range(300)]}},
    "two lists of 5,000": {"allOf": [{"enum": list(range(5_000))}, {"enum": list(range(4_000, 9_000))}]},
    "a tuple of 1,000": {"prefixItems": [INTEGER] * 1_000, "contains": {"const": 3}},
    "a million items": {"minItems": 100_000, "maxItems": 1_000_000, "items": STRING},
    "10,000 contained": {"contains": STRING, "minContains": 10_000},
    "10^400 items": {"maxItems": 10**400},
    "10^400 characters": {"minLength": 10**400},
    "at least 10^400": {"minimum": 10**400},
    "12 unique items": {"uniqueItems": True, "items": {"enum": list(range(12))}},
    "two even of 8 unique items": {
        "uniqueItems": True,
        "items": {"enum": list(range(8))},
        "contains": {"multipleOf": 2},
        "minContains": 2,
    },
}

SCALARS: dict[str, Schema] = {
    "a tiny step": {"multipleOf": 1e-300},
    "a fine step": {"multipleOf": 0.0001234567},
    "a large step": {"multipleOf": 123456789012345678901},
    "a large prime": {**INTEGER, "multipleOf": 999_983, "minimum": 3},
    "no multiple of six primes": {"allOf": [{"not": {"multipleOf": k}} for k in (7, 11, 13, 17, 19, 23)]},
    "18 letters after an a": {"pattern": "^(a|b)*a(a|b){18}$"},
    "not 14 letters after an a": {**STRING, "not": {"pattern": "(a|b)*a(a|b){14}"}},
    "50 to the 4th": {"pattern": "((((a{1,50}){1,50}){1,50}){1,50})"},
    "8 patterns at once": {"allOf": [{"pattern": f"{c}.{{5}}{c}"} for c in "abcdefgh"]},
    "a long pattern": {"minLength": 1_000, "maxLength": 5_000, "pattern": "^(ab|cd)*$"},
    "65,536 letters": {"maxLength": 65_536, "pattern": "^[a-z]+$"},
}

VOID: dict[str, Schema] = {
    "no type is left": {
        "type": ["object", "array", "string"],
        "allOf": [{"not": {"type": "object"}}, {"not": {"type": "array"}}, {"minLength": 3, "maxLength": 2}],
    },
    "void three levels down": member(
        "a",
        {
            "type": "array",
            "minItems": 3,
            "items": {"type": "object", **member("b", {**INTEGER, "exclusiveMinimum": 1, "exclusiveMaximum": 2})},
        },
    )
    | {"type": "object"},
    "an endless object": {"type": "object", **member("a", {"$ref": "#"})},
    "each against the other": {
        "type": "object",
        "allOf": [member(f"p{i}", INTEGER) for i in range(50)] + [{"maxProperties": 49}],
    },
}

OBJECT = {"type": "object"}
UNIONS: dict[str, Schema] = {
    "an object behind the others": circle(
        {
            "anyOf": [
                {**OBJECT, "properties": {"of": A, "a": STRING}},
                {**OBJECT, "properties": {"of": {"anyOf": [A, {"type": "null"}]}, "z": {**OBJECT, **member("q", A)}}},
            ]
        }
    ),
    "objects within each other": circle(
        {
            "anyOf": [
                {**OBJECT, **member("k", {**OBJECT, **member("p", {"enum": ["x", "y"]})}), "maxProperties": 3},
                {**OBJECT, "properties": {"k": {**OBJECT, "properties": {"p": STRING, "q": A}}, "a": A}},
                {**OBJECT, "properties": {"k": {"anyOf": [A, STRING]}, "b": {"type": "array", "items": A}}},
            ]
        }
    ),
    "exactly one": circle(
        {
            "oneOf": [
                {**OBJECT, "properties": {"t": {"enum": ["x", "y"]}, "of": A}, "required": ["t"]},
                {**OBJECT, "properties": {"t": {"enum": ["y", "z"]}, "of": A, "c": INTEGER}, "required": ["t"]},
            ]
        }
    ),
    "names that a pattern allows": {**OBJECT, "properties": {"a": STRING}, "patternProperties": {"^x": INTEGER}},
}

GROUPS = {
    "deep": DEEP,
    "overlaps": OVERLAPS,
    "references": REFERENCES,
    "sizes": SIZES,
    "scalars": SCALARS,
    "void": VOID,
    "unions": UNIONS,
}
HOSTILE = {name: schema for group in GROUPS.values() for name, schema in group.items()}
ENDS = {"exact", "loosened", "InvalidSchemaError", "UnsupportedSchemaError", "UnsatisfiableSchemaError"}
ENDS |= {"UnresolvedReferenceError"}


@cache
def outcomes(group: str, **options: str | int) -> dict[str, str]:
    """How each schema of a group ends."""
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, json.dumps({"whitespace": "compact", **options})],
        input=json.dumps(GROUPS[group]),
        capture_output=True,
        text=True,
        check=True,
    )
    print(done.stderr)  # the traces of crashes, for the report of a failure
    return dict(json.loads(line) for line in done.stdout.splitlines())


@pytest.mark.parametrize(("group", "name"), [(group, name) for group in GROUPS for name in GROUPS[group]])
def test_it_ends(group: str, name: str) -> None:
    assert outcomes(group, additional_properties="spec")[name] in ENDS


@pytest.mark.parametrize("name", OVERLAPS)
def test_it_ends_in_any_order_too(name: str) -> None:
    assert outcomes("overlaps", order="any")[name] in ENDS


@pytest.mark.parametrize("limit", range(1, 13))
@pytest.mark.parametrize("name", UNIONS)
def test_it_ends_at_low_limits_too(name: str, limit: int) -> None:
    assert outcomes("unions", nonterminals=limit)[name] in ENDS


@pytest.mark.parametrize("name", VOID)
def test_a_contradiction_is_found(name: str) -> None:
    assert outcomes("void", additional_properties="spec")[name] == "UnsatisfiableSchemaError"


@pytest.mark.parametrize("name", ["circle of not", "circle of if", "circle of oneOf"])
def test_a_schema_that_negates_itself_is_no_schema(name: str) -> None:
    assert outcomes("references", additional_properties="spec")[name] == "InvalidSchemaError"

"""Verification: right grammars have no counterexample; a fault in any stage of the compiler, or in a grammar, has."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from schema2gbnf import Counterexample, Verification, clear_cache, compile_schema, verify
from schema2gbnf.grammar import objects as object_rules
from schema2gbnf.languages import decimals
from schema2gbnf.semantics import branches, objects, plain, productivity
from schema2gbnf.verification.engines.child import LlamaCpp
from schema2gbnf.verification.run import CHOICES
from tests.engine import require_engine
from tests.golden import EXAMPLES

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "minLength": 2, "maxLength": 6},
        "age": {"type": "integer", "minimum": 0, "maximum": 150},
        "said": {"enum": ['"yes"', "no\\"]},
        "pet": {"anyOf": [{"type": "null"}, {"type": "array", "items": {"const": "cat"}, "maxItems": 3}]},
    },
    "required": ["name", "age"],
}
SAMPLES = 40


def tried(schema: Any = SCHEMA, **choices: Any) -> Verification:
    return verify(schema, samples=SAMPLES, **choices)


def only(outcome: Verification, kind: str) -> Counterexample:
    """The counterexample of a kind; there must be just one."""
    (found,) = [each for each in outcome.counterexamples if each.kind == kind]
    return found


# -- right grammars ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.json")), ids=lambda path: path.stem)
def test_the_examples_have_no_counterexample(path: Any) -> None:
    outcome = verify(path, samples=10)
    assert outcome.ok, "\n".join(map(str, outcome.counterexamples))
    assert outcome.counts.sentences == 10
    assert outcome.counts.valid > 10
    assert outcome.counts.invalid > 10


@pytest.mark.parametrize(
    "choices",
    [
        {"whitespace": "compact"},
        {"whitespace": "any"},
        {"order": "any"},
        {"additional_properties": "spec"},
        {"default_dialect": "draft4"},
        {"strict": True},
    ],
    ids=str,
)
def test_no_choice_of_the_compiler_makes_a_counterexample(choices: dict[str, Any]) -> None:
    outcome = tried(**choices)
    assert outcome.ok, "\n".join(map(str, outcome.counterexamples))


def test_both_engines_agree() -> None:
    require_engine()
    outcome = tried(engine="both")
    assert outcome.engines == ("own", "llama.cpp")
    assert outcome.ok, "\n".join(map(str, outcome.counterexamples))
    assert outcome.counts.sentences + outcome.counts.unfinished == 2 * SAMPLES


def test_what_is_narrowed_or_loosened_is_counted() -> None:
    schema = {
        "type": "object",
        "properties": {"tags": {"type": "array", "items": {"type": "string"}, "uniqueItems": True}},
        "examples": [{"tags": [], "more": 1}],
    }
    outcome = tried(schema)
    assert outcome.ok, "\n".join(map(str, outcome.counterexamples))
    assert outcome.counts.narrowed > 0
    assert outcome.counts.loosened > 0
    assert {finding.kind for finding in outcome.findings} == {"narrowed", "loosened"}


def test_what_no_validator_looks_at_is_no_counterexample() -> None:
    schema = {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "type": "string",
        "contentEncoding": "base64",
        "examples": ["?"],
    }
    outcome = tried(schema)
    assert outcome.ok, "\n".join(map(str, outcome.counterexamples))


def test_the_same_seed_tries_the_same() -> None:
    wrong = compile_schema(SCHEMA).gbnf.replace("[0-4]", "[0-3]")
    assert tried(grammar=wrong, seed=3) == tried(grammar=wrong, seed=3)


def test_progress_is_told() -> None:
    told: list[tuple[int, int]] = []
    tried(progress=lambda done, of: told.append((done, of)))
    assert len({of for _, of in told}) == 1
    assert [done for done, _ in told] == sorted(done for done, _ in told)


def test_values_that_are_nested_deeply_are_tried_as_far_as_they_can_be_written() -> None:
    schema: dict[str, Any] = {"type": "integer"}
    for _ in range(200):
        schema = {"type": "object", "properties": {"a": schema}, "required": ["a"]}
    outcome = verify(schema, samples=3)
    assert outcome.ok, "\n".join(map(str, outcome.counterexamples))


@pytest.mark.parametrize(
    "choices", [{"engine": "xgrammar"}, {"samples": 0}, {"raw_pattern": True}], ids=lambda choices: next(iter(choices))
)
def test_what_cannot_be_tried_is_refused(choices: Any) -> None:
    with pytest.raises(ValueError, match=r"choose one|at least 1|no JSON"):
        verify(True, **choices)
    assert CHOICES == ("own", "llama.cpp", "both")


# -- a fault in a stage of the compiler --------------------------------------------------------------------------------


def fault_in_languages(patch: pytest.MonkeyPatch) -> None:
    """Upper bounds are off by one."""
    right = decimals.at_most
    patch.setattr(decimals, "at_most", lambda bound, exclusive, *limit: right(Fraction(bound) + 1, exclusive, *limit))


def fault_in_branches(patch: pytest.MonkeyPatch) -> None:
    """The last branch of every disjunction on arrays and objects is lost."""
    right = branches.Expansion.run
    patch.setattr(
        branches.Expansion, "run", lambda self, todo: found[:-1] if len(found := right(self, todo)) > 1 else found
    )


def fault_in_objects(patch: pytest.MonkeyPatch) -> None:
    """`required` is dropped."""
    right = objects.Layout.shape

    def shape(self: objects.Layout) -> Any:
        self.required.clear()
        return right(self)

    patch.setattr(objects.Layout, "shape", shape)


def fault_in_plain_objects(patch: pytest.MonkeyPatch) -> None:
    """`required` is dropped on the fast path."""
    right = plain.object_shape

    def shape(*asked: Any) -> Any:
        found = right(*asked)
        members = tuple(replace(member, required=False) for member in found.members)
        return replace(found, members=members)

    patch.setattr(productivity, "object_shape", shape)


def fault_in_rules(patch: pytest.MonkeyPatch) -> None:
    """The members of a grammar stand in another order than `dumps` writes them."""
    right = object_rules.ObjectWriter.__init__

    def init(self: Any, walks: Any, *rest: Any) -> None:
        right(self, [(_reversed(shape), walk) for shape, walk in walks], *rest)

    def _reversed(shape: Any) -> Any:
        names = [member.name for member in shape.members]
        renamed = zip(shape.members, reversed(names), strict=True)
        return replace(shape, members=tuple(replace(member, name=name) for member, name in renamed))

    patch.setattr(object_rules.ObjectWriter, "__init__", init)


def fault_in_writing(patch: pytest.MonkeyPatch) -> None:
    """Quotes inside literals lose their escape."""
    from schema2gbnf import api

    right = compile_schema

    def unescaped(schema: Any, *options: Any, **choices: Any) -> Any:
        result = right(schema, *options, **choices)
        return replace(result, gbnf=result.gbnf.replace('\\\\\\"', '\\"'))

    patch.setattr(api, "compile_schema", unescaped)
    patch.setattr("schema2gbnf.verification.run.compile_schema", unescaped)


@pytest.mark.parametrize(
    ("fault", "schema", "kind", "text", "keyword", "pointer"),
    [
        (
            fault_in_languages,
            SCHEMA["properties"]["age"],
            "false accept",
            "151",
            "maximum",
            "#",
        ),
        (fault_in_objects, {**SCHEMA, "maxProperties": 4}, "false accept", "{}", "required", "#"),
        (fault_in_plain_objects, SCHEMA, "false accept", "{}", "required", "#"),
        (
            fault_in_writing,
            SCHEMA["properties"]["said"],
            "not JSON",
            '"no\\"',
            "",
            "#",
        ),
        (
            fault_in_rules,
            {"properties": {"a": {"const": 1}, "b": {"const": 2}}, "required": ["a", "b"], "type": "object"},
            "false accept",
            '{"b": 1, "a": 2}',
            "const",
            "#/properties/b",
        ),
        (
            fault_in_branches,
            {"type": "array", "anyOf": [{"maxItems": 1, "items": {"const": 0}}, {"minItems": 2, "maxItems": 3}]},
            "false reject",
            "[0, 0]",
            "type, anyOf",
            "#",
        ),
    ],
    ids=lambda value: value.__name__ if callable(value) else None,
)
def test_a_fault_in_a_stage_is_caught(
    fault: Callable[[pytest.MonkeyPatch], None],
    schema: Any,
    kind: str,
    text: str,
    keyword: str,
    pointer: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert tried(schema).ok
    with monkeypatch.context() as patch:
        fault(patch)
        # What was compiled before is not compiled again.
        clear_cache()
        outcome = tried(schema)
    clear_cache()
    assert not outcome.ok
    found = outcome.counterexamples
    assert any(
        (each.kind, each.text, each.keyword, each.pointer) == (kind, text, keyword, pointer) for each in found
    ), "\n".join(map(str, found))


# -- a fault in a grammar ----------------------------------------------------------------------------------------------

OBJECT = {
    "type": "object",
    "properties": {
        "a": {"type": "integer", "minimum": 1, "maximum": 20},
        "b": {"enum": ["x", "y"]},
        "c": {"type": "string", "maxLength": 3},
    },
    "required": ["a"],
}
GBNF = (
    'root ::= "{" "\\"a\\":" a ("," "\\"b\\":" b)? ("," "\\"c\\":" c)? "}"\n'
    'a ::= [1-9] | "1" [0-9] | "20"\n'
    'b ::= "\\"x\\"" | "\\"y\\""\n'
    'c ::= "\\"" char{0,3} "\\""\n'
    'char ::= [^"\\\\\\x00-\\x1F] | "\\\\" (["\\\\/bfnrt] | "u" [0-9A-Ca-c] [0-9A-Fa-f]{3})\n'
)


@pytest.mark.parametrize(
    ("old", "new", "kind", "text", "keyword"),
    [
        ('"20"', '"2" [01]', "false accept", '{"a":21}', "maximum"),
        ('[1-9] | "1"', '[0-9] | "1"', "false accept", '{"a":0}', "minimum"),
        ('| "20"', "", "false reject", '{"a":20}', "minimum, maximum"),
        ('"\\"a\\":" a (","', '("\\"a\\":" a) ("," ', None, "", ""),
        ('"\\"a\\":" a ("," "\\"b\\":" b)?', '"\\"a\\":" a | "{" ("\\"b\\":" b)?', "false accept", "{}", "required"),
        (' | "\\"y\\""', "", "false reject", '{"a":1,"b":"y"}', "enum"),
        ("char{0,3}", "char{0,2}", "false reject", '{"a":1,"c":"aaa"}', "maxLength"),
        ("char{0,3}", "char{0,4}", "false accept", '{"a":1,"c":"0000"}', "maxLength"),
        ('[^"\\\\\\x00-\\x1F]', "[^\\\\\\x00-\\x1F]", "not JSON", '{"a":1,"c":"""}', ""),
        ('"\\"a\\":"', '"\\"A\\":"', "false accept", '{"A":1}', "required"),
        ('("," "\\"b\\":" b)? ("," "\\"c\\":" c)?', '("," "\\"c\\":" c)? ("," "\\"b\\":" b)?', "false reject", "", ""),
    ],
)
def test_a_fault_in_a_grammar_is_caught(old: str, new: str, kind: str | None, text: str, keyword: str) -> None:
    assert old in GBNF
    assert tried(OBJECT, grammar=GBNF, whitespace="compact").ok
    outcome = tried(OBJECT, grammar=GBNF.replace(old, new), whitespace="compact")
    if kind is None:
        assert outcome.ok
        return
    alike = [each for each in outcome.counterexamples if each.kind == kind and keyword in each.keyword]
    assert alike, "\n".join(map(str, outcome.counterexamples))
    assert min(len(each.text) for each in alike) <= len(text) if text else len(alike[0].text) < 30
    if kind != "not JSON" and text:
        value = json.loads(min((each.text for each in alike), key=len))
        assert type(value) is dict


def test_the_counterexample_reads_well() -> None:
    outcome = tried(OBJECT, grammar=GBNF.replace('"20"', '"2" [01]'), whitespace="compact")
    lines = str(only(outcome, "false accept")).splitlines()
    assert lines[:3] == [
        "#/properties/a: maximum: the grammar accepts a text that the schema refuses (own)",
        '    {"a":21}',
        "    #/a: 21 is greater than the maximum of 20",
    ]


def test_a_grammar_that_no_engine_takes_is_a_counterexample() -> None:
    outcome = tried(True, grammar="root ::= x")
    assert only(outcome, "grammar refused").engines == ("own",)


def test_an_engine_that_goes_down_is_a_counterexample(monkeypatch: pytest.MonkeyPatch) -> None:
    require_engine()
    monkeypatch.setattr("schema2gbnf.verification.run.LlamaCpp", lambda model: LlamaCpp(model, memory=600 << 20))
    outcome = tried({"const": "aaa"}, grammar='root ::= "a"{3,2}', engine="llama.cpp")
    assert "ended" in only(outcome, "engine down").message


def test_the_text_of_the_grammar_is_what_is_read() -> None:
    """Not the data that the text was written from."""
    result = compile_schema(SCHEMA["properties"]["said"])
    outcome = tried(SCHEMA["properties"]["said"], grammar=result.gbnf.replace("yes", "yea"))
    assert {each.kind for each in outcome.counterexamples} == {"false accept", "false reject"}


def test_a_grammar_whose_readings_double_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("schema2gbnf.gbnf.match.MOST_PLACES", 5_000)
    doubled = r'''root ::= "\"" x "\""
x ::= "a" x "b" | "a" x "c" | ""'''
    outcome = tried({"const": "a" * 40 + "b" * 40}, grammar=doubled, engine="own")
    assert "too ambiguous" in only(outcome, "engine down").message

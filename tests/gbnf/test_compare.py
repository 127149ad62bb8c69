"""How grammars differ: their rules, and shortest texts that only one accepts, against brute force and seeded faults."""

from __future__ import annotations

import itertools
import json
import re
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schema2gbnf import compile_schema
from schema2gbnf.gbnf import (
    Accepted,
    Changes,
    Comparison,
    LeftRecursionError,
    Matcher,
    NoWitness,
    Unknown,
    Witness,
    compare,
    parse,
    write,
)
from schema2gbnf.gbnf.program import Program
from schema2gbnf.gbnf.witnesses import Outcome
from schema2gbnf.grammar.rules import Grammar, Literal, Ref, Repeat, Sequence, repeat, sequence
from tests.gbnf.strategies import readable_grammars
from tests.golden import EXAMPLES

LONGEST = 4
TEXTS = ["".join(each) for size in range(LONGEST + 1) for each in itertools.product("abc", repeat=size)]
"""All texts up to a length; c stands for every character that the grammars do not name."""


def compared(first: str, second: str, **more: int) -> Comparison:
    return compare(parse(first), parse(second), **more)


# -- witnesses -------------------------------------------------------------------------------------------------------

SHORTEST: list[tuple[str, str, Outcome, Outcome]] = [
    ('"a"', '"a"', NoWitness(), NoWitness()),
    ('"a"', '"b"', Witness("a"), Witness("b")),
    ('"a"*', '"a"+', Witness(""), NoWitness()),
    ('"a"{2,4} "b"', '"a"{2,5} "b"', NoWitness(), Witness("aaaaab")),
    ('"a" "a"*', '"a"+', NoWitness(), NoWitness()),
    ('"ab" | "ac"', '"a" [bc]', NoWitness(), NoWitness()),
    ('"ab" | "ac"', '"a" [b-d]', NoWitness(), Witness("ad")),
    ('[^"]', '[^"x]', Witness("x"), NoWitness()),
    (r"[\x00-\x1F]", r"[\x00-\x1E]", Witness("\x1f"), NoWitness()),
    (r"[\x00-\x1Fz]", '""', Witness("z"), Witness("")),
    ('"(" x ")"\nx ::= ("(" x ")")?', '"(" x ")"\nx ::= ("(" x ")" | "[]")?', Unknown(500, 1000), Witness("([])")),
    ('x "c"\nx ::= "a" x "b" | ""', '"a"* "b"* "c"', Unknown(500, 501), Witness("ac")),
    ('("a" | "b")* "a" ("a" | "b"){6}', '("a" | "b")* "a" [ab]{6}', NoWitness(), NoWitness()),
    # what both read next is not always plain where it ends
    ('"a"* "ab"', '"a"* "b"', NoWitness(), Witness("b")),
    ('x "c"\nx ::= "a" | "ab"', 'x "bc"\nx ::= "a" | "ab"', Witness("ac"), Witness("abbc")),
    ('x y\nx ::= "a" "b"?\ny ::= "b"? "c"', 'x z\nx ::= "a" "b"?\nz ::= "b" "c"', Witness("ac"), NoWitness()),
    ('x y\nx ::= "a"{1,3}\ny ::= "aa"', 'x z\nx ::= "a"{1,3}\nz ::= "a"', Witness("aaaaa"), Witness("aa")),
]


@pytest.mark.parametrize(("first", "second", "only_first", "only_second"), SHORTEST)
def test_witnesses(first: str, second: str, only_first: Outcome, only_second: Outcome) -> None:
    found = compared(f"root ::= {first}", f"root ::= {second}", limit=500)
    assert (found.only_first, found.only_second) == (only_first, only_second)
    assert found.differs == (Witness in {type(only_first), type(only_second)})
    assert found.equal == (only_first == only_second == NoWitness())


def test_endless_grammars_are_found_equal_whatever_their_rules_are_called() -> None:
    first = 'root ::= "(" x* ")" | y\nx ::= root | "a"\ny ::= "b" y | ""'
    second = 'root ::= "(" rest\nz ::= "" | "b" z\nw ::= "a" | start\nstart ::= z | "(" w* ")"\nrest ::= w* ")"'
    assert compared(first, f"{second}\n".replace('root ::= "(" rest', 'root ::= z | "(" w* ")"')).equal


def test_a_search_that_is_given_up_says_how_long_a_text_would_be() -> None:
    first = 'root ::= "a" root "b" | "c" | "d"'
    second = 'root ::= "a" root "b" | "c" | "d" | "a"{10} "c" "b"{10} | "a"{400} "x" "b"{400}'
    found = compared(first, second, limit=50).only_second
    assert isinstance(found, Unknown)
    assert 20 <= found.length <= 801
    assert found.states <= 50


def test_a_witness_that_would_be_huge_is_not_written() -> None:
    doubled = "\n".join(f"r{n} ::= r{n + 1} r{n + 1}" for n in range(40))
    found = compared(f'root ::= "a" | "b" r0\n{doubled}\nr40 ::= "c"', 'root ::= "a"')
    assert isinstance(found.only_first, Unknown)
    assert found.only_first.length == 2**40 + 1


def test_rules_without_a_text_make_no_difference() -> None:
    assert compared('root ::= "a" | "b" x\nx ::= "c" x', 'root ::= "a"').equal


def test_readings_that_double_leave_the_search_unfinished(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("schema2gbnf.gbnf.match.MOST_PLACES", 2_000)
    found = compared('root ::= "a" root "b" | "a" root "c" | "x"', 'root ::= "a" root [bc] | "x" | "a"{20} "d"')
    assert isinstance(found.only_second, Unknown)
    assert found.only_second.length <= 21


def test_grammars_that_cannot_be_read_against_are_refused() -> None:
    with pytest.raises(LeftRecursionError):
        compared('root ::= root "a" | "b"', 'root ::= "b"')
    with pytest.raises(ValueError, match="not defined"):
        compare(parse('root ::= "b"'), Grammar({"root": Ref("x")}))


def same_but_one(first: Grammar, second: Grammar, which: str) -> Grammar:
    """The first grammar with a rule of the second."""
    return Grammar(
        {**second.rules, **first.rules, **{name: second.rules[name] for name in second.rules if name == which}}
    )


def checked(found: Outcome, only: Matcher, other: Matcher) -> None:
    differences = [text for text in TEXTS if only.accepts(text) and not other.accepts(text)]
    match found:
        case Witness(text):
            assert only.accepts(text)
            assert not other.accepts(text)
            assert not differences or len(text) == len(differences[0])
            assert differences or len(text) > LONGEST
        case NoWitness():
            assert not differences
        case Unknown(length=length):
            assert not differences or len(differences[0]) >= length


@settings(max_examples=40)
@given(readable_grammars("ab"), readable_grammars("ab"), st.sampled_from(["root", "x", "ruleB", "y-2"]))
def test_brute_force_finds_no_shorter_witness(first: Grammar, second: Grammar, name: str) -> None:
    for one, other in ((first, second), (first, same_but_one(first, second, name))):
        try:
            left, right = Matcher(one), Matcher(other)
        except LeftRecursionError:
            return
        found = compare(one, other, limit=200)
        checked(found.only_first, left, right)
        checked(found.only_second, right, left)


@settings(max_examples=40)
@given(readable_grammars("ab"))
def test_a_grammar_differs_from_itself_in_nothing(grammar: Grammar) -> None:
    found = compare(grammar, grammar)
    assert found.equal
    assert not found.rules


# -- rules -----------------------------------------------------------------------------------------------------------


def test_rules_added_removed_renamed_and_changed() -> None:
    before = 'root ::= a b c d\na ::= "1" a | "2"\nb ::= a\nc ::= "3"\nd ::= "4" | e\ne ::= "5"'
    after = 'root ::= x b d f\nx ::= "2" | "1" x\nb ::= x\nd ::= "4" | "6" | g\nf ::= "7"\ng ::= "5"'
    assert compared(before, after).rules == Changes(
        added=("f",), removed=("c",), renamed=(("a", "x"), ("e", "g")), changed=("root", "d")
    )


def test_of_equal_rules_each_is_renamed_to_one() -> None:
    rules = compared('root ::= a b\na ::= "1"\nb ::= "1"', 'root ::= x y z\nx ::= "1"\ny ::= "1"\nz ::= "1"').rules
    assert rules.renamed == (("a", "x"), ("b", "y"))
    assert rules.added == ("z",)


def test_a_renamed_rule_whose_callee_changed_is_still_renamed() -> None:
    rules = compared('root ::= a\na ::= "[" b "]"\nb ::= "1"', 'root ::= x\nx ::= "[" b "]"\nb ::= "2"').rules
    assert rules == Changes((), (), (("a", "x"),), ("b",))


def test_one_property_more() -> None:
    schema: dict[str, Any] = json.loads((EXAMPLES / "mcp-tool.json").read_bytes())
    before = compile_schema(schema).grammar
    schema["properties"]["zebra"] = {"type": "integer", "maximum": 7}
    after = compile_schema(schema).grammar
    began = time.process_time()
    found = compare(before, after)
    assert time.process_time() - began < 2
    assert found.only_first == NoWitness()
    assert found.only_second == Witness('{"owner":"a","repository":"a","title":"a","zebra":0}')
    assert {"zebra-kv", "integer-to-7"} <= set(found.rules.added)
    assert "title-rest" in found.rules.changed
    assert not found.rules.removed


# -- seeded faults ---------------------------------------------------------------------------------------------------


def subschemas(schema: Any) -> Iterator[dict[str, Any]]:
    """All objects in a schema."""
    if isinstance(schema, dict):
        yield schema
    if isinstance(schema, (dict, list)):
        for each in schema.values() if isinstance(schema, dict) else schema:
            yield from subschemas(each)


def off_by_one(schema: Any) -> bool:
    bounds = ("maxLength", "minLength", "maximum", "minimum", "maxItems", "minItems")
    for each in subschemas(schema):
        for bound in bounds:
            if isinstance(each.get(bound), int) and each[bound] < 1_000:
                each[bound] += 1
                return True
    return False


def dropped_required(schema: Any) -> bool:
    return any(isinstance(each.get("required"), list) and each["required"].pop() for each in subschemas(schema))


def wrong_order(schema: Any) -> bool:
    for each in subschemas(schema):
        required = [name for name in each.get("properties", {}) if name in each.get("required", [])]
        if len(required) > 1:
            each["properties"] = dict(reversed(each["properties"].items()))
            return True
    return False


SCHEMA_FAULTS: dict[str, Callable[[Any], bool]] = {
    "off-by-one bound": off_by_one,
    "dropped required": dropped_required,
    "wrong key order": wrong_order,
}
GRAMMAR_FAULTS: dict[str, tuple[str, str]] = {
    "unescaped quote": (r'\[\^"\\\\', r"[^\\\\"),
    "lost branch": (r'" \| "\w+(\\")?"\)', '")'),
}


@pytest.mark.parametrize("fault", [*SCHEMA_FAULTS, *GRAMMAR_FAULTS])
@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.json")), ids=lambda path: path.stem)
def test_seeded_faults_have_a_witness(path: Any, fault: str) -> None:
    schema = json.loads(path.read_bytes())
    sound = compile_schema(schema).grammar
    if fault in SCHEMA_FAULTS:
        if not SCHEMA_FAULTS[fault](schema):
            return
        faulty = compile_schema(schema).grammar
    else:
        text, faults = re.subn(*GRAMMAR_FAULTS[fault], write(sound), count=1)
        if not faults:
            return
        faulty = parse(text)
    found = compare(sound, faulty, limit=1_000)
    witnesses = [each.text for each in (found.only_first, found.only_second) if isinstance(each, Witness)]
    assert witnesses
    for text in witnesses:
        assert isinstance(Matcher(sound).match(text), Accepted) != isinstance(Matcher(faulty).match(text), Accepted)
        assert text.isprintable()
        assert len(text) < 2_000
    if fault != "unescaped quote":
        assert all(isinstance(json.loads(text), dict) for text in witnesses)


def test_every_fault_was_seeded_somewhere() -> None:
    schemas = [json.loads(path.read_bytes()) for path in EXAMPLES.glob("*.json")]
    assert all(any(map(seed, schemas)) for seed in SCHEMA_FAULTS.values())
    texts = [write(compile_schema(path).grammar) for path in EXAMPLES.glob("*.json")]
    assert all(any(re.search(pattern, text) for text in texts) for pattern, _ in GRAMMAR_FAULTS.values())


# -- size ------------------------------------------------------------------------------------------------------------


def test_long_chains_and_deep_expressions_are_compared() -> None:
    chain = {f"r{n}": sequence(Literal("a"), Ref(f"r{n + 1}")) for n in range(1000)}
    one = Grammar({"root": Ref("r0"), **chain, "r1000": Literal("b")})
    other = Grammar({"root": Ref("r0"), **chain, "r1000": Literal("c")})
    assert compare(one, other).only_first == Witness("a" * 1000 + "b")
    deep: Any = Literal("a")
    for _ in range(5_000):
        deep = Repeat(Sequence((Literal("b"), deep)), 0, 1)
    assert compare(Grammar({"root": deep}), Grammar({"root": repeat(Literal("b"), 0, 1)})).differs


def test_many_ways_to_differ_stay_within_the_limit() -> None:
    words = " | ".join(f'"{n:05}" x' for n in range(3000))
    began = time.process_time()
    found = compared(f'root ::= {words}\nx ::= [a-z]{{5}} root | "!"', 'root ::= [0-9]{5} x\nx ::= [a-z]{5} root | "!"')
    assert found.only_first == NoWitness() or isinstance(found.only_first, Unknown)
    assert isinstance(found.only_second, Witness)
    assert Program.of(parse('root ::= "a"')).root == "root"
    assert time.process_time() - began < 20

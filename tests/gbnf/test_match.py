"""Which texts match, how far the others get, and that brute force and llama.cpp say the same."""

from __future__ import annotations

import itertools
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schema2gbnf.gbnf import (
    Accepted,
    Incomplete,
    LeftRecursionError,
    Matcher,
    Refused,
    TooManyReadingsError,
    Verdict,
    parse,
    samples,
    write,
)
from schema2gbnf.gbnf.match import END
from schema2gbnf.grammar.rules import (
    EMPTY,
    NOTHING,
    Alternation,
    CharClass,
    Expr,
    Grammar,
    Literal,
    Ref,
    Repeat,
    Sequence,
    repeat,
    sequence,
)
from schema2gbnf.languages.charset import DIGIT, CharSet
from tests.engine import Engine
from tests.gbnf.strategies import grammars, readable_grammars

JSON = """
root   ::= object | array | string | number | "true" | "false" | "null"
object ::= "{" (member ("," member)*)? "}"
member ::= string ":" root
array  ::= "[" (root ("," root)*)? "]"
string ::= "\\"" ([^"\\\\\\x00-\\x1F] | "\\\\" (["\\\\/bfnrt] | "u" [0-9a-f]{4}))* "\\""
number ::= "-"? ("0" | [1-9] [0-9]*) ("." [0-9]+)?
"""

VERDICTS: list[tuple[str, str, Verdict]] = [
    ('"ab"', "ab", Accepted()),
    ('"ab"', "a", Incomplete(("'b'",))),
    ('"ab"', "", Incomplete(("'a'",))),
    ('"ab"', "ax", Refused(1, ("'b'",))),
    ('"ab"', "abb", Refused(2, (END,))),
    ('"😀b"', "😀x", Refused(1, ("'b'",))),
    ('""', "", Accepted()),
    ('"a" | "ab"', "a", Accepted()),
    ('"a" | "ab"', "ac", Refused(1, ("'b'", END))),
    ("[a-cx]", "d", Refused(0, ("'a'-'c'", "'x'"))),
    ('[^"]', '"', Refused(0, ("any character but '\"'",))),
    (".", "", Incomplete(("any character",))),
    (r"[\n\t é\x01]", "x", Refused(0, ("U+0001", "tab-newline", "space", "'é'"))),
    ("[0-9]{2,3}", "1", Incomplete(("'0'-'9'",))),
    ("[0-9]{2,3}", "12", Accepted()),
    ("[0-9]{2,3}", "123", Accepted()),
    ("[0-9]{2,3}", "1234", Refused(3, (END,))),
    ("[0-9]{2,}", "1", Incomplete(("'0'-'9'",))),
    ("[0-9]{2,}", "12345", Accepted()),
    ("[0-9]{2}", "123", Refused(2, (END,))),
    ('("a" "b"?)*', "aababa", Accepted()),
    ('("a" "b"?)*', "abb", Refused(2, ("'a'", END))),
    ('("a"* "b"?)* "c"', "aabbac", Accepted()),
    ('("a"?){3} "b"', "aab", Accepted()),
    ('("a"?){3} "b"', "aaaab", Refused(3, ("'b'",))),
    ('("a"?){0,999999999} "b"', "aaaab", Accepted()),
]


@pytest.mark.parametrize(("body", "text", "verdict"), VERDICTS)
def test_verdicts(body: str, text: str, verdict: Verdict) -> None:
    matcher = Matcher(parse(f"root ::= {body}"))
    assert matcher.match(text) == verdict
    assert matcher.accepts(text) == isinstance(verdict, Accepted)


@pytest.mark.parametrize("text", ["[]", '{"a":[1,-2.5,{}],"b":"\\u00e9"}', "null", '"\\n"', "[[[[]]]]"])
def test_json_is_accepted(text: str) -> None:
    assert Matcher(parse(JSON)).accepts(text)


@pytest.mark.parametrize(
    ("text", "offset"), [("[1,]", 3), ('{"a"}', 4), ("01", 1), ('"\n"', 1), ("nulL", 3), ("[]]", 2)]
)
def test_json_is_refused_where_it_goes_wrong(text: str, offset: int) -> None:
    verdict = Matcher(parse(JSON)).match(text)
    assert isinstance(verdict, Refused)
    assert verdict.offset == offset


# -- states ----------------------------------------------------------------------------------------------------------


def test_a_state_says_what_may_come() -> None:
    matcher = Matcher(parse('root ::= "a" ("b" | [0-9]+)?'))
    state = matcher.start()
    assert (state.can_end, state.next_chars(), len(state)) == (False, CharSet.of("a"), 1)
    state = matcher.advance(state, "a")
    assert (state.can_end, state.next_chars(), len(state)) == (True, CharSet.of("b") | DIGIT, 3)
    assert state.next_sets() == (CharSet.of("b"), DIGIT)
    gone = matcher.advance(state, "c")
    assert (bool(gone), len(gone), gone.can_end, gone.next_chars()) == (False, 0, False, CharSet(()))


def test_equal_states_are_one_and_can_be_searched() -> None:
    matcher = Matcher(parse('root ::= ("a" "b" | "b" "a")* "c"'))
    found = {matcher.start()}
    todo = [matcher.start()]
    while todo:
        state = todo.pop()
        for character in "abc":
            following = matcher.advance(state, character)
            if following and following not in found:
                found.add(following)
                todo.append(following)
    assert len(found) == 5


def test_right_recursion_needs_no_more_stack() -> None:
    matcher = Matcher(parse('root ::= "a" root | "b"'))
    state = matcher.advance(matcher.start(), "a")
    assert matcher.advance(state, "a") is state


@pytest.mark.parametrize("body", ['(x | y)* ","', '(x x?)* ","', '(("a" | x) (y | "a"))* ","', '((x*) (y*))* ","'])
def test_ambiguity_does_not_multiply(body: str) -> None:
    matcher = Matcher(parse(f'root ::= {body}\nx ::= "a"\ny ::= "a"'))
    state = matcher.start()
    for _ in range(100):
        state = matcher.advance(state, "a")
    assert len(state) < 10


@pytest.mark.parametrize("rule", ['("a" | "aa")?', '("aa" | "a")?', '"a"? "a"?', '"a"{0,2}', '("aa" | "a"*)'])
def test_rounds_that_may_read_nothing_are_still_counted(rule: str) -> None:
    matcher = Matcher(parse(f'root ::= x{{0,3}} "b"\nx ::= {rule}'))
    assert all(matcher.accepts("a" * size + "b") for size in range(7))
    assert matcher.accepts("a" * 7 + "b") == ("*" in rule)


def test_a_rule_without_a_text_leads_nowhere() -> None:
    endless = Grammar(
        {"root": Alternation((sequence(Literal("a"), Ref("x")), Literal("b"))), "x": sequence(Literal("c"), Ref("x"))}
    )
    assert Matcher(endless).match("ac") == Refused(0, ("'b'",))
    assert Matcher(Grammar({"root": Alternation((Sequence((Literal("a"), NOTHING)), EMPTY))})).match("a") == Refused(
        0, (END,)
    )
    assert Matcher(Grammar({"root": Repeat(CharClass(CharSet(())), 0, None)})).accepts("")


def test_a_count_without_a_number_has_no_text() -> None:
    assert not Matcher(Grammar({"root": Repeat(Literal("a"), 3, 2)})).start()


# -- refused grammars ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("grammar", "rule"),
    [
        ('root ::= root "a" | "b"', "root"),
        ('root ::= x\nx ::= y "a" | "c"\ny ::= x', "x"),
        ('root ::= "a" x\nx ::= y* x "b" | "c"\ny ::= "d"?', "x"),
        ('root ::= ("" | x) ("a"? root)+ | "b"\nx ::= "c"?', "root"),
        ('root ::= "a"\nx ::= x', "x"),
    ],
)
def test_left_recursion_is_refused(grammar: str, rule: str) -> None:
    with pytest.raises(LeftRecursionError) as caught:
        Matcher(parse(grammar))
    assert caught.value.rule == rule


def test_readings_that_double_are_refused_before_they_fill_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    matcher = Matcher(parse('root ::= "a" root "b" | "a" root "c" | "x"'))
    monkeypatch.setattr("schema2gbnf.gbnf.match.MOST_PLACES", 5_000)
    assert matcher.match("aaaxbcb") == Accepted()
    with pytest.raises(TooManyReadingsError, match="after 10 characters more than 5000 ways to read on") as caught:
        matcher.accepts("a" * 40 + "x")
    assert caught.value.offset == 10
    assert matcher.match("aaaxbcb") == Accepted()


def test_missing_rules_are_refused() -> None:
    with pytest.raises(ValueError, match="the rule root names the rule x"):
        Matcher(Grammar({"root": Ref("x")}))
    with pytest.raises(ValueError, match="no rule root"):
        Matcher(Grammar({"x": EMPTY}))


# -- size ------------------------------------------------------------------------------------------------------------


def test_deep_texts() -> None:
    matcher = Matcher(parse(JSON))
    assert matcher.accepts("[" * 100_000 + "]" * 100_000)
    verdict = matcher.match("[" * 20_000 + "}")
    assert isinstance(verdict, Refused)
    assert verdict.offset == 20_000


def test_what_is_remembered_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Verdicts and states stay the same when the memory is dropped in between."""
    monkeypatch.setattr("schema2gbnf.gbnf.match._REMEMBERED", 300)
    matcher = Matcher(parse(JSON))
    before = matcher.advance(matcher.start(), "[")
    assert matcher.accepts("[" * 1000 + "]" * 1000)
    after = matcher.advance(matcher.start(), "[")
    assert after is not before
    assert (after == before, hash(after) == hash(before), len({after, before})) == (True, True, 1)
    assert matcher.accepts('[["a"]]')


def test_deep_expressions() -> None:
    body: Expr = Literal("a")
    for _ in range(20_000):
        body = Repeat(Sequence((Literal("b"), body)), 0, 1)
    matcher = Matcher(Grammar({"root": body}))
    assert matcher.accepts("b" * 20_000 + "a")
    assert not matcher.accepts("b" * 20_001)


def test_long_chains_of_rules() -> None:
    rules: dict[str, Expr] = {"root": Ref("r0")}
    for number in range(5000):
        rules[f"r{number}"] = sequence(repeat(Literal("a"), 0, 1), Ref(f"r{number + 1}"))
    matcher = Matcher(Grammar({**rules, "r5000": Literal("b")}))
    assert matcher.accepts("aab")
    assert len(matcher.start()) == 5001


def test_large_counts_are_counted() -> None:
    matcher = Matcher(Grammar({"root": repeat(CharClass(DIGIT), 5, 20_000)}))
    assert not matcher.accepts("1" * 4)
    assert matcher.accepts("1" * 20_000)
    assert matcher.match("1" * 20_001) == Refused(20_000, (END,))


def test_ordinary_texts_are_read_quickly() -> None:
    matcher = Matcher(parse(JSON))
    text = '[{"name":"value é","list":[1,-20.5,null],"more":{"true":true}},' + "0]"
    texts = [text.replace("value", f"value {number}") for number in range(1000)]
    began = time.process_time()
    assert all(map(matcher.accepts, texts))
    assert sum(map(len, texts)) / (time.process_time() - began) > 200_000


# -- judges ----------------------------------------------------------------------------------------------------------


def language(grammar: Grammar, longest: int) -> frozenset[str]:
    """All texts up to a length, by the definition: the least sets that satisfy every rule."""
    texts: dict[str, frozenset[str]] = dict.fromkeys(grammar.rules, frozenset())

    def joined(left: frozenset[str], right: frozenset[str]) -> frozenset[str]:
        return frozenset(a + b for a in left for b in right if len(a) + len(b) <= longest)

    def of(expr: Expr) -> frozenset[str]:
        match expr:
            case Literal(text):
                return frozenset([text] if len(text) <= longest else [])
            case CharClass(chars):
                return frozenset(character for character in "ab" if character in chars)
            case Ref(name):
                return texts[name]
            case Sequence(parts):
                found = frozenset([""])
                for part in parts:
                    found = joined(found, of(part))
                return found
            case Alternation(options):
                return frozenset().union(*map(of, options))
            case Repeat(item, low, high):
                once = of(item)
                rounds = [frozenset([""])]
                for _ in range(high if high is not None else low + longest):
                    rounds.append(joined(rounds[-1], once))
                return frozenset().union(*rounds[low:])

    while True:
        following = {name: of(body) for name, body in grammar.rules.items()}
        if following == texts:
            return texts[grammar.root]
        texts = following


@settings(max_examples=150)
@given(grammars("ab"))
def test_brute_force_agrees(grammar: Grammar) -> None:
    try:
        matcher = Matcher(grammar)
    except LeftRecursionError:
        return
    expected = language(grammar, 4)
    begun = {text[:size] for text in expected for size in range(len(text) + 1)}
    for text in map("".join, itertools.chain.from_iterable(itertools.product("ab", repeat=n) for n in range(5))):
        verdict = matcher.match(text)
        assert (verdict == Accepted()) == (text in expected), text
        assert not (isinstance(verdict, Refused) and text in begun), text


def masks_agree(engine: Engine, grammar: Grammar, text: str) -> bool:
    """Whether matcher and engine say the same of the text and of every character behind each of its beginnings."""
    loaded = engine.load(write(grammar))
    assert loaded is not None
    matcher = Matcher(grammar)
    state = matcher.start()
    for size in range(len(text) + 1):
        letters, end = engine.mask(loaded, text[:size])
        # NUL ends a text there.
        ascii_letters = {chr(byte) for byte in letters if 0 < byte < 0x80}
        if (ascii_letters, end) != ({chr(n) for n in range(1, 0x80) if chr(n) in state.next_chars()}, state.can_end):
            return False
        if size < len(text):
            state = matcher.advance(state, text[size])
    return engine.accepts(loaded, text) == matcher.accepts(text)


@pytest.mark.parametrize("text", ['{"a":[1,-2.5e', "[1,]", '["\\u00é', "nul", "-0.", '{"😀":"é"}', "[[[]"])
def test_the_engine_agrees_on_json(engine: Engine, text: str) -> None:
    assert masks_agree(engine, parse(JSON), text)


@pytest.mark.parametrize(
    ("body", "text"),
    [(body, text) for body, text, _ in VERDICTS if "999999999" not in body and "?){3}" not in body],
)
def test_the_engine_agrees_on_every_verdict(engine: Engine, body: str, text: str) -> None:
    loaded = engine.load(f"root ::= {body}")
    assert loaded is not None
    assert engine.accepts(loaded, text) == Matcher(parse(f"root ::= {body}")).accepts(text)


@settings(max_examples=80)
@given(grammar=readable_grammars("ab-é\U0001f600"), text=st.text("ab-é\U0001f600", max_size=5), seed=st.integers(0, 9))
def test_the_engine_agrees(engine: Engine, grammar: Grammar, text: str, seed: int) -> None:
    assert masks_agree(engine, grammar, text)
    # Behind a NUL the engine sees no more text.
    assert masks_agree(engine, grammar, samples(grammar, 1, seed)[0][:8].split("\0")[0])

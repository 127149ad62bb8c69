"""What each check finds and where, that it finds nothing in what the compiler prints, and that the engines agree."""

from __future__ import annotations

import time

import pytest

from schema2gbnf import compile_schema
from schema2gbnf.errors import SchemaError
from schema2gbnf.lint import CHECKS, lint
from tests.corpus.schemas import cases
from tests.engine import Engine
from tests.golden import GRAMMARS

ENDLESS = "\n".join(f'r{n} ::= r{n + 1} "a" | r{n + 1} "b"' for n in range(20))
MANY = " | ".join(f'"a" "{chr(0x4E00 + n)}"' for n in range(80))
DEEP = '("a" ' * 30 + '"b"' + ' | "c")' * 30

FOUND: list[tuple[str, str, list[tuple[int, int]]]] = [
    # what cannot be read, and what still is found beside it
    ("syntax", 'root ::= "a" @\n', [(1, 14)]),
    ("syntax", 'root ::= x @\nx ::= ("a"\ny ::= "b"\n', [(1, 12), (3, 3)]),
    ("syntax", 'root ::= "a\n', [(1, 10)]),
    ("syntax", 'root ::= "a"{9999999999}', [(1, 14)]),
    ("undefined-rule", 'root ::= x ("a" | y-1)*\nx ::= "x"', [(1, 19)]),
    ("undefined-rule", "root ::= x |\n  x y\ny ::= [x]", [(1, 10), (2, 3)]),
    ("duplicate-rule", 'root ::= x\nx ::= "a"\nx ::= "b"\n\nx ::= "c"', [(3, 1), (5, 1)]),
    ("missing-root", '\nmain ::= "a"', [(2, 1)]),
    ("missing-root", "# nothing", [(1, 1)]),
    ("unreachable-rule", 'root ::= "a"\nx ::= y\ny ::= "b" x | "c"', [(2, 1), (3, 1)]),
    ("unproductive-rule", 'root ::= "a" | x\nx ::= "b" x', [(2, 1)]),
    ("unproductive-rule", 'root ::= "a" | x\nx ::= "b" (y "c")+\ny ::= "d" x{2} | "e" y', [(2, 1), (3, 1)]),
    # recursion
    ("left-recursion", 'root ::= root "a" | "b"', [(1, 10)]),
    ("left-recursion", 'root ::= "c" x | y\nx ::= y "a" | "c"\ny ::= "b" | x "d"', [(2, 7)]),
    ("left-recursion", 'root ::= x root "a" | "b"\nx ::= y y\ny ::= "c"?', [(1, 12)]),
    ("left-recursion", 'root ::= ("a"? (x | "b"))+\nx ::= ("c"* (root) "d")', [(1, 17)]),
    ("exponential-left-corners", f'root ::= r0\n{ENDLESS}\nr20 ::= "c"', [(6, 1)]),
    # counts
    ("unbounded-count", 'root ::= "a"{0,2001} "b" "c"{5,3000} "d"{2,2000}', [(1, 13), (1, 29)]),
    ("refused-count", 'root ::= "a"{2001} "b"{2001,} [c]{ 2001 , 2002 }', [(1, 13), (1, 23), (1, 34)]),
    ("too-many-symbols", 'root ::= ("a"? "b"?){667}', [(1, 21)]),
    ("too-many-symbols", 'root ::= (x x "b"){667,}\nx ::= "x"', []),
    ("too-many-symbols", 'root ::= (x y "b"){667,}\nx ::= "x"\ny ::= "y"', [(1, 19)]),
    ("reversed-count", 'root ::= "a" ("b" "c"{3,2})', [(1, 22)]),
    ("zero-count", 'root ::= "a" "b"{0} "c"{0,0}', [(1, 17), (1, 24)]),
    # ambiguity
    ("endless-empty-rounds", 'root ::= ("a"? x)* "c"\nx ::= "b"*', [(1, 18)]),
    ("endless-empty-rounds", 'root ::= x+ y{2,}\nx ::= "b"?\ny ::= ("" | "c")', [(1, 11), (1, 14)]),
    ("empty-rounds", 'root ::= x{3} y{0,2}\nx ::= "b"?\ny ::= "c"*', [(1, 11), (1, 16)]),
    ("empty-rounds", 'root ::= (x | "a")? "c"\nx ::= "b"*', [(1, 19)]),
    ("ambiguous-neighbours", "root ::= sp sp\nsp ::= [ \\t]*", [(1, 13)]),
    ("ambiguous-neighbours", 'root ::= "x" ([a-z]* ([0-9] | "e" "f"? | "gh")?)', [(1, 22)]),
    ("ambiguous-neighbours", 'root ::= x{0,3} [a-z]{0,249} "ab"? "ac"? "d"? [e-f]*\nx ::= [a-z]{250}', []),
    # what makes no sense
    ("bad-escape", r'root ::= "a\q" "\x4g" [\u12]', [(1, 12), (1, 17), (1, 24)]),
    ("surrogate", r'root ::= "\uD83D\uDE00"', [(1, 11)]),
    ("empty-class", 'root ::= [] [^] "a"', [(1, 10), (1, 13)]),
    ("reversed-range", "root ::= [a-cz-f]", [(1, 14)]),
    ("token-terminal", "root ::= <[7]> !<think>", [(1, 10), (1, 16)]),
    # names
    ("underscore-in-name", 'root ::= a_b "c" a_b\na_b ::= "x"', [(2, 1)]),
    ("name-start", 'root ::= 1a -b\n1a ::= "x"\n-b ::= "y"', [(2, 1), (3, 1)]),
    ("name-clash", 'root ::= aB a-b start\naB ::= "x"\na-b ::= "y"\nstart ::= "z"', [(3, 1), (4, 1)]),
    # spellings
    ("empty-alternative", 'root ::= "a" ( | "b") ("c" | ) ()', [(1, 14), (1, 28), (1, 32)]),
    ("empty-alternative", 'root ::= | "a" | | "b"', [(1, 1), (1, 16)]),
    ("dot", 'root ::= "a" . ("." | .)', [(1, 14), (1, 23)]),
    ("unicode-escape", r'root ::= "a\u00e9" [\U0001F600b]', [(1, 12), (1, 21)]),
    ("unportable-escape", r'root ::= "\[a\]\-" [\[\]\-]', [(1, 11), (1, 14), (1, 16), (1, 25)]),
    ("hex-before-digit", r'root ::= "\x41b" "\x41g" [\x41b] "\\x41b"', [(1, 11), (1, 27)]),
    ("raw-control", 'root ::= "a\nb" "c\\n"', [(1, 12)]),
    ("negated-non-ascii", 'root ::= [^"é] [^"] [é]', [(1, 10)]),
    ("doubled-sign", 'root ::= ("a"+)? (("b"{2}))? ("c"? | "d")+ "e"', [(1, 16), (1, 28)]),
    ("nested-count", 'root ::= ("a" "b"{2}){3} ("c" ("d"{2,3}))* ("e" "f"*){2}', [(1, 22)]),
    ("deep-groups", f"root ::= {DEEP}", [(1, 151)]),
    ("live-stacks", f'root ::= "x" y\ny ::= {MANY}', [(2, 1)]),
]
"""A code, a grammar, and where in it the code is found."""

BESIDE = {
    "left-recursion": {"ambiguous-neighbours"},
    "too-many-symbols": {"empty-rounds"},
    "endless-empty-rounds": {"ambiguous-neighbours"},
    "surrogate": {"unicode-escape"},
    "bad-escape": {"unicode-escape"},
    "underscore-in-name": {"name-clash"},
    "doubled-sign": {"endless-empty-rounds"},
}
"""Codes that examples of a code may have too."""


@pytest.mark.parametrize(("code", "text", "places"), FOUND)
def test_what_is_found_and_where(code: str, text: str, places: list[tuple[int, int]]) -> None:
    found = lint(text)
    assert [(each.line, each.column) for each in found if each.code == code] == places
    assert {each.code for each in found} - {code} <= BESIDE.get(code, set())


def test_more_stacks_than_are_followed_are_told_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("schema2gbnf.gbnf.match.MOST_PLACES", 70)
    (found,) = [each for each in lint(f'root ::= "x" y\ny ::= {MANY}') if each.code == "live-stacks"]
    assert "more than 70 ways to read on" in found.message
    assert (found.line, found.column) == (1, 1)


def test_every_check_has_an_example() -> None:
    assert {code for code, _, places in FOUND if places} == {check.code for check in CHECKS}


def test_findings_come_in_the_order_of_the_text() -> None:
    found = lint('root ::= x "a"{0,3000}\nz ::= root .\ny ::= y\n')
    assert [each.code for each in found] == [
        *("undefined-rule", "unbounded-count", "unreachable-rule", "dot"),
        *("unreachable-rule", "unproductive-rule", "left-recursion"),
    ]


def test_a_rule_that_cannot_be_read_makes_no_other_undefined_or_unreachable() -> None:
    found = lint("root ::= x\nx ::= y @\ny ::= z\n")
    assert [(each.code, each.line) for each in found] == [("syntax", 2), ("undefined-rule", 3)]


def test_an_error_late_in_the_text_leaves_the_rest_to_be_checked() -> None:
    rules = "\n".join(f'r{n} ::= "a" r{n + 1}' for n in range(50))
    found = lint(f'root ::= r0\n{rules}\nr50 ::= "a\n" | missing\nlast ::= )\n')
    assert [each.code for each in found if each.level == "error"] == ["undefined-rule", "syntax"]


def test_messages_say_which_rules_a_recursion_goes_through() -> None:
    (direct,) = lint('root ::= root "a" | "b"')
    assert "root is left-recursive: root → root;" in direct.message
    behind = next(
        each for each in lint('root ::= x y\nx ::= "a"*\ny ::= x root | "b"') if each.code == "left-recursion"
    )
    assert "root is left-recursive behind what may be empty: root → y → root;" in behind.message


# -- what the compiler prints ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", sorted(GRAMMARS.glob("*.gbnf")), ids=lambda path: path.stem)
def test_nothing_is_wrong_with_the_golden_grammars(path) -> None:  # type: ignore[no-untyped-def]
    assert lint(path.read_text(encoding="utf-8")) == ()


def test_nothing_is_wrong_with_grammars_of_published_schemas() -> None:
    """But that a pattern whose author made it ambiguous stays so."""
    told = []
    for case in cases(0):
        try:
            grammar = compile_schema(case.schema).gbnf
        except SchemaError:
            continue
        told += [f"{case.id}: {each}" for each in lint(grammar) if each.code != "ambiguous-neighbours"]
    assert not told


# -- size ------------------------------------------------------------------------------------------------------------


CHAIN = "\n".join(f'r{n} ::= "a"? r{n + 1}' for n in range(5_000))
HOSTILE = {
    "a long chain": f'root ::= r0\n{CHAIN}\nr5000 ::= "b"',
    "a long chain around": f'root ::= r0\n{CHAIN}\nr5000 ::= root "b" | "c"',
    "a long chain backwards": "\n".join(reversed(f'root ::= r0\n{CHAIN}\nr5000 ::= "b"'.splitlines())),
    "many alternatives": "root ::= " + " | ".join(f'"{n}"' for n in range(2_000)),
    "many empty neighbours": "root ::= " + '"a"? ' * 5_000,
    "many rules of one name": 'x ::= "a"\n' * 10_000 + "root ::= x",
    "many missing rules": "root ::= " + " ".join(f"x{n}" for n in range(2_000)),
    "many groups": "root ::= " + " ".join('(("a" | ("b" "c"*)?) [d-f])' for _ in range(2_000)),
    "deep groups": "root ::= " + ("(" * 90 + '"a"' + ")" * 90 + " ") * 100,
    "many errors": "x ::= @\n" * 10_000 + "root ::= x",
    "many classes": "root ::= " + " ".join(f"[{chr(0x4E00 + n)}-{chr(0x4E00 + 2 * n)}]" for n in range(2_500)),
    "one long literal": 'root ::= "' + "a\\n" * 200_000 + '"',
    "one open literal": 'root ::= "' + "a" * 500_000,
    "only parentheses": "(" * 200_000,
    "doubling rules": "root ::= r0\n"
    + "\n".join(f"r{n} ::= r{n + 1} r{n + 1}" for n in range(200))
    + '\nr200 ::= "a"?',
    "huge counts": "root ::= " + " ".join('("a"{0,999999999}){999999999}' for _ in range(1000)),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_grammars_are_checked_in_time(name: str) -> None:
    began = time.process_time()
    lint(HOSTILE[name])
    assert time.process_time() - began < 10


# -- the engines -----------------------------------------------------------------------------------------------------

UNSAFE = ("left-recursion", "reversed-count", "exponential-left-corners", "token-terminal")
"""Examples that may take the engine down, or that it reads."""

TAKEN_IN_ANOTHER_SENSE = (
    "duplicate-rule",
    "missing-root",
    "unproductive-rule",
    "unbounded-count",
    "endless-empty-rounds",
    "surrogate",
    "empty-class",
    "reversed-range",
)
"""Errors that the engine does not tell."""


@pytest.mark.parametrize(
    ("code", "text"),
    [(code, text) for code, text, places in FOUND if places and code not in UNSAFE + TAKEN_IN_ANOTHER_SENSE],
)
def test_the_engine_refuses_errors_and_takes_the_rest(engine: Engine, code: str, text: str) -> None:
    level = next(check.level for check in CHECKS if check.code == code)
    assert (engine.load(text) is None) == (level == "error")


LLGUIDANCE = (
    "name-start",
    "name-clash",
    "unicode-escape",
    "unportable-escape",
    "raw-control",
    "doubled-sign",
    "deep-groups",
    "zero-count",
    "token-terminal",
)
"""Warnings of what llguidance refuses."""


@pytest.mark.parametrize(("code", "text"), [(code, text) for code, text, _ in FOUND if code in LLGUIDANCE])
def test_llguidance_refuses_what_is_said_to_be_refused_there(code: str, text: str) -> None:
    reader = pytest.importorskip("llguidance.gbnf_to_lark", reason="llguidance is needed to ask its reader")
    llguidance = pytest.importorskip("llguidance", reason="llguidance is needed to ask its reader")
    try:
        read = reader.gbnf_to_lark(text)
    except Exception:
        return
    assert llguidance.LLMatcher.validate_grammar(llguidance.LLMatcher.grammar_from_lark(read)) != ""

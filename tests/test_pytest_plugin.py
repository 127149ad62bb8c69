"""The pytest plugin, in test runs of its own."""

from __future__ import annotations

import pytest

from schema2gbnf import compile_schema

pytest_plugins = ["pytester"]

TEST = """
def test_grammar(golden_grammar):
    golden_grammar({"const": CONST}, "grammars/one.gbnf", whitespace="compact")
"""
PLUGIN = ("-p", "schema2gbnf.pytest_plugin", "-p", "no:cacheprovider")


def outcome(pytester: pytest.Pytester, *arguments: str) -> pytest.RunResult:
    return pytester.runpytest_inprocess(*PLUGIN, *arguments)


def test_a_golden_grammar_is_written_on_demand_and_then_checked(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(TEST.replace("CONST", '"a"'))
    missing = outcome(pytester)
    missing.assert_outcomes(failed=1)
    missing.stdout.fnmatch_lines(["*grammars/one.gbnf: missing", "*pytest --update-golden*"])
    outcome(pytester, "--update-golden").assert_outcomes(passed=1)
    kept = pytester.path / "grammars" / "one.gbnf"
    assert kept.read_bytes() == compile_schema({"const": "a"}, whitespace="compact").gbnf.encode()
    outcome(pytester).assert_outcomes(passed=1)


def test_a_stale_grammar_fails_with_the_texts_that_make_the_difference(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(TEST.replace("CONST", '"b"'))
    kept = pytester.path / "grammars" / "one.gbnf"
    kept.parent.mkdir()
    kept.write_text(compile_schema({"const": "a"}).gbnf)
    stale = outcome(pytester)
    stale.assert_outcomes(failed=1)
    stale.stdout.fnmatch_lines(
        [
            "*grammars/one.gbnf: not what the schema becomes",
            "--- kept",
            "+++ fresh",
            'only kept accepts: "a"',
            'only fresh accepts: "b"',
        ]
    )
    assert kept.read_text() == compile_schema({"const": "a"}).gbnf
    outcome(pytester, "--update-golden").assert_outcomes(passed=1)
    outcome(pytester).assert_outcomes(passed=1)


def test_a_schema_that_is_refused_is_an_error_of_the_test(pytester: pytest.Pytester) -> None:
    pytester.makepyfile('def test_grammar(golden_grammar):\n    golden_grammar({"type": "x"}, "one.gbnf")\n')
    refused = outcome(pytester, "--update-golden")
    refused.assert_outcomes(failed=1)
    refused.stdout.fnmatch_lines(["*InvalidSchemaError*"])


def test_the_plugin_is_told_of(pytester: pytest.Pytester) -> None:
    outcome(pytester, "--help").stdout.fnmatch_lines(["*--update-golden*"])

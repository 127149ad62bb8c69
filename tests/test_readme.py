"""What the README shows and says is so."""

from __future__ import annotations

import doctest
import re
from dataclasses import fields

import pytest

from schema2gbnf import Options
from schema2gbnf.cli import VERBS, main
from tests import readme


def test_commands_and_keywords_are_what_the_readme_shows() -> None:
    assert readme.rerun() == readme.text(), "if the difference is meant, write it with: make golden"


def test_the_first_session_shows_schema_grammar_accepted_and_refused() -> None:
    before_install = readme.text().partition("## Install")[0]
    for shown in ('"type": "object"', "root ::= ", ": accepted\n", ": refused at ", " ^\n"):
        assert shown in before_install


def test_the_python_sessions_run() -> None:
    sessions = readme.python()
    assert sessions
    for session in sessions:
        example = doctest.DocTestParser().get_doctest(session, {}, "README", "README.md", 0)
        told: list[str] = []
        doctest.DocTestRunner().run(example, out=told.append)
        assert not told, "".join(told)


def test_every_option_is_in_the_table(capsys: pytest.CaptureFixture[str]) -> None:
    rows = re.findall(r"^\| `--([a-z-]+)` \| (?:`([a-z_]+)`)? ?\|", readme.text(), re.MULTILINE)
    assert {name for _, name in rows if name} == {field.name for field in fields(Options)}
    assert main(["compile", "--help"]) == 0
    offered = set(re.findall(r"--([a-z-]+)", capsys.readouterr().out))
    assert {option for option, _ in rows} == offered - {"help", "output"}


def test_every_verb_is_in_the_table() -> None:
    command_line = readme.text().partition("## Command line")[2].partition("## Library")[0]
    rows = re.findall(r"^\| `([a-z][a-z-]*)`.*\|$", command_line, re.MULTILINE)
    assert set(rows) == set(VERBS)

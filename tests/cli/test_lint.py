"""The verb that lints: forms of its findings, and its exit status."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from schema2gbnf.cli import main

Console = pytest.CaptureFixture[str]

WRONG = "root ::= x\n  # y\ny ::= .\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("wrong.gbnf").write_text(WRONG, newline="\n")
    Path("warned.gbnf").write_text("root ::= .", newline="\n")
    Path("right.gbnf").write_text('root ::= "a"', newline="\n")


def test_findings_are_lines_with_file_and_place(capsys: Console) -> None:
    assert main(["lint", "wrong.gbnf", "right.gbnf"]) == 1
    out, err = capsys.readouterr()
    assert err == ""
    assert [line.split(": ")[:3] for line in out.splitlines()] == [
        ["wrong.gbnf:1:10", "error", "undefined-rule"],
        ["wrong.gbnf:3:1", "warning", "unreachable-rule"],
        ["wrong.gbnf:3:7", "warning", "dot"],
    ]


@pytest.mark.parametrize("form", ["text", "github"])
def test_nothing_found_is_nothing_printed(form: str, capsys: Console) -> None:
    assert main(["lint", "right.gbnf", "--format", form]) == 0
    assert capsys.readouterr() == ("", "")


def test_findings_as_json(capsys: Console) -> None:
    assert main(["lint", "wrong.gbnf", "--format", "json"]) == 1
    first, *_ = json.loads(capsys.readouterr().out)
    assert first.pop("message").startswith("the rule x is not defined")
    assert first == {"file": "wrong.gbnf", "line": 1, "column": 10, "level": "error", "code": "undefined-rule"}
    assert main(["lint", "right.gbnf", "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out) == []


def test_findings_as_annotations_of_a_workflow(capsys: Console) -> None:
    Path("a,b:%.gbnf").write_text('root ::= "%41" "c"{3,2}')
    assert main(["lint", "a,b:%.gbnf", "--format", "github"]) == 1
    assert capsys.readouterr().out == (
        "::error file=a%2Cb%3A%25.gbnf,line=1,col=19,title=reversed-count::this count runs backwards; write {2,3}\n"
    )


def test_warnings_leave_the_exit_status_alone(capsys: Console) -> None:
    assert main(["lint", "warned.gbnf"]) == 0
    assert "warning: dot" in capsys.readouterr().out


def test_checks_can_be_left_out(capsys: Console) -> None:
    assert main(["lint", "wrong.gbnf", "--ignore", "undefined-rule", "--ignore", "dot"]) == 0
    assert capsys.readouterr().out.count("\n") == 1
    assert main(["lint", "wrong.gbnf", "--ignore", "nothing"]) == 2


def test_a_file_that_cannot_be_read_leaves_the_others_linted(capsys: Console) -> None:
    Path("broken.gbnf").write_bytes(b"\xff")
    assert main(["lint", "missing.gbnf", "wrong.gbnf", "broken.gbnf"]) == 2
    out, err = capsys.readouterr()
    assert out.count("\n") == 3
    assert [line.split(": ")[0] for line in err.splitlines()] == ["missing.gbnf", "broken.gbnf"]

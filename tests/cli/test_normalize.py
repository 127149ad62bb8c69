"""The verb `normalize`: what it writes, what it tells, and with which exit status it ends."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from schema2gbnf.cli import main

LOST = {"type": "object", "properties": {"x": {"$ref": "#/$defs/gone"}, "y": {"type": "number", "minimum": 0.10}}}
TOOL = {"name": "f", "inputSchema": LOST}


@pytest.fixture
def file(tmp_path: Path) -> Any:
    def write(value: Any) -> str:
        path = tmp_path / "given.json"
        path.write_text(value if isinstance(value, str) else json.dumps(value))
        return str(path)

    return write


def test_a_tool_list_goes_out_as_it_came(file: Any, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["normalize", file({"tools": [TOOL], "nextCursor": "c"})]) == 0
    out, err = capsys.readouterr()
    assert json.loads(out)["nextCursor"] == "c"
    assert "given.json: f: /properties/x: ref-dangling: loosened" in err
    assert "given.json: f: /properties/y: number-range: unenforced" in err


def test_a_single_tool_and_a_schema(file: Any, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["normalize", file(TOOL)]) == 0
    assert json.loads(capsys.readouterr().out)["name"] == "f"
    assert main(["normalize", file({"type": "string", "maxLength": 9000})]) == 0
    assert json.loads(capsys.readouterr().out) == {"type": "string"}
    assert main(["normalize", "--shape", "schema", file({"tools": []})]) == 0


def test_standard_input_is_the_default(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    text = '{"type": "array", "items": {}, "minItems": 0.0}'
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    assert main(["normalize", "--target", "xgrammar", "--indent", "-1"]) == 0
    assert capsys.readouterr().out == text + "\n"


def test_the_report_is_lines_of_json(file: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    report = tmp_path / "report"
    assert main(["normalize", file([TOOL]), "--report", str(report), "-o", str(tmp_path / "out")]) == 0
    events = [json.loads(line) for line in report.read_text().splitlines()]
    assert [(event["tool"], event["kind"]) for event in events] == [("f", "ref-dangling"), ("f", "number-range")]
    assert main(["normalize", file([TOOL]), "--report", "-"]) == 0
    assert [json.loads(line) for line in capsys.readouterr().err.splitlines()[-2:]] == events


def test_the_difference_on_request(file: Any, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["normalize", "--diff", file({"type": "string", "maxLength": 9000})]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert '-  "maxLength": 9000' in lines
    assert lines[1] == "+++ normalized"
    assert main(["normalize", "--diff", file({"type": "string"})]) == 0
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize(
    ("arguments", "status"),
    [
        ([], 0),
        (["--fail-on", "loosened"], 1),
        (["--fail-on", "unenforced"], 1),
        (["--fail-on", "error"], 0),
        (["--strict=number-range"], 2),
        (["--strict=format,not"], 0),
        (["--no-repair-zod", "--explicit-open", "--max-repetition", "3"], 0),
    ],
)
def test_exit_status(file: Any, arguments: list[str], status: int) -> None:
    assert main(["normalize", file(LOST), *arguments]) == status


def test_strict_without_kinds_may_stand_before_the_file(file: Any, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["normalize", "--strict", file(LOST)]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert "/properties/x: ref-dangling: error" in err
    assert main(["normalize", "--strict", file({"type": "string"})]) == 0


@pytest.mark.parametrize(
    ("given", "arguments", "complaint"),
    [
        ("{", [], "not JSON"),
        ({"type": "strng"}, [], "/type: invalid-schema: error: unknown type 'strng'"),
        ({"allOf": [{"type": "string"}, {"type": "null"}]}, [], "unsatisfiable"),
        ({}, ["--target", "nobody"], "--target: there is no target 'nobody'"),
        ({}, ["--target", "./gone.json"], "gone.json"),
        ({}, ["--strict=nothing"], "no events of the kind 'nothing'"),
    ],
)
def test_what_cannot_be_done_is_told(
    file: Any, capsys: pytest.CaptureFixture[str], given: Any, arguments: list[str], complaint: str
) -> None:
    assert main(["normalize", file(given), *arguments]) == 2
    assert complaint in capsys.readouterr().err

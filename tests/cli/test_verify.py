"""The verb that tries a grammar against its schema."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from schema2gbnf.cli import main
from tests.engine import require_engine

SCHEMA = {"type": "object", "properties": {"age": {"type": "integer", "minimum": 0, "maximum": 9}}, "required": ["age"]}
GBNF = 'root ::= "{\\"age\\": " [0-9] "}"\n'
WRONG = 'root ::= "{\\"age\\": " ([0-9] | "10") "}"\n'

Console = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("schema.json").write_text(json.dumps(SCHEMA), encoding="utf-8")
    Path("right.gbnf").write_text(GBNF, encoding="utf-8")
    Path("wrong.gbnf").write_text(WRONG, encoding="utf-8")


def verified(*arguments: str) -> int:
    return main(["verify", "schema.json", "-q", "--samples", "20", "--whitespace", "spaced", *arguments])


def test_the_compilers_own_grammar(capsys: Console) -> None:
    assert verified() == 0
    out, err = capsys.readouterr()
    assert err == ""
    assert out.startswith("schema.json: 20 sentences, ")
    assert out.endswith(" read by own\nschema.json: no counterexample\n") or "of these" in out


def test_a_right_grammar_in_a_file(capsys: Console) -> None:
    assert verified("--grammar", "right.gbnf") == 0


def test_a_wrong_grammar_in_a_file(capsys: Console) -> None:
    assert verified("--grammar", "wrong.gbnf") == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[:3] == [
        "schema.json: #/properties/age: maximum: the grammar accepts a text that the schema refuses (own)",
        '    {"age": 10}',
        "    #/age: 10 is greater than the maximum of 9",
    ]
    assert lines[-1] == "schema.json: 1 counterexample"


def test_the_report_as_json(capsys: Console) -> None:
    assert verified("--grammar", "wrong.gbnf", "--format", "json") == 1
    report = json.loads(capsys.readouterr().out)
    assert report["ok"] is False
    assert report["engines"] == ["own"]
    assert report["counts"]["sentences"] == 20
    (example,) = report["counterexamples"]
    assert (example["kind"], example["text"], example["pointer"]) == ("false accept", '{"age": 10}', "#/properties/age")


def test_both_engines(capsys: Console) -> None:
    require_engine()
    assert verified("--engine", "both") == 0
    assert "read by own and llama.cpp" in capsys.readouterr().out


def test_the_seed_chooses(capsys: Console) -> None:
    reports = []
    for seed in ("1", "1"):
        verified("--grammar", "wrong.gbnf", "--seed", seed, "--format", "json")
        reports.append(capsys.readouterr().out)
    assert reports[0] == reports[1]


def test_findings_are_told_unless_quiet(capsys: Console) -> None:
    assert main(["verify", "schema.json", "--samples", "5"]) == 0
    assert capsys.readouterr().err.startswith("schema.json: #: additionalProperties: narrowed: ")


def test_standard_input(capsys: Console, monkeypatch: pytest.MonkeyPatch) -> None:
    import io

    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b'{"const": "a"}')))
    assert main(["verify", "-", "--samples", "5"]) == 0
    assert capsys.readouterr().out.startswith("<stdin>: 5 sentences")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nothing.json"], "nothing.json: No such file"),
        (["schema.json", "--grammar", "nothing.gbnf"], "nothing.gbnf: No such file"),
        (["schema.json", "--model", "nothing.gguf"], "nothing.gguf: No such file"),
        (["bad.json"], "bad.json: #: type: "),
        (["schema.json", "--raw-pattern"], "schema.json: texts with raw patterns are no JSON"),
        (["schema.json", "--samples", "0"], "schema2gbnf verify: argument --samples"),
        (["schema.json", "--engine", "xgrammar"], "schema2gbnf verify: argument --engine"),
    ],
)
def test_what_cannot_be_run(arguments: list[str], message: str, capsys: Console) -> None:
    Path("bad.json").write_text('{"type": "x"}')
    assert main(["verify", *arguments]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(message)


def test_a_missing_extra_is_named(capsys: Console, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("schema2gbnf.extras.find_spec", lambda name: None)
    assert verified() == 2
    assert "pip install 'schema2gbnf[verify]'" in capsys.readouterr().err


def test_a_missing_engine_is_named(capsys: Console, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("schema2gbnf.extras.find_spec", lambda name: None if name == "gguf" else name)
    assert verified("--engine", "llama.cpp") == 2
    assert "pip install 'schema2gbnf[engine]'" in capsys.readouterr().err

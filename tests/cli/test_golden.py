"""The verb for golden grammars: stale, edited, missing and orphaned files are told with their meaning, and written."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from schema2gbnf import compile_schema
from schema2gbnf.cli import main

Console = pytest.CaptureFixture[str]

SCHEMA = {"type": "object", "properties": {"a": {"type": "string", "maxLength": 3}}, "required": ["a"]}
TABLE = '[tool.schema2gbnf]\nwhitespace = "compact"\ngolden = [{ schema = "s/*.json", grammar = "g/*.gbnf" }]\n'


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Console) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("pyproject.toml").write_text(TABLE)
    Path("s").mkdir()
    Path("s/order.json").write_text(json.dumps(SCHEMA))
    assert main(["golden", "update"]) == 0
    assert capsys.readouterr() == ("g/order.gbnf: updated\n", "")
    return tmp_path


def test_what_is_written_is_what_the_schema_becomes_and_passes(capsys: Console) -> None:
    assert Path("g/order.gbnf").read_bytes() == compile_schema(SCHEMA, whitespace="compact").gbnf.encode()
    assert main(["golden", "check"]) == 0
    assert main(["golden", "update"]) == 0
    assert capsys.readouterr() == ("", "")


def test_a_schema_that_changed_is_told_with_the_texts_that_it_lets_in(capsys: Console) -> None:
    Path("s/order.json").write_text(json.dumps(SCHEMA).replace("3", "4"))
    assert main(["golden", "check"]) == 1
    out, err = capsys.readouterr()
    assert err == ""
    assert out.startswith("g/order.gbnf: not what the schema becomes\n--- kept\n+++ fresh\n")
    assert "only kept accepts: no text\n" in out
    assert 'only fresh accepts: {"a":"aaaa"}\n    kept: refused at 1:10\n' in out
    assert main(["golden", "update"]) == 0
    assert main(["golden", "check"]) == 0


def test_an_edited_grammar_is_told_with_the_texts_that_it_lets_in(capsys: Console) -> None:
    kept = Path("g/order.gbnf")
    edited = kept.read_text().replace('"}"', '("}" | "]")')
    assert edited != kept.read_text()
    kept.write_text(edited)
    assert main(["golden", "check"]) == 1
    assert 'only kept accepts: {"a":""]\n    fresh: refused at 1:8\n' in capsys.readouterr().out


def test_an_edit_without_meaning_is_told_as_such(capsys: Console) -> None:
    kept = Path("g/order.gbnf")
    kept.write_text(f"# mine\n{kept.read_text()}")
    assert main(["golden", "check"]) == 1
    out = capsys.readouterr().out
    assert "-# mine\n" in out
    assert out.endswith("both accept the same texts\n")


@pytest.mark.parametrize("content", [b"root = 1", b"\xff\xfe", b"", b'root ::= root "a" | "b"'])
def test_a_kept_file_that_is_no_grammar_is_stale(content: bytes, capsys: Console) -> None:
    Path("g/order.gbnf").write_bytes(content)
    assert main(["golden", "check"]) == 1
    assert "the kept grammar cannot be read: " in capsys.readouterr().out
    assert main(["golden", "update"]) == 0
    assert main(["golden", "check"]) == 0


def test_missing_grammars_are_told(capsys: Console) -> None:
    Path("s/other.json").write_text("true")
    assert main(["golden", "check"]) == 1
    assert capsys.readouterr().out == "g/other.gbnf: missing\n"


def test_orphans_are_told_and_only_removed_on_demand(capsys: Console) -> None:
    Path("g/old.gbnf").write_text('root ::= "a"')
    for command in (["check"], ["update"], ["check", "--prune"]):
        assert main(["golden", *command]) == 1
        assert capsys.readouterr().out == "g/old.gbnf: no schema becomes this grammar\n"
    assert main(["golden", "update", "--prune"]) == 0
    assert not Path("g/old.gbnf").exists()
    assert Path("g/order.gbnf").exists()


def test_a_schema_that_is_refused_is_told_and_the_others_are_checked(capsys: Console) -> None:
    Path("s/a.json").write_text('{"type": "x"}')
    Path("s/z.json").write_text("true")
    assert main(["golden", "check"]) == 1
    first, second = capsys.readouterr().out.splitlines()
    assert first.startswith("s/a.json: #: type: ")
    assert second == "g/z.gbnf: missing"
    assert main(["golden", "update"]) == 1
    assert Path("g/z.gbnf").exists()


def test_folders_are_named_and_each_has_its_table(folder: Path, capsys: Console, tmp_path_factory) -> None:  # type: ignore[no-untyped-def]
    other = tmp_path_factory.mktemp("other")
    (other / "pyproject.toml").write_text('[tool.schema2gbnf]\ngolden = [{ schema = "t.json" }]\n')
    (other / "t.json").write_text("true")
    assert main(["golden", "check", "s", str(other)]) == 1
    assert capsys.readouterr().out == f"{other}/t.gbnf: missing\n"


@pytest.mark.parametrize("table", ["", "[tool.schema2gbnf]\ngolden = 1\n", "["])
def test_without_a_table_that_can_be_read_nothing_is_checked(table: str, capsys: Console) -> None:
    Path("pyproject.toml").write_text(table)
    assert main(["golden", "check"]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("schema2gbnf golden: ")


def test_a_place_that_cannot_be_written_is_told(capsys: Console) -> None:
    Path("s/other.json").write_text("true")
    Path("g/other.gbnf").mkdir()
    assert main(["golden", "update"]) == 2
    assert capsys.readouterr().err.startswith(".: ")

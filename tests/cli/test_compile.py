"""The verb that compiles: its output, its messages, its exit status, and no traceback for any input."""

from __future__ import annotations

import io
import json
import os
import stat
import sys
from pathlib import Path
from typing import Any

import pytest

from schema2gbnf import compile_schema
from schema2gbnf.cli import main

YES_OR_NO = {"enum": ["yes", "no"]}
CLOSED = {"type": "object", "properties": {"a": {"type": "null"}, "b": {"type": "null"}}}
FREE_SET = {"type": "array", "items": {"type": "string"}, "uniqueItems": True}

Console = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def written(schema: Any, name: str = "schema.json") -> str:
    Path(name).write_text(json.dumps(schema), encoding="utf-8")
    return name


def fed(monkeypatch: pytest.MonkeyPatch, data: bytes) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data), encoding="ascii"))


@pytest.mark.parametrize("verb", [[], ["compile"]])
def test_the_grammar_goes_to_standard_output(verb: list[str], capsys: Console) -> None:
    assert main([*verb, written(YES_OR_NO)]) == 0
    assert capsys.readouterr() == (compile_schema(YES_OR_NO).gbnf, "")


def test_a_dash_is_standard_input(monkeypatch: pytest.MonkeyPatch, capsys: Console) -> None:
    fed(monkeypatch, '{"const": "é"}'.encode())
    assert main(["-"]) == 0
    assert capsys.readouterr() == (compile_schema({"const": "é"}).gbnf, "")


def test_findings_go_to_standard_error_with_file_pointer_keyword_and_kind(capsys: Console) -> None:
    assert main([written(FREE_SET)]) == 0
    out, err = capsys.readouterr()
    assert out == compile_schema(FREE_SET).gbnf
    assert err.startswith("schema.json: #: uniqueItems: loosened: ")
    assert err.count("\n") == 1
    assert main([written(FREE_SET), "--quiet"]) == 0
    assert capsys.readouterr() == (out, "")


OPTIONS: list[tuple[str, Any, str]] = [
    ("additional_properties", "spec", "--additional-properties spec"),
    ("whitespace", "compact", "--whitespace compact"),
    ("order", "any", "--order any"),
    ("formats", "annotate", "--formats annotate"),
    ("default_dialect", "draft4", "--default-dialect draft4"),
    ("prop_order", ("b", "a"), "--prop-order b,a"),
    ("nullable", True, "--nullable"),
    ("dotall", True, "--dotall"),
    ("raw_pattern", True, "--raw-pattern"),
    ("integral_digits", 5, "--integral-digits 5"),
    ("fraction_digits", 5, "--fraction-digits 5"),
]
TELLING = {
    "type": "object",
    "properties": {
        "a": {"type": "string", "format": "date"},
        "b": {"type": "string", "nullable": True, "pattern": "^.$"},
        "c": {"type": "number", "minimum": 0, "exclusiveMinimum": True},
    },
}
"""A schema whose grammar every option changes; without the option for the dialect it is not even a schema."""


@pytest.mark.parametrize(("field", "value", "arguments"), OPTIONS, ids=[option[0] for option in OPTIONS])
def test_an_option_of_the_library_is_one_of_the_command(
    field: str, value: Any, arguments: str, capsys: Console
) -> None:
    draft4 = {"default_dialect": "draft4"}
    assert main([written(TELLING), "-q", *arguments.split(), "--default-dialect", "draft4"]) == 0
    out = capsys.readouterr().out
    assert out == compile_schema(TELLING, **{**draft4, field: value}).gbnf
    if field == "default_dialect":
        assert main([written(TELLING)]) == 1
    else:
        assert out != compile_schema(TELLING, **draft4).gbnf


def test_strict_refuses_what_would_be_loosened(capsys: Console) -> None:
    assert main([written(FREE_SET), "--strict"]) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("schema.json: #: uniqueItems: ")


def test_documents_are_given_by_uri(capsys: Console) -> None:
    written(YES_OR_NO, "answer.json")
    written({"type": "null"}, "other.json")
    schema = written({"prefixItems": [{"$ref": "https://a.example/x?y=z"}, {"$ref": "urn:o"}]})
    given = ["--document", "https://a.example/x?y=z=answer.json", "--document", "urn:o=other.json"]
    assert main([schema, *given]) == 0
    assert '"yes' in capsys.readouterr().out
    assert main([schema]) == 1
    assert capsys.readouterr().err.startswith("schema.json: #/prefixItems/0: $ref: ")


def test_references_find_files_beside_the_schema(capsys: Console) -> None:
    written(YES_OR_NO, "answer.json")
    assert main([written({"$ref": "answer.json"})]) == 0


def test_limits_are_options(capsys: Console) -> None:
    schema = written({"not": {"not": {"type": "null"}}})
    assert main([schema, "--limit", "depth=100", "--limit", "bytes=1000"]) == 0
    assert main([schema, "--limit", "depth=2"]) == 1
    assert "deeper than 2" in capsys.readouterr().err


# -- the output file ---------------------------------------------------------------------------------------------------


def test_the_output_file_holds_the_grammar_and_nothing_stays_beside_it(tmp_path: Path, capsys: Console) -> None:
    before = {*os.listdir(), "schema.json", "out.gbnf"}
    assert main([written({"const": "é"}), "-o", "out.gbnf"]) == 0
    assert Path("out.gbnf").read_bytes().decode() == compile_schema({"const": "é"}).gbnf
    assert set(os.listdir()) == before
    assert capsys.readouterr().out == ""


def test_an_output_file_outlives_a_refused_schema() -> None:
    Path("out.gbnf").write_text("before")
    assert main([written({"type": "nothing"}), "-o", "out.gbnf"]) == 1
    assert Path("out.gbnf").read_text() == "before"


def test_a_replaced_file_keeps_its_mode_and_a_link_stays_a_link() -> None:
    Path("real.gbnf").write_text("before")
    Path("real.gbnf").chmod(0o640)
    Path("link.gbnf").symlink_to("real.gbnf")
    assert main([written(YES_OR_NO), "-o", "link.gbnf"]) == 0
    assert Path("link.gbnf").is_symlink()
    assert Path("real.gbnf").read_text() == compile_schema(YES_OR_NO).gbnf
    assert stat.S_IMODE(Path("real.gbnf").stat().st_mode) == 0o640


def test_a_pipe_is_written_to_and_not_replaced() -> None:
    os.mkfifo("pipe")
    reader = os.open("pipe", os.O_RDWR | os.O_NONBLOCK)
    try:
        assert main([written(YES_OR_NO), "-o", "pipe"]) == 0
        assert stat.S_ISFIFO(os.stat("pipe").st_mode)
        assert os.read(reader, 1 << 16).decode() == compile_schema(YES_OR_NO).gbnf
    finally:
        os.close(reader)


def test_a_failing_write_leaves_nothing_behind(monkeypatch: pytest.MonkeyPatch, capsys: Console) -> None:
    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    assert main([written(YES_OR_NO), "-o", "out.gbnf"]) == 2
    assert capsys.readouterr().err == "out.gbnf: No space left on device\n"
    assert os.listdir() == ["schema.json"]


@pytest.mark.parametrize("place", ["missing/out.gbnf", ".", "schema.json/out.gbnf", "o" * 300])
def test_an_output_that_cannot_be_written_is_told(place: str, capsys: Console) -> None:
    assert main([written(YES_OR_NO), "-o", place]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(f"{place}: ")
    assert err.count("\n") == 1


# -- bad input ---------------------------------------------------------------------------------------------------------

REFUSED = {
    "nothing": (b"", "#: not JSON: "),
    "no JSON": (b"{,}", "#: not JSON: "),
    "a grammar": (b'root ::= "a"', "#: not JSON: "),
    "a string": (b'"schema"', "#: a schema is "),
    "an array": (b"[]", "#: a schema is "),
    "no UTF-8": (b'{"const": "\xff"}', "#: not JSON: byte 0xff at offset 11"),
    "binary": (bytes(range(256)), "#: not JSON: "),
    "NaN": (b'{"const": NaN}', "#: not JSON: NaN"),
    "a name twice": (b'{"type": "null", "type": "string"}', "#: the member name 'type' stands twice"),
    "an unknown type": (b'{"items": {"type": "int"}}', "#/items: type: unknown type 'int'; did you mean 'integer'?"),
    "a wrong keyword": (b'{"maxLength": "3"}', "#: maxLength: "),
    "a dangling reference": (b'{"items": {"$ref": "#/$defs/x"}}', "#/items: $ref: "),
    "a loop of references": (b'{"$ref": "#"}', "#: $ref: "),
    "a file outside": (b'{"$ref": "../secret.json"}', "#: $ref: "),
    "no fetching": (b'{"$ref": "https://a.example/b.json"}', "#: $ref: "),
    "a broken pattern": (b'{"pattern": "(a"}', "#: pattern: "),
    "crossed bounds": (b'{"type": "string", "minLength": 4, "maxLength": 3}', "#: no value satisfies the schema"),
    "no value": (b"false", "#: the schema is false"),
    "nesting": (b"[" * 100_000 + b"]" * 100_000, "#: the text is nested deeper than"),
    "open nesting": (b'{"not":' * 100_000, "#: the text is nested deeper than"),
    "50 MB": (b" " * (50 << 20), "#: the text is "),
    "a long number": (b'{"const": ' + b"9" * 100_000 + b"}", "#: a number of more than"),
}


@pytest.mark.parametrize("case", REFUSED)
@pytest.mark.parametrize("by", ["file", "stream"])
def test_a_bad_schema_is_told_in_one_line(case: str, by: str, monkeypatch: pytest.MonkeyPatch, capsys: Console) -> None:
    data, message = REFUSED[case]
    if by == "file":
        Path("schema.json").write_bytes(data)
    else:
        fed(monkeypatch, data)
    assert main(["schema.json" if by == "file" else "-", "-o", "out.gbnf"]) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(f"{'schema.json' if by == 'file' else '<stdin>'}: {message}")
    assert err.count("\n") == 1
    assert not Path("out.gbnf").exists()


@pytest.mark.parametrize("name", ["missing.json", ".", "missing/schema.json", "x" * 300])
def test_a_file_that_cannot_be_read_is_told_in_one_line(name: str, capsys: Console) -> None:
    assert main(["compile", name]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(f"{name}: ")
    assert err.count("\n") == 1


def test_an_unknown_dialect_is_a_finding(capsys: Console) -> None:
    assert main([written({"$schema": "https://a.example/dialect", "const": 1})]) == 0
    assert capsys.readouterr().err.startswith("schema.json: #: $schema: ignored: ")


@pytest.mark.parametrize(
    "arguments",
    [
        "",
        "compile",
        "compile a.json b.json",
        "a.json --whitespace none",
        "a.json --default-dialect draft5",
        "a.json --document a.json",
        "a.json --document =a.json",
        "a.json --limit depth",
        "a.json --limit depth=-1",
        "a.json --limit colour=3",
        "a.json --integral-digits 0",
        "a.json --unheard-of",
        "a.json --stric",
        "sample a.json -n 0",
        "sample a.json -n x",
    ],
)
def test_a_mistaken_command_is_told_in_one_line(arguments: str, capsys: Console) -> None:
    assert main(arguments.split()) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("schema2gbnf")
    assert err.count("\n") == 1


@pytest.mark.parametrize("argument", ["--help", "--version", "compile --help", "match --help", "sample --help"])
def test_help_and_version_go_to_standard_output(argument: str, capsys: Console) -> None:
    assert main(argument.split()) == 0
    out, err = capsys.readouterr()
    assert out
    assert err == ""


def test_stats_tell_the_cost_beside_the_grammar(capsys: Console) -> None:
    gbnf = compile_schema(YES_OR_NO).gbnf
    assert main([written(YES_OR_NO), "--stats"]) == 0
    out, err = capsys.readouterr()
    assert out == gbnf
    assert err.startswith(f"schema.json: {len(gbnf)} bytes, {gbnf.count('::=')} rules, ")
    assert main(["--stats", "--json", written(YES_OR_NO)]) == 0
    out, err = capsys.readouterr()
    figures = json.loads(err)
    assert (out, figures["bytes"], figures["readings"]["most"]) == (gbnf, len(gbnf), 1)

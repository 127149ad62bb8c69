"""`schema2gbnf tools`: a tool list in, a grammar or the members of a request out."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from schema2gbnf.cli import main
from schema2gbnf.gbnf import parse
from schema2gbnf.gbnf.match import Matcher
from schema2gbnf.toolcalls.grammar import compile_tools

TOOLS = [
    {"type": "function", "function": {"name": "add", "parameters": {"properties": {"n": {"type": "integer"}}}}},
    {"name": "now", "input_schema": {"type": "object", "properties": {}}},
]
BAD = {"name": "bad", "inputSchema": {"properties": {"v": {"$ref": "#/gone"}}}}


@pytest.fixture
def tools(tmp_path: Path) -> str:
    return written(tmp_path, TOOLS)


def written(folder: Path, tools: object) -> str:
    path = folder / "tools.json"
    path.write_text(json.dumps(tools), encoding="utf-8")
    return str(path)


def test_a_grammar_is_written(tools: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tools", tools, "--format", "glm47", "--tool-choice", "add"]) == 0
    out, err = capsys.readouterr()
    assert out == compile_tools(TOOLS, "glm47", tool_choice="add").gbnf
    assert f"{tools}: add: #/0/function/parameters: additionalProperties: narrowed" in err
    assert Matcher(parse(out)).accepts("<tool_call>add<arg_key>n</arg_key><arg_value>7</arg_value></tool_call>")


def test_a_request_is_written(tools: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tools", tools, "--format", "hermes", "--parallel", "--json", "-q"]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    assert json.loads(out) == compile_tools(TOOLS, "hermes", parallel=True).server_fields()
    assert main(["tools", tools, "--format", "hermes", "--parallel", "--json", "--turn", "full", "-q"]) == 0
    full = json.loads(capsys.readouterr().out)
    assert full == compile_tools(TOOLS, "hermes", parallel=True).server_fields(lazy=False)


def test_a_lazy_grammar_is_written(tools: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tools", tools, "--format", "qwen3_coder", "--turn", "lazy", "-q"]) == 0
    assert capsys.readouterr().out == compile_tools(TOOLS, "qwen3_coder").lazy_gbnf


def test_a_choice_is_a_word_a_name_or_an_object(tools: str, capsys: pytest.CaptureFixture[str]) -> None:
    for choice in ("add", '{"type": "function", "function": {"name": "add"}}', '{"type": "tool", "name": "add"}'):
        assert main(["tools", tools, "--format", "harmony", "--tool-choice", choice, "-q"]) == 0
        assert capsys.readouterr().out == compile_tools(TOOLS, "harmony", tool_choice="add").gbnf
    assert main(["tools", tools, "--format", "harmony", "--tool-choice", "none", "-q"]) == 0
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize(
    ("arguments", "status", "says"),
    [
        (["--format", "hermes", "--tool-choice", "subtract"], 1, "'subtract' is no tool of the list"),
        (["--format", "hermes", "--tool-choice", "{"], 2, "--tool-choice"),
        (["--format", "xml"], 2, "invalid choice: 'xml'"),
        ([], 2, "--format"),
    ],
)
def test_a_mistake_is_told(
    tools: str, arguments: list[str], status: int, says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["tools", tools, *arguments]) == status
    assert says in capsys.readouterr().err


def test_a_faulty_tool_is_refused_dropped_or_loosened(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = written(tmp_path, [*TOOLS, BAD])
    command = ["tools", path, "--format", "hermes"]
    assert main(command) == 1
    assert f"{path}: #/2/inputSchema/properties/v: $ref: tool 'bad': " in capsys.readouterr().err
    for on_error, there in (("drop", False), ("loosen", True)):
        assert main([*command, "--on-error", on_error]) == 0
        out, err = capsys.readouterr()
        assert ('\\"bad\\"' in out or "bad" in out) is there
        assert f"{path}: bad: #/2/inputSchema/properties/v: $ref: " in err


def test_a_list_that_is_none_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tools", written(tmp_path, 5), "--format", "hermes"]) == 1
    assert "expected a list of tools" in capsys.readouterr().err
    assert main(["tools", str(tmp_path / "absent.json"), "--format", "hermes"]) == 2

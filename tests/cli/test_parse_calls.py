"""The verb that reads tool calls."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest

from schema2gbnf.cli import main

TOOLS = [{"name": "add", "inputSchema": {"properties": {"n": {"type": "integer"}, "s": {"type": "string"}}}}]
TEXT = "Sure. <tool_call>add<arg_key>n</arg_key><arg_value>10</arg_value></tool_call>"

Console = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("tools.json").write_text(json.dumps(TOOLS), encoding="utf-8")


def parsed(text: str, *more: str, tools: str = "tools.json") -> int:
    return main(["parse-calls", "--format", "glm47", "--tools", tools, *more, text])


def test_the_calls_of_a_text_are_printed(capsys: Console) -> None:
    assert parsed(TEXT) == 0
    out, err = capsys.readouterr()
    assert json.loads(out) == {
        "calls": [{"name": "add", "arguments": {"n": 10}, "complete": True}],
        "content": "Sure. ",
    }
    assert err == ""


def test_the_text_may_come_from_a_file_or_a_stream(capsys: Console, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("text").write_text(TEXT, encoding="utf-8")
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(TEXT.encode())))
    assert parsed("text") == parsed("-") == 0
    first, second = capsys.readouterr().out.split("}\n{")
    assert first + "}" == "{" + second.rstrip("\n")


def test_deltas_are_told_line_by_line(capsys: Console) -> None:
    assert parsed(TEXT, "--stream", "4") == 0
    *deltas, result = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert "".join(delta["content"] for delta in deltas if "content" in delta) == "Sure. "
    calls = [call for delta in deltas for call in delta.get("tool_calls", ())]
    assert calls[0] == {
        "index": 0,
        "id": "call_0",
        "type": "function",
        "function": {"name": "add", "arguments": ""},
    }
    assert json.loads("".join(call["function"]["arguments"] for call in calls)) == result["calls"][0]["arguments"]


def test_events_are_told(capsys: Console) -> None:
    assert parsed(TEXT.replace("10", "ten")) == 0
    assert capsys.readouterr().err == "text: add: n: inadmissible: the schema admits no reading of the text\n"


@pytest.mark.parametrize(("text", "more"), [("<none>", ()), (TEXT[:-20], ()), (TEXT[:-12], ("--finish", "length"))])
def test_no_call_or_one_that_is_cut_off_is_a_no(text: str, more: tuple[str, ...], capsys: Console) -> None:
    assert parsed(text, *more) == 1
    assert all(not call["complete"] for call in json.loads(capsys.readouterr().out)["calls"])


def test_a_call_of_an_unknown_tool_may_stay_text(capsys: Console) -> None:
    text = TEXT.replace("add", "sub")
    assert parsed(text) == 0
    assert capsys.readouterr().err.startswith("text: sub: unknown-tool: ")
    assert parsed(text, "--unknown-tool", "text") == 1
    assert json.loads(capsys.readouterr().out) == {"calls": [], "content": text}


@pytest.mark.parametrize(
    ("tools", "message"),
    [
        ("[", "bad.json: #: not JSON: "),
        ('[{"name": 1}]', "bad.json: #/0: name: expected a name, found a number"),
    ],
)
def test_a_bad_tool_list_is_told(tools: str, message: str, capsys: Console) -> None:
    Path("bad.json").write_text(tools, encoding="utf-8")
    assert parsed(TEXT, tools="bad.json") == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(message)


def test_a_missing_text_is_told(capsys: Console) -> None:
    assert parsed("nothing") == 2
    assert capsys.readouterr() == ("", "nothing: No such file or directory\n")


@pytest.mark.parametrize(("untyped", "value"), [("json", 10), ("containers", "10")])
def test_what_no_schema_speaks_of_is_read_as_wanted(untyped: str, value: object, capsys: Console) -> None:
    Path("tools.json").write_text(json.dumps([{"name": "add", "inputSchema": {"properties": {"n": {}}}}]))
    assert parsed(TEXT, "--untyped", untyped) == 0
    assert json.loads(capsys.readouterr().out)["calls"][0]["arguments"] == {"n": value}


def test_the_older_layout_has_a_name_of_its_own(capsys: Console) -> None:
    text = "<tool_call>add\n<arg_key>n</arg_key>\n<arg_value>10</arg_value>\n</tool_call>"
    assert main(["parse-calls", "--format", "glm45", "--tools", "tools.json", text]) == 0
    assert json.loads(capsys.readouterr().out)["calls"][0]["arguments"] == {"n": 10}

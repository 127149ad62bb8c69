"""The verb that compares grammars and schemas: what it prints, and its exit status."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from schema2gbnf.cli import main

Console = pytest.CaptureFixture[str]


def schema(**more: Any) -> dict[str, Any]:
    properties = {"answer": {"enum": ["yes", "no"]}, **more}
    return {"type": "object", "properties": properties, "required": ["answer"], "additionalProperties": False}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("old.json").write_text(json.dumps(schema()))
    Path("new.json").write_text(json.dumps(schema(count={"type": "integer", "minimum": 0, "maximum": 7})))
    Path("a.gbnf").write_text('root ::= "a" x # one\n# two\nx ::= "b"{1,3}\n')
    Path("b.gbnf").write_text('root ::= "a" y\ny ::= "b"{1,3}\n')


def test_a_schema_with_one_property_more(capsys: Console) -> None:
    assert main(["diff", "old.json", "new.json", "--whitespace", "compact"]) == 0
    assert capsys.readouterr() == (
        """changed:
- root ::= "{\\"" answer-kv "}"
+ root ::= "{\\"" answer-kv answer-rest
added:
+ answer-rest ::= ",\\"" count-kv "}" | "}"
+ count-kv ::= "count\\":" integer-from-0-to-7
+ integer-from-0-to-7 ::= [0-7]
only old.json accepts: no text
only new.json accepts: {"answer":"no","count":0}
    old.json: refused at 1:15
    {"answer":"no","count":0}
                  ^
    expected '}'
""",
        "",
    )


def test_the_exit_code_tells_of_texts_on_demand(capsys: Console) -> None:
    assert main(["diff", "old.json", "new.json", "--exit-code"]) == 1
    assert main(["diff", "a.gbnf", "b.gbnf", "--exit-code"]) == 0


def test_renamed_rules_are_no_change(capsys: Console) -> None:
    assert main(["diff", "a.gbnf", "b.gbnf"]) == 0
    assert capsys.readouterr().out == "renamed: x is y\nboth accept the same texts\n"


def test_a_schema_can_be_compared_with_a_grammar_on_standard_input(
    monkeypatch: pytest.MonkeyPatch, capsys: Console
) -> None:
    assert main(["compile", "old.json", "-o", "kept.gbnf"]) == 0
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(Path("kept.gbnf").read_bytes())))
    assert main(["diff", "-", "old.json", "--exit-code"]) == 0
    assert capsys.readouterr().out == "both accept the same texts\n"
    assert main(["diff", "-", "-"]) == 2


def test_the_answer_as_json(capsys: Console) -> None:
    Path("c.gbnf").write_text('root ::= "a" x\nx ::= "b"{1,4}\n')
    assert main(["diff", "a.gbnf", "c.gbnf", "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out) == {
        "rules": {
            "added": {},
            "removed": {},
            "renamed": {},
            "changed": {"x": ['x ::= "b"{1,3}', 'x ::= "b"{1,4}']},
        },
        "only_first": {"grammar": "a.gbnf", "found": "nothing"},
        "only_second": {"grammar": "c.gbnf", "found": "text", "text": "abbbb"},
    }


def test_a_search_that_is_given_up_is_told(capsys: Console) -> None:
    Path("many.gbnf").write_text('root ::= "(" root ")" | "a"{200}')
    Path("more.gbnf").write_text('root ::= "(" root ")" | "a"{199,200}')
    assert main(["diff", "many.gbnf", "more.gbnf", "--states", "20"]) == 0
    assert "accepts: no text found in 20 states; one would have at least" in capsys.readouterr().out


def test_long_and_unprintable_texts_are_shown_on_one_line(capsys: Console) -> None:
    Path("c.gbnf").write_text('root ::= "a" [\\n] | "c"{1000}')
    assert main(["diff", "c.gbnf", "a.gbnf"]) == 0
    assert 'only c.gbnf accepts: "a\\n"' in capsys.readouterr().out
    Path("c.gbnf").write_text('root ::= "c"{1000}')
    assert main(["diff", "c.gbnf", "a.gbnf"]) == 0
    assert " … " in capsys.readouterr().out


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("g.gbnf", "root = x", "g.gbnf: line 1, column 6: ::= is missing"),
        ("g.gbnf", 'root ::= root "a" | "b"', "a.gbnf, g.gbnf: the rule root is left-recursive"),
        ("g.json", '{"type": "x"}', "g.json: #: type: "),
    ],
)
def test_what_cannot_be_read_is_told(name: str, content: str, message: str, capsys: Console) -> None:
    Path(name).write_text(content)
    assert main(["diff", "a.gbnf", name]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(message)

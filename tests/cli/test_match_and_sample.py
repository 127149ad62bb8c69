"""The verbs that match and sample, on grammars and on schemas."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from schema2gbnf import compile_schema
from schema2gbnf.cli import main
from schema2gbnf.gbnf import Matcher, parse

NUMBERS = 'root ::= "[" ws ([0-9]+ ("," ws [0-9]+)*)? ws "]"\nws ::= [ \\n]*\n'
SCHEMA = {"type": "object", "properties": {"name": {"type": "string"}, "age": {"minimum": 0}}, "required": ["name"]}

Console = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("numbers.gbnf").write_text(NUMBERS, encoding="utf-8")
    Path("schema.json").write_text(json.dumps(SCHEMA), encoding="utf-8")


def matched(*arguments: str) -> int:
    return main(["match", "-q", *arguments])


def test_an_accepted_text(capsys: Console) -> None:
    Path("text").write_text("[1,\n2]")
    assert matched("numbers.gbnf", "text") == 0
    assert capsys.readouterr() == ("text: accepted\n", "")


def test_a_refused_text_has_a_caret_where_it_went_wrong(capsys: Console) -> None:
    Path("text").write_text("[1,\n 2,]", newline="\n")
    assert matched("numbers.gbnf", "text") == 1
    assert capsys.readouterr() == (
        "text: refused at 2:4\n     2,]\n       ^\n    expected newline, space, '0'-'9'\n",
        "",
    )


def test_an_incomplete_text(capsys: Console) -> None:
    assert matched("numbers.gbnf", "--text", "[1") == 1
    expected = "newline, space, ',', '0'-'9', ']'"
    assert capsys.readouterr().out == f"--text: incomplete at 1:3\n    [1\n      ^\n    expected {expected}\n"


def test_the_end_of_the_text_can_be_what_was_expected(capsys: Console) -> None:
    assert matched("numbers.gbnf", "--text", "[]]") == 1
    assert "expected end of text\n" in capsys.readouterr().out


def test_a_tab_stands_under_a_tab_and_no_control_reaches_the_terminal(capsys: Console) -> None:
    Path("tabs.gbnf").write_text('root ::= "\\t" "\\x1B" "a"')
    assert matched("tabs.gbnf", "--text", "\t\x1bx") == 1
    assert capsys.readouterr().out == "--text: refused at 1:3\n    \t�x\n    \t ^\n    expected 'a'\n"


def test_a_long_line_is_shown_around_the_caret(capsys: Console) -> None:
    assert matched("numbers.gbnf", "--text", "[" + "1" * 500 + "x" + "1" * 500) == 1
    place, line, caret, _ = capsys.readouterr().out.splitlines()
    assert place == "--text: refused at 1:502"
    assert line[caret.index("^")] == "x"
    assert len(line) < 150


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize(("text", "status"), [("[1]", 0), ("[1", 1)])
def test_a_line_break_at_the_end_of_a_file_may_be_there(text: str, end: str, status: int, capsys: Console) -> None:
    Path("text").write_text(text + end, newline="")
    assert matched("numbers.gbnf", "text") == status
    assert matched("numbers.gbnf", "--text", text + end) == 1


def test_a_text_with_too_many_readings_is_told_and_the_next_one_matched(
    capsys: Console, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("schema2gbnf.gbnf.match.MOST_PLACES", 5_000)
    Path("doubled.gbnf").write_text('root ::= "a" root "b" | "a" root "c" | "x"')
    Path("long").write_text("a" * 40 + "x")
    assert matched("doubled.gbnf", "long", "--text", "axb") == 2
    out, err = capsys.readouterr()
    assert out == "--text: accepted\n"
    assert err == "long: after 10 characters more than 5000 ways to read on: the grammar is too ambiguous\n"


def test_a_line_break_that_the_grammar_asks_for_is_kept(capsys: Console) -> None:
    Path("line.gbnf").write_text('root ::= "a\\n"')
    Path("text").write_text("a\n", newline="")
    assert matched("line.gbnf", "text") == 0


def test_the_worst_verdict_is_the_status_and_all_texts_are_matched(capsys: Console) -> None:
    Path("good").write_text("[]")
    Path("bad").write_text("x")
    Path("broken").write_bytes(b"\xff")
    assert matched("numbers.gbnf", "good", "bad", "good") == 1
    assert matched("numbers.gbnf", "broken", "missing", "good", "bad", "--text", "[", "--text", "[]") == 2
    out, err = capsys.readouterr()
    told = [line.split(":")[0] for line in out.splitlines() if not line.startswith(" ")]
    assert told == ["good", "bad", "good", "--text 1", "--text 2", "good", "bad"]
    assert err == "broken: byte 0xff at offset 0 is no UTF-8\nmissing: No such file or directory\n"


def test_a_schema_is_compiled_first(capsys: Console) -> None:
    assert matched("schema.json", "--text", '{"name": "x", "age": 1}') == 0
    assert matched("schema.json", "--whitespace", "compact", "--text", '{"name": "x", "age": 1}') == 1


@pytest.mark.parametrize(
    ("text", "more"),
    [
        ('{"name": "x", "age": -1}', "the schema refuses the value: #/age: refused by 'minimum' at #/properties/age"),
        ('{"age": 1, "name": "x"}', 'the schema accepts the value; the grammar spells it {"name": "x", "age": 1}'),
        ('{"name": "x", "b": 1}', "the schema accepts the value; the grammar leaves it out"),
    ],
)
def test_under_a_schema_it_is_told_whether_the_value_is_at_fault(text: str, more: str, capsys: Console) -> None:
    assert matched("schema.json", "--text", text) == 1
    assert capsys.readouterr().out.splitlines()[-1].startswith(f"    {more}")


def test_files_of_other_names_are_told_apart_by_their_beginning(capsys: Console) -> None:
    Path("a").write_text(f"\n  {json.dumps(SCHEMA)}")
    Path("b").write_text(NUMBERS)
    assert matched("a", "--text", '{"name": ""}') == 0
    assert matched("b", "--text", "[]") == 0


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("g.gbnf", "root = x", "g.gbnf: line 1, column 6: ::= is missing behind the name of the rule\n"),
        ("g.gbnf", "", "g.gbnf: line 1, column 1: "),
        ("g.gbnf", 'root ::= root "a" | "b"', "g.gbnf: the rule root is left-recursive"),
        ("g.json", "{", "g.json: #: not JSON: "),
        ("g.json", '{"type": "x"}', "g.json: #: type: "),
    ],
)
def test_a_bad_grammar_or_schema_leaves_texts_unjudged(name: str, content: str, message: str, capsys: Console) -> None:
    Path(name).write_text(content)
    assert matched(name, "--text", "x") == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(message)


def test_a_text_must_be_given(capsys: Console) -> None:
    assert matched("numbers.gbnf") == 2
    assert capsys.readouterr().err.startswith("schema2gbnf match: no text")


# -- samples -----------------------------------------------------------------------------------------------------------


def lines(capsys: Console, *arguments: str) -> list[str]:
    assert main(["sample", "-q", *arguments]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    return out.splitlines()


def test_samples_of_a_schema_are_one_sentence_a_line(capsys: Console) -> None:
    matcher = Matcher(compile_schema(SCHEMA, whitespace="spaced").grammar)
    drawn = lines(capsys, "schema.json", "-n", "30")
    assert len(drawn) == 30
    assert all(matcher.accepts(line) for line in drawn)


def test_samples_of_a_grammar_can_be_escaped(capsys: Console) -> None:
    matcher = Matcher(parse(NUMBERS))
    drawn = [json.loads(line) for line in lines(capsys, "numbers.gbnf", "-n", "30", "--escaped")]
    assert len(drawn) == 30
    assert all(matcher.accepts(text) for text in drawn)
    assert any("\n" in text for text in drawn)


def test_the_seed_chooses(capsys: Console) -> None:
    drawn = [lines(capsys, "schema.json", "-n", "9", "--seed", seed) for seed in ("1", "1", "2")]
    assert drawn[0] == drawn[1] != drawn[2]


def test_a_grammar_without_sentences_is_told(capsys: Console) -> None:
    Path("g.gbnf").write_text('root ::= "a" root')
    assert main(["sample", "g.gbnf"]) == 2
    assert capsys.readouterr().err.startswith("g.gbnf: the rule root has no text")

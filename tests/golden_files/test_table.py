"""What a table says: which grammars of which schemas, with which options; and what is wrong with tables."""

from __future__ import annotations

from pathlib import Path

import pytest

from schema2gbnf import Limits
from schema2gbnf.golden import Project, TableError
from schema2gbnf.golden.patterns import Pattern

FILES = (
    "a.json",
    "s/b.json",
    "s/c.json",
    "s/deep/d.json",
    "s/.hidden/e.json",
    "s/deep/.f.json",
    "s/notes.txt",
    "x.gbnf",
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in FILES:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text('{"const": 1}')
    return tmp_path


def project(folder: Path, table: str) -> Project:
    (folder / "pyproject.toml").write_text(f"[tool.schema2gbnf]\n{table}\n", encoding="utf-8")
    return Project.at(folder)


def pairs(folder: Path, table: str) -> dict[str, str]:
    """Schemas by their grammars."""
    found = project(folder, table).pairs
    return {pair.grammar.relative_to(folder).as_posix(): pair.schema.relative_to(folder).as_posix() for pair in found}


@pytest.mark.parametrize(
    ("entry", "expected"),
    [
        ('schema = "a.json"', {"a.gbnf": "a.json"}),
        ('schema = "a.json", grammar = "g/other.txt"', {"g/other.txt": "a.json"}),
        ('schema = "s/*.json"', {"s/b.gbnf": "s/b.json", "s/c.gbnf": "s/c.json"}),
        ('schema = "s/*.json", grammar = "g/*.x.gbnf"', {"g/b.x.gbnf": "s/b.json", "g/c.x.gbnf": "s/c.json"}),
        ('schema = "*/*.json", grammar = "g/*-*.gbnf"', {"g/s-b.gbnf": "s/b.json", "g/s-c.gbnf": "s/c.json"}),
        (
            'schema = "s/**/*.json", grammar = "g/**/*.gbnf"',
            {"g/b.gbnf": "s/b.json", "g/c.gbnf": "s/c.json", "g/deep/d.gbnf": "s/deep/d.json"},
        ),
        ('schema = "**/d.json", grammar = "**/d.gbnf"', {"s/deep/d.gbnf": "s/deep/d.json"}),
    ],
)
def test_schemas_and_their_grammars(folder: Path, entry: str, expected: dict[str, str]) -> None:
    assert pairs(folder, f"golden = [{{ {entry} }}]") == expected


def test_options_are_for_all_or_for_an_entry(folder: Path) -> None:
    (folder / "doc.json").write_text('{"type": "string"}')
    found = project(
        folder,
        """
        whitespace = "compact"
        additional-properties = "spec"
        limits = { branches = 7 }
        golden = [
            { schema = "a.json" },
            { schema = "s/b.json", whitespace = "any", prop_order = ["x", "y"], nullable = true },
        ]
        integral-digits = 3
        documents = { "https://example.org/doc" = "doc.json" }
        """,
    )
    plain, rich = (pair.options(found.folder) for pair in found.pairs)
    assert (plain.whitespace, plain.additional_properties, plain.nullable) == ("compact", "spec", None)
    assert plain.limits == rich.limits == Limits(branches=7)
    assert (rich.whitespace, rich.prop_order, rich.nullable, rich.integral_digits) == ("any", ("x", "y"), True, 3)
    assert rich.documents == {"https://example.org/doc": {"type": "string"}}


def test_the_table_is_found_further_up(folder: Path) -> None:
    project(folder, 'golden = [{ schema = "a.json" }]')
    (folder / "s" / "pyproject.toml").write_text("[project]\nname = 'x'\n")
    assert Project.at(folder / "s" / "deep").folder == folder


def test_orphans_look_like_grammars_and_are_none(folder: Path) -> None:
    found = project(folder, 'golden = [{ schema = "s/*.json", grammar = "*.gbnf" }, { schema = "a.json" }]')
    assert found.orphans() == (folder / "x.gbnf",)


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ("golden = 1", r"tool\.schema2gbnf\.golden is no list"),
        ("golden = [1]", r"golden\[0\]: an entry is a table with a schema"),
        ('golden = [{ schema = "a.json" }, { grammar = "b.gbnf" }]', r"golden\[1\]: an entry is a table with a schema"),
        ('golden = [{ schema = "a.json", grammar = 1 }]', r"golden\[0\]: grammar is no text"),
        ('golden = [{ schema = "/a.json" }]', "is no path inside the folder"),
        ('golden = [{ schema = "../a.json" }]', "is no path inside the folder"),
        (r"golden = [{ schema = 's\a.json' }]", "is no path inside the folder"),
        ('golden = [{ schema = "a.json", grammar = "" }]', "is no path inside the folder"),
        ('golden = [{ schema = "s/**.json" }]', r"\*\* stands for whole folders"),
        ('golden = [{ schema = "s/*.json", grammar = "g.gbnf" }]', "not the same wildcards"),
        ('golden = [{ schema = "none.json" }]', "there is no file none.json"),
        ('golden = [{ schema = "none/*.json" }]', r"there is no file none/\*\.json"),
        ('golden = [{ schema = "a.json" }, { schema = "a.json" }]', "a.gbnf is the grammar of another entry too"),
        ('golden = [{ schema = "a.json", white = "any" }]', "there is no option 'white', but strict, "),
        ('golden = [{ schema = "a.json", strict = "yes" }]', "strict = 'yes' is not of the type"),
        ('golden = [{ schema = "a.json", integral-digits = 0 }]', "integral-digits = 0 is not of the type"),
        ('golden = [{ schema = "a.json", prop-order = "a" }]', "prop-order = 'a' is not of the type"),
        ('golden = [{ schema = "a.json", limits = { branches = "x" } }]', "is not of the type"),
        ('golden = [{ schema = "a.json", limits = { x = 1 } }]', "limits has a name that is none of bytes, "),
        ('golden = [{ schema = "a.json", whitespace = "some" }]', "choose one of compact, "),
        ('golden = [{ schema = "a.json", documents = { u = "none.json" } }]', "none.json"),
        ("golden = [", "pyproject.toml: "),
    ],
)
def test_what_is_wrong_with_a_table_is_told(folder: Path, table: str, message: str) -> None:
    with pytest.raises(TableError, match=message):
        project(folder, table)


def test_without_a_table_there_is_no_project(tmp_path: Path) -> None:
    with pytest.raises(TableError, match=r"has a table \[tool\.schema2gbnf\]"):
        Project.at(tmp_path)


def test_patterns_match_no_hidden_names() -> None:
    pattern = Pattern("a/**/*.json")
    assert pattern.matched("a/b/c/d.json") == ("b/c/", "d")
    assert pattern.matched("a/d.json") == ("", "d")
    assert [pattern.matched(path) for path in ("a/.b/d.json", "a/b/.json", "a/d.gbnf", "b/d.json")] == [None] * 4

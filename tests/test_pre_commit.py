"""The hooks that pre-commit reads run verbs that exist, on the files that they are for."""

from __future__ import annotations

import re
import shlex
from typing import Any

import pytest

from schema2gbnf.cli import VERBS
from tests.golden import HOUSE


def hooks() -> list[dict[str, Any]]:
    yaml = pytest.importorskip("yaml", reason="PyYAML is needed to read the hooks")
    found: list[dict[str, Any]] = yaml.safe_load((HOUSE / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    return found


def test_each_hook_has_what_pre_commit_needs() -> None:
    assert [hook["id"] for hook in hooks()] == ["schema2gbnf-golden", "schema2gbnf-lint"]
    assert all({"id", "name", "entry", "language", "files"} <= hook.keys() for hook in hooks())


def test_each_hook_runs_a_verb() -> None:
    for hook in hooks():
        command, verb, *_ = shlex.split(hook["entry"])
        assert command == "schema2gbnf"
        assert verb in VERBS


@pytest.mark.parametrize(
    ("number", "path", "runs"),
    [
        (0, "a/b.json", True),
        (0, "pyproject.toml", True),
        (0, "a.py", False),
        (1, "g/a.gbnf", True),
        (1, "a.json", False),
    ],
)
def test_hooks_run_for_their_files(number: int, path: str, runs: bool) -> None:
    assert bool(re.search(hooks()[number]["files"], path)) == runs

"""Importing the package costs next to nothing, and loads nothing heavy."""

from __future__ import annotations

import json
import subprocess
import sys

HEAVY = ("lark", "referencing", "jsonschema", "jsonschema_specifications", "pydantic", "unicodedata")
MOST_SECONDS = 0.06
TRIES = 20
"""A machine that does other things too is quick only now and then."""

PROGRAM = """
import sys, time
start = time.perf_counter()
import schema2gbnf
seconds = time.perf_counter() - start
import json
print(json.dumps([seconds, sorted(sys.modules)]))
"""


def imported(program: str) -> tuple[float, list[str]]:
    """The seconds that the import took in a fresh interpreter, and the modules there after it."""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    seconds, modules = json.loads(done.stdout)
    return seconds, modules


def test_the_import_is_quick() -> None:
    assert any(imported(PROGRAM)[0] < MOST_SECONDS for _ in range(TRIES))


def test_the_compiler_loads_nothing_heavy_either() -> None:
    _, modules = imported(PROGRAM.replace("import schema2gbnf", "from schema2gbnf import compile_schema"))
    assert "schema2gbnf.grammar.assemble" in modules
    assert not set(HEAVY) & set(modules)


def test_nothing_heavy_is_imported() -> None:
    _, modules = imported(PROGRAM)
    assert not set(HEAVY) & set(modules)
    assert [name for name in modules if name.startswith("schema2gbnf")] == [
        "schema2gbnf",
        "schema2gbnf.errors",
        "schema2gbnf.findings",
    ]

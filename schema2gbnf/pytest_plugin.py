"""A pytest plugin: the fixture `golden_grammar`, and the option `--update-golden` that writes what it checks.

    def test_orders(golden_grammar):
        golden_grammar(Order, "grammars/order.gbnf", whitespace="compact")

A schema (anything that `compile_schema` takes) and a file, relative to the test's, come in; the test fails when the
file does not hold the schema's grammar, and shows a text diff and shortest texts that only one of the two accepts.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    """Take `--update-golden`."""
    group = parser.getgroup("schema2gbnf", "golden grammars")
    group.addoption("--update-golden", action="store_true", help="write golden grammars anew instead of checking them")


@pytest.fixture
def golden_grammar(request: pytest.FixtureRequest) -> Callable[..., None]:
    """Check that a file holds the grammar of a schema: `golden_grammar(schema, path, **options)`."""

    def check(schema: object, path: str | Path, **options: Any) -> None:
        __tracebackhide__ = True
        from schema2gbnf.api import compile_schema
        from schema2gbnf.golden import departure, update

        grammar = request.path.parent / path
        found = departure(grammar, compile_schema(schema, **options).gbnf)
        if found is None:
            return
        if request.config.getoption("--update-golden"):
            update(found)
        else:
            pytest.fail(f"{found}\nif that is meant, write it with: pytest --update-golden", pytrace=False)

    return check

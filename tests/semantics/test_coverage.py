"""The table of keywords names them all, and its claims of loosening are true."""

from __future__ import annotations

from itertools import chain
from typing import Any

import pytest

from schema2gbnf import UnsupportedSchemaError, compile_schema
from schema2gbnf.semantics.coverage import COVERAGE
from schema2gbnf.semantics.keywords import VOCABULARIES


def test_every_keyword_has_a_row() -> None:
    listed = list(chain.from_iterable(row.keywords for row in COVERAGE))
    spoken = set(chain.from_iterable(VOCABULARIES.values()))
    assert len(listed) == len(set(listed))
    assert set(listed) == spoken | {"unevaluatedProperties", "unevaluatedItems", "nullable"}


LOOSENED: list[tuple[str, Any]] = [
    ("multipleOf", {"type": "integer", "multipleOf": 1000003}),
    ("pattern", {"type": "string", "pattern": r"^(a|b)\1$"}),
    ("uniqueItems", {"type": "array", "items": {"type": "string"}, "uniqueItems": True}),
    ("oneOf", {"allOf": [{"oneOf": [{"required": [f"a{i}", "b"]}, {"required": [f"c{i}", "d"]}]} for i in range(12)]}),
]


@pytest.mark.parametrize(("keyword", "schema"), LOOSENED)
def test_loosening_is_a_finding_and_an_error_in_strict_mode(keyword: str, schema: Any) -> None:
    result = compile_schema(schema)
    assert not result.exact
    assert keyword in {finding.keyword for finding in result.findings if finding.kind == "loosened"}
    with pytest.raises(UnsupportedSchemaError) as caught:
        compile_schema(schema, strict=True)
    assert caught.value.keyword == keyword

"""Statements about the language of a schema's grammar: which values it accepts, which it refuses in every spelling."""

from __future__ import annotations

import json
from functools import lru_cache
from itertools import permutations
from typing import Any

from schema2gbnf import compile_schema
from schema2gbnf.api import Result
from schema2gbnf.gbnf.match import Matcher


@lru_cache(maxsize=256)
def _compiled(text: str, options: str) -> tuple[Result, Matcher]:
    result = compile_schema(json.loads(text), **json.loads(options))
    return result, Matcher(result.grammar)


def compiled(schema: Any, **options: Any) -> tuple[Result, Matcher]:
    """The strict, compact, standard-conforming compilation of a schema, with its matcher."""
    chosen = {"strict": True, "additional_properties": "spec", "whitespace": "compact", **options}
    return _compiled(json.dumps(schema), json.dumps(chosen))


def spellings(value: Any) -> set[str]:
    """Texts of a value, with the members of the top object in several orders."""
    values = [value]
    if isinstance(value, dict) and len(value) <= 4:
        values = [{name: value[name] for name in names} for names in permutations(value)]
    return {json.dumps(each, ensure_ascii=False, separators=(",", ":")) for each in values}


def accepts(schema: Any, *values: Any, **options: Any) -> None:
    """Every value, written as `dumps` writes it, is a sentence."""
    result, matcher = compiled(schema, **options)
    for value in values:
        text = result.dumps(value)
        assert json.loads(text) == value, f"dumps changed {value!r} to {text}"
        assert matcher.accepts(text), f"refused: {text}\n{matcher.match(text)}\n{result.gbnf}"


def rejects(schema: Any, *values: Any, **options: Any) -> None:
    """No spelling of any of the values is a sentence, and `dumps` refuses them."""
    result, matcher = compiled(schema, **options)
    for value in values:
        for text in spellings(value) | {result.dumps(value, check=False)}:
            assert not matcher.accepts(text), f"accepted: {text}\n{result.gbnf}"
        try:
            text = result.dumps(value)
        except ValueError:
            continue
        raise AssertionError(f"dumps wrote {text}")

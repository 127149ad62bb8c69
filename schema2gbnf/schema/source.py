"""The forms in which a schema may be given: JSON text, a file, Python values, a model class."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import cast
from urllib.parse import quote

from schema2gbnf.errors import InvalidSchemaError
from schema2gbnf.schema.text import MAX_BYTES, MAX_DEPTH, MAX_NODES, Json, check_value, read_json


@dataclass(frozen=True, slots=True)
class Source:
    """A schema as JSON, and where it came from: what `Documents` wants to know of it."""

    value: Json
    base: Path | None = None
    """The folder of the file, below which files it refers to may be read."""
    base_uri: str = ""
    """The name of the file, as a URI relative to that folder."""


def load(
    schema: object, *, max_depth: int = MAX_DEPTH, max_bytes: int = MAX_BYTES, max_nodes: int = MAX_NODES
) -> Source:
    """Read a schema: a dict or bool is one, a str or bytes is JSON text, a path names a file; a pydantic model class or
    a `TypeAdapter` is asked for its schema. Files raise `OSError` as usual, other objects `TypeError`.

    >>> load('{"type": "string"}').value
    {'type': 'string'}
    """
    if isinstance(schema, str | bytes):
        return Source(_read(schema, max_depth, max_bytes))
    if isinstance(schema, os.PathLike):
        path = Path(cast("os.PathLike[str]", schema))
        with path.open("rb") as file:
            value = read_json(file.read(max_bytes + 1), max_depth=max_depth, max_bytes=max_bytes)
        return Source(value, path.parent, quote(path.name))
    if not isinstance(schema, dict | bool):
        schema = _asked(schema)
    check_value(schema, max_depth=max_depth, max_nodes=max_nodes)
    return Source(cast(Json, schema))


def _read(text: str | bytes, max_depth: int, max_bytes: int) -> Json:
    try:
        return read_json(text, max_depth=max_depth, max_bytes=max_bytes)
    except InvalidSchemaError as error:
        if isinstance(text, str) and text.endswith(".json") and "\n" not in text:
            raise InvalidSchemaError("#", "", f"{error.message}; to read a file, pass Path({text!r})") from None
        raise


def _asked(model: object) -> object:
    """The schema that a model knows of itself, by the methods of pydantic's classes."""
    for method in ("model_json_schema", "json_schema"):
        ask = getattr(model, method, None)
        if callable(ask):
            return cast("Callable[[], object]", ask)()
    raise TypeError(f"a schema is a dict, a bool, JSON text, a path or a pydantic model, not {type(model).__name__}")

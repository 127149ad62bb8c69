"""The names that other languages and databases have for types, replaced by those of JSON Schema."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import cast

from schema2gbnf.normalize.events import Event
from schema2gbnf.schema.dialects import DIALECTS
from schema2gbnf.schema.keywords import TYPES
from schema2gbnf.schema.places import subschemas_of
from schema2gbnf.schema.pointers import escaped
from schema2gbnf.schema.text import Json, copied

ALIASES: Mapping[str, str] = MappingProxyType(
    {
        alias: known
        for known, names in {
            "string": "str text varchar char enum uuid date datetime time timestamp bytes",
            "integer": "int int32 int64 uint long short bigint smallint",
            "number": "float double decimal real numeric",
            "boolean": "bool",
            "object": "dict map",
            "array": "list arr tuple set",
        }.items()
        for alias in names.split()
    }
)
_NAME = re.compile(r"[^(\[<]*")
_DIALECT = DIALECTS["draft2019-09"]


def type_named(name: str) -> str:
    """The type that a name means, or the name itself.

    >>> type_named("VARCHAR(20)"), type_named("list[str]"), type_named("thing")
    ('string', 'array', 'thing')
    """
    found = _NAME.match(name.lower())
    word = found.group().strip() if found else ""
    return name if name in TYPES else ALIASES.get(word, word if word in TYPES else name)


def renamed_types(schema: Json) -> tuple[Json, list[Event]]:
    """The schema with its type names replaced, and what was."""
    renamed = copied(schema)
    events: list[Event] = []
    todo: list[tuple[Json, str]] = [(renamed, "")]
    while todo:
        node, path = todo.pop()
        if not isinstance(node, dict):
            continue
        written = node.get("type")
        names = written if isinstance(written, list) else [written]
        if all(isinstance(name, str) for name in names):
            known: list[Json] = [type_named(name) for name in cast("list[str]", names)]
            if known != names:
                node["type"] = list(dict.fromkeys(cast("list[str]", known))) if isinstance(written, list) else known[0]
                detail = "the name of a type in another language"
                events.append(Event("type-alias", "dialect", path, detail, written, node["type"]))
        below = [
            (value, path + "".join(f"/{escaped(t)}" for t in tokens)) for tokens, value in subschemas_of(node, _DIALECT)
        ]
        todo.extend(reversed(below))
    return renamed, events

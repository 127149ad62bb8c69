"""The table `[tool.schema2gbnf]` of a pyproject.toml: which schema becomes which grammar, with which options.

    [tool.schema2gbnf]
    whitespace = "compact"            # options of the compiler for all grammars
    golden = [
        { schema = "schemas/**/*.json", grammar = "grammars/**/*.gbnf" },
        { schema = "schemas/order.json", grammar = "grammars/order.open.gbnf", additional-properties = "spec" },
    ]

Paths are relative to the folder of the file. The wildcards `*` and `**/` of a grammar stand for what they matched in
the schema, so there are as many of each; without `grammar`, the grammar stands beside the schema. Options are the
fields of `Options`, for all grammars or in an entry; `documents` maps URIs to files and `limits` names to numbers. What
is wrong with a table is told by `TableError`.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from schema2gbnf.golden.patterns import Pattern
from schema2gbnf.options import Limits, Options
from schema2gbnf.schema.text import read_json

FILE = "pyproject.toml"
TABLE = "tool.schema2gbnf"


class TableError(ValueError):
    """What is wrong with a table: where, and what to do."""


@dataclass(frozen=True, slots=True)
class Pair:
    """A schema, the grammar that it becomes, and the options with which it does."""

    schema: Path
    grammar: Path
    choices: Mapping[str, Any]
    """The options as the table has them: what is not there has its default."""

    def options(self, folder: Path) -> Options:
        """The options of the compiler; documents are files of the folder."""
        return _options(self.choices, folder)


@dataclass(frozen=True, slots=True)
class Project:
    """A folder with a table: the pairs that it names, and patterns that only grammars of the table have."""

    folder: Path
    pairs: tuple[Pair, ...]
    grammars: tuple[Pattern, ...]

    @staticmethod
    def at(folder: Path) -> Project:
        """The project that a folder belongs to: the nearest pyproject.toml with a table, here or further up."""
        place = folder.resolve()
        for candidate in (place, *place.parents):
            file = candidate / FILE
            if file.is_file() and (table := _table(file)) is not None:
                return _project(file, table)
        raise TableError(f"{folder}: no {FILE} here or further up has a table [{TABLE}]")

    def orphans(self) -> tuple[Path, ...]:
        """Files that look like grammars of the table, and are none of its pairs'."""
        known = {pair.grammar for pair in self.pairs}
        found = dict.fromkeys(
            self.folder / path for pattern in self.grammars if pattern.wildcards for path in pattern.paths(self.folder)
        )
        return tuple(path for path in found if path not in known)


def _table(file: Path) -> Any:
    """The table in a file, or None."""
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        try:
            import tomli as tomllib
        except ImportError:
            message = "reading it needs tomli in Python 3.10; pip install 'schema2gbnf[golden]'"
            raise TableError(f"{file}: {message}") from None
    try:
        return tomllib.loads(file.read_text(encoding="utf-8")).get("tool", {}).get("schema2gbnf")
    except (OSError, ValueError) as error:
        raise TableError(f"{file}: {error}") from None


def _project(file: Path, table: Any) -> Project:
    try:
        entries = _entries(table)
        pairs: dict[Path, Pair] = {}
        for where, schemas, grammars, choices in entries:
            for pair in _pairs(file.parent, where, schemas, grammars, choices):
                if pair.grammar in pairs:
                    raise TableError(f"{where}: {_shown(file, pair.grammar)} is the grammar of another entry too")
                pairs[pair.grammar] = pair
                pair.options(file.parent)
    except ValueError as error:
        raise TableError(f"{file}: {error}") from None
    return Project(file.parent, tuple(pairs.values()), tuple(entry[2] for entry in entries))


def _shown(file: Path, path: Path) -> str:
    return path.relative_to(file.parent).as_posix()


Entry = tuple[str, Pattern, Pattern, dict[str, Any]]
"""An entry: where it stands, schemas, grammars, options."""


def _entries(table: Any) -> list[Entry]:
    if not isinstance(table, dict):
        raise TableError(f"{TABLE} is no table")
    common = {name: value for name, value in table.items() if name != "golden"}
    golden = table.get("golden", [])
    if not isinstance(golden, list):
        raise TableError(f"{TABLE}.golden is no list of tables")
    entries = []
    for number, entry in enumerate(golden):
        where = f"{TABLE}.golden[{number}]"
        if not isinstance(entry, dict) or not isinstance(entry.get("schema"), str):
            raise TableError(f'{where}: an entry is a table with a schema: {{ schema = "a.json", grammar = "a.gbnf" }}')
        grammar = entry.get("grammar", _beside(entry["schema"]))
        if not isinstance(grammar, str):
            raise TableError(f"{where}: grammar is no text")
        choices = {name: value for name, value in entry.items() if name not in ("schema", "grammar")}
        try:
            schemas, grammars = Pattern(entry["schema"]), Pattern(grammar)
        except ValueError as error:
            raise TableError(f"{where}: {error}") from None
        if schemas.wildcards != grammars.wildcards:
            raise TableError(f"{where}: schema and grammar have not the same wildcards, which stand for the same there")
        entries.append((where, schemas, grammars, _named({**common, **choices}, where)))
    return entries


def _beside(schema: str) -> str:
    """The grammar that stands beside a schema."""
    return re.sub(r"(\.[^./]*)?$", ".gbnf", schema, count=1)


def _pairs(folder: Path, where: str, schemas: Pattern, grammars: Pattern, choices: dict[str, Any]) -> Iterator[Pair]:
    paths = tuple(schemas.paths(folder))
    if not paths:
        raise TableError(f"{where}: there is no file {schemas.text}")
    for path in paths:
        matched = schemas.matched(path)
        assert matched is not None
        yield Pair(folder / path, folder / grammars.filled(matched), choices)


# -- options -----------------------------------------------------------------------------------------------------------


def _named(choices: dict[str, Any], where: str) -> dict[str, Any]:
    """Choices by the names of the fields of `Options`, each of the type of its field."""
    known = {field.name: getattr(Options(), field.name) for field in fields(Options)}
    named = {}
    for spelled, value in choices.items():
        name = spelled.replace("-", "_")
        if name not in known:
            raise TableError(f"{where}: there is no option {spelled!r}, but {', '.join(known)}")
        if not _fits(value, known[name]):
            raise TableError(f"{where}: {spelled} = {value!r} is not of the type that the option has")
        named[name] = value
    return named


def _fits(value: Any, default: object) -> bool:
    match default:
        case bool() | None:
            return isinstance(value, bool)
        case int():
            return isinstance(value, int) and not isinstance(value, bool) and value > 0
        case tuple():
            return isinstance(value, list) and all(isinstance(each, str) for each in value)
        case Limits():
            return isinstance(value, dict) and all(_fits(each, 1) for each in value.values())
        case Mapping():
            return isinstance(value, dict) and all(isinstance(each, str) for each in value.values())
        case _:
            return isinstance(value, str)


def _options(choices: Mapping[str, Any], folder: Path) -> Options:
    chosen: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value for name, value in choices.items()
    }
    try:
        limits = Limits(**chosen.pop("limits", {}))
    except TypeError:
        known = ", ".join(field.name for field in fields(Limits))
        raise TableError(f"{TABLE}: limits has a name that is none of {known}") from None
    documents = {uri: _document(folder / name, limits) for uri, name in chosen.pop("documents", {}).items()}
    return Options().with_choices({**chosen, "limits": limits, "documents": documents})


def _document(file: Path, limits: Limits) -> Any:
    from schema2gbnf.errors import SchemaError

    try:
        return read_json(file.read_bytes(), max_depth=limits.depth, max_bytes=limits.bytes)
    except (OSError, SchemaError) as error:
        raise TableError(f"{file}: {error}") from None

"""The forms in which a schema is taken."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path
from typing import Any

import pydantic
import pytest

from schema2gbnf.errors import InvalidSchemaError, UnsupportedSchemaError
from schema2gbnf.schema.documents import Documents
from schema2gbnf.schema.source import Source, load


class Model(pydantic.BaseModel):
    name: str
    tags: list[int] = []


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        ({"type": "string"}, {"type": "string"}),
        (True, True),
        ('{"multipleOf": 0.1}', {"multipleOf": Decimal("0.1")}),
        (b"false", False),
        (Model, Model.model_json_schema()),
        (pydantic.TypeAdapter(list[Model]), pydantic.TypeAdapter(list[Model]).json_schema()),
    ],
    ids=["dict", "bool", "text", "bytes", "model", "adapter"],
)
def test_every_form_is_taken(schema: object, value: object) -> None:
    assert load(schema) == Source(value)


@pytest.mark.parametrize("schema", [None, 5, [{}], object(), Model(name="x").name.encode])
def test_other_objects_are_type_errors(schema: object) -> None:
    with pytest.raises(TypeError, match="pydantic model"):
        load(schema)


def test_a_file_knows_its_folder_and_its_name(tmp_path: Path) -> None:
    (tmp_path / "a b.json").write_text('{"$ref": "c.json#/$defs/x", "$defs": {"y": {}}}', encoding="utf-8")
    (tmp_path / "c.json").write_text('{"$defs": {"x": {"$ref": "a%20b.json#/$defs/y"}}}', encoding="utf-8")
    source = load(tmp_path / "a b.json")
    documents = Documents(source.value, base=source.base, base_uri=source.base_uri)
    there = documents.reference(documents.root)
    assert there.pointer == "c.json#/$defs/x"
    assert documents.reference(there) is documents.child(documents.root, "$defs", "y")


def test_a_missing_file_is_an_os_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        load(tmp_path / "none.json")


def test_the_name_of_a_file_is_not_its_text() -> None:
    with pytest.raises(InvalidSchemaError, match=r"Path\('schema.json'\)"):
        load("schema.json")


def test_limits_hold_for_every_form(tmp_path: Path) -> None:
    (tmp_path / "big.json").write_text("[" + " " * 1000 + "]")
    deep: Any = {}
    for _ in range(50):
        deep = {"not": deep}
    for schema in (deep, "[" * 50 + "]" * 50, tmp_path / "big.json"):
        with pytest.raises(UnsupportedSchemaError):
            load(schema, max_depth=40, max_bytes=500)

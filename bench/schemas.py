"""The schemas that the compiler is timed on, and documents of them: published ones where they are, or else ours."""

from __future__ import annotations

import json
import lzma
import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from schema2gbnf import compile_schema
from tests.data import DATA
from tests.golden import EXAMPLES
from tests.test_golden import VALUES


@dataclass(frozen=True)
class Document:
    """A schema, with the text of a value that it accepts, and the grammar that llama.cpp's converter made of it, if it
    was published too."""

    name: str
    schema: Any
    text: str
    converted: str | None = None


def schemas(count: int, seed: int) -> list[tuple[str, Any]]:
    """Some published schemas by name, drawn at random; the examples where there are none."""
    corpus = DATA / "maskbench.jsonl.xz"
    if not corpus.exists():
        return [(path.stem, json.loads(path.read_bytes())) for path in sorted(EXAMPLES.glob("*.json"))]
    with lzma.open(corpus, "rt", encoding="utf-8") as lines:
        drawn = random.Random(seed).sample(list(lines), count)
    return [(row["id"], row["schema"]) for row in map(json.loads, drawn)]


def documents(count: int) -> list[Document]:
    """Some documents of published schemas; the values of the examples where there are none."""
    published = DATA / "masks.jsonl.xz"
    if not published.exists():
        return list(_examples())[:count]
    with lzma.open(published, "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines][:count]
    return [Document(row["id"], row["schema"], row["text"], row["llamacpp"]) for row in rows]


def _examples() -> Iterator[Document]:
    for path in sorted(EXAMPLES.glob("*.json")):
        schema = json.loads(path.read_bytes())
        result = compile_schema(schema)
        for number, value in enumerate(VALUES[path.stem][0]):
            yield Document(f"{path.stem} {number}", schema, result.dumps(value))

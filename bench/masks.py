"""How long a mask takes in llama.cpp: our grammars, those of its own converter, and the floor.

In come documents with their schemas; out go lines of text. Along each document every mask over the whole vocabulary is
timed under each of three grammars, in one run: ours with default options, the converter's, and one that spells just
this document.
"""

from __future__ import annotations

import contextlib
import io
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from bench.figures import ratios, seconds
from bench.schemas import Document
from bench.vocabulary import vocabulary_of
from schema2gbnf import SchemaError, compile_schema
from schema2gbnf.gbnf import write
from schema2gbnf.grammar.rules import Grammar, Literal
from tests.engine import LoadedGrammar, Vocabulary

TOKENS = 40
"""Tokens of a document along which masks are timed."""

OPENING, DEEPEST = "(", 1_000
"""The converter nests a group for each character of a bounded string, and llama.cpp does not survive very many."""

GRAMMARS = ("ours", "converter", "floor")


@dataclass
class Found:
    """The masks of all documents under each grammar, and the documents that some grammar refuses."""

    masks: dict[str, list[float]] = field(default_factory=lambda: {name: [] for name in GRAMMARS})
    loads: dict[str, float] = field(default_factory=lambda: dict.fromkeys(GRAMMARS, 0.0))
    sizes: dict[str, int] = field(default_factory=lambda: dict.fromkeys(GRAMMARS, 0))
    missed: list[str] = field(default_factory=list)
    slowest: list[tuple[float, float, str, str]] = field(default_factory=list)
    documents: int = 0


def report(documents: Sequence[Document]) -> Iterator[str]:
    """What there is to say of masks along the documents."""
    found = Found()
    with vocabulary_of([document.text for document in documents]) as vocabulary:
        for document in documents:
            _measure(document, vocabulary, found)
        size = vocabulary.size
    ours, converter, floor = (found.masks[name] for name in GRAMMARS)
    yield f"{found.documents} documents, {len(ours)} masks over {size} tokens; missed: {len(found.missed)}"
    yield f"ours/converter: {ratios(ours, converter)}"
    yield f"ours/floor: {ratios(ours, floor)}"
    yield f"converter/floor: {ratios(converter, floor)}"
    yield f"load ours/converter: {found.loads['ours'] / max(found.loads['converter'], 1e-9):.2f}"
    yield f"bytes ours/converter: {found.sizes['ours'] / max(found.sizes['converter'], 1):.2f}"
    for each, least, name, before in sorted(found.slowest, reverse=True)[:5]:
        yield f"slow: {each:.1f} ms (floor {least:.1f}) in {name} behind {before!r}"
    yield from (f"missed: {each}" for each in found.missed[:10])


def _measure(document: Document, vocabulary: Vocabulary, found: Found) -> None:
    try:
        texts = dict(zip(GRAMMARS, _grammars(document), strict=True))
    except SchemaError as error:
        found.missed.append(f"{document.name}: ours: {error}")
        return
    tokens = vocabulary.tokens(document.text)[:TOKENS]
    row: dict[str, list[float]] = {}
    for name, text in texts.items():
        loaded: list[LoadedGrammar | None] = []
        took = seconds(lambda: loaded.append(vocabulary.load(text) if text else None))  # noqa: B023 (called at once)
        grammar = loaded[0]
        try:
            row[name] = [1000 * each for each in vocabulary.mask_seconds(grammar, tokens)] if grammar else []
        except AssertionError:
            row[name] = []
        if not row[name]:
            found.missed.append(f"{document.name}: {name}: {'the text' if grammar else 'the grammar'} is refused")
            return
        found.loads[name] += took
        found.sizes[name] += len(text.encode())
    found.documents += 1
    for name, masks in row.items():
        found.masks[name] += masks
    slowest, place = max((mask, place) for place, mask in enumerate(row["ours"]))
    before = vocabulary.text(tokens[:place])
    found.slowest.append((slowest, row["floor"][place], document.name, before[-40:]))


def _grammars(document: Document) -> tuple[str, str, str]:
    converted = document.converted if document.converted is not None else _converted(document)
    return compile_schema(document.schema).gbnf, converted, write(Grammar({"root": Literal(document.text)}))


def _converted(document: Document) -> str:
    from llama_cpp.llama_grammar import json_schema_to_gbnf

    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        try:
            converted = str(json_schema_to_gbnf(json.dumps(document.schema)))
        except Exception:  # the converter has no kind of error of its own
            return ""
    return converted if OPENING * DEEPEST not in converted.replace("char ", "") else ""

"""The benchmark runs, and its figures are those of what it measures."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench import compilation, masks
from bench.figures import quantile, slope
from bench.growth import CURVES, Curve, Measured, Point, measured
from bench.plots import plot
from bench.schemas import documents, schemas
from bench.vocabulary import vocabulary_of, words, write_vocabulary
from tests.engine import Engine, Vocabulary, require_engine


def test_quantiles_and_slopes() -> None:
    assert [quantile([3, 1, 2], share) for share in (0.0, 0.5, 0.99, 1.0)] == [1, 2, 3, 3]
    assert slope([1, 2, 4], [5, 10, 20]) == pytest.approx(1)
    assert slope([1, 10], [7, 7]) == pytest.approx(0)


def test_compilers_are_timed_on_the_same_schemas() -> None:
    pytest.importorskip("llguidance")
    require_engine()
    lines = list(compilation.report([("integer", {"type": "integer"}), ("broken", {"type": "no type"})]))
    assert lines[0].startswith("taken: ours 1, converter 1, llguidance 1 of 2")
    assert [line.partition(":")[0] for line in lines[1:]][:8] == [
        "ours",
        "ours in one run",
        "converter",
        "llguidance",
        "ours/converter",
        "ours/llguidance",
        "ours in one run/converter",
        "ours in one run/llguidance",
    ]


def test_masks_are_timed_along_documents() -> None:
    require_engine()
    lines = list(masks.report(documents(8)[-1:]))
    assert lines[0].startswith("1 documents, ")
    assert lines[0].endswith("missed: 0")


def test_a_vocabulary_made_up_of_texts_spells_them(tmp_path: Path) -> None:
    require_engine()
    text = '{"name": "some name", "größe": [1.5e3, null]}'
    path = tmp_path / "words.gguf"
    write_vocabulary(path, words([text]))
    with Vocabulary(path) as vocabulary:
        tokens = vocabulary.tokens(text)
        assert vocabulary.text(tokens) == text
        assert len(tokens) < len(text) * 0.7
    with vocabulary_of([text]) as vocabulary:
        assert vocabulary.text(vocabulary.tokens(text)) == text


@pytest.mark.parametrize("curve", CURVES, ids=lambda curve: curve.name)
def test_each_curve_grows(curve: Curve, engine: Engine) -> None:
    found = measured(curve, engine, curve.sizes[:2])
    assert [point.size for point in found.points] == list(curve.sizes[:2])
    assert all(point.compile_ms > 0 and point.bytes > 0 and point.load_ms > 0 for point in found.points)


def test_equal_figures_are_drawn_alike(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    curve = Measured("some curve", (Point(1, 1.0, 10, 0.1), Point(10, 12.0, 90, 0.5), Point(100, 90.0, 900, 4.0)))
    first = plot(curve, tmp_path / "first").read_bytes()
    assert plot(curve, tmp_path / "second").read_bytes() == first
    assert first.startswith(b"<?xml")


def test_there_are_schemas_to_compile() -> None:
    assert len(schemas(3, 0)) >= 3

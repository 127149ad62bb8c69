"""A vocabulary of bytes as a GGUF file without weights, on which llama.cpp loads grammars and reads any text."""

from __future__ import annotations

from pathlib import Path
from typing import Any

CONTROL_TOKENS = (b"<unk>", b"<s>", b"</s>")
END_OF_TEXT = CONTROL_TOKENS.index(b"</s>")
FIRST_BYTE = len(CONTROL_TOKENS)
SIZE = FIRST_BYTE + 256


def write_byte_vocabulary(path: Path) -> None:
    """Write the file: its tokens are the control tokens and the 256 bytes."""
    import gguf

    writer = gguf.GGUFWriter(str(path), "llama")
    describe(writer)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def describe(writer: Any, *, context: int = 4096, width: int = 32, heads: int = 2, inner: int = 64) -> None:
    """Give a file the vocabulary, and the measures of a model with one block."""
    import gguf

    writer.add_context_length(context)
    writer.add_embedding_length(width)
    writer.add_block_count(1)
    writer.add_feed_forward_length(inner)
    writer.add_head_count(heads)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_vocab_size(SIZE)
    writer.add_tokenizer_model("llama")
    writer.add_token_list([*CONTROL_TOKENS, *(f"<0x{byte:02X}>".encode() for byte in range(256))])
    writer.add_token_scores([0.0] * SIZE)
    writer.add_token_types(
        [gguf.TokenType.UNKNOWN, gguf.TokenType.CONTROL, gguf.TokenType.CONTROL, *[gguf.TokenType.BYTE] * 256]
    )
    writer.add_bos_token_id(CONTROL_TOKENS.index(b"<s>"))
    writer.add_eos_token_id(END_OF_TEXT)
    writer.add_unk_token_id(CONTROL_TOKENS.index(b"<unk>"))
    writer.add_add_space_prefix(False)

"""The vocabulary that masks are timed with: a model's where one is there, or one made up of words, syllables and bytes.

In come the texts that are to be split into tokens; out goes the engine with the vocabulary, as a context.
"""

from __future__ import annotations

import itertools
import re
import string
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from tests.data import DATA
from tests.engine import Vocabulary

WORDS = 5_000
"""Different pieces of the texts that become tokens."""

# llama.cpp goes one call deeper with each character of a token.
_PIECES = re.compile(r" ?\w{1,20}|[^\w\s]{1,4}|\s{1,8}")


@contextmanager
def vocabulary_of(texts: Sequence[str]) -> Iterator[Vocabulary]:
    """The vocabulary of a published model, or one for these texts."""
    published = DATA / "vocab" / "qwen2.gguf"
    with tempfile.TemporaryDirectory() as folder:
        path = published
        if not published.exists():
            path = Path(folder) / "words.gguf"
            write_vocabulary(path, words(texts))
        with Vocabulary(path) as vocabulary:
            yield vocabulary


def words(texts: Sequence[str]) -> list[str]:
    """Words and signs of the texts, the frequent ones first, then all syllables of up to three letters."""
    pieces = Counter(piece for text in texts for piece in _PIECES.findall(text))
    syllables = ("".join(each) for size in (2, 3) for each in itertools.product(string.ascii_lowercase, repeat=size))
    characters = (" ", *(chr(code) for code in range(0x21, 0x7F)))
    return list(dict.fromkeys((*(piece for piece, _ in pieces.most_common(WORDS)), *syllables, *characters)))


def write_vocabulary(path: Path, tokens: Sequence[str]) -> None:
    """Write a GGUF file without weights whose tokens are the bytes and some words, which are made of their letters."""
    import gguf

    control = [b"<unk>", b"<s>", b"</s>"]
    letters = [f"<0x{byte:02X}>".encode() for byte in range(256)]
    # This kind of vocabulary spells a blank like this.
    spelled = [token.replace(" ", "\u2581").encode() for token in tokens]
    kinds = gguf.TokenType
    writer = gguf.GGUFWriter(str(path), "llama")
    writer.add_context_length(4096)
    writer.add_embedding_length(32)
    writer.add_block_count(1)
    writer.add_feed_forward_length(64)
    writer.add_head_count(2)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_vocab_size(len(control) + len(letters) + len(spelled))
    writer.add_tokenizer_model("llama")
    writer.add_token_list([*control, *letters, *spelled])
    writer.add_token_scores([0.0] * (len(control) + len(letters)) + [-float(rank) for rank in range(len(spelled))])
    writer.add_token_types(
        [kinds.UNKNOWN, kinds.CONTROL, kinds.CONTROL, *[kinds.BYTE] * len(letters), *[kinds.NORMAL] * len(spelled)]
    )
    writer.add_bos_token_id(1)
    writer.add_eos_token_id(2)
    writer.add_unk_token_id(0)
    writer.add_add_space_prefix(False)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()

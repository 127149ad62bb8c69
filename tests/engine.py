"""llama.cpp's own grammar engine as a judge, without model weights.

`Engine` loads a model that is a vocabulary alone, one token a byte, so that any text can be fed exactly and a mask is a
set of bytes; `Vocabulary` loads the vocabulary of a model that people use, and times masks. Without llama-cpp-python
and gguf the test that asks for one is skipped.
"""

from __future__ import annotations

import ctypes
import tempfile
import time
from functools import lru_cache
from pathlib import Path
from types import TracebackType
from typing import Any

import pytest

CONTROL_TOKENS = (b"<unk>", b"<s>", b"</s>")
END_OF_TEXT = CONTROL_TOKENS.index(b"</s>")
FIRST_BYTE = len(CONTROL_TOKENS)


class LoadedGrammar:
    """A grammar the engine has taken; it lives as long as this object, and no longer than its engine."""

    def __init__(self, library: Any, sampler: Any) -> None:
        self._library = library
        self.sampler = sampler

    def __del__(self) -> None:
        self._library.llama_sampler_free(self.sampler)


class Engine:
    """The engine, as a context.

    with Engine() as engine:
        grammar = engine.load('root ::= "a"+')
        assert grammar is not None and engine.accepts(grammar, "aaa")
    """

    def __enter__(self) -> Engine:
        self._library = _library()
        params = self._library.llama_model_default_params()
        params.vocab_only = True
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "bytes.gguf"
            write_byte_vocabulary(path)
            self._model = self._library.llama_model_load_from_file(str(path).encode(), params)
        assert self._model, "the byte vocabulary does not load"
        self._vocabulary = self._library.llama_model_get_vocab(self._model)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._library.llama_model_free(self._model)

    def load(self, gbnf: str) -> LoadedGrammar | None:
        """The grammar, or None when the engine refuses it."""
        sampler = self._library.llama_sampler_init_grammar(self._vocabulary, gbnf.encode(), b"root")
        return LoadedGrammar(self._library, sampler) if sampler else None

    def accepts(self, grammar: LoadedGrammar, text: str) -> bool:
        """Whether the whole text is a sentence of the grammar."""
        return self._feed(grammar, text) and self._allowed(grammar, [END_OF_TEXT])[0]

    def mask(self, grammar: LoadedGrammar, text: str = "") -> tuple[frozenset[int], bool]:
        """After the text: the bytes that may come next, and whether it may end. Nothing may follow a refused text."""
        if not self._feed(grammar, text):
            return frozenset(), False
        *letters, end = self._allowed(grammar, [*range(FIRST_BYTE, FIRST_BYTE + 256), END_OF_TEXT])
        return frozenset(byte for byte, allowed in enumerate(letters) if allowed), end

    def _feed(self, grammar: LoadedGrammar, text: str) -> bool:
        self._library.llama_sampler_reset(grammar.sampler)
        for byte in text.encode():
            if not self._allowed(grammar, [FIRST_BYTE + byte])[0]:
                return False
            self._library.llama_sampler_accept(grammar.sampler, FIRST_BYTE + byte)
        return True

    def _allowed(self, grammar: LoadedGrammar, tokens: list[int]) -> list[bool]:
        candidates = (self._library.llama_token_data * len(tokens))(*((token, 0.0, 0.0) for token in tokens))
        array = self._library.llama_token_data_array(data=candidates, size=len(tokens), selected=-1, sorted=False)
        self._library.llama_sampler_apply(grammar.sampler, ctypes.byref(array))
        return [candidate.logit == 0.0 for candidate in candidates]


class Vocabulary:
    """The engine with the vocabulary of a GGUF file, as a context."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def __enter__(self) -> Vocabulary:
        self._library = _library()
        params = self._library.llama_model_default_params()
        params.vocab_only = True
        self._model = self._library.llama_model_load_from_file(str(self._path).encode(), params)
        assert self._model, f"{self._path} does not load"
        self._vocabulary = self._library.llama_model_get_vocab(self._model)
        self.size = self._library.llama_vocab_n_tokens(self._vocabulary)
        self._candidates = (self._library.llama_token_data * self.size)()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._library.llama_model_free(self._model)

    def load(self, gbnf: str) -> LoadedGrammar | None:
        """The grammar, or None when the engine refuses it."""
        sampler = self._library.llama_sampler_init_grammar(self._vocabulary, gbnf.encode(), b"root")
        return LoadedGrammar(self._library, sampler) if sampler else None

    def tokens(self, text: str) -> list[int]:
        """The text as the model would read it."""
        encoded = text.encode()
        buffer = (self._library.llama_token * (len(encoded) + 8))()
        count = self._library.llama_tokenize(self._vocabulary, encoded, len(encoded), buffer, len(buffer), False, False)
        return list(buffer[:count])

    def mask_seconds(self, grammar: LoadedGrammar, tokens: list[int], every: int = 1) -> list[float]:
        """The processor time of the masks before the tokens: all of them, or every so many and the last."""
        import numpy

        candidates = numpy.ctypeslib.as_array(self._candidates)
        array = self._library.llama_token_data_array(data=self._candidates, size=self.size, selected=-1, sorted=False)
        self._library.llama_sampler_reset(grammar.sampler)
        seconds = []
        for place, token in enumerate(tokens):
            if place % every == 0 or place == len(tokens) - 1:
                candidates["id"], candidates["logit"] = numpy.arange(self.size), 0.0
                start = time.thread_time()
                self._library.llama_sampler_apply(grammar.sampler, ctypes.byref(array))
                seconds.append(time.thread_time() - start)
                assert candidates["logit"][token] == 0.0, "the grammar refuses the text"
            self._library.llama_sampler_accept(grammar.sampler, token)
        return seconds


@lru_cache(maxsize=1)
def _library() -> Any:
    """llama.cpp's C interface, silenced, or a skipped test."""
    reason = "llama-cpp-python and gguf are needed to ask the engine"
    pytest.importorskip("gguf", reason=reason)
    library: Any = pytest.importorskip("llama_cpp.llama_cpp", reason=reason)
    # The callback must outlive every call into the library, so the library holds it.
    library.silence = library.llama_log_callback(lambda level, text, data: None)
    library.llama_log_set(library.silence, ctypes.c_void_p(0))
    library.llama_backend_init()
    return library


def write_byte_vocabulary(path: Path) -> None:
    """A GGUF file without weights whose tokens are the control tokens and the 256 bytes."""
    import gguf

    size = FIRST_BYTE + 256
    writer = gguf.GGUFWriter(str(path), "llama")
    writer.add_context_length(4096)
    writer.add_embedding_length(32)
    writer.add_block_count(1)
    writer.add_feed_forward_length(64)
    writer.add_head_count(2)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_vocab_size(size)
    writer.add_tokenizer_model("llama")
    writer.add_token_list([*CONTROL_TOKENS, *(f"<0x{byte:02X}>".encode() for byte in range(256))])
    writer.add_token_scores([0.0] * size)
    writer.add_token_types(
        [gguf.TokenType.UNKNOWN, gguf.TokenType.CONTROL, gguf.TokenType.CONTROL, *[gguf.TokenType.BYTE] * 256]
    )
    writer.add_bos_token_id(CONTROL_TOKENS.index(b"<s>"))
    writer.add_eos_token_id(END_OF_TEXT)
    writer.add_unk_token_id(CONTROL_TOKENS.index(b"<unk>"))
    writer.add_add_space_prefix(False)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()

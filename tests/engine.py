"""llama.cpp's own grammar engine as a judge, in this process; without llama-cpp-python and gguf the test is skipped.

`Engine` reads grammars on a vocabulary of bytes, so that any text can be fed exactly and a mask is a set of bytes;
`Vocabulary` loads the vocabulary of a model that people use, and times masks.
"""

from __future__ import annotations

import ctypes
import time
from pathlib import Path
from types import TracebackType

import pytest

from schema2gbnf.verification.engines.library import Library as Engine
from schema2gbnf.verification.engines.library import LoadedGrammar, llama_cpp_library

__all__ = ["Engine", "LoadedGrammar", "Vocabulary", "require_engine"]


def require_engine() -> None:
    """Skip the test where the engine is not installed."""
    reason = "llama-cpp-python and gguf are needed to ask the engine"
    pytest.importorskip("gguf", reason=reason)
    pytest.importorskip("llama_cpp", reason=reason)


class Vocabulary:
    """The engine with the vocabulary of a GGUF file, as a context."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def __enter__(self) -> Vocabulary:
        require_engine()
        self._library = llama_cpp_library()
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

    def text(self, tokens: list[int]) -> str:
        """What the tokens spell."""
        buffer = ctypes.create_string_buffer(32 * len(tokens) + 1024)
        size = self._library.llama_detokenize(
            self._vocabulary,
            (self._library.llama_token * len(tokens))(*tokens),
            len(tokens),
            buffer,
            len(buffer),
            False,
            True,
        )
        return buffer.raw[: max(size, 0)].decode(errors="replace")

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

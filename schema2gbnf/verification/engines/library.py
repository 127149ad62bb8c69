"""llama.cpp's grammar engine inside this process, on a vocabulary of bytes: no model weights are needed.

Any text can be fed exactly, and a mask is a set of bytes. A grammar that takes the engine down takes the process with
it; whoever does not trust a grammar asks `child.LlamaCpp`.
"""

from __future__ import annotations

import ctypes
import tempfile
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from random import Random
from types import TracebackType
from typing import Any

from schema2gbnf.verification.engines import Draw
from schema2gbnf.verification.engines.vocabulary import END_OF_TEXT, FIRST_BYTE, write_byte_vocabulary

LENGTH = 600
"""Bytes after which a text that is drawn only looks for its end."""
LONGEST = 4_000
"""Bytes after which drawing a text is broken off."""
_ENDINGS = b'"}]0'
"""Bytes that lead to an end, the best first."""
_LOG_ERROR = 4
_SECOND = {0xE0: (0xA0, 0xBF), 0xED: (0x80, 0x9F), 0xF0: (0x90, 0xBF), 0xF4: (0x80, 0x8F)}
"""First bytes of UTF-8 characters of which not every second byte makes one."""


class LoadedGrammar:
    """A grammar the engine has taken; it lives as long as this object, and no longer than its engine."""

    def __init__(self, library: Any, sampler: Any) -> None:
        self._library = library
        self.sampler = sampler

    def __del__(self) -> None:
        self._library.llama_sampler_free(self.sampler)


class Library:
    """The engine, as a context.

    with Library() as engine:
        grammar = engine.load('root ::= "a"+')
        assert grammar is not None and engine.accepts(grammar, "aaa")
    """

    def __enter__(self) -> Library:
        self._library = llama_cpp_library()
        params = self._library.llama_model_default_params()
        params.vocab_only = True
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "bytes.gguf"
            write_byte_vocabulary(path)
            self._model = self._library.llama_model_load_from_file(str(path).encode(), params)
        if not self._model:
            raise OSError("llama.cpp does not load the vocabulary of bytes")
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

    def load_lazy(self, gbnf: str, patterns: Sequence[str]) -> LoadedGrammar | None:
        """The grammar, waiting for one of the patterns, or None when the engine refuses it."""
        triggers = (ctypes.c_char_p * len(patterns))(*(pattern.encode() for pattern in patterns))
        sampler = self._library.llama_sampler_init_grammar_lazy_patterns(
            self._vocabulary, gbnf.encode(), b"root", triggers, len(patterns), None, 0
        )
        return LoadedGrammar(self._library, sampler) if sampler else None

    def accepts(self, grammar: LoadedGrammar, text: str) -> bool:
        """Whether the whole text is a sentence of the grammar."""
        return self._feed(grammar, text) and self._allowed(grammar, [END_OF_TEXT])[0]

    def mask(self, grammar: LoadedGrammar, text: str = "") -> tuple[frozenset[int], bool]:
        """After the text: the bytes that may come next, and whether it may end. Nothing may follow a refused text."""
        if not self._feed(grammar, text):
            return frozenset(), False
        letters, end = self._next(grammar)
        return frozenset(letters), end

    def draw(self, grammar: LoadedGrammar, random: Random) -> Draw:
        """A text of bytes chosen at random among those that the engine's mask allows."""
        self._library.llama_sampler_reset(grammar.sampler)
        written = bytearray()
        while True:
            letters, end = self._next(grammar)
            tired = len(written) > LENGTH
            if end and (tired or not letters or random.random() < 0.2):
                return Draw(written.decode(errors="replace"), True)
            if not letters or len(written) > LONGEST:
                return Draw(written.decode(errors="ignore"), False)
            letters = [byte for byte in letters if _may_follow(written, byte)]
            if not letters:
                return Draw(written.decode(errors="ignore"), False)
            byte = _chosen(letters, tired, random)
            self._library.llama_sampler_accept(grammar.sampler, FIRST_BYTE + byte)
            written.append(byte)

    def _next(self, grammar: LoadedGrammar) -> tuple[list[int], bool]:
        *letters, end = self._allowed(grammar, [*range(FIRST_BYTE, FIRST_BYTE + 256), END_OF_TEXT])
        return [byte for byte, allowed in enumerate(letters) if allowed], end

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


def _may_follow(written: bytearray, byte: int) -> bool:
    """Whether UTF-8 goes on with the byte; the engine also takes spellings of characters that UTF-8 has not."""
    start = len(written)
    while start > 0 and len(written) - start < 3 and written[start - 1] & 0xC0 == 0x80:
        start -= 1
    lead = written[start - 1] if start > 0 else 0
    behind = len(written) - start
    if lead < 0xC0 or behind >= (1 if lead < 0xE0 else 2 if lead < 0xF0 else 3):
        return byte < 0x80 or 0xC2 <= byte <= 0xF4
    low, high = _SECOND.get(lead, (0x80, 0xBF)) if behind == 0 else (0x80, 0xBF)
    return low <= byte <= high


def _chosen(letters: list[int], tired: bool, random: Random) -> int:
    """Any byte; JSON's own signs more often than their share, or else all texts would be one long string."""
    ending = next((byte for byte in _ENDINGS if byte in letters), None)
    if ending is not None and (tired or random.random() < 0.1):
        return ending
    return random.choice(letters)


@lru_cache(maxsize=1)
def llama_cpp_library() -> Any:
    """llama.cpp's C interface; of its log only errors are written, to standard error."""
    import os

    import llama_cpp.llama_cpp

    library: Any = llama_cpp.llama_cpp

    def log(level: int, text: bytes, _: object) -> None:
        if level == _LOG_ERROR:
            os.write(2, text)

    # The callback must outlive every call into the library, so the library holds it.
    library.schema2gbnf_log = library.llama_log_callback(log)
    library.llama_log_set(library.schema2gbnf_log, ctypes.c_void_p(0))
    library.llama_backend_init()
    return library

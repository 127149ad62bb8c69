"""llama.cpp in a child with bounded memory and time, so that no grammar can take down or hold up who asks.

One child serves many requests. When it dies or is late it is ended, `EngineDownError` tells so with the engine's last
words, and the next request starts a fresh one on the same grammar.
"""

from __future__ import annotations

import json
import os
import queue
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from random import Random
from types import TracebackType
from typing import IO, Any

from schema2gbnf.extras import need
from schema2gbnf.verification.engines import Draw, EngineDownError, EngineName, GrammarRefusedError

MEMORY = 2 << 30
"""Bytes a child may take, beside thrice the size of its model."""
SECONDS = 60.0
"""How long one request may take, a start and the loading of a model included."""
_MOST_WORDS = 2_000
"""Characters of the engine's own words that are kept."""
_PACKAGE = Path(__file__).resolve().parents[2]


class LlamaCpp:
    """The engine in its child, as a context.

    with LlamaCpp() as engine:
        engine.load('root ::= "a"+')
        assert engine.accepts("aaa")
    """

    name: EngineName = "llama.cpp"

    def __init__(self, model: Path | None = None, *, memory: int = MEMORY, seconds: float = SECONDS) -> None:
        """Raises `ModuleNotFoundError` when llama-cpp-python or gguf is not installed, `OSError` for no such model."""
        need("engine", "llama.cpp", "llama_cpp", "gguf")
        self._model = model
        self._memory = memory + (0 if model is None else 3 * model.stat().st_size)
        self._seconds = seconds
        self._child: _Child | None = None
        self._gbnf: str | None = None

    def __enter__(self) -> LlamaCpp:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def load(self, gbnf: str) -> None:
        self._gbnf = None
        if not gbnf:
            raise GrammarRefusedError("it is empty, and llama.cpp takes an empty grammar for none at all")
        self._load(gbnf)
        self._gbnf = gbnf

    def accepts(self, text: str) -> bool:
        accepted: bool = self._ask({"do": "accepts", "text": text})["accepted"]
        return accepted

    def draws(self, count: int, seed: int) -> Iterator[Draw]:
        random = Random(seed)
        for _ in range(count):
            yield Draw(**self._ask({"do": "draw", "seed": random.getrandbits(31)}))

    def close(self) -> None:
        if self._child is not None:
            self._child.end()
            self._child = None

    def _load(self, gbnf: str) -> None:
        answer, words = self._request({"do": "load", "gbnf": gbnf})
        if not answer["loaded"]:
            raise GrammarRefusedError(words or "the engine gives no reason")

    def _ask(self, request: Mapping[str, Any]) -> Mapping[str, Any]:
        if self._child is None and self._gbnf is not None:
            self._load(self._gbnf)
        return self._request(request)[0]

    def _request(self, request: Mapping[str, Any]) -> tuple[Mapping[str, Any], str]:
        if self._child is None:
            self._child = _Child(self._memory, self._model)
        try:
            return self._child.request(request, self._seconds)
        except BaseException:
            # Also when the user interrupts: what the child still answers would be taken for the next answer.
            self.close()
            raise


class _Child:
    """A running `serve`, with what it writes to standard error."""

    def __init__(self, memory: int, model: Path | None) -> None:
        self._words: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115, it lives as long as the child
        arguments = [str(memory), *([] if model is None else [str(model)])]
        # The child must find the package that runs here; threads of a numerical library would each reserve memory.
        paths = [str(_PACKAGE.parent), os.environ.get("PYTHONPATH", "")]
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, paths)), "OPENBLAS_NUM_THREADS": "1"}
        self._running = subprocess.Popen(
            [sys.executable, "-m", "schema2gbnf.verification.engines.serve", *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._words,
            env=environment,
            start_new_session=True,
        )
        self._answers: queue.Queue[bytes] = queue.Queue()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self._running.stdout is not None
        for line in self._running.stdout:
            self._answers.put(line)
        self._answers.put(b"")

    def request(self, request: Mapping[str, Any], seconds: float) -> tuple[Mapping[str, Any], str]:
        """The answer, and what the engine said meanwhile."""
        self._forget_words()
        assert self._running.stdin is not None
        try:
            self._running.stdin.write(json.dumps(request).encode() + b"\n")
            self._running.stdin.flush()
            line = self._answers.get(timeout=seconds)
        except queue.Empty:
            raise EngineDownError(self._told(f"no answer within {seconds:g} seconds")) from None
        except OSError:
            line = b""
        if not line:
            raise EngineDownError(self._told(self._death()))
        return json.loads(line), self._last_words()

    def _death(self) -> str:
        code = self._running.wait()
        if code < 0:
            return f"it was ended by {signal.Signals(-code).name}"
        return f"it ended with status {code}"

    def _told(self, what: str) -> str:
        words = self._last_words()
        return f"{what}; it said: {words}" if words else what

    def _forget_words(self) -> None:
        self._words.seek(0)
        self._words.truncate()

    def _last_words(self) -> str:
        self._words.seek(0)
        return self._words.read().decode(errors="replace").strip("\0\n ")[:_MOST_WORDS]

    def end(self) -> None:
        """End the child, whatever it is doing."""
        self._running.kill()
        self._running.wait()
        self._reader.join()
        for stream in (self._running.stdin, self._running.stdout, self._words):
            assert stream is not None
            with suppress(OSError):  # what was still to be written has no reader
                stream.close()

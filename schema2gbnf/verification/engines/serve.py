"""The child that llama.cpp runs in: requests come in as lines of JSON on standard input, answers go out the same way.

`python -m schema2gbnf.verification.engines.serve BYTES [MODEL]`, where BYTES bounds the memory. Whatever the engine
writes to standard output or error goes to standard error, which the parent keeps. The child ends with its standard
input, be the engine in the midst of something or not.
"""

from __future__ import annotations

import json
import os
import queue
import sys
import threading
from collections.abc import Callable, Mapping
from dataclasses import asdict
from random import Random
from typing import Any, TextIO, cast

from schema2gbnf.verification.engines import Draw
from schema2gbnf.verification.engines.library import Library, LoadedGrammar

Answer = dict[str, Any]


class _Server:
    """One engine, and the grammar it has loaded."""

    def __init__(self, library: Library, model: str | None) -> None:
        self._library = library
        self._model_path = model
        self._model: Any = None
        self._grammar: LoadedGrammar | None = None
        self._gbnf = ""

    def load(self, gbnf: str) -> Answer:
        self._gbnf = gbnf
        self._grammar = self._library.load(gbnf)
        return {"loaded": self._grammar is not None}

    def accepts(self, text: str) -> Answer:
        return {"accepted": self._library.accepts(self._loaded, text)}

    def draw(self, seed: int) -> Answer:
        if self._model_path is None:
            return asdict(self._library.draw(self._loaded, Random(seed)))
        return asdict(self._draw_from_model(seed))

    def _draw_from_model(self, seed: int) -> Draw:
        from schema2gbnf.llama import complete, load_model

        if self._model is None:
            assert self._model_path is not None
            self._model = load_model(self._model_path, n_ctx=2048)
        completion = complete(self._model, "JSON:\n", self._gbnf, max_tokens=400, temperature=1.5, seed=seed)
        return Draw(completion.text, completion.complete)

    @property
    def _loaded(self) -> LoadedGrammar:
        assert self._grammar is not None, "no grammar is loaded"
        return self._grammar


def serve(requests: Callable[[], Mapping[str, Any]], answers: TextIO, model: str | None) -> None:
    """Answer requests, each a mapping with the method's name under "do"."""
    with Library() as library:
        server = _Server(library, model)
        while True:
            request = dict(requests())
            answer = getattr(server, request.pop("do"))(**request)
            answers.write(json.dumps(answer) + "\n")
            answers.flush()


def _limit_memory(size: int) -> None:
    if sys.platform != "win32":
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (size, size))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def main() -> None:
    """Serve until standard input ends."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8", newline="\n")
    os.dup2(2, 1)
    _limit_memory(int(sys.argv[1]))
    waiting: queue.Queue[Mapping[str, Any]] = queue.Queue()

    def read() -> None:
        for line in sys.stdin.buffer:
            waiting.put(cast("Mapping[str, Any]", json.loads(line)))
        os._exit(0)

    threading.Thread(target=read, daemon=True).start()
    serve(waiting.get, answers, sys.argv[2] if len(sys.argv) > 2 else None)


if __name__ == "__main__":
    main()

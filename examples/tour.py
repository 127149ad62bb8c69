"""A tour: compile every example, print one grammar, sample all of them, and have the samples judged.

The judges are jsonschema-rs, which has nothing in common with this compiler, and `Result.dumps`, which evaluates the
schema on the value without a grammar.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import Any

import jsonschema_rs

from schema2gbnf import Options, Result, compile_schema
from schema2gbnf.gbnf import samples

FOLDER = Path(__file__).parent
OPTIONS = Options(whitespace="spaced")
SHOWN = "decision"
COUNT = 20


def main() -> int:
    """Say what was compiled and judged; the exit status is 1 when a judge refused a sample."""
    print(f"{'example':<24}{'bytes':>8}{'ms':>6}  samples that the schema accepts")
    all_good = True
    for path in sorted(FOLDER.glob("*.json")):
        start = time.perf_counter()
        result = compile_schema(path, OPTIONS)
        milliseconds = (time.perf_counter() - start) * 1000
        validator = jsonschema_rs.validator_for(json.loads(path.read_bytes()), validate_formats=True)
        refused = [text for text in samples(result.grammar, COUNT) if not accepted(json.loads(text), result, validator)]
        print(f"{path.stem:<24}{len(result.gbnf):>8}{milliseconds:>6.0f}  {COUNT - len(refused)} of {COUNT}")
        print("".join(f"    refused: {text}\n" for text in refused), end="")
        all_good = all_good and not refused
    result = compile_schema(FOLDER / f"{SHOWN}.json", OPTIONS)
    print(f"\nexamples/{SHOWN}.json becomes\n\n{result.gbnf}\nof which some sentences are\n")
    print("\n".join(samples(result.grammar, 5)))
    return 0 if all_good else 1


def accepted(value: Any, result: Result, validator: jsonschema_rs.Validator) -> bool:
    """Whether both judges take the value."""
    try:
        result.dumps(value)
    except ValueError:
        return False
    return validator.is_valid(value)


if __name__ == "__main__":
    sys.exit(main())

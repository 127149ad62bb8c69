"""How long schemas take to compile, beside llama-cpp-python's converter and llguidance.

In come schemas by name; out go lines of text. Each compiler gets each schema once, in turn, so that whatever else the
machine does is shared by all. Ours gets it twice: beginning with empty caches, and, before that, in a run through all
schemas with what it keeps of those before. Compared are the schemas that all of them take.
"""

from __future__ import annotations

import contextlib
import io
import json
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

from bench.figures import quantiles, ratios, seconds
from schema2gbnf import clear_cache, compile_schema

WARM_RUNS = 20


def report(schemas: Sequence[tuple[str, Any]]) -> Iterator[str]:
    """What there is to say of the time that the schemas take."""
    import llguidance
    from llama_cpp.llama_grammar import json_schema_to_gbnf

    tokenizer = llguidance.LLTokenizer("byte")

    def convert(text: str) -> None:
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            json_schema_to_gbnf(text)

    def guide(text: str) -> None:
        matcher = llguidance.LLMatcher(tokenizer, llguidance.LLMatcher.grammar_from_json_schema(text), log_level=0)
        if matcher.is_error():
            raise ValueError(matcher.get_error())

    times: dict[str, list[float]] = {"ours": [], "ours in one run": [], "converter": [], "llguidance": []}
    taken = {"ours": 0, "converter": 0, "llguidance": 0}
    warm: list[float] = []
    slowest = (0.0, "")
    clear_cache()
    in_one_run = [_time(partial(compile_schema, schema)) for _, schema in schemas]
    for (name, schema), running in zip(schemas, in_one_run, strict=True):
        text = json.dumps(schema)
        row = {
            "ours": _time(partial(compile_schema, schema), before=clear_cache),
            "ours in one run": running,
            "converter": _time(partial(convert, text)),
            "llguidance": _time(partial(guide, text)),
        }
        for each in taken:
            taken[each] += row[each] is not None
        if row["ours"] is not None:
            warm.append(1e6 * seconds(partial(compile_schema, schema), WARM_RUNS))
            slowest = max(slowest, (row["ours"], name))
        if all(found is not None for found in row.values()):
            for each, found in row.items():
                times[each].append(1000 * (found or 0))
    yield f"taken: {', '.join(f'{each} {number}' for each, number in taken.items())} of {len(schemas)} schemas"
    for each, found in times.items():
        yield f"{each}: {quantiles(found, 'ms')}"
    for ours in ("ours", "ours in one run"):
        for other in ("converter", "llguidance"):
            yield f"{ours}/{other}: {ratios(times[ours], times[other])}"
    yield f"ours again, from the cache: {quantiles(warm, 'µs')}"
    yield f"slowest of ours: {1000 * slowest[0]:.0f} ms in {slowest[1]}"


def _time(call: Callable[[], object], before: Callable[[], object] = lambda: None) -> float | None:
    """The seconds of a call; None where the compiler refuses the schema, each with errors of its own kind."""
    try:
        return seconds(call, before=before)
    except Exception:
        return None

"""Whatever a model writes: no error, the same result however it is cut, arguments that grow as JSON does, linear time.

SCHEMA2GBNF_OUTPUTS is how many outputs are drawn, SCHEMA2GBNF_MEGABYTES how large the largest values are.
"""

from __future__ import annotations

import json
import os
from math import log
from random import Random
from time import perf_counter

import pytest

from schema2gbnf.toolcalls import CallArguments, Delta, StreamParser
from schema2gbnf.toolcalls.spelling import closing, read
from tests.toolcalls.cases import joined
from tests.toolcalls.outputs import Output, cuts, drawn

OUTPUTS = int(os.environ.get("SCHEMA2GBNF_OUTPUTS", "1500"))
MEGABYTES = float(os.environ.get("SCHEMA2GBNF_MEGABYTES", "0.1"))
SEED = 20260801


def fed(output: Output, chunks: list[str]) -> tuple[StreamParser, list[Delta]]:
    parser = StreamParser(output.format, output.tools)
    deltas = [delta for chunk in chunks for delta in parser.feed(chunk)]
    return parser, [*deltas, *parser.finish(output.reason)]


def check(output: Output, random: Random) -> None:
    whole, deltas = fed(output, [output.text])
    result, expected = whole.result, joined(deltas)
    events = [event.kind for event in (*result.events, *(event for call in result.calls for event in call.events))]
    assert "internal-error" not in events
    parser, deltas = fed(output, cuts(random, output.text))
    assert parser.result == result
    assert joined(deltas) == expected
    if output.format != "harmony":
        grow_as_json(deltas[:100])
    for call in result.calls:
        call.arguments.encode()
        if call.complete and not any(event.kind == "invalid-json" for event in call.events):
            assert isinstance(read(call.arguments), dict)
        elif output.format != "harmony":
            with pytest.raises(json.JSONDecodeError):
                json.loads(call.arguments)


def grow_as_json(deltas: list[Delta]) -> None:
    """At any time, what has been told of a call's arguments is the beginning of a JSON text."""
    texts: dict[int, str] = {}
    for delta in deltas:
        if isinstance(delta, CallArguments):
            texts[delta.index] = texts.get(delta.index, "") + delta.text
            read(texts[delta.index] + closing(texts[delta.index]))


def test_no_output_is_too_bad() -> None:
    print(f"{OUTPUTS} outputs, seed {SEED}")
    for number in range(OUTPUTS):
        random = Random(f"{SEED} {number}")
        output = drawn(random)
        try:
            check(output, random)
        except BaseException:
            print(f"output {number}: {output}")
            raise


QWEN = ("<tool_call>\n<function=f>\n<parameter={}>\n", "\n</parameter>\n</function>\n</tool_call>")
GLM = ("<tool_call>f<arg_key>{}</arg_key><arg_value>", "</arg_value></tool_call>")
HERMES = ('<tool_call>{"name": "f", "arguments": {"s": ', "}}</tool_call>")
HARMONY = ('<|channel|>commentary to=functions.f<|message|>{"s": ', "}<|call|>")


def tagged(frame: tuple[str, str], key: str) -> tuple[str, str]:
    return frame[0].format(key), frame[1]


def around(frame: tuple[str, str], start: str, end: str) -> tuple[str, str]:
    return frame[0] + start, end + frame[1]


LARGE: dict[str, tuple[str, tuple[str, str], str]] = {
    "text": ("qwen3_coder", tagged(QWEN, "s"), "x"),
    "brackets": ("qwen3_coder", tagged(QWEN, "s"), "<"),
    "closing tags": ("qwen3_coder", tagged(QWEN, "s"), "</parameter>\n"),
    "closing tags of functions": ("qwen3_coder", tagged(QWEN, "s"), "</function> "),
    "other parameters": ("qwen3_coder", tagged(QWEN, "s"), "\n<parameter=x"),
    "blanks": ("qwen3_coder", around(tagged(QWEN, "s"), "</parameter>", ""), "  \n"),
    "digits": ("qwen3_coder", tagged(QWEN, "n"), "1"),
    "digits and underscores": ("glm47", tagged(GLM, "n"), "1_"),
    "an object": ("glm47", around(tagged(GLM, "o"), '{"a": [', "1]}"), '1, "a", '),
    "an array never closed": ("glm47", tagged(GLM, "o"), '[1, "a", '),
    "quotes": ("glm47", around(tagged(GLM, "o"), '"', '"'), '\\"'),
    "alternatives": ("glm47", around(tagged(GLM, "v"), '{"a": [', "1]}"), '{"a": 1}, '),
    "beginnings of a tag": ("glm47", tagged(GLM, "s"), "</arg_valu"),
    "beginnings of calls": ("qwen3_coder", ("", ""), "<tool_call>\n<function=f"),
    "beginnings of calls as JSON": ("hermes", ("", ""), '<tool_call>{"name": "<tool_call>["'),
    "a string": ("hermes", around(HERMES, '"', '"'), "x"),
    "escapes": ("hermes", around(HERMES, '"', '"'), "\\n"),
    "numbers": ("hermes", around(HERMES, "[", "0]"), "1, "),
    "brackets never closed": ("hermes", HERMES, '{"a":'),
    "a body": ("harmony", around(HARMONY, '"', '"'), "<|"),
    "messages": ("harmony", ("", ""), "<|start|>assistant<|channel|>final<|message|>a<|end|>"),
}
SCHEMA = {
    "oneOf": [
        {"properties": {"kind": {"const": kind}, "v": {"type": type_}, "s": {"type": "string"}}}
        for kind, type_ in enumerate(("string", "integer", "object", ["string", "null"], "boolean"))
    ],
    "properties": {"n": {"type": "integer"}, "o": {"type": "object"}},
}


def seconds(format: str, text: str, size: int) -> float:
    start = perf_counter()
    parser = StreamParser(format, [{"name": "f", "parameters": SCHEMA}])
    for place in range(0, len(text), size):
        parser.feed(text[place : place + size])
    parser.finish()
    assert not any(event.kind == "internal-error" for event in parser.result.events)
    return perf_counter() - start


@pytest.mark.parametrize("name", LARGE)
def test_time_is_linear(name: str) -> None:
    format, (before, behind), piece = LARGE[name]
    largest = int(MEGABYTES * 1_000_000)
    texts = [before + piece * (length // len(piece)) + behind for length in (largest // 8, largest)]
    tries = 3 if MEGABYTES < 1 else 1
    slopes = []
    for size in (4096, 1 << 30):
        # A machine that does other things too is quick only now and then.
        small, large = (min(seconds(format, text, size) for _ in range(tries)) for text in texts)
        slopes.append(log(large / small) / log(8))
        print(f"{name}: {largest / 1e6} MB in pieces of {size}: {large:.2f} s, slope {slopes[-1]:.2f}")
    assert max(slopes) < 1.7

"""A server that only parses calls loads the standard library, `jsonpointer` and this package: nothing else."""

from __future__ import annotations

import json
import subprocess
import sys

PROGRAM = """
import sys
before = set(sys.modules)
import json
from schema2gbnf.toolcalls import StreamParser, parse
schema = json.loads(sys.argv[1])
tools = [{"name": "f", "parameters": schema}]
values = []
for format, text in {
    "qwen3_coder": "<tool_call><function=f><parameter=v>7</parameter></function></tool_call>",
    "glm47": "<tool_call>f<arg_key>v</arg_key><arg_value>7</arg_value></tool_call>",
    "hermes": '<tool_call>{"name": "f", "arguments": {"v": 7}}</tool_call>',
    "harmony": '<|channel|>commentary to=functions.f<|message|>{"v": 7}',
}.items():
    parser = StreamParser(format, tools)
    for character in text:
        parser.feed(character)
    parser.finish()
    assert parser.result == parse(format, text, tools)
    values.append(json.loads(parser.result.calls[0].arguments)["v"])
print(json.dumps([values, sorted({name.partition(".")[0] for name in set(sys.modules) - before})]))
"""


def loaded(schema: object) -> tuple[list[object], set[str]]:
    """The values read, and what was loaded that is no part of Python."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, json.dumps(schema)], capture_output=True, text=True, check=True
    )
    values, modules = json.loads(done.stdout)
    return values, set(modules) - sys.stdlib_module_names


def test_only_jsonpointer_is_loaded() -> None:
    schema = {
        "$id": "https://example.org/f",
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$defs": {
            "a": {"$anchor": "words", "type": ["string", "null"]},
            "b": {"$id": "https://example.org/b", "$ref": "f#words", "pattern": "^[a-z]+$", "format": "uuid"},
        },
        "allOf": [
            {"properties": {"v": {"$ref": "b"}}},
            {"properties": {"kind": {"const": 1}}, "patternProperties": {}},
        ],
    }
    assert loaded(schema) == (["7", "7", 7, 7], {"jsonpointer", "schema2gbnf"})


def test_a_reference_that_leads_to_no_document_loads_nothing_either() -> None:
    schema = {"properties": {"v": {"$ref": "https://example.org/nowhere.json"}}}
    assert loaded(schema) == ([7, 7, 7, 7], {"jsonpointer", "schema2gbnf"})

"""Texts that models might write on a bad day, drawn at random: calls, cut, mixed, stuffed with tags, broken."""

from __future__ import annotations

import json
from dataclasses import dataclass
from random import Random
from typing import Any

SCHEMAS: tuple[Any, ...] = (
    {"properties": {"v": {"type": "string"}, "w": {"type": "integer"}}},
    {"properties": {"v": {"type": ["string", "null"]}, "w": {"enum": ["a", "7", 7, None]}}},
    {"properties": {"v": {}, "w": {"type": "boolean"}}, "additionalProperties": {"type": "number"}},
    {"properties": {"v": {"type": "object"}, "w": {"type": "array"}}, "required": ["v"]},
    {"properties": {"v": {"$ref": "#/nowhere"}, "w": {"$ref": "#/properties/w"}}},
    {
        "anyOf": [
            {"properties": {"kind": {"const": "text"}, "v": {"type": "string"}}, "required": ["kind"]},
            {"properties": {"kind": {"const": 1}, "v": {"type": "integer"}}, "additionalProperties": False},
            {"properties": {"kind": {"const": True}, "w": {"type": "string", "enum": ["a", "b"]}}},
        ]
    },
    {
        "$ref": "#/$defs/a",
        "$defs": {"a": {"oneOf": [{"$ref": "#/$defs/b"}, {"$ref": "#/$defs/a"}]}, "b": {"type": "object"}},
    },
    {"type": ["object", 5], "properties": 7, "anyOf": [3, {"properties": {"v": {"type": "int32", "nullable": True}}}]},
    {
        "properties": {"v": {"allOf": [{"type": "integer"}, {"type": "string"}]}, "w": False},
        "patternProperties": {"[": {}},
    },
    True,
)
NAMES = ("f", "g", "get_weather", "mcp.ns:do-it", "no such", "")
KEYS = ("v", "w", "kind", "extra", "", " v ", "a b", "é")
VALUES = (
    *("5", "-0", "1e3", "007", "1_000", "0x1F", "1e400", "NaN", "Infinity", "1", "1.0", "9" * 5000),
    *("true", "False", "None", "null", "NULL", '"null"', '"5"', '\\"5\\"', "", " ", "\n", "a", " a ", "text", "7"),
    *("hello\nworld\n", '{"a": 1}', '{"a": NaN}', "{'a': (1, None)}", "[1, 2", "1, 2", "((((1", "'\\x4"),
    *('"{\\"a\\": 1}"', "<b>x</b>", "</parameter>", "</parameter>\n</x", "</function>", "</arg_value", "a <"),
    *("\n<parameter=w>", "</tool_call>", "<tool_call>", "</parameter>\n<parameter=q", "[" * 300),
    *("\\d+\\n", "\ufffd\ufffd", "\ud800", "🙂", '"\\ud83d"'),
)
TAGS = (
    *("<tool_call>", "</tool_call>", "<function=f>", "<function=", "</function>"),
    *("<parameter=v>", "<parameter=", "</parameter>", "<arg_key>", "</arg_key>", "<arg_value>", "</arg_value>"),
    *("<|start|>", "<|channel|>", "<|message|>", "<|end|>", "<|call|>", "<|return|>", "<|constrain|>"),
    *("assistant", " to=functions.f", " to=python", "commentary", "analysis", "final", "json", "<think>", "</think>"),
    *("<", ">", "\n", " ", '"', "\\", "{", "}", "[", "]", ":", ",", '"name"', '"arguments"', '"f"', "f", "v"),
)
FORMATS = ("qwen3_coder", "glm47", "hermes", "harmony")


@dataclass(frozen=True)
class Output:
    """A text, how it is to be read, and what is known of the tools."""

    format: str
    schema: Any
    text: str
    reason: str

    @property
    def tools(self) -> list[dict[str, Any]]:
        return [{"name": name, "parameters": self.schema} for name in ("f", "get_weather", "mcp.ns:do-it")]


def drawn(random: Random) -> Output:
    """One output."""
    format = random.choice(FORMATS)
    text = "".join(_piece(random, format) for _ in range(random.choice((1, 1, 2, 3, 6))))
    for _ in range(random.choice((0, 0, 1, 1, 2, 4))):
        text = _damaged(random, text)
    return Output(format, random.choice(SCHEMAS), text, random.choice(("stop", "stop", "length")))


def _piece(random: Random, format: str) -> str:
    match random.randrange(8):
        case 0:
            return "".join(random.choice(TAGS) for _ in range(random.randrange(20)))
        case 1:
            return random.choice(("\n", " ", "text", "Let me see.\n", "<think>hm</think>"))
        case 2:
            return _call(random, random.choice(FORMATS))
        case _:
            return _call(random, format)


def _call(random: Random, format: str) -> str:
    name = random.choice(NAMES[:3] if random.random() < 0.8 else NAMES)
    keys = KEYS[:3] if random.random() < 0.8 else KEYS
    arguments = [(random.choice(keys), random.choice(VALUES)) for _ in range(random.randrange(4))]
    line = random.choice(("\n", "\n", ""))
    match format:
        case "qwen3_coder":
            parameters = "".join(f"<parameter={key}>{line}{value}{line}</parameter>{line}" for key, value in arguments)
            return f"<tool_call>{line}<function={name}>{line}{parameters}</function>{line}</tool_call>{line}"
        case "glm47":
            parameters = "".join(
                f"<arg_key>{key}</arg_key>{line}<arg_value>{value}</arg_value>{line}" for key, value in arguments
            )
            return f"<tool_call>{name}{line}{parameters}</tool_call>{line}"
    body = json.dumps(dict(arguments), ensure_ascii=random.random() < 0.5)
    if format == "hermes":
        return f'<tool_call>{line}{{"name": {json.dumps(name)}, "arguments": {body}}}{line}</tool_call>{line}'
    recipient, channel = f" to=functions.{name}", "<|channel|>commentary"
    header = random.choice((f"<|start|>assistant{channel}{recipient}", f"{recipient}{channel}", channel + recipient))
    return f"{header} <|constrain|>json<|message|>{body}{random.choice(('<|call|>', '<|end|>', ''))}"


def _damaged(random: Random, text: str) -> str:
    start, end = sorted((random.randint(0, len(text)), random.randint(0, len(text))))
    match random.randrange(6):
        case 0:
            return text[:end]
        case 1:
            return text[:start] + random.choice(TAGS) + text[start:]
        case 2:
            return text[:start] + text[min(end, start + 8) :]
        case 3:
            return text[:end] + text[start:]
        case 4:
            data = bytearray(text.encode(errors="surrogatepass"))
            for _ in range(random.randrange(1, 4)):
                if data:
                    data[random.randrange(len(data))] = random.randrange(256)
            return data.decode(errors="replace")
        case _:
            return text[:start] + random.choice(VALUES) + text[start:]


def cuts(random: Random, text: str) -> list[str]:
    """The text in pieces of random lengths."""
    longest = random.choice((1, 3, 10, 50))
    pieces, start = [], 0
    while start < len(text):
        length = random.randint(0, longest)
        pieces.append(text[start : start + length])
        start += length
    return pieces

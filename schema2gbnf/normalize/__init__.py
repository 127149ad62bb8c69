"""Tool schemas rewritten for narrower back ends: what these cannot read into what they can, and the rest reported.

Every value that was valid stays valid; where no event says `loosened`, no other value has become valid either.

>>> from schema2gbnf.normalize import normalize
>>> result = normalize({"type": "integer", "minimum": 10, "anyOf": [{"minimum": 1}, {"maximum": 100}]})
>>> result.schema
{'anyOf': [{'type': 'integer', 'minimum': 10}, {'type': 'integer', 'minimum': 10, 'maximum': 100}]}
>>> [str(event) for event in result.events]
['/: union-distributed: lossless: anyOf takes in what stands beside it: type, minimum']
"""

from __future__ import annotations

from collections.abc import Mapping
from os import PathLike
from typing import TYPE_CHECKING, Any

from schema2gbnf.normalize.events import SEVERITIES, Event, NormalizationError, Severity
from schema2gbnf.normalize.options import Limits, Options
from schema2gbnf.schema.text import Json

if TYPE_CHECKING:
    from schema2gbnf.normalize.normalizer import Normalized
    from schema2gbnf.normalize.targets import Target, TargetError
    from schema2gbnf.normalize.tools import NormalizedTools

__all__ = [
    "SEVERITIES",
    "Event",
    "Limits",
    "NormalizationError",
    "Normalized",
    "NormalizedTools",
    "Options",
    "Severity",
    "Target",
    "TargetError",
    "normalize",
    "normalize_tools",
]

_LAZY = {"Normalized": "normalizer", "NormalizedTools": "tools", "Target": "targets", "TargetError": "targets"}
DEFAULT_TARGET = "llama.cpp"


def normalize(
    schema: Any,
    target: str | PathLike[str] | Mapping[str, Json] | Target = DEFAULT_TARGET,
    options: Options | None = None,
    **choices: Any,
) -> Normalized:
    """Normalize a schema for a target: the name of one, a table of one, or the path of a file with a table.

    Choices are the fields of `Options`, as keywords or as one value. Raises `NormalizationError` in strict mode only;
    what is no schema comes back as it is, with an event of severity `error`.
    """
    from schema2gbnf.normalize.events import enforce
    from schema2gbnf.normalize.normalizer import normalized
    from schema2gbnf.normalize.options import chosen
    from schema2gbnf.normalize.targets import target_of

    wanted = chosen(options, choices)
    found = normalized(schema, target_of(target), wanted)
    enforce(found.events, wanted.strict)
    return found


def normalize_tools(
    tools: Any,
    target: str | PathLike[str] | Mapping[str, Json] | Target = DEFAULT_TARGET,
    shape: str = "auto",
    options: Options | None = None,
    **choices: Any,
) -> NormalizedTools:
    """Normalize the schemas of a tool list in its container: OpenAI's shapes, Anthropic's, MCP's, or any (`auto`).

    A tool that fails does not stop the others; `on_error` says what becomes of it.
    """
    from schema2gbnf.normalize.options import chosen
    from schema2gbnf.normalize.targets import target_of
    from schema2gbnf.normalize.tools import normalized_tools

    return normalized_tools(tools, target_of(target), chosen(options, choices), shape)


def __getattr__(name: str) -> Any:
    """Load what is asked for when it is asked for."""
    if name not in _LAZY:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"schema2gbnf.normalize.{_LAZY[name]}"), name)

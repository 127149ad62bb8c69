"""An exact compiler from JSON Schema to GBNF, the grammar language of llama.cpp.

>>> from schema2gbnf import compile_schema
>>> result = compile_schema({"type": "array", "items": {"type": "boolean"}, "maxItems": 2}, whitespace="compact")
>>> result.exact
True
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from schema2gbnf.errors import (
    InvalidSchemaError,
    SchemaError,
    UnresolvedReferenceError,
    UnsatisfiableSchemaError,
    UnsupportedSchemaError,
)
from schema2gbnf.findings import Finding

if TYPE_CHECKING:
    from schema2gbnf.api import Result, clear_cache, compile_schema
    from schema2gbnf.options import Limits, Options
    from schema2gbnf.verification.report import Counterexample, Verification
    from schema2gbnf.verification.run import verify

__version__ = "0.1.0"

__all__ = [
    "Counterexample",
    "Finding",
    "InvalidSchemaError",
    "Limits",
    "Options",
    "Result",
    "SchemaError",
    "UnresolvedReferenceError",
    "UnsatisfiableSchemaError",
    "UnsupportedSchemaError",
    "Verification",
    "clear_cache",
    "compile_schema",
    "verify",
]

_LAZY = {
    "Counterexample": "verification.report",
    "Limits": "options",
    "Options": "options",
    "Result": "api",
    "Verification": "verification.report",
    "clear_cache": "api",
    "compile_schema": "api",
    "verify": "verification.run",
}


def __getattr__(name: str) -> Any:
    """Load the compiler when it is first asked for, so that importing the package costs next to nothing."""
    if name not in _LAZY:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"schema2gbnf.{_LAZY[name]}"), name)

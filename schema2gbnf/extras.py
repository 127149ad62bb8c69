"""The optional packages: what to install where one of them is missing."""

from __future__ import annotations

from importlib.util import find_spec


def need(extra: str, meaning: str, *modules: str) -> None:
    """Raises `ModuleNotFoundError`, which tells the extra to install, when one of its modules is missing."""
    for module in modules:
        if find_spec(module) is None:
            raise ModuleNotFoundError(f"{meaning} is not installed; pip install 'schema2gbnf[{extra}]'", name=module)

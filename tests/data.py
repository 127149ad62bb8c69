"""Where the shared test data is: next to the checkout, or where SCHEMA2GBNF_DATA says."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

DATA = Path(os.environ.get("SCHEMA2GBNF_DATA", Path(__file__).parents[2] / "shared" / "data"))


def data(name: str) -> Path:
    """A file or folder of the shared data; the test module that asks is skipped where it is absent."""
    path = DATA / name
    if not path.exists():
        pytest.skip(f"{path} is absent; SCHEMA2GBNF_DATA names another folder", allow_module_level=True)
    return path

"""What all tests share: the engine, loaded once, and the patience of hypothesis."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import settings

from tests.engine import Engine, require_engine

# A busy machine is no finding.
settings.register_profile("patient", deadline=None)
settings.load_profile("patient")


@pytest.fixture(scope="session")
def engine() -> Iterator[Engine]:
    """llama.cpp's grammar engine; the test is skipped where it is not installed."""
    require_engine()
    with Engine() as engine:
        yield engine

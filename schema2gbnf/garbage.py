"""The collector of cyclic garbage, kept away from work that makes hardly any."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def no_collection() -> Iterator[None]:
    """Without the collector of cyclic garbage: a compilation or a normalization makes little, but so many objects that
    the whole heap of the program around would be walked again and again, a quarter of the time in a large one."""
    if not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        gc.enable()

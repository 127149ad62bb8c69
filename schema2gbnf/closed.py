"""The end of a `match` over a closed union: `typing.assert_never`, which Python 3.10 has not yet."""

from __future__ import annotations

from typing import NoReturn


def assert_never(value: NoReturn, /) -> NoReturn:
    """Tell the type checker that no case is left; reached at run time, it is an error of ours."""
    raise AssertionError(f"no case for {value!r}")

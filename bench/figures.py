"""Quantiles, slopes, and the processor time of a call."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence

QUANTILES = (("p50", 0.5), ("p95", 0.95), ("p99", 0.99), ("max", 1.0))


def quantile(values: Sequence[float], share: float) -> float:
    """The value below which so large a share of the values is."""
    return sorted(values)[min(len(values) - 1, int(share * len(values)))] if values else 0.0


def ratios(ours: Sequence[float], theirs: Sequence[float]) -> str:
    """The quantiles of some figures divided by those of others, and so the means."""
    parts = [f"{name} {quantile(ours, share) / max(quantile(theirs, share), 1e-9):.2f}" for name, share in QUANTILES]
    return ", ".join([f"mean {sum(ours) / max(sum(theirs), 1e-9):.2f}", *parts])


def quantiles(values: Sequence[float], unit: str) -> str:
    """The quantiles of some figures."""
    return ", ".join(f"{name} {quantile(values, share):.3g} {unit}" for name, share in QUANTILES)


def slope(sizes: Sequence[float], figures: Sequence[float]) -> float:
    """The exponent with which a figure grows with a size: the slope of the line nearest to the points on two
    logarithmic scales (least squares).

    >>> round(slope([1, 10, 100], [3, 300, 30000]), 2)
    2.0
    """
    xs, ys = [math.log(size) for size in sizes], [math.log(max(figure, 1e-9)) for figure in figures]
    x_mean, y_mean = sum(xs) / len(xs), sum(ys) / len(ys)
    spread = sum((x - x_mean) ** 2 for x in xs)
    return sum((x - x_mean) * (y - y_mean) for x, y in zip(xs, ys, strict=True)) / spread


def seconds(call: Callable[[], object], runs: int = 1, before: Callable[[], object] = lambda: None) -> float:
    """The processor time of the quickest of some calls; what is to be done before each is not counted."""
    found = []
    for _ in range(runs):
        before()
        start = time.thread_time()
        call()
        found.append(time.thread_time() - start)
    return min(found)

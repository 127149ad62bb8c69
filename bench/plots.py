"""A curve as an SVG file: compile time, bytes and load time over the size, on logarithmic scales."""

from __future__ import annotations

import re
from pathlib import Path

from bench.growth import Measured

RESULTS = Path(__file__).parent / "results"


def plot(curve: Measured, folder: Path = RESULTS) -> Path:
    """Draw a curve, and say where it is."""
    import matplotlib

    matplotlib.use("svg")
    # Without a date and with names that are not drawn at random, the same figures are the same file.
    matplotlib.rcParams["svg.hashsalt"] = curve.name
    from matplotlib import pyplot

    sizes = [point.size for point in curve.points]
    figure, axes = pyplot.subplots(1, 3, figsize=(12, 3.4), layout="constrained")
    rows = (
        (f"compile time, ms (slope {curve.time_slope:.2f})", [point.compile_ms for point in curve.points]),
        (f"grammar, bytes (slope {curve.bytes_slope:.2f})", [point.bytes for point in curve.points]),
        ("load in llama.cpp, ms", [point.load_ms for point in curve.points]),
    )
    for axis, (title, figures) in zip(axes, rows, strict=True):
        axis.loglog(sizes, figures, marker="o")
        axis.set_title(title, fontsize=10)
        axis.grid(True, which="major", alpha=0.3)
    figure.suptitle(curve.name)
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{re.sub(r'[^a-zA-Z]+', '-', curve.name).strip('-')}.svg"
    figure.savefig(path, metadata={"Date": None})
    pyplot.close(figure)
    return path

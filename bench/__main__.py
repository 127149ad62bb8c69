"""What compiling costs, what its grammars cost llama.cpp, and how both grow: ratios and slopes measured in one run.

python -m bench [compile] [masks] [growth] [--schemas N] [--documents N] [--seed N] [--quick]

Compile time stands beside llama-cpp-python's converter and llguidance, masks beside the converter's grammars and the
floor. Each curve of growth is also drawn, as an SVG file in bench/results, which git ignores: its figures are this
machine's. Processor time is measured, of the calling thread alone.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from bench import compilation, masks
from bench.growth import CURVES, measured
from bench.plots import plot
from bench.schemas import documents, schemas
from tests.engine import Engine

PARTS = ("compile", "masks", "growth")
QUICK = {"schemas": 12, "documents": 3, "sizes": 3}


def growth(quick: bool) -> Iterator[str]:
    """Each curve, and where it is drawn; of the small sizes alone when it has to be quick."""
    with Engine() as engine:
        for curve in CURVES:
            found = measured(curve, engine, curve.sizes[: QUICK["sizes"]] if quick else None)
            yield f"{found}; {plot(found).name}"


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"what to measure: {', '.join(PARTS)} (all)")
    parser.add_argument("--schemas", type=int, default=300, help="schemas to compile (300)")
    parser.add_argument("--documents", type=int, default=60, help="documents to time masks along (60)")
    parser.add_argument("--seed", type=int, default=0, help="which schemas are drawn (0)")
    parser.add_argument("--quick", action="store_true", help="small figures that only show that everything runs")
    chosen = parser.parse_args()
    unknown = [part for part in chosen.parts if part not in PARTS]
    if unknown:
        parser.error(f"there is no part {unknown[0]}, but {', '.join(PARTS)}")
    if chosen.quick:
        chosen.schemas, chosen.documents = QUICK["schemas"], QUICK["documents"]
    reports = {
        "compile": lambda: compilation.report(schemas(chosen.schemas, chosen.seed)),
        "masks": lambda: masks.report(documents(chosen.documents)),
        "growth": lambda: growth(chosen.quick),
    }
    for part in chosen.parts or PARTS:
        for line in reports[part]():
            print(f"{part}: {line}", flush=True)


if __name__ == "__main__":
    main()

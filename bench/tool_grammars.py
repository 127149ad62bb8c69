"""Published MCP tools compiled for every wire format: do their grammars load, and does what they allow read back?

    python -m bench.tool_grammars [--tools N] [--servers N] [--samples N] [--formats F,…]

For each tool, by name: the grammar loads in llama.cpp, sampled texts are read back by the parser to one complete call
whose arguments a JSON Schema validator accepts, each text (of every tenth tool) has one reading, and valid arguments in
canonical spelling are accepted. For whole lists: the same with `auto` (full and lazy) and `required`. Prints figures;
failures are listed.
"""

from __future__ import annotations

import argparse
import json
import lzma
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from schema2gbnf.toolcalls.grammar import FORMATS
from tests.data import data
from tests.engine import Engine
from tests.toolcalls.grammar.judges import check_list, check_tool


def servers(path: Path) -> Iterator[dict[str, Any]]:
    """The lines of the data file."""
    with lzma.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


def main() -> int:
    """Run, and print."""
    arguments = _arguments()
    listed = list(servers(data("real-tools/mcp.jsonl.xz")))
    tools = [(server["package"], tool) for server in listed for tool in server["tools"]]
    tools = tools[:: max(1, len(tools) // arguments.tools)] if arguments.tools else tools
    listed = listed[:: max(1, len(listed) // arguments.servers)] if arguments.servers else listed
    failed = 0
    with Engine() as engine:
        for format in arguments.formats.split(","):
            failed += _tools(engine, tools, format, arguments.samples)
            failed += _lists(engine, listed, format, arguments.samples)
    return 1 if failed else 0


def _tools(engine: Engine, tools: list[tuple[str, Any]], format: str, samples: int) -> int:
    figures: Counter[str] = Counter()
    begun = time.perf_counter()
    for number, (package, tool) in enumerate(tools):
        counted = 5 if number % 10 == 0 else 0
        for outcome, count, complaint in check_tool(engine, tool, format, samples, counted):
            figures[outcome] += count
            if complaint:
                print(f"{format} {package} {tool['name']}: {outcome}: {complaint}", file=sys.stderr)
    print(f"{format}: {len(tools)} tools in {time.perf_counter() - begun:.0f} s: {_told(figures)}", flush=True)
    return sum(count for outcome, count in figures.items() if outcome.startswith("not "))


def _lists(engine: Engine, listed: list[dict[str, Any]], format: str, samples: int) -> int:
    figures: Counter[str] = Counter()
    begun = time.perf_counter()
    for server in listed:
        for choice in ("auto", "required"):
            for outcome, count, complaint in check_list(engine, server["tools"], format, choice, samples):
                figures[outcome] += count
                if complaint:
                    print(f"{format} {server['package']} {choice}: {outcome}: {complaint}", file=sys.stderr)
    spent = time.perf_counter() - begun
    print(f"{format}: {len(listed)} whole lists in {spent:.0f} s: {_told(figures)}", flush=True)
    return sum(count for outcome, count in figures.items() if outcome.startswith("not "))


def _told(figures: Counter[str]) -> str:
    return ", ".join(f"{outcome} {count}" for outcome, count in sorted(figures.items()))


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tools", type=int, default=0, help="about how many tools (default: all)")
    parser.add_argument("--servers", type=int, default=0, help="about how many whole lists (default: all)")
    parser.add_argument("--samples", type=int, default=20, help="texts sampled of each grammar (default: 20)")
    parser.add_argument("--formats", default=",".join(FORMATS), help="wire formats (default: all)")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())

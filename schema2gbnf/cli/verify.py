"""Try a grammar against its schema, and tell every way in which it does not mean it.

Forward: sentences of the grammar are validated against the schema in its dialect, formats asserted. Backward: valid
values must be accepted as the library's dumps writes them, and invalid ones refused. Values come from what the schema
means (at each bound, branch, member, pattern), from its own words (examples, default, enum), and from both changed at
random. Each counterexample is made small. Without --grammar the grammar is the one the schema becomes; with it, the
options of the compiler must be those it was written with. The same seed tries the same.

Exit status: 0 no counterexample, 1 some, 2 the schema is refused, or a validator or an engine is missing.
"""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, fields
from importlib.util import find_spec
from pathlib import Path

from schema2gbnf.cli.files import (
    COULD_NOT_RUN,
    DONE,
    NO,
    STREAM,
    Complaint,
    complain,
    complaining,
    label,
    read_bytes,
    read_text,
)
from schema2gbnf.cli.schemas import chosen_options, count, declare_options
from schema2gbnf.errors import SchemaError
from schema2gbnf.options import Limits
from schema2gbnf.verification.report import Counts, Verification
from schema2gbnf.verification.run import CHOICES, Progress, verify

_TOLD_AFTER = 1.0
"""Seconds after which there is a progress bar."""


def declare(parser: ArgumentParser) -> None:
    """Let the parser take the arguments of this verb."""
    parser.add_argument("schema", metavar="SCHEMA", help='a file with a schema; "-" is standard input')
    parser.add_argument("--grammar", metavar="FILE.gbnf", help="the grammar to try (default: what the schema becomes)")
    parser.add_argument(
        "--samples", type=count, default=100, metavar="N", help="sentences of each engine (default: %(default)s)"
    )
    parser.add_argument("--seed", type=int, default=0, metavar="S", help="which ones (default: %(default)s)")
    parser.add_argument("--model", metavar="M.gguf", help="a model that draws the sentences in llama.cpp")
    parser.add_argument(
        "--engine", choices=CHOICES, default=None, help="who reads the grammar (default: own, with --model both)"
    )
    parser.add_argument("--format", choices=("text", "json"), default="text", help="of the report (default: text)")
    declare_options(parser)


def run(arguments: Namespace) -> int:
    """Verify and print the report."""
    options = chosen_options(arguments)
    name = arguments.schema
    data = read_bytes(name, options.limits.bytes) if name == STREAM else None
    grammar = None if arguments.grammar is None else read_text(arguments.grammar, Limits().bytes)
    model = None if arguments.model is None else Path(arguments.model)
    if model is not None:
        with complaining(str(model)):
            model.stat()
    try:
        with complaining(name), _progress() as progress:
            outcome = verify(
                Path(name) if data is None else data,
                grammar=grammar,
                samples=arguments.samples,
                seed=arguments.seed,
                engine=arguments.engine or ("own" if model is None else "both"),
                model=model,
                progress=progress,
                options=options,
            )
    except SchemaError as error:
        raise Complaint(label(name), str(error), COULD_NOT_RUN) from None
    except ModuleNotFoundError as error:
        raise Complaint("schema2gbnf verify", str(error)) from None
    except ValueError as error:
        raise Complaint(label(name), str(error)) from None
    if not arguments.quiet:
        for finding in outcome.findings:
            complain(label(name), finding)
    print(_as_json(outcome) if arguments.format == "json" else _as_text(label(name), outcome))
    return DONE if outcome.ok else NO


def _as_json(outcome: Verification) -> str:
    return json.dumps({"ok": outcome.ok, **asdict(outcome)}, ensure_ascii=False, indent=2)


def _as_text(name: str, outcome: Verification) -> str:
    counts = outcome.counts
    lines = [f"{name}: {example}" for example in outcome.counterexamples]
    tried = f"{counts.sentences} sentences, {counts.valid} valid and {counts.invalid} invalid values"
    lines.append(f"{name}: {tried}, read by {' and '.join(outcome.engines)}")
    aside = [f"{getattr(counts, each.name)} {each.name}" for each in fields(Counts)[3:] if getattr(counts, each.name)]
    lines += [f"{name}: of these {', '.join(aside)}"] if aside else []
    number = len(outcome.counterexamples)
    lines.append(f"{name}: {'no' if number == 0 else number} counterexample{'s' if number > 1 else ''}")
    return "\n".join(lines)


@contextmanager
def _progress() -> Iterator[Progress | None]:
    """A progress bar, on a terminal and when there is one to be had."""
    if not sys.stderr.isatty() or find_spec("tqdm") is None:
        yield None
        return
    from tqdm import tqdm

    with tqdm(delay=_TOLD_AFTER, leave=False, unit="", file=sys.stderr) as bar:

        def advance(done: int, of: int) -> None:
            bar.total = of
            bar.update(done - bar.n)

        yield advance

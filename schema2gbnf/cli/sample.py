"""Write sentences of a grammar, or of the grammar that a schema becomes: at random, spread over all its branches.

Each sentence stands on a line of its own. With a schema, blanks between tokens are therefore as json.dumps writes them
(--whitespace chooses otherwise); where sentences hold line breaks, --escaped keeps them apart. The same seed gives the
same sentences. Exit status: 0 done, 2 something cannot be read, or has no sentences.
"""

from __future__ import annotations

import json
from argparse import ArgumentParser, Namespace

from schema2gbnf.api import Result
from schema2gbnf.cli.files import DONE, Complaint, label
from schema2gbnf.cli.schemas import count, declare_options, grammar_or_compiled
from schema2gbnf.gbnf import Sampler


def declare(parser: ArgumentParser) -> None:
    """Let the parser take the arguments of this verb."""
    parser.add_argument("grammar", metavar="GRAMMAR_OR_SCHEMA", help="a .gbnf file, or a .json file with a schema")
    parser.add_argument("-n", "--number", type=count, default=1, metavar="N", help="how many (default: 1)")
    parser.add_argument("--seed", type=int, default=0, metavar="S", help="which ones (default: 0)")
    parser.add_argument("--escaped", action="store_true", help="write each sentence as a JSON string")
    declare_options(parser)
    parser.set_defaults(whitespace="spaced")


def run(arguments: Namespace) -> int:
    """Draw and print."""
    source = grammar_or_compiled(arguments, arguments.grammar)
    try:
        sampler = Sampler(source.grammar if isinstance(source, Result) else source, arguments.seed)
    except ValueError as error:
        raise Complaint(label(arguments.grammar), str(error)) from None
    for _ in range(arguments.number):
        sentence = sampler.sample()
        print(json.dumps(sentence, ensure_ascii=False) if arguments.escaped else sentence)
    return DONE

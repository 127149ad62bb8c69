"""Check that grammars kept in files are what their schemas become, or write them anew.

The table [tool.schema2gbnf] of the nearest pyproject.toml says which schema becomes which grammar:

  [tool.schema2gbnf]
  whitespace = "compact"   # options for all
  golden = [
    { schema = "schemas/*.json", grammar = "grammars/*.gbnf" },
    { schema = "schemas/a.json", grammar = "grammars/a.open.gbnf", additional-properties = "spec" },
  ]

Wildcards of a grammar stand for what they matched in the schema. A grammar that was edited, or whose schema has
changed, is shown as a text diff and by shortest texts that only the kept or the fresh one accepts. Exit status: 0 all
are as they should be, 1 some are not, 2 a table or a file cannot be read or written.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter
from pathlib import Path

from schema2gbnf.cli.files import DONE, NO, Complaint, complaining
from schema2gbnf.cli.schemas import count
from schema2gbnf.gbnf.witnesses import LIMIT
from schema2gbnf.golden import Project, TableError, check, update


def declare(parser: ArgumentParser) -> None:
    """Let the parser take the arguments of this verb."""
    parser.formatter_class = RawDescriptionHelpFormatter
    parser.add_argument("action", choices=("check", "update"), help="tell what departs, or write it anew")
    parser.add_argument("folders", metavar="DIR", nargs="*", default=["."], help="folders of projects (default: here)")
    parser.add_argument("--prune", action="store_true", help="let update remove grammars that no schema becomes")
    parser.add_argument(
        "--states",
        type=count,
        default=LIMIT,
        metavar="N",
        help="pairs of states to visit for each witness (default: %(default)s)",
    )


def run(arguments: Namespace) -> int:
    """Check or update each project, and print what departs or was written."""
    status = DONE
    for folder in arguments.folders:
        try:
            project = Project.at(Path(folder))
        except TableError as error:
            raise Complaint("schema2gbnf golden", str(error)) from None
        with complaining(folder):
            for found in check(project, arguments.states):
                if arguments.action == "update" and update(found, arguments.prune):
                    print(f"{str(found).partition(': ')[0]}: updated")
                else:
                    print(found)
                    status = NO
    return status

"""`python -m schema2gbnf`: the command line."""

from __future__ import annotations

import sys

from schema2gbnf.cli import main

if __name__ == "__main__":
    sys.exit(main())

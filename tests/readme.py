"""What the README takes from elsewhere: its console sessions, run in the checkout, and the table of keywords.

`python -m tests.readme` writes both anew.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

from schema2gbnf.semantics.coverage import table
from tests.golden import HOUSE

README = HOUSE / "README.md"
_SESSION = re.compile(r"(?<=^```console\n).*?(?=^```$)", re.DOTALL | re.MULTILINE)
_KEYWORDS = re.compile(r"(?<=^<!-- keywords: begin -->\n).*?(?=^<!-- keywords: end -->$)", re.DOTALL | re.MULTILINE)
_PYTHON = re.compile(r"(?<=^```python\n).*?(?=^```$)", re.DOTALL | re.MULTILINE)


def text() -> str:
    """The README as it is."""
    return README.read_text(encoding="utf-8")


def python() -> list[str]:
    """The interpreter sessions in it."""
    return _PYTHON.findall(text())


def rerun() -> str:
    """The README with what its commands print and its table says today."""
    with_table = _KEYWORDS.sub(lambda _: f"\n{table()}\n\n", text(), count=1)
    return _SESSION.sub(lambda session: _rerun(session.group()), with_table)


def _rerun(session: str) -> str:
    commands = [line.removeprefix("$ ") for line in session.splitlines() if line.startswith("$ ")]
    return "".join(f"$ {command}\n{_output(command)}" for command in commands)


def _output(command: str) -> str:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        command,
        shell=True,
        cwd=HOUSE,
        env={**os.environ, "PATH": path},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
    )
    return done.stdout.decode()


if __name__ == "__main__":
    README.write_text(rerun(), encoding="utf-8")

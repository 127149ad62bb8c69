"""Patterns of paths, of which one is filled with what another matched.

A pattern is a path with `/` between its parts, relative to some folder and inside it. `*` stands for any piece of a
name and `**/` for any folders on the way, but for names that begin with a dot.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path

_WILDCARD = re.compile(r"\*\*/|\*")
_MATCHED = {"**/": r"((?:(?!\.)[^/]+/)*)", "*": r"([^/]*)"}


@dataclass(frozen=True, slots=True)
class Pattern:
    """A pattern of paths.

    >>> schemas, grammars = Pattern("schemas/**/*.json"), Pattern("grammars/**/*.gbnf")
    >>> grammars.filled(schemas.matched("schemas/tools/deep/x.json"))
    'grammars/tools/deep/x.gbnf'
    """

    text: str

    def __post_init__(self) -> None:
        parts = self.text.split("/")
        if not self.text or "" in parts or "." in parts or ".." in parts or "\\" in self.text or ":" in parts[0]:
            raise ValueError(f"{self.text!r} is no path inside the folder, with / between its parts")
        if any("**" in part and (part != "**" or part is parts[-1]) for part in parts):
            raise ValueError(f"{self.text!r}: ** stands for whole folders: a/**/*.json")

    @property
    def wildcards(self) -> tuple[str, ...]:
        """The wildcards, in order."""
        return tuple(_WILDCARD.findall(self.text))

    def matched(self, path: str) -> tuple[str, ...] | None:
        """What the wildcards stand for in a path; None when the pattern is not the path's."""
        found = re.fullmatch(self._expression, path)
        return None if found is None else found.groups()

    @property
    def _expression(self) -> str:
        written = ""
        for piece, wildcard in zip_longest(_WILDCARD.split(self.text), self.wildcards, fillvalue=""):
            # No name that begins with a dot, but where the pattern has the dot.
            begins = wildcard == "*" and piece[-1:] in ("", "/")
            written += re.escape(piece) + (r"(?!\.)" if begins else "") + _MATCHED.get(wildcard, "")
        return written

    def filled(self, pieces: tuple[str, ...]) -> str:
        """The path in which the wildcards stand for these pieces."""
        rest = iter(pieces)
        return _WILDCARD.sub(lambda _: next(rest), self.text)

    def paths(self, folder: Path) -> Iterator[str]:
        """The files of a folder that have the pattern, in order."""
        if not self.wildcards:
            if (folder / self.text).is_file():
                yield self.text
            return
        fixed = _WILDCARD.split(self.text)[0].rpartition("/")[0]
        found = []
        for place, folders, files in os.walk(folder / fixed):
            folders[:] = [name for name in folders if not name.startswith(".")]
            found += [(Path(place) / name).relative_to(folder).as_posix() for name in files]
        yield from sorted(path for path in found if self.matched(path) is not None)

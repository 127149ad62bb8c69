"""Text that arrives in pieces, read as if it were all there.

A parser is a generator that reads from a `Source`; where the text so far does not tell how to go on, it yields, and is
resumed when there is more, or when there will be none. What waits is never longer than a tag or a name, so the cost of
a piece does not depend on what came before it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Iterable
from typing import TypeVar

T = TypeVar("T")
Steps = Generator[None, None, T]
Write = Callable[[str], None]

BLANK = re.compile(r"\s*")


def nowhere(text: str) -> None:
    """Where text goes that nobody wants."""


class EndOfTextError(Exception):
    """The text is over where it may not be."""


class NotACallError(Exception):
    """What began like a call is none."""


class Tags:
    """Literals that begin with `<`, and have no other."""

    def __init__(self, *tags: str) -> None:
        assert all(tag.rfind("<") == 0 for tag in tags)
        self.pattern = re.compile("|".join(map(re.escape, tags)))
        self.beginnings = frozenset(tag[:length] for tag in tags for length in range(1, len(tag)))
        self.longest = max(map(len, tags))

    def certain(self, text: str, start: int) -> int:
        """Up to where the text, without a tag from `start` on, is none: its end may be the beginning of one."""
        place = text.rfind("<", max(start, len(text) - self.longest + 1))
        return place if place >= 0 and text[place:] in self.beginnings else len(text)


class Source:
    """The text, the place that has been reached, and a mark to come back to."""

    def __init__(self) -> None:
        self.text = ""
        self.position = 0
        self.ended = False
        self.whole = False
        """Once it has ended: whether by the will of the model."""
        self._mark: int | None = None
        self._kept: list[str] = []

    def add(self, text: str) -> None:
        """More text; what has been read is forgotten, but for what was read from the mark on."""
        if self._mark is not None:
            self._kept.append(self.text[self._mark : self.position])
            self._mark = 0
        self.text = self.text[self.position :] + text
        self.position = 0

    def end(self, whole: bool) -> None:
        """No more text will come."""
        self.ended, self.whole = True, whole

    # -- reading -----------------------------------------------------------------------------------------------------

    def more(self) -> Steps[bool]:
        """Wait; False when no more text will come."""
        if self.ended:
            return False
        yield
        return True

    def until(self, tags: Tags, write: Write, rest: Write | None = None) -> Steps[str]:
        """Go past the first of the tags, and return it; the text before it is written as soon as it is certain to be
        before. The end of the text is a tag ""; the beginning of a tag that it leaves goes to `rest`, if given.
        """
        while True:
            found = tags.pattern.search(self.text, self.position)
            end = found.start() if found else tags.certain(self.text, self.position)
            if end > self.position:
                write(self.text[self.position : end])
            self.position = end
            if found:
                self.position = found.end()
                return found.group()
            if not (yield from self.more()):
                if end < len(self.text):
                    (rest or write)(self.text[end:])
                    self.position = len(self.text)
                return ""

    def run(self, characters: re.Pattern[str]) -> Steps[str]:
        """Go past all that a pattern matches, which is a repeated class of characters."""
        pieces = []
        while True:
            found = characters.match(self.text, self.position)
            assert found is not None
            pieces.append(found.group())
            self.position = found.end()
            if self.position < len(self.text) or not (yield from self.more()):
                return "".join(pieces)

    def blanks(self) -> Steps[str]:
        """Go past whitespace."""
        return self.run(BLANK)

    def peek(self, options: Iterable[str]) -> Steps[str | None]:
        """Which of the options comes next; None when none does, "" when the text ends before this is told.

        What the text then ends in is gone past.
        """
        while True:
            for option in options:
                if self.text.startswith(option, self.position):
                    return option
            rest = self.text[self.position : self.position + 64]
            if not any(option.startswith(rest) for option in options):
                return None
            if not (yield from self.more()):
                self.position = len(self.text)
                return ""

    def take(self, options: Iterable[str]) -> Steps[str | None]:
        """As `peek`, and go past the option."""
        found = yield from self.peek(options)
        self.skip(len(found or ""))
        return found

    def character(self) -> Steps[str]:
        """The next character, without going past it."""
        while self.position == len(self.text):
            if not (yield from self.more()):
                raise EndOfTextError
        return self.text[self.position]

    def skip(self, count: int) -> None:
        """Go past characters that have been seen; back, when negative, to characters that were just read."""
        self.position += count

    # -- going back --------------------------------------------------------------------------------------------------

    def mark(self, behind: str = "") -> None:
        """Remember this place, or the one before a tag that was just read."""
        self._mark, self._kept = self.position - len(behind), []

    def unmark(self) -> None:
        self._mark, self._kept = None, []

    @property
    def raw(self) -> str:
        """The text from the mark on."""
        return "".join([*self._kept, self.text[self._mark or 0 : self.position]])

    def back(self) -> None:
        """Return to the mark, and forget it."""
        mark = self._mark or 0
        if self._kept:
            self.text = "".join([*self._kept, self.text[mark:]])
            mark = 0
        self.position = mark
        self.unmark()

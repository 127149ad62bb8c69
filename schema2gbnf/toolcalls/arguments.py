"""The arguments of one call in a tagged format, typed as they come and written as the text of a JSON object.

The alternatives of the argument object that are still possible are narrowed by every argument, whatever its order. An
argument that can only be a string, of any kind, is written while it comes; all others when they are over. One whose
value depends on which alternative it is waits until these agree, at the latest for the end of the call: it alone.
"""

from __future__ import annotations

from dataclasses import dataclass

from schema2gbnf.toolcalls.readings import Reading, Text, Untyped, Words, read_argument, spelled
from schema2gbnf.toolcalls.session import OpenCall
from schema2gbnf.toolcalls.spelling import characters, spell


@dataclass(frozen=True, slots=True)
class _Candidate:
    """What an argument is under one alternative."""

    reading: Reading
    text: str


class Arguments:
    """The arguments so far."""

    def __init__(self, call: OpenCall, words: Words, untyped: Untyped) -> None:
        self.call = call
        self.names: dict[str, list[str]] = {}
        """The arguments that came, each with the pieces of its JSON text."""
        self._words = words
        self._untyped = untyped
        self._alive = tuple(range(len(call.signature.branches)))
        self._waiting: dict[str, dict[int, _Candidate]] = {}
        self._name = ""
        self._pieces: list[str] = []
        self._streams = False
        self._repeated = False
        self._empty = True

    # -- one argument ------------------------------------------------------------------------------------------------

    def begin(self, name: str) -> None:
        """An argument begins; of two under one name the last counts."""
        signature, call = self.call.signature, self.call
        if name in self._waiting:
            del self._waiting[name]
        elif name in self.names:
            self._repeated = True
        if name in self.names:
            call.note("malformed", "the parameter is given twice; the last one counts", name)
        if call.name in call.session.tools and not signature.knows(name):
            call.note("unknown-parameter", "the schema says nothing of it", name)
        self.names[name] = self._pieces = []
        self._name = name
        domains = [signature.domain(branch, name) for branch in self._alive]
        for _, events in domains:
            for event in events:
                call.note(event.kind, event.message, name)
        self._streams = all(domain.any_string for domain, _ in domains)
        if self._streams:
            self._write_name(name)
            self._write('"')

    def write(self, text: str) -> None:
        """More of the argument's text."""
        if self._streams:
            self._write(characters(text))
        else:
            self._pieces.append(text)

    def stray(self, text: str) -> None:
        """Text between the arguments; blanks are none."""
        if not text.isspace():
            self.call.note("malformed", "there is text between the arguments")

    def end(self) -> None:
        """The argument is over."""
        if self._streams:
            self._write('"')
            return
        self._waiting[self._name] = self._candidates(Text("".join(self._pieces)))
        admitting = tuple(branch for branch, each in self._waiting[self._name].items() if each.reading.admitted)
        if admitting:
            self._alive = admitting
        else:
            self.call.note("inadmissible", "the schema admits no reading of the text", self._name)
        self._settle()

    def _candidates(self, text: Text) -> dict[int, _Candidate]:
        found = {}
        by_domain: dict[object, _Candidate] = {}
        for branch in self._alive:
            domain, _ = self.call.signature.domain(branch, self._name)
            if domain not in by_domain:
                reading = read_argument(text, domain, self._words, self._untyped)
                by_domain[domain] = _Candidate(reading, spelled(text, reading))
            found[branch] = by_domain[domain]
        return found

    def _settle(self) -> None:
        """Write the arguments on which all alternatives agree that are left."""
        for name, candidates in list(self._waiting.items()):
            texts = {candidates[branch].text for branch in self._alive}
            if len(texts) == 1:
                self._write_value(name, texts.pop())

    # -- the call ----------------------------------------------------------------------------------------------------

    def finish(self) -> None:
        """All arguments have come."""
        names = frozenset(self.names)
        branches = self.call.signature.branches
        fitting = tuple(branch for branch in self._alive if len(self._alive) > 1 and branches[branch].fits(names))
        self._alive = fitting or self._alive
        for name, candidates in list(self._waiting.items()):
            left = [candidates[branch] for branch in self._alive]
            left = [each for each in left if each.reading.admitted] or left
            chosen = next((each for each in left if not isinstance(each.reading.value, str)), left[0])
            self._write_value(name, chosen.text)
        self.call.write("{}" if self._empty else "}")
        self.call.end(self._without_repetition() if self._repeated else None)

    def _without_repetition(self) -> str:
        return "{" + ", ".join(f"{spell(name)}: {''.join(pieces)}" for name, pieces in self.names.items()) + "}"

    def _write_value(self, name: str, text: str) -> None:
        del self._waiting[name]
        self.names[name] = self._pieces = []
        self._write_name(name)
        self._write(text)

    def _write_name(self, name: str) -> None:
        self.call.write(("{" if self._empty else ", ") + spell(name) + ": ")
        self._empty = False

    def _write(self, text: str) -> None:
        self._pieces.append(text)
        self.call.write(text)

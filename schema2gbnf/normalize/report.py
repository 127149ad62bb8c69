"""The report in the making: events in the order of the schema, taken back where a part of it is dropped."""

from __future__ import annotations

from schema2gbnf.normalize.events import EXACT_SEVERITIES, Event, Severity
from schema2gbnf.normalize.reading import Reading
from schema2gbnf.schema.text import Json


class Report:
    """Events of what is being written; each definition has a report of its own, which counts if it is used."""

    def __init__(self) -> None:
        self.events: list[Event] = []

    def add(
        self, kind: str, severity: Severity, path: str, detail: str, before: Json = None, after: Json = None
    ) -> None:
        self.events.append(Event(kind, severity, path, detail, before, after))

    def tell(self, reading: Reading) -> None:
        """Report what had to be changed to read a subschema."""
        self.events.extend(reading.events)

    @property
    def mark(self) -> int:
        """Where the report is now, for `take_back`."""
        return len(self.events)

    def exact_since(self, mark: int) -> bool:
        """Whether nothing was reported since that makes other values valid."""
        return all(event.severity in EXACT_SEVERITIES for event in self.events[mark:])

    def take_back(self, mark: int) -> None:
        """Forget what was reported since, for what it was about is no longer there."""
        del self.events[mark:]

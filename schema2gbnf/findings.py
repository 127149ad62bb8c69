"""What a compilation has to tell beside its grammar: every place where the grammar is not exactly the schema."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Kind = Literal["loosened", "narrowed", "ignored", "note"]


@dataclass(frozen=True, slots=True)
class Finding:
    """One departure from the schema, or one remark.

    `loosened`: the grammar accepts texts the schema refuses. `narrowed`: it refuses texts the schema accepts.
    `ignored`: the keyword says nothing about instances here. `note`: nothing is lost, but a reader may want to know.

    >>> print(Finding("loosened", "uniqueItems", "#/properties/tags", "items of any string are not kept distinct"))
    #/properties/tags: uniqueItems: loosened: items of any string are not kept distinct
    """

    kind: Kind
    keyword: str
    pointer: str
    message: str

    def __str__(self) -> str:
        return f"{self.pointer}: {self.keyword}: {self.kind}: {self.message}"

"""`unevaluatedProperties` and `unevaluatedItems`, which see what other keywords and applied schemas have evaluated.

Where what is evaluated does not depend on the value, they come to a fact of the usual kind: the names that some
`properties` has are free, all others meet the schema. Elsewhere the subschema is sealed: it is carried over as a whole,
and what can be said without the keyword is said beside it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

from schema2gbnf.normalize.reading import Reading, Value
from schema2gbnf.normalize.references import Lost, References
from schema2gbnf.schema.subschema import Subschema

_DEPENDS = {
    "unevaluatedProperties": ("anyOf", "oneOf", "if", "dependentSchemas", "patternProperties"),
    "unevaluatedItems": ("anyOf", "oneOf", "if", "dependentSchemas", "contains"),
}
"""Keywords that make what is evaluated depend on the value."""
RESOLVED = {"unevaluatedProperties": "additionalProperties", "unevaluatedItems": "items"}
"""The keyword that leaves nothing unevaluated, and that says the same where what is evaluated is known."""


@dataclass(frozen=True, slots=True)
class Plain:
    """The keyword comes to these keywords of 2020-12; to none if there is nothing that it could apply to."""

    keywords: dict[str, Value]


@dataclass(frozen=True, slots=True)
class Sealed:
    """What the keyword says depends on the value."""


def read(reading: Reading, keyword: str, references: References) -> Plain | Sealed:
    """What an `unevaluated…` keyword of a reading comes to."""
    applied = [references.reader.read(sub) for sub in references.within(reading.sub)]
    if any(name in each.keywords for each in applied for name in _DEPENDS[keyword]):
        return Sealed()
    if any(_loses(each, references) for each in applied):
        return Sealed()
    inner = [each for each in applied if each.sub is not reading.sub]
    if any(RESOLVED[keyword] in each.keywords for each in applied) or any(keyword in each.keywords for each in inner):
        return Plain({})
    free = references.documents.synthetic(True, reading.sub)
    schema = cast(Subschema, reading.keywords[keyword])
    if keyword == "unevaluatedItems":
        length = max(len(each.schemas("prefixItems")) for each in applied)
        return Plain({**({"prefixItems": [free] * length} if length else {}), "items": schema})
    names = {name: free for each in applied for name in each.schema_map("properties")}
    return Plain({**({"properties": names} if names else {}), "additionalProperties": schema})


def _loses(reading: Reading, references: References) -> bool:
    """Whether a subschema applies another that is not known."""
    if any(event.severity == "loosened" for event in reading.events):
        return True
    return "$ref" in reading.keywords and isinstance(references.follow(reading.sub), Lost)

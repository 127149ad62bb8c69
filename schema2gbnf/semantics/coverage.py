"""How exact each keyword is: the table that the tests check against the vocabularies and that the README prints."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Coverage:
    """Where the grammar of a keyword is not exactly the keyword; an empty text means nowhere."""

    keywords: tuple[str, ...]
    narrowed: str = ""
    """When values that the schema accepts are not written."""
    loosened: str = ""
    """When texts are let through that the schema refuses: refused in strict mode."""
    refused: str = ""
    """When the schema is refused in every mode."""


COVERAGE: tuple[Coverage, ...] = (
    Coverage(("type", "nullable"), refused="an unknown type name"),
    Coverage(("const", "enum")),
    Coverage(
        ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"),
        narrowed="no exponents; more than 64 digits before or 32 behind the point, unless the schema names more",
        loosened="a bound of more than 4,000 digits",
    ),
    Coverage(
        ("multipleOf",),
        narrowed="no exponents",
        loosened="a divisor whose remainders need more than 20,000 states",
        refused="a divisor that is not positive",
    ),
    Coverage(("minLength", "maxLength"), loosened="beside a pattern whose automaton cannot count so far"),
    Coverage(
        ("pattern",),
        narrowed="characters that need no escape are written without one",
        loosened="a back-reference; an automaton of more than 20,000 states",
        refused="not a regular expression of ECMA-262",
    ),
    Coverage(
        ("format",),
        narrowed="time, date-time, hostname, idn-hostname, email, idn-email, regex: the finding says what is left out",
    ),
    Coverage(
        ("contentEncoding", "contentMediaType"),
        narrowed="draft 7: base64 without line breaks; application/json nested no deeper than 2; no others are checked",
        loosened="draft 7: application/json in an encoding",
    ),
    Coverage(
        ("properties", "patternProperties", "additionalProperties"),
        narrowed="members in the order of the schema; by default no undeclared members where some are declared",
        loosened="patterns that split names into more than 128 parts",
    ),
    Coverage(("required", "dependentRequired", "dependentSchemas", "dependencies")),
    Coverage(("propertyNames",)),
    Coverage(("minProperties", "maxProperties"), loosened="counting needs more than 4,000 states"),
    Coverage(("items", "prefixItems", "additionalItems")),
    Coverage(("minItems", "maxItems"), loosened="beside `contains`, when counting needs more than 4,000 states"),
    Coverage(("contains", "minContains", "maxContains"), loosened="counting needs more than 4,000 states"),
    Coverage(("uniqueItems",), loosened="items that may have more than 8 values, or any number of them"),
    Coverage(("allOf",)),
    Coverage(("anyOf", "oneOf", "if", "then", "else"), loosened="more than 128 alternatives of one object or array"),
    Coverage(("not",), loosened="telling what is still due needs more than 4,000 states; a format covered in part"),
    Coverage(
        ("unevaluatedProperties", "unevaluatedItems"), loosened="more than 128 alternatives of one object or array"
    ),
    Coverage(
        ("$ref", "$dynamicRef", "$recursiveRef"),
        refused="it leads nowhere, only back to itself, or to another document that was not given",
    ),
)
"""Every keyword that says something about instances."""


def table() -> str:
    """The coverage as a Markdown table."""
    lines = ["| keyword | narrowed | loosened (refused in strict mode) | refused |", "| --- | --- | --- | --- |"]
    for row in COVERAGE:
        names = ", ".join(f"`{keyword}`" for keyword in row.keywords)
        lines.append(f"| {names} | {row.narrowed} | {row.loosened} | {row.refused} |")
    return "\n".join(lines)

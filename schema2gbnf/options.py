"""What a caller may choose, and the budgets that keep any schema within bounded time and memory."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any, Literal, get_args

from schema2gbnf.schema.text import Json

DialectName = Literal["draft4", "draft6", "draft7", "draft2019-09", "draft2020-12", "openapi3.0"]


@dataclass(frozen=True, slots=True)
class Limits:
    """Budgets. Past one of the first two groups a schema is refused; past one of the last it is loosened with a finding
    (refused in strict mode)."""

    bytes: int = 16 << 20
    """Size of a schema text."""
    depth: int = 512
    """Nesting of a schema's JSON."""

    nonterminals: int = 50_000
    """Distinct sets of demands in one grammar."""

    branches: int = 128
    """Alternatives that one value may have as an object, or as an array."""
    automaton_states: int = 20_000
    """States while the automaton of a pattern or a number language is built."""
    work: int = 1_000_000
    """States that all intersections and unions of large automata may have together."""
    printed_states: int = 2_000
    """States of a string automaton that a length bound may be multiplied into."""
    member_states: int = 4_000
    """States of the automaton over an object's members or an array's items."""
    unique_values: int = 8
    """Values an item may have for `uniqueItems` to be kept."""
    key_parts: int = 128
    """Intersections of `patternProperties` that undeclared names are split into."""
    obligations: int = 48
    """Negated subschemas that one alternative of an object or array may owe at once."""


@dataclass(frozen=True, slots=True)
class Options:
    """How to compile. Every field has the default that suits a model's output."""

    strict: bool = False
    """Refuse with `UnsupportedSchemaError` what a grammar cannot hold, instead of loosening it."""
    additional_properties: Literal["closed", "spec"] = "closed"
    """"closed": an object with `properties` and no word on further members has none. "spec": the standard, open."""
    whitespace: Literal["compact", "spaced", "flexible", "any"] = "flexible"
    """Blanks between tokens: none; one after `,` and `:`; a little anywhere; anything JSON allows."""
    order: Literal["declared", "any"] = "declared"
    """Order of an object's members: as the schema declares them, or any."""
    prop_order: tuple[str, ...] = ()
    """Names that come first in every object, in this order."""
    formats: Literal["assert", "annotate"] = "assert"
    """Whether `format` restricts strings."""
    default_dialect: DialectName = "draft2020-12"
    """Dialect of a schema without `$schema`, or with one that is not known."""
    documents: Mapping[str, Json] = field(default_factory=dict, hash=False)
    """Other schemas by URI, for `$ref`."""
    allow_fetch: bool = False
    """Load referenced documents over HTTP(S)."""
    nullable: bool | None = None
    """Whether `nullable: true` adds null; None: in OpenAPI 3.0 only."""
    dotall: bool = False
    """A dot in a pattern matches line terminators too."""
    raw_pattern: bool = False
    """Strings with a `pattern` are written without quotes and escapes, as the pattern has them."""
    integral_digits: int = 64
    """Most digits before the decimal point, unless the schema itself names more."""
    fraction_digits: int = 32
    """Most digits behind the decimal point, unless the schema itself names more."""
    limits: Limits = Limits()

    def with_choices(self, choices: Mapping[str, Any]) -> Options:
        """These options but for the choices, which are fields by their names.

        Raises `TypeError` for a field that there is not, and `ValueError` for a choice that does not exist.
        """
        known = {field.name for field in fields(Options)}
        unknown = [name for name in choices if name not in known]
        if unknown:
            raise TypeError(f"no such option: {', '.join(unknown)}; there are {', '.join(sorted(known))}")
        chosen = replace(self, **choices) if choices else self
        chosen.validate()
        return chosen

    def validate(self) -> None:
        """Raises `ValueError` for a choice that does not exist."""
        for name, allowed in CHOICES.items():
            if getattr(self, name) not in allowed:
                raise ValueError(f"{name}={getattr(self, name)!r}: choose one of {', '.join(allowed)}")


CHOICES: Mapping[str, tuple[str, ...]] = {
    name: get_args(annotation)
    for name, annotation in {
        "additional_properties": Literal["closed", "spec"],
        "whitespace": Literal["compact", "spaced", "flexible", "any"],
        "order": Literal["declared", "any"],
        "formats": Literal["assert", "annotate"],
        "default_dialect": DialectName,
    }.items()
}
"""The words that options of few words take."""

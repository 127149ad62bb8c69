"""What a caller may choose when a schema is normalized, and the bounds that hold for any input."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from typing import Literal, get_args

from schema2gbnf.schema.text import Json

OnError = Literal["keep", "drop", "raise"]


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds on input and output; past the first three a schema is left as it is, with an error."""

    depth: int = 10_000
    """Nesting of the schema's JSON."""
    nodes: int = 500_000
    """Values in the schema's JSON."""
    path: int = 1 << 20
    """Characters of the names that lead to a subschema."""
    growth: int = 10_000
    """Subschemas that merging may add; past it nothing is merged any more."""
    product: int = 64
    """Branches that several unions on one value may have when they are multiplied."""


@dataclass(frozen=True, slots=True)
class Options:
    """How to normalize. Every field has the default that suits tools sent to a local back end."""

    strict: bool | frozenset[str] = False
    """Raise `NormalizationError` for what is loosened, repaired or an error; or for events of these kinds."""
    max_repetition: int | None = None
    """The longest counted repetition, in place of the target's own limit."""
    repair_zod: bool = True
    """Read a reference to `…/anyOf/0` of a schema that has no `anyOf` as one to that schema: zod leaves such behind."""
    explicit_open: bool = False
    """Write `additionalProperties: true` where the back end would take its absence for false."""
    rewrite_patterns: bool = False
    """Rewrite patterns that the back end does not read, where that is possible, instead of dropping them."""
    type_aliases: bool = False
    """Read the type names of other languages and of databases (`str`, `varchar(20)`, `dict`) as JSON's."""
    nullable: bool = True
    """Let `nullable: true` beside a `type` add null, as OpenAPI 3.0 has it."""
    inline_refs: bool = False
    """Replace references by what they refer to, but where they are recursive."""
    policies: bool = False
    """Report also what the back end does to every schema: closing objects, ordering members, capping numbers."""
    arguments: bool = False
    """The schema is that of a tool's arguments, so that all values are objects; set for the schemas of tools."""
    documents: Mapping[str, Json] = field(default_factory=dict)
    """Other schemas by URI, for `$ref`."""
    on_error: OnError = "keep"
    """What becomes of a tool whose schema cannot be normalized."""
    limits: Limits = Limits()


def chosen(options: Options | None, choices: Mapping[str, object]) -> Options:
    """The options with some choices made. Raises `TypeError` for an unknown one, `ValueError` for a wrong one."""
    if options is None and not choices:
        return Options()
    known = {each.name for each in fields(Options)}
    if unknown := [name for name in choices if name not in known]:
        raise TypeError(f"no such option: {', '.join(unknown)}; there are {', '.join(sorted(known))}")
    given = {} if options is None else {name: getattr(options, name) for name in known}
    merged = {**given, **choices}
    if isinstance(strict := merged.get("strict", False), Iterable):
        merged["strict"] = frozenset((strict,) if isinstance(strict, str) else strict)
    found = Options(**merged)
    if found.on_error not in get_args(OnError):
        raise ValueError(f"on_error={found.on_error!r}: choose one of {', '.join(get_args(OnError))}")
    return found

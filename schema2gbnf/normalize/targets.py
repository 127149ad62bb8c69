"""Back ends as data: what each of them reads of a schema, and how.

A target is a table in `targets/`, a JSON object of the fields of `Target`; one that `extends` another names only what
differs. A table from a file works the same way. Nothing in this package asks for a target by its name.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, dataclass, fields
from functools import lru_cache
from importlib import resources
from os import PathLike
from pathlib import Path
from typing import Literal, cast, get_args

from schema2gbnf.schema.pointers import near
from schema2gbnf.schema.text import Json, read_json

RuleNames = Literal["none", "pointer", "last"]
Tuples = Literal["full", "fixed", "closed"]
Typeless = Literal["read", "implied", "structured"]
Order = Literal["any", "declared", "required-first"]


@dataclass(frozen=True, slots=True)
class Target:
    """What a back end makes of schemas. The defaults describe one that reads everything."""

    name: str
    about: str = ""
    ignored: frozenset[str] = frozenset()
    """Keywords that it skips."""
    refused: frozenset[str] = frozenset()
    """Keywords for which it refuses the whole schema."""
    partial: frozenset[str] = frozenset()
    """Keywords that let some of what they forbid pass."""
    narrowed: frozenset[str] = frozenset()
    """Keywords that refuse some of what they allow."""
    formats: frozenset[str] | None = None
    """The values of `format` that it enforces; None: all that it knows of."""
    number_bounds: bool = True
    """Bounds count for numbers, not only for integers."""
    integer_bounds: Literal["exact", "faulty"] = "exact"
    """"faulty": one-sided bounds with zeros inside, and negative upper bounds, let other integers through."""
    fractional_bounds: bool = True
    """Bounds of integers that are no integers are rounded inwards."""
    integer_bits: int | None = None
    """The width of the signed integers that bounds of integers must be."""
    bounded_digits: int | None = None
    """The most digits behind the point of a number that has bounds."""
    both_bounds: bool = True
    """An exclusive bound counts beside an inclusive one."""
    joint_strings: bool = True
    """Lengths count beside `pattern` and `format`."""
    counted_escapes: bool = True
    """A string of counted length may have escapes in it."""
    typeless: Typeless = "read"
    """"implied": without `type`, members, items and patterns imply it, and other keywords say nothing; "structured":
    patterns say nothing either."""
    boolean_schemas: bool = True
    any_value: Literal["empty", "types"] = "empty"
    """How a schema that allows everything is spelled: as `{}`, or as a list of all types."""
    type_lists: bool = True
    """Constraints beside a list of types count, each for its type."""
    const: bool = True
    reference_siblings: bool = True
    """Constraints beside `$ref` count."""
    union_siblings: bool = True
    """Constraints beside `anyOf` and `oneOf` count."""
    root_unions: bool = True
    """The arguments of a tool may be a union."""
    all_of: bool = True
    """The members of `allOf` are intersected."""
    one_of: Literal["exclusive", "any", "refused"] = "exclusive"
    """Whether `oneOf` is kept, taken for `anyOf`, or refused."""
    references: frozenset[str] = frozenset(("definitions", "enclosing", "other"))
    """Where references may lead: to `#/$defs/…` and `#/definitions/…`, to a schema around them, to any other."""
    rule_names: RuleNames = "none"
    """What its rules are named by: the pointer of a reference, or its last token; equal names are one rule."""
    undeclared_required: bool = True
    """Names in `required` count without an entry in `properties`."""
    undeclared_items: bool = True
    """Counts of items count without `items`."""
    empty_arrays: bool = True
    """`maxItems: 0` is read."""
    bare_structures: bool = True
    """Without `items`, or any keyword that says which members there are, arrays and objects are open, whatever else is
    said of them."""
    tuples: Tuples = "full"
    """"fixed": an array with `prefixItems` has exactly these items; "closed": without `items`, it has no others."""
    closes_objects: bool = False
    """Without `additionalProperties`, an object with `properties` has no others."""
    strict_objects: bool = False
    """Objects must be closed, and all their members required."""
    order: Order = "any"
    """The order in which members come."""
    open_objects: bool = True
    """Beside declared names, additional ones are told apart correctly."""
    max_repetition: int | None = None
    """The longest counted repetition."""
    patterns: frozenset[str] | None = None
    """The features of regular expressions that it reads, by the names in `patterns.FEATURES`; None: all."""
    pattern_nesting: int = 1000
    raw_patterns: bool = False
    """Patterns are matched against the JSON text of a string, not its value."""
    exact_formats: bool = True
    """The formats that it enforces are exactly the standard's."""
    number_digits: int | None = None
    """The most digits of a number on either side of the point."""


_CHOICES: Mapping[str, tuple[str, ...]] = {
    "integer_bounds": ("exact", "faulty"),
    "any_value": ("empty", "types"),
    "one_of": ("exclusive", "any", "refused"),
    "rule_names": get_args(RuleNames),
    "tuples": get_args(Tuples),
    "typeless": get_args(Typeless),
    "order": get_args(Order),
}
_SETS = frozenset(("ignored", "refused", "partial", "narrowed", "formats", "references", "patterns"))
_NUMBERS = frozenset(("max_repetition", "pattern_nesting", "number_digits", "integer_bits", "bounded_digits"))
_ALIASES: Mapping[str, str] = {"llamacpp": "llama.cpp", "llamacpp-2025": "llama.cpp-2025"}


class TargetError(ValueError):
    """A target that is not known, or a table that describes none."""


def names() -> tuple[str, ...]:
    """The targets that come with the package."""
    folder = resources.files(__package__).joinpath("targets")
    return tuple(sorted(entry.name.removesuffix(".json") for entry in folder.iterdir() if entry.name.endswith(".json")))


def target_of(choice: str | PathLike[str] | Mapping[str, Json] | Target) -> Target:
    """The target of a name, of a table in a file, or of a table.

    >>> target_of("llama.cpp").max_repetition, target_of({"extends": "llama.cpp", "max_repetition": 99}).max_repetition
    (2000, 99)
    """
    if isinstance(choice, Target):
        return choice
    if isinstance(choice, str):
        return _shipped(_ALIASES.get(choice, choice))
    if isinstance(choice, Mapping):
        return _target(dict(choice), "custom", ())
    path = Path(choice)
    return _target(_table(path.read_bytes(), str(path)), path.stem, ())


@lru_cache(maxsize=32)
def _shipped(name: str, outer: tuple[str, ...] = ()) -> Target:
    file = resources.files(__package__).joinpath("targets").joinpath(f"{name}.json")
    if name not in names():
        known = (*names(), *_ALIASES)
        hint = near(name, known) or "; there are " + ", ".join(known) + ", or a table in a file"
        raise TargetError(f"there is no target {name!r}{hint}")
    return _target(_table(file.read_bytes(), name), name, outer)


def _table(data: bytes, where: str) -> dict[str, Json]:
    table = read_json(data)
    if not isinstance(table, dict):
        raise TargetError(f"{where}: a target is an object of its fields")
    return table


def _target(table: dict[str, Json], name: str, outer: tuple[str, ...]) -> Target:
    base = table.pop("extends", None)
    if base is not None and (not isinstance(base, str) or base in outer):
        raise TargetError(f"{name}: 'extends' names a target that does not extend this one")
    known = {each.name for each in fields(Target)}
    values: dict[str, object] = {}
    if isinstance(base, str):
        extended = _shipped(_ALIASES.get(base, base), (*outer, name))
        values = {each: getattr(extended, each) for each in known}
    for key, value in table.items():
        if key not in known:
            raise TargetError(f"{name}: there is no field {key!r}{near(key, known)}")
        values[key] = _field(key, value, name)
    return Target(**{"name": name, **values, **({} if "name" in table else {"name": name})})  # type: ignore[arg-type]


_DEFAULTS = {each.name: each.default for each in fields(Target) if each.default is not MISSING}


def _field(key: str, value: Json, name: str) -> object:
    """The value of a field as `Target` holds it."""
    if key in _SETS:
        if isinstance(value, list) and all(isinstance(each, str) for each in value):
            return frozenset(cast("list[str]", value))
        if value is None and _DEFAULTS[key] is None:
            return None
        raise TargetError(f"{name}: {key}: expected a list of names")
    if key in _NUMBERS:
        if value is None or (isinstance(value, int) and not isinstance(value, bool) and value >= 0):
            return value
        raise TargetError(f"{name}: {key}: expected a whole number from 0 on, or null")
    if key in _CHOICES:
        if value in _CHOICES[key]:
            return value
        raise TargetError(f"{name}: {key}: choose one of {', '.join(_CHOICES[key])}")
    wanted = type(_DEFAULTS.get(key, ""))
    if not isinstance(value, wanted):
        raise TargetError(f"{name}: {key}: expected {'true or false' if wanted is bool else 'a text'}")
    return value

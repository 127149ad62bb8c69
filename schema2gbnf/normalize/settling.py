"""The last touches to a rewritten schema, by the type of value: contradictions, counts, bounds, patterns, tuples.

Each function takes the keywords as they are written now, changes them in place, and tells what it did. It answers
whether values of its type are still possible.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from decimal import Decimal
from fractions import Fraction
from math import ceil, floor
from typing import cast

from schema2gbnf.normalize import patterns
from schema2gbnf.normalize.events import Severity
from schema2gbnf.normalize.options import Options
from schema2gbnf.normalize.targets import Target
from schema2gbnf.normalize.values import ALL_TYPES, named_types
from schema2gbnf.schema.text import Json
from schema2gbnf.semantics.formula import exact

Schema = dict[str, Json]
Tell = Callable[[str, Severity, str, Json, Json], None]
"""Reports an event at the place of the schema: kind, severity, detail, before, after."""


def number_of(schema: Schema, keyword: str) -> int | Fraction | Decimal | None:
    """The value of a numeric keyword."""
    if keyword not in schema:
        return None
    value = schema[keyword]
    return value if isinstance(value, int) else exact(cast(float, value))


def crossed(schema: Schema, low: str, high: str) -> bool:
    """Whether a lower bound is above an upper one."""
    least, most = number_of(schema, low), number_of(schema, high)
    return least is not None and most is not None and least > most


def limit_of(target: Target, options: Options) -> int | None:
    """The longest repetition that the back end counts."""
    return target.max_repetition if options.max_repetition is None else options.max_repetition


# -- strings -----------------------------------------------------------------------------------------------------------


def strings(schema: Schema, target: Target, options: Options, tell: Tell) -> bool:
    """Lengths within what the back end counts, patterns that it reads."""
    if crossed(schema, "minLength", "maxLength"):
        return False
    _counts(schema, ("minLength", "maxLength"), target, options, tell)
    if "pattern" in schema and target.patterns is not None:
        _pattern(schema, target, options, tell)
    return True


def _counts(schema: Schema, keywords: tuple[str, ...], target: Target, options: Options, tell: Tell) -> None:
    limit = limit_of(target, options)
    for keyword in keywords:
        count = number_of(schema, keyword)
        if limit is not None and count is not None and count > limit:
            before = schema.pop(keyword)
            tell(
                "repetition-dropped",
                "loosened",
                f"{keyword}: no more than {limit} repetitions are counted",
                before,
                None,
            )


def _pattern(schema: Schema, target: Target, options: Options, tell: Tell) -> None:
    read, nesting, limit = target.patterns or frozenset(), target.pattern_nesting, limit_of(target, options)
    source = cast(str, schema["pattern"])
    found = patterns.traits(source)
    if isinstance(found, str):
        tell("pattern-dropped", "loosened", f"no regular expression of ECMA-262: {found}", schema.pop("pattern"), None)
        return
    unread = found.features - read
    spelled_out = unread <= patterns.SPELLED_OUT
    if unread and (spelled_out or options.rewrite_patterns):
        rewritten = patterns.without(source, frozenset(unread))
        after = patterns.traits(rewritten) if rewritten is not None else ""
        if not isinstance(after, str) and not after.features - read:
            schema["pattern"] = rewritten
            tell("pattern-rewritten", "lossless", "the same strings in simpler spelling", source, rewritten)
            return
    if unread:
        reasons = "; ".join(patterns.FEATURES[feature] for feature in patterns.FEATURES if feature in unread)
        tell("pattern-dropped", "loosened", f"the back end does not read it: {reasons}", schema.pop("pattern"), None)
    elif found.nesting > nesting:
        detail = f"nested deeper than {nesting} groups and repetitions"
        tell("pattern-dropped", "loosened", detail, schema.pop("pattern"), None)
    elif limit is not None and found.longest > limit:
        detail = f"no more than {limit} repetitions are counted"
        tell("pattern-dropped", "loosened", detail, schema.pop("pattern"), None)


# -- numbers -----------------------------------------------------------------------------------------------------------


def numbers(schema: Schema, target: Target, options: Options, tell: Tell) -> bool:
    """Bounds of integers rounded inwards where the back end would not."""
    if _ROUNDED.keys().isdisjoint(schema):
        return True
    low, high = bounds(schema)
    if low is not None and high is not None:
        if low[0] > high[0] or (low[0] == high[0] and (low[1] or high[1])):
            return False
        if _only_integers(schema) and _least(low) > _most(high):
            return False
    if _only_integers(schema):
        _integer_bounds(schema, target, tell)
    return True


def _integer_bounds(schema: Schema, target: Target, tell: Tell) -> None:
    """Bounds that a back end reads of integers."""
    if target.integer_bits is None and target.fractional_bounds:
        return
    for keyword, rounded in _ROUNDED.items():
        bound = number_of(schema, keyword)
        if target.integer_bits is not None and bound is not None:
            most = 1 << (target.integer_bits - 1)
            if not -most <= bound < most:
                detail = f"{keyword}: the back end counts in {target.integer_bits} bits"
                tell("bound-dropped", "loosened", detail, schema.pop(keyword), None)
                continue
        if not target.fractional_bounds and isinstance(bound, Fraction) and bound.denominator != 1:
            before = schema.pop(keyword)
            inclusive = "minimum" if rounded is ceil else "maximum"
            other = number_of(schema, inclusive)
            if other is None or (rounded(bound) > other if rounded is ceil else rounded(bound) < other):
                schema[inclusive] = rounded(bound)
            tell("bounds-rounded", "lossless", f"{keyword} of integers", before, schema[inclusive])


_ROUNDED: Mapping[str, Callable[[Fraction], int]] = {
    "minimum": ceil,
    "maximum": floor,
    "exclusiveMinimum": ceil,
    "exclusiveMaximum": floor,
}
"""How a bound of integers that is none itself is rounded inwards, where it becomes an inclusive one."""


Bound = tuple["int | Fraction | Decimal", bool]
"""A number, and whether it is excluded itself."""


def bounds(schema: Schema) -> tuple[Bound | None, Bound | None]:
    """The tighter of the lower bounds, and of the upper ones."""
    lows = [(number_of(schema, name), name == "exclusiveMinimum") for name in ("minimum", "exclusiveMinimum")]
    highs = [(number_of(schema, name), name == "exclusiveMaximum") for name in ("maximum", "exclusiveMaximum")]
    given_low = [(number, excluded) for number, excluded in lows if number is not None]
    given_high = [(number, excluded) for number, excluded in highs if number is not None]
    low = max(given_low, default=None)
    high = min(given_high, key=lambda bound: (bound[0], not bound[1]), default=None)
    return low, high


def _only_integers(schema: Schema) -> bool:
    names = named_types(schema["type"]) if "type" in schema else []
    return "integer" in names and "number" not in names


def _least(low: Bound) -> int:
    return floor(low[0]) + 1 if low[1] else ceil(low[0])


def _most(high: Bound) -> int:
    return ceil(high[0]) - 1 if high[1] else floor(high[0])


# -- arrays ------------------------------------------------------------------------------------------------------------


def arrays(schema: Schema, target: Target, options: Options, tell: Tell) -> bool:
    """Tuples closed by a count, counts within what the back end counts, and beside `items` where it wants them."""
    if "prefixItems" in schema and not schema["prefixItems"]:
        del schema["prefixItems"]
    prefix = cast("list[Json]", schema.get("prefixItems", []))
    if schema.get("items") is False and (prefix or not target.boolean_schemas):
        del schema["items"]
        _at_most(schema, len(prefix))
        tell("tuple-closed", "lossless", "no items behind these: said by maxItems", False, schema["maxItems"])
    most = number_of(schema, "maxItems")
    if prefix and most is not None and (most < len(prefix) or (most == len(prefix) and "items" in schema)):
        schema["prefixItems"] = prefix = prefix[: int(most)]
        schema.pop("items", None)
        if not prefix:
            del schema["prefixItems"]
        tell("irrelevant-dropped", "lossless", "items that maxItems rules out", None, None)
    if crossed(schema, "minItems", "maxItems"):
        return False
    _counts(schema, ("minItems", "maxItems"), target, options, tell)
    counted = "minItems" in schema or "maxItems" in schema
    alone = schema.keys() <= {"type", "items", "minItems", "maxItems", "uniqueItems"}
    if schema.get("maxItems") == 0 and not target.empty_arrays and schema.get("type") == "array" and alone:
        schema.clear()
        schema["enum"] = [[]]
        tell("empty-array-spelled", "lossless", "the back end does not read maxItems: 0", None, [[]])
    elif counted and not prefix and "items" not in schema and not target.undeclared_items:
        schema["items"] = {"type": list(ALL_TYPES)}
        tell("items-declared", "lossless", "counts of items are read beside items only", None, schema["items"])
    elif prefix and "items" not in schema and target.tuples == "closed" and (most is None or most > len(prefix)):
        schema["items"] = {"type": list(ALL_TYPES)}
        tell("items-declared", "lossless", "the back end would allow no items behind these", None, schema["items"])
    return True


def _at_most(schema: Schema, count: int) -> None:
    most = number_of(schema, "maxItems")
    if most is None or most > count:
        schema["maxItems"] = count


def cut_prefix(schema: Schema, prefix: list[Json]) -> None:
    """Write the items before one that nothing can be: the array ends before it."""
    schema["prefixItems"] = prefix
    schema.pop("items", None)
    _at_most(schema, len(prefix))


# -- objects -----------------------------------------------------------------------------------------------------------


def objects(schema: Schema, target: Target, options: Options, tell: Tell) -> bool:
    """Counts of members that do not contradict each other, and openness said aloud where that is wanted."""
    if crossed(schema, "minProperties", "maxProperties"):
        return False
    most = number_of(schema, "maxProperties")
    if most is not None and len(set(cast("list[str]", schema.get("required", [])))) > most:
        return False
    declared = cast(Schema, schema.get("properties", {}))
    least = number_of(schema, "minProperties")
    only_declared = schema.get("additionalProperties") is False and "patternProperties" not in schema
    if only_declared and least is not None and len(declared) < least:
        return False
    silent = "properties" in schema and "additionalProperties" not in schema
    if silent and options.explicit_open and target.closes_objects:
        schema["additionalProperties"] = True
        tell("opened-object", "lossless", "the back end would take the object for closed", None, True)
    return True


# -- what is said of nothing but the type ------------------------------------------------------------------------------

_OPEN = frozenset(("type", "title", "description", "default", "$schema"))
"""Keywords beside which the most closed-minded back end takes an object or array for open."""
_MEMBERS = frozenset(("properties", "patternProperties", "propertyNames", "additionalProperties"))
_ITEMS = frozenset(("items", "prefixItems"))


def open_bare(schema: Schema, tell: Tell) -> None:
    """Say aloud that an object or array is open of whose members or items nothing is said."""
    if _OPEN.issuperset(schema) or "enum" in schema or "const" in schema:
        return
    if schema.get("type") == "object" and _MEMBERS.isdisjoint(schema):
        schema["additionalProperties"] = True
        tell("opened-object", "lossless", "the back end would take the object for closed", None, True)
    elif schema.get("type") == "array" and _ITEMS.isdisjoint(schema):
        schema["items"] = {"type": list(ALL_TYPES)}
        tell("items-declared", "lossless", "the back end would allow no items", None, schema["items"])

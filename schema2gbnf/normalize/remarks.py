"""What a back end will not keep of a schema that is written for it, found out from the target's table.

Comes in: the keywords of one rewritten schema, without those of its parts. Goes out: remarks, each the kind of an event
with its severity and a detail. Nothing is changed here.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from schema2gbnf.normalize import patterns
from schema2gbnf.normalize.events import Severity
from schema2gbnf.normalize.reading import CONSTRAINTS
from schema2gbnf.normalize.settling import number_of
from schema2gbnf.normalize.targets import Target
from schema2gbnf.normalize.values import named_types
from schema2gbnf.schema.text import Json

Schema = dict[str, Json]
Remark = tuple[str, Severity, str]

BOUNDS = frozenset(("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"))
_OF_STRINGS = frozenset(("pattern", "format"))
"""Keywords of strings that a back end may not read, or not all of."""
_GROUPED = {"then": "if", "else": "if", "minContains": "contains", "maxContains": "contains"}
_SAYS_NOTHING: dict[str, Json] = {"uniqueItems": False, "minProperties": 0, "multipleOf": 1}
_IMPLIED = {
    "properties": "object",
    "additionalProperties": "object",
    "items": "array",
    "prefixItems": "array",
    "pattern": "string",
    "format": "string",
}
"""Keywords from which a back end takes the type that is not written, in its order."""
_STRUCTURED = frozenset(name for name, implied in _IMPLIED.items() if implied != "string")
_OF_ANY_TYPE = frozenset(("$ref", "allOf", "anyOf", "oneOf", "enum", "const", "type"))
"""Keywords that say something without a type, whichever back end reads them."""
INT64 = 1 << 63


def remarks(schema: Schema, target: Target) -> Iterator[Remark]:
    """All that is to be said of one schema."""
    yield from _skipped(schema, target)
    if "const" in schema or "enum" in schema:
        return  # the members were filtered, so nothing beside them matters
    if "type" not in schema:
        yield from _implied_type(schema, target)
    if not _OF_STRINGS.isdisjoint(schema):
        yield from _strings(schema, target)
    if not BOUNDS.isdisjoint(schema):
        yield from _numbers(schema, target)
    if "prefixItems" in schema:
        yield from _tuples(schema, target)
    if "properties" in schema:
        yield from _strict_objects(schema, target)


def _skipped(schema: Schema, target: Target) -> Iterator[Remark]:
    for keyword, value in schema.items():
        if keyword in _GROUPED and _GROUPED[keyword] in schema:
            continue
        if keyword in target.refused:
            yield keyword, "unenforced", f"the back end refuses schemas with {keyword}"
        elif _SAYS_NOTHING.get(keyword, ...) == value or value == {}:
            continue
        elif keyword in target.ignored:
            yield keyword, "unenforced", f"the back end skips {keyword}"
        if keyword in target.partial:
            yield keyword, "unenforced", "the back end lets some of what it forbids through"
        if keyword in target.narrowed:
            yield keyword, "backend-tightened", "the back end refuses some of what it allows"


def _implied_type(schema: Schema, target: Target) -> Iterator[Remark]:
    if target.typeless == "read":
        return
    for keyword, name in _IMPLIED.items():
        if _implies(schema, keyword, target):
            yield (
                "type-implied",
                "backend-tightened",
                f"without a type, {keyword} makes the back end accept no other than {name}",
            )
            return


def _implies(schema: Schema, keyword: str, target: Target) -> bool:
    """Whether the back end takes the type from a keyword."""
    if keyword not in schema or schema[keyword] is True:
        return False
    if target.typeless == "structured":
        return keyword in _STRUCTURED
    return keyword != "format" or _knows(schema[keyword], target)


def _knows(form: Json, target: Target) -> bool:
    return isinstance(form, str) and (target.formats is None or form in target.formats)


def unheard(schema: Schema, target: Target) -> bool:
    """Whether the types have to be listed: a schema allows everything, which is spelled so for the back end, or the
    back end takes it for one that says nothing, though it reads some of its keywords beside a type."""
    if not _OF_ANY_TYPE.isdisjoint(schema):
        return False
    telling = [keyword for keyword in schema if keyword in CONSTRAINTS]
    if not telling:
        return target.any_value == "types"
    if target.typeless == "read":
        return False
    if any(_implies(schema, keyword, target) for keyword in _IMPLIED):
        return False
    return any(
        keyword not in target.ignored and (keyword != "format" or _knows(schema[keyword], target))
        for keyword in telling
        if schema[keyword] is not True
    )


def _strings(schema: Schema, target: Target) -> Iterator[Remark]:
    form = schema.get("format")
    known = _knows(form, target)
    if isinstance(form, str) and not known:
        yield "format", "unenforced", f"the back end does not know the format {form}"
    if not target.joint_strings and ("pattern" in schema or (known and form is not None)):
        leading = "pattern" if "pattern" in schema else "format"
        for keyword in ("minLength", "maxLength"):
            if keyword in schema and schema[keyword] != 0:
                yield keyword, "unenforced", f"the back end skips it beside {leading}"
        if leading == "pattern" and known:
            yield "format", "unenforced", "the back end skips it beside pattern"
    if target.raw_patterns and "pattern" in schema:
        traits = patterns.traits(cast(str, schema["pattern"]))
        if not isinstance(traits, str) and traits.matches_unsafe:
            detail = "it also matches quotes, backslashes or controls, which the back end reads bare or not at all"
            yield "pattern", "unenforced", detail


def _numbers(schema: Schema, target: Target) -> Iterator[Remark]:
    names = named_types(schema["type"]) if "type" in schema else ["number"]
    if "number" in names and not target.number_bounds:
        yield "number-range", "unenforced", "bounds are kept for integers only"
    elif "integer" in names and "number" not in names:
        yield from _integers(schema, target)


def _integers(schema: Schema, target: Target) -> Iterator[Remark]:
    if not target.both_bounds:
        for plain, exclusive in (("minimum", "exclusiveMinimum"), ("maximum", "exclusiveMaximum")):
            if plain in schema and exclusive in schema:
                yield exclusive, "unenforced", f"the back end skips it beside {plain}"
    if target.integer_bounds == "faulty":
        low, high = _read_bounds(schema)
        if (low is not None and abs(low) >= INT64) or (high is not None and abs(high) >= INT64):
            yield "integer-range", "unenforced", "the back end counts in 64 bits"
        elif high is None and low is not None and low > 0 and _zeros_inside(low):
            yield "integer-range", "unenforced", f"the back end lets integers of fewer digits than {low} through"
        elif low is None and high is not None and high < 0:
            yield (
                "integer-range",
                "unenforced",
                "the back end lets integers through that are above, or begin with zeros",
            )


def _read_bounds(schema: Schema) -> tuple[int | None, int | None]:
    """The bounds that the back end goes by, as integers."""
    low, high = number_of(schema, "minimum"), number_of(schema, "maximum")
    above, below = number_of(schema, "exclusiveMinimum"), number_of(schema, "exclusiveMaximum")
    least = int(low) if low is not None else int(above) + 1 if above is not None else None
    most = int(high) if high is not None else int(below) - 1 if below is not None else None
    return least, most


def _zeros_inside(number: int) -> bool:
    """Whether what follows some digit has a leading zero and more digits, which the back end drops."""
    digits = str(number)
    return any(digits[place] == "0" for place in range(1, len(digits) - 1))


def _tuples(schema: Schema, target: Target) -> Iterator[Remark]:
    if target.tuples != "fixed":
        return
    length = len(cast("list[Json]", schema["prefixItems"]))
    least, most = number_of(schema, "minItems") or 0, number_of(schema, "maxItems")
    if "items" in schema and most != length:
        yield "tuple-fixed-length", "backend-tightened", "the back end reads items or prefixItems, not both"
    elif least < length or most != length:
        yield "tuple-fixed-length", "backend-tightened", f"the back end accepts arrays of exactly {length} items"
    if least > length:
        yield "minItems", "unenforced", f"the back end accepts arrays of exactly {length} items"


def _strict_objects(schema: Schema, target: Target) -> Iterator[Remark]:
    if not target.strict_objects:
        return
    if schema.get("additionalProperties") is not False:
        yield "open-object", "backend-tightened", "strict mode wants additionalProperties: false"
    required = set(cast("list[str]", schema.get("required", [])))
    if left := [name for name in cast(Schema, schema["properties"]) if name not in required]:
        yield "optional-property", "backend-tightened", f"strict mode wants all members required: {', '.join(left)}"


# -- what a back end does to every schema ------------------------------------------------------------------------------


def policies(schema: Schema, target: Target) -> Iterator[Remark]:
    """The standing policies of the back end that touch one schema."""
    if "const" in schema or "enum" in schema:
        yield from _one_spelling(schema, target)
        return
    names = named_types(schema["type"]) if "type" in schema else []
    declared = schema.get("properties")
    if isinstance(declared, dict):
        yield from _objects(schema, declared, target)
    if target.number_digits is not None and not {"number", "integer"}.isdisjoint(names):
        yield "number-digits", "backend-tightened", f"no more than {target.number_digits} digits on a side of the point"
    elif target.bounded_digits is not None and "number" in names and not BOUNDS.isdisjoint(schema):
        detail = f"beside bounds, no exponent and no more than {target.bounded_digits} digits behind the point"
        yield "number-digits", "backend-tightened", detail
    if not target.counted_escapes and ("minLength" in schema or "maxLength" in schema):
        yield "escaped-characters", "backend-tightened", "strings of counted length have no escapes, such as \\n"
    form = schema.get("format")
    if not target.exact_formats and isinstance(form, str) and target.formats is not None and form in target.formats:
        yield "format-approximated", "backend-tightened", f"the back end's {form} is not quite the standard's"


def _objects(schema: Schema, declared: Schema, target: Target) -> Iterator[Remark]:
    if target.closes_objects and "additionalProperties" not in schema:
        yield "closed-object", "backend-tightened", "the back end accepts no members but the declared ones"
    if target.order == "required-first" and len(declared) > 1:
        required = set(cast("list[str]", schema.get("required", [])))
        order = [name in required for name in declared]
        known = "required members first" if order != sorted(order, reverse=True) else "declared"
        yield "member-order", "backend-tightened", f"members come in one order only: {known}"
    if not target.open_objects and schema.get("additionalProperties", False) is not False:
        yield "additional-names", "unenforced", "additional names may come out malformed, or not at all"


def _one_spelling(schema: Schema, target: Target) -> Iterator[Remark]:
    values = [schema["const"]] if "const" in schema else cast("list[Json]", schema["enum"])
    if target.raw_patterns and any(isinstance(value, float | dict | list) for value in values):
        yield (
            "one-spelling",
            "backend-tightened",
            "numbers with a fraction, arrays and objects are accepted in one spelling",
        )

"""Whether the keywords of a subschema have the values their dialect allows, and what to write instead.

Comes in: a subschema, of which only its own keywords are read. Refused with `InvalidSchemaError`: a value the dialect
forbids, unless its meaning is beyond doubt (an empty `enum`, `required`, `items` or `prefixItems`, a repeated name).
Annotations and definitions are not checked, for by themselves they say nothing about instances.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from decimal import Decimal
from types import MappingProxyType

from schema2gbnf.errors import InvalidSchemaError
from schema2gbnf.schema.dialects import Dialect, Place
from schema2gbnf.schema.pointers import escaped, kind, near
from schema2gbnf.schema.subschema import Subschema, no_schema
from schema2gbnf.schema.text import Json

TYPES = ("null", "boolean", "integer", "number", "string", "array", "object")

_FOREIGN_TYPES: Mapping[str, str] = MappingProxyType(
    {
        foreign: known
        for known, names in {
            "null": "none nil undefined void nonetype",
            "boolean": "bool",
            "integer": "int int32 int64 long short uint",
            "number": "float double decimal real numeric",
            "string": "str text char varchar",
            "array": "list tuple set sequence",
            "object": "dict dictionary map mapping record struct",
        }.items()
        for foreign in names.split()
    }
)
"""What other languages call the types."""

Check = Callable[[Json, Dialect], "str | None"]
"""A complaint about the value of a keyword, or None."""


def check(sub: Subschema) -> None:
    """Raise at the first keyword, in the order written, whose value the dialect forbids.

    >>> from schema2gbnf.schema.documents import Documents
    >>> check(Documents({"type": "int"}).root)
    Traceback (most recent call last):
    schema2gbnf.errors.InvalidSchemaError: #: type: unknown type 'int'; did you mean 'integer'?
    """
    _check_bare(sub)
    dialect = sub.dialect
    for keyword, value in sub.keywords.items():
        place = dialect.keywords.get(keyword) or dialect.foreign.get(keyword)
        if place is None:
            continue
        if keyword in CHECKS and (complaint := CHECKS[keyword](value, dialect)):
            raise InvalidSchemaError(sub.pointer, keyword, complaint)
        if place is not Place.PLAIN and keyword not in ("$defs", "definitions"):
            _check_schemas(sub, keyword, value, place)


def _check_bare(sub: Subschema) -> None:
    """Refuse a schema that is still in the envelope that model APIs want it in, for it would allow anything."""
    keywords = sub.keywords
    named = keywords.get("type")
    for envelope, inner in (("json_schema", "schema"), ("function", "parameters")):
        content = keywords.get(envelope)
        if named == envelope or (isinstance(content, dict) and isinstance(content.get(inner), dict)):
            message = f"this is an envelope around a schema; pass the schema inside, {envelope}.{inner}"
            raise InvalidSchemaError(sub.pointer, "type" if "type" in keywords else envelope, message)


# -- subschemas --------------------------------------------------------------------------------------------------------


def _check_schemas(sub: Subschema, keyword: str, value: Json, place: Place) -> None:
    """Check that schemas stand where the dialect has them; what they say is checked when they are reached."""
    match place:
        case Place.SCHEMA:
            _check_schema(sub, (keyword,), value)
        case Place.SCHEMA_OR_SCHEMAS if not isinstance(value, list):
            _check_schema(sub, (keyword,), value)
        case Place.SCHEMAS | Place.SCHEMA_OR_SCHEMAS:
            if not isinstance(value, list):
                raise InvalidSchemaError(sub.pointer, keyword, f"expected an array of schemas, found {kind(value)}")
            if not value and keyword not in ("items", "prefixItems"):
                raise InvalidSchemaError(sub.pointer, keyword, "expected at least one schema; leave the keyword out")
            for index, item in enumerate(value):
                _check_schema(sub, (keyword, str(index)), item)
        case Place.SCHEMA_MAP | Place.SCHEMA_OR_NAMES_MAP:
            if not isinstance(value, dict):
                raise InvalidSchemaError(sub.pointer, keyword, f"expected an object of schemas, found {kind(value)}")
            for name, member in value.items():
                if isinstance(member, dict) or (isinstance(member, str) and keyword in sub.dialect.foreign):
                    # A single name stood there in draft 3.
                    continue
                if place is Place.SCHEMA_OR_NAMES_MAP and isinstance(member, list):
                    if complaint := names(member, sub.dialect):
                        raise InvalidSchemaError(sub.pointer, keyword, f"{name!r}: {complaint}")
                else:
                    _check_schema(sub, (keyword, name), member)
        case Place.PLAIN:
            pass


def _check_schema(sub: Subschema, tokens: tuple[str, ...], value: Json) -> None:
    if isinstance(value, dict):
        return
    pointer = sub.pointer + "".join(f"/{escaped(token)}" for token in tokens)
    if not isinstance(value, bool):
        fix = "; in 2020-12 an array of schemas is `prefixItems`" if tokens == ("items",) and value else ""
        raise no_schema(pointer, tokens[0], value, fix if isinstance(value, list) else "")
    if sub.dialect.boolean_schemas or tokens[0] in sub.dialect.foreign:
        return
    if tokens[0] not in ("additionalProperties", "additionalItems"):
        instead = "{}" if value else '{"not": {}}'
        message = f"{sub.dialect.name} has no boolean schemas; write {instead}"
        raise InvalidSchemaError(pointer, tokens[0], message)


# -- values of other kinds ---------------------------------------------------------------------------------------------


def type_names(value: Json, dialect: Dialect) -> str | None:
    """`type`: a name, or an array of different names."""
    if isinstance(value, list) and dialect.name != "openapi3.0":
        if not value:
            return "expected at least one type; leave the keyword out to allow all"
        complaints = (_type_name(name) for name in value)
        repeated = "a type is listed twice" if len(set(map(str, value))) < len(value) else None
        return next((complaint for complaint in complaints if complaint), repeated)
    return _type_name(value)


def _type_name(name: Json) -> str | None:
    if not isinstance(name, str):
        return f"expected the name of a type, found {kind(name)}"
    if name in TYPES:
        return None
    if name.lower() == "any":
        return "unknown type 'any'; leave `type` out to allow all"
    meant = _FOREIGN_TYPES.get(name.lower(), name.lower())
    hint = f"; did you mean {meant!r}?" if meant in TYPES else near(name, TYPES)
    return f"unknown type {name!r}{hint or '; the types are ' + ', '.join(TYPES)}"


def array(value: Json, dialect: Dialect) -> str | None:
    return None if isinstance(value, list) else f"expected an array of values, found {kind(value)}"


def string(value: Json, dialect: Dialect) -> str | None:
    return None if isinstance(value, str) else f"expected a string, found {kind(value)}"


def boolean(value: Json, dialect: Dialect) -> str | None:
    return None if isinstance(value, bool) else f"expected true or false, found {kind(value)}"


def number(value: Json, dialect: Dialect) -> str | None:
    if isinstance(value, int | float | Decimal) and not isinstance(value, bool):
        return None
    return f"expected a number, found {kind(value)}"


def positive(value: Json, dialect: Dialect) -> str | None:
    if isinstance(value, int | float | Decimal) and not isinstance(value, bool) and value > 0:
        return None
    return f"expected a number above 0, found {value if number(value, dialect) is None else kind(value)}"


def count(value: Json, dialect: Dialect) -> str | None:
    """A length or a count: an integer from 0 up, spelled as the dialect spells integers."""
    if not isinstance(value, int | float | Decimal) or isinstance(value, bool):
        return f"expected an integer from 0 up, found {kind(value)}"
    if value < 0 or value % 1 != 0:
        return f"expected an integer from 0 up, found {value}"
    if not isinstance(value, int) and not dialect.integral_floats_are_integers:
        return f"in {dialect.name} {value} is no integer; write {int(value)}"
    return None


def names(value: Json, dialect: Dialect) -> str | None:
    """An array of member names."""
    if not isinstance(value, list):
        fix = "; list the required names in the object's schema" if isinstance(value, bool) else ""
        return f"expected an array of member names, found {kind(value)}{fix}"
    wrong = [name for name in value if not isinstance(name, str)]
    return f"a member name is a string, not {kind(wrong[0])}" if wrong else None


def names_map(value: Json, dialect: Dialect) -> str | None:
    """`dependentRequired`: for each member name, an array of names."""
    if not isinstance(value, dict):
        return f"expected an object, found {kind(value)}"
    complaints = ((name, names(members, dialect)) for name, members in value.items())
    return next((f"{name!r}: {complaint}" for name, complaint in complaints if complaint), None)


def exclusive_bound(value: Json, dialect: Dialect) -> str | None:
    """A switch for the other bound in old dialects, a bound of its own in later ones."""
    if dialect.boolean_exclusive_bounds:
        complaint = boolean(value, dialect)
        fix = f"; in {dialect.name} the bound itself stands under `minimum` or `maximum`"
    else:
        complaint = number(value, dialect)
        fix = "; write the bound itself here, or name draft 4 in `$schema`" if isinstance(value, bool) else ""
    return complaint and complaint + fix


def hash_alone(value: Json, dialect: Dialect) -> str | None:
    """`$recursiveRef`, which has one value."""
    return None if value == "#" else "expected '#'"


CHECKS: Mapping[str, Check] = MappingProxyType(
    {
        keyword: test
        for test, keywords in {
            string: "$schema $id id $ref $anchor $dynamicRef $dynamicAnchor pattern format contentEncoding"
            " contentMediaType",
            hash_alone: "$recursiveRef",
            boolean: "$recursiveAnchor uniqueItems nullable",
            type_names: "type",
            array: "enum",
            names: "required",
            names_map: "dependentRequired",
            number: "minimum maximum",
            exclusive_bound: "exclusiveMinimum exclusiveMaximum",
            positive: "multipleOf",
            count: "minLength maxLength minItems maxItems minProperties maxProperties minContains maxContains",
        }.items()
        for keyword in keywords.split()
    }
)
"""The keywords with a value of their own that is no schema, and what it must be."""

"""Where in a JSON value the subschemas are, and which of them are identified: all that can be read without following a
reference."""

from __future__ import annotations

from collections.abc import Iterator
from posixpath import dirname, join, normpath
from urllib.parse import urldefrag, urljoin, urlsplit

from schema2gbnf.schema.dialects import Dialect, Place
from schema2gbnf.schema.text import Json


def place_below(place: Place, token: str, value: Json, dialect: Dialect) -> Place:
    """What stands one token further down."""
    match place:
        case Place.SCHEMA:
            below = dialect.place(token)
            if below is Place.SCHEMA_OR_SCHEMAS:
                return Place.SCHEMAS if isinstance(value, list) else Place.SCHEMA
            return below
        case Place.SCHEMAS | Place.SCHEMA_MAP:
            return Place.SCHEMA
        case Place.SCHEMA_OR_NAMES_MAP:
            return Place.PLAIN if isinstance(value, list) else Place.SCHEMA
        case Place.SCHEMA_OR_SCHEMAS | Place.PLAIN:
            return Place.PLAIN


def subschemas_of(schema: dict[str, Json], dialect: Dialect) -> Iterator[tuple[tuple[str, ...], Json]]:
    """What stands directly below a schema where a schema may, with the tokens that lead there, in the order written."""
    known = dialect.keywords
    for keyword, value in schema.items():
        place = known.get(keyword, Place.PLAIN)
        if place is Place.PLAIN:
            continue
        if place is Place.SCHEMA or (place is Place.SCHEMA_OR_SCHEMAS and not isinstance(value, list)):
            yield (keyword,), value
        elif isinstance(value, list):
            for index, item in enumerate(value):
                yield (keyword, str(index)), item
        elif isinstance(value, dict):
            for name, member in value.items():
                if place is Place.SCHEMA_MAP or not isinstance(member, list):
                    yield (keyword, name), member


def identifier(value: dict[str, Json], dialect: Dialect) -> str | None:
    """The identifier of a schema, if it has one that opens a resource."""
    if dialect.id_keyword is None or (dialect.ref_hides_siblings and "$ref" in value):
        return None
    named = value.get(dialect.id_keyword)
    return named if isinstance(named, str) and named and not named.startswith("#") else None


def joined(base: str, reference: str) -> str | None:
    """A URI reference resolved against a base, without its fragment; None if it is none."""
    try:
        if _is_relative(reference) and _is_relative(base):
            # The standard resolves against absolute bases only; here a ".." that leaves the base must not be lost.
            path = urldefrag(reference).url
            return normpath(join(dirname(base), path)) + "/" * path.endswith("/")
        return urldefrag(urljoin(base, reference)).url
    except ValueError:
        return None


def _is_relative(uri: str) -> bool:
    parts = urlsplit(uri)
    return not (parts.scheme or parts.netloc or parts.path.startswith("/"))


def mentions(value: Json, names: frozenset[str]) -> bool:
    """Whether an object anywhere in the value has a member of one of the names."""
    todo = [value]
    while todo:
        node = todo.pop()
        if isinstance(node, dict):
            if not names.isdisjoint(node):
                return True
            todo += [each for each in node.values() if isinstance(each, (dict, list))]
        elif isinstance(node, list):
            todo += [each for each in node if isinstance(each, (dict, list))]
    return False

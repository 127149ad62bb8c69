"""Formats by name: the texts, or the integers, that each allows.

A format is known or it is not; unknown ones are the business of whoever asks. The languages are those of the RFCs that
JSON Schema names, and where those leave a question the official tests answer it.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from schema2gbnf.languages.formats import addresses, content, dates, hosts, identifiers, patterns, uris
from schema2gbnf.languages.formats.format import Format

__all__ = ["PARTS", "Format", "content_encoding", "content_media_type", "format_named", "part_names"]

# OpenAPI 3.0, "Data Types": numbers, and names that only tell a reader something.
NUMBERS = (
    Format("int32", "number", None, None, None, (-(2**31), 2**31 - 1)),
    Format("int64", "number", None, None, None, (-(2**63), 2**63 - 1)),
    Format("float", "number", None, None, None),
    Format("double", "number", None, None, None),
)
HINTS = (
    Format("binary", "string", None, None, None),
    Format("password", "string", None, None, None),
)


PARTS: Mapping[str, str] = {
    **dates.PARTS,
    **addresses.PARTS,
    **hosts.PARTS,
    **uris.PARTS,
    **patterns.PARTS,
}
"""Bodies of what formats are made of, by the names their RFCs have for them."""


def part_names(each: Format) -> tuple[str, ...]:
    """The names of the parts that the body of a format is put together from.

    >>> found = format_named("ipv4", "draft7")
    >>> part_names(found)
    ('dec-octet', 'ipv4-address')
    """
    return () if each.body is None else tuple(name for name, body in PARTS.items() if body in each.body)


@lru_cache(maxsize=2)
def _table(early: bool) -> dict[str, Format]:
    known = (
        *dates.FORMATS,
        *addresses.FORMATS,
        *hosts.FORMATS,
        *uris.FORMATS,
        *identifiers.FORMATS,
        *patterns.FORMATS,
        *NUMBERS,
        *HINTS,
        *(hosts.EARLY if early else ()),
    )
    return {each.name: each for each in known}


def format_named(name: str, dialect_name: str) -> Format | None:
    """The format of this name in a dialect, or None when it is unknown.

    >>> format_named("int32", "openapi3.0").bounds
    (-2147483648, 2147483647)
    >>> format_named("colour", "draft2020-12")
    """
    return _table(dialect_name in ("draft4", "draft6")).get(name)


def content_encoding(name: str) -> Format | None:
    """The texts of a `contentEncoding`, None where all may be.

    >>> content_encoding("BASE64").dfa.accepts("Zm9v")
    True
    """
    return content.ENCODINGS.get(name.lower())


def content_media_type(name: str) -> Format | None:
    """The texts of a `contentMediaType`, whatever its parameters; None where all may be.

    >>> content_media_type("application/json; charset=utf-8").name
    'application/json'
    """
    return content.MEDIA_TYPES.get(name.partition(";")[0].strip().lower())

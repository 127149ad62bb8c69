"""Identifiers and encodings of few rules: uuid, JSON Pointers, base64."""

from __future__ import annotations

from schema2gbnf.languages.formats.format import exact

HEX = "[0-9A-Fa-f]"

# RFC 4122, section 3
UUID = f"{HEX}{{8}}-{HEX}{{4}}-{HEX}{{4}}-{HEX}{{4}}-{HEX}{{12}}"

# RFC 6901, section 3
JSON_POINTER = "(?:/(?:[^~/]|~[01])*)*"

# draft-handrews-relative-json-pointer-01, section 3
RELATIVE_JSON_POINTER = f"(?:0|[1-9][0-9]*)(?:#|{JSON_POINTER})"

# RFC 4648, section 4; the bits that pad the last character are zero (section 3.5)
BASE64 = "[A-Za-z0-9+/]"
BYTE = f"(?:{BASE64}{{4}})*(?:{BASE64}(?:[AQgw]==|{BASE64}[AEIMQUYcgkosw048]=))?"

FORMATS = (
    exact("uuid", UUID),
    exact("json-pointer", JSON_POINTER),
    exact("relative-json-pointer", RELATIVE_JSON_POINTER),
    exact("byte", BYTE),
)

"""What a string may hold beside a text: base64 (RFC 2045, section 6.8) and JSON (RFC 8259)."""

from __future__ import annotations

from schema2gbnf.languages.formats.format import narrowed
from schema2gbnf.languages.formats.identifiers import BYTE, HEX

# -- RFC 8259 ----------------------------------------------------------------------------------------------------------

SPACE = r"[ \t\n\r]*"
STRING = rf'"(?:[^"\\\0-\x1f]|\\(?:["\\/bfnrt]|u{HEX}{{4}}))*"'
NUMBER = r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[Ee][+-]?[0-9]+)?"
SCALAR = f"{STRING}|{NUMBER}|true|false|null"
NESTING = 2


def _value(depth: int) -> str:
    """A value and the space behind it, with arrays and objects inside one another up to this depth."""
    if depth == 0:
        return f"(?:{SCALAR}){SPACE}"
    item = _value(depth - 1)
    member = f"{STRING}{SPACE}:{SPACE}{item}"
    array = rf"\[{SPACE}(?:{item}(?:,{SPACE}{item})*)?\]"
    fields = rf"\{{{SPACE}(?:{member}(?:,{SPACE}{member})*)?\}}"
    return f"(?:{SCALAR}|{array}|{fields}){SPACE}"


JSON = f"{SPACE}{_value(NESTING)}"
OUTER_JSON = rf"{SPACE}(?:{SCALAR}|\[[^]*\]|\{{[^]*\}}){SPACE}"

# -- RFC 2045, section 6.8 ---------------------------------------------------------------------------------------------

OUTER_BASE64 = r"[A-Za-z0-9+/=\s]*"

ENCODINGS = {"base64": narrowed("base64", BYTE, OUTER_BASE64, "base64 without line breaks, with zeros in unused bits")}
MEDIA_TYPES = {
    "application/json": narrowed(
        "application/json",
        JSON,
        OUTER_JSON,
        f"JSON with arrays and objects inside one another no deeper than {NESTING}",
    )
}

"""Host names and mail addresses: RFC 1123, RFC 5890 to 5893 (internationalised), RFC 5321 and 6531 (mail).

A label has up to 63 characters and a name up to 253. No grammar counts both at once in a few rules, so the first label
is given its 63 and those behind it are fewer and shorter.
"""

from __future__ import annotations

from schema2gbnf.languages.formats.format import Format, narrowed

# -- RFC 1123, section 2.1: labels of letters, digits and inner hyphens ----------------------------------------------

ALNUM = "[A-Za-z0-9]"
LDH = "[A-Za-z0-9-]"


def _label(most: int) -> str:
    """A label of up to so many characters whose third and fourth are not both hyphens (RFC 5891, section 4.2.3.1)."""
    return f"{ALNUM}(?:{ALNUM}|{LDH}(?:{ALNUM}|{LDH}{ALNUM}|(?:{ALNUM}{LDH}|-{ALNUM}){LDH}{{0,{most - 5}}}{ALNUM}))?"


def _any_label(most: int) -> str:
    """A label of up to so many characters, also one like `xn--4gbwdl`."""
    return f"{ALNUM}(?:{LDH}{{0,{most - 2}}}{ALNUM})?"


HOSTNAME = rf"{_label(63)}(?:\.{_label(30)}){{0,6}}"
# With a local part of 64 it has the 254 characters that RFC 5321, section 4.5.3.1.3, leaves to an address.
MAIL_DOMAIN = rf"{_label(63)}(?:\.{_label(30)}){{0,4}}"
EARLY_HOSTNAME = rf"{_any_label(63)}(?:\.{_any_label(30)}){{0,6}}"
OUTER_LABEL = f"{ALNUM}(?:{LDH}*{ALNUM})?"
OUTER_HOSTNAME = rf"{OUTER_LABEL}(?:\.{OUTER_LABEL})*"

# -- RFC 5892: letters that are valid in any place of an internationalised label -------------------------------------

# Lower case where there is case; no combining marks, nothing that normalisation would change, nothing that depends on
# its neighbours. A fixed choice: the Unicode tables of Python differ from version to version.
LATIN = r"ß-öø-ÿāăąćĉċčďđēĕėęěĝğġģĥħĩīĭįıĵķĸĺļľłńņňŋōŏőœŕŗřśŝşšţťŧũūŭůűųŵŷźżž"
GREEK = r"\u0390\u03ac-\u03ce"
CYRILLIC = r"\u0430-\u045f"
ARMENIAN = r"\u0561-\u0586"
GEORGIAN = r"\u10d0-\u10f0"
KANA = r"\u3005-\u3007\u3041-\u3096\u30a1-\u30fa\u30fc\u30fd"
HAN = r"\u3400-\u4db5\u4e00-\u9fea"
HANGUL = r"\uac00-\ud7a3"
RIGHTWARD = f"[{LATIN}{GREEK}{CYRILLIC}{ARMENIAN}{GEORGIAN}{KANA}{HAN}{HANGUL}]"

HEBREW = r"\u05d0-\u05ea"
ARABIC = r"\u0620-\u063f\u0641-\u064a\u0671-\u0674\u0679-\u06d3\u06d5"
LEFTWARD = f"[{HEBREW}{ARABIC}]"

DOT = r"[.\u3002\uff0e\uff61]"  # RFC 3490, section 3.1
LOWER = "[a-z0-9]"

# Its encoded form has at most 63 characters whatever its letters are: each takes up to five.
RIGHTWARD_LABEL = f"(?:{LOWER}-?){{0,4}}{RIGHTWARD}(?:-?(?:{LOWER}|{RIGHTWARD})){{0,8}}"
LEFTWARD_LABEL = f"{LEFTWARD}(?:-?(?:[0-9]|{LEFTWARD})){{0,13}}"
# RFC 5893, section 2: beside a label that runs to the left, one that runs to the right begins with a letter.
LETTER_LABEL = "[A-Za-z](?:-?[A-Za-z0-9]){0,14}"


def _idn_hostname(dot: str) -> str:
    right, left = f"(?:{_label(30)}|{RIGHTWARD_LABEL})", f"(?:{LETTER_LABEL}|{LEFTWARD_LABEL})"
    return f"(?:(?:{_label(63)}|{RIGHTWARD_LABEL})(?:{dot}{right}){{0,3}}|{LEFTWARD_LABEL}(?:{dot}{left}){{0,3}})"


OUTER_IDN_LABEL = r"[^\0-,.-/:-@\[-`{-\x7f\u3002\uff0e\uff61]+"
OUTER_IDN_HOSTNAME = f"{OUTER_IDN_LABEL}(?:{DOT}{OUTER_IDN_LABEL})*"

# -- RFC 5321, section 4.1.2: Mailbox ----------------------------------------------------------------------------------

ATEXT = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]"
# Without "<": some validators take what stands behind it for an address.
QTEXT = r"[ !#-;=-\[\]-~]"
# RFC 6531, section 3.3: both also take every character beyond ASCII.
WIDE_ATEXT = r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~\x80-\u{10ffff}-]"
WIDE_QTEXT = r"[ !#-;=-\[\]-~\x80-\u{10ffff}]"


def _local(atext: str, qtext: str) -> str:
    """A local part of up to 64 characters: 32, each with or without a dot before it, or 62 in quotes."""
    return rf'(?:{atext}(?:\.?{atext}){{0,31}}|"{qtext}{{0,62}}")'


def _outer_mailbox(atext: str, domain: str) -> str:
    return rf'(?:{atext}+(?:\.{atext}+)*|"[^]*")@(?:{domain}|\[[^]*\])'


NAMES = "no more than 7 labels, those behind the first of no more than 30 characters"
MAIL_NAMES = "a domain of no more than 5 labels, those behind the first of no more than 30 characters"
HYPHENS = "no label with hyphens in both the third and the fourth place, such as an encoded xn-- label"
IDN_NAMES = (
    "labels of Latin, Greek, Cyrillic, Armenian, Georgian, Hebrew, Arabic, Han, kana or Hangul letters without "
    f"combining marks and without characters that depend on their neighbours, of no more than 4 letters before "
    f"and 8 behind the first of these; no more than 4 labels; {HYPHENS}"
)
LOCAL = (
    "a local part of no more than 32 characters beside dots, without backslash and <; "
    "no address in brackets as the domain"
)

_hostname = narrowed("hostname", HOSTNAME, OUTER_HOSTNAME, f"{NAMES}; {HYPHENS}")
EARLY = (narrowed("hostname", EARLY_HOSTNAME, OUTER_HOSTNAME, NAMES),)
"""The formats as drafts 4 and 6 have them, which know nothing of internationalised names."""

FORMATS: tuple[Format, ...] = (
    _hostname,
    narrowed("idn-hostname", _idn_hostname(DOT), OUTER_IDN_HOSTNAME, IDN_NAMES),
    narrowed(
        "email",
        f"{_local(ATEXT, QTEXT)}@{MAIL_DOMAIN}",
        _outer_mailbox(ATEXT, OUTER_HOSTNAME),
        f"{LOCAL}; {MAIL_NAMES}; {HYPHENS}",
    ),
    narrowed(
        "idn-email",
        f"{_local(WIDE_ATEXT, WIDE_QTEXT)}@{_idn_hostname('[.]')}",
        _outer_mailbox(WIDE_ATEXT, OUTER_IDN_HOSTNAME),
        f"{LOCAL}; {IDN_NAMES}",
    ),
)

PARTS = {
    "label": _label(63),
    "short-label": _label(30),
    "any-label": _any_label(63),
    "short-any-label": _any_label(30),
    "rightward-label": RIGHTWARD_LABEL,
    "leftward-label": LEFTWARD_LABEL,
    "letter-label": LETTER_LABEL,
    "hostname-labels": HOSTNAME,
    "mail-domain": MAIL_DOMAIN,
    "atext": ATEXT,
    "wide-atext": WIDE_ATEXT,
    "dot-atom": rf"{ATEXT}(?:\.?{ATEXT}){{0,31}}",
    "wide-dot-atom": rf"{WIDE_ATEXT}(?:\.?{WIDE_ATEXT}){{0,31}}",
    "quoted-string": f'"{QTEXT}{{0,62}}"',
    "wide-quoted-string": f'"{WIDE_QTEXT}{{0,62}}"',
}

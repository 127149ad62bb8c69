"""Unicode properties as sets of code points, under the names that ECMA-262 gives them in `\\p{…}`.

General categories come from the standard library. Scripts and binary properties come from the third-party package
`regex` where it is installed and are refused as unsupported where it is not. A set is computed when first asked for.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import groupby

from schema2gbnf.languages.charset import ANY, LAST, CharSet


class UnknownPropertyError(Exception):
    """No property of Unicode has this name."""


class UnsupportedPropertyError(Exception):
    """A property that only the package `regex` knows, and that package is not there."""


# Long names and aliases of the general categories (ECMA-262, table "Value aliases and canonical values").
_CATEGORIES = {
    "Letter": "L",
    "Cased_Letter": "LC",
    "Uppercase_Letter": "Lu",
    "Lowercase_Letter": "Ll",
    "Titlecase_Letter": "Lt",
    "Modifier_Letter": "Lm",
    "Other_Letter": "Lo",
    "Mark": "M",
    "Combining_Mark": "M",
    "Nonspacing_Mark": "Mn",
    "Spacing_Mark": "Mc",
    "Enclosing_Mark": "Me",
    "Number": "N",
    "Decimal_Number": "Nd",
    "digit": "Nd",
    "Letter_Number": "Nl",
    "Other_Number": "No",
    "Punctuation": "P",
    "punct": "P",
    "Connector_Punctuation": "Pc",
    "Dash_Punctuation": "Pd",
    "Open_Punctuation": "Ps",
    "Close_Punctuation": "Pe",
    "Initial_Punctuation": "Pi",
    "Final_Punctuation": "Pf",
    "Other_Punctuation": "Po",
    "Symbol": "S",
    "Math_Symbol": "Sm",
    "Currency_Symbol": "Sc",
    "Modifier_Symbol": "Sk",
    "Other_Symbol": "So",
    "Separator": "Z",
    "Space_Separator": "Zs",
    "Line_Separator": "Zl",
    "Paragraph_Separator": "Zp",
    "Other": "C",
    "Control": "Cc",
    "cntrl": "Cc",
    "Format": "Cf",
    "Surrogate": "Cs",
    "Private_Use": "Co",
    "Unassigned": "Cn",
}
_CATEGORY_CODES = frozenset(_CATEGORIES.values())

# Binary properties (ECMA-262, table "Binary Unicode property aliases"), each with its alias if it has one.
_BINARY_NAMES = """
    ASCII_Hex_Digit=AHex Alphabetic=Alpha Bidi_Control=Bidi_C Bidi_Mirrored=Bidi_M Case_Ignorable=CI Cased
    Changes_When_Casefolded=CWCF Changes_When_Casemapped=CWCM Changes_When_Lowercased=CWL
    Changes_When_NFKC_Casefolded=CWKCF Changes_When_Titlecased=CWT Changes_When_Uppercased=CWU Dash
    Default_Ignorable_Code_Point=DI Deprecated=Dep Diacritic=Dia Emoji Emoji_Component=EComp Emoji_Modifier=EMod
    Emoji_Modifier_Base=EBase Emoji_Presentation=EPres Extended_Pictographic=ExtPict Extender=Ext Grapheme_Base=Gr_Base
    Grapheme_Extend=Gr_Ext Hex_Digit=Hex IDS_Binary_Operator=IDSB IDS_Trinary_Operator=IDST ID_Continue=IDC ID_Start=IDS
    Ideographic=Ideo Join_Control=Join_C Logical_Order_Exception=LOE Lowercase=Lower Math Noncharacter_Code_Point=NChar
    Pattern_Syntax=Pat_Syn Pattern_White_Space=Pat_WS Quotation_Mark=QMark Radical Regional_Indicator=RI
    Sentence_Terminal=STerm Soft_Dotted=SD Terminal_Punctuation=Term Unified_Ideograph=UIdeo Uppercase=Upper
    Variation_Selector=VS White_Space=space XID_Continue=XIDC XID_Start=XIDS
"""
_BINARY = {name: pair.partition("=")[0] for pair in _BINARY_NAMES.split() for name in pair.split("=")}


@lru_cache(maxsize=64)
def property_chars(name: str, value: str | None) -> CharSet:
    """The code points of `\\p{name}` or `\\p{name=value}`.

    >>> property_chars("Lu", None) == property_chars("gc", "Uppercase_Letter")
    True
    """
    match name, value:
        case "Any", None:
            return ANY
        case "ASCII", None:
            return CharSet(((0, 0x7F),))
        case "Assigned", None:
            return ~_by_code("Cn")
        case (("General_Category" | "gc"), str(category)):
            found = _general_category(category)
        case (("Script" | "sc"), str(script)):
            found = _script("Script", script)
        case (("Script_Extensions" | "scx"), str(script)):
            found = _script("Script_Extensions", script)
        case _, None if name in _BINARY:
            found = _from_regex_package(_BINARY[name])
            if found is None:
                raise UnsupportedPropertyError(f"the Unicode property {name} is not known to the package 'regex'")
        case _, None:
            found = _general_category(name)
        case _:
            found = None
    if found is None:
        raise UnknownPropertyError(f"unknown Unicode property {name if value is None else f'{name}={value}'}")
    return found


def _script(kind: str, name: str) -> CharSet | None:
    # The package forgives case and dashes, ECMA-262 does not.
    return _from_regex_package(f"{kind}={name}") if re.fullmatch("[A-Z][A-Za-z_]*", name) else None


def _general_category(name: str) -> CharSet | None:
    code = _CATEGORIES.get(name, name)
    return _by_code(code) if code in _CATEGORY_CODES else None


def _by_code(code: str) -> CharSet:
    """The code points of a general category, or of all whose codes begin with a letter."""
    wanted = {"LC": ("Lu", "Ll", "Lt")}.get(code, (code,))
    return CharSet.union(span for each, spans in _by_category().items() if each.startswith(wanted) for span in spans)


@lru_cache(maxsize=1)
def _by_category() -> dict[str, list[tuple[int, int]]]:
    from unicodedata import category

    found: dict[str, list[tuple[int, int]]] = {}
    start = 0
    for code, run in groupby(map(category, map(chr, range(LAST + 1)))):
        length = sum(1 for _ in run)
        found.setdefault(code, []).append((start, start + length - 1))
        start += length
    return found


def _from_regex_package(name: str) -> CharSet | None:
    """The code points of a property as `regex` knows it; None when it does not."""
    try:
        import regex  # type: ignore[import-untyped,unused-ignore]
    except ImportError:
        reason = f"the Unicode property {name} needs the package 'regex' to be installed"
        raise UnsupportedPropertyError(reason) from None
    try:
        runs = regex.compile(f"\\p{{{name}}}+")
    except regex.error:
        return None
    text = "".join(map(chr, range(LAST + 1)))
    return CharSet.union((run.start(), run.end() - 1) for run in runs.finditer(text))

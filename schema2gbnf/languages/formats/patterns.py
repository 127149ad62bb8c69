"""The format of patterns, `regex`: the regular part of the syntax of ECMA-262, chapter 22.2.1, with the `u` flag."""

from __future__ import annotations

from schema2gbnf.languages.formats.format import narrowed

HEX = "[0-9A-Fa-f]"
NOT_D = "[0-9A-CE-Fa-ce-f]"
CODE_POINT = rf"\{{(?:{HEX}{{1,3}}|{NOT_D}{HEX}{{3}}|[1-9A-Fa-f]{HEX}{{4}}|10{HEX}{{4}})\}}"
CATEGORY = r"\{(?:L[lmotu]?|M[cen]?|N[dlo]?|P[cdefios]?|S[ckmo]?|Z[lps]?)\}"
ESCAPED = (
    rf"[dDsSwWfnrtv^$\\.*+?()[\]{{}}|/]|c[A-Za-z]|x{HEX}{HEX}|[pP]{CATEGORY}"
    rf"|u(?:{NOT_D}{HEX}{{3}}|[dD][0-7]{HEX}{HEX}|{CODE_POINT})"
)

# -- classes ---------------------------------------------------------------------------------------------------------

DIGIT_RANGE = "|".join(f"{low}-[{low}-9]" for low in range(10))
RANGE = f"(?:{DIGIT_RANGE}|a-[a-z]|[b-z]-z|A-[A-Z]|[B-Z]-Z)"
CLASS_ITEM = rf"(?:[^\\\]^\-]|{RANGE}|\\(?:[b\-]|{ESCAPED}))"
CLASS = rf"\[\^?-?(?:{CLASS_ITEM}+-?)?\]"

# -- quantifiers -----------------------------------------------------------------------------------------------------

# The second count is not below the first: it has more digits, or is told apart by its first one.
ONE_DIGIT = "|".join(f"{low},[{low}-9]" for low in range(1, 10))
TWO_DIGITS = "|".join(f"{low}[0-9],[{low + 1}-9][0-9]" for low in range(1, 9))
COUNT = "(?:0|[1-9][0-9]{0,2})"
COUNTS = f"{COUNT},?|0,{COUNT}|{ONE_DIGIT}|[1-9],[1-9][0-9]{{1,2}}|{TWO_DIGITS}|[1-9][0-9],[1-9][0-9]{{2}}"
QUANTIFIER = rf"(?:(?:[*+?]|\{{(?:{COUNTS})\}})\??)?"

# -- terms -----------------------------------------------------------------------------------------------------------

ATOM = rf"[^\\^$*+?()[\]{{}}|]|\\(?:{ESCAPED})|{CLASS}"
ASSERTION = r"[$^]|\\[bB]"
NESTING = 3


def _disjunction(depth: int) -> str:
    """Alternatives of terms with groups inside one another up to this depth; look-around only outside all groups."""
    inner = _disjunction(depth - 1) if depth else ""
    group = rf"|\((?:\?:)?{inner}\)" if depth else ""
    look = rf"|\(\?<?[=!]{inner}\)" if depth == NESTING else ""
    return rf"(?:(?:{ATOM}{group}){QUANTIFIER}|{ASSERTION}{look}|\|)*"


NARROWING = (
    f"groups inside one another no deeper than {NESTING}, look-around only outside groups; no back-references, no "
    "named groups, no counts over 999; in classes only ranges of digits, or of letters from a or A or to z or Z"
)

# Nothing that begins with a quantifier or a closing parenthesis is a pattern.
OUTER = "(?:[^*+?)][^]*)?"

FORMATS = (narrowed("regex", _disjunction(NESTING), OUTER, NARROWING),)

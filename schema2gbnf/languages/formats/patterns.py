"""The format of patterns, `regex`: the regular part of the syntax of ECMA-262, chapter 22.2.1, with the `u` flag."""

from __future__ import annotations

from schema2gbnf.languages.formats.format import narrowed

# Short rather than complete: all of it is written once for every depth of nesting.
HEX = "[0-9A-Fa-f]"
UNIT = f"(?:[0-9A-CE-Fa-ce-f]{HEX}|[Dd][0-7]){HEX}{HEX}"  # no surrogate
ESCAPED = rf"[dDsSwWfnrtv^$\\.*+?()[\]{{}}|/]|c[A-Za-z]|x{HEX}{HEX}|u{UNIT}|[pP]\{{[LMNPSZ]\}}"

# -- classes ---------------------------------------------------------------------------------------------------------

RANGE = "(?:0-[0-9]|1-[1-9]|[2-9]-9|a-[a-z]|[b-z]-z|A-[A-Z]|[B-Z]-Z)"
CLASS_ITEM = rf"(?:[^\\\]^\-]|{RANGE}|\\(?:[b\-]|{ESCAPED}))"
CLASS = rf"\[\^?-?(?:{CLASS_ITEM}+-?)?\]"

# -- quantifiers -----------------------------------------------------------------------------------------------------

# A second count is surely not below the first when it has more digits, or when the first is small.
COUNTS = "(?:0|[1-9][0-9]{0,2}),?|[01],[1-9][0-9]{0,2}|2,[2-9]|3,[3-9]|4,[4-9]|[2-9],[1-9][0-9]{1,2}"
QUANTIFIER = rf"(?:[*+?]|\{{(?:{COUNTS})\}})\??"

# -- terms -----------------------------------------------------------------------------------------------------------

ATOM = rf"[^\\^$*+?()[\]{{}}|]|\\(?:{ESCAPED})|{CLASS}"
ASSERTION = r"[$^]|\\[bB]"
NESTING = 3


def _disjunction(depth: int) -> str:
    """Alternatives of terms with groups inside one another up to this depth; look-around only outside all groups."""
    inner = _disjunction(depth - 1) if depth else ""
    group = rf"|\((?:\?:)?{inner}\)" if depth else ""
    look = rf"|\(\?<?[=!]{inner}\)" if depth == NESTING else ""
    return rf"(?:(?:{ATOM}{group})(?:{QUANTIFIER})?|{ASSERTION}{look}|\|)*"


NARROWING = (
    f"groups inside one another no deeper than {NESTING}, look-around only outside groups; no back-references, no "
    "named groups; of ranges in classes and of counts only the commonest"
)

# Nothing that begins with a quantifier or a closing parenthesis is a pattern.
OUTER = "(?:[^*+?)][^]*)?"

FORMATS = (narrowed("regex", _disjunction(NESTING), OUTER, NARROWING),)

PARTS = {
    "regex-escape": rf"\\(?:{ESCAPED})",
    "regex-class": CLASS,
    "regex-quantifier": QUANTIFIER,
    **{f"regex-nested-{depth}": _disjunction(depth) for depth in range(NESTING)},
}

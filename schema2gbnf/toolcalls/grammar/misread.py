"""Which texts a reader of raw arguments takes for something else than the string that they are.

Comes in: the `Domain` that the reader holds the parameter to. Goes out: an automaton of texts among which are all that
become another value there; a string among them can only be written in quotes. It is the grammar's side of `readings`.
"""

from __future__ import annotations

from functools import lru_cache

from schema2gbnf.languages.ecma import parse
from schema2gbnf.languages.strings import StringLanguage
from schema2gbnf.toolcalls.domain import Domain

_BLANKS = r"[ \t\r\n]*"
_NUMBER = r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?"
_QUOTED = '"[^]*'
_TRUTH = ("true", "false")
_NOTHING = ("null", "none")
_LOOSE = rf"""^{_BLANKS}(?:$|[-+.0-9"'\\(\[{{]|[bBfFrRuU]{{1,2}}["'])"""
"""How a text begins that may be taken for a value where no string is expected."""


def misread(domain: Domain, words: bool) -> StringLanguage:
    """The strings that the domain may read as something else; `words`: `None` and the like are read in any case.

    >>> from schema2gbnf.toolcalls.domain import Domain
    >>> language = misread(Domain(frozenset({"string", "integer"})), words=False)
    >>> [language.accepts(text) for text in ("7", " 7 ", '"7"', "seven", "null")]
    [True, True, True, False, False]
    """
    if domain.only_strings:
        return StringLanguage.NONE
    kinds = frozenset(kind for kind in _KINDS if domain.may_be(kind))
    return _misread(kinds, words)


_KINDS = ("string", "integer", "number", "boolean", "null", "object", "array")


@lru_cache(maxsize=256)
def _misread(kinds: frozenset[str], words: bool) -> StringLanguage:
    if "string" not in kinds:
        return _found(_LOOSE) | _found(_alone(*map(_any_case, (*_TRUTH, *_NOTHING))))
    options = [_QUOTED]
    if not kinds.isdisjoint(("integer", "number")):
        options.append(_NUMBER)
    for kind, spelled in (("boolean", _TRUTH), ("null", _NOTHING)):
        if kind in kinds:
            options += map(_any_case, spelled) if words else spelled
    options += [rf"\{bracket}[^]*" for kind, bracket in (("object", "{"), ("array", "[")) if kind in kinds]
    return _found(_alone(*options))


def _alone(*options: str) -> str:
    return f"^{_BLANKS}(?:{'|'.join(options)}){_BLANKS}$"


def _any_case(word: str) -> str:
    return "".join(f"[{letter.lower()}{letter.upper()}]" for letter in word)


def _found(pattern: str) -> StringLanguage:
    return StringLanguage.of_pattern(parse(pattern))

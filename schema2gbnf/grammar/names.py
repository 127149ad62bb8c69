"""Names of rules: from pointers and contents, never from counters, so that an addition renames nothing."""

from __future__ import annotations

import hashlib
from collections.abc import Hashable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import cast

from schema2gbnf.languages.decimals import NumberLanguage
from schema2gbnf.languages.strings import StringLanguage
from schema2gbnf.schema.subschema import Subschema
from schema2gbnf.schema.text import Json
from schema2gbnf.semantics.formula import Conjunction, Demand, Either, Obeys

LONGEST = 64
_TOLD = ("type", "format", "minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum", "multipleOf")
_LENGTHS = ("minLength", "maxLength")
_SHORT = {
    "minimum": "from",
    "exclusiveMinimum": "above",
    "maximum": "to",
    "exclusiveMaximum": "below",
    "multipleOf": "by",
    "minLength": "from",
    "maxLength": "to",
}


def reference_name(sub: Subschema) -> str:
    """The hint for what a reference points to: `#/$defs/Node` → `ref-$defs-Node`."""
    return "ref-" + "-".join(sub.tokens) if sub.tokens else "ref-" + sub.pointer.rstrip("#").rsplit("/", 1)[-1]


@dataclass(frozen=True)
class Identity:
    """A text that tells a conjunction from all others of a grammar, spelled where a name depends on it."""

    namespace: str
    conjunction: Conjunction

    def __str__(self) -> str:
        return self._text

    @cached_property
    def _text(self) -> str:
        return self.namespace + " ".join(_spelled(demand) for demand in self.conjunction)


def _spelled(demand: Demand) -> str:
    if isinstance(demand, Either):
        return f"{'' if demand.wanted else '!'}({' | '.join(map(_spelled, demand.options))})"
    scope = ",".join(f"{name}={sub.pointer}" for name, sub in demand.scope)
    # All of a schema that the compiler made up has one pointer; its root's value tells it from others.
    value = "" if demand.sub.tokens else repr(demand.sub.value)
    return f"{'' if demand.wanted else '!'}{demand.sub.pointer}{'/'.join(demand.sub.tokens)}{value}{scope}"


def scalar_name(
    conjunction: Conjunction, kind: str, words: tuple[str, ...] | None, language: StringLanguage | NumberLanguage
) -> str:
    """The hint for a string or number rule, from what it holds: `integer-from-1-to-9`, `enum-red-green`, a hash."""
    if words is not None and len(name := "-".join(("enum", *words))) <= LONGEST // 2:
        return name
    told = _told(conjunction, kind)
    if told is not None:
        return told
    beside = language.digits if isinstance(language, NumberLanguage) else language.written
    return f"{kind}-{_fingerprint(language, beside)}"


@lru_cache(maxsize=1024)
def _fingerprint(content: Hashable, beside: Hashable) -> str:
    """A hash of a language and of what is printed of it without counting for its equality."""
    return hashlib.sha256(repr(content).encode("utf-8", "surrogatepass")).hexdigest()[:6]


def _told(conjunction: Conjunction, kind: str) -> str | None:
    """What the keywords of a lone subschema say, when they are few and plain."""
    if len(conjunction) != 1 or not isinstance(conjunction[0], Obeys) or not conjunction[0].wanted:
        return None
    keywords = cast("dict[str, Json]", conjunction[0].sub.keywords)
    told = _LENGTHS if kind == "string" else ()
    named = {keyword: value for keyword, value in keywords.items() if keyword in (*_TOLD, *told)}
    silent = {"title", "description", "default", "examples", "deprecated", "$comment"}
    if any(keyword not in named and keyword not in silent for keyword in keywords):
        return None
    kinds = named.get("type")
    parts = [kinds if isinstance(kinds, str) else kind]
    form = named.get("format")
    if isinstance(form, str) and kind == "string":
        parts = [form]
    for keyword, value in named.items():
        if keyword in _SHORT and isinstance(value, int) and not isinstance(value, bool):
            parts += [_SHORT[keyword], str(value).replace("-", "minus-")]
        elif keyword in _SHORT:
            return None
    return "-".join(parts)

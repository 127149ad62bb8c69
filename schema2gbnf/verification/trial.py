"""One question at a time: does the grammar do with this text, or with this value, what the schema says?

The answer is nothing (it does), a word for what is only counted (`narrowed`, `loosened`, `unjudged`, `repeated`: a
finding or a known limit explains it), or a `Failure`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property

from schema2gbnf.api import SEPARATORS, Result, compile_schema
from schema2gbnf.errors import SchemaError
from schema2gbnf.gbnf import Matcher, Refused, TooManyReadingsError
from schema2gbnf.languages.dfa import StateLimitError
from schema2gbnf.languages.formats import format_named
from schema2gbnf.schema.pointers import tokens_of
from schema2gbnf.schema.text import Json
from schema2gbnf.semantics.alternatives import shapes
from schema2gbnf.semantics.canonical import Writer
from schema2gbnf.semantics.formula import Conjunction, Obeys, frozen, json_type, pointer_of
from schema2gbnf.semantics.holds import failure
from schema2gbnf.semantics.keywords import VOCABULARIES
from schema2gbnf.semantics.shapes import ArrayShape
from schema2gbnf.verification.judge import Judge, Refusal
from schema2gbnf.verification.mutations import at, paths
from schema2gbnf.verification.report import Kind
from schema2gbnf.verification.texts import RepeatedNameError, pointer_at, text_of, value_of

Accepts = Callable[[str], bool]

_KEYWORDS: dict[str, frozenset[str]] = {
    kind: frozenset(words.split())
    for kind, words in {
        "string": "minLength maxLength pattern format",
        "number": "minimum maximum exclusiveMinimum exclusiveMaximum multipleOf",
        "array": "items prefixItems additionalItems minItems maxItems uniqueItems contains minContains maxContains "
        "unevaluatedItems",
        "object": "properties patternProperties additionalProperties required minProperties maxProperties "
        "propertyNames dependentRequired dependentSchemas dependencies unevaluatedProperties",
    }.items()
}
"""Keywords that speak of values of one type."""

_BRANCHING = frozenset(("anyOf", "oneOf", "not", "if", "then", "else", "contains", "dependentSchemas"))

_UNCHECKED = frozenset(("contentEncoding", "contentMediaType"))
"""Keywords that the compiler may keep and `jsonschema` does not look at."""

_LOOSENED_WITH = {
    "not": (
        "oneOf",
        "anyOf",
        "if",
        "then",
        "else",
        "required",
        "dependentRequired",
        "dependentSchemas",
        "dependencies",
    ),
    "minProperties": ("maxProperties",),
    "maxItems": ("minItems",),
    "contains": ("minContains", "maxContains", "minItems"),
    "pattern": ("minLength", "maxLength", "format", "enum", "const"),
    "multipleOf": ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "enum", "const"),
}
"""What else may be let in where a keyword is loosened."""


@dataclass(frozen=True, slots=True)
class Failure:
    """A text that the grammar gets wrong, and where in the schema that is."""

    kind: Kind
    text: str
    value: Json = None
    promised: bool = False
    instance: str = "#"
    keyword: str = ""
    pointer: str = "#"
    message: str = ""

    @property
    def group(self) -> tuple[str, ...]:
        """Failures of one group are taken for one fault."""
        return (self.kind, self.keyword, self.pointer)


Outcome = Failure | str | None


class Trial:
    """One schema, compiled, with the judge of its values."""

    def __init__(self, result: Result, schema: object, judge: Judge) -> None:
        self.judge = judge
        self.matcher: Matcher | None = None
        """The grammar that is tried, to tell where in a text it refuses."""
        self._result = result
        self._schema = schema
        self._meaning = result._meaning
        self._separators = SEPARATORS.get(self._meaning.options.whitespace, (", ", ": "))
        self._loosened = frozenset(
            keyword
            for finding in result.findings
            if finding.kind == "loosened"
            for keyword in (finding.keyword, *_LOOSENED_WITH.get(finding.keyword, ()))
        )

    def text(self, value: Json) -> str:
        """The value in the separators of the grammar."""
        return text_of(value, *self._separators)

    # -- texts -------------------------------------------------------------------------------------------------------

    def sentence(self, text: str) -> Outcome:
        """Judge a text that the grammar accepts."""
        try:
            value = value_of(text)
        except RepeatedNameError:
            return "repeated"
        except ValueError as error:
            return Failure("not JSON", text, message=str(error))
        except RecursionError:
            return "unjudged"
        match self.judge.valid(value):
            case True:
                return None
            case None:
                return "unjudged"
        return self._false_accept(text, value, promised=False)

    def not_json(self, text: str, accepts: Accepts) -> Failure | None:
        """The failure that a text is accepted though it is no JSON, if so it is."""
        outcome = self.sentence(text) if accepts(text) else None
        return outcome if isinstance(outcome, Failure) and outcome.kind == "not JSON" else None

    # -- values ------------------------------------------------------------------------------------------------------

    def again(self, value: Json, promised: bool, accepts: Accepts) -> Failure | None:
        """The failure of a value, if it is one."""
        valid = self.judge.valid(value)
        if valid is None:
            return None
        outcome = (self.valid_value if valid else self.invalid_value)(value, promised, accepts)
        return outcome if isinstance(outcome, Failure) else None

    def valid_value(self, value: Json, promised: bool, accepts: Accepts) -> Outcome:
        """A valid value must be written, unchanged, and accepted. Without a promise, a finding may leave it out."""
        try:
            text = self._result.dumps(value)
        except ValueError as error:
            return self._unwritable(value, promised, str(error))
        if frozen(value_of(text)) != frozen(value):
            return Failure("rewritten", self.text(value), value, promised, message=f"it writes {text}")
        if accepts(text):
            return None
        if not promised and (self._has_long_number(value) or self._is_in_the_open(value)):
            return "narrowed"
        return self._false_reject(value, promised, text)

    def invalid_value(self, value: Json, promised: bool, accepts: Accepts) -> Outcome:
        """An invalid value must be refused in every spelling."""
        for text in dict.fromkeys(self._spellings(value)):
            if accepts(text) and self.judge.valid(value_of(text)) is False:
                return self._false_accept(text, value, promised)
        return None

    def _spellings(self, value: Json) -> Iterator[str]:
        with suppress(ValueError):  # nested too deeply
            yield self._result.dumps(value, check=False)
        yield self.text(value)
        yield self.text(_backwards(value))

    # -- failures ----------------------------------------------------------------------------------------------------

    def _false_accept(self, text: str, value: Json, promised: bool) -> Outcome:
        refusal = self.judge.refusal(value)
        if self._is_loosened(refusal):
            return "loosened"
        if refusal is None:
            return Failure("false accept", text, value, promised)
        return Failure(
            "false accept",
            text,
            value,
            promised,
            refusal.instance,
            refusal.keyword,
            refusal.pointer,
            refusal.message,
        )

    def _is_loosened(self, refusal: Refusal | None) -> bool:
        if refusal is None or "" in self._loosened:
            return bool(self._loosened)
        if self._loosened and refusal.keyword in _BRANCHING and "$ref" in refusal.keywords:
            return True  # the keywords behind the reference are not known
        return not self._loosened.isdisjoint(refusal.keywords)

    def _unwritable(self, value: Json, promised: bool, message: str) -> Outcome:
        try:
            reason = failure(self._meaning, self._result._root, value)
        except (StateLimitError, RecursionError):
            return "narrowed"
        if reason is None:
            return (
                "narrowed" if self._has_long_number(value) else Failure("unwritable", self.text(value), value, promised)
            )
        if reason.keyword in _UNCHECKED:
            return "unjudged"
        if reason.keyword == "format" or reason.keyword in _BRANCHING:
            if any(finding.kind == "narrowed" and finding.keyword == "format" for finding in self._result.findings):
                return "narrowed"
            if self._has_unchecked_format:
                return "unjudged"
        return Failure(
            "unwritable", self.text(value), value, promised, reason.instance, reason.keyword, reason.pointer, message
        )

    def _false_reject(self, value: Json, promised: bool, text: str) -> Failure:
        instance, message = "#", ""
        with suppress(TooManyReadingsError):
            verdict = None if self.matcher is None else self.matcher.match(text)
            if isinstance(verdict, Refused):
                instance = pointer_at(text, verdict.offset)
                message = f"refused at {text[verdict.offset :][:20]!r}"
        try:
            pointer, keyword = self._place(value, tokens_of(instance[1:]))
        except (KeyError, IndexError, StateLimitError):
            pointer, keyword = "#", ""
        return Failure("false reject", text, value, promised, instance, keyword, pointer, message)

    # -- what explains a refusal -------------------------------------------------------------------------------------

    def _has_long_number(self, value: Json) -> bool:
        """Whether a number has more digits than the grammar writes."""
        options = self._meaning.options
        for path in paths(value):
            number = at(value, path)
            if isinstance(number, int | float | Decimal) and not isinstance(number, bool):
                whole, _, rest = format(Decimal(str(number)), "f").lstrip("-").partition(".")
                if len(whole) > options.integral_digits or len(rest) > options.fraction_digits:
                    return True
        return False

    def _is_in_the_open(self, value: Json) -> bool:
        """Whether the compiler leaves the value out since it closes objects: with objects open, it has it."""
        if self._open is None or self._compiled.accepts(self._result.dumps(value)):
            return False
        result, matcher = self._open
        try:
            return matcher.accepts(result.dumps(value))
        except ValueError:
            return False

    @cached_property
    def _compiled(self) -> Matcher:
        """The compiler's own grammar, which need not be the one that is tried."""
        return Matcher(self._result.grammar)

    @cached_property
    def _open(self) -> tuple[Result, Matcher] | None:
        options = self._meaning.options
        if options.additional_properties == "spec":
            return None
        try:
            result = compile_schema(self._schema, options, additional_properties="spec")
        except SchemaError:
            return None
        return result, Matcher(result.grammar)

    @cached_property
    def _has_unchecked_format(self) -> bool:
        """Whether the schema has a format that the compiler keeps and the validator does not look at."""
        root = self._meaning.documents.root
        written = [root.value, *self._meaning.options.documents.values()]
        names = {name for schema in written for name in _formats(schema)}
        return any(format_named(name, root.dialect.name) is not None and not self.judge.checks(name) for name in names)

    # -- places ------------------------------------------------------------------------------------------------------

    def _place(self, value: Json, tokens: tuple[str, ...]) -> tuple[str, str]:
        """The subschema in force at a place of a valid value, and its keywords that speak of what stands there."""
        conjunction = self._result._root
        for token in tokens:
            inner, member = self._inner(conjunction, value, token)
            if not inner:
                break  # nothing is said of what stands there, so that what is around it is concerned
            conjunction, value = inner, member
        kind = json_type(value)
        others = frozenset(word for each, words in _KEYWORDS.items() if each != kind for word in words)
        subs = dict.fromkeys(demand.sub for demand in conjunction if isinstance(demand, Obeys))
        keywords = dict.fromkeys(
            word
            for sub in subs
            for word in sub.keywords
            if word in VOCABULARIES[sub.dialect.name] and word not in others
        )
        return pointer_of(conjunction), ", ".join(keywords)

    def _inner(self, conjunction: Conjunction, value: Json, token: str) -> tuple[Conjunction, Json]:
        writer = Writer(self._meaning, *self._separators)
        if isinstance(value, dict):
            return dict(writer.ordered(conjunction, value))[token], value[token]
        assert isinstance(value, list)
        for shape in shapes(self._meaning, conjunction, "array") if conjunction else ():
            if isinstance(shape, ArrayShape) and (found := writer.fitting_items(shape, value)) is not None:
                return found[int(token)], value[int(token)]
        return (), value[int(token)]


def _backwards(value: Json) -> Json:
    """The value with the members of its objects in the opposite order."""
    if isinstance(value, dict):
        return {name: _backwards(value[name]) for name in reversed(value)}
    return [_backwards(item) for item in value] if isinstance(value, list) else value


def _formats(schema: Json) -> Iterator[str]:
    if isinstance(schema, dict):
        name = schema.get("format")
        if isinstance(name, str):
            yield name
    for inner in schema.values() if isinstance(schema, dict) else schema if isinstance(schema, list) else ():
        yield from _formats(inner)

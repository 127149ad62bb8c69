"""A JSON Schema validator as the judge of values: `jsonschema` in the schema's dialect, and `jsonschema-rs` beside it.

`jsonschema` is asked with exact decimals, since as floats 0.3 is no multiple of 0.1, and with patterns read as ECMA-262
where `regress` is there to read them. A value on which the two validators differ has no verdict.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from importlib.util import find_spec
from typing import Any
from urllib.parse import unquote

from schema2gbnf.extras import need
from schema2gbnf.languages.formats import format_named
from schema2gbnf.options import Options
from schema2gbnf.schema.pointers import escaped
from schema2gbnf.schema.retrieval import fetched, local_file
from schema2gbnf.schema.source import Source
from schema2gbnf.schema.text import Json, read_json
from schema2gbnf.verification.texts import text_of

_CLASSES = {
    "draft4": "Draft4Validator",
    "draft6": "Draft6Validator",
    "draft7": "Draft7Validator",
    "draft2019-09": "Draft201909Validator",
    "draft2020-12": "Draft202012Validator",
    "openapi3.0": "Draft4Validator",
}
_FETCH_SECONDS = 10.0
MOST_REFERENCES = 50
"""References to references that are followed."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a value is invalid: where in the value, the keyword that refuses it, and the subschema that has it.

    `keywords` are all that take part, those below an `anyOf` or `not` too.
    """

    instance: str
    keyword: str
    pointer: str
    message: str
    keywords: frozenset[str]


class Judge:
    """The verdicts on the values of one schema."""

    def __init__(self, source: Source, dialect: str, options: Options) -> None:
        """Raises `ModuleNotFoundError` when jsonschema is not installed."""
        need("verify", "the validator", "jsonschema")
        schema = _without_dialect(source.value)
        self._schema = schema
        self._formats = _format_checks(dialect) if options.formats == "assert" else {}
        self._exact = _exact_validator(schema, source, dialect, options, self._formats)
        self._fast = _fast_validator(schema, dialect, options)
        # In 2019-09 `contains` does not evaluate items; both validators think it does.
        text = json.dumps(schema, default=str)
        self._misled = dialect == "draft2019-09" and '"contains"' in text and '"unevaluatedItems"' in text

    def valid(self, value: Json) -> bool | None:
        """Whether the value is valid; None where the validators do not know."""
        if self._misled:
            return None
        one: bool | None = _asked(lambda: bool(self._exact.is_valid(value)))
        other: bool | None = None
        if self._fast is not None:
            other = _asked(lambda: bool(self._fast.is_valid(json.loads(text_of(value)))))
        if one is None or other is None:
            return one if other is None else other
        return one if one == other else None

    def refusal(self, value: Json) -> Refusal | None:
        """Why the value is invalid, as far as `jsonschema` can tell."""
        from jsonschema.exceptions import best_match

        error = _asked(lambda: best_match(self._exact.iter_errors(value)))
        if error is None:
            return None
        instance = "#" + "".join(f"/{escaped(str(token))}" for token in error.absolute_path)
        keywords = frozenset(_keywords_of(error))
        return Refusal(
            instance,
            str(error.validator),
            self._pointer(list(error.absolute_schema_path)),
            str(error.message)[:200],
            keywords,
        )

    def checks(self, name: str) -> bool:
        """Whether the format of this name is looked at."""
        return name in self._formats

    def _pointer(self, path: list[str | int]) -> str:
        """The subschema that a path leads into; references, which the path leaves out, are followed in the schema."""
        tokens: list[str] = []
        here: Any = self._schema
        for token in path:
            for _ in range(MOST_REFERENCES):
                if _step(here, token) is not None or not isinstance(here, dict):
                    break
                reference = str(here.get("$ref", ""))
                if not reference.startswith("#"):
                    break
                tokens = [part.replace("~1", "/").replace("~0", "~") for part in unquote(reference).split("/")[1:]]
                here = self._schema
                for part in tokens:
                    here = _step(here, part)
            tokens.append(str(token))
            here = _step(here, token)
        return "#" + "".join(f"/{escaped(token)}" for token in tokens[:-1])


def _asked(question: Callable[[], Any]) -> Any:
    """The answer of a validator, or None when it breaks down: on what it cannot compare, count or compile."""
    try:
        return question()
    except (RecursionError, TypeError, ValueError, ArithmeticError, re.error):
        return None


def _step(value: Any, token: str | int) -> Any:
    if isinstance(value, dict):
        return value.get(token, value.get(str(token)))
    if isinstance(value, list) and str(token).isdigit() and int(token) < len(value):
        return value[int(token)]
    return None


def _without_dialect(schema: Json) -> Json:
    # With `$schema` at the root, `$ref: "#"` would leave the extended class for the registered one.
    return {name: each for name, each in schema.items() if name != "$schema"} if isinstance(schema, dict) else schema


def _keywords_of(error: Any) -> Iterator[str]:
    yield str(error.validator)
    for inner in error.context:
        yield from _keywords_of(inner)
    if error.validator in ("not", "oneOf", "if", "contains", "unevaluatedProperties", "unevaluatedItems"):
        yield from _names_in(error.schema)


def _names_in(schema: Any) -> Iterator[str]:
    if isinstance(schema, dict):
        yield from schema
    for inner in schema.values() if isinstance(schema, dict) else schema if isinstance(schema, list) else ():
        yield from _names_in(inner)


# -- the two validators ------------------------------------------------------------------------------------------------


def _format_checks(dialect: str) -> dict[str, Any]:
    """The formats that the compiler knows and the validator can check, with how it does.

    Where a dialect has no check of its own, that of the latest is taken, as the compiler does.
    """
    import jsonschema

    latest = jsonschema.Draft202012Validator.FORMAT_CHECKER.checkers
    own = getattr(jsonschema, _CLASSES[dialect]).FORMAT_CHECKER.checkers
    return {name: check for name, check in {**latest, **own}.items() if format_named(name, dialect) is not None}


def _exact_validator(schema: Json, source: Source, dialect: str, options: Options, formats: Mapping[str, Any]) -> Any:
    import jsonschema
    from jsonschema import validators

    cls = getattr(jsonschema, _CLASSES[dialect])
    checker = cls.TYPE_CHECKER
    if _CLASSES[dialect] != "Draft4Validator":
        checker = checker.redefine("integer", _is_integer)
    keywords: dict[str, Any] = {"multipleOf": _multiple_of}
    if options.nullable or (options.nullable is None and dialect == "openapi3.0"):
        keywords["type"] = _nullable(cls.VALIDATORS["type"])
    if find_spec("regress") is not None:
        keywords |= _patterns(options.dotall)
    cls = validators.extend(cls, keywords, type_checker=checker)  # type: ignore[no-untyped-call]
    format_checker = jsonschema.FormatChecker(())
    format_checker.checkers = dict(formats)
    return cls(schema, registry=_registry(source, dialect, options), format_checker=format_checker)


def _fast_validator(schema: Json, dialect: str, options: Options) -> Any:
    """The second validator, or None where it is not installed, or cannot be asked the same."""
    same = not options.documents and not options.dotall and options.nullable is None and dialect != "openapi3.0"
    if find_spec("jsonschema_rs") is None or not same:
        return None
    import jsonschema_rs

    cls = getattr(jsonschema_rs, _CLASSES[dialect])
    return _asked(lambda: cls(json.loads(text_of(schema)), validate_formats=options.formats == "assert"))


def _registry(source: Source, dialect: str, options: Options) -> Any:
    from referencing import Registry, Resource
    from referencing.exceptions import NoSuchResource
    from referencing.jsonschema import DRAFT4, DRAFT6, DRAFT7, DRAFT201909, DRAFT202012

    specifications = {
        "draft4": DRAFT4,
        "openapi3.0": DRAFT4,
        "draft6": DRAFT6,
        "draft7": DRAFT7,
        "draft2019-09": DRAFT201909,
        "draft2020-12": DRAFT202012,
    }
    specification = specifications[dialect]

    def resource(value: Any) -> Any:
        return Resource.from_contents(value, default_specification=specification)

    def retrieve(uri: str) -> Any:
        data = None if source.base is None else local_file(uri, "", source.base, options.limits.bytes)
        if data is None and options.allow_fetch and uri.startswith(("http://", "https://")):
            data = fetched(uri, options.limits.bytes, _FETCH_SECONDS)
        if data is None:
            raise NoSuchResource(ref=uri)  # type: ignore[call-arg]
        return resource(read_json(data, max_depth=options.limits.depth, max_bytes=options.limits.bytes))

    registry: Any = Registry(retrieve=retrieve)  # type: ignore[call-arg]
    return registry.with_resources([(uri, resource(value)) for uri, value in options.documents.items()])


# -- keywords that the validator reads in Python's way -----------------------------------------------------------------


def _is_integer(_: Any, instance: Any) -> bool:
    if isinstance(instance, Decimal):
        return instance == instance.to_integral_value()
    return isinstance(instance, int) and not isinstance(instance, bool)


def _multiple_of(_: Any, divisor: Any, instance: Any, __: Any) -> Iterator[Any]:
    from jsonschema import ValidationError

    is_number = isinstance(instance, int | float | Decimal) and not isinstance(instance, bool)
    if is_number and (Fraction(instance) / Fraction(divisor)).denominator != 1:
        yield ValidationError(f"{instance} is not a multiple of {divisor}")


def _nullable(type_: Callable[..., Iterator[Any] | None]) -> Callable[..., Iterator[Any]]:
    def keyword(validator: Any, types: Any, instance: Any, schema: Mapping[str, Any]) -> Iterator[Any]:
        if instance is not None or schema.get("nullable") is not True:
            yield from type_(validator, types, instance, schema) or ()

    return keyword


def _patterns(dotall: bool) -> dict[str, Any]:
    """The keywords with patterns, these read as ECMA-262 has it."""
    import regress
    from jsonschema import ValidationError

    compiled: dict[str, Any] = {}
    dot = "s" if dotall else ""

    def regex(source: str) -> Any:
        for flags in (f"u{dot}", dot):
            try:
                return regress.Regex(source, flags)
            except regress.RegressError as error:
                reason = str(error)
        raise ValueError(reason)

    def found(source: str, text: str) -> bool:
        if source not in compiled:
            compiled[source] = regex(source)
        return compiled[source].find(text) is not None

    def pattern(validator: Any, source: str, instance: Any, _: Any) -> Iterator[Any]:
        if validator.is_type(instance, "string") and not found(source, instance):
            yield ValidationError(f"{instance!r} does not match {source!r}")

    def pattern_properties(validator: Any, patterns: Mapping[str, Any], instance: Any, _: Any) -> Iterator[Any]:
        if validator.is_type(instance, "object"):
            for source, schema in patterns.items():
                for name, value in instance.items():
                    if found(source, name):
                        yield from validator.descend(value, schema, path=name, schema_path=source)

    def additional_properties(validator: Any, rest: Any, instance: Any, schema: Mapping[str, Any]) -> Iterator[Any]:
        if validator.is_type(instance, "object"):
            patterns = schema.get("patternProperties", {})
            for name, value in instance.items():
                if name in schema.get("properties", {}) or any(found(source, name) for source in patterns):
                    continue
                if rest is False:
                    yield ValidationError(f"the member {name!r} is not allowed")
                elif rest is not True:
                    yield from validator.descend(value, rest, path=name)

    return {
        "pattern": pattern,
        "patternProperties": pattern_properties,
        "additionalProperties": additional_properties,
    }

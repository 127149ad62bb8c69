"""JSON text to JSON values, and the check of values that a program built.

Comes in: RFC 8259 text, or Python values. Goes out: `Json`, with every number exact. Refused, always with a
`SchemaError` and never by a recursion error: what is not JSON, repeated member names, and sizes over the limits.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from decimal import Decimal
from itertools import accumulate, chain
from json.decoder import scanstring  # type: ignore[attr-defined]
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from schema2gbnf.errors import InvalidSchemaError, UnsupportedSchemaError

if TYPE_CHECKING:
    from typing import NoReturn

Json: TypeAlias = "bool | int | float | Decimal | str | list[Json] | dict[str, Json] | None"

MAX_DEPTH = 512
MAX_BYTES = 16 << 20
MAX_NODES = 1_000_000
MAX_DIGITS = 4000
"""The longest number, written without an exponent; it keeps arithmetic on hostile numbers cheap."""

_ESCAPE = re.compile(r"\\.", re.DOTALL)
_NO_BRACKETS = re.compile(r"[^\[\]{}]+")
_STEP = {"[": 1, "{": 1, "]": -1, "}": -1}
_NAME_OR_BRACE = re.compile(r'["{}]|NaN|-?Infinity')
_BLANKS = re.compile(r"[ \t\n\r]*")


def read_json(text: str | bytes, *, max_depth: int = MAX_DEPTH, max_bytes: int = MAX_BYTES) -> Json:
    """The value of a JSON text; numbers with a fraction or an exponent are `Decimal`, so that nothing is rounded.

    >>> read_json('{"multipleOf": 0.10}')
    {'multipleOf': Decimal('0.10')}
    """
    if len(text) > max_bytes:
        raise UnsupportedSchemaError("#", "", f"the text is {len(text)} long, over the limit of {max_bytes} bytes")
    if isinstance(text, bytes):
        text = _decoded(text)
    text = text.removeprefix("\ufeff")
    if nesting(text) > max_depth:
        raise UnsupportedSchemaError("#", "", f"the text is nested deeper than {max_depth} levels")

    def members(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
        found = dict(pairs)
        if len(found) != len(pairs):
            raise InvalidSchemaError("#", "", _repeated_name(text))
        return found

    def no_number(constant: str) -> NoReturn:
        place = next(start for start, token in _tokens(text) if token == constant)
        raise InvalidSchemaError("#", "", f"not JSON: {constant} is no JSON number, {_place(text, place)}")

    try:
        value: Json = json.loads(
            text, parse_int=_integer, parse_float=_decimal, parse_constant=no_number, object_pairs_hook=members
        )
    except json.JSONDecodeError as error:
        raise InvalidSchemaError("#", "", f"not JSON: {error.msg}, {_place(text, error.pos)}") from None
    return value


def _decoded(data: bytes) -> str:
    """The text of JSON bytes: UTF-8, or the UTF-16 and UTF-32 that some editors write."""
    try:
        return data.decode(json.detect_encoding(data))
    except UnicodeDecodeError as error:
        message = f"not JSON: byte 0x{data[error.start]:02x} at offset {error.start} is no {error.encoding}"
        raise InvalidSchemaError("#", "", message) from None


def nesting(text: str) -> int:
    """How deep the brackets outside strings are nested, at least up to the first syntax error."""
    most = text.count("[") + text.count("{")
    if most < 100:
        return most
    outside = "".join(_ESCAPE.sub("", text).split('"')[::2])
    return max(accumulate(_STEP[bracket] for bracket in _NO_BRACKETS.sub("", outside)), default=0)


def _integer(digits: str) -> int:
    if len(digits) > MAX_DIGITS:
        raise UnsupportedSchemaError("#", "", f"a number of more than {MAX_DIGITS} digits")
    return int(digits)


def _decimal(digits: str) -> Decimal:
    mantissa, _, exponent = digits.lower().partition("e")
    if len(mantissa) > MAX_DIGITS or len(exponent) > 9 or abs(int(exponent or 0)) > MAX_DIGITS:
        raise UnsupportedSchemaError("#", "", f"a number of more than {MAX_DIGITS} digits")
    return Decimal(digits)


# -- where a text is wrong ---------------------------------------------------------------------------------------------


def _place(text: str, position: int) -> str:
    line = text.count("\n", 0, position) + 1
    column = position - text.rfind("\n", 0, position)
    return f"line {line} column {column}"


def _tokens(text: str) -> Iterator[tuple[int, str]]:
    """Position and spelling of the braces, the constants that are no JSON, and the member names (after a `:`)."""
    found = _NAME_OR_BRACE.search(text)
    while found:
        token, end = found.group(), found.end()
        if token == '"':
            name, end = scanstring(text, end)
            token = f":{name}" if text.startswith(":", _BLANKS.match(text, end).end()) else ""  # type: ignore[union-attr]
        yield found.start(), token
        found = _NAME_OR_BRACE.search(text, end)


def _repeated_name(text: str) -> str:
    """The complaint about the first member name that stands twice in one object."""
    objects: list[set[str]] = []
    for start, token in _tokens(text):
        if token == "{":
            objects.append(set())
        elif token == "}":
            objects.pop()
        elif token.startswith(":"):
            if token in objects[-1]:
                return f"the member name {token[1:]!r} stands twice in one object, {_place(text, start)}"
            objects[-1].add(token)
    raise AssertionError("an object was found to repeat a name")


# -- values that a program built ---------------------------------------------------------------------------------------


class _Level(NamedTuple):
    """An array or object being looked through: the token it stands under, and its members still to come."""

    token: str
    container: object
    rest: Iterator[tuple[str, object]]


def check_value(value: object, *, max_depth: int = MAX_DEPTH, max_nodes: int = MAX_NODES) -> None:
    """Refuse a value that no JSON text could give: other types than JSON's, cycles, depth and size over the limits."""
    if is_modest(value, max_depth=max_depth, max_nodes=max_nodes):
        return
    nodes = 0
    path = [_Level("#", None, iter([("", value)]))]
    entered: set[int] = set()
    while path:
        for token, node in path[-1].rest:
            nodes += 1
            if nodes > max_nodes:
                raise UnsupportedSchemaError("#", "", f"the schema has more than {max_nodes} values")
            if complaint := _no_json(node):
                raise InvalidSchemaError(_pointer(path, token), "", complaint)
            if _too_long(node):
                raise UnsupportedSchemaError(_pointer(path, token), "", f"a number of more than {MAX_DIGITS} digits")
            if not isinstance(node, (dict, list)):
                continue
            if id(node) in entered:
                raise InvalidSchemaError(_pointer(path, token), "", "the value contains itself")
            if len(path) > max_depth:
                raise UnsupportedSchemaError("#", "", f"the schema is nested deeper than {max_depth} levels")
            members = node.items() if isinstance(node, dict) else ((str(i), item) for i, item in enumerate(node))
            path.append(_Level(token, node, iter(members)))
            entered.add(id(node))
            break
        else:
            entered.discard(id(path.pop().container))


def is_modest(value: object, *, max_depth: int = MAX_DEPTH, max_nodes: int = MAX_NODES) -> bool:
    """Whether a value is well within what `check_value` allows, at a glance: level by level, with no place in mind."""
    nodes, level = 1, [value]
    for _ in range(max_depth):
        below: list[object] = []
        for node in level:
            if node is None or type(node) is str or type(node) is bool:
                continue
            if type(node) is dict:
                if not _TEXTS.issuperset(map(type, node)):
                    return False
                nodes += len(node)
            elif type(node) is list:
                nodes += len(node)
            elif isinstance(node, (dict, list)) or _no_json(node) is not None or _too_long(node):
                return False
            else:
                continue
            if nodes > max_nodes:
                return False
            below += node.values() if isinstance(node, dict) else node
        if not below:
            return True
        level = below
    return False


_TEXTS = frozenset((str,))


def copied(value: Json) -> Json:
    """A value that `check_value` lets pass, in objects and arrays of its own.

    >>> value = {"a": [1]}
    >>> copied(value) == value, copied(value)["a"] is value["a"]
    (True, False)
    """
    whole: list[Json] = [value]
    todo: list[list[Json] | dict[str, Json]] = [whole]
    while todo:
        container = todo.pop()
        places = list(container.items()) if isinstance(container, dict) else list(enumerate(container))
        for place, inner in places:
            if isinstance(inner, (dict, list)):
                own = dict(inner) if isinstance(inner, dict) else list(inner)
                container[place] = own  # type: ignore[index]
                todo.append(own)
    return whole[0]


def _pointer(path: list[_Level], token: str) -> str:
    tokens = [level.token for level in path[2:]] + [token] if len(path) > 1 else []
    return "#" + "".join("/" + token.replace("~", "~0").replace("/", "~1") for token in tokens)


def _no_json(value: object) -> str | None:
    """Why a value is no JSON value, its members aside."""
    match value:
        case None | bool() | str() | list():
            return None
        case dict():
            wrong = next((name for name in value if not isinstance(name, str)), None)
            return None if wrong is None else f"the member name {wrong!r} is no string"
        case int():
            return None
        case float():
            return None if math.isfinite(value) else f"{value} is no JSON number"
        case Decimal():
            return None if value.is_finite() else f"{value} is no JSON number"
        case tuple() | set() | frozenset():
            return f"a {type(value).__name__} is no JSON array; use a list"
        case _:
            return f"{type(value).__name__} is no type of JSON"


def _too_long(value: object) -> bool:
    """Whether a number has more digits, written without an exponent, than the limit."""
    if isinstance(value, int):
        return value.bit_length() * 3 > MAX_DIGITS * 10
    return isinstance(value, Decimal) and max(abs(value.adjusted()), len(value.as_tuple().digits)) > MAX_DIGITS


HALF = "half a surrogate pair, which no text holds,"
_HALF = re.compile("[\ud800-\udfff]")


def half_of(value: Json) -> str:
    """The first character in a value or its names that is half a surrogate pair, which no text holds; or nothing.

    >>> half_of({"a": ["\\ud800", "\\udfff"]}) == "\\ud800", half_of("\\U00010000")
    (True, '')
    """
    todo = [value]
    while todo:
        match todo.pop():
            case str() as text:
                if not text.isascii() and (found := _HALF.search(text)):
                    return found[0]
            case list() as items:
                todo += reversed(items)
            case dict() as members:
                todo += reversed([*chain.from_iterable(members.items())])
            case _:
                pass
    return ""

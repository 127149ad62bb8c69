"""JSON read from a `Source` token by token, written on as it comes.

What is written is JSON text with `", "` and `": "` and each string and number as the model has it. Refused with
`NotJsonError` at the first character that is wrong: what RFC 8259 does not know, and what `spelling.read` refuses.
"""

from __future__ import annotations

import math
import re

from schema2gbnf.toolcalls.source import EndOfTextError, Source, Steps, Write
from schema2gbnf.toolcalls.spelling import MAX_DEPTH, MAX_DIGITS, NotJsonError, read

_MAY_BE_BLANK = frozenset(("", " ", "\t", "\n", "\r"))
_BLANKS = re.compile(r"[ \t\n\r]*")
_ESCAPE = re.compile(r'\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})')
_CHARACTERS = re.compile(r'(?:[^"\\\x00-\x1f]+|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*')
_ESCAPE_LENGTH = 6
_NUMBER_CHARACTERS = re.compile(r"[-+.0-9eE]*")
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?")
_CLOSER = {"{": "}", "[": "]"}


def next_token(source: Source) -> Steps[str]:
    """The character that the next token begins with."""
    if source.text[source.position : source.position + 1] in _MAY_BE_BLANK:
        yield from source.run(_BLANKS)
        return (yield from source.character())
    return source.text[source.position]


def mark(source: Source, expected: str) -> Steps[str]:
    """Go past the next token, which is one of these marks."""
    found = yield from next_token(source)
    if found not in expected:
        raise NotJsonError
    source.skip(1)
    return found


def value(source: Source, write: Write) -> Steps[None]:
    """One value; of an object or array all but the last bracket is written."""
    closers: list[str] = []
    while True:
        yield from _opened(source, write, closers)
        while closers:
            found = yield from mark(source, closers[-1] + ",")
            if found == ",":
                write(", ")
                break
            closers.pop()
            if closers:
                write(found)
        if not closers:
            return
        if closers[-1] == "}":
            yield from _name(source, write)


def _opened(source: Source, write: Write, closers: list[str]) -> Steps[None]:
    """The first scalar or empty container of a value, with all brackets and names before it."""
    while True:
        first = yield from next_token(source)
        if first not in _CLOSER:
            yield from _scalar(source, write, first)
            return
        source.skip(1)
        write(first)
        closers.append(_CLOSER[first])
        if len(closers) > MAX_DEPTH:
            raise NotJsonError
        if (yield from next_token(source)) == closers[-1]:
            return
        if first == "{":
            yield from _name(source, write)


def _name(source: Source, write: Write) -> Steps[None]:
    if (yield from next_token(source)) != '"':
        raise NotJsonError
    yield from string(source, write)
    yield from mark(source, ":")
    write(": ")


def _scalar(source: Source, write: Write, first: str) -> Steps[None]:
    if first == '"':
        yield from string(source, write)
    elif first in "-0123456789":
        write((yield from _number(source)))
    else:
        word = yield from source.take(("true", "false", "null"))
        if word == "":
            raise EndOfTextError
        if word is None:
            raise NotJsonError
        write(word)


def string(source: Source, write: Write) -> Steps[None]:
    """A string, in pieces as it comes, quotes and all."""
    source.skip(1)
    write('"')
    while True:
        if piece := _characters(source):
            write(piece)
        following = yield from source.character()
        if following == '"':
            source.skip(1)
            write('"')
            return
        if following == "\\":
            yield from _escape_ahead(source)
        elif ord(following) < 0x20:
            raise NotJsonError


def _characters(source: Source) -> str:
    """The characters of a string that are there, escapes among them, up to its end or an escape that is not whole."""
    found = _CHARACTERS.match(source.text, source.position)
    assert found is not None
    source.position = found.end()
    return found.group()


def _escape_ahead(source: Source) -> Steps[None]:
    """Wait until the escape that comes next is whole."""
    while _ESCAPE.match(source.text, source.position) is None:
        rest = source.text[source.position : source.position + _ESCAPE_LENGTH]
        whole = rest + ("u0000"[len(rest) - 1 :] if len(rest) < 2 else "0" * (_ESCAPE_LENGTH - len(rest)))
        if not _ESCAPE.match(whole):
            raise NotJsonError
        if not (yield from source.more()):
            raise EndOfTextError


def _number(source: Source) -> Steps[str]:
    text = yield from source.run(_NUMBER_CHARACTERS)
    found = _NUMBER.fullmatch(text)
    if found is None:
        if source.ended and source.position == len(source.text):
            raise EndOfTextError
        raise NotJsonError
    whole = not (found.group(1) or found.group(2))
    if (whole and len(text) > MAX_DIGITS) or (not whole and math.isinf(float(text))):
        raise NotJsonError
    return text


def decoded_string(source: Source) -> Steps[str]:
    """The value of the string that comes next."""
    if (yield from next_token(source)) != '"':
        raise NotJsonError
    pieces: list[str] = []
    yield from string(source, pieces.append)
    found = read("".join(pieces))
    assert isinstance(found, str)
    return found

"""ECMA-262 patterns: from the source text to the tree of a regular expression.

Patterns are read as with the `u` flag, over code points. What is a syntax error there is read once more with the
leniency of Annex B (`\\-`, a lone `}`, octal escapes), still over code points and with `\\u{…}` and `\\p{…}` in force.
Refused: text that is no pattern in either reading, and, as unsupported, what is right but no regular language
(back-references), flags inside the pattern, and groups nested too deep.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from schema2gbnf.languages.charset import ANY, DIGIT, LAST, LINE_TERMINATOR, SPACE, WORD, CharSet
from schema2gbnf.languages.regex import (
    EMPTY,
    NOTHING,
    Chars,
    End,
    Look,
    Regex,
    Start,
    WordBoundary,
    choice,
    concat,
    repeat,
)
from schema2gbnf.languages.unicode_properties import UnknownPropertyError, UnsupportedPropertyError, property_chars

NESTING = 100
"""Groups inside one another, at most; whoever walks a tree may recurse on it."""

COUNT_DIGITS = 100
"""Digits of a repetition count, at most."""


class PatternError(Exception):
    """A pattern that cannot be read; `position` counts characters of `source`.

    `unsupported` tells a pattern that is right, but not given a tree here, from one that is no pattern at all.
    """

    def __init__(self, source: str, position: int, reason: str, unsupported: bool) -> None:
        super().__init__(source, position, reason, unsupported)
        self.source = source
        self.position = position
        self.reason = reason
        self.unsupported = unsupported

    def __str__(self) -> str:
        return f"{self.reason} (at character {self.position} of {self.source!r})"


@dataclass(frozen=True, slots=True)
class Pattern:
    """A pattern that was read; `annex_b` when only the leniency of Annex B could."""

    tree: Regex
    annex_b: bool
    source: str


def parse(source: str) -> Pattern:
    """The tree of a pattern.

    >>> parse("a+?").tree
    Repeat(item=Chars(chars=CharSet([a])), low=1, high=None)
    >>> parse("[z-a]")
    Traceback (most recent call last):
    schema2gbnf.languages.ecma.PatternError: range out of order (at character 1 of '[z-a]')
    """
    try:
        return Pattern(_Parser(source, lenient=False).parse(), False, source)
    except PatternError as error:
        if error.unsupported:
            raise
    return Pattern(_Parser(source, lenient=True).parse(), True, source)


_CLASSES = {"d": DIGIT, "D": ~DIGIT, "w": WORD, "W": ~WORD, "s": SPACE, "S": ~SPACE}
_CONTROLS = {"f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}
_SYNTAX = frozenset("^$\\.*+?()[]{}|/")
_ASSERTION_GROUPS = {"?=": (False, False), "?!": (False, True), "?<=": (True, False), "?<!": (True, True)}

_BRACES = re.compile(r"\{([0-9]+)(?:(,)([0-9]*))?\}")
_GROUP = re.compile(r"\?(?::|=|!|<=|<!)")
_GROUP_NAME = re.compile(r"\?<([^>]*)>")
_FLAGS = re.compile(r"\?[ims]*(?:-[ims]*)?:")
_NAME_REFERENCE = re.compile(r"<([^>]*)>")
_HEX2 = re.compile(r"[0-9a-fA-F]{2}")
_HEX4 = re.compile(r"[0-9a-fA-F]{4}")
_SURROGATE_PAIR = re.compile(r"([dD][89abAB][0-9a-fA-F]{2})\\u([dD][c-fC-F][0-9a-fA-F]{2})")
_CODE_POINT = re.compile(r"\{([0-9a-fA-F]+)\}")
_NAME_ESCAPE = re.compile(r"\\u(?:\{([0-9a-fA-F]+)\}|([0-9a-fA-F]{4}))")
_PROPERTY = re.compile(r"\{([A-Za-z0-9_]+)(?:=([A-Za-z0-9_]+))?\}")
_OCTAL = re.compile(r"[0-3][0-7]{0,2}|[4-7][0-7]?")
_DECIMAL = re.compile(r"[0-9]+")
_LETTER = re.compile(r"[A-Za-z]")
_CLASS_CONTROL = re.compile(r"[A-Za-z0-9_]")


@dataclass(slots=True)
class _Group:
    """An open group: the options already read, and the parts of the one being read."""

    opened: int
    assertion: tuple[bool, bool] | None = None
    options: list[Regex] = field(default_factory=list)
    parts: list[Regex] = field(default_factory=list)
    names: set[str] = field(default_factory=set)
    names_before: set[str] = field(default_factory=set)

    def next_option(self) -> None:
        self.options.append(concat(self.parts))
        self.parts = []
        self.names_before |= self.names
        self.names = set()

    def tree(self) -> Regex:
        self.next_option()
        body = choice(self.options)
        return body if self.assertion is None else Look(*self.assertion, body)


class _Parser:
    """One reading of one source, from left to right, with the open groups on a stack."""

    def __init__(self, source: str, *, lenient: bool) -> None:
        self.source = source
        self.lenient = lenient
        self.position = 0
        self.group_count, self.group_names = _captures(source)
        self.unsupported: PatternError | None = None

    def parse(self) -> Regex:
        groups = [_Group(0)]
        while self.position < len(self.source):
            at = self.position
            if self.eat("|"):
                groups[-1].next_option()
            elif self.eat("("):
                if len(groups) > NESTING:
                    raise self.error(at, f"more than {NESTING} nested groups", unsupported=True)
                groups.append(self.open_group(at))
            elif self.eat(")"):
                if len(groups) == 1:
                    raise self.error(at, "unmatched ')'")
                group = groups.pop()
                self.declare(groups[-1], group)
                quantifiable = group.assertion is None or (self.lenient and not group.assertion[0])
                groups[-1].parts.append(self.quantified(group.tree(), quantifiable))
            else:
                atom = self.atom()
                groups[-1].parts.append(self.quantified(atom, not isinstance(atom, Start | End | WordBoundary)))
        if len(groups) > 1:
            raise self.error(groups[-1].opened, "group without its ')'")
        if self.unsupported is not None:
            raise self.unsupported
        return groups[0].tree()

    # -- reading -----------------------------------------------------------------------------------------------------

    def error(self, position: int, reason: str, *, unsupported: bool = False) -> PatternError:
        return PatternError(self.source, position, reason, unsupported)

    def refuse_later(self, position: int, reason: str) -> None:
        """Note something right but unsupported; an error of syntax behind it comes first."""
        self.unsupported = self.unsupported or self.error(position, reason, unsupported=True)

    def peek(self) -> str:
        """The next character, "" at the end."""
        return self.source[self.position : self.position + 1]

    def eat(self, text: str) -> bool:
        found = self.source.startswith(text, self.position)
        if found:
            self.position += len(text)
        return found

    def match(self, expression: re.Pattern[str]) -> re.Match[str] | None:
        found = expression.match(self.source, self.position)
        if found:
            self.position = found.end()
        return found

    # -- groups and quantifiers --------------------------------------------------------------------------------------

    def open_group(self, at: int) -> _Group:
        """The group whose parenthesis has just been read."""
        if self.peek() != "?":
            return _Group(at)
        kind = self.match(_GROUP)
        if kind:
            return _Group(at, _ASSERTION_GROUPS.get(kind.group()))
        if self.match(_FLAGS):
            self.refuse_later(at, "flags inside a pattern are not supported")
            return _Group(at)
        named = self.match(_GROUP_NAME)
        if not named:
            raise self.error(at, "unknown kind of group")
        name = _identifier(named.group(1))
        if name is None:
            raise self.error(at, "a group name is an identifier")
        return _Group(at, names_before={name})

    def declare(self, outer: _Group, group: _Group) -> None:
        """Take the names of a finished group over into the one around it."""
        names = group.names | group.names_before
        twice = sorted(names & outer.names)
        if twice:
            raise self.error(group.opened, f"two groups named {twice[0]!r}")
        outer.names |= names

    def quantified(self, atom: Regex, quantifiable: bool) -> Regex:
        """The atom under the quantifier that follows it, if one does."""
        at = self.position
        bounds = self.quantifier()
        if bounds is None:
            return atom
        if not quantifiable:
            raise self.error(at, "nothing to repeat")
        self.eat("?")
        low, high = bounds
        if isinstance(atom, Look):
            return atom if low else EMPTY
        return repeat(atom, low, high)

    def quantifier(self) -> tuple[int, int | None] | None:
        at = self.position
        if self.eat("*"):
            return 0, None
        if self.eat("+"):
            return 1, None
        if self.eat("?"):
            return 0, 1
        braces = self.match(_BRACES)
        if not braces:
            return None
        low = self.count(at, braces.group(1))
        if not braces.group(2):
            return low, low
        if not braces.group(3):
            return low, None
        high = self.count(at, braces.group(3))
        if high < low:
            raise self.error(at, "counts out of order")
        return low, high

    def count(self, at: int, digits: str) -> int:
        digits = digits.lstrip("0")
        if len(digits) > COUNT_DIGITS:
            raise self.error(at, f"a count of more than {COUNT_DIGITS} digits", unsupported=True)
        return int(digits or "0")

    # -- atoms -------------------------------------------------------------------------------------------------------

    def atom(self) -> Regex:
        at, character = self.position, self.peek()
        if character == "\\":
            return self.escape()
        if character in "*+?" or (character == "{" and _BRACES.match(self.source, at)):
            raise self.error(at, "nothing to repeat")
        if character in "{}]" and not self.lenient:
            raise self.error(at, f"{character!r} without a backslash")
        self.position += 1
        match character:
            case "^":
                return Start()
            case "$":
                return End()
            case ".":
                return Chars(~LINE_TERMINATOR)
            case "[":
                return self.character_class(at)
            case _:
                return Chars(CharSet.of(character))

    def escape(self) -> Regex:
        """What a backslash outside a class stands for."""
        at = self.position
        self.position += 1
        if self.eat("b"):
            return WordBoundary(False)
        if self.eat("B"):
            return WordBoundary(True)
        if self.peek() in tuple("123456789"):
            digits = self.match(_DECIMAL)
            assert digits is not None
            if len(digits.group()) < 10 and int(digits.group()) <= self.group_count:
                return self.back_reference(at)
            if not self.lenient:
                raise self.error(at, "a back-reference to a group that is not there")
            self.position = at + 1
        elif self.peek() == "k" and (self.group_names or not self.lenient):
            self.position += 1
            name = self.match(_NAME_REFERENCE)
            if not name or _identifier(name.group(1)) not in self.group_names:
                raise self.error(at, "a back-reference to a group that is not there")
            return self.back_reference(at)
        return Chars(self.character_escape(at, in_class=False))

    def back_reference(self, at: int) -> Regex:
        self.refuse_later(at, f"the back-reference {self.source[at : self.position]} is no regular language")
        return NOTHING

    def character_class(self, opened: int) -> Regex:
        """The set of a class whose bracket has just been read."""
        negated = self.eat("^")
        ranges: list[tuple[int, int]] = []
        while not self.eat("]"):
            at = self.position
            first = self.class_member(opened)
            if self.peek() != "-" or self.source.startswith("-]", self.position):
                ranges.extend(first.ranges)
                continue
            self.position += 1
            last = self.class_member(opened)
            low, high = first.single, last.single
            if low is None or high is None:
                if not self.lenient:
                    raise self.error(at, "a class of characters as the end of a range")
                ranges.extend([*first.ranges, (ord("-"), ord("-")), *last.ranges])
            elif low > high:
                raise self.error(at, "range out of order")
            else:
                ranges.append((ord(low), ord(high)))
        members = CharSet.union(ranges)
        return Chars(~members if negated else members)

    def class_member(self, opened: int) -> CharSet:
        at, character = self.position, self.peek()
        if not character:
            raise self.error(opened, "class without its ']'")
        self.position += 1
        return self.character_escape(at, in_class=True) if character == "\\" else CharSet.of(character)

    # -- escapes of characters ---------------------------------------------------------------------------------------

    def character_escape(self, at: int, *, in_class: bool) -> CharSet:
        """The characters that the escape stands for whose backslash, at `at`, has just been read."""
        character = self.peek()
        if not character:
            raise self.error(at, "a backslash at the end")
        self.position += 1
        if character in _CLASSES:
            return _CLASSES[character]
        if character in _CONTROLS:
            return CharSet.of(_CONTROLS[character])
        if character == "b" and in_class:
            return CharSet.of("\b")
        if character == "-" and in_class:
            return CharSet.of("-")
        if character in "pP":
            found = self.property_escape(at, negated=character == "P")
            if found is not None:
                return found
        point = self.numeric_escape(character, in_class)
        if point is not None:
            return CharSet.union([(point, point)])
        if character in _SYNTAX or self.lenient:
            return CharSet.of(character)
        raise self.error(at, f"unknown escape \\{character}")

    def numeric_escape(self, character: str, in_class: bool) -> int | None:
        """The code point of `\\cX`, `\\0`, `\\xHH`, `\\uHHHH`, `\\u{…}` or an octal escape, None for all others."""
        if character == "c":
            control = self.match(_CLASS_CONTROL if in_class and self.lenient else _LETTER)
            if control:
                return ord(control.group()) % 32
            if self.lenient:
                # The backslash stands for itself, and the c is read again.
                self.position -= 1
                return ord("\\")
        elif character == "x":
            digits = self.match(_HEX2)
            return int(digits.group(), 16) if digits else None
        elif character == "u":
            return self.unicode_escape()
        elif character == "0" and not _DECIMAL.match(self.source, self.position):
            return 0
        elif character in "01234567" and self.lenient:
            self.position -= 1
            octal = self.match(_OCTAL)
            assert octal is not None
            return int(octal.group(), 8)
        return None

    def unicode_escape(self) -> int | None:
        pair = self.match(_SURROGATE_PAIR)
        if pair:
            high, low = (int(half, 16) & 0x3FF for half in pair.groups())
            return 0x10000 + (high << 10) + low
        digits = self.match(_HEX4)
        if digits:
            return int(digits.group(), 16)
        braced = _CODE_POINT.match(self.source, self.position)
        if braced and int(braced.group(1), 16) <= LAST:
            self.position = braced.end()
            return int(braced.group(1), 16)
        return None

    def property_escape(self, at: int, *, negated: bool) -> CharSet | None:
        named = self.match(_PROPERTY)
        if not named:
            return None
        try:
            chars = property_chars(named.group(1), named.group(2))
        except UnsupportedPropertyError as error:
            self.refuse_later(at, str(error))
            return ANY
        except UnknownPropertyError as error:
            if self.lenient:
                self.position = named.start()
                return None
            raise self.error(at, str(error)) from None
        return ~chars if negated else chars


def _captures(source: str) -> tuple[int, frozenset[str]]:
    """The number of capturing groups in a source, and the names among them."""
    count, names, in_class, position = 0, set(), False, 0
    while position < len(source):
        character = source[position]
        position += 2 if character == "\\" else 1
        if character == "[":
            in_class = True
        elif character == "]":
            in_class = False
        elif character == "(" and not in_class:
            named = _GROUP_NAME.match(source, position)
            if named and not source.startswith(("?<=", "?<!"), position):
                names.add(_identifier(named.group(1)) or "")
                count += 1
            elif not source.startswith("?", position):
                count += 1
    return count, frozenset(names)


def _identifier(spelling: str) -> str | None:
    """The name that a spelling with possible `\\u` escapes gives a group, None if it is no identifier."""

    def spelled(found: re.Match[str]) -> str:
        point = int(found.group(1) or found.group(2), 16)
        return chr(point) if point <= LAST else "\\"

    name = _NAME_ESCAPE.sub(spelled, spelling)
    return name if name.replace("$", "_").isidentifier() else None

"""The definitions of a schema that is being written: what is referred to, and by which name in the end.

References are written without their pointer and filled in when all is done, for only then is it known which
definitions are left and what they may be called.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field

from schema2gbnf.normalize.events import EXACT_SEVERITIES, Event
from schema2gbnf.normalize.intersection import Conjunction
from schema2gbnf.normalize.reading import DEFINITIONS
from schema2gbnf.normalize.references import is_definition
from schema2gbnf.normalize.targets import RuleNames
from schema2gbnf.normalize.values import Content, content
from schema2gbnf.schema.dialects import DIALECTS, Place
from schema2gbnf.schema.subschema import Subschema
from schema2gbnf.schema.text import Json, copied

Schema = dict[str, Json]

_UNSAFE = re.compile(r"[^A-Za-z0-9_-]+")
_FOLDED = re.compile(r"[^A-Za-z0-9-]+")


@dataclass(slots=True)
class Definition:
    """A schema that is referred to: the rewritten intersection of some subschemas, or one subschema as it was."""

    conjunction: Conjunction
    verbatim: bool = False
    schema: Json = None
    """None while it is being written, and when it allows nothing."""
    events: list[Event] = field(default_factory=list)
    begun: bool = False
    done: bool = False
    referred_early: bool = False
    """It was referred to before it was known whether it allows anything."""

    @property
    def origin(self) -> Subschema:
        return self.conjunction[0]

    @property
    def in_place(self) -> bool:
        """Whether it stands among the definitions already."""
        return is_definition(self.origin) and len(self.conjunction) == 1

    @property
    def void(self) -> bool:
        """Whether it is known to be nothing that can be referred to."""
        return self.done and self.schema is None

    @property
    def same_values(self) -> bool:
        """Whether, as far as this definition alone goes, the same values are valid as before."""
        return all(event.severity in EXACT_SEVERITIES for event in self.events)


Key = tuple[Conjunction, bool]


@dataclass(frozen=True, slots=True, eq=False)
class Reference:
    """A reference in the making."""

    schema: Schema
    """The object whose `$ref` it is."""
    definition: Definition
    at: Subschema | None
    """Where it was written, if it was."""


class Ledger:
    """All definitions, and all references to them."""

    def __init__(self, void: set[Key]) -> None:
        self.void = void
        """Definitions known to allow nothing; what is found out about one too late is for the next attempt."""
        self.too_late = False
        self.definitions: dict[Key, Definition] = {}
        self._references: dict[int, Reference] = {}
        self.pointers: dict[int, tuple[Schema, Subschema]] = {}
        """References that keep pointing to where they pointed, and to what."""
        self._sayings: dict[int, tuple[Content, list[Definition]]] = {}
        """What definitions say by themselves, and those that they refer to, where it has been asked."""

    def open(self, conjunction: Conjunction, verbatim: bool = False) -> Definition:
        """The definition of some subschemas, begun if there is none yet."""
        key = (conjunction, verbatim)
        known = key in self.void
        return self.definitions.setdefault(key, Definition(conjunction, verbatim, begun=known, done=known))

    def finish(self, definition: Definition, schema: Json) -> None:
        """The definition is written, or (None) it allows nothing."""
        definition.done, definition.schema = True, schema
        if schema is None:
            self.void.add((definition.conjunction, definition.verbatim))
            self.too_late |= definition.referred_early

    def reference(self, definition: Definition, at: Subschema | None = None) -> Schema:
        """A new reference to a definition, in place of the one that a subschema has."""
        made: Schema = {"$ref": ""}
        self._references[id(made)] = Reference(made, definition, at)
        definition.referred_early |= not definition.done
        return made

    def pointer(self, target: Subschema) -> Schema:
        """A new reference to a place that is not expected to move."""
        made: Schema = {"$ref": target.pointer}
        self.pointers[id(made)] = (made, target)
        return made

    def instead(self, old: Schema, new: Schema) -> None:
        """Let a schema stand for a reference, as it has more to say beside it."""
        if id(old) in self._references:
            known = self._references[id(old)]
            self._references[id(new)] = Reference(new, known.definition, known.at)
        elif id(old) in self.pointers:
            self.pointers[id(new)] = (new, self.pointers[id(old)][1])

    def meaning(self, definition: Definition) -> Content:
        """What a definition says, with all that it refers to: equal for equal definitions of different schemas."""
        places: dict[int, int] = {}
        parts: list[object] = []
        todo = [definition]
        while todo:
            each = todo.pop()
            if id(each) in places:
                parts.append(places[id(each)])
                continue
            places[id(each)] = len(places)
            said, referred = self._said(each)
            parts.append(said)
            todo.extend(referred)
        return tuple(parts)

    def _said(self, definition: Definition) -> tuple[Content, list[Definition]]:
        """What a definition, once it is written, says by itself, and the definitions that it refers to."""
        found = self._sayings.get(id(definition))
        if found is None:
            entries = [self._references.get(id(node)) for node in dicts(definition.schema)]
            referred = [entry.definition for entry in entries if entry is not None]
            found = self._sayings[id(definition)] = content(self._blank(definition.schema), ordered=True), referred
        return found

    def _blank(self, schema: Json) -> Json:
        """A copy in which no reference has its pointer yet."""
        written = [(node, node["$ref"]) for node in dicts(schema) if id(node) in self._references]
        for node, _ in written:
            node["$ref"] = ""
        blank = copied(schema)
        for node, pointer in written:
            node["$ref"] = pointer
        return blank

    def referred(self, schema: Json) -> tuple[int, ...]:
        """What the references in a schema lead to, as long as they have no pointers: equal for the same definitions."""
        found = (self._references.get(id(node)) for node in (dicts(schema) if self._references else ()))
        return tuple([id(entry.definition) for entry in found if entry is not None])

    # -- when all is written -------------------------------------------------------------------------------------------

    def used(self, root: Json) -> tuple[list[Definition], list[Reference]]:
        """The definitions that a schema refers to, directly or not, in the order in which they are met; and where."""
        found: dict[Key, Definition] = {}
        places: list[Reference] = []
        todo = deque([root] if self._references else ())
        while todo:
            for node in dicts(todo.popleft()):
                if (entry := self._references.get(id(node))) is None:
                    continue
                definition = self._merged(entry.definition)
                places.append(Reference(entry.schema, definition, entry.at))
                key = (definition.conjunction, definition.verbatim)
                if key not in found:
                    found[key] = definition
                    todo.append(definition.schema)
        return list(found.values()), places

    def _merged(self, definition: Definition) -> Definition:
        """The rewritten definition in place of a verbatim one, where both allow the same values."""
        other = self.definitions.get((definition.conjunction, False))
        known = other is not None and other.schema is not None and other.same_values
        if definition.verbatim and other is not None and known and self.exact(other.schema):
            return other
        return definition

    def exact(self, schema: Json) -> bool:
        """Whether all definitions that a schema refers to, directly or not, allow the same values as before."""
        met: dict[Key, Definition] = {}
        todo = [schema] if self._references else []
        while todo:
            for node in dicts(todo.pop()):
                entry = self._references.get(id(node))
                if entry is None or (entry.definition.conjunction, entry.definition.verbatim) in met:
                    continue
                if not entry.definition.same_values or entry.definition.schema is None:
                    return False
                met[entry.definition.conjunction, entry.definition.verbatim] = entry.definition
                todo.append(entry.definition.schema)
        return True


def dicts(value: Json) -> Iterable[Schema]:
    """All objects in a value, in the order written."""
    todo = [value]
    while todo:
        node = todo.pop()
        if isinstance(node, dict):
            yield node
            todo += [each for each in reversed(node.values()) if isinstance(each, (dict, list))]
        elif isinstance(node, list):
            todo += [each for each in reversed(node) if isinstance(each, (dict, list))]


RESERVED = ("root", "space", "string", "number", "integer", "boolean", "null", "object", "array", "value", "char")
"""Rules that a back end has of its own."""


# -- names -------------------------------------------------------------------------------------------------------------


def rule_name(name: str, rule_names: RuleNames) -> str:
    """What a back end makes of the name of a definition, so that two must not come to the same."""
    return name if rule_names == "none" else _FOLDED.sub("-", name)


def safe_name(name: str) -> str:
    """A name of the characters that every back end reads in a pointer."""
    return _UNSAFE.sub("-", name).strip("-") or "definition"


def plain_tokens(sub: Subschema) -> bool:
    """Whether a pointer is read by back ends that decode nothing."""
    return not any(_UNSAFE.search(token.removeprefix("$")) for token in sub.tokens)


@dataclass(slots=True)
class Names:
    """Names of definitions, no two of which a back end takes for one."""

    rule_names: RuleNames
    taken: set[str] = field(default_factory=set)

    def claim(self, wanted: str) -> str:
        """The name wanted, if it is safe and free; else the next one like it.

        >>> names = Names("pointer")
        >>> names.claim("a_b"), names.claim("a-b"), names.claim("x/y")
        ('a_b', 'a-b-2', 'x-y')
        """
        base = safe_name(wanted)
        name, number = base, 1
        while rule_name(name, self.rule_names) in self.taken:
            number += 1
            name = f"{base}-{number}"
        self.taken.add(rule_name(name, self.rule_names))
        return name


def wanted_name(definition: Definition) -> str:
    """What a definition is called after: its own name, or the last word of its place that is no keyword or index."""
    tokens = definition.origin.tokens
    if is_definition(definition.origin):
        return tokens[-1]
    names = [token for token in tokens if not token.isdigit() and token not in _PLACES]
    return names[-1] if names else "root"


_PLACES = frozenset(keyword for keyword, place in DIALECTS["draft2020-12"].keywords.items() if place is not Place.PLAIN)
"""What stands in a pointer between names."""


def container_of(definition: Definition) -> str:
    """The keyword a definition stands under."""
    origin = definition.origin
    return origin.tokens[0] if definition.in_place else DEFINITIONS[0]


def in_document_order(definitions: Iterable[Definition], root: Json) -> list[Definition]:
    """Definitions in the order in which they are named: those of the document as it has them, then the others."""
    places: dict[tuple[str, ...], int] = {}
    for keyword in DEFINITIONS:
        group = root.get(keyword) if isinstance(root, dict) else None
        for name in group if isinstance(group, dict) else ():
            places[keyword, name] = len(places)
    listed = list(definitions)
    return sorted(listed, key=lambda each: (each.verbatim, places.get(each.origin.tokens, len(places))))

"""From explored nonterminals to a grammar: each conjunction its expression, each expression its rule and name.

Scalars are merged languages and stand where they are used, or in a rule named by content; objects and arrays are rules
named by the way that leads to them, or by the reference that points to them.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import lru_cache
from string import ascii_lowercase

from schema2gbnf.errors import UnsupportedSchemaError
from schema2gbnf.grammar import characters, numbers
from schema2gbnf.grammar.aliases import without_aliases
from schema2gbnf.grammar.arrays import ArrayWriter
from schema2gbnf.grammar.drafts import LONGEST_PATH, Draft
from schema2gbnf.grammar.guards import Guard
from schema2gbnf.grammar.names import Identity, reference_name, scalar_name
from schema2gbnf.grammar.numbers import number
from schema2gbnf.grammar.objects import ObjectWriter
from schema2gbnf.grammar.rules import NOTHING, Expr, Grammar, Literal, Ref, abridged, alternation, folded, sequence
from schema2gbnf.grammar.strings import PLAIN_REST, QUOTE, STRING, STRING_REST, raw_text, string, string_rest, unheard
from schema2gbnf.grammar.surroundings import Surroundings
from schema2gbnf.grammar.tries import all_but, any_but, factored
from schema2gbnf.grammar.whitespace import SPACE, Blanks, blanks
from schema2gbnf.languages import decimals
from schema2gbnf.languages.formats import PARTS
from schema2gbnf.languages.strings import StringLanguage
from schema2gbnf.schema.text import Json, half_of
from schema2gbnf.semantics.canonical import number_text
from schema2gbnf.semantics.formula import (
    Conjunction,
    Members,
    NamesIn,
    Obeys,
    StringIn,
    ValueIn,
    frozen,
    pointer_of,
)
from schema2gbnf.semantics.meaning import Meaning
from schema2gbnf.semantics.productivity import (
    ANYTHING,
    Alternative,
    Explored,
    Nonterminal,
    satisfiable,
)
from schema2gbnf.semantics.shapes import AllBut, ArrayShape, KeyPart, Names, ObjectShape, Slot, ValueShape

VALUE, OBJECT, ARRAY, BOOLEAN = "value", "object", "array", "boolean"
OBJECT_REST, ARRAY_REST, NAME_REST = "object-rest", "array-rest", "member-name-rest"
SHARED = (
    *(VALUE, OBJECT, OBJECT_REST, ARRAY, ARRAY_REST, STRING, STRING_REST, NAME_REST, PLAIN_REST),
    *(*numbers.SHARED, BOOLEAN, *characters.SHARED, SPACE),
)
"""Shared rules, in the order in which they are printed last."""


def assemble(meaning: Meaning, explored: Explored) -> Grammar:
    """The grammar of everything explored from the root."""
    return Assembly(meaning, explored).grammar()


@dataclass(frozen=True, slots=True)
class Waiting:
    """A structured nonterminal whose rule has a name and not yet a body."""

    ref: Ref
    conjunction: Conjunction


@dataclass(frozen=True, slots=True)
class Primitives:
    """The rules that every grammar of a style may use, in a draft to copy."""

    draft: Draft
    blanks: Blanks
    guard: Guard | None = None
    """What must not appear in strings and names."""

    def copy(self) -> Primitives:
        """The same in a draft of its own."""
        return replace(self, draft=self.draft.copy())


@lru_cache(maxsize=64)
def primitives(whitespace: str, integral_digits: int, fraction_digits: int, guard: Guard | None = None) -> Primitives:
    """Any value, and all it is made of."""
    draft = Draft(kept=frozenset(map(folded, ("root", *SHARED, *PARTS))))
    around = blanks(whitespace, draft)
    gap, comma, colon = around.gap, around.comma, around.colon
    value = Ref(VALUE)
    if guard is None:
        text, name = string(StringLanguage.ANY, draft, STRING, loosen=unheard), all_but((), draft)
    else:
        text = draft.share(STRING, sequence(QUOTE, guard.any_rest(draft)))
        name = draft.share(NAME_REST, guard.any_rest(draft, canonical=True))
    member = sequence(QUOTE, name, colon, value)

    def listed(name: str, rest: str, opening: str, item: Expr, closing: str) -> Expr:
        close = Literal(closing)
        more = draft.define(
            draft.reserve(rest, rest), sequence(gap, alternation(close, sequence(comma, item, Ref(rest))))
        )
        body = sequence(Literal(opening), gap, alternation(close, sequence(item, more)))
        return draft.define(draft.reserve(name, name), body)

    options = [
        listed(OBJECT, OBJECT_REST, "{", member, "}"),
        listed(ARRAY, ARRAY_REST, "[", value, "]"),
        text,
        number(None, draft, numbers.NUMBER, integral_cap=integral_digits, fraction_cap=fraction_digits),
        draft.define(draft.reserve(BOOLEAN, BOOLEAN), alternation(Literal("true"), Literal("false"))),
        Literal("null"),
    ]
    draft.define(draft.reserve(VALUE, VALUE), alternation(*options))
    for char in ascii_lowercase:
        any_but(char, draft)
    return Primitives(draft, around, guard)


class Assembly:
    """The rules of one grammar under construction, or of one part of it.

    A part has its rules in the draft of the whole, under names that begin with its `namespace`.
    """

    def __init__(
        self, meaning: Meaning, explored: Explored, shared: Primitives | None = None, namespace: str = ""
    ) -> None:
        self.meaning = meaning
        self.explored = explored
        self.options = meaning.options
        self.namespace = namespace
        if shared is None:
            shared = primitives(self.options.whitespace, self.options.integral_digits, self.options.fraction_digits)
            shared = shared.copy()
        self.draft = shared.draft
        self.blanks = shared.blanks
        self.guard = shared.guard
        self.string_rest = string_rest if self.guard is None else self.guard.string_rest
        self.expressions: dict[Conjunction, Expr] = {}
        self.waiting: list[Waiting] = []
        self.names: dict[Names, Expr] = {}

    @property
    def around(self) -> Surroundings:
        """What a writer needs; not kept, since a circle would keep all that was explored until garbage is collected."""
        return Surroundings(self.draft, self.blanks, self.productive, self.value, self.name_of)

    def grammar(self) -> Grammar:
        root = self.root()
        if root != Ref("root"):
            self.draft.rules["root"] = root
        return without_aliases(self.draft.grammar(last=SHARED), kept=SHARED)

    def root(self) -> Expr:
        """The expression of the root, when all rules that it needs have their bodies."""
        root = self.value(self.explored.root, "root")
        self.finish()
        return root

    def finish(self) -> None:
        """Give all rules that have a name their body."""
        for each in self.waiting:  # grows while it is read
            self.draft.define(each.ref, self.body(each))
        self.waiting.clear()

    # -- values ------------------------------------------------------------------------------------------------------

    def productive(self, conjunction: Conjunction) -> bool:
        return conjunction in self.explored.productive

    def value(self, conjunction: Conjunction, hint: str) -> Expr:
        """The expression of a conjunction where it is used: a reference, or a scalar as it stands."""
        found = self.expressions.get(conjunction)
        if found is None:
            found = self.expressions[conjunction] = self.fresh_value(conjunction, hint)
        return found

    def fresh_value(self, conjunction: Conjunction, hint: str) -> Expr:
        if conjunction == ANYTHING or conjunction not in self.explored.nonterminals:
            return Ref(VALUE)
        nonterminal = self.explored.nonterminals[conjunction]
        if nonterminal.options:
            options = [option for option in nonterminal.options if self.productive(option)]
            return factored(self.value(option, hint) for option in options)
        if not nonterminal.objects and not nonterminal.arrays:
            return alternation(*self.scalars(nonterminal))
        if (whole := self.all_of_a_type(nonterminal)) is not None:
            return whole
        if conjunction == self.explored.root and not self.namespace:
            ref = Ref("root")
        else:
            ref = self.draft.place(abridged(self.name(conjunction, hint), LONGEST_PATH), self.identity(conjunction))
        self.waiting.append(Waiting(ref, conjunction))
        return ref

    def all_of_a_type(self, nonterminal: Nonterminal) -> Ref | None:
        """The shared rule of all objects or all arrays, where the nonterminal has just these."""
        if nonterminal.scalar or len(nonterminal.objects) + len(nonterminal.arrays) != 1:
            return None
        shape = (*nonterminal.objects, *nonterminal.arrays)[0].shape
        if isinstance(shape, ObjectShape):
            return Ref(OBJECT) if _is_any_object(shape) else None
        return Ref(ARRAY) if isinstance(shape, ArrayShape) and _is_any_array(shape) else None

    def name(self, conjunction: Conjunction, hint: str) -> str:
        if len(conjunction) == 1 and isinstance(conjunction[0], Obeys):
            demand = conjunction[0]
            if demand.wanted and demand.sub in self.meaning.targets and conjunction != self.explored.root:
                return "-".join(filter(None, (self.namespace, reference_name(demand.sub))))
        return hint

    def identity(self, conjunction: Conjunction) -> Identity:
        """A text that tells a conjunction from all others of the grammar."""
        return Identity(self.namespace, conjunction)

    def body(self, waiting: Waiting) -> Expr:
        """All values of a structured nonterminal."""
        path = "" if waiting.ref.name == "root" else waiting.ref.name
        return self.structured(self.explored.nonterminals[waiting.conjunction], path)

    def structured(self, nonterminal: Nonterminal, path: str) -> Expr:
        """All values of a nonterminal; rules are named after the path to it."""
        arrays = list(self.arrays(nonterminal, path))
        objects = list(self.objects(nonterminal, path))
        return factored([*self.scalars(nonterminal), *arrays, *objects])

    # -- scalars -----------------------------------------------------------------------------------------------------

    def scalars(self, nonterminal: Nonterminal) -> Iterable[Expr]:
        constants = nonterminal.constants
        if None in constants:
            yield Literal("null")
        if True in constants and False in constants:
            yield Ref(BOOLEAN)
        elif True in constants or False in constants:
            yield Literal("true" if True in constants else "false")
        if not nonterminal.numbers.is_empty:
            yield self.number(nonterminal)
        if not nonterminal.strings.is_empty:
            yield self.string(nonterminal)

    def number(self, nonterminal: Nonterminal) -> Expr:
        language = nonterminal.numbers
        hint = scalar_name(nonterminal.demands, "number", None, language)
        expr = number(
            None if language == decimals.ALL else language,
            self.draft,
            hint,
            integral_cap=self.options.integral_digits,
            fraction_cap=self.options.fraction_digits,
        )
        return self.named(hint, expr)

    def string(self, nonterminal: Nonterminal) -> Expr:
        language = nonterminal.strings
        if language.is_universal:
            return Ref(STRING)
        if self.options.raw_pattern and self.has_pattern(nonterminal.demands):
            return self.raw(nonterminal)
        words = _few_words(language)
        hint = scalar_name(nonterminal.demands, "string", words, language)
        rest = self.string_rest(
            language,
            self.draft,
            hint,
            limit=self.options.limits.printed_states,
            loosen=lambda reason: self.loosen(nonterminal.demands, reason),
            note=lambda reason: self.note(nonterminal.demands, reason),
        )
        if rest == NOTHING:
            raise self.broken(nonterminal.demands, language.example())
        return self.named(hint, sequence(QUOTE, rest))

    def has_pattern(self, conjunction: Conjunction) -> bool:
        """Whether some subschema that applies to the value has a `pattern`."""
        said = (fact.assertion for fact in self.meaning.facts(conjunction))
        return any(isinstance(each, StringIn) and each.keyword == "pattern" for each in said)

    def raw(self, nonterminal: Nonterminal) -> Expr:
        """Strings with a pattern, bare: what is written is then no JSON, as the caller wants it."""
        hint = scalar_name(nonterminal.demands, "raw", None, nonterminal.strings)
        expr = raw_text(
            nonterminal.strings,
            self.draft,
            hint,
            limit=self.options.limits.printed_states,
            loosen=lambda reason: self.loosen(nonterminal.demands, reason),
            note=lambda reason: self.note(nonterminal.demands, reason),
        )
        return self.named(hint, expr)

    def named(self, hint: str, expr: Expr) -> Expr:
        """A short expression as it stands, a long one as a rule of its content's name."""
        if isinstance(expr, Ref | Literal):
            return expr
        return self.draft.share(hint, expr)

    def loosen(self, conjunction: Conjunction, reason: str) -> None:
        keyword = _written(conjunction, "maxLength", "minLength", "pattern", "format")
        self.meaning.report.loosen(keyword, pointer_of(conjunction), reason)

    def note(self, conjunction: Conjunction, reason: str) -> None:
        self.meaning.report.add("note", _written(conjunction, "pattern", "format"), pointer_of(conjunction), reason)

    def name_of(self, names: Names, hint: str) -> Expr:
        """An undeclared member's name, in canonical spelling, with its closing quote."""
        found = self.names.get(names)
        if found is None:
            if isinstance(names, StringLanguage):
                body = self.name_in(names, hint)
            elif self.guard is None:
                body = all_but(names.excluded, self.draft)
            else:
                body = self.name_in(~StringLanguage.of_words(names.excluded), hint)
            found = body if isinstance(body, Ref) else self.draft.define(self.draft.place(hint, names), body)
            self.names[names] = found
        return found

    def name_in(self, names: StringLanguage, hint: str) -> Expr:
        def loosen(reason: str) -> None:
            self.meaning.report.loosen("propertyNames", "#", reason)

        def note(reason: str) -> None:
            self.meaning.report.add("note", "propertyNames", "#", reason)

        limit = self.options.limits.printed_states
        body = self.string_rest(names, self.draft, hint, canonical=True, limit=limit, loosen=loosen, note=note)
        if body == NOTHING and half_of(names.example()):
            raise self.broken_names(names)
        return body

    def broken_names(self, names: StringLanguage) -> UnsupportedSchemaError:
        """The complaint that all these names hold half a surrogate pair, under the keyword that matches them."""
        name = names.example() or ""
        found: list[tuple[bool, str, str]] = []
        for conjunction, nonterminal in self.explored.nonterminals.items():
            shapes = (each.shape for each in nonterminal.objects if isinstance(each.shape, ObjectShape))
            if not any(part.names == names for shape in shapes for part in shape.parts):
                continue
            for fact in self.meaning.facts(conjunction):
                match fact.assertion:
                    case Members(patterns=patterns, pointer=place):
                        for pattern in patterns:
                            if pattern.names.accepts(name):
                                found.append((not half_of(pattern.names.example()), place, "patternProperties"))
                    case NamesIn(language, place) if language.accepts(name):
                        found.append((not half_of(language.example()), place, "propertyNames"))
        # What matches no other names comes first.
        _, pointer, keyword = min(found, key=lambda place: place[0], default=(True, "#", ""))
        message = f"the name holds {json.dumps(half_of(name))}, half a surrogate pair, which no text does"
        return UnsupportedSchemaError(pointer, keyword, message)

    # -- structures --------------------------------------------------------------------------------------------------

    def arrays(self, nonterminal: Nonterminal, hint: str) -> Iterable[Expr]:
        identified = self.identity(nonterminal.demands)
        for index, alternative in enumerate(nonterminal.arrays):
            if not satisfiable(alternative, self.explored.productive):
                continue
            shape = alternative.shape
            if isinstance(shape, ValueShape):
                yield self.spelled_out(shape, nonterminal.demands)
                continue
            assert isinstance(shape, ArrayShape)
            if _is_any_array(shape):
                yield Ref(ARRAY)
                continue
            writer = ArrayWriter(self.around, hint, identified, "array", index)
            yield writer.plain(shape) if alternative.walk is None else writer.walk(shape, alternative.walk)

    def objects(self, nonterminal: Nonterminal, hint: str) -> Iterable[Expr]:
        walks = []
        for alternative in nonterminal.objects:
            if not satisfiable(alternative, self.explored.productive):
                continue
            if isinstance(alternative.shape, ValueShape):
                yield self.spelled_out(alternative.shape, nonterminal.demands)
                self.note_fixed_order(nonterminal.demands)
                continue
            assert isinstance(alternative.shape, ObjectShape)
            assert alternative.walk is not None
            self.note_closed(alternative)
            walks.append((alternative.shape, alternative.walk))
        if len(walks) == 1 and _is_any_object(walks[0][0]):
            yield Ref(OBJECT)
        elif walks:
            yield ObjectWriter(walks, self.around, hint, self.identity(nonterminal.demands)).write()

    def note_closed(self, alternative: Alternative) -> None:
        if alternative.closed and isinstance(alternative.shape, ObjectShape) and alternative.shape.closable is not None:
            message = "further members are not written; additional_properties='spec' allows them"
            self.meaning.report.add("narrowed", "additionalProperties", alternative.shape.closable, message)

    def note_fixed_order(self, conjunction: Conjunction) -> None:
        if self.options.order == "any":
            message = "the members of a value that is spelled out are written in the order of the schema"
            self.meaning.report.add("narrowed", "enum", pointer_of(conjunction), message)

    def spelled_out(self, shape: ValueShape, conjunction: Conjunction) -> Expr:
        """Exactly the value that a `const` or `enum` spells."""
        if half_of(shape.value.value):
            raise self.broken(conjunction, shape.value.value)
        return self.fixed(shape.value.value)

    def broken(self, conjunction: Conjunction, value: Json) -> UnsupportedSchemaError:
        """The complaint that a value holds half a surrogate pair, under the keyword that spells or matches it."""
        pointer, keyword = pointer_of(conjunction), ""
        for fact in self.meaning.facts(conjunction):
            match fact.assertion:
                case ValueIn(values, near) if fact.wanted and frozen(value) in values:
                    pointer, keyword = near.pointer, "const" if near.get("const") == value else "enum"
                    break
                case StringIn(_, "pattern", place):
                    pointer, keyword = place, "pattern"
        message = f"the value holds {json.dumps(half_of(value))}, half a surrogate pair, which no text does"
        return UnsupportedSchemaError(pointer, keyword, message)

    def fixed(self, value: Json) -> Expr:
        """Exactly this value, with blanks where they may stand."""
        match value:
            case dict() if value:
                members = [
                    sequence(self.quoted(name), self.blanks.colon, self.fixed(member)) for name, member in value.items()
                ]
                return self.enclosed("{", members, "}")
            case list() if value:
                return self.enclosed("[", [self.fixed(item) for item in value], "]")
            case dict() | list():
                return sequence(
                    Literal("{" if isinstance(value, dict) else "["),
                    self.blanks.gap,
                    Literal("}" if isinstance(value, dict) else "]"),
                )
            case str():
                return self.quoted(value)
            case None | bool():
                return Literal(json.dumps(value))
            case _:
                return Literal(number_text(value))

    def quoted(self, text: str) -> Expr:
        """Exactly this string or name, with its quotes."""
        written = json.dumps(text, ensure_ascii=False)
        return Literal(written if self.guard is None else self.guard.spelled(written))

    def enclosed(self, opening: str, parts: list[Expr], closing: str) -> Expr:
        gap, comma = self.blanks.gap, self.blanks.comma
        inside: list[Expr] = [parts[0]]
        for part in parts[1:]:
            inside += [gap, comma, part]
        return sequence(Literal(opening), gap, *inside, gap, Literal(closing))


@lru_cache(maxsize=1024)
def _few_words(language: StringLanguage) -> tuple[str, ...] | None:
    """The words of a language that has only some."""
    return language.words(32)


def _written(conjunction: Conjunction, *keywords: str) -> str:
    """The first of the keywords that is written where the conjunction comes from; `pattern` when none is."""
    written = {keyword for demand in conjunction if isinstance(demand, Obeys) for keyword in demand.sub.keywords}
    return next((keyword for keyword in keywords if keyword in written), "pattern")


def _is_any_object(shape: ObjectShape) -> bool:
    """Whether a shape has all objects: nothing is declared, counted or owed."""
    return shape.free and not shape.members and shape.parts == (KeyPart(AllBut(()), ANYTHING),)


def _is_any_array(shape: ArrayShape) -> bool:
    """Whether a shape has all arrays."""
    return shape.plain and not shape.prefix and shape.rest == Slot(ANYTHING) and not shape.low and shape.high is None

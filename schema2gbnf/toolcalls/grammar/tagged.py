"""Arguments that are written between tags: the members of an object, each a key and a text.

Comes in: a tool's schema, explored. Goes out: an expression of its arguments, every one of which the parser reads back
to arguments that the schema accepts. The members come as the walks of the object have them; what is new here is the
text of a value. A string is written as it stands, as long as the reader takes it for that string; what it takes for
something else, a number in digits where a number may stand, is written in quotes. All else is JSON.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import reduce

from schema2gbnf.errors import UnsupportedSchemaError
from schema2gbnf.grammar.assemble import BOOLEAN, Assembly
from schema2gbnf.grammar.names import scalar_name
from schema2gbnf.grammar.objects import Content, Notation, ObjectWriter
from schema2gbnf.grammar.rules import EMPTY, Expr, Literal, Ref, alternation, sequence
from schema2gbnf.grammar.strings import QUOTE
from schema2gbnf.grammar.surroundings import Surroundings
from schema2gbnf.grammar.tries import factored
from schema2gbnf.languages.ecma import parse
from schema2gbnf.languages.strings import StringLanguage
from schema2gbnf.schema.text import Json
from schema2gbnf.semantics.canonical import Writer
from schema2gbnf.semantics.domains import finite_domain
from schema2gbnf.semantics.formula import Conjunction, Frozen, pointer_of
from schema2gbnf.semantics.productivity import (
    ANYTHING,
    Alternative,
    Explored,
    Nonterminal,
    explore,
    live_steps,
    satisfiable,
)
from schema2gbnf.semantics.shapes import AllBut, Names, ObjectShape, ValueShape
from schema2gbnf.semantics.walks import Walk
from schema2gbnf.toolcalls.domain import Domain
from schema2gbnf.toolcalls.grammar.misread import misread
from schema2gbnf.toolcalls.grammar.raw import RawTexts
from schema2gbnf.toolcalls.grammar.wire import PLAIN_KEY, Tags
from schema2gbnf.toolcalls.signature import Signature

TELLING = 16
"""The most values that a member may have and still tell alternatives apart."""


@dataclass(frozen=True, slots=True)
class Argument:
    """What the value under a key is to be, and what the reader may hold it to."""

    demands: Conjunction
    domains: tuple[Domain, ...]


@dataclass(frozen=True, slots=True)
class Spelled:
    """How the strings of an argument are written: these as they stand, those in quotes."""

    raw: StringLanguage
    quoted: StringLanguage


class TaggedArguments:
    """The arguments of one tool."""

    def __init__(self, assembly: Assembly, tags: Tags, signature: Signature, python_case: bool = False) -> None:
        self.python_words = python_case and tags.words
        self.assembly = assembly
        self.meaning = assembly.meaning
        self.tags = tags
        self.signature = signature
        self.texts = RawTexts(tags.after_value, tags.raw, tags.begun)
        self.alternatives = [each for each in map(self._writable, self._alternatives(assembly.explored.root)) if each]
        self.readers = [self._readers(shape) for shape, _ in self.alternatives]
        self._spelled: dict[Argument, Spelled] = {}

    def expression(self, closing: str) -> Expr:
        """All arguments, with what follows them."""
        assembly = self.assembly
        for shape, _ in self.alternatives:
            self._check_keys(shape)
        notation = Notation(
            EMPTY, EMPTY, EMPTY, Literal(self.tags.before_key), self.tags.after_key, EMPTY, Literal(closing), False
        )
        around = Surroundings(assembly.draft, assembly.blanks, assembly.productive, assembly.value, self.key)
        identity = assembly.identity(assembly.explored.root)
        expr = _Writer(self, around, assembly.namespace, identity, notation).write()
        assembly.finish()
        return expr

    def dumps(self, value: dict[str, Json], closing: str) -> str | None:
        """The canonical text of arguments; None when no alternative has them."""
        comma, colon = ("", "") if self.meaning.options.whitespace == "compact" else (" ", " ")
        writer = GuardedWriter(self.assembly, f",{comma}", f":{colon}")
        for index, (shape, _) in enumerate(self.alternatives):
            members = writer.fitting_members(shape, value)
            if members is None:
                continue
            declared = {member.name for member in shape.members}
            texts = []
            for name, demands in members:
                if name not in declared and not _found(PLAIN_KEY).accepts(name):
                    raise ValueError(f"{name!r} cannot be written as the name of an argument that no one declares")
                argument = Argument(demands, self.domains(index, name if name in declared else None, shape))
                text = self._text(argument, value[name], writer)
                texts.append(f"{self.tags.before_key}{name}{self.tags.after_key}{text}{self.tags.after_value}")
            return "".join(texts) + closing
        return None

    # -- the object --------------------------------------------------------------------------------------------------

    def _alternatives(self, conjunction: Conjunction) -> Iterable[tuple[ObjectShape, Walk]]:
        """The objects of a conjunction, also those that `const` or `enum` spell out."""
        nonterminal = self.assembly.explored.nonterminals[conjunction]
        for option in nonterminal.options:
            if self.assembly.productive(option):
                yield from self._alternatives(option)
        for alternative in nonterminal.objects:
            if not satisfiable(alternative, self.assembly.explored.productive):
                continue
            if isinstance(alternative.shape, ValueShape):
                yield from self._spelled_out(alternative.shape.value)
            else:
                self.assembly.note_closed(alternative)
                yield _walked(alternative)

    def _spelled_out(self, value: Frozen) -> Iterable[tuple[ObjectShape, Walk]]:
        explored = explore(self.meaning, self.meaning.structure(value, self.meaning.documents.root))
        known = self.assembly.explored
        known.nonterminals.update(explored.nonterminals)
        self.assembly.explored = Explored(known.root, known.nonterminals, known.productive | explored.productive)
        for alternative in explored.nonterminals[explored.root].objects:
            yield _walked(alternative)

    def _writable(self, alternative: tuple[ObjectShape, Walk]) -> tuple[ObjectShape, Walk] | None:
        """The alternative without undeclared names that no key can be; None when nothing is left of it."""
        shape, walk = alternative
        parts = [index for index, part in enumerate(shape.parts, len(shape.members)) if self._keys(part.names).is_empty]
        if parts:
            walk = tuple(replace(step, takes=tuple(t for t in step.takes if t.place not in parts)) for step in walk)
        return (shape, walk) if 0 in live_steps(walk, self.assembly.productive) else None

    @staticmethod
    def _keys(names: Names) -> StringLanguage:
        """The names among these that can be written and read back, though no schema declares them."""
        language = ~StringLanguage.of_words(names.excluded) if isinstance(names, AllBut) else names
        return language & _found(PLAIN_KEY)

    def _check_keys(self, shape: ObjectShape) -> None:
        for member in shape.members:
            if not _found(self.tags.key).accepts(member.name):
                message = f"the name {member.name!r} cannot be written between the tags of this format"
                raise UnsupportedSchemaError(shape.pointer, "properties", message)

    def key(self, names: Names, hint: str) -> Expr:
        """An undeclared name, with what ends it."""
        texts = RawTexts(self.tags.after_key, "[<>]")
        expr = texts.text(self._keys(names), self.assembly.draft, hint, self.limit, _silent, _silent)
        return expr if isinstance(expr, Ref) else self.assembly.draft.share(hint, expr)

    # -- readers -----------------------------------------------------------------------------------------------------

    def _readers(self, shape: ObjectShape) -> tuple[int, ...]:
        """The branches of the signature that may still be open when an object of the shape has been read.

        Those are closed that allow none of the few values of a required member.
        """
        branches = range(len(self.signature.branches))
        if len(branches) == 1:
            return tuple(branches)
        telling: list[tuple[str, tuple[Frozen, ...]]] = []
        for member in shape.members:
            values = finite_domain(self.meaning, member.value, TELLING) if member.required else None
            if values:
                telling.append((member.name, values))

        def is_open(branch: int) -> bool:
            return all(
                any(value.value in self.signature.domain(branch, name)[0] for value in values)
                for name, values in telling
            )

        return tuple(branch for branch in branches if is_open(branch)) or tuple(branches)

    def domains(self, index: int, name: str | None, shape: ObjectShape) -> tuple[Domain, ...]:
        """What the readers of an alternative hold the value of a member to; None is any undeclared name."""
        known = name if name is not None else _undeclared(shape)
        found = (self.signature.domain(branch, known)[0] for branch in self.readers[index])
        return tuple(dict.fromkeys(found))

    # -- values ------------------------------------------------------------------------------------------------------

    @property
    def limit(self) -> int:
        return self.meaning.options.limits.printed_states

    def value(self, argument: Argument, hint: str) -> Expr:
        """The text of an argument, with its closing tag."""
        draft, assembly = self.assembly.draft, self.assembly
        demands = argument.demands
        if self.is_free(demands):
            return self.texts.text(StringLanguage.ANY, draft, hint, self.limit, _silent, _silent)
        spelled = self.spelled(argument)
        found: list[Expr] = []
        if not spelled.raw.is_empty:
            name = self.name(demands, "raw", spelled.raw)

            def narrow(reason: str) -> None:
                self.meaning.report.add("narrowed", self.keyword(demands), pointer_of(demands), reason)

            def loosen(reason: str) -> None:
                assembly.loosen(demands, reason)

            found.append(self.texts.text(spelled.raw, draft, name, self.limit, loosen, narrow))
        if not spelled.quoted.is_empty:
            name = self.name(demands, "quoted", spelled.quoted)
            rest = assembly.string_rest(
                spelled.quoted,
                draft,
                name,
                limit=self.limit,
                loosen=lambda reason: assembly.loosen(demands, reason),
                note=lambda reason: assembly.note(demands, reason),
            )
            found.append(sequence(draft.share(name, sequence(QUOTE, rest)), Literal(self.tags.after_value)))
        typed = self.typed(demands, hint)
        if typed is not None:
            found.append(sequence(typed, Literal(self.tags.after_value)))
        if self.python_words:
            found += [Literal(f"{word}{self.tags.after_value}") for word in self.constants(demands)]
        return factored(found)

    def is_free(self, demands: Conjunction) -> bool:
        """Whether the value may be anything, so that it does not matter what a text is taken for."""
        return demands == ANYTHING or demands not in self.assembly.explored.nonterminals

    def name(self, demands: Conjunction, kind: str, language: StringLanguage) -> str:
        """A name for a rule of strings."""
        return f"{kind}-{scalar_name(demands, 'string', language.words(32), language)}"

    @staticmethod
    def keyword(demands: Conjunction) -> str:
        written = {keyword for demand in demands for keyword in getattr(getattr(demand, "sub", None), "keywords", {})}
        return next((k for k in ("enum", "const", "pattern", "format", "maxLength", "type") if k in written), "")

    def strings(self, demands: Conjunction) -> StringLanguage:
        nonterminal = self.assembly.explored.nonterminals.get(demands)
        if nonterminal is None:
            return StringLanguage.ANY
        return reduce(StringLanguage.__or__, map(self.strings, nonterminal.options), nonterminal.strings)

    def constants(self, demands: Conjunction) -> tuple[bool | None, ...]:
        nonterminal = self.assembly.explored.nonterminals[demands]
        found = (each for option in nonterminal.options if not self.is_free(option) for each in self.constants(option))
        return (*nonterminal.constants, *found)

    def spelled(self, argument: Argument) -> Spelled:
        """Which strings are written as they stand, and which in quotes."""
        found = self._spelled.get(argument)
        if found is None:
            found = self._spelled[argument] = self._spell(argument)
        return found

    def _spell(self, argument: Argument) -> Spelled:
        strings = self.strings(argument.demands)
        wrong = [misread(domain, self.tags.words) for domain in argument.domains]
        misreads = reduce(StringLanguage.__or__, wrong)
        if strings.is_empty or misreads.is_empty:
            return Spelled(strings, StringLanguage.NONE)
        quoted = strings & misreads
        for domain, language in zip(argument.domains, wrong, strict=True):
            if domain.any_string:
                quoted = StringLanguage.NONE
            elif not domain.may_be("string"):
                quoted = quoted - language
        if not (strings & misreads).equals(quoted):
            message = "strings that another alternative of the arguments reads as a value of its own are not written"
            pointer = pointer_of(argument.demands)
            self.meaning.report.add("narrowed", self.keyword(argument.demands), pointer, message)
        return Spelled(strings - misreads, quoted)

    def typed(self, demands: Conjunction, hint: str) -> Expr | None:
        """The JSON texts of all that is no string; None when there is nothing else."""
        assembly = self.assembly
        nonterminal = assembly.explored.nonterminals[demands]
        if nonterminal.options:
            options = [option for option in nonterminal.options if assembly.productive(option)]
            found = [typed for option in options if (typed := self._typed_option(option, hint)) is not None]
            return factored(found) if found else None
        rest = replace(nonterminal, strings=StringLanguage.NONE)
        if rest == nonterminal:
            return assembly.value(demands, hint)
        if not _has_structures(assembly, rest):
            return alternation(*assembly.scalars(rest)) if rest.scalar else None
        key = ("tagged", assembly.namespace, demands)

        def make() -> Expr:
            ref = assembly.draft.place(f"{hint}-json", assembly.identity(demands), "json")
            return assembly.draft.define(ref, assembly.structured(rest, ref.name))

        return assembly.draft.once(key, make)

    def _typed_option(self, option: Conjunction, hint: str) -> Expr | None:
        if not self.is_free(option):
            return self.typed(option, hint)
        return alternation(*(Ref(name) for name in ("object", "array", "number", BOOLEAN)), Literal("null"))

    def _text(self, argument: Argument, value: Json, writer: Writer) -> str:
        """The canonical text of an argument."""
        if not isinstance(value, str):
            return writer.write(argument.demands, value)
        free = self.is_free(argument.demands)
        spelled = Spelled(StringLanguage.ANY, StringLanguage.NONE) if free else self.spelled(argument)
        if free and any(misread(domain, self.tags.words).accepts(value) for domain in argument.domains):
            return writer.write(argument.demands, value)
        if self.texts.has(spelled.raw, value):
            return value
        if spelled.quoted.accepts(value) and self.assembly.guard is not None:
            return self.assembly.guard.spell(value, spelled.quoted)
        raise ValueError(f"{json.dumps(value, ensure_ascii=False)} cannot be written between the tags of this format")


class _Writer(ObjectWriter):
    """Writes arguments as members between tags."""

    def __init__(
        self, arguments: TaggedArguments, around: Surroundings, hint: str, identity: object, notation: Notation
    ) -> None:
        super().__init__(arguments.alternatives, around, hint, identity, notation)
        self.arguments = arguments

    def content(self, index: int, name: str | None, value: Conjunction) -> Content:
        return Argument(value, self.arguments.domains(index, name, self.alternatives[index][0]))

    def value(self, content: Content, hint: str) -> Expr:
        assert isinstance(content, Argument)
        return self.arguments.value(content, hint)


class GuardedWriter(Writer):
    """Writes JSON in which nothing is found that would end it."""

    def __init__(self, assembly: Assembly, comma: str, colon: str) -> None:
        super().__init__(assembly.meaning, comma, colon)
        self.assembly = assembly

    def write(self, conjunction: Conjunction | None, value: Json) -> str:
        guard = self.assembly.guard
        if not isinstance(value, str) or guard is None:
            return super().write(conjunction, value)
        nonterminal = self.assembly.explored.nonterminals.get(conjunction or ())
        return guard.spell(value, StringLanguage.ANY if nonterminal is None else nonterminal.strings)

    def member(self, name: str, text: str) -> str:
        guard = self.assembly.guard
        written = json.dumps(name, ensure_ascii=False)
        return f"{written if guard is None else guard.spelled(written)}{self.colon}{text}"

    def spelled(self, value: Json) -> str:
        guard = self.assembly.guard
        return super().spelled(value) if guard is None else guard.spelled(super().spelled(value))


def _walked(alternative: Alternative) -> tuple[ObjectShape, Walk]:
    assert isinstance(alternative.shape, ObjectShape)
    assert alternative.walk is not None
    return alternative.shape, alternative.walk


def _has_structures(assembly: Assembly, nonterminal: Nonterminal) -> bool:
    alternatives = (*nonterminal.objects, *nonterminal.arrays)
    return any(satisfiable(alternative, assembly.explored.productive) for alternative in alternatives)


def _undeclared(shape: ObjectShape) -> str:
    """A name that the shape does not declare."""
    declared = {member.name for member in shape.members}
    for part in shape.parts:
        if isinstance(part.names, StringLanguage) and (name := part.names.example()) is not None:
            return name
    name = "x"
    while name in declared:
        name += "x"
    return name


def _found(pattern: str) -> StringLanguage:
    return StringLanguage.of_pattern(parse(pattern))


def _silent(reason: str) -> None:
    """What is written without brackets or blanks is documented, and not told each time."""

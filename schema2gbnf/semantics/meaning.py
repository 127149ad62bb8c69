"""The meaning of a schema's subschemas, asked for piece by piece and remembered.

`Meaning` joins the documents with the caller's choices and the report. It unfolds demands to formulas, reads patterns
and formats as languages, and answers the questions of the later stages: `strings`, `numbers`, `constants` and `shapes`
of a conjunction. What no language expresses is loosened here, and reported.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, cast

from schema2gbnf.errors import InvalidSchemaError, UnresolvedReferenceError, UnsupportedSchemaError
from schema2gbnf.findings import Finding, Kind
from schema2gbnf.languages import decimals, ecma
from schema2gbnf.languages.charset import ANY, LINE_TERMINATOR
from schema2gbnf.languages.dfa import StateLimitError
from schema2gbnf.languages.formats import Format, format_named, part_names
from schema2gbnf.languages.regex import Chars, Choice, Concat, Look, Regex, Repeat
from schema2gbnf.languages.strings import StringLanguage
from schema2gbnf.options import Options
from schema2gbnf.schema.documents import Documents
from schema2gbnf.schema.keywords import check
from schema2gbnf.schema.source import load
from schema2gbnf.schema.subschema import Scope, Subschema
from schema2gbnf.schema.text import Json
from schema2gbnf.semantics.formula import (
    FALSE,
    JSON_TYPES,
    TRUE,
    All,
    AnyOf,
    Ask,
    Conjunction,
    Demand,
    Either,
    ExactlyOne,
    Fact,
    Formula,
    Frozen,
    JsonType,
    NumberIn,
    Obeys,
    StringIn,
    TypeIs,
    Unevaluated,
    Unknowable,
    ValueIn,
    json_type,
    negated,
    pointer_of,
)
from schema2gbnf.semantics.keywords import VOCABULARIES, local_formula, meant
from schema2gbnf.semantics.plain import Plain, Reading
from schema2gbnf.semantics.shapes import Break, Shape

if TYPE_CHECKING:
    from schema2gbnf.semantics.branches import Branch


LARGE, LARGEST = 2_000, 100_000
"""Products of automata that are counted, and the most that one of them counts for."""

Splits = tuple[tuple[Conjunction, frozenset[int]], ...]
"""Ways to meet a conjunction, each with the obligations that stay open."""


class UnknownError(Exception):
    """A question asked on the way has no cheap answer."""


@dataclass
class Report:
    """Findings in the order they were made, each once; strict mode turns a loosening into an error.

    While a question is being asked (`asking`), nothing is loosened: what would have to be makes the answer unknown.
    """

    strict: bool
    asking: int = 0
    findings: dict[Finding, None] = field(default_factory=dict)
    places: set[str] = field(default_factory=set)
    """The pointers of all findings."""

    def add(self, kind: Kind, keyword: str, pointer: str, message: str) -> None:
        self.findings[Finding(kind, keyword, pointer, message)] = None
        self.places.add(pointer)

    def tells_of(self, sub: Subschema) -> bool:
        """Whether some finding is about this subschema."""
        return sub.pointer in self.places

    def loosen(self, keyword: str, pointer: str, message: str) -> None:
        if self.asking:
            raise UnknownError
        if self.strict:
            raise UnsupportedSchemaError(pointer, keyword, message)
        self.add("loosened", keyword, pointer, message)


class Meaning:
    """Subschemas read as formulas and languages, each once."""

    def __init__(self, documents: Documents, options: Options, report: Report) -> None:
        self.documents = documents
        self.options = options
        self.report = report
        self._formulas: dict[Demand, Formula] = {}
        self._types: dict[Conjunction, frozenset[JsonType]] = {}
        self._patterns: dict[str, tuple[StringLanguage | str, bool]] = {}
        self.plain = Plain(options)
        self._checked: set[Subschema] = set()
        self._evaluated: dict[JsonType, dict[Demand, object]] = {kind: {} for kind in JSON_TYPES}
        self.shapes: dict[tuple[Conjunction, JsonType], tuple[Shape, ...]] = {}
        self.void: set[Conjunction] = set()
        self.inconclusive: set[tuple[Conjunction, int, int]] = set()
        self.overlaps: dict[tuple[Demand, Demand, JsonType], bool] = {}
        self.tags: dict[Demand, dict[str, frozenset[Frozen]]] = {}
        self.tracked: dict[tuple[Subschema, Scope, JsonType], tuple[Branch, ...]] = {}
        self.any_order_states = 0
        self.comparing: set[tuple[Demand, Demand, JsonType]] = set()
        self.splits: dict[tuple[Conjunction, tuple[Break, ...], frozenset[int]], Splits] = {}
        self.spent = 0
        self.targets: set[Subschema] = set()
        """What some reference that was followed refers to."""

    @staticmethod
    def of(schema: object, options: Options) -> Meaning:
        """The meaning of a schema in any form that `source.load` takes."""
        limits = options.limits
        source = load(schema, max_depth=limits.depth, max_bytes=limits.bytes)
        documents = Documents(
            source.value,
            default_dialect=options.default_dialect,
            documents=options.documents,
            base=source.base,
            base_uri=source.base_uri,
            allow_fetch=options.allow_fetch,
            nullable=options.nullable,
            max_depth=limits.depth,
            max_bytes=limits.bytes,
        )
        return Meaning(documents, options, Report(options.strict))

    @property
    def root(self) -> Obeys:
        """That the root of the schema holds."""
        root = self.documents.root
        return Obeys(root, self.documents.enter((), root))

    def findings(self) -> tuple[Finding, ...]:
        """All that is to be told so far; in strict mode, what could not be read is an error."""
        unread = next((finding for finding in self.documents.findings if finding.kind == "loosened"), None)
        if self.options.strict and unread is not None:
            raise UnsupportedSchemaError(unread.pointer, unread.keyword, unread.message)
        return (*self.documents.findings, *self.report.findings)

    # -- reading -----------------------------------------------------------------------------------------------------

    def check(self, sub: Subschema) -> None:
        """Refuse a keyword whose value its dialect forbids; suspect a typo in one that no dialect knows."""
        if sub in self._checked:
            return
        self._checked.add(sub)
        check(sub)
        vocabulary = VOCABULARIES[sub.dialect.name]
        for keyword in cast("dict[str, Json]", sub.value):
            if keyword in sub.dialect.left_out and keyword in vocabulary:
                message = "the metaschema of this dialect leaves its vocabulary out, so that it says nothing"
                self.report.add("ignored", keyword, sub.pointer, message)
            if (near := meant(keyword, sub.dialect.name)) is not None:
                message = f"no keyword of this dialect; did you mean {near!r}?"
                self.report.add("ignored", keyword, sub.pointer, message)

    def formula(self, demand: Demand) -> Formula:
        """What meeting the demand comes to, one step unfolded."""
        found = self._formulas.get(demand)
        if found is None:
            found = self._formulas[demand] = self._unfold(demand)
        return found

    def _unfold(self, demand: Demand) -> Formula:
        if not demand.wanted:
            return negated(self.formula(~demand))
        if isinstance(demand, Either):
            return AnyOf(tuple(Ask(option) for option in demand.options), "any")
        formula = local_formula(self, demand.sub, demand.scope)
        if (
            isinstance(demand.sub.value, dict)
            and demand.sub.dialect.unevaluated
            and self._shows_unevaluated(demand.sub)
        ):
            return Unevaluated(demand)
        return formula

    @staticmethod
    def _shows_unevaluated(sub: Subschema) -> bool:
        return "unevaluatedProperties" in sub or "unevaluatedItems" in sub

    def reading(self, demand: Demand) -> Reading:
        """What is plain about a demand. Then it holds of some values and not of others, and comes to no other."""
        return self.plain.of(demand.sub) if isinstance(demand, Obeys) and demand.wanted else None

    def target(self, sub: Subschema, scope: Scope, keyword: str) -> Obeys:
        """The demand that a reference stands for."""
        if keyword == "$ref":
            found = self.documents.reference(sub)
        else:
            found = self.documents.dynamic_reference(sub, scope)
        self.targets.add(found)
        return Obeys(found, self.documents.enter(scope, found))

    def nullable(self, sub: Subschema) -> bool:
        """Whether `nullable` counts in this subschema; a note where it does not."""
        wanted = self.options.nullable
        if wanted or (wanted is None and sub.dialect.nullable):
            return True
        self.report.add("note", "nullable", sub.pointer, "says nothing in this dialect; write a type list with 'null'")
        return False

    # -- conjunctions ------------------------------------------------------------------------------------------------

    def conjunction(self, demands: Iterable[Demand]) -> Conjunction | None:
        """The demands without repetition and without those that hold of every value; None when one holds of none.

        A demand that comes to nothing but other demands on the same value, by reference or `allOf`, is these.
        """
        kept: dict[Demand, None] = {}
        met: set[Demand] = set()
        todo: list[tuple[Demand, tuple[Demand, ...]]] = []
        todo.extend((demand, ()) for demand in list(demands)[::-1])
        while todo:
            written, outer = todo.pop()
            demand = self.resolved(written)
            if outer and ~demand in outer:
                raise own_negation(demand)
            if demand in met:
                continue
            if met and ~demand in met:
                return None
            met.add(demand)
            if self.reading(demand) is not None:
                kept[demand] = None
                continue
            formula = self.formula(demand)
            if formula == FALSE:
                return None
            parts = formula.parts if isinstance(formula, All) else (formula,)
            inner = [part.demand for part in parts if isinstance(part, Ask)]
            if len(inner) == len(parts):
                todo.extend((each, (*outer, demand)) for each in reversed(inner))
            else:
                kept[demand] = None
        return tuple(kept)

    def types(self, conjunction: Conjunction) -> frozenset[JsonType]:
        """The types that the demands leave by what they say themselves of it, no branch looked into."""
        found = self._types.get(conjunction)
        if found is None:
            found = _EVERY_TYPE
            for demand in conjunction:
                formula = self.formula(demand)
                for part in formula.parts if isinstance(formula, All) else (formula,):
                    if isinstance(part, Fact) and isinstance(part.assertion, TypeIs | ValueIn):
                        found &= _types_of(part)
            self._types[conjunction] = found
        return found

    def resolved(self, demand: Demand) -> Demand:
        """The demand behind references that stand alone. Raises `UnresolvedReferenceError` when they form a circle."""
        seen: dict[Demand, None] = {}
        while isinstance(demand, Obeys) and "$ref" in demand.sub.keywords and self._stands_alone(demand.sub):
            if demand in seen:
                message = "these references lead only to each other: " + " → ".join(
                    each.sub.pointer for each in (*seen, demand) if isinstance(each, Obeys)
                )
                raise UnresolvedReferenceError(demand.sub.pointer, "$ref", message)
            seen[demand] = None
            self.check(demand.sub)
            target = self.target(demand.sub, demand.scope, "$ref")
            demand = target if demand.wanted else ~target
        return demand

    def facts(self, conjunction: Conjunction) -> Iterator[Fact]:
        """All that the demands say of the value itself, in whatever branch."""
        todo: list[Formula] = [Ask(demand) for demand in reversed(conjunction)]
        met: set[Demand] = set()
        while todo:
            match todo.pop():
                case Fact() as fact:
                    yield fact
                case All(parts) | AnyOf(parts) | ExactlyOne(parts):
                    todo.extend(reversed(parts))
                case Ask(demand) if demand not in met:
                    met.add(demand)
                    todo.append(self.formula(demand))
                case _:
                    pass

    def evaluated(self, kind: JsonType) -> dict[Demand, object]:
        """Languages of demands that have been evaluated for a scalar type."""
        return self._evaluated[kind]

    def _stands_alone(self, sub: Subschema) -> bool:
        """Whether nothing beside its `$ref` says anything about instances."""
        vocabulary = VOCABULARIES[sub.dialect.name]
        alone = len(sub.keywords) == 1 or [keyword for keyword in sub.keywords if keyword in vocabulary] == ["$ref"]
        return alone and not (sub.dialect.unevaluated and self._shows_unevaluated(sub))

    # -- languages ---------------------------------------------------------------------------------------------------

    def pattern(self, source: str, keyword: str, pointer: str) -> StringLanguage | str:
        """The strings in which the pattern is found, or the reason why no language here holds them."""
        if source not in self._patterns:
            self._patterns[source] = self._read_pattern(source, keyword, pointer)
        found, is_annex_b = self._patterns[source]
        if is_annex_b:
            message = f"{source!r} is read by the rules for web browsers (Annex B); with the flag 'u' it is an error"
            self.report.add("note", keyword, pointer, message)
        return found

    def _read_pattern(self, source: str, keyword: str, pointer: str) -> tuple[StringLanguage | str, bool]:
        """The same, and whether the pattern is read by Annex B."""
        try:
            pattern = ecma.parse(source)
        except ecma.PatternError as error:
            if error.unsupported:
                return str(error), False
            raise InvalidSchemaError(pointer, keyword, str(error)) from None
        if self.options.dotall:
            pattern = ecma.Pattern(_dot_all(pattern.tree), pattern.annex_b, pattern.source)
        try:
            return StringLanguage.of_pattern(pattern, self.options.limits.automaton_states), pattern.annex_b
        except StateLimitError as error:
            return f"the automaton of {source!r} needs {error}", pattern.annex_b

    def format(self, name: str, sub: Subschema) -> Formula:
        """What a `format` says: a language, or nothing."""
        if self.options.formats == "annotate" and not sub.dialect.asserts_formats:
            return TRUE
        found = format_named(name, sub.dialect.name)
        if found is None and sub.dialect.asserts_formats:
            return Fact(Unknowable("string", "format", sub.pointer, f"{name!r} is no known format"))
        if found is None:
            self.report.add("ignored", "format", sub.pointer, f"{name!r} is no known format; it restricts nothing")
            return TRUE
        if found.kind == "number":
            if found.bounds is None:
                return TRUE
            low, high = found.bounds
            bounds = decimals.at_least(low, False) & decimals.at_most(high, False)
            return Fact(NumberIn(bounds, "format", sub.pointer))
        return TRUE if found.body is None else self.texts(found, "format", sub)

    def texts(self, found: Format, keyword: str, sub: Subschema) -> Formula:
        """That a string is a text of the format."""
        language = StringLanguage.of_dfa(found.dfa, found.tree, part_names(found))
        return Fact(StringIn(language, keyword, sub.pointer, None if found.exact else found))

    def names_language(self, demand: Demand) -> StringLanguage:
        """The member names that meet a demand."""
        from schema2gbnf.semantics.scalars import strings

        return strings(self, (demand,))

    def structure(self, value: Frozen, near: Subschema) -> Obeys:
        """That a value equals this object or array, spelled as a schema."""
        spelled: dict[str, Json]
        if isinstance(value.value, dict):
            spelled = {
                "type": "object",
                "properties": {name: {"const": member} for name, member in value.value.items()},
                "required": list(value.value),
                "additionalProperties": False,
            }
        else:
            items = cast("list[Json]", value.value)
            prefix: list[Json] = [{"const": item} for item in items]
            spelled = {"type": "array", "minItems": len(items), "maxItems": len(items)}
            if prefix:
                spelled["prefixItems"] = prefix
        return Obeys(self.documents.synthetic(spelled, near))

    def spend(self, states: int) -> None:
        """Count what an operation on two large automata may build; past the budget, a `StateLimitError`."""
        if states > LARGE:
            self.spent += min(states, LARGEST)
            if self.spent > self.options.limits.work:
                raise StateLimitError(self.options.limits.work)

    def loosen(self, fact: Unknowable) -> None:
        self.report.loosen(fact.keyword, fact.pointer, fact.reason)


_EVERY_TYPE: frozenset[JsonType] = frozenset(JSON_TYPES)


def _types_of(fact: Fact) -> frozenset[JsonType]:
    """The types of the values of which a fact about types or values may hold."""
    match fact:
        case Fact(TypeIs(types), True):
            return frozenset(kind for kind in JSON_TYPES if kind in types or (kind == "number" and "integer" in types))
        case Fact(TypeIs(types), False):
            return frozenset(kind for kind in JSON_TYPES if kind not in types)
        case Fact(ValueIn(values), True):
            return frozenset(json_type(value.value) for value in values)
        case _:
            return _EVERY_TYPE


def own_negation(demand: Demand) -> InvalidSchemaError:
    """The error of a demand that comes, by references and applicators alone, to its own negation."""
    return InvalidSchemaError(pointer_of((demand,)), "not", "the subschema is defined as its own negation")


def _dot_all(tree: Regex) -> Regex:
    """The tree with every dot, and every set that is a dot's, matching all characters."""
    match tree:
        case Chars(chars):
            return Chars(ANY) if chars == ~LINE_TERMINATOR else tree
        case Concat(parts):
            return Concat(tuple(map(_dot_all, parts)))
        case Choice(options):
            return Choice(tuple(map(_dot_all, options)))
        case Repeat(item, low, high):
            return Repeat(_dot_all(item), low, high)
        case Look(behind, is_negated, item):
            return Look(behind, is_negated, _dot_all(item))
        case _:
            return tree

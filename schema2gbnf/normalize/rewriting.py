"""Schemas rewritten for a back end: what a value must meet goes in as subschemas, one schema that says it comes out.

`Rewriter.schema` answers with a schema, or with None when no value can meet them all; the caller then drops the place
where that stood. A reference stays one where it can. All tasks run on `tasks.run`, so no depth is too deep; `Grown`
ends an attempt in which merging has multiplied the schema, and the next one merges nothing.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

from schema2gbnf.normalize.definitions import Definition, Key, Ledger, plain_tokens
from schema2gbnf.normalize.disjoint import Knowledge
from schema2gbnf.normalize.events import Severity
from schema2gbnf.normalize.gathering import Gathered, Gatherer, Link
from schema2gbnf.normalize.intersection import Conjunction
from schema2gbnf.normalize.keywords import Keywords
from schema2gbnf.normalize.options import Options
from schema2gbnf.normalize.reading import Reader, path_of
from schema2gbnf.normalize.references import References, encloses, is_definition
from schema2gbnf.normalize.report import Report
from schema2gbnf.normalize.targets import Target
from schema2gbnf.normalize.tasks import Task
from schema2gbnf.normalize.unions import Unions
from schema2gbnf.normalize.unmerged import Unmerged
from schema2gbnf.normalize.values import size
from schema2gbnf.normalize.verbatim import Copyist
from schema2gbnf.schema.documents import Documents
from schema2gbnf.schema.subschema import Subschema
from schema2gbnf.schema.text import Json

Schema = dict[str, Json]


class GrownError(Exception):
    """Merging has multiplied the schema beyond the limit."""


@dataclass(slots=True)
class Lessons:
    """What one attempt at a schema has found out for the next."""

    hoisted: set[Subschema] = field(default_factory=set)
    """Subschemas that become definitions, as references to their places would not be read or would not hold."""
    void: set[Key] = field(default_factory=set)
    """Definitions that allow nothing."""
    inexact: set[Subschema] = field(default_factory=set)
    """Subschemas with a `oneOf` whose branches refer to what is loosened, so that they may come to overlap."""
    frugal: bool = False
    """Nothing is merged or distributed any more."""
    again: bool = False
    """Another attempt is needed."""


class Rewriter:
    """One attempt at one schema."""

    def __init__(self, documents: Documents, target: Target, options: Options, lessons: Lessons) -> None:
        self.documents = documents
        self.target = target
        self.options = options
        self.lessons = lessons
        self.report = Report()
        self.reader = Reader(documents)
        self.references = References(documents, self.reader, options.repair_zod)
        self.gatherer = Gatherer(self.references, self.report)
        self.knowledge = Knowledge(self.reader, self.references)
        self.ledger = Ledger(lessons.void)
        self.copyist = Copyist(self.reader, self.references, self.ledger)
        self.unions = Unions(self)
        self.keywords = Keywords(self)
        self.unmerged = Unmerged(self)
        self.cycles = 0
        self.written: dict[Subschema, list[Schema]] = {}
        """What has become of single subschemas, each time they were written."""
        self.exclusive: list[tuple[Subschema, Schema]] = []
        """The subschemas whose `oneOf` stays one, and what has become of them."""
        self.inline_root = False
        self._bodies = 0
        self._in_progress: set[Conjunction] = set()

    @cached_property
    def _budget(self) -> int:
        """How many schemas may be written: as many as there are, and what merging may add."""
        return size(self.documents.root.value) + self.options.limits.growth

    def tell(
        self, at: Subschema, kind: str, severity: Severity, detail: str, before: Json = None, after: Json = None
    ) -> None:
        """Report an event at a subschema."""
        self.report.add(kind, severity, path_of(at), detail, before, after)

    # -- schemas -------------------------------------------------------------------------------------------------------

    def schema(self, conjunction: Conjunction) -> Task[Schema | None]:
        """A schema of the values that meet all the subschemas."""
        if len(conjunction) == 1 and conjunction[0] in self.lessons.hoisted:
            return (yield from self.defined(conjunction[0]))
        if conjunction in self._in_progress:
            self.cycles += 1
            return self.ledger.reference(self.ledger.open(conjunction))
        self._in_progress.add(conjunction)
        made = yield from self.body([Link(sub) for sub in conjunction])
        self._in_progress.discard(conjunction)
        definition = self.ledger.definitions.get((conjunction, False))
        if definition is None or definition.begun:
            return made
        # On the way it came back to the same conjunction, so that this has to have a name.
        definition.begun = True
        self.ledger.finish(definition, made)
        return None if made is None else self.ledger.reference(definition)

    def body(self, links: list[Link]) -> Task[Schema | None]:
        """A schema of the values that meet what is linked to, itself no reference to a definition of just that."""
        self._bodies += 1
        if self._bodies > self.options.limits.growth and not self.lessons.frugal and self._bodies > self._budget:
            raise GrownError
        if self.lessons.frugal:
            made = yield from self.unmerged.schema(links[0])
        else:
            gathered = self.gatherer.gather(links)
            made = None if gathered is None else (yield from self.shape(gathered))
        if made is not None and len(links) == 1:
            self.written.setdefault(links[0].sub, []).append(made)
        return made

    def shape(self, gathered: Gathered) -> Task[Schema | None]:
        """A schema of what was gathered: a reference, a union, or plain keywords."""
        if (target := gathered.sole_reference) is not None:
            return self.referring(gathered, target)
        if gathered.unions:
            return self.unions.schema(gathered)
        return self.keywords.schema(gathered)

    # -- references ----------------------------------------------------------------------------------------------------

    def referring(self, gathered: Gathered, target: Subschema) -> Task[Schema | None]:
        """A reference, with the annotations around it; or what it refers to, where it cannot stay."""
        holder = gathered.references[0][0]
        if self._must_inline(holder, target):
            inlined = self.gatherer.gather((), gathered, follow=True)
            made: Schema | None = None if inlined is None else (yield self.shape(inlined))
            return made
        reference = yield from self.reference(holder.sub, target)
        if reference is None:
            return None
        annotated = self.keywords.in_order(gathered, {"$ref": reference["$ref"]})
        self.ledger.instead(reference, annotated)
        return annotated

    def _must_inline(self, holder: Link, target: Subschema) -> bool:
        """Whether a reference may not stay: it is unwanted, or would make a grammar that begins with itself."""
        if self.options.inline_refs and target not in self.references.recursive:
            return True
        above = holder
        while above.parent is not None:
            above = above.parent
            if above.sub in self.references.within(target):
                return True
        return self.inline_root and not above.sub.tokens

    def reference(self, at: Subschema, target: Subschema) -> Task[Schema | None]:
        """A reference to a target: to its definition, to its place if that is read and stays, else to a new definition.

        None when the target allows nothing.
        """
        own = target.resource.document is self.documents.root.resource.document
        form = "enclosing" if encloses(target, at) else "other"
        defined = own and is_definition(target) and "definitions" in self.target.references
        hoisted = defined or not own or not target.tokens or target in self.lessons.hoisted
        if not hoisted and plain_tokens(target) and form in self.target.references:
            self.cycles += form == "enclosing"
            return self.ledger.pointer(target)
        if not hoisted:
            self.lessons.hoisted.add(target)
            self.lessons.again = True
        return (yield from self.defined(target, at))

    def defined(self, target: Subschema, at: Subschema | None = None) -> Task[Schema | None]:
        """A reference to the definition of a subschema, which is written if it is not yet."""
        definition = self.ledger.open((target,))
        made = self.ledger.reference(definition, at)
        if not definition.begun:
            yield from self._define(definition)
        elif not definition.done:
            self.cycles += 1
        return None if definition.void else made

    def _define(self, definition: Definition) -> Task[None]:
        definition.begun = True
        outer, self.report.events = self.report.events, definition.events
        inline_root, self.inline_root = self.inline_root, False
        in_progress, self._in_progress = self._in_progress, set()
        schema: Schema | None = yield self.body([Link(definition.origin)])
        self.inline_root, self._in_progress = inline_root, in_progress
        self.report.events = outer
        self.ledger.finish(definition, schema)

"""One schema normalized: attempts until nothing more is learnt, then definitions named, references filled in.

Comes in: a schema as JSON, a target, options. Goes out: a `Normalized` schema with its events. An error (not a schema,
a schema that allows nothing, sizes over the limits) leaves the schema as it was. The input is never changed, and the
same input gives the same output.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from schema2gbnf.errors import SchemaError, UnsupportedSchemaError
from schema2gbnf.garbage import no_collection
from schema2gbnf.normalize.aliases import renamed_types
from schema2gbnf.normalize.definitions import (
    RESERVED,
    Definition,
    Ledger,
    Names,
    Reference,
    container_of,
    dicts,
    in_document_order,
    rule_name,
    wanted_name,
)
from schema2gbnf.normalize.events import EXACT_SEVERITIES, Event, counters
from schema2gbnf.normalize.gathering import Link
from schema2gbnf.normalize.options import Options
from schema2gbnf.normalize.reading import DEFINITIONS, path_of
from schema2gbnf.normalize.references import is_definition
from schema2gbnf.normalize.rewriting import GrownError, Lessons, Rewriter
from schema2gbnf.normalize.targets import Target
from schema2gbnf.normalize.tasks import Task, run
from schema2gbnf.normalize.values import same_content
from schema2gbnf.schema.dialects import DIALECTS
from schema2gbnf.schema.documents import Documents
from schema2gbnf.schema.places import subschemas_of
from schema2gbnf.schema.pointers import escaped
from schema2gbnf.schema.subschema import Subschema
from schema2gbnf.schema.text import Json, check_value, copied

Schema = dict[str, Json]

ATTEMPTS = 40
"""How often a schema is rewritten anew for what the last attempt found out."""
Shared = dict[str, tuple[Ledger, Definition]]
"""What the rules of a request mean, by their names."""
MODERN = DIALECTS["draft2020-12"]


@dataclass(frozen=True, slots=True)
class Normalized:
    """A schema for a back end, and what has become of the one that was given."""

    schema: Json
    events: tuple[Event, ...]
    counters: dict[str, int]
    modified: bool
    """The schema is another than was given."""

    @property
    def loosened(self) -> bool:
        """Whether values are valid now that were not."""
        return any(event.severity == "loosened" for event in self.events)

    @property
    def failed(self) -> bool:
        """Whether the schema was left as it was."""
        return any(event.severity == "error" for event in self.events)


def normalized(schema: Json, target: Target, options: Options, shared: Shared | None = None) -> Normalized:
    """Normalize a schema; `shared` are the rules that other schemas of the same request have named already."""
    try:
        with no_collection():
            check_value(schema, max_depth=options.limits.depth, max_nodes=options.limits.nodes)
            found = _Normalization(schema, target, options, {} if shared is None else shared).result()
            return _settled(found, target, options) if found.modified else found
    except UnsupportedSchemaError as error:
        return _failed(schema, "limit-exceeded", error)
    except SchemaError as error:
        return _failed(schema, "invalid-schema", error)


def _settled(found: Normalized, target: Target, options: Options) -> Normalized:
    """The schema rewritten until it stays as it is: what one rewriting has made plain may let another go further."""
    schema, events = found.schema, list(found.events)
    for _ in range(ATTEMPTS):
        again = _Normalization(schema, target, options, {}).result()
        if not again.modified:
            break
        schema = again.schema
        events += [event for event in again.events if event.severity not in EXACT_SEVERITIES]
    return replace(found, schema=schema, events=tuple(_once(events)))


def _failed(schema: Json, kind: str, error: SchemaError) -> Normalized:
    path = error.pointer.removeprefix("#") + (f"/{error.keyword}" if error.keyword else "")
    return _unchanged(schema, Event(kind, "error", path, error.message))


def _unchanged(schema: Json, event: Event) -> Normalized:
    kept = schema
    if event.kind == "unsatisfiable":
        kept = copied(schema)
    return Normalized(kept, (event,), counters((event,), 0), False)


class _Normalization:
    """A schema on its way."""

    def __init__(self, schema: Json, target: Target, options: Options, shared: Shared) -> None:
        self.given = schema
        self.target = target
        self.options = options
        self.shared = shared
        self.events: list[Event] = []
        if options.type_aliases:
            schema, self.events = renamed_types(schema)
        self.documents = Documents(
            schema,
            default_dialect=assumed_dialect(schema),
            documents=options.documents,
            nullable=options.nullable or None,
            max_depth=options.limits.depth,
            max_path=options.limits.path,
        )

    def result(self) -> Normalized:
        lessons = Lessons()
        for _ in range(ATTEMPTS):
            rewriter = Rewriter(self.documents, self.target, self.options, lessons)
            try:
                made = run(self._root(rewriter))
            except GrownError:
                lessons.frugal = True
                continue
            if made is None:
                return _unchanged(self.given, Event("unsatisfiable", "error", "", "no value is valid", self.given))
            if not rewriter.ledger.too_late:
                whole = self._whole(rewriter, made)
                self._moved_targets(rewriter, whole, lessons)
                self._inexact_unions(rewriter, lessons)
                if not lessons.again:
                    return self._told(rewriter, whole)
            lessons.again = False
        raise UnsupportedSchemaError("#", "$ref", f"references are not settled after {ATTEMPTS} attempts")

    # -- the root ------------------------------------------------------------------------------------------------------

    def _root(self, rewriter: Rewriter) -> Task[Schema | None]:
        """The rewritten root; that of a tool's arguments is an object."""
        root = self.documents.root
        links = [Link(root)]
        typed = rewriter.reader.read(root).keywords.get("type") == "object"
        if self.options.arguments:
            rewriter.inline_root = True
            if not typed:
                links.append(Link(self.documents.synthetic({"type": "object"}, root)))
        made: Schema | None = yield rewriter.body(links)
        if made is None or not self.options.arguments:
            return made
        if "$ref" not in made:
            made = made if "type" in made else {"type": "object", **made}
        if not typed:
            self._tell_root(rewriter, made)
        if not self.target.root_unions and ("anyOf" in made or "oneOf" in made):
            detail = "back ends that read only the properties of the root see a tool without arguments"
            rewriter.tell(root, "root-union", "unenforced", detail)
        return made

    def _tell_root(self, rewriter: Rewriter, made: Schema) -> None:
        """Report how the root of a tool has become an object; one without a word on arguments has none."""
        root, events = self.documents.root, rewriter.report.events
        if not rewriter.reader.read(root).constraints:
            made["properties"] = {}
        inlined = [event for event in events if event.kind == "ref-inlined" and not event.path]
        for event in inlined:
            events[events.index(event)] = replace(event, kind="root-ref-inlined")
        if not inlined:
            rewriter.tell(root, "root-typed", "lossless", "the arguments of a tool are an object")

    def _moved_targets(self, rewriter: Rewriter, whole: Schema, lessons: Lessons) -> None:
        """Learn which references, left to point at places, would miss them, or be taken for each other."""
        names: dict[str, Subschema] = {}
        for node in dicts(whole) if rewriter.ledger.pointers else ():
            entry = rewriter.ledger.pointers.get(id(node))
            if entry is None:
                continue
            target = entry[1]
            found = at_tokens(whole, target.tokens)
            name = rule_name(target.pointer, self.target.rule_names)
            clash = names.setdefault(name, target) is not target
            if clash or not any(found is written for written in rewriter.written.get(target, ())):
                lessons.hoisted.add(target)
                lessons.again = True

    def _inexact_unions(self, rewriter: Rewriter, lessons: Lessons) -> None:
        """Learn which `oneOf` refers to what has been loosened."""
        for owner, schema in rewriter.exclusive:
            if owner not in lessons.inexact and not rewriter.ledger.exact(schema):
                lessons.inexact.add(owner)
                lessons.again = True

    # -- the whole -----------------------------------------------------------------------------------------------------

    def _whole(self, rewriter: Rewriter, made: Schema) -> Schema:
        """The root with the definitions that it needs, all references filled in."""
        used, references = rewriter.ledger.used(made)
        self.used = used
        groups = self._named(rewriter.ledger, used, references, self._reserved(made))
        given = self.given if isinstance(self.given, dict) else {}
        whole: Schema = {}
        for keyword, value in given.items():
            if keyword == "$schema":
                whole[keyword] = MODERN.uri if self._modernized(rewriter) else value
            elif keyword in ("$id", "id", "$vocabulary") and isinstance(value, str | dict):
                whole["$id" if keyword == "id" and self._modernized(rewriter) else keyword] = copied(value)
            elif keyword in DEFINITIONS and keyword in groups:
                whole[keyword] = groups[keyword]
            elif keyword in made:
                whole[keyword] = made[keyword]
        whole.update((keyword, value) for keyword, value in made.items() if keyword not in whole)
        whole.update((keyword, value) for keyword, value in groups.items() if keyword not in whole)
        return whole

    def _modernized(self, rewriter: Rewriter) -> bool:
        """Whether something is spelled now as the dialect of the root would not have it."""
        return rewriter.reader.modernized

    def _named(
        self, ledger: Ledger, used: list[Definition], references: list[Reference], reserved: set[str]
    ) -> dict[str, Schema]:
        """Name the definitions and fill in the references to them: the definitions by keyword."""
        names: dict[str, Names] = {}
        called: dict[int, tuple[str, str]] = {}
        groups: dict[str, Schema] = {}
        self.renamed: list[Event] = []
        for definition in in_document_order(used, self.given):
            container = container_of(definition)
            space = "" if self.target.rule_names == "last" else container
            if space not in names:
                names[space] = Names(self.target.rule_names, set(reserved))
            name = self._name(ledger, definition, names[space], space)
            called[id(definition)] = (container, name)
            groups.setdefault(container, {})[name] = definition.schema
            self._tell_name(definition, container, name)
        for each in references:
            container, name = called[id(each.definition)]
            each.schema["$ref"] = f"#/{container}/{name}"
            self._tell_reference(each, name)
        return groups

    def _name(self, ledger: Ledger, definition: Definition, names: Names, space: str) -> str:
        """A name that no other definition has, in this schema or in one that was named before and means another."""
        while True:
            name = names.claim(wanted_name(definition))
            rule = f"{space}/{rule_name(name, self.target.rule_names)}"
            if self.target.rule_names == "none":
                return name
            others, other = self.shared.setdefault(rule, (ledger, definition))
            if other is definition or others.meaning(other) == ledger.meaning(definition):
                return name

    def _reserved(self, made: Schema) -> set[str]:
        """Names of rules that are taken: where one word names a definition, those of the root's properties too."""
        if self.target.rule_names != "last":
            return set()
        declared = (root.get("properties") for root in (self.given, made) if isinstance(root, dict))
        words = [name for each in declared if isinstance(each, dict) for name in each]
        return {rule_name(word, "last") for word in (*words, *RESERVED)}

    def _tell_name(self, definition: Definition, container: str, name: str) -> None:
        origin = definition.origin
        path = path_of(origin)
        if definition.in_place:
            if origin.tokens[-1] != name:
                detail = f"called {name!r}, a name that pointers and rules can have"
                self.renamed.append(Event("def-renamed", "lossless", path, detail, origin.tokens[-1], name))
        else:
            detail = f"defined as '#/{container}/{name}'"
            self.renamed.append(Event("def-hoisted", "lossless", path, detail, None, name))

    def _tell_reference(self, reference: Reference, name: str) -> None:
        """Report a reference that is spelled anew although what it leads to keeps its name."""
        if reference.at is None or not is_definition(reference.definition.origin):
            return
        written, pointer = reference.at.get("$ref"), reference.schema["$ref"]
        if written != pointer and reference.definition.origin.tokens[-1] == name:
            detail = "spelled as a plain pointer"
            event = Event("ref-rewritten", "lossless", path_of(reference.at), detail, written, pointer)
            self.renamed.append(event)

    # -- the report ----------------------------------------------------------------------------------------------------

    def _told(self, rewriter: Rewriter, whole: Schema) -> Normalized:
        events = [*self.events, *rewriter.report.events]
        for definition in self.used:
            events += definition.events
        events += self.renamed
        events += self._unused(rewriter)
        once = tuple(_once(events))
        modified = not same_content(whole, self.given)
        return Normalized(whole, once, counters(once, rewriter.cycles), modified)

    def _unused(self, rewriter: Rewriter) -> Iterable[Event]:
        """Definitions that are dropped, as nothing ever referred to them."""
        for keyword in DEFINITIONS:
            group = self.given.get(keyword) if isinstance(self.given, dict) else None
            for name in group if isinstance(group, dict) else ():
                if (keyword, name) not in rewriter.references.targets:
                    path = f"/{keyword}/{escaped(name)}"
                    yield Event("unused-def-dropped", "lossless", path, "nothing refers to it")


def _once(events: Iterable[Event]) -> Iterable[Event]:
    """Each event once, though a schema may be written in several branches."""
    seen: set[tuple[str, ...]] = set()
    for event in events:
        key = (event.kind, event.severity, event.path, event.detail)
        if key not in seen:
            seen.add(key)
            yield event


def at_tokens(value: Json, tokens: Iterable[str]) -> Json:
    """What stands in a value at the end of a pointer; None if it ends before."""
    for token in tokens:
        if isinstance(value, dict):
            value = value.get(token)
        elif isinstance(value, list) and token.isdigit() and int(token) < len(value):
            value = value[int(token)]
        else:
            return None
    return value


def assumed_dialect(schema: Json) -> str:
    """The dialect of a schema that does not name one: 2020-12, unless it is written as only older ones can be."""
    if not isinstance(schema, dict) or "$schema" in schema:
        return MODERN.name
    todo = [schema]
    older, older_dialect = MODERN.name, DIALECTS["draft2019-09"]
    while todo:
        node = todo.pop()
        if isinstance(node.get("exclusiveMinimum"), bool) or isinstance(node.get("exclusiveMaximum"), bool):
            return "draft4"
        if isinstance(node.get("items"), list):
            older = older_dialect.name
        todo += [value for _, value in subschemas_of(node, older_dialect) if isinstance(value, dict)]
    return older

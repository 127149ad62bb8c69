"""Schemas as they were written: documents, the resources in them, their subschemas, and what references point to.

`Documents` is the store. It is given the schema, the documents it may refer to, and what else may be loaded; it hands
out interned `Subschema`s, so that one place in one document is one object. Nothing is walked before it is asked for.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from decimal import Decimal
from functools import partial
from pathlib import Path
from typing import cast
from urllib.parse import unquote

from schema2gbnf.errors import InvalidSchemaError, SchemaError, UnresolvedReferenceError, UnsupportedSchemaError
from schema2gbnf.findings import Finding
from schema2gbnf.schema.dialects import DIALECTS, Dialect, Place, with_nullable
from schema2gbnf.schema.places import identifier, joined, mentions, place_below, subschemas_of
from schema2gbnf.schema.pointers import DeadEndError, escaped, kind, near, step, tokens_of
from schema2gbnf.schema.retrieval import fetched, local_file, metaschema
from schema2gbnf.schema.subschema import Document, Resource, Scope, Subschema, no_schema
from schema2gbnf.schema.text import MAX_BYTES, MAX_DEPTH, MAX_NODES, Json, check_value, copied, read_json
from schema2gbnf.schema.vocabularies import named_dialect

MAX_DOCUMENTS = 256
MAX_PATH = 8192
"""Characters of the names that lead to a subschema; as every message and rule name repeats them, they are bounded."""
RECURSIVE_ANCHOR = "#"
"""The name `$recursiveAnchor: true` has in a scope; no plain anchor can have it."""
_DYNAMIC_ANCHORS = frozenset(("$dynamicAnchor", "$recursiveAnchor"))


class Documents:
    """All documents of one compilation, and the subschemas in them.

    `schema` is JSON as `source.load` returns it, `documents` other schemas by URI; `base` is the folder below which
    local files may be read, `base_uri` the URI of the schema itself (for a file, its name); `nullable` overrides what
    the dialect says of that keyword.

    >>> documents = Documents({"$defs": {"n": {"type": "integer"}}, "items": {"$ref": "#/$defs/n"}})
    >>> documents.reference(documents.child(documents.root, "items"))
    Subschema('#/$defs/n')
    """

    def __init__(
        self,
        schema: Json,
        *,
        default_dialect: str = "draft2020-12",
        documents: Mapping[str, Json] | None = None,
        base: Path | None = None,
        base_uri: str = "",
        allow_fetch: bool = False,
        nullable: bool | None = None,
        max_depth: int = MAX_DEPTH,
        max_bytes: int = MAX_BYTES,
        max_nodes: int = MAX_NODES,
        max_path: int = MAX_PATH,
        seconds: float = 10.0,
    ) -> None:
        self.findings: list[Finding] = []
        self._base, self._allow_fetch, self._nullable = base, allow_fetch, nullable
        self._max_depth, self._max_bytes, self._max_nodes, self._seconds = max_depth, max_bytes, max_nodes, seconds
        self._max_path = max_path
        self._subschemas: dict[tuple[Document, tuple[str, ...]], Subschema] = {}
        self._resources: dict[str, Subschema] = {}
        self._anchors: dict[Resource, dict[str, Subschema]] = {}
        self._dynamic_anchors: dict[Resource, dict[str, Subschema]] = {}
        self._indexed: set[Document] = set()
        self._dynamic: dict[Document, bool] = {}
        """Whether some dynamic anchor may be declared in a document, where it has been asked."""
        self._made_up: dict[tuple[Subschema, tuple[object, ...]], Subschema] = {}
        self._loaded = 0
        self._metaschemas = _by_own_uri(documents or {})
        self._default = self._of_name(default_dialect)
        self.root = self._open("", schema, base_uri)
        # A document that does not say otherwise is in the dialect of the schema that refers to it.
        self._default = self.root.dialect
        own_uri = self.root.resource.uri
        self._given = {joined(own_uri, uri) or uri: value for uri, value in (documents or {}).items()}

    # -- subschemas ----------------------------------------------------------------------------------------------------

    def child(self, parent: Subschema, *tokens: str | int) -> Subschema:
        """The subschema under a keyword of its parent; the same object each time."""
        trail = tuple([str(token) for token in tokens])
        found = self._subschemas.get((parent.resource.document, parent.tokens + trail))
        return found if found is not None else self.interned(*self._descend(parent, trail))

    def synthetic(self, value: bool | dict[str, Json], near: Subschema) -> Subschema:
        """A schema that no one wrote, in 2020-12; it and all in it bear the pointer of the subschema it comes from."""
        key = (near, _frozen(value))
        if key not in self._made_up:
            document = Document(near.resource.document.uri, value, made_up_at=near.pointer)
            resource = Resource(near.resource.uri, document, ())
            self._made_up[key] = self._new(value, (), DIALECTS["draft2020-12"], resource)
        return self._made_up[key]

    def _descend(self, start: Subschema, tokens: tuple[str, ...]) -> tuple[Subschema, tuple[str, ...], Json]:
        """Where tokens lead: the innermost subschema on the way, the tokens from there, the value.

        Only what stands where the dialect has subschemas is one, so that an `$id` in a `const` names nothing.
        """
        document, here, value, place = start.resource.document, start, cast(Json, start.value), Place.SCHEMA
        trail: tuple[str, ...] = ()
        for token in tokens:
            if place is Place.SCHEMA and trail and isinstance(value, dict):
                here, trail = self.interned(here, trail, value), ()
            try:
                value = step(value, token, partial(document.pointer, here.tokens + trail))
            except DeadEndError as error:
                if isinstance(value, dict) and "$ref" in value and here is not start:
                    raise DeadEndError(f"{error} (a pointer is not carried through the $ref there)") from None
                raise
            place = place_below(place, token, value, here.dialect)
            trail = (*trail, token)
        return here, trail, value

    def interned(self, parent: Subschema, trail: tuple[str, ...], value: Json) -> Subschema:
        """The one subschema whose value this is, at the end of a trail from its parent along no other subschema.

        It enters the resource that its identifier opens.
        """
        if not trail:
            return parent
        document, tokens = parent.resource.document, parent.tokens + trail
        found = self._subschemas.get((document, tokens))
        if found is not None:
            return found
        if not isinstance(value, bool | dict):
            raise no_schema(document.pointer(tokens), trail[0], value)
        if sum(map(len, tokens)) > self._max_path:
            message = f"the names on the way to this schema have more than {self._max_path} characters"
            raise UnsupportedSchemaError(parent.pointer, trail[0], message)
        dialect, resource = parent.dialect, parent.resource
        if isinstance(value, dict) and (dialect.id_keyword in value or "$schema" in value):
            spoken = self._spoken(value, dialect)
            if (named := identifier(value, spoken)) is not None:
                dialect, pointer = spoken, document.pointer(tokens)
                resource = Resource(_own_uri(resource.uri, named, pointer, spoken), document, tokens)
                self._remark_dialect(value, pointer, dialect)
        return self._new(value, tokens, dialect, resource)

    def _new(
        self, value: bool | dict[str, Json], tokens: tuple[str, ...], dialect: Dialect, resource: Resource
    ) -> Subschema:
        keywords: Mapping[str, Json] = value if isinstance(value, dict) else {}
        if dialect.ref_hides_siblings and "$ref" in keywords:
            keywords = {"$ref": keywords["$ref"]}
        if dialect.left_out and not dialect.left_out.isdisjoint(keywords):
            keywords = {keyword: value for keyword, value in keywords.items() if keyword not in dialect.left_out}
        made = Subschema(value, keywords, tokens, dialect, resource)
        self._subschemas[resource.document, tokens] = made
        return made

    # -- references ----------------------------------------------------------------------------------------------------

    def reference(self, at: Subschema, keyword: str = "$ref") -> Subschema:
        """What a reference points to, as written and without regard to the dynamic scope; one step, no further."""
        written = at.keywords[keyword]
        if not isinstance(written, str):
            raise InvalidSchemaError(at.pointer, keyword, f"a reference is a string, not {kind(written)}")
        shown = f"'{written}'" if len(written) <= 500 else f"'{written[:500]}…'"
        try:
            here, trail, value = self._target(at, written)
        except DeadEndError as error:
            raise UnresolvedReferenceError(at.pointer, keyword, f"{shown} leads nowhere: {error}") from None
        if not isinstance(value, bool | dict):
            message = f"{shown} leads to {kind(value)}, where a schema must be an object, true or false"
            raise UnresolvedReferenceError(at.pointer, keyword, message)
        return self.interned(here, trail, value)

    def _target(self, at: Subschema, written: str) -> tuple[Subschema, tuple[str, ...], Json]:
        uri, _, fragment = written.partition("#")
        if uri:
            root = self._located(at, uri)
        else:
            root = self._subschemas[at.resource.document, at.resource.tokens]
        fragment = unquote(fragment)
        if not fragment or fragment.startswith("/"):
            return self._descend(root, tokens_of(fragment))
        self._index(root.resource.document)
        anchors = self._anchors.get(root.resource, {})
        if fragment not in anchors:
            raise DeadEndError(
                f"there is no anchor '{fragment}' in '{root.pointer}'{_defined(root, fragment, anchors)}"
            )
        return anchors[fragment], (), anchors[fragment].value

    def _located(self, at: Subschema, reference: str) -> Subschema:
        """The root of the resource that a URI reference names, loaded if need be and allowed."""
        uri = joined(at.resource.uri, reference)
        if uri is None:
            raise DeadEndError("that is no URI reference")
        self._index(self.root.resource.document)
        self._index(at.resource.document)
        if uri not in self._resources:
            try:
                self._load(uri)
            except DeadEndError as error:
                raise DeadEndError(self._meant_fragment(at, reference) or str(error)) from None
        return self._resources[uri]

    def _load(self, uri: str) -> None:
        if uri in self._given:
            self._open(uri, self._checked(uri), uri)
            return
        # A given document may name itself, or a part of itself, by another URI than it was given under.
        for other in self._given:
            if other not in self._resources:
                self._index(self._open(other, self._checked(other), other).resource.document)
        if uri in self._resources:
            return
        if (value := metaschema(uri)) is not None:
            self._open(uri, value, uri)
            return
        data: bytes | None = None
        if self._base is not None:
            data = local_file(uri, self.root.resource.uri, self._base, self._max_bytes)
        if data is None and self._allow_fetch and uri.startswith(("http://", "https://")):
            data = fetched(uri, self._max_bytes, self._seconds)
        if data is None:
            raise DeadEndError(_unavailable(uri))
        self._loaded += 1
        if self._loaded > MAX_DOCUMENTS:
            raise UnsupportedSchemaError("#", "$ref", f"more than {MAX_DOCUMENTS} documents would be loaded")
        with _in_document(uri):
            value = read_json(data, max_depth=self._max_depth, max_bytes=self._max_bytes)
        self._open(uri, value, uri)

    def _meant_fragment(self, at: Subschema, reference: str) -> str | None:
        """What to say of a reference that only lacks its `#`."""
        root = self._subschemas[at.resource.document, at.resource.tokens]
        path = reference.removeprefix("/")
        for tokens in (tuple(path.split("/")), ("$defs", path), ("definitions", path)):
            try:
                self._descend(root, tokens)
            except DeadEndError:
                continue
            meant = "".join(f"/{escaped(token)}" for token in tokens)
            return f"it names another document; a reference within this one begins with '#': '#{meant}'"
        return None

    # -- dynamic references --------------------------------------------------------------------------------------------

    def enter(self, scope: Scope, sub: Subschema) -> Scope:
        """The dynamic scope after stepping into a subschema: what its resource declares is added, outer ones win."""
        document = sub.resource.document
        dynamic = self._dynamic.get(document)
        if dynamic is None:
            made_up = document.made_up_at is not None
            dynamic = self._dynamic[document] = not made_up and mentions(document.value, _DYNAMIC_ANCHORS)
        if not dynamic:
            return scope
        self._index(sub.resource.document)
        declared = self._dynamic_anchors.get(sub.resource, {})
        outer = dict(scope)
        if all(name in outer for name in declared):
            return scope
        return tuple(sorted((declared | outer).items(), key=lambda anchor: anchor[0]))

    def dynamic_reference(self, at: Subschema, scope: Scope) -> Subschema:
        """What the dynamic reference of a subschema points to under a scope.

        Only one that, as written, arrives at a dynamic anchor is dynamic (2020-12, 8.2.3.2; 2019-09, 8.2.4.2.1).
        """
        keyword = at.dialect.dynamic_reference
        assert keyword is not None, "the dialect has no dynamic reference"
        target = self.reference(at, keyword)
        fragment = unquote(str(at.keywords[keyword]).partition("#")[2])
        name = RECURSIVE_ANCHOR if keyword == "$recursiveRef" else fragment
        self._index(target.resource.document)
        if self._dynamic_anchors.get(target.resource, {}).get(name) is not target:
            return target
        return dict(scope).get(name, target)

    # -- documents and what is declared in them ------------------------------------------------------------------------

    def _open(self, uri: str, value: Json, base_uri: str) -> Subschema:
        """The root of a new document, known from now on by its URI and by its own identifier."""
        document = Document(uri, value)
        if not isinstance(value, bool | dict):
            raise no_schema(f"{uri}#", "", value)
        dialect, own_uri = self._default, base_uri
        if isinstance(value, dict):
            dialect = self._spoken(value, dialect)
            self._remark_dialect(value, f"{uri}#", dialect)
            if (named := identifier(value, dialect)) is not None:
                own_uri = _own_uri(base_uri, named, f"{uri}#", dialect)
        root = self._new(value, (), dialect, Resource(own_uri, document, ()))
        self._resources.setdefault(base_uri, root)
        self._resources.setdefault(own_uri, root)
        return root

    def _checked(self, uri: str) -> Json:
        with _in_document(uri):
            check_value(self._given[uri], max_depth=self._max_depth, max_nodes=self._max_nodes)
        return copied(self._given[uri])

    def _spoken(self, value: dict[str, Json], default: Dialect) -> Dialect:
        """The dialect that the `$schema` of a resource's root names."""
        named = value.get("$schema")
        known = named_dialect(named, self._metaschemas, default) if isinstance(named, str) else None
        return self._with_nullable(known[0]) if known is not None else default

    def _remark_dialect(self, value: dict[str, Json], pointer: str, dialect: Dialect) -> None:
        """Say that the dialect is not known, or which of its vocabularies are not."""
        named = value.get("$schema")
        known = named_dialect(named, self._metaschemas, dialect) if isinstance(named, str) else None
        if isinstance(named, str) and known is None:
            message = f"unknown dialect {named!r}; the schema is read as {dialect.name}"
            self.findings.append(Finding("ignored", "$schema", pointer, message))
        for vocabulary in known[1] if known is not None else ():
            message = (
                f"the metaschema {named!r} requires the vocabulary {vocabulary!r}, which is not known; to do without "
                "its keywords, pass a metaschema in whose `$vocabulary` it is false"
            )
            self.findings.append(Finding("loosened", "$schema", pointer, message))

    def _of_name(self, name: str) -> Dialect:
        if name not in DIALECTS:
            raise ValueError(f"unknown dialect {name!r}; the dialects are {', '.join(DIALECTS)}")
        return self._with_nullable(DIALECTS[name])

    def _with_nullable(self, dialect: Dialect) -> Dialect:
        return dialect if self._nullable is None else with_nullable(dialect, self._nullable)

    def _index(self, document: Document) -> None:
        """Find the resources and anchors of a document; the first in breadth-first order has a disputed name."""
        if document in self._indexed or document.made_up_at is not None:
            return
        self._indexed.add(document)
        todo = deque([self._subschemas[document, ()]])
        while todo:
            sub = todo.popleft()
            self._declare(sub)
            for trail, value in subschemas_of(sub.value, sub.dialect) if isinstance(sub.value, dict) else ():
                if isinstance(value, dict):
                    todo.append(self.interned(sub, trail, value))

    def _declare(self, sub: Subschema) -> None:
        resource = sub.resource
        anchors = self._anchors.setdefault(resource, {})
        dynamic = self._dynamic_anchors.setdefault(resource, {})
        if sub.tokens == resource.tokens:
            self._resources.setdefault(resource.uri, sub)
            if sub.get("$recursiveAnchor") is True and sub.dialect.dynamic_reference == "$recursiveRef":
                dynamic.setdefault(RECURSIVE_ANCHOR, sub)
        for keyword in sub.dialect.anchor_keywords:
            name = sub.get(keyword)
            if isinstance(name, str):
                anchors.setdefault(name, sub)
                if keyword == "$dynamicAnchor":
                    dynamic.setdefault(name, sub)
        if sub.dialect.fragment_ids and sub.dialect.id_keyword is not None:
            name = sub.get(sub.dialect.id_keyword)
            if isinstance(name, str) and name.startswith("#"):
                anchors.setdefault(name[1:], sub)


def _by_own_uri(documents: Mapping[str, Json]) -> dict[str, Json]:
    """The documents by the URIs they were given under and, where these differ, by those they have themselves."""
    own = {str(value.get("$id")): value for value in documents.values() if isinstance(value, dict)}
    return {uri.removesuffix("#"): value for uri, value in (own | dict(documents)).items()}


def _own_uri(base: str, named: str, pointer: str, dialect: Dialect) -> str:
    uri = joined(base, named)
    if uri is None:
        raise InvalidSchemaError(pointer, str(dialect.id_keyword), f"{named!r} is no URI reference")
    return uri


def _frozen(value: Json) -> tuple[object, ...]:
    """The content of a value as a flat tuple: equal for equal values with members in equal order, 1 apart from 1.0."""
    flat: list[object] = []
    todo = [value]
    while todo:
        node = todo.pop()
        flat.append(type(node))
        if isinstance(node, dict):
            flat.extend((len(node), *node))
            todo.extend(node.values())
        elif isinstance(node, list):
            flat.append(len(node))
            todo.extend(node)
        elif isinstance(node, Decimal):
            # Equal decimals may differ in their digits, and only the digits tell 1.0 from 1.
            flat.append(str(node))
        else:
            flat.append(node)
    return tuple(flat)


def _defined(root: Subschema, name: str, anchors: Mapping[str, Subschema]) -> str:
    """A hint at the definition or the anchor that a name without a pointer may mean."""
    for keyword in ("$defs", "definitions"):
        definitions = root.value.get(keyword) if isinstance(root.value, dict) else None
        if isinstance(definitions, dict) and name in definitions:
            return f"; did you mean '#/{keyword}/{escaped(name)}'?"
    return near(name, anchors)


def _unavailable(uri: str) -> str:
    given = f"pass the document as `documents={{{uri!r}: …}}`"
    if uri.startswith(("http://", "https://")):
        return f"nothing is fetched unasked; {given}, or set `allow_fetch=True`"
    return f"no such document is known; {given}"


@contextmanager
def _in_document(uri: str) -> Iterator[None]:
    """Errors found in a document say which."""
    try:
        yield
    except SchemaError as error:
        raise type(error)(uri + error.pointer, error.keyword, error.message) from None

"""Where references lead, where they do not, and what is read to find out."""

from __future__ import annotations

import json
import os
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from decimal import Decimal
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schema2gbnf.errors import InvalidSchemaError, SchemaError, UnresolvedReferenceError, UnsupportedSchemaError
from schema2gbnf.schema.documents import Documents
from schema2gbnf.schema.pointers import escaped, tokens_of
from schema2gbnf.schema.subschema import Subschema


def target(schema: Any, *path: str | int, keyword: str = "$ref", **options: Any) -> Subschema:
    """What the reference at a place of a schema points to."""
    documents = Documents(schema, **options)
    return documents.reference(documents.child(documents.root, *path), keyword)


# -- JSON Pointers -----------------------------------------------------------------------------------------------------

HOUSE = {
    "$defs": {
        "A/B": {"title": "1"},
        "c~d": {"title": "2"},
        "e f": {"title": "3"},
        "g%h": {"title": "4"},
        "": {"title": "5"},
    },
    "x-unknown": {"deep": [{"title": "6"}]},
    "anyOf": [{"title": "7"}, {"properties": {"$ref": {"title": "8"}, "0": {"title": "9"}}}],
    "const": {"$id": "http://elsewhere/", "is": {"title": "10"}},
}


@pytest.mark.parametrize(
    ("reference", "title"),
    [
        ("#/$defs/A~1B", "1"),
        ("#/%24defs/c~0d", "2"),
        ("#/$defs/e%20f", "3"),
        ("#/$defs/e f", "3"),
        ("#/$defs/g%25h", "4"),
        ("#/$defs/g%h", "4"),
        ("#/$defs/", "5"),
        ("#/x-unknown/deep/0", "6"),
        ("#/anyOf/0", "7"),
        ("#/anyOf/1/properties/$ref", "8"),
        ("#/anyOf/1/properties/0", "9"),
        ("#/const/is", "10"),
    ],
)
def test_pointers_lead_anywhere_in_the_document(reference: str, title: str) -> None:
    found = target({**HOUSE, "items": {"$ref": reference}}, "items")
    assert isinstance(found.value, dict)
    assert found.value["title"] == title


def test_the_root_is_the_root() -> None:
    documents = Documents({"items": {"$ref": "#"}})
    assert documents.reference(documents.child(documents.root, "items")) is documents.root


@given(st.lists(st.text(), min_size=1, max_size=4))
def test_pointers_are_read_as_they_are_written(tokens: list[str]) -> None:
    assert tokens_of("".join(f"/{escaped(token)}" for token in tokens)) == tuple(tokens)


@given(st.lists(st.text(alphabet="ab/~%é #", min_size=0, max_size=3), min_size=1, max_size=3))
def test_the_pointer_of_a_subschema_leads_to_it(names: list[str]) -> None:
    schema: Any = {}
    for name in reversed(names):
        schema = {"properties": {name: schema}}
    documents = Documents(schema)
    sub = documents.root
    for name in names:
        sub = documents.child(sub, "properties", name)
    # Pointers are shown unencoded; in a reference "%" is an escape.
    assert target({**schema, "not": {"$ref": sub.pointer.replace("%", "%25")}}, "not").tokens == sub.tokens


@pytest.mark.parametrize(
    ("reference", "said"),
    [
        ("#/$defs/Blok", "'#/$defs/Blok' leads nowhere: there is no 'Blok' in '#/$defs'; did you mean 'Block'?"),
        ("#/definitions/Block", "there is no 'definitions' in '#'"),
        ("#/anyOf/2", "the array '#/anyOf' has 2 items, so no 2"),
        ("#/anyOf/00", "'00' is no index of the array '#/anyOf'"),
        ("#/anyOf/01", "'01' is no index"),
        ("#/anyOf/1x", "'1x' is no index"),
        ("#/anyOf/-", "'-' is no index"),
        ("#/anyOf/-1", "'-1' is no index"),
        ("#/anyOf/+1", "'+1' is no index"),
        ("#/anyOf/ 1", "' 1' is no index"),
        ("#/anyOf/١", "'١' is no index"),
        ("#/anyOf/", "'' is no index"),
        (f"#/anyOf/{'9' * 5000}", "has 2 items"),
        ("#/title/x", "'#/title' is a string"),
        ("#/title", "leads to a string, where a schema must be"),
        ("#/anyOf", "leads to an array"),
        ("#/$defs/a~b", "a '~' of a name is written ~0"),
        ("#/$defs/Alias/properties", "a pointer is not carried through the $ref there"),
        ("#Block", "there is no anchor 'Block' in '#'; did you mean '#/$defs/Block'?"),
        ("#bloc", "there is no anchor 'bloc' in '#'; did you mean 'block'?"),
        ("/$defs/Block", "a reference within this one begins with '#': '#/$defs/Block'"),
        ("$defs/Block", "'#/$defs/Block'"),
        ("Block", "'#/$defs/Block'"),
        ("https://example.invalid/s.json#/a", "'https://example.invalid/s.json#/a' leads nowhere: nothing is fetched"),
        ("https://example.invalid/s.json", "allow_fetch"),
        ("other.json", "no such document is known; pass the document as `documents={'other.json': …}`"),
        ("http://[oops", "that is no URI reference"),
        ("file:///etc/passwd", "no such document is known"),
        ("x" * 10_000, "xxx…"),
    ],
    ids=lambda text: text[:30],
)
def test_a_dangling_reference_is_explained(reference: str, said: str) -> None:
    schema = {
        "title": "x",
        "$defs": {"Block": {"$anchor": "block"}, "Alias": {"$ref": "#/$defs/Block"}},
        "anyOf": [{}, {}],
        "properties": {"p": {"$ref": reference}},
    }
    with pytest.raises(UnresolvedReferenceError) as caught:
        target(schema, "properties", "p")
    assert (caught.value.pointer, caught.value.keyword) == ("#/properties/p", "$ref")
    assert said in caught.value.message
    assert len(caught.value.message) < 11_000


# -- subschemas --------------------------------------------------------------------------------------------------------


def test_a_place_is_one_object() -> None:
    documents = Documents({"properties": {"a": {"items": {}}}, "allOf": [{"$ref": "#/properties/a/items"}]})
    parent = documents.child(documents.root, "properties", "a")
    assert documents.child(documents.root, "properties", "a") is parent
    assert documents.reference(documents.child(documents.root, "allOf", 0)) is documents.child(parent, "items")
    assert repr(parent) == "Subschema('#/properties/a')"


def test_equal_schemas_at_different_places_are_different() -> None:
    shared: Any = {"type": "string"}
    documents = Documents({"allOf": [shared, shared]})
    first, second = (documents.child(documents.root, "allOf", index) for index in range(2))
    assert first != second
    assert (first.pointer, second.pointer) == ("#/allOf/0", "#/allOf/1")


def test_a_value_that_is_no_schema_is_refused_where_it_stands() -> None:
    documents = Documents({"properties": {"a": 5}})
    with pytest.raises(InvalidSchemaError) as caught:
        documents.child(documents.root, "properties", "a")
    assert (caught.value.pointer, caught.value.keyword) == ("#/properties/a", "properties")
    with pytest.raises(InvalidSchemaError):
        Documents([])
    with pytest.raises(InvalidSchemaError):
        target({"$ref": {"type": "string"}, "$schema": "https://json-schema.org/draft/2020-12/schema"})


@pytest.mark.parametrize(("dialect", "seen"), [("draft7", ["$ref"]), ("draft2019-09", ["$ref", "maxLength"])])
def test_siblings_of_a_reference_are_seen_from_2019_on(dialect: str, seen: list[str]) -> None:
    root = Documents({"$ref": "#/x", "maxLength": 2}, default_dialect=dialect).root
    assert list(root.keywords) == seen
    assert ("maxLength" in root) == ("maxLength" in seen)
    assert root.get("maxLength") == (2 if "maxLength" in seen else None)


def test_made_up_schemas_are_interned_by_content_and_place() -> None:
    documents = Documents({"$schema": "http://json-schema.org/draft-04/schema#", "properties": {"a": {}, "b": {}}})
    a, b = (documents.child(documents.root, "properties", name) for name in "ab")
    made = documents.synthetic({"items": {"minimum": 1}}, a)
    assert documents.synthetic({"items": {"minimum": 1}}, a) is made
    others: list[Any] = [{"items": {"minimum": True}}, {"items": {"minimum": Decimal("1.0")}}, {"items": [1]}, True]
    assert len({documents.synthetic(value, a) for value in others} | {made, documents.synthetic(made.value, b)}) == 6
    assert made.dialect.name == "draft2020-12"
    item = documents.child(made, "items")
    assert item is documents.child(made, "items")
    assert made.pointer == item.pointer == "#/properties/a"
    assert documents.enter((), item) == ()


# -- identifiers, anchors, dialects ------------------------------------------------------------------------------------


def test_identifiers_change_what_references_are_relative_to() -> None:
    schema = {
        "$id": "http://example.com/root.json",
        "items": {"$ref": "folder/inner.json#/$defs/n"},
        "not": {"$ref": "http://example.com/root.json#inside"},
        "$defs": {
            "inner": {
                "$id": "folder/inner.json",
                "$defs": {"n": {"type": "integer"}, "here": {"$ref": "#/$defs/n"}, "sibling": {"$ref": "other.json"}},
            },
            "other": {"$id": "folder/other.json", "$anchor": "not-inside"},
            "anchored": {"$anchor": "inside"},
        },
    }
    assert target(schema, "items").pointer == "#/$defs/inner/$defs/n"
    assert target(schema, "not").pointer == "#/$defs/anchored"
    documents = Documents(schema)
    inner = documents.child(documents.root, "$defs", "inner")
    assert inner.resource.uri == "http://example.com/folder/inner.json"
    here, sibling = (documents.child(inner, "$defs", name) for name in ("here", "sibling"))
    assert documents.reference(here) is documents.child(inner, "$defs", "n")
    assert documents.reference(sibling).pointer == "#/$defs/other"
    with pytest.raises(UnresolvedReferenceError):
        target({**schema, "items": {"$ref": "#not-inside"}}, "items")


@pytest.mark.parametrize("keyword", ["enum", "const", "examples", "default", "x-unknown"])
def test_identifiers_and_anchors_in_values_are_none(keyword: str) -> None:
    fake = {"$id": "http://example.com/fake", "$anchor": "fake", "inside": {"title": "x"}}
    schema = {keyword: [fake], "items": {"$ref": f"#/{keyword}/0/inside"}}
    found = target(schema, "items")
    assert found.pointer == f"#/{keyword}/0/inside"
    assert found.resource.uri == ""
    for reference in ("#fake", "http://example.com/fake"):
        with pytest.raises(UnresolvedReferenceError):
            target({**schema, "items": {"$ref": reference}}, "items")


def test_a_property_named_like_an_identifier_is_a_property() -> None:
    schema = {"properties": {"$id": {"$ref": "#/$defs/x"}, "$anchor": {}, "$ref": {}, "id": {}}, "$defs": {"x": {}}}
    assert target(schema, "properties", "$id").pointer == "#/$defs/x"


@pytest.mark.parametrize(("dialect", "keyword"), [("draft4", "id"), ("draft6", "$id"), ("draft7", "$id")])
def test_old_drafts_anchor_by_identifier_and_hide_it_beside_a_reference(dialect: str, keyword: str) -> None:
    schema = {
        "definitions": {
            "a": {keyword: "#foo", "type": "integer"},
            "b": {keyword: "http://example.com/b", "$ref": "#/definitions/a"},
        },
        "allOf": [{"$ref": "#foo"}, {"$ref": "http://example.com/b"}],
    }
    assert target(schema, "allOf", 0, default_dialect=dialect).pointer == "#/definitions/a"
    assert target(schema, "definitions", "b", default_dialect=dialect).pointer == "#/definitions/a"
    with pytest.raises(UnresolvedReferenceError):
        target(schema, "allOf", 1, default_dialect=dialect)


def test_an_embedded_resource_may_speak_another_dialect() -> None:
    draft4 = {"$schema": "http://json-schema.org/draft-04/schema#", "id": "http://example.com/old", "items": {}}
    plain = {"$schema": "http://json-schema.org/draft-04/schema#", "items": {}}
    documents = Documents({"$defs": {"old": draft4, "plain": plain}})
    old, no_resource = (documents.child(documents.root, "$defs", name) for name in ("old", "plain"))
    assert old.dialect.name == documents.child(old, "items").dialect.name == "draft4"
    assert no_resource.dialect.name == "draft2020-12"


def test_an_unknown_dialect_is_the_default_one_with_a_finding() -> None:
    documents = Documents({"$schema": "https://example.com/mine"}, default_dialect="draft7")
    assert documents.root.dialect.name == "draft7"
    (finding,) = documents.findings
    assert (finding.kind, finding.keyword, finding.pointer) == ("ignored", "$schema", "#")
    assert not Documents({"$schema": "http://json-schema.org/draft-07/schema"}).findings
    with pytest.raises(ValueError, match="draft2020-12"):
        Documents({}, default_dialect="draft5")


def test_nullable_is_a_matter_of_dialect_unless_said() -> None:
    assert Documents({}, default_dialect="openapi3.0").root.dialect.nullable
    assert not Documents({}, default_dialect="openapi3.0", nullable=False).root.dialect.nullable
    documents = Documents({"$schema": "http://json-schema.org/draft-07/schema#"}, nullable=True)
    assert documents.root.dialect.nullable
    assert not Documents({}).root.dialect.nullable


# -- dynamic scopes ----------------------------------------------------------------------------------------------------


def test_schemas_without_dynamic_anchors_share_the_empty_scope() -> None:
    documents = Documents({"$id": "http://example.com/", "items": {"$anchor": "x", "$ref": "#"}})
    assert documents.enter((), documents.root) == ()


def test_a_scope_keeps_the_outermost_and_not_the_way() -> None:
    def part(name: str) -> dict[str, Any]:
        return {"$id": name, "$defs": {"node": {"$dynamicAnchor": "node"}, name: {"$dynamicAnchor": name}}}

    documents = Documents({"$defs": {"a": part("a"), "b": part("b")}})
    a, b = (documents.child(documents.root, "$defs", name) for name in "ab")
    through_a = documents.enter(documents.enter((), a), b)
    through_b = documents.enter(documents.enter((), b), a)
    assert [name for name, _ in through_a] == [name for name, _ in through_b] == ["a", "b", "node"]
    assert dict(through_a)["node"].pointer == "#/$defs/a/$defs/node"
    assert dict(through_b)["node"].pointer == "#/$defs/b/$defs/node"
    assert documents.enter(through_a, a) is through_a
    assert hash(through_a) == hash(documents.enter(through_a, b))


# -- other documents ---------------------------------------------------------------------------------------------------


def test_documents_are_found_by_the_uri_given_and_by_their_own() -> None:
    other = {"$id": "https://example.com/own", "$defs": {"n": {"$anchor": "n"}}}
    documents = {"https://example.com/given#": other, "relative.json": {"$defs": {"r": {}}}}
    for reference in ("https://example.com/given#/$defs/n", "https://example.com/own#n"):
        found = target({"$ref": reference}, documents=documents)
        assert found.pointer == "https://example.com/given#/$defs/n"
        assert found.resource.uri == "https://example.com/own"
    schema = {"$id": "https://example.com/x/root", "$ref": "relative.json#/$defs/r"}
    assert target(schema, documents=documents).pointer == "https://example.com/x/relative.json#/$defs/r"


def test_a_document_without_a_dialect_has_that_of_the_schema() -> None:
    schema = {"$schema": "http://json-schema.org/draft-04/schema#", "allOf": [{"$ref": "urn:a"}, {"$ref": "urn:b"}]}
    others = {"urn:a": {}, "urn:b": {"$schema": "http://json-schema.org/draft-06/schema#"}}
    assert target(schema, "allOf", 0, documents=others).dialect.name == "draft4"
    assert target(schema, "allOf", 1, documents=others).dialect.name == "draft6"


def test_a_given_document_is_checked_when_it_is_used() -> None:
    cycle: dict[str, Any] = {}
    cycle["not"] = cycle
    with pytest.raises(InvalidSchemaError) as caught:
        target({"$ref": "urn:x"}, documents={"urn:x": cycle})
    assert caught.value.pointer == "urn:x#/not"
    assert Documents({}, documents={"urn:x": cycle}).root.value == {}


@pytest.mark.parametrize(
    "uri",
    [
        "http://json-schema.org/draft-04/schema#",
        "https://json-schema.org/draft-07/schema",
        "http://json-schema.org/draft-07/schema#/definitions/nonNegativeInteger",
        "https://json-schema.org/draft/2019-09/schema",
        "https://json-schema.org/draft/2020-12/meta/core#/$defs/anchorString",
    ],
)
def test_metaschemas_are_known(uri: str) -> None:
    assert isinstance(target({"$ref": uri}).value, dict)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    base = tmp_path / "schemas"
    (base / "sub").mkdir(parents=True)
    (base / "a b.json").write_text('{"$defs": {"n": {"multipleOf": 0.10}}}')
    (base / "sub" / "c.json").write_text('{"items": {"$ref": "d.json"}}')
    (base / "sub" / "d.json").write_text("{}")
    (base / "broken.json").write_text('{"a": }')
    (base / "list.json").write_text("[]")
    (tmp_path / "secret.json").write_text("{}")
    os.symlink(tmp_path / "secret.json", base / "link.json")
    return base


def test_files_are_read_beside_and_below_the_schema(folder: Path) -> None:
    found = target({"$ref": "a%20b.json#/$defs/n"}, base=folder, base_uri="root.json")
    assert found.value == {"multipleOf": Decimal("0.10")}
    assert found.pointer == "a%20b.json#/$defs/n"
    documents = Documents({"$ref": "sub/c.json"}, base=folder, base_uri="root.json")
    inner = documents.reference(documents.root)
    assert documents.reference(documents.child(inner, "items")).pointer == "sub/d.json#"
    assert (
        target({"$ref": "root.json#/$defs/x", "$defs": {"x": {}}}, base=folder, base_uri="root.json").pointer
        == "#/$defs/x"
    )
    at_home = {"$id": "https://example.com/s/root.json", "$ref": "https://example.com/s/sub/d.json"}
    assert target(at_home, base=folder).pointer == "https://example.com/s/sub/d.json#"


@pytest.mark.parametrize(
    ("reference", "said"),
    [
        ("../secret.json", "outside the schema's folder"),
        ("sub/../../secret.json", "outside"),
        ("%2e%2e/secret.json", "outside"),
        ("link.json", "outside"),
        ("/etc/passwd", "outside"),
        ("sub", "no file 'sub' beside the schema"),
        ("missing.json", "no file 'missing.json'"),
        ("a%00b.json", "cannot be read"),
        ("file:///etc/passwd", "no such document"),
        ("//host/a.json", "no such document"),
        ("https://example.com/a.json", "allow_fetch"),
    ],
)
def test_no_other_file_is_read(folder: Path, reference: str, said: str) -> None:
    with pytest.raises(UnresolvedReferenceError) as caught:
        target({"$ref": reference}, base=folder, base_uri="root.json")
    assert said in caught.value.message


def test_without_a_folder_no_file_is_read(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    with pytest.raises(UnresolvedReferenceError):
        target({"$ref": "sub/d.json"})


def test_errors_in_files_name_the_file(folder: Path) -> None:
    for name, said in (("broken.json", "line 1 column 7"), ("list.json", "not an array")):
        with pytest.raises(InvalidSchemaError) as caught:
            target({"$ref": name}, base=folder)
        assert caught.value.pointer == f"{name}#"
        assert said in caught.value.message


class Server(BaseHTTPRequestHandler):
    """Serves a schema, an endless document, a redirection to a file, and nothing."""

    def do_GET(self) -> None:
        match self.path:
            case "/schema":
                body = json.dumps({"$defs": {"n": {"type": "integer"}}}).encode()
                self.send_response(200)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)
            case "/redirect":
                self.send_response(302)
                self.send_header("Location", "file:///etc/passwd")
                self.end_headers()
            case "/drip" | "/flood":
                self.send_response(200)
                self.end_headers()
                with suppress(OSError):
                    for _ in range(10_000):
                        self.wfile.write(b" " * (1 if self.path == "/drip" else 1 << 16))
                        time.sleep(0.02 if self.path == "/drip" else 0)
            case _:
                self.send_error(404)

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture(scope="module")
def site() -> Iterator[str]:
    server = HTTPServer(("127.0.0.1", 0), Server)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


def test_the_network_is_asked_only_when_allowed(site: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("no_proxy", "*")
    assert target({"$ref": f"{site}/schema#/$defs/n"}, allow_fetch=True).pointer == f"{site}/schema#/$defs/n"
    with pytest.raises(UnresolvedReferenceError, match="allow_fetch"):
        target({"$ref": f"{site}/schema"})


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("/missing", "404"),
        ("/redirect", "failed"),
        ("/flood", "limit of 1000000 bytes"),
        ("/drip", "more than 0.5 seconds"),
    ],
)
def test_a_bad_server_is_given_up(site: str, path: str, said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("no_proxy", "*")
    with pytest.raises(UnresolvedReferenceError) as caught:
        target({"$ref": site + path}, allow_fetch=True, max_bytes=1_000_000, seconds=0.5)
    assert said in caught.value.message


def test_a_chain_of_files_ends(tmp_path: Path) -> None:
    for index in range(300):
        (tmp_path / f"{index}.json").write_text(json.dumps({"$ref": f"{index + 1}.json"}))
    documents = Documents({"$ref": "0.json"}, base=tmp_path)
    sub = documents.root
    for _ in range(256):
        sub = documents.reference(sub)
    with pytest.raises(UnsupportedSchemaError):
        documents.reference(sub)


def test_a_document_of_long_names_costs_no_more_than_its_size() -> None:
    schema: Any = {}
    for _ in range(100):
        schema = {"properties": {"x" * 10_000: schema}}
    with pytest.raises(UnsupportedSchemaError):
        target({"items": {"$ref": "#anchor"}, "not": schema}, "items")


# -- any schema at all -------------------------------------------------------------------------------------------------

NAMES = st.sampled_from(
    [
        "$ref",
        "$id",
        "id",
        "$anchor",
        "$dynamicAnchor",
        "$dynamicRef",
        "$schema",
        "$defs",
        "items",
        "anyOf",
        "const",
        "a",
        "dependencies",
    ]
)
REFERENCES = st.sampled_from(
    [
        "#",
        "#a",
        "#/",
        "#/$defs/a",
        "#/anyOf/0",
        "a",
        "a#a",
        "http://x/y",
        "http://json-schema.org/draft-04/schema#",
        "../a",
        "urn:a",
        "",
        "%",
        "#%2",
        "//",
    ]
)
ANY = st.recursive(
    REFERENCES | st.integers(0, 2) | st.booleans() | st.none(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=4),
    max_leaves=20,
)


@given(ANY, st.sampled_from(["draft4", "draft7", "draft2019-09", "draft2020-12", "openapi3.0"]))
def test_every_schema_ends_in_a_subschema_or_a_schema_error(schema: Any, dialect: str) -> None:
    whole = {**schema, "properties": {"p": schema}} if isinstance(schema, dict) else schema
    # Any other error than a SchemaError fails the test.
    with suppress(SchemaError):
        documents = Documents(whole, default_dialect=dialect)
        sub, scope = documents.root, documents.enter((), documents.root)
        for _ in range(10):
            if "$ref" in sub:
                sub = documents.reference(sub)
            elif "$dynamicRef" in sub and sub.dialect.dynamic_reference == "$dynamicRef":
                sub = documents.dynamic_reference(sub, scope)
            else:
                break
            scope = documents.enter(scope, sub)

"""The official JSON Schema test suite on references, judged by an evaluator that is made of `Documents` alone.

The evaluator knows just the keywords that those files use, so what it answers hangs on where references lead.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from jsonschema_specifications import REGISTRY
from referencing import Registry, Resource
from referencing.jsonschema import specification_with

from schema2gbnf.schema.dialects import DIALECTS
from schema2gbnf.schema.documents import Documents
from schema2gbnf.schema.keywords import check
from schema2gbnf.schema.places import subschemas_of
from schema2gbnf.schema.subschema import Scope, Subschema
from tests.data import data

SUITE = data("json-schema-test-suite")
FILES = (
    "anchor dynamicRef id infinite-loop-detection recursiveRef ref refRemote definitions defs optional/anchor"
    " optional/cross-draft optional/dynamicRef optional/id optional/refOfUnknownKeyword optional/unknownKeyword"
)
REMOTES = {
    f"http://localhost:1234/{path.relative_to(SUITE / 'remotes').as_posix()}": json.loads(path.read_bytes())
    for path in sorted((SUITE / "remotes").rglob("*.json"))
}
SILENT = (
    "$anchor $comment $defs $dynamicAnchor $id $recursiveAnchor $schema $vocabulary default definitions description"
    " else examples format id then title uniqueItems"
)
TYPES = {"null": type(None), "boolean": bool, "string": str, "array": list, "object": dict}


def suite_cases() -> Iterator[Any]:
    for dialect in DIALECTS:
        for name in FILES.split():
            path = SUITE / "tests" / dialect / f"{name}.json"
            for case in json.loads(path.read_bytes()) if path.exists() else ():
                yield pytest.param(dialect, case, id=f"{dialect}-{name}-{case['description']}")


CASES = tuple(suite_cases())


class Evaluator:
    """Validation of an instance, for the keywords of the suite's files on references."""

    def __init__(self, documents: Documents) -> None:
        self.documents = documents

    def holds(self, sub: Subschema, instance: Any, scope: Scope = ()) -> bool:
        if isinstance(sub.value, bool):
            return sub.value
        check(sub)
        scope = self.documents.enter(scope, sub)
        return all(
            getattr(self, keyword.replace("$", "") + "_")(sub, value, instance, scope)
            for keyword, value in sub.keywords.items()
            if keyword in sub.dialect.keywords and keyword not in SILENT.split()
        )

    def below(self, sub: Subschema, scope: Scope, instance: Any, *tokens: str | int) -> bool:
        return self.holds(self.documents.child(sub, *tokens), instance, scope)

    def unevaluated(self, sub: Subschema, value: Any, instance: Any, scope: Scope) -> bool:
        pytest.skip("unevaluated* is more than references")

    unevaluatedProperties_ = unevaluatedItems_ = unevaluated

    def ref_(self, sub: Subschema, value: Any, instance: Any, scope: Scope) -> bool:
        return self.holds(self.documents.reference(sub), instance, scope)

    def dynamicRef_(self, sub: Subschema, value: Any, instance: Any, scope: Scope) -> bool:
        return self.holds(self.documents.dynamic_reference(sub, scope), instance, scope)

    recursiveRef_ = dynamicRef_

    def type_(self, sub: Subschema, value: Any, instance: Any, scope: Scope) -> bool:
        number = isinstance(instance, int | float) and not isinstance(instance, bool)
        return any(
            number and (name == "number" or instance == int(instance))
            if name in ("number", "integer")
            else isinstance(instance, TYPES[name])
            for name in (value if isinstance(value, list) else [value])
        )

    def const_(self, sub: Subschema, value: Any, instance: Any, scope: Scope) -> bool:
        return json.dumps(value, sort_keys=True) == json.dumps(instance, sort_keys=True)

    def enum_(self, sub: Subschema, value: Any, instance: Any, scope: Scope) -> bool:
        return any(self.const_(sub, each, instance, scope) for each in value)

    def minLength_(self, sub: Subschema, value: Any, instance: Any, scope: Scope) -> bool:
        return not isinstance(instance, str) or len(instance) >= value

    def maxLength_(self, sub: Subschema, value: Any, instance: Any, scope: Scope) -> bool:
        return not isinstance(instance, str) or len(instance) <= value

    def pattern_(self, sub: Subschema, value: Any, instance: Any, scope: Scope) -> bool:
        return not isinstance(instance, str) or re.search(value, instance) is not None

    def minimum_(self, sub: Subschema, value: Any, instance: Any, scope: Scope) -> bool:
        return not self.type_(sub, "number", instance, scope) or instance >= value

    def maximum_(self, sub: Subschema, value: Any, instance: Any, scope: Scope) -> bool:
        return not self.type_(sub, "number", instance, scope) or instance <= value

    def minItems_(self, sub: Subschema, value: Any, instance: Any, scope: Scope) -> bool:
        return not isinstance(instance, list) or len(instance) >= value

    def maxItems_(self, sub: Subschema, value: Any, instance: Any, scope: Scope) -> bool:
        return not isinstance(instance, list) or len(instance) <= value

    def required_(self, sub: Subschema, value: Any, instance: Any, scope: Scope) -> bool:
        return not isinstance(instance, dict) or all(name in instance for name in value)

    def dependencies_(self, sub: Subschema, value: Any, instance: Any, scope: Scope) -> bool:
        return not isinstance(instance, dict) or all(
            set(then) <= instance.keys() if isinstance(then, list) else self.below(sub, scope, instance, keyword, name)
            for keyword in ("dependencies", "dependentSchemas", "dependentRequired")
            if sub.get(keyword) is value
            for name, then in value.items()
            if name in instance
        )

    dependentSchemas_ = dependentRequired_ = dependencies_

    def properties_(self, sub: Subschema, value: Any, instance: Any, scope: Scope) -> bool:
        return not isinstance(instance, dict) or all(
            self.below(sub, scope, instance[name], "properties", name) for name in value if name in instance
        )

    def additionalProperties_(self, sub: Subschema, value: Any, instance: Any, scope: Scope) -> bool:
        assert "patternProperties" not in sub, "no file on references has both"
        declared: Any = sub.get("properties") or {}
        return not isinstance(instance, dict) or all(
            self.below(sub, scope, member, "additionalProperties")
            for name, member in instance.items()
            if name not in declared
        )

    def propertyNames_(self, sub: Subschema, value: Any, instance: Any, scope: Scope) -> bool:
        return not isinstance(instance, dict) or all(self.below(sub, scope, name, "propertyNames") for name in instance)

    def prefixItems_(self, sub: Subschema, value: Any, instance: Any, scope: Scope) -> bool:
        pairs = zip(range(len(value)), instance if isinstance(instance, list) else (), strict=False)
        return all(self.below(sub, scope, item, "prefixItems", index) for index, item in pairs)

    def items_(self, sub: Subschema, value: Any, instance: Any, scope: Scope) -> bool:
        items = instance if isinstance(instance, list) else []
        if isinstance(value, list):
            return all(self.below(sub, scope, item, "items", at) for at, item in enumerate(items[: len(value)]))
        prefix: Any = sub.get("prefixItems") or []
        return all(self.below(sub, scope, item, "items") for item in items[len(prefix) :])

    def allOf_(self, sub: Subschema, value: Any, instance: Any, scope: Scope) -> bool:
        return all(self.below(sub, scope, instance, "allOf", index) for index in range(len(value)))

    def anyOf_(self, sub: Subschema, value: Any, instance: Any, scope: Scope) -> bool:
        return any(self.below(sub, scope, instance, "anyOf", index) for index in range(len(value)))

    def oneOf_(self, sub: Subschema, value: Any, instance: Any, scope: Scope) -> bool:
        return sum(self.below(sub, scope, instance, "oneOf", index) for index in range(len(value))) == 1

    def not_(self, sub: Subschema, value: Any, instance: Any, scope: Scope) -> bool:
        return not self.below(sub, scope, instance, "not")

    def if_(self, sub: Subschema, value: Any, instance: Any, scope: Scope) -> bool:
        branch = "then" if self.below(sub, scope, instance, "if") else "else"
        return branch not in sub or self.below(sub, scope, instance, branch)


def judge(dialect: str, case: Any) -> Documents:
    return Documents(case["schema"], default_dialect=dialect, documents=REMOTES)


@pytest.mark.parametrize(("dialect", "case"), CASES)
def test_instances_are_judged_as_the_suite_says(dialect: str, case: Any) -> None:
    documents = judge(dialect, case)
    for test in case["tests"]:
        assert Evaluator(documents).holds(documents.root, test["data"]) == test["valid"], test["description"]


# In draft 4 the library takes no boolean, not even below additionalProperties.
@pytest.mark.parametrize(("dialect", "case"), [case for case in CASES if case.values[0] != "draft4"])
def test_references_lead_where_the_referencing_library_leads(dialect: str, case: Any) -> None:
    documents = judge(dialect, case)
    specification = specification_with(DIALECTS[dialect].uri)

    def resource(contents: Any) -> Resource[Any]:
        return Resource.from_contents(contents, default_specification=specification)

    known: Registry[Any] = REGISTRY.with_resources((uri, resource(contents)) for uri, contents in REMOTES.items())
    todo = [(documents.root, known.resolver_with_root(resource(case["schema"])))]
    seen = set()
    while todo:
        sub, resolver = todo.pop()
        if sub in seen or isinstance(sub.value, bool):
            continue
        seen.add(sub)
        if isinstance(written := sub.get("$ref"), str):
            expected, target = resolver.lookup(written), documents.reference(sub)
            assert target.value == expected.contents, written
            todo.append((target, expected.resolver))
        for tokens, value in subschemas_of(sub.value, sub.dialect):
            todo.append((documents.child(sub, *tokens), resolver.in_subresource(resource(value))))

"""The object and array shapes of a conjunction: its branches laid out, or the few values it can have."""

from __future__ import annotations

from collections.abc import Mapping

from schema2gbnf.semantics import arrays, objects
from schema2gbnf.semantics.branches import branches
from schema2gbnf.semantics.formula import Conjunction, JsonType, ValueIn, json_type
from schema2gbnf.semantics.holds import holds
from schema2gbnf.semantics.meaning import Meaning
from schema2gbnf.semantics.shapes import Shape, ValueShape

LAYOUTS: Mapping[JsonType, type[objects.Layout] | type[arrays.Layout]] = {
    "object": objects.Layout,
    "array": arrays.Layout,
}


def shapes(meaning: Meaning, conjunction: Conjunction, kind: JsonType) -> tuple[Shape, ...]:
    """The alternatives of a conjunction as an object or array; those that contradict themselves are left out.

    Where a `const` or `enum` is demanded, its values are asked whether they meet all demands: exact whatever else is
    demanded.
    """
    if kind not in meaning.types(conjunction):
        return ()
    found = meaning.shapes.get((conjunction, kind))
    if found is None:
        found = meaning.shapes[conjunction, kind] = tuple(_shapes(meaning, conjunction, kind))
    return found


def _shapes(meaning: Meaning, conjunction: Conjunction, kind: JsonType) -> dict[Shape, None]:
    found: dict[Shape, None] = {}
    for branch in branches(meaning, conjunction, kind):
        values = next((fact.assertion for fact in branch.facts if isinstance(fact.assertion, ValueIn)), None)
        if values is not None:
            listed = [value for value in values.values if json_type(value.value) == kind]
            met = (ValueShape(value) for value in listed if holds(meaning, conjunction, value.value))
            found.update(dict.fromkeys(met))
        elif (shape := LAYOUTS[kind](meaning, branch).shape()) is not None:
            found[shape] = None
    return found

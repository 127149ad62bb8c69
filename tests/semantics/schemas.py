"""Random schemas over all keywords of a dialect, and random values that have to do with them.

Everything comes from one seeded `random.Random`, so a seed names a schema and its values for good. Names and values
are few, so that keywords meet: the same member under `properties` and a pattern, overlapping branches, negations.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from decimal import Decimal
from random import Random
from typing import Any

Json = Any
Schema = Any

DIALECTS = {
    "draft4": "http://json-schema.org/draft-04/schema#",
    "draft6": "http://json-schema.org/draft-06/schema#",
    "draft7": "http://json-schema.org/draft-07/schema#",
    "draft2019-09": "https://json-schema.org/draft/2019-09/schema",
    "draft2020-12": "https://json-schema.org/draft/2020-12/schema",
}
ORDER = list(DIALECTS)

NAMES = ["a", "a", "a", "a", "b", "b", "b", "aa", "aa", "", "é", 'a"b', "a/~b"]
TYPES = ["null", "boolean", "integer", "number", "string", "array", "object"]
PATTERNS = ["a", "^a", "b$", "^(a|b)$", "^a+$", "^.{2}$", "[^a]", "^$", "^a?b?$", "é", '"', "^[0-9]+$", "^(?!a)"]
NUMBERS: list[Json] = [0, 1, 2, 3, 7, -1, 10, 1.0, 0.1, 0.5, 2.5, -2.5, 1.5, 100]
STRINGS = ["", "a", "b", "aa", "ab", "aab", "é", 'a"b', "12", "2020-02-29", "127.0.0.1", "\\", "a\n"]
SCALARS: list[Json] = [None, True, False, *NUMBERS, *STRINGS]
FORMATS = {"ipv4": "draft4", "date": "draft7", "uuid": "draft2019-09"}
"""A format and the first dialect that knows it."""
UUID = "2eb8aa08-aa98-11ea-b4aa-73b441d16380"

SCALAR_KEYWORDS = "type enum const number multiple length pattern format"
OBJECT_KEYWORDS = (
    "properties properties properties patterns additional required required names counts dependent_names"
    " dependent_schemas unevaluated_properties"
)
ARRAY_KEYWORDS = "items items prefix prefix item_counts contains contains unique unevaluated_items"
BRANCHING_KEYWORDS = "all_of any_of any_of one_of one_of negation negation negation condition reference reference"


class SchemaMaker:
    """Random schemas of one dialect."""

    def __init__(self, random: Random, dialect: str) -> None:
        self.random = random
        self.dialect = dialect
        self.definitions = random.choice([0, 0, 1, 2])
        words = f"{OBJECT_KEYWORDS} {ARRAY_KEYWORDS} {BRANCHING_KEYWORDS} {SCALAR_KEYWORDS}".split()
        self.focus = set(random.sample(words, 7)) if random.random() < 0.5 else set(words)
        """The kinds of keywords there are at all; few, so that they meet each other often."""
        self.all_names = random.sample(NAMES, 3) if random.random() < 0.4 else NAMES
        self.anchored = self.since("draft2019-09") and random.random() < 0.15
        self.resources = {i for i in range(self.definitions) if self.anchored and random.random() < 0.5}
        """Definitions that are schema resources of their own, with an `$id`."""
        self.defining = -1
        """Index of the definition being made; one may apply only later ones to the same value."""

    def since(self, dialect: str) -> bool:
        return ORDER.index(self.dialect) >= ORDER.index(dialect)

    @property
    def definitions_keyword(self) -> str:
        return "$defs" if self.since("draft2019-09") else "definitions"

    def schema(self) -> Schema:
        """A whole schema: `$schema`, keywords, definitions."""
        root: Schema = {"$schema": DIALECTS[self.dialect]}
        if self.anchored:
            root |= self.anchor()
        root |= self.keywords(self.random.choice([1, 1, 2, 2, 3]), inner=False)
        if self.definitions:
            made = {}
            for index in range(self.definitions):
                self.defining = index
                own = {"$id": f"r{index}", **self.anchor()} if index in self.resources else {}
                made[f"d{index}"] = {**own, **self.keywords(2, inner=False)}
            root[self.definitions_keyword] = made
        return root

    def anchor(self) -> Schema:
        if self.dialect == "draft2019-09":
            return {"$recursiveAnchor": self.random.random() < 0.8}
        return {"$dynamicAnchor": "node"}

    def subschema(self, depth: int, inner: bool = True) -> Schema:
        """A schema below another: of a member or item (`inner`), or applied to the same value."""
        if self.since("draft6") and self.random.random() < 0.08:
            return self.random.random() < 0.6
        if self.random.random() < 0.06:
            return {}
        return self.keywords(depth, inner)

    def keywords(self, depth: int, inner: bool) -> Schema:
        """An object of some keywords, most of them about the same type."""
        theme = self.random.choice(["scalar", "object", "object", "array", "branching", "any"])
        if depth > 1 and theme == "scalar":
            theme = "object"
        if depth <= 0:
            theme = "scalar"
        pools = {"scalar": SCALAR_KEYWORDS, "object": OBJECT_KEYWORDS, "array": ARRAY_KEYWORDS}
        pool = {"branching": BRANCHING_KEYWORDS, "any": " ".join([*pools.values(), BRANCHING_KEYWORDS])}
        words = (pools | pool)[theme].split()
        words = [word for word in words if word in self.focus] or words
        found: Schema = {}
        if theme in ("object", "array") and self.random.random() < 0.4:
            found["type"] = theme
        for _ in range(self.random.choice([1, 1, 2, 2, 3, 4] if depth > 0 else [1, 1, 2])):
            found |= getattr(self, self.random.choice(words))(depth - 1, inner)
        if depth > 0 and theme in ("object", "array") and self.random.random() < 0.35:
            found |= getattr(self, self.random.choice(BRANCHING_KEYWORDS.split()))(depth - 1, inner)
        if self.definitions and self.random.random() < 0.2:
            found |= self.reference(depth - 1, inner)
        items = list(found.items())
        self.random.shuffle(items)
        return dict(items)

    def some(self, make: Callable[[], Schema], low: int = 1, high: int = 3) -> list[Schema]:
        return [make() for _ in range(self.random.randint(low, high))]

    def some_names(self) -> list[str]:
        return list(dict.fromkeys(self.some(lambda: self.random.choice(self.all_names))))

    def count(self) -> int:
        return self.random.choice([0, 1, 1, 2, 2, 3])

    # -- scalars and values --------------------------------------------------------------------------------------------

    def type(self, depth: int, inner: bool) -> Schema:
        names = list(dict.fromkeys(self.some(lambda: self.random.choice(TYPES))))
        return {"type": names if len(names) > 1 or self.random.random() < 0.2 else names[0]}

    def value(self, depth: int = 2) -> Json:
        mood = self.random.random()
        if depth == 0 or mood < 0.6:
            return self.random.choice(SCALARS)
        if mood < 0.8:
            return self.some(lambda: self.value(depth - 1), 0, 3)
        return {name: self.value(depth - 1) for name in self.some(lambda: self.random.choice(self.all_names), 0, 3)}

    def enum(self, depth: int, inner: bool) -> Schema:
        values = self.some(self.value, 1, 4)
        return {"enum": [v for i, v in enumerate(values) if not any(same(v, w) for w in values[:i])]}

    def const(self, depth: int, inner: bool) -> Schema:
        return {"const": self.value()} if self.since("draft6") else self.enum(depth, inner)

    def number(self, depth: int, inner: bool) -> Schema:
        keyword = self.random.choice(["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"])
        bound = self.random.choice(NUMBERS)
        if keyword.startswith("exclusive") and self.dialect == "draft4":
            return {keyword.removeprefix("exclusive").lower(): bound, keyword: self.random.random() < 0.7}
        return {keyword: bound}

    def multiple(self, depth: int, inner: bool) -> Schema:
        return {"multipleOf": self.random.choice([0.1, 2.5, 7, 1, 2, 0.5])}

    def length(self, depth: int, inner: bool) -> Schema:
        return {self.random.choice(["minLength", "maxLength"]): self.count()}

    def pattern(self, depth: int, inner: bool) -> Schema:
        return {"pattern": self.random.choice(PATTERNS)}

    def format(self, depth: int, inner: bool) -> Schema:
        return {"format": self.random.choice([name for name, first in FORMATS.items() if self.since(first)])}

    # -- objects -------------------------------------------------------------------------------------------------------

    def properties(self, depth: int, inner: bool) -> Schema:
        return {"properties": {name: self.subschema(depth) for name in self.some_names()}}

    def patterns(self, depth: int, inner: bool) -> Schema:
        patterns = self.some(lambda: self.random.choice(PATTERNS), 1, 2)
        return {"patternProperties": {pattern: self.subschema(depth) for pattern in patterns}}

    def additional(self, depth: int, inner: bool) -> Schema:
        closed = self.random.random() < 0.4
        return {"additionalProperties": False if closed else self.subschema(depth)}

    def required(self, depth: int, inner: bool) -> Schema:
        return {"required": self.some_names()}

    def names(self, depth: int, inner: bool) -> Schema:
        if not self.since("draft6"):
            return self.required(depth, inner)
        words = self.random.choice(["length", "pattern", "enum", "negation"])
        return {"propertyNames": {"enum": self.some_names()} if words == "enum" else getattr(self, words)(0, True)}

    def counts(self, depth: int, inner: bool) -> Schema:
        return {self.random.choice(["minProperties", "maxProperties"]): self.count()}

    def dependent_names(self, depth: int, inner: bool) -> Schema:
        keyword = "dependentRequired" if self.since("draft2019-09") else "dependencies"
        return {keyword: {name: self.some_names() for name in self.some_names()[:2]}}

    def dependent_schemas(self, depth: int, inner: bool) -> Schema:
        keyword = "dependentSchemas" if self.since("draft2019-09") else "dependencies"
        return {keyword: {name: self.subschema(depth, False) for name in self.some_names()[:2]}}

    def unevaluated_properties(self, depth: int, inner: bool) -> Schema:
        if not self.since("draft2019-09"):
            return self.properties(depth, inner)
        value = False if self.random.random() < 0.5 else self.subschema(depth)
        return {
            "unevaluatedProperties": value,
            **getattr(self, self.random.choice(["properties", "any_of"]))(depth, inner),
        }

    # -- arrays --------------------------------------------------------------------------------------------------------

    def items(self, depth: int, inner: bool) -> Schema:
        return {"items": self.subschema(depth)}

    def prefix(self, depth: int, inner: bool) -> Schema:
        prefix = self.some(lambda: self.subschema(depth), 1, 2)
        if self.since("draft2020-12"):
            return {"prefixItems": prefix}
        rest = {"additionalItems": self.subschema(depth)} if self.random.random() < 0.5 else {}
        return {"items": prefix, **rest}

    def item_counts(self, depth: int, inner: bool) -> Schema:
        return {self.random.choice(["minItems", "maxItems"]): self.count()}

    def contains(self, depth: int, inner: bool) -> Schema:
        if not self.since("draft6"):
            return self.items(depth, inner)
        found: Schema = {"contains": self.subschema(depth)}
        if self.since("draft2019-09") and self.random.random() < 0.6:
            found[self.random.choice(["minContains", "maxContains"])] = self.count()
        return found

    def unique(self, depth: int, inner: bool) -> Schema:
        kept = {"items": self.enum(depth, inner)} if self.random.random() < 0.8 else {}
        return {"uniqueItems": self.random.random() < 0.9, **kept}

    def unevaluated_items(self, depth: int, inner: bool) -> Schema:
        if not self.since("draft2019-09"):
            return self.prefix(depth, inner)
        value = False if self.random.random() < 0.5 else self.subschema(depth)
        more = getattr(self, self.random.choice(["prefix", "contains", "any_of"]))(depth, inner)
        return {"unevaluatedItems": value, **more}

    # -- applicators to the same value ---------------------------------------------------------------------------------

    def all_of(self, depth: int, inner: bool) -> Schema:
        return {"allOf": self.some(lambda: self.subschema(depth, False), 1, 2)}

    def any_of(self, depth: int, inner: bool) -> Schema:
        return {"anyOf": self.some(lambda: self.subschema(depth, False), 1, 3)}

    def one_of(self, depth: int, inner: bool) -> Schema:
        most = 9 if self.random.random() < 0.1 else 3
        return {"oneOf": self.some(lambda: self.subschema(depth if most == 3 else 0, False), 1, most)}

    def negation(self, depth: int, inner: bool) -> Schema:
        return {"not": self.subschema(depth, False)}

    def condition(self, depth: int, inner: bool) -> Schema:
        if not self.since("draft7"):
            return self.one_of(depth, inner)
        branches = self.random.choice([["then"], ["else"], ["then", "else"], []])
        return {"if": self.subschema(depth, False), **{name: self.subschema(depth, False) for name in branches}}

    def reference(self, depth: int, inner: bool) -> Schema:
        within = self.defining in self.resources
        if inner and self.anchored and self.random.random() < 0.5:
            return {"$recursiveRef": "#"} if self.dialect == "draft2019-09" else {"$dynamicRef": "#node"}
        first = 0 if inner else self.defining + 1
        targets = [
            f"r{index}" if index in self.resources else f"#/{self.definitions_keyword}/d{index}"
            for index in range(first, self.definitions)
            if index in self.resources or not within  # a pointer would start at the resource
        ]
        if inner:
            targets.append("#")
        return {"$ref": self.random.choice(targets)} if targets else self.negation(depth, inner)


# -- values ------------------------------------------------------------------------------------------------------------


def mentioned(schema: Schema) -> tuple[list[str], list[Json]]:
    """The names and the values that a schema speaks of, with numbers and texts next to them."""
    names: dict[str, None] = {}
    values: list[Json] = []

    def visit(value: Schema) -> None:
        if isinstance(value, list):
            for each in value:
                visit(each)
        if not isinstance(value, dict):
            return
        for keyword, each in value.items():
            if keyword in ("properties", "dependentRequired", "dependentSchemas", "dependencies"):
                names.update(dict.fromkeys(each))
            if keyword == "required":
                names.update(dict.fromkeys(each))
            if keyword in ("enum", "const"):
                values.extend(each if keyword == "enum" else [each])
            elif keyword != "$schema":
                if isinstance(each, int | float) and not isinstance(each, bool):
                    values.extend([each, each + 1, each - 1, round(each + 0.1, 3)])
                visit(each)

    visit(schema)
    return [name for name in names if isinstance(name, str)], values


class ValueMaker:
    """Random values that have to do with a schema."""

    def __init__(self, random: Random, schema: Schema) -> None:
        self.random = random
        names, self.values = mentioned(schema)
        self.names = [*names, *names, *NAMES, "zz"]
        self.schema = schema

    def value(self) -> Json:
        """Any value, or one that follows the schema some way."""
        return self.fitting(self.schema, 4) if self.random.random() < 0.6 else self.any_value(3)

    def any_value(self, depth: int) -> Json:
        mood = self.random.random()
        if depth == 0 or mood < 0.3:
            return self.scalar()
        if mood < 0.4 and self.values:
            return self.random.choice(self.values)
        if mood < 0.6:
            items = [self.any_value(depth - 1) for _ in range(self.random.choice([0, 1, 1, 2, 2, 3, 4]))]
            if items and self.random.random() < 0.3:
                items.append(self.random.choice(items))
            return items
        names = [self.random.choice(self.names) for _ in range(self.random.choice([0, 1, 1, 2, 2, 3, 4]))]
        return {name: self.any_value(depth - 1) for name in names}

    def fitting(self, schema: Schema, depth: int) -> Json:
        """A value that heeds some of the keywords: the structure they draw, not all that they forbid."""
        if not isinstance(schema, dict) or depth == 0:
            return self.any_value(max(depth - 1, 0))
        listed = schema.get("enum", [schema["const"]] if "const" in schema else [])
        if listed and self.random.random() < 0.8:
            return self.random.choice(listed)
        branches = [branch for word in ("allOf", "anyOf", "oneOf") for branch in schema.get(word, [])]
        branches += [schema[word] for word in ("not", "if", "then", "else") if word in schema]
        for groups in (schema.get("dependentSchemas", {}), schema.get("dependencies", {})):
            branches += [group for group in groups.values() if isinstance(group, dict)]
        if "$ref" in schema:
            branches += [self.target(schema["$ref"])] * 2
        if branches and self.random.random() < 0.5:
            chosen = self.random.choice(branches)
            own = {keyword: value for keyword, value in schema.items() if keyword not in ("$ref", "not")}
            return self.fitting({**own, **chosen} if isinstance(chosen, dict) else own, depth - 1)
        types = schema.get("type", [])
        types = [types] if isinstance(types, str) else list(types)
        if not types and any("ropert" in word or word in ("required", "dependentRequired") for word in schema):
            types = ["object"]
        if not types and any("tems" in word or word == "contains" for word in schema):
            types = ["array"]
        match self.random.choice(types or [""]):
            case "object":
                return self.fitting_object(schema, depth - 1)
            case "array":
                return self.fitting_array(schema, depth - 1)
            case _:
                return self.any_value(depth - 1)

    def target(self, reference: str) -> Schema:
        if reference.startswith("r"):
            reference = f"#/$defs/d{reference[1:]}"
        found = self.schema
        for token in reference.split("/")[1:]:
            found = found[token]
        return found

    def fitting_object(self, schema: Schema, depth: int) -> Json:
        declared = schema.get("properties", {})
        rest = schema.get("additionalProperties", schema.get("unevaluatedProperties"))
        patterns = list(schema.get("patternProperties", {}).values())
        names = [*schema.get("required", []), *(name for name in declared if self.random.random() < 0.6)]
        most = schema.get("maxProperties", 4)
        if rest is not False or patterns:
            names += [self.random.choice(self.names) for _ in range(self.random.choice([0, 0, 1, 2]))]
        while len(set(names)) < schema.get("minProperties", 0) and len(names) < 8:
            names.append(self.random.choice(self.names))
        found = {}
        for name in list(dict.fromkeys(names))[:most]:
            meant = [declared[name]] if name in declared else []
            meant += patterns if patterns and (not meant or self.random.random() < 0.5) else []
            found[name] = self.fitting(self.random.choice(meant or [rest]), depth)
        items = list(found.items())
        self.random.shuffle(items)
        return dict(items)

    def fitting_array(self, schema: Schema, depth: int) -> Json:
        items = schema.get("items")
        prefix = schema.get("prefixItems", items if isinstance(items, list) else [])
        rest = schema.get("additionalItems") if isinstance(items, list) else items
        length = schema.get("minItems", 0) + self.random.choice([0, 1, 1, 2, 3])
        found = [self.fitting([*prefix, rest][min(place, len(prefix))], depth) for place in range(length)]
        for _ in range(self.random.randint(0, 2) if "contains" in schema else 0):
            found.insert(self.random.randint(0, len(found)), self.fitting(schema["contains"], depth))
        return found[: schema.get("maxItems", 5)]

    def scalar(self) -> Json:
        mood = self.random.random()
        if mood < 0.1:
            return self.random.choice(
                [UUID, 14, 21, 2.0, 0.3, 5, 7.5, -7, -0.0, 1e-7, 1e22, 10**25, "😀", "\0", "\x7f"]
            )
        scalars = [value for value in self.values if not isinstance(value, list | dict)]
        return self.random.choice(scalars if scalars and mood < 0.35 else SCALARS)

    def mutated(self, value: Json) -> Json:
        """The value with one thing changed, somewhere."""
        if isinstance(value, dict) and value and self.random.random() < 0.8:
            name = self.random.choice(list(value))
            others = {key: member for key, member in value.items() if key != name}
            match self.random.randrange(4):
                case 0:
                    return others
                case 1:
                    return {**value, self.random.choice(self.names): self.any_value(1)}
                case 2:
                    return {**others, name: value[name]}
                case _:
                    return {**value, name: self.mutated(value[name])}
        if isinstance(value, list) and value and self.random.random() < 0.8:
            place = self.random.randrange(len(value))
            match self.random.randrange(5):
                case 0:
                    return [*value[:place], *value[place + 1 :]]
                case 1:
                    return [*value, self.any_value(1)]
                case 2:
                    return [*value, value[place]]
                case _:
                    return [*value[:place], self.mutated(value[place]), *value[place + 1 :]]
        if isinstance(value, int | Decimal) and not isinstance(value, bool) and abs(value) < 1_000_000:
            return value + self.random.choice([1, -1, 0, Decimal("0.5"), Decimal("0.1"), Decimal("1.0")])
        if isinstance(value, str) and self.random.random() < 0.7:
            return self.random.choice([value[1:], value + "a", value + "é", value[:1]])
        return self.any_value(2)


# -- texts -------------------------------------------------------------------------------------------------------------


def spell(value: Json) -> str:
    """The compact text of a value, members in their own order; a decimal as it is."""
    match value:
        case Decimal():
            return str(value)
        case dict():
            return "{" + ",".join(f"{spell(name)}:{spell(member)}" for name, member in value.items()) + "}"
        case list():
            return "[" + ",".join(map(spell, value)) + "]"
        case _:
            return json.dumps(value, ensure_ascii=False)


def same(left: Json, right: Json) -> bool:
    """Whether two values are equal as JSON: true is not 1, 1 is 1.0."""
    if isinstance(left, bool) or isinstance(right, bool):
        return left is right
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(map(same, left, right))
    if isinstance(left, dict) and isinstance(right, dict):
        return left.keys() == right.keys() and all(same(left[name], right[name]) for name in left)
    return bool(left == right)


def orders(value: Json, random: Random) -> Iterator[Json]:
    """The value as it is, then with the members of all its objects the other way round, then shuffled."""

    def arranged(value: Json, arrange: Callable[[list[Any]], list[Any]]) -> Json:
        if isinstance(value, dict):
            return {name: arranged(member, arrange) for name, member in arrange(list(value.items()))}
        return [arranged(item, arrange) for item in value] if isinstance(value, list) else value

    yield value
    yield arranged(value, lambda members: members[::-1])
    for _ in range(3):
        yield arranged(value, lambda members: random.sample(members, len(members)))

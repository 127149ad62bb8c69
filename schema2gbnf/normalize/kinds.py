"""The kinds of events, each with what it means: the table that the command line, the tests and the README share.

Keywords that a back end skips or refuses are kinds of their own, named as the keyword.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from schema2gbnf.normalize.reading import CONSTRAINTS

KINDS: Mapping[str, str] = MappingProxyType(
    {
        "additional-closed": "additionalProperties that nothing meets becomes false",
        "additional-names": "additional names may come out malformed, or not at all",
        "allof-merged": "the members of allOf are intersected",
        "annotation-dropped": "an annotation has references of its own",
        "any-expanded": "a schema that says nothing gets the list of all types",
        "bound-dropped": "a bound of integers is wider than the back end counts",
        "bounds-rounded": "a fractional bound of integers is rounded",
        "closed-object": "the back end takes an object for closed that is not",
        "const-to-enum": "const is written as enum",
        "def-hoisted": "a schema that is referred to becomes a definition",
        "def-renamed": "a definition gets a name that pointers and rules can have",
        "dialect-modernized": "a keyword is spelled as 2020-12 has it",
        "duplicate-branch-dropped": "anyOf has a branch twice",
        "dynamic-ref-dropped": "a dynamic reference has several targets",
        "empty-array-spelled": "maxItems: 0 is written as a value",
        "enum-filtered": "values are dropped that other keywords refuse",
        "escaped-characters": "the back end refuses escapes in strings of counted length",
        "format-approximated": "the back end's format is not quite the standard's",
        "integer-range": "the back end reads a bound of integers wrongly",
        "invalid-schema": "not a schema",
        "irrelevant-dropped": "a keyword says nothing here",
        "items-declared": "counted items get a schema",
        "limit-exceeded": "the schema is too large or too deep",
        "member-order": "members come in one order only",
        "never-branch-dropped": "a branch that nothing meets is dropped",
        "never-property-dropped": "a property that nothing meets is dropped",
        "nullable-expanded": "nullable becomes a type",
        "number-digits": "the back end caps the digits of numbers",
        "number-range": "the back end has bounds for integers only",
        "one-spelling": "a constant is accepted in one spelling",
        "oneof-exclusive": "oneOf is read as anyOf, and branches may overlap",
        "oneof-to-anyof": "oneOf becomes anyOf",
        "open-object": "the back end wants objects closed",
        "opened-object": "additionalProperties: true is written out",
        "optional-property": "the back end wants all members required",
        "pattern-dropped": "a pattern that the back end does not read",
        "pattern-rewritten": "a pattern is spelled more simply",
        "ref-cycle-only": "references lead only to each other",
        "ref-dangling": "a reference leads nowhere",
        "ref-inlined": "a reference is replaced by what it leads to",
        "ref-remote": "a reference leads to a document that is not known",
        "ref-repaired": "a reference to a collapsed union is guessed",
        "ref-rewritten": "a reference becomes a plain pointer",
        "ref-siblings-dropped": "an old dialect hides what stands beside $ref",
        "repetition-dropped": "a count beyond what the back end counts",
        "required-declared": "a required name gets an entry in properties",
        "root-ref-inlined": "the reference at the root of a tool is replaced",
        "root-typed": "the root of a tool becomes an object",
        "root-union": "the back end may see a tool without arguments",
        "tuple-closed": "a tuple is closed by maxItems",
        "tuple-fixed-length": "the back end fixes the length of a tuple",
        "type-alias": "the name of a type in another language",
        "type-implied": "the back end assumes a type that is not written",
        "type-narrowed": "a type is dropped whose keywords contradict each other",
        "unevaluated-resolved": "an unevaluated… keyword is written as a plain one",
        "types-split": "a list of types becomes a union",
        "union-collapsed": "a union of one branch is replaced by it",
        "union-distributed": "what stands beside a union is taken into its branches",
        "union-flattened": "a union in a union is spliced",
        "union-product": "several unions are multiplied",
        "union-product-capped": "a product of unions would be too large",
        "union-siblings": "the schema would grow too much if it were merged",
        "unsatisfiable": "no value is valid",
        "unused-def-dropped": "a definition that nothing refers to",
    }
)


def is_kind(name: str) -> bool:
    """Whether an event can be of this kind."""
    return name in KINDS or name in CONSTRAINTS

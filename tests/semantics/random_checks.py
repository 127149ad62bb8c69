"""What must be true of a compiled schema, checked on many values against the judges: the claims of the random tests."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

from schema2gbnf import (
    Limits,
    Result,
    SchemaError,
    UnsatisfiableSchemaError,
    UnsupportedSchemaError,
    compile_schema,
)
from schema2gbnf.gbnf.match import Matcher
from schema2gbnf.gbnf.sample import samples
from schema2gbnf.semantics.holds import holds
from tests.semantics.judges import Judge, RepeatedNameError, read
from tests.semantics.schemas import ORDER, Json, Schema, SchemaMaker, ValueMaker, mentioned, orders, spell

SECONDS = 5.0
"""What one schema may take to compile, its texts aside."""

LONG_NUMBER = re.compile(r"[0-9]{30}|[0-9]E")
"""Numbers beyond the digits that a grammar's numbers have."""

DEEPEST = 10
"""Nesting of texts that are tried. Where an item is read in two ways until it ends, each level doubles what any reader
keeps in mind, and so do validators on recursive schemas."""


@dataclass(frozen=True)
class Failure:
    """A claim that does not hold."""

    kind: str
    schema: Schema
    options: str
    text: str
    what: str

    def __str__(self) -> str:
        return f"{self.kind}: {json.dumps(self.schema, ensure_ascii=False)} [{self.options}] {self.text} {self.what}"


@dataclass
class Case:
    """One schema with its judge, the texts to try, and what went wrong."""

    schema: Schema
    dialect: str
    random: Random
    values: int = 45
    sentences: int = 15

    def __post_init__(self) -> None:
        self.failures: list[Failure] = []
        self.judge = Judge(self.schema, self.dialect)
        self.verdicts: dict[str, bool | None] = {}
        self.lists_objects = any("," in text for text in map(spell, mentioned(self.schema)[1]) if "{" in text)
        """Whether `const` or `enum` holds an object of several members, which keep their order."""

    def fail(self, kind: str, options: str, text: str = "", what: object = "") -> None:
        self.failures.append(Failure(kind, self.schema, options, text, str(what)))

    def verdict(self, text: str) -> bool | None:
        if text not in self.verdicts:
            try:
                self.verdicts[text] = self.judge(text)
            except RecursionError:
                self.verdicts[text] = None
        return self.verdicts[text]

    # -- compiling -----------------------------------------------------------------------------------------------------

    def compile(self, **options: Any) -> Result | SchemaError | None:
        described = " ".join(f"{name}={value}" for name, value in options.items())
        started = time.monotonic()
        try:
            return compile_schema(self.schema, **options)
        except SchemaError as error:
            return error
        except Exception as error:
            self.fail("crash", described, what=f"{type(error).__name__}: {error}")
            return None
        finally:
            if (spent := time.monotonic() - started) > SECONDS:
                self.fail("slow", described, what=f"{spent:.1f} s")

    def run(self) -> list[Failure]:
        maker = ValueMaker(self.random, self.schema)
        strict = self.compile(strict=True, additional_properties="spec", whitespace="compact")
        lenient = self.compile(additional_properties="spec", whitespace="compact")
        if isinstance(strict, Result):
            if isinstance(lenient, Result) and lenient.gbnf != strict.gbnf:
                self.fail("lenient differs from strict", "")
            self.check_result(strict, maker, "strict")
        elif isinstance(lenient, Result):
            self.check_result(lenient, maker, "lenient")
            if lenient.exact:
                self.fail("strict refuses what is exact", "", what=strict)
        for each in (strict, lenient):
            if isinstance(each, UnsatisfiableSchemaError):
                self.check_unsatisfiable(each, maker)
            elif isinstance(each, SchemaError) and not (
                isinstance(each, UnsupportedSchemaError) or self.circular(maker)
            ):
                self.fail("refused", "", what=f"{type(each).__name__}: {each}")
        if isinstance(lenient, UnsupportedSchemaError):
            self.fail("lenient unsupported", "", what=lenient)
        void = isinstance(lenient, UnsatisfiableSchemaError)
        self.check_options(
            maker,
            void,
            additional_properties=self.random.choice(["closed", "spec"]),
            whitespace=self.random.choice(["compact", "spaced", "flexible", "any"]),
            order=self.random.choice(["declared", "any"]),
        )
        self.check_options(maker, void, additional_properties="spec", whitespace="compact", limits=tight(self.random))
        return self.failures

    def circular(self, maker: ValueMaker) -> bool:
        """Whether the validators do not come to an end on the schema."""
        try:
            for _ in range(30):
                self.judge(spell(maker.value()))
        except RecursionError:
            return True
        return False

    def check_unsatisfiable(self, error: SchemaError, maker: ValueMaker) -> None:
        for _ in range(self.values * 2):
            text = spell(maker.value())
            if self.verdict(text):
                self.fail("satisfiable", "", text, error)
                return

    # -- texts ---------------------------------------------------------------------------------------------------------

    def sampled(self, result: Result, count: int, mode: str) -> Iterator[tuple[str, Json]]:
        """Sentences of the grammar with their values."""
        try:
            texts = samples(result.grammar, count, self.random.randrange(1 << 30))
        except ValueError as error:
            self.fail("a rule without text", mode, what=error)
            return
        for text in texts:
            if depth(text) > DEEPEST:
                continue
            try:
                yield text, read(text)
            except RepeatedNameError:
                continue  # the documented exception: undeclared names may come twice
            except ValueError as error:
                self.fail("no JSON", mode, text, error)

    def check_result(self, result: Result, maker: ValueMaker, mode: str) -> None:
        matcher = Matcher(result.grammar)
        values = [maker.value() for _ in range(self.values)]
        for text, value in self.sampled(result, self.sentences, mode):
            if not matcher.accepts(text):
                self.fail("sample refused", mode, text)
            if self.verdict(text) is False and result.exact:
                self.fail("unsound sample", mode, text)
            values.extend([value, maker.mutated(value), maker.mutated(maker.mutated(value))])
        for value in values:
            text = spell(value)
            if depth(text) > DEEPEST:
                continue
            verdict = self.verdict(text)
            if verdict is None:
                continue
            try:
                self.check_value(result, matcher, value, verdict, mode)
            except SchemaError as error:
                self.fail("crash on a value", mode, text, f"{type(error).__name__}: {error}")

    def check_value(self, result: Result, matcher: Matcher, value: Json, verdict: bool, mode: str) -> None:
        text = spell(value)
        held = holds(result._meaning, result._root, value)
        if held != verdict and (verdict or result.exact):
            self.fail("holds is wrong", mode, text, f"it says {held}")
        if verdict:
            try:
                written = result.dumps(value)
            except ValueError as error:
                self.fail("dumps refuses", mode, text, error)
                return
            if self.verdict(written) is not True:
                self.fail("dumps changes", mode, text, written)
            if not matcher.accepts(written) and not excused(result, written):
                self.fail("incomplete", mode, text, written)
            return
        if not result.exact:
            return
        tried = {spell(each) for each in orders(value, self.random)} | {result.dumps(value, check=False)}
        for each in sorted(tried):
            if self.verdict(each) is False and matcher.accepts(each):
                self.fail("unsound", mode, each)

    def check_options(self, maker: ValueMaker, void: bool, **options: Any) -> None:
        """Closed objects, any order, other blanks, tight limits: what is valid is accepted, sentences are valid or the
        report says loosened."""
        mode = " ".join(map(str, options.values()))
        result = self.compile(**options)
        if isinstance(result, SchemaError):
            if not void:
                self.fail("refused only so", mode, what=f"{type(result).__name__}: {result}")
            return
        if result is None:
            return
        matcher = Matcher(result.grammar)
        for text, value in self.sampled(result, self.sentences // 2, mode):
            if self.verdict(text) is False and result.exact:
                self.fail("unsound sample", mode, text)
            self.check_dumps(result, matcher, maker.mutated(value), mode)
        for _ in range(self.values // 3):
            self.check_dumps(result, matcher, maker.value(), mode)

    def check_dumps(self, result: Result, matcher: Matcher, value: Json, mode: str) -> None:
        if not self.verdict(spell(value)):
            return
        try:
            written = result.dumps(value)
        except ValueError as error:
            self.fail("dumps refuses", mode, spell(value), error)
            return
        if not matcher.accepts(written) and not excused(result, written):
            self.fail("incomplete", mode, spell(value), written)
        if mode == "spec compact any" and not self.lists_objects and not excused(result, written):
            for each in map(spell, orders(read(written), self.random)):
                if "E" not in each and not matcher.accepts(each):  # 0.0000001 comes out as 1E-7
                    self.fail("an order is refused", mode, each)


def case(seed: int) -> Case:
    """The schema of a seed, and all that is tried on it."""
    random = Random(seed)
    dialect = random.choice([*ORDER, "draft2020-12", "draft2020-12"])
    return Case(SchemaMaker(random, dialect).schema(), dialect, random)


def depth(text: str) -> int:
    """How deep brackets nest in a text, those in strings not told apart."""
    deepest = now = 0
    for character in text:
        now += (character in "[{") - (character in "]}")
        deepest = max(deepest, now)
    return deepest


def tight(random: Random) -> Limits:
    """Limits that even a small schema exceeds."""
    return Limits(
        nonterminals=random.choice([5, 20, 50_000]),
        branches=random.choice([1, 2, 5, 256]),
        member_states=random.choice([2, 5, 15, 4_000]),
        unique_values=random.choice([1, 3, 8]),
        key_parts=random.choice([1, 2, 4, 128]),
        obligations=random.choice([1, 2, 48]),
    )


def excused(result: Result, text: str) -> bool:
    """Whether a valid text may be refused: the report says so, or it has more digits than a grammar's numbers."""
    return any(finding.kind == "narrowed" for finding in result.findings) or LONG_NUMBER.search(text) is not None

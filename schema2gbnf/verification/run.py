"""The verification of one schema: what is tried, in which order, and how failures are sorted and made small."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field, replace
from itertools import chain, islice
from pathlib import Path
from random import Random
from typing import Any, Literal

from schema2gbnf.api import Result, compile_schema
from schema2gbnf.gbnf import GbnfSyntaxError, Matcher, parse
from schema2gbnf.options import Options
from schema2gbnf.schema.source import load
from schema2gbnf.schema.text import Json
from schema2gbnf.semantics.formula import Obeys
from schema2gbnf.semantics.productivity import closed, explore
from schema2gbnf.verification.drafts import drafts
from schema2gbnf.verification.engines import Engine, EngineDownError, EngineName, GrammarRefusedError
from schema2gbnf.verification.engines.child import LlamaCpp
from schema2gbnf.verification.engines.own import Own
from schema2gbnf.verification.judge import Judge
from schema2gbnf.verification.misses import misses
from schema2gbnf.verification.mutations import Mutations
from schema2gbnf.verification.report import Counterexample, Counts, Kind, Verification
from schema2gbnf.verification.shrinking import smaller_texts, smaller_values, smallest
from schema2gbnf.verification.trial import Failure, Trial
from schema2gbnf.verification.values import Values

Choice = Literal["own", "llama.cpp", "both"]
CHOICES: tuple[Choice, ...] = ("own", "llama.cpp", "both")

Progress = Callable[[int, int], None]
"""Told how many steps are done, and of how many."""

MOST_GROUPS = 20
"""Counterexamples that are made small and told."""


def verify(
    schema: object,
    *,
    grammar: str | None = None,
    samples: int = 100,
    seed: int = 0,
    engine: Choice = "own",
    model: Path | None = None,
    progress: Progress | None = None,
    options: Options | None = None,
    **choices: Any,
) -> Verification:
    """Try a grammar against its schema: the grammar that the schema becomes, or the text of another.

    Forward, `samples` sentences of each engine are validated. Backward, some four times as many values, from the
    meaning of the schema, from its own words and from both changed, must be accepted when they are valid, and refused
    when they are not. `model` is a GGUF file from which llama.cpp draws its sentences, instead of at random. The
    choices of `compile_schema` are those the grammar is for. The same seed tries the same.

    Raises what `compile_schema` raises, and `ModuleNotFoundError` when the validator or the engine is not installed.

    >>> verify({"enum": ["yes", "no"]}, samples=5).ok
    True
    >>> print(verify({"enum": ["yes", "no"]}, grammar='root ::= "\\\\"yes\\\\""', samples=5).counterexamples[0])
    #: enum: the grammar refuses a value that the schema accepts (own)
        "no"
        refused at 'no"'
        and 2 more of the kind
    """
    if engine not in CHOICES:
        raise ValueError(f"engine={engine!r}: choose one of {', '.join(CHOICES)}")
    if samples < 1:
        raise ValueError("samples must be at least 1")
    result = compile_schema(schema, options, **choices)
    chosen = result._meaning.options
    if chosen.raw_pattern:
        raise ValueError("texts with raw patterns are no JSON, so that no validator can judge them")
    source = load(schema, max_depth=chosen.limits.depth, max_bytes=chosen.limits.bytes)
    judge = Judge(source, result._meaning.documents.root.dialect.name, chosen)
    with ExitStack() as stack:
        engines: list[Engine] = []
        if engine != "llama.cpp":
            engines.append(Own())
        if engine != "own":
            engines.append(stack.enter_context(LlamaCpp(model)))
        run = _Run(result, schema, judge, engines, samples, seed, progress or (lambda done, of: None))
        run.everything(result.gbnf if grammar is None else grammar, source.value)
        return run.verification()


def _matcher(engines: Sequence[Engine], gbnf: str) -> Matcher | None:
    """The own matcher on the grammar, which tells where a text is refused."""
    for engine in engines:
        if isinstance(engine, Own):
            return engine.matcher
    with suppress(GbnfSyntaxError, ValueError):
        return Matcher(parse(gbnf))
    return None


@dataclass
class _Group:
    """Failures of one kind at one place."""

    first: Failure
    engines: dict[EngineName, None] = field(default_factory=dict)
    times: int = 0


class _Run:
    def __init__(
        self,
        result: Result,
        schema: object,
        judge: Judge,
        engines: Sequence[Engine],
        samples: int,
        seed: int,
        progress: Progress,
    ) -> None:
        self._result = result
        self._engines = tuple(engines)
        self._names = tuple(engine.name for engine in engines)
        self._samples = samples
        self._seed = seed
        self._progress = progress
        self._random = Random(seed)
        self._trial = Trial(result, schema, judge)
        self._counts: Counter[str] = Counter()
        self._groups: dict[object, _Group] = {}
        self._steps = 0

    # -- what is tried -----------------------------------------------------------------------------------------------

    def everything(self, gbnf: str, schema: Json) -> None:
        self._engines = tuple(engine for engine in self._engines if self._loads(engine, gbnf))
        if not self._engines:
            return
        self._trial.matcher = _matcher(self._engines, gbnf)
        for engine in self._engines:
            self._forward(engine)
        self._backward(schema)

    def _loads(self, engine: Engine, gbnf: str) -> bool:
        try:
            engine.load(gbnf)
        except (GrammarRefusedError, EngineDownError) as error:
            self._broken(error, engine)
            return False
        return True

    def _forward(self, engine: Engine) -> None:
        try:
            for draw in engine.draws(self._samples, self._seed):
                self._step()
                if draw.complete:
                    self._sentence(draw.text, engine)
                else:
                    self._counts["unfinished"] += 1
        except (GrammarRefusedError, EngineDownError) as error:
            self._broken(error, engine)

    def _sentence(self, text: str, engine: Engine) -> None:
        self._counts["sentences"] += 1
        outcome = self._trial.sentence(text)
        if isinstance(outcome, Failure):
            self._fail(outcome, engine)
        elif outcome is not None:
            self._counts[outcome] += 1

    def _broken(self, error: GrammarRefusedError | EngineDownError, engine: Engine, text: str = "") -> None:
        kind: Kind = "grammar refused" if isinstance(error, GrammarRefusedError) else "engine down"
        self._fail(Failure(kind, text, message=str(error)), engine)

    def _backward(self, schema: Json) -> None:
        meaning = self._result._meaning
        root = Obeys(meaning.documents.root, meaning.documents.enter((), meaning.documents.root))
        values = Values(meaning, closed(meaning, explore(meaning, root)), self._random)
        promised = chain(islice(values.edges(), 2 * self._samples), islice(values.full(), self._samples // 2))
        tried = [(value, True) for value in promised]
        tried += [(value, False) for value in islice(misses(values), self._samples)]
        tried += [(value, False) for value in drafts(meaning.documents)]
        mutations = Mutations(schema, self._random)
        sources = [value for value, _ in tried]
        tried += [(mutations.of(self._random.choice(sources)), False) for _ in range(2 * self._samples)]
        for value, is_promised in tried:
            self._step()
            try:
                self._value(value, is_promised)
            except RecursionError:  # so deep that not even its text can be written
                self._counts["unjudged"] += 1

    def _value(self, value: Json, promised: bool) -> None:
        """Ask the engines about a value, whichever way the validator judges it."""
        valid = self._trial.judge.valid(value)
        if valid is None:
            self._counts["unjudged"] += 1
            return
        self._counts["valid" if valid else "invalid"] += 1
        for engine in self._engines:
            try:
                asked = self._trial.valid_value if valid else self._trial.invalid_value
                verdict = asked(value, promised, engine.accepts)
            except EngineDownError as error:
                self._broken(error, engine, self._trial.text(value))
                continue
            if isinstance(verdict, Failure):
                self._fail(verdict, engine)
            elif verdict is not None:
                self._counts[verdict] += 1
                break

    def _step(self) -> None:
        self._steps += 1
        total = self._samples * (len(self._engines) + 6)
        self._progress(min(self._steps, total), total)

    # -- what is told ------------------------------------------------------------------------------------------------

    def _fail(self, failure: Failure, engine: Engine) -> None:
        group = self._groups.setdefault(failure.group, _Group(failure))
        group.engines[engine.name] = None
        group.times += 1

    def verification(self) -> Verification:
        found: dict[tuple[object, ...], Counterexample] = {}
        for group in islice(self._groups.values(), MOST_GROUPS):
            each = self._told(group)
            same = (each.kind, each.text, each.keyword, each.pointer)
            times = each.times + (found[same].times if same in found else 0)
            found[same] = replace(each, times=times)
        return Verification(self._names, Counts(**self._counts), tuple(found.values()), self._result.findings)

    def _told(self, group: _Group) -> Counterexample:
        engine = next((each for each in self._engines if each.name in group.engines), None)
        failure = group.first if engine is None else self._shrunk(group.first, engine)
        return Counterexample(
            failure.kind,
            failure.text,
            tuple(name for name in self._names if name in group.engines),
            failure.instance,
            failure.keyword,
            failure.pointer,
            failure.message,
            group.times,
        )

    def _shrunk(self, failure: Failure, engine: Engine) -> Failure:
        """The smallest failure found of the same kind at the same place of the schema."""
        best = failure

        def again(candidate: Failure | None) -> bool:
            nonlocal best
            if candidate is None or candidate.group != failure.group:
                return False
            best = candidate
            return True

        try:
            # A sentence may be laid out in many ways; written as a value is, it is smaller already.
            if failure.kind == "false accept":
                again(self._trial.again(failure.value, failure.promised, engine.accepts))
            match failure.kind:
                case "not JSON":
                    smallest(
                        failure.text, smaller_texts, lambda text: again(self._trial.not_json(text, engine.accepts))
                    )
                case "false accept" | "false reject" | "unwritable" | "rewritten":
                    smallest(
                        failure.value,
                        smaller_values,
                        lambda value: again(self._trial.again(value, failure.promised, engine.accepts)),
                    )
        except EngineDownError:
            pass  # the smallest found so far is told
        return best

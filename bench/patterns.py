"""Every pattern of published schemas: how long its language takes, whether it is right, what its grammar costs.

python -m bench.patterns [--sample N] [--words N] [--seed N]

In come the patterns and the keys of `patternProperties` of the corpus, each once. Out goes a table: the time from text
to language; strings on which the language was compared with another engine for ECMA-262 (words of its automata, words
of their complements, words as long as bounds allow and one longer, and each with one character changed); grammars that
llama.cpp loads; its masks at the vocabulary of a model. The exit code is 1 when a target is missed.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import regress

from bench.figures import quantile
from schema2gbnf import compile_schema
from schema2gbnf.languages import ecma, lengths
from schema2gbnf.languages.dfa import StateLimitError
from schema2gbnf.languages.strings import StringLanguage
from tests.corpus.patterns import patterns
from tests.data import data
from tests.engine import Vocabulary
from tests.words import Words

LONGEST = 40
"""Characters of a compared string, beside bounds: the other engine goes back, on some patterns exponentially often."""

MASKED, MASK_EVERY = 60, 8
"""Tokens of a text along which masks are timed, and which of the masks are."""

P50_MS, P95_MS, MASK_MS = 1.0, 10.0, 500.0


@dataclass
class Figures:
    """What was found, over all patterns."""

    patterns: int = 0
    unread: list[str] = field(default_factory=list)
    read_ms: list[float] = field(default_factory=list)
    strings: int = 0
    matching: int = 0
    mismatches: list[str] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)
    loosened: list[str] = field(default_factory=list)
    sizes: list[int] = field(default_factory=list)
    masks: list[tuple[float, str]] = field(default_factory=list)

    def rows(self) -> Iterator[tuple[str, str]]:
        mask_ms = [ms for ms, _ in self.masks]
        yield "patterns", f"{self.patterns}; no language here: {len(self.unread)}"
        yield "text to language", _quantiles(self.read_ms, " ms")
        yield "compared strings", f"{self.strings}, {self.matching} matching; mismatches: {len(self.mismatches)}"
        yield (
            "grammars",
            f"{len(self.sizes)}; refused by llama.cpp: {len(self.refused)}; loosened: {len(self.loosened)}",
        )
        yield "their characters", _quantiles(self.sizes, "")
        yield "masks", f"{len(mask_ms)}; {_quantiles(mask_ms, ' ms')}"
        yield "slowest mask", "{:.0f} ms: {}".format(*max(self.masks, default=(0, "")))
        for title in ("unread", "mismatches", "refused", "loosened"):
            yield from ((title, each) for each in getattr(self, title)[:20])

    def missed(self) -> list[str]:
        """The targets that are missed."""
        checks = {
            "a language differs": bool(self.mismatches),
            "a grammar is refused": bool(self.refused),
            f"the median language takes more than {P50_MS} ms": quantile(self.read_ms, 0.5) > P50_MS,
            f"one language in twenty takes more than {P95_MS} ms": quantile(self.read_ms, 0.95) > P95_MS,
            f"a mask takes more than {MASK_MS} ms": max(self.masks, default=(0, ""))[0] > MASK_MS,
        }
        return [what for what, is_missed in checks.items() if is_missed]


def _quantiles(values: Sequence[float], unit: str) -> str:
    return ", ".join(
        f"{name} {quantile(values, share):.4g}{unit}" for name, share in (("p50", 0.5), ("p95", 0.95), ("max", 1.0))
    )


def measure(chosen: Sequence[str], words: int, seed: int, vocabulary: Vocabulary | None) -> Figures:
    """The figures of these patterns, with so many strings drawn from each side of each; masks if there is a model's
    vocabulary to time them at."""
    found = Figures(patterns=len(chosen))
    for pattern in chosen:
        start = time.thread_time()
        try:
            tree = ecma.parse(pattern)
            language = StringLanguage.of_pattern(tree)
        except (ecma.PatternError, StateLimitError) as error:
            found.unread.append(f"{pattern!r}: {error}")
            continue
        found.read_ms.append(1000 * (time.thread_time() - start))
        _compare(pattern, language, regress.Regex(pattern, flags="" if tree.annex_b else "u"), words, seed, found)
        if not language.is_empty and vocabulary is not None:
            _time_masks(pattern, language, vocabulary, random.Random(seed), found)
    return found


def _compare(pattern: str, language: StringLanguage, judge: Any, words: int, seed: int, found: Figures) -> None:
    for text in dict.fromkeys(strings(pattern, language, words, seed)):
        matches = judge.find(text) is not None
        found.strings += 1
        found.matching += matches
        if matches != language.accepts(text):
            found.mismatches.append(f"{pattern!r} {'matches' if matches else 'does not match'} {text!r}")


def strings(pattern: str, language: StringLanguage, words: int, seed: int) -> Iterator[str]:
    """Strings that match, that do not, and, for each of them, one that differs in one character."""
    dice = random.Random(seed)
    letters = [*pattern, *" \n\u2028aZ0_-é\U0001f600"]
    for text in _words(language, words, seed):
        yield text
        place = dice.randrange(len(text) + 1)
        yield text[:place] + dice.choice(["", dice.choice(letters), *text[place : place + 1] * 2]) + text[place + 1 :]


def _words(language: StringLanguage, words: int, seed: int) -> Iterator[str]:
    for side in (language, ~language):
        for piece in side.pieces:
            drawn = Words(piece.core, seed)
            yield from (drawn.draw(LONGEST) for _ in range(words))
            for bound in (piece.low - 1, piece.low, piece.high, piece.high and piece.high + 1):
                if bound is not None and 0 < bound <= 1000:
                    edge = lengths.shortest_within(piece.core, bound, bound)
                    yield from [] if edge is None else [edge]


def _time_masks(
    pattern: str, language: StringLanguage, vocabulary: Vocabulary, dice: random.Random, found: Figures
) -> None:
    result = compile_schema({"type": "string", "pattern": pattern}, whitespace="compact")
    found.sizes.append(len(result.gbnf))
    if not result.exact:
        found.loosened.append(pattern)
    grammar = vocabulary.load(result.gbnf)
    if grammar is None:
        found.refused.append(pattern)
        return
    drawn = Words(
        max((piece.core for piece in language.pieces), key=lambda core: len(core.moves)), dice.randrange(1000)
    )
    texts = [text for text in (drawn.draw(LONGEST) for _ in range(8)) if language.accepts(text)]
    if texts:
        tokens = vocabulary.tokens(result.dumps(max(texts, key=len)))
        found.masks += [
            (1000 * each, pattern) for each in vocabulary.mask_seconds(grammar, tokens[:MASKED], MASK_EVERY)
        ]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sample", type=int, help="patterns drawn at random instead of all")
    parser.add_argument("--words", type=int, default=12, help="strings drawn for each piece of each side (12)")
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    chosen = patterns() if args.sample is None else random.Random(args.seed).sample(patterns(), args.sample)
    with Vocabulary(data("vocab/qwen2.gguf")) as vocabulary:
        found = measure(chosen, args.words, args.seed, vocabulary)
    for name, value in found.rows():
        print(f"{name:<18}{value}")
    for missed in found.missed():
        print(f"missed: {missed}")
    return 1 if found.missed() else 0


if __name__ == "__main__":
    sys.exit(main())

"""Languages of strings: automata over lengths that stay symbolic.

A string language is a step function from lengths to automata: a word of length n belongs to it when the automaton in
force at n accepts it. `maxLength: 65536` is one step, not 65536 states, and union, intersection and complement go step
by step. Lengths count code points. Questions and operations raise `StateLimitError` where they would grow past all
bounds.

For printing, `pieces` gives the same language as a disjoint union of (automaton, bounds on the length).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import ClassVar, Literal

from schema2gbnf.languages import dfa, lengths
from schema2gbnf.languages.anchors import ANYTHING, plain
from schema2gbnf.languages.automaton import automaton
from schema2gbnf.languages.dfa import Dfa, StateLimitError
from schema2gbnf.languages.ecma import Pattern
from schema2gbnf.languages.regex import Choice, Regex, choice

Writing = tuple[Regex | None, bool, tuple[str, ...]]
"""A regex, whether it is that of a union, and the names of its parts."""

WORD_STATES = 20_000
"""States that may be built to list the words of a language."""


@dataclass(frozen=True, slots=True)
class Piece:
    """The words of `core` with a length from `low` to `high` (None: unbounded).

    `plain`, where it is known, is a regex of the core without anchors and look-around; `joined` when it is that of a
    union, which nobody wrote; `parts` are names of what it may be made of.
    """

    core: Dfa
    low: int
    high: int | None
    plain: Regex | None = field(default=None, compare=False)
    joined: bool = field(default=False, compare=False, repr=False)
    parts: tuple[str, ...] = field(default=(), compare=False, repr=False)

    @property
    def is_bounded(self) -> bool:
        """Whether the lengths say anything that the core does not."""
        return self.low > 0 or self.high is not None


@dataclass(frozen=True, slots=True)
class Step:
    """From this length on, to where the next step begins, the words are those of the core."""

    start: int
    core: Dfa
    plain: Regex | None = field(default=None, compare=False)
    joined: bool = field(default=False, compare=False, repr=False)
    parts: tuple[str, ...] = field(default=(), compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class StringLanguage:
    """A set of strings; `steps` begin with length 0.

    >>> short = StringLanguage.of_lengths(0, 65536) & ~StringLanguage.of_words(["a"])
    >>> short.accepts("ab"), short.accepts("a"), short.size()
    (True, False, 4)
    """

    steps: tuple[Step, ...]

    ANY: ClassVar[StringLanguage]
    NONE: ClassVar[StringLanguage]

    # -- construction ------------------------------------------------------------------------------------------------

    @staticmethod
    def of_dfa(core: Dfa, plain: Regex | None = None, parts: tuple[str, ...] = ()) -> StringLanguage:
        """The words of an automaton; `plain` is a regex of them, if one is known, with the names of its parts."""
        return StringLanguage((Step(0, core, plain, parts=parts),))

    @staticmethod
    def of_words(words: Iterable[str]) -> StringLanguage:
        return StringLanguage.of_dfa(dfa.of_words(words))

    @staticmethod
    def of_lengths(low: int, high: int | None) -> StringLanguage:
        """All strings with a length from `low` to `high`."""
        return _within(Step(0, dfa.UNIVERSAL), low, high)

    @staticmethod
    def of_pattern(pattern: Pattern, limit: int = 20_000) -> StringLanguage:
        """The strings in which a pattern is found; raises `StateLimitError` past `limit` states."""
        return _of_pattern(pattern.tree, limit)

    # -- algebra -----------------------------------------------------------------------------------------------------

    def __and__(self, other: StringLanguage) -> StringLanguage:
        return _combined(self, other, "and")

    def __or__(self, other: StringLanguage) -> StringLanguage:
        return _combined(self, other, "or")

    def __sub__(self, other: StringLanguage) -> StringLanguage:
        return _combined(self, other, "minus")

    def __invert__(self) -> StringLanguage:
        return StringLanguage(tuple(Step(step.start, ~step.core) for step in self.steps))

    # -- questions ---------------------------------------------------------------------------------------------------

    @property
    def written(self) -> tuple[Writing, ...]:
        """What is known of how its steps are written; languages that differ only in this are equal."""
        return tuple((step.plain, step.joined, step.parts) for step in self.steps)

    def accepts(self, text: str) -> bool:
        step = next(step for step in reversed(self.steps) if step.start <= len(text))
        return step.core.accepts(text)

    @property
    def is_empty(self) -> bool:
        return self == StringLanguage.NONE

    @property
    def is_universal(self) -> bool:
        return self == StringLanguage.ANY

    @property
    def is_finite(self) -> bool:
        return self.steps[-1].core.is_finite

    @property
    def has_lengths_alone(self) -> bool:
        """Whether nothing but a length tells what belongs to it."""
        return all(piece.core.is_universal for piece in self.pieces)

    def equals(self, other: StringLanguage) -> bool:
        """Whether both are the same set, however their steps are cut."""
        return self == other or ((self - other).is_empty and (other - self).is_empty)

    def disjoint(self, other: StringLanguage) -> bool:
        return (self & other).is_empty

    def words(self, limit: int) -> tuple[str, ...] | None:
        """All words in the order of their code points; None when there are more than `limit`, or very long ones."""
        found: list[str] = []
        for piece in self.pieces:
            if piece.is_bounded:
                if lengths.count_exceeds(piece.core, piece.low, piece.high, limit):
                    return None
                core = counted(piece, WORD_STATES)
            else:
                core = piece.core
            words = None if core is None else core.words(limit)
            if words is None or len(found) + len(words) > limit:
                return None
            found.extend(words)
        return tuple(sorted(found))

    def example(self) -> str | None:
        """A shortest word; None when there is none."""
        for step, high in zip(self.steps, self._ends(), strict=True):
            word = lengths.shortest_within(step.core, step.start, high)
            if word is not None:
                return word
        return None

    def size(self) -> int:
        """The number of states of all its automata, the measure that budgets use."""
        return sum(len(step.core.moves) for step in self.steps)

    @property
    def pieces(self) -> tuple[Piece, ...]:
        """The language as a disjoint union, with no bound on the length that the core implies."""
        return _pieces(self)

    def _ends(self) -> tuple[int | None, ...]:
        """The last length of each step."""
        return (*(step.start - 1 for step in self.steps[1:]), None)


StringLanguage.ANY = StringLanguage.of_dfa(dfa.UNIVERSAL)
StringLanguage.NONE = StringLanguage.of_dfa(dfa.NOTHING)


def counted(piece: Piece, limit: int) -> Dfa | None:
    """The automaton of a piece, its lengths multiplied in; None when that takes more than `limit` states."""
    return lengths.counted(piece.core, piece.low, piece.high, limit) if piece.is_bounded else piece.core


def push_down(piece: Piece) -> Regex | None:
    """The regex of a piece, its lengths pushed into the one part that varies; None when it has no such part."""
    if piece.plain is None or not piece.is_bounded:
        return piece.plain
    return lengths.push_down(piece.plain, piece.low, piece.high)


# -- construction ------------------------------------------------------------------------------------------------------


def _within(step: Step, low: int, high: int | None) -> StringLanguage:
    """The words of a step's core with a length from `low` to `high`."""
    steps = [Step(0, dfa.NOTHING)] if low > 0 else []
    if high is None or low <= high:
        steps.append(replace(step, start=low))
    if high is not None:
        steps.append(Step(max(high + 1, 0), dfa.NOTHING))
    return _simplified(steps)


@lru_cache(maxsize=256)
def _of_pattern(tree: Regex, limit: int) -> StringLanguage:
    whole = plain(tree)
    if whole is None:
        return StringLanguage.of_dfa(automaton(tree, limit=limit))
    options = whole.options if isinstance(whole, Choice) else (whole,)
    pulled = [(option, lengths.pull_out(option)) for option in options]
    if all(found is None for _, found in pulled):
        return StringLanguage.of_dfa(automaton(whole, search=False, limit=limit), whole)
    rest = choice(option for option, found in pulled if found is None)
    language = StringLanguage.of_dfa(automaton(rest, search=False, limit=limit), rest)
    for _, found in pulled:
        if found is not None:
            free, low, high = found
            language |= _within(Step(0, automaton(free, search=False, limit=limit), free), low, high)
    return language


# -- algebra -----------------------------------------------------------------------------------------------------------

Operation = Literal["and", "or", "minus"]


@lru_cache(maxsize=256)
def _joined(left: Dfa, right: Dfa, operation: Operation) -> Dfa:
    match operation:
        case "and":
            return left & right
        case "or":
            return left | right
        case "minus":
            return left - right


# What follows is cached by automaton alone: languages that are equal may know different regexes of themselves.


def _combined(left: StringLanguage, right: StringLanguage, operation: Operation) -> StringLanguage:
    """The operation at every length."""
    steps = []
    for start in sorted({step.start for step in (*left.steps, *right.steps)}):
        a = next(step for step in reversed(left.steps) if step.start <= start)
        b = next(step for step in reversed(right.steps) if step.start <= start)
        core = _joined(a.core, b.core, operation)
        steps.append(_known(Step(start, core), a, b, operation))
    return _simplified(steps)


def _known(step: Step, left: Step, right: Step, operation: Operation) -> Step:
    """The step that two come to, with the regex that one of them knows of it, or both together."""
    for each in (left, right):
        if each.core == step.core and each.plain is not None:
            return replace(each, start=step.start)
    if operation == "or" and left.plain is not None and right.plain is not None:
        parts = tuple(dict.fromkeys((*left.parts, *right.parts)))
        return Step(step.start, step.core, choice((left.plain, right.plain)), True, parts)
    return step


def _simplified(steps: list[Step]) -> StringLanguage:
    """The language of these steps, with as few as can be told, and with empty and universal ones known as such."""
    ends = (*(step.start - 1 for step in steps[1:]), None)
    found: list[Step] = []
    for step, end in zip(steps, ends, strict=True):
        here = _plainest(step, end)
        while found and (joint := _joint(found[-1], here, end)):
            found.pop()
            here = joint
        found.append(here)
    return StringLanguage(tuple(found))


def _joint(before: Step, here: Step, end: int | None) -> Step | None:
    """One step for two neighbours, where one automaton is known to be right for both."""
    last = here.start - 1
    if _agree(before.core, here.core, here.start, end):
        return before
    if _agree(before.core, here.core, before.start, last):
        return replace(here, start=before.start)
    if not lengths.has_length(before.core, here.start, end) and not lengths.has_length(here.core, before.start, last):
        return Step(before.start, _joined(before.core, here.core, "or"))
    if not lengths.has_length(~before.core, here.start, end) and not lengths.has_length(~here.core, before.start, last):
        return Step(before.start, _joined(before.core, here.core, "and"))
    return None


def _plainest(step: Step, end: int | None) -> Step:
    if step.core in (dfa.NOTHING, dfa.UNIVERSAL):
        return Step(step.start, step.core)
    if not lengths.has_length(step.core, step.start, end):
        return Step(step.start, dfa.NOTHING)
    if not lengths.has_length(~step.core, step.start, end):
        return Step(step.start, dfa.UNIVERSAL)
    return step


@lru_cache(maxsize=1024)
def _agree(left: Dfa, right: Dfa, low: int, high: int | None) -> bool:
    """Whether both accept the same words with a length from `low` to `high`; False also when it is hard to tell."""
    if left == right:
        return True
    try:
        return not lengths.has_length(left.product(right, lambda a, b: a != b, limit=10_000), low, high)
    except StateLimitError:
        return False


# -- pieces ------------------------------------------------------------------------------------------------------------


def _pieces(language: StringLanguage) -> tuple[Piece, ...]:
    """Step by step, or what all steps have in common first, whichever leaves less to count."""
    apart = _bounded_pieces(language)
    if len(apart) < 2:
        return apart
    try:
        common = language.steps[0].core
        for step in language.steps[1:]:
            common = _joined(common, step.core, "and")
        if common.is_empty:
            return apart
        rest = language - StringLanguage.of_dfa(common)
    except StateLimitError:
        return apart
    together = (Piece(common, 0, None), *_bounded_pieces(rest))
    return min(apart, together, key=lambda pieces: sum(map(_counting, pieces)))


def _bounded_pieces(language: StringLanguage) -> tuple[Piece, ...]:
    pieces = []
    for step, end in zip(language.steps, language._ends(), strict=True):
        if step.core.is_empty:
            continue
        low = step.start if lengths.has_length(step.core, 0, step.start - 1) else 0
        high = end if end is not None and lengths.has_length(step.core, end + 1, None) else None
        tree = ANYTHING if step.core.is_universal else step.plain
        pieces.append(Piece(step.core, low, high, tree, step.joined, step.parts))
    return tuple(pieces)


def _counting(piece: Piece) -> int:
    """About how many states a piece takes when its lengths are multiplied in."""
    if not piece.is_bounded or piece.core.is_universal:
        return len(piece.core.moves)
    return len(piece.core.moves) * max(piece.low, piece.high or 0)

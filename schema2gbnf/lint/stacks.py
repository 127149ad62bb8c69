"""The check of how many ways to read on llama.cpp keeps alive."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterator, Mapping

from schema2gbnf.gbnf.match import Matcher, State, TooManyReadingsError
from schema2gbnf.gbnf.representatives import representatives
from schema2gbnf.gbnf.syntax import Bracketed, Quoted
from schema2gbnf.lint.diagnostic import Flaw
from schema2gbnf.lint.structure import exponential_left_corners
from schema2gbnf.lint.subject import ROOT, Subject

MOST_STACKS = 64
"""Stacks that may be alive at once; llama.cpp tries each on every token of the vocabulary."""

MOST_STATES = 1_000
MOST_LEAVES = 50_000
"""States, and stacks in all of them, that are looked at."""

LARGEST_TEXT = 4 << 20
LARGEST_ALPHABET = 2_000
"""Characters of a grammar whose stacks are counted, and sets of characters in it."""


def live_stacks(subject: Subject) -> Iterator[Flaw]:
    """A place in a text behind which very many stacks are alive."""
    if not _can_be_read(subject):
        return
    matcher = Matcher(subject.grammar)
    try:
        busy = _busy(matcher)
    except TooManyReadingsError as error:
        yield Flaw(subject.rules[ROOT].position, f"{error}; let alternatives share what they begin with")
        return
    if busy is not None:
        state, text = busy
        owners = {node: name for name, nodes in matcher.program.nodes.items() for node in nodes}
        (rule, _), *_ = Counter(owners[leaf[0]] for leaf in state.leaves if leaf is not None).most_common(1)
        where = f"behind {text!r}" if text else "before the first character"
        message = f"{len(state)} stacks are alive {where}, most of them in {rule}"
        remedy = "llama.cpp tries each on every token; let alternatives share what they begin with"
        yield Flaw(subject.rules[rule].position, f"{message}; {remedy}")


def _can_be_read(subject: Subject) -> bool:
    """Whether texts can be read against the grammar, in a time that a linter has."""
    broken = subject.missing or subject.faults or subject.salvaged.errors or subject.left_loops
    if broken or ROOT not in subject.rules or len(subject.text) > LARGEST_TEXT:
        return False
    return _alphabet(subject) <= LARGEST_ALPHABET and not any(exponential_left_corners(subject))


def _alphabet(subject: Subject) -> int:
    """How many characters and classes the grammar has, each counted once."""
    characters: set[str] = set()
    classes: set[str] = set()
    for item in subject.items():
        match item:
            case Quoted(_, spelling):
                characters.update(spelling)
            case Bracketed(_, spelling):
                classes.add(spelling)
            case _:
                pass
    return len(characters) + len(classes)


def _busy(matcher: Matcher) -> tuple[State, str] | None:
    """A state with too many stacks that a short text leads to, and the text."""
    start = matcher.start()
    came: dict[State, tuple[State, str] | None] = {start: None}
    todo = deque([start])
    leaves = 0
    while todo and leaves < MOST_LEAVES:
        state = todo.popleft()
        size = len(state)
        leaves += size
        if size > MOST_STACKS:
            return state, _way(came, state)
        for character in representatives(state.next_sets()):
            following = matcher.advance(state, character)
            if following not in came and len(came) < MOST_STATES:
                came[following] = state, character
                todo.append(following)
    return None


def _way(came: Mapping[State, tuple[State, str] | None], state: State) -> str:
    """The text that led to a state."""
    text, step = "", came[state]
    while step is not None:
        state, character = step
        text, step = character + text, came[state]
    return text

"""Words of an automaton that try its edges: every transition it has, the shortest and the longest words, odd letters.

In comes the language of a string or of a number; out go members of it, the likeliest to tell a wrong grammar first.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from decimal import Decimal
from fractions import Fraction
from itertools import islice
from random import Random

from schema2gbnf.languages import lengths
from schema2gbnf.languages.charset import TEXT, CharSet
from schema2gbnf.languages.decimals import NumberLanguage, spell
from schema2gbnf.languages.dfa import Dfa, StateLimitError
from schema2gbnf.languages.strings import StringLanguage
from schema2gbnf.schema.text import Json

TRANSITIONS = 16
"""Transitions of one automaton that are tried."""
FEW = 32
"""Words of a language that are all tried when there are no more."""
LONGEST = 2_000
"""The longest word that is tried for the sake of its length."""
_ODD = '"\\/\n\x1f\x7f aZ09é€\u2028\ud7ff\ue000\U0001f600\U0010ffff'
"""Characters that JSON or a reader of grammars may take amiss."""
_PLAIN = "a21e"


def edge_strings(language: StringLanguage, random: Random) -> list[str]:
    """Words of the language: the shortest of each piece and lengths at their bounds, then one through each transition.

    >>> edge_strings(StringLanguage.of_lengths(1, 3), Random(0))[:3]
    ['a', '\\x00', '\\x00\\x00']
    """
    try:
        found = [word for word in _strings(language, random) if _writable(word)]
    except StateLimitError:
        found = []
    return list(dict.fromkeys(word for word in found if language.accepts(word)))


def _strings(language: StringLanguage, random: Random) -> Iterator[str]:
    plain = plain_word(language)
    if plain is None:
        return
    yield plain
    yield from language.words(FEW) or ()
    ends: list[int | None] = [*(step.start - 1 for step in language.steps[1:]), None]
    for step, end in zip(language.steps, ends, strict=True):
        if step.core.is_empty:
            continue
        for length in dict.fromkeys((step.start, step.start + 1, end, None if end is None else end - 1)):
            if length is not None and 0 <= length <= LONGEST and lengths.has_length(step.core, length, length):
                yield lengths.shortest_within(step.core, length, length) or ""
        yield from islice(_through_transitions(step.core, random, _ODD), TRANSITIONS)


def plain_word(language: StringLanguage) -> str | None:
    """A short word of plain letters; None when there is no word.

    >>> plain_word(StringLanguage.of_lengths(2, 5))
    'aa'
    """
    shortest = language.example()
    if shortest is None:
        return None
    core = next(step.core for step in reversed(language.steps) if step.start <= len(shortest))
    plain = _suffixes(core, core.edges()).get(0, shortest)
    if language.accepts(plain):
        return plain
    filled = plain + "a" * (len(shortest) - len(plain))
    return filled if language.accepts(filled) else shortest


def edge_numbers(language: NumberLanguage, near: Iterable[Fraction], random: Random) -> list[Json]:
    """Numbers of the language: those at and around the given ones, then one through each transition."""
    steps = [Fraction(0), *(sign * step for step in (1, 2, Fraction(1, 10), Fraction(1, 1000)) for sign in (1, -1))]
    candidates = [around + step for around in near for step in steps]
    found = [spell(number) for number in candidates if language.contains(number)]
    found += [spell(value) for value in language.finite_values(FEW) or ()]
    shortest = language.example()
    found += [] if shortest is None else [shortest]
    found += islice(_through_transitions(language.dfa, random, ""), TRANSITIONS)
    return [number_of(text) for text in dict.fromkeys(found) if language.accepts(text)]


def number_of(text: str) -> int | Decimal:
    """The number that a plain decimal text spells."""
    return Decimal(text) if "." in text else int(text)


def _writable(word: str) -> bool:
    return not any("\ud800" <= character <= "\udfff" for character in word)


def _through_transitions(dfa: Dfa, random: Random, odd: str) -> Iterator[str]:
    """For each transition, in random order, a shortest word through it; odd letters where it takes them."""
    edges = dfa.edges()
    if 0 not in edges:
        return
    before, behind = _prefixes(edges), _suffixes(dfa, edges)
    transitions = [(state, target, chars) for state, targets in edges.items() for target, chars in targets.items()]
    random.shuffle(transitions)
    for state, target, chars in transitions:
        if state not in before or target not in behind:
            continue
        letters = [letter for letter in odd if letter in chars]
        for letter in (_last(chars), *random.sample(letters, min(4, len(letters)))):
            yield before[state] + letter + behind[target]


def _plainest(chars: CharSet) -> str:
    """The letter that words are filled up with: one that no validator stumbles over, as it would over the year 0000."""
    ranges = ((chars & TEXT) or chars).ranges
    return next((letter for letter in _PLAIN if letter in chars), chr(ranges[0][0]))


def _last(chars: CharSet) -> str:
    return chr(((chars & TEXT) or chars).ranges[-1][1])


def _prefixes(edges: dict[int, dict[int, CharSet]]) -> dict[int, str]:
    """A shortest word to each state."""
    found, todo = {0: ""}, [0]
    for state in todo:  # grows while it is read
        for target, chars in edges[state].items():
            if target not in found:
                found[target] = found[state] + _plainest(chars)
                todo.append(target)
    return found


def _suffixes(dfa: Dfa, edges: dict[int, dict[int, CharSet]]) -> dict[int, str]:
    """A shortest word from each state to the end."""
    before: dict[int, list[tuple[int, CharSet]]] = {}
    for state, targets in edges.items():
        for target, chars in targets.items():
            before.setdefault(target, []).append((state, chars))
    todo = [state for state in edges if dfa.accepting[state]]
    found = dict.fromkeys(todo, "")
    for target in todo:  # grows while it is read
        for state, chars in before.get(target, ()):
            if state not in found:
                found[state] = _plainest(chars) + found[target]
                todo.append(state)
    return found

"""Automata as grammar expressions.

Comes in: a minimal automaton, and how one of its characters is written. Goes out: an expression of the same language,
in which every text has one reading. Three forms compete, the shortest is printed, with a handicap for the later ones:

- *right-linear*: a state is what may follow it. A state that one place leads to is written out there, a loop is a star,
  a chain of optional steps is counted; only the states that remain become rules.
- *words*: a finite language of few words is their trie.
- *elimination* of all states, for small automata: no rules at all, at the price of options that begin alike.

Depth of nesting, weight of a rule and work are bounded whatever the automaton: what goes beyond becomes a rule.
"""

from __future__ import annotations

import hashlib
from collections import Counter, deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from schema2gbnf.grammar.ambiguity import is_deterministic_enough
from schema2gbnf.grammar.folding import (
    ANYTHING,
    END,
    REST,
    Speller,
    any_of,
    chain,
    choice,
    depth,
    items,
    optional,
    spell,
    star,
    substitute,
    weight,
)
from schema2gbnf.grammar.rules import (
    EMPTY,
    NOTHING,
    Alternation,
    CharClass,
    Draft,
    Expr,
    Ref,
    Repeat,
    Sequence,
    references,
)
from schema2gbnf.languages.charset import SURROGATES, TEXT, CharSet
from schema2gbnf.languages.dfa import Dfa, explore

MAX_DEPTH = 48
MAX_WEIGHT = 1200
TINY, TINY_LOOP = 18, 20
"""The weight up to which a state, or a state that only stays where it is, is rather written twice than made a rule."""

FEW_WORDS = 200
FEW_STATES = 60
CLEARLY = 0.8
"""What the weight of a less simple form must be below, as a share of the simpler one's, to be preferred."""


def automaton(dfa: Dfa, speller: Speller, draft: Draft, hint: str, ending: tuple[Expr, Expr] | None = None) -> Expr:
    """The language of the automaton; rules it needs are named after `hint`, and made once for equal automata.

    `ending` is what stands behind each word, and an expression for "any characters, then that": with the closing quote
    of a string inside, the quote can be tried before what would go on.
    """
    return draft.once((dfa, speller, ending), lambda: _automaton(spellable(dfa), speller, draft, hint, ending))


def _automaton(dfa: Dfa, speller: Speller, draft: Draft, hint: str, ending: tuple[Expr, Expr] | None) -> Expr:
    form = shortest_form(dfa, ended=ending is not None)
    digest = hashlib.sha256(repr(dfa).encode()).hexdigest() if form.rules else ""
    names: dict[Expr, Expr] = dict(zip((END, REST), ending, strict=True)) if ending else {}
    refs = {state: draft.reserve(f"{hint}-{state}", f"{hint} {state} {digest}") for state in form.rules}
    names.update((_state(state), ref) for state, ref in refs.items())
    for state, body in form.rules.items():
        draft.define(refs[state], spell(body, speller, draft, hint, names))
    return spell(form.root, speller, draft, hint, names)


def shortest_form(dfa: Dfa, ended: bool) -> System:
    """The form that is printed, characters unspelled; when `ended`, with placeholders for what ends a word."""
    graph = _Graph.of(dfa)
    if ended and not graph.has_rest:
        # Without words that go on at will nothing is won by taking the end inside.
        form = shortest_form(dfa, ended=False)
        return System(chain(form.root, END), form.rules)
    if not ended:
        graph = graph.without_end()
    form = right_linear(graph)
    words = dfa.words(FEW_WORDS)
    if words is not None:
        trie = trie_of(words)
        if depth(trie) <= MAX_DEPTH and CLEARLY * weight(trie) <= form.weight:
            return System(trie)
    elif form.rules and len(graph.rows) <= FEW_STATES:
        closed = eliminate(graph, int(CLEARLY * form.weight))
        if closed is not None and depth(closed) <= MAX_DEPTH:
            alone = substitute(substitute(closed, END, EMPTY), REST, ANYTHING)
            if is_deterministic_enough(alone):
                return System(closed)
    return form


_TEXTS = explore(
    True,
    lambda state: (state, False),
    lambda state: state,
    (0, SURROGATES.ranges[0][0], SURROGATES.ranges[0][1] + 1),
    (0, 1, 0),
)


def spellable(dfa: Dfa) -> Dfa:
    """The words of the automaton without surrogates: those a JSON text can spell."""
    if not any(chars & SURROGATES for row in dfa.edges().values() for chars in row.values()):
        return dfa
    return dfa & _TEXTS


@dataclass(frozen=True, slots=True)
class _Graph:
    """An automaton as edges between its live states, and the expression that ends a word where one may end."""

    rows: dict[int, dict[int, CharSet]]
    exits: dict[int, Expr]

    @staticmethod
    def of(dfa: Dfa) -> _Graph:
        """The edges of the automaton; a state where anything at all may follow is an exit by `REST`."""
        rows = dfa.edges()
        exits: dict[int, Expr] = {}
        for state, row in rows.items():
            if dfa.accepting[state]:
                exits[state] = REST if row == {state: TEXT} else END
                rows[state] = {} if exits[state] == REST else row
        return _Graph(rows, exits)

    @property
    def has_rest(self) -> bool:
        return REST in self.exits.values()

    def without_end(self) -> _Graph:
        """The same for words with nothing behind them."""
        return _Graph(self.rows, {q: ANYTHING if way_out == REST else EMPTY for q, way_out in self.exits.items()})


@dataclass(frozen=True, slots=True)
class System:
    """Equations of a language: the expression of the whole, and those of the states it refers to by number."""

    root: Expr
    rules: dict[int, Expr] = field(default_factory=dict)

    @property
    def weight(self) -> int:
        return weight(self.root) + sum(weight(body) + 10 for body in self.rules.values())


def _state(number: int) -> Ref:
    return Ref(str(number))


# -- right-linear ----------------------------------------------------------------------------------------------------


def right_linear(graph: _Graph) -> System:
    """One expression per state, those of states used once in place of their use."""
    if 0 not in graph.rows:
        return System(NOTHING)
    uses = Counter(target for state, row in graph.rows.items() for target in row if target != state)
    done: dict[int, Expr] = {}
    inline: dict[int, Expr] = {}
    for state in _leaves_first(graph.rows):
        row = graph.rows[state]
        steps = [
            chain(CharClass(chars), inline.get(target, _state(target)))
            for target, chars in row.items()
            if target != state
        ]
        body = choice(graph.exits.get(state, NOTHING), *steps)
        if state in row:
            body = chain(star(CharClass(row[state])), body)
        body = without_tail_recursion(body, _state(state))
        # A state met again inside its own loop is referred to by name there.
        if _state(state).name not in references(body) and _fits_inline(body, uses[state], row.keys() <= {state}):
            inline[state] = body
        done[state] = body
    return _condensed(done)


def _fits_inline(body: Expr, uses: int, is_loop: bool) -> bool:
    return weight(body) <= (TINY_LOOP if is_loop else TINY) or (uses <= 1 and _fits(body))


def _fits(body: Expr) -> bool:
    return weight(body) <= MAX_WEIGHT and depth(body) <= MAX_DEPTH


def _leaves_first(graph: dict[int, dict[int, CharSet]]) -> Iterator[int]:
    """The states reached from the start, each after those it leads to, but for those on a loop with it."""
    seen = {0}
    stack = [(0, iter(graph[0]))]
    while stack:
        state, targets = stack[-1]
        for target in targets:
            if target not in seen:
                seen.add(target)
                stack.append((target, iter(graph[target])))
                break
        else:
            stack.pop()
            yield state


def without_tail_recursion(body: Expr, ref: Ref) -> Expr:
    """`X ::= a X | b X | c` is `[ab]* c`; unchanged where X stands elsewhere than at the end of an option.

    >>> a, b = CharClass(CharSet.of("a")), CharClass(CharSet.of("b"))
    >>> without_tail_recursion(Alternation((chain(a, Ref("x")), b)), Ref("x")) == chain(star(a), b)
    True
    """
    is_optional = isinstance(body, Repeat) and (body.low, body.high) == (0, 1)
    inner = body.item if isinstance(body, Repeat) and is_optional else body
    options = inner.options if isinstance(inner, Alternation) else (inner,)
    loops = [items(option)[:-1] for option in options if items(option)[-1:] == (ref,)]
    others = [option for option in options if items(option)[-1:] != (ref,)]
    if not loops or ref.name in references(Alternation((*(Sequence(loop) for loop in loops), *others))):
        return body
    return chain(star(choice(*(chain(*loop) for loop in loops))), choice(*others, *([EMPTY] if is_optional else [])))


def _condensed(done: dict[int, Expr]) -> System:
    """The rules the start needs, those used once or tiny ones written out at their use."""
    rules = _reachable(done)
    used = {state: Counter(references(body)) for state, body in rules.items()}
    waiting = deque(state for state in rules if state != _ROOT)
    while waiting:
        state = waiting.popleft()
        ref = _state(state)
        if state not in rules or used[state][ref.name]:
            continue
        users = [user for user in rules if used[user][ref.name]]
        once = len(users) == 1 and used[users[0]][ref.name] == 1
        if not once and weight(rules[state]) > TINY:
            continue
        replaced = {user: substitute(rules[user], ref, rules[state]) for user in users}
        if any(rules[user] != ref and not _fits(body) for user, body in replaced.items()):
            continue
        del rules[state], used[state]
        for user, body in replaced.items():
            rules[user] = body if user == _ROOT else without_tail_recursion(body, _state(user))
            used[user] = Counter(references(rules[user]))
            if user != _ROOT:
                waiting.append(user)
    return System(rules.pop(_ROOT), rules)


_ROOT = -1


def _reachable(done: dict[int, Expr]) -> dict[int, Expr]:
    """The root, and the rules it needs, in order of first use."""
    rules: dict[int, Expr] = {_ROOT: _state(0)}
    todo = [_ROOT]
    while todo:
        used = dict.fromkeys(int(name) for name in references(rules[todo.pop()]) if name.isdigit())
        fresh = [state for state in used if state not in rules]
        rules.update((state, done[state]) for state in fresh)
        todo.extend(reversed(fresh))
    return rules


# -- words -----------------------------------------------------------------------------------------------------------


def trie_of(words: Iterable[str]) -> Expr:
    """The words, in order, what they begin with alike written once."""
    nodes: list[dict[str, int]] = [{}]
    ends = [False]
    for word in words:
        node = 0
        for character in word:
            if character not in nodes[node]:
                nodes[node][character] = len(nodes)
                nodes.append({})
                ends.append(False)
            node = nodes[node][character]
        ends[node] = True
    # Children come after their parents, so from the last node to the first each is complete when it is needed.
    made: dict[int, Expr] = {}
    for node in range(len(nodes) - 1, -1, -1):
        steps = [chain(CharClass(CharSet.of(c)), made.pop(child)) for c, child in nodes[node].items()]
        made[node] = optional(any_of(*steps)) if ends[node] else any_of(*steps)
    return made[0]


# -- elimination -----------------------------------------------------------------------------------------------------


def eliminate(automaton: _Graph, limit: int) -> Expr | None:
    """The language as one expression without rules, or None when it weighs more than `limit`.

    States are taken out one by one, the cheapest first (Delgado and Morais 2004); what led through a state is written
    on the edges from before it to behind it.
    """
    graph: dict[int, dict[int, Expr]] = {
        state: {target: CharClass(chars) for target, chars in row.items()} for state, row in automaton.rows.items()
    }
    for state, way_out in automaton.exits.items():
        graph[state][_END] = way_out
    graph[_ROOT] = {0: EMPTY}
    before: dict[int, set[int]] = {state: set() for state in (*graph, _END)}
    for state, row in graph.items():
        for target in row:
            before[target].add(state)
    todo = sorted(graph.keys() - {_ROOT})
    while todo:
        state = min(todo, key=lambda state: _price(graph, before[state] - {state}, state))
        todo.remove(state)
        row = graph.pop(state)
        loop = star(row.pop(state)) if state in row else EMPTY
        for source in sorted(before.pop(state) - {state}):
            way = graph[source].pop(state)
            for target, step in row.items():
                path = chain(way, loop, step)
                known = graph[source].get(target)
                graph[source][target] = path if known is None else choice(known, path)
                before[target].add(source)
                if weight(graph[source][target]) > limit:
                    return None
        for target in row:
            before[target].discard(state)
    return graph[_ROOT].get(_END, NOTHING)


_END = -2


def _price(graph: dict[int, dict[int, Expr]], sources: set[int], state: int) -> tuple[int, int]:
    """What taking out the state adds to the weight of the graph; the number of the state settles a draw."""
    row = graph[state]
    loop = weight(row[state]) if state in row else 0
    targets = [target for target in row if target != state]
    inward = sum(weight(graph[source][state]) for source in sources) * (len(targets) - 1)
    outward = sum(weight(row[target]) for target in targets) * (len(sources) - 1)
    return inward + outward + loop * (len(sources) * len(targets) - 1), state

"""An automaton as equations between its states, and the equations solved as far as it pays.

Comes in: a graph of states. Goes out: a `System`, an expression of the whole language and of the states it refers to.

- *right-linear*: a state is what may follow it. A state that one place leads to is written out there, a loop is a star,
  a chain of optional steps is counted; only the states that remain are rules.
- *elimination*: no rules at all, at the price of options that begin alike.

Either way every text has one reading, as in the automaton. Depth, weight and work are bounded: what goes beyond
remains a rule, or (elimination) is not done.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterator
from dataclasses import dataclass, field

from schema2gbnf.grammar.folding import (
    BROAD,
    END,
    breadth,
    chain,
    choice,
    depth,
    items,
    rest_of,
    star,
    substitute,
    times,
    weight,
    without_end,
)
from schema2gbnf.grammar.rules import EMPTY, NOTHING, Alternation, CharClass, Expr, Ref, Repeat, Sequence, references
from schema2gbnf.languages.charset import CharSet
from schema2gbnf.languages.dfa import Dfa

MAX_DEPTH = 30
"""Levels of an expression: llguidance's reader gives up some twenty groups deep."""

MAX_WEIGHT = 1200
MAX_LENGTH = 250
TINY, TINY_LOOP = 18, 20
"""The weight up to which a state, or a state that only stays where it is, is rather written twice than made a rule."""

_ROOT, _END = -1, -2


@dataclass(frozen=True, slots=True)
class Graph:
    """States from 0 on: the steps between them, and how a word goes on from a state otherwise, or ends there.

    `turns` bounds how often a state may be left for itself at once; without an entry it is unbounded. When `ended`,
    placeholders stand for what is behind a word.
    """

    rows: dict[int, dict[int, CharSet]]
    exits: dict[int, Expr]
    turns: dict[int, int] = field(default_factory=dict)
    ended: bool = True

    @staticmethod
    def of(dfa: Dfa) -> Graph:
        """The live part of an automaton. Words end with `END`, or, where nothing is left but a broad loop, a rest."""
        rows = dfa.edges()
        exits: dict[int, Expr] = {}
        for state, row in rows.items():
            if not dfa.accepting[state]:
                continue
            if row.keys() == {state} and len(row[state]) >= BROAD:
                rows[state], exits[state] = {}, rest_of(row[state])
            else:
                exits[state] = END
        return Graph(rows, exits)

    @property
    def has_broad_loop(self) -> bool:
        """Whether words can be of any length: then it pays to try their end before what would go on."""
        loops = any(len(row[state]) >= BROAD for state, row in self.rows.items() if state in row)
        return loops or any(way_out != END for way_out in self.exits.values())

    @property
    def is_open(self) -> bool:
        """Whether an exit leads on to other states."""
        return any(name.isdigit() for way_out in self.exits.values() for name in references(way_out))

    def without_end(self) -> Graph:
        """The same for words with nothing behind them."""
        exits = {state: without_end(way_out) for state, way_out in self.exits.items()}
        return Graph(self.rows, exits, self.turns, ended=False)


@dataclass(frozen=True, slots=True)
class System:
    """Equations of a language: the expression of the whole, and those of the states it refers to by number."""

    root: Expr
    rules: dict[int, Expr] = field(default_factory=dict)

    @property
    def weight(self) -> int:
        return weight(self.root) + sum(weight(body) + 10 for body in self.rules.values())


def state_ref(state: int) -> Ref:
    """The placeholder for the rule of a state."""
    return Ref(str(state))


# -- right-linear ----------------------------------------------------------------------------------------------------


def right_linear(graph: Graph) -> System:
    """One expression per state, those of states used once in place of their use."""
    if 0 not in graph.rows:
        return System(NOTHING)
    uses = Counter(target for state, row in graph.rows.items() for target in row if target != state)
    done: dict[int, Expr] = {}
    inline: dict[int, Expr] = {}
    for state in _leaves_first(graph.rows):
        row = graph.rows[state]
        steps = [
            chain(CharClass(chars), inline.get(target, state_ref(target)))
            for target, chars in row.items()
            if target != state
        ]
        body = choice(graph.exits.get(state, NOTHING), *steps)
        if state in row and graph.ended and len(row[state]) >= BROAD:
            body = choice(body, chain(CharClass(row[state]), state_ref(state)))
        elif state in row:
            body = chain(times(CharClass(row[state]), 0, graph.turns.get(state)), body)
        body = without_tail_recursion(body, state_ref(state), graph.ended)
        # A state met again inside its own loop is referred to by name there.
        if state_ref(state).name not in references(body) and _fits_inline(body, uses[state], row.keys() <= {state}):
            inline[state] = body
        done[state] = body
    return _condensed(done, graph.ended)


def _fits_inline(body: Expr, uses: int, is_loop: bool) -> bool:
    return weight(body) <= (TINY_LOOP if is_loop else TINY) or (uses <= 1 and _fits(body))


def _fits(body: Expr) -> bool:
    return len(items(body)) <= MAX_LENGTH and weight(body) <= MAX_WEIGHT and depth(body) <= MAX_DEPTH


def _leaves_first(graph: dict[int, dict[int, CharSet]]) -> Iterator[int]:
    """All states, each after those it leads to, but for those on a loop with it."""
    seen: set[int] = set()
    for root in graph:
        if root in seen:
            continue
        seen.add(root)
        stack = [(root, iter(graph[root]))]
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


def without_tail_recursion(body: Expr, ref: Ref, ended: bool = False) -> Expr:
    """`X ::= a X | b X | c` is `[ab]* c`; unchanged where X stands elsewhere than at the end of an option.

    Unchanged also, when words are `ended`, where the loop is broad: of a recursion the end can be tried first.

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
    if ended and any(breadth(chain(*loop)) >= BROAD for loop in loops):
        return body
    return chain(star(choice(*(chain(*loop) for loop in loops))), choice(*others, *([EMPTY] if is_optional else [])))


def _condensed(done: dict[int, Expr], ended: bool) -> System:
    """The rules the start needs, those used once or tiny ones written out at their use."""
    rules = _reachable(done)
    used = {state: Counter(references(body)) for state, body in rules.items()}
    waiting = deque(state for state in rules if state != _ROOT)
    while waiting:
        state = waiting.popleft()
        ref = state_ref(state)
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
            rules[user] = body if user == _ROOT else without_tail_recursion(body, state_ref(user), ended)
            used[user] = Counter(references(rules[user]))
            if user != _ROOT:
                waiting.append(user)
    return System(rules.pop(_ROOT), rules)


def _reachable(done: dict[int, Expr]) -> dict[int, Expr]:
    """The root, and the rules it needs, in order of first use."""
    rules: dict[int, Expr] = {_ROOT: state_ref(0)}
    todo = [_ROOT]
    while todo:
        used = dict.fromkeys(int(name) for name in references(rules[todo.pop()]) if name.isdigit())
        fresh = [state for state in used if state not in rules]
        rules.update((state, done[state]) for state in fresh)
        todo.extend(reversed(fresh))
    return rules


# -- elimination -----------------------------------------------------------------------------------------------------


def eliminate(automaton: Graph, limit: int) -> Expr | None:
    """The language as one expression without rules, or None when it weighs more than `limit`.

    States are taken out one by one, the cheapest first (Delgado and Morais 2004); what led through a state is written
    on the edges from before it to behind it.
    """
    if 0 not in automaton.rows:
        return NOTHING
    graph: dict[int, dict[int, Expr]] = {
        state: {target: CharClass(chars) for target, chars in row.items()} for state, row in automaton.rows.items()
    }
    for state, way_out in automaton.exits.items():
        graph[state][_END] = way_out
    graph[_ROOT] = {0: EMPTY}
    before: dict[int, set[int]] = {state: set() for state in (*graph, _END)}
    weights: dict[tuple[int, int], int] = {}
    for state, row in graph.items():
        for target, step in row.items():
            before[target].add(state)
            weights[state, target] = weight(step)
    todo = sorted(graph.keys() - {_ROOT})
    while todo:
        state = min(todo, key=lambda state: _price(weights, graph[state], before[state], state))
        todo.remove(state)
        row = graph.pop(state)
        loop = times(row.pop(state), 0, automaton.turns.get(state)) if state in row else EMPTY
        for source in sorted(before.pop(state) - {state}):
            way = graph[source].pop(state)
            del weights[source, state]
            for target, step in row.items():
                path = chain(way, loop, step)
                known = graph[source].get(target)
                graph[source][target] = path if known is None else choice(known, path)
                before[target].add(source)
                weights[source, target] = weight(graph[source][target])
        for target in row:
            before[target].discard(state)
            del weights[state, target]
        weights.pop((state, state), None)
        # Nearly all that stands on the edges will be in the end.
        if sum(weights.values()) > 2 * limit:
            return None
    whole = graph[_ROOT].get(_END, NOTHING)
    return whole if weight(whole) <= limit else None


def _price(weights: dict[tuple[int, int], int], row: dict[int, Expr], before: set[int], state: int) -> tuple[int, int]:
    """What taking out the state adds to the weight of the graph; the number of the state settles a draw."""
    loop = weights.get((state, state), 0)
    sources = [source for source in before if source != state]
    targets = [target for target in row if target != state]
    inward = sum(weights[source, state] for source in sources) * (len(targets) - 1)
    outward = sum(weights[state, target] for target in targets) * (len(sources) - 1)
    return inward + outward + loop * (len(sources) * len(targets) - 1), state

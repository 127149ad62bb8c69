"""From the tree of a regular expression, with anchors and look-around, to its minimal automaton.

The tree is read as an alternating automaton. What a text must still do after some letters is a *formula* over
*tasks*, in disjunctive form: a set of clauses, each a set of tasks that must all be met. A task is to follow a piece of
the tree and then another task (an Antimirov partial derivative), to end here, or not to meet a clause. Look-ahead is
then one more task in a clause, `$` is the task to end, and only what lies behind a position (`^`, `\\b`, look-behind)
needs a memory beside the formula, the *context*. Formulas with their contexts are the states.

Refused, with `StateLimitError`: more states than the limit, or more steps than an automaton that size should cost.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

from schema2gbnf.closed import assert_never
from schema2gbnf.languages.anchors import ANYTHING, absorb
from schema2gbnf.languages.charset import ANY, WORD, minterms
from schema2gbnf.languages.dfa import Dfa, StateLimitError, explore
from schema2gbnf.languages.regex import (
    EMPTY,
    Chars,
    Choice,
    Concat,
    End,
    Look,
    Regex,
    Repeat,
    Start,
    WordBoundary,
)

STEPS = 1_200_000
"""Steps that building one automaton may take, about two seconds of them."""


def automaton(tree: Regex, *, search: bool = True, limit: int = 20_000) -> Dfa:
    """The automaton of all texts in which the regex is found, or (`search=False`) that it matches as a whole.

    >>> from schema2gbnf.languages.ecma import parse
    >>> automaton(parse("^(?!ab)").tree).accepts("abc"), automaton(parse("b$").tree).accepts("ab")
    (False, True)
    """
    found = _automaton(tree, search, limit)
    if found is None:
        raise StateLimitError(limit)
    return found


@lru_cache(maxsize=512)
def _automaton(tree: Regex, search: bool, limit: int) -> Dfa | None:
    try:
        return _Builder(tree, search).automaton(limit)
    except StateLimitError:
        return None


# Tasks and clauses are numbered. A clause is a set of tasks to meet, `~task` standing for one that must not be met; a
# formula is the set of the numbers of its clauses, any one of which will do.
Clause: TypeAlias = "frozenset[int]"
Formula: TypeAlias = "frozenset[int]"
Row: TypeAlias = "tuple[Formula, ...]"

STOP = 0
"""The task to end here."""
ANYHOW = 1
"""The task that every text meets; it comes last in what there is to follow, and never stands in a clause."""

UNASKED = 0
"""The number of the empty clause."""
NEVER: Formula = frozenset()
ALWAYS: Formula = frozenset((UNASKED,))


@dataclass(frozen=True, slots=True)
class _Context:
    """What is known of the text before a position.

    `behind` holds for each look-behind its attempts under way: the task that is left of it, and the number of a clause
    that the rest of the text must meet because of look-ahead inside the look-behind.
    """

    first: bool
    after_word: bool
    behind: tuple[tuple[tuple[int, int], ...], ...]


@dataclass(frozen=True, slots=True)
class _Ways:
    """What can be done about a task without reading: each under a condition, a clause about the text from here.

    `reads` are letters that may come next and the task that is left then; `ends` are `STOP` and `ANYHOW`.
    """

    reads: tuple[tuple[Clause, tuple[int, ...], int], ...]
    ends: tuple[tuple[Clause, int], ...]


class _Builder:
    """All the tables of one construction."""

    def __init__(self, tree: Regex, search: bool) -> None:
        tree = absorb(tree, leading=True) if search else tree
        nodes = tuple(_nodes(tree))
        self.look_behinds = [node for node in nodes if isinstance(node, Look) and node.behind]
        self.behind_index = {id(node): index for index, node in enumerate(self.look_behinds)}
        self.has_boundary = any(isinstance(node, WordBoundary) for node in nodes)
        sets = [ANY, *(node.chars for node in nodes if isinstance(node, Chars))]
        self.cuts, self.letters, masks = minterms([*sets, WORD] if self.has_boundary else sets)
        self.width = max(self.letters) + 1
        self.members = {
            chars: tuple(letter for letter in range(self.width) if mask >> letter & 1) for chars, mask in masks.items()
        }
        self.steps = 0

        self.follows: list[tuple[Regex, int]] = [(EMPTY, STOP), (EMPTY, ANYHOW)]
        self.tasks: dict[tuple[int, int], int] = {}
        self.clauses: list[Clause] = [frozenset()]
        self.clause_numbers: dict[Clause, int] = {frozenset(): UNASKED}
        self.compound: set[int] = set()
        self.contexts: list[_Context] = []
        self.context_numbers: dict[_Context, int] = {}
        self.ahead: dict[Regex, Regex] = {}
        self.fewer: dict[tuple[int, int, int | None], Repeat] = {}
        self.ways_of: dict[tuple[int, int], _Ways] = {}
        self.rows: dict[tuple[int, int], Row] = {}
        self.verdicts: dict[tuple[int, int], bool] = {}
        self.advanced: dict[int, tuple[int, ...]] = {}

        self.attempts = tuple(self.follow(look.item, STOP) for look in self.look_behinds)
        self.word_next = self.follow(_WORD, ANYHOW)
        self.start_context = self.context(_Context(any(isinstance(node, Start) for node in nodes), False, ()))
        root = self.follow(tree, ANYHOW if search else STOP)
        self.root = frozenset((self.met(self.follow(ANYTHING, root) if search else root),))

    def automaton(self, limit: int) -> Dfa:
        """The automaton whose states are a context and a formula."""
        return explore((self.start_context, self.root), self.step, self.accepts, self.cuts, self.letters, limit)

    def step(self, state: tuple[int, Formula]) -> list[tuple[int, Formula]]:
        context, formula = state
        after = self.advance(context)
        # Where nothing is asked any more, nothing behind matters.
        return [
            (number, target) if target and target != ALWAYS else (self.start_context, target)
            for number, target in zip(after, self.formula_row(formula, context), strict=True)
        ]

    def accepts(self, state: tuple[int, Formula]) -> bool:
        context, formula = state
        return any(self.clause_holds(clause, context) for clause in formula)

    def spend(self, steps: int) -> None:
        self.steps += steps
        if self.steps > STEPS:
            raise StateLimitError(STEPS)

    # -- numbering ---------------------------------------------------------------------------------------------------

    def follow(self, tree: Regex, rest: int) -> int:
        """The task to match `tree` here and then meet the task `rest`."""
        # Trees are told apart by identity: equal ones in two places seldom have the same rest.
        key = (id(tree), rest)
        number = self.tasks.get(key)
        if number is None:
            number = self.tasks[key] = len(self.follows)
            self.follows.append((tree, rest))
        return number

    def clause(self, tasks: Clause) -> int:
        number = self.clause_numbers.get(tasks)
        if number is None:
            number = self.clause_numbers[tasks] = len(self.clauses)
            self.clauses.append(tasks)
            if len(tasks) > 1:
                self.compound.add(number)
        return number

    def met(self, task: int) -> int:
        """The clause that asks for one task."""
        return UNASKED if task == ANYHOW else self.clause(frozenset((task,)))

    def context(self, context: _Context) -> int:
        number = self.context_numbers.get(context)
        if number is None:
            number = self.context_numbers[context] = len(self.contexts)
            self.contexts.append(context)
        return number

    # -- formulas ----------------------------------------------------------------------------------------------------

    def either(self, formulas: Iterable[Set[int]]) -> Formula:
        """The disjunction, without clauses that ask more than another one does."""
        found = NEVER.union(*formulas)
        if UNASKED in found:
            return ALWAYS
        if self.compound.isdisjoint(found):
            return found
        asked = {number: self.clauses[number] for number in found}
        self.spend(len(found) ** 2 // 8)
        return frozenset(n for n, tasks in asked.items() if not any(other < tasks for other in asked.values()))

    def both(self, formulas: Iterable[Formula]) -> Formula:
        """The conjunction, distributed over the clauses."""
        found: list[Clause] = [frozenset()]
        for formula in formulas:
            if formula == ALWAYS:
                continue
            self.spend(2 * len(found) * len(formula))
            joined = (self.joined(tasks, self.clauses[number]) for tasks in found for number in formula)
            found = [tasks for tasks in joined if tasks is not None]
        return self.either([frozenset(map(self.clause, found))])

    @staticmethod
    def joined(left: Clause, right: Clause) -> Clause | None:
        """The clause that asks what both ask; None when that is a contradiction."""
        tasks = left | right
        return None if len(tasks) > 1 and any(~task in tasks for task in tasks) else tasks

    def negation(self, formula: Formula) -> Formula:
        found = ALWAYS
        for number in sorted(formula):
            refuted = frozenset(self.clause(frozenset((~task,))) for task in self.clauses[number])
            found = self.both((found, refuted))
        return found

    # -- one step of a task ------------------------------------------------------------------------------------------

    def ways(self, task: int, context: int) -> _Ways:
        """What can be done about a task at a position, found by walking the tree up to the next letters."""
        key = (task, context)
        known = self.ways_of.get(key)
        if known is None:
            known = self.ways_of[key] = self.find_ways(task, context)
        return known

    def find_ways(self, task: int, context: int) -> _Ways:
        reads: list[tuple[Clause, tuple[int, ...], int]] = []
        ends: list[tuple[Clause, int]] = []
        seen: dict[int, list[Clause]] = {}
        todo: list[tuple[int, Clause]] = [(task, frozenset())]
        while todo:
            task, condition = todo.pop()
            weaker = seen.setdefault(task, [])
            self.spend(4 + len(weaker))
            if any(each <= condition for each in weaker):
                continue
            weaker.append(condition)
            if task in (STOP, ANYHOW):
                ends.append((condition, task))
                continue
            tree, rest = self.follows[task]
            match tree:
                case Chars(chars):
                    reads.append((condition, self.members[chars], rest))
                case Concat(parts):
                    for part in reversed(parts):
                        rest = self.follow(part, rest)
                    todo.append((rest, condition))
                case Choice(options):
                    todo.extend((self.follow(option, rest), condition) for option in reversed(options))
                case Repeat(item, low, _):
                    if low == 0:
                        todo.append((rest, condition))
                    todo.append((self.follow(item, self.after_one(tree, rest)), condition))
                case _:
                    todo.extend((rest, tasks) for tasks in self.guarded(tree, condition, context))
        return _Ways(tuple(reads), tuple(ends))

    def after_one(self, tree: Repeat, rest: int) -> int:
        """The task that is left when one of the repetitions is done."""
        if tree.high is None and tree.low <= 1:
            low, high = 0, None
        else:
            low, high = max(tree.low - 1, 0), None if tree.high is None else tree.high - 1
        if high == 0:
            return rest
        if (low, high) == (tree.low, tree.high):
            return self.follow(tree, rest)
        return self.follow(self.fewer.setdefault((id(tree.item), low, high), Repeat(tree.item, low, high)), rest)

    def guarded(self, tree: Start | End | WordBoundary | Look, condition: Clause, context: int) -> Iterator[Clause]:
        """The conditions under which an assertion holds here, added to a condition there is already."""
        for number in sorted(self.assertion(tree, self.contexts[context], context)):
            tasks = self.joined(condition, self.clauses[number])
            if tasks is not None:
                yield tasks

    def assertion(self, tree: Start | End | WordBoundary | Look, known: _Context, context: int) -> Formula:
        """What an assertion asks of the text from here on."""
        match tree:
            case Start():
                return ALWAYS if known.first else NEVER
            case End():
                return frozenset((self.met(STOP),))
            case WordBoundary(negated):
                word_next = frozenset((self.met(self.word_next),))
                return word_next if known.after_word == negated else self.negation(word_next)
            case Look(behind, negated, item):
                if behind:
                    found = self.arrived(self.behind_index[id(tree)], context)
                else:
                    found = frozenset((self.met(self.follow(self.ahead.setdefault(item, item), ANYHOW)),))
                return self.negation(found) if negated else found
            case _:
                return assert_never(tree)

    def task_row(self, task: int, context: int) -> Row:
        """The formula that is left of a task after each letter."""
        key = (task, context)
        row = self.rows.get(key)
        if row is None:
            row = self.rows[key] = self.find_row(task, context)
        return row

    def find_row(self, task: int, context: int) -> Row:
        if task < 0:
            return tuple(map(self.negation, self.task_row(~task, context)))
        ways = self.ways(task, context)
        cells: dict[Clause, dict[int, set[int]]] = {}
        for condition, letters, rest in ways.reads:
            self.spend(len(letters))
            line = cells.setdefault(condition, {})
            clause = self.met(rest)
            for letter in letters:
                line.setdefault(letter, set()).add(clause)
        for condition, end in ways.ends:
            if end == ANYHOW:
                cells[condition] = {letter: {UNASKED} for letter in range(self.width)}
        rows = []
        for condition, line in cells.items():
            row = [NEVER] * self.width
            for letter, found in line.items():
                row[letter] = self.either([found])
            if condition:
                asked = self.clause_row(self.clause(condition), context)
                row = list(map(self.both, zip(asked, row, strict=True)))
            rows.append(row)
        return self.merged(rows)

    def clause_row(self, clause: int, context: int) -> Row:
        rows = [self.task_row(task, context) for task in sorted(self.clauses[clause])]
        if not rows:
            return (ALWAYS,) * self.width
        return rows[0] if len(rows) == 1 else tuple(map(self.both, zip(*rows, strict=True)))

    def formula_row(self, formula: Formula, context: int) -> Row:
        self.spend(len(formula) * (1 + self.width // 8) + self.width)
        return self.merged([self.clause_row(clause, context) for clause in formula])

    def merged(self, rows: Sequence[Sequence[Formula]]) -> Row:
        """The disjunction of rows, letter by letter."""
        if not rows:
            return (NEVER,) * self.width
        return tuple(rows[0]) if len(rows) == 1 else tuple(map(self.either, zip(*rows, strict=True)))

    def clause_holds(self, clause: int, context: int) -> bool:
        """Whether the empty rest of the text meets a clause."""
        return all(self.task_holds(task, context) for task in self.clauses[clause])

    def task_holds(self, task: int, context: int) -> bool:
        if task < 0:
            return not self.task_holds(~task, context)
        key = (task, context)
        verdict = self.verdicts.get(key)
        if verdict is None:
            ends = self.ways(task, context).ends
            verdict = task == STOP or any(self.clause_holds(self.clause(condition), context) for condition, _ in ends)
            self.verdicts[key] = verdict
        return verdict

    # -- what lies behind --------------------------------------------------------------------------------------------

    def under_way(self, index: int, context: int) -> list[tuple[int, int]]:
        """The attempts at a look-behind, among them the one that begins here."""
        behind = self.contexts[context].behind
        return [*(behind[index] if behind else ()), (self.attempts[index], UNASKED)]

    def arrived(self, index: int, context: int) -> Formula:
        """What the rest of the text must meet for a look-behind to hold here."""
        found = NEVER
        for task, pending in self.under_way(index, context):
            ends = frozenset(self.clause(condition) for condition, _ in self.ways(task, context).ends)
            found = self.either([found, self.both((frozenset((pending,)), ends))])
        return found

    def advance(self, context: int) -> tuple[int, ...]:
        """The context after each letter."""
        after = self.advanced.get(context)
        if after is None:
            behind = [self.attempts_after(index, context) for index in range(len(self.look_behinds))]
            word = frozenset(self.members[WORD]) if self.has_boundary else frozenset()
            after = self.advanced[context] = tuple(
                self.context(_Context(False, letter in word, tuple(each[letter] for each in behind)))
                for letter in range(self.width)
            )
        return after

    def attempts_after(self, index: int, context: int) -> list[tuple[tuple[int, int], ...]]:
        """The attempts at a look-behind that are under way after each letter."""
        found: list[set[tuple[int, int]]] = [set() for _ in range(self.width)]
        for task, pending in self.under_way(index, context):
            for condition, letters, rest in self.ways(task, context).reads:
                asked = self.both((frozenset((pending,)), frozenset((self.clause(condition),))))
                row = self.formula_row(asked, context)
                for letter in letters:
                    found[letter].update((rest, clause) for clause in row[letter])
        return [tuple(sorted(each)) for each in found]


_WORD = Chars(WORD)


def _nodes(tree: Regex) -> Iterator[Regex]:
    """All nodes of a tree, each before those inside it."""
    todo = [tree]
    while todo:
        node = todo.pop()
        yield node
        match node:
            case Concat(parts):
                todo.extend(reversed(parts))
            case Choice(options):
                todo.extend(reversed(options))
            case Repeat(item) | Look(item=item):
                todo.append(item)
            case _:
                pass

"""Checks of how rules hang together."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator

from schema2gbnf.gbnf.syntax import Name
from schema2gbnf.lint.diagnostic import Flaw
from schema2gbnf.lint.subject import ROOT, Subject

MOST_STEPS = 100_000
"""Ways through left corners from which on llama.cpp, which walks each, needs minutes or the whole memory."""

_SHOWN = 8
"""How many rules of a path are told."""


def undefined(subject: Subject) -> Iterator[Flaw]:
    """A rule is named, and is not there."""
    for name in subject.missing:
        yield Flaw(name.position, f"the rule {name.name} is not defined; define it, or correct the name")


def duplicate(subject: Subject) -> Iterator[Flaw]:
    """A rule is defined again."""
    first: dict[str, int] = {}
    for rule in subject.written:
        if rule.name in first:
            line = subject.lines.place(first[rule.name])[0]
            message = f"the rule {rule.name} is defined in line {line} already, which llama.cpp silently forgets"
            yield Flaw(rule.position, f"{message}; keep one of them")
        first.setdefault(rule.name, rule.position)


def missing_root(subject: Subject) -> Iterator[Flaw]:
    """Nothing to begin with."""
    if ROOT not in subject.rules and ROOT not in subject.salvaged.lost:
        first = subject.written[0].position if subject.written else 0
        yield Flaw(first, "no rule is named root, which every text begins with; add root ::= …")


def unreachable(subject: Subject) -> Iterator[Flaw]:
    """A rule that root never leads to."""
    # A rule that could not be read may lead anywhere.
    if subject.salvaged.lost or ROOT not in subject.rules:
        return
    reached = {ROOT: None}
    todo = [ROOT]
    while todo:
        fresh = [each.name for each in subject.callees.get(todo.pop(), ()) if each.name not in reached]
        reached.update(dict.fromkeys(fresh))
        todo += fresh
    for name, rule in subject.rules.items():
        if name not in reached:
            yield Flaw(rule.position, f"the rule {name} is never reached from root; remove it, or use it")


def unproductive(subject: Subject) -> Iterator[Flaw]:
    """A rule without a text."""
    for name, rule in subject.rules.items():
        if not subject.productive(name):
            message = (
                f"the rule {name} has no text, as each way through it needs a rule without a text, or itself again"
            )
            yield Flaw(rule.position, f"{message}; add an alternative that ends")


def left_recursion(subject: Subject) -> Iterator[Flaw]:
    """A rule that can begin with itself."""
    for loop in subject.left_loops:
        inside = set(loop)
        first = next(name for name in subject.rules if name in inside)
        path, corner, behind = _way_back(subject, first, inside)
        shown = path if len(path) <= _SHOWN else [*path[:_SHOWN], "…", path[-1]]
        through = " behind what may be empty" if behind else ""
        message = f"the rule {first} is left-recursive{through}: {' → '.join(shown)}"
        remedy = "llama.cpp refuses it or runs out of memory; let a character come before, or repeat with *"
        yield Flaw(corner.position, f"{message}; {remedy}")


def _way_back(subject: Subject, first: str, inside: set[str]) -> tuple[list[str], Name, bool]:
    """The shortest way from a rule to itself, its first step, and whether something empty stands before a step."""
    came: dict[str, tuple[str, Name, bool]] = {}
    todo = deque([first])
    while first not in came:
        name = todo.popleft()
        # A corner with nothing before it tells more plainly what is wrong.
        for corner, behind in sorted(subject.corners(name), key=lambda step: step[1]):
            if corner.name in inside and corner.name not in came:
                came[corner.name] = name, corner, behind
                todo.append(corner.name)
    path, behind_any = [first], False
    while True:
        before, corner, behind = came[path[-1]]
        path.append(before)
        behind_any = behind_any or behind
        if before == first:
            return path[::-1], corner, behind_any


def exponential_left_corners(subject: Subject) -> Iterator[Flaw]:
    """Rules that begin with rules that begin with rules, in ways that multiply."""
    if subject.left_loops:
        return
    steps: dict[str, int] = {}
    for name in _corners_first(subject):
        corners = [steps.get(corner.name, 1) for corner, _ in subject.corners(name)]
        steps[name] = min(1 + sum(corners), MOST_STEPS)
        if steps[name] == MOST_STEPS and max(corners) < MOST_STEPS:
            message = (
                f"the rule {name} begins with other rules in more than {MOST_STEPS} ways, and llama.cpp walks each"
            )
            remedy = "let alternatives that begin with the same rule share it: x (a | b), not x a | x b"
            yield Flaw(subject.rules[name].position, f"{message}; {remedy}")


def _corners_first(subject: Subject) -> Iterator[str]:
    """The rules, each behind those that it can begin with; none can begin with itself."""
    done: set[str] = set()
    for root in subject.rules:
        stack = [] if root in done else [(root, subject.corners(root))]
        while stack:
            name, corners = stack[-1]
            following = next(
                (each.name for each, _ in corners if each.name in subject.rules and each.name not in done), None
            )
            if following is not None:
                stack.append((following, subject.corners(following)))
                continue
            stack.pop()
            if name not in done:
                done.add(name)
                yield name

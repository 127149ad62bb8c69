"""Objects as grammar expressions: all alternatives of one conjunction read together, member by member.

The walks of the alternatives are joined (subset construction over "a member of this name with this value"), so that
members common to several alternatives are read once and a tag decides where it stands. After `{` or `,` the next name
is read through a trie of the names that may still come. Where only one member can come, the members are written one
after the other; where there is a choice, what follows a member is a rule of its own.
"""

from __future__ import annotations

import json
from collections.abc import Hashable
from dataclasses import dataclass
from functools import lru_cache

from schema2gbnf.grammar.rules import Expr, Literal, Ref, alternation, sequence
from schema2gbnf.grammar.surroundings import Surroundings
from schema2gbnf.grammar.tries import Char, End, Forest, Fork, KeyTrie, factored
from schema2gbnf.grammar.whitespace import Blanks
from schema2gbnf.semantics.formula import Conjunction
from schema2gbnf.semantics.productivity import live_steps
from schema2gbnf.semantics.shapes import Names, ObjectShape
from schema2gbnf.semantics.walks import Walk

Place = tuple[int, int]
"""An alternative and the step of its walk."""
Joint = tuple[Place, ...]
"""Places in several walks that the same text leads to."""
Content = Hashable
"""What is known of a member's value: in JSON, the demands on it."""


@dataclass(frozen=True, slots=True)
class Ahead:
    """What may come at a joint place: named members, undeclared members, the closing brace."""

    names: KeyTrie
    parts: tuple[tuple[Names, Content, Joint], ...]
    ends: bool


@dataclass(frozen=True, slots=True)
class Notation:
    """What stands around the members of an object and in them: braces, blanks, and what a name begins and ends with."""

    opening: Expr
    """Before the first member."""
    gap: Expr
    """Behind a member."""
    comma: Expr
    """Between that and the next member."""
    quote: Literal
    """Before a name."""
    unquote: str
    """Behind a name. No name that is written has it inside."""
    colon: Expr
    """Between that and the value."""
    closing: Expr
    """Behind all members and the gap."""
    escaped: bool = True
    """Whether names are spelled as in JSON, or as they are."""

    @staticmethod
    @lru_cache(maxsize=16)
    def json(blanks: Blanks) -> Notation:
        """That of JSON."""
        return Notation(
            sequence(Literal("{"), blanks.gap),
            blanks.gap,
            blanks.comma,
            Literal('"'),
            '"',
            blanks.colon,
            Literal("}"),
        )

    def spell(self, name: str) -> str:
        """A name as it is written, with what ends it."""
        is_bare = not self.escaped or name.isalnum()
        return (name if is_bare else json.dumps(name, ensure_ascii=False)[1:-1]) + self.unquote


class ObjectWriter:
    """Writes the objects of one nonterminal. Rules are named after `hint`; `identity` tells it from all others."""

    def __init__(
        self,
        alternatives: list[tuple[ObjectShape, Walk]],
        around: Surroundings,
        hint: str,
        identity: object,
        notation: Notation | None = None,
    ) -> None:
        self.alternatives = alternatives
        self.draft = around.draft
        self.notation = notation or Notation.json(around.blanks)
        self.productive = around.productive
        self.around = around
        self.hint = hint
        self.identity = identity
        self.forest = Forest()
        self.first = sequence(self.notation.quote)
        self.next = sequence(self.notation.comma, self.notation.quote)
        self.end = sequence(self.notation.gap, self.notation.closing)
        """What follows the last member."""
        self._texts: dict[str, str] = {}
        self._names: dict[str, str] = {}
        self._live = [
            # Where nothing is counted or owed, all that must come has a value, or there would be no such object.
            range(len(walk)) if shape.free else live_steps(walk, around.productive)
            for shape, walk in alternatives
        ]
        self._nothing = Ahead(self.forest.empty, (), False)
        self._tails: dict[Place, Ahead] = {}
        self._same: dict[tuple[int, int, int, bool], Ahead] = {}
        self._ahead: dict[Joint, Ahead] = {}
        self._parents: dict[KeyTrie, int] = {}
        self._inside: dict[KeyTrie, Expr] = {}
        self._members: dict[tuple[str, Content], Ref] = {}
        self._additional: dict[tuple[Names, Content], Ref] = {}
        self._rests: dict[Joint, Ref] = {}
        self._todo: list[Joint] = []

    def write(self) -> Expr:
        """The expression of the objects, braces included."""
        start: Joint = tuple((index, 0) for index in range(len(self.alternatives)))
        self.discover(start)
        body = self.options(self.ahead(start), first=True)
        while self._todo:
            joint = self._todo.pop()
            self.draft.define(self._rests[joint], self.rest_body(joint))
        return sequence(self.notation.opening, body)

    # -- joint places ------------------------------------------------------------------------------------------------

    def discover(self, start: Joint) -> None:
        """Visit every joint place, and count from how many others each node of a trie hangs."""
        todo, seen = [start], {start}
        nodes: list[KeyTrie] = []
        parents = self._parents

        def hang(node: KeyTrie) -> None:
            count = parents[node] = parents.get(node, 0) + 1
            if count == 1:
                nodes.append(node)

        while todo:
            ahead = self.ahead(todo.pop())
            hang(ahead.names)
            joints = [targets for _, _, targets in ahead.parts]
            while nodes:
                node = nodes.pop()
                if isinstance(node, Char):
                    hang(node.below)
                elif isinstance(node, Fork):
                    hang(node.left)
                    hang(node.right)
                else:
                    joints.extend([targets for _, targets in node.edges])  # type: ignore[misc]
            for joint in joints:
                if joint not in seen:
                    seen.add(joint)
                    todo.append(joint)

    def ahead(self, joint: Joint) -> Ahead:
        """What may come at a joint place: what may come in any of the walks, the same members once."""
        found = self._ahead.get(joint)
        if found is None and len(joint) == 1 and not (tail := self.tail(joint[0])).parts:
            found = self._ahead[joint] = tail
        if found is None:
            names, ends = self.forest.empty, False
            parts: dict[tuple[Names, Content], dict[Place, None]] = {}
            for place in joint:
                tail = self.tail(place)
                names = self.forest.merge(names, tail.names)
                ends = ends or tail.ends
                for language, value, targets in tail.parts:
                    parts.setdefault((language, value), {}).update(dict.fromkeys(targets))
            joined = tuple((language, value, tuple(targets)) for (language, value), targets in parts.items())
            found = self._ahead[joint] = Ahead(names, joined, ends)
        return found

    def tail(self, place: Place) -> Ahead:
        """What may come at a place in one walk, found from the end of the optional members backwards."""
        index, number = place
        shape, walk = self.alternatives[index]
        chain: list[int] = []
        at: int | None = number
        while at is not None and (index, at) not in self._tails:
            chain.append(at)
            at = walk[at].skip
        tail = self._nothing if at is None else self._tails[index, at]
        for each in reversed(chain):
            # Places that differ only in what was taken before have the same takes, in one walk the same object.
            same = index, id(walk[each].takes), id(tail), walk[each].ends
            if same in self._same:
                tail = self._tails[index, each] = self._same[same]
                continue
            names, parts = self.forest.empty, tail.parts
            for take in walk[each].takes:
                if not self.open(index, take.value, take.target):
                    continue
                if take.place < len(shape.members):
                    name = shape.members[take.place].name
                    edge = (self.content(index, name, take.value), ((index, take.target),))
                    names = self.forest.merge(names, self.forest.single(self.spell(name), edge))
                else:
                    language = shape.parts[take.place - len(shape.members)].names
                    content = self.content(index, None, take.value)
                    parts = (*parts, (language, content, ((index, take.target),)))
            ends = walk[each].ends or tail.ends
            tail = self._tails[index, each] = self._same[same] = Ahead(
                self.forest.merge(names, tail.names), parts, ends
            )
        return tail

    def spell(self, name: str) -> str:
        """A name as it is written, with what ends it."""
        text = self._texts.get(name)
        if text is None:
            text = self._texts[name] = self.notation.spell(name)
            self._names[text] = name
        return text

    def open(self, index: int, value: Conjunction, target: int) -> bool:
        return target in self._live[index] and self.productive(value)

    def content(self, index: int, name: str | None, value: Conjunction) -> Content:
        """What is known of a member in one of the alternatives, under its name or, None, an undeclared one."""
        return value

    def value(self, content: Content, hint: str) -> Expr:
        """The value of a member, and what ends it."""
        return self.around.value(content, hint)  # type: ignore[arg-type]

    # -- expressions -------------------------------------------------------------------------------------------------

    def options(self, ahead: Ahead, first: bool) -> Expr:
        """What comes after the opening brace, or after a member and the gap behind it."""
        found: list[Expr] = []
        only = self.only_member(ahead)
        if only is not None:
            return sequence(self.first if first else self.next, only)
        branches = [] if ahead.names is self.forest.empty else [self.names(ahead.names, "")]
        for names, value, targets in ahead.parts:
            branches.append(sequence(self.additional(names, value), self.rest(targets, "additional")))
        if branches:
            found.append(sequence(self.first if first else self.next, alternation(*branches)))
        if ahead.ends:
            found.append(self.notation.closing)
        return factored(found)

    def only_member(self, ahead: Ahead) -> Expr | None:
        """The one member that must come, with all that follows it; None when there is a choice."""
        written: list[Expr] = []
        while True:
            key = self.only_key(ahead)
            if key is None:
                return sequence(*written) if written else None
            text, value, targets = key
            name = self._names[text]
            written.append(self.member(text, value, name))
            following = self.ahead(targets)
            if self.only_key(following) is None:
                if following.ends and not following.parts and following.names is self.forest.empty:
                    written.append(self.end)
                else:
                    written.append(self.rest(targets, name))
                return sequence(*written)
            written += [self.notation.gap, self.next]
            ahead = following

    @staticmethod
    def only_key(ahead: Ahead) -> tuple[str, Content, Joint] | None:
        if ahead.parts or ahead.ends:
            return None
        text, node = _straight("", ahead.names)
        if not isinstance(node, End) or len(node.edges) != 1:
            return None
        value, targets = node.edges[0]
        return text, value, targets  # type: ignore[return-value]

    def member(self, text: str, value: Content, name: str) -> Expr:
        """A member from behind its opening quote to the end of its value, as a rule."""
        found = self._members.get((text, value))
        if found is None:
            hint = f"{self.hint}-{name}"
            body = sequence(Literal(text), self.notation.colon, self.value(value, hint))
            ref = self.draft.place(f"{hint}-kv", self.identity, name, len(self._members))
            found = self._members[text, value] = self.draft.define(ref, body)
        return found

    def additional(self, names: Names, value: Content) -> Expr:
        """An undeclared member from behind its opening quote to the end of its value, as a rule."""
        found = self._additional.get((names, value))
        if found is None:
            hint = f"{self.hint}-additional"
            name = self.around.name_of(names, f"{hint}-name")
            body = sequence(name, self.notation.colon, self.value(value, hint))
            ref = self.draft.place(f"{hint}-kv", self.identity, "additional", len(self._additional))
            found = self._additional[names, value] = self.draft.define(ref, body)
        return found

    def names(self, head: KeyTrie, before: str) -> Expr:
        """The members whose names go on from here; what several tries have in common is a rule."""
        found = self._inside.get(head)
        if found is not None:
            return found
        text, node = _straight("", head)
        if isinstance(node, End):
            return self.end_of_name(text, before, node)
        assert isinstance(node, Fork)
        read = before + text
        options = alternation(self.names(node.left, read), self.names(node.right, read))
        found = sequence(Literal(text), options)
        if self._parents[head] > 1 and _holds_more_than(2, node):
            first = self._names[_first_text(node, read)]
            ref = self.draft.place(f"{self.hint}-{first}-names", self.identity, first, len(self._inside))
            found = self.draft.define(ref, found)
        self._inside[head] = found
        return found

    def end_of_name(self, text: str, before: str, node: End) -> Expr:
        """The end of a name, its value, and what follows."""
        name = self._names[before + text]
        if len(node.edges) == 1 and not before:
            value, targets = node.edges[0]
            return sequence(self.member(text, value, name), self.rest(targets, name))  # type: ignore[arg-type]
        found = self._inside.get(node)
        if found is None:
            hint = f"{self.hint}-{name}"
            found = sequence(
                self.notation.colon,
                factored(
                    sequence(self.value(value, hint), self.rest(targets, name))  # type: ignore[arg-type]
                    for value, targets in node.edges
                ),
            )
            if self._parents[node] > 1:
                ref = self.draft.place(f"{hint}-value", self.identity, name, len(self._inside))
                found = self.draft.define(ref, found)
            self._inside[node] = found
        return sequence(Literal(text), found)

    def rest(self, joint: Joint, name: str) -> Expr:
        """What follows a member, up to the closing brace: a rule, or just the brace."""
        ref = self._rests.get(joint)
        if ref is None:
            ahead = self.ahead(joint)
            if ahead.ends and not ahead.parts and ahead.names is self.forest.empty:
                return self.end
            ref = self._rests[joint] = self.draft.place(f"{self.hint}-{name}-rest", self.identity, joint)
            self._todo.append(joint)
        return ref

    def rest_body(self, joint: Joint) -> Expr:
        return sequence(self.notation.gap, self.options(self.ahead(joint), first=False))


def _straight(text: str, node: KeyTrie) -> tuple[str, KeyTrie]:
    """The text up to the first fork or end."""
    read = [text]
    while isinstance(node, Char):
        read.append(node.char)
        node = node.below
    return "".join(read), node


def _first_text(node: KeyTrie, before: str) -> str:
    """The first text of a trie, in the order of its characters."""
    while not isinstance(node, End):
        if isinstance(node, Fork):
            node = node.left
        else:
            before, node = before + node.char, node.below
    return before


def _holds_more_than(count: int, node: KeyTrie) -> bool:
    """Whether a trie has more than so many names."""
    todo = [node]
    while todo and count >= 0:
        match todo.pop():
            case End():
                count -= 1
            case Char(_, below):
                todo.append(below)
            case Fork(_, _, left, right):
                todo += [left, right]
    return count < 0

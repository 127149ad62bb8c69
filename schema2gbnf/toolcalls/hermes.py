"""The format of Hermes 2 Pro and of Qwen 2.5 and 3: JSON between two tags.

    <tool_call>
    {"name": "NAME", "arguments": {…}}
    </tool_call>

Members may stand in any order, `parameters` is another name of `arguments`; these may be missing, null, or a JSON
string that holds an object. An array of such objects is as many calls. The types are JSON's own, so the schema is not
asked. What is no JSON, or has no name, is text; where it had begun as a call, the deltas end that call as incomplete.
"""

from __future__ import annotations

from schema2gbnf.toolcalls import jsontext
from schema2gbnf.toolcalls.calls import EventKind
from schema2gbnf.toolcalls.readings import Untyped
from schema2gbnf.toolcalls.session import OpenCall, Session
from schema2gbnf.toolcalls.source import EndOfTextError, Source, Steps, Tags, Write, nowhere
from schema2gbnf.toolcalls.spelling import NotJsonError, read, spell

CALL, END_CALL = "<tool_call>", "</tool_call>"

_OPENERS = Tags(CALL)
_ARGUMENTS = ("arguments", "parameters")


class Hermes:
    """A reader of one text."""

    def __init__(self, source: Source, session: Session, untyped: Untyped) -> None:
        self.source = source
        self.session = session
        self.open: OpenCall | None = None
        self.released = CALL
        """What is passed on as text when what begins at the mark turns out to be no call."""

    def read(self) -> Steps[None]:
        """Content and calls, to the end of the text."""
        source = self.source
        while tag := (yield from source.until(_OPENERS, self.session.content)):
            source.mark(tag)
            self.released = tag
            try:
                yield from self.block()
            except NotJsonError:
                self.refused("invalid-json", "it is no JSON object with the name of a tool")
            except EndOfTextError:
                if self.open is None and source.whole:
                    self.refused("cut-off", "")
                elif self.open is None:
                    self.session.note("cut-off", f"the text ends before the name of a tool: {source.raw}")
                else:
                    self.open.cut(source.raw)
            self.open = None
            source.unmark()

    def refused(self, kind: EventKind, message: str) -> None:
        """What begins at the mark is no call, so its first tag is text, and what follows is looked at again."""
        source = self.source
        if self.open is not None:
            self.open.refuse(kind, message)
        source.back()
        self.session.content(self.released)
        source.skip(len(self.released))

    def block(self) -> Steps[None]:
        """What stands between the tags, of which the first has been read: a call, or an array of calls."""
        if (yield from jsontext.next_token(self.source)) == "[":
            self.source.skip(1)
            yield from self.call()
            while (yield from jsontext.mark(self.source, ",]")) == ",":
                self.end()
                yield from jsontext.next_token(self.source)
                self.source.mark()
                self.released = "{"
                yield from self.call()
        else:
            yield from self.call()
        blanks = yield from self.source.blanks()
        following = yield from self.source.take((END_CALL,))
        if following == "" and not self.source.whole:
            raise EndOfTextError
        if not following and self.open is not None:
            self.open.note("missing-close-tag", f"{END_CALL} is missing")
        self.end()
        if following is None:
            self.session.content(blanks)

    def end(self) -> None:
        """The call is complete; its last brace has waited for this."""
        if self.open is not None:
            self.open.write("}")
            self.open.end()
            self.open = None

    def call(self) -> Steps[None]:
        """One object with a name and arguments."""
        yield from jsontext.mark(self.source, "{")
        waiting: list[str] = []
        given = False

        def write(text: str) -> None:
            if self.open is None:
                waiting.append(text)
            else:
                self.open.write(text)

        following = ","
        while following == ",":
            member = yield from jsontext.decoded_string(self.source)
            yield from jsontext.mark(self.source, ":")
            if member == "name" and self.open is None:
                name = yield from jsontext.decoded_string(self.source)
                self.open = self.session.start(name) if name else None
                if self.open is None:
                    raise NotJsonError
                write("".join(waiting))
            elif member in _ARGUMENTS and not given:
                yield from self.arguments(write)
                given = True
            else:
                yield from jsontext.value(self.source, nowhere)
            following = yield from jsontext.mark(self.source, ",}")
        if self.open is None:
            raise NotJsonError
        if not given:
            write("{")

    def arguments(self, write: Write) -> Steps[None]:
        """The object of the arguments, without its last brace."""
        first = yield from jsontext.next_token(self.source)
        if first == "{":
            yield from jsontext.value(self.source, write)
        elif first == '"':
            inner = read((yield from jsontext.decoded_string(self.source)))
            if not isinstance(inner, dict):
                raise NotJsonError
            write(spell(inner)[:-1])
        elif first == "n":
            yield from jsontext.value(self.source, nowhere)
            write("{")
        else:
            raise NotJsonError

"""The format of GLM 4.7 and 5; that of GLM 4.5 and 4.6 is the same with line breaks between the tags.

    <tool_call>NAME<arg_key>KEY</arg_key><arg_value>VALUE</arg_value>…</tool_call>

All tags are single tokens, which a model does not write by accident. Nothing is escaped; a value is all between its
tags, names and keys are trimmed.
"""

from __future__ import annotations

import re

from schema2gbnf.toolcalls.arguments import Arguments
from schema2gbnf.toolcalls.readings import Untyped
from schema2gbnf.toolcalls.session import Session
from schema2gbnf.toolcalls.source import EndOfTextError, NotACallError, Source, Steps, Tags, nowhere

CALL, END_CALL = "<tool_call>", "</tool_call>"
KEY, END_KEY = "<arg_key>", "</arg_key>"
VALUE, END_VALUE = "<arg_value>", "</arg_value>"

_OPENERS = Tags(CALL)
_ELEMENTS = Tags(KEY, END_CALL, CALL)
_BEHIND_KEY = Tags(END_KEY, VALUE, END_CALL)
_END_VALUE = Tags(END_VALUE)
_NAME = re.compile(r"""[^\s{}<>"']*""")
_SPACES = re.compile(r"[^\S\n]*")


class Glm47:
    """A reader of one text."""

    def __init__(self, source: Source, session: Session, untyped: Untyped) -> None:
        self.source = source
        self.session = session
        self.untyped = untyped

    def read(self) -> Steps[None]:
        """Content and calls, to the end of the text."""
        source = self.source
        while tag := (yield from source.until(_OPENERS, self.session.content)):
            source.mark(tag)
            try:
                yield from self.call()
            except NotACallError:
                source.back()
                self.session.content(tag)
                source.skip(len(tag))
            except EndOfTextError:
                self.session.note("cut-off", f"the text ends in the name of a tool: {source.raw}")
            source.unmark()

    def call(self) -> Steps[None]:
        """One call, of which the opening tag has been read."""
        name = yield from self.name()
        call = self.session.start(name)
        if call is None:
            raise NotACallError
        arguments = Arguments(call, "unless-string", self.untyped)
        while (tag := (yield from self.source.until(_ELEMENTS, arguments.stray, nowhere))) == KEY:
            if not (yield from self.argument(arguments)):
                call.cut(self.source.raw)
                return
        if tag == CALL:
            self.source.skip(-len(tag))
        if tag == END_CALL or (arguments.names and (tag or self.source.whole)):
            if tag != END_CALL:
                call.note("missing-close-tag", f"{END_CALL} is missing")
            arguments.finish()
        else:
            call.cut(self.source.raw)

    def name(self) -> Steps[str]:
        """The name of the tool, up to a line break or the tag behind it."""
        yield from self.source.blanks()
        name = yield from self.source.run(_NAME)
        yield from self.source.run(_SPACES)
        following = yield from self.source.peek((KEY, END_CALL, "\n"))
        if following == "":
            raise EndOfTextError
        if following is None or not name:
            raise NotACallError
        return name

    def argument(self, arguments: Arguments) -> Steps[bool]:
        """A key and its value; False when the text ends in them."""
        source = self.source
        pieces: list[str] = []
        tag: str | None = yield from source.until(_BEHIND_KEY, pieces.append)
        name = "".join(pieces).strip()
        if tag == END_KEY:
            yield from source.blanks()
            tag = yield from source.take((VALUE,))
        elif tag == END_CALL:
            source.skip(-len(END_CALL))
            tag = None
        if tag == "":
            return False
        if tag is None:
            arguments.call.note("malformed", "the key has no value", name)
            return True
        arguments.begin(name)
        if not (yield from source.until(_END_VALUE, arguments.write)):
            return False
        arguments.end()
        return True

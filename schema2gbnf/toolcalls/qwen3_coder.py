"""The format of Qwen3-Coder, in tags that look like XML and are not.

    <tool_call>
    <function=NAME>
    <parameter=KEY>
    VALUE
    </parameter>
    </function>
    </tool_call>

Nothing is escaped. One line break behind `>` and one before `</parameter>` belong to the tags, all else to the value,
which ends only where a closing tag is followed by what may follow it. Models leave tags out: an opening `<tool_call>`
before a tool that exists, a `</parameter>` at the end or before another parameter of the tool, closers at the end of
the text; each such call has an event that says so.
"""

from __future__ import annotations

import re

from schema2gbnf.toolcalls.arguments import Arguments
from schema2gbnf.toolcalls.readings import Untyped
from schema2gbnf.toolcalls.session import Session
from schema2gbnf.toolcalls.source import EndOfTextError, NotACallError, Source, Steps, Tags, nowhere

CALL, END_CALL = "<tool_call>", "</tool_call>"
FUNCTION, END_FUNCTION = "<function=", "</function>"
PARAMETER, END_PARAMETER = "<parameter=", "</parameter>"

_OPENERS = Tags(CALL, FUNCTION)
_ELEMENTS = Tags(PARAMETER, END_FUNCTION, END_CALL, CALL, FUNCTION)
_IN_VALUE = Tags(END_PARAMETER, END_FUNCTION, PARAMETER)
_BEHIND_PARAMETER = (PARAMETER, END_FUNCTION, END_CALL)
_NAME = re.compile(r"""[^\s{}<>"']*""")
_KEY = re.compile(r"[^>\n]*")


class Qwen3Coder:
    """A reader of one text."""

    def __init__(self, source: Source, session: Session, untyped: Untyped) -> None:
        self.source = source
        self.session = session
        self.untyped = untyped

    def read(self) -> Steps[None]:
        """Content and calls, to the end of the text."""
        source, inside = self.source, False
        while tag := FUNCTION if inside else (yield from source.until(_OPENERS, self.session.content)):
            source.mark(tag)
            try:
                inside = yield from self.call(tag, inside or tag == CALL)
            except NotACallError:
                source.back()
                self.session.content(tag)
                source.skip(len(tag))
                inside = False
            except EndOfTextError:
                self.session.note("cut-off", f"the text ends in the name of a tool: {source.raw}")
                inside = False
            source.unmark()

    def call(self, tag: str, opened: bool) -> Steps[bool]:
        """One call, of which the first tag has been read; whether another one follows in the same block."""
        if tag == CALL:
            yield from self.source.blanks()
            if not (yield from self.source.take((FUNCTION,))):
                raise NotACallError
        name = yield from self.name(opened)
        call = self.session.start(name)
        if call is None:
            raise NotACallError
        if not opened:
            call.note("missing-open-tag", f"no {CALL} stands before it")
        return (yield from self.elements(Arguments(call, "always", self.untyped), opened))

    def name(self, opened: bool) -> Steps[str]:
        """The name of the tool; without an opening tag, only that of one that there is."""
        yield from self.source.blanks()
        name = yield from self.source.run(_NAME)
        yield from self.source.blanks()
        following = yield from self.source.take((">",))
        if following == "" and opened:
            raise EndOfTextError
        if not following or not name or not (opened or name in self.session.tools):
            raise NotACallError
        return name

    # -- between the tags of a call ----------------------------------------------------------------------------------

    def elements(self, arguments: Arguments, opened: bool) -> Steps[bool]:
        """The parameters, and the end of the call."""
        source, call = self.source, arguments.call
        tag: str | None = None
        while True:
            if tag is None:
                tag = yield from source.until(_ELEMENTS, arguments.stray, nowhere)
            if tag == PARAMETER:
                tag = yield from self.parameter(arguments)
                if tag == "":
                    call.cut(source.raw)
                    return False
                continue
            if tag == END_FUNCTION:
                return (yield from self.behind_function(arguments, opened))
            if tag == CALL:
                source.skip(-len(tag))
            if tag == END_CALL or (arguments.names and (tag or source.whole)):
                call.note("missing-close-tag", f"{END_FUNCTION} is missing")
                arguments.finish()
            else:
                call.cut(source.raw)
            return tag == FUNCTION

    def behind_function(self, arguments: Arguments, opened: bool) -> Steps[bool]:
        """What follows the end of a function: the end of the block, another function, or neither."""
        source, call = self.source, arguments.call
        blanks = yield from source.blanks()
        following = yield from source.take((END_CALL, FUNCTION))
        if following == "" and not source.whole:
            call.cut(source.raw)
            return False
        if not following and opened:
            call.note("missing-close-tag", f"{END_CALL} is missing")
        arguments.finish()
        if following is None:
            self.session.content(blanks)
        return following == FUNCTION

    def parameter(self, arguments: Arguments) -> Steps[str | None]:
        """A parameter, whose tag has been read up to its name.

        The tag that ended it, if that is read already; "" when the text ends in the parameter.
        """
        source = self.source
        name = (yield from source.run(_KEY)).strip()
        following = yield from source.take((">", "\n"))
        if not following:
            return ""
        arguments.begin(name)
        if following == "\n":
            arguments.call.note("malformed", "the bracket behind the name is missing", name)
        framed = following == "\n" or (yield from source.take(("\n",))) == "\n"
        tag = yield from self.value(arguments, _Framed(arguments, framed))
        if tag == "":
            return ""
        if tag is not None:
            arguments.call.note("missing-close-tag", f"{END_PARAMETER} is missing", name)
        arguments.end()
        return tag

    def value(self, arguments: Arguments, value: _Framed) -> Steps[str | None]:
        """The text of a value, up to what ends it."""
        source = self.source
        others = arguments.call.signature.names - arguments.names.keys()
        while tag := (yield from source.until(_IN_VALUE, value.write)):
            if tag == PARAMETER:
                if value.at_line_start and (yield from self._names(others)):
                    return tag
                value.write(tag)
                continue
            blanks = yield from source.blanks()
            following = yield from source.peek(_BEHIND_PARAMETER if tag == END_PARAMETER else (END_CALL,))
            if tag == END_PARAMETER and following is not None:
                return None
            if tag == END_FUNCTION and following:
                return tag
            value.write(tag + blanks)
        value.flush()
        return ""

    def _names(self, others: frozenset[str]) -> Steps[bool]:
        """Whether the tag that was read up to its name opens another parameter of the tool."""
        source = self.source
        longest = max(map(len, others), default=0)
        while True:
            rest = source.text[source.position : source.position + longest + 1]
            name, bracket, _ = rest.partition(">")
            if bracket:
                return name in others
            if len(rest) > longest or not any(other.startswith(rest) for other in others):
                return False
            if not (yield from source.more()):
                return False


class _Framed:
    """The text of a value on its way, but for a line break at its end, which belongs to the closing tag."""

    def __init__(self, arguments: Arguments, framed: bool) -> None:
        self.arguments = arguments
        self.at_line_start = framed
        self.held = ""

    def write(self, text: str) -> None:
        held, self.held = self.held, "\n" if text.endswith("\n") else ""
        self.at_line_start = bool(self.held)
        if out := held + text[: len(text) - len(self.held)]:
            self.arguments.write(out)

    def flush(self) -> None:
        """The text is over before the value is."""
        if self.held:
            self.arguments.write(self.held)
            self.held = ""

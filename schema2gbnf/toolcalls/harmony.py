"""The format of gpt-oss: a turn is a sequence of messages, and a message to a function is a call.

    <|channel|>commentary to=functions.NAME <|constrain|>json<|message|>{…}<|call|>

The prompt ends in `<|start|>assistant`, so the text begins behind it. The recipient stands behind the role or behind
the channel. The body of a call is passed on as it is. Messages without a recipient are reasoning on the channel
`analysis`, else content. The token that ends the last message is mostly stripped, so the end of the text ends it too.
"""

from __future__ import annotations

import re

from schema2gbnf.toolcalls.readings import Untyped
from schema2gbnf.toolcalls.session import OpenCall, Session
from schema2gbnf.toolcalls.source import Source, Steps, Tags, Write, nowhere
from schema2gbnf.toolcalls.spelling import NotJsonError, read

START, CHANNEL, MESSAGE = "<|start|>", "<|channel|>", "<|message|>"
END, CALL, RETURN = "<|end|>", "<|call|>", "<|return|>"

_OPENERS = Tags(START, CHANNEL, MESSAGE)
_IN_HEADER = Tags(MESSAGE, START, END, CALL, RETURN)
_IN_BODY = Tags(END, CALL, RETURN, START, CHANNEL)
_RECIPIENT = re.compile(r"(?:^|[\s>])to=((?:(?!<\|)\S)+)")
_CHANNEL = re.compile(r"<\|channel\|>\s*(\w+)")
_FUNCTIONS = "functions."


class Harmony:
    """A reader of one text."""

    def __init__(self, source: Source, session: Session, untyped: Untyped) -> None:
        self.source = source
        self.session = session

    def read(self) -> Steps[None]:
        """All messages, to the end of the text."""
        tag: str | None = None
        if (yield from self.source.peek((" to=", "to=functions."))):
            tag = START
        while tag := tag or (yield from self.source.until(_OPENERS, self.session.content)):
            if tag != MESSAGE:
                tag, header = yield from self.header("" if tag == START else tag)
            else:
                header = ""
            if tag == MESSAGE:
                tag = yield from self.body(header)
            tag = tag if tag in (START, CHANNEL) else None

    def header(self, opening: str) -> Steps[tuple[str, str]]:
        """What stands before the body; the tag behind it, and the text."""
        pieces = [opening]
        tag = yield from self.source.until(_IN_HEADER, pieces.append)
        header = "".join(pieces)
        if not tag and _RECIPIENT.search(header):
            self.session.note("cut-off", f"the text ends before the body of a call: {header}")
        return tag, header

    def body(self, header: str) -> Steps[str]:
        """The body of a message; the tag behind it."""
        recipient = _RECIPIENT.search(header)
        channel = _CHANNEL.search(header)
        name = recipient.group(1) if recipient else ""
        write: Write = self.session.content
        if name.startswith(_FUNCTIONS) and len(name) > len(_FUNCTIONS):
            call = self.session.start(name.removeprefix(_FUNCTIONS))
            if call is not None:
                return (yield from self.arguments(call))
        elif name:
            self.session.note("unsolicited-builtin", f"a message to {name}, which is no function, was dropped")
            write = nowhere
        elif channel and channel.group(1) == "analysis":
            write = self.session.reasoning
        return (yield from self.source.until(_IN_BODY, write))

    def arguments(self, call: OpenCall) -> Steps[str]:
        """The body of a call; the tag behind it."""
        source = self.source
        source.mark()
        tag = yield from source.until(_IN_BODY, call.write)
        text = "".join(call.pieces)
        if not tag and not source.whole:
            call.cut(source.raw)
        else:
            if not text or text.isspace():
                call.write("{}")
            elif not _is_object(text):
                call.note("invalid-json", "the arguments are no JSON object")
            call.end()
        source.unmark()
        return tag


def _is_object(text: str) -> bool:
    try:
        return isinstance(read(text), dict)
    except NotJsonError:
        return False

"""The wire formats as a grammar writes them: what stands around a call, its arguments, and the calls among the text.

A `Wire` is data alone; patterns are ECMA-262. What these spellings allow, the parser of the format reads back.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal, get_args

from schema2gbnf.grammar.guards import Guard

Format = Literal["qwen3_coder", "glm47", "glm45", "hermes", "harmony"]
FORMATS: tuple[Format, ...] = get_args(Format)


@dataclass(frozen=True, slots=True)
class Trigger:
    """What starts a lazy grammar: a word, or a pattern whose first group, if it has one, is where the grammar starts.

    A pattern that begins with `^` and ends with `$` is matched with all of the text so far, any other is searched.
    """

    kind: Literal["word", "pattern"]
    value: str


@dataclass(frozen=True, slots=True)
class Tags:
    """Arguments as elements, one for each: a key, and a text that is a string as it stands or the JSON of a value."""

    before_key: str
    after_key: str
    after_value: str
    key: str
    """The keys that can be written and read back."""
    raw: str
    """What may not be found in a raw string: it would end there, or begin something else."""
    begun: str
    """How that may begin, shorter to watch for."""
    words: bool
    """Whether `True`, `None` and the like are read as values in any letter case, even where a string may stand."""


@dataclass(frozen=True, slots=True)
class Wire:
    """One format. A call is `opening`, the tool's name, `before_arguments`, the arguments, `closing`."""

    name: str
    opening: str
    before_arguments: str
    closing: str
    separators: tuple[str, ...]
    """What may stand between two calls."""
    text: str
    """What may not be found in text before a call."""
    tool_name: str
    """The names of tools that can be written and read back."""
    triggers: tuple[Trigger, ...]
    preserved: tuple[str, ...]
    """Special tokens that the server must not swallow."""
    json: Guard | None = None
    """What may not be found in JSON."""
    tags: Tags | None = None
    optional_opening: str = ""
    """How much of `opening` the first call may lack where the grammar starts at a trigger."""


_BLANK = r"\s\x1c-\x1f\x85"
"""What Python takes for whitespace, and so the parser: a little more than ECMA-262."""
PLAIN_KEY = rf"^[^{_BLANK}<>]+(?: +[^{_BLANK}<>]+)*$"
"""Names that no schema declares, in tags."""

_CLOSED_FUNCTION = rf"</function>[{_BLANK}]*</tool_call>"

QWEN3_CODER = Wire(
    name="qwen3_coder",
    opening="<tool_call>\n<function=",
    optional_opening="<tool_call>\n",
    before_arguments=">\n",
    closing="</function>\n</tool_call>",
    separators=("\n", ""),
    text="<tool_call>|<function=",
    tool_name=f"^[^{{}}<>\"'{_BLANK}]+$",
    triggers=(Trigger("word", "<tool_call>"),),
    preserved=("<tool_call>", "</tool_call>", "<think>", "</think>"),
    json=Guard(rf"</parameter>|{_CLOSED_FUNCTION}"),
    tags=Tags(
        before_key="<parameter=",
        after_key=">\n",
        after_value="\n</parameter>\n",
        key=rf"^(?![{_BLANK}])[^>\n]+(?<![{_BLANK}])$",
        raw=rf"</parameter>|{_CLOSED_FUNCTION}|(?:^|\n)<parameter=",
        begun="</|<p",
        words=True,
    ),
)

_GLM_TAGS = ("<tool_call>", "</tool_call>", "<arg_key>", "</arg_key>", "<arg_value>", "</arg_value>")


def _glm(name: str, line: str) -> Wire:
    """The layout of GLM-4.7, without a line break between elements, or of GLM-4.5, with one."""
    return Wire(
        name=name,
        opening="<tool_call>",
        before_arguments=line,
        closing="</tool_call>",
        separators=(line,),
        text=rf"{'|'.join(_GLM_TAGS)}|[^]<think>|</think>[^]*</think>",
        tool_name=PLAIN_KEY,
        triggers=(Trigger("word", "<tool_call>"),),
        preserved=_GLM_TAGS,
        json=Guard("</arg_value>"),
        tags=Tags(
            before_key="<arg_key>",
            after_key=f"</arg_key>{line}<arg_value>",
            after_value=f"</arg_value>{line}",
            key=rf"^(?![{_BLANK}])(?:(?!</?arg_|</tool_call>)[^])+(?<![{_BLANK}])$",
            raw="</arg_value>",
            begun="</",
            words=False,
        ),
    )


HERMES = Wire(
    name="hermes",
    opening='<tool_call>\n{"name": "',
    before_arguments='", "arguments": ',
    closing="}\n</tool_call>",
    separators=("\n",),
    text="<tool_call>",
    tool_name="^[^]+$",
    triggers=(Trigger("word", "<tool_call>"),),
    preserved=("<tool_call>", "</tool_call>"),
)

_CHANNEL = r"<\|channel\|>(?:commentary|analysis)\s+to"

HARMONY = Wire(
    name="harmony",
    opening=" to=functions.",
    before_arguments="<|message|>",
    closing="",
    separators=("<|start|>assistant", "<|end|><|start|>assistant", "<|call|><|start|>assistant"),
    text=r"<\|[a-z]+\|>",
    tool_name=f"^[^{_BLANK}<>]+$",
    triggers=(
        Trigger("pattern", r"^\s+to$"),
        Trigger("pattern", rf"^{_CHANNEL}=functions$"),
        Trigger("pattern", r"<\|start\|>assistant(\s+to)"),
        Trigger("pattern", rf"<\|start\|>assistant({_CHANNEL})"),
    ),
    preserved=("<|channel|>", "<|constrain|>", "<|message|>", "<|start|>", "<|end|>"),
    json=Guard(r"<\|[a-z]+\|>", "|"),
)

WIRES: Mapping[Format, Wire] = MappingProxyType(
    {
        "qwen3_coder": QWEN3_CODER,
        "glm47": _glm("glm47", ""),
        "glm45": _glm("glm45", "\n"),
        "hermes": HERMES,
        "harmony": HARMONY,
    }
)

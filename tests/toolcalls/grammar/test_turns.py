"""Which turns of a model a request's grammar allows: how many calls, of which tools, and what stands around them."""

from __future__ import annotations

from typing import Any

import pytest

from schema2gbnf.gbnf.match import Matcher
from schema2gbnf.toolcalls import ToolError, parse
from schema2gbnf.toolcalls.grammar import FORMATS, ToolGrammar, compile_tools
from tests.engine import Engine
from tests.toolcalls.grammar.judges import parser_format

ADD = {"name": "add", "parameters": {"properties": {"n": {"type": "integer"}}, "required": ["n"]}}
NOW = {"name": "now", "description": "The time."}
TOOLS = [ADD, NOW]

CALLS = {
    "qwen3_coder": (
        "<tool_call>\n<function=add>\n<parameter=n>\n7\n</parameter>\n</function>\n</tool_call>",
        "<tool_call>\n<function=now>\n</function>\n</tool_call>",
    ),
    "glm47": (
        "<tool_call>add<arg_key>n</arg_key><arg_value>7</arg_value></tool_call>",
        "<tool_call>now</tool_call>",
    ),
    "glm45": (
        "<tool_call>add\n<arg_key>n</arg_key>\n<arg_value>7</arg_value>\n</tool_call>",
        "<tool_call>now\n</tool_call>",
    ),
    "hermes": (
        '<tool_call>\n{"name": "add", "arguments": {"n": 7}}\n</tool_call>',
        '<tool_call>\n{"name": "now", "arguments": {}}\n</tool_call>',
    ),
    "harmony": (
        '<|channel|>commentary to=functions.add <|constrain|>json<|message|>{"n": 7}',
        "<|channel|>commentary to=functions.now <|constrain|>json<|message|>{}",
    ),
}
BETWEEN = {"qwen3_coder": "\n", "glm47": "", "glm45": "\n", "hermes": "\n", "harmony": "<|call|><|start|>assistant"}
TEXT = {"harmony": "<|channel|>analysis<|message|>Let me see.<|end|><|start|>assistant"}
ANSWER = {"harmony": "<|channel|>final<|message|>Seven."}

formats = pytest.mark.parametrize("format", FORMATS)


def compiled(format: str, **choices: Any) -> ToolGrammar:
    return compile_tools(TOOLS, format, **choices)  # type: ignore[arg-type]


def turns(format: str) -> dict[str, str]:
    """Turns by what they hold."""
    add, now = CALLS[format]
    text = TEXT.get(format, "Let me see.\n")
    return {
        "nothing": ANSWER.get(format, ""),
        "text": ANSWER.get(format, "Seven. <b>Not</b> < eight </tool"),
        "call": add,
        "text and call": text + now,
        "calls": add + BETWEEN[format] + now,
        "text and calls": text + now + BETWEEN[format] + add + BETWEEN[format] + add,
    }


def allowed(grammar: ToolGrammar, format: str) -> set[str]:
    assert grammar.grammar is not None
    matcher = Matcher(grammar.grammar)
    return {name for name, turn in turns(format).items() if matcher.accepts(turn)}


@formats
@pytest.mark.parametrize(
    ("choices", "expected"),
    [
        ({}, {"nothing", "text", "call", "text and call"}),
        ({"parallel": True}, {"nothing", "text", "call", "text and call", "calls", "text and calls"}),
        ({"tool_choice": "required"}, {"call", "text and call"}),
        ({"tool_choice": {"type": "any"}, "parallel": True}, {"call", "text and call", "calls", "text and calls"}),
        ({"tool_choice": "required", "parallel": True, "max_calls": 2}, {"call", "text and call", "calls"}),
        ({"tool_choice": "add"}, {"call"}),
        ({"tool_choice": {"type": "function", "function": {"name": "add"}}, "parallel": True}, {"call"}),
        ({"tool_choice": {"type": "tool", "name": "now"}}, {"text and call"}),
    ],
)
def test_a_choice_allows_turns(format: str, choices: dict[str, Any], expected: set[str]) -> None:
    assert allowed(compiled(format, **choices), format) == expected


@formats
def test_allowed_tools_leave_the_others_out(format: str) -> None:
    allowed_tools = {"mode": "required", "tools": [{"type": "function", "function": {"name": "now"}}]}
    grammar = compiled(format, tool_choice={"type": "allowed_tools", "allowed_tools": allowed_tools})
    assert grammar.tools == ("now",)
    assert allowed(grammar, format) == {"text and call"}


@formats
def test_without_calls_there_is_no_grammar(format: str) -> None:
    for grammar in (compiled(format, tool_choice="none"), compile_tools([], format)):  # type: ignore[arg-type]
        assert (grammar.gbnf, grammar.lazy_gbnf, grammar.server_fields()) == ("", "", {})


@pytest.mark.parametrize(
    ("tools", "choice", "says"),
    [
        (TOOLS, "subtract", "'subtract' is no tool of the list; there are 'add', 'now'"),
        (TOOLS, {"type": "function"}, "None is no tool"),
        ([], "required", "a call is required, but there is no tool"),
        (TOOLS, {"type": "allowed_tools", "mode": "required", "tools": []}, "a call is required"),
        (TOOLS, 5, "expected a word, a name or an object"),
        ([ADD, ADD], "auto", "a second tool of the name 'add'"),
    ],
)
def test_a_choice_that_cannot_be_made_is_refused(tools: Any, choice: Any, says: str) -> None:
    with pytest.raises(ToolError, match=says):
        compile_tools(tools, "hermes", tool_choice=choice)


@formats
def test_every_turn_is_read_back(format: str) -> None:
    for name, turn in turns(format).items():
        result = parse(parser_format(format), turn, TOOLS)
        calls = {"nothing": 0, "text": 0, "call": 1, "text and call": 1, "calls": 2}.get(name, 3)
        assert [call.complete for call in result.calls] == [True] * calls, (turn, result)


@formats
@pytest.mark.parametrize(
    ("tool", "key", "value"),
    [("sub", "n", "7"), ("add", "m", "7"), ("add", "n", '"7"'), ("add", "n", "7.5"), ("add", "n", " 7")],
)
def test_a_wrong_call_is_refused(format: str, tool: str, key: str, value: str) -> None:
    def call(tool: str, key: str, value: str) -> str:
        found = CALLS[format][0].replace("add", tool).replace("7", value)
        for before, after in (('"', '"'), ("=", ">"), (">", "<")):
            found = found.replace(f"{before}n{after}", f"{before}{key}{after}")
        return found

    grammar = compiled(format, tool_choice="required").grammar
    assert grammar is not None
    assert Matcher(grammar).accepts(call("add", "n", "7"))
    if value != " 7" or format not in ("hermes", "harmony"):
        assert not Matcher(grammar).accepts(call(tool, key, value))


@formats
def test_a_call_without_what_is_required_is_refused(format: str) -> None:
    grammar = compiled(format, tool_choice="required").grammar
    assert grammar is not None
    assert not Matcher(grammar).accepts(CALLS[format][1].replace("now", "add"))


def test_an_argument_comes_once() -> None:
    grammar = compiled("glm47", tool_choice="add").grammar
    assert grammar is not None
    argument = "<arg_key>n</arg_key><arg_value>7</arg_value>"
    assert Matcher(grammar).accepts(f"<tool_call>add{argument}</tool_call>")
    assert not Matcher(grammar).accepts(f"<tool_call>add{argument}{argument}</tool_call>")


# -- lazy grammars -----------------------------------------------------------------------------------------------------


@formats
def test_a_required_call_is_not_waited_for(format: str) -> None:
    for choice in ("required", "add"):
        grammar = compiled(format, tool_choice=choice)
        assert (grammar.lazy_gbnf, grammar.triggers, grammar.lazy_grammar) == ("", (), None)
        fields = grammar.server_fields()
        assert fields["grammar"] == grammar.gbnf
        assert fields["grammar_lazy"] is False


@formats
def test_a_lazy_grammar_begins_at_its_trigger(format: str, engine: Engine) -> None:
    grammar = compiled(format, parallel=True)
    loaded = engine.load_lazy(grammar.lazy_gbnf, grammar.trigger_patterns)
    assert loaded is not None
    for name in ("call", "text and call", "calls"):
        assert engine.accepts(loaded, turns(format)[name]), name
    call = turns(format)["text and call"]
    for wrong in (call.replace("now", "sub"), call + "x"):
        assert not engine.accepts(loaded, wrong)
    # What no trigger is found in is let through.
    assert engine.accepts(loaded, "no call, not even add(7)")


def test_a_call_may_lack_its_first_tag_where_models_leave_it_out(engine: Engine) -> None:
    grammar = compiled("qwen3_coder")
    loaded = engine.load_lazy(grammar.lazy_gbnf, grammar.trigger_patterns)
    assert loaded is not None
    text = "Well.\n<function=add>\n<parameter=n>\n7\n</parameter>\n</function>\n</tool_call>"
    assert engine.accepts(loaded, text)
    assert not engine.accepts(loaded, text.replace("7", "seven"))
    assert [call.arguments for call in parse("qwen3_coder", text, TOOLS).calls] == ['{"n": 7}']


def test_a_recipient_may_stand_in_the_role(engine: Engine) -> None:
    grammar = compiled("harmony")
    assert grammar.grammar is not None
    in_role = ' to=functions.add<|channel|>commentary json<|message|>{"n": 7}'
    assert Matcher(grammar.grammar).accepts(in_role)
    loaded = engine.load_lazy(grammar.lazy_gbnf, grammar.trigger_patterns)
    assert loaded is not None
    for text in (in_role, "<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant" + in_role):
        assert engine.accepts(loaded, text)
        assert not engine.accepts(loaded, text.replace("7", "x"))
        assert [call.arguments for call in parse("harmony", text, TOOLS).calls] == ['{"n": 7}']


def test_the_server_gets_numbers_for_kinds_of_triggers() -> None:
    fields = compiled("hermes").server_fields()
    assert fields["grammar_lazy"] is True
    assert fields["grammar_triggers"] == [{"type": 1, "value": "<tool_call>"}]
    assert fields["preserved_tokens"] == ["<tool_call>", "</tool_call>"]
    assert compiled("hermes").server_fields(lazy=False) == {
        "grammar": compiled("hermes").gbnf,
        "grammar_lazy": False,
        "preserved_tokens": ["<tool_call>", "</tool_call>"],
    }

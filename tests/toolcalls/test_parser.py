"""The parsers: when what is told, what models leave out, where calls end, what callers may choose."""

from __future__ import annotations

import json
from typing import Any

import pytest

from schema2gbnf.toolcalls import (
    CallArguments,
    CallEnd,
    CallStart,
    Content,
    Delta,
    Reasoning,
    Result,
    StreamParser,
    ToolError,
    openai,
    parse,
    read_tools,
)
from schema2gbnf.toolcalls.session import OpenCall

PROPERTIES = {"s": {"type": "string"}, "n": {"type": "integer"}, "e": {"enum": ["a", "b"]}, "o": {"type": "object"}}
TOOLS = [
    {"name": "f", "parameters": {"properties": PROPERTIES}},
    {
        "name": "u",
        "parameters": {
            "anyOf": [
                {"properties": {"kind": {"const": "text"}, "value": {"type": "string"}, "s": {"type": "string"}}},
                {"properties": {"kind": {"const": "count"}, "value": {"type": "integer"}, "s": {"type": "string"}}},
            ]
        },
    },
]
QWEN, GLM, HERMES, HARMONY = "qwen3_coder", "glm47", "hermes", "harmony"


def qwen(name: str, **arguments: str) -> str:
    parameters = "".join(f"<parameter={key}>\n{value}\n</parameter>\n" for key, value in arguments.items())
    return f"<tool_call>\n<function={name}>\n{parameters}</function>\n</tool_call>"


def glm(name: str, **arguments: str) -> str:
    pairs = "".join(f"<arg_key>{key}</arg_key><arg_value>{value}</arg_value>" for key, value in arguments.items())
    return f"<tool_call>{name}{pairs}</tool_call>"


def told(format: str, *chunks: str, **options: Any) -> list[tuple[Delta, ...]]:
    """What each piece of a text adds."""
    parser = StreamParser(format, TOOLS, **options)
    return [parser.feed(chunk) for chunk in chunks]


def read(format: str, text: str, reason: str = "stop", **options: Any) -> Result:
    return parse(format, text, TOOLS, reason=reason, **options)


def complete(result: Result) -> list[tuple[str, Any]]:
    return [(call.name, json.loads(call.arguments)) for call in result.calls if call.complete]


def events(result: Result) -> list[str]:
    return [event.kind for call in result.calls for event in call.events] + [event.kind for event in result.events]


# -- when things are told ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("format", "chunks"),
    [
        (QWEN, ("<tool_call>\n<function=f", ">")),
        (GLM, ("<tool_call>f", "<arg_key>")),
        (GLM, ("<tool_call>f", "\n")),
        (HERMES, ('<tool_call>{"name": "f', '"')),
        (HARMONY, ("<|channel|>commentary to=functions.f", "<|message|>")),
    ],
)
def test_the_name_is_told_when_it_is_over(format: str, chunks: tuple[str, str]) -> None:
    assert told(format, *chunks) == [(), (CallStart(0, "call_0", "f"),)]


def test_a_call_without_arguments_is_told() -> None:
    deltas = (CallStart(0, "call_0", "f"), CallArguments(0, "{}"), CallEnd(0, True))
    assert told(GLM, "<tool_call>f</tool_call>") == told(QWEN, qwen("f")) == [deltas]


def test_a_string_is_told_as_it_comes_but_for_what_may_be_a_tag() -> None:
    opening = told(
        QWEN, "<tool_call><function=f><parameter=s>\n", "a", "b\n", "c <", "x</para", "m>", "\n</parameter>\n"
    )
    assert [[delta.text for delta in deltas if isinstance(delta, CallArguments)] for deltas in opening] == [
        ['{"s": "'],
        ["a"],
        ["b"],
        ["\\nc "],
        ["<x"],
        ["</param>"],
        [],
    ]
    assert told(GLM, "<tool_call>f<arg_key>s</arg_key><arg_value>", 'a"\n', "b</arg", "_")[1:] == [
        (CallArguments(0, 'a\\"\\n'),),
        (CallArguments(0, "b"),),
        (),
    ]


@pytest.mark.parametrize(
    ("key", "value", "text"), [("n", "12", "12"), ("e", "a", '"a"'), ("o", "{}", "{}"), ("x", "1", "1")]
)
def test_all_else_is_told_when_it_is_over(key: str, value: str, text: str) -> None:
    start = f"<tool_call>f<arg_key>{key}</arg_key><arg_value>"
    deltas = told(GLM, start, value, "</arg_value>")
    assert deltas[1:] == [(), (CallArguments(0, f'{{"{key}": {text}'),)]


def test_only_the_value_that_is_not_decided_waits() -> None:
    argument = "<arg_key>{}</arg_key><arg_value>{}</arg_value>".format
    deltas = told(
        GLM, "<tool_call>u", argument("value", "7"), argument("s", "x"), argument("kind", "text"), "</tool_call>"
    )
    assert deltas[1:] == [
        (CallStart(0, "call_0", "u"),),
        (CallArguments(0, '{"s": "x"'),),
        (CallArguments(0, ', "value": "7", "kind": "text"'),),
        (CallArguments(0, "}"), CallEnd(0, True)),
    ]


def test_json_is_told_token_by_token() -> None:
    chunks = (
        '<tool_call>{"name":"f","arguments":{"s":"a',
        "b\\",
        'n","n":1',
        "2",
        ',"o":[tru',
        "e]",
        "}}",
        "</tool_call>",
    )
    texts = [[d.text for d in deltas if isinstance(d, CallArguments)] for deltas in told(HERMES, *chunks)]
    assert texts == [['{"s": "a'], ["b"], ['\\n", "n": '], [], ['12, "o": ['], ["true]"], [], ["}"]]


def test_arguments_before_the_name_wait_for_it() -> None:
    chunks = ('<tool_call>{"arguments": {"n": 5}, ', '"name": "f"', "}</tool_call>")
    assert told(HERMES, *chunks) == [
        (),
        (CallStart(0, "call_0", "f"), CallArguments(0, '{"n": 5')),
        (CallArguments(0, "}"), CallEnd(0, True)),
    ]


def test_the_body_of_a_message_is_told_as_it_is() -> None:
    chunks = ("<|channel|>commentary to=functions.f<|message|>", '{"n" :', "5}<|c", "all|>")
    assert told(HARMONY, *chunks)[1:] == [(CallArguments(0, '{"n" :'),), (CallArguments(0, "5}"),), (CallEnd(0, True),)]


def test_the_beginning_of_a_tag_waits_and_is_released() -> None:
    parser = StreamParser(GLM, TOOLS)
    assert parser.feed("a <tool") == (Content("a "),)
    assert parser.feed("s> <tool_c") == (Content("<tools> "),)
    assert parser.finish() == (Content("<tool_c"),)


def test_deltas_render_as_openai_chunks() -> None:
    deltas = [delta for deltas in told(QWEN, "Sure.", qwen("f", n="1")) for delta in deltas]
    function = {"name": "f", "arguments": ""}
    assert openai(tuple(deltas)) == [
        {"content": "Sure."},
        {"tool_calls": [{"index": 0, "id": "call_0", "type": "function", "function": function}]},
        {"tool_calls": [{"index": 0, "function": {"arguments": '{"n": 1}'}}]},
    ]
    assert openai((Reasoning("hm"), CallEnd(0, True))) == [{"reasoning_content": "hm"}]


# -- alternatives ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ({"kind": "text", "value": "7"}, {"kind": "text", "value": "7"}),
        ({"value": "7", "kind": "text"}, {"kind": "text", "value": "7"}),
        ({"value": "7", "kind": "count"}, {"kind": "count", "value": 7}),
        ({"value": "7"}, {"value": 7}),
        ({"value": "seven"}, {"value": "seven"}),
        ({"kind": "else", "value": "7"}, {"kind": "else", "value": 7}),
    ],
)
def test_what_an_argument_is_may_depend_on_another(arguments: dict[str, str], expected: dict[str, Any]) -> None:
    for format, written in ((QWEN, qwen("u", **arguments)), (GLM, glm("u", **arguments))):
        assert complete(read(format, written)) == [("u", expected)]


def test_required_and_forbidden_names_settle_what_is_left_open() -> None:
    options = [
        {"properties": {"v": {"type": "integer"}, "w": {"type": "string"}}, "required": ["v", "w"]},
        {"properties": {"v": {"type": "string"}}, "additionalProperties": False},
    ]
    tools = [{"name": "f", "parameters": {"oneOf": options}}]
    arguments = [parse(GLM, text, tools).calls[0].arguments for text in (glm("f", v="7"), glm("f", v="7", w="x"))]
    assert list(map(json.loads, arguments)) == [{"v": "7"}, {"v": 7, "w": "x"}]


def test_the_last_of_two_values_counts_even_if_the_first_still_waits() -> None:
    argument = "<arg_key>{}</arg_key><arg_value>{}</arg_value>".format
    values = argument("value", "7") + argument("value", "x") + argument("s", "1") + argument("s", "2")
    parser = StreamParser(GLM, TOOLS)
    deltas = parser.feed(f"<tool_call>u{values}</tool_call>")
    streamed = "".join(delta.text for delta in deltas if isinstance(delta, CallArguments))
    parser.finish()
    assert parser.result.calls[0].arguments == '{"value": "x", "s": "2"}'
    assert json.loads(streamed) == {"value": "x", "s": "2"}


# -- where calls begin and end -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "value",
    [
        "</parameter> in it",
        "</parameter>\n</b>",
        "</parameter",
        "x <parameter=n> in it",
        "</function> x",
        "a <",
        "</tool_call>",
        "\n",
        "<tool_call>\n<function=f>",
        "\n<parameter=zzz>",
        "\n<parameter=s>",
        "</parameter></parameter>x",
        " x \n",
    ],
)
def test_a_value_ends_only_where_it_must(value: str) -> None:
    assert complete(read(QWEN, qwen("f", s=value, n="1"))) == [("f", {"s": value, "n": 1})]


@pytest.mark.parametrize(
    "value", ["</arg_value", "<arg_value>", "</arg_key>", "</tool_call>", "\n", "<tool_call>f</tool_call>"]
)
def test_a_value_ends_at_its_tag(value: str) -> None:
    assert complete(read(GLM, glm("f", s=value, n="1"))) == [("f", {"s": value, "n": 1})]


@pytest.mark.parametrize(
    ("text", "event"),
    [
        ("<function=f>\n<parameter=n>\n1\n</parameter>\n</function>\n</tool_call>", "missing-open-tag"),
        ("<tool_call><function=f><parameter=n>1</parameter></function>", "missing-close-tag"),
        ("<tool_call><function=f><parameter=n>1</parameter></tool_call>", "missing-close-tag"),
        ("<tool_call><function=f><parameter=n>1</parameter>", "missing-close-tag"),
        ("<tool_call><function=f><parameter=n>\n1\n</function></tool_call>", "missing-close-tag"),
        ("<tool_call><function=f><parameter=n\n1\n</parameter></function></tool_call>", "malformed"),
        ("<tool_call><function=f>well<parameter=n>1</parameter></function></tool_call>", "malformed"),
    ],
)
def test_tags_that_models_forget(text: str, event: str) -> None:
    result = read(QWEN, text)
    assert complete(result) == [("f", {"n": 1})]
    assert events(result) == [event]
    assert result.content == ""


def test_a_parameter_may_end_where_another_of_the_tool_begins() -> None:
    result = read(
        QWEN, "<tool_call><function=f>\n<parameter=s>\nx\n<parameter=n>\n1\n</parameter></function></tool_call>"
    )
    assert complete(result) == [("f", {"s": "x", "n": 1})]
    assert events(result) == ["missing-close-tag"]


def test_a_block_may_hold_several_functions() -> None:
    block = qwen("f", n="1").replace(
        "</tool_call>", "<function=u>\n</function>\n<function=f>\n</function>\n</tool_call>"
    )
    assert complete(read(QWEN, block)) == [("f", {"n": 1}), ("u", {}), ("f", {})]


@pytest.mark.parametrize(
    "text",
    [
        "#include <functional>",
        "<function=g>\n</function>",
        "The <tool_call> tag",
        "<tool_call>\n<function=a b>",
        '<tool_call><function="f">',
        "<tool_call><function=></function></tool_call>",
        "a < b <tool",
    ],
)
def test_what_only_looks_like_a_call_is_text(text: str) -> None:
    assert read(QWEN, text) == Result(content=text)


@pytest.mark.parametrize(
    "text", ["<tool_call></tool_call>", "a <tool_call> in it", '<tool_call>{"name": "f"}</tool_call>']
)
def test_no_name_is_no_call(text: str) -> None:
    assert read(GLM, text) == Result(content=text)


@pytest.mark.parametrize(
    "payload",
    [
        '{"nom": "f"}',
        '{"name": 1}',
        '{"name": ""}',
        '{"name": "f", "arguments": {"n": 1}',
        '{"name": "f", "arguments": [1]}',
        '{"name": "f", "arguments": "x"}',
        '{"name": "f", "arguments": {"n": 1e400}}',
        '{"name": "f" "x"}',
        "[]",
        "{}",
        "x",
        '{"name": "f", "arguments": {"s": "a\nb"}}',
        '{"name": "f", "arguments": ' + "[" * 500,
        '{"name": "f", "x": 01}',
    ],
)
def test_broken_json_is_text_and_the_next_call_is_found(payload: str) -> None:
    broken = f"<tool_call>{payload}</tool_call>"
    result = read(HERMES, broken + '<tool_call>{"name": "u"}</tool_call>')
    assert complete(result) == [("u", {})]
    assert result.content == broken


def test_many_calls_may_stand_in_an_array() -> None:
    text = '<tool_call>[{"name": "f", "arguments": {"n": 1}}, {"name": "u", "parameters": null}]</tool_call>'
    assert complete(read(HERMES, text)) == [("f", {"n": 1}), ("u", {})]


@pytest.mark.parametrize(
    ("text", "content", "reasoning", "calls"),
    [
        ("plain", "plain", "", []),
        ("<|channel|>analysis<|message|>hm<|end|><|start|>assistant<|channel|>final<|message|>hi", "hi", "hm", []),
        (" to=functions.f<|channel|>commentary json<|message|>{}<|call|>", "", "", [("f", {})]),
        ("<|channel|>analysis to=functions.a.b:c-d<|message|>{}", "", "", [("a.b:c-d", {})]),
        ("<|channel|>commentary to=functions.f<|constrain|>json<|message|><|call|>", "", "", [("f", {})]),
        ("<|channel|>commentary to=python<|message|>1<|call|><|start|>assistant<|message|>x<|return|>", "x", "", []),
        ("<|channel|>commentary to=functions.f<|message|>{}<|channel|>final<|message|>x", "x", "", [("f", {})]),
        ("<|start|>assistant<|start|>assistant to=functions.f<|message|>{}", "", "", [("f", {})]),
    ],
)
def test_messages(text: str, content: str, reasoning: str, calls: list[tuple[str, Any]]) -> None:
    result = read(HARMONY, text)
    assert (result.content, result.reasoning, complete(result)) == (content, reasoning, calls)


def test_a_body_that_is_no_json_is_passed_on_with_an_event() -> None:
    result = read(HARMONY, "<|channel|>commentary to=functions.f<|message|>{'n': 1}<|call|>")
    assert [(call.arguments, call.complete) for call in result.calls] == [("{'n': 1}", True)]
    assert events(result) == ["invalid-json"]


# -- content -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "content"),
    [
        ("\n{0}\n{0}\n", "\n"),
        ("a\n{0} \n ", "a\n"),
        ("{0}\nb", "\nb"),
        ("{0}\n{0} b {0}", " b "),
    ],
)
def test_blanks_behind_a_call_count_only_before_text(text: str, content: str) -> None:
    assert read(QWEN, text.format(qwen("f"))).content == content


# -- the end of the text -----------------------------------------------------------------------------------------------


WHOLE = {QWEN: qwen("f", s="rm -rf /tmp/x", n="1"), GLM: glm("f", s="rm -rf /tmp/x", n="1")}
WHOLE[HERMES] = '<tool_call>\n{"name": "f", "arguments": {"s": "rm -rf /tmp/x", "n": 1}}\n</tool_call>'


@pytest.mark.parametrize("format", WHOLE)
def test_a_text_that_is_cut_off_holds_no_complete_call(format: str) -> None:
    text = WHOLE[format]
    for end in range(len(text)):
        for call in read(format, text[:end], "length").calls:
            assert not call.complete
            assert call.raw == text[:end].lstrip()
            with pytest.raises(json.JSONDecodeError):
                json.loads(call.arguments)


@pytest.mark.parametrize("format", WHOLE)
def test_a_model_that_stops_between_elements_has_finished(format: str) -> None:
    text = WHOLE[format]
    ends = [end for end in range(len(text)) if complete(read(format, text[:end]))]
    assert ends
    for end in ends:
        result = read(format, text[:end])
        assert complete(result)[0][1] in ({"s": "rm -rf /tmp/x"}, {"s": "rm -rf /tmp/x", "n": 1})
        assert events(result) == ["missing-close-tag"]


def test_a_message_cut_off_is_no_complete_call() -> None:
    for text in ('{"s": "rm -rf /tmp', '{"s": 1}', ""):
        result = read(HARMONY, f"<|channel|>commentary to=functions.f<|message|>{text}", "length")
        assert [(call.complete, call.raw) for call in result.calls] == [(False, text)]


@pytest.mark.parametrize(
    ("format", "text"),
    [(QWEN, "<tool_call>\n<function=f"), (GLM, "<tool_call>f"), (HARMONY, "<|channel|>x to=functions.f")],
)
def test_a_text_that_ends_in_a_name_holds_no_call(format: str, text: str) -> None:
    result = read(format, text, "length")
    assert (result.calls, result.content) == ((), "")
    assert events(result) == ["cut-off"]
    assert text in result.events[0].message


# -- choices -----------------------------------------------------------------------------------------------------------


def test_a_tool_that_is_not_there() -> None:
    text = "a" + glm("g", n="1") + "b"
    forwarded = read(GLM, text)
    assert complete(forwarded) == [("g", {"n": 1})]
    assert events(forwarded) == ["unknown-tool"]
    assert read(GLM, text, unknown_tool="text") == Result(content=text)
    dropped = read(GLM, text, unknown_tool="drop")
    assert (dropped.calls, dropped.content, events(dropped)) == ((), "ab", ["unknown-tool"])
    assert read(HERMES, '<tool_call>{"name": "g"}</tool_call>', unknown_tool="text").content.startswith("<tool_call>")
    assert read(HARMONY, "<|channel|>x to=functions.g<|message|>{}", unknown_tool="drop").calls == ()


def test_identifiers_are_the_callers() -> None:
    result = read(GLM, glm("f") + glm("f"), call_id="id-{}".format)
    assert [(call.index, call.id) for call in result.calls] == [(0, "id-0"), (1, "id-1")]


@pytest.mark.parametrize(
    ("choice", "message"),
    [
        ({"format": "xml"}, "unknown format 'xml'; the formats are qwen3_coder, glm47, glm45, hermes, harmony"),
        ({"unknown_tool": "raise"}, "unknown_tool='raise': choose one of forward, text, drop"),
        ({"untyped": "yaml"}, "untyped='yaml': choose one of json, containers"),
    ],
)
def test_a_choice_that_does_not_exist_is_told(choice: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        StreamParser(**{"format": GLM, "tools": TOOLS, **choice})


def test_bad_tools_are_told_at_once() -> None:
    with pytest.raises(ToolError):
        StreamParser(GLM, [{"name": ""}])


def test_tools_that_were_read_are_taken() -> None:
    tools = read_tools(TOOLS)
    assert parse(GLM, glm("f", n="1"), tools) == read(GLM, glm("f", n="1"))


def test_the_result_is_there_at_the_end_and_not_before() -> None:
    parser = StreamParser(GLM, TOOLS)
    with pytest.raises(RuntimeError, match=r"call finish\(\) first"):
        _ = parser.result
    parser.finish()
    assert parser.finish() == ()
    assert parser.result == Result()
    with pytest.raises(RuntimeError, match="a parser for each text"):
        parser.feed("x")


# -- the last resort ---------------------------------------------------------------------------------------------------


def test_an_error_of_our_own_ends_no_stream(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(call: OpenCall, *_: object) -> None:
        raise ZeroDivisionError("oops")

    parser = StreamParser(GLM, TOOLS)
    parser.feed("a<tool_call>f<arg_key>s</arg_key><arg_value>x")
    monkeypatch.setattr(OpenCall, "end", fail)
    deltas = [*parser.feed("</arg_value></tool_call>b"), *parser.feed("c"), *parser.finish()]
    assert "".join(delta.text for delta in deltas if isinstance(delta, Content)) == "bc"
    result = parser.result
    assert result.content == "abc"
    assert [(call.complete, json.loads(call.arguments)) for call in result.calls] == [(False, {"s": "x"})]
    assert "internal-error" in events(result)

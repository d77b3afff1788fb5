"""What endpoints refuse teaches how to ask; what merely sounds like it teaches nothing."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chyan_agent.errors import ModelRefused, ModelWants
from chyan_agent.llm.quirks import Quirks, wanted_form
from chyan_agent.messages import Message, ToolCall
from chyan_agent.model import Delta, Reply, Request

from . import strict
from .servers import (
    DONE,
    Script,
    answering,
    delta,
    event,
    failing,
    responding,
    saying,
    stream,
)
from .test_llm import FULL, answer, ask, model
from .test_llm_stream import assemble, calls, part

PLAIN = Request((Message("system", "be brief"), Message("user", "hi")), max_output=700)

NO_TOOLS = [
    (400, "registry.ollama.ai/library/gemma2:2b does not support tools"),
    (400, '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set'),
    (500, "tools param requires --jinja flag"),
    (404, "No endpoints found that support tool use. To learn more about provider routing, visit"),
    (400, "Function calling is not enabled for models/gemma-3-27b-it"),
    (400, "Unrecognized request argument supplied: tools"),
    (422, '[{"type":"extra_forbidden","loc":["body","tools"],"msg":"Extra inputs are forbidden"}]'),
    (400, "`tools` is not supported with this model"),
    (400, "This model does not currently support function calling"),
    (501, "This server does not support tools."),
]
NO_SYSTEM = [
    (500, "Jinja Exception: System role not supported"),
    (400, "System role not supported"),
    (400, "Unsupported value: 'messages[0].role' does not support 'system' with this model."),
    (400, "Developer instruction is not enabled for models/gemma-3-27b-it"),
    (400, "system messages are not supported by this model"),
    (400, strict.ALTERNATE),
    (400, "Only user and assistant roles are supported!"),
]
NOTHING = [
    "Failed to parse tools: Missing tool function",
    "model requires more system memory (5.6 GiB) than is available (3.1 GiB)",
    "messages with role 'tool' must be a response to a preceding message with 'tool_calls'",
    "Failed to parse tool call arguments as JSON: unexpected end of input",
    "Field 'n': Value must be between 1 <= value <= 1, but got 2",
    "The content of this request violates our policy",
    "max_tokens is too large: 100000. This model supports at most 16384 completion tokens",
    "'messages' is required",
    "",
]


def wanted(request: Request, status: int, said: str) -> str:
    """Return the form that a refusal over a real socket asks for."""
    refusal = failing(status, {"error": {"message": said}})
    with responding(refusal) as server, pytest.raises(ModelWants) as caught:
        ask(server.url, request, max_retries=0)
    assert caught.value.hint
    assert len([seen for seen in server.requests if seen.head.startswith(b"POST")]) == 1
    return caught.value.want


@pytest.mark.parametrize(("status", "said"), NO_TOOLS)
def test_tools_that_are_refused_ask_for_the_text_form(status: int, said: str) -> None:
    """In the words of many servers; the agent itself has to change the conversation."""
    assert wanted(FULL, status, said) == "text_calls"
    assert wanted_form({"messages": [{"role": "user", "content": "hi"}]}, said) is None


@pytest.mark.parametrize("said", [strict.ALTERNATE, "Only user and assistant roles are supported!"])
def test_a_template_without_tool_results_asks_for_the_text_form(said: str) -> None:
    """What it calls roles are those of the results."""
    assert wanted(FULL, 400, said) == "text_calls"


@pytest.mark.parametrize(
    "said",
    [
        "The `reasoning_content` in the thinking mode must be passed back to the API.",
        "Missing `reasoning_content` field in the assistant message at message index 2",
    ],
)
def test_reasoning_that_is_missed_is_asked_for(said: str) -> None:
    """Only while it is not there yet."""
    assert wanted(FULL, 400, said) == "reasoning"
    without_calls = Request((Message("user", "hi"),))
    refusal = failing(400, {"error": {"message": said}})
    with responding(refusal) as server, pytest.raises(ModelRefused) as caught:
        ask(server.url, without_calls)
    assert not isinstance(caught.value, ModelWants)


@pytest.mark.parametrize(("status", "said"), NO_SYSTEM)
def test_without_a_system_role_its_text_goes_first(status: int, said: str) -> None:
    """Learnt once for all later requests."""
    refusal = failing(status, {"error": {"message": said}})
    with responding(refusal, saying("a"), saying("b")) as server:
        asked = model(server.url, max_retries=0)
        assert [answer(list(asked.complete(PLAIN))) for _ in range(2)] == ["a", "b"]
    _, second, third = (request.json["messages"] for request in server.requests)
    assert second == third == [{"role": "user", "content": "be brief\n\nhi"}]


def test_a_system_message_alone_becomes_one_of_the_user() -> None:
    """There is nothing that it could be joined with."""
    quirks = Quirks()
    alone: dict[str, Any] = {"messages": [{"role": "system", "content": "x"}]}
    assert quirks.learn(alone, "System role not supported")
    assert quirks.apply(alone)["messages"] == [{"role": "user", "content": "x"}]
    before: dict[str, Any] = {
        "messages": [{"role": "system", "content": "x"}, {"role": "assistant", "content": "y"}]
    }
    assert [m["role"] for m in quirks.apply(before)["messages"]] == ["user", "assistant"]  # type: ignore[attr-defined]


@pytest.mark.parametrize("said", NOTHING)
def test_other_refusals_teach_nothing(said: str) -> None:
    """The request is not sent again in another form, and the error is what it is."""
    refusals = [failing(400, {"error": {"message": said}})] * 3
    with responding(*refusals) as server, pytest.raises(ModelRefused) as caught:
        ask(server.url, FULL)
    assert not isinstance(caught.value, ModelWants)
    assert len(server.requests) == 1


@given(st.text(max_size=60), st.sampled_from([*NOTHING, *(said for _, said in NO_TOOLS)]))
def test_learning_is_bounded(noise: str, said: str) -> None:
    """Whatever is said, a body changes a few times at most."""
    quirks = Quirks()
    body: dict[str, Any] = {
        "messages": [{"role": "system", "content": "x"}, {"role": "user", "content": "y"}],
        "temperature": 0.0,
        "max_tokens": 7,
    }
    lessons = 0
    while quirks.learn(quirks.apply(body), f"{noise} {said} temperature max_tokens"):
        lessons += 1
        assert lessons < 9


def test_the_rule_of_sampling_is_learnt_in_other_words() -> None:
    """Some models take no temperature but their own, some call it deprecated."""
    for said in (
        "invalid temperature: only 1 is allowed for this model",
        "`temperature` is deprecated for this model.",
    ):
        with responding(failing(400, {"error": {"message": said}}), saying("a")) as server:
            assert answer(ask(server.url, FULL)) == "a"
        assert "temperature" not in server.requests[1].json


def test_the_newer_maximum_may_be_refused_too() -> None:
    """Then no maximum is sent at all."""
    first = failing(400, {"error": {"message": "use max_completion_tokens instead"}})
    second = failing(400, {"error": {"message": "Unknown field max_completion_tokens"}})
    with responding(first, second, saying("a")) as server:
        ask(server.url, FULL)
    assert not {"max_tokens", "max_completion_tokens"} & server.requests[2].json.keys()


def test_only_one_system_message_and_it_is_the_first() -> None:
    """Golden: what an ordinary request looks like, message by message."""
    with responding(saying("a")) as server:
        ask(server.url, FULL)
    wire = server.requests[0].json["messages"]
    assert wire == [
        {"role": "system", "content": "be brief"},
        {"role": "user", "content": "读 a.txt 😀\u2028"},
        {
            "role": "assistant",
            "content": "",
            "tool_calls": [
                {
                    "id": "t00001c00",
                    "type": "function",
                    "function": {"name": "read", "arguments": '{"path":"a.txt"}'},
                }
            ],
        },
        {"role": "tool", "content": '{"content":"甲"}', "tool_call_id": "t00001c00"},
    ]


def test_reasoning_on_the_wire_stands_beside_its_calls() -> None:
    """Golden: a request holds it only where a message does."""
    call = Message("assistant", "", (ToolCall("a", "read", "{}"),), reasoning="hm")
    request = Request((Message("user", "x"), call, Message("tool", "y", tool_call_id="a")))
    with responding(saying("a")) as server:
        ask(server.url, request)
    first, second, third = strict.Body(server.requests[0].json)["messages"]
    assert second["reasoning_content"] == "hm"
    assert "reasoning_content" not in first | third


REASONING = [
    ([delta(reasoning_content="a"), delta(reasoning_content="b")], "ab"),
    ([delta(reasoning="a", content=""), delta(reasoning="b")], "ab"),
    (
        [delta(reasoning="a", reasoning_content="a"), delta(reasoning="b", reasoning_content="b")],
        "ab",
    ),
    ([delta(content=[{"type": "thinking", "thinking": [{"type": "text", "text": "ab"}]}])], "ab"),
    (
        [
            delta(content="<thi"),
            delta(content="nk>a"),
            delta(content="b</thi"),
            delta(content="nk>"),
        ],
        "ab",
    ),
    ([delta(content="<thinking>ab</thinking>")], "ab"),
    ([delta(content="[THINK]ab[/THINK]")], "ab"),
    ([delta(content="</think>\n")], ""),
    ([delta(reasoning_content="a"), delta(content="<think>b</think>")], "a\nb"),
    ([delta(reasoning_content=None, reasoning=None, content=None)], ""),
    ([delta(reasoning={"text": "x"})], ""),
]


@pytest.mark.parametrize(("chunks", "reasoning"), REASONING)
def test_reasoning_in_every_dialect(chunks: list[dict[str, object]], reasoning: str) -> None:
    """Never shown, never in the answer, kept on the message; over a real socket."""
    script = stream(*chunks, delta(content="42"), delta("stop"))
    with responding(script) as server:
        said = ask(server.url)
    assert answer(said) == "42"
    assert isinstance(said[-1], Reply)
    assert said[-1].message.reasoning == reasoning


@pytest.mark.parametrize(
    ("text", "thought", "rest"),
    [
        ("let me\n</think>\n\n42", "let me", "42"),
        ("let me\n</think>", "let me", ""),
        ("The tag is `</think>`.", "", "The tag is `</think>`."),
        ("A block:\n<think>\nx\n</think>\n", "", "A block:\n<think>\nx\n</think>\n"),
        ("a\n</think>\nb\n</think>\nc", "", "a\n</think>\nb\n</think>\nc"),
    ],
)
def test_an_orphaned_closing_tag_ends_the_thought(text: str, thought: str, rest: str) -> None:
    """Only alone on its line, once, and without an opening one: else it is part of the answer."""
    _, reply = assemble([event(delta(content=text)), event(delta("stop")), DONE])
    assert (reply.message.content, reply.message.reasoning) == (rest, thought)


def test_interleaved_fragments_may_share_an_index() -> None:
    """All with index 0, told apart by their ids alone."""
    made = calls(
        part("read", '{"a"', index=0, id="x"),
        part("grep", '{"b"', index=0, id="y"),
        part(None, ":1}", index=0, id="x"),
        part(None, ":2}", index=0, id="y"),
    )
    assert made == [("x", "read", '{"a":1}'), ("y", "grep", '{"b":2}')]


def test_one_constant_id_for_all_calls() -> None:
    """Told apart by their index, or by a name behind whole arguments."""
    indexed = calls(part("read", "{}", index=0, id="0"), part("grep", "{}", index=1, id="0"))
    assert [name for _, name, _ in indexed] == ["read", "grep"]
    bare = calls(part("read", "{}", id="0"), part("read", '{"a":1}', id="0"))
    assert [arguments for *_, arguments in bare] == ["{}", '{"a":1}']


@pytest.mark.parametrize("names", [["re", "ad"], ["read", "read"], ["re", "read"], ["read", ""]])
def test_a_name_may_come_in_pieces_or_again(names: list[str]) -> None:
    """It is never `readread`."""
    made = calls(*(part(name, "", index=0, id="x") for name in names), part(None, "{}", index=0))
    assert made == [("x", "read", "{}")]


def test_the_older_field_for_calls_is_understood() -> None:
    """`function_call` alone is a call; beside `tool_calls` it is the same one once more."""
    chunks = [
        delta(function_call={"name": "read", "arguments": '{"a"'}),
        delta("function_call", function_call={"arguments": ":1}"}),
    ]
    _, reply = assemble(map(event, chunks))
    assert reply.message.tool_calls == (ToolCall("", "read", '{"a":1}'),)
    both = delta(function_call={"name": "read", "arguments": "{}"}, tool_calls=[part("read", "{}")])
    assert len(assemble([event(both)])[1].message.tool_calls) == 1


def test_an_empty_fragment_is_no_call() -> None:
    """A call needs a name or arguments; one without a name is answered with the names there are."""
    assert calls({"index": 0, "id": "x"}, {"index": 1}) == []
    assert calls(part(None, '{"a":1}', index=0)) == [("", "", '{"a":1}')]
    single = delta(tool_calls=part("read", "{}"))
    assert len(assemble([event(single)])[1].message.tool_calls) == 1


@pytest.mark.parametrize("finish", ["length", "max_tokens", "MAX_TOKENS", "model_length"])
def test_an_output_that_was_used_up_has_several_names(finish: str) -> None:
    """All mean that a call may be cut off."""
    assert assemble([event(delta(content="a")), event(delta(finish))])[1].finish == "length"


@pytest.mark.parametrize(
    ("chunks", "finish"),
    [
        ([delta("stop", tool_calls=[part("read", "{}")])], "stop"),
        ([delta("tool_calls", content="a")], "tool_calls"),
        ([delta(tool_calls=[part("read", "{}")])], "tool_calls"),
        ([delta("", content="a")], "stop"),
        ([delta("function_call", function_call={"name": "read"})], "function_call"),
    ],
)
def test_calls_count_and_not_what_the_finish_reason_says(
    chunks: list[dict[str, object]], finish: str
) -> None:
    """It is passed on as it is, but who reads a reply looks for calls."""
    with responding(stream(*chunks)) as server:
        reply = ask(server.url)[-1]
    assert isinstance(reply, Reply)
    assert reply.finish == finish
    assert bool(reply.message.tool_calls) == ("content" not in chunks[0]["choices"][0]["delta"])  # type: ignore[index]


def test_usage_is_kept_when_a_later_chunk_says_nothing() -> None:
    """Some servers send it first and zeros at the end."""
    first = {"choices": [], "usage": {"prompt_tokens": 9, "completion_tokens": 1}}
    last = {"choices": [], "usage": {"prompt_tokens": 0, "completion_tokens": 0}}
    _, reply = assemble(
        map(event, [first, delta(content="a"), {"choices": [], "usage": None}, last])
    )
    assert reply.usage.prompt_tokens == 9


@pytest.mark.parametrize(
    "pieces",
    [
        [b'event: error\ndata: {"detail":"gone"}\n\n'],
        [b"event: error\ndata: gone\n\n"],
        [b'event: error\ndata: {"type":"error","error":{"message":"gone"}}\n\n'],
        [event({"choices": [{"index": 0, "delta": {}, "finish_reason": "error"}]})],
        [event({"choices": [{"index": 0, "error": {"message": "gone", "code": 502}}]}), DONE],
        [b'{"error":{"message":"gone"}}\n'],
    ],
)
def test_an_error_inside_a_stream_is_an_error(pieces: list[bytes]) -> None:
    """Before anything was shown the request is sent again."""
    with responding(Script(pieces), saying("ok")) as server:
        assert answer(ask(server.url)) == "ok"
    assert len(server.requests) == 2


def test_an_event_named_otherwise_is_an_ordinary_one() -> None:
    """Only the name `error` makes an error, and only of its own event."""
    named = b"event: message\n" + event(delta(content="a")) + event(delta("stop")) + DONE
    assert assemble([named])[1].message.content == "a"


def test_a_missing_content_is_no_text() -> None:
    """Null, empty and missing content of a reply are the same: nothing was said."""
    for fields in ({"content": None}, {"content": ""}, {}):
        call = [part("read", {"path": "a"}, index=0)]
        with responding(stream(delta("tool_calls", tool_calls=call, **fields))) as server:
            said = ask(server.url)
        assert not any(isinstance(piece, Delta) for piece in said)
        assert isinstance(said[-1], Reply)
        assert said[-1].message.content == ""
        assert json.loads(said[-1].message.tool_calls[0].arguments) == {"path": "a"}


def test_a_strict_server_is_satisfied_in_the_end() -> None:
    """System role, alternation, temperature and maximum are all refused, one after another."""

    def no_temperature(body: strict.Body) -> Script | None:
        bad = "temperature" in body
        return strict.refused("Unsupported parameter: 'temperature'") if bad else None

    def no_maximum(body: strict.Body) -> Script | None:
        bad = "max_tokens" in body
        return strict.refused("use 'max_completion_tokens' instead") if bad else None

    checks = (strict.no_system, strict.alternating, no_temperature, no_maximum)
    request = Request(PLAIN.messages, max_output=700, temperature=0.0)
    with answering(strict.server(*checks, then=lambda _: saying("a"))) as server:
        asked = model(server.url, max_retries=0)
        assert [answer(list(asked.complete(request))) for _ in range(2)] == ["a", "a"]
    assert len(server.requests) == 5

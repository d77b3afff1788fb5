"""The judge: counts for itself, and refuses what an endpoint refuses, in its own words."""

import json
from typing import Any

import pytest

from chyan_agent.budget import Meter
from chyan_agent.messages import Message, ToolCall, to_wire
from chyan_agent.offline.judge import Judge, Measured
from chyan_agent.offline.options import Options
from chyan_agent.offline.rules import Refusal
from chyan_agent.tokens import counter

from .toolbox import COUNT

Wire = dict[str, Any]
USER: Wire = {"role": "user", "content": "hi"}


def call(call_id: str = "c1", arguments: str = '{"path":"a"}', name: str = "read") -> Wire:
    """Return an assistant message with one tool call."""
    function = {"name": name, "arguments": arguments}
    calls = [{"id": call_id, "type": "function", "function": function}]
    return {"role": "assistant", "content": "", "tool_calls": calls}


def result(call_id: str = "c1") -> Wire:
    """Return a tool message."""
    return {"role": "tool", "tool_call_id": call_id, "content": "{}"}


def examine(*messages: Any, limit: int = 10_000, **body: Any) -> Measured | Refusal:
    """Return the verdict on one request."""
    return Judge(COUNT, Options(limit=limit)).examine(
        {"model": "m", "messages": list(messages), **body}
    )


def refused(*messages: Any, **body: Any) -> Refusal:
    """Return the refusal of a request."""
    verdict = examine(*messages, **body)
    assert isinstance(verdict, Refusal)
    return verdict


def test_it_counts_as_openai_publishes_it() -> None:
    """Four a message, eight a call or definition with name and JSON, three to open the answer."""
    tool = {"type": "function", "function": {"name": "read", "description": "d", "parameters": {}}}
    verdict = examine(USER, call(), result(), tools=[tool])
    assert isinstance(verdict, Measured)
    texts = COUNT("hi") + COUNT("read") + COUNT('{"path":"a"}') + COUNT("{}")
    assert verdict.messages == 3 * 4 + 8 + texts + 3
    assert verdict.tools == 8 + COUNT(json.dumps(tool, separators=(",", ":")))


def test_it_agrees_with_the_agents_own_count() -> None:
    """Two counts that share no code come to the same number."""
    messages = [
        Message("system", "你是助手。"),
        Message("user", "读一下 a.txt 🙂"),
        Message("assistant", "", (ToolCall("c1", "read", '{"path":"a.txt"}'),)),
        Message("tool", '{"content":"内容\\n"}', tool_call_id="c1"),
    ]
    schema = {
        "type": "function",
        "function": {"name": "read", "description": "读", "parameters": {}},
    }
    meter = Meter(counter("o200k_base"))
    verdict = examine(*map(to_wire, messages), tools=[schema])
    assert isinstance(verdict, Measured)
    assert verdict.prompt == meter.messages(messages) + meter.tools([schema]) + 3


def test_prompt_and_answer_share_the_window() -> None:
    """The most that may be answered counts, under both of its names, to the very token."""
    verdict = examine(USER)
    assert isinstance(verdict, Measured)
    size = verdict.prompt
    for name in ("max_tokens", "max_completion_tokens"):
        assert isinstance(examine(USER, limit=size + 5, **{name: 5}), Measured)
        refusal = examine(USER, limit=size + 4, **{name: 5})
        assert isinstance(refusal, Refusal)
        assert refusal.message == (
            f"This model's maximum context length is {size + 4} tokens. However, you requested "
            f"{size + 5} tokens ({size} in the messages, 5 in the completion). "
            "Please reduce the length of the messages or completion."
        )


def test_the_overflow_error_is_openais() -> None:
    """Body, code, type and words of an overflow are those of the real endpoint."""
    refusal = refused({"role": "user", "content": "long " * 100}, limit=50)
    size = COUNT("long " * 100) + 7
    assert (refusal.status, refusal.body) == (
        400,
        {
            "error": {
                "message": "This model's maximum context length is 50 tokens. However, your "
                f"messages resulted in {size} tokens. Please reduce the length of the messages.",
                "type": "invalid_request_error",
                "param": "messages",
                "code": "context_length_exceeded",
            }
        },
    )


@pytest.mark.parametrize(
    ("messages", "kind", "words"),
    [
        ([USER, call()], "unpaired", "did not have response messages: c1"),
        ([USER, call(), USER], "unpaired", "must be followed by tool messages"),
        ([USER, result()], "orphan", "must be a response to a preceeding message"),
        ([USER, call(), result("c2"), result()], "orphan", "preceeding"),
        ([USER, call(), result(), result()], "duplicate", "Duplicate"),
        ([USER, call(), result(), call(), result()], "duplicate", "Duplicate"),
    ],
)
def test_calls_and_results_must_pair(messages: list[Wire], kind: str, words: str) -> None:
    """Each call has exactly one result, right behind it, and no id comes twice."""
    refusal = refused(*messages)
    assert (refusal.status, refusal.kind) == (400, kind)
    assert words in refusal.message


@pytest.mark.parametrize(
    ("messages", "kind"),
    [
        ([], "messages"),
        ([{"role": "wizard", "content": "x"}], "role"),
        (["hi"], "message"),
        ([{"role": "user"}], "content"),
        ([{"role": "user", "content": None}], "content"),
        ([{"role": "user", "content": 7}], "content"),
        ([USER, {"role": "assistant", "content": ""}], "empty_assistant"),
        ([USER, {"role": "assistant", "content": None}], "empty_assistant"),
        ([USER, {"role": "system", "content": "late"}], "system_place"),
        ([{"role": "user", "content": "half \ud83d emoji"}], "surrogate"),
        ([USER, call(arguments="[1]"), result()], "tool_call"),
        ([USER, call(arguments='{"a":'), result()], "tool_call"),
        ([USER, call(arguments='{"a":"\ud800"}'), result()], "tool_call"),
        ([USER, call(name=""), result()], "tool_call"),
        ([USER, call(call_id=""), result("")], "tool_call"),
        ([USER, {"role": "assistant", "content": "x", "tool_calls": []}], "tool_calls"),
        ([USER, {"role": "assistant", "content": "x", "tool_calls": [{}]}], "tool_call"),
    ],
)
def test_malformed_messages_are_refused(messages: list[Any], kind: str) -> None:
    """What a strict endpoint can't read is a 400 of its own kind."""
    assert (refused(*messages).status, refused(*messages).kind) == (400, kind)


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        ({"tools": []}, "tools"),
        ({"tools": [{"type": "function"}]}, "tools"),
        ({"max_tokens": 0}, "max_tokens"),
        ({"max_completion_tokens": "many"}, "max_tokens"),
        ({"temperature": 3}, "temperature"),
    ],
)
def test_malformed_settings_are_refused(body: Wire, kind: str) -> None:
    """Settings out of their range are refused too."""
    assert refused(USER, **body).kind == kind


@pytest.mark.parametrize("body", [None, [], "x", {}, {"messages": {}}])
def test_a_body_that_is_no_request_is_refused(body: object) -> None:
    """A request is an object with a list of messages."""
    assert isinstance(Judge(COUNT, Options(limit=100)).examine(body), Refusal)


@pytest.mark.parametrize(
    "messages",
    [
        [USER, USER],
        [{"role": "system", "content": "s"}, USER, {"role": "assistant", "content": "a"}],
        [{"role": "user", "content": [{"type": "text", "text": "parts"}]}],
        [USER, {**call(), "content": None}, result(), {"role": "user", "content": ""}],
    ],
)
def test_what_openai_takes_is_taken(messages: list[Wire]) -> None:
    """The judge is strict, not stricter than the endpoint it stands for."""
    assert isinstance(examine(*messages), Measured)


def test_the_cached_prefix_is_the_longest_of_recent_prompts() -> None:
    """Cached tokens are those of the leading messages that a recent request began with."""
    judge = Judge(COUNT, Options(limit=10_000))
    texts = ["一段系统提示", "first question", "second question"]
    first = [{"role": "user", "content": text} for text in texts]
    changed = [*first[:2], {"role": "user", "content": "another"}]
    verdicts = [judge.examine({"messages": m}) for m in (first, changed, first, [changed[2]])]
    cached = [v.cached for v in verdicts if isinstance(v, Measured)]
    head = sum(4 + COUNT(text) for text in texts[:2])
    assert cached == [0, head, head + 4 + COUNT(texts[2]), 0]


def test_the_counters_prove_a_run() -> None:
    """The report tells requests, refusals by kind and the largest prompt that was seen."""
    judge = Judge(COUNT, Options(limit=60))
    refused: list[list[Wire]] = [[], [USER, result()]]
    for messages in ([USER], *refused):
        judge.examine({"messages": messages})
    judge.examine({"messages": [{"role": "user", "content": "word " * 80}]})
    report = judge.report()
    assert report["requests"] == 4
    assert report["refused"] == 3
    assert report["refusals"] == {"messages": 1, "orphan": 1, "context_length_exceeded": 1}
    assert report["max_prompt_tokens"] == COUNT("word " * 80) + 7

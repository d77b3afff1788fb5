"""Recorded answers of real servers, one by one: what llama.cpp and llama-cpp-python really send."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from chyan_agent.budget import Meter
from chyan_agent.build import build
from chyan_agent.callwatch import CallWatch
from chyan_agent.errors import (
    AgentError,
    ModelOverflow,
    ModelRefused,
    ModelUnavailable,
    ModelWants,
)
from chyan_agent.events import Event, Stopped, ToolRan
from chyan_agent.form import Form
from chyan_agent.jsontext import as_object
from chyan_agent.llm.assembly import Assembly
from chyan_agent.llm.sse import ChunkReader
from chyan_agent.messages import Message, ToolCall, from_wire
from chyan_agent.model import Reply, Request
from chyan_agent.prompts.core import EN
from chyan_agent.replies import minted
from chyan_agent.texttools import find_calls
from chyan_agent.tokens import counter

from .agents import ask as ask_agent
from .agents import configured, says
from .servers import DONE, Script, delta, event, failing, responding
from .test_llm import ask

WIRE = Path(__file__).parent / "wire"
RECORDED: dict[str, Any] = json.loads((WIRE / "answers.json").read_text(encoding="utf-8"))
CASES: dict[str, Any] = RECORDED["cases"]
LOOPS: dict[str, Any] = json.loads((WIRE / "loops.json").read_text(encoding="utf-8"))
NAMES = {tool["function"]["name"] for tool in RECORDED["tools"]}

ANSWERS = {
    "native_template/edge_assistant_prefill": ("stop", "答案是 2."),
    "native_template/edge_empty": ("stop", "I'm sorry"),
    "native_template/edge_system_mid": ("length", "Hello!"),
    "native_template/edge_two_system": ("length", "你好！"),
    "small_window/midgen_overflow": ("length", "1 2 3 4"),
    "llama_cpp/error_bad_role": ("stop", "Qwen is"),
    "llama_cpp/finish_length": ("length", "【题记】"),
    "llama_cpp/json_object": ("stop", '{\n  "name": "李雷"'),
    "llama_cpp/json_schema": ("stop", '{ "facts"'),
    "llama_cpp/usage_cached_branch": ("stop", "编号49"),
    "llama_cpp/usage_cached_first": ("stop", "编号12"),
    "llama_cpp/usage_cached_identical_repeat": ("stop", "编号25"),
    "llama_cpp/usage_cached_second_turn": ("stop", "编号25"),
    "llama_cpp_python/auto": ("stop", ""),
    "llama_cpp_python/json_schema": ("stop", '{"city":"杭州"}'),
}
NATIVE = {
    "llama_cpp/error_bad_toolchoice": "search",
    "llama_cpp/toolcall_auto": "read",
    "llama_cpp/toolcall_named": "read",
    "llama_cpp/toolcall_required": "read",
    "llama_cpp_python/named": "recall",
}
AS_TEXT = {
    "native_template/edge_content_null_toolcalls": "read",
    "native_template/edge_tools+json_schema": "read",
    "native_template/toolcall_auto_unparsed": "remember",
    "native_template/toolcall_required_unparsed": "remember",
    "llama_cpp/toolcall_none": "read",
}
CUT = {"cut_invalid_json_args": "remember", "cut_truncated_by_max_tokens": "read"}
REFUSALS: dict[str, type[AgentError]] = {
    "native_template/edge_n=2": ModelRefused,
    "native_template/edge_tool_args_invalid_json": ModelUnavailable,
    "llama_cpp/error_404": ModelRefused,
    "llama_cpp/error_bad_no_messages": ModelRefused,
    "llama_cpp/error_bad_temp": ModelRefused,
    "llama_cpp/error_bad_tools": ModelUnavailable,
    "llama_cpp/overflow_nostream": ModelOverflow,
    "llama_cpp/overflow_stream": ModelOverflow,
    "llama_cpp_python/overflow": ModelOverflow,
    "llama_cpp_python/required": ModelUnavailable,
}
HELPERS = {name for name in CASES if name.startswith("llama_cpp/endpoint_")}


def test_every_sample_has_its_test() -> None:
    """None is only kept."""
    tested = [*ANSWERS, *NATIVE, *AS_TEXT, *CUT, *REFUSALS, *HELPERS]
    assert sorted(tested) == sorted(CASES)


def reply_to(name: str) -> Reply:
    """Return what a recorded answer becomes, sent over a real socket as one JSON body."""
    with responding(Script([json.dumps(CASES[name]["body"]).encode()], chunked=False)) as server:
        reply = ask(server.url)[-1]
    assert isinstance(reply, Reply)
    usage = CASES[name]["body"]["usage"]
    assert reply.usage.prompt_tokens == usage["prompt_tokens"]
    cached = usage.get("prompt_tokens_details", {}).get("cached_tokens", 0)
    assert reply.usage.cached_tokens == cached
    return reply


@pytest.mark.parametrize("name", ANSWERS)
def test_answers(name: str) -> None:
    """Text, reason and usage arrive; JSON that is no call of a tool stays an answer."""
    finish, begins = ANSWERS[name]
    reply = reply_to(name)
    assert reply.finish == finish
    assert reply.message.content.startswith(begins)
    assert bool(reply.message.content) == bool(begins)
    assert not reply.message.tool_calls
    assert find_calls(reply.message.content, NAMES) is None


@pytest.mark.parametrize("name", NATIVE)
def test_native_calls(name: str) -> None:
    """One call, though llama-cpp-python sends it twice: in the newer and the older field."""
    (call,) = reply_to(name).message.tool_calls
    assert call.name == NATIVE[name]
    assert as_object(call.arguments) is not None


@pytest.mark.parametrize("name", AS_TEXT)
def test_calls_that_came_as_text(name: str) -> None:
    """Fenced or bare, with or without newlines behind: calls all the same, also at the limit."""
    reply = reply_to(name)
    assert not reply.message.tool_calls
    settled = CallWatch(NAMES).settle(reply)
    (call,) = settled.reply.message.tool_calls
    assert (call.name, settled.reply.message.content) == (AS_TEXT[name], "")
    assert settled.reply.finish == "tool_calls"


@pytest.mark.parametrize("name", CUT)
def test_calls_that_were_cut_off(name: str) -> None:
    """Arguments of half a JSON text are never sent back: the server would fail at every turn."""
    reply = reply_to(name)
    (call,) = reply.message.tool_calls
    assert (reply.finish, call.name) == ("length", CUT[name])
    assert as_object(call.arguments) is None
    (sent,) = minted(reply.message, 1, 1).tool_calls
    assert as_object(sent.arguments) is not None


@pytest.mark.parametrize("name", REFUSALS)
def test_refusals(name: str) -> None:
    """None is taken for a quirk, and an overflow tells the true window."""
    case = CASES[name]
    refusal = failing(case["status"], case["body"])
    with responding(refusal) as server, pytest.raises(REFUSALS[name]) as caught:
        ask(server.url, max_retries=0)
    assert not isinstance(caught.value, ModelWants)
    if isinstance(caught.value, ModelOverflow):
        assert caught.value.limit == (1024 if "python" in name else 10240)


def test_what_we_send_is_nothing_that_was_refused() -> None:
    """Invalid arguments, several answers, no messages, a late system message: never sent."""
    history = CASES["native_template/edge_tool_args_invalid_json"]["request"]["messages"]
    broken = from_wire(history[1])
    assert as_object(broken.tool_calls[0].arguments) is None
    fine = minted(broken, 1, 1)
    messages = (Message("user", "x"), fine, Message("tool", "y", tool_call_id="a"))
    request = Request(Form().messages(messages))
    answer = CASES["llama_cpp/finish_length"]["body"]
    with responding(Script([json.dumps(answer).encode()], chunked=False)) as server:
        ask(server.url, request)
    body: dict[str, Any] = server.requests[0].json
    assert "n" not in body
    arguments = body["messages"][1]["tool_calls"][0]["function"]["arguments"]
    assert arguments == "{}"
    assert "written" not in str(body)


def test_the_servers_own_tokens_add_up_to_the_text() -> None:
    """What /tokenize gives back is the text that was counted."""
    case = CASES["llama_cpp/endpoint_tokenize"]
    pieces = [token["piece"] for token in case["body"]["tokens"]]
    assert "".join(pieces) == case["request"]["content"]
    single = CASES["llama_cpp/endpoint_detokenize"]
    assert single["request"]["tokens"] == [case["body"]["tokens"][0]["id"]]
    assert single["body"]["content"] == pieces[0]


def test_our_count_of_a_real_request_is_close() -> None:
    """The server counts the whole request with another vocabulary and its own template."""
    case = CASES["llama_cpp/endpoint_v1_chat_completions_input_tokens"]
    meter = Meter(counter("o200k_base"))
    messages = map(from_wire, case["request"]["messages"])
    ours = meter.messages(messages) + meter.tools(RECORDED["tools"]) + 3
    assert 0.6 < case["body"]["input_tokens"] / ours < 1.8


def test_a_template_puts_everything_into_the_prompt() -> None:
    """System text, tools and question stand in it once each, in this order."""
    case = CASES["llama_cpp/endpoint_apply-template"]
    system, user = case["request"]["messages"]
    prompt = case["body"]["prompt"]
    places = [prompt.find(text) for text in (system["content"], '"read"', user["content"])]
    assert -1 not in places
    assert places == sorted(places)


def assembled(name: str) -> tuple[str, Reply]:
    """Return what a recorded stream shows, held-back calls aside, and its reply."""
    assembly, watch = Assembly(), CallWatch(NAMES)
    data = (WIRE / name).read_bytes()
    pieces = [data[at : at + 100] for at in range(0, len(data), 100)]
    shown = [watch.feed(assembly.feed(chunk)) for chunk in ChunkReader(pieces)]
    shown.append(watch.feed(assembly.close()))
    settled = watch.settle(assembly.reply)
    return "".join(shown) + settled.rest, settled.reply


def test_a_streamed_call_in_a_fence_is_never_shown() -> None:
    """The model's own template, which the server does not parse."""
    text, reply = assembled("llama_cpp_unparsed.sse")
    assert text == reply.message.content == ""
    (call,) = reply.message.tool_calls
    assert (call.name, as_object(call.arguments)) == ("remember", {"fact": "我对花生过敏。"})
    assert reply.usage.cached_tokens == 545


def test_a_stream_without_usage_is_whole() -> None:
    """llama-cpp-python gives none, although it was asked to."""
    text, reply = assembled("llama_cpp_python_text.sse")
    assert text == reply.message.content == "你好！有什么我可以帮你的"
    assert (reply.finish, reply.usage.prompt_tokens) == ("length", 0)


def scripts(calls: list[tuple[str, str]]) -> Iterator[Script]:
    """Yield streamed calls as recorded, the last one for ever."""
    for name, arguments in [*calls, *[calls[-1]] * 20]:
        call = {"index": 0, "id": "same", "function": {"name": name, "arguments": arguments}}
        yield Script([event(delta(tool_calls=[call])), event(delta("tool_calls")), DONE])


@pytest.mark.parametrize("place", range(len(LOOPS["calls"])))
def test_a_model_that_calls_for_ever_is_told_and_then_stopped(tmp_path: Path, place: int) -> None:
    """Six recorded loops: the closing line comes with the first repetition, the end soon after."""
    case = LOOPS["calls"][place]
    events = played(tmp_path, [*scripts(case["calls"])], case["question"])
    results = [event.result.content for event in events if isinstance(event, ToolRan)]
    told = [EN.closing in json.loads(result).get("notice", "") for result in results]
    assert told.index(True) <= 3
    assert isinstance(events[-1], Stopped)
    assert events[-1].reason == "repeating"
    assert len(results) <= 8


@pytest.mark.parametrize("loop", ["nudge", "drop"])
@pytest.mark.parametrize("place", range(6))
def test_the_answers_after_a_closing_line_are_answers(
    tmp_path: Path, loop: str, place: int
) -> None:
    """One of them echoes a call with an error in it: never run, asked for once more."""
    case = LOOPS[loop][place]
    echo = case["final"].startswith("```json")
    call = {"name": case["called"][0], "arguments": "{}"}
    first = Script([event(delta(tool_calls=[{"function": call}])), event(delta("stop")), DONE])
    script = [first, says(case["final"]), says("No such file.")][: 3 if echo else 2]
    events = played(tmp_path, script, case["question"])
    assert [event.call.name for event in events if isinstance(event, ToolRan)] == case["called"]
    assert getattr(events[-1], "text", "") == ("No such file." if echo else case["final"])
    assert find_calls(case["final"], NAMES) is None


def played(folder: Path, script: list[Script], question: str) -> list[Event]:
    """Return the events of one turn of an agent whose endpoint plays a script."""
    with responding(*script) as server, build(configured(folder, server.url)) as agent:
        return ask_agent(agent, question)


def test_ids_of_recorded_calls_never_reach_the_conversation() -> None:
    """They are constant, doubled, or 60 characters long: ours take their place."""
    (call,) = reply_to("llama_cpp_python/named").message.tool_calls
    assert len(call.id) > 40
    message = Message("assistant", "", (call, ToolCall(call.id, "read", "{}")))
    assert [c.id for c in minted(message, 3, 1).tool_calls] == ["t00003c01", "t00003c02"]

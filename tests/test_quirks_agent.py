"""A whole agent against servers that refuse, drop or garble what real ones do."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from chyan_agent.agent import Agent
from chyan_agent.budget import Meter
from chyan_agent.build import build
from chyan_agent.errors import ModelRefused
from chyan_agent.events import Answered, Event, Noticed, Requested, Stopped, ToolRan
from chyan_agent.messages import from_wire
from chyan_agent.model import Delta
from chyan_agent.prompts.core import EN
from chyan_agent.tokens import counter

from . import strict
from .agents import ask, calls, configured, says, sent
from .made import unpaired
from .servers import Answer, Script, Server, answering, delta, responding, saying, stream

READ = '{"name": "read", "arguments": {"path": "a.txt"}}'
PORT = "port is 8137"


@contextmanager
def agent_at(folder: Path, answer: Answer, **settings: object) -> Iterator[tuple[Agent, Server]]:
    """Build an agent whose endpoint answers by a rule, with a file a.txt to read."""
    (folder / "workspace").mkdir(exist_ok=True)
    (folder / "workspace/a.txt").write_text(PORT, encoding="utf-8")
    with answering(answer) as server, build(configured(folder, server.url, **settings)) as agent:
        yield agent, server


def answer_of(events: list[Event]) -> str:
    """Return the answer of a turn."""
    assert isinstance(events[-1], Answered), events[-1]
    return events[-1].text


def shown(events: list[Event]) -> str:
    """Return what was streamed to the screen."""
    return "".join(event.text for event in events if isinstance(event, Delta))


def notices(events: list[Event]) -> list[str]:
    """Return the kinds of remarks."""
    return [event.kind for event in events if isinstance(event, Noticed)]


def roles(server: Server, number: int = -1) -> list[str]:
    """Return the roles of a request."""
    return [str(message["role"]) for message in sent(server, number)]


LOOK = strict.told((PORT, "It is 8137."), ("which port", f"<tool_call>{READ}</tool_call>"))


@pytest.mark.parametrize("form", ["text", "auto"])
def test_a_model_without_tools_gets_them_in_its_prompt(tmp_path: Path, form: str) -> None:
    """Refused once, or set: the prompt names the tools, calls and results travel as text."""
    rule = strict.server(strict.no_tools, strict.alternating, then=LOOK)
    with agent_at(tmp_path, rule, llm__tool_calls=form) as (agent, server):
        first, second = ask(agent, "which port?"), ask(agent, "which port again?")
    assert answer_of(first) == answer_of(second) == "It is 8137."
    assert shown(first) == "It is 8137."
    assert notices(first) == (["text_tools"] if form == "auto" else [])
    assert notices(second) == []
    asked = [request.json for request in server.requests[1 if form == "auto" else 0 :]]
    assert not any("tools" in body for body in asked)
    (ran,) = (event for event in first if isinstance(event, ToolRan))
    assert (ran.call.name, ran.result.ok) == ("read", True)


def test_the_text_form_on_the_wire(tmp_path: Path) -> None:
    """Golden: the system prompt ends in the tools, then user and assistant take turns."""
    rule = strict.server(strict.no_tools, then=LOOK)
    with agent_at(tmp_path, rule) as (agent, server):
        ask(agent, "which port?")
    system, *rest = sent(server, -1)
    head, _, tools = str(system["content"]).partition(f"\n\n{EN.text_tools}\n")
    assert head == EN.system
    assert [line.split("(")[0] for line in tools.splitlines()] == [
        f"- {name}" for name in ("read", "write", "search", "grep", "remember", "recall")
    ]
    question, call, result = rest
    assert question == {"role": "user", "content": "which port?"}
    compact = '<tool_call>{"name":"read","arguments":{"path": "a.txt"}}</tool_call>'
    assert call == {"role": "assistant", "content": compact}
    assert result["role"] == "user"
    assert str(result["content"]).startswith('<tool_response>{"path":"a.txt"')
    assert str(result["content"]).endswith("}</tool_response>")


def test_the_transcript_does_not_know_the_form(tmp_path: Path) -> None:
    """Calls are recorded as calls: the same conversation goes on with a model that has tools."""
    with agent_at(tmp_path, strict.server(strict.no_tools, then=LOOK)) as (agent, _):
        ask(agent, "which port?")
        before = agent.state
    with agent_at(tmp_path, strict.server(then=lambda _: saying("Yes."))) as (agent, server):
        assert agent.state == before
        ask(agent, "sure?")
    messages = tuple(map(from_wire, sent(server, -1)))
    assert unpaired(messages) == ""
    assert [message.role for message in messages[1:4]] == ["user", "assistant", "tool"]


def test_several_results_are_one_message_in_the_text_form(tmp_path: Path) -> None:
    """Two calls in one answer: their results come together, so that roles alternate."""
    both = f"<tool_call>{READ}</tool_call>\n<tool_call>{READ}</tool_call>"
    then = strict.told((PORT, "8137"), ("which", both))
    rule = strict.server(strict.no_tools, strict.alternating, then=then)
    with agent_at(tmp_path, rule) as (agent, server):
        assert answer_of(ask(agent, "which port?")) == "8137"
    assert roles(server) == ["system", "user", "assistant", "user"]
    assert str(sent(server, -1)[-1]["content"]).count("<tool_response>") == 2


def test_a_template_without_system_and_tool_roles(tmp_path: Path) -> None:
    """As Gemma's: the system's text goes into the first message, calls become text."""
    rule = strict.server(strict.no_system, strict.alternating, then=LOOK)
    with agent_at(tmp_path, rule, llm__max_retries=0) as (agent, server):
        assert answer_of(ask(agent, "which port?")) == "It is 8137."
        assert answer_of(ask(agent, "which port?")) == "It is 8137."
    assert roles(server) == ["user", "assistant", "user", "assistant", "user"]
    assert str(sent(server, -1)[0]["content"]).startswith(EN.system)


def test_dropped_tools_show_in_the_servers_count(tmp_path: Path) -> None:
    """A server that drops definitions without a word counts too few tokens: said plainly."""
    count = counter("o200k_base")

    def dropping(body: strict.Body) -> int:
        return sum(4 + count(str(message["content"])) for message in body["messages"])

    rule = strict.server(then=lambda body: strict.counted("Hello.", dropping(body)))
    with agent_at(tmp_path, rule) as (agent, server):
        assert notices(ask(agent, "hi")) == ["text_tools"]
        assert notices(ask(agent, "hi again")) == []
    assert "tools" in server.requests[0].json
    assert "tools" not in server.requests[1].json


@pytest.mark.parametrize("factor", [0.0, 0.02, 0.6, 0.8, 1.0, 1.3, 1.8])
def test_a_count_with_tools_is_not_taken_for_one_without(tmp_path: Path, factor: float) -> None:
    """Another tokenizer, a terser template, no usage, or nonsense: definitions stay."""
    meter = Meter(counter("o200k_base"))

    def honest(body: strict.Body) -> int:
        messages = meter.messages(map(from_wire, body["messages"]))
        return int(factor * (messages + meter.tools(body.get("tools", ()))))

    rule = strict.server(then=lambda body: strict.counted("Hello.", honest(body)))
    with agent_at(tmp_path, rule) as (agent, server):
        ask(agent, "hi")
        ask(agent, "hi again")
    assert all("tools" in request.json for request in server.requests)


def thinking(body: strict.Body) -> Script:
    """Think aloud, call a tool, think again, answer."""
    if PORT in strict.texts(body):
        return stream(delta(reasoning_content="so 8137"), delta(content="8137"), delta("stop"))
    return strict.calling("read", {"path": "a.txt"}, reasoning_content="I have to look.")


def test_reasoning_goes_back_where_it_is_required(tmp_path: Path) -> None:
    """As DeepSeek wants it: learnt from the refusal, verbatim, for kept turns too."""
    rule = strict.server(strict.wants_reasoning, then=thinking)
    with agent_at(tmp_path, rule) as (agent, server):
        first, second = ask(agent, "which port?"), ask(agent, "and again?")
    assert answer_of(first) == shown(first) == "8137"
    assert (notices(first), notices(second)) == (["reasoning"], [])
    assert len(server.requests) == 4
    passed = [m for m in sent(server, -1) if "reasoning_content" in m]
    assert [m["reasoning_content"] for m in passed] == ["I have to look."]
    assert all(m.get("tool_calls") for m in passed)


def test_reasoning_is_recorded_and_not_sent(tmp_path: Path) -> None:
    """By default it is in the transcript alone; a transcript from before it reads as ever."""
    with agent_at(tmp_path, strict.server(then=thinking)) as (agent, server):
        ask(agent, "which port?")
        ask(agent, "and again?")
        live = agent.state
    assert not any("reasoning_content" in m for m in sent(server, -1))
    lines = (tmp_path / "data/conversation.jsonl").read_text(encoding="utf-8")
    assert lines.count('"reasoning_content":"so 8137"') == 2
    (tmp_path / "data/meta.json").unlink()
    with agent_at(tmp_path, strict.server(then=thinking)) as (agent, _):
        assert agent.state == live
        assert agent.state.turns[0].messages[1].reasoning == "I have to look."


def test_reasoning_is_counted_when_it_is_sent(tmp_path: Path) -> None:
    """The ledger of each request is what its messages and tools cost, reasoning included."""
    count = counter("o200k_base")
    rule = strict.server(strict.wants_reasoning, then=thinking)
    with agent_at(tmp_path, rule) as (agent, server):
        events = ask(agent, "which port?")
    ledgers = [event.ledger for event in events if isinstance(event, Requested)]
    for ledger, request in zip(ledgers, server.requests, strict=True):
        plain = Meter(count)
        messages = [from_wire(m) for m in strict.Body(request.json)["messages"]]
        tools = strict.Body(request.json)["tools"]
        reasoning = sum(count(message.reasoning) for message in messages)
        assert ledger.total == plain.messages(messages) + plain.tools(tools) + 3 + reasoning


@pytest.mark.parametrize("bad", [("",), ("", None)])
def test_content_beside_calls_takes_the_shape_that_is_accepted(
    tmp_path: Path, bad: tuple[object, ...]
) -> None:
    """Empty text, then null, then none at all: each is learnt from a refusal."""
    rule = strict.server(strict.refuses_content(*bad), then=thinking)
    with agent_at(tmp_path, rule) as (agent, server):
        assert answer_of(ask(agent, "which port?")) == "8137"
        assert answer_of(ask(agent, "and again?")) == "8137"
    call = next(m for m in sent(server, -1) if m.get("tool_calls"))
    assert call.get("content", "missing") == (None if len(bad) == 1 else "missing")
    assert len(server.requests) == 3 + len(bad)


@pytest.mark.parametrize("text", [f"```json\n{READ}\n```", READ, f"[TOOL_CALLS][{READ}]"])
def test_a_call_in_the_text_is_run_and_said_once(tmp_path: Path, text: str) -> None:
    """It is recorded as a call, never shown, and one remark says so."""
    then = strict.told((PORT, "It is 8137."), ("which", text))
    with agent_at(tmp_path, strict.server(then=then)) as (agent, server):
        first = ask(agent, "which port?")
        second = ask(agent, "which port again, in a.txt?")
    assert answer_of(first) == shown(first) == "It is 8137."
    assert (notices(first), notices(second)) == (["text_call"], [])
    call = sent(server, 1)[2]
    assert (call["content"], len(call["tool_calls"])) == ("", 1)  # type: ignore[arg-type]


def test_a_call_inside_thinking_is_never_run(tmp_path: Path) -> None:
    """What a model thinks of doing it has not asked for."""
    think = f"<think>I could do\n{READ}\nbut no.</think>\n\nHello."
    with agent_at(tmp_path, strict.server(then=strict.told(("hi", think)))) as (agent, _):
        events = ask(agent, "hi")
    assert answer_of(events) == shown(events) == "Hello."
    assert not any(isinstance(event, ToolRan) for event in events)
    assert READ in agent.state.turns[-1].messages[-1].reasoning


def test_thinking_that_never_ends_is_no_answer(tmp_path: Path) -> None:
    """The output ran out in the middle of it: that is said, and none of it shown."""
    think = stream(delta(content="<think>let me"), delta("length", content=" see"))
    with responding(think) as server, build(configured(tmp_path, server.url)) as agent:
        events = ask(agent, "hi")
    assert (answer_of(events), shown(events)) == (EN.used_up, "")
    assert agent.state.turns[-1].messages[-1].reasoning == "let me see"


def test_thought_that_nothing_announced_is_set_right(tmp_path: Path) -> None:
    """A template had opened the block in the prompt: the answer is shown again by itself."""
    text = "The user says hi.\n</think>\n\nHello."
    with agent_at(tmp_path, strict.server(then=strict.told(("hi", text)))) as (agent, _):
        events = ask(agent, "hi")
    assert answer_of(events) == "Hello."
    assert notices(events) == ["thinking"]
    assert agent.state.turns[-1].messages[-1].content == "Hello."


@pytest.mark.parametrize(
    ("mode", "seen"),
    [("auto", [False, True, True]), ("on", [True, True, True]), ("off", [False, False, True])],
)
def test_the_closing_line(tmp_path: Path, mode: str, seen: list[bool]) -> None:
    """From the first repetition on, always, or never; the nudge at the third time stays."""
    again = [calls(("read", {"path": "a.txt"}))] * 3
    with responding(*again, says("done")) as server:
        config = configured(tmp_path, server.url, tools__closing_line=mode)
        with build(config) as agent:
            events = ask(agent, "go")
    results = [event.result.content for event in events if isinstance(event, ToolRan)]
    assert ['"notice"' in result for result in results] == seen
    assert (EN.closing in json.loads(results[1]).get("notice", "")) == (mode != "off")


def test_a_call_that_failed_is_not_closed(tmp_path: Path) -> None:
    """A weak model that is told to answer after a failure makes an answer up."""
    wrong = '{"name": "read", "arguments": {}}'
    right = '{"name": "search", "arguments": {"pattern": "*"}}'
    with (
        responding(says(wrong), says(right), says("done")) as server,
        build(configured(tmp_path, server.url)) as agent,
    ):
        events = ask(agent, "go")
    results = [event.result.content for event in events if isinstance(event, ToolRan)]
    assert [EN.closing in result for result in results] == [False, True]


def test_a_form_that_is_refused_too_ends_it(tmp_path: Path) -> None:
    """A server that complains of tools when there are none is not asked for ever."""

    def never(body: strict.Body) -> Script:
        return strict.refused("this model does not support tools")

    with agent_at(tmp_path, strict.server(then=never)) as (agent, server):
        with pytest.raises(ModelRefused, match="does not support tools"):
            ask(agent, "hi")
        assert len(server.requests) == 2
    assert not any(isinstance(m, Stopped) for m in agent.state.turns)


def test_a_text_call_that_the_output_limit_cut_off_is_not_run(tmp_path: Path) -> None:
    """The model is told to write less at a time, and nothing of the half call is shown."""
    begun = '<tool_call>{"name":"write","arguments":{"path":"b.txt","content":"so much'
    cut = stream(delta(content=begun), delta("length"))
    rule = strict.server(strict.no_tools, then=strict.told(("Not run", "I see."), ("write", cut)))
    with agent_at(tmp_path, rule) as (agent, server):
        events = ask(agent, "write it all")
    assert answer_of(events) == shown(events) == "I see."
    (ran,) = (event for event in events if isinstance(event, ToolRan))
    assert EN.call_cut_off in ran.result.content
    assert not (tmp_path / "workspace/b.txt").exists()
    assert roles(server) == ["system", "user", "assistant", "user"]


@pytest.mark.parametrize("name", ["raed", "", None, "rm -rf"])
def test_a_call_of_no_tool_is_answered_with_the_names_there_are(
    tmp_path: Path, name: object
) -> None:
    """Also one without any name; the conversation goes on."""
    fragment = {"index": 0, "id": "x", "function": {"name": name, "arguments": '{"path":"a.txt"}'}}
    call = stream(delta(tool_calls=[fragment]), delta("stop"))
    rule = strict.server(then=strict.told(("remember, recall", "Sorry."), ("go", call)))
    with agent_at(tmp_path, rule) as (agent, server):
        assert answer_of(ask(agent, "go")) == "Sorry."
    assert unpaired(tuple(map(from_wire, sent(server, -1)))) == ""


@pytest.mark.parametrize("form", ["text", "auto"])
def test_no_request_of_any_form_is_over_the_limit(tmp_path: Path, form: str) -> None:
    """Long results, many turns, a compaction: judged by what arrives, and by its roles."""
    meter, limit = Meter(counter("o200k_base")), 3000

    def cost(body: strict.Body) -> int:
        messages = meter.messages(map(from_wire, body["messages"]))
        return messages + meter.tools(body.get("tools", ())) + 3

    def act(body: strict.Body) -> Script:
        question = str(body["messages"][-1]["content"])
        return saying(f"<tool_call>{READ}</tool_call>" if question.startswith("look") else "- ok")

    rule = strict.server(*([strict.alternating] if form == "text" else []), then=act)
    settings = {"context__context_limit": limit, "context__reserved_tokens": 500}
    with agent_at(tmp_path, rule, llm__tool_calls=form, **settings) as (agent, server):
        (tmp_path / "workspace/a.txt").write_text("数据 data 42\n" * 400, encoding="utf-8")
        for turn in range(8):
            assert answer_of(ask(agent, f"look at a.txt for the {turn}th time")) == "- ok"
    costs = [cost(request.json) for request in server.requests]
    assert max(costs) <= limit - 500
    assert len(costs) > 16

"""The turn loop, over real HTTP: write ahead, tools, caps, refusals, interruptions."""

import os
import resource
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from chyan_agent.build import build
from chyan_agent.cli.views import history
from chyan_agent.errors import (
    AgentError,
    AuthError,
    ModelOverflow,
    ModelUnavailable,
    StorageError,
)
from chyan_agent.events import Answered, Compacted, Noticed, Stopped, ToolRan, TurnStarted
from chyan_agent.messages import from_wire
from chyan_agent.prompts.core import EN
from chyan_agent.prompts.terminal import EN as TERMINAL

from .agents import agent_on, ask, calls, configured, kinds, refuses, says, sent
from .made import unpaired
from .servers import Script, responding


def test_a_plain_turn_is_asked_answered_and_kept(tmp_path: Path) -> None:
    """One request, one answer, and both are there when the agent is opened again."""
    with agent_on(tmp_path, says("four")) as (agent, server):
        events = ask(agent, "2+2?")
        assert kinds(events) == ["TurnStarted", "Requested", "Delta", "Replied", "Answered"]
        assert [m["role"] for m in sent(server, 0)] == ["system", "user"]
    with agent_on(tmp_path) as (agent, _):
        assert [m.content for m in agent.state.turns[0].messages] == ["2+2?", "four"]


def test_the_question_is_on_disk_before_it_is_believed(tmp_path: Path) -> None:
    """When the turn has started, the log holds the user's words."""
    with agent_on(tmp_path, says("ok")) as (agent, _):
        turn = agent.run_turn("remember the harbour")
        assert isinstance(next(turn), TurnStarted)
        assert "harbour" in (tmp_path / "data/conversation.jsonl").read_text(encoding="utf-8")
        list(turn)


def watched(monkeypatch: pytest.MonkeyPatch, look: Callable[[], bool]) -> list[bool]:
    """Return a list that takes what `look` sees at every fsync from now on."""
    seen: list[bool] = []
    real = os.fsync

    def fsync(descriptor: int) -> None:
        seen.append(look())
        real(descriptor)

    monkeypatch.setattr(os, "fsync", fsync)
    return seen


def test_a_plain_turn_costs_one_fsync(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Acknowledged means durable, and durable is bought once."""
    with agent_on(tmp_path, says("one"), says("two")) as (agent, _):
        ask(agent, "a")
        synced = watched(monkeypatch, lambda: True)
        ask(agent, "b")
        assert len(synced) == 1


def test_tools_run_until_there_is_an_answer(tmp_path: Path) -> None:
    """Each result goes back to the model with its call, under ids of our own."""
    write = calls(("write", {"path": "a.txt", "content": "42\n"}))
    read = calls(("read", {"path": "a.txt"}))
    with agent_on(tmp_path, write, read, says("it says 42")) as (agent, server):
        events = ask(agent, "write then read")
        results = [e.result for e in events if isinstance(e, ToolRan)]
        assert [r.ok for r in results] == [True, True]
        assert "42" in results[1].content
        assert (tmp_path / "workspace/a.txt").read_text(encoding="utf-8") == "42\n"
        ids = [m.get("tool_call_id") for m in sent(server, 2) if m["role"] == "tool"]
        assert ids == ["t00001c01", "t00001c02"]
        assert unpaired(agent.state.turns[-1].messages) == ""


def test_a_mutating_call_is_durable_before_its_effect(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first fsync of a turn with a write happens when the file does not exist yet."""
    target = tmp_path / "workspace/a.txt"
    script = calls(("write", {"path": "a.txt", "content": "x"}))
    with agent_on(tmp_path, script, says("done")) as (agent, _):
        there = watched(monkeypatch, target.exists)
        ask(agent, "write")
        assert there[0] is False


def test_a_call_cut_off_by_the_output_limit_is_not_run(tmp_path: Path) -> None:
    """Half a write is no write: the model is told to go on in parts."""
    cut = calls(("write", {"path": "a.txt", "content": "half"}), finish="length")
    with agent_on(tmp_path, cut, says("I'll append")) as (agent, server):
        ask(agent, "write a lot")
        assert not (tmp_path / "workspace/a.txt").exists()
        assert "append" in str(sent(server, 1)[-1]["content"])


@pytest.mark.parametrize("arguments", ['{"path": "a', "null", "[]", '{"path":"a"}{"path":"b"}'])
def test_malformed_arguments_come_back_as_a_result(tmp_path: Path, arguments: str) -> None:
    """What the model gets wrong is a result it can read, and no later request is invalid."""
    with agent_on(tmp_path, calls(("read", arguments)), says("sorry")) as (agent, server):
        events = ask(agent, "read")
        failed = [e.result for e in events if isinstance(e, ToolRan)]
        assert [r.ok for r in failed] == [False]
        assert isinstance(events[-1], Answered)
        (call,) = from_wire(sent(server, 1)[2]).tool_calls
        assert (call.arguments, call.written) == ("{}", "")
        (kept,) = agent.state.turns[-1].messages[1].tool_calls
        assert kept.written == arguments
        assert arguments in (tmp_path / "data/conversation.jsonl").read_text("utf-8").replace(
            "\\", ""
        )


def test_going_in_circles_is_nudged_and_then_stopped(tmp_path: Path) -> None:
    """The same call with the same result: a word at the third, the end at the fifth."""
    again = [calls(("read", {"path": "none.txt"})) for _ in range(6)]
    with agent_on(tmp_path, *again) as (agent, server):
        events = ask(agent, "loop")
        assert isinstance(events[-1], Stopped)
        assert events[-1].reason == "repeating"
        assert len(server.requests) == 5
        results = [e.result.content for e in events if isinstance(e, ToolRan)]
        assert ["notice" in r for r in results] == [False, True, True, True, True]
        assert agent.state.turns[-1].closed


def test_steps_are_capped(tmp_path: Path) -> None:
    """A model that never answers is stopped at `max_steps`, and the turn is sealed."""
    busy = [calls(("read", {"path": f"{n}.txt"})) for n in range(5)]
    with agent_on(tmp_path, *busy, context__max_steps=3) as (agent, server):
        events = ask(agent, "work")
        assert isinstance(events[-1], Stopped)
        assert (events[-1].reason, len(server.requests)) == ("max_steps", 3)


def test_the_time_of_a_turn_is_capped(tmp_path: Path) -> None:
    """Past `max_seconds` the model is not called again, and the next turn has its own time."""
    slow = replace(calls(("read", {"path": "a.txt"})), hang=0.15)
    script = (slow, says("fine"))
    with agent_on(tmp_path, *script, context__max_seconds=0.1) as (agent, server):
        events = ask(agent, "work")
        assert isinstance(events[-1], Stopped)
        assert (events[-1].reason, len(server.requests)) == ("max_seconds", 1)
        assert agent.state.turns[-1].closed
        assert kinds(ask(agent, "go on"))[-1] == "Answered"


def test_closing_the_turn_seals_it(tmp_path: Path) -> None:
    """Ctrl-C between two events leaves a turn that can be sent again."""
    script = calls(("read", {"path": "a"}), ("read", {"path": "b"}))
    with agent_on(tmp_path, script, says("next")) as (agent, _):
        turn = agent.run_turn("go")
        for event in turn:
            if isinstance(event, ToolRan):
                break
        turn.close()
        messages = agent.state.turns[-1].messages
        assert unpaired(messages) == ""
        assert messages[-1].content == EN.interrupted
        assert isinstance(ask(agent, "again")[-1], Answered)


@pytest.mark.parametrize(
    ("script", "error"),
    [
        (refuses(401, message="no", code="invalid_api_key"), AuthError),
        (refuses(500, message="oops"), ModelUnavailable),
        (Script([b"data: {"], cut=True), ModelUnavailable),
    ],
)
def test_a_failed_model_leaves_the_session_usable(
    tmp_path: Path, script: Script, error: type[AgentError]
) -> None:
    """The error has a hint, the turn is sealed, the next one works."""
    with agent_on(tmp_path, script, says("fine")) as (agent, server):
        with pytest.raises(error) as caught:
            ask(agent, "one")
        assert caught.value.hint
        assert agent.state.turns[-1].closed
        assert isinstance(ask(agent, "two")[-1], Answered)
        assert unpaired(agent.state.turns[-1].messages) == ""


OVERFLOW = "context_length_exceeded"


def overflow(limit: int) -> Script:
    """Return the refusal of an endpoint with a smaller window."""
    text = f"This model's maximum context length is {limit} tokens."
    return refuses(400, message=text, code=OVERFLOW)


def test_a_refusal_for_size_teaches_the_limit(tmp_path: Path) -> None:
    """The budget takes the limit that the endpoint names, and the turn goes on."""
    with agent_on(tmp_path, overflow(8000), says("ok"), says("ok")) as (agent, server):
        events = ask(agent, "hello")
        assert [e.kind for e in events if isinstance(e, Noticed)] == ["shrunk"]
        assert isinstance(events[-1], Answered)
        assert agent.budget.limit == 8000
        assert len(server.requests) == 2


def test_a_second_refusal_for_size_ends_the_turn(tmp_path: Path) -> None:
    """Shrinking is tried once; the session is not dead afterwards."""
    with agent_on(tmp_path, overflow(8000), overflow(8000), says("ok")) as (agent, _):
        with pytest.raises(ModelOverflow):
            ask(agent, "hello")
        assert isinstance(ask(agent, "hello")[-1], Answered)


@pytest.mark.parametrize("limit", [200, 700])
def test_a_limit_below_the_fixed_cost_is_not_taken(tmp_path: Path, limit: int) -> None:
    """Where no question would fit the turn ends with the endpoint's words; the next one asks."""
    with agent_on(tmp_path, overflow(limit), says("ok")) as (agent, server):
        with pytest.raises(ModelOverflow):
            ask(agent, "hello")
        assert len(server.requests) == 1
        assert agent.budget.limit == 10_000
        assert isinstance(ask(agent, "hello")[-1], Answered)


def test_refusals_without_a_limit_never_use_the_budget_up(tmp_path: Path) -> None:
    """However often an endpoint says that it was too much, a clipped question still fits."""
    refused = [refuses(400, message="too long", code=OVERFLOW)] * 90
    with agent_on(tmp_path, *refused) as (agent, _):
        for _ in range(15):
            with pytest.raises(ModelOverflow):
                ask(agent, "word " * 500)
        assert agent.budget.spendable >= 300


@pytest.mark.parametrize("spare", [0, 200, 600, 800, 900, 1100])
def test_a_turn_that_a_full_disk_left_open_is_sealed_by_the_next(
    tmp_path: Path, spare: int
) -> None:
    """With room again the session goes on; no call is without its result, now or after a start."""
    work = calls(("read", {"path": "a.txt"}), ("write", {"path": "b.txt", "content": "z"}))
    with agent_on(tmp_path, *[work, says("done")] * 2, says("done")) as (agent, server):
        soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
        full = (tmp_path / "data/conversation.jsonl").stat().st_size + spare
        resource.setrlimit(resource.RLIMIT_FSIZE, (full, hard))
        try:
            with pytest.raises(StorageError):
                ask(agent, "work")
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        assert isinstance(ask(agent, "go on")[-1], Answered)
        messages = tuple(map(from_wire, sent(server, -1)))
        assert unpaired(messages) == ""
        assert all(turn.closed for turn in agent.state.turns)


def test_an_empty_reply_is_asked_for_once_more(tmp_path: Path) -> None:
    """Silence is asked again; twice is reported and never stored as an empty message."""
    with agent_on(tmp_path, says(""), says("hi"), says(""), says(" ")) as (agent, _):
        first, second = ask(agent, "a")[-1], ask(agent, "b")[-1]
        assert isinstance(first, Answered)
        assert first.text == "hi"
        assert isinstance(second, Answered)
        assert second.text == EN.empty_answer


def test_an_answer_that_thinking_used_up_is_said_so(tmp_path: Path) -> None:
    """Nothing but the output limit came: asking the same again would give the same."""
    with agent_on(tmp_path, says("", finish="length")) as (agent, server):
        last = ask(agent, "a")[-1]
        assert isinstance(last, Answered)
        assert last.text == EN.used_up
        assert len(server.requests) == 1


def test_an_empty_question_is_refused_before_anything_is_written(tmp_path: Path) -> None:
    """Blank text is no turn."""
    with agent_on(tmp_path) as (agent, _):
        with pytest.raises(AgentError, match="empty"):
            ask(agent, " \n")
        assert agent.state.last_turn == 0


TALK = [says("word " * 3200), says("word " * 1300), says("word " * 1300)]
"""Three turns that leave no room for a fourth; the last two may stay."""


def test_turns_leave_in_a_block_and_their_facts_stay(tmp_path: Path) -> None:
    """When the next request would not fit, older turns become a summary, once in a turn."""
    talk = [*TALK, says("- code is K-1 @t1"), says("ok")]
    with agent_on(tmp_path, *talk) as (agent, server):
        for number in (1, 2, 3):
            ask(agent, f"my code {number} is K-{number}")
        events = ask(agent, "and now?")
        receipts = [e for e in events if isinstance(e, Compacted)]
        assert [r.turns for r in receipts] == [(1,)]
        assert receipts[0].after < receipts[0].before
        assert agent.state.summary.facts == ("code is K-1 @t1",)
        assert any("K-1" in e.text for e in agent.state.summary.evidence)
        assert "K-1" in str(sent(server, 4)[1]["content"])
        assert sent(server, 4)[3]["content"] == "my code 2 is K-2"
        assert "tools" not in server.requests[3].json


def test_a_failed_compaction_keeps_the_evidence(tmp_path: Path) -> None:
    """No summary from the model: the verbatim lines alone stand in, and the user is told."""
    talk = [*TALK, refuses(500, message="oops"), says("ok")]
    with agent_on(tmp_path, *talk) as (agent, _):
        for number in (1, 2, 3):
            ask(agent, f"my code {number} is K-{number}")
        events = ask(agent, "and now?")
        assert [e.kind for e in events if isinstance(e, Noticed)] == ["compaction_failed"]
        assert isinstance(events[-1], Answered)
        assert any("K-1" in e.text for e in agent.state.summary.evidence)


def test_compacting_on_demand(tmp_path: Path) -> None:
    """/compact takes all but the last turns; with nothing to take it does nothing."""
    talk = [says("a"), says("b"), says("c"), says("- one @t1")]
    with agent_on(tmp_path, *talk) as (agent, _):
        for number in (1, 2, 3):
            ask(agent, f"turn {number}")
        assert kinds(list(agent.compact()))[-1] == "Compacted"
        assert [t.number for t in agent.state.turns] == [2, 3]
        assert list(agent.compact()) == []


def test_the_prompt_after_a_rewind_is_the_prompt_of_that_moment(tmp_path: Path) -> None:
    """Going back and asking the same gives the same request, byte for byte."""
    with agent_on(tmp_path, *(says(f"a{n}") for n in range(5))) as (agent, server):
        for number in range(4):
            ask(agent, f"q{number}")
        agent.rewind(2)
        ask(agent, "q2")
        assert server.requests[4].body == server.requests[2].body


@pytest.mark.parametrize("indexed", [False, True])
def test_what_was_taken_back_is_not_recalled(tmp_path: Path, indexed: bool) -> None:
    """Memory learns of a rewind from the transcript, whether it had read the turns or not."""
    with agent_on(tmp_path, *(says(f"answer {n}") for n in range(3))) as (agent, _):
        for animal in ("otter", "badger", "lynx"):
            ask(agent, f"my animal is the {animal}")
        if indexed:
            assert agent.memory.recall("badger", 5)
        agent.rewind(1)
        assert agent.memory.recall("otter", 5)
        assert not agent.memory.recall("badger", 5) and not agent.memory.recall("lynx", 5)


def test_a_summary_speaks_for_no_turn_that_was_dropped(tmp_path: Path) -> None:
    """After a change of strategy turns leave without a word; the summary claims none of them."""
    talk = [*TALK, says("- code is K-1 @t1"), *(says("word " * 1800) for _ in range(4))]
    with agent_on(tmp_path, *talk) as (agent, _):
        for number in (1, 2, 3, 4):
            ask(agent, f"my code {number} is K-{number}")
        covered = agent.state.summary.through
        assert covered and agent.state.summary.covers is None
    with agent_on(tmp_path, *talk[4:], context__strategy="sliding") as (agent, server):
        for number in (5, 6, 7):
            ask(agent, f"my code {number} is K-{number}")
        held = agent.state.summary
        assert held.through > covered == held.told
        assert f"up to turn {covered} " in str(sent(server, 2)[1]["content"])
        shown = history(agent.state, 10, TERMINAL)
        assert f"turns {covered + 1}" in shown and "without a summary" in shown


def test_two_agents_on_one_session_are_refused(tmp_path: Path) -> None:
    """The second writer is told of the lock, and other sessions are free."""
    config = configured(tmp_path, "http://127.0.0.1:9/v1")
    with build(config), pytest.raises(AgentError, match=r"\.lock"), build(config):
        pass
    with build(config), build(config, session="other") as other:
        assert other.state.last_turn == 0


def test_the_configuration_is_out_of_the_tools_reach(tmp_path: Path) -> None:
    """A workspace that holds the configuration does not give its key away."""
    secret = tmp_path / "workspace" / "config.toml"
    secret.parent.mkdir()
    secret.write_text('[llm]\napi_key = "sk-secret"\n', encoding="utf-8")
    script = (calls(("read", {"path": "config.toml"})), says("no"))
    with (
        responding(*script) as server,
        build(configured(tmp_path, server.url), protect=[secret]) as agent,
    ):
        results = [e.result for e in ask(agent, "read it") if isinstance(e, ToolRan)]
    assert not results[0].ok
    assert "sk-secret" not in results[0].content

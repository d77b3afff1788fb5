"""Answers that are none: what tools said, said again; definitions; calls that are no calls."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from chyan_agent.callwatch import CallWatch
from chyan_agent.echoes import Machinery
from chyan_agent.events import Answered, Event, Noticed
from chyan_agent.messages import Message
from chyan_agent.model import Delta, Reply
from chyan_agent.prompts.core import EN

from .agents import agent_on, ask, calls, says, sent

SCHEMA = {
    "type": "function",
    "function": {
        "name": "read",
        "description": "Read a text file.",
        "parameters": {
            "type": "object",
            "properties": {"path": {"type": "string"}, "max_lines": {"type": "integer"}},
            "required": ["path"],
        },
    },
}
RESULT = {"path": "a.txt", "content": "port 8137", "hits": [{"text": "tea", "turn": "#t3"}]}
KNOWN = Machinery((SCHEMA,), (json.dumps(RESULT), '{"status": "added"}'), (EN.closing,))

ECHOES = {
    "result": json.dumps(RESULT),
    "fenced_result": f"```json\n{json.dumps(RESULT, indent=2)}\n```",
    "result_and_notice": json.dumps({**RESULT, "notice": "now answer"}),
    "part_of_a_result": '{"content": "port 8137"}',
    "hit_of_a_result": '[{"text": "tea", "turn": "#t3"}]',
    "tagged": '<tool_response>{"content": "made up"}</tool_response>',
    "tagged_words": "<tool_response>made up",
    "notice": '{"notice": "The tool has run."}',
    "closing": EN.closing,
    "closing_in_a_result": json.dumps({"status": "added", "notice": EN.closing}),
    "definition": json.dumps(SCHEMA),
    "function": json.dumps(SCHEMA["function"]),
    "parameters": '{"type": "object", "properties": {"path": {"type": "string"}}}',
    "unknown_tool": '{"name": "colours.txt", "arguments": {"path": "colours.txt"}}',
    "flat_call": '{"name": "read", "path": "a.txt"}',
    "call_with_error": '{"name": "read", "arguments": {"path": "b"}, "error": "no such file"}',
    "half_a_call": '```json\n{"name": "read", "arguments": {"path": "a.txt"',
    "two": f'{json.dumps(RESULT)}\n{{"notice": "x"}}',
}
ANSWERS = {
    "words": "The port is 8137.",
    "nothing": "",
    "data": '{"port": 8137}',
    "data_with_a_key_of_the_result": '{"path": "b.txt"}',
    "result_and_more": json.dumps({**RESULT, "port": 8137}),
    "words_and_result": f"Here it is: {json.dumps(RESULT)}",
    "result_and_words": f"{json.dumps(RESULT)}\nThat is all.",
    "number": "8137",
    "list": "[1, 2]",
    "empty_object": "{}",
    "person": '{"name": "Li Lei", "age": 8}',
    "other_schema": '{"type": "object", "properties": {"city": {"type": "string"}}}',
    "code": "```python\nprint(1)\n```",
    "broken": '{"content": ',
    "deep": '{"content": ' * 9000,
}


@pytest.mark.parametrize("case", sorted(ECHOES))
def test_what_tools_said_is_no_answer(case: str) -> None:
    """Whatever it is wrapped in, and whatever part of it is said again."""
    assert KNOWN.speaks(ECHOES[case])


@pytest.mark.parametrize("case", sorted(ANSWERS))
def test_data_and_words_are_answers(case: str) -> None:
    """JSON that says anything else may be what the user asked for."""
    assert not KNOWN.speaks(ANSWERS[case])


@pytest.mark.parametrize("case", sorted(ECHOES))
def test_what_may_be_data_is_doubted_once(case: str) -> None:
    """Of what comes again only that is no answer which nobody can have asked for."""
    never = {"tagged", "tagged_words", "notice", "closing", "definition", "function", "flat_call"}
    never |= {"closing_in_a_result"}
    never |= {"call_with_error", "half_a_call"}
    again = replace(KNOWN, again=True)
    assert again.speaks(ECHOES[case]) == (case in never)


def shown(events: list[Event]) -> str:
    """Return what was streamed to the screen."""
    return "".join(event.text for event in events if isinstance(event, Delta))


@pytest.mark.parametrize("case", sorted(ECHOES.keys() - {"closing"}))
@pytest.mark.parametrize("size", [1, 7, 10_000])
def test_an_echo_is_never_shown_however_it_is_cut(case: str, size: int) -> None:
    """It is held back from its beginning, and taken out of the reply."""
    whole = ECHOES[case]
    watch = CallWatch({"read"}, KNOWN)
    assert "".join(watch.feed(whole[at : at + size]) for at in range(0, len(whole), size)) == ""
    settled = watch.settle(Reply(Message("assistant", whole)))
    assert (settled.echoed, settled.rest, settled.reply.message.content) == (True, "", "")


@pytest.mark.parametrize("case", sorted(ANSWERS))
def test_an_answer_is_shown_whole(case: str) -> None:
    """Nothing of it is lost or doubled by the watch for echoes."""
    whole = ANSWERS[case]
    watch = CallWatch({"read"}, KNOWN)
    text = "".join(watch.feed(whole[at : at + 7]) for at in range(0, len(whole), 7))
    settled = watch.settle(Reply(Message("assistant", whole)))
    assert (text + settled.rest, settled.reply.message.content) == (whole, whole)


LOOK = calls(("grep", {"pattern": "x"}))
FOUND = '```json\n{"matches": ["a.txt:1:x"]}\n```'


@pytest.mark.parametrize("echo", [FOUND, ECHOES["notice"], ECHOES["unknown_tool"]])
def test_an_echo_is_asked_for_once_more_in_words(tmp_path: Path, echo: str) -> None:
    """It is neither shown nor recorded; the request that follows carries a word to the model."""
    with agent_on(tmp_path, LOOK, says(echo), says("One line.")) as (agent, server):
        (tmp_path / "workspace/a.txt").write_text("x", encoding="utf-8")
        events = ask(agent, "where is x?")
        assert [message.content for message in agent.state.turns[-1].messages[3:]] == ["One line."]
        assert EN.in_words not in str(agent.state)
    assert isinstance(events[-1], Answered)
    assert (events[-1].text, shown(events)) == ("One line.", "One line.")
    assert [event.kind for event in events if isinstance(event, Noticed)] == ["echo"]
    assert EN.in_words in str(sent(server, 2)[-1]["content"])


def test_an_echo_that_comes_again_is_what_there_is_to_say(tmp_path: Path) -> None:
    """Who asked for the raw output gets it."""
    with agent_on(tmp_path, LOOK, says(FOUND), says(FOUND)) as (agent, server):
        (tmp_path / "workspace/a.txt").write_text("x", encoding="utf-8")
        events = ask(agent, "where is x?")
        assert len(server.requests) == 3
    assert isinstance(events[-1], Answered)
    assert events[-1].text == shown(events) == FOUND


@pytest.mark.parametrize("echo", ["definition", "half_a_call", "notice"])
def test_machinery_that_comes_again_is_no_answer(tmp_path: Path, echo: str) -> None:
    """Nobody asked for half a call: it is told that nothing came, and nothing is recorded."""
    script = [says(ECHOES[echo])] * 2
    with agent_on(tmp_path, *script) as (agent, server):
        events = ask(agent, "where is x?")
        assert len(server.requests) == 2
    assert isinstance(events[-1], Answered)
    assert (events[-1].text, shown(events)) == (EN.empty_answer, "")


@pytest.mark.parametrize(("steps", "asked"), [(1, 1), (2, 2), (3, 3), (5, 5)])
def test_asking_once_more_keeps_to_the_step_cap(tmp_path: Path, steps: int, asked: int) -> None:
    """However a model alternates between calls and silence, no turn asks more often than said."""
    script = [script for _ in range(4) for script in (says(""), LOOK)]
    with agent_on(tmp_path, *script, context__max_steps=steps) as (agent, server):
        ask(agent, "loop")
        assert len(server.requests) == asked
        assert agent.state.turns[-1].closed

"""The calls of one reply: how many are run, and what is said of the others."""

import json
from pathlib import Path

import pytest

from chyan_agent.calls import MOST_CALLS, STOP_AT
from chyan_agent.events import Answered, Stopped, ToolRan
from chyan_agent.prompts.core import EN

from .agents import agent_on, ask, calls, says
from .made import unpaired
from .toolbox import COUNT


def test_one_reply_may_not_run_everything(tmp_path: Path) -> None:
    """Of a hundred different calls the first are run; the model is told of the others, once."""
    wanted = [("write", {"path": f"{n}.txt", "content": "x"}) for n in range(100)]
    with agent_on(tmp_path, calls(*wanted), says("enough")) as (agent, server):
        events = ask(agent, "all of them")
        assert isinstance(events[-1], Answered)
        ran = [event.result for event in events if isinstance(event, ToolRan)]
        assert len(ran) == len(list((tmp_path / "workspace").iterdir())) == MOST_CALLS
        notices = [json.loads(result.content).get("notice") for result in ran]
        assert notices[:-1] == [None] * (MOST_CALLS - 1)
        assert notices[-1] == EN.calls_over.format(ran=MOST_CALLS, over=100 - MOST_CALLS)
        assert unpaired(agent.state.turns[-1].messages) == ""
        assert len(server.requests) == 2


def test_a_reply_of_equal_calls_is_stopped_in_its_middle(tmp_path: Path) -> None:
    """After five equal results nothing of the reply is run, and the turn ends whole."""
    with agent_on(tmp_path, calls(*[("read", {"path": "none.txt"})] * 20)) as (agent, server):
        events = ask(agent, "loop")
        assert isinstance(events[-1], Stopped) and events[-1].reason == "repeating"
        assert f"{STOP_AT} times" in events[-1].text
        results = [e.result.content for e in events if isinstance(e, ToolRan)]
        skipped = [EN.call_skipped in result for result in results]
        assert skipped == [False] * STOP_AT + [True] * (20 - STOP_AT)
        assert unpaired(agent.state.turns[-1].messages) == ""
        assert len(server.requests) == 1


@pytest.mark.parametrize("most", [300, 1500])
@pytest.mark.parametrize("language", ["zh", "en"])
def test_a_notice_is_within_the_room_of_its_result(
    tmp_path: Path, most: int, language: str
) -> None:
    """A full page with a word to the model is no larger than one without, and leads on rightly."""
    look = ("read", {"path": "a.txt", "start_line": 1})
    limits = {"tools__closing_line": "on", "tools__max_result_tokens": most}
    script = [calls(look) for _ in range(4)]
    with agent_on(tmp_path, *script, says("ok"), language=language, **limits) as (agent, _):
        lines = [f"第 {n} 行 line {n}" for n in range(900)]
        (tmp_path / "workspace" / "a.txt").write_text("\n".join(lines))
        results = [e.result for e in ask(agent, "read on") if isinstance(e, ToolRan)]
    for result in results:
        assert most - 60 < COUNT(result.content) <= most
        page = json.loads(result.content)
        assert page["notice"] and page["truncated"]
        assert page["content"].split("\n") == lines[: page["next"]["start_line"] - 1]


def test_a_call_that_was_not_run_is_not_run_for_a_notice(tmp_path: Path) -> None:
    """Arguments that were cut off stay unread, whatever is said beside."""
    cut = calls(("read", {"path": "a.txt"}), finish="length")
    with agent_on(tmp_path, cut, says("ok"), tools__closing_line="on") as (agent, _):
        (tmp_path / "workspace" / "a.txt").write_text("x" * 9000)
        (result,) = [e.result for e in ask(agent, "read on") if isinstance(e, ToolRan)]
    assert json.loads(result.content)["error"] == EN.call_cut_off

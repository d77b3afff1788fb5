"""Room for what is coming: what a tool may give back is what the next request can hold."""

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from chyan_agent.budget import Budget, Meter
from chyan_agent.gate import window
from chyan_agent.messages import Message
from chyan_agent.model import Delta, Reply, Request, Retry
from chyan_agent.parts import Parts, Settings
from chyan_agent.prompts.core import EN
from chyan_agent.prompts.tools import EN as TOOLS
from chyan_agent.room import LEAST_ROOM, plan, result_room
from chyan_agent.state import MessageAdded, Summarized, Summary
from chyan_agent.strategies import strategies
from chyan_agent.tools.toolset import Toolset
from chyan_agent.window import Frame

from .made import byte_count, call, open_conversation, say, worked

METER = Meter(byte_count)
FRAME = Frame.of("be brief", (), EN, METER)
SPENDABLE, CAP = 6000, 1800


class Unasked:
    """A model that nobody asks."""

    def complete(self, request: Request) -> Iterator[Delta | Retry | Reply]:
        """Fail."""
        raise AssertionError(request)


def parts_in(folder: Path, strategy: str) -> Parts:
    """Return parts with a new conversation, whose tokens are bytes."""
    return Parts(
        conversation=open_conversation(folder),
        model=Unasked(),
        tools=Toolset((), TOOLS),
        frame=FRAME,
        budget=Budget(SPENDABLE + 500 + FRAME.fixed, 500, FRAME.fixed, CAP),
        meter=METER,
        strategy=strategies()[strategy],
        settings=Settings(max_result=10**6),
        clock=lambda: 0.0,
    )


def talk(parts: Parts, dice: random.Random) -> int:
    """Record a summary, turns of all sizes and a call; return the number of the open turn."""
    facts = tuple(f"{'fact ' * 11}{n} @t1" for n in range(dice.choice((0, 9, 27))))
    parts.conversation.record(Summarized(1, Summary(facts=facts, through=1)))
    last = 2 + dice.randrange(1, 6)
    for number in range(2, last):
        size = dice.choice((10, 40, 90, 500, 900))
        say(parts.conversation, worked(number, ["r" * dice.choice((5, 2000))], "a" * size))
    for message in (Message("user", "go"), Message("assistant", "", (call(1),))):
        parts.conversation.record(MessageAdded(last, message))
    return last


@pytest.mark.parametrize("strategy", ["layered", "full", "sliding", "summary"])
@pytest.mark.parametrize("seed", range(25))
def test_a_new_result_is_sent_whole(strategy: str, seed: int, tmp_path: Path) -> None:
    """Whatever a strategy leaves beside it, unless hardly anything is left for it."""
    parts = parts_in(tmp_path, strategy)
    number = talk(parts, random.Random(seed))
    room = result_room(parts, 1)
    frame = METER.message(Message("tool"))
    result = Message("tool", "r" * (room - frame), tool_call_id=call(1).id)
    parts.conversation.record(MessageAdded(number, result))
    if gone := (*(made := plan(parts)).drop, *made.compact):
        summary = Summary(facts=parts.conversation.state.summary.facts, through=gone[-1].number)
        parts.conversation.record(Summarized(number, summary))
    sent = window(parts, parts.conversation.state).messages[-1]
    assert sent.content == result.content or room == LEAST_ROOM

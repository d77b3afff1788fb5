"""What damage leaves of a conversation can still be sent."""

from dataclasses import replace
from pathlib import Path

import pytest

from chyan_agent.durable import snapshot
from chyan_agent.mend import mended
from chyan_agent.messages import Message, Turn
from chyan_agent.state import MessageAdded, State

from .made import call, open_conversation, say, spoken, unpaired, worked


def state(*turns: Turn) -> State:
    """Return a state of these turns."""
    return State(turns=turns, last_turn=turns[-1].number)


def test_a_whole_state_stays_as_it_is() -> None:
    """Mending changes nothing where nothing is missing, of an open turn neither."""
    whole = state(spoken(1), worked(2, ["a", "b"]), Turn(3, worked(3, ["c", "d"]).messages[:-2]))
    assert mended(whole) == whole
    assert mended(State()) == State()


@pytest.mark.parametrize("missing", range(8))
def test_any_record_may_be_missing(missing: int) -> None:
    """Whichever message of a turn is lost, what is left is a conversation that can be sent."""
    first = call(1)
    turn = worked(2, ["a", "b"])
    both = Message("assistant", "both", (first, call(2)))
    results = [Message("tool", "r", tool_call_id=c.id) for c in both.tool_calls]
    messages = (turn.messages[0], both, *results, *turn.messages[1:])
    damaged = Turn(2, messages[:missing] + messages[missing + 1 :])
    after = mended(state(spoken(1), damaged, spoken(3)))
    sent = tuple(message for turn in after.turns for message in turn.messages)
    assert unpaired(sent) == ""
    roles = [message.role for message in sent if message.role != "tool"]
    assert ("user", "user") not in zip(roles, roles[1:], strict=False)
    assert roles[0] == "user"
    assert all(turn.closed for turn in after.turns)


def test_a_lost_rewind_is_seen_by_the_numbers() -> None:
    """A turn that comes again takes the place of what was said after it."""
    again = Turn(3, (*spoken(3, "old").messages, *spoken(3, "new").messages))
    after = mended(state(spoken(1), spoken(2), spoken(3), spoken(4), spoken(2, "other"), again))
    assert [turn.question for turn in after.turns] == ["hello", "other", "new"]


@pytest.mark.parametrize("line", range(1, 8))
def test_a_damaged_log_is_the_same_however_it_is_opened(tmp_path: Path, line: int) -> None:
    """One spoilt line: the agent goes on, and live, reopened and rebuilt states agree."""
    conversation = open_conversation(tmp_path)
    say(conversation, spoken(1))
    say(conversation, Turn(2, worked(2, ["a", "b"]).messages[:-1]))
    conversation.close()
    log = tmp_path / "conversation.jsonl"
    lines = log.read_bytes().splitlines(keepends=True)
    lines[line] = lines[line].replace(b'"v":1', b'"v":0')
    log.write_bytes(b"".join(lines))
    conversation = open_conversation(tmp_path)
    conversation.close_open_turn("cut", lambda _: "lost")
    say(conversation, spoken(3))
    live = conversation.state
    assert snapshot.rebuild(conversation.transcript) == live
    assert unpaired(tuple(m for t in live.turns for m in t.messages)) == ""
    conversation.close()
    assert open_conversation(tmp_path).state == live


def test_handles_survive_the_loss_of_a_turn(tmp_path: Path) -> None:
    """A turn that damage took has no messages; the others are had back as ever."""
    conversation = open_conversation(tmp_path)
    for number in (1, 2, 4):
        say(conversation, spoken(number, f"q{number}"))
    conversation.state = replace(conversation.state, turns=())
    assert [m.content for m in conversation.turn(2)] == ["q2", "hi"]
    assert conversation.turn(3) == ()
    assert [m.content for m in conversation.turn(4)] == ["q4", "hi"]
    conversation.record(MessageAdded(2, Message("user", "again")))
    conversation.state = replace(conversation.state, turns=())
    assert [m.content for m in conversation.turn(2)] == ["again"]
    assert conversation.turn(4) == ()


@pytest.mark.parametrize("arguments", ["", "{", "[]", "null", '{"a": NaN}', "[" * 99_999])
@pytest.mark.parametrize("name", ["read", "", "re ad", "\x1b", "x" * 65])
def test_a_call_that_an_edit_broke_can_be_sent(name: str, arguments: str) -> None:
    """Its name and arguments are ones that an endpoint takes; what was written is kept beside."""
    asked = replace(call(1), name=name, arguments=arguments)
    turn = Turn(1, (Message("user", "go"), Message("assistant", "", (asked,))))
    turn = turn.plus(Message("tool", "r", tool_call_id=asked.id)).plus(Message("assistant", "so"))
    after = mended(state(turn))
    (found,) = after.turns[0].messages[1].tool_calls
    assert (found.id, found.arguments, found.written) == (asked.id, "{}", arguments)
    assert found.name == ("read" if name == "read" else "invalid")
    assert mended(after) == after

"""The live conversation: replay equals life, rewinds erase nothing, snapshots are caches."""

from pathlib import Path

import pytest

from chyan_agent.conversation import Conversation
from chyan_agent.durable import snapshot
from chyan_agent.errors import ConfigError
from chyan_agent.messages import Message
from chyan_agent.state import MessageAdded, Summarized, Summary

from .made import call, open_conversation, say, spoken, unpaired


def lived(folder: Path) -> Conversation:
    """Return a conversation of four turns with a compaction in it."""
    conversation = open_conversation(folder)
    for number in (1, 2):
        say(conversation, spoken(number))
    conversation.record(MessageAdded(3, Message("user", "three")))
    conversation.record(Summarized(3, Summary(facts=("f @t1",), through=1)))
    conversation.record(MessageAdded(3, Message("assistant", "drei")))
    say(conversation, spoken(4))
    conversation.save()
    return conversation


def test_the_snapshot_and_the_rebuild_are_the_same_bytes(tmp_path: Path) -> None:
    """A rebuild asks no model and writes the very bytes that the live agent wrote."""
    conversation = lived(tmp_path)
    live = (tmp_path / "meta.json").read_bytes()
    snapshot.save(
        tmp_path / "meta.json", snapshot.rebuild(conversation.transcript), conversation.transcript
    )
    assert (tmp_path / "meta.json").read_bytes() == live


@pytest.mark.parametrize("damage", ["missing", "torn", "flipped", "foreign", "ahead", "behind"])
def test_a_spoilt_snapshot_changes_nothing(tmp_path: Path, damage: str) -> None:
    """Deleting, tearing or swapping meta.json costs time and never a word."""
    conversation = lived(tmp_path)
    state, meta = conversation.state, tmp_path / "meta.json"
    data = meta.read_bytes()
    if damage == "missing":
        meta.unlink()
    elif damage == "torn":
        meta.write_bytes(data[:-9])
    elif damage == "flipped":
        meta.write_bytes(data.replace(b"hello", b"hullo", 1))
    elif damage == "foreign":
        lived(tmp_path / "other").record(MessageAdded(5, Message("user", "!")))
        meta.write_bytes((tmp_path / "other" / "meta.json").read_bytes())
    elif damage == "ahead":
        say(conversation, spoken(5))
        conversation.save()
        log = tmp_path / "conversation.jsonl"
        log.write_bytes(b"".join(log.read_bytes().splitlines(keepends=True)[:-2]))
    elif damage == "behind":
        say(conversation, spoken(5))
        state = conversation.state
    conversation.close()
    assert open_conversation(tmp_path).state == state


def test_what_a_killed_snapshot_left_is_removed(tmp_path: Path) -> None:
    """A half-written snapshot goes at the next start."""
    lived(tmp_path).close()
    (tmp_path / "meta.json.0123abcd.tmp").write_bytes(b"half")
    open_conversation(tmp_path).close()
    assert list(tmp_path.glob("*.tmp")) == []


def test_a_rewind_is_the_state_of_that_moment_and_erases_nothing(tmp_path: Path) -> None:
    """Going back to turn N gives the state in which it ended; the log only grows."""
    conversation = open_conversation(tmp_path)
    states = {0: conversation.state}
    for number in range(1, 6):
        say(conversation, spoken(number, f"q{number}"))
        states[number] = conversation.state
    before = (tmp_path / "conversation.jsonl").read_bytes()
    for number in (4, 2, 0):
        conversation.rewind(number)
        assert conversation.state == states[number]
    assert (tmp_path / "conversation.jsonl").read_bytes().startswith(before)
    conversation.close()
    assert open_conversation(tmp_path).state == states[0]


def test_a_rewind_follows_the_living_branch(tmp_path: Path) -> None:
    """After a fork, turn N is the turn N of the branch that goes on."""
    conversation = open_conversation(tmp_path)
    for number in (1, 2, 3):
        say(conversation, spoken(number, f"old {number}"))
    conversation.rewind(1)
    for number in (2, 3):
        say(conversation, spoken(number, f"new {number}"))
    conversation.rewind(2)
    assert [turn.question for turn in conversation.state.turns] == ["old 1", "new 2"]
    assert [m.content for m in conversation.turn(2)] == ["new 2", "hi"]


def test_a_rewind_undoes_a_reset(tmp_path: Path) -> None:
    """Turn N ended as it ended, also when the window was emptied afterwards."""
    conversation = lived(tmp_path)
    ended = conversation.state
    conversation.reset()
    conversation.rewind(4)
    assert conversation.state == ended


@pytest.mark.parametrize("turn", [-1, 5, 999])
def test_an_impossible_rewind_changes_nothing(tmp_path: Path, turn: int) -> None:
    """A turn that does not exist is an error with the range in its hint."""
    conversation = lived(tmp_path)
    before = (tmp_path / "conversation.jsonl").read_bytes()
    with pytest.raises(ConfigError) as caught:
        conversation.rewind(turn)
    assert "last turn is 4" in caught.value.hint
    assert (tmp_path / "conversation.jsonl").read_bytes() == before


@pytest.mark.parametrize("lost", [1, 2, 3])
@pytest.mark.parametrize("snapshot_too", [False, True])
def test_no_rewind_to_a_turn_whose_records_are_lost(
    tmp_path: Path, lost: int, snapshot_too: bool
) -> None:
    """It is refused like a turn that never was; its neighbours can be gone back to."""
    conversation = open_conversation(tmp_path)
    for number in range(1, 6):
        say(conversation, spoken(number))
    conversation.close()
    log = tmp_path / "conversation.jsonl"
    whole = log.read_bytes().splitlines(keepends=True)
    log.write_bytes(b"".join(line for line in whole if b'{"turn":%d,' % lost not in line))
    if snapshot_too:
        (tmp_path / "meta.json").unlink(missing_ok=True)
    before = log.read_bytes()
    conversation = open_conversation(tmp_path)
    with pytest.raises(ConfigError, match=f"turn {lost}") as caught:
        conversation.rewind(lost)
    assert "missing or damaged" in caught.value.hint
    assert log.read_bytes() == before
    conversation.rewind(lost + 1)
    say(conversation, spoken(lost + 2, "anew"))
    state = conversation.state
    conversation.close()
    assert open_conversation(tmp_path).state == state


def test_a_reset_keeps_numbers_and_old_turns_in_reach(tmp_path: Path) -> None:
    """The window is empty, the next turn has the next number, and old handles still work."""
    conversation = lived(tmp_path)
    conversation.reset()
    assert conversation.state.turns == ()
    say(conversation, spoken(5, "five"))
    assert [m.content for m in conversation.turn(1)] == ["hello", "hi"]
    assert [m.content for m in conversation.turn(5)] == ["five", "hi"]


@pytest.mark.parametrize("reopened", [False, True])
def test_a_turn_that_left_the_window_can_be_had_back(tmp_path: Path, reopened: bool) -> None:
    """A handle finds its turn in the transcript, also after a restart; unknown turns are empty."""
    conversation = lived(tmp_path)
    if reopened:
        conversation.close()
        conversation = open_conversation(tmp_path)
    assert [turn.number for turn in conversation.state.turns] == [2, 3, 4]
    assert [m.content for m in conversation.turn(1)] == ["hello", "hi"]
    assert conversation.turn(77) == ()
    say(conversation, spoken(5, "five"))
    conversation.record(Summarized(5, Summary(through=5)))
    assert [m.content for m in conversation.turn(5)] == ["five", "hi"]


def test_an_open_turn_is_sealed_with_what_is_known(tmp_path: Path) -> None:
    """Every call of an interrupted turn gets a result, the turn an end; twice changes nothing."""
    conversation = open_conversation(tmp_path)
    conversation.record(MessageAdded(1, Message("user", "q")))
    conversation.record(MessageAdded(1, Message("assistant", tool_calls=(call(1), call(2)))))
    conversation.record(MessageAdded(1, Message("tool", "r1", tool_call_id=call(1).id)))
    assert conversation.close_open_turn("cut", lambda c: f"unknown {c.id}")
    turn = conversation.state.turns[-1]
    assert turn.closed
    assert unpaired(turn.messages) == ""
    assert turn.messages[-2].content == f"unknown {call(2).id}"
    assert not conversation.close_open_turn("cut", lambda _: "")

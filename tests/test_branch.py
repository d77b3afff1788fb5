"""Finding turns: the quick way and the careful one give the same, however often one went back."""

import random
from pathlib import Path

import pytest

from chyan_agent.conversation import Conversation, result_message
from chyan_agent.durable import snapshot
from chyan_agent.durable.branch import Branch, Index, state_after
from chyan_agent.durable.storage import ReadFile
from chyan_agent.messages import Message
from chyan_agent.state import Effect, Intended, MessageAdded, Rewound, State, Summarized, Summary

from .made import call, open_conversation, say, spoken


def wander(conversation: Conversation, rng: random.Random, steps: int) -> None:
    """Let a conversation do whatever conversations do."""
    for step in range(steps):
        last = conversation.state.last_turn
        match rng.randrange(9):
            case 0 if last:
                conversation.rewind(rng.randint(max(last - 5, 0), last))
            case 1:
                conversation.reset()
            case 2 if conversation.state.turns:
                through = rng.choice(conversation.state.turns).number
                conversation.record(Summarized(last, Summary(facts=(f"{step}",), through=through)))
            case 3:
                number = last + 1
                conversation.record(MessageAdded(number, Message("user", f"{step}")))
                turns = conversation.state.turns[:-1]
                if turns and rng.random() < 0.7:
                    through = rng.choice(turns).number
                    conversation.record(Summarized(number, Summary((), (f"{step}",), through)))
                asked = Message("assistant", tool_calls=(call(1),))
                conversation.record(MessageAdded(number, asked))
                conversation.record(Intended(number, call(1).id, Effect("f")))
                result = result_message(call(1).id, "x" * rng.choice([1, 900]))
                conversation.record(MessageAdded(number, result))
                conversation.record(MessageAdded(number, Message("assistant", "done")))
            case _:
                say(conversation, spoken(last + 1, f"q{step}"))


def counted_reads(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Return a list that grows by the bytes of each read from now on."""
    read: list[int] = []
    real = ReadFile.read

    def counted(file: ReadFile, start: int, size: int) -> bytes:
        data = real(file, start, size)
        read.append(len(data))
        return data

    monkeypatch.setattr(ReadFile, "read", counted)
    return read


def careful(conversation: Conversation) -> Index:
    """Return the index that one pass over the records gives."""
    index = Index()
    for stored in conversation.transcript.scan():
        index.take(stored.start, stored.record)
    return index


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("reopened", ["live", "snapshot", "rebuilt"])
def test_a_search_finds_what_a_pass_finds(tmp_path: Path, seed: int, reopened: str) -> None:
    """Each turn starts where a pass over all records says, and its end has the same state."""
    conversation = open_conversation(tmp_path)
    wander(conversation, random.Random(seed), 70)
    if reopened != "live":
        conversation.save()
        conversation.close()
        if reopened == "rebuilt":
            (tmp_path / "meta.json").unlink()
        conversation = open_conversation(tmp_path)
    transcript = conversation.transcript
    assert transcript.chart.whole
    branch, index = Branch(transcript), careful(conversation)
    for turn in range(-1, conversation.state.last_turn + 3):
        assert branch.start(turn) == index.start(turn), turn
        if 0 <= turn <= conversation.state.last_turn:
            wanted = state_after(transcript.scan(), State(), turn)
            assert branch.state_after(turn) == wanted, turn
    assert branch._index is None
    conversation.close()


@pytest.mark.parametrize("back", [(3, 3, 3), (4, 3, 3, 2, 3), (5, 2, 4, 2, 2, 3, 3)])
def test_going_back_to_one_turn_again_and_again(tmp_path: Path, back: tuple[int, ...]) -> None:
    """What was abandoned in between is in no stretch, however often it was."""
    conversation = open_conversation(tmp_path)
    for place, turn in enumerate((0, *back)):
        conversation.rewind(turn)
        for number in range(turn + 1, turn + 8):
            say(conversation, spoken(number, f"{place}/{number}"))
        # A long record before the rewind: a search looks at what follows it.
        long = spoken(turn + 8, "long", "x" * 20_000 * (place + 1))
        say(conversation, long)
    branch, index = conversation._branch, careful(conversation)
    for turn in range(1, conversation.state.last_turn + 1):
        assert branch.start(turn) == index.start(turn), turn
        wanted = state_after(conversation.transcript.scan(), State(), turn)
        assert branch.state_after(turn) == wanted, turn


def test_a_chart_drawn_anew_is_the_same(tmp_path: Path) -> None:
    """What goes with the snapshot is what the records say."""
    conversation = open_conversation(tmp_path)
    wander(conversation, random.Random(99), 200)
    live = conversation.transcript.chart.to_json()
    assert snapshot.rebuild(conversation.transcript) == conversation.state
    assert conversation.transcript.chart.to_json() == live


def test_a_turn_is_found_without_reading_the_rest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A turn of a long conversation costs as many bytes as finding it takes, at any place."""
    conversation = open_conversation(tmp_path)
    for number in range(1, 4001):
        conversation.record(MessageAdded(number, Message("user", f"question {number} " * 20)))
        conversation.record(MessageAdded(number, Message("assistant", "answer " * 40)))
        if number % 10 == 0:
            conversation.record(Summarized(number, Summary(through=number - 2)))
    read = counted_reads(monkeypatch)
    for number in (3, 2000, 3900):
        read.clear()
        assert [m.content for m in conversation.turn(number)] == [
            f"question {number} " * 20,
            "answer " * 40,
        ]
        conversation._branch.state_after(number)
        assert sum(read) < conversation.transcript.end // 2, number
    conversation.close()


def test_a_damaged_file_is_looked_at_as_a_whole(tmp_path: Path) -> None:
    """When records are missing nothing is taken for granted: what is left is found all the same."""
    conversation = open_conversation(tmp_path)
    for number in range(1, 9):
        say(conversation, spoken(number, f"q{number}"))
    conversation.rewind(3)
    say(conversation, spoken(4, "another"))
    conversation.close()
    log = tmp_path / "conversation.jsonl"
    lines = log.read_bytes().splitlines(keepends=True)
    lost = next(i for i, line in enumerate(lines) if b'"rewind"' in line)
    log.write_bytes(b"".join([*lines[:lost], b"#" + lines[lost], *lines[lost + 1 :]]))
    conversation = open_conversation(tmp_path)
    assert not conversation.transcript.chart.whole
    assert [m.content for m in conversation.turn(4)] == ["another", "hi"]
    assert [m.content for m in conversation._branch.messages(3)] == ["q3", "hi"]
    assert conversation._branch.messages(8) == ()


def test_a_file_that_changed_under_its_chart_is_read_carefully(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Damage where no start looks leads a search astray, and then a pass is made."""
    monkeypatch.setattr(snapshot, "CHECKED", 100)
    conversation = open_conversation(tmp_path)
    for number in range(1, 60):
        say(conversation, spoken(number, f"q{number}"))
    conversation.record(Rewound(59, State(last_turn=59)), durable=True)
    conversation.save()
    conversation.close()
    log = tmp_path / "conversation.jsonl"
    data = log.read_bytes()
    log.write_bytes(data.replace(b'{"turn":30,', b'{"turn":xx,'))
    conversation = open_conversation(tmp_path)
    assert conversation.transcript.chart.whole
    for number in (1, 29, 31, 59):
        assert [m.content for m in conversation.turn(number)] == [f"q{number}", "hi"]
    assert conversation.turn(30) == ()


def test_a_start_reads_the_end_of_the_log_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However much was said, a start with its snapshot looks at the last bytes."""
    conversation = open_conversation(tmp_path)
    for number in range(1, 1501):
        for message in spoken(number, f"question {number} " * 20, "answer " * 100).messages:
            conversation.record(MessageAdded(number, message))
        if number % 10 == 0:
            conversation.record(Summarized(number, Summary(through=number - 2)))
    conversation.save()
    state = conversation.state
    conversation.close()
    monkeypatch.setattr(snapshot, "CHECKED", 50_000)
    read = counted_reads(monkeypatch)
    conversation = open_conversation(tmp_path)
    assert conversation.state == state
    assert sum(read) < 300_000 < conversation.transcript.end
    conversation.close()

"""Records at the end of a log that somebody changed: they are no torn ones, and can be had back."""

from collections.abc import Callable
from pathlib import Path

import pytest

from chyan_agent.conversation import Conversation
from chyan_agent.durable.resealing import accept_edits
from chyan_agent.durable.transcript import Transcript
from chyan_agent.errors import StorageError, VersionError
from chyan_agent.memory.notes import NotesLog
from chyan_agent.messages import Message
from chyan_agent.state import MessageAdded, Record, Rewound, SessionStarted, State

from .agents import agent_on, ask, calls, says, sent
from .made import call, open_conversation, say, spoken

LOG, META = "conversation.jsonl", "meta.json"


def lived(folder: Path, turns: int = 4) -> list[bytes]:
    """Speak a few turns; return the lines of the log."""
    conversation = open_conversation(folder)
    for number in range(1, turns + 1):
        say(conversation, spoken(number, f"question {number}"))
    conversation.save()
    conversation.close()
    return (folder / LOG).read_bytes().splitlines(keepends=True)


def changed(folder: Path, *turns: int) -> bytes:
    """Change a word in each of some turns, as with an editor; return what is there then."""
    data = (folder / LOG).read_bytes()
    for turn in turns:
        data = data.replace(b"question %d" % turn, b"QUESTION %d" % turn)
    (folder / LOG).write_bytes(data)
    return data


def asked(conversation: Conversation) -> list[str | None]:
    """Return the questions that are in the window."""
    return [turn.question for turn in conversation.state.turns]


def go_on(folder: Path, text: str) -> int:
    """Start, ask one thing more, and return the number of its turn."""
    conversation = open_conversation(folder)
    conversation.close_open_turn("cut", lambda _: "")
    number = conversation.next_turn
    say(conversation, spoken(number, text))
    conversation.save()
    conversation.close()
    return number


def accepted(folder: Path) -> list[str | None]:
    """Take the edits over, and return the questions in the window then."""
    accept_edits(folder / LOG, folder / META)
    conversation = open_conversation(folder)
    assert not conversation.warnings
    conversation.close()
    return asked(conversation)


def last_line_end_lost(data: bytes) -> bytes:
    """An editor may leave the last line without an end."""
    return data[:-1]


def torn_behind(data: bytes) -> bytes:
    """A process may have died since."""
    return data + b'{"turn":5,"seq":'


def as_it_is(data: bytes) -> bytes:
    """Nothing else happened."""
    return data


@pytest.mark.parametrize("turns", [(4,), (3, 4), (2, 3, 4), (1, 4)])
@pytest.mark.parametrize("else_", [as_it_is, last_line_end_lost, torn_behind])
def test_edited_last_records_stay_where_they_are(
    tmp_path: Path, turns: tuple[int, ...], else_: Callable[[bytes], bytes]
) -> None:
    """A start says so, cuts off what is torn and nothing else, and the edits can be accepted."""
    whole = lived(tmp_path)
    data = changed(tmp_path, *turns)
    # The last answer too, so that nothing valid stands behind the edits.
    data = b"".join([*data.splitlines(keepends=True)[:-1], whole[-1].replace(b'"hi"', b'"HI"')])
    (tmp_path / LOG).write_bytes(else_(data))
    conversation = open_conversation(tmp_path)
    assert any("--accept-edited" in str(said) for said in conversation.warnings)
    conversation.close()
    assert (tmp_path / LOG).read_bytes() == data
    wanted = [f"{'QUESTION' if n in turns else 'question'} {n}" for n in range(1, 5)]
    assert accepted(tmp_path) == wanted


def test_edits_can_be_accepted_after_the_conversation_went_on(tmp_path: Path) -> None:
    """Later records take neither the numbers nor the turns of the edited ones."""
    whole = lived(tmp_path)
    third = next(n for n, line in enumerate(whole) if b"question 3" in line)
    edited = [
        line.replace(b"question", b"QUESTION").replace(b"hi", b"HI") for line in whole[third:]
    ]
    (tmp_path / LOG).write_bytes(b"".join(whole[:third] + edited))
    assert go_on(tmp_path, "first") == 5
    assert go_on(tmp_path, "second") == 6
    assert (tmp_path / LOG).read_bytes().startswith(b"".join(whole[:third] + edited))
    wanted = ["question 1", "question 2", "QUESTION 3", "QUESTION 4", "first", "second"]
    assert accepted(tmp_path) == wanted


@pytest.mark.parametrize("worked", [False, True])
def test_a_changed_last_answer(tmp_path: Path, worked: bool) -> None:
    """It is not used and not called an interruption; accepted later, it stands alone."""
    tools = [calls(("search", {"pattern": "*"}))] if worked else []
    with agent_on(tmp_path, says("ant"), *tools, says("bee")) as (agent, _):
        ask(agent, "one")
        ask(agent, "two")
    log = tmp_path / "data" / LOG
    log.write_bytes(log.read_bytes().replace(b'"bee"', b'"BEE"'))
    with agent_on(tmp_path, says("cat")) as (agent, server):
        told = "\n".join(map(str, agent.warnings))
        assert "interrupted" not in told and told.count("--accept-edited") == 2
        ask(agent, "three")
        assert "changed and is not used" in str(sent(server, 0)) and "BEE" not in str(
            sent(server, 0)
        )
    accept_edits(log, tmp_path / "data" / META)
    for _ in range(2):
        with agent_on(tmp_path, says("dog")) as (agent, server):
            assert not agent.warnings
            ask(agent, "four")
            answers = [m["content"] for m in sent(server, 0) if m["role"] == "assistant"]
            assert [text for text in answers if text][:3] == ["ant", "BEE", "cat"]
            assert "not used" not in str(sent(server, 0))


def test_what_is_changed_elsewhere_leaves_an_interrupted_turn_one(tmp_path: Path) -> None:
    """Only an answer closes a turn: a changed question or call does not."""
    lived(tmp_path)
    conversation = open_conversation(tmp_path)
    conversation.record(MessageAdded(5, Message("user", "question 5")))
    assert not conversation.answer_changed
    conversation.record(MessageAdded(5, Message("assistant", "look", (call(1),))))
    conversation.close()
    log = tmp_path / LOG
    log.write_bytes(log.read_bytes().replace(b'"look"', b'"LOOK"'))
    conversation = open_conversation(tmp_path)
    assert conversation.open_turn and not conversation.answer_changed
    conversation.close()


def test_an_edit_that_is_taken_back_is_no_damage(tmp_path: Path) -> None:
    """What the snapshot knew as changed is read again when it is right again."""
    whole = b"".join(lived(tmp_path))
    changed(tmp_path, 3)
    go_on(tmp_path, "next")
    later = (tmp_path / LOG).read_bytes()
    (tmp_path / LOG).write_bytes(later.replace(b"QUESTION 3", b"question 3"))
    assert later.startswith(whole.replace(b"question 3", b"QUESTION 3"))
    conversation = open_conversation(tmp_path)
    assert not conversation.warnings
    assert asked(conversation) == [*(f"question {n}" for n in range(1, 5)), "next"]


@pytest.mark.parametrize("seq", [1, 9, 4000])
def test_a_changed_line_that_can_not_be_accepted_is_set_aside(tmp_path: Path, seq: int) -> None:
    """One with the number of another record, or of one that can't be, is as good as torn."""
    whole = b"".join(lived(tmp_path))
    odd = b'{"turn":1,"seq":%d,"v":1,"kind":"session","ts":"","id":"x"}\n' % seq
    (tmp_path / LOG).write_bytes(whole + odd)
    open_conversation(tmp_path).close()
    assert (tmp_path / LOG).read_bytes() == whole
    assert [p.read_bytes() for p in (tmp_path / "quarantine").iterdir()] == [odd]


@pytest.mark.parametrize(
    "record",
    [
        Rewound(1, State(last_turn=0)),
        Rewound(0, State(last_turn=1)),
        MessageAdded(-1, Message("user", "x")),
        MessageAdded(99, Message("user", "x")),
    ],
)
def test_what_no_start_would_read_is_not_written(tmp_path: Path, record: Record) -> None:
    """Reader and writer have one rule; a refused record costs no number."""
    transcript = Transcript(tmp_path / LOG, clock=lambda: "")
    transcript.append(SessionStarted("main"))
    before = (tmp_path / LOG).read_bytes()
    with pytest.raises(StorageError, match="not written"):
        transcript.append(record)
    assert (tmp_path / LOG).read_bytes() == before
    transcript.append(MessageAdded(1, Message("user", "x")))
    assert [stored.seq for stored in transcript.scan()] == [1, 2]
    transcript.close()


@pytest.mark.parametrize("name", [LOG, "memories.jsonl"])
def test_gigabytes_of_zeros_at_an_end_are_not_kept(tmp_path: Path, name: str) -> None:
    """What a crash left of a file that was to grow is told by its number."""
    lived(tmp_path, 1)
    log = NotesLog(tmp_path / "memories.jsonl", clock=lambda: "")
    log.remember("the boat is called Marlene", turn=1, source="user")
    log.close()
    data = (tmp_path / name).read_bytes()
    with (tmp_path / name).open("ab") as file:
        file.write(b'{"tur')
        file.truncate(len(data) + (100 << 20))
    if name == LOG:
        conversation = open_conversation(tmp_path)
        problems = list(map(str, conversation.warnings))
        conversation.close()
    else:
        log = NotesLog(tmp_path / name, clock=lambda: "")
        problems = list(map(str, log.problems))
        assert [note.text for note in log.shelf.current()] == ["the boat is called Marlene"]
        log.close()
    assert (tmp_path / name).read_bytes() == data
    (kept,) = (tmp_path / "quarantine").iterdir()
    assert kept.read_bytes().rstrip(b"\0") == b'{"tur' and kept.stat().st_size < 1 << 20
    assert len(problems) == 2 and "zeros" in problems[1]


def test_a_newer_snapshot_stays(tmp_path: Path) -> None:
    """It is not read, not replaced by turns, and what would replace it or rely on it is refused."""
    lived(tmp_path)
    there = b'{"v":2,"all":"new","sha256":"00"}\n'
    (tmp_path / META).write_bytes(there)
    go_on(tmp_path, "next")
    changed(tmp_path, 2)
    with pytest.raises(VersionError, match="meta.json"):
        accept_edits(tmp_path / LOG, tmp_path / META)
    conversation = open_conversation(tmp_path)
    assert asked(conversation)[-1] == "next"
    assert (tmp_path / META).read_bytes() == there


def test_a_snapshot_whose_version_flipped_is_replaced(tmp_path: Path) -> None:
    """That is no newer program's."""
    lived(tmp_path)
    data = (tmp_path / META).read_bytes()
    (tmp_path / META).write_bytes(data.replace(b'"v":1', b'"v":3', 1))
    go_on(tmp_path, "next")
    assert b'"v":1' in (tmp_path / META).read_bytes()[:20]

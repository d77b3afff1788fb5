"""A session that lives through anything, step by step, against a model that is a list."""

import hashlib
import shutil
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from chyan_agent.conversation import Conversation, result_message
from chyan_agent.durable.transcript import Transcript
from chyan_agent.memory.notes import NotesLog
from chyan_agent.mend import mended
from chyan_agent.messages import Message, ToolCall, clean
from chyan_agent.state import (
    Effect,
    Intended,
    MessageAdded,
    Record,
    State,
    Summarized,
    Summary,
    apply,
)

from .report import Sweep
from .still import LOG, META, NOTES, TS

TEXTS = st.sampled_from(["hello", "端口是 8080 😀", "a\u2028b\r\nc\x00", "x" * 70_000, "\ud83d"])
TORN = st.sampled_from(
    [b"{", b'{"turn":1,"se', b"\0" * 40, b"\xff\xfe\n", b"\n", b"{}\n[]\n", b'{"turn":1}\n' * 3]
)
steps = Sweep("machine")


class Life(RuleBasedStateMachine):
    """What was promised is in lists; what is on the disk has to agree with them at each start."""

    def __init__(self) -> None:
        super().__init__()
        memory = Path("/dev/shm")
        self.folder = Path(tempfile.mkdtemp(dir=memory if memory.is_dir() else None))
        self.state = State()
        self.turns: dict[int, tuple[Message, ...]] = {}
        """Of the living branch."""
        self.ends: dict[int, State] = {0: State()}
        """How each of them ended."""
        self.noted: list[str] = []
        self.count = 0
        self.damaged = False
        """Whether the log has lines that are passed over."""
        self.open()

    def open(self) -> None:
        """Start."""
        transcript = Transcript(self.folder / LOG, clock=lambda: TS)
        self.conversation = Conversation(transcript, self.folder / META, name="main")
        self.notes = NotesLog(self.folder / NOTES, clock=lambda: TS)

    def die(self) -> None:
        """End as a killed process does: nothing is written any more."""
        self.conversation.close()
        self.notes.close()

    def teardown(self) -> None:
        """Remove everything."""
        self.die()
        shutil.rmtree(self.folder)

    def record(self, record: Record) -> None:
        """Record for real and in the model."""
        self.conversation.record(record)
        self.state = apply(self.state, record)
        if isinstance(record, MessageAdded):
            # What is read back has no lone surrogates.
            was = self.turns.get(record.turn, ())
            self.turns[record.turn] = (*was, self.conversation.state.turns[-1].messages[-1])
        self.ends[self.state.last_turn] = self.state

    def ask(self, text: str) -> int:
        """Begin a turn."""
        turn = self.state.last_turn + 1
        self.count += 1
        self.record(MessageAdded(turn, Message("user", clean(f"{self.count} {text}"))))
        return turn

    @rule(text=TEXTS, save=st.booleans())
    def turn(self, text: str, save: bool) -> None:
        """A plain turn."""
        self.record(MessageAdded(self.ask(text), Message("assistant", clean(text))))
        self.conversation.sync()
        if save:
            self.conversation.save()

    @rule(text=TEXTS, results=st.integers(1, 3))
    def work(self, text: str, results: int) -> None:
        """A turn with calls."""
        turn = self.ask(text)
        calls = tuple(ToolCall(f"t{turn:05d}c{n:02d}", "write", "{}") for n in range(results))
        self.record(MessageAdded(turn, Message("assistant", tool_calls=calls)))
        for call in calls:
            self.record(Intended(turn, call.id, Effect("f")))
            self.record(MessageAdded(turn, result_message(call.id, clean(text))))
        self.record(MessageAdded(turn, Message("assistant", "done")))
        self.conversation.sync()

    @precondition(lambda self: len(self.state.turns) > 1)
    @rule(data=st.data())
    def compact(self, data: st.DataObject) -> None:
        """Some turns leave the window."""
        through = data.draw(st.sampled_from(self.state.turns[:-1])).number
        summary = Summary(facts=(f"{self.count} @t{through}",), through=through)
        self.record(Summarized(self.state.last_turn, summary))

    @rule(data=st.data())
    def rewind(self, data: st.DataObject) -> None:
        """Back to an earlier turn."""
        turn = data.draw(st.integers(0, self.state.last_turn))
        self.conversation.rewind(turn)
        self.state = self.ends[turn]
        self.turns = {n: m for n, m in self.turns.items() if n <= turn}
        self.ends = {n: s for n, s in self.ends.items() if n <= turn}

    @rule()
    def reset(self) -> None:
        """An empty window."""
        self.conversation.reset()
        self.state = State(last_turn=self.state.last_turn)

    @rule()
    def remember(self) -> None:
        """A note that says nothing that another one says."""
        self.count += 1
        note = hashlib.sha256(str(self.count).encode()).hexdigest()
        self.notes.remember(note, turn=self.state.last_turn, source="user")
        self.noted.append(note)

    @rule(text=TEXTS, called=st.booleans())
    def die_in_a_turn(self, text: str, called: bool) -> None:
        """Killed before the answer: the next start closes the turn."""
        turn = self.ask(text)
        if called:
            call = ToolCall(f"t{turn:05d}c01", "read", "{}")
            self.record(MessageAdded(turn, Message("assistant", tool_calls=(call,))))
        self.die()
        self.open()
        assert self.conversation.state == self.state
        before = len(self.turns[turn])
        assert self.conversation.close_open_turn("cut", lambda call: "unknown")
        for message in self.conversation.state.turns[-1].messages[before:]:
            self.state = apply(self.state, MessageAdded(turn, message))
            self.turns[turn] = (*self.turns[turn], message)
        self.ends[turn] = self.state

    @rule()
    def start_again(self) -> None:
        """Killed at rest."""
        self.die()
        self.open()
        assert bool(self.conversation.warnings) == self.damaged

    @rule(torn=TORN)
    def tear_the_log(self, torn: bytes) -> None:
        """Killed while a record was being written."""
        self.die()
        with (self.folder / LOG).open("ab") as file:
            file.write(torn)
        self.open()
        assert len(self.conversation.warnings) == 1 or self.damaged

    @rule(torn=st.sampled_from([b"{", b'{"v":1,"id', b"\0" * 40, b"\n", b"{}\n[]\n"]))
    def tear_the_notes(self, torn: bytes) -> None:
        """Killed while a note was being written."""
        self.die()
        with (self.folder / NOTES).open("ab") as file:
            file.write(torn)
        self.open()
        assert self.notes.problems

    @rule()
    def lose_the_line_end(self) -> None:
        """Cut by one byte: the record is whole without its line end."""
        self.die()
        data = (self.folder / LOG).read_bytes()
        (self.folder / LOG).write_bytes(data[:-1])
        self.open()

    @rule(data=st.data(), junk=TORN.filter(lambda torn: torn.endswith(b"\n")))
    def spoil_the_middle(self, data: st.DataObject, junk: bytes) -> None:
        """Lines between the records that no writer of ours left."""
        self.die()
        lines = (self.folder / LOG).read_bytes().splitlines(keepends=True)
        place = data.draw(st.integers(1, len(lines)))
        (self.folder / LOG).write_bytes(b"".join([*lines[:place], junk, *lines[place:]]))
        self.damaged |= place < len(lines)
        self.open()
        assert self.conversation.warnings

    @rule(data=st.data())
    def copy_old_lines(self, data: st.DataObject) -> None:
        """A merge that repeats records, in the middle or at the end."""
        self.die()
        lines = (self.folder / LOG).read_bytes().splitlines(keepends=True)
        start = data.draw(st.integers(0, len(lines) - 1))
        copies = lines[start : start + 3]
        place = data.draw(st.sampled_from([start + len(copies), len(lines)]))
        (self.folder / LOG).write_bytes(b"".join([*lines[:place], *copies, *lines[place:]]))
        self.damaged = True
        self.open()

    @rule(data=st.one_of(st.none(), st.binary(max_size=50), st.integers(0, 10**6)))
    def spoil_the_snapshot(self, data: bytes | int | None) -> None:
        """Lost, overwritten, or with a bit that flipped."""
        self.die()
        meta = self.folder / META
        if data is None:
            meta.unlink(missing_ok=True)
        elif isinstance(data, bytes):
            meta.write_bytes(data)
        elif meta.exists():
            spoilt = bytearray(meta.read_bytes())
            spoilt[data % len(spoilt)] ^= 1 << data % 8
            meta.write_bytes(spoilt)
        self.open()

    @invariant()
    def nothing_is_lost(self) -> None:
        """State, turns and notes are what the lists say."""
        steps.point("step", [])
        assert self.conversation.state == mended(self.state)
        for number, messages in self.turns.items():
            assert self.conversation.turn(number) == messages
        assert self.conversation.turn(self.state.last_turn + 1) == ()
        current = [note.text for note in self.notes.shelf.current()]
        assert current == self.noted


def _live(examples: int, length: int) -> None:
    run_state_machine_as_test(
        Life,
        settings=settings(
            max_examples=examples,
            stateful_step_count=length,
            deadline=None,
            derandomize=True,
            database=None,
            suppress_health_check=list(HealthCheck),
            phases=[Phase.generate],
            print_blob=False,
        ),
    )


@pytest.mark.timeout(300)
def test_a_session_lives_through_a_few_lives() -> None:
    """Twenty steps of anything that happens to sessions, fifty times."""
    _live(50, 20)


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_a_session_lives_through_many_lives() -> None:
    """Twenty steps of anything that happens to sessions, two hundred times."""
    begun = Sweep("machine")
    before = steps.points
    _live(200, 20)
    begun.points = steps.points - before
    begun.done()
    assert begun.points > 2000

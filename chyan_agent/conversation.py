"""The live conversation: every record is written first and believed then. Owns state and files."""

import logging
from collections.abc import Callable
from pathlib import Path

from .durable import snapshot
from .durable.branch import Branch
from .durable.transcript import Transcript, changed_end
from .errors import ConfigError, StorageError, VersionError
from .mend import mended
from .messages import Message, ToolCall, Turn
from .prompts import errors as say
from .prompts.said import Said
from .state import (
    Effect,
    Intended,
    MessageAdded,
    Record,
    Rewound,
    SessionStarted,
    State,
    apply,
)

log = logging.getLogger(__name__)


class Conversation:
    """State with the transcript that it follows from. One writer; the caller holds the lock."""

    def __init__(self, transcript: Transcript, meta: Path, *, name: str) -> None:
        self.transcript = transcript
        self.name = name
        self._meta = meta
        self.state = snapshot.load_or_rebuild(meta, transcript)
        self._branch = Branch(transcript)
        if transcript.new:
            self.record(SessionStarted(name), durable=True)

    @property
    def warnings(self) -> list[Said]:
        """What recovery found, for the user to read."""
        return self.transcript.problems

    def record(self, record: Record, *, durable: bool = False) -> None:
        """Write ahead, then believe. Raises StorageError, and then nothing is believed.

        What stands in the log is believed also when the wait for the disk fails or is interrupted:
        the next start would find it.
        """
        start = self.transcript.end
        self.transcript.append(record)
        self._branch.note(start, record)
        self.state = apply(self.state, record)
        if durable:
            self.transcript.sync()

    @property
    def next_turn(self) -> int:
        """The number of the next turn: not one that a record has which may be taken over yet."""
        return max(self.state.last_turn, self.transcript.chart.claimed) + 1

    def sync(self) -> None:
        """Make everything recorded durable. Raises StorageError."""
        self.transcript.sync()

    def intend(self, call: str, effect: Effect) -> str:
        """Make it durable that a call of the open turn is about to run; return its one name.

        A call id may come again after a rewind, and in another session; the name never does.
        Raises StorageError, and then the call must not run.
        """
        self.record(Intended(self.state.last_turn, call, effect), durable=True)
        return self._name(call, self.transcript.seq)

    def intended(self, call: str) -> tuple[Effect, str] | None:
        """Return what a call of the last turn was about to change, and its name; None if it never
        began. Where records of the turn are lost that is unknown: an empty effect.
        """
        found, whole, seq = None, True, 0
        for stored in self.transcript.scan(self._branch.start(self.state.last_turn) or 0):
            whole = whole and seq in (0, stored.seq - 1)
            seq = stored.seq
            if isinstance(stored.record, Intended) and stored.record.call == call:
                found = stored.record.effect, self._name(call, seq)
        return found if found or (whole and seq == self.transcript.seq) else (Effect(), "")

    def _name(self, call: str, seq: int) -> str:
        return f"{self.name}:{call}:{seq}"

    def save(self) -> None:
        """Write the snapshot; it is a cache, so a failure is logged and costs only time."""
        try:
            snapshot.save(self._meta, self.state, self.transcript)
        except (StorageError, VersionError) as error:
            log.warning("the snapshot was not saved: %s", error)

    def close_open_turn(self, reason: str, outcome: Callable[[ToolCall], str]) -> bool:
        """Seal a last turn that has no answer, so that it can be sent again; True if there was one.

        A call without a result gets one that says what is known of it; no tool is run.
        """
        turn = self.open_turn
        if turn is None:
            return False
        for call in turn.pending:
            self.record(MessageAdded(turn.number, result_message(call.id, outcome(call))))
        self.record(MessageAdded(turn.number, Message("assistant", reason)), durable=True)
        return True

    @property
    def open_turn(self) -> Turn | None:
        """The last turn, if it has no answer yet."""
        turns = self.state.turns
        return turns[-1] if turns and not turns[-1].closed else None

    @property
    def answer_changed(self) -> bool:
        """Whether the open turn has an answer after all, which was changed and may be accepted."""
        left, last = self.open_turn, changed_end(self.transcript)
        if left is None or not isinstance(last, MessageAdded):
            return False
        return last.turn == left.number and left.plus(last.message).closed

    def rewind(self, turn: int) -> None:
        """Continue from the state in which `turn` had just ended; nothing is erased.

        Raises ConfigError for a turn that this conversation does not have.
        """
        last = self.state.last_turn
        if not 0 <= turn <= last:
            hint = say.NO_TURN_HINT.of(last=last) if last else say.NO_TURNS_HINT
            raise ConfigError(say.NO_TURN.of(turn=turn), hint=hint)
        state = mended(self._branch.state_after(turn))
        if state.last_turn != turn:
            raise ConfigError(say.NO_TURN.of(turn=turn), hint=say.TURN_LOST_HINT.of(last=last))
        self.record(Rewound(turn, state), durable=True)
        self.save()

    def reset(self) -> None:
        """Start with an empty window; numbers go on, so old handles keep their meaning."""
        last = self.state.last_turn
        self.record(Rewound(last, State(last_turn=last)), durable=True)
        self.save()

    def turn(self, number: int) -> tuple[Message, ...]:
        """Return the messages of a turn of this conversation, whether in the window or not."""
        for live in self.state.turns:
            if live.number == number:
                return live.messages
        return self._branch.messages(number)

    def close(self) -> None:
        """Close the files."""
        self.transcript.close()


def result_message(call_id: str, content: str) -> Message:
    """Return a tool message."""
    return Message("tool", content, tool_call_id=call_id)

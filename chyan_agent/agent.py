"""The agent: one conversation that answers turns, and what can be done to it in between."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from threading import Lock

from . import interrupted
from .budget import Budget, Ledger
from .conversation import Conversation
from .errors import AgentError, ContextOverflow, LockedError, ModelError, StorageError
from .events import Noticed, TurnStarted
from .gate import prepare, window
from .learnt import Learnt
from .memory import Memory
from .messages import Message, ToolCall, Turn, clean
from .parts import Events, Parts
from .prompts import errors as say
from .prompts.said import Said
from .room import compact
from .state import MessageAdded, State
from .turn import Run
from .window import summary_text


class Agent:
    """Answers one turn at a time; every step is on disk before the next begins.

    What changes it raises StorageError, and LockedError while another thread has a turn.
    """

    def __init__(self, parts: Parts, memory: Memory) -> None:
        self.memory = memory
        self._parts = parts
        self._busy = Lock()
        self._owed: Message | None = None
        left = parts.conversation.open_turn
        self._interrupted = interrupted.remarks(parts, left) if left else []
        self._seal(interrupted.reason(parts))

    @property
    def state(self) -> State:
        """What the agent believes."""
        return self.conversation.state

    @property
    def conversation(self) -> Conversation:
        """The state with its transcript."""
        return self._parts.conversation

    @property
    def budget(self) -> Budget:
        """How the window is divided at present."""
        return self._parts.allowance

    @property
    def learnt(self) -> Learnt:
        """How the endpoint counts."""
        return self._parts.learnt

    @property
    def warnings(self) -> list[Said]:
        """What recovery found, and what became of a turn that was cut short."""
        return [*self.conversation.warnings, *self.memory.problems, *self._interrupted]

    @property
    def unsaved(self) -> bool:
        """Whether the last answer was shown and is not saved."""
        return self._owed is not None

    @property
    def lost(self) -> bool:
        """Whether nothing can be saved before another start, as a write was not made durable."""
        return self.conversation.transcript.file.lost

    def run_turn(self, text: str) -> Events[None]:
        """Answer `text`, yielding what happens; `Answered` or `Stopped` is the acknowledgement.

        Raises AgentError for an empty text, ModelError when no answer can be had (the turn is
        sealed and the conversation usable), ContextOverflow, StorageError (not saved; what was
        answered came as `Unsaved`), LockedError while another thread has a turn.
        """
        if not text.strip():
            raise AgentError(say.EMPTY_QUESTION, hint=say.EMPTY_QUESTION_HINT)
        with self._alone():
            yield from self._settle()
            yield from self._turn(Message("user", clean(text)))

    def _turn(self, question: Message) -> Events[None]:
        texts, number = self._parts.frame.texts, self.conversation.next_turn
        run = Run(self._parts, number)
        self.conversation.record(MessageAdded(number, question))
        try:
            yield TurnStarted(number)
            yield from run.steps()
        except (ModelError, ContextOverflow) as error:
            self._seal(texts.failed.format(reason=error.message_in(texts.language)))
            raise
        finally:
            self._owed = run.owed
            if not self._owed:
                with suppress(StorageError):
                    self._seal(texts.interrupted)

    def _settle(self) -> Events[None]:
        """Close a turn that a full disk left open: it could not be sent again as it is.

        An answer that was shown and not saved is saved now. Raises StorageError.
        """
        left, texts = self.conversation.open_turn, self._parts.frame.texts
        if left and self._owed:
            with suppress(StorageError):
                self.conversation.record(MessageAdded(left.number, self._owed), durable=True)
                self.conversation.save()
                said = say.SAVED_NOW.of(turn=left.number).text(texts.language)
                yield Noticed(left.number, "saved", said)
        self._seal(texts.interrupted)
        self._owed = None

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Keep other threads out: they would write into the same turn. Raises LockedError."""
        if not self._busy.acquire(blocking=False):
            raise LockedError(say.BUSY, hint=say.BUSY_HINT)
        try:
            yield
        finally:
            self._busy.release()

    def _seal(self, reason: str) -> None:
        if self.conversation.close_open_turn(reason, self._result):
            self.conversation.save()

    def _result(self, call: ToolCall) -> str:
        found = interrupted.outcome(self._parts, call)
        return interrupted.result(found, self._parts.frame.texts)

    def rewind(self, turn: int) -> None:
        """Continue from the end of an earlier turn. Raises ConfigError if there is no such turn."""
        with self._alone():
            self.conversation.rewind(turn)

    def reset(self) -> None:
        """Start with an empty window; notes and transcript stay recallable."""
        with self._alone():
            self.conversation.reset()

    def compact(self) -> Events[None]:
        """Compact all but the last turns now; nothing is yielded where there are no others."""
        turns = self.state.turns
        older = turns[: max(len(turns) - self._parts.settings.recent, 0)]
        if older:
            with self._alone():
                prepare(self._parts)
                yield from compact(self._parts, self.state.last_turn, older)
                self.conversation.sync()
                self.conversation.save()
                self._parts.learnt.save()

    def close(self) -> None:
        """Save what is still owed, if there is room by now."""
        with suppress(StorageError):
            for _ in self._settle():
                pass

    def ledger(self) -> Ledger:
        """Return what the next request holds before a word is typed. Raises ContextOverflow."""
        parts, state = self._parts, self.state
        coming = Turn(self.conversation.next_turn, (Message("user"),))
        waiting = replace(state, turns=(*state.turns, coming))
        return window(parts, waiting).ledger

    def summary_text(self) -> str:
        """Return the summary as the model reads it; empty if there is none."""
        return summary_text(self.state.summary, self._parts.frame.texts)

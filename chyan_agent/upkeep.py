"""A session's files without a conversation: verified, taken over after edits, looked at."""

from collections.abc import Generator, Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import NoReturn

from .budget import Budget, Ledger
from .build import now
from .config import Config
from .conversation import Conversation
from .durable.disk import is_there
from .durable.lock import Lock
from .durable.resealing import accept_edits
from .durable.transcript import Transcript
from .errors import ConfigError, CorruptError
from .events import Event
from .folders import INDEX, LOG, META, NOTES, no_such_session, session_folder, transcript_of
from .memory import Memory
from .memory.history import TranscriptHistory
from .memory.store import Store, open_memory
from .prompts import errors as say
from .prompts.said import Said
from .state import State

TOLD = 10
"""Places that an error names; of more, the number."""


def verify(config: Config, *, session: str, locked: bool = True) -> None:
    """Raise CorruptError if a line of a session's logs is damaged; change nothing.

    Reads everything. The snapshot is a cache: what is wrong with it harms nobody. Without `locked`
    a record that is being written may pass for a torn one. Raises LockedError, StorageError.
    """
    folder = session_folder(config, session)
    with ExitStack() as stack:
        if locked and is_there(folder):
            stack.enter_context(Lock(folder))
        found = _damage(folder)
        found += stack.enter_context(closing(_notes(config))).problems
    if found:
        places = say.STRICT.of(count=len(found), places=_joined(found[:TOLD]))
        raise CorruptError(places, hint=say.STRICT_HINT)


def _damage(folder: Path) -> list[Said]:
    path = folder / LOG
    if not is_there(path):
        return []
    with closing(Transcript(path, clock=now, writable=False)) as transcript:
        for _ in transcript.survey():
            pass
    return transcript.problems


def _notes(
    config: Config, transcript: Transcript | None = None, *, writable: bool = False
) -> Store:
    """Open the notes; the index of the session may be another process's: it is only read."""
    return open_memory(
        Path(config.data_dir) / NOTES,
        segmenter_name=config.memory.segmenter,
        engine=config.memory.engine,
        history=TranscriptHistory(transcript) if transcript else None,
        index_path=transcript.path.parent / INDEX if transcript else None,
        index_writable=False,
        clock=now,
        writable=writable,
    )


@contextmanager
def notes(config: Config, *, session: str, writable: bool) -> Iterator[Memory]:
    """Yield the notes, and the transcript of a session to search in, which is only read.

    Raises StorageError, CorruptError, VersionError, and when written to without `writable`.
    """
    path = session_folder(config, session) / LOG
    with ExitStack() as stack:
        seen = None
        if is_there(path):
            seen = stack.enter_context(closing(Transcript(path, clock=now, writable=False)))
        yield stack.enter_context(closing(_notes(config, seen, writable=writable)))


def _joined(texts: list[Said]) -> Said:
    return Said("; ".join(text.en for text in texts), "；".join(text.zh for text in texts))


def take_over(config: Config, *, session: str) -> list[Said]:
    """Accept the records of a transcript that were edited by hand; return what was accepted.

    Raises LockedError, StorageError, VersionError, and ConfigError where there is none.
    """
    path = transcript_of(config, session)
    with Lock(path.parent):
        return accept_edits(path, path.with_name(META))


class Onlooker:
    """A session as it is on disk. Has what an agent has to show; what changes anything raises."""

    def __init__(self, conversation: Conversation, memory: Memory) -> None:
        self.conversation = conversation
        self.memory = memory

    @property
    def state(self) -> State:
        """What the agent would believe."""
        return self.conversation.state

    @property
    def warnings(self) -> list[Said]:
        """What is damaged."""
        return [*self.conversation.warnings, *self.memory.problems]

    @property
    def lost(self) -> bool:
        """Nothing is to be saved."""
        return False

    @property
    def budget(self) -> Budget:
        """Raise ConfigError."""
        raise _refused()

    def ledger(self) -> Ledger:
        """Raise ConfigError."""
        raise _refused()

    def run_turn(self, text: str) -> Generator[Event, None, None]:
        """Raise ConfigError."""
        raise _refused()

    def compact(self) -> Iterator[Event]:
        """Raise ConfigError."""
        raise _refused()

    def rewind(self, turn: int) -> NoReturn:
        """Raise ConfigError."""
        raise _refused()

    def reset(self) -> NoReturn:
        """Raise ConfigError."""
        raise _refused()


def _refused() -> ConfigError:
    return ConfigError(say.LOOK_ONLY, hint=say.LOOK_ONLY_HINT)


@contextmanager
def look(config: Config, *, session: str) -> Iterator[Onlooker]:
    """Open a session without its lock, as another process may hold it, and write nothing.

    Raises ConfigError where there is none, StorageError, CorruptError, VersionError.
    """
    path = transcript_of(config, session)
    with closing(Transcript(path, clock=now, writable=False)) as transcript:
        if transcript.new:
            raise no_such_session(path.parent)
        conversation = Conversation(transcript, path.with_name(META), name=session)
        with closing(_notes(config, transcript)) as memory:
            yield Onlooker(conversation, memory)

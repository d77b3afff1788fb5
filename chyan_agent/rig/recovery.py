"""Where to go on after a run was cut short."""

from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from ..build import now
from ..durable import snapshot
from ..durable.lock import Lock
from ..durable.transcript import Transcript
from ..errors import CorruptError
from ..folders import LOG
from ..messages import Message
from ..prompts import errors_rig as say
from .checks import EvidenceSent
from .journal import Journal, Pending
from .scenarios import Book


@dataclass(frozen=True, slots=True)
class Resumed:
    """The turn to go on with, and what must happen before it is asked."""

    index: int
    redo: Pending | None = None
    """The turn was begun and not answered: undo what it changed."""
    answered: tuple[Message, ...] = ()
    """The turn was answered, and only its row is missing."""


def look(journal: Journal, rows: int, data: Path, book: Book) -> Resumed | None:
    """Return where to go on; None when there is nothing to go on with.

    Looks at the transcript as the crash left it, so it comes before the agent opens and seals it.
    Raises ConfigError for other settings, CorruptError when log and journal don't belong together.
    """
    pending = journal.pending()
    if pending is None:
        return None
    if rows == pending.index + 1:
        return Resumed(rows)
    if rows != pending.index:
        raise CorruptError(say.MISFIT.of(rows=rows, turn=pending.index + 1), hint=say.AGAIN_HINT)
    messages = () if pending.redo else answered(data, pending.index + 1)
    if messages and not isinstance(book.at(pending.index).check, EvidenceSent):
        return Resumed(pending.index, answered=messages)
    journal.mark_redo()
    return Resumed(pending.index, redo=pending)


def answered(data: Path, number: int) -> tuple[Message, ...]:
    """Return the messages of the last turn if it is this one and has its answer, else nothing."""
    with Lock(data), closing(Transcript(data / LOG, clock=now)) as transcript:
        turns = snapshot.rebuild(transcript).turns
    last = turns[-1] if turns else None
    return last.messages if last and last.number == number and last.closed else ()

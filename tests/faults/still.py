"""What a session left, at rest: played once, copied, spoilt, and opened again."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from chyan_agent.conversation import Conversation
from chyan_agent.durable import snapshot
from chyan_agent.durable.transcript import Transcript
from chyan_agent.memory.notes import NotesLog
from chyan_agent.mend import mended
from chyan_agent.messages import Message
from chyan_agent.state import MessageAdded, Record, State, apply

from .driver import play

LOG, META, NOTES = "conversation.jsonl", "meta.json", "memories.jsonl"
TS = "2026-01-01T00:00:00.000+00:00"


@dataclass(frozen=True, slots=True)
class Session:
    """The files of a session and what is in them."""

    files: dict[str, bytes]
    records: tuple[Record, ...]
    states: tuple[State, ...]
    """After so many records, as a start would have them."""
    notes: tuple[str, ...]

    def lines(self, name: str = LOG) -> list[bytes]:
        """Return the lines of a file, with their ends."""
        return self.files[name].splitlines(keepends=True)


@dataclass(frozen=True, slots=True)
class Found:
    """What a start finds."""

    seqs: tuple[int, ...]
    records: tuple[Record, ...]
    state: State
    problems: tuple[str, ...]


@cache
def session() -> Session:
    """Play the session of the driver once."""
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder) / "data"
        play(Path(folder), lambda line: None)
        found = look(data)
        files = {name: (data / name).read_bytes() for name in (LOG, META, NOTES)}
        states = [State()]
        for record in found.records:
            states.append(apply(states[-1], record))
        return Session(files, found.records, tuple(map(mended, states)), notes(data)[0])


def put(folder: Path, **spoilt: bytes | None) -> Path:
    """Put the files of the session into a folder, some of them otherwise or not at all.

    They go by the first part of their names.
    """
    folder.mkdir(mode=0o700, exist_ok=True)
    for name, data in session().files.items():
        content = spoilt.get(name.partition(".")[0], data)
        if content is not None:
            (folder / name).write_bytes(content)
    return folder


@contextmanager
def conversation(folder: Path) -> Iterator[Conversation]:
    """Open a conversation, and close it."""
    looked = snapshot.unknown_from(folder / META)
    transcript = Transcript(folder / LOG, clock=lambda: TS, looked=looked)
    try:
        yield Conversation(transcript, folder / META, name="main")
    finally:
        transcript.close()


def look(folder: Path) -> Found:
    """Start, and return what is there."""
    with conversation(folder) as it:
        stored = tuple(it.transcript.scan())
        return Found(
            tuple(s.seq for s in stored),
            tuple(s.record for s in stored),
            it.state,
            tuple(map(str, it.warnings)),
        )


def go_on(folder: Path) -> None:
    """Say one thing more: it is there at the next start, once, and behind all else."""
    with conversation(folder) as it:
        before = tuple(stored.seq for stored in it.transcript.scan())
        turn = it.state.last_turn + 1
        it.record(MessageAdded(turn, Message("user", "more")))
        it.record(MessageAdded(turn, Message("assistant", "said")), durable=True)
        state, last = it.state, it.transcript.seq
    found = look(folder)
    assert (found.seqs, found.state) == ((*before, last - 1, last), mended(state))


def notes(folder: Path) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Open the notes; return their texts, and the problems."""
    log = NotesLog(folder / NOTES, clock=lambda: TS)
    try:
        return tuple(n.text for n in log.shelf.current()), tuple(map(str, log.problems))
    finally:
        log.close()


def aside(folder: Path) -> dict[str, bytes]:
    """Return what is in quarantine."""
    return {path.name: path.read_bytes() for path in (folder / "quarantine").glob("*")}

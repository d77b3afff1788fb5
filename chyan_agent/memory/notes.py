"""memories.jsonl: the notes as an append-only log that several sessions may share."""

import fcntl
import logging
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import cast, get_args

from ..errors import CorruptError, ToolFailed, VersionError
from ..messages import clean
from ..prompts import errors as say
from ..prompts.said import Said
from ..records import seal, unseal
from ..storage import AppendFile, make_directory, replace_atomically
from . import Note, Source
from .shelf import Shelf

VERSION = 1
START = b'{"v":'
"""How every line that we write begins: tells our own torn first line from a foreign file."""
LONGEST = 20_000
"""Characters of a note: more belongs into a file."""

_log = logging.getLogger(__name__)


class SharedFile(AppendFile):
    """An append-only file with several writers, who take turns."""

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Keep other writers out; `end` is where the last of them stopped."""
        fcntl.flock(self._descriptor, fcntl.LOCK_EX)
        try:
            self.grown()
            yield
        finally:
            fcntl.flock(self._descriptor, fcntl.LOCK_UN)

    def grown(self) -> int:
        """Return the size of the file as it is now."""
        self.end = os.fstat(self._descriptor).st_size
        return self.end


class NotesLog:
    """The open notes log. Raises StorageError, CorruptError or VersionError when opened."""

    def __init__(self, path: Path, *, clock: Callable[[], str]) -> None:
        self.path = path
        self.problems: list[Said] = []
        """Damage that was found, for the user to read."""
        self.shelf = Shelf()
        self._clock = clock
        self._read = 0
        self._lines = 0
        self._file = SharedFile(path)
        with self._file.alone():
            self._catch_up(repair=True)

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def refresh(self) -> None:
        """Take in what other sessions added. Reads nothing when there is nothing."""
        if self._file.grown() > self._read:
            self._catch_up(repair=False)

    def remember(self, text: str, *, turn: int, source: Source, key: str = "") -> tuple[Note, str]:
        """Add a durable note; return it and `added`, `known` or `updated`.

        Known is what a current note says already. Raises ToolFailed for a text that is empty or
        too long, and StorageError.
        """
        text = clean(text).strip()
        if not text or len(text) > LONGEST:
            raise ToolFailed(
                say.NOTE_LENGTH.of(length=len(text)), hint=say.NOTE_LENGTH_HINT.of(most=LONGEST)
            )
        with self._file.alone():
            self._catch_up(repair=True)
            known = self.shelf.known(text)
            if known is not None:
                return known, "known"
            note = Note(
                id=f"n{self._lines + 1}",
                text=text,
                source=source,
                turn=turn,
                ts=self._clock(),
                key=key,
                supersedes=self.shelf.superseded_by(text),
            )
            self._append(note)
        return note, "updated" if note.supersedes else "added"

    def holds(self, text: str, key: str) -> bool:
        """Whether a note has this key or says just this; then it is durable too."""
        known = self.shelf.known(text) is not None
        there = known or any(key and note.key == key for note in self.shelf.all)
        if there:
            self._file.sync()
        return there

    def _append(self, note: Note) -> None:
        self._file.append(seal(_to_json(note)))
        self._file.sync()
        self._read = self._file.end
        self._lines += 1
        self.shelf.put(note)

    def _catch_up(self, *, repair: bool) -> None:
        """Read whole lines from where we stopped; `repair` what a dying writer left behind."""
        data = self._file.read(self._read, self._file.end - self._read)
        *lines, rest = data.split(b"\n")
        for line in lines:
            self._take(line + b"\n")
        if rest and repair:
            self._mend(rest)

    def _take(self, line: bytes) -> None:
        start, self._read = self._read, self._read + len(line)
        self._lines += 1
        try:
            self.shelf.put(_from_json(unseal(line)))
        except ValueError as error:
            self._report(say.NOT_A_NOTE, start=start, end=self._read)
            _log.warning("byte %d of %s: %s", start, self.path.name, error)

    def _mend(self, rest: bytes) -> None:
        """End a whole last line; set anything else aside, so that no later line fuses with it."""
        try:
            unseal(rest)
        except ValueError:
            self._set_aside(rest)
            return
        self._file.append(b"\n")
        self._file.sync()
        self._take(rest + b"\n")

    def _set_aside(self, torn: bytes) -> None:
        if self._read == 0 and not START.startswith(torn[: len(START)]):
            raise CorruptError(say.NOT_NOTES.of(path=self.path), hint=say.NOT_OURS_HINT)
        aside = self.path.parent / "quarantine" / f"{self.path.stem}-tail-{self._read}.bin"
        make_directory(aside.parent)
        replace_atomically(aside, torn)
        self._file.truncate(self._read)
        self._report(say.TORN_NOTE, size=len(torn), aside=aside)

    def _report(self, problem: Said, **values: object) -> None:
        self.problems.append(problem.of(name=self.path.name, **values))


def _to_json(note: Note) -> dict[str, object]:
    return {
        "v": VERSION,
        "id": note.id,
        "turn": note.turn,
        "ts": note.ts,
        "source": note.source,
        "key": note.key,
        "text": note.text,
        "supersedes": note.supersedes,
    }


def _from_json(data: dict[str, object]) -> Note:
    """Read a note back. Raises ValueError, and VersionError for a newer program's."""
    version, turn, source = data.get("v"), data.get("turn"), data.get("source")
    if isinstance(version, int) and version > VERSION:
        raise VersionError(say.NEWER_NOTE.of(version=version, ours=VERSION), hint=say.NEWER_HINT)
    texts = {k: data.get(k) for k in ("id", "ts", "key", "text", "supersedes")}
    wrong = [k for k, value in texts.items() if not isinstance(value, str)]
    if wrong or not isinstance(turn, int) or source not in get_args(Source):
        raise ValueError(f"{', '.join(wrong) or 'turn or source'} missing or of the wrong type")
    return Note(turn=turn, source=cast("Source", source), **cast("dict[str, str]", texts))

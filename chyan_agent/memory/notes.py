"""memories.jsonl: the notes as an append-only log that several sessions may share."""

import logging
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path

from ..durable.disk import is_there
from ..durable.lines import lines
from ..durable.quarantine import set_aside
from ..durable.records import MAX_LINE, foreign, is_object, seal
from ..durable.storage import ReadFile
from ..errors import CorruptError, StorageError, ToolFailed
from ..messages import clean
from ..prompts import errors as say
from ..prompts.said import Said
from . import Brought, Note, Origin, Source
from .entries import Again, Entry, Forgotten, read_entry, refuse_newer, to_json
from .shared import Barred, SharedFile
from .shelf import Shelf

START = b'{"v":'
"""How every line that we write begins: tells our own torn first line from a foreign file."""
LONGEST = 20_000
"""Characters of a note: more belongs into a file."""

_log = logging.getLogger(__name__)


class Shelved:
    """What the lines of a notes log put on a shelf."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.problems: list[Said] = []
        """Damage that was found, for the user to read."""
        self.shelf = Shelf()
        self._read = 0
        self._lines = 0

    def _take_in(self, file: ReadFile) -> int:
        """Read whole lines from where we stopped; return the bytes behind the last of them."""
        rest, filled = 0, file.filled()
        for line in lines(file, self._read):
            if self._read + rest >= filled:
                break
            rest += len(line)
            # What is longer than any note comes in pieces.
            if line.endswith(b"\n"):
                self._take(line, rest)
                rest = 0
        return max(file.end - self._read, rest)

    def _take(self, line: bytes, size: int) -> None:
        """Take a line of `size` bytes, or the last piece of one."""
        start, self._read = self._read, self._read + size
        self._lines += 1
        try:
            self.shelf.put(read_entry(line if len(line) == size else b""))
        except ValueError as error:
            self._report(say.NOT_A_NOTE, start=start, end=self._read)
            _log.warning("byte %d of %s: %s", start, self.path.name, error)

    def _report(self, problem: Said, **values: object) -> None:
        self.problems.append(problem.of(name=self.path.name, **values))


class NotesLog(Shelved):
    """The open notes log. Raises StorageError, CorruptError or VersionError when opened."""

    def __init__(self, path: Path, *, clock: Callable[[], str]) -> None:
        super().__init__(path)
        self._clock = clock
        self._open()

    def _open(self) -> None:
        self._file = SharedFile(self.path)
        with self._file.alone():
            self._catch_up()

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def refresh(self) -> None:
        """Take in what other sessions added. Reads nothing when there is nothing."""
        if self._file.grown() > self._read:
            self._take_in(self._file)

    def remember(self, text: str, *, turn: int, source: Source, key: str = "") -> tuple[Note, str]:
        """Add a durable note; return it and `added`, `known` or `updated`.

        Known is what a current note says already, in these words or others; that it was said
        again is noted. Raises ToolFailed for a text that is empty or too long, and StorageError.
        """
        text = checked(text)
        with self._file.alone():
            self._catch_up()
            said = Origin(text, source, turn, self._clock(), key)
            known = self.shelf.known(text)
            old = [] if known else self.shelf.overtaken(text)
            note, status, entry = self._judged(said, known, old)
            if entry is not None:
                self._append(entry)
            return note, status

    def holds(self, text: str, key: str) -> bool:
        """Whether a note has this key or says just this; then it is durable too."""
        there = self.shelf.known(text) is not None or self.shelf.has_key(key)
        if there:
            self._file.sync()
        return there

    def take(self, brought: Sequence[Brought]) -> Counter[str]:
        """Add many notes at once, all or none; return how many got which status.

        Raises ToolFailed for a text that is empty or too long, and StorageError.
        """
        for one in brought:
            checked(one.said.text)
        with self._file.alone():
            self._catch_up()
            try:
                found, lines = self._brought(brought)
                self._file.append(b"".join(lines))
                self._file.sync()
            except StorageError:
                self.shelf, self._read, self._lines = Shelf(), 0, 0
                self._take_in(self._file)
                raise
            self._read = self._file.end
            return found

    def _brought(self, brought: Sequence[Brought]) -> tuple[Counter[str], list[bytes]]:
        found, lines, names = Counter[str](), list[bytes](), dict[str, str]()
        for one in brought:
            old = [names[name] for name in one.replaces if name in names]
            known = self.shelf.known(one.said.text) or self.shelf.written(one.said)
            if known is None and not one.replaced:
                old += self.shelf.older(one.said)
            note, status, entry = self._judged(one.said, known, old)
            names[one.id] = note.id
            found[status] += 1
            if entry is not None:
                lines.append(seal(to_json(entry)))
                self._lines += 1
                self.shelf.put(entry)
        return found, lines

    def edit(self, note: Note, text: str) -> Note:
        """Put another text in the place of a current note. Raises ToolFailed and StorageError."""
        text = checked(text)
        with self._file.alone():
            self._catch_up()
            said = Origin(text, "user", 0, self._clock(), "edit")
            edited = self._new(said, [note.id])
            self._append(edited)
            return edited

    def forget(self, note: Note) -> None:
        """Take a note back, durably; its line stays. Raises StorageError."""
        with self._file.alone():
            self._catch_up()
            self._append(Forgotten(note.id, self._clock()))

    def _judged(
        self, said: Origin, known: Note | None, old: Sequence[str]
    ) -> tuple[Note, str, Entry | None]:
        """Return the note that holds what was said, its status, and what is to be written."""
        if known is not None:
            again = Again(known.id, said.text, said.source, said.turn, said.ts, said.key)
            return known, "known", again if self.shelf.is_new(known, said) else None
        note = self._new(said, old)
        return note, "updated" if note.supersedes else "added", note

    def _new(self, said: Origin, old: Sequence[str]) -> Note:
        return Note(
            id=f"n{self._lines + 1}",
            text=said.text,
            source=said.source,
            turn=said.turn,
            ts=said.ts,
            key=said.key,
            supersedes=",".join(dict.fromkeys(old)),
        )

    def _append(self, entry: Entry) -> None:
        self._file.append(seal(to_json(entry)))
        self._file.sync()
        self._read = self._file.end
        self._lines += 1
        self.shelf.put(entry)

    def _catch_up(self) -> None:
        """Read what was added, and repair what a dying writer left behind."""
        rest = self._take_in(self._file)
        if rest:
            self._mend(self._file.read(self._read, min(rest, MAX_LINE + 1)), rest)

    def _mend(self, rest: bytes, size: int) -> None:
        """End a whole last line; set anything else aside, so that no later line fuses with it.

        `rest` is as much of the `size` bytes behind the last line as a line can have.
        """
        if self._read == 0 and foreign(rest, START):
            raise CorruptError(say.NOT_NOTES.of(path=self.path), hint=say.NOT_OURS_HINT)
        if is_object(rest):
            refuse_newer(rest)
            self._file.append(b"\n")
            self._file.sync()
            self._take(rest + b"\n", size + 1)
            return
        name, end = f"{self.path.stem}-tail-{self._read}", self._read + size
        aside, more = set_aside(self._file, name, self._read, end)
        self._file.truncate(self._read)
        self._report(say.TORN_NOTE, size=size, aside=aside)
        self.problems += more


class SeenNotes(NotesLog):
    """The notes log as it is now, if there is one: read once, never changed."""

    def _open(self) -> None:
        self._file = Barred(self.path)
        if not is_there(self.path):
            return
        with closing(ReadFile(self.path)) as file:
            if torn := self._take_in(file):
                self._report(say.TORN_UNTOUCHED, size=torn, start=self._read)

    def close(self) -> None:
        """Close nothing: the file was closed when it had been read."""

    def refresh(self) -> None:
        """Take in nothing."""


def checked(text: str) -> str:
    """Return a text as it can be noted. Raises ToolFailed if it is empty or too long."""
    text = clean(text).strip()
    if not text or len(text) > LONGEST:
        raise ToolFailed(
            say.NOTE_LENGTH.of(length=len(text)), hint=say.NOTE_LENGTH_HINT.of(most=LONGEST)
        )
    return text

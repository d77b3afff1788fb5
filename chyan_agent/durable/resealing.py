"""Taking over what a user changed in conversation.jsonl by hand: the record is sealed anew.

The file is replaced by a copy in which every other byte is as it was, and the original is kept.
"""

import os
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

from ..errors import StorageError
from ..prompts import errors as say
from ..prompts.said import Said
from ..state import SessionStarted
from .codec import VERSION
from .disk import beneath, make_directory, sync_directory
from .lines import CHUNK, lines
from .newer import refuse_newer_file
from .quarantine import FOLDER
from .records import resealed
from .storage import ReadFile, remove_unfinished, replacing
from .stored import Stored, stored

SHOWN = 20
"""Records that are named one by one."""


@dataclass
class Edits:
    """The lines of a transcript as they will stand, and which of them were changed by hand."""

    file: ReadFile
    found: list[Stored] = field(default_factory=list)
    _seq: int = 0

    def lines(self) -> Iterator[bytes]:
        """Yield every line; of an edited one what it has to be. Counts the edited ones anew."""
        self.found.clear()
        self._seq, start = 0, 0
        for line in lines(self.file, 0):
            yield self._line(start, line)
            start += len(line)

    def _line(self, start: int, line: bytes) -> bytes:
        try:
            self._seq = max(self._seq, stored(start, line).seq)
            return line
        except ValueError:
            pass
        try:
            new = resealed(line)
            record = stored(start, new)
        except (ValueError, StorageError):
            return line
        # A number that was there before would stand for two records.
        if record.seq <= self._seq:
            return line
        self._seq = record.seq
        self.found.append(record)
        return new


def accept_edits(path: Path, meta: Path) -> list[Said]:
    """Seal the edited records of a transcript; return what was accepted, for the user to read.

    The caller holds the session's lock. Raises StorageError and VersionError: nothing changed.
    """
    refuse_newer_file(meta, VERSION)
    with closing(ReadFile(path)) as file:
        edits = Edits(file)
        for _ in edits.lines():
            pass
        if not edits.found:
            return [say.NOTHING_EDITED.of(name=path.name)]
        remove_unfinished(path)
        with replacing(path, _blocks(edits.lines())):
            kept = _kept(path)
            # The snapshot holds what was said before the edits, and would pass for theirs.
            meta.unlink(missing_ok=True)
            sync_directory(path.parent)
    told = [_said(path, record) for record in edits.found[:SHOWN]]
    more = len(edits.found) - len(told)
    rest = [say.MORE_ACCEPTED.of(count=more)] if more else []
    return [*told, *rest, say.EDITED_KEPT.of(path=kept)]


def _said(path: Path, record: Stored) -> Said:
    turn = 0 if isinstance(record.record, SessionStarted) else record.record.turn
    return say.ACCEPTED.of(name=path.name, seq=record.seq, turn=turn, start=record.start)


def _blocks(parts: Iterator[bytes]) -> Iterator[bytes]:
    block = bytearray()
    for part in parts:
        block += part
        if len(block) > CHUNK:
            yield bytes(block)
            block.clear()
    yield bytes(block)


def _kept(path: Path) -> Path:
    """Give the file a second name, durably; return that."""
    folder = beneath(path.parent, FOLDER)
    make_directory(folder)
    for number in count(1):
        kept = folder / f"edited-{number}.jsonl"
        try:
            os.link(path, kept)
        except FileExistsError:
            continue
        sync_directory(folder)
        return kept
    raise AssertionError("numbers don't end")

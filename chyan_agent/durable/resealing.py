"""Taking over what a user changed in conversation.jsonl by hand: the record is sealed anew.

The file is replaced by a copy in which every other byte is as it was, and the original is kept.
"""

import os
from collections.abc import Container, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Self

from ..prompts import errors as say
from ..prompts import errors_files as more
from ..prompts.said import Said
from ..state import SessionStarted
from .codec import VERSION
from .disk import beneath, make_directory, sync_directory
from .lines import CHUNK, placed
from .newer import refuse_newer_file
from .quarantine import FOLDER
from .records import resealed
from .storage import ReadFile, remove_unfinished, replacing
from .stored import LARGEST, edited, stored

SHOWN = 20
"""Records that are named one by one."""


@dataclass(frozen=True, slots=True)
class Edit:
    """A line that was changed by hand, and which record it says it is."""

    start: int
    seq: int
    turn: int


@dataclass
class Edits:
    """The changed lines of a transcript: those whose numbers fit between the whole records around
    them, and the others, for which whole records would no longer count.
    """

    fit: list[Edit] = field(default_factory=list)
    odd: list[Edit] = field(default_factory=list)
    _waiting: list[Edit] = field(default_factory=list)
    """Those behind the last whole record."""
    _last: int = 0

    def look(self, file: ReadFile) -> Self:
        """Find them. Raises StorageError, and VersionError for a newer program's record."""
        for start, line in placed(file):
            try:
                seq = stored(start, line).seq
            except ValueError:
                if was := edited(start, line):
                    turn = 0 if isinstance(was.record, SessionStarted) else was.record.turn
                    self._waiting.append(Edit(start, was.seq, turn))
            else:
                if seq > self._last:
                    self._settle(seq)
                    self._last = seq
        self._settle()
        return self

    def _settle(self, most: int = LARGEST) -> None:
        for edit in self._waiting:
            fits = self._last < edit.seq <= most
            (self.fit if fits else self.odd).append(edit)
            self._last = edit.seq if fits else self._last
        self._waiting.clear()


def accept_edits(path: Path, meta: Path) -> list[Said]:
    """Seal the edited records of a transcript; return what was accepted, for the user to read.

    The caller holds the session's lock. Raises StorageError and VersionError: nothing changed.
    """
    refuse_newer_file(meta, VERSION)
    with closing(ReadFile(path)) as file:
        edits = Edits().look(file)
        left = _told(path, edits.odd, more.NOT_ACCEPTED, more.MORE_NOT_ACCEPTED)
        if not edits.fit:
            return left or [say.NOTHING_EDITED.of(name=path.name)]
        remove_unfinished(path)
        with replacing(path, _blocks(_sealed(file, {edit.start for edit in edits.fit}))):
            kept = _kept(path)
            # The snapshot holds what was said before the edits, and would pass for theirs.
            meta.unlink(missing_ok=True)
            sync_directory(path.parent)
    told = _told(path, edits.fit, say.ACCEPTED, say.MORE_ACCEPTED)
    return [*told, say.EDITED_KEPT.of(path=kept), *left]


def _told(path: Path, edits: Sequence[Edit], each: Said, rest: Said) -> list[Said]:
    told = [
        each.of(name=path.name, seq=edit.seq, turn=edit.turn, start=edit.start)
        for edit in edits[:SHOWN]
    ]
    return [*told, rest.of(count=len(edits) - SHOWN)] if len(edits) > SHOWN else told


def _sealed(file: ReadFile, accepted: Container[int]) -> Iterator[bytes]:
    """Yield every line; one that is accepted as it has to be."""
    for start, line in placed(file):
        yield resealed(line) if start in accepted else line


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

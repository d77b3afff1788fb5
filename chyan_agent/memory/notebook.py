"""The notes as their owner looks after them: seen, changed, taken back, carried elsewhere."""

import os
from dataclasses import dataclass
from pathlib import Path

from ..durable.disk import is_there, read_whole
from ..durable.storage import replace_atomically
from ..errors import ConfigError
from ..prompts import memory as say
from . import Note, Origin
from .confidential import secret
from .exchange import MOST_BYTES, exported, imported
from .notes import NotesLog


@dataclass(frozen=True, slots=True)
class Story:
    """All that is known of a note."""

    note: Note
    origins: tuple[Origin, ...]
    """When and by whom it was said, the first time first."""
    replaced: tuple[Note, ...]
    """The notes that it took the place of, each with those before it, the newest first."""
    successor: Note | None
    """The current note that took its place; itself if it is current."""
    forgotten: bool


@dataclass(frozen=True, slots=True)
class Taken:
    """What came of an import, in notes."""

    added: int
    updated: int
    known: int
    secrets: int
    """Left out because they look like a key or a password."""


class Notebook:
    """The owner's hand on a notes log. Writes raise StorageError."""

    def __init__(self, log: NotesLog) -> None:
        self._log = log

    def current(self) -> list[Note]:
        """Return the current notes, oldest first."""
        self._log.refresh()
        return self._log.shelf.current()

    def story(self, note_id: str) -> Story:
        """Return what is known of a note, current or not. Raises ConfigError if there is none."""
        self._log.refresh()
        shelf, note = self._log.shelf, self._found(note_id)
        return Story(
            note,
            tuple(shelf.origins(note)),
            tuple(old for old, _ in shelf.before(note)),
            shelf.successor(note),
            shelf.is_forgotten(note),
        )

    def edit(self, note_id: str, text: str) -> Note:
        """Put another text in the place of a current note. Raises ConfigError."""
        note = self._current(note_id)
        if kind := secret(text):
            raise ConfigError(say.SECRET.of(what=say.SECRETS[kind]), hint=say.SECRET_HINT)
        return self._log.edit(note, text)

    def forget(self, note_id: str) -> Note:
        """Take a current note back, and return it. Raises ConfigError."""
        note = self._current(note_id)
        self._log.forget(note)
        return note

    def export(self, path: Path) -> int:
        """Write the notes to a new file; return how many. Raises ConfigError if it exists."""
        if os.path.lexists(path):
            raise ConfigError(say.EXISTS.of(path=path), hint=say.EXISTS_HINT)
        if not is_there(path.absolute().parent, Path.is_dir):
            raise ConfigError(say.NO_FOLDER.of(path=path.absolute().parent), hint=say.FOLDER_HINT)
        notes = self.current()
        replace_atomically(path, exported(self._log.shelf).encode("utf-8"))
        return len(notes)

    def take(self, path: Path) -> Taken:
        """Add the notes of a file. Raises ConfigError, and then nothing was changed."""
        try:
            data = read_whole(path, MOST_BYTES, links=True)
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) else str(error)
            raise ConfigError(
                say.UNREADABLE.of(path=path, reason=reason), hint=say.FORM_HINT
            ) from None
        wanted = imported(data, path.name)
        clean = [one for one in wanted if secret(one.said.text) is None]
        found = self._log.take(clean)
        return Taken(found["added"], found["updated"], found["known"], len(wanted) - len(clean))

    def _found(self, note_id: str) -> Note:
        note = self._log.shelf.get(_id(note_id))
        if note is None:
            raise ConfigError(say.NO_NOTE.of(id=note_id), hint=say.NO_NOTE_HINT)
        return note

    def _current(self, note_id: str) -> Note:
        self._log.refresh()
        note = self._found(note_id)
        if self._log.shelf.is_forgotten(note):
            raise ConfigError(say.IS_FORGOTTEN.of(id=note.id), hint=say.NO_NOTE_HINT)
        if not self._log.shelf.is_current(note):
            newer = self._log.shelf.successor(note)
            hint = say.REPLACED_HINT.of(id=newer.id) if newer else say.NO_NOTE_HINT
            raise ConfigError(say.IS_REPLACED.of(id=note.id), hint=hint)
        return note


def _id(given: str) -> str:
    """Return an id as it is written: `N3`, `#n3` and `3` mean n3."""
    bare = given.strip().lstrip("#").lower()
    return f"n{bare}" if bare.isdigit() else bare

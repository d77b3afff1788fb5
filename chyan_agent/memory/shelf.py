"""Notes in memory: which are current, which are known already, which one a new one replaces."""

from ..clauses import COMMAS, stated
from ..facts import Fact, fact, normalise, replaces
from . import Note


class Shelf:
    """All notes in the order in which they were written, superseded ones too."""

    def __init__(self) -> None:
        self.all: list[Note] = []
        self._by_id: dict[str, Note] = {}
        self._superseded: set[str] = set()
        self._by_text: dict[str, Note] = {}
        self._facts: dict[str, Fact] = {}

    def put(self, note: Note) -> None:
        """Add a note that stands in the log."""
        if note.supersedes in self._by_id:
            self._retire(self._by_id[note.supersedes])
        self.all.append(note)
        self._by_id[note.id] = note
        self._by_text[normalise(note.text)] = note
        said = fact(note.text)
        if said is not None and len(COMMAS.split(note.text)) == 1:
            self._facts[note.id] = said

    def _retire(self, note: Note) -> None:
        self._superseded.add(note.id)
        self._facts.pop(note.id, None)
        if self._by_text.get(normalise(note.text)) is note:
            del self._by_text[normalise(note.text)]

    def known(self, text: str) -> Note | None:
        """Return the current note that says just this."""
        return self._by_text.get(normalise(text))

    def superseded_by(self, text: str) -> str:
        """Return the id of the newest current note that a text makes out of date, or nothing.

        Only notes of a single clause are retired: another one may say more than what changed.
        An update that names only the end of a subject must mean a single note.
        """
        said = stated(text)
        old = [n for n, other in self._facts.items() if any(replaces(new, other) for new in said)]
        subjects = {new.subject for new in said}
        same = [note_id for note_id in old if self._facts[note_id].subject in subjects]
        if same:
            return same[-1]
        return old[0] if len(old) == 1 else ""

    def current(self) -> list[Note]:
        """Return the notes that no other one supersedes, oldest first."""
        return [note for note in self.all if self.is_current(note)]

    def is_current(self, note: Note) -> bool:
        """Tell whether a note holds."""
        return note.id not in self._superseded

    def replaced_by(self, note: Note) -> str:
        """Return the text of the note that this one supersedes; empty if none does."""
        old = self._by_id.get(note.supersedes)
        return old.text if old is not None else ""

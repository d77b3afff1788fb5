"""Notes in memory: which are current, where they come from, which one a new one replaces."""

from collections import defaultdict

from ..statements.facts import normalise
from . import Note, Origin
from .entries import Again, Entry, Forgotten
from .kin import Kin

MOST_ORIGINS = 8
"""Times of which a note remembers that it was said again."""


class Shelf:
    """All notes in the order in which they were written, superseded and forgotten ones too."""

    def __init__(self) -> None:
        self.all: list[Note] = []
        self._by_id: dict[str, Note] = {}
        self._gone: dict[str, str] = {}
        """Id of a note that is not current to the id of its successor; empty if forgotten."""
        self._again: dict[str, list[Origin]] = defaultdict(list)
        self._keys: set[str] = set()
        self._written: dict[tuple[str, str], Note] | None = None
        """Notes by their time and text, the first of each; made when it is first asked for."""
        self._kin: Kin | None = None
        """Made when a note is first compared: opening must cost nothing."""

    def put(self, entry: Entry) -> None:
        """Add what stands in the log."""
        match entry:
            case Forgotten(of):
                self._retire(of, "")
            case Again(of):
                origin = Origin(entry.text, entry.source, entry.turn, entry.ts, entry.key)
                self._again[of].append(origin)
                self._keys.add(entry.key)
            case Note() if self._by_id.get(entry.id) == entry:
                pass  # its line stands twice
            case Note():
                for old in predecessors(entry):
                    self._retire(old, entry.id)
                self.all.append(entry)
                self._by_id[entry.id] = entry
                self._keys.add(entry.key)
                if self._written is not None:
                    self._written.setdefault(_written(entry), entry)
                if self._kin is not None:
                    self._kin.put(entry.id, entry.text)

    def _retire(self, note_id: str, successor: str) -> None:
        if note_id not in self._by_id:
            return
        self._gone.setdefault(note_id, successor)
        if not successor:
            self._gone[note_id] = ""
        if self._kin is not None:
            self._kin.drop(note_id)

    def _compared(self) -> Kin:
        if self._kin is None:
            self._kin = Kin()
            for note in self.current():
                self._kin.put(note.id, note.text)
        return self._kin

    def get(self, note_id: str) -> Note | None:
        """Return a note by its id, current or not."""
        return self._by_id.get(note_id)

    def has_key(self, key: str) -> bool:
        """Tell whether the call of this id has written, or said a known note again."""
        return key != "" and key in self._keys

    def known(self, text: str) -> Note | None:
        """Return the current note that says just this, in these words or others."""
        return self._by_id.get(self._compared().same(text))

    def written(self, said: Origin) -> Note | None:
        """Return the note that was said at just this time in these words, current or not."""
        if not said.ts:
            return None
        if self._written is None:
            self._written = {_written(note): note for note in reversed(self.all)}
        return self._written.get(_written(said))

    def overtaken(self, text: str) -> list[str]:
        """Return the ids of the current notes that a text makes out of date."""
        return self._compared().overtaken(text)

    def older(self, said: Origin) -> list[str]:
        """The same for what was said elsewhere: never a newer note, nor one of unknown age."""
        found = (self._by_id[name] for name in self.overtaken(said.text))
        return [note.id for note in found if said.ts and note.ts and note.ts <= said.ts]

    def is_new(self, note: Note, said: Origin) -> bool:
        """Tell whether a note's being said again is worth keeping: other words, time or speaker."""
        known = self.origins(note)
        if len(known) > MOST_ORIGINS:
            return False
        same = [one for one in known if normalise(one.text) == normalise(said.text)]
        return not any(
            one.ts == said.ts or (one.source, one.turn) == (said.source, said.turn) for one in same
        )

    def origins(self, note: Note) -> list[Origin]:
        """Return when and by whom a note was said, the first time first."""
        first = Origin(note.text, note.source, note.turn, note.ts, note.key)
        return [first, *self._again.get(note.id, ())]

    def current(self) -> list[Note]:
        """Return the notes that no other one supersedes and nobody took back, oldest first."""
        return [note for note in self.all if self.is_current(note)]

    def is_current(self, note: Note) -> bool:
        """Tell whether a note holds."""
        return note.id not in self._gone

    def is_forgotten(self, note: Note) -> bool:
        """Tell whether a note was taken back."""
        return self._gone.get(note.id) == ""

    def heir(self, note: Note) -> Note | None:
        """Return a note if it is current, else the current one that took its very place, if any."""
        if self.is_current(note):
            return note
        found = self._by_id.get(self._gone[note.id])
        return found if found is not None and self.is_current(found) else None

    def successor(self, note: Note) -> Note | None:
        """Return the current note that stands where an older one stood; None if there is none."""
        seen = {note.id}
        while (name := self._gone.get(note.id)) is not None:
            found = self._by_id.get(name)
            if found is None or found.id in seen:
                return None
            note = found
            seen.add(note.id)
        return note

    def replaced(self, note: Note) -> list[Note]:
        """Return the notes that this one supersedes."""
        return [old for name in predecessors(note) if (old := self._by_id.get(name)) is not None]

    def before(self, note: Note) -> list[tuple[Note, str]]:
        """Return all that a note replaced, newest first, each with the id of what took its place.

        What was taken back is left out. A value that changes daily makes a chain of hundreds: no
        call for each of them.
        """
        found, waiting = dict[str, tuple[Note, str]](), [(note, "")]
        while waiting:
            one, newer = waiting.pop()
            if one.id not in found:
                found[one.id] = (one, newer)
                old = self.replaced(one)
                waiting += [(each, one.id) for each in old if not self.is_forgotten(each)]
        return list(found.values())[1:]

    def replaced_by(self, note: Note) -> str:
        """Return what the notes said that this one supersedes; empty if there is none."""
        return " / ".join(old.text for old in self.replaced(note) if not self.is_forgotten(old))


def _written(said: Note | Origin) -> tuple[str, str]:
    return said.ts, normalise(said.text)


def predecessors(note: Note) -> list[str]:
    """Return the ids of the notes that a note takes the place of."""
    return [name for name in note.supersedes.split(",") if name]

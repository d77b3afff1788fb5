"""Notes that leave something open, until a later one tells that it is done."""

from collections import defaultdict

from ..statements.clauses import parts
from ..statements.settled import LONGEST, Matter, closes, opens, settles


class Unfinished:
    """What notes leave open, clause by clause, by their ids."""

    def __init__(self) -> None:
        self._open: dict[str, tuple[frozenset[Matter], ...]] = {}
        self._by_first: dict[Matter, set[str]] = defaultdict(set)
        """By what the first clause leaves open: without that no note is done."""

    def put(self, note_id: str, text: str) -> None:
        """Add a note, if each of its clauses leaves something open."""
        if len(text) > LONGEST:
            return
        clauses = tuple(map(opens, parts(text)))
        if clauses and all(clauses):
            self._open[note_id] = clauses
            for matter in clauses[0]:
                self._by_first[matter].add(note_id)

    def drop(self, note_id: str) -> None:
        """Leave out a note that is no longer current."""
        for matter in self._open.pop(note_id, (frozenset[Matter](),))[0]:
            self._by_first[matter].discard(note_id)

    def done(self, text: str) -> list[str]:
        """Return the ids of the notes of which a text tells that all is done."""
        if not self._open or len(text) > LONGEST:
            return []
        told = frozenset[Matter]().union(*map(closes, parts(text)))
        ids = {note_id for matter in told for note_id in self._by_first.get(matter, ())}
        return [note_id for note_id in ids if settles(told, self._open[note_id])]

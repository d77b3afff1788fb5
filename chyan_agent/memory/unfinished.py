"""Notes that leave something open, until a later one tells that it is done."""

from ..statements.clauses import parts
from ..statements.settled import LONGEST, Matter, closes, opens, settles


class Unfinished:
    """What notes leave open, clause by clause, by their ids."""

    def __init__(self) -> None:
        self._open: dict[str, tuple[frozenset[Matter], ...]] = {}

    def put(self, note_id: str, text: str) -> None:
        """Add a note, if each of its clauses leaves something open."""
        if len(text) > LONGEST:
            return
        clauses = tuple(map(opens, parts(text)))
        if clauses and all(clauses):
            self._open[note_id] = clauses

    def drop(self, note_id: str) -> None:
        """Leave out a note that is no longer current."""
        self._open.pop(note_id, None)

    def done(self, text: str) -> list[str]:
        """Return the ids of the notes of which a text tells that all is done."""
        if not self._open or len(text) > LONGEST:
            return []
        told = frozenset[Matter]().union(*map(closes, parts(text)))
        return [note_id for note_id, clauses in self._open.items() if settles(told, clauses)]

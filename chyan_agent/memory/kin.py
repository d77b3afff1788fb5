"""Which notes a new text repeats, completes or makes out of date."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import islice

from ..statements.clauses import parts, stated
from ..statements.facts import Fact, fact
from ..statements.gist import LONGEST
from ..statements.replacing import anothers, names_of, places_of, replaces, subjects_of
from ..statements.senses import Sense, meanings, sense
from .held import Held
from .reworded import Reworded
from .unfinished import Unfinished

CLAUSE = 400
"""Characters up to which two texts are compared."""


class Kin:
    """What the current notes say, by their ids."""

    def __init__(self) -> None:
        self._meanings: dict[str, frozenset[Sense]] = {}
        self._facts: dict[str, Fact] = {}
        self._senses: dict[str, str] = {}
        self._by_sense: dict[str, str] = {}
        self._reworded = Reworded()
        self._by_meaning: dict[Sense, set[str]] = defaultdict(set)
        self._by_subject: dict[str, set[str]] = defaultdict(set)
        self._by_end: dict[str, set[str]] = defaultdict(set)
        """By every end of a subject: an update may name that only."""
        self._held = Held()
        self._unfinished = Unfinished()

    def put(self, note_id: str, text: str) -> None:
        """Add a note."""
        self._unfinished.put(note_id, text)
        self._meanings[note_id] = meanings(text)
        for meaning in self._meanings[note_id]:
            self._by_meaning[meaning].add(note_id)
        if len(text) <= LONGEST:
            self._senses[note_id] = sense(text)
            self._by_sense[self._senses[note_id]] = note_id
        self._reworded.put(note_id, text)
        clauses = parts(text)
        if len(clauses) != 1:
            return
        self._held.put(note_id, text)
        said = fact(clauses[0])
        if said is not None:
            self._facts[note_id] = said
            self._by_subject[said.subject].add(note_id)
            for end in _ends(said.subject):
                self._by_end[end].add(note_id)

    def drop(self, note_id: str) -> None:
        """Leave out a note that is no longer current."""
        said_before = self._meanings.pop(note_id, None)
        if said_before is None:
            return
        self._held.drop(note_id)
        self._unfinished.drop(note_id)
        self._reworded.drop(note_id)
        for meaning in said_before:
            self._by_meaning[meaning].discard(note_id)
        said = self._facts.pop(note_id, None)
        if said is not None:
            self._by_subject[said.subject].discard(note_id)
            for end in _ends(said.subject):
                self._by_end[end].discard(note_id)
        whole = self._senses.pop(note_id, None)
        if whole is not None and self._by_sense.get(whole) == note_id:
            del self._by_sense[whole]

    def same(self, text: str) -> str:
        """Return the id of a note that says all that a text says, in whatever words; or nothing."""
        said = meanings(text)
        holding = [self._by_meaning[meaning] for meaning in said if meaning in self._by_meaning]
        if said and len(holding) == len(said):
            ids = set.intersection(*holding)
            if ids:
                return min(ids, key=lambda one: (len(self._meanings[one]), _number(one)))
        whole = sense(text) if len(text) <= LONGEST else ""
        known = self._by_sense.get(whole, "") if whole else ""
        return known or self._reworded.same(text)

    def overtaken(self, text: str) -> list[str]:
        """Return the ids of the notes that a text takes the place of, oldest first.

        These are notes that say less of the same, and those whose statement has changed. Of the
        latter only notes of a single clause: another one may say more than what changed.
        """
        said = meanings(text)
        less = {n for m in said for n in self._by_meaning.get(m, ()) if self._meanings[n] < said}
        changed = self._restated(text) or self._changed(text) or self._held.otherwise(text)
        return sorted(less.union(changed, self._unfinished.done(text)), key=_number)

    def _restated(self, text: str) -> list[str]:
        """Notes that state the subject of this text otherwise.

        An update that names only the end of a subject must mean a single note.
        """
        said = stated(text) if len(text) <= LONGEST else ()
        same = [n for new in said for n in self._replaced(new, subjects_of(new))]
        if same:
            return same
        found: set[str] = set()
        for new in said:
            found.update(islice(self._at_its_end(new), 2))
            if len(found) > 1:
                return []
        return list(found)

    def _replaced(self, new: Fact, subjects: Iterable[str]) -> Iterator[str]:
        for subject in subjects:
            ids = self._by_subject.get(subject, ())
            yield from (n for n in ids if replaces(new, self._facts[n]))

    def _at_its_end(self, new: Fact) -> Iterator[str]:
        """Notes about something whose name ends as the subject of an update, or has one."""
        if new.verb != "update":
            return
        for end in (new.subject, *places_of(new)):
            ids = {*self._by_end.get(end, ()), *self._by_subject.get(end, ())}
            yield from (n for n in ids if replaces(new, self._facts[n]))
        if new.about == "name":
            yield from self._replaced(new, names_of(new))

    def _changed(self, text: str) -> list[str]:
        """Notes that hold what a text, or a clause of it, says to be so no longer."""
        meant = self._held.changed(text[:CLAUSE])
        return [n for n, piece in meant if not self._anothers(fact(piece), n)]

    def _anothers(self, said: Fact | None, note_id: str) -> bool:
        """Whether a note states the same of somebody or something else."""
        old = self._facts.get(note_id)
        return old is not None and said is not None and anothers(said, old)


def _ends(subject: str) -> Iterator[str]:
    return (subject[start:] for start in range(1, len(subject) - 1))


def _number(note_id: str) -> int:
    return int(note_id[1:]) if note_id[1:].isdigit() else 0

"""Which notes a new text repeats, completes or makes out of date."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import islice

from ..late import Late
from ..statements.changes import Change, change, holds_time
from ..statements.clauses import parts, stated
from ..statements.facts import Fact, fact, normalise
from ..statements.gist import LONGEST, covered, units
from ..statements.replacing import anothers, names_of, replaces, subjects_of
from ..statements.senses import Sense, meanings, sense
from ..statements.spelt import WEEKDAY

ENOUGH = 0.6
"""Share of what a change is about that a note must hold to be what changed."""
SOME = 0.5
"""The same where the value that gave way is named and held."""
CLEARLY = 0.15
"""By how much the best of several must lead the second."""
SCANNED = 400
"""Characters of a text whose clauses are looked at one by one."""

_EXACT = Late(rf"\d|^[a-z]$|[周期拜][一二三四五六日天]|^{WEEKDAY}")
"""Numbers, letters and weekdays: a text about another one is about something else."""


class Kin:
    """What the current notes say, by their ids."""

    def __init__(self) -> None:
        self._texts: dict[str, str] = {}
        self._meanings: dict[str, frozenset[Sense]] = {}
        self._units: dict[str, frozenset[str]] = {}
        self._facts: dict[str, Fact] = {}
        self._senses: dict[str, str] = {}
        self._by_sense: dict[str, str] = {}
        self._by_meaning: dict[Sense, set[str]] = defaultdict(set)
        self._by_unit: dict[str, set[str]] = defaultdict(set)
        self._by_subject: dict[str, set[str]] = defaultdict(set)
        self._by_end: dict[str, set[str]] = defaultdict(set)
        """By every end of a subject: an update may name that only."""

    def put(self, note_id: str, text: str) -> None:
        """Add a note."""
        self._texts[note_id] = normalise(text)
        self._meanings[note_id] = meanings(text)
        for meaning in self._meanings[note_id]:
            self._by_meaning[meaning].add(note_id)
        if len(text) <= LONGEST:
            self._senses[note_id] = sense(text)
            self._by_sense[self._senses[note_id]] = note_id
        clauses = parts(text)
        if len(clauses) != 1:
            return
        self._units[note_id] = frozenset(units(text))
        for unit in self._units[note_id]:
            self._by_unit[unit].add(note_id)
        said = fact(clauses[0])
        if said is not None:
            self._facts[note_id] = said
            self._by_subject[said.subject].add(note_id)
            for end in _ends(said.subject):
                self._by_end[end].add(note_id)

    def drop(self, note_id: str) -> None:
        """Leave out a note that is no longer current."""
        text = self._texts.pop(note_id, None)
        if text is None:
            return
        for meaning in self._meanings.pop(note_id):
            self._by_meaning[meaning].discard(note_id)
        for unit in self._units.pop(note_id, frozenset()):
            self._by_unit[unit].discard(note_id)
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
        return self._by_sense.get(whole, "") if whole else ""

    def overtaken(self, text: str) -> list[str]:
        """Return the ids of the notes that a text takes the place of, oldest first.

        These are notes that say less of the same, and those whose statement has changed. Of the
        latter only notes of a single clause: another one may say more than what changed.
        """
        said = meanings(text)
        less = {n for m in said for n in self._by_meaning.get(m, ()) if self._meanings[n] < said}
        changed = self._restated(text) or self._changed(text)
        return sorted(less.union(changed), key=_number)

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
        ids = self._by_end.get(new.subject, ())
        yield from (n for n in ids if replaces(new, self._facts[n]))
        if new.about == "name":
            yield from self._replaced(new, names_of(new))

    def _changed(self, text: str) -> list[str]:
        """Notes that hold what a text, or a clause of it, says to be so no longer."""
        told = [(change(piece), piece) for piece in dict.fromkeys((text, *parts(text[:SCANNED])))]
        meant = [(n, piece) for one, piece in told if one is not None for n in self._meant(one)]
        return [n for n, piece in meant if not self._anothers(fact(piece), n)]

    def _anothers(self, said: Fact | None, note_id: str) -> bool:
        """Whether a note states the same of somebody or something else."""
        old = self._facts.get(note_id)
        return old is not None and said is not None and anothers(said, old)

    def _meant(self, told: Change) -> list[str]:
        """The one note that a change is about, if it is clear which."""
        ids = self._named(told.old) if told.old else self._held(_needed(told))
        if not told.topic:
            return ids if len(ids) == 1 else []
        if not told.old and len(self._held(told.topic)) > 1:
            return []
        ranked = sorted(((self._share(told, n), n) for n in ids), reverse=True)
        if not ranked:
            return []
        share, best = ranked[0]
        second = ranked[1][0] if len(ranked) > 1 else 0.0
        least = SOME if told.old else ENOUGH
        return [best] if share >= least and share - second >= CLEARLY else []

    def _share(self, told: Change, note_id: str) -> float:
        held = self._units[note_id]
        if not _needed(told) <= held or (told.when and not holds_time(self._texts[note_id])):
            return 0.0
        return covered(told.topic, held)

    def _named(self, value: str) -> list[str]:
        """Notes of one clause that hold a value as it was written; postgres is in postgresql."""
        holding = [note_id for note_id in self._units if value in self._texts[note_id]]
        start = re.compile(rf"(?<![a-z0-9]){re.escape(value)}" if value.isascii() else "")
        return [note_id for note_id in holding if start.search(self._texts[note_id])]

    def _held(self, needed: Iterable[str]) -> list[str]:
        """Notes that hold all units that are needed."""
        holding = [self._by_unit.get(unit, set()) for unit in needed]
        return list(set.intersection(*holding)) if holding else []


def _needed(told: Change) -> set[str]:
    """What is told of, with all numbers and names: another number is another matter."""
    exact = {unit for unit in told.topic if _EXACT.search(unit)}
    exact |= told.names & told.topic
    return exact | {told.lead} if told.lead else exact


def _ends(subject: str) -> Iterator[str]:
    return (subject[start:] for start in range(1, len(subject) - 1))


def _number(note_id: str) -> int:
    return int(note_id[1:]) if note_id[1:].isdigit() else 0

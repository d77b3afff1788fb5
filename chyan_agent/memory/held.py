"""Which notes a change is about: those that hold what it speaks of, and nobody else's."""

import re
from collections import defaultdict
from collections.abc import Iterable
from itertools import islice, pairwise

from ..late import Late
from ..statements.changes import Change, change, holds_time
from ..statements.clauses import parts, stated
from ..statements.facts import fact
from ..statements.frames import gives_way
from ..statements.gist import met, opposite, plain, units
from ..statements.persons import persons
from ..statements.spelt import WEEKDAY
from ..statements.swaps import by_now, requantified, swapped

ENOUGH = 0.6
"""Share of what a change is about that a note must hold to be what changed."""
SOME = 0.5
"""The same where the value that gave way is named and held."""
CLEARLY = 0.15
"""By how much the best of several must lead the second."""
MOST = 200
"""Notes that share a word with a text and are compared with it."""
FEW = 8
"""Notes on one thing of which one may give another number; of more it is not clear which."""
_EXACT = Late(rf"\d|^[a-z]$|[周期拜][一二三四五六日天]|^{WEEKDAY}")
"""Numbers, letters and weekdays: a text about another one is about something else."""

_FROM = re.compile(r"\bfrom (\w+)")
"""The flight from Rome is not the one to Rome."""
_WHOSE = Late("(?:my |(?:the )?user |(?:我|用户)的?)")
"""Before whom a text begins with; of what I do, nothing but the verb stands there."""
_OF_ME = Late("我|用户|本人|每|平时|一般|通常|[早午晚]")
"""How a note begins that tells what I do."""


class Held:
    """The current notes of a single clause, by what they hold."""

    def __init__(self) -> None:
        self._texts: dict[str, str] = {}
        self._units: dict[str, frozenset[str]] = {}
        self._by_unit: dict[str, set[str]] = defaultdict(set)

    def put(self, note_id: str, text: str) -> None:
        """Add a note."""
        self._texts[note_id] = plain(text)
        self._units[note_id] = frozenset(units(text))
        for unit in self._units[note_id]:
            self._by_unit[unit].add(note_id)

    def drop(self, note_id: str) -> None:
        """Leave out a note that is no longer current."""
        self._texts.pop(note_id, None)
        for unit in self._units.pop(note_id, frozenset()):
            self._by_unit[unit].discard(note_id)

    def changed(self, text: str) -> list[tuple[str, str]]:
        """Return the notes that hold what a text says to be so no longer, and where it does.

        Two clauses may say it together, what stopped and what came for it.
        """
        clauses = parts(text)
        pairs = (f"{one.rstrip('，,')}, {other}" for one, other in pairwise(clauses))
        told = [(change(piece), piece) for piece in dict.fromkeys((text, *clauses, *pairs))]
        meant = [(n, piece) for one, piece in told if one is not None for n in self._meant(one)]
        return [(n, piece) for n, piece in meant if self._of_them(n, text)]

    def _of_them(self, note_id: str, text: str) -> bool:
        """Whether a note tells of nobody and of no place left whom a text does not name as well."""
        old, new = self._texts[note_id], plain(text)
        return persons(old) <= persons(new) and set(_FROM.findall(old)) <= set(_FROM.findall(new))

    def otherwise(self, text: str) -> list[str]:
        """The one note whose value, number or way is another one by now."""
        found = list[str]()
        if by_now(text):
            near = dict.fromkeys(
                n for u in units(text) if len(u) > 1 for n in self._by_unit.get(u, ())
            )
            texts = [(n, self._texts[n]) for n in islice(near, MOST)]
            found = [n for n, old in texts if gives_way(old, text) or swapped(text, old)]
            found = found or [n for n, old in texts if opposite(text, old)]
        for said in stated(text) if not found else ():
            if said.verb == "update":
                about = self._held(unit for unit in units(said.subject) if len(unit) > 1)
                some = about if len(about) <= FEW else ()
                found += [n for n in some if requantified(said.value, self._texts[n])]
        found = [n for n in found if self._of_them(n, text)]
        return found if len(found) == 1 else []

    def _meant(self, told: Change) -> list[str]:
        """The one note that a change is about, if it is clear which."""
        ids = self._named(told.old) if told.old else self._held(_needed(told))
        if told.did:
            ids = [n for n in ids if self._did(told, self._texts[n])]
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

    def _did(self, told: Change, text: str) -> bool:
        """Whether a note tells that somebody does what is done no more; who, if it is I."""
        before = text.partition(told.old)[0] if told.old else text
        mine = bool(told.topic) or _OF_ME.match(text) is not None
        did = f"{told.did}是" if told.did == "用" else told.did
        return mine and re.search(f"[{did}](?!的(?!是))", before) is not None

    def _share(self, told: Change, note_id: str) -> float:
        held = self._units[note_id]
        text = self._texts[note_id]
        fits = not told.when or holds_time(text)
        fits = fits and told.also <= held
        fits = fits and (not told.number or requantified(told.number, text, bare=True))
        fits = fits and not _else(told, text)
        fits = fits and not _of_another(told.head, held)
        if not (fits and _needed(told) <= held):
            return 0.0
        return met(told.topic, held)

    def _named(self, value: str) -> list[str]:
        """Notes of one clause that hold a value as it was written; postgres is in postgresql."""
        holding = [note_id for note_id in self._units if value in self._texts[note_id]]
        start = re.compile(rf"(?<![a-z0-9]){re.escape(value)}" if value.isascii() else "")
        return [note_id for note_id in holding if start.search(self._texts[note_id])]

    def _held(self, needed: Iterable[str]) -> list[str]:
        """Notes that hold all units that are needed."""
        holding = [self._by_unit.get(unit, set()) for unit in needed]
        return list(set.intersection(*holding)) if holding else []


def _else(told: Change, text: str) -> bool:
    """Whether a text tells something else of whom or what a change tells no more of: Li left."""
    strong = [unit for unit in told.topic if len(unit) > 1]
    if len(strong) != 1 or told.old or told.when or told.number or told.did:
        return False
    whose = _WHOSE.match(text)
    mine = whose and strong[0].isascii() and not persons(strong[0])
    begun = not mine and text.startswith(strong[0], whose.end() if whose else 0)
    return begun and fact(text) is None and not any(map(str.isdigit, text))


def _of_another(head: str, held: frozenset[str]) -> bool:
    """Whether a text has something else where the topic has its last word: 会员价, 会员数."""
    if not head or head in held:
        return False
    return len(head) == 1 or any(len(unit) == 2 and unit[0] == head[0] for unit in held)


def _needed(told: Change) -> set[str]:
    """What is told of, with all numbers and names: another number is another matter."""
    exact = {unit for unit in told.topic if _EXACT.search(unit)}
    exact |= told.names & told.topic
    return exact | {told.lead} if told.lead else exact

"""What holds of the things found: which gave way to a later word, which contradict each other."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ..statements.clauses import parts, sentences, stated
from ..statements.facts import Fact, fact
from ..statements.frames import rivals
from ..statements.gist import Gist, poles
from ..statements.questions import asks
from ..statements.replacing import contradicts, replaces
from ..statements.revising import revises
from ..statements.succession import overtakes
from .held import Held
from .ranking import CLAUSE, Found

LONGEST = 400
"""Characters of what is looked at sentence by sentence; a longer text tells of many matters."""
MOST = 2
"""Contradicting statements that are named with one."""


@dataclass(frozen=True, slots=True)
class Standing:
    """Whether something found still holds, as far as the other things found tell."""

    by: Found | None = None
    """The newest statement that takes its place, or that of a sentence of it."""
    against: tuple[Found, ...] = ()
    """Statements that can't well hold together with it, the newest first."""


@dataclass(frozen=True, slots=True)
class _Told:
    found: Found
    facts: Sequence[Fact]
    first: Fact | None
    """What it begins with."""
    poles: frozenset[tuple[Gist, bool]]
    """What its clauses affirm or deny."""
    single: bool = False
    """Whether it is a single statement."""
    clauses: Sequence[str] = ()
    sentences: Sequence[str] = ()
    """What was said, one by one."""


def standings(found: Sequence[Found], best: int) -> list[tuple[Found, Standing]]:
    """Return the `best` first of the things found, and how they stand among all of them.

    Of two that contradict each other the newer one comes first.
    """
    all_told = [_told(one) for one in found]
    stand = [(one, _standing(one, all_told)) for one in all_told[:best]]
    order: list[tuple[Found, Standing]] = []
    for told_one, standing in stand:
        newer = [(o.found, s) for o, s in stand if o.found in standing.against]
        newer = [pair for pair in newer if _later(pair[0], told_one.found)]
        order += [pair for pair in (*newer, (told_one.found, standing)) if pair not in order]
    return order


def _told(one: Found) -> _Told:
    said = not one.speaker.startswith("tool:") and '{"' not in one.text
    each = sentences(one.text) if said and len(one.text) <= LONGEST else []
    if not each or len(one.text) > CLAUSE:
        return _Told(one, (), None, frozenset(), sentences=each)
    clauses = parts(one.text)
    about = (poles(clause) for clause in clauses if not asks(clause))
    return _Told(
        one,
        stated(one.text),
        fact(clauses[0]) if clauses else None,
        frozenset(pole for pole in about if pole[0]),
        len(clauses) == 1 and not asks(one.text),
        clauses,
        each,
    )


def _standing(one: _Told, others: Sequence[_Told]) -> Standing:
    later = [other for other in others if _later(other.found, one.found)]
    newer = {other.found: by for other in later if (by := _instead(one, other))}
    latest = max(newer, key=_age, default=None)
    against = [
        other.found
        for other in others
        if other is not one and other.found not in newer and _conflict(one, other)
    ]
    newest = sorted(against, key=_age, reverse=True)
    shown = replace(latest, text=newer[latest]) if latest else None
    return Standing(shown, tuple(newest[:MOST]))


def _instead(old: _Told, new: _Told) -> str:
    """Return what made out of date what was said, what it began with, or a sentence of it."""
    if overtakes(new.found.text, new.facts, old.found.text, old.facts):
        return new.found.text
    if old.first is not None and any(replaces(said, old.first) for said in new.facts):
        return new.found.text
    if old.found.note and new.found.note and len(old.clauses) > 1 and _changed(old, new):
        return new.found.text
    pairs = ((said, before) for said in new.sentences for before in old.sentences)
    return next((said for said, before in pairs if _gave_way(before, said)), "")


def _gave_way(old: str, new: str) -> bool:
    return overtakes(new, stated(new), old, stated(old)) or revises(new, old)


def _changed(old: _Told, new: _Told) -> bool:
    """Whether one of several clauses is no longer so: its note stays, for the others may hold."""
    held = Held()
    for n, clause in enumerate(old.clauses):
        held.put(str(n), clause)
    return bool(held.changed(new.found.text))


def _later(one: Found, other: Found) -> bool:
    """Whether one was said after the other: of one conversation the turns tell, else the times."""
    if one.ts and other.ts and (one.note or other.note) and one.ts != other.ts:
        return one.ts > other.ts
    return one.turn > other.turn


def _age(found: Found) -> tuple[str, int]:
    return found.ts, found.turn


def _conflict(one: _Told, other: _Told) -> bool:
    """Whether neither gave way to the other, and both can't well hold."""
    if any(replaces(a, b) or replaces(b, a) for a in one.facts for b in other.facts):
        found, another = one.found, other.found
        return not (_later(found, another) or _later(another, found))
    if any(contradicts(a, b) for a in one.facts for b in other.facts):
        return True
    if one.single and other.single and rivals(one.found.text, other.found.text):
        return True
    return any((about, not denied) in other.poles for about, denied in one.poles)


def cited(found: Found) -> str:
    """Return what was said with the turn it comes from."""
    return f"{found.text} (#t{found.turn})" if found.turn else found.text

"""What holds of the things found: which gave way to a later word, which contradict each other."""

from collections.abc import Sequence
from dataclasses import dataclass

from ..statements.clauses import parts, stated
from ..statements.facts import Fact, fact
from ..statements.frames import rivals
from ..statements.gist import Gist, poles
from ..statements.questions import asks
from ..statements.replacing import contradicts, replaces
from ..statements.succession import overtakes
from .held import Held
from .ranking import CLAUSE, Found

MOST = 2
"""Contradicting statements that are named with one."""


@dataclass(frozen=True, slots=True)
class Standing:
    """Whether something found still holds, as far as the other things found tell."""

    by: Found | None = None
    """The newest statement that takes its place."""
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
    if len(one.text) > CLAUSE or one.speaker.startswith("tool:") or '{"' in one.text:
        return _Told(one, (), None, frozenset())
    clauses = parts(one.text)
    said = (poles(clause) for clause in clauses if not asks(clause))
    return _Told(
        one,
        stated(one.text),
        fact(clauses[0]) if clauses else None,
        frozenset(pole for pole in said if pole[0]),
        len(clauses) == 1 and not asks(one.text),
        clauses,
    )


def _standing(one: _Told, others: Sequence[_Told]) -> Standing:
    later = [other for other in others if _later(other.found, one.found)]
    newer = [other for other in later if _gave_way(one, other)]
    by = max(newer, key=lambda other: _age(other.found)).found if newer else None
    against = [
        other.found
        for other in others
        if other is not one and other not in newer and _conflict(one, other)
    ]
    newest = sorted(against, key=_age, reverse=True)
    return Standing(by, tuple(newest[:MOST]))


def _gave_way(old: _Told, new: _Told) -> bool:
    """Whether what was said, or what it began with, was made out of date."""
    if overtakes(new.found.text, new.facts, old.found.text, old.facts):
        return True
    if old.found.note and new.found.note and len(old.clauses) > 1 and _changed(old, new):
        return True
    return old.first is not None and any(replaces(said, old.first) for said in new.facts)


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

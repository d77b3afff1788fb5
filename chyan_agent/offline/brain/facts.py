"""Choosing, among all statements in sight, the one that answers a question."""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from ...prompts import Language
from .statements import Statement
from .text import HAN, keys

ENOUGH = 0.6
"""The least share of a question's content words that a statement must hold."""
ELLIPTIC = 0.34
"""The same for a change of something that a fuller statement has introduced."""
MY = (
    (re.compile(r"我们"), "你们"),
    (re.compile(r"我"), "你"),
    (re.compile(r"\b(?:my|our)\b", re.IGNORECASE), "your"),
    (re.compile(r"^\s*(?:the|a|an)\s+", re.IGNORECASE), ""),
)

Order = tuple[int, int, int]
"""Kind of source (system, recorded, live), turn or place, line: compares by age."""


@dataclass(frozen=True, slots=True)
class Item:
    """A text in sight that may hold facts."""

    text: str
    order: Order
    own: bool
    """Whether the user said it or a note or summary records it; not so for tools and answers."""


@dataclass(frozen=True, slots=True)
class Known:
    """A statement that answers, and how well and how lately."""

    statement: Statement
    order: Order
    share: float
    """Of the question's content words, what part it holds."""
    foreign: int
    """How many keys its subject has beyond the question."""

    @property
    def rank(self) -> int:
        """0 is best: all that was asked for and nothing else; 3 can't answer by itself."""
        if self.share < ENOUGH:
            return 3
        return 2 if self.share < 1 else min(self.foreign, 1)

    @property
    def revises(self) -> bool:
        """Whether it may stand for a fuller but older statement of the same thing."""
        return self.statement.update and self.foreign <= 1


Reader = Callable[[str], Sequence[Statement]]


def matching(question: str, items: Iterable[Item], read: Reader) -> list[Known]:
    """Return what answers a question, oldest first: the user's words, else those of others."""
    wanted = keys(question)
    everything = list(items)
    for own in (True, False):
        found = [
            known
            for item in everything
            if item.own is own
            for place, statement in enumerate(read(item.text))
            if (known := _known(wanted, statement, (*item.order[:2], item.order[2] + place)))
        ]
        if any(known.rank < 3 for known in found):
            return sorted(found, key=lambda known: known.order)
    return []


def _known(wanted: frozenset[str], statement: Statement, order: Order) -> Known | None:
    share = statement.share(wanted, statement.text)
    if share < (ELLIPTIC if statement.update else ENOUGH) or not wanted:
        return None
    foreign = _foreign(statement, wanted)
    if share < 1 and (foreign or not statement.about):
        return None
    return Known(statement, order, share, foreign)


def _foreign(statement: Statement, wanted: frozenset[str]) -> int:
    joined = "".join(sorted(key for key in wanted if HAN.match(key)))
    return sum(
        1
        for key in statement.about
        if key not in wanted and not (HAN.match(key) and len(key) == 1 and key in joined)
    )


def sure(known: Sequence[Known]) -> bool:
    """Whether a statement holds every content word of the question."""
    return any(k.share == 1 for k in known)


def newest(known: Sequence[Known]) -> Known | None:
    """Return what holds now: of the best-matching the latest, or a later change of it."""
    if not known:
        return None
    best = min(k.rank for k in known)
    chosen = [k for k in known if k.rank == best][-1]
    later = [k for k in known if k.order > chosen.order and k.revises]
    return later[-1] if later else chosen


def earlier(known: Sequence[Known], *, first: bool) -> Known | None:
    """Return what held first of all, or just before the present value."""
    values: dict[str, Known] = {}
    for k in known:
        if k.rank < 2 or k.revises:
            values.setdefault(k.statement.value, k)
    ordered = list(values.values())
    if first:
        return ordered[0] if ordered else None
    return ordered[-2] if len(ordered) > 1 else None


def yours(subject: str, language: Language) -> str:
    """Turn the user's `my` into the answerer's `your`."""
    del language
    for pattern, other in MY:
        subject = pattern.sub(other, subject)
    return subject.strip()

"""Which of the things found comes first: by kind of sentence, and by what replaced what."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from ..statements.chatter import idle
from ..statements.clauses import sentences, stated
from ..statements.facts import Fact, normalise
from ..statements.questions import asks
from ..statements.succession import overtakes
from . import Note

QUESTION = 0.5
"""A question asks for what it doesn't hold."""
IDLE = 0.3
"""An acknowledgement holds nothing; what it answers does."""
OUTDATED = 0.5
SAME = 0.6
"""Two texts of which one holds the other, and is this share of it, say the same."""
KEPT = 256
"""Texts of which it is remembered what they state."""
CLAUSE = 160
"""Characters up to which a text is taken for a question or a statement; longer ones tell more."""


@dataclass(frozen=True, slots=True)
class Found:
    """A candidate with its text."""

    text: str
    turn: int
    speaker: str
    score: float
    note: Note | None = None
    document: int = -1
    """Its number in the index."""
    ts: str = ""
    """When it was said; empty where that is not known."""


def merged(found: Iterable[Found]) -> list[Found]:
    """Order candidates, best and then newest first, without those that repeat another."""
    kept: list[Found] = []
    texts: list[str] = []
    for one in _ordered([_discounted(one) for one in found if one.text]):
        text = normalise(one.text)
        if not any(_same(text, other) for other in texts):
            kept.append(one)
            texts.append(text)
    return _ordered(_outdated(kept))


def _ordered(found: list[Found]) -> list[Found]:
    return sorted(found, key=lambda one: (-round(one.score, 6), -one.turn))


@lru_cache(maxsize=KEPT)
def told(text: str) -> tuple[Fact, ...]:
    """Return what a text states. Of one recall the same texts are asked for again and again."""
    return tuple(stated(text))


def only_asks(text: str) -> bool:
    """Whether a text is a question that states nothing by itself."""
    if len(text) > CLAUSE or not asks(text) or told(text):
        return False
    return all(asks(sentence) or idle(sentence) for sentence in sentences(text))


def _discounted(one: Found) -> Found:
    loss = IDLE if idle(one.text) else QUESTION if only_asks(one.text) else 1.0
    return replace(one, score=one.score * loss)


def _same(text: str, other: str) -> bool:
    short, long = sorted((text, other), key=len)
    return short in long and len(short) >= SAME * len(long)


def _outdated(found: list[Found]) -> list[Found]:
    """Move what a newer statement about the same subject has overtaken below that statement."""
    said = [(one, told(one.text) if len(one.text) <= CLAUSE else ()) for one in found]
    return [replace(one, score=_score(one, facts, said)) for one, facts in said]


def _score(
    one: Found, facts: Sequence[Fact], said: Sequence[tuple[Found, Sequence[Fact]]]
) -> float:
    """Return the score, or less than that of the weakest that overtakes all that is stated here."""
    later = [
        other.score
        for other, news in said
        if other.turn > one.turn and overtakes(other.text, news, one.text, facts)
    ]
    return min(one.score, OUTDATED * min(later)) if later else one.score

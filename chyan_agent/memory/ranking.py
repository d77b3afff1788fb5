"""Which of the things found comes first: by kind of sentence, and by what replaced what."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from ..late import Late
from ..statements.chatter import idle
from ..statements.clauses import sentences, stated
from ..statements.facts import Fact, normalise
from ..statements.gist import units
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
CLAUSE = 160
"""Characters up to which a text is taken for a question or a statement; longer ones tell more."""

_OTHERWISE = Late(
    r"\d|[不没未别勿非无莫<>≥≤%$€£¥+-]|以前|曾|\b(?:not|never|no|nor|without|was|were|used)\b|n't\b"
)
"""What makes another statement of one: a denial, a number, a sign, the past."""
_GIVEN = Late(r':\s?"([^"]+)"')
"""The texts that a call passes on."""
_BEGUN = Late(r"[a-z0-9][-_./@:]?$")
_GOES_ON = Late(r"[-_./@:]?[a-z0-9]")
"""A word or a name of which only a part stands in the other text."""


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
    kept: list[tuple[Found, str]] = []
    for one in _ordered([_discounted(one) for one in found if one.text]):
        text = normalise(one.text)
        if not any(_repeats(one, text, other, known) for other, known in kept):
            kept.append((one, text))
    return _ordered(_outdated([one for one, _ in kept]))


def unsaid_first(found: Sequence[Found], context: Sequence[str]) -> list[Found]:
    """Put last the notes that say nothing but what a follow-up leans on: it was just said."""
    known = frozenset(unit for text in context for unit in units(text))
    return sorted(found, key=lambda one: one.note is not None and _strong(one.text) <= known)


def _strong(text: str) -> frozenset[str]:
    return frozenset(unit for unit in units(text) if len(unit) > 1)


def _ordered(found: list[Found]) -> list[Found]:
    return sorted(found, key=lambda one: (-round(one.score, 6), -one.turn))


def only_asks(text: str) -> bool:
    """Whether a text is a question that states nothing by itself."""
    if len(text) > CLAUSE or not asks(text) or stated(text):
        return False
    return all(asks(sentence) or idle(sentence) for sentence in sentences(text))


def _discounted(one: Found) -> Found:
    loss = IDLE if idle(one.text) else QUESTION if only_asks(one.text) else 1.0
    return replace(one, score=one.score * loss)


def _repeats(one: Found, text: str, other: Found, known: str) -> bool:
    """Whether two things found say the same. Two notes do not, or they were one note."""
    if text == known or (one.turn == other.turn and _called(text, known)):
        return True
    return (one.note is None or other.note is None) and _same(text, known)


def _called(text: str, asked: str) -> bool:
    """Whether a text is a call that only passes on what was asked for in its turn."""
    name, _, arguments = text.partition(" ")
    if not arguments.startswith("{") or not name.isidentifier():
        return False
    given = _GIVEN.findall(arguments)
    return bool(given) and all(value in asked for value in given)


def _same(text: str, other: str) -> bool:
    """Whether one text holds the other, whole, and nothing beside it that makes another of it."""
    short, long = sorted((text, other), key=len)
    if len(short) < SAME * len(long) or not short:
        return False
    start = long.find(short)
    if start < 0:
        return False
    before, after = long[:start], long[start + len(short) :]
    begun = short[0].isascii() and _BEGUN.search(before[-2:])
    if begun or (short[-1].isascii() and _GOES_ON.match(after)):
        return False
    return _OTHERWISE.search(f"{before} {after}") is None


def _outdated(found: list[Found]) -> list[Found]:
    """Move what a newer statement about the same subject has overtaken below that statement."""
    said = [(one, stated(one.text) if len(one.text) <= CLAUSE else ()) for one in found]
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

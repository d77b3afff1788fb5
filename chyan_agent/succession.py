"""Which piece of evidence takes the place of which: one a key, the last word wins. Pure."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from .clauses import stated
from .facts import Fact, replaces
from .gist import meanings
from .state import Evidence

AGENT = "agent: "
"""Begins the key of what the agent or a tool said of a subject."""
VALUE = " = "
"""Divides the key of a statement that others may stand beside: `小明 = 医生`."""
PAST = "past "
"""Begins the key of a statement that another one took the place of: its history."""


def merge(old: Iterable[Evidence], new: Iterable[Evidence]) -> tuple[Evidence, ...]:
    """Join pieces: one a key, the last one said, ordered by turn. What it replaced is history.

    What the agent said of a subject never displaces nor repeats what the user said of it.
    """
    kept: dict[str, Evidence] = {}
    for piece in (*old, *new):
        if piece.key.startswith(AGENT) and _known(kept.values(), piece.key[len(AGENT) :]):
            continue
        for key in _outdated(kept, piece):
            _retire(kept, key, piece)
        kept[piece.key or piece.text] = piece
    return tuple(sorted(kept.values(), key=lambda piece: piece.turn))


def _retire(kept: dict[str, Evidence], key: str, by: Evidence) -> None:
    """Take a piece out; what the user stated stays as history when it said something else."""
    old = kept.pop(key, None)
    if old is None or old.kind != "fact" or by.kind != "fact" or _same(old.text, by.text):
        return
    past = replace(old, kind="past", key=f"{PAST}{old.turn} {old.key}")
    kept[past.key] = past


def _same(text: str, other: str) -> bool:
    return meanings(text) == meanings(other)


def _known(pieces: Iterable[Evidence], subject: str) -> bool:
    return any(piece.kind == "fact" and _subject(piece) == subject for piece in pieces)


def _outdated(kept: Mapping[str, Evidence], piece: Evidence) -> list[str]:
    """Keys that a piece takes the place of. An update may name the end of the subject only."""
    outdated = [piece.key or piece.text]
    if piece.kind != "fact":
        return outdated
    subject = _subject(piece)
    outdated.append(AGENT + subject)
    if piece.key == subject and len(subject) > 1 and _updates(piece):
        facts = [(key, _subject(old)) for key, old in kept.items() if old.kind == "fact"]
        same = [key for key, other in facts if other == subject]
        longer = [key for key, other in facts if other.endswith(subject)]
        outdated += same or (longer if len(longer) == 1 else [])
    said = stated(piece.text)
    outdated += [key for key, old in kept.items() if old.kind == "fact" and _changes(said, old)]
    return list(dict.fromkeys(outdated))


def _changes(said: Sequence[Fact], old: Evidence) -> bool:
    """Whether all that a piece states is made out of date, about the very same subject."""
    before = stated(old.text)
    return bool(before) and all(
        any(new.subject == fact.subject and replaces(new, fact) for new in said) for fact in before
    )


def _updates(piece: Evidence) -> bool:
    return any(said.verb == "update" for said in stated(piece.text))


def _subject(piece: Evidence) -> str:
    return piece.key.partition(VALUE)[0]

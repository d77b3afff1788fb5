"""Which piece of evidence takes the place of which: one a key, the last word wins. Pure."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from ..state import Evidence
from .chatter import idle
from .clauses import parts, stated
from .facts import Fact, fact
from .replacing import ends, replaces
from .revising import revises
from .senses import meaning, meanings
from .subjects import MINE, same_subject

AGENT = "agent: "
"""Begins the key of what the agent or a tool said of a subject."""
VALUE = " = "
"""Divides the key of a statement that others may stand beside: `小明 = 医生`."""
PAST = "past "
"""Begins the key of a statement that another one took the place of: its history."""
CHANGED = "changed @t"
"""Begins the key of a piece of which a later turn, whose number follows, gives another value."""
_UNCHANGING = frozenset({"past", "changed", "asked", "row"})


def merge(old: Iterable[Evidence], new: Iterable[Evidence]) -> tuple[Evidence, ...]:
    """Join pieces: one a key, the last one said, ordered by turn. What it replaced is history.

    Those that are `old` were joined before. What the agent said of a subject never displaces nor
    repeats what the user said of it.
    """
    kept = {piece.key or piece.text: piece for piece in old}
    for piece in new:
        if piece.key.startswith(AGENT) and _known(kept.values(), piece.key[len(AGENT) :]):
            continue
        for key in _outdated(kept, piece):
            _retire(kept, key, piece)
        _point(kept, piece)
        kept[piece.key or piece.text] = piece
    return tuple(sorted(kept.values(), key=lambda piece: piece.turn))


def _retire(kept: dict[str, Evidence], key: str, by: Evidence) -> None:
    """Take a piece out; what the user stated stays as history when it said something else."""
    old = kept.pop(key, None)
    if old is None or old.kind != "fact" or by.kind != "fact" or _same(old.text, by.text):
        return
    past = replace(old, kind="past", key=f"{PAST}{old.turn} {old.key}")
    kept[past.key] = past


def _point(kept: dict[str, Evidence], to: Evidence) -> None:
    """Let the one piece that a later one revises tell so. It stays: it may tell more than that."""
    if to.file or to.kind in _UNCHANGING:
        return
    earlier = (e for e in kept.values() if e.turn < to.turn and e.kind not in _UNCHANGING)
    revised = [e for e in earlier if e.key != to.key and revises(to.text, e.text)]
    if len(revised) == 1:
        del kept[revised[0].key or revised[0].text]
        key = f"{CHANGED}{to.turn} {revised[0].key}"
        kept[key] = replace(revised[0], kind="changed", key=key)


def changed_by(piece: Evidence) -> str:
    """Return the number of the turn that gives another value than a piece; empty if none does."""
    return piece.key.removeprefix(CHANGED).partition(" ")[0] if piece.kind == "changed" else ""


def _same(text: str, other: str) -> bool:
    return meanings(text) == meanings(other)


def overtakes(new: str, news: Sequence[Fact], old: str, olds: Sequence[Fact]) -> bool:
    """Tell whether a text makes all out of date that an older one states.

    `news` and `olds` are what they state. A clause may leave out whom it is about: what else an
    old text says must be said in the new one as well.
    """
    if not olds or not all(any(replaces(fact, before) for fact in news) for before in olds):
        return False
    rest = [clause for clause in parts(old) if fact(clause) is None and not idle(clause)]
    if not rest:
        return True
    told = meanings(new)
    return all(meaning(clause) in told for clause in rest)


def _known(pieces: Iterable[Evidence], subject: str) -> bool:
    return any(p.kind == "fact" and same_subject(subject, _subject(p)) for p in pieces)


def _outdated(kept: Mapping[str, Evidence], piece: Evidence) -> list[str]:
    """Keys that a piece takes the place of. An update may name the end of the subject only."""
    outdated = [piece.key or piece.text]
    if piece.kind != "fact":
        return outdated
    subject, said = _subject(piece), stated(piece.text)
    outdated += [AGENT + subject, AGENT + subject.removeprefix(MINE)]
    facts = [(key, _subject(old)) for key, old in kept.items() if old.kind == "fact"]
    update = next((f for f in said if f.verb == "update" and f.subject == subject), None)
    if piece.key == subject and update is not None:
        same = [key for key, other in facts if same_subject(subject, other)]
        longer = [key for key, other in facts if ends(update, other)]
        outdated += same or (longer if len(longer) == 1 else [])
    about = [key for key, other in facts if _is_of(other, said)]
    outdated += [key for key in about if _changes(piece, said, kept[key])]
    return list(dict.fromkeys(outdated))


def _is_of(subject: str, said: Sequence[Fact]) -> bool:
    return any(same_subject(subject, one.subject) for one in said)


def _changes(piece: Evidence, said: Sequence[Fact], old: Evidence) -> bool:
    """Whether all that a piece states is made out of date, about the very same subject."""
    before = stated(old.text)
    same = all(_is_of(one.subject, said) for one in before)
    return same and overtakes(piece.text, said, old.text, before)


def _subject(piece: Evidence) -> str:
    return piece.key.partition(VALUE)[0]

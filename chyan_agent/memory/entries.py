"""Lines of the notes log: a note, its being said again, its being forgotten; to JSON and back."""

from dataclasses import dataclass
from typing import Literal, cast, get_args

from ..durable.records import newer, unseal
from ..errors import VersionError
from ..prompts import errors as say
from . import Note, Source

VERSION = 2
"""Of what an older program would miss: a note that it took for current though it is forgotten."""
PLAIN = 1


@dataclass(frozen=True, slots=True)
class Again:
    """A note that was said once more, perhaps in other words."""

    of: str
    text: str
    source: Source
    turn: int
    ts: str
    key: str


@dataclass(frozen=True, slots=True)
class Forgotten:
    """A note that the user took back. Its line stays in the log."""

    of: str
    ts: str


Entry = Note | Again | Forgotten


def to_json(entry: Entry) -> dict[str, object]:
    """Return an entry as the object of its line."""
    match entry:
        case Forgotten():
            return {"v": VERSION, "kind": "forgotten", "of": entry.of, "ts": entry.ts}
        case Again():
            head: dict[str, object] = {"v": VERSION, "kind": "again", "of": entry.of}
            return head | _said(entry) | {"text": entry.text}
    head = {"v": PLAIN, "id": entry.id}
    return head | _said(entry) | {"text": entry.text, "supersedes": entry.supersedes}


def _said(entry: Note | Again) -> dict[str, object]:
    return {"turn": entry.turn, "ts": entry.ts, "source": entry.source, "key": entry.key}


def read_entry(line: bytes) -> Entry:
    """Read a line of the log. Raises ValueError, and VersionError for a newer program's."""
    try:
        data = unseal(line)
    except ValueError:
        refuse_newer(line)
        raise
    return from_json(data)


def refuse_newer(line: bytes) -> None:
    """Raise VersionError for an unsealed line that a newer program may have sealed otherwise."""
    version = newer(line, VERSION)
    if version is not None:
        raise _newer(version)


def _newer(version: int) -> VersionError:
    return VersionError(say.NEWER_NOTE.of(version=version, ours=VERSION), hint=say.NEWER_HINT)


def from_json(data: dict[str, object]) -> Entry:
    """Read an entry back. Raises ValueError, and VersionError for a newer program's."""
    version = data.get("v")
    if isinstance(version, int) and version > VERSION:
        raise _newer(version)
    kind = data.get("kind", "note")
    if kind == "forgotten":
        return Forgotten(**_texts(data, "of", "ts"))
    turn, source = data.get("turn"), data.get("source")
    if not isinstance(turn, int) or source not in get_args(Source):
        raise ValueError("turn or source missing or of the wrong type")
    known = cast("Literal['user']", source)
    if kind == "again":
        return Again(turn=turn, source=known, **_texts(data, "of", "text", "ts", "key"))
    if kind != "note":
        raise ValueError(f"unknown kind {kind!r}")
    texts = _texts(data, "id", "ts", "key", "text", "supersedes")
    return Note(turn=turn, source=known, **texts)


def _texts(data: dict[str, object], *names: str) -> dict[str, str]:
    texts = {name: data.get(name) for name in names}
    wrong = [name for name, value in texts.items() if not isinstance(value, str)]
    if wrong:
        raise ValueError(f"{', '.join(wrong)} missing or of the wrong type")
    return cast("dict[str, str]", texts)

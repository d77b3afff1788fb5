"""Notes to a JSON file and back: our own form, and lists of memories as other programs keep them.

The file is a list of objects; each current note carries those that it replaced, oldest first, and
the times at which it was said. `replaced_by` names which of them came between a note and the
current one; an older form, where a replaced note carried its own, is read as well. `content` names
the text, as in the plain `memories.json` of other agents.
"""

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import MAXYEAR, MINYEAR, UTC, datetime
from typing import cast, get_args

from ..errors import ConfigError
from ..messages import clean
from ..prompts import memory as say
from . import Brought, Note, Origin, Source
from .notes import LONGEST
from .shelf import Shelf

MOST_BYTES = 64 * 2**20
MOST_NOTES = 100_000
MOST_TURNS = 10**9

TEXTS = ("content", "text", "memory", "fact", "note", "value")
"""Names under which programs keep the text of a memory."""
TIMES = ("ts", "timestamp", "created_at", "created", "time", "date", "updated_at")
LISTS = ("memories", "notes", "items", "data", "facts")

Object = Mapping[str, object]


def exported(shelf: Shelf) -> str:
    """Return the current notes with their history as JSON."""
    items = [_item(note, shelf) for note in shelf.current()]
    return json.dumps(items, ensure_ascii=False, indent=1) + "\n"


def _item(note: Note, shelf: Shelf) -> dict[str, object]:
    old = shelf.before(note)[::-1]
    item = _told(note, shelf)
    if old:
        item["replaced"] = [
            _told(one, shelf) | ({} if newer == note.id else {"replaced_by": newer})
            for one, newer in old
        ]
    return item


def _told(note: Note, shelf: Shelf) -> dict[str, object]:
    first, *again = shelf.origins(note)
    item = {"id": note.id, **_said(first)}
    return item | ({"said_again": [_said(one) for one in again]} if again else {})


def _said(one: Origin) -> dict[str, object]:
    return {"content": one.text, "source": one.source, "turn": one.turn, "timestamp": one.ts}


def imported(data: bytes, name: str) -> list[Brought]:
    """Return the notes of a file, oldest first. Raises ConfigError, which says where it is wrong.

    Turns of another conversation mean nothing here: they stay in the key of a note alone.
    """
    if len(data) > MOST_BYTES:
        raise ConfigError(say.TOO_LARGE.of(name=name, most=MOST_BYTES // 2**20), hint=say.FORM_HINT)
    try:
        value = json.loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        problem = say.NOT_JSON.of(name=name, problem=str(error)[:120])
        raise ConfigError(problem, hint=say.FORM_HINT) from None
    items = _list(value, name)
    if len(items) > MOST_NOTES:
        raise ConfigError(say.TOO_MANY.of(name=name, most=MOST_NOTES), hint=say.FORM_HINT)
    return [one for place, item in enumerate(items, 1) for one in _read(item, f"{place}", name)]


def _list(value: object, name: str) -> list[object]:
    if isinstance(value, Mapping):
        value = next((value[key] for key in LISTS if isinstance(value.get(key), list)), None)
    if not isinstance(value, list):
        raise ConfigError(say.NO_LIST.of(name=name), hint=say.FORM_HINT)
    return value


def _read(item: object, place: str, name: str) -> list[Brought]:
    """Return what an item replaced, the item itself, and the times at which it was said again."""
    found, older = list[list[Brought]](), defaultdict[str, list[str]](list)
    waiting = [(item, place)]
    while waiting:
        part, at = waiting.pop()
        fields = _fields(part, at, name)
        old = [
            (one, f"{at}.{number}")
            for number, one in enumerate(_parts(fields, "replaced", at, name), 1)
        ]
        for named, newer in _links(old, at):
            older[newer].append(named)
        waiting += old
        first = Brought(_origin(fields, at, name), at, tuple(older.pop(at, ())), at != place)
        found.append([first, *_again(fields, at, name, replaced=at != place)])
    return [one for said in reversed(found) for one in said]


def _links(old: Sequence[tuple[object, str]], place: str) -> list[tuple[str, str]]:
    """Return the place of each replaced note and that of what replaced it: one further on there,
    or the note that carries them all."""
    found, later = list[tuple[str, str]](), dict[str, str]()
    for part, at in reversed(old):
        fields = part if isinstance(part, Mapping) else {}
        newer, known = fields.get("replaced_by"), fields.get("id")
        found.append((at, later.get(newer, place) if isinstance(newer, str) else place))
        if isinstance(known, str):
            later[known] = at
    return found[::-1]


def _again(fields: Object, place: str, name: str, *, replaced: bool) -> Iterator[Brought]:
    for part in _parts(fields, "said_again", place, name):
        if not isinstance(part, Mapping):
            raise ConfigError(say.BAD_ITEM.of(name=name, place=place), hint=say.FORM_HINT)
        yield Brought(_origin(part, place, name), replaced=replaced)


def _fields(item: object, place: str, name: str) -> Object:
    fields = {"content": item} if isinstance(item, str) else item
    if not isinstance(fields, Mapping):
        raise ConfigError(say.BAD_ITEM.of(name=name, place=place), hint=say.FORM_HINT)
    return fields


def _parts(fields: Object, key: str, place: str, name: str) -> list[object]:
    value = fields.get(key, [])
    if not isinstance(value, list):
        raise ConfigError(say.BAD_ITEM.of(name=name, place=place), hint=say.FORM_HINT)
    return value


def _origin(fields: Object, place: str, name: str) -> Origin:
    given = (fields[key] for key in TEXTS if isinstance(fields.get(key), str))
    text = clean(str(next(given, ""))).strip()
    if not text:
        raise ConfigError(say.NO_TEXT.of(name=name, place=place), hint=say.FORM_HINT)
    if len(text) > LONGEST:
        problem = say.LONG_ITEM.of(name=name, place=place, length=len(text), most=LONGEST)
        raise ConfigError(problem, hint=say.FORM_HINT)
    source, turn = fields.get("source"), fields.get("turn")
    known = cast("Source", source) if source in get_args(Source) else "user"
    counted = isinstance(turn, int) and not isinstance(turn, bool) and 0 < turn < MOST_TURNS
    key = f"import:{turn}" if counted else "import"
    return Origin(text, known, 0, _time(fields), key)


def _time(fields: Object) -> str:
    """Return the time of a note as we write it; empty where there is none that can be read."""
    for key in TIMES:
        value = fields.get(key)
        if isinstance(value, int | float) and not isinstance(value, bool):
            return _from_epoch(value)
        if isinstance(value, str) and value.strip():
            return _from_text(value.strip())
    return ""


def _from_epoch(seconds: float) -> str:
    try:
        seconds = seconds / 1000 if abs(seconds) > 10**11 else seconds
        return _as_written(datetime.fromtimestamp(seconds, UTC))
    except (ValueError, OverflowError, OSError):
        return ""


def _from_text(text: str) -> str:
    try:
        time = datetime.fromisoformat(text)
        return _as_written(
            time.replace(tzinfo=UTC) if time.tzinfo is None else time.astimezone(UTC)
        )
    except (ValueError, OverflowError):
        return ""


def _as_written(time: datetime) -> str:
    """Return a time as we write it, if it is one in every zone of the world."""
    whole = MINYEAR < time.year < MAXYEAR
    return time.isoformat(timespec="milliseconds") if whole else ""

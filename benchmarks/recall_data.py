"""Sets of stores with questions whose evidence is known, as the recall benchmark reads them.

A set is a folder of `.jsonl` files; a line is a store: `{"corpus": [{"id", "text", "time"?,
"speaker"?, "session"?}], "queries": [{"id", "text", "relevant": [ids], "kind"?, "time"?,
"context"?}]}`. Keys with a question mark may be missing; others are passed over.
"""

import json
import sys
from codecs import BOM_UTF8
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Item:
    """Something that can be found."""

    id: str
    text: str
    time: str = ""
    speaker: str = ""
    session: str = ""


@dataclass(frozen=True, slots=True)
class Question:
    """A question and the ids of what answers it, all of which its store holds."""

    id: str
    text: str
    relevant: frozenset[str]
    kind: str = ""
    now: str = ""
    """When it is asked; empty if the set doesn't say: nothing is counted back from then."""
    context: tuple[str, ...] = ()
    """What was said just before, oldest first."""


@dataclass(frozen=True, slots=True)
class World:
    """A store and the questions to it."""

    items: tuple[Item, ...]
    questions: tuple[Question, ...]

    def told(self, number: int) -> str:
        """Return the text of an item by its place."""
        return self.items[number].text


@dataclass(frozen=True, slots=True)
class Skipped:
    """A line that is no store, or a file that can't be read."""

    place: str
    reason: str

    def __str__(self) -> str:
        return f"{self.place}: {self.reason}"


def sets(folder: Path, wanted: Sequence[str] = ()) -> dict[str, list[Path]]:
    """Return the files of each set, by its name; of those wanted alone if any are.

    Raises FileNotFoundError if there is no such set.
    """
    found = {
        one.name: sorted(one.glob("*.jsonl")) for one in sorted(folder.iterdir()) if one.is_dir()
    }
    if not any(found.values()) and list(folder.glob("*.jsonl")):
        found = {folder.resolve().name: sorted(folder.glob("*.jsonl"))}  # a set itself
    found = {name: files for name, files in found.items() if files}
    missing = [name for name in wanted if name not in found] if found else [str(folder)]
    if missing:
        raise FileNotFoundError(f"no set {', '.join(missing)} in {folder}")
    return {name: files for name, files in found.items() if not wanted or name in wanted}


def worlds(path: Path) -> Iterator[World]:
    """Yield the stores of a file. Raises ValueError for a line that is no store."""
    for one in stores(path):
        if isinstance(one, Skipped):
            raise ValueError(str(one))
        yield one


def stores(path: Path) -> Iterator[World | Skipped]:
    """Yield the stores of a file, and what stands where a line is none."""
    try:
        with path.open("rb") as lines:
            bare = (line.removeprefix(BOM_UTF8).strip() for line in lines)
            yield from (_read(one, f"{path}:{n}") for n, one in enumerate(bare, 1) if one)
    except OSError as error:
        yield Skipped(str(path), error.strerror or str(error))


def _read(line: bytes, place: str) -> World | Skipped:
    try:
        return _world(json.loads(line.decode("utf-8")))
    except (LookupError, TypeError, AttributeError, ValueError, RecursionError) as error:
        return Skipped(place, f"no store: {error!r}"[:200])


def _world(stored: Mapping[str, Sequence[Mapping[str, object]]]) -> World:
    items = tuple(_item(number, entry) for number, entry in enumerate(stored["corpus"]))
    known = frozenset(item.id for item in items)
    asked = stored.get("queries") or ()
    return World(items, tuple(_question(n, entry, known) for n, entry in enumerate(asked)))


def _text(entry: Mapping[str, object], *keys: str) -> str:
    """Return the first of some keys that has a value, as text."""
    return next((str(entry[key]) for key in keys if entry.get(key) not in (None, "")), "")


def _item(number: int, entry: Mapping[str, object]) -> Item:
    return Item(
        id=_text(entry, "id") or str(number),
        text=str(entry["text"]),
        time=_text(entry, "time"),
        speaker=_text(entry, "speaker"),
        session=_text(entry, "session"),
    )


def _question(number: int, entry: Mapping[str, object], known: frozenset[str]) -> Question:
    relevant, context = entry.get("relevant") or (), entry.get("context") or ()
    if not isinstance(relevant, list | tuple) or not isinstance(context, list | tuple):
        raise TypeError("relevant and context are lists")
    return Question(
        id=_text(entry, "id") or str(number),
        text=str(entry["text"]),
        relevant=frozenset(map(str, relevant)) & known,
        kind=_text(entry, "kind"),
        now=_text(entry, "time", "ask_time"),
        context=tuple(map(str, context)),
    )


def said(text: str) -> None:
    """Report progress where it doesn't mix with the result."""
    print(text, file=sys.stderr, flush=True)

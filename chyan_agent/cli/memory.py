"""`/memory` and `chyan-agent memory`: the notes seen, searched, changed, taken back, carried."""

from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path

from ..errors import ConfigError
from ..memory import Hit, Memory, Note, Origin
from ..memory.notebook import Notebook, Story
from ..prompts import Language
from ..prompts import memory as say
from ..prompts.said import Said
from ..tools.recalled import NEAREST, minute
from .lines import COLUMNS
from .show import Screen
from .terminal import harmless, one_line, pad

SHOWN_HITS = 8
ACTIONS = {
    "list": ("list", "列出", "全部"),
    "search": ("search", "find", "搜索", "检索", "查找"),
    "show": ("show", "查看", "显示"),
    "edit": ("edit", "修改", "更改"),
    "forget": ("forget", "delete", "remove", "忘记", "删除"),
    "export": ("export", "导出"),
    "import": ("import", "导入"),
}
"""Action to the words for it."""
_NAMES = {word: action for action, words in ACTIONS.items() for word in words}


class MemoryDesk:
    """Does what the owner of the notes asks; what comes of it goes to a screen."""

    def __init__(self, memory: Memory, screen: Screen, language: Language) -> None:
        self._memory = memory
        self._screen = screen
        self._language = language
        self._acts: dict[str, Callable[[str], None]] = {
            "list": self._list,
            "search": self._search,
            "show": self._show,
            "edit": self._edit,
            "forget": self._forget,
            "export": self._export,
            "import": self._import,
        }

    @property
    def _notes(self) -> Notebook:
        return self._memory.notebook

    def run(self, asked: str) -> None:
        """Carry out `list`, `show n3`, `export FILE` …; other words are searched for.

        Raises ConfigError, and StorageError.
        """
        word, _, rest = asked.strip().partition(" ")
        action = _NAMES.get(word.casefold(), "search" if word else "list")
        named = word.casefold() in _NAMES
        rest = rest.strip() if named else asked.strip()
        if action == "list" and rest:
            action, rest = "search", asked.strip()
        if action != "list" and not rest:
            raise ConfigError(say.USAGE[action], hint=say.USAGE_HINT)
        self._acts[action](rest)

    def _text(self, said: Said) -> str:
        return said.text(self._language)

    def _list(self, _: str) -> None:
        notes = self._notes.current()
        if not notes:
            self._screen.say(self._text(say.NO_NOTES))
        columns = max((len(note.id) for note in notes), default=0)
        for note in notes:
            line = f"{pad(note.id, columns)} {_cite(note.turn):>6}  {one_line(note.text, COLUMNS)}"
            self._screen.row(_fields("note", note), line)

    def _search(self, words: str) -> None:
        found = self._memory.recall(words, SHOWN_HITS)
        if not found:
            self._screen.say(self._text(say.NO_HITS.of(query=words)))
        elif not any(hit.met for hit in found):
            self._screen.say(self._text(say.ONLY_NEAR.of(query=words)))
            found = found[:NEAREST]
        for hit in found:
            self._screen.row(_hit_fields(hit), self._hit_line(hit))

    def _hit_line(self, hit: Hit) -> str:
        line = f"{_cite(hit.turn):>6}  {hit.speaker}: {one_line(hit.text, COLUMNS)}"
        told = [(say.REPLACES, hit.replaces), (say.SUPERSEDED, hit.superseded)]
        told += [(say.CONFLICTS, text) for text in hit.conflicts]
        for said, text in told:
            if text:
                line += f"\n{'':>8}{self._text(said.of(text=one_line(text, COLUMNS)))}"
        return line

    def _show(self, note_id: str) -> None:
        story = self._notes.story(note_id)
        self._screen.row(_story_fields(story), "\n".join(self._story(story)))

    def _story(self, story: Story) -> Iterable[str]:
        yield f"{story.note.id}  {harmless(story.note.text)}"
        if story.forgotten:
            yield f"  {self._text(say.STATE_FORGOTTEN)}"
        elif story.successor is None or story.successor is not story.note:
            newer = story.successor
            text = f"{newer.id} {one_line(newer.text, COLUMNS)}" if newer else ""
            yield f"  {self._text(say.STATE_REPLACED.of(by=text))}"
        for one in story.origins:
            yield f"  {self._origin(one, story.note)}"
        for old in story.replaced:
            said = say.REPLACED.of(id=old.id, time=minute(old.ts), text=one_line(old.text, COLUMNS))
            yield f"  {self._text(said)}"

    def _origin(self, one: Origin, note: Note) -> str:
        who = self._text(say.SOURCES[one.source])
        where = _cite(one.turn) if one.turn else one.key
        words = "" if one.text == note.text else f"  “{one_line(one.text, COLUMNS)}”"
        return " · ".join(filter(None, (who, where, minute(one.ts)))) + words

    def _edit(self, rest: str) -> None:
        note_id, _, text = rest.partition(" ")
        if not text.strip():
            raise ConfigError(say.USAGE["edit"], hint=say.USAGE_HINT)
        note = self._notes.edit(note_id, text.strip())
        said = say.EDITED.of(id=note.id, old=note.supersedes, text=one_line(note.text, COLUMNS))
        self._screen.row(_fields("edited", note), self._text(said))

    def _forget(self, note_id: str) -> None:
        note = self._notes.forget(note_id)
        said = say.FORGOTTEN.of(id=note.id, text=one_line(note.text, COLUMNS))
        lines = [self._text(said)]
        if note.turn:
            lines.append(self._text(say.STILL_SAID.of(turn=note.turn)))
        self._screen.row(_fields("forgotten", note), "\n".join(lines))

    def _export(self, name: str) -> None:
        count = self._notes.export(_path(name))
        said = say.EXPORTED.of(count=count, path=name)
        fields = {"event": "exported", "notes": count, "path": name}
        self._screen.row(fields, self._text(said))

    def _import(self, name: str) -> None:
        taken = self._notes.take(_path(name))
        counts = {
            "added": taken.added,
            "updated": taken.updated,
            "known": taken.known,
            "secrets": taken.secrets,
        }
        lines = [self._text(say.IMPORTED.of(**counts))]
        if taken.secrets:
            lines.append(self._text(say.SECRETS_LEFT_OUT.of(count=taken.secrets)))
        self._screen.row({"event": "imported", **counts}, "\n".join(lines))


def _cite(turn: int) -> str:
    return f"#t{turn}" if turn else "-"


def _path(name: str) -> Path:
    """Return the path that is meant; no path holds a NUL, and not every `~name` is a home."""
    path = Path(name.replace("\0", ""))
    with suppress(RuntimeError):
        return path.expanduser()
    return path


def _fields(event: str, note: Note) -> dict[str, object]:
    return {
        "event": event,
        "id": note.id,
        "text": note.text,
        "source": note.source,
        "turn": note.turn,
        "ts": note.ts,
        "replaces": note.supersedes.split(",") if note.supersedes else [],
    }


def _story_fields(story: Story) -> dict[str, object]:
    origins = [
        {"text": o.text, "source": o.source, "turn": o.turn, "ts": o.ts, "key": o.key}
        for o in story.origins
    ]
    current = story.successor is story.note
    return {
        **_fields("note", story.note),
        "state": "forgotten" if story.forgotten else "current" if current else "replaced",
        "successor": "" if current or story.successor is None else story.successor.id,
        "origins": origins,
        "history": [{"id": old.id, "text": old.text, "ts": old.ts} for old in story.replaced],
    }


def _hit_fields(hit: Hit) -> dict[str, object]:
    return {
        "event": "hit",
        "text": hit.text,
        "turn": hit.turn,
        "kind": hit.kind,
        "speaker": hit.speaker,
        "met": hit.met,
        "replaces": hit.replaces,
        "ts": hit.ts,
        "superseded": hit.superseded,
        "conflicts": list(hit.conflicts),
    }

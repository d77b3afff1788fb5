"""The targets that read files: the transcript, its snapshot, notes, settings, paths."""

import os
from collections.abc import Callable, Sequence
from itertools import count
from pathlib import Path

from chyan_agent import config
from chyan_agent.durable import snapshot
from chyan_agent.durable.transcript import Transcript
from chyan_agent.errors import AgentError, ConfigError, ToolFailed
from chyan_agent.memory.history import TranscriptHistory
from chyan_agent.memory.store import open_memory
from chyan_agent.prompts.tools import EN
from chyan_agent.state import SessionStarted
from chyan_agent.tools.beneath import opener, stepwise
from chyan_agent.tools.sandbox import Sandbox

from . import seeds

Check = Callable[[bytes], None]
INSIDE, OUTSIDE = b"inside", b"the secret"


def _clock() -> str:
    return "2026-01-01T00:00:00.000"


FILES = {
    "transcript": seeds.TRANSCRIPTS,
    "snapshot": seeds.SNAPSHOTS,
    "notes": seeds.NOTES,
    "queries": seeds.WORDS,
    "settings": seeds.SETTINGS,
    "path": seeds.PATHS,
}


def files(folder: Path) -> dict[str, tuple[Check, tuple[bytes, ...]]]:
    """Return the targets that need a folder."""
    made = Folders(folder)
    return {name: (getattr(made, name), found) for name, found in FILES.items()}


class Folders:
    """The checks, and the folders that they work in."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._number = count()
        ws = folder / "ws"
        (ws / "sub").mkdir(parents=True)
        for name in ("a.txt", "sub/b.txt"):
            (ws / name).write_bytes(INSIDE)
        (folder / "ws-secret").mkdir()
        (folder / "ws-secret" / "a.txt").write_bytes(OUTSIDE)
        for name, target in (
            ("out", "../ws-secret"),
            ("in", "sub"),
            ("loop", "loop"),
            ("up", ".."),
        ):
            (ws / name).symlink_to(target)
        self._boxes = [Sandbox(ws, EN, beneath=way) for way in (opener(), stepwise)]
        self._memory = open_memory(folder / "m.jsonl", segmenter_name="builtin", clock=_clock)
        for text in (
            "端口是 8080",
            "The gateway is at 10.0.0.1",
            "明天 10:30 开会",
            "alice likes tea",
        ):
            self._memory.remember(text, turn=1, source="user")

    def _new(self, name: str, data: bytes) -> Path:
        """Return a file with these bytes in a folder of its own, the only one of its kind."""
        folder = self._folder / f"{name}-{next(self._number) % 3}"
        folder.mkdir(exist_ok=True)
        for old in sorted(folder.rglob("*"), reverse=True):
            old.rmdir() if old.is_dir() else old.unlink()
        path = folder / name
        path.write_bytes(data)
        return path

    def transcript(self, data: bytes) -> None:
        """A transcript opens, or says why not; opened again it is the same and can be extended."""
        path = self._new("conversation.jsonl", data)
        try:
            first = self._records(path)
        except AgentError as error:
            assert str(error)
            # A line end may have been added and a torn end set aside before a newer record was met.
            assert (data + b"\n").startswith(path.read_bytes())
            return
        assert self._records(path) == first
        log = Transcript(path, clock=_clock)
        list(log.survey())
        log.append(SessionStarted("x"), durable=True)
        log.close()
        again = self._records(path)
        assert again[:-1] == first
        assert len(again) == len(first) + 1
        numbers = [seq for seq, _ in again]
        assert numbers == sorted(set(numbers))
        assert all(line in path.read_bytes() for line in _whole(data))

    def _records(self, path: Path) -> Sequence[tuple[int, object]]:
        log = Transcript(path, clock=_clock)
        try:
            found = [(stored.seq, stored.record) for stored in log.scan()]
            for problem in log.problems:
                problem.text("en"), problem.text("zh")
            list(TranscriptHistory(log).items(0))
            return found
        finally:
            log.close()

    def snapshot(self, data: bytes) -> None:
        """Whatever the snapshot holds, the state is that of the transcript."""
        path = self._new("conversation.jsonl", seeds.TRANSCRIPTS[0])
        meta = path.with_name("meta.json")
        meta.write_bytes(data)
        log = Transcript(path, clock=_clock)
        try:
            state = snapshot.load_or_rebuild(meta, log)
            assert state == snapshot.rebuild(log)
        finally:
            log.close()

    def notes(self, data: bytes) -> None:
        """Notes open or say why not; what is there can be recalled."""
        path = self._new("memories.jsonl", data)
        try:
            memory = open_memory(path, segmenter_name="builtin", clock=_clock)
        except AgentError as error:
            assert str(error)
            return
        try:
            memory.remember("the port is 9090", turn=2, source="user")
            assert memory.recall("port", 5)
            assert all(note.text for note in memory.notes())
        finally:
            memory.close()

    def queries(self, data: bytes) -> None:
        """Any query has an answer, of no more hits than were asked for."""
        text = data.decode("utf-8", "replace")
        assert len(self._memory.recall(text, 3)) <= 3

    def settings(self, data: bytes) -> None:
        """A file is settings, or an error in both languages that shows no key."""
        path = self._new("config.toml", data)
        path.chmod(0o600)
        try:
            loaded = config.load(path, environ={}, overrides={})
        except ConfigError as error:
            for language in ("en", "zh"):
                said = error.message_in(language) + error.hint_in(language)
                assert said and "sk-secret" not in said
        else:
            config.warnings(loaded, path)
            assert "sk-secret" not in repr(loaded)
        config.language_of(path)

    def path(self, data: bytes) -> None:
        """Both ways give what is inside or refuse, and agree; a write changes nothing outside."""
        path = os.fsdecode(data) if data[:1] == b"\xff" else data.decode("utf-8", "replace")
        found = [self._read(box, path) for box in self._boxes]
        assert found[0] == found[1]
        assert found[0] in (INSIDE, None)
        if len(data) % 4 == 0:
            self._write(path)

    def _read(self, box: Sandbox, path: str) -> bytes | None:
        try:
            with box.open(path) as (name, file):
                assert name.isprintable()
                return file.read(1000)
        except ToolFailed as error:
            assert str(error)
            return None

    def _write(self, path: str) -> None:
        box = self._boxes[0]
        try:
            box.write(path, INSIDE)
        except ToolFailed:
            pass
        else:
            assert self._read(self._boxes[1], path) == INSIDE
        assert [p.read_bytes() for p in (self._folder / "ws-secret").iterdir()] == [OUTSIDE]


def _whole(data: bytes) -> list[bytes]:
    """Return the lines of ours in these bytes, which no repair may lose."""
    known = set(seeds.TRANSCRIPTS[0].splitlines())
    return [line for line in data.split(b"\n") if line in known]

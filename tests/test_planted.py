"""What stands in the place of a state file: links, pipes, files of others. None is written to."""

import errno
import fcntl
import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from chyan_agent.build import build
from chyan_agent.cli.reader import history_file
from chyan_agent.config import Config
from chyan_agent.durable.disk import beneath, is_there, keep_folder_private
from chyan_agent.durable.lock import Lock
from chyan_agent.durable.storage import AppendFile, ReadFile
from chyan_agent.errors import LockedError, StorageError
from chyan_agent.folders import session_folder
from chyan_agent.learnt import Learnt
from chyan_agent.memory import shared
from chyan_agent.memory.notes import NotesLog
from chyan_agent.program import program

from .agents import agent_on, ask, calls, configured, says
from .servers import responding

TEXT = b"precious\n"
LOGS = ["conversation.jsonl", "memories.jsonl", ".lock"]
CACHES = ["meta.json", "endpoints.json", "recall.idx", "history"]


@pytest.fixture
def victim(tmp_path: Path) -> Iterator[Path]:
    """A file that nothing here may change."""
    path = tmp_path / "victim"
    path.write_bytes(TEXT)
    path.chmod(0o644)
    yield path
    assert path.read_bytes() == TEXT
    assert stat.S_IMODE(path.stat().st_mode) == 0o644


def data(folder: Path) -> Path:
    """Return an open data folder, as a clone brings one."""
    path = folder / "data"
    path.mkdir(exist_ok=True)
    return path


@pytest.mark.parametrize("name", LOGS)
@pytest.mark.parametrize("there", [True, False], ids=["to a file", "to nothing"])
def test_no_log_is_kept_through_a_link(
    tmp_path: Path, victim: Path, name: str, there: bool
) -> None:
    """A start says which file is a link, and writes nothing where it leads."""
    target = victim if there else tmp_path / "none"
    (data(tmp_path) / name).symlink_to(target)
    with pytest.raises(StorageError, match="symbolic link") as caught, agent_on(tmp_path):
        pass
    assert name in str(caught.value) and caught.value.hint
    assert not (tmp_path / "none").exists()


@pytest.mark.parametrize("name", CACHES)
def test_no_cache_is_kept_through_a_link(tmp_path: Path, victim: Path, name: str) -> None:
    """What costs time only is done without, or put in the place of the link."""
    (data(tmp_path) / name).symlink_to(victim)
    history_file(tmp_path / "data" / "history").append_string("ls")
    with agent_on(tmp_path, calls(("recall", {"query": "boat harbour"})), says("ok")) as (agent, _):
        ask(agent, "where is the boat in the harbour?")


@pytest.mark.parametrize("name", ["sessions", "sessions/a"])
def test_no_session_is_kept_through_a_link(tmp_path: Path, name: str) -> None:
    """The folders in the data folder are folders."""
    (tmp_path / "away").mkdir()
    link = data(tmp_path) / name
    link.parent.mkdir(exist_ok=True)
    link.symlink_to(tmp_path / "away")
    with pytest.raises(StorageError, match="symbolic link"):
        session_folder(Config(data_dir=str(tmp_path / "data")), "a")
    assert not list((tmp_path / "away").iterdir())


def test_nothing_is_set_aside_through_a_link(tmp_path: Path) -> None:
    """A torn log stays as it is when there is no place to keep the rest."""
    with agent_on(tmp_path, says("ok")) as (agent, _):
        ask(agent, "hi")
    log = tmp_path / "data" / "conversation.jsonl"
    log.write_bytes(log.read_bytes() + b'{"turn":')
    before = log.read_bytes()
    (tmp_path / "away").mkdir()
    (tmp_path / "data" / "quarantine").symlink_to(tmp_path / "away")
    with pytest.raises(StorageError, match="quarantine is a symbolic link"), agent_on(tmp_path):
        pass
    assert log.read_bytes() == before
    assert not list((tmp_path / "away").iterdir())


def test_the_data_folder_itself_may_be_a_link(tmp_path: Path) -> None:
    """Users keep their data on another disk."""
    (tmp_path / "disk").mkdir()
    (tmp_path / "data").symlink_to(tmp_path / "disk")
    for question in ("one", "two"):
        with agent_on(tmp_path, says("ok")) as (agent, _):
            ask(agent, question)
    assert agent.state.last_turn == 2
    assert (tmp_path / "disk" / "conversation.jsonl").is_file()
    assert stat.S_IMODE((tmp_path / "disk").stat().st_mode) == 0o700


@pytest.mark.parametrize("name", [*LOGS, *CACHES])
@pytest.mark.timeout(120)
def test_a_pipe_in_the_place_of_a_file_makes_nobody_wait(tmp_path: Path, name: str) -> None:
    """A log that is a pipe is refused; a cache is done without."""
    os.mkfifo(data(tmp_path) / name)
    history_file(tmp_path / "data" / "history").append_string("ls")
    try:
        with agent_on(tmp_path, says("ok")) as (agent, _):
            ask(agent, "hi")
    except StorageError as error:
        assert name in LOGS and "not a regular file" in str(error)
    else:
        assert name in CACHES


def test_a_lock_under_two_names_is_not_written_over(tmp_path: Path, victim: Path) -> None:
    """Who holds it is said in a file of ours only."""
    data(tmp_path)
    os.link(victim, tmp_path / "data" / ".lock")
    victim.chmod(0o600)
    with Lock(tmp_path / "data"), pytest.raises(LockedError):
        Lock(tmp_path / "data")
    victim.chmod(0o644)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
def test_a_file_of_another_user_is_not_used(tmp_path: Path, victim: Path) -> None:
    """Nobody reads along; on a disk without owners, file and folder have the same one."""
    os.chown(victim, 65534, 65534)
    for kind in (AppendFile, ReadFile):
        with pytest.raises(StorageError, match="another user"):
            kind(victim)
    os.chown(tmp_path, 65534, 65534)
    ReadFile(victim).close()


def test_open_state_is_made_private_again(tmp_path: Path) -> None:
    """A restored backup or a `chmod` does not leave what is said next to everybody."""
    with responding(says("ok")) as server:
        config = configured(tmp_path, server.url)
        with build(config, session="a") as agent:
            ask(agent, "hi")
        folder = tmp_path / "data"
        inner = folder / "sessions" / "a"
        history_file(inner / "history").append_string("ls")
        for path in [folder, inner, *folder.rglob("*")]:
            path.chmod(0o755 if path.is_dir() else 0o644)
        with build(config, session="a"):
            pass
    history_file(inner / "history")
    open_ = [str(p) for p in [folder, inner, *inner.iterdir()] if p.stat().st_mode & 0o077]
    assert not open_
    assert not (folder / "memories.jsonl").stat().st_mode & 0o077


def test_looking_changes_no_mode(tmp_path: Path, victim: Path) -> None:
    """Only who writes mends."""
    ReadFile(victim).close()


def test_where_the_user_works_stays_open(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A data folder of `.` is not taken from the others; nor one where all may write."""
    shared_one, here = tmp_path / "shared", tmp_path / "here" / "below"
    here.mkdir(parents=True)
    shared_one.mkdir()
    shared_one.chmod(0o1777)
    here.parent.chmod(0o755)
    monkeypatch.chdir(here)
    for path in (Path(), here.parent, shared_one):
        before = path.stat().st_mode
        keep_folder_private(path)
        assert path.stat().st_mode == before


def test_who_keeps_the_notes_locked_is_not_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A start says so after a while; so does `remember`, and the turn goes on."""
    monkeypatch.setattr(shared, "PATIENCE", 0.1)
    path = tmp_path / "memories.jsonl"
    log = NotesLog(path, clock=lambda: "now")
    with path.open("rb") as held:
        fcntl.flock(held, fcntl.LOCK_SH)
        with pytest.raises(LockedError, match="locked by another") as caught:
            NotesLog(path, clock=lambda: "now")
        assert caught.value.exit_code == 6
        with pytest.raises(LockedError):
            log.remember("the boat is called Marlene", turn=1, source="user")
    note, status = log.remember("the boat is called Marlene", turn=1, source="user")
    assert (note.text, status) == ("the boat is called Marlene", "added")
    log.close()


@pytest.mark.timeout(120)
def test_a_cache_of_any_size_is_not_read(tmp_path: Path) -> None:
    """Sparse gigabytes cost nothing."""
    path = tmp_path / "endpoints.json"
    path.touch()
    os.truncate(path, 8 << 30)
    assert Learnt(path, "x").limit is None


def test_what_cannot_be_looked_at_is_said_or_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A disk that fails at a look gives an error with a hint, or what it hides is done without."""
    real = os.stat

    def failing(path: int | str | Path, **options: bool | int | None) -> os.stat_result:
        if not isinstance(path, int) and Path(path).name in ("quarantine", "main.py", "lost"):
            raise OSError(errno.EIO, "Input/output error")
        return real(path, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(os, "stat", failing)
    with pytest.raises(StorageError, match="Input/output error") as raised:
        beneath(tmp_path, "quarantine")
    assert raised.value.hint
    assert not is_there(tmp_path / "lost")
    assert all(path.name != "main.py" for path in program())

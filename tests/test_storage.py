"""Durable bytes."""

import errno
import fcntl
import os
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from chyan_agent.durable.disk import make_directory
from chyan_agent.durable.lock import Lock
from chyan_agent.durable.quarantine import set_aside
from chyan_agent.durable.storage import AppendFile, ReadFile, remove_unfinished, replace_atomically
from chyan_agent.errors import LockedError, StorageError


def test_files_are_private(tmp_path: Path) -> None:
    """State is readable by its owner alone, whatever the umask."""
    old = os.umask(0)
    try:
        AppendFile(tmp_path / "data" / "log").append(b"x")
        replace_atomically(tmp_path / "data" / "meta", b"y")
    finally:
        os.umask(old)
    assert (tmp_path / "data").stat().st_mode & 0o777 == 0o700
    assert {p.stat().st_mode & 0o777 for p in (tmp_path / "data").iterdir()} == {0o600}


def test_a_failed_append_leaves_nothing_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A disk that fills in the middle of a record takes the half record back; later ones work."""
    file = AppendFile(tmp_path / "log")
    file.append(b"one\n")
    real = os.write

    def half(descriptor: int, data: bytes) -> int:
        if len(data) < 4:
            raise OSError(errno.ENOSPC, "No space left on device")
        return real(descriptor, data[:5])

    monkeypatch.setattr(os, "write", half)
    with pytest.raises(StorageError, match="No space left"):
        file.append(b"twotwo\n")
    monkeypatch.undo()
    file.append(b"three\n")
    assert (tmp_path / "log").read_bytes() == b"one\nthree\n"


@pytest.mark.parametrize("act", [AppendFile.sync, lambda file: file.truncate(0)])
def test_a_failed_sync_is_final(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, act: Callable[[AppendFile], None]
) -> None:
    """After a failed fsync nothing is acknowledged any more: a second fsync would lie."""
    file = AppendFile(tmp_path / "log")
    file.append(b"one\n")

    def broken(descriptor: int) -> None:
        raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr(os, "fsync", broken)
    with pytest.raises(StorageError, match="can't sync"):
        act(file)
    monkeypatch.undo()
    with pytest.raises(StorageError, match="can't be trusted"):
        file.append(b"two\n")
    with pytest.raises(StorageError):
        file.sync()


def test_replacing_leaves_the_old_file_when_it_fails(tmp_path: Path) -> None:
    """A replacement that can't be renamed changes nothing and leaves no litter."""
    target = tmp_path / "meta"
    target.mkdir()
    (target / "inside").write_bytes(b"")
    with pytest.raises(StorageError):
        replace_atomically(target, b"new")
    assert [p.name for p in tmp_path.iterdir()] == ["meta"]


def test_an_interrupted_replacement_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ctrl-C before the new content has its name leaves the old one, alone."""
    (tmp_path / "meta").write_bytes(b"old")

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", interrupted)
    with pytest.raises(KeyboardInterrupt):
        replace_atomically(tmp_path / "meta", b"new")
    assert [(p.name, p.read_bytes()) for p in tmp_path.iterdir()] == [("meta", b"old")]


def test_a_directory_that_can_not_be_made_is_a_clear_error(tmp_path: Path) -> None:
    """A file where a directory should be is named in the error."""
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(StorageError, match="file"):
        make_directory(tmp_path / "file" / "below")


def test_the_second_holder_of_a_lock_is_told_of_the_first(tmp_path: Path) -> None:
    """Two writers on one directory: the second gets an error that names lock and process."""
    with Lock(tmp_path), pytest.raises(LockedError, match=rf"\.lock.*pid {os.getpid()}"):
        Lock(tmp_path)
    with Lock(tmp_path):
        pass


def test_a_lock_that_can_not_be_opened_is_an_error(tmp_path: Path) -> None:
    """What stands in the lock's place is named, and nobody is said to hold it."""
    (tmp_path / ".lock").mkdir()
    with pytest.raises(StorageError, match=r"can't open .*\.lock") as caught:
        Lock(tmp_path)
    assert caught.value.hint


def test_a_lock_that_was_removed_meanwhile_is_not_held(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who opened the file before it was unlinked would hold a lock that nobody else sees."""
    real = os.open

    def opened(path: Path, flags: int, mode: int = 0o777) -> int:
        descriptor = real(path, flags, mode)
        if path.name == ".lock":
            path.unlink()
            path.write_bytes(b"")
        return descriptor

    monkeypatch.setattr(os, "open", opened)
    with pytest.raises(LockedError, match="was removed"):
        Lock(tmp_path)
    monkeypatch.undo()
    Lock(tmp_path).release()


def test_a_full_disk_is_no_reason_not_to_lock(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The holder's name is for the message alone."""

    def full(*_: object) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "pwrite", full)
    with Lock(tmp_path), pytest.raises(LockedError):
        Lock(tmp_path)


def appended_by_another(path: Path) -> None:
    """Write what the owner of the file does not know of."""
    with path.open("ab") as file:
        file.write(b"foreign\n")


def put_in_its_place(path: Path) -> None:
    """Replace a file as editors do."""
    path.with_name("new").write_bytes(b"edited\n")
    path.with_name("new").rename(path)


@pytest.mark.parametrize("change", [appended_by_another, put_in_its_place, Path.unlink])
@pytest.mark.parametrize("late", [False, True], ids=["before a write", "before a sync"])
def test_nothing_is_written_to_a_file_that_another_changed(
    tmp_path: Path, change: Callable[[Path], None], late: bool
) -> None:
    """What goes into a removed file, or behind bytes of another, would not be found again."""
    file = AppendFile(tmp_path / "log")
    file.append(b"one\n")
    if not late:
        file.sync()
    change(tmp_path / "log")
    with pytest.raises(StorageError, match="another program"):
        file.sync() if late else file.append(b"two\n")
    with pytest.raises(StorageError, match="another program") as caught:
        file.append(b"three\n")
    assert "no other program" in caught.value.hint
    file.close()


def test_an_interruption_leaves_no_half_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ctrl-C in the middle of a write takes back what was written, and the next line is whole."""
    file = AppendFile(tmp_path / "log")
    file.append(b"one\n")
    real = os.write

    def interrupted(descriptor: int, data: bytes) -> int:
        real(descriptor, data[:3])
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "write", interrupted)
    with pytest.raises(KeyboardInterrupt):
        file.append(b"twotwo\n")
    monkeypatch.undo()
    file.append(b"three\n")
    file.close()
    assert (tmp_path / "log").read_bytes() == b"one\nthree\n"


def test_reads_and_writes_may_take_many_calls(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A system that moves a few bytes at a time moves all of them."""
    write, read = os.write, os.pread
    monkeypatch.setattr(os, "write", lambda fd, data: write(fd, data[:3]))
    monkeypatch.setattr(os, "pread", lambda fd, size, at: read(fd, min(size, 5), at))
    file = AppendFile(tmp_path / "log")
    file.append(b"0123456789" * 3)
    assert file.read(4, 20) == (b"0123456789" * 3)[4:24]
    assert file.read(25, 99) == b"56789"
    file.close()


def test_a_read_that_fails_is_a_clear_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A bad sector is told with the name of the file."""
    (tmp_path / "log").write_bytes(b"x" * 10)
    file = ReadFile(tmp_path / "log")

    def broken(*_: object) -> bytes:
        raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr(os, "pread", broken)
    with pytest.raises(StorageError, match=r"can't read .*log: Input/output error"):
        file.read(0, 10)
    file.close()


def test_what_cannot_be_cleaned_up_hides_no_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a disk that became read-only the failure itself is told."""

    def read_only(*_: object, **more: object) -> None:
        raise OSError(errno.EROFS, "Read-only file system")

    for call in ("rename", "unlink"):
        monkeypatch.setattr(os, call, read_only)
    with pytest.raises(StorageError, match="Read-only"):
        replace_atomically(tmp_path / "meta", b"x")


def test_names_are_synced_whenever_a_file_is_still_empty(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A start that died between making a file and syncing its name is made good by the next."""
    make_directory(tmp_path / "data" / "sessions" / "a")
    (tmp_path / "data" / "sessions" / "a" / "log").touch()
    synced: list[int] = []
    real = os.fsync

    def noted(descriptor: int) -> None:
        found = os.fstat(descriptor)
        if stat.S_ISDIR(found.st_mode):
            synced.append(found.st_ino)
        real(descriptor)

    monkeypatch.setattr(os, "fsync", noted)
    AppendFile(tmp_path / "data" / "sessions" / "a" / "log").close()
    folders = ["data/sessions/a", "data/sessions", "data"]
    assert synced[:3] == [(tmp_path / name).stat().st_ino for name in folders]


def test_a_home_among_those_of_others_can_be_written_to(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A private folder may lie in one that its owner can pass through and not look into."""
    make_directory(tmp_path / "home" / "data")
    access, look = os.access, os.open

    def may(path: Path, mode: int) -> bool:
        return path != tmp_path and access(path, mode)

    def opened(path: Path, flags: int, mode: int = 0o777) -> int:
        if path == tmp_path:
            raise PermissionError(errno.EACCES, "Permission denied")
        return look(path, flags, mode)

    monkeypatch.setattr(os, "access", may)
    monkeypatch.setattr(os, "open", opened)
    AppendFile(tmp_path / "home" / "data" / "log").close()


def test_unfinished_replacements_go_unless_their_writer_lives(tmp_path: Path) -> None:
    """The lock of a living writer is respected; nothing else is touched."""
    for name in ("meta.dead.tmp", "meta.live.tmp", "meta", "other.x.tmp"):
        (tmp_path / name).write_bytes(b"x")
    with (tmp_path / "meta.live.tmp").open("rb") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        remove_unfinished(tmp_path / "meta")
    assert {p.name for p in tmp_path.iterdir()} == {"meta.live.tmp", "meta", "other.x.tmp"}


def test_what_is_set_aside_is_never_overwritten(tmp_path: Path) -> None:
    """Other bytes get another name; the same ones keep theirs."""
    log = tmp_path / "log"
    log.write_bytes(b"onetwo, longer")
    file = ReadFile(log)
    first, _ = set_aside(file, "tail-7", 0, 3)
    assert set_aside(file, "tail-7", 0, 3) == (first, [])
    second, _ = set_aside(file, "tail-7", 3, file.end)
    assert (first.read_bytes(), second.read_bytes()) == (b"one", b"two, longer")
    assert set_aside(file, "tail-7", 3, file.end) == (second, [])
    file.close()
    assert sorted(p.name for p in first.parent.iterdir()) == ["tail-7-2.bin", "tail-7.bin"]

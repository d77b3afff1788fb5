"""Durable bytes."""

import errno
import os
from pathlib import Path

import pytest

from chyan_agent.disk import make_directory
from chyan_agent.errors import LockedError, StorageError
from chyan_agent.storage import AppendFile, Lock, replace_atomically


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


def test_a_failed_sync_is_final(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """After a failed fsync nothing is acknowledged any more: a second fsync would lie."""
    file = AppendFile(tmp_path / "log")
    file.append(b"one\n")

    def broken(descriptor: int) -> None:
        raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr(os, "fsync", broken)
    with pytest.raises(StorageError):
        file.sync()
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

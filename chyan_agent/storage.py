"""Durable bytes: append, replace, lock. The one room that calls the operating system for state."""

import fcntl
import os
import secrets
from pathlib import Path
from types import TracebackType
from typing import Self

from .errors import LockedError, StorageError
from .prompts import errors as say
from .prompts.said import Said

FILE_MODE = 0o600
DIRECTORY_MODE = 0o700


def make_directory(path: Path) -> None:
    """Create a private directory with its parents; durable when it returns."""
    if path.is_dir():
        return
    make_directory(path.parent)
    try:
        path.mkdir(mode=DIRECTORY_MODE, exist_ok=True)
        sync_directory(path.parent)
    except OSError as error:
        raise _failed(say.CREATE, path, error) from error


def sync_directory(path: Path) -> None:
    """Make the names in a directory durable. Raises OSError."""
    descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def replace_atomically(path: Path, data: bytes, *, durable: bool = True) -> None:
    """Replace a file by rename: readers see the old or the new content, never a mixture.

    Without `durable` nothing is fsynced and for a moment there is no file: right for a cache
    with its own checksum. Raises StorageError.
    """
    beside = path.with_name(f"{path.name}.{secrets.token_hex(4)}.tmp")
    try:
        _write_beside(beside, data, durable=durable)
        if not durable:
            # Renaming over a file makes ext4 flush the new one; a cache need not wait for that.
            path.unlink(missing_ok=True)
        os.rename(beside, path)
        if durable:
            sync_directory(path.parent)
    except OSError as error:
        beside.unlink(missing_ok=True)
        raise _failed(say.REPLACE, path, error) from error


def _write_beside(path: Path, data: bytes, *, durable: bool) -> None:
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    descriptor = os.open(path, flags, FILE_MODE)
    try:
        _write_all(descriptor, data)
        if durable:
            os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _write_all(descriptor: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]


class AppendFile:
    """A file that only grows. A failed write is taken back; a failed fsync is final.

    After a failed fsync the kernel may have dropped the pages and a second fsync would lie,
    so every later call raises until the process is started again.
    """

    def __init__(self, path: Path) -> None:
        make_directory(path.parent)
        self.path = path
        self._broken = False
        self._dirty = False
        try:
            existed = path.exists()
            flags = os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC
            self._descriptor = os.open(path, flags, FILE_MODE)
            if not existed:
                sync_directory(path.parent)
        except OSError as error:
            raise _failed(say.OPEN, path, error) from error
        self.end = os.fstat(self._descriptor).st_size

    def append(self, data: bytes) -> None:
        """Write all of `data` at the end, or nothing. Raises StorageError."""
        self._check()
        try:
            _write_all(self._descriptor, data)
        except OSError as error:
            self._take_back()
            raise _failed(say.APPEND, self.path, error) from error
        self.end += len(data)
        self._dirty = True

    def _take_back(self) -> None:
        try:
            os.ftruncate(self._descriptor, self.end)
        except OSError:
            # A torn tail is left; the next start sets it aside. Appending now would fuse two lines.
            self._broken = True

    def sync(self) -> None:
        """Make what was appended durable. Raises StorageError, and then for ever."""
        self._check()
        if not self._dirty:
            return
        try:
            os.fsync(self._descriptor)
        except OSError as error:
            self._broken = True
            raise _failed(say.SYNC, self.path, error) from error
        self._dirty = False

    def read(self, start: int, size: int) -> bytes:
        """Return up to `size` bytes from `start`."""
        return os.pread(self._descriptor, size, start)

    def truncate(self, size: int) -> None:
        """Cut the file to `size` bytes, durably. Raises StorageError."""
        try:
            os.ftruncate(self._descriptor, size)
            os.fsync(self._descriptor)
        except OSError as error:
            raise _failed(say.TRUNCATE, self.path, error) from error
        self.end = size

    def close(self) -> None:
        """Close the file; appended bytes that were not synced are left to the system."""
        os.close(self._descriptor)

    def _check(self) -> None:
        if self._broken:
            raise StorageError(say.UNTRUSTED.of(name=self.path.name), hint=say.UNTRUSTED_HINT)


class Lock:
    """An exclusive lock on a directory, freed by the kernel when the process dies."""

    def __init__(self, directory: Path) -> None:
        make_directory(directory)
        self.path = directory / ".lock"
        flags = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC
        try:
            self._descriptor = os.open(self.path, flags, FILE_MODE)
        except OSError as error:
            raise _failed(say.OPEN, self.path, error) from error
        try:
            fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            holder = os.pread(self._descriptor, 40, 0).decode("ascii", "replace").strip()
            os.close(self._descriptor)
            raise LockedError(
                say.LOCKED.of(path=self.path, holder=holder or say.UNKNOWN_HOLDER),
                hint=say.LOCKED_HINT,
            ) from error
        os.ftruncate(self._descriptor, 0)
        os.pwrite(self._descriptor, f"pid {os.getpid()}\n".encode("ascii"), 0)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.release()

    def release(self) -> None:
        """Give the lock up. The file stays: unlinking it would let two processes hold it."""
        os.close(self._descriptor)


def _failed(what: Said, path: Path, error: OSError) -> StorageError:
    reason = error.strerror or error
    return StorageError(say.CANT.of(what=what, path=path, reason=reason), hint=say.CANT_HINT)

"""Durable bytes: append, replace, lock. The one room that calls the operating system for state."""

import fcntl
import os
import secrets
import stat
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Self

from ..errors import LockedError, StorageError
from ..prompts import errors as say
from ..prompts.said import Said
from .disk import (
    FILE_MODE,
    failed,
    make_directory,
    opened,
    read_at,
    sync_directory,
    sync_names,
    write_all,
)


def replace_atomically(path: Path, data: bytes, *, durable: bool = True) -> None:
    """Replace a file by rename: readers see the old or the new content, never a mixture.

    Without `durable` nothing is fsynced and for a moment there is no file: right for a cache
    with its own checksum. Raises StorageError.
    """
    beside = path.with_name(f"{path.name}.{secrets.token_hex(4)}.tmp")
    try:
        _write_beside(beside, path, data, durable=durable)
        if durable:
            sync_directory(path.parent)
    except OSError as error:
        with suppress(OSError):
            os.unlink(beside)
        raise failed(say.REPLACE, path, error) from error


def _write_beside(beside: Path, path: Path, data: bytes, *, durable: bool) -> None:
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW
    with opened(beside, flags) as descriptor:
        # Held until it has its name: tells a file at work from what a dead process left.
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        write_all(descriptor, data)
        if durable:
            os.fsync(descriptor)
        else:
            # Renaming over a file makes ext4 flush the new one; a cache need not wait for that.
            with suppress(FileNotFoundError):
                os.unlink(path)
        os.rename(beside, path)


def remove_unfinished(path: Path) -> None:
    """Remove what killed processes left of replacements of `path`, as far as that is possible."""
    left: list[Path] = []
    with suppress(OSError):
        left = sorted(path.parent.glob(f"{path.name}.*.tmp"))
    for beside in left:
        with suppress(OSError), opened(beside, os.O_RDONLY | os.O_NOFOLLOW) as descriptor:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            os.unlink(beside)


class ReadFile:
    """A file that is only looked at; what others append to it is not seen."""

    flags = os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            self._descriptor = os.open(path, self.flags, FILE_MODE)
        except OSError as error:
            raise failed(say.OPEN, path, error) from error
        try:
            found = self._found()
        except StorageError:
            self.close()
            raise
        if not stat.S_ISREG(found.st_mode):
            self.close()
            raise StorageError(say.NOT_A_FILE.of(path=path), hint=say.NOT_OURS_HINT)
        self.end = found.st_size

    def _found(self) -> os.stat_result:
        """Return what the file is now. Raises StorageError."""
        try:
            return os.fstat(self._descriptor)
        except OSError as error:
            raise failed(say.READ, self.path, error) from error

    @property
    def lost(self) -> bool:
        """Whether nothing more can be written: never, of what is only looked at."""
        return False

    def read(self, start: int, size: int) -> bytes:
        """Return `size` bytes from `start`, fewer only at the end. Raises StorageError."""
        try:
            return read_at(self._descriptor, start, size)
        except OSError as error:
            raise failed(say.READ, self.path, error) from error

    def close(self) -> None:
        """Close the file; appended bytes that were not synced are left to the system."""
        with suppress(OSError):
            os.close(self._descriptor)


class AppendFile(ReadFile):
    """A file that only grows. A failed write is taken back; a failed fsync is final.

    After a failed fsync the kernel may have dropped the pages and a second fsync would lie,
    so every later call raises until the process is started again.
    """

    flags = os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC | os.O_NONBLOCK

    def __init__(self, path: Path) -> None:
        make_directory(path.parent)
        super().__init__(path)
        self._broken: Said | None = None
        # What a killed process wrote last is seen, but may be on no disk yet.
        self._dirty = self.end > 0
        if self.end:
            return
        try:
            sync_names(path.parent)
        except OSError as error:
            self.close()
            raise failed(say.OPEN, path, error) from error

    @property
    def lost(self) -> bool:
        """Whether an error was final."""
        return self._broken is not None

    def append(self, data: bytes) -> None:
        """Write all of `data` at the end, or nothing. Raises StorageError."""
        self._check()
        self._dirty, whole = True, False
        try:
            write_all(self._descriptor, data)
            whole = True
        except OSError as error:
            raise failed(say.APPEND, self.path, error) from error
        finally:
            if not whole:
                self._take_back()
        self.end += len(data)

    def _take_back(self) -> None:
        try:
            os.ftruncate(self._descriptor, self.end)
        except OSError:
            # A torn tail is left; the next start sets it aside. Appending now would fuse two lines.
            self._broken = say.UNTRUSTED

    def sync(self) -> None:
        """Make what was appended durable. Raises StorageError, and then for ever."""
        if not self._dirty and not self.lost:
            return  # Others may have written to a file that is shared.
        self._check()
        try:
            os.fsync(self._descriptor)
        except OSError as error:
            self._broken = say.UNTRUSTED
            raise failed(say.SYNC, self.path, error) from error
        self._dirty = False

    def truncate(self, size: int) -> None:
        """Cut the file to `size` bytes, durably. Raises StorageError."""
        try:
            os.ftruncate(self._descriptor, size)
            os.fsync(self._descriptor)
        except OSError as error:
            raise failed(say.TRUNCATE, self.path, error) from error
        self.end = size

    def _check(self) -> None:
        """Raise StorageError if what is written now could not be read back by the next start."""
        if self._broken is None:
            now = self._found()
            if now.st_nlink == 0 or now.st_size != self.end:
                self._broken = say.CHANGED
        if self._broken is not None:
            raise StorageError(self._broken.of(name=self.path.name), hint=say.UNTRUSTED_HINT)


class Lock:
    """An exclusive lock on a directory, freed by the kernel when the process dies."""

    def __init__(self, directory: Path) -> None:
        make_directory(directory)
        self.path = directory / ".lock"
        with ExitStack() as stack:
            try:
                self._descriptor = stack.enter_context(opened(self.path, os.O_RDWR | os.O_CREAT))
                self._take()
            except OSError as error:
                raise failed(say.OPEN, self.path, error) from error
            self._held = stack.pop_all()
        with suppress(OSError):
            # For the message alone: a full disk is no reason not to look at a conversation.
            os.ftruncate(self._descriptor, 0)
            os.pwrite(self._descriptor, f"pid {os.getpid()}\n".encode("ascii"), 0)

    def _take(self) -> None:
        try:
            fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            holder = os.pread(self._descriptor, 40, 0).decode("ascii", "replace").strip()
            locked = say.LOCKED.of(path=self.path, holder=holder or say.UNKNOWN_HOLDER)
            raise LockedError(locked, hint=say.LOCKED_HINT) from error
        # Someone may have removed the file between opening and locking it, and made another.
        if not os.path.samestat(os.fstat(self._descriptor), os.stat(self.path)):
            raise LockedError(say.LOCK_REPLACED.of(path=self.path), hint=say.LOCK_REPLACED_HINT)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.release()

    def release(self) -> None:
        """Give the lock up. The file stays: unlinking it would let two processes hold it."""
        with suppress(OSError):
            self._held.close()

"""Durable bytes: append, replace. The one room that calls the operating system for state."""

import errno
import fcntl
import os
import secrets
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from ..errors import StorageError
from ..prompts import errors as say
from ..prompts.said import Said
from .disk import (
    checked,
    failed,
    keep_private,
    make_directory,
    opened,
    read_at,
    sync_directory,
    sync_names,
    write_all,
)


def replace_atomically(path: Path, data: bytes | Iterable[bytes], *, durable: bool = True) -> None:
    """Replace a file by rename: readers see the old or the new content, never a mixture.

    Without `durable` nothing is fsynced and for a moment there is no file: right for a cache
    with its own checksum. Raises StorageError.
    """
    with replacing(path, [data] if isinstance(data, bytes) else data, durable=durable):
        pass


@contextmanager
def replacing(path: Path, data: Iterable[bytes], *, durable: bool = True) -> Iterator[None]:
    """Write a file that takes the place of another when the block has ended. Raises StorageError,
    also for an OSError in the block.
    """
    beside = path.with_name(f"{path.name}.{secrets.token_hex(4)}.tmp")
    try:
        with opened(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL) as descriptor:
            # Held until it has its name: tells a file at work from what a dead process left.
            fcntl.flock(descriptor, fcntl.LOCK_EX)
            for block in data:
                write_all(descriptor, block)
            if durable:
                os.fsync(descriptor)
            yield
            if not durable:
                # Renaming over a file makes ext4 flush the new one; a cache need not wait for that.
                path.unlink(missing_ok=True)
            os.rename(beside, path)
        if durable:
            sync_directory(path.parent)
    except OSError as error:
        raise failed(say.REPLACE, path, error) from error
    finally:
        # Gone after the rename; still there after an error or an interruption.
        with suppress(OSError):
            os.unlink(beside)


def remove_unfinished(path: Path) -> None:
    """Remove what killed processes left of replacements of `path`, as far as that is possible."""
    left: list[Path] = []
    with suppress(OSError):
        left = sorted(path.parent.glob(f"{path.name}.*.tmp"))
    for beside in left:
        with suppress(OSError), opened(beside, os.O_RDONLY) as descriptor:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            os.unlink(beside)


MOST_HOLES = 1000
"""Holes in a file that are looked for."""
_UNTRUSTED = say.UNTRUSTED, say.UNTRUSTED_HINT
_CHANGED = say.CHANGED, say.CHANGED_HINT


class ReadFile:
    """A file that is only looked at; what others append to it is not seen."""

    flags = os.O_RDONLY

    def __init__(self, path: Path) -> None:
        self.path = path
        with ExitStack() as stack:
            try:
                self._descriptor = stack.enter_context(opened(path, self.flags))
                self.end = self._taken().st_size
            except OSError as error:
                raise failed(say.OPEN, path, error) from error
            self._held = stack.pop_all()

    def _taken(self) -> os.stat_result:
        """Return what the file is, if it may be used. Raises OSError, StorageError."""
        return checked(self._descriptor, self.path)

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

    def filled(self) -> int:
        """Return the byte at which the hole begins that a file ends with; else its end.

        A hole may be larger than any disk, and nothing was ever written there.
        """
        hole = data = 0
        try:
            for _ in range(MOST_HOLES):
                hole = os.lseek(self._descriptor, data, os.SEEK_HOLE)
                if hole >= self.end:
                    break
                data = os.lseek(self._descriptor, hole, os.SEEK_DATA)
        except OSError as error:
            # No data behind this hole.
            return hole if error.errno == errno.ENXIO else self.end
        return self.end

    def close(self) -> None:
        """Close the file; appended bytes that were not synced are left to the system."""
        with suppress(OSError):
            self._held.close()


class AppendFile(ReadFile):
    """A file that only grows. A failed write is taken back; a failed fsync is final.

    After a failed fsync the kernel may have dropped the pages and a second fsync would lie,
    so every later call raises until the process is started again.
    """

    flags = os.O_RDWR | os.O_CREAT | os.O_APPEND

    def __init__(self, path: Path) -> None:
        make_directory(path.parent)
        super().__init__(path)
        self._broken: tuple[Said, Said] | None = None
        """Why nothing is written any more, and what to do."""
        # What a killed process wrote last is seen, but may be on no disk yet.
        self._dirty = self.end > 0
        if self.end:
            return
        try:
            sync_names(path.parent)
        except OSError as error:
            self.close()
            raise failed(say.OPEN, path, error) from error

    def _taken(self) -> os.stat_result:
        found = super()._taken()
        keep_private(self._descriptor, found)
        return found

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
            self._broken = _UNTRUSTED

    def sync(self) -> None:
        """Make what was appended durable. Raises StorageError, and then for ever."""
        if not self._dirty and not self.lost:
            return  # Others may have written to a file that is shared.
        self._check()
        try:
            os.fsync(self._descriptor)
        except OSError as error:
            self._broken = _UNTRUSTED
            raise failed(say.SYNC, self.path, error) from error
        self._dirty = False

    def truncate(self, size: int) -> None:
        """Cut the file to `size` bytes, durably. Raises StorageError."""
        try:
            os.ftruncate(self._descriptor, size)
        except OSError as error:
            raise failed(say.TRUNCATE, self.path, error) from error
        self.end, self._dirty = size, True
        self.sync()

    def _check(self) -> None:
        """Raise StorageError if what is written now could not be read back by the next start."""
        if self._broken is None:
            now = self._found()
            if now.st_nlink == 0 or now.st_size != self.end:
                self._broken = _CHANGED
        if self._broken is not None:
            why, hint = self._broken
            raise StorageError(why.of(name=self.path.name), hint=hint)

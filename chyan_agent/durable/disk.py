"""What every state file needs of the operating system: whole reads and writes, durable names."""

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ..errors import StorageError
from ..prompts import errors as say
from ..prompts.said import Said

FILE_MODE = 0o600
DIRECTORY_MODE = 0o700


@contextmanager
def opened(path: Path, flags: int) -> Iterator[int]:
    """Yield the descriptor of a private file, and close it. Raises OSError."""
    descriptor = os.open(path, flags | os.O_CLOEXEC | os.O_NONBLOCK, FILE_MODE)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def make_directory(path: Path) -> None:
    """Create a private directory with its parents; durable when it returns."""
    try:
        if path.is_dir():
            return
        make_directory(path.parent)
        path.mkdir(mode=DIRECTORY_MODE, exist_ok=True)
        sync_directory(path.parent)
    except OSError as error:
        raise failed(say.CREATE, path, error) from error


def sync_directory(path: Path) -> None:
    """Make the names in a directory durable. Raises OSError."""
    with opened(path, os.O_RDONLY | os.O_DIRECTORY) as descriptor:
        os.fsync(descriptor)


def sync_names(folder: Path) -> None:
    """Make durable the names that lead to the files in a folder. Raises OSError.

    An earlier start may have died between making a private directory and syncing its name.
    """
    while True:
        sync_directory(folder)
        if stat.S_IMODE(os.stat(folder).st_mode) != DIRECTORY_MODE or folder == folder.parent:
            return
        folder = folder.parent


def read_whole(path: Path, most: int) -> bytes:
    """Return the bytes of a regular file. Raises OSError, and ValueError for over `most` bytes."""
    with opened(path, os.O_RDONLY) as descriptor:
        found = os.fstat(descriptor)
        if not stat.S_ISREG(found.st_mode) or found.st_size > most:
            raise ValueError(f"{path.name} is not a file of at most {most:,} bytes")
        return read_at(descriptor, 0, found.st_size)


def read_at(descriptor: int, start: int, size: int) -> bytes:
    """Return `size` bytes from `start`, fewer only at the end of the file. Raises OSError."""
    parts = []
    while size and (part := os.pread(descriptor, size, start)):
        parts.append(part)
        start, size = start + len(part), size - len(part)
    return parts[0] if len(parts) == 1 else b"".join(parts)


def write_all(descriptor: int, data: bytes) -> None:
    """Write all of `data`, in as many calls as it takes. Raises OSError."""
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]


def failed(what: Said, path: Path, error: OSError) -> StorageError:
    """Return the error that says what could not be done with a file."""
    reason = error.strerror or error
    return StorageError(say.CANT.of(what=what, path=path, reason=reason), hint=say.CANT_HINT)

"""What every state file needs of the operating system: whole reads and writes, durable names."""

import errno
import os
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from ..errors import StorageError
from ..prompts import errors as say
from ..prompts import errors_files as more
from ..prompts.said import Said

FILE_MODE = 0o600
DIRECTORY_MODE = 0o700
_FLAGS = os.O_CLOEXEC | os.O_NONBLOCK
"""Of every file: no child process has it, and no pipe in its place makes us wait."""
OTHERS = stat.S_IRWXG | stat.S_IRWXO


@contextmanager
def opened(path: Path, flags: int, *, links: bool = False) -> Iterator[int]:
    """Yield the descriptor of a file, private if it is made, and close it. Raises OSError.

    A link at its place is not followed unless `links`: what came with somebody's folder must not
    choose which file we write.
    """
    descriptor = os.open(path, flags | _FLAGS | (0 if links else os.O_NOFOLLOW), FILE_MODE)
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
    with opened(path, os.O_RDONLY | os.O_DIRECTORY, links=True) as descriptor:
        os.fsync(descriptor)


def sync_names(folder: Path) -> None:
    """Make durable the names that lead to the files in a folder. Raises OSError.

    An earlier start may have died between making a private directory and syncing its name. What
    stands in a folder in which we may make nothing is not of our making.
    """
    while True:
        sync_directory(folder)
        ours, above = stat.S_IMODE(os.stat(folder).st_mode) == DIRECTORY_MODE, folder.parent
        if not ours or above == folder or not os.access(above, os.R_OK | os.W_OK):
            return
        folder = above


def checked(descriptor: int, path: Path) -> os.stat_result:
    """Return what an open state file is. Raises OSError, and StorageError for what is none.

    On systems without owners all files in a folder have the one of the folder.
    """
    found = os.fstat(descriptor)
    if not stat.S_ISREG(found.st_mode):
        raise StorageError(say.NOT_A_FILE.of(path=path), hint=say.NOT_OURS_HINT)
    if found.st_uid != os.geteuid() and found.st_uid != os.stat(path.parent).st_uid:
        raise StorageError(more.OF_ANOTHER.of(path=path), hint=say.NOT_OURS_HINT)
    return found


def keep_private(descriptor: int, found: os.stat_result) -> None:
    """Take back what others may do with an open file, as far as that is possible."""
    if found.st_mode & OTHERS and found.st_uid == os.geteuid():
        with suppress(OSError):
            os.fchmod(descriptor, stat.S_IMODE(found.st_mode) & FILE_MODE)


@contextmanager
def private(path: Path, flags: int) -> Iterator[int]:
    """Yield the descriptor of a file that is ours alone. Raises OSError, StorageError."""
    with opened(path, flags) as descriptor:
        keep_private(descriptor, checked(descriptor, path))
        yield descriptor


def keep_file_private(path: Path) -> None:
    """Take back what others may do with a file of ours, if it is there."""
    with suppress(OSError, StorageError), private(path, os.O_RDONLY):
        pass


def keep_folder_private(path: Path) -> None:
    """Take back what others may do in a folder of ours, as far as that is possible.

    Where the user works, and where everybody may write, is not ours alone.
    """
    with suppress(OSError):
        found = os.stat(path)
        mode = stat.S_IMODE(found.st_mode)
        ours = found.st_uid == os.geteuid() and not mode & stat.S_ISVTX
        if mode & OTHERS and ours and not _around_the_user(path.resolve()):
            os.chmod(path, mode & ~OTHERS)


def _around_the_user(folder: Path) -> bool:
    places = (Path.cwd(), Path(os.path.expanduser("~")).resolve())
    return any(place.is_relative_to(folder) for place in places)


def beneath(folder: Path, *names: str) -> Path:
    """Return a folder in a folder of ours. Raises StorageError where a link leads elsewhere."""
    for name in names:
        folder /= name
        try:
            linked = folder.is_symlink()
        except OSError as error:
            raise failed(say.OPEN, folder, error) from error
        if linked:
            raise StorageError(more.LINKED.of(path=folder), hint=more.LINKED_HINT)
    return folder


def is_there(path: Path, what: Callable[[Path], bool] = Path.exists) -> bool:
    """Whether there is something at a path, or `what` it is to be; no where that can't be told."""
    with suppress(OSError):
        return what(path)
    return False


def read_whole(path: Path, most: int, *, links: bool = False) -> bytes:
    """Return the bytes of a regular file. Raises OSError, and ValueError for over `most` bytes."""
    with opened(path, os.O_RDONLY, links=links) as descriptor:
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
    if error.errno == errno.ELOOP and path.is_symlink():
        return StorageError(more.LINKED.of(path=path), hint=more.LINKED_HINT)
    reason = error.strerror or error
    return StorageError(say.CANT.of(what=what, path=path, reason=reason), hint=say.CANT_HINT)

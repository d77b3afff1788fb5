"""What recovery takes out of a log: kept in a file of its own, before anything is cut off."""

from collections.abc import Iterator
from itertools import count
from pathlib import Path

from ..prompts import errors as say
from .disk import beneath, failed, make_directory, read_whole, sync_names
from .storage import remove_unfinished, replace_atomically

FOLDER = "quarantine"


def set_aside(log: Path, name: str, data: bytes) -> Path:
    """Keep bytes of a log, durably; return the file that has them. Raises StorageError.

    Other bytes under this name stay; the same bytes are kept once, however often recovery runs.
    """
    folder = beneath(log.parent, FOLDER)
    make_directory(folder)
    try:
        path = next(path for path in _paths(folder, name) if _fits(path, data))
        # A recovery that was killed meanwhile may have left a part of it.
        remove_unfinished(path)
        if not path.exists():
            replace_atomically(path, data)
        sync_names(folder)
    except OSError as error:
        raise failed(say.CREATE, folder, error) from error
    return path


def _paths(folder: Path, name: str) -> Iterator[Path]:
    return (folder / (f"{name}-{n}.bin" if n > 1 else f"{name}.bin") for n in count(1))


def _fits(path: Path, data: bytes) -> bool:
    """Whether a file has these bytes, or is not there. Raises OSError."""
    try:
        return read_whole(path, len(data)) == data
    except FileNotFoundError:
        return True
    except ValueError:
        return False

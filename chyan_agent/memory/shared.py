"""The file of the notes: several processes append to it in turn."""

import fcntl
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ..durable.disk import failed, keep_folder_private
from ..durable.storage import AppendFile
from ..errors import LockedError, StorageError
from ..prompts import errors as say
from ..prompts import errors_files as more

PATIENCE, PAUSE = 5.0, 0.02
"""Seconds for which a turn is waited for, and between two tries. A writer takes milliseconds."""


class SharedFile(AppendFile):
    """An append-only file with several writers, who take turns."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        keep_folder_private(path.parent)

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Keep other writers out; `end` is where the last of them stopped.

        Raises StorageError, and LockedError when another process does not let go.
        """
        until = time.monotonic() + PATIENCE
        while not self._lock(fcntl.LOCK_EX | fcntl.LOCK_NB):
            if time.monotonic() > until:
                raise LockedError(more.NOTES_LOCKED.of(path=self.path), hint=more.NOTES_LOCKED_HINT)
            time.sleep(PAUSE)
        try:
            self.grown()
            yield
        finally:
            self._lock(fcntl.LOCK_UN)

    def _lock(self, how: int) -> bool:
        """Return whether it is done; False while another process has the lock."""
        try:
            fcntl.flock(self._descriptor, how)
        except BlockingIOError:
            return False
        except OSError as error:
            raise failed(say.LOCK, self.path, error) from error
        return True

    def grown(self) -> int:
        """Return the size of the file as it is now. Raises StorageError."""
        self.end = self._found().st_size
        return self.end


class Barred(SharedFile):
    """Stands for a file that must not be written, nor opened for it."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Raise StorageError."""
        self.refuse()
        yield

    def refuse(self) -> None:
        """Raise StorageError."""
        raise StorageError(say.READ_ONLY.of(name=self.path.name), hint=say.READ_ONLY_HINT)

"""The file of the notes: several processes append to it in turn."""

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ..durable.disk import failed
from ..durable.storage import AppendFile
from ..errors import StorageError
from ..prompts import errors as say


class SharedFile(AppendFile):
    """An append-only file with several writers, who take turns."""

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Keep other writers out; `end` is where the last of them stopped. Raises StorageError."""
        self._lock(fcntl.LOCK_EX)
        try:
            self.grown()
            yield
        finally:
            self._lock(fcntl.LOCK_UN)

    def _lock(self, how: int) -> None:
        try:
            fcntl.flock(self._descriptor, how)
        except OSError as error:
            raise failed(say.LOCK, self.path, error) from error

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

"""The lock that keeps a second process out of a session."""

import fcntl
import os
import re
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Self

from ..errors import LockedError
from ..prompts import errors as say
from .disk import checked, failed, keep_folder_private, keep_private, make_directory, opened

_SIGNED = re.compile(rb"(?:p(?:i(?:d(?: \d*\n?)?)?)?)?\0*")
"""What the file of a lock says, also after a power cut."""


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
        keep_folder_private(directory)
        with suppress(OSError):
            self._sign()

    def _sign(self) -> None:
        """Say who holds it. For the message alone: a full disk is no reason not to go on."""
        if not _SIGNED.fullmatch(os.pread(self._descriptor, 40, 0)):
            return  # Other bytes than ours, under a second name of their file.
        os.ftruncate(self._descriptor, 0)
        os.pwrite(self._descriptor, f"pid {os.getpid()}\n".encode("ascii"), 0)

    def _take(self) -> None:
        found = checked(self._descriptor, self.path)
        try:
            fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            holder = os.pread(self._descriptor, 40, 0).decode("ascii", "replace").strip()
            locked = say.LOCKED.of(path=self.path, holder=holder or say.UNKNOWN_HOLDER)
            raise LockedError(locked, hint=say.LOCKED_HINT) from error
        # Someone may have removed the file between opening and locking it, and made another.
        if not os.path.samestat(found, os.lstat(self.path)):
            raise LockedError(say.LOCK_REPLACED.of(path=self.path), hint=say.LOCK_REPLACED_HINT)
        keep_private(self._descriptor, found)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.release()

    def release(self) -> None:
        """Give the lock up. The file stays: unlinking it would let two processes hold it."""
        with suppress(OSError):
            self._held.close()

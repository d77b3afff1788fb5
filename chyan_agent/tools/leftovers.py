"""Clearing the workspace of what writers that were killed have left in it."""

import fcntl
import os
import stat
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from itertools import islice

from .listing import Opened
from .replacing import is_scratch

MOST = 20_000
"""Steps of a sweep: it must not delay the start, however large the workspace is."""
FOLDER = 10
"""Steps that a folder counts for; each of its entries and of the folders above it counts for 1."""

# Non-blocking: a pipe under such a name must not hold the start up.
_LOOK = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC

Spared = Callable[[str, os.stat_result], bool]
"""Whether a folder, by its name and state, is not to be looked into."""


def sweep(opened: Opened, spared: Spared) -> None:
    """Unlink unfinished files of the workspace whose writer is dead; never raises OSError.

    A writer holds a lock on its file, which the kernel frees when it dies. The folders nearest
    to the root come first. No link is followed.
    """
    waiting: deque[tuple[str, ...]] = deque([()])
    steps = MOST
    while waiting and steps > 0:
        parts = waiting.popleft()
        steps -= FOLDER + len(parts)
        # Gone, replaced by a link or closed to us: there is nothing to do in such a folder.
        with suppress(OSError), opened(parts) as folder:
            if parts and spared(parts[-1], os.fstat(folder)):
                continue
            entries = _cleared(folder, steps)
            steps -= len(entries)
            waiting += ((*parts, e.name) for e in entries if e.is_dir(follow_symlinks=False))


def _cleared(folder: int, most: int) -> list[os.DirEntry[str]]:
    """Unlink what nobody writes any more; return the first entries of the folder."""
    with os.scandir(folder) as listing:
        entries = list(islice(listing, max(most, 0)))
    for entry in entries:
        if is_scratch(entry.name):
            with suppress(OSError):
                _unlink(folder, entry.name)
    return entries


def _unlink(folder: int, name: str) -> None:
    """Unlink a regular file that no writer has locked. Raises OSError (BlockingIOError: locked)."""
    fd = os.open(name, _LOOK, dir_fd=folder)
    try:
        if stat.S_ISREG(os.fstat(fd).st_mode):
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
            os.unlink(name, dir_fd=folder)
    finally:
        os.close(fd)

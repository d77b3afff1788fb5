"""Clearing the workspace of what writers that were killed have left in it."""

import os
import stat
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from itertools import islice
from pathlib import Path

from .replacing import is_scratch

AGE = 3600.0
"""Seconds without a change after which an unfinished file is taken to have no writer.

A write takes seconds. Should one have slept for an hour, its rename fails: the file that it was
for keeps its content, and the write is reported as failed.
"""
MOST = 20_000
"""Steps of a sweep: it must not delay the start, however large the workspace is."""
FOLDER = 10
"""Steps that a folder counts for; each of its entries and of the folders above it counts for 1."""

_OPEN = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC

Spared = Callable[[str, os.stat_result], bool]
"""Whether a folder, by its name and state, is not to be looked into."""


def sweep(root: Path, spared: Spared) -> None:
    """Unlink old unfinished files at and below a folder; never raises OSError.

    The folders nearest to `root` come first. No link is followed, whatever is swapped meanwhile:
    folders are opened one by one from `root` down.
    """
    waiting: deque[tuple[str, ...]] = deque([()])
    steps, before = MOST, time.time() - AGE
    while waiting and steps > 0:
        parts = waiting.popleft()
        steps -= FOLDER + len(parts)
        # Gone, replaced by a link or closed to us: there is nothing to do in such a folder.
        with suppress(OSError), _opened(root, parts) as folder:
            if parts and spared(parts[-1], os.fstat(folder)):
                continue
            entries = _cleared(folder, steps, before)
            steps -= len(entries)
            waiting += ((*parts, e.name) for e in entries if e.is_dir(follow_symlinks=False))


@contextmanager
def _opened(root: Path, parts: tuple[str, ...]) -> Iterator[int]:
    folder = os.open(root, _OPEN)
    try:
        for part in parts:
            above, folder = folder, os.open(part, _OPEN, dir_fd=folder)
            os.close(above)
        yield folder
    finally:
        os.close(folder)


def _cleared(folder: int, most: int, before: float) -> list[os.DirEntry[str]]:
    """Unlink what has not changed since `before`; return the first entries of the folder."""
    with os.scandir(folder) as listing:
        entries = list(islice(listing, max(most, 0)))
    for entry in entries:
        if is_scratch(entry.name):
            with suppress(OSError):
                _unlink(folder, entry, before)
    return entries


def _unlink(folder: int, entry: os.DirEntry[str], before: float) -> None:
    found = entry.stat(follow_symlinks=False)
    if stat.S_ISREG(found.st_mode) and found.st_mtime < before:
        os.unlink(entry.name, dir_fd=folder)

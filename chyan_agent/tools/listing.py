"""Every file below a folder, in a fixed order and within bounds."""

import os
import stat
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass
from itertools import islice

from .beneath import Parts
from .places import Id, guarded, identity
from .replacing import is_scratch

MOST_ENTRIES = 200_000
"""Entries of one folder that are listed; which these are is the system's choice."""

Opened = Callable[[Parts], AbstractContextManager[int]]
"""Opens a folder by its components. Raises OSError."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A regular file: its paths from the workspace and from where it was looked for."""

    path: str
    inside: str
    mtime: int
    """When it was changed, in nanoseconds."""


def walk(opened: Opened, top: Parts, barred: set[Id], going: Callable[[], bool]) -> Iterator[Entry]:
    """Yield the files below `top`, those of a folder before those of the folders in it.

    Links, special files, unfinished writes and what is barred are left out. Asks before each
    folder whether it is `going` on: there may be many without a file.
    """
    waiting = [top]
    while waiting and going():
        here, folders = waiting.pop(), []
        for name, changed in _listed(opened, here, barred):
            parts = (*here, name)
            if changed is None:
                folders.append(parts)
            else:
                yield Entry("/".join(parts), "/".join(parts[len(top) :]), changed)
        waiting += reversed(folders)


def _listed(opened: Opened, parts: Parts, barred: set[Id]) -> list[tuple[str, int | None]]:
    """List files, with their time, and folders; what has changed or gone meanwhile is left out."""
    listed = []
    with suppress(OSError), opened(parts) as folder, os.scandir(folder) as entries:
        for entry in islice(entries, MOST_ENTRIES):
            found = _state(entry)
            if found and identity(found) not in barred:
                changed = None if stat.S_ISDIR(found.st_mode) else found.st_mtime_ns
                listed.append((entry.name, changed))
    return sorted(listed, key=lambda item: item[0])


def _state(entry: os.DirEntry[str]) -> os.stat_result | None:
    """Return what a file or folder is; None for what is not listed."""
    if guarded(entry.name) or is_scratch(entry.name):
        return None
    with suppress(FileNotFoundError):
        found = entry.stat(follow_symlinks=False)
        if stat.S_ISREG(found.st_mode) or stat.S_ISDIR(found.st_mode):
            return found
    return None

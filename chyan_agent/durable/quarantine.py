"""What recovery takes out of a log: kept in a file of its own, before anything is cut off."""

import os
import stat
from collections.abc import Iterator
from itertools import count
from pathlib import Path

from ..prompts import errors as say
from ..prompts import errors_files as more
from ..prompts.said import Said
from .disk import beneath, failed, keep_folder_private, make_directory, opened, read_at, sync_names
from .storage import ReadFile, remove_unfinished, replace_atomically

FOLDER = "quarantine"
BLOCK = 1 << 20
ZEROS = 1 << 16
"""Zeros at an end that are kept: of more, their number says it all, and they may be gigabytes."""


def set_aside(file: ReadFile, name: str, start: int, end: int) -> tuple[Path, list[Said]]:
    """Keep bytes `start` to `end` of a log, durably; return the file that has them.

    With it comes what of them was not kept. Other bytes under this name stay; the same bytes are
    kept once, however often recovery runs. Raises StorageError.
    """
    kept = min(end, _last(file, start, end) + ZEROS)
    folder = beneath(file.path.parent, FOLDER)
    make_directory(folder)
    keep_folder_private(folder)
    try:
        path = next(path for path in _paths(folder, name) if _fits(path, file, start, kept))
        # A recovery that was killed meanwhile may have left a part of it.
        remove_unfinished(path)
        if not path.exists():
            replace_atomically(path, _blocks(file, start, kept))
        sync_names(folder)
    except OSError as error:
        raise failed(say.CREATE, folder, error) from error
    dropped = [more.ZEROS_DROPPED.of(name=path.name, size=end - kept)] if kept < end else []
    return path, dropped


def _last(file: ReadFile, start: int, end: int) -> int:
    """Return where the zeros begin that stand at the end."""
    end = max(start, min(end, file.filled()))
    while end > start:
        at = max(end - BLOCK, start)
        if block := file.read(at, end - at).rstrip(b"\0"):
            return at + len(block)
        end = at
    return start


def _blocks(file: ReadFile, start: int, end: int) -> Iterator[bytes]:
    while start < end and (block := file.read(start, min(end - start, BLOCK))):
        yield block
        start += len(block)


def _paths(folder: Path, name: str) -> Iterator[Path]:
    return (folder / (f"{name}-{n}.bin" if n > 1 else f"{name}.bin") for n in count(1))


def _fits(path: Path, file: ReadFile, start: int, end: int) -> bool:
    """Whether a file has these bytes, or is not there. Raises OSError."""
    if path.is_symlink():
        return False
    try:
        with opened(path, os.O_RDONLY) as descriptor:
            found = os.fstat(descriptor)
            if not stat.S_ISREG(found.st_mode) or found.st_size != end - start:
                return False
            there = (read_at(descriptor, at, BLOCK) for at in range(0, end - start, BLOCK))
            return all(map(bytes.__eq__, there, _blocks(file, start, end)))
    except FileNotFoundError:
        return True

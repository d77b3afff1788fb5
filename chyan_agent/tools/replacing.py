"""Giving a file new content all at once, inside a folder that is already open."""

import codecs
import errno
import fcntl
import hashlib
import os
import re
import secrets
from contextlib import suppress
from dataclasses import dataclass
from typing import BinaryIO

from .decoding import WIDE
from .following import Addition

SCRATCH = ".chyan-"
"""How the names of unfinished files begin."""
BLOCK = 1 << 20

_SCRATCH_NAME = re.compile(re.escape(SCRATCH) + r"[0-9a-f]{16}\.tmp")

# Exclusive: nobody can have planted a link under a name that is about to be created.
_CREATE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


@dataclass(frozen=True, slots=True)
class Written:
    """What a file holds after a write."""

    bytes: int
    lines: int
    sha256: str
    joined: bool
    """Whether appended text goes on in a last line that had no newline."""


def is_scratch(name: str) -> bool:
    """Tell whether a file is named as `replace` names what it has not finished."""
    return _SCRATCH_NAME.fullmatch(name) is not None


def require_writable(folder: int, name: str) -> None:
    """Raise PermissionError for a file that may not be written.

    To put another in its place asks for rights on the folder alone.
    """
    effective = os.access in os.supports_effective_ids
    follow = os.access not in os.supports_follow_symlinks
    may = os.access(name, os.W_OK, dir_fd=folder, effective_ids=effective, follow_symlinks=follow)
    if not may:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))


def replace(
    folder: int, name: str, new: Addition, *, mode: int | None = None, old: BinaryIO | None = None
) -> Written:
    """Let `name` hold what is left in `old` and then what is `new`, durably; raises OSError.

    Whoever reads the file, or crashes, gets the content before or the content after. A new file
    is never executable; `mode` is that of an existing one.
    """
    scratch = f"{SCRATCH}{secrets.token_hex(8)}.tmp"
    fd = os.open(scratch, _CREATE, 0o644, dir_fd=folder)
    try:
        with os.fdopen(fd, "wb") as file:
            # Held until the rename: it tells the sweep of another start that the writer lives.
            fcntl.flock(fd, fcntl.LOCK_EX)
            if mode is not None:
                os.fchmod(fd, mode)
            written = _fill(file, old, new)
            file.flush()
            os.fsync(fd)
            os.rename(scratch, name, src_dir_fd=folder, dst_dir_fd=folder)
    finally:
        # Gone after the rename; still there after an error or an interruption.
        with suppress(FileNotFoundError):
            os.unlink(scratch, dir_fd=folder)
    os.fsync(folder)
    return written


def _fill(file: BinaryIO, old: BinaryIO | None, new: Addition) -> Written:
    found, size, lines = hashlib.sha256(), 0, _Lines(new.encoding)
    # What another program goes on adding belongs to its own next write.
    left = os.fstat(old.fileno()).st_size if old else 0
    while old and (block := old.read(min(BLOCK, left - size))):
        file.write(block)
        found.update(block)
        lines.add(block)
        size += len(block)
    joined = lines.last != "\n"
    file.write(new.data)
    found.update(new.data)
    lines.add(new.data)
    total = lines.breaks + (lines.last != "\n")
    return Written(size + len(new.data), total, found.hexdigest(), joined)


class _Lines:
    """Counts the newlines of a file, in which a newline may be more than one byte."""

    def __init__(self, encoding: str) -> None:
        marked = encoding in WIDE or encoding == "utf-8-sig"
        self._decoder = codecs.getincrementaldecoder(encoding if marked else "latin-1")("replace")
        self.breaks = 0
        self.last = "\n"

    def add(self, block: bytes) -> None:
        """Take the next bytes."""
        text = self._decoder.decode(block)
        self.breaks += text.count("\n")
        self.last = text[-1:] or self.last

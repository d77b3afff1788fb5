"""Caches that a newer program wrote: they cost nothing where they are, and stay."""

import os
from contextlib import suppress
from pathlib import Path

from ..errors import VersionError
from ..prompts import errors as say
from ..prompts import errors_files as more
from .disk import opened, read_at, read_whole
from .records import MAX_LINE, may_be_newer, newer

HEAD = 64
"""Bytes of a sealed file within which its version stands."""


def version_there(path: Path, ours: int) -> int | None:
    """Return the version of a file of one sealed line, if it is later than ours."""
    with suppress(OSError, ValueError):
        with opened(path, os.O_RDONLY) as descriptor:
            head = read_at(descriptor, 0, HEAD)
        if may_be_newer(head, ours):
            return newer(read_whole(path, MAX_LINE), ours)
    return None


def refuse_newer_file(path: Path, ours: int) -> None:
    """Raise VersionError for a file of a newer program: it is not replaced."""
    version = version_there(path, ours)
    if version is not None:
        said = more.NEWER_FILE.of(path=path, version=version, ours=ours)
        raise VersionError(said, hint=say.NEWER_HINT)

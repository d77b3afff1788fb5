"""The end of a transcript: where its whole records end, and what was torn behind them."""

from collections.abc import Callable
from contextlib import suppress
from itertools import islice
from pathlib import Path

from ..errors import CorruptError
from ..prompts import errors as say
from ..prompts.said import Said
from .codec import VERSION
from .lines import CHUNK, lines_before, next_line, placed
from .quarantine import set_aside
from .records import foreign, is_object, may_be_newer
from .storage import AppendFile, ReadFile
from .stored import edited, refuse_newer, stored

Looked = Callable[[ReadFile, int], int]
"""Tells where a file, whose whole records end at that byte, need not be looked at before."""
START = b'{"turn":'
"""How every line that we write begins: tells our own torn first line from a foreign file."""


def ending(file: ReadFile) -> tuple[int, int]:
    """Return the byte at which the whole records end, and the number of the last of them.

    Raises CorruptError for a file that is none of ours, VersionError for a newer program's.
    """
    end = file.filled()
    good, seq = _last_record(file, end)
    if end and not good:
        _refuse_foreign(file, end)
    return _changed(file, good, end, seq)


def _last_record(file: ReadFile, end: int) -> tuple[int, int]:
    for start, line in lines_before(file, end):
        try:
            return start + len(line), stored(start, line).seq
        except ValueError:
            continue
    return 0, 0


def _refuse_foreign(file: ReadFile, end: int) -> None:
    if foreign(file.read(0, CHUNK), START):
        raise CorruptError(say.NOT_A_TRANSCRIPT.of(path=file.path), hint=say.NOT_OURS_HINT)
    whole = (line for _, line in placed(file, 0, end) if line.endswith(b"\n"))
    if len(list(islice(filter(is_object, whole), 2))) == 2:
        raise CorruptError(say.EDITED.of(path=file.path), hint=say.EDITED_HINT)


def _changed(file: ReadFile, good: int, end: int, seq: int) -> tuple[int, int]:
    """Pass over records behind byte `good` that somebody changed: they are not torn.

    Their numbers stay theirs, so that they can be taken over later.
    """
    most = seq
    for start, line in placed(file, good, end):
        refuse_newer(start, line)
        was, most = edited(start, line), most + 1
        if was is not None and seq < was.seq <= most:
            good, seq = was.start + len(line), was.seq
    return good, seq


def from_its_beginning(file: ReadFile, end: int) -> int:
    """Have all of a file looked at."""
    return 0


def cut_off(file: AppendFile, good: int, looked: Looked) -> tuple[Path, list[Said]]:
    """Cut off what stands behind byte `good`; return where it is kept, and what of it is not.

    A file with a newer program's record stays as it is, wherever that stands behind what is known.
    Raises VersionError, StorageError.
    """
    for start, line in placed(file, next_line(file, looked(file, good)), good):
        if may_be_newer(line, VERSION):
            with suppress(ValueError):
                stored(start, line)
    aside, dropped = set_aside(file, f"tail-{good}", good, file.end)
    file.truncate(good)
    return aside, dropped

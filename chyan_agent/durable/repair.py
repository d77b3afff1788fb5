"""The end of a transcript: where its whole records end, and what was torn behind them."""

from contextlib import suppress
from itertools import islice
from pathlib import Path

from ..errors import CorruptError
from ..prompts import errors as say
from ..prompts.said import Said
from .codec import VERSION
from .lines import CHUNK, lines, lines_before
from .quarantine import set_aside
from .records import foreign, is_object, may_be_newer
from .storage import AppendFile, ReadFile
from .stored import edited, refuse_newer, stored

START = b'{"turn":'
"""How every line that we write begins: tells our own torn first line from a foreign file."""


def ending(file: ReadFile) -> tuple[int, int]:
    """Return the byte at which the whole records end, and the number of the last of them.

    Raises CorruptError for a file that is none of ours, VersionError for a newer program's.
    """
    good, seq = _last_record(file)
    if file.end and not good:
        _refuse_foreign(file)
    return _changed(file, good, seq)


def _last_record(file: ReadFile) -> tuple[int, int]:
    for start, line in lines_before(file, file.end):
        try:
            return start + len(line), stored(start, line).seq
        except ValueError:
            continue
    return 0, 0


def _refuse_foreign(file: ReadFile) -> None:
    if foreign(file.read(0, CHUNK), START):
        raise CorruptError(say.NOT_A_TRANSCRIPT.of(path=file.path), hint=say.NOT_OURS_HINT)
    whole = (line for line in lines(file, 0) if line.endswith(b"\n"))
    if len(list(islice(filter(is_object, whole), 2))) == 2:
        raise CorruptError(say.EDITED.of(path=file.path), hint=say.EDITED_HINT)


def _changed(file: ReadFile, good: int, seq: int) -> tuple[int, int]:
    """Pass over records behind byte `good` that somebody changed: they are not torn.

    Their numbers stay theirs, so that they can be taken over later.
    """
    start, most = good, seq
    for line in lines(file, good):
        refuse_newer(start, line)
        was, start, most = edited(start, line), start + len(line), most + 1
        if was is not None and seq < was.seq <= most:
            good, seq = start, was.seq
    return good, seq


def cut_off(file: AppendFile, good: int) -> tuple[Path, list[Said]]:
    """Cut off what stands behind byte `good`; return where it is kept, and what of it is not.

    A file with a newer program's record anywhere stays as it is. Raises VersionError, StorageError.
    """
    start = 0
    for line in lines(file, 0):
        if start >= good:
            break
        if may_be_newer(line, VERSION):
            with suppress(ValueError):
                stored(start, line)
        start += len(line)
    aside, dropped = set_aside(file, f"tail-{good}", good, file.end)
    file.truncate(good)
    return aside, dropped

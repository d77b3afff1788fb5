"""A line of a transcript as the record that it holds: what is read back, and so may be written."""

from dataclasses import dataclass

from ..errors import StorageError, VersionError
from ..prompts import errors as say
from ..prompts import errors_files as more
from ..state import Record, Rewound, SessionStarted
from .codec import VERSION, record_from_json, record_to_json
from .records import newer, resealed, seal, unseal

LARGEST = 2**53
"""No number of a record is as large: what counts to it is no record of ours."""


@dataclass(frozen=True, slots=True)
class Stored:
    """A record with its place in the file: bytes `start` to `end`."""

    start: int
    end: int
    seq: int
    ts: str
    record: Record


def written(record: Record, *, seq: int, ts: str) -> bytes:
    """Return the line of a record. Raises StorageError for one that no start would read."""
    data = record_to_json(record, seq=seq, ts=ts)
    try:
        _check(record, 0 if isinstance(record, SessionStarted) else record.turn, seq)
    except ValueError as error:
        raise StorageError(more.UNREADABLE.of(why=error), hint=more.UNREADABLE_HINT) from error
    return seal(data)


def _check(record: Record, turn: int, seq: int) -> None:
    """Raise ValueError for a record that says of itself what can't be: neither read nor written."""
    if not 0 <= turn <= seq < LARGEST:
        raise ValueError("seq or turn is wrong")
    if isinstance(record, Rewound) and record.state.last_turn != turn:
        raise ValueError("a rewind with the state of another turn")


def edited(start: int, line: bytes) -> Stored | None:
    """Return the record that a line is but for its checksum; None for what never was a record."""
    try:
        return stored(start, resealed(line))
    except (ValueError, StorageError, VersionError):
        return None


def refuse_newer(start: int, line: bytes) -> None:
    """Raise VersionError for a line that a newer program may have sealed in another way."""
    version = newer(line, VERSION)
    if version is not None:
        raise _newer(start, version)


def _newer(start: int, version: int) -> VersionError:
    said = say.NEWER_RECORD.of(start=start, version=version, ours=VERSION)
    return VersionError(said, hint=say.NEWER_HINT)


def stored(start: int, line: bytes) -> Stored:
    """Read a line as a record. Raises ValueError, and VersionError for a newer program's."""
    try:
        data = unseal(line)
    except ValueError:
        refuse_newer(start, line)
        raise
    version, seq, ts = data.get("v"), data.get("seq"), data.get("ts")
    if type(version) is int and version > VERSION:
        raise _newer(start, version)
    record = record_from_json(data)
    turn = data.get("turn")
    if version != VERSION or not isinstance(ts, str):
        raise ValueError("v or ts is missing or wrong")
    if type(seq) is not int or not isinstance(turn, int):
        raise ValueError("seq or turn is missing")
    _check(record, turn, seq)
    return Stored(start, start + len(line), seq, ts, record)

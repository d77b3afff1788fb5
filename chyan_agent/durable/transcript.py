"""conversation.jsonl: the append-only full record, repaired at its end when it is opened."""

import logging
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from ..errors import CorruptError, StorageError, VersionError
from ..prompts import errors as say
from ..prompts.said import Said
from ..state import Record, Rewound
from .chart import Chart, Seen, place_of
from .codec import VERSION, record_from_json, record_to_json
from .damage import Kind, Place
from .lines import lines, lines_before
from .quarantine import set_aside
from .records import checksum_of, foreign, object_lines, resealed, seal, unseal
from .storage import AppendFile, ReadFile

START = b'{"turn":'
"""How every line that we write begins: tells our own torn first line from a foreign file."""
TAIL = len(b'"crc":"00000000"}\n')
LARGEST = 2**53
"""No number of a record is as large: what counts to it is no record of ours."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Stored:
    """A record with its place in the file: bytes `start` to `end`."""

    start: int
    end: int
    seq: int
    ts: str
    record: Record


class Transcript:
    """The open transcript of one session. One writer; the caller holds the session's lock.

    With `writable` off nothing is changed, and a torn end is passed over.
    """

    def __init__(self, path: Path, *, clock: Callable[[], str], writable: bool = True) -> None:
        self.path = path
        self.chart = Chart()
        """What is known of the records; `survey` completes it."""
        self._clock = clock
        self._repaired: list[Said] = []
        self.writable = writable
        self._writer = AppendFile(path) if writable else None
        self.file = self._writer or ReadFile(path)
        try:
            self.end, self.seq = self._repair()
        except (CorruptError, StorageError, VersionError):
            self.close()
            raise

    @property
    def problems(self) -> list[Said]:
        """What recovery found, for the user to read."""
        return [*self._repaired, *self.chart.damage.said(self.path.name)]

    @property
    def new(self) -> bool:
        """Whether nothing was ever recorded."""
        return self.seq == 0

    def warn(self, problem: Said) -> None:
        """Add to the problems."""
        self._repaired.append(problem)

    def append(self, record: Record, *, durable: bool = False) -> None:
        """Write a record; `durable` waits for the disk. Raises StorageError: nothing changed."""
        if self._writer is None:
            raise StorageError(say.READ_ONLY.of(name=self.path.name), hint=say.READ_ONLY_HINT)
        start, self.seq = self.end, self.seq + 1
        try:
            self._writer.append(seal(record_to_json(record, seq=self.seq, ts=self._clock())))
        finally:
            # Also when interrupted: the number belongs to the record if and only if that stands.
            self.end = self._writer.end
            self.seq -= self.end == start
        if self.chart.end == start:
            self.chart.take(start, self.end, self.seq, record)
        if durable:
            self.sync()

    def sync(self) -> None:
        """Make everything appended durable. Raises StorageError."""
        if self._writer:
            self._writer.sync()

    def close(self) -> None:
        """Close the file."""
        self.file.close()

    def read(self, start: int) -> Stored:
        """Return the record that starts at byte `start`. Raises ValueError if none does."""
        line = next(lines(self.file, start), None)
        if line is None:
            raise ValueError(f"no record at byte {start}")
        return stored(start, line)

    def survey(self) -> Iterator[Stored]:
        """Yield the records that are not in the chart, and chart them."""
        yield from self.scan(self.chart.end)
        self.chart.end = self.end

    def scan(self, start: int = 0) -> Iterator[Stored]:
        """Yield the records from byte `start` on; what is damaged is passed over.

        What the chart doesn't know yet is charted.
        """
        going_on = start == self.chart.end
        seen = Seen(self.chart.seq, self.chart.turn) if going_on else Seen(0, None if start else 0)
        for line in lines(self.file, start):
            end = start + len(line)
            try:
                found = stored(start, line)
            except ValueError as error:
                self._note(Place(_matter(start, line), start, end), error)
            else:
                if self._counts(found, seen, line):
                    yield found
            start = end

    def _counts(self, found: Stored, seen: Seen, line: bytes) -> bool:
        last, matter = seen.last, seen.judge(found.seq, checksum_of(line), found.record)
        # Of numbers that stand in disorder the next record has to be above the highest.
        self.seq = max(self.seq, found.seq)
        if matter:
            place = place_of(matter, found.start, found.end, last, found.seq)
            self._note(place, matter)
        counts = matter in (None, "jump")
        if counts and found.start == self.chart.end:
            self.chart.take(found.start, found.end, found.seq, found.record)
        return counts

    def _note(self, place: Place, why: ValueError | Kind) -> None:
        """Chart what is damaged, once."""
        if place.start != self.chart.end:
            return
        self.chart.end = place.end
        if self.chart.damage.note(place):
            _log.warning("byte %d of %s: %s", place.start, self.path.name, why)

    def seal_at(self, end: int) -> str:
        """Return the checksum of the record that ends at byte `end`; empty if none does."""
        tail = self.file.read(max(end - TAIL, 0), TAIL) if end <= self.end else b""
        return tail[7:15].decode("ascii", "replace") if tail.startswith(b'"crc":"') else ""

    def _repair(self) -> tuple[int, int]:
        """Set aside what a dying writer left behind the last whole record.

        Returns where the file ends now, and the number of that record.
        """
        whole = self.file.end
        good, seq = self._last_record(whole)
        if good < whole:
            self._cut_off(good, self.file.read(good, whole - good))
        elif self._writer and whole and self.file.read(whole - 1, 1) != b"\n":
            self._writer.append(b"\n")
            self._writer.sync()
            good += 1
        return good, seq

    def _last_record(self, end: int) -> tuple[int, int]:
        for start, line in lines_before(self.file, end):
            try:
                return start + len(line), stored(start, line).seq
            except ValueError:
                continue
        return 0, 0

    def _cut_off(self, good: int, torn: bytes) -> None:
        if good == 0 and foreign(torn, START):
            raise CorruptError(say.NOT_A_TRANSCRIPT.of(path=self.path), hint=say.NOT_OURS_HINT)
        if good == 0 and object_lines(torn, 2):
            raise CorruptError(say.EDITED.of(path=self.path), hint=say.EDITED_HINT)
        told, aside = say.TORN_UNTOUCHED, self.path
        if self._writer:
            told, aside = say.TORN_RECORD, set_aside(self.path, f"tail-{good}", torn)
            self._writer.truncate(good)
        self.warn(told.of(name=self.path.name, size=len(torn), start=good, aside=aside))


def _matter(start: int, line: bytes) -> Kind:
    """Tell a record whose content was changed from what never was a record."""
    try:
        stored(start, resealed(line))
    except (ValueError, StorageError, VersionError):
        return "bytes"
    return "edited"


def stored(start: int, line: bytes) -> Stored:
    """Read a line as a record. Raises ValueError, and VersionError for a newer program's."""
    data = unseal(line)
    version, seq, ts = data.get("v"), data.get("seq"), data.get("ts")
    if type(version) is int and version > VERSION:
        newer = say.NEWER_RECORD.of(start=start, version=version, ours=VERSION)
        raise VersionError(newer, hint=say.NEWER_HINT)
    record = record_from_json(data)
    turn = data.get("turn")
    if version != VERSION or not isinstance(ts, str):
        raise ValueError("v or ts is missing or wrong")
    if type(seq) is not int or not isinstance(turn, int) or not 0 <= turn <= seq < LARGEST:
        raise ValueError("seq or turn is missing or wrong")
    if isinstance(record, Rewound) and record.state.last_turn != turn:
        raise ValueError("a rewind with the state of another turn")
    return Stored(start, start + len(line), seq, ts, record)

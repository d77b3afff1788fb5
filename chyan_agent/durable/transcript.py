"""conversation.jsonl: the append-only full record, repaired at its end when it is opened."""

import logging
from collections.abc import Callable, Iterator
from pathlib import Path

from ..errors import CorruptError, StorageError, VersionError
from ..prompts import errors as say
from ..prompts.said import Said
from ..state import Record
from .chart import Chart, Seen, place_of
from .damage import Kind, Place
from .lines import lines, lines_before, placed
from .records import checksum_of
from .repair import Looked, cut_off, ending, from_its_beginning
from .storage import AppendFile, ReadFile
from .stored import Stored, edited, stored, written

TAIL = len(b'"crc":"00000000"}\n')

_log = logging.getLogger(__name__)


class Transcript:
    """The open transcript of one session. One writer; the caller holds the session's lock.

    With `writable` off nothing is changed, and a torn end is passed over. Before one is cut off
    the log is looked through from where `looked` says.
    """

    def __init__(
        self,
        path: Path,
        *,
        clock: Callable[[], str],
        writable: bool = True,
        looked: Looked = from_its_beginning,
    ) -> None:
        self.path = path
        self.chart = Chart()
        """What is known of the records; `survey` completes it."""
        self._clock = clock
        self._repaired: list[Said] = []
        self.writable = writable
        self._writer = AppendFile(path) if writable else None
        self.file = self._writer or ReadFile(path)
        try:
            self.end, self.seq = ending(self.file)
            self._repair(looked)
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
            self._writer.append(written(record, seq=self.seq, ts=self._clock()))
        finally:
            # Also when interrupted: the number belongs to the record if and only if that stands.
            self.end = self._writer.end
            self.seq -= self.end == start
        if self.chart.end == start:
            self.chart.take(start, self.end, self.seq, record)
        if durable:
            self.sync()

    def _repair(self, looked: Looked) -> None:
        """Take away what a dying writer left behind the last whole record."""
        size = self.file.end - self.end
        torn = {"name": self.path.name, "size": size, "start": self.end}
        if size and self._writer:
            aside, more = cut_off(self._writer, self.end, looked)
            self._repaired += [say.TORN_RECORD.of(**torn, aside=aside), *more]
        elif size:
            self.warn(say.TORN_UNTOUCHED.of(**torn))
        if self._writer and self.end and self.file.read(self.end - 1, 1) != b"\n":
            self._writer.append(b"\n")
            self._writer.sync()
            self.end += 1

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
        going_on, known = start == self.chart.end, None if start else 0
        seen = Seen(self.chart.seq, self.chart.turn) if going_on else Seen(known, known)
        # Not what is torn, nor what another process has appended since.
        for at, line in placed(self.file, start, self.end):
            try:
                found = stored(at, line)
            except ValueError as error:
                self._damaged(at, line, seen, error)
            else:
                if self._counts(found, seen, line):
                    yield found

    def _counts(self, found: Stored, seen: Seen, line: bytes) -> bool:
        last, matter = seen.last, seen.judge(found.seq, checksum_of(line), found.record)
        # Of numbers that stand in disorder the next record has to be above the highest.
        self.seq = max(self.seq, found.seq)
        if matter:
            place = place_of(matter, found.start, found.end, last or 0, found.seq)
            self._note(place, matter)
        counts = matter in (None, "jump")
        if counts and found.start == self.chart.end:
            self.chart.take(found.start, found.end, found.seq, found.record)
        return counts

    def _damaged(self, start: int, line: bytes, seen: Seen, why: ValueError) -> None:
        """Chart a line that is no record; tell one that was changed from what never was one."""
        was = edited(start, line)
        if was is not None and was.seq <= (seen.last or 0):
            was = None  # Its number is another one's: it can't be taken over.
        if was is not None and start == self.chart.end:
            self.chart.claim(was.record)
        seq = was.seq if was else 0
        end, last = start + len(line), max(seq - 1, 0)
        self._note(Place("edited" if was else "bytes", start, end, last, seq), why)

    def _note(self, place: Place, why: ValueError | Kind) -> None:
        """Chart what is damaged, once."""
        if place.start != self.chart.end:
            return
        self.chart.end = place.end
        if self.chart.damage.note(place):
            _log.warning("byte %d of %s: %s", place.start, self.path.name, why)

    def seal_at(self, end: int) -> str:
        """Return the checksum of the record that ends at byte `end`; empty if none does."""
        return seal_at(self.file, end) if end <= self.end else ""


def seal_at(file: ReadFile, end: int) -> str:
    """Return the checksum of the record that ends at byte `end`; empty if none does."""
    tail = file.read(max(end - TAIL, 0), TAIL)
    return tail[7:15].decode("ascii", "replace") if tail.startswith(b'"crc":"') else ""


def changed_end(transcript: Transcript) -> Record | None:
    """Return what the last line would say but for its checksum; None where that is right."""
    last, end = transcript.chart.damage.places[-1:], transcript.end
    if not last or last[0].kind != "edited" or last[0].end != end:
        return None
    before = lines_before(transcript.file, end)
    found = next((edited(start, line) for start, line in before), None)
    return found.record if found else None

"""conversation.jsonl: the append-only full record, repaired at its end when it is opened."""

import logging
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from .codec import VERSION, record_from_json, record_to_json
from .errors import CorruptError, VersionError
from .prompts import errors as say
from .prompts.said import Said
from .records import MAX_LINE, seal, unseal
from .state import Record
from .storage import AppendFile, make_directory, replace_atomically

CHUNK = 1 << 16
START = b'{"turn":'
"""How every line that we write begins: tells our own torn first line from a foreign file."""
TAIL = len(b'"crc":"00000000"}\n')

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
    """The open transcript of one session. One writer; the caller holds the session's lock."""

    def __init__(self, path: Path, *, clock: Callable[[], str]) -> None:
        self.path = path
        self.problems: list[Said] = []
        """What recovery found, for the user to read."""
        self._clock = clock
        self._file = AppendFile(path)
        self.seq = 0
        self._repair()

    @property
    def end(self) -> int:
        """Size of the file in bytes: where the next record starts."""
        return self._file.end

    @property
    def new(self) -> bool:
        """Whether nothing was ever recorded."""
        return self.seq == 0

    def append(self, record: Record, *, durable: bool = False) -> None:
        """Write a record; `durable` waits for the disk. Raises StorageError: nothing changed."""
        self._file.append(seal(record_to_json(record, seq=self.seq + 1, ts=self._clock())))
        self.seq += 1
        if durable:
            self.sync()

    def sync(self) -> None:
        """Make everything appended durable. Raises StorageError."""
        self._file.sync()

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def read(self, start: int) -> Stored:
        """Return the record that starts at byte `start`. Raises ValueError if none does."""
        line = next(self._lines(start), None)
        if line is None:
            raise ValueError(f"no record at byte {start}")
        return _stored(start, line)

    def scan(self, start: int = 0) -> Iterator[Stored]:
        """Yield the records from byte `start` on; damaged lines are reported and passed over."""
        last = 0
        for line in self._lines(start):
            try:
                stored = _stored(start, line)
            except ValueError as error:
                self._report(say.NOT_A_RECORD, start=start, end=start + len(line))
                _log.warning("byte %d of %s: %s", start, self.path.name, error)
            else:
                if last and stored.seq != last + 1:
                    self._report(say.OUT_OF_ORDER, seq=stored.seq, last=last, start=start)
                if stored.seq > last:
                    last = stored.seq
                    yield stored
            start += len(line)

    def seal_at(self, end: int) -> str:
        """Return the checksum of the record that ends at byte `end`; empty if none does."""
        tail = self._file.read(max(end - TAIL, 0), TAIL) if end <= self.end else b""
        return tail[7:15].decode("ascii", "replace") if tail.startswith(b'"crc":"') else ""

    def _report(self, problem: Said, **values: object) -> None:
        found = problem.of(name=self.path.name, **values)
        if found not in self.problems:
            self.problems.append(found)

    def _lines(self, start: int) -> Iterator[bytes]:
        """Yield lines with their newline; the last may lack it."""
        rest = b""
        while chunk := self._file.read(start + len(rest), CHUNK):
            lines = (rest + chunk).split(b"\n")
            rest = lines.pop()
            for line in lines:
                start += len(line) + 1
                yield line + b"\n"
            if len(rest) > MAX_LINE:
                # No record is so long: let the damage go in pieces, and look for the next line.
                yield rest
                start, rest = start + len(rest), b""
        if rest:
            yield rest

    def _repair(self) -> None:
        """Find the last whole record; set aside what a dying writer left behind it."""
        good, seq = self._last_record()
        self.seq = seq
        if good == self.end:
            self._close_line()
            return
        torn = self._file.read(good, self.end - good)
        if good == 0 and not START.startswith(torn[: len(START)]):
            raise CorruptError(say.NOT_A_TRANSCRIPT.of(path=self.path), hint=say.NOT_OURS_HINT)
        aside = self.path.parent / "quarantine" / f"tail-{good}.bin"
        make_directory(aside.parent)
        replace_atomically(aside, torn)
        self._file.truncate(good)
        self._report(say.TORN_RECORD, size=len(torn), start=good, aside=aside)

    def _close_line(self) -> None:
        if self.end and self._file.read(self.end - 1, 1) != b"\n":
            self._file.append(b"\n")
            self._file.sync()

    def _last_record(self) -> tuple[int, int]:
        """Return where the last whole record ends, and its number; (0, 0) if there is none."""
        size = CHUNK
        while True:
            start = max(self.end - size, 0)
            found = self._last_in(start)
            if found is not None:
                return found
            if start == 0:
                return 0, 0
            size *= 2

    def _last_in(self, start: int) -> tuple[int, int] | None:
        data = self._file.read(start, self.end - start)
        if start:
            skip = data.find(b"\n") + 1
            start, data = start + skip, data[skip:]
        end = start + len(data)
        for line in reversed(_cut(data)):
            try:
                return end, _stored(end - len(line), line).seq
            except ValueError:
                end -= len(line)
        return None


def _cut(data: bytes) -> list[bytes]:
    lines = data.split(b"\n")
    whole = [line + b"\n" for line in lines[:-1]]
    return [*whole, lines[-1]] if lines[-1] else whole


def _stored(start: int, line: bytes) -> Stored:
    data = unseal(line)
    version, seq, ts = data.get("v"), data.get("seq"), data.get("ts")
    if isinstance(version, int) and version > VERSION:
        newer = say.NEWER_RECORD.of(start=start, version=version, ours=VERSION)
        raise VersionError(newer, hint=say.NEWER_HINT)
    if not isinstance(seq, int) or not isinstance(ts, str):
        raise ValueError("seq or ts is missing")
    return Stored(start, start + len(line), seq, ts, record_from_json(data))

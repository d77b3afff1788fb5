"""The living branch of a transcript: where its turns are, and how each of them ended.

In a whole transcript a turn is found by binary search, as each record starts with its turn. In a
damaged one nothing is taken for granted, and one pass finds the turns of what is left.
"""

import re
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from functools import reduce

from ..messages import Message, Turn
from ..state import Intended, MessageAdded, Record, Rewound, State, Summarized, apply
from .lines import lines_before, next_line, placed
from .stored import Stored, stored
from .transcript import Transcript

_HEAD = re.compile(rb'\{"turn":(\d{1,16}),"seq":\d+,"v":\d+,"kind":"(\w+)"')
_HEAD_SIZE = 96


class Astray(Exception):
    """The file is not what its chart says."""


class Branch:
    """Finds the turns of the living branch."""

    def __init__(self, transcript: Transcript) -> None:
        self._transcript = transcript
        self._index: Index | None = None
        """Of a damaged transcript: built when it is first needed."""

    def note(self, start: int, record: Record) -> None:
        """Take a record that was just appended at byte `start`."""
        if self._index is not None:
            self._index.take(start, record)

    def start(self, turn: int) -> int | None:
        """Return the byte at which a turn starts; None if there is no such turn."""
        if self._transcript.chart.whole and self._index is None:
            try:
                return self._found(turn)
            except Astray:
                pass
        return self._indexed().start(turn)

    def messages(self, turn: int) -> tuple[Message, ...]:
        """Return the messages of a turn; empty if there is no such turn."""
        start = self.start(turn)
        if start is None:
            return ()
        return reduce(Turn.plus, _messages(self._transcript, start, turn), Turn(turn)).messages

    def state_after(self, turn: int) -> State:
        """Return the state in which a turn had just ended, from as few records as it takes."""
        if self._transcript.chart.whole and self._index is None:
            try:
                return self._after_short(turn)
            except Astray:
                pass
        return state_after(self._transcript.scan(), State(), turn)

    def _indexed(self) -> "Index":
        if self._index is None:
            self._index = Index()
            for each in self._transcript.scan():
                self._index.take(each.start, each.record)
        return self._index

    def _found(self, turn: int) -> int | None:
        low, high = self._bounds(turn)
        start = self._first(low, high, turn)
        if turn < 1 or start >= high or self._head(start)[0] != turn:
            return None
        return start

    def _bounds(self, turn: int) -> tuple[int, int]:
        stretch = self._transcript.chart.stretch(turn)
        return stretch.start, self._transcript.end if stretch.end is None else stretch.end

    def _first(self, low: int, high: int, turn: int) -> int:
        """Return where the first record of `turn` or later starts between two starts of records.

        `high` if there is none. Turns must not run backwards in between.
        """
        found = high
        while low < high:
            middle = (low + high) // 2
            start = next_line(self._transcript.file, middle)
            if start >= high:
                high = middle
            elif self._head(start)[0] >= turn:
                found, high = start, middle
            else:
                low = start + 1
        return found

    def _head(self, start: int) -> tuple[int, bytes]:
        """Return the turn and the kind of the record that starts at byte `start`."""
        return _head(self._transcript.file.read(start, _HEAD_SIZE))

    def _after_short(self, turn: int) -> State:
        low, high = self._bounds(turn)
        end = self._first(low, high, turn + 1)
        base = self._base(low, end, turn)
        # A summary of all turns does not say which was the last.
        before = State(last_turn=self._head(base)[0])
        return state_after(self._stored(base, end), before, turn)

    def _stored(self, start: int, end: int) -> Iterator[Stored]:
        """Yield the records between two places, of which none may be missing."""
        seq = 0
        for at, line in placed(self._transcript.file, start, end):
            try:
                found = stored(at, line)
            except ValueError as error:
                raise Astray from error
            if seq and found.seq != seq + 1:
                raise Astray
            seq = found.seq
            yield found

    def _base(self, low: int, end: int, turn: int) -> int:
        """Return where to begin: at a record that carries all that was said before, or at `low`.

        The oldest turn that a summary leaves verbatim is such a place too.
        """
        summary = 0
        for start, line in lines_before(self._transcript.file, end):
            number, kind = _head(line)
            if kind == b"summary":
                summary = summary or start
            elif kind == b"rewind" and number >= turn:
                summary = 0  # and what came behind this does not count
            elif summary:
                return self._oldest(low, summary)
            elif kind == b"rewind" or start <= low:
                return start
        return low

    def _oldest(self, low: int, summary: int) -> int:
        """Return where the oldest turn starts that a summary left verbatim."""
        record = self._transcript.read(summary).record
        through = record.summary.through if isinstance(record, Summarized) else 0
        return self._first(low, summary, through + 1)


def _head(line: bytes) -> tuple[int, bytes]:
    found = _HEAD.match(line)
    if found is None:
        raise Astray
    return int(found[1]), found[2]


def state_after(records: Iterator[Stored], state: State, turn: int) -> State:
    """Return the state in which a turn had just ended, from the records that follow `state`."""
    wanted, left = state, False
    for each in records:
        state = apply(state, each.record)
        # Going back to a later turn, or a reset after it, does not change how `turn` ended.
        match each.record:
            case Rewound(to, _):
                left = to >= turn
            case MessageAdded(number, _):
                left = left and number > turn
        if state.last_turn <= turn and not left:
            wanted = state
    return wanted


def _messages(transcript: Transcript, start: int, number: int) -> Iterator[Message]:
    for each in transcript.scan(start):
        match each.record:
            case MessageAdded(turn, message) if turn == number:
                yield message
            case Summarized() | Intended():
                continue
            case _:
                return


class Index:
    """Where each turn of the living branch starts, sixteen bytes a turn."""

    def __init__(self) -> None:
        self._turns = array("Q")
        self._starts = array("Q")

    def take(self, start: int, record: Record) -> None:
        """Take the next record. Damage may have taken turns, or a rewind."""
        match record:
            case MessageAdded(turn, message) if message.role == "user" or turn > self._last:
                self._cut(bisect_left(self._turns, turn))
                self._turns.append(turn)
                self._starts.append(start)
            case Rewound(turn, _):
                self._cut(bisect_right(self._turns, turn))

    def start(self, turn: int) -> int | None:
        """Return where a turn starts; None if it is not there."""
        place = bisect_left(self._turns, turn)
        there = place < len(self._turns) and self._turns[place] == turn
        return self._starts[place] if there else None

    @property
    def _last(self) -> int:
        return self._turns[-1] if self._turns else 0

    def _cut(self, place: int) -> None:
        del self._turns[place:], self._starts[place:]

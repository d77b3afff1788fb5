"""A chart of a transcript: what is wrong with it, and where its living branch runs. Pure.

It is small, goes with the snapshot, and is drawn anew from the records when the snapshot is lost.
"""

from array import array
from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass, field

from ..state import Record, Rewound, SessionStarted
from .damage import Damage, Kind, Place, damage_from_json


@dataclass(frozen=True, slots=True)
class Stretch:
    """A part of the file in which the turns after `base` stand in order.

    It starts with the record of the rewind that went back to `base`, or with the file; it ends at
    byte `end`, where turns begin that were abandoned; None for the last one.
    """

    start: int
    base: int
    end: int | None = None


@dataclass
class Chart:
    """What is known of the bytes up to `end`."""

    end: int = 0
    seq: int = 0
    """The highest number of a record."""
    turn: int = 0
    """Of the last record."""
    claimed: int = 0
    """The highest turn of records that were changed since, and may be taken over yet."""
    straight: bool = True
    """Whether turns never ran backwards but by a rewind."""
    stretches: list[Stretch] = field(default_factory=lambda: [Stretch(0, 0)])
    damage: Damage = field(default_factory=Damage)

    @property
    def whole(self) -> bool:
        """Whether a turn can be searched for: nothing is missing and all is in order."""
        return self.straight and not self.damage

    def take(self, start: int, end: int, seq: int, record: Record) -> None:
        """Take the record that stands next, at bytes `start` to `end`."""
        self.end, self.seq = end, max(self.seq, seq)
        if isinstance(record, SessionStarted):
            self.straight &= start == 0
        elif isinstance(record, Rewound):
            self.claimed = 0
            if record.turn < self.turn:
                self._fork(start, record.turn)
            self.turn = record.turn
        else:
            self.straight &= record.turn >= self.turn
            self.turn = record.turn

    def claim(self, record: Record) -> None:
        """Take a record that was changed: no later turn gets its number."""
        if not isinstance(record, SessionStarted) and record.turn == self._highest + 1:
            self.claimed = record.turn

    @property
    def _highest(self) -> int:
        return max(self.turn, self.claimed)

    def _fork(self, start: int, turn: int) -> None:
        while len(self.stretches) > 1 and self.stretches[-1].base >= turn:
            self.stretches.pop()
        last = self.stretches[-1]
        if last.end is None:
            self.stretches[-1] = Stretch(last.start, last.base, start)
        self.stretches.append(Stretch(start, turn))

    def stretch(self, turn: int) -> Stretch:
        """Return the part of the living branch that has a turn."""
        return next(s for s in reversed(self.stretches) if s.base < turn or s.start == 0)

    def to_json(self) -> dict[str, object]:
        """Return it as JSON."""
        return {
            "seq": self.seq,
            "turn": self.turn,
            "claimed": self.claimed,
            "straight": self.straight,
            "stretches": [[s.start, s.base, s.end] for s in self.stretches],
            "damage": self.damage.to_json(),
        }


def chart_from_json(data: object, end: int) -> Chart:
    """Read the chart of `end` bytes back. Raises ValueError for anything else."""
    if not isinstance(data, Mapping):
        raise ValueError("a chart that is not an object")
    match data.get("seq"), data.get("turn"), data.get("straight"), data.get("stretches"):
        case int(seq), int(turn), bool(straight), [_, *_] as stretches:
            damage = damage_from_json(data.get("damage"))
            claimed = data.get("claimed")
            return Chart(
                end,
                seq,
                turn,
                claimed if type(claimed) is int and 0 <= claimed <= seq else 0,
                straight,
                list(map(_stretch, stretches)),
                damage,
            )
        case _:
            raise ValueError("a chart without its parts")


def _stretch(item: object) -> Stretch:
    match item:
        case [int(start), int(base), (int() | None) as end]:
            return Stretch(start, base, end)
        case _:
            raise ValueError("a stretch that is not [start, base, end]")


class Seen:
    """Which records were read, by number and checksum: four bytes each.

    `last` and `turn` are those of the record before the first: 0 at the beginning of the file,
    None where that is not known.
    """

    def __init__(self, last: int | None, turn: int | None) -> None:
        self.last = last
        self._turn = turn
        self._checksums = array("I")
        self._runs: list[tuple[int, int]] = []
        """Number and place of the first record of each run without a jump."""

    def judge(self, seq: int, checksum: int, record: Record) -> Kind | None:
        """Take a record; return what is the matter with it. None and jumps count."""
        if self.last is not None and seq <= self.last:
            return self._known(seq, checksum)
        jump = self.last is not None and seq != self.last + 1
        if jump or not self._runs:
            self._runs.append((seq, len(self._checksums)))
        self._checksums.append(checksum)
        self.last = seq
        if jump:
            self._turn = None
            return "jump"
        return "forward" if self._forward(record) else None

    def _forward(self, record: Record) -> bool:
        """Whether this goes back to a turn that was not there yet, with nothing missing before."""
        if isinstance(record, SessionStarted):
            return False
        known = self._turn is not None
        if isinstance(record, Rewound) and known and record.turn > (self._turn or 0):
            return True
        self._turn = record.turn
        return False

    def _known(self, seq: int, checksum: int) -> Kind:
        run = bisect_right(self._runs, (seq, len(self._checksums))) - 1
        if run < 0:
            return "late"
        first, place = self._runs[run]
        ends = self._runs[run + 1][1] if run + 1 < len(self._runs) else len(self._checksums)
        place += seq - first
        if place >= ends:
            return "late"
        return "copy" if self._checksums[place] == checksum else "conflict"


def place_of(kind: Kind, start: int, end: int, last: int, seq: int) -> Place:
    """Return a place; a jump has no bytes of its own."""
    return Place(kind, start, start if kind == "jump" else end, last, seq)

"""What is wrong with a log, in few words however bad it is. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal, cast, get_args

from ..prompts import errors as say
from ..prompts.said import Said

Kind = Literal["bytes", "edited", "jump", "copy", "conflict", "late", "forward"]
MOST = 50
"""Places that are told one by one; of more, the number."""

_SAID: dict[Kind, Said] = {
    "bytes": say.NOT_A_RECORD,
    "edited": say.RECORDS_EDITED,
    "jump": say.RECORDS_MISSING,
    "copy": say.RECORDS_TWICE,
    "conflict": say.RECORDS_CONFLICT,
    "late": say.RECORDS_LATE,
    "forward": say.REWOUND_FORWARD,
}


@dataclass(frozen=True, slots=True)
class Place:
    """Bytes `start` to `end` of a log, and what is the matter there.

    Bytes that are no record; records whose content was changed, behind number `last` up to `seq`; a
    jump over missing records, between number `last` and `seq`; copies of records; other records of
    the same number; records that come after later ones; a rewind to a turn that was not there yet.
    """

    kind: Kind
    start: int
    end: int
    last: int = 0
    seq: int = 0

    def said(self, name: str) -> Said:
        """Say it to the user."""
        return _SAID[self.kind].of(
            name=name, start=self.start, end=self.end, last=self.last, seq=self.seq
        )


@dataclass
class Damage:
    """The places in the order of the file."""

    places: list[Place] = field(default_factory=list)
    more: int = 0

    def __bool__(self) -> bool:
        return bool(self.places)

    def note(self, place: Place) -> bool:
        """Take a place behind all others; return whether it is one of its own.

        What lies next to its like is one place with it, if no changed record is missing between.
        """
        before = self.places[-1] if self.places else None
        like = before and (before.kind, before.end) == (place.kind, place.start)
        if like and place.kind == "edited":
            like = before and before.seq == place.last
        if before and like and not self.more:
            self.places[-1] = Place(place.kind, before.start, place.end, before.last, place.seq)
            return False
        if len(self.places) < MOST:
            self.places.append(place)
            return True
        self.more += 1
        return False

    def known(self, start: int) -> Kind | None:
        """Return what is known to be the matter with the line that starts at byte `start`."""
        at = (p.kind for p in self.places if p.start <= start < max(p.end, p.start + 1))
        return next((kind for kind in at if kind != "jump"), next(at, None))

    def said(self, name: str) -> list[Said]:
        """Say all of it to the user."""
        places = zip((None, *self.places), self.places, strict=False)
        told = [place.said(name) for before, place in places if not _explains(before, place)]
        return [*told, say.MORE_DAMAGE.of(name=name, count=self.more)] if self.more else told

    def to_json(self) -> list[object]:
        """Return it as JSON."""
        return [self.more, *([p.kind, p.start, p.end, p.last, p.seq] for p in self.places)]


def _explains(before: Place | None, place: Place) -> bool:
    """Whether what a jump misses are the changed records that stand before it."""
    if before is None or (before.kind, place.kind) != ("edited", "jump"):
        return False
    return (before.end, before.last, before.seq) == (place.start, place.last, place.seq - 1)


def damage_from_json(data: object) -> Damage:
    """Read it back. Raises ValueError for anything else."""
    if not isinstance(data, list) or not data or type(data[0]) is not int:
        raise ValueError("damage that is not [more, place, …]")
    return Damage([_place(item) for item in data[1:]], data[0])


def _place(item: object) -> Place:
    match item:
        case [str(kind), int(), int(), int(), int()] if kind in get_args(Kind):
            start, end, last, seq = cast("Sequence[int]", item[1:])
            return Place(cast("Kind", kind), start, end, last, seq)
        case _:
            raise ValueError("a place that is not [kind, start, end, last, seq]")

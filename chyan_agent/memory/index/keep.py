"""An index on disk and back: what was added since the last time, as arrays. A cache."""

from array import array
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from .columns import COLUMNS, NOBODY
from .postings import Segment
from .ranked import FieldIndex
from .traits import Time

if TYPE_CHECKING:
    from .blocks import Array

VERSION = 4
"""Of what is indexed and how; another one makes an index that was written worthless."""
FEW_BLOCKS, MOST_BLOCKS = 6, 64
"""Blocks of a file. Above the few, all is written as one when half of it is new anyway."""
SMALL = 1 << 20
"""Postings of blocks that are merged when they are read: milliseconds, and fewer to ask."""
_OF_WINDOWS = "owner"
_MADE_AGAIN = "after"


class Keeper:
    """Writes what an index gained since it last looked, and takes it in again."""

    def __init__(self, index: FieldIndex) -> None:
        self._index = index
        self._documents = 0
        self._windows = 0
        self._alive = b""
        self._blocks = self._tail = 0
        """How many there are in the file, and the postings in all but the first."""

    @property
    def new(self) -> int:
        """Documents that were not written yet."""
        return len(self._index.columns) - self._documents

    @property
    def crowded(self) -> bool:
        """Whether it is time to write all as one: what that costs must not grow with the store."""
        if self._blocks <= FEW_BLOCKS:
            return False
        return self._blocks > MOST_BLOCKS or 2 * self._tail > len(self._index.postings)

    def whole(self) -> "tuple[dict[str, object], dict[str, Array]]":
        """Return all that there is, as if it had just been added."""
        self._index.postings.merge()
        self._documents = self._windows = self._blocks = self._tail = 0
        self._alive = b""
        return self._dumped(self._index.postings.segments[0] if len(self._index.columns) else None)

    def added(self) -> "tuple[dict[str, object], dict[str, Array]]":
        """Return what was added and removed since the last time."""
        found = self._dumped(self._index.postings.freeze())
        self._index.postings.settle()
        return found

    def _dumped(self, segment: Segment | None) -> "tuple[dict[str, object], dict[str, Array]]":
        import numpy as np

        index, arrays = self._index, dict[str, "Array"]()
        if segment is not None:
            arrays |= {"keys": segment.keys, "starts": segment.starts}
            arrays |= {"numbers": segment.numbers, "codes": segment.codes}
        for name in COLUMNS:
            start = self._windows if name == _OF_WINDOWS else self._documents
            if name != _MADE_AGAIN:
                arrays[f"c:{name}"] = np.array(getattr(index.columns, name)[start:])
        for name, lengths in index.lengths.items():
            arrays[f"l:{name}"] = np.array(lengths[self._windows :])
        meta = {
            "documents": self._documents,
            "gone": self._newly_gone(),
            "windows": index.totals.windows,
            "lengths": index.totals.lengths,
            "last": index.last,
            "time": [index.time.ts, index.time.tokens, index.time.day, index.time.minute],
        }
        self._look(segment)
        return meta, arrays

    def _newly_gone(self) -> list[int]:
        import numpy as np

        before = np.frombuffer(self._alive, dtype=np.uint8)
        now = np.frombuffer(self._index.columns.alive, dtype=np.uint8)[: len(before)]
        gone: list[int] = np.flatnonzero(before > now).tolist()
        return gone

    def _look(self, segment: Segment | None) -> None:
        self._tail += len(segment) if segment is not None and self._blocks else 0
        self._blocks += 1
        columns = self._index.columns
        self._documents, self._windows = len(columns), len(columns.owner)
        self._alive = columns.alive.tobytes()

    def take(self, meta: Mapping[str, Any], arrays: "Mapping[str, Array]") -> None:
        """Add what was written. Raises ValueError or KeyError if it doesn't continue the index."""
        import numpy as np

        index, columns = self._index, self._index.columns
        if meta["documents"] != len(columns):
            raise ValueError("a block is missing")
        segment = None
        if "keys" in arrays:
            segment = Segment(*(arrays[name] for name in ("keys", "starts", "numbers", "codes")))
            index.postings.segments.append(segment)
        for name in COLUMNS:
            if name != _MADE_AGAIN:
                _extend(getattr(columns, name), arrays[f"c:{name}"])
        for name, lengths in index.lengths.items():
            _extend(lengths, arrays[f"l:{name}"])
        columns.after.extend([NOBODY] * (len(columns.first) - len(columns.after)))
        before = np.array(columns.before[meta["documents"] :])
        for number in np.flatnonzero(before >= 0).tolist():
            columns.after[before[number]] = number + meta["documents"]
        for number in meta["gone"]:
            columns.alive[number] = 0
        index.gone += len(meta["gone"]) + int(np.count_nonzero(arrays["c:alive"] == 0))
        index.totals.windows, index.totals.lengths = meta["windows"], dict(meta["lengths"])
        index.last = dict(meta["last"])
        ts, tokens, day, minute = meta["time"]
        index.time = Time(ts, tuple(tokens), day, minute)
        self._look(segment)


def _extend(column: "array[int]", values: "Array") -> None:
    if values.dtype.itemsize != column.itemsize:
        raise ValueError("a column of another kind")
    column.frombytes(values.tobytes())

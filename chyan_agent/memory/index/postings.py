"""Postings that grow: which numbers hold a key. Never rebuilt to add one.

New ones lie in a dictionary; `freeze` packs them into sorted arrays, which cost a few bytes each
and are written to disk and read back as they are.
"""

from array import array
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from .columns import Ints

    Found = tuple[Ints, Ints]

CODE_BITS = 16
LARGE = 1 << 25
"""Postings of a segment that is not merged any more without need: that takes memory and time."""
PART = 1 << 22
"""Postings that are moved at once when segments are merged: their places take 8 bytes each."""


@dataclass(frozen=True, slots=True)
class Segment:
    """Frozen postings. The numbers of `keys[i]` are those from `starts[i]` to `starts[i + 1]`."""

    keys: "Ints"
    """Hashes, ascending."""
    starts: "Ints"
    numbers: "Ints"
    codes: "Ints"

    def __len__(self) -> int:
        return len(self.numbers)


class Postings:
    """Key to (number, code) pairs. The numbers of a key must be put in ascending order."""

    def __init__(self) -> None:
        self._new: dict[str, int | array[int]] = {}
        self.segments: list[Segment] = []

    def __len__(self) -> int:
        """Postings that are packed."""
        return sum(map(len, self.segments))

    def put(self, codes: Mapping[str, int], number: int) -> None:
        """Add a posting to each of some keys; its code has 16 bits.

        A key of one posting keeps it in the dictionary itself: most are such, and an array costs
        80 bytes.
        """
        new, base = self._new, number << CODE_BITS
        for key, code in codes.items():
            known = new.get(key)
            if known is None:
                new[key] = base | code
            elif isinstance(known, int):
                new[key] = array("Q", (known, base | code))
            else:
                known.append(base | code)

    def of(self, keys: Sequence[str]) -> "dict[str, Found]":
        """Return numbers and codes of the keys that are there."""
        import numpy as np

        parts: dict[str, list[Found]] = {}
        if self.segments:
            hashes = np.array([key_hash(key) for key in keys], dtype=np.uint64)
            for segment in self.segments:
                for key, found in _in_segment(segment, keys, hashes):
                    parts.setdefault(key, []).append(found)
        for key in keys:
            known = self._new.get(key)
            if known is not None:
                parts.setdefault(key, []).append(_unpacked(known))
        return {key: _joined(found) for key, found in parts.items()}

    def freeze(self) -> Segment | None:
        """Pack what is new; return it, or None if nothing is."""
        if not self._new:
            return None
        segment = _frozen(self._new)
        self._new = {}
        self.segments.append(segment)
        return segment

    def settle(self, most: int = LARGE) -> None:
        """Pack what is new, and merge what is of a size: segments stay few, and adding cheap."""
        self.freeze()
        found = self.segments
        start, size = len(found) - 1, 0
        while start > 0 and len(found[start - 1]) < min(2 * (size + len(found[start])), most):
            size += len(found[start])
            start -= 1
        if start < len(found) - 1:
            found[start:] = [_merged(found[start:])]

    def merge(self) -> None:
        """Make one segment of all."""
        self.freeze()
        if len(self.segments) > 1:
            self.segments = [_merged(self.segments)]


def key_hash(key: str) -> int:
    """Return 64 bits that stand for a key, the same in every process."""
    digest = blake2b(key.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "little")


def _in_segment(
    segment: Segment, keys: Sequence[str], hashes: "NDArray[np.uint64]"
) -> "Iterable[tuple[str, Found]]":
    import numpy as np

    places = np.searchsorted(segment.keys, hashes)
    places[places == len(segment.keys)] = 0
    for index in np.flatnonzero(segment.keys[places] == hashes).tolist():
        place = places[index]
        span = slice(int(segment.starts[place]), int(segment.starts[place + 1]))
        yield keys[index], (segment.numbers[span], segment.codes[span])


def _unpacked(known: "int | array[int]") -> "Found":
    import numpy as np

    packed = (
        np.array([known], dtype=np.uint64)
        if isinstance(known, int)
        else np.frombuffer(known, dtype=np.uint64)
    )
    return (packed >> np.uint64(CODE_BITS)).astype(np.uint32), packed.astype(np.uint16)


def _joined(found: "list[Found]") -> "Found":
    import numpy as np

    if len(found) == 1:
        return found[0]
    return np.concatenate([n for n, _ in found]), np.concatenate([c for _, c in found])


def _frozen(new: "dict[str, int | array[int]]") -> Segment:
    import numpy as np

    hashes = np.fromiter((key_hash(key) for key in new), dtype=np.uint64, count=len(new))
    order = np.argsort(hashes)
    values = list(new.values())
    flat, starts = array("Q"), array("q", (0,))
    for index in order.tolist():
        value = values[index]
        if isinstance(value, int):
            flat.append(value)
        else:
            flat.extend(value)
        starts.append(len(flat))
    numbers, codes = _unpacked(flat)
    return Segment(hashes[order], np.array(starts, dtype=np.uint32), numbers, codes)


def _merged(segments: Sequence[Segment]) -> Segment:
    """Return one segment; of a key the numbers of an earlier segment come first."""
    import numpy as np

    keys = np.concatenate([s.keys for s in segments])
    counts = np.concatenate([np.diff(s.starts).astype(np.int64) for s in segments])
    order = np.argsort(keys, kind="stable")
    ends = np.cumsum(counts[order])
    begins = ends - counts[order]
    goes = np.empty_like(begins)
    goes[order] = begins
    keys = keys[order]
    first = np.flatnonzero(np.append(True, keys[1:] != keys[:-1]))
    starts = np.append(begins[first], ends[-1]).astype(np.uint32)
    merged = Segment(keys[first], starts, *(np.empty(ends[-1], t) for t in (np.uint32, np.uint16)))
    ours = np.cumsum([len(s.keys) for s in segments])[:-1]
    for segment, places in zip(segments, np.split(goes, ours), strict=True):
        _move(segment, places, merged)
    return merged


def _move(segment: Segment, goes: "NDArray[np.int64]", to: Segment) -> None:
    """Copy all postings; `goes` tells for each key where its first one goes."""
    import numpy as np

    starts = segment.starts.astype(np.int64)
    low = 0
    while low < len(goes):
        high = max(low + 1, int(np.searchsorted(starts, starts[low] + PART, "right")) - 1)
        here = np.arange(starts[low], starts[high])
        there = np.repeat((goes - starts[:-1])[low:high], np.diff(starts[low : high + 1])) + here
        to.numbers[there] = segment.numbers[starts[low] : starts[high]]
        to.codes[there] = segment.codes[starts[low] : starts[high]]
        low = high

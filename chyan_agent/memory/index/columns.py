"""What is known of every document, a few bytes each: columns that grow, read as arrays."""

from array import array
from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Ints = NDArray[np.integer[Any]]
    Scores = NDArray[np.float64]

NOBODY = -1
SHORT = 25
"""Words up to which a turn borrows in full; a longer one speaks for itself."""


def column(kind: str) -> "array[int]":
    """Return a field that grows, of a type of `array`."""
    made: array[int] = field(default_factory=lambda: array(kind))
    return made


@dataclass(frozen=True, slots=True)
class Columns:
    """One entry a document; `owner` one a window."""

    first: "array[int]" = column("I")
    """The first window."""
    words: "array[int]" = column("H")
    marks: "array[int]" = column("B")
    asks: "array[int]" = column("B")
    """Which part of it stands in questions, of 255."""
    before: "array[int]" = column("i")
    """The document before it in its session, or NOBODY."""
    after: "array[int]" = column("i")
    day: "array[int]" = column("i")
    minute: "array[int]" = column("i")
    alive: "array[int]" = column("B")
    owner: "array[int]" = column("I")

    def __len__(self) -> int:
        return len(self.first)


COLUMNS = tuple(one.name for one in fields(Columns))


class View:
    """The columns as numpy arrays. Nothing may be added while a view lives."""

    def __init__(self, columns: Columns) -> None:
        self.first = _seen(columns.first)
        self.words = _seen(columns.words)
        self.marks = _seen(columns.marks)
        self.asks = _seen(columns.asks)
        self.before = _seen(columns.before)
        self.after = _seen(columns.after)
        self.day = _seen(columns.day)
        self.minute = _seen(columns.minute)
        self.alive = _seen(columns.alive)
        self.owner = _seen(columns.owner)

    @cached_property
    def short(self) -> "Scores":
        """How far a document may borrow: 1 for a short one, less the longer it is."""
        import numpy as np

        return SHORT / np.maximum(self.words.astype(np.float64), SHORT)

    def has(self, mark: int) -> "NDArray[np.bool_]":
        """Return which documents have a mark."""
        marked: NDArray[np.bool_] = (self.marks & mark) != 0
        return marked


def _seen(column: "array[int]") -> "Ints":
    import numpy as np

    if not column:
        return np.zeros(0, dtype=np.int64)
    return np.frombuffer(column, dtype=np.dtype(column.typecode))

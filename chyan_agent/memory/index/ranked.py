"""The engine `fields`: BM25 over several fields, and what surrounds a document."""

from array import array
from collections import Counter
from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING

from ..segment import Cut
from . import FIELDS, SURROUNDINGS, TEXT_FIELDS, Document, Query, Told, nothing
from .columns import NOBODY, Columns
from .fields import fields_of, windows
from .postings import Postings
from .scoring import LETTER, LONGEST, Totals, coded
from .traits import TURN, Time, marks_of, names_of, share_of_questions, time_of, told_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from .columns import Ints

LONGEST_DOCUMENT = 65535


class FieldIndex:
    """An `Index`. Not thread-safe; a search must not overlap with an addition."""

    def __init__(
        self, cut: Cut, weights: Mapping[str, float], use: Collection[str] = FIELDS
    ) -> None:
        self.cut = cut
        self.weights = weights
        """Of the fields of a text."""
        self.use = frozenset(use)
        self.names = tuple(name for name in TEXT_FIELDS if name in use)
        self._surroundings = not self.use.isdisjoint(SURROUNDINGS)
        self.columns = Columns()
        self.postings = Postings()
        self.totals = Totals()
        self.lengths = {name: array("B") for name in self.names}
        self.last: dict[str, int] = {}
        """The last document of each session."""
        self.time = Time()
        self.gone = 0
        self._in_time: NDArray[np.intp] | None = None

    def __len__(self) -> int:
        """Documents that were not removed."""
        return len(self.columns) - self.gone

    def add(self, document: Document) -> int:
        """Add a document and return its number."""
        number = len(self.columns)
        fields = fields_of(document.text, self.cut)
        self.columns.first.append(len(self.columns.owner))
        for window in windows(fields, self.names, cut="windows" in self.use):
            self._add_window(number, window)
        self._add_traits(document, number, len(fields.words))
        return number

    def _add_window(self, number: int, window: list[list[str]]) -> None:
        here = len(self.columns.owner)
        for name, tokens in zip(self.names, window, strict=True):
            length = min(len(tokens), LONGEST)
            self.postings.put(coded(Counter(tokens), LETTER[name], length), here)
            self.lengths[name].append(length)
            self.totals.lengths[name] += length
        self.columns.owner.append(number)
        self.totals.windows += 1

    def _add_traits(self, document: Document, number: int, words: int) -> None:
        columns, marks = self.columns, marks_of(document) if self._surroundings else 0
        columns.words.append(min(words, LONGEST_DOCUMENT))
        columns.marks.append(marks)
        columns.asks.append(share_of_questions(document.text) if "questions" in self.use else 0)
        columns.alive.append(1)
        self._link(document.session if marks & TURN else "", number)
        self._date(document, number)
        names = names_of(document.speaker) if "speaker" in self.use else []
        self.postings.put(dict.fromkeys(("n" + name for name in names), 0), number)

    def _link(self, session: str, number: int) -> None:
        before = self.last.get(session, NOBODY) if session else NOBODY
        self.columns.before.append(before)
        self.columns.after.append(NOBODY)
        if before != NOBODY:
            self.columns.after[before] = number
        if session:
            self.last[session] = number

    def _date(self, document: Document, number: int) -> None:
        """Keep when it was said; a turn that doesn't tell was said when the one before it was."""
        if (document.ts or not document.session) and self._surroundings:
            self.time = time_of(document.ts, self.time)
        self.columns.day.append(self.time.day)
        self.columns.minute.append(self.time.minute)
        if "time" in self.use:
            told = told_of(document) if "told" in self.use else []
            self.postings.put(dict.fromkeys((*self.time.tokens, *told), 0), number)

    def settle(self) -> None:
        """Pack what was added since. Not for an index that a `Keeper` writes: it packs itself."""
        self.postings.settle()

    def in_time(self, minutes: "Ints") -> "NDArray[np.intp]":
        """Return the documents sorted by their minutes; remembered until one is added."""
        import numpy as np

        if self._in_time is None or len(self._in_time) != len(minutes):
            self._in_time = np.argsort(minutes, kind="stable")
        return self._in_time

    def remove(self, numbers: Collection[int]) -> None:
        """Forget documents; their numbers are not used again."""
        columns = self.columns
        for number in numbers:
            if not columns.alive[number]:
                continue
            columns.alive[number] = 0
            self.gone += 1
            end = (*columns.first[number + 1 : number + 2], len(columns.owner))[0]
            for window in range(columns.first[number], end):
                self.totals.windows -= 1
                for name, lengths in self.lengths.items():
                    self.totals.lengths[name] -= lengths[window]
        for session, last in list(self.last.items()):
            self.last[session] = self._last_alive(last)

    def _last_alive(self, number: int) -> int:
        while number != NOBODY and not self.columns.alive[number]:
            number = self.columns.before[number]
        return number

    def search(
        self, query: Query, k: int, *, without: Collection[int] = (), told: Told = nothing
    ) -> list[tuple[int, float]]:
        """Return at most `k` documents with their scores, best first, of equals the newest."""
        if not len(self) or k < 1:
            return []
        from .rounds import total
        from .search import best

        return best(total(self, query, without, told), k, without)

    def meets(self, query: Query, numbers: Collection[int]) -> set[int]:
        """Return those documents that hold something of the question that means something."""
        from .meeting import meeting

        return meeting(self, query, numbers)

    def is_named(self, query: Query) -> bool:
        """Tell whether a question names anything: a word that means something, or a time."""
        from .meeting import named

        return any(named(self, query))

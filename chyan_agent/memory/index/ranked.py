"""The engine `fields`: BM25 over several fields, and what surrounds a document."""

import math
from array import array
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from . import FIELDS, Document, Query
from .fields import Cut, Fields, fields_of, names_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Scores = NDArray[np.float64]

OfTime = Callable[[str], tuple[str, ...]]
Asked = Callable[[str, str], tuple[str, ...]]

K1 = 0.9
B = 0.4
WEIGHTS = {"words": 1.0, "pairs": 0.3, "characters": 0.1, "function": 0.1}
TIME = 8.0
SPEAKER = 3.0
SPEAKER_INSIDE = 1.0
ASSISTANT = 0.5
WINDOW = 48
"""Tokens of a window; the next one starts half a window later."""
BEFORE = (0.4, 0.4, 0.2, 0.2)
AFTER = (0.3, 0.3, 0.1, 0.1)
SHORT = 25
"""Words up to which a turn borrows in full."""


class _Field:
    """Postings of one field: token to the windows that hold it."""

    def __init__(self) -> None:
        self.postings: dict[str, tuple[array[int], array[int]]] = {}
        self.owner = array("I")
        self.length = array("I")
        self.total = 0

    def add(self, document: int, tokens: list[str], size: int) -> None:
        for window in _windows(tokens, size):
            for token, count in Counter(window).items():
                windows, counts = self.postings.setdefault(token, (array("I"), array("I")))
                windows.append(len(self.owner))
                counts.append(count)
            self.owner.append(document)
            self.length.append(len(window))
            self.total += len(window)

    def add_scores(self, tokens: Mapping[str, float], into: "Scores") -> None:
        import numpy as np

        size = len(self.owner)
        lengths = np.array(self.length, dtype=np.float64)
        norms = K1 * (1 - B + B * lengths * size / max(self.total, 1))
        found = np.zeros(size)
        for token, weight in tokens.items():
            windows, counts = self.postings.get(token, ((), ()))
            if len(windows):
                at, tf = np.array(windows), np.array(counts, dtype=np.float64)
                found[at] += weight * idf(size, len(at)) * tf * (K1 + 1) / (tf + norms[at])
        best = np.zeros(len(into))
        np.maximum.at(best, np.array(self.owner, dtype=np.int64), found)
        into += best


def idf(size: int, holding: int) -> float:
    """Smoothed, so that it is positive however small the store and frequent the word."""
    return math.log(1 + (size - holding + 0.5) / (holding + 0.5))


def _windows(tokens: list[str], size: int) -> Iterator[list[str]]:
    if len(tokens) <= size * 3 // 2:
        yield tokens
        return
    for start in range(0, len(tokens) - size // 2, size // 2):
        yield tokens[start : start + size]


class FieldIndex:
    """An `Index`. Not thread-safe."""

    def __init__(
        self, cut: Cut, *, of_time: OfTime, asked: Asked, use: Collection[str] = FIELDS
    ) -> None:
        self._cut = cut
        self._of_time = of_time
        self._asked = asked
        self._use = frozenset(use)
        self._fields = {name: _Field() for name in WEIGHTS if name in use}
        self._times: dict[str, array[int]] = {}
        self._names: dict[str, array[int]] = {}
        self._documents: list[tuple[str, str, str]] = []
        self._sizes = array("I")
        self._gone: set[int] = set()

    def __len__(self) -> int:
        """Documents that were not removed."""
        return len(self._documents) - len(self._gone)

    def add(self, document: Document) -> int:
        """Add a document and return its number."""
        number = len(self._documents)
        fields = fields_of(document.text, self._cut)
        size = WINDOW if "windows" in self._use else 1 << 30
        for name, field in self._fields.items():
            field.add(number, getattr(fields, name), size)
        for token in self._of_time(document.ts):
            self._times.setdefault(token, array("I")).append(number)
        for name in names_of(document.speaker):
            self._names.setdefault(name, array("I")).append(number)
        self._documents.append((document.session, document.kind, document.speaker))
        self._sizes.append(len(fields.words))
        return number

    def remove(self, numbers: Collection[int]) -> None:
        """Forget documents; their numbers are not used again."""
        self._gone.update(numbers)

    def search(
        self, query: Query, k: int, *, without: Collection[int] = ()
    ) -> list[tuple[int, float]]:
        """Return at most `k` documents with their scores, best first, of equals the newest."""
        import numpy as np

        if not self._documents or k < 1:
            return []
        fields = fields_of(" ".join((query.text, *query.context)), self._cut)
        scores = np.zeros(len(self._documents))
        for name, field in self._fields.items():
            field.add_scores(dict.fromkeys(getattr(fields, name), WEIGHTS[name]), scores)
        names = self._named(fields) if "speaker" in self._use else {}
        self._add(names, SPEAKER_INSIDE, scores)
        if "assistant" in self._use:
            said = [who == "assistant" for _, _, who in self._documents]
            scores[said] *= ASSISTANT
        if "neighbours" in self._use:
            scores = scores + self._borrowed(scores)
        if "time" in self._use:
            dates = self._asked(query.text, query.now)
            self._add({t: self._times[t] for t in dates if t in self._times}, TIME, scores)
        self._add(names, SPEAKER, scores)
        scores[sorted({*self._gone, *without})] = 0
        return _best(scores, k)

    def _named(self, fields: Fields) -> dict[str, "array[int]"]:
        return {word: self._names[word] for word in fields.words if word in self._names}

    def _add(self, found: Mapping[str, "array[int]"], weight: float, into: "Scores") -> None:
        import numpy as np

        for numbers in found.values():
            into[np.array(numbers)] += weight * idf(len(into), len(numbers))

    def _borrowed(self, scores: "Scores") -> Any:
        import numpy as np

        turn = np.array([kind == "turn" for _, kind, _ in self._documents])
        sessions: dict[str, int] = {}
        of = np.array([sessions.setdefault(s, len(sessions)) for s, _, _ in self._documents])
        borrowed = np.zeros(len(scores))
        for shift, (before, after) in enumerate(zip(BEFORE, AFTER, strict=True), 1):
            same = (of[shift:] == of[:-shift]) & turn[shift:] & turn[:-shift]
            borrowed[shift:] += before * scores[:-shift] * same
            borrowed[:-shift] += after * scores[shift:] * same
        return borrowed * np.minimum(1, SHORT / np.maximum(1, np.array(self._sizes)))


def _best(scores: "Scores", k: int) -> list[tuple[int, float]]:
    import numpy as np

    found = np.flatnonzero(scores > 0)
    order = found[np.lexsort((-found, -scores[found]))][:k]
    return [(int(n), float(scores[n])) for n in order]

"""The engine `classic`: rank_bm25 over jieba's plain cut, rebuilt when something was added.

A baseline to measure against. It finds nothing in stores of one or two documents.
"""

from collections.abc import Collection
from typing import Any

from ..segment import plain_words
from . import Document, Query, Told, nothing


class ClassicIndex:
    """An `Index`."""

    def __init__(self, segmenter: str = "jieba") -> None:
        self._segmenter = segmenter
        self._tokens: list[list[str]] = []
        self._gone: set[int] = set()
        self._model: Any = None

    def __len__(self) -> int:
        """Documents that were not removed."""
        return len(self._tokens) - len(self._gone)

    def add(self, document: Document) -> int:
        """Add a document and return its number. The next search counts all words anew."""
        self._tokens.append(plain_words(document.text, self._segmenter))
        self._model = None
        return len(self._tokens) - 1

    def remove(self, numbers: Collection[int]) -> None:
        """Forget documents; their numbers are not used again."""
        self._gone.update(numbers)
        self._model = None

    def search(
        self, query: Query, k: int, *, without: Collection[int] = (), told: Told = nothing
    ) -> list[tuple[int, float]]:
        """Return at most `k` documents with their scores, best first, of equals the newest."""
        living = [n for n, words in enumerate(self._tokens) if words and n not in self._gone]
        words = plain_words(query.text, self._segmenter)
        if not living or not words or k < 1:
            return []
        if self._model is None:
            from rank_bm25 import BM25Okapi

            self._model = BM25Okapi([self._tokens[number] for number in living])
        scored = zip(living, map(float, self._model.get_scores(words)), strict=True)
        found = [(n, score) for n, score in scored if score > 0 and n not in without]
        return sorted(found, key=lambda one: (-one[1], -one[0]))[:k]

    def meets(self, query: Query, numbers: Collection[int]) -> set[int]:
        """Return all: this engine finds by words alone."""
        return set(numbers)

    def is_named(self, query: Query) -> bool:
        """Tell whether there is a word in a question."""
        return bool(query.text.strip())

    def settle(self) -> None:
        """Do nothing."""

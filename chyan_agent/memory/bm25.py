"""BM25 that grows: rank_bm25's scores, from postings that are appended to, never rebuilt."""

import math
from array import array
from collections import Counter
from collections.abc import Iterable, Mapping, Set
from types import SimpleNamespace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

K1 = 1.5
B = 0.75
CANDIDATES = 1000
"""Documents beyond which only more telling tokens of a query choose any more."""
GONE = 0xFFFFFFFF
"""Stands for the length of a removed document."""
_FREQUENCY_BITS = 8
_FREQUENCY_MAX = (1 << _FREQUENCY_BITS) - 1


class IncrementalBM25:
    """An index of documents numbered from 0 in the order in which they were added.

    A posting is one integer, document and frequency together. A token of a single document
    keeps its posting in the dictionary itself: most tokens are such, and an array costs 80 bytes.
    """

    def __init__(self, *, k1: float = K1, b: float = B) -> None:
        self.k1 = k1
        self.b = b
        self._postings: dict[str, int | array[int]] = {}
        self._lengths = array("I")
        self._total = 0
        self._alive = 0

    def __len__(self) -> int:
        """Documents that were not removed."""
        return self._alive

    def add(self, tokens: Iterable[str]) -> int:
        """Add a document and return its number. The cost is that of its own tokens."""
        document = len(self._lengths)
        length = 0
        for token, frequency in Counter(tokens).items():
            length += frequency
            self._post(token, document << _FREQUENCY_BITS | min(frequency, _FREQUENCY_MAX))
        self._lengths.append(length)
        self._total += length
        self._alive += 1
        return document

    def _post(self, token: str, posting: int) -> None:
        known = self._postings.get(token)
        if known is None:
            self._postings[token] = posting
        elif isinstance(known, int):
            self._postings[token] = array("I", (known, posting))
        else:
            known.append(posting)

    def remove(self, documents: Set[int]) -> None:
        """Forget documents; their numbers are not used again.

        Walks the whole vocabulary: made for going back in a conversation, which is rare.
        """
        for token, known in list(self._postings.items()):
            postings = (known,) if isinstance(known, int) else known
            kept = [p for p in postings if p >> _FREQUENCY_BITS not in documents]
            if not kept:
                del self._postings[token]
            elif len(kept) < len(postings):
                self._postings[token] = kept[0] if len(kept) == 1 else array("I", kept)
        for document in documents:
            self._forget_length(document)

    def _forget_length(self, document: int) -> None:
        if self._lengths[document] == GONE:
            return
        self._total -= self._lengths[document]
        self._lengths[document] = GONE
        self._alive -= 1

    def scores(self, query: Mapping[str, float]) -> list[tuple[int, float]]:
        """Score the documents that share tokens with the query; tokens count by their weight.

        Documents are chosen by overlap, never by score, so that the only document of an index
        and a word that stands in all of them are found too. Once CANDIDATES are found, those
        that hold nothing but the least telling tokens of the query are left out.
        The order is that of the documents.
        """
        postings = {token: found for token in query if len(found := self._of(token))}
        idf = {token: query[token] * self._idf(len(found)) for token, found in postings.items()}
        telling = sorted(postings, key=lambda token: -idf[token])
        chosen: set[int] = set()
        for token in telling:
            if len(chosen) >= CANDIDATES:
                break
            chosen.update((postings[token] >> _FREQUENCY_BITS).tolist())
        documents = sorted(chosen)
        if not documents:
            return []
        return list(zip(documents, self._ranked(documents, postings, idf), strict=True))

    def _of(self, token: str) -> "NDArray[np.uint32]":
        """Return a token's postings; nothing may be added while they are in use."""
        import numpy as np

        known = self._postings.get(token, ())
        if isinstance(known, array):
            return np.frombuffer(known, dtype=np.uint32)
        return np.array([known] if isinstance(known, int) else [], dtype=np.uint32)

    def _ranked(
        self,
        documents: list[int],
        postings: Mapping[str, "NDArray[np.uint32]"],
        idf: Mapping[str, float],
    ) -> list[float]:
        """Hand the chosen documents to rank_bm25, as if they were an index of its own."""
        from rank_bm25 import BM25Okapi

        view = SimpleNamespace(
            k1=self.k1,
            b=self.b,
            avgdl=self._total / len(self),
            doc_freqs=self._rows(documents, postings),
            doc_len=[self._lengths[document] for document in documents],
            idf=idf,
        )
        scores: list[float] = BM25Okapi.get_batch_scores(view, list(idf), range(len(documents)))
        return scores

    def _rows(
        self, documents: list[int], postings: Mapping[str, "NDArray[np.uint32]"]
    ) -> list[dict[str, int]]:
        """Return for each document how often it holds each token of the query."""
        import numpy as np

        rows: list[dict[str, int]] = [{} for _ in documents]
        place = np.full(len(self._lengths), -1, dtype=np.int64)
        place[documents] = np.arange(len(documents))
        for token, found in postings.items():
            places = place[found >> _FREQUENCY_BITS]
            here = places >= 0
            frequencies = found[here] & _FREQUENCY_MAX
            for row, frequency in zip(places[here].tolist(), frequencies.tolist(), strict=True):
                rows[row][token] = frequency
        return rows

    def _idf(self, holding: int) -> float:
        """Smoothed, so that it stays positive: rank_bm25's own is 0 or less in small stores."""
        return math.log(1 + (len(self) - holding + 0.5) / (holding + 0.5))

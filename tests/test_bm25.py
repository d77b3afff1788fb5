"""The growing index: rank_bm25's scores, whatever was added or forgotten in between."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rank_bm25 import BM25Okapi

from chyan_agent.memory.bm25 import CANDIDATES, IncrementalBM25

DOCUMENT = st.lists(st.sampled_from("abcdefgh"), min_size=1, max_size=12)
CORPUS = st.lists(DOCUMENT, min_size=1, max_size=12)


class Smoothed(BM25Okapi):  # type: ignore[misc]
    """The plain library with the same idf: the oracle."""

    def _calc_idf(self, nd: dict[str, int]) -> None:
        for word, n in nd.items():
            self.idf[word] = math.log(1 + (self.corpus_size - n + 0.5) / (n + 0.5))


def index(*documents: list[str]) -> IncrementalBM25:
    """Return an index of documents."""
    made = IncrementalBM25()
    for document in documents:
        made.add(document)
    return made


@given(CORPUS, st.sets(st.sampled_from("abcdefghxyz")))
def test_scores_are_the_library_s(corpus: list[list[str]], query: set[str]) -> None:
    """Every document that shares a token has the score that rank_bm25 gives it."""
    found = dict(index(*corpus).scores(dict.fromkeys(query, 1.0)))
    expected = Smoothed(corpus).get_scores(list(query))
    assert set(found) == {i for i, words in enumerate(corpus) if query & set(words)}
    for document, score in found.items():
        assert score == pytest.approx(expected[document])


@given(CORPUS, st.sets(st.integers(0, 11)), DOCUMENT)
def test_remove(corpus: list[list[str]], numbers: set[int], query: list[str]) -> None:
    """An index that forgot documents scores as if they had never been added."""
    gone = {number for number in numbers if number < len(corpus)}
    made = index(*corpus)
    made.remove(gone)
    made.remove(gone)
    made.add(query)
    left = [number for number in range(len(corpus) + 1) if number not in gone]
    fresh = index(*(words for i, words in enumerate(corpus) if i not in gone), query)
    expected = fresh.scores(dict.fromkeys(query, 1.0))
    assert made.scores(dict.fromkeys(query, 1.0)) == [(left[i], score) for i, score in expected]


@pytest.mark.parametrize("others", [[], [["go"]], [["python"]], [["python"], ["python"]]])
def test_tiny_stores(others: list[list[str]]) -> None:
    """The exact word finds its document in stores of one, two, and where all hold it."""
    scores = dict(index(["python", "like"], *others).scores({"python": 1.0}))
    assert scores[0] > 0


def test_weights() -> None:
    """A token of weight 0.1 counts a tenth."""
    made = index(["a"], ["b"])
    (_, whole), (_, tenth) = made.scores({"a": 1.0, "b": 0.1})
    assert tenth == pytest.approx(whole / 10)


def test_nothing_to_find() -> None:
    """Empty indexes, empty documents and unknown words give no scores and no errors."""
    assert IncrementalBM25().scores({"a": 1.0}) == []
    assert index([]).scores({"a": 1.0}) == []
    assert index(["a"]).scores({}) == []
    assert index(["a"]).scores({"b": 1.0}) == []
    assert len(index([], ["a"])) == 2


def test_very_frequent_word() -> None:
    """A word that stands thousands of times in a document is counted up to a cap, not wrapped."""
    ((document, score),) = index(["a"] * 5000).scores({"a": 1.0})
    assert document == 0
    assert score > 0


def test_many_candidates() -> None:
    """Where more documents match than are scored, those that share only filler are left out."""
    made = index(*(["filler", str(n)] for n in range(3000)))
    assert len(made.scores({"filler": 0.1})) == 3000
    many = {str(n): 1.0 for n in range(2000)}
    found = dict(made.scores({"filler": 0.1} | many))
    assert len(found) == CANDIDATES
    assert min(found.values()) > 1

"""What comes near to a question that nothing answers: words misspelt."""

from collections.abc import Iterable

from ..statements.facts import normalise

CLOSE = 0.45
"""Share of the pairs of letters of a question that a text must hold to come near to it."""
MOST = 3
SCANNED = 500
"""Characters of a text that are looked at."""


def nearest(query: str, texts: Iterable[str]) -> list[str]:
    """Return the texts that are spelt most like a query, best first, at most three."""
    wanted = _pairs(query)
    if len(wanted) < 2:
        return []
    shares = ((len(wanted & _pairs(text[:SCANNED])) / len(wanted), text) for text in texts)
    near = sorted((pair for pair in shares if pair[0] >= CLOSE), key=lambda pair: -pair[0])
    return [text for _, text in near[:MOST]]


def _pairs(text: str) -> frozenset[str]:
    words = normalise(text).split()
    return frozenset(word[i : i + 2] for word in words for i in range(len(word) - 1))

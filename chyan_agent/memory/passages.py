"""The part of a long text that a question is about."""

import re
from collections.abc import Iterable, Mapping

LONGEST = 600
"""Characters of a passage."""

_CUTS = re.compile(r"(?<=[。！？；\n])|(?<=[.!?;])(?=\s)")


def passage(text: str, query: Mapping[str, float]) -> str:
    """Return a short text whole, of a long one the stretch that holds most of the query."""
    if len(text) <= LONGEST:
        return text
    pieces = [piece for whole in _CUTS.split(text) for piece in _short(whole)]
    worth = [_worth(piece, query) for piece in pieces]
    best, first = -1.0, 0
    for start in range(len(pieces)):
        value = sum(worth[start : _fitting(pieces, start)])
        if value > best:
            best, first = value, start
    return "".join(pieces[first : _fitting(pieces, first)]).strip()


def _short(piece: str) -> Iterable[str]:
    return (piece[i : i + LONGEST] for i in range(0, len(piece), LONGEST))


def _worth(piece: str, query: Mapping[str, float]) -> float:
    folded = piece.casefold()
    return sum(weight for token, weight in query.items() if token in folded)


def _fitting(pieces: list[str], start: int) -> int:
    """Return the end of the longest run of pieces from `start` that is short enough."""
    size, end = 0, start
    while end < len(pieces) and size + len(pieces[end]) <= LONGEST:
        size += len(pieces[end])
        end += 1
    return end

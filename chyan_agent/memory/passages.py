"""The parts of a long text that a question is about."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence

from ..late import Late
from ..statements.gist import units
from ..statements.numerals import numbers, ordinals
from ..statements.scripts import simplified
from .segment import spellings

LONGEST = 600
"""Characters of a passage."""
PIECE = 120
"""Characters of the pieces that a passage is made of."""
LEAST = 16
"""Characters of the shortest; thousands of empty lines are no thousands of pieces."""
SCANNED = 24_000
"""Characters of a text that are looked at."""
NAMED = 2000
"""Characters of a piece that it is recognised by."""
STRONG, WEAK = 1.0, 0.1
"""What a word or a pair of Chinese weighs in a passage, and what a single character."""
GAP = " … "
"""Stands where something is left out between two pieces."""

_CUTS = Late(r"(?<=[。！？；\n])|(?<=[.!?;])(?=\s)")


def passage(text: str, query: str) -> str:
    """Return a short text whole, of a long one what says most about a query."""
    if len(text) <= LONGEST:
        return text
    return focus(text, query, lambda part: len(part) <= LONGEST, GAP)


def telling(texts: Sequence[str], query: str) -> str:
    """Return the text that holds most words of a query, the fullest of several.

    Where none holds any it is the last one; empty if there is none.
    """
    wanted = frozenset(unit for unit in _units(query) if len(unit) > 1)
    held = [len(wanted.intersection(_units(text))) for text in texts]
    if not any(held):
        return texts[-1] if texts else ""
    return max(zip(held, map(len, texts), texts, strict=True))[2]


def _units(text: str) -> Iterator[str]:
    """Yield what a text is recognised by, as the index does: in either script, ids by parts too."""
    plain = simplified(text[:NAMED])
    for unit in units(plain):
        yield unit
        if not unit.isalpha():
            yield from spellings(unit)[1:]
    yield from (number for number in numbers(plain) if len(number) > 1)
    yield from ordinals(plain)


def focus(text: str, query: str, fits: Callable[[str], bool], mark: str) -> str:
    """Return as much of a text as fits: the places that say most about a query.

    Where its beginning or end is left out stands `mark`. Words that few places hold weigh most,
    and each counts once: the line that answers is taken beside the heading that names the matter.
    """
    if fits(text):
        return text
    pieces = _pieces(text[:SCANNED])
    chosen: set[int] = set()
    for place in _by_worth(pieces, query):
        wider = chosen | {place}
        if fits(_marked(pieces, wider, mark)):
            chosen = wider
        elif not chosen:
            return _around(pieces[place], query, fits, mark)
    return _marked(pieces, _widened(pieces, chosen, fits, mark), mark)


def _pieces(text: str) -> list[str]:
    """Return lines and sentences, the shortest ones joined, the longest ones cut."""
    pieces: list[str] = []
    waiting = ""
    for whole in _CUTS.split(text):
        waiting += whole
        if len(waiting.strip()) >= LEAST:
            pieces += filter(None, _cut(waiting))
            waiting = ""
    return [*pieces, waiting] if waiting else pieces


def _cut(piece: str) -> Iterable[str]:
    """Cut what is too long where a word ends, if there is such a place."""
    start = 0
    while len(piece) - start > PIECE:
        end = start + PIECE
        gaps = (piece.rfind(sign, start + PIECE // 2, end) for sign in " ，,、\t")
        end = max(max(gaps) + 1, 0) or end
        yield piece[start:end]
        start = end
    yield piece[start:]


def _by_worth(pieces: list[str], query: str) -> Iterator[int]:
    """Yield the places that hold words of a query, each time the one that adds most."""
    wanted = frozenset(_units(query))
    held = {place: wanted.intersection(_units(piece)) for place, piece in enumerate(pieces)}
    counts = Counter(unit for found in held.values() for unit in found)
    worth = {unit: (STRONG if len(unit) > 1 else WEAK) / n for unit, n in counts.items()}
    left = {place: set(found) for place, found in held.items() if found}
    first = True
    while left:
        place = max(left, key=lambda one: (sum(worth[unit] for unit in left[one]), -one))
        yield place
        told = left.pop(place)
        left = {other: rest for other, found in left.items() if (rest := found - told)}
        first = False
    if first:
        yield 0


def _widened(
    pieces: list[str], chosen: set[int], fits: Callable[[str], bool], mark: str
) -> set[int]:
    """Add what stands beside the chosen pieces, as long as it fits."""
    full = False
    while not full:
        full = True
        beside = {n for c in chosen for n in (c + 1, c - 1)} - chosen
        for place in sorted(n for n in beside if 0 <= n < len(pieces)):
            if fits(_marked(pieces, chosen | {place}, mark)):
                chosen = chosen | {place}
                full = False
    return chosen


def _marked(pieces: list[str], chosen: set[int], mark: str) -> str:
    """Join pieces in their order."""
    shown: list[str] = []
    last = -1
    for place in sorted(chosen):
        if place != last + 1:
            shown.append(GAP if shown else mark)
        shown.append(pieces[place])
        last = place
    body = "".join(shown).strip()
    return body if last + 1 == len(pieces) else f"{body}{mark}"


def _around(text: str, query: str, fits: Callable[[str], bool], mark: str) -> str:
    """Return the characters around the first word of the query that a text holds."""
    folded = text.casefold()
    strong = sorted((unit for unit in units(query) if len(unit) > 1), key=len, reverse=True)
    at = next((folded.find(unit) for unit in strong if unit in folded), 0)
    low, high, found = 0, len(text), ""
    while low < high:
        size = (low + high + 1) // 2
        start = max(min(at - size // 3, len(text) - size), 0)
        part = text[start : start + size]
        part = f"{mark if start else ''}{part}{mark if start + size < len(text) else ''}"
        if fits(part):
            low, found = size, part
        else:
            high = size - 1
    return found

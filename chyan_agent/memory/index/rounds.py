"""A search in rounds: each question of several by itself, then what resembles the best notes.

Notes stand alone: what a talk gives to a turn by its neighbours, notes have from their like.
"""

from collections.abc import Collection, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from ..several import questions
from . import Query, Told
from .search import best, keys_of, scores
from .traits import TURN

if TYPE_CHECKING:
    from .columns import Scores
    from .ranked import FieldIndex

WHOLE = 0.3
"""What a text that asks several things counts as a whole, beside its best question."""
ALIKE = 0.25
"""Share of the score of a note that its like borrows, by how much of it they hold.

What the question says too counts less there: of "my cousin's number is 155" a question about 155
leads to what else is said of the cousin.
"""
BEST = 2
"""Notes for each question whose like is looked for."""
LONGEST = 300
"""Characters of a note whose like is looked for; a longer one says what there is to say."""
SIMILAR = 0.2
"""How much of a note its like holds at least, if it holds nothing of the question itself."""


def total(index: "FieldIndex", query: Query, without: Collection[int], told: Told) -> "Scores":
    """Return a score for every document; see `search.scores`."""
    whole = scores(index, query, without)
    asked = questions(query.text) if "several" in index.use else ()
    each = [_like(whole, scores(index, replace(query, text=one), without)) for one in asked]
    scored = whole if not each else WHOLE * whole + _best_of(each)
    if "alike" not in index.use:
        return scored
    notes = [note for one in each or [whole] for note in _best_notes(index, one, without)]
    borrowed, known = 0.0 * scored, keys_of(index, query.text) if notes else ()
    for number, score in notes:
        text = told(number)
        if len(text) <= LONGEST:
            held = scores(index, Query(text), known=known)
            borrowed += ALIKE * score * _alike(index, query, held, number, scored)
    return scored + borrowed


def _like(whole: "Scores", part: "Scores") -> "Scores":
    """Return scores that have the same maximum as those of the whole."""
    most = part.max(initial=0)
    return part * (whole.max(initial=0) / most) if most > 0 else part


def _best_of(each: "list[Scores]") -> "Scores":
    import numpy as np

    found: Scores = np.maximum.reduce(each)
    return found


def _best_notes(
    index: "FieldIndex", scored: "Scores", without: Collection[int]
) -> Iterator[tuple[int, float]]:
    for number, score in best(scored.copy(), BEST, without):
        if not index.columns.marks[number] & TURN:
            yield number, score


def _alike(
    index: "FieldIndex", query: Query, found: "Scores", number: int, scored: "Scores"
) -> "Scores":
    """Return how much of a note every note holds, 0 to 1; itself all of it. Turns hold nothing."""
    import numpy as np

    own = found[number]
    if own <= 0:
        return 0 * found
    held: Scores = np.minimum(found / own, 1.0)
    held[(np.frombuffer(index.columns.marks, dtype=np.uint8) & TURN) != 0] = 0
    if query.own:
        held[(scored <= 0) & (held < SIMILAR)] = 0
    return held

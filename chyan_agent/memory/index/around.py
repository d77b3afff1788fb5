"""What a document borrows from those around it: in its talk, in its hour, on its day. Pure arrays.

A turn rarely repeats what its question named, and an event leaves several records behind it.
"""

from typing import TYPE_CHECKING

from .columns import View
from .scoring import idf
from .traits import ASKS, PERSON, TURN, USER

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from .columns import Ints, Scores

BEFORE = (0.4, 0.4, 0.2, 0.2)
AFTER = (0.3, 0.3, 0.1, 0.1)
"""Shares of the scores of the turns before and after a turn, the nearest first."""
ANSWER = 0.4
"""Share of the score of a question, borrowed in addition by the turn that answers it."""
QUESTION = 0.6
"""What is left of the score of a person's turn that only asks."""
HOUR = 0.3
MINUTES = 60
NEAREST = 4
"""Records on each side in time that a record without a talk looks at."""
DAY_NEXT = 0.15
"""How much the days before and after a day count on it."""
DAY_K1 = 1.2
DAY_B = 0.75


def from_neighbours(scores: "Scores", view: View) -> "Scores":
    """Return what turns borrow from the turns of their session."""
    import numpy as np

    size = len(scores)
    given = np.append(scores, 0.0)
    borrowed = np.zeros(size)
    for links, shares in ((view.before, BEFORE), (view.after, AFTER)):
        step = np.append(np.where(links < 0, size, links), size).astype(np.intp)
        at = step[:-1]
        for share in shares:
            borrowed += share * given[at]
            at = step[at]
    return borrowed * view.short


def from_questions(scores: "Scores", view: View) -> "Scores":
    """Return what the turns of people and of the user borrow from a question just before them."""
    import numpy as np

    borrowed = np.zeros(len(scores))
    asking = np.flatnonzero(view.has(ASKS) & (scores != 0) & (view.after >= 0))
    answers = view.after[asking]
    told = (view.marks[answers] & (PERSON | USER)) != 0
    asking, answers = asking[told], answers[told]
    borrowed[answers] = ANSWER * view.short[answers] * (scores * view.short)[asking]
    return borrowed


def of_questions(view: View) -> "Scores":
    """Return by what to multiply the scores of turns: less for those of people that only ask.

    What the user asks of an assistant is not touched: it tells what the user is after.
    """
    import numpy as np

    loss = (1 - QUESTION) / 255 * view.asks.astype(np.float64) * view.short
    return np.where(view.has(PERSON), 1 - loss, 1.0)


def by_age(size: int, most: float) -> "Scores":
    """Return by what to multiply scores: 1 for the oldest document, up to `most` more."""
    import numpy as np

    return np.linspace(1.0, 1.0 + most, size)


def from_the_hour(scores: "Scores", view: View, order: "NDArray[np.intp]") -> "Scores":
    """Return what records without a talk borrow from the best record of the same hour.

    `order` sorts the documents by their minutes.
    """
    import numpy as np

    minutes, sorted_scores = view.minute[order], scores[order]
    best = np.zeros(len(scores))
    for step in range(1, min(NEAREST + 1, len(scores))):
        near = (minutes[step:] - minutes[:-step] <= MINUTES) & (minutes[:-step] > 0)
        np.maximum(best[step:], np.where(near, sorted_scores[:-step], 0.0), out=best[step:])
        np.maximum(best[:-step], np.where(near, sorted_scores[step:], 0.0), out=best[:-step])
    borrowed = np.zeros(len(scores))
    borrowed[order] = HOUR * best
    return np.where(alone(view), borrowed, 0.0)


def alone(view: View) -> "NDArray[np.bool_]":
    """Return which turns have a time and nobody around them in their session."""
    return view.has(TURN) & (view.before < 0) & (view.after < 0) & (view.minute > 0)


class Days:
    """The days of a store as documents of their own: BM25 of all the turns of one."""

    def __init__(self, view: View) -> None:
        import numpy as np

        dated = (view.day > 0) & view.has(TURN)
        start = int(view.day[dated].min(initial=1 << 30)) - 2
        self.of = np.where(dated, view.day - start, 0).astype(np.intp)
        words = np.where(view.alive != 0, view.words, 0)
        sizes = np.bincount(self.of, weights=words, minlength=2 + int(self.of.max(initial=0)))
        self.number = max(1, int(np.count_nonzero(sizes[1:])))
        mean = max(float(sizes[1:].sum()) / self.number, 1e-9)
        self._norms = DAY_K1 * (1 - DAY_B + DAY_B * sizes / mean)
        self._scores = np.zeros(len(sizes))

    def count(self, documents: "Ints", often: "Ints", weight: float) -> None:
        """Take in a word of the question: the documents that hold it, and how often they do."""
        import numpy as np

        held: Scores = np.bincount(
            self.of[documents], weights=often, minlength=len(self._scores)
        ).astype(np.float64)
        held[0] = 0
        holding = int(np.count_nonzero(held))
        near = held.copy()
        near[1:] += DAY_NEXT * held[:-1]
        near[:-1] += DAY_NEXT * held[1:]
        value = weight * idf(self.number, holding) * (DAY_K1 + 1)
        self._scores += value * near / (near + self._norms)

    def scores(self) -> "Scores":
        """Return the score of each document's day."""
        import numpy as np

        shown: Scores = np.where(self.of > 0, self._scores[self.of], 0.0)
        return shown

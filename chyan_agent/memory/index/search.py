"""Scores of all documents of a `FieldIndex` for a question."""

import math
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from typing import TYPE_CHECKING

from ..dates import asked
from ..weights import is_in_any_talk
from . import Query
from . import around as near
from .columns import View
from .fields import fields_of
from .scoring import LETTER, frequency, idf, table
from .traits import ASSISTANT, TELLS_HOW_MANY, TELLS_WHEN, TOOL, TURN, asked_for

if TYPE_CHECKING:
    from .columns import Ints, Scores
    from .postings import Found
    from .ranked import FieldIndex

TIME = 12.0
DATES = {"@w": 0.3}
"""Weights of kinds of date tokens: a weekday in a question is often what it is about."""
SPEAKER = 3.0
SPEAKER_INSIDE = 1.0
"""The part of a speaker's weight that neighbours borrow."""
NAMED = 0.3
"""Weight of a speaker's name as a word: who is named in a text is whom it speaks to."""
SAID_BY = {ASSISTANT: 0.5, TOOL: 0.4}
"""Of what was said, the user's words hold most evidence."""
DAY = 1.0
ANSWERS = 1.2
"""Weight of the kind of answer that a question wants."""
NEWER = 0.4
"""How much more the newest document counts than the oldest, if it is asked how things stand."""
NOTE = 2.5
"""Notes were meant to be found, and borrow nothing."""
REPEATED = 0.6
"""How much more a word counts that stands e times in a question: it is what the talk is about."""
TALK = 160
"""Characters from which a text tells more than it asks: a small store takes its time and great
for rare words.
"""
ANYWHERE = 0.3
"""What is left of the weight of a word that stands in any talk, if a question is a talk."""
KNOWN = 0.1
"""What is left of the weight of a word that is known already: the others lead on."""
CONTEXT = 0.5
"""Weight of the words that stand in for what a follow-up leaves out."""
COMMON = 2000
"""Windows that may hold a pair or a character before it can be passed over."""
QUERY = 2000
"""Characters of a question that are looked at."""


def scores(
    index: "FieldIndex", query: Query, without: Collection[int] = (), known: Collection[str] = ()
) -> "Scores":
    """Return a score for every document, 0 for those that have nothing to do with the question.

    From the documents `without` nothing is borrowed: the turn that asks matches itself best. The
    keys that are `known` count less.
    """
    return _Search(index, query, known).total(sorted(without))


def keys_of(index: "FieldIndex", text: str) -> frozenset[str]:
    """Return the keys of what a question says; none for a talk, which asks for nothing."""
    fields = fields_of(text if len(text) < TALK else "", index.cut)
    return frozenset(LETTER[name] + token for name in index.names for token in fields.of(name))


def best(scored: "Scores", k: int, without: Collection[int] = ()) -> list[tuple[int, float]]:
    """Return the `k` best documents above 0 with their scores; of equals the newest first."""
    import numpy as np

    if without:
        scored[np.fromiter(without, dtype=np.intp, count=len(without))] = 0
    found = np.flatnonzero(scored > 0)
    if len(found) > k:
        least = np.partition(scored[found], len(found) - k)[len(found) - k]
        found = found[scored[found] >= least]
    order = found[np.lexsort((-found, -scored[found]))][:k]
    return [(int(number), float(scored[number])) for number in order]


class _Search:
    """One question put to an index."""

    def __init__(self, index: "FieldIndex", query: Query, known: Collection[str]) -> None:
        self._index = index
        self._use = index.use
        self._view = View(index.columns)
        self._size = len(index.columns)
        text = query.text[:QUERY]
        self._own = query.own
        self._asked = asked_for(text)
        self._dates = asked(text, query.now) if "time" in index.use else ()
        self._tokens = dict(self._weighted(text, 1.0))
        for other in query.context:
            for key, (name, weight) in self._weighted(other[:QUERY], CONTEXT):
                self._tokens.setdefault(key, (name, weight))
        for key in self._tokens.keys() & known:
            name, weight = self._tokens[key]
            self._tokens[key] = name, weight * KNOWN
        self._names = self._speakers()
        keys = (*self._tokens, *self._names, *self._dates)
        self._found = index.postings.of(list(dict.fromkeys(keys)))

    def _weighted(self, text: str, weight: float) -> Iterator[tuple[str, tuple[str, float]]]:
        fields, talk = fields_of(text, self._index.cut), len(text) >= TALK
        for name in self._index.names:
            worth = weight * self._index.weights[name]
            for token, often in Counter(fields.of(name)).items():
                value = worth * (1 + REPEATED * math.log(often))
                light = talk and is_in_any_talk(token)
                yield LETTER[name] + token, (name, value * ANYWHERE if light else value)

    def _speakers(self) -> list[str]:
        """Return the keys of the question's words that may be names; a word is also its name."""
        if "speaker" not in self._use:
            return []
        letter = LETTER["words"]
        return ["n" + key[1:] for key in self._tokens if key[0] == letter]

    def total(self, without: list[int]) -> "Scores":
        """Return the scores of all documents; from those `without` nothing is borrowed."""
        view, use = self._view, self._use
        names = self._all_documents(self._names)
        own = self._lexical()
        held = own > 0
        self._add(names, SPEAKER_INSIDE, own)
        self._by_speaker(own)
        own[without] = 0
        scored = self._with_surroundings(own)
        for key in self._dates:
            dated = self._all_documents([key])
            self._add(dated, TIME * DATES.get(key[:2], 1.0), scored)
            for numbers in dated:
                held[numbers] |= key.startswith("@d") or 2 * len(numbers) <= len(self._index)
        self._add(names, SPEAKER, scored)
        if "answers" in use:
            self._add_answers(scored)
        if "newer" in use and self._asked.of_now:
            scored *= near.by_age(self._size, NEWER)
        if "neighbours" in use:
            scored[~view.has(TURN)] *= NOTE
        scored[(view.alive == 0) | (self._own & ~held)] = 0
        return scored

    def _with_surroundings(self, own: "Scores") -> "Scores":
        view, use = self._view, self._use
        scored = own * near.of_questions(view) if "questions" in use else own.copy()
        if "neighbours" in use:
            scored += near.from_neighbours(own, view)
        if "questions" in use:
            scored += near.from_questions(own, view)
        if "hours" in use and near.alone(view).any():
            scored += near.from_the_hour(own, view, self._index.in_time(view.minute))
        if "days" in use:
            scored += DAY * self._days()
        return scored

    def _lexical(self) -> "Scores":
        """Return the score of the best window of each document."""
        import numpy as np

        index = self._index
        worth = {name: table(index.totals, name) for name in index.names}
        found = np.zeros(len(index.columns.owner))
        for name, weight, (windows, codes) in self._held():
            value = weight * idf(index.totals.windows, len(windows))
            found[windows] += value * worth[name][codes]
        if len(found) == self._size:
            return found
        scored: Scores = np.maximum.reduceat(found, self._view.first)
        return scored

    def _held(self) -> "Iterator[tuple[str, float, Found]]":
        """Yield field, weight and living postings of the tokens of the question."""
        for key, (name, weight) in self._tokens.items():
            found = self._found.get(key)
            if found is None:
                continue
            if self._index.gone:
                living = self._view.alive[self._view.owner[found[0]]] != 0
                found = found[0][living], found[1][living]
            if len(found[0]) and not self._says_nothing(name, len(found[0])):
                named = name == "words" and "n" + key[1:] in self._found
                yield name, weight * NAMED if named else weight, found

    def _says_nothing(self, name: str, holding: int) -> bool:
        """Tell whether so much of a large store holds a token that counting it is lost time."""
        return name != "words" and holding > max(COMMON, self._index.totals.windows // 8)

    def _documents(self, key: str) -> "Ints | None":
        """Return the living documents of a date or a speaker."""
        found = self._found.get(key)
        if found is None:
            return None
        return found[0][self._view.alive[found[0]] != 0] if self._index.gone else found[0]

    def _all_documents(self, keys: "Iterable[str]") -> "list[Ints]":
        return [found for key in keys if (found := self._documents(key)) is not None]

    def _add(self, groups: "Iterable[Ints]", weight: float, into: "Scores") -> None:
        for numbers in groups:
            into[numbers] += weight * idf(len(self._index), len(numbers))

    def _by_speaker(self, own: "Scores") -> None:
        import numpy as np

        own[self._view.alive == 0] = 0
        if "assistant" not in self._use:
            return
        if self._asked.of_tool:  # what a tool gave is repeated in the answer
            return
        counts = np.ones(256)
        for mark, weight in SAID_BY.items():
            if not (mark == ASSISTANT and self._asked.of_assistant):
                counts[(np.arange(256) & mark) != 0] = weight
        own *= counts[self._view.marks]

    def _days(self) -> "Scores":
        days = near.Days(self._view)
        for name, weight, (windows, codes) in self._held():
            if name == "words":
                days.count(self._view.owner[windows], frequency(codes), weight)
        return days.scores()

    def _add_answers(self, scored: "Scores") -> None:
        for mark in (TELLS_WHEN, TELLS_HOW_MANY):
            if self._asked.marks & mark:
                told = self._view.has(mark) & (self._view.alive != 0)
                value = ANSWERS * idf(len(self._index), int(told.sum()))
                scored[told & (scored > 0)] += value

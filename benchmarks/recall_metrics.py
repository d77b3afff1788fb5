"""How good a ranking is: recall, hits, nDCG, first hit, and the evidence that fits a budget."""

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from statistics import fmean

from recall_data import Item

DEPTH = 400
"""Items of a ranking that are looked at: as many short ones as 2,000 tokens hold."""
BUDGETS = (500, 1000, 2000)
METRICS = ("R@1", "R@5", "R@10", "any@5", "any@10", "nDCG@10", "MRR") + tuple(
    f"E@{budget}" for budget in BUDGETS
)
SESSIONS = ("session any@5", "session any@10")
RESAMPLES = 2000
SEED = 20391
Scores = dict[str, float]

_HAN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]")


def tokens(text: str) -> float:
    """Return the size of a text: a Chinese character is a token, as are four others."""
    han = len(_HAN.findall(text))
    return han + (len(text) - han) / 4


def scored(ranking: Sequence[Item], relevant: frozenset[str]) -> Scores:
    """Return every metric of one question's ranking, from 0 to 1. Of equal ids the first counts."""
    ids = list(dict.fromkeys(item.id for item in ranking))
    hits = [place for place, one in enumerate(ids, start=1) if one in relevant]

    def within(k: int) -> int:
        return sum(place <= k for place in hits)

    return {
        **{f"R@{k}": within(k) / len(relevant) for k in (1, 5, 10)},
        **{f"any@{k}": float(within(k) > 0) for k in (5, 10)},
        "nDCG@10": _gain(place for place in hits if place <= 10)
        / _gain(range(1, min(10, len(relevant)) + 1)),
        "MRR": 1 / hits[0] if hits else 0.0,
        **{f"E@{b}": _fitting(ranking, relevant, b) / len(relevant) for b in BUDGETS},
    }


def _gain(places: Iterable[int]) -> float:
    return sum(1 / math.log2(place + 1) for place in places)


def _fitting(ranking: Sequence[Item], relevant: frozenset[str], budget: int) -> int:
    """Count the evidence before the first item for which there is no room."""
    found, used = set(), 0.0
    for item in ranking:
        used += tokens(item.text)
        if used > budget:
            break
        if item.id in relevant:
            found.add(item.id)
    return len(found)


def session_hits(
    ranking: Sequence[Item], relevant: frozenset[str], items: Sequence[Item]
) -> Scores:
    """Return whether a session with evidence is among the first; a session is its best item."""
    wanted = {item.session for item in items if item.id in relevant and item.session}
    if not wanted:
        return {}
    order = list(dict.fromkeys(item.session for item in ranking))
    return {
        name: float(not wanted.isdisjoint(order[:k]))
        for name, k in zip(SESSIONS, (5, 10), strict=True)
    }


def means(scores: Sequence[Mapping[str, float]]) -> Scores:
    """Return the mean of each metric over the questions that have it, in percent."""
    names = dict.fromkeys(name for one in scores for name in one)
    return {name: 100 * fmean(one[name] for one in scores if name in one) for name in names}


def difference(ours: Sequence[float], theirs: Sequence[float]) -> tuple[float, float, float]:
    """Return the mean difference of two engines over the same questions and its 95 % interval.

    In points of percent, by a paired bootstrap that is the same each time.
    """
    import numpy as np

    gaps = 100 * (np.array(ours) - np.array(theirs))
    chance = np.random.default_rng(SEED)
    drawn = [float(chance.choice(gaps, len(gaps)).mean()) for _ in range(RESAMPLES)]
    low, high = np.percentile(drawn, [2.5, 97.5])
    return float(gaps.mean()), float(low), float(high)


def grouped(rows: Sequence[tuple[str, Scores]]) -> dict[str, list[Scores]]:
    """Return the scores by question kind, in the order of the names."""
    groups: dict[str, list[Scores]] = {}
    for kind, scores in rows:
        groups.setdefault(kind, []).append(scores)
    return dict(sorted(groups.items()))

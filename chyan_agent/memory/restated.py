"""Whether a text keeps to another that it is made of: in the same order, and with no denial more.

Two texts of the same words may say opposite things: who did what, and whether it is so. Pure.
"""

from collections import defaultdict
from collections.abc import Mapping
from itertools import pairwise

from ..late import Late
from ..statements.clauses import parts, sentences
from ..statements.gist import HAN, WORD, covered, poles, units

NEAR = 3
"""Words that may be left out between two that are said again."""
NEAR_HAN = 8
"""The same in Chinese characters."""
CLAUSES = 60
"""Clauses of a text that are compared, and"""
TOKENS = 200
"""words of each."""

_TOKEN = Late(rf"[{HAN}]|{WORD}")


def keeps_to(text: str, told: str) -> bool:
    """Tell whether each clause of a text stands in the other in that order, denied no more."""
    known = _tokens(told)
    pieces = {one: frozenset(units(one)) for one in (*parts(told), *sentences(told))}
    return all(
        _in_order(_tokens(clause)[:TOKENS], known) and _as_true(clause, pieces)
        for clause in parts(text)[:CLAUSES]
    )


def _tokens(text: str) -> list[str]:
    """Return the words and Chinese characters that a text can be recognised by, in order."""
    return [unit for token in _TOKEN.findall(text) for unit in units(token)[:1]]


def _in_order(said: list[str], known: list[str]) -> bool:
    """Whether what is known of a clause follows upon each other there as well."""
    places = defaultdict[str, list[int]](list)
    for at, unit in enumerate(known):
        places[unit].append(at)
    held = [unit for unit in said if unit in places]
    reached = set(places[held[0]]) if held else set[int]()
    for before, unit in pairwise(held):
        room = NEAR_HAN if len(before) == len(unit) == 1 else NEAR
        reached = {at for at in places[unit] if any(at - n in reached for n in range(1, room + 2))}
    return bool(reached) or not held


def _as_true(clause: str, pieces: Mapping[str, frozenset[str]]) -> bool:
    """Whether a clause denies just what the most like piece of the other text denies."""
    wanted = frozenset(units(clause))
    like = max(pieces, key=lambda one: covered(wanted, pieces[one]), default=clause)
    return clause in pieces or poles(clause)[1] == poles(like)[1]

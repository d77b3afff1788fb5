"""Two texts that say one thing with two values: 奶奶 81 岁 and 奶奶 82 岁. Pure and linear."""

import re
from functools import lru_cache
from itertools import takewhile

from ..late import Late
from .gist import HAN, WORD, plain, units
from .slots import alike, behind, counted, single, timed

LONGEST = 160
"""Characters of a text that is compared; a longer one tells more than one thing."""
BACK = 4
"""Pieces before the difference that may belong to the value: the month of a day."""
BEHIND = 2
"""Pieces that may follow the value: its unit, 了. Whatever tells more speaks of the number."""

_PIECE = Late(rf"[{HAN}]|{WORD}|[^\s\w]")
_NOW = Late(r"现在|目前|如今|\b(?:now(?:adays)?|currently|these days|from now on)\b")
EVENT = Late(r"[了过]|\b(?:bought|paid|had|went|ate|ran|spent|met|sold|[a-z]{2,}ed)\b")
"""What happened may happen again: two payments do not contradict each other."""
_FROM_NOW = Late(r"如今|\b(?:nowadays|these days|from now on)\b")
"""Words by which what was before is over; now may add to it."""
NAME = 3
"""Words of a name."""
_MORE = Late(r"\b(?:for|on|at|in|with|by|to|from|when|and|or|of)\b|[,，]")
_PLACED = Late(r"(?:platform|gate|terminal|track|room|table|lane|row|bay|pier) [a-z]?\d{1,4}[a-z]?")
_YEAR = Late(r"(?:1[89]|20)\d\d年?")
_HOUR = Late(r"(?:[01]?\d|2[0-4])")
_BY = Late(r"(?:\b(?:with|on|by|via|using|uses?|in|at)|[用在坐])$")


def rivals(text: str, other: str) -> bool:
    """Tell whether two texts differ in their value alone, and it has one value at a time."""
    if max(len(text), len(other)) > LONGEST:
        return False
    (one, pieces, now), (two, others, then) = _framed(text), _framed(other)
    pairs = zip(pieces, others, strict=False)
    same = len(list(takewhile(lambda pair: pair[0][0] == pair[1][0], pairs)))
    if not 0 < same < min(len(pieces), len(others)):
        return False
    if now != then and _BY.search(one[: pieces[same][1]].rstrip()):
        return len(pieces) == len(others) and EVENT.search(one) is None
    starts = range(max(1, same - BACK), same + 1)
    return any(_valued(one, two, pieces[n][1], others[n][1]) for n in starts)


def gives_way(old: str, new: str) -> bool:
    """Tell whether a text says of now what an older one says with another value: we ship with UPS.

    The value stands last, after its preposition, and is a mere name.
    """
    if max(len(old), len(new)) > LONGEST:
        return False
    (one, pieces, then), (two, others, by_now) = _framed(old), _framed(new)
    pairs = zip(pieces, others, strict=False)
    same = len(list(takewhile(lambda pair: pair[0][0] == pair[1][0], pairs)))
    if by_now and not then and 0 < same < min(len(pieces), len(others)):
        starts = range(max(1, same - BACK), same + 1)
        if any(_valued(one, two, pieces[n][1], others[n][1]) for n in starts):
            return True
    now = _FROM_NOW.search(plain(new)) is not None
    if then or not now or not 1 < same < min(len(pieces), len(others)) or EVENT.search(one):
        return False
    values = one[pieces[same][1] :], two[others[same][1] :]
    named = all(len(_PIECE.findall(v)) <= NAME and not _MORE.search(v) for v in values)
    return named and _BY.search(one[: pieces[same][1]].rstrip()) is not None


@lru_cache(1024)
def _framed(text: str) -> tuple[str, list[tuple[str, int]], bool]:
    """Return a text without the word now, its pieces with their places, and if it had the word."""
    said = plain(text)
    bare = _NOW.sub("", said)
    return bare, [(piece[0], piece.start()) for piece in _PIECE.finditer(bare)], bare != said


def _valued(one: str, other: str, start: int, its: int) -> bool:
    """Whether from here on both texts are values of one kind, of what stands before."""
    before, value, another = one[:start].rstrip(" 是为:在"), one[start:], other[its:]
    if value == another or EVENT.search(before) or not alike(value, another):
        return False
    if not any(len(unit) > 1 for unit in units(before)):
        return False
    if units(behind(value)) != units(behind(another)):
        return False  # on Monday the piano, on Friday the choir
    at = one[:start].rstrip().endswith(("在", "住"))
    told = at or single(before) or timed(value) or counted(value)
    told = (
        told
        or all(_PLACED.fullmatch(v) for v in (value, another))
        or _hours(before, value, another)
        or all(_YEAR.fullmatch(v) for v in (value, another))
    )
    return told and _short(value) and _short(another)


def _hours(before: str, *values: str) -> bool:
    """Whether two bare numbers are hours: it opens at 8."""
    return before.endswith(" at") and all(_HOUR.fullmatch(value) for value in values)


def _short(value: str) -> bool:
    behind = re.sub(r"^\D{0,4}[\d.,:/-]*\d|^\D{1,4}", "", value)
    return len(_PIECE.findall(behind)) <= BEHIND

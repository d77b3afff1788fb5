"""Which documents hold something of a question that means something: a word, or its time."""

from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING

from ...late import Late
from ...statements.chatter import idle
from ..dates import parted
from ..segment import RUN
from ..weights import is_function_word
from . import Query
from .columns import View
from .fields import fields_of
from .scoring import LETTER
from .search import QUERY
from .traits import TOLD

if TYPE_CHECKING:
    from .columns import Ints
    from .ranked import FieldIndex

SHORT = 2
"""Characters of a question up to which each of them is what it asks for."""
_KINDS = "dxmwy"
"""Kinds of date tokens, the finest first."""
_ASKING = Late(
    "什么时候|什么|多少钱?|多[久大长远高重]|几[个点号岁年月天位次家种条]|哪[里个天些儿位年月家种次]?"
    "|怎么样?|如何|是否|有没有|谁"
)
_LIGHT = frozenset(
    "年月日号天周季时点分秒岁个只条件张次位名家第页种项辆台份级些话事做干讲聊叫谈弄搞办"
)
"""Characters that count, or do, or call something without saying what."""


def named(index: "FieldIndex", query: Query) -> tuple[tuple[str, ...], set[str]]:
    """Return the date tokens and the keys of what a question and its context name."""
    dates, rest = parted(query.text[:QUERY], query.now)
    whole = sum(len(run[0]) for run in RUN.finditer(query.text[:QUERY])) <= SHORT
    keys = set(_keys(index, rest, whole=whole))
    for text in (text for text in query.context if not idle(text)):
        keys.update(_keys(index, text[:QUERY]))
    return dates, keys


def meeting(index: "FieldIndex", query: Query, numbers: Collection[int]) -> set[int]:
    """Return those of the documents; all of them for a question that names nothing."""
    import numpy as np

    dates, keys = named(index, query)
    if not (keys or dates):
        return set(numbers)
    wanted = np.array(sorted(numbers), dtype=np.int64)
    owner = View(index.columns).owner
    held = index.postings.of(list(keys)).values()
    found = {n for windows, _ in held for n in np.intersect1d(owner[windows], wanted).tolist()}
    return found | _dated(index, dates, wanted) if dates else found


def _keys(index: "FieldIndex", text: str, *, whole: bool = False) -> Iterator[str]:
    """Yield the keys of what is asked for, or of the whole text, whatever it is."""
    fields = fields_of(text if whole else _ASKING.sub(" ", text), index.cut)
    found = [
        (name, token)
        for name in index.names
        for token in fields.of(name)
        if whole or _tells(name, token)
    ]
    yield from (LETTER[name] + token for name, token in found)
    words = [token for name, token in found if name == "words"]
    if all(len(token) == 1 or _core(token) for token in words):
        # 虾 may be a part of what the dictionary holds for a word: 对虾.
        yield from (LETTER["characters"] + (_core(token) or token) for token in words)


def _tells(name: str, token: str) -> bool:
    """Whether a token of a question says what it is about."""
    if name == "words":
        return len(token) > 2 or (not token.isascii() and token not in _LIGHT) or _of_two(token)
    if name == "pairs":
        return not any(one in _LIGHT or is_function_word(one) for one in token)
    return name == "phrases"


def _core(token: str) -> str:
    """Return what is left of a chance cut of two characters, of which one says nothing: 要炖."""
    left = [one for one in token if not is_function_word(one) and one not in _LIGHT]
    return left[0] if len(token) == 2 and not token.isascii() and len(left) == 1 else ""


def _of_two(token: str) -> bool:
    """Whether two letters are a word: a number of two digits counts too many things."""
    return len(token) == 2 and not token.isdecimal()


def _dated(index: "FieldIndex", tokens: Collection[str], wanted: "Ints") -> set[int]:
    """Return the documents said at the time that is asked for, and those that speak of it."""
    kind = min((token[1] for token in tokens), key=_KINDS.index)
    finest = [token for token in tokens if token[1] == kind]
    years = [token for token in tokens if token[1] == "y"]
    said = _holding(index, finest, wanted)
    spoken = said if kind == "d" else _holding(index, [TOLD + one for one in finest], wanted)
    if years and kind != "y":
        then = _holding(index, years, wanted)
        said &= then
        spoken &= then | _holding(index, [TOLD + one for one in years], wanted)
    return said | spoken


def _holding(index: "FieldIndex", keys: list[str], wanted: "Ints") -> set[int]:
    import numpy as np

    found = index.postings.of(keys).values()
    return {n for numbers, _ in found for n in np.intersect1d(numbers, wanted).tolist()}

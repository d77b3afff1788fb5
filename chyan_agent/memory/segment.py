"""Runs of text, and the words that they are made of: of a dictionary where jieba is there."""

import logging
import re
from collections.abc import Callable, Iterator
from functools import cache
from typing import Literal

from ..late import Late
from ..statements.stems import stem

Cut = Callable[[str], list[str]]
"""A run of Chinese to words, and what they are made of."""

_DENSE = (
    r"\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff"
    r"\uac00-\ud7af\uf900-\ufaff\U00020000-\U000323af"
)
"""Scripts written without spaces."""
RUN = Late(
    rf"(?P<dense>[{_DENSE}]+)"
    rf"|[^\W{_DENSE}]+(?:[-./@:\\+#~]{{1,3}}[^\W{_DENSE}]+)*(?:\+\+|#)?"
)
_PART = Late(r"[^\W\d_]+|\d+")
_JOINTS = Late(r"[:/@\\#]+")
_HASH = Late(r"(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{8,128}")
SHORT_HASH = 7
LONGEST_WORD = 100
"""Characters; a longer run (base64, an endless URL) is indexed by its beginning and its parts."""
LONGEST_PARTS = 1000
LONGEST_RUN = 200
"""Characters of Chinese without a mark that are cut at once: jieba's time grows with the square."""

_log = logging.getLogger(__name__)


def spellings(word: str) -> list[str]:
    """Return a word's stem, or an identifier whole and its parts of two characters or more.

    Of a hash also the beginning by which people call it.
    """
    if word.isalpha():
        return [stem(word[:LONGEST_WORD])]
    parts = _PART.findall(word[:LONGEST_PARTS])
    kept = (part for part in parts if 1 < len(part) < min(len(word), LONGEST_WORD))
    short = (word[:SHORT_HASH],) if _HASH.fullmatch(word) else ()
    return [word[:LONGEST_WORD], *(stem(part) for part in kept), *_inner(word), *short]


def _inner(word: str) -> Iterator[str]:
    """Yield what a longer identifier is made of and its parts don't tell: 10.1.2.3 of its port."""
    pieces = _JOINTS.split(word[:LONGEST_PARTS])
    for piece in pieces if len(pieces) > 1 else ():
        sizes = [len(part) for part in _PART.findall(piece)]
        if len(sizes) > 1 and min(sizes) == 1 and len(piece) <= LONGEST_WORD:
            yield piece


def words_of(run: str) -> list[str]:
    """Return the dictionary words of a run of Chinese, long ones also by their parts."""
    cut = _cut_of_jieba("search")
    return cut(run) if cut else []


def plain_words(text: str, name: str) -> list[str]:
    """Return the plain cut of a text as it is, marks and spaces too; the recipe of old."""
    cut = _cut_of_jieba("plain") if name == "jieba" else None
    if cut is not None:
        return cut(text)
    return [token for run in RUN.finditer(text) for token in _plain_tokens(run)]


def _plain_tokens(run: "re.Match[str]") -> list[str]:
    dense = run[0] if run["dense"] and len(run[0]) > 1 else ""
    return [*pairs(dense), *dense] if dense else [run[0]]


def pairs(run: str) -> list[str]:
    """Return the characters of a run two by two."""
    return [run[i : i + 2] for i in range(len(run) - 1)]


@cache
def _cut_of_jieba(kind: Literal["plain", "search"]) -> Cut | None:
    """Load jieba once; without it there are no words, which the log says."""
    from . import jieba_dictionary

    try:
        load = {
            "plain": jieba_dictionary.load_plain_cut,
            "search": jieba_dictionary.load_search_cut,
        }
        return load[kind]()
    except ImportError:
        _log.warning("jieba can't be imported: memory uses the built-in segmentation")
        return None

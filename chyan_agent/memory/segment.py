"""Text to search tokens, in any script: dictionary words where jieba is there, pairs always."""

import logging
import re
import unicodedata
from collections.abc import Callable, Iterator
from functools import cache

from ..late import Late
from ..statements.stems import stem

Segmenter = Callable[[str], list[str]]
"""Text to tokens, for indexing and for questions alike. Never raises."""

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


def segmenter(name: str) -> Segmenter:
    """Return the segmenter `jieba` or `builtin`. Nothing is loaded before its first use."""
    return _segment_with_jieba if name == "jieba" else _segment_builtin


def _segment_with_jieba(text: str) -> list[str]:
    return _segment(text, _words_pairs_and_characters)


def _segment_builtin(text: str) -> list[str]:
    return _segment(text, _pairs_and_characters)


def _segment(text: str, cut: Segmenter) -> list[str]:
    tokens: list[str] = []
    for run in RUN.finditer(unicodedata.normalize("NFKC", text).casefold()):
        if run["dense"]:
            for start in range(0, len(run[0]), LONGEST_RUN):
                tokens += cut(run[0][start : start + LONGEST_RUN])
        else:
            tokens += spellings(run[0])
    return tokens


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
    return _words()(run)


def plain_words(text: str, name: str) -> list[str]:
    """Return the plain cut of a text as it is, marks and spaces too; the recipe of old."""
    cut = _plain() if name == "jieba" else None
    if cut is not None:
        return cut(text)
    return [token for run in RUN.finditer(text) for token in _plain_tokens(run)]


def _plain_tokens(run: "re.Match[str]") -> list[str]:
    return _pairs_and_characters(run[0]) if run["dense"] else [run[0]]


@cache
def _plain() -> Segmenter | None:
    """Load jieba once; without it there is no plain cut."""
    from .jieba_dictionary import load_plain_cut

    try:
        return load_plain_cut()
    except ImportError:
        _log.warning("jieba can't be imported: memory uses the built-in segmentation")
        return None


def _pairs_and_characters(run: str) -> list[str]:
    return [*_pairs(run), *run] if len(run) > 1 else [run]


def _pairs(run: str) -> list[str]:
    return [run[i : i + 2] for i in range(len(run) - 1)]


@cache
def _words() -> Segmenter:
    """Load jieba once; without it there are no words, which the log says once."""
    from .jieba_dictionary import load_search_cut

    try:
        return load_search_cut()
    except ImportError:
        _log.warning("jieba can't be imported: memory uses the built-in segmentation")
        return lambda _run: []


def _words_pairs_and_characters(run: str) -> list[str]:
    """Dictionary words, then the pairs and characters that are no word: each a token once."""
    words = _words()(run)
    known = set(words)
    return [*words, *(token for token in _pairs_and_characters(run) if token not in known)]

"""A text as the fields it is found by: words, pairs, characters, function words."""

import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass, field

from ..segment import LONGEST_RUN, RUN, spellings, words_of
from ..weights import is_function_word

Cut = Callable[[str], list[str]]
"""A run of Chinese to words, and what they are made of."""
_ROLE = re.compile("user|assistant|tool(?::.*)?")


@dataclass(slots=True)
class Fields:
    """The tokens of a text by field, in the order of the text."""

    words: list[str] = field(default_factory=list)
    pairs: list[str] = field(default_factory=list)
    characters: list[str] = field(default_factory=list)
    function: list[str] = field(default_factory=list)


def cutter(name: str) -> Cut:
    """Return the cut `jieba` or `builtin` for runs of Chinese. Nothing is loaded before its use."""
    return words_of if name == "jieba" else _no_words


def fields_of(text: str, cut: Cut) -> Fields:
    """Return the fields of a text."""
    found = Fields()
    for run in RUN.finditer(unicodedata.normalize("NFKC", text).casefold()):
        if run["dense"]:
            _dense(run[0], cut, found)
        else:
            _sort(spellings(run[0]), found)
    return found


def _dense(run: str, cut: Cut, found: Fields) -> None:
    pairs = [run[i : i + 2] for i in range(len(run) - 1)] or [run]
    starts = range(0, len(run), LONGEST_RUN)
    words = [word for start in starts for word in cut(run[start : start + LONGEST_RUN])]
    _sort(words or pairs, found)
    found.pairs += pairs if words else ()
    found.characters += run


def _sort(tokens: list[str], found: Fields) -> None:
    for token in tokens:
        (found.function if is_function_word(token) else found.words).append(token)


def _no_words(_run: str) -> list[str]:
    return []


def names_of(speaker: str) -> list[str]:
    """Return the words of a speaker's name; none for the roles of a chat."""
    folded = unicodedata.normalize("NFKC", speaker).casefold()
    if _ROLE.fullmatch(folded):
        return []
    return [token for run in RUN.finditer(folded) for token in spellings(run[0])[:1]]

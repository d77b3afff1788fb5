"""A text as the fields it is found by: words, pairs, characters, function words, phrases."""

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, field

from ...late import Late
from ...statements.hours import clocks
from ...statements.numerals import numbers, ordinals
from ...statements.scripts import simplified
from ..segment import LONGEST_RUN, RUN, Cut, pairs, spellings, words_of
from ..weights import is_function_word

TELLING = 3
"""Digits from which a number that is spelt out is a word too: 三百二十 is 320, but not 三 is 3."""
CLOCK = "@"
"""How the token of a time of the day begins: 下午三点半 and 15:30 are both @3:30."""
_ACCENTED = Late("[\u00e0-\u024f\u1e00-\u1eff]")
_LETTERS = {"ø": "o", "ł": "l", "æ": "ae", "œ": "oe", "đ": "d", "ð": "d", "þ": "th", "ı": "i"}
_UMLAUT = Late("[a-zß-ɏ]{0,40}[äöüåø][a-zß-ɏäöüåø]{0,40}")
_DIGRAPHS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "å": "aa", "ø": "oe"})
WINDOW = 48
"""Words of a window of a long text; the next one starts half a window later."""


@dataclass(slots=True)
class Fields:
    """The tokens of a text by field, in the order of the text."""

    words: list[str] = field(default_factory=list)
    pairs: list[str] = field(default_factory=list)
    characters: list[str] = field(default_factory=list)
    function: list[str] = field(default_factory=list)
    phrases: list[str] = field(default_factory=list)

    def of(self, name: str) -> list[str]:
        """Return a field by its name."""
        tokens: list[str] = getattr(self, name)
        return tokens


def cutter(name: str) -> Cut:
    """Return the cut `jieba` or `builtin` for runs of Chinese. Nothing is loaded before its use."""
    return words_of if name == "jieba" else _no_words


def fields_of(text: str, cut: Cut) -> Fields:
    """Return the fields of a text."""
    found, before = Fields(), ""
    accented = _composed(text)
    plain = simplified(_bare(accented))
    for run in RUN.finditer(plain):
        if run["dense"]:
            _dense(run[0], cut, found)
            before = ""
            continue
        spelt = spellings(run[0])
        _sort(spelt, found)
        if not is_function_word(spelt[0]):
            found.phrases += [f"{before} {spelt[0]}"] if before else ()
            before = spelt[0]
    found.words += [number for number in numbers(plain) if len(number) >= TELLING]
    found.words += ordinals(plain)
    found.words += [CLOCK + time for time in clocks(plain)]
    found.words += _spelt_out(accented)
    return found


def says_something(text: str) -> bool:
    """Tell whether there is anything in a text to search for."""
    return RUN.search(folded(text)) is not None


def folded(text: str) -> str:
    """Return a text in the form in which it is compared."""
    return _bare(_composed(text))


def _composed(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold()


def _bare(text: str) -> str:
    """Return a text without the accents of Latin letters: café is cafe."""
    return _ACCENTED.sub(lambda letter: _LETTERS.get(letter[0]) or _base(letter[0]), text)


def _base(letter: str) -> str:
    return unicodedata.normalize("NFD", letter)[0]


def _spelt_out(text: str) -> Iterator[str]:
    """Yield the words with an umlaut as they are written without one: Müller is Mueller."""
    for word in _UMLAUT.finditer(text) if _ACCENTED.search(text) else ():
        yield spellings(word[0].translate(_DIGRAPHS))[0]


def _dense(run: str, cut: Cut, found: Fields) -> None:
    of_two = pairs(run) or [run]
    starts = range(0, len(run), LONGEST_RUN)
    words = [word for start in starts for word in cut(run[start : start + LONGEST_RUN])]
    _sort(words or of_two, found)
    found.pairs += of_two if words else ()
    found.characters += run


def _sort(tokens: list[str], found: Fields) -> None:
    for token in tokens:
        (found.function if is_function_word(token) else found.words).append(token)


def _no_words(_run: str) -> list[str]:
    return []


def windows(
    fields: Fields, names: tuple[str, ...], *, cut: bool = True
) -> Iterator[list[list[str]]]:
    """Yield for each window the tokens of the fields: one for a short text, or without `cut`.

    Windows overlap by half. A field gives each its share: the fields go forward together.
    """
    size = len(fields.words)
    halves = round(2 * size / WINDOW)
    if not cut or size <= WINDOW * 3 // 2:
        yield [fields.of(name) for name in names]
        return
    for start in range(halves - 1):
        yield [_part(fields.of(name), start, halves) for name in names]


def _part(tokens: list[str], start: int, halves: int) -> list[str]:
    return tokens[len(tokens) * start // halves : len(tokens) * (start + 2) // halves]

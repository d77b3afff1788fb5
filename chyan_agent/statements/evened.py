"""Numbers, dates and times in one form, however they are written: 三万 is 3 万. Pure, linear."""

import re

from ..late import Late
from .hours import hours_evened
from .numerals import CARDINAL, ENGLISH, SCALED, UNITS, scaled, spoken, value_of

_MONTH_NAMES = """
jan feb mar apr may jun jul aug sep oct nov dec
"""
_ORDINAL_NAMES = """
third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth
"""
_MONTHS = _MONTH_NAMES.split()
_MONTH = rf"(?P<month>{'|'.join(_MONTHS)})(?:[a-z]{{1,6}})?\.?"
_DATES = (
    Late(rf"\b{_MONTH} (?P<day>\d{{1,2}})(?:st|nd|rd|th)?(?![\d:.])(?:,? (?P<year>\d{{4}}))?"),
    Late(
        rf"(?<![\d.:])(?P<day>\d{{1,2}})(?:st|nd|rd|th)? (?:of )?\b{_MONTH}(?![a-z])"
        r"(?:,? (?P<year>\d{4}))?"
    ),
)
_HAN = "[一二三四五六七八九十]{1,3}"
_DATE_ZH = Late(rf"(?P<month>\d{{1,2}}|{_HAN})\s?月\s?(?P<day>\d{{1,2}}|{_HAN})\s?[日号]")
_WEEKDAY = Late("(?:星期|礼拜)(?=[一二三四五六日天])")
_DOZEN = Late(rf"\b(?:(?P<half>half )?(?P<count>an?|{ENGLISH}|\d{{1,3}}) )?dozen\b")
_ORDINALS = {
    word: f"{number}{'rd' if number == 3 else 'th'}"
    for number, word in enumerate(_ORDINAL_NAMES.split(), start=3)
}
_ORDINAL = Late(rf"\b(?:{'|'.join(_ORDINALS)})\b")
_COUNT = Late(
    # Of a single digit only where it counts something; 千万别 and 百度 are words.
    rf"(?<!第)(?:[一二两三四五六七八九][十百千万亿零一二两三四五六七八九]{{1,11}}|十[一二三四五六七八九]?"
    rf"|[二两三四五六七八九](?=个?[{UNITS}]))"
)
_NEIGHBOURS = Late("[一二三四五六七八九]{2}")
"""三五天 and 二三十 are about so many."""
_PERCENT_ZH = Late(r"百分之\s?(?P<n>\d{1,3}(?:\.\d{1,2})?|[一二三四五六七八九十百]{1,4})(?![点.])")
_PERCENT = Late(r"(?<=\d) ?(?:percent|per cent)\b")
_MONEY = Late(r"(?<=[\d万千])\s?块钱?(?![一二三四五六七八九\d])|(?<=[\d万千])\s元")


def evened(text: str) -> str:
    """Return a folded text with its numbers, times and dates in one form; the rest as it is."""
    text = hours_evened(text)
    for pattern in _DATES:
        text = pattern.sub(_date, text)
    text = _ORDINAL.sub(lambda word: _ORDINALS[word[0]], _DOZEN.sub(_dozen, text))
    text = CARDINAL.sub(_cardinal, text)
    if not text.isascii():
        text = _WEEKDAY.sub("周", _DATE_ZH.sub(_date, text))
        text = _COUNT.sub(_count, _PERCENT_ZH.sub(_percent, text))
    return _MONEY.sub("元", SCALED.sub(scaled, _PERCENT.sub("%", text)))


def _date(found: re.Match[str]) -> str:
    """Write a date as 03-05, with its year where that is said."""
    said = found.groupdict()
    day = _number(said["day"])
    named = said["month"] in _MONTHS
    month = _MONTHS.index(said["month"]) + 1 if named else _number(said["month"])
    if not (0 < month < 13 and 0 < day < 32):
        return found[0]
    year = f"{said['year']}-" if said.get("year") else ""
    return f"{year}{month:02}-{day:02}"


def _dozen(found: re.Match[str]) -> str:
    count = found["count"] or "a"
    number = 1 if count in ("a", "an") else _number(count)
    return f"{6 * number if found['half'] else 12 * number}"


def _cardinal(words: re.Match[str]) -> str:
    number = spoken(words[0])
    return str(number) if number > 1 else words[0]


def _count(found: re.Match[str]) -> str:
    numeral = found[0]
    digits = all(one not in "十百千万亿" for one in numeral)
    if _NEIGHBOURS.search(numeral) and not (digits and len(numeral) > 3):
        return numeral
    value = value_of(numeral)
    return numeral if value is None else str(value)


def _percent(found: re.Match[str]) -> str:
    return f"{found['n'] if found['n'][0].isdecimal() else value_of(found['n'])}%"


def _number(numeral: str) -> int:
    if numeral.isdecimal():
        return int(numeral)
    return spoken(numeral) if numeral.isascii() else value_of(numeral) or 0

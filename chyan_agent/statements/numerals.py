"""Numbers as plain digits, however they are written: 三百二十, 1.5万, 1,200, twelve. Pure."""

import re
from collections.abc import Iterator
from decimal import Decimal, InvalidOperation

from ..late import Late

_DIGITS = {digit: value for value, digit in enumerate("零一二三四五六七八九")} | dict(
    zip("〇两壹贰叁肆伍陆柒捌玖", (0, 2, 1, 2, 3, 4, 5, 6, 7, 8, 9), strict=True)
)
_TENS = {"十": 10, "拾": 10, "百": 100, "佰": 100, "千": 1000, "仟": 1000}
_GROUPS = {"万": 10**4, "萬": 10**4, "亿": 10**8, "億": 10**8}
_NO_START = frozenset("百佰千仟万萬亿億零〇")
_HAN = "".join((*_DIGITS, *_TENS, *_GROUPS))
_CHINESE = Late(f"[{_HAN}]+")
_IS = Late(f"(?![万萬亿億])[{_HAN}]+")
SCALED = Late(r"(?<![\d.,])(\d{1,3}(?:,\d{3})+|\d{1,15})(\.\d{1,6})?\s?([万亿萬億kK])?(?![\d,]*\d)")
_ORDINAL = Late(rf"第\s?(?P<n>\d{{1,9}}|[{_HAN}]{{1,9}})\s?(?P<of>[\u4e00-\u9fff]?)")
UNITS = (
    "年月日号天周个岁人元块米斤分秒次名位层楼点度本条件页份台辆杯瓶只张家章节倍箱升克吨公里平折季期"
)
_SMALL = """
zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen
sixteen seventeen eighteen nineteen
"""
_ROUND = """
twenty thirty forty fifty sixty seventy eighty ninety
"""
_ENGLISH = {word: value for value, word in enumerate(_SMALL.split())}
_ENGLISH_TENS = {word: 10 * value for value, word in enumerate(_ROUND.split(), start=2)}
_SCALES = {"hundred": 100, "thousand": 1000, "million": 10**6}
_NAMED = "|".join((*_ENGLISH, *_ENGLISH_TENS, *_SCALES))
ENGLISH = (
    rf"(?:{'|'.join(_ENGLISH_TENS)})(?:[\s-](?:{'|'.join(_SMALL.split()[1:10])}))?"
    rf"|{'|'.join(sorted(_ENGLISH, key=len, reverse=True))}"
)
"""The English numerals below a hundred, as a pattern."""
CARDINAL = Late(rf"\b(?:{_NAMED})(?:[\s-]+(?:and\s+)?(?:{_NAMED}))*\b", re.IGNORECASE)
"""A number in English words."""
LONGEST = 24
"""Characters of one numeral; a longer run of such characters is no number."""


def value_of(numeral: str) -> int | None:
    """Return what a Chinese numeral stands for; None if it is none. 二〇二四 is read by digits."""
    if not _IS.fullmatch(numeral) or len(numeral) > LONGEST:
        return None
    if all(character in _DIGITS for character in numeral):
        return int("".join(str(_DIGITS[character]) for character in numeral))
    return _added_up(numeral)


def _added_up(numeral: str) -> int:
    total = group = digit = 0
    last = 1
    for character in numeral:
        if character in _DIGITS:
            digit = _DIGITS[character]
            last = last if digit else 1  # 一百五 ends in tens, 一百零五 in ones
        elif character in _TENS:
            last = _TENS[character]
            group += (digit or 1) * last
            digit = 0
        else:
            last = _GROUPS[character]  # 三万二 ends in thousands
            total += (group + digit) * last
            group = digit = 0
    return total + group + digit * (last // 10 if last >= 100 else 1)


def numbers(text: str) -> tuple[str, ...]:
    """Return the numbers that a text writes other than in plain digits, as plain digits."""
    found = (*_chinese(text), *_grouped(text), *_english(text))
    return tuple(dict.fromkeys(found))


def ordinals(text: str) -> tuple[str, ...]:
    """Return what a text counts by 第, in plain digits: 第三章 and 第3章 are one."""
    found = ((match, number_of(match["n"])) for match in _ORDINAL.finditer(text))
    return tuple(f"第{number}{match['of']}" for match, number in found if number is not None)


def number_of(numeral: str) -> int | None:
    """Return what figures or a Chinese numeral stand for; None if it is neither."""
    return int(numeral) if numeral.isdecimal() else value_of(numeral)


def _chinese(text: str) -> Iterator[str]:
    """Numerals that count something: with a unit of ten or more, or before a measure word."""
    for match in _CHINESE.finditer(text):
        numeral = match[0]
        counts = text[match.end() : match.end() + 1] in UNITS and match.end() < len(text)
        ordinal = text[match.start() - 1 : match.start()] == "第"
        told = len(numeral) > 1 and numeral[0] not in _NO_START  # 千万别, 万一
        in_tens = told and any(one in _TENS or one in _GROUPS for one in numeral)
        value = value_of(numeral) if counts or ordinal or in_tens else None
        if value is not None:
            yield str(value)


def _grouped(text: str) -> Iterator[str]:
    for match in SCALED.finditer(text):
        value = scaled(match)
        if value != match[0]:
            yield value


def scaled(match: re.Match[str]) -> str:
    """Return a number that is grouped or scaled in plain digits, any other as it is."""
    whole, fraction, scale = match[1], match[2] or "", (match[3] or "").lower()
    if not scale and "," not in whole:
        return match[0]
    factor = {"": 1, "k": 1000}.get(scale) or _GROUPS[scale]
    try:
        value = Decimal(whole.replace(",", "") + fraction) * factor
    except InvalidOperation:
        return match[0]
    return f"{value.normalize():f}"


def _english(text: str) -> Iterator[str]:
    for match in CARDINAL.finditer(text):
        value = spoken(match[0].casefold())
        if value > 2:  # one and two are words like any other
            yield str(value)


def spoken(numeral: str) -> int:
    """Return what an English numeral in lower case stands for; 0 if it is none."""
    total = group = 0
    for word in re.split(r"[\s-]+", numeral):
        if word == "hundred":
            group = (group or 1) * 100
        elif word in _SCALES:
            total, group = total + (group or 1) * _SCALES[word], 0
        else:
            group += _ENGLISH.get(word, 0) + _ENGLISH_TENS.get(word, 0)
    return total + group

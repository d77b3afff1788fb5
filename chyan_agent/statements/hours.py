"""Times of the day in one form: 下午三点半, 3:30 pm, half past three. Pure, linear."""

import re
from collections.abc import Callable, Iterator

from ..late import Late
from .numerals import spoken, value_of

_N = "(?:[0-2]?[0-9]|[一二三四五六七八九十两]{1,3})"
_PART = "凌晨|清晨|早[上晨]?|[上中下]午|傍晚|[今明昨后当每]晚|晚[上间]?|夜[里间]"
_LATE = Late("下午|傍晚|晚|夜")
_COUNTED = "[建意要原理内]|公?里|公?斤|米|[元块倍折%％]"
_IN_CHINESE = Late(
    rf"(?:(?P<part>{_PART})\s?)?(?<![0-9.:])(?P<hour>{_N})\s?(?:"
    rf"点(?!{_COUNTED})(?P<rest>半|[一三]刻钟?|[0-5]?[0-9](?![0-9.])分?|[零一二三四五六七八九十]{{1,3}}分?|钟|整)?"
    rf"(?!{_COUNTED})|:(?P<digits>[0-5][0-9])(?![0-9:]))"
)
_SMALL = "one two three four five six seven eight nine ten eleven twelve"
_MERIDIEM = Late(
    r"(?<![0-9.:])(?P<hour>[01]?[0-9])(?:[:.](?P<digits>[0-5][0-9]))?\s?(?P<part>[ap])\.?\s?m\b\.?"
)
_PAST = Late(
    r"\b(?P<count>half|(?:a )?quarter|(?:five|ten|twenty(?:[ -]five)?|[0-9]{1,2})(?: minutes)?)"
    rf" (?P<way>past|to) (?P<hour>{_SMALL.replace(' ', '|')}|[0-9]{{1,2}})\b(?![:.][0-9]|[,0-9])"
    r"(?:\s?(?P<part>[ap])\.?\s?m\b\.?)?"
)
_SAID = Late("刻|半|钟|整")

Time = tuple[int, int]


def hours_evened(text: str) -> str:
    """Return a folded text with its times of the day as 15:30, where they are told for sure."""
    for pattern, reading in _FORMS:
        text = pattern.sub(_written(reading), text)
    return text


def clocks(text: str) -> Iterator[str]:
    """Yield the times of the day that a folded text names, by a clock of twelve hours: 3:30."""
    for pattern, reading in _FORMS:
        for found in pattern.finditer(text):
            time = reading(found)
            if time and _sure(found):
                yield f"{time[0] % 12}:{time[1]:02}"


def _sure(found: re.Match[str]) -> bool:
    """Whether it is a time for sure: 三点 alone may be three points."""
    told = found.groupdict()
    if "rest" not in told:
        return True
    return bool(told["part"] or told["digits"] or _SAID.search(told["rest"] or ""))


def _written(reading: Callable[[re.Match[str]], Time | None]) -> Callable[[re.Match[str]], str]:
    def write(found: re.Match[str]) -> str:
        time = reading(found)
        if time is None:
            return found[0]
        part = found["part"] or ""
        kept = part if len(part) > 1 and part not in ("下午", "晚上") else ""
        return f"{kept}{time[0]}:{time[1]:02}"

    return write


def _in_chinese(found: re.Match[str]) -> Time | None:
    rest, part = found["rest"] or "", found["part"] or ""
    minute = _minute(rest) if found["digits"] is None else int(found["digits"])
    if found["hour"] == "一" and not (rest or part):
        return None  # 一点小事
    return _checked(_number(found["hour"]), minute, late=_LATE.search(part) is not None)


def _minute(rest: str) -> int | None:
    if rest[:1] in ("", "钟", "整"):
        return 0
    if rest == "半":
        return 30
    return 15 * (_number(rest[0]) or 0) if "刻" in rest else _number(rest.removesuffix("分"))


def _meridiem(found: re.Match[str]) -> Time | None:
    hour, minute = int(found["hour"]), int(found["digits"] or 0)
    return _checked(hour % 12 if hour == 12 else hour, minute, late=found["part"] == "p")


def _past(found: re.Match[str]) -> Time | None:
    count, hour = found["count"].removesuffix(" minutes"), _number(found["hour"])
    quarters = {"half": 30, "quarter": 15, "a quarter": 15}
    minute = quarters.get(count) or _number(count)
    range_of_two = count not in quarters and (count.isdecimal() or not found["part"])
    if hour is None or minute is None or not 0 < minute < 60:
        return None
    if found["way"] == "to":
        if range_of_two:
            return None  # ten to twelve people
        hour, minute = (hour - 1 or 12), 60 - minute
    return _checked(hour, minute, late=found["part"] == "p")


def _checked(hour: int | None, minute: int | None, *, late: bool) -> Time | None:
    if hour is None or minute is None or hour > 24 or minute > 59:
        return None
    return (hour + 12 if late and hour < 12 else hour), minute


def _number(numeral: str) -> int | None:
    if numeral.isdecimal():
        return int(numeral)
    return spoken(numeral) if numeral.isascii() else value_of(numeral)


_FORMS = ((_MERIDIEM, _meridiem), (_PAST, _past), (_IN_CHINESE, _in_chinese))

"""Questions about calendar dates."""

import re
from datetime import date, timedelta

from ...prompts.offline import OfflineTexts
from .terms import stated
from .values import Value

ISO = re.compile(r"(\d{4})\s*[-/.年]\s*(\d{1,2})\s*[-/.月]\s*(\d{1,2})\s*[日号]?")
COUNTED = {word: number for number, word in enumerate("零一二三四五六七八九十")} | {
    "两": 2,
    "a": 1,
    "one": 1,
}
AMOUNT = re.compile(
    r"(\d+|[一二两三四五六七八九十]|\ba|\bone)\s*个?\s*(天|日|周|星期|days?|weeks?)", re.IGNORECASE
)
BEFORE = re.compile(
    r"之前|以前|前(?!\w)|往前|减|\bbefore\b|\bearlier\b|\bago\b|\bprior\b", re.IGNORECASE
)
SPAN = re.compile(
    r"多少天|几天|相差|相隔|间隔|天数|\bdays\b|\bhow long\b|\bbetween\b", re.IGNORECASE
)
WEEKDAY = re.compile(
    r"星期几|周几|礼拜几|\bweekday\b|\bday of the week\b|\bwhat day\b", re.IGNORECASE
)
LEAP = re.compile(r"闰年|\bleap\b", re.IGNORECASE)
YEAR = re.compile(r"(?<!\d)(\d{4})(?!\d)")


def calendar(text: str, texts: OfflineTexts) -> Value | None:
    """Answer about a date: shifted, distance, weekday, leap year."""
    if LEAP.search(text) and (year := YEAR.search(text)):
        return _leap(int(year[1]), texts)
    dates = _dates(text)
    rest = ISO.sub(" ", text)
    if len(dates) == 1 and (amount := AMOUNT.search(rest)):
        count = COUNTED.get(amount[1].lower()) or int(amount[1])
        days = count * (7 if re.match(r"周|星期|week", amount[2].lower()) else 1)
        return _shifted(dates[0], -days if BEFORE.search(rest) else days, texts)
    if len(dates) >= 2 and SPAN.search(rest):
        return stated("result", str(abs((dates[1] - dates[0]).days)), texts)
    if dates and WEEKDAY.search(rest):
        return stated("result", texts.weekdays[dates[0].weekday()], texts)
    return None


def _dates(text: str) -> list[date]:
    found = []
    for year, month, day in ISO.findall(text):
        try:
            found.append(date(int(year), int(month), int(day)))
        except ValueError:
            continue
    return found


def _shifted(start: date, days: int, texts: OfflineTexts) -> Value | None:
    try:
        return stated("result", (start + timedelta(days=days)).isoformat(), texts)
    except OverflowError:
        return None


def _leap(year: int, texts: OfflineTexts) -> Value:
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    sentence = (texts.leap if leap else texts.not_leap).format(value=year)
    return Value(sentence, sentence)

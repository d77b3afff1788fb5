"""Days that a text counts from now: 昨天, 上周三, last week, two months ago. Pure."""

import re
from collections.abc import Callable
from datetime import date

from .days import Match, Patterns, Span, day, month, month_from, months, stretch

_DAYS = {"大前": -3, "前": -2, "昨": -1, "今": 0, "明": 1, "后": 2, "大后": 3}
_WEEKS = {"上上": -2, "上": -1, "这": 0, "本": 0, "下": 1, "下下": 2}
WEEKDAYS = {character: number for number, character in enumerate("一二三四五六日")} | {"天": 6}
_NAMES = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
WEEKDAYS |= {name: number for number, name in enumerate(_NAMES)}
_WEEKDAY = "|".join(_NAMES)
_NUMBERS = "one two three four five six seven eight nine ten"
_COUNTS = {word: number for number, word in enumerate(_NUMBERS.split(), start=1)} | {
    "an": 1,
    "couple": 2,
    "few": None,
    "several": None,
}
_COUNT = (
    r"(?:(?P<n>\d{1,3})|(?P<w>(?:a )?couple(?: of)?|(?:a )?few|several|an?"
    rf"|{_NUMBERS.replace(' ', '|')}))"
)
_UNIT = r"(?P<u>day|week|month|year)s?"
_UNITS = {"天": "day", "日": "day", "周": "week", "星期": "week", "礼拜": "week", "月": "month"} | {
    "年": "year"
}
_LENGTHS = {"day": 1, "week": 7, "month": 30, "year": 365}
_STEPS = {"last": -1, "past": -1, "previous": -1, "this": 0, "next": 1, "coming": 1}


def _named_day(match: Match, now: date) -> Span | None:
    steps = _DAYS[match["r"]]
    return stretch(now, steps, steps)


def _english_day(match: Match, now: date) -> Span | None:
    steps = {"yesterday": -1, "today": 0, "tonight": 0, "tomorrow": 1}.get(match[0])
    if steps is None:
        steps = -2 if "before" in match[0] else 2 if "after" in match[0] else -1
        steps = 0 if match[0].startswith("this") else steps
    return stretch(now, steps, steps)


def _week(now: date, steps: int, weekday: int | None = None) -> Span | None:
    """Return a week from Monday to Sunday so many weeks away, or one day of it."""
    monday = 7 * steps - now.weekday()
    if weekday is None:
        return stretch(now, monday, monday + 6)
    return stretch(now, monday + weekday, monday + weekday)


def _weekend(now: date, steps: int) -> Span | None:
    saturday = 7 * steps - now.weekday() + 5
    return stretch(now, saturday, saturday + 1)


def _chinese_week(match: Match, now: date) -> Span | None:
    steps, named = _WEEKS[match["r"]], match["d"]
    if named in {"末", "周末"}:
        return _weekend(now, steps)
    return _week(now, steps, WEEKDAYS[named] if named else None)


def _english_week(match: Match, now: date) -> Span | None:
    steps, named = _STEPS[match["r"]], match["u"]
    if named == "weekend":
        return _weekend(now, steps if steps >= 0 or now.weekday() < 5 else steps)
    if named in WEEKDAYS:
        return _day_named(now, steps, WEEKDAYS[named])
    return _unit(now, steps, named)


def _day_named(now: date, steps: int, weekday: int) -> Span | None:
    """Return the nearest such day before or after, or that of this week."""
    away = weekday - now.weekday()
    if steps < 0:
        away -= 7 if away >= 0 else 0
    elif steps > 0:
        away += 7 if away <= 0 else 0
    return stretch(now, away, away)


def _unit(now: date, steps: int, unit: str) -> Span | None:
    """Return the whole week, month, quarter or year so many steps away."""
    if unit == "week":
        return _week(now, steps)
    if unit == "month":
        return month(*month_from(now, steps))
    if unit == "quarter":
        year, first = month_from(now, 3 * steps - (now.month - 1) % 3)
        return months(year, first, first + 2)
    return months(now.year + steps, 1, 12)


def _count(match: Match) -> float | None:
    """Return how many units a match counts: a half is 0.5, a few are None."""
    groups = match.groupdict()
    if groups.get("n"):
        return int(groups["n"])
    if groups.get("h"):
        return 0.5 if groups["h"] == "半" else None
    words = [word for word in (groups.get("w") or "one").split() if word not in {"a", "of"}]
    return _COUNTS[words[0]] if words else 1


def _unit_of(match: Match) -> str:
    return _UNITS.get(match["u"], match["u"])


def _ago(match: Match, now: date) -> Span | None:
    """A day is meant exactly; a week, month or year more or less so."""
    count, unit = _count(match), _unit_of(match)
    if count is None:
        return stretch(now, -7 * _LENGTHS[unit], -2 * _LENGTHS[unit])
    if unit == "day" and count >= 1:
        return stretch(now, -int(count), -int(count))
    if unit == "week" or count < 1:
        middle = -int(count * _LENGTHS[unit])
        return stretch(now, middle - 2, middle + 2)
    return _unit(now, -int(count), unit)


def _recent(match: Match, now: date) -> Span | None:
    count, unit = _count(match), _unit_of(match)
    few = 7 if unit == "day" else 4
    return stretch(now, -int((few if count is None else count) * _LENGTHS[unit]), 0)


def _of_month(match: Match, now: date) -> Span | None:
    """A day that names no month is the last such day."""
    number = int(match["d"])
    for steps in (0, -1, -2):
        year, name = month_from(now, steps)
        found = day(year, name, number)
        if found and found.first <= now:
            return found
    return None


def _edge(match: Match, now: date) -> Span | None:
    return month(now.year, now.month, 1 if match[0].endswith("初") else 3)


_NUMBERED = (
    "[楼线院馆门桌房机店位球车仓库柜厅舱井矿厂站桥舰箭炉柱栋座坑泵]"
    "|会议室|教室|服务器|节点|选手|方案|窗口|种子|嘉宾|工位"
)
"""What has a number with 号 that is no day."""

_SOURCES: tuple[tuple[str, Callable[[Match, date], Span | None]], ...] = (
    (r"(?P<r>大前|前|昨|今|明|大后|后)(?:[天日晚早夜](?![前后线])|儿个?)", _named_day),
    (
        r"(?P<r>上上|下下|[上这本下])个?(?:周|星期|礼拜)(?P<d>末|周末|[一二三四五六日天])?(?!年|岁)",
        _chinese_week,
    ),
    (r"(?<!\d)(?:(?P<n>\d{1,3})|(?P<h>[几半]))个?(?P<u>[天日周年]|星期|礼拜|月)(?:之|以)?前", _ago),
    (
        r"(?:最近|近|过去|前(?!1个?[天日周年月]|半))的?(?:(?P<n>\d{1,3})|(?P<h>[几半]))"
        r"个?(?P<u>[天日周年]|星期|礼拜|月)",
        _recent,
    ),
    (rf"(?<![\d第月年:.])(?P<d>\d{{1,2}})[日号](?!{_NUMBERED})", _of_month),
    (r"\bthe (?P<d>\d{1,2})(?:st|nd|rd|th)\b(?! (?:century|time|floor|grade|birthday))", _of_month),
    (r"(?<![个\d])月[初底末]", _edge),
    (
        r"\bthe day before yesterday\b|\bthe day after tomorrow\b|\byesterday\b|\btoday\b"
        r"|\btonight\b|\btomorrow\b|\blast (?:night|evening)\b"
        r"|\bthis (?:morning|afternoon|evening)\b",
        _english_day,
    ),
    (
        r"\b(?P<r>last|past|previous|this|next|coming)\s+"
        rf"(?P<u>weekend|week|month|quarter|year|{_WEEKDAY})\b",
        _english_week,
    ),
    (rf"\b{_COUNT}\s+{_UNIT}\s+(?:ago|earlier|back)\b", _ago),
    (rf"\b(?:in|over|during|within|for)?\s?the (?:last|past)\s+(?:{_COUNT}\s+)?{_UNIT}\b", _recent),
)
PATTERNS: Patterns[date] = tuple((re.compile(source), reading) for source, reading in _SOURCES)

WEEKDAY = re.compile(rf"(?:周|星期|礼拜)(?P<z>[一二三四五六日天])|\b(?P<e>{_WEEKDAY})s?\b")
"""A weekday of no week in particular."""

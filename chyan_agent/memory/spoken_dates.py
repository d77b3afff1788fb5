"""Days that a text counts from now: 昨天, 上周三, last week, two months ago. Pure."""

from collections.abc import Callable
from datetime import date

from ..late import Late
from ..statements import numerals
from .days import (
    HALVES,
    OF_YEAR,
    PARTS,
    Match,
    Patterns,
    Span,
    day,
    month,
    month_from,
    months,
    stretch,
    week_of,
)

_DAYS = {"大前": -3, "前": -2, "昨": -1, "今": 0, "明": 1, "后": 2, "大后": 3}
_DAYS_EN = {"the night before last": -2, "the day before yesterday": -2, "yesterday": -1}
_DAYS_EN |= {"last night": -1, "last evening": -1, "the day after tomorrow": 2, "tomorrow": 1}
_DAYS_EN |= {"today": 0, "tonight": 0}
_DAYS_EN |= {"this morning": 0, "this afternoon": 0, "this evening": 0}
_DAYS |= _DAYS_EN
_WEEKS = {"上上": -2, "上": -1, "这": 0, "本": 0, "下": 1, "下下": 2}
WEEKDAYS = {character: number for number, character in enumerate("一二三四五六日")} | {"天": 6}
_NAMES = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
WEEKDAYS |= {name: number for number, name in enumerate(_NAMES)}
_SHORT = {name[:3]: number for number, name in enumerate(_NAMES)}
_SHORT |= {"tues": 1, "weds": 2, "thur": 3, "thurs": 3}
WEEKDAYS |= _SHORT
_WEEKDAY = "|".join(_NAMES)
_ANY_WEEKDAY = "|".join((*_NAMES, *sorted(_SHORT, key=len, reverse=True)))
_VAGUE = frozenset({"few", "several"})
_COUNT = (
    r"(?:(?P<n>\d{1,3})|(?P<w>(?:a )?couple(?: of)?|(?:a )?few|several|half an?|an?"
    rf"|{numerals.ENGLISH}))(?P<half> and a half)?"
)
_UNIT = r"(?P<u>day|week|fortnight|month|year)s?(?P<half2> and a half)?"
_HAN_UNIT = "(?P<u>[天日周年]|星期|礼拜|月)"
_UNITS = {"天": "day", "日": "day", "周": "week", "星期": "week", "礼拜": "week"}
_UNITS |= {"月": "month", "年": "year"}
_LENGTHS = {"day": 1, "week": 7, "fortnight": 14, "month": 30, "year": 365}
_STEPS = _WEEKS | {"last": -1, "past": -1, "previous": -1, "this": 0, "next": 1, "coming": 1}


def _named_day(match: Match, now: date) -> Span | None:
    steps = _DAYS[match["r"]]
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


def _day_of_week(match: Match, now: date) -> Span | None:
    return _week(now, _STEPS[match["r"]], WEEKDAYS[match["d"]])


def _quarter(match: Match, now: date) -> Span | None:
    return _unit(now, _STEPS[match["r"]], "quarter")


def _count(match: Match) -> float | None:
    """Return how many units a match counts: a half is 0.5, a few are None."""
    groups = match.groupdict()
    half = 0.5 if groups.get("half") or groups.get("half2") else 0
    if groups.get("n"):
        return int(groups["n"]) + half
    if groups.get("h"):
        return 0.5 if groups["h"] == "半" else None
    word = (groups.get("w") or "one").removeprefix("a ")
    if word in _VAGUE:
        return None
    if word.startswith("half"):
        return 0.5
    return (2 if word.startswith("couple") else numerals.spoken(word) or 1) + half


def _unit_of(match: Match) -> str:
    return _UNITS.get(match["u"], match["u"])


def _ago(match: Match, now: date) -> Span | None:
    """A day is meant exactly; a week, month or year more or less so."""
    count, unit = _count(match), _unit_of(match)
    if count is None:
        return stretch(now, -7 * _LENGTHS[unit], -2 * _LENGTHS[unit])
    if unit == "day" and count >= 1:
        return stretch(now, -int(count), -int(count))
    if unit in {"week", "fortnight"} or count % 1:
        middle = int(count * _LENGTHS[unit])
        about = max(2, middle // 9) if count % 1 else 2
        return stretch(now, -middle - about, about - middle)
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
    return month(now.year, now.month, PARTS[match[0][-1]])


def _edge_of_year(match: Match, now: date) -> Span | None:
    """The last such time: in spring the end of the year is that of the one before."""
    start, end = HALVES.get(match[0][0]) or OF_YEAR[PARTS[match[0][-1]]]
    return months(now.year - (start > now.month), start, end)


def _part_of(match: Match, now: date) -> Span | None:
    """Return the beginning, middle or end of a month or year: late last month."""
    part, steps = PARTS[match["p"]], _STEPS[match["r"]]
    if match["u"] == "year":
        return months(now.year + steps, *OF_YEAR[part])
    return month(*month_from(now, steps), part)


def _week_of(match: Match, now: date) -> Span | None:
    """Return a week of a month that is counted from now: the second week of last month."""
    return week_of(*month_from(now, _STEPS[match["r"]]), match["k"])


_NUMBERED = (
    "[楼线院馆门桌房机店位球车仓库柜厅舱井矿厂站桥舰箭炉柱栋座坑泵]"
    "|会议室|教室|服务器|节点|选手|方案|窗口|种子|嘉宾|工位"
)
"""What has a number with 号 that is no day."""

_SOURCES: tuple[tuple[str, Callable[[Match, date], Span | None]], ...] = (
    (r"(?P<r>大前|前|昨|今|明|大后|后)(?:[天日晚早夜](?![前后线])|儿个?)", _named_day),
    (r"(?P<r>上上|[上这本])个?1?季度", _quarter),
    (
        r"(?P<r>上上|下下|[上这本下])个?(?:周|星期|礼拜)(?P<d>末|周末|[一二三四五六日天])?(?!年|岁)",
        _chinese_week,
    ),
    (
        rf"(?<!\d)(?:(?P<n>\d{{1,3}})|(?P<h>[几半]))(?P<half>个半)?个?{_HAN_UNIT}(?P<half2>半)?"
        "多?(?:之|以)?前",
        _ago,
    ),
    (
        r"(?:最近|近|过去|前(?!1个?[天日周年月]|半))的?(?:(?P<n>\d{1,3})|(?P<h>[几半]))"
        rf"(?P<half>个半)?个?{_HAN_UNIT}",
        _recent,
    ),
    (rf"(?<![\d第月年:.])(?P<d>\d{{1,2}})[日号](?!{_NUMBERED})", _of_month),
    (r"\bthe (?P<d>\d{1,2})(?:st|nd|rd|th)\b(?! (?:century|time|floor|grade|birthday))", _of_month),
    (r"(?<![个\d岁日])月(?:[初底末](?![一二三四五六七八九十])|中(?!旬))", _edge),
    (
        r"(?<![\d一整全多几每当那大今去明前后])年[初中底末](?![一二三四五六七八九十级])",
        _edge_of_year,
    ),
    (r"(?<![年\w])[上下]半年|(?<=[我你他她们咱在是])[上下]半年", _edge_of_year),
    (
        r"\b(?P<p>early|mid|late|(?:beginning|start|middle|end)(?= of))(?: of)?(?: the)?[\s-]+"
        r"(?P<r>last|previous|this|next)\s+(?P<u>month|year)\b",
        _part_of,
    ),
    (
        r"\b(?P<k>first|second|third|fourth|last) week (?:of|in) (?P<r>last|this|next) month\b",
        _week_of,
    ),
    (
        rf"\b(?P<d>{_ANY_WEEKDAY})\b,?\s+(?:of\s+)?(?P<r>last|previous|this|next) week\b",
        _day_of_week,
    ),
    (rf"\b(?P<r>last|this) week,? (?:on )?(?P<d>{_ANY_WEEKDAY})\b", _day_of_week),
    (rf"\b(?P<r>{'|'.join(_DAYS_EN)})\b", _named_day),
    (
        r"\b(?P<r>last|past|previous|this|next|coming)\s+"
        rf"(?P<u>weekend|week|month|quarter|year|{_ANY_WEEKDAY})\b",
        _english_week,
    ),
    (rf"\b{_COUNT}\s+{_UNIT}\s+(?:ago|earlier|back)\b", _ago),
    (rf"\b(?:in|over|during|within|for)?\s?the (?:last|past)\s+(?:{_COUNT}\s+)?{_UNIT}\b", _recent),
)
PATTERNS: Patterns[date] = tuple((Late(source), reading) for source, reading in _SOURCES)

WEEKDAY = Late(
    rf"(?:周|星期|礼拜)(?P<z>[一二三四五六日天])|\b(?P<e>{_WEEKDAY})s?\b"
    rf"|\bon (?P<s>{'|'.join(_SHORT)})\b"
)
"""A weekday of no week in particular."""

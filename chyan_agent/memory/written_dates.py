"""Dates that a text writes down: numbers, 月日 and English months, quarters and seasons. Pure."""

from collections.abc import Callable, Iterator
from datetime import date

from ..late import Late
from .days import (
    HALVES,
    OF_YEAR,
    ORDINALS,
    PARTS,
    Match,
    Patterns,
    Span,
    day,
    joined,
    month,
    month_from,
    months,
    week_of,
)

_NAMES = """
january jan|february feb|march mar|april apr|may|june jun|july jul|august aug|september sept sep
|october oct|november nov|december dec
"""
MONTHS = {
    name: number
    for number, names in enumerate(_NAMES.split("|"), start=1)
    for name in names.split()
}
_MONTH = "|".join(sorted(MONTHS, key=len, reverse=True))
_ORDINARY = frozenset({"may", "march", "mar"})
"""Months that are words as well: they need a day, a year or a preposition beside them."""
_POINTS = Late(
    r"\b(?:in|of|on|since|until|till|by|during|from|to|through|before|after|last|this|next|early"
    r"|mid|late|every|between|and|around)[\s-]+$"
)
_YEARS = {"大前年": -3, "前年": -2, "去年": -1, "上年": -1}
_YEARS |= {"今年": 0, "本年": 0, "明年": 1, "后年": 2}
_SAID_YEAR = "|".join(_YEARS)
_SAID_MONTHS = {"上上": -2, "上": -1, "这": 0, "本": 0, "当": 0, "下": 1}
_THIRDS = PARTS | {"上旬": 1, "中旬": 2, "下旬": 3}
_SEASONS = {"春": (3, 5), "夏": (6, 8), "秋": (9, 11), "冬": (12, 2)} | {
    "spring": (3, 5),
    "summer": (6, 8),
    "autumn": (9, 11),
    "fall": (9, 11),
    "winter": (12, 2),
}
_DAY = r"(?P<d>\d{1,2})(?:st|nd|rd|th)?(?![\d:%])"
_YEAR = r"(?P<y>(?:19|20)\d\d)(?!\d)"
_BACK = {"last": -1, "this": 0, "next": 1}


def _year(match: Match, now: date | None) -> int | None:
    """Return the year that a match names or counts from now; None if it does neither."""
    groups = match.groupdict()
    if groups.get("y"):
        year = int(groups["y"])
        return year if year > 99 else 2000 + year
    said = groups.get("ry")
    if not said or not now:
        return None
    return now.year + (_BACK[said] if said in _BACK else _YEARS[said])


def _numeric(match: Match, now: date | None) -> Span | None:
    year, number = int(match["y"]), int(match["m"])
    return day(year, number, int(match["d"])) if match["d"] else month(year, number)


def _slashed(match: Match, now: date | None) -> Span | None:
    """Month first as in the United States, unless that is no date."""
    one, two, year = int(match["a"]), int(match["b"]), int(match["y"])
    return day(year, one, two) or day(year, two, one)


def _dotted(match: Match, now: date | None) -> Span | None:
    """Day first, as who writes dates with points does, unless that is no date."""
    one, two, year = int(match["a"]), int(match["b"]), int(match["y"])
    return day(year, two, one) or day(year, one, two)


def _bare(match: Match, now: date | None) -> Span | None:
    """Month and day in figures alone, of which the words beside them say that they are a date."""
    return day(None, int(match["m"]), int(match["d"]))


def _week_named(match: Match, now: date | None) -> Span | None:
    return week_of(_year(match, now), MONTHS[match["m"]], match["k"])


def _chinese(match: Match, now: date | None) -> Span | None:
    year = _year(match, now)
    if match["ry"] and year is None:
        return None
    if match["m"]:
        number = int(match["m"])
    elif now:
        steps = next(_SAID_MONTHS[said] for said in _SAID_MONTHS if match["rm"].startswith(said))
        year, number = month_from(now, steps)
    else:
        return None
    if match["d"]:
        return day(year, number, int(match["d"]))
    if match["k"] or match["k2"]:
        return week_of(year, number, match["k"] or match["k2"])
    return month(year, number, _THIRDS.get((match["t"] or "").removeprefix("月"), 0))


def _chinese_year(match: Match, now: date | None) -> Span | None:
    year = _year(match, now)
    if year is None:
        return None
    part = (match["p"] or "").removeprefix("年")
    start, end = HALVES.get(part[:1]) or OF_YEAR.get(PARTS.get(part, 0), (1, 12))
    if match["q"]:
        start, end = _quarter(int(match["q"]))
    elif match["s"]:
        start, end = _SEASONS[match["s"]]
    return months(year, start, end)


def _quarter(number: int) -> tuple[int, int]:
    return 3 * number - 2, 3 * number


def _quarters(match: Match, now: date | None) -> Span | None:
    named = next(name for name in (match["q"], match["cq"], match["o"]) if name)
    year = _year(match, now) or (now.year if now else None)
    return months(year, *_quarter(ORDINALS.get(named) or int(named)))


def _season(match: Match, now: date | None) -> Span | None:
    year = _year(match, now)
    return months(year, *_SEASONS[match["s"]]) if year else None


def _english(match: Match, now: date | None) -> Span | None:
    groups = match.groupdict()
    name, number = match["m"], MONTHS[match["m"]]
    bare = not any(groups.get(part) for part in ("d", "y", "p", "ago"))
    if name in _ORDINARY and bare and not _POINTS.search(match.string[: match.start()][-12:]):
        return None
    year = _year(match, now)
    if groups.get("ago") and now:
        year = now.year - (number >= now.month if groups["ago"] == "last" else 0)
    if groups.get("d"):
        return day(year, number, int(groups["d"]))
    return month(year, number, PARTS.get(groups.get("p") or "", 0))


def _english_year(match: Match, now: date | None) -> Span | None:
    year = _year(match, now)
    if year is None:
        return None
    start, end = {1: (1, 4), 2: (5, 8), 3: (9, 12)}.get(PARTS.get(match["p"] or "", 0), (1, 12))
    return months(year, start, end)


_SOURCES: tuple[tuple[str, Callable[[Match, date | None], Span | None]], ...] = (
    (r"(?<![\d.])(?P<y>(?:19|20)\d\d)([-/.])(?P<m>\d{1,2})\2(?P<d>\d{1,2})(?!\d)", _numeric),
    (r"(?<![\d.])(?P<y>(?:19|20)\d\d)[-/](?P<m>\d{1,2})(?P<d>)(?![\d/-])", _numeric),
    (r"(?<![\w.-])(?P<y>(?:19|20)\d\d)(?P<m>[01]\d)(?P<d>[0-3]\d)(?![\w.-])", _numeric),
    (r"(?<![\d/])(?P<a>\d{1,2})/(?P<b>\d{1,2})/(?P<y>(?:19|20)\d\d)(?![\d/])", _slashed),
    (
        r"(?<![\w./-])(?P<a>\d{1,2})([.-])(?P<b>\d{1,2})\2(?P<y>(?:19|20)\d\d)(?![\w/-]|\.\d)",
        _dotted,
    ),
    (r"(?<![\d./-])(?P<m>\d{1,2})[./-](?P<d>\d{1,2})(?=\s?的?[那当这][天日晚])", _bare),
    (r"\bon (?P<m>\d{1,2})/(?P<d>\d{1,2})(?![\d/])", _bare),
    (
        rf"(?:(?<!\d)(?P<y>\d{{4}}|\d\d)年的?|(?<![目以之])(?P<ry>{_SAID_YEAR})的?)?\s?"
        r"(?:(?<!\d)(?P<m>\d{1,2})月份?的?|(?P<rm>上上个?|[上这下]个?|[本当])月份?的?)"
        r"(?:\s?(?P<d>\d{1,2})(?:[日号](?![楼线院馆])|(?![\d个天周年点:.]))"
        r"|(?P<t>上旬|中旬|下旬|月?[初底末]|月中)|第(?P<k>[1-5])个?(?:周|星期|礼拜)(?![一二三四五六日天末])"
        r"|(?P<k2>最后)1?个?(?:周|星期|礼拜)(?![一二三四五六日天末]))?"
        r"(?!天|初?[一二三四五六七八九十])",
        _chinese,
    ),
    (
        rf"(?:(?<!\d)(?P<y>(?:19|20)\d\d)年|(?<![目以之])(?P<ry>{_SAID_YEAR})(?![龄级轮轻]))的?"
        r"(?:(?P<p>上半年|下半年|年?[初底末])|第?(?P<q>[1-4])季度|(?P<s>[春夏秋冬])[天季])?",
        _chinese_year,
    ),
    (
        r"\b(?:q(?P<q>[1-4])\b|(?P<o>first|second|third|fourth) quarter)"
        rf"(?:,?\s+(?:of\s+)?(?:{_YEAR}|(?P<ry>last|this) year))?"
        r"|(?<![\d前近后上下这本])第?(?P<cq>[1-4])季度",
        _quarters,
    ),
    (rf"\b(?P<s>spring|summer|autumn|fall|winter)\s+(?:of\s+)?{_YEAR}", _season),
    (r"\b(?P<ry>last|this)\s+(?P<s>spring|summer|autumn|fall|winter)\b", _season),
    (
        r"\b(?P<k>first|second|third|fourth|last) week (?:of|in) "
        rf"(?P<m>{_MONTH})\b\.?(?:,?\s+(?:of\s+)?{_YEAR})?",
        _week_named,
    ),
    (
        rf"(?<![\w:.]){_DAY}(?:\s+of)?[\s-]+(?P<m>{_MONTH})\b\.?(?:[,\s-]+{_YEAR})?",
        _english,
    ),
    (
        r"(?:\b(?P<p>early|mid|late|end|beginning|start|middle)(?:\s+of)?[\s-]+"
        rf"|\b(?P<ago>last|this)\s+)?\b(?P<m>{_MONTH})\b\.?(?:[\s-]+{_DAY})?"
        rf"(?:,?[\s-]+(?:of\s+)?{_YEAR})?",
        _english,
    ),
    (
        r"\b(?:in|during|of|since|year|by|until|before|after"
        rf"|(?P<p>early|mid|late|beginning|end)(?:\s+of)?)[\s-]+{_YEAR}(?![\w-])",
        _english_year,
    ),
)
PATTERNS: Patterns[date | None] = tuple((Late(source), reading) for source, reading in _SOURCES)

_UNTIL = r"\s?(?:至|到|--?|—+|–|~|to|through|thru|until|till)\s?"
JOINS = Late(_UNTIL)
PAIRS = Late(r"\s?(?:and|和|与|跟)\s?")
"""Joins two dates after `between` alone."""
_REST = Late(
    rf"{_UNTIL}(?:the )?(?P<d>\d{{1,2}})(?:[日号]|st|nd|rd|th)?(?![\d:%月年])(?:,?\s+{_YEAR})?"
)
"""The end of a range that names its day alone: 1月6日至9日, May 3 to 7, 2023."""

_MORE = Late(r"\s?(?:、|,|和|与|及|以及|或)\s?(?P<d>\d{1,2})[日号]")


def ranged(text: str, end: int, span: Span) -> tuple[int, Span]:
    """Return a day, or the range up to a day of its month that follows it, and where it ends."""
    match = _REST.match(text, end)
    if not match or span.first != span.last:
        return end, span
    year = int(match["y"]) if match["y"] else span.first.year if span.dated else None
    last = day(year, span.first.month, int(match["d"]))
    whole = joined(span, last) if last else None
    return (match.end(), whole) if whole else (end, span)


def listed(text: str, end: int, span: Span) -> Iterator[tuple[int, int, Span]]:
    """Yield the further days of a list that names its month once: 6月9日、12日和14日."""
    while span.first == span.last and (match := _MORE.match(text, end)):
        year = span.first.year if span.dated else None
        another = day(year, span.first.month, int(match["d"]))
        if another is None:
            return
        yield match.start("d"), match.end(), another
        end = match.end()

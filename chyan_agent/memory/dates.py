"""Date tokens: of the time at which something was said, and of the time a question asks about.

`@y2025 @m7 @x7-3 @d7-23 @w3` are a year, month, ten days, day and weekday. The two sides meet on
them, so that a question about 7月下旬 or last Tuesday finds what was said then. Pure.
"""

import re
import unicodedata
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, date, datetime, timedelta
from zlib import crc32

from ..late import Late
from ..statements.numerals import value_of
from ..statements.questions import asks
from ..statements.scripts import simplified
from . import spoken_dates, written_dates
from .days import Match, Now, Patterns, Span, distinct, joined, of_day, tokens, weekday

_Found = tuple[int, int, Span]
"""Where something starts and ends, and the days it means."""

SCANNED = 2000
"""Characters of a text that are looked at."""
TALK = 3
"""Sentences up to which all that ask are one question."""
MOST = 48
"""Tokens of one question."""

YEARS = range(2000, 2040)
"""Years by which two time zones are told apart."""

_EPOCH = Late(r"-?\d{9,10}(?:\.\d+)?|\d{13}")
_ISO = Late(r"(?:19|20)\d\d-\d\d-\d\d(?=[T ]|$)")
_DIGITS = "零〇一二两三四五六七八九十"
_NUMERAL = Late(
    rf"(?<![周期拜])[{_DIGITS}]{{1,9}}"
    rf"(?=[年月日天周季]|个?(?:星期|礼拜)|个半?月|个半(?:星期|礼拜)|[到至][{_DIGITS}\d]{{1,3}}[日号]"
    r"|号[那晚早上下中之以前后到起去来走发开截交付结还见搬出回])"
    # 蓝鲸二号 is a name, 我二号 and 工资十号发 are days.
    r"|(?:(?<=[我你您他她咱们谁在到从是的了和与及或跟同自至于约就都才要去来有那这等得每逢为月年期])"
    rf"|(?<![\u4e00-\u9fff]))[{_DIGITS}]{{1,9}}(?=号)"
)
_MAYBE = Late(
    r"[\d年月日号天周季今昨明前]|星期|礼拜|\bon (?:mon|tue|wed|thu|fri|sat|sun)|ago\b|week|month"
    r"|year|day|to(?:day|night|morrow)|last|this"
    r"|next|past|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|quarter|spring|summer|autumn|winter"
)
_QUOTED = Late(r"\"[^\"]*\"|“[^”]*”|「[^」]*」|『[^』]*』|《[^》]*》|‘[^’]*’")
_SENTENCE = Late(r"(?:[^。!?\n.]|\.(?!\s|$))+(?:[。!?\n.]+|$)")
_HELD = "\x00"
"""Takes the place of what was read, so that nothing is read twice."""


def local(ts: str) -> str:
    """Return a time that names its offset as the user's clock shows it; any other unchanged."""
    try:
        when = datetime.fromisoformat(ts)
        return ts if when.tzinfo is None else when.astimezone().replace(tzinfo=None).isoformat()
    except (ValueError, OverflowError, OSError):
        return ts


def zone() -> str:
    """Return what tells the user's time zone from others: its offsets, month by month."""
    months = (datetime(year, month, 1, tzinfo=UTC) for year in YEARS for month in range(1, 13))
    offsets = [when.astimezone().strftime("%z") for when in months]
    return f"{crc32(' '.join(offsets).encode()):08x}"


def of_time(ts: str) -> tuple[str, ...]:
    """Return the tokens of a timestamp in any usual form; none if it names no day. Never raises."""
    when = day_of(ts)
    if when is not None:
        return distinct(of_day(when))
    spans = [span for _, _, span in _written(_plain(ts[:100]), None)]
    return distinct(tokens(spans[0])) if spans else ()


def day_of(ts: str) -> date | None:
    """Return the day of a timestamp: ISO, 2023年5月8日, 8 May, 2023, seconds since 1970."""
    ts = local(ts[:100])
    if iso := _ISO.match(ts):
        with suppress(ValueError):
            return date.fromisoformat(iso[0])
    text = _plain(ts).strip()
    if _EPOCH.fullmatch(text):
        seconds = float(text) / (1000 if len(text) == 13 else 1)
        return (datetime(1970, 1, 1, tzinfo=UTC) + timedelta(seconds=seconds)).astimezone().date()
    for _, _, span in _written(text, None):
        if span.dated and span.first == span.last:
            return span.first
    return None


def asked(text: str, now: str = "") -> tuple[str, ...]:
    """Return the tokens of the times that a question names.

    Relative ones count from the time `now`, and only if no date is written out: in "the week
    before 5 May" they belong to that. What is no date (2月30日) gives none. Never raises.
    """
    return parted(text, now)[0]


def parted(text: str, now: str = "") -> tuple[tuple[str, ...], str]:
    """Return what `asked` does, and the text folded, without the dates in it."""
    plain = _plain(text[:SCANNED])
    if not _MAYBE.search(plain):
        return (), plain
    found = _written(plain, None)
    seen = rest = _without(plain, found)
    today = None if found else _reference(now)
    if today is not None:
        rest = _asking(plain)
        counted = _all(rest, today)
        rest, seen = _without(rest, counted), _without(plain, counted)
        found = [one for one in counted if one[2].first < today or _began(one[2], today)]
    named = distinct([*_joined(plain, found), *_weekdays(rest)])[:MOST]
    return named, spoken_dates.WEEKDAY.sub(_blank, seen)


def _began(span: Span, today: date) -> bool:
    """Whether a stretch of days begins today: this week, on a Monday."""
    return span.first == today < span.last


def told(text: str, ts: str) -> tuple[str, ...]:
    """Return the tokens of the times that something said at `ts` speaks of. Never raises."""
    plain = _plain(text[:SCANNED])
    today = day_of(ts) if _MAYBE.search(plain) else None
    return distinct(_joined(plain, _all(plain, today)))[:MOST] if today else ()


def _all(text: str, today: date) -> list[_Found]:
    """Return what is written down and what is counted from today, in the order of the text."""
    found = _written(text, today)
    return sorted([*found, *_read(_without(text, found), spoken_dates.PATTERNS, today)], key=_start)


def _asking(text: str) -> str:
    """Return the sentences that ask, the rest and what is quoted blank: today was a fine day.

    Of a longer talk the last one that asks: who talks at length comes to the point at the end.
    """
    text = _QUOTED.sub(_blank, text)
    sentences = _SENTENCE.findall(text)
    if len(sentences) < 2:
        return text
    marked = any("?" in one for one in sentences)
    asking = [at for at, one in enumerate(sentences) if ("?" in one if marked else asks(one))]
    kept = asking[-1:] if len(sentences) > TALK else asking
    return "".join(one if at in kept else _HELD * len(one) for at, one in enumerate(sentences))


def _blank(match: Match) -> str:
    return _HELD * len(match[0])


def _reference(now: str) -> date | None:
    """Return the day of a question; of a month alone its last day, for it asks what was."""
    when = day_of(now) if now else None
    if when is None and now:
        spans = [span for _, _, span in _written(_plain(now[:100]), None) if span.dated]
        when = spans[0].last if spans else None
    return when


def _plain(text: str) -> str:
    """Fold a text and write the numerals of its dates as digits."""
    folded = simplified(unicodedata.normalize("NFKC", text).casefold())
    return _NUMERAL.sub(_digits, folded)


def _digits(match: "re.Match[str]") -> str:
    value = value_of(match[0])
    return match[0] if value is None else str(value)


def _written(text: str, now: date | None) -> list[_Found]:
    """Return the dates that are written down, in the order of the text."""
    found = []
    for start, end, span in _read(text, written_dates.PATTERNS, now):
        after, whole = written_dates.ranged(text, end, span)
        found += [(start, after, whole), *written_dates.listed(text, after, whole)]
    return sorted(found, key=_start)


def _start(found: _Found) -> int:
    return found[0]


def _read(text: str, patterns: Patterns[Now], now: Now) -> list[_Found]:
    found: list[_Found] = []
    for pattern, reading in patterns:
        here = [
            (match.start(), match.end(), span)
            for match in pattern.finditer(text)
            if (span := reading(match, now)) is not None
        ]
        text = _without(text, here)
        found += here
    return found


def _without(text: str, found: list[_Found]) -> str:
    for start, end, _ in found:
        text = text[:start] + _HELD * (end - start) + text[end:]
    return text


def _joined(text: str, found: list[_Found]) -> Iterator[str]:
    """Yield the tokens of what was found; two dates with 至 between them are a range."""
    index = 0
    while index < len(found):
        start, end, span = found[index]
        index += 1
        if index < len(found) and _joins(text, start, end, found[index][0]):
            whole = joined(span, found[index][2])
            if whole is not None:
                span, index = whole, index + 1
        yield from tokens(span)


def _joins(text: str, start: int, end: int, then: int) -> bool:
    if written_dates.JOINS.fullmatch(text, end, then):
        return True
    between = text[:start].rstrip().endswith(("between", "介于"))
    return between and written_dates.PAIRS.fullmatch(text, end, then) is not None


def _weekdays(text: str) -> Iterator[str]:
    for match in spoken_dates.WEEKDAY.finditer(text):
        yield weekday(spoken_dates.WEEKDAYS[match["z"] or match["e"] or match["s"]])

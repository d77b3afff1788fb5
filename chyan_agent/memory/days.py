"""Stretches of days, and the tokens by which a record and a question about its time meet. Pure."""

import calendar
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from typing import TypeVar

from ..late import Late

ANY_YEAR = 2000
"""Stands for a year that was not said: a leap year, so that it holds every day."""
DAY_BY_DAY = 16
"""Days up to which each day of a stretch has a token of its own; a longer one has its months."""
MOST_MONTHS = 24
ORDINALS = {"first": 1, "second": 2, "third": 3, "fourth": 4}
PARTS = {"early": 1, "beginning": 1, "start": 1, "mid": 2, "middle": 2, "late": 3, "end": 3}
PARTS |= {"初": 1, "中": 2, "底": 3, "末": 3}
"""Which third of a month, or part of a year, is meant."""
OF_YEAR = {1: (1, 2), 2: (6, 7), 3: (11, 12)}
"""Months that the beginning, the middle and the end of a year are."""
HALVES = {"上": (1, 6), "下": (7, 12)}
Tokens = Iterator[str]
Match = re.Match[str]
Now = TypeVar("Now", date, date | None)
Patterns = tuple[tuple[Late, Callable[[Match, Now], "Span | None"]], ...]
"""What dates look like, and what a match means, seen from a date that may be unknown."""


@dataclass(frozen=True, slots=True)
class Span:
    """Days from `first` to `last`, both included. `dated`: whether their year was said."""

    first: date
    last: date
    dated: bool = True


def day(year: int | None, month: int, number: int) -> Span | None:
    """Return one day; None if there is no such day."""
    try:
        found = date(year or ANY_YEAR, month, number)
    except ValueError:
        return None
    return Span(found, found, year is not None)


def month(year: int | None, number: int, third: int = 0) -> Span | None:
    """Return a month, or its first (1), second or last (3) ten days; None if there is none."""
    if not (1 <= number <= 12 and 1 <= (year or ANY_YEAR) <= 9999):
        return None
    last = calendar.monthrange(year or ANY_YEAR, number)[1]
    start, end = {1: (1, 10), 2: (11, 20), 3: (21, last)}.get(third, (1, last))
    base = date(year or ANY_YEAR, number, 1)
    return Span(base.replace(day=start), base.replace(day=end), year is not None)


def week_of(year: int | None, number: int, which: str) -> Span | None:
    """Return a week of a month: `first` or `1` are its days 1 to 7, any other name its last."""
    whole = month(year, number)
    if whole is None:
        return None
    at = ORDINALS.get(which) or (int(which) if which.isdecimal() else 0)
    first = 7 * at - 6 if at else whole.last.day - 6
    if first > whole.last.day:
        return None
    last = min(first + 6, whole.last.day)
    return Span(whole.first.replace(day=first), whole.first.replace(day=last), whole.dated)


def months(year: int | None, start: int, end: int) -> Span | None:
    """Return whole months of a year, such as a quarter; a season may end in the next year."""
    head = month(year, start)
    tail = month((year or ANY_YEAR) + (end < start), end)
    return Span(head.first, tail.last, year is not None) if head and tail else None


def moved(when: date, days: int) -> date | None:
    """Return the date so many days later; None beyond the calendar."""
    try:
        return when + timedelta(days=days)
    except OverflowError:
        return None


def stretch(when: date, start: int, end: int) -> Span | None:
    """Return the days from `start` to `end` days after a date."""
    first, last = moved(when, start), moved(when, end)
    return Span(first, last) if first and last else None


def month_from(when: date, steps: int) -> tuple[int, int]:
    """Return year and month so many months after a date."""
    count = when.year * 12 + when.month - 1 + steps
    return count // 12, count % 12 + 1


def joined(first: Span, last: Span) -> Span | None:
    """Return the days from one span through another; what one doesn't say, the other does."""
    start, end = first.first, last.last
    if first.dated != last.dated:
        year = start.year if first.dated else end.year
        start, end = _in_year(start, year), _in_year(end, year)
    if end < start and not (first.dated and last.dated):
        end = _in_year(end, start.year + 1)
    return Span(start, end, first.dated or last.dated) if start <= end else None


def _in_year(when: date, year: int) -> date:
    if not 1 <= year <= 9999:
        return when
    last = calendar.monthrange(year, when.month)[1]
    return when.replace(year=year, day=min(when.day, last))


def tokens(span: Span) -> Tokens:
    """Yield `@y` year, `@m` month, `@x` ten days and `@d` day: the finer, the rarer."""
    if span.dated:
        yield from (f"@y{year}" for year in range(span.first.year, span.last.year + 1)[:10])
    for start, end in list(_by_month(span))[:MOST_MONTHS]:
        yield f"@m{start.month}"
        if end.day - start.day + 1 < calendar.monthrange(start.year, start.month)[1]:
            yield from _inside(start, end, (span.last - span.first).days < DAY_BY_DAY)


def _by_month(span: Span) -> Iterator[tuple[date, date]]:
    """Yield the part of each month; of whole years nothing, the years say it."""
    whole = (1, 1), (12, 31)
    if ((span.first.month, span.first.day), (span.last.month, span.last.day)) == whole:
        return
    start = span.first
    while start <= span.last:
        end = start.replace(day=calendar.monthrange(start.year, start.month)[1])
        yield start, min(end, span.last)
        if end >= span.last:
            return
        start = end + timedelta(days=1)


def _inside(start: date, end: date, each: bool) -> Tokens:
    """Yield the thirds of a month that a part of it touches, and its days if it is no third."""
    each = each and (start, end) != _bounds(start)
    for third in range(_third(start), _third(end) + 1):
        yield f"@x{start.month}-{third}"
    if each:
        yield from (f"@d{start.month}-{number}" for number in range(start.day, end.day + 1))


def _bounds(when: date) -> tuple[date, date]:
    third = _third(when)
    last = calendar.monthrange(when.year, when.month)[1] if third == 3 else 10 * third
    return when.replace(day=10 * third - 9), when.replace(day=last)


def _third(when: date) -> int:
    return min((when.day - 1) // 10, 2) + 1


def of_day(when: date) -> Tokens:
    """Yield every token of a day, its weekday included."""
    yield from tokens(Span(when, when))
    yield weekday(when.weekday())


def weekday(number: int) -> str:
    """Return the token of a weekday, Monday being 0."""
    return f"@w{number + 1}"


def distinct(found: Iterable[str]) -> tuple[str, ...]:
    """Return each token once, in order."""
    return tuple(dict.fromkeys(found))

"""The days of feasts: 端午, 去年中秋, last Christmas. By rule, or by a table of the lunar ones."""

from collections.abc import Iterator
from datetime import date, timedelta

from ..late import Late
from .days import Match, Span, stretch

QUESTION = 60
"""Characters up to which a question asks for the time of a feast that it names."""
_FIRST = 2015
_SPRING = """
0219 0208 0128 0216 0205 0125 0212 0201 0122 0210 0129 0217 0206 0126 0213 0203 0123 0211 0131 0219
0208
"""
_DRAGON_BOATS = """
0620 0609 0530 0618 0607 0625 0614 0603 0622 0610 0531 0619 0609 0528 0616 0605 0624 0612 0601 0620
0610
"""
_MIDDLE_OF_AUTUMN = """
0927 0915 1004 0924 0913 1001 0921 0910 0929 0917 1006 0925 0915 1003 0922 0912 1001 0919 0908 0927
0916
"""
"""Month and day, year by year from the first one."""
_LUNAR = {
    "spring": (_SPRING.split(), -1, 6),
    "eve": (_SPRING.split(), -1, -1),
    "first": (_SPRING.split(), 0, 0),
    "lantern": (_SPRING.split(), 14, 14),
    "dragon": (_DRAGON_BOATS.split(), 0, 0),
    "autumn": (_MIDDLE_OF_AUTUMN.split(), 0, 0),
}
"""With the days from that day on which the feast begins and ends."""
_FIXED = {
    "newyear": (1, 1, 0),
    "lovers": (2, 14, 0),
    "tombs": (4, 4, 1),
    "labour": (5, 1, 4),
    "children": (6, 1, 0),
    "teachers": (9, 10, 0),
    "nation": (10, 1, 6),
    "halloween": (10, 31, 0),
    "sale": (11, 11, 0),
    "holyeve": (12, 24, 0),
    "holy": (12, 25, 0),
    "christmas": (12, 24, 2),
    "lastday": (12, 31, 0),
}
"""Month, day, and how many more days it lasts."""
_NAMES = (
    r"(?P<spring>春节|大?过年(?=[那时期])|\b(?:chinese|lunar) new year\b)|(?P<eve>除夕|年三十)"
    r"|(?P<first>大年初一)|(?P<lantern>元宵)|(?P<dragon>端午|\bdragon boat)"
    r"|(?P<autumn>中秋|\bmid-?autumn\b)|(?P<lastday>跨年|\bnew year['’]?s eve\b)"
    r"|(?P<newyear>元旦|\bnew year['’]?s(?: day)?\b)|(?P<tombs>清明)"
    r"|(?P<labour>劳动节|五一(?!路|街|广场))"
    r"|(?P<lovers>情人节|\bvalentine['’]?s(?: day)?\b)|(?P<children>儿童节|六一)"
    r"|(?P<teachers>教师节)|(?P<nation>国庆|十一(?=假期|长假|黄金周))"
    r"|(?P<halloween>\bhalloween\b|万圣节)|(?P<sale>双十一|双11)"
    r"|(?P<holyeve>平安夜|\bchristmas eve\b)|(?P<holy>\bchristmas day\b)"
    r"|(?P<christmas>圣诞|\bchristmas\b)"
)
_FEAST = Late(
    r"(?:(?P<back>[去今前]年)|(?P<year>(?:19|20)\d\d)年?|(?P<ago>\b(?:last|this) ))?的?\s?"
    rf"(?:{_NAMES})节?(?:\s?(?:in )?(?P<after>20\d\d))?"
)
_BACK = {"今年": 0, "去年": 1, "前年": 2}


def feasts(question: str, today: date) -> Iterator[Span]:
    """Yield the days of the feasts that a folded question asks about: the last ones that were."""
    if len(question) <= QUESTION:
        for match in _FEAST.finditer(question):
            span = _days(match, today)
            if span is not None:
                yield span


def _days(match: Match, today: date) -> Span | None:
    name = next(one for one in (*_LUNAR, *_FIXED) if match[one] is not None)
    said = match["year"] or match["after"]
    if said or match["back"]:
        return _in_year(name, int(said) if said else today.year - _BACK[match["back"]])
    known = (_in_year(name, today.year - back) for back in (0, 1))
    return next((span for span in known if span and span.first <= today), None)


def _in_year(name: str, year: int) -> Span | None:
    if name in _FIXED:
        month, day, more = _FIXED[name]
        first = date(year, month, day)
        return Span(first, first + timedelta(days=more))
    table, start, end = _LUNAR[name]
    if not 0 <= year - _FIRST < len(table):
        return None
    written = table[year - _FIRST]
    day_itself = date(year, int(written[:2]), int(written[2:]))
    return stretch(day_itself, start, end)

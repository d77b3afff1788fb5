"""Dates: what was said at a time is found by a question about that time, however it is put."""

from collections.abc import Callable
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chyan_agent.memory.dates import MOST, asked, day_of, of_time, told, zone
from chyan_agent.statements.numerals import numbers, value_of

NOW = "2024-06-13"  # a Thursday
TIMES = [
    "2025-07-23",
    "2025-07-23T08:30:00+08:00",
    "2025年7月23日 周三 08:30",
    "二〇二五年七月二十三日",
    "1:56 pm on 23 July, 2025",
    "July-23-2025",
    "Wed, 23 Jul 2025 10:00:00 GMT",
    "07/23/2025",
    "20250723",
    "1753228800",
    "1753228800000",
]
DAYS = [
    ("昨天说了什么", "2024-06-12"),
    ("昨晚", "2024-06-12"),
    ("前天", "2024-06-11"),
    ("大前天", "2024-06-10"),
    ("三天前", "2024-06-10"),
    ("上周三的会", "2024-06-05"),
    ("上个星期天", "2024-06-09"),
    ("上上周五", "2024-05-31"),
    ("上个月5号", "2024-05-05"),
    ("15号买的", "2024-05-15"),
    ("五号我去哪了", "2024-06-05"),
    ("他是十号到的吗", "2024-06-10"),
    ("工资十号发了吗", "2024-06-10"),
    ("去年3月8日", "2023-03-08"),
    ("三月五号", "2024-03-05"),
    ("二〇二四年十二月二十三日", "2024-12-23"),
    ("2024.1.2", "2024-01-02"),
    ("yesterday", "2024-06-12"),
    ("the day before yesterday", "2024-06-11"),
    ("last Tuesday", "2024-06-11"),
    ("3 days ago", "2024-06-10"),
    ("ten days ago", "2024-06-03"),
    ("on May 3rd, 2023", "2023-05-03"),
    ("the 5th of May", "2024-05-05"),
    ("on the 5th", "2024-06-05"),
    ("上週三買了什麼", "2024-06-05"),
    ("兩天前誰來過", "2024-06-11"),
    ("三號我在哪", "2024-06-03"),
    ("當月七號", "2024-06-07"),
    ("4.23那天我在哪", "2024-04-23"),
    ("2/9当天来了几个人", "2024-02-09"),
    ("Who called on 3/14?", "2024-03-14"),
    ("7.4.2024", "2024-04-07"),
    ("12-25-2023", "2023-12-25"),
    ("twelve days ago", "2024-06-01"),
    ("twenty-one days ago", "2024-05-23"),
    ("last Fri", "2024-06-07"),
    ("last tues", "2024-06-11"),
    ("Monday of last week", "2024-06-03"),
    ("last week on Thursday", "2024-06-06"),
    ("the night before last", "2024-06-11"),
]
STRETCHES = [
    ("7月下旬", "2024-07-21", "2024-07-31"),
    ("6月底", "2024-06-21", "2024-06-30"),
    ("月初买的", "2024-06-01", "2024-06-10"),
    ("1月6日至9日", "2024-01-06", "2024-01-09"),
    ("八月十六到二十二日", "2024-08-16", "2024-08-22"),
    ("12月28日到1月3日", "2023-12-28", "2024-01-03"),
    ("from May 3 to May 7", "2024-05-03", "2024-05-07"),
    ("May 3-7, 2023", "2023-05-03", "2023-05-07"),
    ("between 3 May and 5 May", "2024-05-03", "2024-05-05"),
    ("2023-05-01 to 2023-05-07", "2023-05-01", "2023-05-07"),
    ("上周", "2024-06-03", "2024-06-09"),
    ("上周末", "2024-06-08", "2024-06-09"),
    ("最近一周", "2024-06-06", "2024-06-13"),
    ("last week", "2024-06-03", "2024-06-09"),
    ("the last two weeks", "2024-05-30", "2024-06-13"),
    ("上个月月底", "2024-05-21", "2024-05-31"),
    ("上月月中", "2024-05-11", "2024-05-20"),
    ("月中发的什么", "2024-06-11", "2024-06-20"),
    ("4月第二周", "2024-04-08", "2024-04-14"),
    ("上个月第一个星期", "2024-05-01", "2024-05-07"),
    ("2月最后一周", "2024-02-23", "2024-02-29"),
    ("first week of March", "2024-03-01", "2024-03-07"),
    ("the last week of April 2023", "2023-04-24", "2023-04-30"),
    ("the third week of last month", "2024-05-15", "2024-05-21"),
    ("early last month", "2024-05-01", "2024-05-10"),
    ("at the end of last month", "2024-05-21", "2024-05-31"),
    ("a fortnight ago", "2024-05-28", "2024-06-01"),
    ("一个半月前", "2024-04-24", "2024-05-04"),
    ("one and a half months ago", "2024-04-24", "2024-05-04"),
    ("half a month ago", "2024-05-27", "2024-05-31"),
    ("三周半以前", "2024-05-18", "2024-05-22"),
    ("這週", "2024-06-10", "2024-06-16"),
]
MONTHS = [
    ("上个月", "2024", "5"),
    ("this month", "2024", "6"),
    ("去年三月", "2023", "3"),
    ("last May", "2024", "5"),
    ("二〇二四年三月", "2024", "3"),
    ("24年3月", "2024", "3"),
    ("三个月前", "2024", "3"),
    ("上個月去了哪", "2024", "5"),
]
NO_DATES = [
    "2月30日",
    "13月",
    "0月5日",
    "99999年",
    "2024-13-45",
    "May I ask",
    "march on",
    "3号线怎么走",
    "三号会议室",
    "蓝鲸二号的负责人是谁",
    "神舟十二号带回了什么",
    "五月天的歌",
    "目前年龄",
    "版本 192.168.2023.1",
    "Fall 1 of 3",
    "24/7",
    "it runs on 24/7",
    "前三季度",
    "三年中",
    "岁月末班车",
    "大年初一",
    "最后一周",
    "主机 10.2.2023.1",
    "v5.11.2026",
    "3.5 折那件",
    "we sat on this, wed and happy",
    "",
]


LOCAL = [
    ("Asia/Shanghai", "2026-11-29T23:10:00.000+00:00", "2026-11-30"),
    ("Asia/Shanghai", "2026-11-29T15:59:59Z", "2026-11-29"),
    ("Asia/Shanghai", "2026-11-29T16:00:00Z", "2026-11-30"),
    ("America/New_York", "2026-07-01T03:30:00+00:00", "2026-06-30"),
    ("America/New_York", "2026-07-01T12:30:00+09:00", "2026-06-30"),
    ("America/New_York", "1753228800", "2025-07-22"),
    ("Asia/Shanghai", "2026-11-29T23:10:00", "2026-11-29"),
    ("America/New_York", "2026-07-01", "2026-07-01"),
]
"""A zone, a time, and its day there: what names no offset stays as it is written."""


@pytest.mark.parametrize(("there", "ts", "day"), LOCAL)
def test_days_are_those_of_the_user(
    there: str, ts: str, day: str, tz: Callable[[str], None]
) -> None:
    """An instant belongs to the day that the user's own clock showed."""
    tz(there)
    assert day_of(ts) == date.fromisoformat(day)
    assert of_time(ts) == of_time(day)


def test_asking_counts_from_the_user_s_today(tz: Callable[[str], None]) -> None:
    """昨天 is the day before the user's today, which may be another than that of UTC."""
    tz("Asia/Shanghai")
    assert "@d11-30" in asked("昨天我去哪了", "2026-11-30T17:00:00+00:00")
    assert "@d11-29" in asked("yesterday", "2026-11-30T17:00:00")
    assert "@d12-1" in told("明天交房", "2026-11-29T20:00:00Z")


def test_zones_are_told_apart(tz: Callable[[str], None]) -> None:
    """A zone has a mark of its own, the same at every start."""
    marks = set[str]()
    for name in ("UTC", "Asia/Shanghai", "Asia/Tokyo", "Europe/London", "Africa/Abidjan"):
        tz(name)
        marks |= {zone(), zone()}
    assert len(marks) == 4


@pytest.mark.parametrize("written", TIMES)
def test_a_time_in_any_form(written: str, tz: Callable[[str], None]) -> None:
    """The same day gives the same tokens, however it is written."""
    tz("UTC")
    assert of_time(written) == ("@y2025", "@m7", "@x7-3", "@d7-23", "@w3")


@pytest.mark.parametrize(("question", "day"), DAYS)
def test_a_day_is_asked_for(question: str, day: str) -> None:
    """A question about one day holds the token of that day, and of no other."""
    when = date.fromisoformat(day)
    found = asked(question, NOW)
    assert [token for token in found if token[1] == "d"] == [f"@d{when.month}-{when.day}"]
    assert set(found) <= set(of_time(day))


@pytest.mark.parametrize(("question", "first", "last"), STRETCHES)
def test_a_stretch_is_asked_for(question: str, first: str, last: str) -> None:
    """A stretch shares its finest tokens with its days, and not with those around it."""
    start, end = date.fromisoformat(first), date.fromisoformat(last)
    found = set(asked(question, NOW))
    finest = "d" if any(token[1] == "d" for token in found) else "x"

    def meets(number: int) -> bool:
        tokens = of_time(date.fromordinal(number).isoformat())
        return bool(found & {token for token in tokens if token[1] == finest})

    assert all(meets(number) for number in range(start.toordinal(), end.toordinal() + 1))
    assert not meets(start.toordinal() - 1)
    assert not meets(end.toordinal() + 1)


@pytest.mark.parametrize(("question", "year", "month"), MONTHS)
def test_a_month_is_asked_for(question: str, year: str, month: str) -> None:
    """A month is asked for by its name or by counting from now."""
    assert {*asked(question, NOW)} <= {f"@y{year}", f"@m{month}"}
    assert f"@m{month}" in asked(question, NOW)


def test_longer_stretches() -> None:
    """Quarters and seasons are their months, a year is itself, a weekday is of any week."""
    assert asked("2023年第三季度") == asked("Q3 2023") == ("@y2023", "@m7", "@m8", "@m9")
    assert asked("去年冬天", NOW) == ("@y2023", "@y2024", "@m12", "@m1", "@m2")
    assert asked("in 2023") == asked("2023年") == asked("last year", NOW) == ("@y2023",)
    assert asked("周三晚上一般做什么") == asked("on Wednesdays") == asked("on Wed") == ("@w3",)


def test_parts_of_the_year() -> None:
    """Quarters, halves, the edges of a year: of those that return, the last one that began."""
    assert asked("上一季度", NOW) == asked("last quarter", NOW) == ("@y2024", "@m1", "@m2", "@m3")
    assert asked("三季度") == asked("Q3") == ("@m7", "@m8", "@m9")
    assert asked("年初定的目标", NOW) == asked("early this year", NOW) == ("@y2024", "@m1", "@m2")
    assert asked("年底那次", NOW) == asked("late last year", NOW) == ("@y2023", "@m11", "@m12")
    assert asked("我下半年去过哪", NOW) == ("@y2023", *(f"@m{number}" for number in range(7, 13)))


def test_a_week_that_began_today() -> None:
    """On a Monday this week is asked for, and today still is not."""
    assert {*asked("本周", "2024-06-10")} >= {"@d6-10", "@m6"}
    assert asked("这周一", "2024-06-10") == asked("today", "2024-06-10") == ()


@pytest.mark.parametrize("text", NO_DATES)
def test_what_is_no_date(text: str) -> None:
    """Impossible dates and look-alikes give nothing, wherever they stand."""
    assert asked(text, NOW) == ()
    assert of_time(text) == ()
    assert day_of(text) is None


def test_relative_days_need_a_now() -> None:
    """Without a time of asking, 昨天 says nothing; a month of asking stands for its end."""
    assert asked("昨天和 last week") == asked("昨天", "some day") == ()
    assert "@d1-30" in asked("昨天", "2025-01")


def test_only_what_asks_counts_days() -> None:
    """Chatter about yesterday, a quoted day and a day still to come are not what is asked for."""
    chatter = "昨天天气真好。今天也不错！上周吃的火锅好辣。对了，药放在哪里？"
    assert asked(chatter, NOW) == asked("他说的“昨天见”是什么意思？", NOW) == ()
    assert asked("明天的会几点？", NOW) == asked("今天天气怎么样", NOW) == ()
    assert asked("昨天开了会。会上谁发言？", NOW) == ()
    assert "@d6-12" in asked("昨天谁来过？他说了什么？", NOW)
    assert asked("2023年5月的前一周做了什么？", NOW) == ("@y2023", "@m5")


def test_what_a_text_tells() -> None:
    """Something said on a day may speak of others, before and after it."""
    assert "@d6-12" in told("昨天下雨了", NOW)
    assert "@d6-19" in told("下周三开会", NOW)
    assert told("昨天下雨了", "") == told("下雨了", NOW) == ()


@given(st.text(), st.text(max_size=30))
def test_any_text_can_be_asked(text: str, now: str) -> None:
    """No text and no time is too strange."""
    of_time(text)
    told(text, now)
    assert len(asked(text, now)) <= MOST


@given(st.dates(), st.sampled_from(["{0:%Y-%m-%d}", "{0.year}年{0.month}月{0.day}日"]))
def test_every_day_is_its_own(when: date, form: str) -> None:
    """A question that names a record's day shares everything but the weekday with it."""
    written = form.format(when)
    if 1900 <= when.year < 2100:
        assert {*asked(written)} == {t for t in of_time(written) if t[1] != "w"}


NUMERALS = [
    ("三百二十", 320),
    ("二〇二四", 2024),
    ("一百零五", 105),
    ("一百五", 150),
    ("一万二", 12000),
    ("一亿三千万", 130000000),
    ("两万零三", 20003),
    ("十", 10),
    ("万", None),
    ("三个", None),
    ("", None),
    ("一" * 30, None),
]
NUMBERS = [
    ("花了三百二十块", ("320",)),
    ("共1,200元", ("1200",)),
    ("1.5万", ("15000",)),
    ("twelve of two hundred and five", ("12", "205")),
    ("第三次", ("3",)),
    ("一起五个人", ("5",)),
    ("版本 1.2.3, 10,20,30, 一起, one", ()),
]


@pytest.mark.parametrize(("numeral", "value"), NUMERALS)
def test_chinese_numerals(numeral: str, value: int | None) -> None:
    """A numeral has its value, and what is no numeral has none."""
    assert value_of(numeral) == value


@pytest.mark.parametrize(("text", "found"), NUMBERS)
def test_numbers_are_plain_digits(text: str, found: tuple[str, ...]) -> None:
    """Numbers that are spelt out, grouped or scaled are found as plain digits."""
    assert numbers(text) == found


@given(st.text(alphabet="零一二三四五六七八九十百千万亿两0123456789.,万k hundred twenty"))
def test_any_number(text: str) -> None:
    """No pile of numerals is too strange."""
    assert all(number.replace(".", "").isdigit() for number in numbers(text))

"""Numbers, dates and times in one form: what is written in two ways is one."""

import pytest

from chyan_agent.memory.kin import Kin
from chyan_agent.statements.evened import evened
from chyan_agent.statements.hours import clocks

from .clock import within


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("两万八千元", "28,000 元"),
        ("4.5万块钱", "45000元"),
        ("三万二", "32000"),
        ("百分之十二", "12%"),
        ("9 percent", "9%"),
        ("下午四点一刻", "16:15"),
        ("晚上8点半", "20:30"),
        ("7 a.m.", "7:00"),
        ("quarter to six", "5:45"),
        ("twenty past ten pm", "22:20"),
        ("june 7th", "7 june"),
        ("2 april 2027", "2027-04-02"),
        ("四月二号", "4月2日"),
        ("two dozen", "24"),
        ("half a dozen", "6"),
        ("the sixth floor", "the 6th floor"),
        ("礼拜五", "周五"),
        ("九个人", "9个人"),
    ],
)
def test_two_ways_to_write_one_thing(one: str, other: str) -> None:
    """Both have one form."""
    assert evened(one).replace(" ", "") == evened(other).replace(" ", "")


@pytest.mark.parametrize(
    "text",
    ["千万别忘了", "百度一下", "三五天", "二三十人", "一点小事", "四川", "三点建议", "one of us"]
    + ["ten to twelve people", "5 to 7 people", "second thoughts", "he may come"],
)
def test_words_that_are_no_numbers_stay(text: str) -> None:
    """About so many, names and idioms are left alone, or at least are no times."""
    assert list(clocks(text)) == []
    assert ":" not in evened(text)
    assert text in ("三点建议", "ten to twelve people") or evened(text) == text


@pytest.mark.parametrize(
    ("text", "time"),
    [
        ("列车 17:05 开", "5:05"),
        ("下午五点零五分开", "5:05"),
        ("half past eight", "8:30"),
        ("20:30", "8:30"),
        ("9点三刻", "9:45"),
        ("at 11.15 am", "11:15"),
    ],
)
def test_times_of_the_day(text: str, time: str) -> None:
    """A time is found in every form, by a clock of twelve hours."""
    assert list(clocks(text)) == [time]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("每晚十点半熄灯", "每晚10点半熄灯"),
        ("尾款还差一万二", "尾款还差 12000"),
        ("我妈妈在二楼", "我妈在二楼"),
        ("鹹魚我不碰", "我不碰咸鱼"),
        ("发票要在周五之前寄出", "发票要周五前寄出"),
        ("The hall seats ninety people", "The hall seats 90 people"),
        ("Rent is due on 1 August", "Rent is due on August 1st"),
        ("My brother is called Otto", "My brother's name is Otto"),
        ("I'm living in Ghent", "I live in Ghent"),
    ],
)
def test_notes_in_two_forms_are_one(one: str, other: str) -> None:
    """What was said again with its numbers written otherwise is known."""
    notes = Kin()
    notes.put("n1", one)
    assert notes.same(other) == "n1"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("每晚十点半熄灯", "每早十点半熄灯"),
        ("尾款还差一万二", "尾款还差一万零二"),
        ("小周欠小吴钱", "小吴欠小周钱"),
        ("The bus leaves at 8 am", "The bus leaves at 8 pm"),
        ("三五天就好", "35 天就好"),
        ("Doors open at half past six", "Doors open at quarter past six"),
        ("我妈在二楼", "我爸在二楼"),
    ],
)
def test_other_numbers_and_persons_stay_apart(one: str, other: str) -> None:
    """Another value is another note."""
    notes = Kin()
    notes.put("n1", one)
    assert notes.same(other) == ""


@pytest.mark.parametrize("text", ["ten " * 4000, "一二三" * 4000, "1:" * 6000, "may 3 " * 3000])
def test_hostile_numbers_are_read_in_time(text: str) -> None:
    """Time grows with the text."""
    with within(2):
        evened(text)
        list(clocks(text))

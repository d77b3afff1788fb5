"""How something is does not displace which it is; another one of it does."""

import pytest

from chyan_agent.memory.kin import Kin

from .test_memory_life import conflict

HOW = [
    ("My landlord's name is Orla", "My landlord's name is hard to spell"),
    ("My boss is Ingrid", "My boss is now quite relaxed"),
    ("Our office is 40 Pine Street", "Our office is too small"),
    ("The deadline is 9 May", "The deadline is tight"),
    ("My doctor is Dr. Osei", "My doctor is on leave"),
    ("The database is MariaDB", "The database is slow"),
    ("My school is Westfield", "My school is closed on Friday"),
    ("我的导师是霍明远", "我的导师是个慢性子"),
    ("我的导师是霍明远", "我的导师是苏州人"),
    ("队长是阿杰", "队长很严格"),
    ("儿子的学校是三小", "儿子的学校是寄宿制"),
    ("价格是 800 元", "价格是偏高的"),
    ("I live in Porto", "I live in a small flat"),
    ("我住宁波", "我住十二楼"),
    ("我住在梧桐苑", "我住的小区绿化很好"),
    ("我住的小区叫梧桐苑", "我住的梧桐苑离地铁近"),
]
WHICH = [
    ("My boss is Ingrid", "My boss is Pavel"),
    ("The deadline is 9 May", "The deadline is 16 May"),
    ("The database is MariaDB", "The database is Oracle"),
    ("The ticket status is open", "The ticket status is closed"),
    ("我的导师是霍明远", "我的导师是戚云"),
    ("价格是 800 元", "价格是 760 元"),
    ("工单状态是处理中", "工单状态是已关闭"),
    ("I live in Porto", "I live in Braga"),
    ("我住宁波", "我住绍兴"),
]


@pytest.mark.parametrize(("one", "other"), HOW)
def test_how_it_is_leaves_which_it_is(one: str, other: str) -> None:
    """Both notes hold, and do not contradict each other."""
    notes = Kin()
    notes.put("n1", one)
    assert notes.overtaken(other) == []
    assert not conflict(one, other)


@pytest.mark.parametrize(("one", "other"), WHICH)
def test_another_one_takes_the_place(one: str, other: str) -> None:
    """Of what there is one at a time the later word holds."""
    notes = Kin()
    notes.put("n1", one)
    assert notes.overtaken(other) == ["n1"]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The bakery opens at 7", "The bakery opens at 8"),
        ("The coach leaves from bay 3", "The coach leaves from bay 12"),
        ("小邓会开叉车", "小邓不会开叉车"),
        ("Ivo likes jazz", "Ivo dislikes jazz"),
        ("The barn holds 200 people", "The barn holds 260 people"),
    ],
)
def test_two_values_without_an_order_are_told(one: str, other: str) -> None:
    """Both stay, and are known not to hold together."""
    notes = Kin()
    notes.put("n1", one)
    assert notes.overtaken(other) == []
    assert conflict(one, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Chapter 3 is hard", "Chapter 5 is hard"),
        ("Meet me at 7", "Meet Ana at 8"),
        ("We met in room 4", "We met in room 6"),
        ("小邓会开叉车", "小邓开会去了"),
        ("外甥周二上围棋课", "外甥周五上游泳课"),
    ],
)
def test_what_may_both_hold_is_not_told(one: str, other: str) -> None:
    """Another matter contradicts nothing."""
    assert not conflict(one, other)

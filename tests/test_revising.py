"""A later sentence that gives another value to what an earlier one told; and what only looks so."""

import pytest

from chyan_agent.messages import Message, Turn
from chyan_agent.state import Evidence
from chyan_agent.statements.evidence import extract, importance, line
from chyan_agent.statements.revising import revises
from chyan_agent.statements.succession import merge

REVISED = """
    闹钟从六点半改到六点吧 <- 闹钟定六点半
    货运费涨到 35 元一单了 <- 货运费 28 元一单
    抱歉，登机口写错了，是 C17 <- 登机口 C12
    主机地址换了，新的是 10.0.8.15 <- 主机地址 10.0.8.5
    车票改成 G1203 次 <- 车票是 G1187 次
    药量减到每天 2 片 <- 药量每天 3 片
    老板又说加一点，奖金提到 6500 元 <- 奖金 5000 元
    安装包升级到 v2.4.1 了 <- 安装包用 v2.3.0
    人又多了，午饭改订 21 份 <- 午饭订 18 份，不要辣
    更正一下，管家的电话不是 13905718820，是 13905718802，我抄错了 <- 管家姓林，电话 13905718820
    设计稿不用 Sketch 了，改用 Figma <- 设计稿就用 Sketch，大家熟
    The deposit went up, it's 900 euros now. <- The deposit comes to 700 euros.
    Correction: the train leaves at 19:05, I read the wrong row. <- The train leaves at 18:25.
    The lamp got updated, it runs firmware 3.9.0 now. <- The lamp runs firmware 3.8.1.
    It's getting hot, let the pump run 9 hours a day from now on. <- The pump runs 6 hours a day.
    Please send the parcels to depot 14 instead. <- Send the parcels to depot 92.
    Sorry, the gate code is 4471. <- The gate code: 4417.
    Change of plan: the workshop moved to March 9, same room. <- The workshop begins on March 3.
    We'll take the green tiles, not the yellow ones. <- Yellow tiles for the kitchen, please.
"""
BOTH_HOLD = """
    客厅的窗帘改成 2.6 米 <- 卧室的窗帘要 2.4 米宽
    测试环境的端口换成 8081 了 <- 生产环境的端口是 8080
    二期工程的预算调到 300 万 <- 一期工程的预算是 200 万
    奶奶的药改成一天 2 次 <- 爷爷的药一天 3 次
    话费涨到 59 元了 <- 水费每月 40 元，电话费另算
    这个月电费涨到 150 元 <- 上个月电费 120 元
    午饭改吃面了，花了 18 元 <- 午饭花了 29 元
    我现在还有 20 分钟 <- 从家到公司 35 分钟
    端口 8080 是订单服务，现在发票服务用 8081 <- 订单服务的端口是 8080
    客厅的窗帘 2.6 米 <- 客厅的窗帘 2.4 米
    猫粮换成 5 公斤装的 <- 行李限重 23 公斤
    是不是改成 9 点了？ <- 班车 8 点
    Leo's recital moved to June 20. <- Mia's recital is on June 12.
    The staging database moved to port 5433. <- The production database is on port 5432.
    Node A was upgraded to 3.2.1. <- Node B runs 3.1.0.
    Node B was upgraded to 3.2.1. <- Node A runs 3.1.0.
    Now it runs 3.9.0. <- The kiosk runs 3.8.1.
    Ana now swims 40 minutes. <- Ben swims 30 minutes.
    The meeting with Kim moved to 3 pm. <- The meeting with Lee is at 2 pm.
    I'm sorry, I paid 40 euros. <- I paid 30 euros.
    Chapter 4 moved to page 90. <- Chapter 3 starts on page 70.
    The garden code changed to 3311#. <- The garage code is 5518#.
    The invoices service uses 7102 now, orders is on 7101. <- The orders service is on port 7101.
    I do not drink coffee. <- The meeting about coffee is on March 3.
"""


def pairs(text: str) -> list[list[str]]:
    """Return the later and the earlier sentence of each line."""
    return [line.strip().split(" <- ") for line in text.strip().splitlines()]


@pytest.mark.parametrize(("new", "old"), pairs(REVISED))
def test_a_later_value_is_told_from_an_earlier_one(new: str, old: str) -> None:
    """No form is needed, and no word of a subject: what changed, and the kind of value, tell."""
    assert revises(new, old)
    assert not revises(old, old)


@pytest.mark.parametrize(("new", "old"), pairs(BOTH_HOLD))
def test_another_matter_is_left_as_it_is(new: str, old: str) -> None:
    """A value of somebody else, of another time or thing, or without a word of change."""
    assert not revises(new, old)


@pytest.mark.parametrize(("new", "old"), pairs(REVISED))
def test_what_was_said_before_revises_nothing_after_it(new: str, old: str) -> None:
    """The order counts: an earlier sentence speaks of no change."""
    assert not revises(old, new)


def kept(*said: str) -> list[Evidence]:
    """Return what is kept of turns in which a user says these."""
    pieces: tuple[Evidence, ...] = ()
    for number, text in enumerate(said, 1):
        pieces = merge(pieces, extract(Turn(number, (Message("user", text),))))
    return list(pieces)


def test_a_piece_says_where_it_was_changed() -> None:
    """It stays as it was said, for it may tell more; it weighs less from then on."""
    first, second = kept("管家姓林，电话 13905718820", "管家电话抄错了，是 13905718802")
    assert line(first) == "- （@t2 已改）管家姓林，电话 13905718820 @t1"
    assert line(second) == "- 管家电话抄错了，是 13905718802 @t2"
    assert importance(first, 2) < importance(second, 2) / 2
    told = kept("The train leaves at 18:25.", "Correction: the train leaves at 19:05.")
    assert line(told[0]) == "- (changed @t2) The train leaves at 18:25. @t1"


def test_it_is_the_last_change_that_counts() -> None:
    """Each value but the last is marked: as changed, or as history where nothing else is told."""
    lines = [line(e) for e in kept("货运费 28 元", "货运费涨到 35 元了", "货运费又涨到 41 元了")]
    assert lines == [
        "- （@t2 已改）货运费 28 元 @t1",
        "- （曾）货运费涨到 35 元了 @t2",
        "- 货运费又涨到 41 元了 @t3",
    ]


def test_where_two_could_be_meant_none_is_marked() -> None:
    """Which of the two rates changed is not clear."""
    lines = [line(e) for e in kept("北仓运费 28 元", "南仓运费 31 元", "运费涨到 35 元了")]
    assert [text for text in lines if "已改" in text] == []


@pytest.mark.parametrize(
    ("said", "clauses"),
    [
        (
            "说错了，导师的办公室是 B705，电话是 6610",
            ["说错了，导师的办公室是 B705", "电话是 6610"],
        ),
        (
            "Sorry, the office is B705, the phone is 6610",
            ["Sorry, the office is B705", "the phone is 6610"],
        ),
    ],
)
def test_what_announces_a_change_stays_before_it(said: str, clauses: list[str]) -> None:
    """Cut off, it would leave a mere statement, of which nobody can tell that it changed."""
    assert [piece.text for piece in extract(Turn(1, (Message("user", said),)))] == clauses

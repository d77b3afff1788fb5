"""What a hit holds of a question: right ones count, others are only near. In both scripts."""

from collections.abc import Iterable

import pytest

from chyan_agent.memory.index import Document, Engine, Query
from chyan_agent.memory.index.make import make_index

NOW = "2026-03-18T20:00:00"  # a Wednesday
STORE = [
    ("2026-03-16T09:00:00", "把露营车的刹车片换了"),
    ("2026-03-17T09:00:00", "Cleaned the gutters with Tomas"),
    ("2026-02-10T09:00:00", "上月底的体检一切正常"),
    ("2025-08-03T09:00:00", "訂單 TX-4410-B 走的是順豐"),
    ("2025-08-04T09:00:00", "网关是 172.16.9.4:8443，装了 libvips.so.42"),
    ("2025-08-05T09:00:00", "押金交了三千六，写在第十二条里"),
    ("2025-08-06T09:00:00", "见 RFC9110 和 ops/proxy/edge.conf"),
    ("2025-08-07T09:00:00", "孩子对虾仁过敏"),
    ("2025-08-08T09:00:00", "四月要去伊犁看杏花"),
]
RIGHT = [
    ("前天我做了什么", 0),
    ("昨天干嘛了", 1),
    ("what did I do yesterday?", 1),
    ("上个月我都干了啥", 2),
    ("最近三天我做了什么", 0),
    ("去年八月做过什么", 3),
    ("4月做什么", 8),
    ("1月体检结果", 2),
    ("露營車的剎車片", 0),
    ("订单走哪家快递", 3),
    ("4410", 3),
    ("172.16.9.4", 4),
    ("8443", 4),
    ("libvips.so", 4),
    ("押金3600元", 5),
    ("第12条", 5),
    ("RFC 9110", 6),
    ("edge.conf", 6),
    ("能吃虾吗", 7),
    ("虾", 7),
]
NOISE = [
    "2019年5月我去哪旅游了",
    "3月11日我订了哪家酒店",
    "in 2015 who was the president",
    "What did I order on 3 March 2021?",
    "第37页讲了什么",
    "第三条讲了什么",
    "那次地震是几级",
    "量子纠缠实验的进展如何",
    "她的结婚戒指多少钱",
    "10.2.3.4",
]


def met(store: Iterable[tuple[str, str]], question: Query, engine: Engine = "fields") -> set[int]:
    """Return the numbers of what meets a question."""
    made = make_index(engine)
    numbers = [made.add(Document(text, ts, "user", "s")) for ts, text in store]
    return made.meets(question, numbers)


@pytest.mark.parametrize(("question", "number"), RIGHT)
def test_what_answers_meets_the_question(question: str, number: int) -> None:
    """A word, an identifier by its part, a number as digits, or the time: each is enough."""
    assert number in met(STORE, Query(question, NOW))


@pytest.mark.parametrize("question", NOISE)
def test_what_is_only_near_meets_nothing(question: str) -> None:
    """Small words, a bare number, another day, or a pronoun make nothing an answer."""
    assert met(STORE, Query(question, NOW)) == set()


def test_a_time_is_met_as_finely_as_it_is_named() -> None:
    """A day is not met by its month, nor a month by another year's."""
    assert met(STORE, Query("3月16日我做了什么", NOW)) == {0}
    assert met(STORE, Query("2026年8月我做了什么", NOW)) == set()
    assert met(STORE, Query("2025年8月我做了什么", NOW)) == {3, 4, 5, 6, 7, 8}
    assert met(STORE, Query("周一我一般做什么", NOW)) == {0, 4}


def test_a_follow_up_is_met_by_its_context() -> None:
    """What stands in for the words that are left out counts like them."""
    assert met(STORE, Query("那个呢", NOW, ("押金交了多少",))) == {5}


def test_a_question_that_names_nothing_is_met_by_all() -> None:
    """Where there is nothing to judge by, nothing is called wrong; so does the engine of old."""
    everything = set(range(len(STORE)))
    assert met(STORE, Query("是什么呢", NOW)) == everything
    assert met(STORE, Query("火箭", NOW), "classic") == everything
    assert met(STORE, Query("火箭", NOW), "plain") == set()
    named = [make_index().is_named(Query(text, NOW)) for text in ("那个呢", "火箭", "昨天", "的?")]
    assert named == [False, True, True, True]
    assert make_index("classic").is_named(Query("火箭"))


def test_what_was_packed_is_met_too() -> None:
    """Postings on disk and in memory tell the same; of what was removed nothing is asked."""
    made = make_index()
    for ts, text in STORE:
        made.add(Document(text, ts, "user", "s"))
        made.settle()
    made.remove([0])
    assert made.meets(Query("edge.conf 的刹车片", NOW), range(1, len(STORE))) == {6}

"""A text is found in whatever form its question puts it: accents, times of the day, numbers."""

import pytest

from chyan_agent.memory.index import Document, Query
from chyan_agent.memory.index.make import make_index

STORE = (
    "The best croissants are at Café Orléans",
    "Frau Böttcher runs the Düsseldorf branch",
    "去舟山的轮渡 16:40 开",
    "Choir practice ends at quarter to nine",
    "瑜伽垫在周四晚上七点半的课上要带",
    "尾款还差四万六",
    "Śpiewak sold us the ladder",
    "押金付了 2,300",
    "葱油饼先醒面再擀，小火烙十分钟",
)


@pytest.mark.parametrize(
    ("question", "place"),
    [
        ("where is cafe orleans", 0),
        ("CAFÉ", 0),
        ("Who is Boettcher?", 1),
        ("bottcher dusseldorf", 1),
        ("Duesseldorf branch", 1),
        ("下午四点四十有什么", 2),
        ("what leaves at 4:40 pm?", 2),
        ("20:45 什么结束", 3),
        ("what is at 8.45 pm", 3),
        ("19:30 的课要带什么", 4),
        ("half past seven class", 4),
        ("46000 的尾款", 5),
        ("还差 4.6 万的是什么", 5),
        ("Spiewak", 6),
        ("两千三的押金", 7),
        ("要烙多久", 8),
    ],
)
def test_another_form_of_the_same(question: str, place: int) -> None:
    """The text comes first and answers the question."""
    index = make_index("fields")
    for text in STORE:
        index.add(Document(text, "2026-03-01T09:00:00", kind="note"))
    asked = Query(question, "2026-04-01T09:00:00", own=True)
    ((first, _), *_) = index.search(asked, 1)
    assert first == place
    assert place in index.meets(asked, range(len(STORE)))


@pytest.mark.parametrize("question", ["下午五点四十有什么", "Who is Bottin?", "要蒸多久"])
def test_another_value_answers_nothing(question: str) -> None:
    """What is near in form is another time, name, number."""
    index = make_index("fields")
    for text in STORE:
        index.add(Document(text, "2026-03-01T09:00:00", kind="note"))
    asked = Query(question, "2026-04-01T09:00:00", own=True)
    assert not index.meets(asked, range(len(STORE)))

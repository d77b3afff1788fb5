"""Feasts that a question names are days: by rule or from a table, the last one that was."""

from datetime import date

import pytest

from chyan_agent.memory.dates import asked
from chyan_agent.memory.feasts import feasts

NOW = date(2026, 8, 20)


@pytest.mark.parametrize(
    ("question", "first", "last"),
    [
        ("端午是怎么过的?", (2026, 6, 19), (2026, 6, 19)),
        ("中秋去了谁家?", (2025, 10, 6), (2025, 10, 6)),
        ("2023年中秋在哪?", (2023, 9, 29), (2023, 9, 29)),
        ("前年除夕谁做的饭?", (2024, 2, 9), (2024, 2, 9)),
        ("今年元宵吃了什么?", (2026, 3, 3), (2026, 3, 3)),
        ("国庆堵车吗?", (2025, 10, 1), (2025, 10, 7)),
        ("去年五一花了多少钱?", (2025, 5, 1), (2025, 5, 5)),
        ("what did i do on christmas day?", (2025, 12, 25), (2025, 12, 25)),
        ("who came over last halloween?", (2025, 10, 31), (2025, 10, 31)),
        ("new year's eve 2024 party", (2024, 12, 31), (2024, 12, 31)),
    ],
)
def test_a_feast_is_its_days(
    question: str, first: tuple[int, int, int], last: tuple[int, int, int]
) -> None:
    """Of a feast without a year the last one is meant."""
    (span,) = feasts(question, NOW)
    assert (span.first, span.last) == (date(*first), date(*last))


@pytest.mark.parametrize(
    "question",
    [
        "1999年春节在哪?",
        "2080年中秋",
        "五一路怎么走?",
        "十一个人够吗?",
        "节日快乐",
        "春" * 61 + "节?",
    ],
)
def test_what_is_no_known_feast(question: str) -> None:
    """Years beyond the table, other words, long talk."""
    assert list(feasts(question, NOW)) == []


def test_a_question_for_a_feast_finds_what_was_said_then() -> None:
    """Its day stands among the tokens; without a time of asking nothing is counted."""
    assert "@d6-19" in asked("端午那天我在做什么？", "2026-08-20")
    assert "@d12-25" in asked("What did I cook on Christmas Day?", "2026-08-20")
    assert asked("端午那天我在做什么？") == ()

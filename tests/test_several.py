"""Texts that ask for several things are taken apart, and only those."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chyan_agent.memory.several import LONGEST, questions

SEVERAL = {
    "我表哥今年多大了？另外，音乐节的规模是多少？": ("我表哥今年多大了？", "音乐节的规模是多少？"),
    "我的手机是什么型号？还有我住在哪个小区？": ("我的手机是什么型号？", "我住在哪个小区？"),
    "我錶哥多大了？另外他的公司在哪裡？": ("我錶哥多大了？", "他的公司在哪裡？"),
    "Where does Ann work? And when is the launch?": ("Where does Ann work?", "when is the launch?"),
    "谁管订单？谁管发票？服务器在哪？": ("谁管订单？", "谁管发票？", "服务器在哪？"),
}
ONE = [
    "",
    "我住在哪里？",
    "他住在哪？他多大了？",
    "新郎是我认识的人吗？如果是，是谁？",
    "Who is Ann? Where does she live?",
    "我今天去了公园。那里的花叫什么？",
    "谁？谁？谁？谁？",
    "a" * LONGEST + "? b?",
]


@pytest.mark.parametrize("text", SEVERAL)
def test_each_question_by_itself(text: str) -> None:
    """Two or three questions come without the words that join them."""
    assert questions(text) == SEVERAL[text]


@pytest.mark.parametrize("text", ONE)
def test_one_question_or_none(text: str) -> None:
    """What goes on about one thing, tells something or asks too much stays whole."""
    assert questions(text) == ()


@given(st.text(alphabet="他谁吗这a?？。,，另外 \n", max_size=40))
def test_parts_of_the_text(text: str) -> None:
    """Whatever is found stands in the text, in its order."""
    end = 0
    for part in questions(text):
        at = text.find(part, end)
        assert at >= end
        end = at + len(part)

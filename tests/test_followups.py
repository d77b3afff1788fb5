"""Follow-ups: a question that leans on the talk before it takes the words it leaves out."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chyan_agent.durable.transcript import Transcript
from chyan_agent.memory.followups import LINES, LONGEST, MESSAGES, expanded, leans
from chyan_agent.memory.store import Store

from .test_memory import clock, opened, talk, texts

LEANING = [
    "那个呢",
    "再算上 20",
    "他的上级",
    "那指标的端口呢？",
    "她的电话是多少",
    "为什么？",
    "还有呢",
    "第二个呢？",
    "多少錢？",
    "and hers?",
    "why?",
    "what about the second one?",
    "Who is her boss?",
    "how much was it?",
]
STANDING = [
    "备用钥匙在哪？",
    "生日",
    "rust",
    "50217 这个错误影响了多少订单",
    "ERR-50217 是怎么回事？",
    "我们的展位号是多少？",
    "临沂那家要什么样品？",
    "这个月瘦了多少公斤",
    "What did Maria have for dinner?",
    "Where do we keep the keys?",
    "那个下午她说想把阳台改成花房还要装一排带锁的柜子因为去年冬天有人翻进来拿走了工具箱所以这件事情到底是谁最后决定不做了呢？",
    "",
]


@pytest.mark.parametrize("question", LEANING)
def test_leaning_questions(question: str) -> None:
    """A question without a subject of its own leans on the talk."""
    assert leans(question)
    assert expanded(question, ["谁管发布？", "郎峰。"]) == ("郎峰。", "谁管发布？")


@pytest.mark.parametrize("question", STANDING)
def test_standing_questions(question: str) -> None:
    """A question that says what it is about is left as it is."""
    assert not leans(question)
    assert expanded(question, ["谁管发布？", "郎峰。"], ["发布归郎峰"]) == ()


def test_nothing_said_before() -> None:
    """The first question of a talk has nothing to lean on."""
    assert expanded("那个呢", []) == expanded("那个呢", ["", "  "]) == ()


@pytest.mark.parametrize(
    ("question", "answer", "chosen"),
    [
        ("第二个呢？", "有三条产品线：快单、云仓和冷链。", "云仓"),
        ("那第三条呢", "1. 写进校验\n2. 改阈值\n3. 补用例", "补用例"),
        ("what about the second one?", "- hammer\n- saw\n- drill", "saw"),
        ("后者呢", "快单和冷链", "冷链"),
        ("and the last one?", "1. hammer\n2. saw", "saw"),
    ],
)
def test_a_place_in_a_list(question: str, answer: str, chosen: str) -> None:
    """What a question points at by its place stands in for it, and not the rest of the list."""
    assert expanded(question, ["有哪些？", answer]) == (chosen, "有哪些？")


def test_a_place_that_is_not_there() -> None:
    """The ninth of three is none of them: the whole answer stands in."""
    assert expanded("第九个呢", ["有哪些？", "快单、云仓、冷链"])[0] == "快单、云仓、冷链"


def test_evidence_that_shares_names() -> None:
    """Kept lines about the same names are added, the closest first; others are not."""
    kept = ["年假七天 @t2", "阮清和的上级是霍廷 @t3", "阮清和负责产品部 @t4"]
    found = expanded("她的上级", ["产品部谁负责？", "阮清和。"], kept)
    assert found[2:] == ("阮清和负责产品部 @t4", "阮清和的上级是霍廷 @t3")


@given(st.text(), st.lists(st.text(), max_size=6), st.lists(st.text(), max_size=6))
def test_any_talk(question: str, turns: list[str], evidence: list[str]) -> None:
    """No talk is too strange, and what stands in is short."""
    found = expanded(question, turns, evidence)
    assert len(found) <= MESSAGES + LINES
    assert all(len(text) <= LONGEST for text in found)


@pytest.fixture
def told(tmp_path: Path) -> Iterator[Store]:
    """A memory of a talk that ended with who answers for the products."""
    log = Transcript(tmp_path / "conversation.jsonl", clock=clock)
    said = ["霍廷的上级是董事会。", "阮清和的上级是霍廷。", "米嘉的上级是卓安。", "门禁只开三层。"]
    talk(log, *((text, "记下了。") for text in said), ("产品部谁负责？", "阮清和。"))
    memory = opened(tmp_path, log)
    yield memory
    memory.close()
    log.close()


def test_a_follow_up_is_recalled_by_the_talk(told: Store) -> None:
    """His superior is the superior of whom the talk was about."""
    assert texts(told, "她的上级", 1)[0].startswith("阮清和的上级是霍廷。")


def test_a_follow_up_is_recalled_by_what_is_kept(tmp_path: Path) -> None:
    """What the talk only points at, the evidence names."""
    memory = opened(tmp_path)
    for turn, text in enumerate(("冷链的毛利是三成四。", "云仓的毛利是两成。"), 1):
        memory.remember(text, turn=turn, source="user")
    kept = ["毛利最高的产品线是冷链 @t7"]
    assert memory.recall("毛利最高的那个呢", 1, evidence=kept)[0].text.startswith("冷链")
    memory.close()

"""What is asked of the model, what of its answer is believed, what the summary keeps."""

import pytest

from chyan_agent.compaction import ask_for_facts, facts_from, summarize
from chyan_agent.messages import Message
from chyan_agent.model import Reply
from chyan_agent.state import Summary
from chyan_agent.window import summary_messages

from .made import FRAME, METER, budget, spoken, worked

TEXTS = FRAME.texts


def said(text: str, finish: str = "stop") -> Reply:
    """Return a model's answer."""
    return Reply(Message("assistant", text), finish=finish)


@pytest.mark.parametrize("size", [10, 2_000, 200_000])
def test_a_compaction_request_passes_the_same_gate(size: int) -> None:
    """However large the turns, the request that condenses them fits."""
    turns = [worked(n, ["r" * size], "a" * size) for n in range(1, 8)]
    plan = budget(6000, 2000)
    asked = ask_for_facts(
        turns, Summary(facts=("f @t1",)), budget=plan, meter=METER, texts=TEXTS, ratio=0.3
    )
    assert asked.ledger.total <= plan.allowed
    assert METER.messages(asked.request.messages) + 3 == asked.ledger.total
    assert 0 < asked.request.max_output <= plan.reserved
    assert not asked.request.tools
    assert asked.request.messages[0].content.startswith("[compact]")


def test_a_compaction_asks_for_no_more_output_than_is_reserved() -> None:
    """A tiny reserve holds for a compaction as well: input and output share the window."""
    plan = budget(3000, 40)
    turns = [spoken(1, "a" * 9000)]
    asked = ask_for_facts(turns, Summary(), budget=plan, meter=METER, texts=TEXTS, ratio=0.3)
    assert asked.ledger.total + asked.request.max_output <= plan.limit


def test_lines_become_facts_that_cite_their_turn() -> None:
    """Bullets of any style are taken off; a line without a source gets the block's."""
    text = "Facts:\n- port is 8080 @t3\n2. likes tea\n\n"
    facts, rejected = facts_from(said(text), "@t3\n8080", 7)
    assert facts == ("port is 8080 @t3", "likes tea @t7")
    assert rejected == 0


@pytest.mark.parametrize(
    ("line", "fact"),
    [
        ("- port 8080 (@t3).", "port 8080 @t3"),
        ("- 端口 8080【@t3】。", "端口 8080 @t3"),
        ("- port 8080 @t99", "port 8080 @t5"),
        ("| port | 8080 | @t3", "| port | 8080 | @t3"),
        ("**port**: 8080 @t3", "**port**: 8080 @t3"),
    ],
)
def test_a_fact_cites_one_turn_that_exists(line: str, fact: str) -> None:
    """However a model writes the source of a line; one that it made up is the block's."""
    assert facts_from(said(line), "@t3\n端口 port 8080\n@t5\nok", 5)[0] == (fact,)


@pytest.mark.parametrize(
    "text", ["", " \n\n", "---\n***\n```", "|---|---|", "# Facts", "**Facts:**\n**事实**：", "@t3"]
)
def test_marks_without_words_are_no_facts(text: str) -> None:
    """Headings, rulers, fences and empty bullets say nothing, and nothing is refused."""
    assert facts_from(said(text), "@t3", 5) == ((), 0)


@pytest.mark.parametrize(
    "line",
    [
        "I'm sorry, but I can't help with that.",
        "抱歉，我无法总结这段对话。",
        "Here is the summary of the conversation:",
        "以下是对话摘要",
        "No key facts found.",
        "- 用户打了招呼",
        "- The user thanked the assistant.",
        "- 好的，收到！",
        "As an AI language model, I have no access to earlier turns.",
        "none",
    ],
)
def test_talk_is_no_fact(line: str) -> None:
    """What a model says of itself, apologises for or chats about is left out, nothing else."""
    text = f"{line}\n- Anna can't eat nuts\n- 客户无法访问内网"
    facts, rejected = facts_from(said(text), "", 3)
    assert (facts, rejected) == (("Anna can't eat nuts @t3", "客户无法访问内网 @t3"), 0)


def test_a_paragraph_is_believed_sentence_by_sentence() -> None:
    """A model that writes no list loses only the sentence that it made up."""
    text = " ".join(f"Server {n} is called alpha and runs in the north hall." for n in range(9))
    source = text.replace("Server 7", "Server 70")
    facts, rejected = facts_from(said(text), source, 2)
    assert (len(facts), rejected) == (8, 1)
    assert facts[0] == "Server 0 is called alpha and runs in the north hall. @t2"


@pytest.mark.timeout(120)
@pytest.mark.parametrize("text", ["a." * 50_000, "- x1y2\n" * 10_000, "1 11 " * 20_000])
def test_whatever_a_model_writes_is_read_in_linear_time(text: str) -> None:
    """A hostile or broken summary does not hold the turn up."""
    facts_from(said(text), "1" * 20_000, 5)


@pytest.mark.parametrize(
    "invented", ["total is 128", "总和是 128", "order ORD-77", "version 2.1.0", "at 10:45"]
)
def test_invented_numbers_and_identifiers_are_refused(invented: str) -> None:
    """A line that names what its source does not hold is not believed."""
    source = "总和是 12，订单 ORD-7，total 1280, version 2.1"
    facts, rejected = facts_from(said(f"- {invented}\n- 总和是 12"), source, 4)
    assert facts == ("总和是 12 @t4",)
    assert rejected == 1


def test_numbers_are_the_same_however_they_are_written() -> None:
    """Thousands separators and full-width digits don't make a number another one."""
    facts, _ = facts_from(said("- 预算 12000 元"), "预算是 １２,０００ 元", 1)
    assert facts == ("预算 12000 元 @t1",)


def test_a_line_that_was_cut_off_is_left_out() -> None:
    """When the output limit ended the answer, its last line is unfinished."""
    facts, _ = facts_from(said("- one\n- tw", "length"), "", 1)
    assert facts == ("one @t1",)


def summed(old: Summary, facts: tuple[str, ...], cap: int, evidence: bool = True) -> Summary:
    """Summarize one turn of statements."""
    turn = spoken(5, "我的端口是 8080。订单号是 ORD-20391。", "记下了")
    return summarize(old, [turn], facts, evidence=evidence, cap=cap, meter=METER, texts=TEXTS)


def test_a_summary_never_exceeds_its_cap() -> None:
    """Facts and evidence share a hard cap, whatever is put into them."""
    summary = Summary()
    for round_ in range(40):
        summary = summed(summary, (f"fact {round_} " + "x" * 50,), 900)
        assert METER.messages(summary_messages(summary, TEXTS)) <= 900
    assert summary.facts[-1].startswith("fact 39")
    assert summary.evidence


def test_a_fact_that_is_too_long_costs_no_other_fact() -> None:
    """A line that no summary can hold is left out alone."""
    summary = summed(Summary(facts=("old fact @t1",)), ("x" * 5000 + " @t5", "new @t5"), 900)
    assert summary.facts == ("old fact @t1", "new @t5")


def test_evidence_is_verbatim_and_facts_are_not_condensed_again() -> None:
    """Identifiers stand as they were said, and earlier facts stay word for word."""
    summary = summed(Summary(facts=("old fact @t1",)), ("new fact @t5",), 4000)
    assert summary.facts == ("old fact @t1", "new fact @t5")
    assert any("ORD-20391" in e.text for e in summary.evidence)
    assert summary.through == 5


def test_a_strategy_without_evidence_has_none() -> None:
    """The plain summary holds the model's facts alone."""
    assert summed(Summary(), ("a @t5",), 4000, evidence=False).evidence == ()

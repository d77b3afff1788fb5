"""Condensing: some facts are lost, as in real summaries, and none is made up."""

from collections.abc import Sequence
from typing import Any

import pytest

from chyan_agent.messages import Message, to_wire
from chyan_agent.offline.condense import asked, condense
from chyan_agent.offline.desk import Desk
from chyan_agent.offline.options import Options
from chyan_agent.offline.wire import Answer
from chyan_agent.prompts.core import EN, ZH, CoreTexts

from .toolbox import COUNT

FACTS = [f"仓库 {n} 的编号是 W-{n * 7}" for n in range(1, 201)]


def request(lines: Sequence[str], texts: CoreTexts = ZH, earlier: str = "") -> list[dict[str, Any]]:
    """Return a compaction request as the agent writes it."""
    body = f"{texts.compact_turns}\n" + "\n".join(lines)
    body = f"{texts.compact_earlier}\n{earlier}\n\n{body}" if earlier else body
    system = Message("system", texts.compact_system.format(percent=30))
    return [to_wire(system), to_wire(Message("user", body))]


def run(
    messages: Sequence[Any], *, loss: float = 0.0, seed: int = 0, room: int = 9000
) -> list[str]:
    """Return the lines of a condensation."""
    return condense(messages, loss=loss, seed=seed, max_tokens=room, count=COUNT).split("\n")


@pytest.mark.parametrize("texts", [ZH, EN])
def test_a_compaction_request_is_known_by_its_system_message(texts: CoreTexts) -> None:
    """The marker tells it, in both languages; nothing else is taken for one."""
    assert asked(request(["x"], texts))
    assert not asked(
        [{"role": "system", "content": texts.system}, {"role": "user", "content": "x"}]
    )
    assert not asked([{"role": "user", "content": "[compact] condense 压缩为关键事实"}])


@pytest.mark.parametrize("prompt", ["请把对话压缩为关键事实列表", "Condense this dialogue."])
def test_other_callers_are_understood_too(prompt: str) -> None:
    """A system message that asks to condense needs no marker."""
    assert asked([{"role": "system", "content": prompt}, {"role": "user", "content": "x"}])


def test_facts_are_kept_with_their_turn() -> None:
    """Informative lines stay as they were said and cite their turn; small talk is left out."""
    lines = ["@t7", "user: 你好！我的车牌是 A-318。今天几号？", "assistant: 好的，知道了。"]
    lines += ["@t8", "user: The port is now 9100.", "call read: {}", "tool: {}", "assistant: 谢谢"]
    assert run(request(lines)) == ["- 我的车牌是 A-318 @t7", "- The port is now 9100 @t8"]


def test_an_earlier_summary_is_not_repeated() -> None:
    """What already stands in the summary is not condensed again."""
    lines = run(request(["@t9", "user: 预算是 500"], earlier="- 车牌是 A-318 @t7"))
    assert lines == ["- 预算是 500 @t9"]


def test_a_share_is_lost() -> None:
    """About the configured share of facts is missing, by seed and line, the same every time."""
    messages = request([f"user: {fact}" for fact in FACTS])
    kept = run(messages, loss=0.3)
    assert 110 <= len(kept) <= 170
    assert kept == run(messages, loss=0.3)
    assert kept != run(messages, loss=0.3, seed=1)
    assert len(run(messages)) == len(FACTS)


def test_nothing_is_invented() -> None:
    """Every line stands in the source."""
    lines = [f"user: {fact}。真好。" for fact in FACTS]
    source = "\n".join(lines)
    assert all(line.removeprefix("- ") in source for line in run(request(lines), loss=0.5))


def test_it_keeps_to_its_room() -> None:
    """The answer fits into `max_tokens`; the newest facts are kept."""
    lines = run(request([f"user: {fact}" for fact in FACTS]), room=100)
    assert COUNT("\n".join(lines)) <= 100
    assert lines[-1] == f"- {FACTS[-1]}"


def test_nothing_worth_keeping_is_still_an_answer() -> None:
    """A condensation of small talk is not empty: an empty assistant message is malformed."""
    assert run(request(["user: 你好", "assistant: 你好！"])) == ["-"]


def test_the_server_condenses() -> None:
    """The desk answers a compaction request by condensing, with the loss it was given."""
    messages = request([f"user: {fact}" for fact in FACTS])
    answer = Desk(Options(loss=1.0)).answer({"model": "m", "messages": messages})
    assert isinstance(answer, Answer)
    assert answer.said.text == "-"

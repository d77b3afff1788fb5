"""Laws of the checks: what counts as the value in an answer."""

from pathlib import Path

import pytest

from chyan_agent.rig.checks import (
    Answered,
    AnswerLacks,
    AnswerLists,
    EvidenceSent,
    FileAbsent,
    FileHas,
    FileIs,
    Noted,
    Outcome,
    ToolUnused,
    ToolUsed,
    both,
    has,
)
from chyan_agent.rig.matching import contains, coverage

HERE = Path("nowhere")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("结果是 396", "396"),
        ("共12个", "12"),
        ("结果：12。", "12"),
        ("It is 6,120 tokens", "6120"),
        ("即 12.50 元", "12.5"),
        ("差是 -5", "-5"),
        ("差是 \N{MINUS SIGN}5", "-5"),
        ("走了 12km", "12"),
        ("１２ 个", "12"),
        ("17*23+5 = 396", "396"),
        ("端口8080", "8080"),
        ("日期是 2024-03-01。", "2024-03-01"),
        ("负责人是林晓彤，放心", "林晓彤"),
        ("Port: V2.7.1", "v2.7.1"),
    ],
)
def test_a_value_is_found_as_a_whole(text: str, value: str) -> None:
    """Width, grouping, trailing zeros, units and neighbouring Chinese don't hide a value."""
    assert contains(text, value)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("结果是 128", "12"),
        ("结果是 312", "12"),
        ("1.12", "12"),
        ("12.5", "12"),
        ("at 12:30", "12"),
        ("2024-03-12", "12"),
        ("id X-12", "12"),
        ("12ab34", "12"),
        ("-12", "12"),
        ("1,200", "200,5"),
        ("updated", "date"),
        ("v2.7.13", "v2.7.1"),
        ("hello", "HELLO!"),
    ],
)
def test_a_part_of_something_else_is_not_the_value(text: str, value: str) -> None:
    """12 is not in 128, nor in a date, a time, a fraction, a negative or an identifier."""
    assert not contains(text, value)


def test_a_comma_list_is_not_only_one_number() -> None:
    """Commas may group digits or separate numbers; both readings are tried."""
    assert contains("100,200", "200")
    assert contains("100,200", "100200")


def test_case_counts_when_asked_for() -> None:
    """An uppercased text is not the text that was given."""
    outcome = Outcome("hello", HERE)
    assert has("HELLO").judge(outcome).ok
    assert not has("HELLO", exact=True).judge(outcome).ok


def test_a_stale_value_fails() -> None:
    """An answer that still names the old value is wrong, and the verdict says why."""
    verdict = both(has("9090"), AnswerLacks("8080")).judge(Outcome("8080，现在 9090", HERE))
    assert not verdict.ok
    assert "8080" in verdict.why


@pytest.mark.parametrize("text", ["[1, 2, 10]", "结果是 1、2、10。", "1 2 10", "- 1\n- 2\n- 10"])
def test_a_list_may_be_written_in_many_ways(text: str) -> None:
    """Only the items and their order count."""
    assert AnswerLists(("1", "2", "10")).judge(Outcome(text, HERE)).ok


@pytest.mark.parametrize("text", ["2, 1, 10", "1, 2, 3, 10", "1, 2, 100", "11, 2, 10"])
def test_another_list_fails(text: str) -> None:
    """Order, gaps and longer numbers are mistakes."""
    assert not AnswerLists(("1", "2", "10")).judge(Outcome(text, HERE)).ok


def test_files_are_compared_as_text_or_as_a_number(tmp_path: Path) -> None:
    """A trailing newline and a trailing zero are no difference; anything else is."""
    (tmp_path / "n.txt").write_text("12.50\n", encoding="utf-8")
    outcome = Outcome("", tmp_path)
    assert FileIs("n.txt", "12.5").judge(outcome).ok
    assert not FileIs("n.txt", "12.5 元").judge(outcome).ok
    assert FileHas("n.txt", "12.5").judge(outcome).ok
    assert not FileHas("n.txt", "2.5").judge(outcome).ok
    assert FileAbsent("m.txt").judge(outcome).ok
    assert not FileAbsent("n.txt").judge(outcome).ok


def test_a_missing_or_binary_file_fails_plainly(tmp_path: Path) -> None:
    """The verdict names the file; nothing is raised."""
    (tmp_path / "b.bin").write_bytes(b"\xff\xfe")
    outcome = Outcome("", tmp_path)
    for check in (FileIs("a", "x"), FileHas("a", "x"), FileIs("b.bin", "x")):
        verdict = check.judge(outcome)
        assert (verdict.ok, "missing" in verdict.why) == (False, True)


def test_notes_and_tools_are_looked_up() -> None:
    """A note must hold all words; a tool counts by its name."""
    outcome = Outcome("好", HERE, notes=lambda: ["端口是 8080", "城市是 Wuhan"], tools=("read",))
    assert Noted(("端口", "8080")).judge(outcome).ok
    assert not Noted(("端口", "Wuhan")).judge(outcome).ok
    assert both(ToolUsed("read"), ToolUnused("write"), Answered()).judge(outcome).ok
    assert not ToolUsed("write").judge(outcome).ok
    assert not ToolUnused("read").judge(outcome).ok
    assert not Answered().judge(Outcome("  ", HERE)).ok


def test_evidence_is_compared_by_its_wording() -> None:
    """Punctuation, spaces and case don't matter; most of a long text must have been sent."""
    long = "".join(f"这是第{n}句不同的话。" for n in range(20))
    assert coverage("Hello, World!", "… hello world …") == 1.0
    assert coverage(long, long[:40]) < 0.5 < coverage(long, long[:150])
    assert coverage("", "x") == 0.0
    outcome = Outcome("", HERE, sent=lambda: "端口是8080。")
    assert EvidenceSent(("不在", "端口是 8080")).judge(outcome).ok
    assert not EvidenceSent(("不在",)).judge(outcome).ok

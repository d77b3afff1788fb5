"""The index beside the log: read back it answers alike; losing or spoiling it costs time."""

from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

import pytest

from chyan_agent.durable.transcript import Transcript
from chyan_agent.memory import archive
from chyan_agent.memory.history import TranscriptHistory
from chyan_agent.memory.index import ranked
from chyan_agent.memory.index.blocks import START, BlockFile, blocks, packed
from chyan_agent.memory.index.fields import Fields, fields_of
from chyan_agent.memory.index.keep import FEW_BLOCKS
from chyan_agent.memory.segment import Cut
from chyan_agent.memory.store import Store, open_memory
from chyan_agent.messages import Message, Turn
from chyan_agent.state import MessageAdded, Rewound, State

ticks = count()
QUESTIONS = ("端口", "猫", "3月1日", "蓝鲸", "what is the port?", "没有的东西")


def clock() -> str:
    """A clock that never stands still."""
    return f"2026-03-01T00:{next(ticks) // 60 % 60:02}:{next(ticks) % 60:02}Z"


@pytest.fixture
def transcript(tmp_path: Path) -> Iterator[Transcript]:
    """A transcript of a few turns."""
    log = Transcript(tmp_path / "conversation.jsonl", clock=clock)
    say(log, 1, "端口设为 8080", "好的")
    say(log, 2, "我养了一只猫，叫蓝鲸", "真好")
    say(log, 3, "what is the port?", "It is 8080.")
    yield log
    log.close()


def say(log: Transcript, turn: int, question: str, answer: str) -> None:
    """Record a turn."""
    log.append(MessageAdded(turn, Message("user", question)))
    log.append(MessageAdded(turn, Message("assistant", answer)))


def opened(
    log: Transcript, *, writable: bool = True, indexes: bool = True, segmenter: str = "builtin"
) -> Store:
    """Open the memory beside a transcript."""
    return open_memory(
        log.path.with_name("memories.jsonl"),
        segmenter_name=segmenter,
        history=TranscriptHistory(log),
        index_path=idx(log),
        index_writable=indexes,
        clock=lambda: "2026-04-01T00:00:00Z",
        writable=writable,
    )


def idx(log: Transcript) -> Path:
    """Return the path of the index."""
    return log.path.with_name("recall.idx")


def answers(memory: Store) -> list[object]:
    """Return what is found for some questions."""
    return [memory.recall(question, 5) for question in QUESTIONS]


@pytest.fixture
def expected(transcript: Transcript) -> list[object]:
    """What is found by an index that was written and closed."""
    memory = opened(transcript)
    memory.remember("端口的事归小王管", turn=2, source="user")
    memory.remember("猫粮是三文鱼味的", turn=3, source="user")
    found = answers(memory)
    assert any(found)
    memory.close()
    assert idx(transcript).stat().st_mode & 0o777 == 0o600
    return found


@pytest.fixture
def cut_texts(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The texts that are cut to be indexed."""
    seen: list[str] = []

    def watched(text: str, cut: Cut) -> Fields:
        seen.append(text)
        return fields_of(text, cut)

    monkeypatch.setattr(ranked, "fields_of", watched)
    return seen


def test_read_back(transcript: Transcript, expected: list[object], cut_texts: list[str]) -> None:
    """An index that was read back answers just the same, and no text is cut again."""
    assert answers(opened(transcript)) == expected
    assert cut_texts == []


def test_who_may_only_read_the_index(
    transcript: Transcript, expected: list[object], cut_texts: list[str]
) -> None:
    """The index that another process writes is used as it is; only what is new is cut."""
    before = idx(transcript).read_bytes()
    memory = opened(transcript, indexes=False)
    memory.remember("狗粮是牛肉味的", turn=3, source="user")
    assert answers(memory) and memory.recall("狗粮", 1)[0].kind == "note"
    memory.close()
    assert cut_texts == ["狗粮是牛肉味的"]
    assert idx(transcript).read_bytes() == before


def test_only_what_is_new_is_cut(
    transcript: Transcript, expected: list[object], cut_texts: list[str]
) -> None:
    """What was said since is added, by one process after the other, as if indexed at once."""
    for turn in range(4, 4 + FEW_BLOCKS + 3):
        say(transcript, turn, f"第{turn}只猫", "喵")
        memory = opened(transcript)
        memory.recall("猫", 3)
        memory.close()
    assert len(cut_texts) == 2 * (FEW_BLOCKS + 3)
    kept = answers(opened(transcript))
    idx(transcript).unlink()
    assert kept == answers(opened(transcript))


def test_a_large_index_is_not_written_anew(transcript: Transcript) -> None:
    """What is added to a large index is written behind it, until that is as much again."""
    say(transcript, 4, "。".join(f"第{number}只猫" for number in range(3000)), "喵")
    written = b""
    for turn in range(5, 5 + 3 * FEW_BLOCKS):
        say(transcript, turn, f"第{turn}只猫", "喵")
        memory = opened(transcript)
        memory.recall("猫", 3)
        memory.close()
        before, written = written, idx(transcript).read_bytes()
        assert len(list(blocks(written))) == turn - 4
        assert written.startswith(before)


@pytest.mark.parametrize("interrupted", [0, 1, 2, 3, 4])
def test_an_interruption_loses_nothing(
    transcript: Transcript, monkeypatch: pytest.MonkeyPatch, interrupted: int
) -> None:
    """Whatever text it strikes, all is found afterwards, and what was written is not cut again."""
    monkeypatch.setattr(archive, "PACKED", 2)
    cut: list[str] = []

    def watched(text: str, how: Cut) -> Fields:
        cut.append(text)
        if len(cut) == interrupted + 1:
            raise KeyboardInterrupt
        return fields_of(text, how)

    say(transcript, 4, "鲸" * 5000, "好的")
    memory = opened(transcript)
    monkeypatch.setattr(ranked, "fields_of", watched)
    with pytest.raises(KeyboardInterrupt):
        memory.recall("端口", 3)
    found = memory.recall("端口", 3)
    memory.close()
    again = opened(transcript)
    assert again.recall("端口", 3) == found
    again.close()
    assert len(cut) <= 9 + 2 + 1
    idx(transcript).unlink()
    assert answers(opened(transcript)) == answers(again)


@pytest.mark.parametrize(
    "spoil",
    [
        lambda data: b"",
        lambda data: data[:-1],
        lambda data: data[: len(START) + 5],
        lambda data: data + b"torn",
        lambda data: data[:200] + bytes([data[200] ^ 1]) + data[201:],
        lambda data: b"a diary" + data,
        lambda data: data + data[len(START) :],
        lambda data: START + b"".join(packed({"recipe": []}, {})),
        lambda data: START + b"".join(packed({}, {})),
    ],
    ids=["empty", "cut", "short", "tail", "flipped", "foreign", "twice", "recipe", "bare"],
)
def test_spoilt(
    transcript: Transcript, expected: list[object], spoil: Callable[[bytes], bytes]
) -> None:
    """A torn, spoilt or foreign index changes no answer, and is whole again afterwards."""
    path = idx(transcript)
    path.write_bytes(spoil(path.read_bytes()))
    memory = opened(transcript)
    assert answers(memory) == expected
    say(transcript, 4, "端口改成 9090", "好")
    memory.recall("端口", 1)
    memory.close()
    data = path.read_bytes()
    assert [end for _, _, end in blocks(data)][-1] == len(data)
    fresh = opened(transcript)
    assert fresh.recall("9090", 1)[0].turn == 4


def test_every_flipped_bit_is_noticed(
    transcript: Transcript, expected: list[object], cut_texts: list[str]
) -> None:
    """Wherever a byte of the index changes, the texts are cut anew: no wrong number is believed."""
    path = idx(transcript)
    whole = path.read_bytes()
    for at in range(0, len(whole), len(whole) // 12):
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 4]) + whole[at + 1 :])
        cut_texts.clear()
        assert answers(opened(transcript, writable=False)) == expected
        assert cut_texts


def test_of_another_zone(
    transcript: Transcript,
    expected: list[object],
    cut_texts: list[str],
    tz: Callable[[str], None],
) -> None:
    """An index made where days begin at another hour is made anew."""
    tz("Asia/Shanghai")
    memory = opened(transcript)
    assert memory.recall("猫", 1) and cut_texts
    memory.close()
    cut_texts.clear()
    assert opened(transcript).recall("猫", 1) and not cut_texts


def test_of_another_log(transcript: Transcript, expected: list[object], tmp_path: Path) -> None:
    """An index of another transcript, of other notes or another segmentation is not used."""
    other = Transcript(tmp_path / "other" / "conversation.jsonl", clock=clock)
    for turn in range(1, 4):
        say(other, turn, f"别的话题{turn}", "嗯")
    for name in ("recall.idx", "memories.jsonl"):
        (tmp_path / "other" / name).write_bytes((tmp_path / name).read_bytes())
    assert {hit.kind for hit in opened(other).recall("端口", 5)} == {"note"}
    assert opened(other).recall("话题", 1)
    notes = transcript.path.with_name("memories.jsonl")
    notes.write_bytes(b"")
    assert {hit.kind for hit in opened(transcript).recall("端口", 5)} == {"message"}
    other.close()


def test_rewinds_between_runs(transcript: Transcript, expected: list[object]) -> None:
    """What a rewind took back since the index was written is not found, nor after a third start."""
    transcript.append(Rewound(1, State(turns=(Turn(1),), last_turn=1)))
    for _ in range(2):
        memory = opened(transcript)
        found = memory.recall("蓝鲸", 5)
        assert "蓝鲸" not in "".join(hit.text for hit in found)
        say(transcript, 2, f"灰鲸{ticks}", "嗯")
        assert "灰鲸" in memory.recall("灰鲸", 1)[0].text
        memory.close()


def test_all_of_a_long_text_is_found(transcript: Transcript) -> None:
    """Beginning, middle, cuts and end of a long message: each is found, with what is about it."""
    marks = {0: "起点是雁荡", 3790: "cut at KR-1120", 60_000: "中段有鸬鹚", 119_000: "末尾写着苔原"}
    text = "".join(f"{'。普普通通的一句' * 15_000}")[:120_000]
    for at, mark in marks.items():
        text = f"{text[:at]}。{mark}。{text[at + len(mark) + 2 :]}"
    say(transcript, 4, text, "读完了")
    say(transcript, 5, "别的", "嗯")
    memory = opened(transcript)
    for question, mark in zip(("雁荡", "KR-1120", "鸬鹚", "苔原"), marks.values(), strict=True):
        found = memory.recall(question, 5)
        assert [hit.turn for hit in found if mark in hit.text] == [4]
        assert [hit.turn for hit in found].count(4) == 1
        assert found[0].beside == ("It is 8080.", "读完了")
    memory.close()
    assert "鸬鹚" in opened(transcript).recall("鸬鹚", 1)[0].text


def test_the_parts_of_a_text_give_one_hit(transcript: Transcript) -> None:
    """A long text that holds a word all over crowds nothing out, and shows what is apart in it."""
    lines = [f"第{n}行 温室 正常" for n in range(6000)]
    lines[40], lines[5900] = "温室 阀门型号 VB-21", "温室 阀门压力 3.4 bar"
    say(transcript, 4, "\n".join(lines), "读完了")
    say(transcript, 5, "温室归老韩管", "好")
    memory = opened(transcript)
    assert {4, 5} <= {hit.turn for hit in memory.recall("温室", 3)}
    (hit,) = (hit for hit in memory.recall("温室阀门的型号和压力", 5) if hit.turn == 4)
    assert "VB-21" in hit.text and "3.4 bar" in hit.text


def test_a_follow_up_is_not_met_by_what_it_leans_on(transcript: Transcript) -> None:
    """The talk holds its own words: these make it no answer to what is asked after it."""
    memory = opened(transcript)
    say(transcript, 4, "阿黎在渡口边租了间画室", "好的")
    assert not any(hit.met for hit in memory.recall("他的护照呢", 3))
    assert [hit.text for hit in memory.recall("那间画室呢", 3) if hit.met][0].startswith("阿黎")


def test_parts_of_the_turn_being_answered_are_not_found(transcript: Transcript) -> None:
    """A long message is hidden whole while its turn runs, and gone whole after a rewind."""
    filler = "无关的话。" * 2000
    transcript.append(MessageAdded(4, Message("user", f"{filler}白鹭{filler}")))
    memory = opened(transcript)
    assert memory.recall("白鹭", 3) == []
    transcript.append(MessageAdded(4, Message("assistant", "好")))
    assert [hit.turn for hit in memory.recall("白鹭", 3)] == [4]
    transcript.append(Rewound(3, State(turns=(Turn(3),), last_turn=3)))
    assert memory.recall("白鹭", 3) == []


def test_superseded_notes(transcript: Transcript, expected: list[object]) -> None:
    """A note that was replaced after it was indexed is not returned as current."""
    memory = opened(transcript)
    memory.remember("猫粮改成鸡肉味的", turn=4, source="user")
    (first, *_) = found = memory.recall("猫粮", 5)
    assert (first.text, first.replaces) == ("猫粮改成鸡肉味的", "猫粮是三文鱼味的")
    memory.close()
    assert opened(transcript).recall("猫粮", 5) == found


def test_looking_writes_nothing(transcript: Transcript, expected: list[object]) -> None:
    """Who only looks reads the index and leaves it alone."""
    say(transcript, 4, "又一只猫", "喵")
    before = idx(transcript).read_bytes()
    memory = opened(transcript, writable=False)
    assert memory.recall("又一只", 1)
    memory.close()
    assert idx(transcript).read_bytes() == before


def test_where_nothing_can_be_written(transcript: Transcript) -> None:
    """Without a place for the index recall works, and opening is no error either."""
    idx(transcript).mkdir()
    (idx(transcript) / "x").touch()
    memory = opened(transcript)
    assert memory.recall("端口", 1)
    memory.close()


def test_opening_reads_no_index(transcript: Transcript, expected: list[object]) -> None:
    """The index is read at the first recall, not when the memory is opened."""
    whole = idx(transcript).read_bytes()
    idx(transcript).write_bytes(b"")
    memory = opened(transcript)
    assert len(memory.notes()) == 2
    idx(transcript).write_bytes(whole)
    assert answers(memory) == expected


def test_a_file_that_grew_elsewhere(tmp_path: Path) -> None:
    """Appending never leaves a gap or foreign bytes between two blocks."""
    import numpy as np

    file = BlockFile(tmp_path / "x.idx")
    end = file.replace(packed({"n": 1}, {"a": np.arange(3)}))
    with (tmp_path / "x.idx").open("ab") as other:
        other.write(b"other bytes")
    end = file.append(packed({"n": 2}, {}), end)
    (tmp_path / "x.idx").write_bytes(b"")
    file.append(packed({"n": 3}, {}), end)
    assert [meta["n"] for meta, _, _ in blocks(file.read())] == [3]

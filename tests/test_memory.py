"""Long-term memory: what was kept is found, what was replaced is not taken for current."""

import json
import resource
import signal
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chyan_agent.durable.records import seal, unseal
from chyan_agent.durable.transcript import Transcript
from chyan_agent.errors import CorruptError, StorageError, ToolFailed, VersionError
from chyan_agent.memory import Memory, Note
from chyan_agent.memory.archive import Archive
from chyan_agent.memory.history import TranscriptHistory
from chyan_agent.memory.index.ranked import FieldIndex
from chyan_agent.memory.index.scoring import WEIGHTS
from chyan_agent.memory.notes import NotesLog
from chyan_agent.memory.passages import LONGEST, passage
from chyan_agent.memory.store import Store, open_memory
from chyan_agent.messages import Message, ToolCall, Turn
from chyan_agent.state import MessageAdded, Rewound, State

ticks = count()


def clock() -> str:
    """A clock that never stands still."""
    return f"2026-01-01T00:00:{next(ticks):06d}Z"


def opened(directory: Path, transcript: Transcript | None = None) -> Store:
    """Open the memory of a directory, with the segmentation that needs no dictionary."""
    history = TranscriptHistory(transcript) if transcript else None
    path = directory / "memories.jsonl"
    return open_memory(path, segmenter_name="builtin", history=history, clock=clock)


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Store]:
    """An empty memory without a transcript."""
    store = opened(tmp_path)
    _: Memory = store
    yield store
    store.close()


@pytest.fixture
def transcript(tmp_path: Path) -> Iterator[Transcript]:
    """An empty transcript."""
    log = Transcript(tmp_path / "conversation.jsonl", clock=clock)
    yield log
    log.close()


def keep(memory: Store, *texts: str) -> list[Note]:
    """Remember texts, one a turn."""
    return [memory.remember(t, turn=n, source="user")[0] for n, t in enumerate(texts, 1)]


def say(transcript: Transcript, turn: int, *messages: Message) -> None:
    """Record the messages of a turn."""
    for message in messages:
        transcript.append(MessageAdded(turn, message))


def talk(transcript: Transcript, *pairs: tuple[str, str]) -> None:
    """Record turns of a question and an answer."""
    for turn, (question, answer) in enumerate(pairs, 1):
        say(transcript, turn, Message("user", question), Message("assistant", answer))


def texts(memory: Store, query: str, top_k: int = 5) -> list[str]:
    """Return the texts that are recalled."""
    return [hit.text for hit in memory.recall(query, top_k)]


# ---- notes


def test_a_note_survives(tmp_path: Path) -> None:
    """A note is on the disk when `remember` returns, readable as plain JSON, private."""
    memory = opened(tmp_path)
    note, status = memory.remember("项目代号是北极星", turn=3, source="user", key="t00003c01")
    path = tmp_path / "memories.jsonl"
    line = json.loads(path.read_text(encoding="utf-8"))
    assert status == "added"
    assert list(line) == ["v", "id", "turn", "ts", "source", "key", "text", "supersedes", "crc"]
    assert path.stat().st_mode & 0o777 == 0o600
    assert opened(tmp_path).notes() == [note]


@pytest.mark.parametrize("again", ["端口是 8080", " 端口是　8080。", "端口是 ８０８０"])
def test_known_text(memory: Store, again: str) -> None:
    """The same text again, however it is written, adds nothing."""
    note, _ = memory.remember("端口是 8080", turn=1, source="user")
    assert memory.remember(again, turn=9, source="model") == (note, "known")
    assert len(memory.notes()) == 1


def test_what_is_said_again_holds_again(memory: Store) -> None:
    """After a rewind, or in another session, a call id comes again: its note is the newest word."""
    memory.remember("端口是 8080", turn=1, source="user", key="t00001c01")
    memory.remember("端口改成 9090", turn=2, source="user", key="t00002c01")
    again, _ = memory.remember("端口是 8080", turn=1, source="user", key="t00001c01")
    assert memory.notes() == [again]


def test_call_ids_repeat_after_a_rewind(memory: Store) -> None:
    """Another text under the id of an earlier call is another note: nothing is lost."""
    memory.remember("端口是 8080", turn=1, source="user", key="t00001c01")
    assert memory.remember("我住在杭州", turn=1, source="user", key="t00001c01")[1] == "added"


def test_a_value_may_come_back(memory: Store) -> None:
    """A text that was replaced can become current again."""
    keep(memory, "端口是 8080", "端口改成 9090", "端口是 8080")
    assert [note.text for note in memory.notes()] == ["端口是 8080"]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("项目数据库使用 PostgreSQL", "项目数据库改用 MySQL"),
        ("项目数据库使用 PostgreSQL", "数据库改用 MySQL"),
        ("my editor is vim", "My editor is now helix."),
        ("端口是 8080", "端口改成 9090"),
        ("端口是 8080", "端口是 9090"),
        ("我的编辑器是 vim", "更新一下：编辑器换成了 helix"),
        ("timeout = 30", "timeout = 60"),
        ("The database runs on port 5432", "The database was moved to port 5433"),
    ],
)
def test_updates_supersede(memory: Store, old: str, new: str) -> None:
    """A newer value of the same subject replaces the older one, and the hit says so."""
    first, second = keep(memory, old, new)
    assert second.supersedes == first.id
    assert memory.notes() == [second]
    (hit,) = memory.recall(new, 5)
    assert (hit.text, hit.replaces, hit.kind) == (new, old, "note")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("小明是我弟弟", "小明是医生"),
        ("项目使用 React", "项目使用 TypeScript"),
        ("我喜欢苹果", "我喜欢梨"),
        ("端口是 8080", "端口不是 9090"),
        ("端口是 8080", "端口改成 9090 了吗？"),
        ("服务器端口是 8080", "数据库端口是 5432"),
        ("端口是 8080，密码在保险箱", "端口改成 9090"),
        ("I am a nurse", "I am from Lyon"),
    ],
)
def test_what_both_may_hold_is_added(memory: Store, old: str, new: str) -> None:
    """Statements that can stand side by side are both kept."""
    keep(memory, old, new)
    assert [note.text for note in memory.notes()] == [old, new]


def test_an_update_that_fits_two(memory: Store) -> None:
    """A short subject that may mean two notes replaces neither."""
    keep(memory, "服务器端口是 8080", "数据库端口是 5432", "端口改成 9090")
    assert len(memory.notes()) == 3


@pytest.mark.parametrize("text", ["", " \n", "x" * 20_001])
def test_notes_of_no_use(memory: Store, text: str) -> None:
    """An empty or endless note is refused, and the memory stays usable."""
    with pytest.raises(ToolFailed):
        memory.remember(text, turn=1, source="model")
    assert keep(memory, "x") == memory.notes()


def test_lone_surrogates(memory: Store) -> None:
    """A note with half a character is kept, repaired."""
    (note,) = keep(memory, "a\ud800b")
    assert note.text == "a\ufffdb"


# ---- the file


def test_every_prefix_opens(tmp_path: Path) -> None:
    """Cut anywhere, the log opens with the whole lines, and the next note is safe."""
    keep(opened(tmp_path), "第一条", "second")
    path = tmp_path / "memories.jsonl"
    data = path.read_bytes()
    ends = [i + 1 for i, byte in enumerate(data) if byte == 10]
    for size in range(len(data) + 1):
        path.write_bytes(data[:size])
        memory = opened(tmp_path)
        whole = sum(end - 1 <= size for end in ends)
        assert len(memory.notes()) == whole
        keep(memory, "third")
        assert len(opened(tmp_path).notes()) == whole + 1
        memory.close()


def test_a_torn_tail_is_set_aside(tmp_path: Path) -> None:
    """Bytes that recovery cuts off lie in quarantine, and it says so."""
    keep(opened(tmp_path), "第一条")
    path = tmp_path / "memories.jsonl"
    whole = path.read_bytes()
    path.write_bytes(whole + b'{"v":1,"te')
    memory = opened(tmp_path)
    assert path.read_bytes() == whole
    assert len(memory.problems) == 1
    assert [p.read_bytes() for p in (tmp_path / "quarantine").iterdir()] == [b'{"v":1,"te']


def test_damage_in_the_middle(tmp_path: Path) -> None:
    """A spoiled line is passed over, counted and left where it is."""
    keep(opened(tmp_path), "第一条", "second", "third")
    path = tmp_path / "memories.jsonl"
    spoiled = path.read_bytes().replace(b"second", b"sEcond")
    path.write_bytes(spoiled)
    memory = opened(tmp_path)
    assert [note.text for note in memory.notes()] == ["第一条", "third"]
    assert len(memory.problems) == 1
    assert path.read_bytes() == spoiled
    assert keep(memory, "fourth")[0].id == "n4"


@pytest.mark.parametrize(
    "changed",
    [
        {"turn": "1"},
        {"source": "nobody"},
        {"text": None},
        {"id": 3},
        {"v": 1, "supersedes": []},
    ],
)
def test_lines_of_another_shape(tmp_path: Path, changed: dict[str, object]) -> None:
    """A sealed line that is not a note is damage."""
    keep(opened(tmp_path), "x")
    path = tmp_path / "memories.jsonl"
    path.write_bytes(seal(unseal(path.read_bytes()) | changed))
    memory = opened(tmp_path)
    assert (memory.notes(), len(memory.problems)) == ([], 1)


def test_a_newer_version(tmp_path: Path) -> None:
    """A log of a newer program is refused and not touched."""
    path = tmp_path / "memories.jsonl"
    path.write_bytes(seal({"v": 3, "thought": "x"}))
    with pytest.raises(VersionError):
        opened(tmp_path)
    assert path.read_bytes() == seal({"v": 3, "thought": "x"})


def test_a_foreign_file(tmp_path: Path) -> None:
    """A file that we never wrote is refused and not touched."""
    path = tmp_path / "memories.jsonl"
    path.write_text("my diary", encoding="utf-8")
    with pytest.raises(CorruptError):
        opened(tmp_path)
    assert path.read_text(encoding="utf-8") == "my diary"


def test_a_full_disk(tmp_path: Path) -> None:
    """A note that can't be written is reported, and leaves no half line behind."""
    memory = opened(tmp_path)
    keep(memory, "first")
    path = tmp_path / "memories.jsonl"
    whole = path.read_bytes()
    old = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (len(whole) + 40, old[1]))
    try:
        with pytest.raises(StorageError):
            memory.remember("second", turn=2, source="user")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, old)
        signal.signal(signal.SIGXFSZ, handler)
    assert path.read_bytes() == whole
    assert keep(memory, "third") == memory.notes()[1:]


def test_two_sessions_share_notes(tmp_path: Path) -> None:
    """What one session notes the other recalls, and neither writes over the other."""
    one, two = opened(tmp_path), opened(tmp_path)
    keep(one, "端口是 8080")
    keep(two, "项目代号是北极星")
    assert texts(one, "代号") == ["项目代号是北极星"]
    assert two.remember("端口是 8080", turn=5, source="user")[1] == "known"
    assert [note.id for note in one.notes()] == ["n1", "n2"]


def test_another_session_died_writing(tmp_path: Path) -> None:
    """Half a line that another writer left does not spoil the next note."""
    memory = opened(tmp_path)
    keep(memory, "first")
    with (tmp_path / "memories.jsonl").open("ab") as file:
        file.write(b'{"v":1')
    assert texts(memory, "first") == ["first"]
    keep(memory, "second")
    assert [note.text for note in opened(tmp_path).notes()] == ["first", "second"]


# ---- recall


@pytest.mark.parametrize("others", [[], ["我最喜欢的水果是苹果"]])
@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("我最喜欢的编程语言是 Python", "语言"),
        ("我最喜欢的编程语言是 Python", "python"),
        ("项目数据库使用 PostgreSQL", "查询数据库"),
        ("订单ORD-20391已发货", "20391"),
    ],
)
def test_stores_of_one_and_two(memory: Store, others: list[str], text: str, query: str) -> None:
    """In a store of one or two notes the exact word finds its note."""
    keep(memory, *others, text)
    assert texts(memory, query)[:1] == [text]


@given(st.text(), st.integers(-1, 3))
def test_recall_never_raises(tmp_path_factory: pytest.TempPathFactory, q: str, k: int) -> None:
    """Any text is a query, with any number of hits."""
    memory = opened(tmp_path_factory.mktemp("any"))
    keep(memory, "端口是 8080")
    assert len(memory.recall(q, k)) <= max(k, 0)
    memory.close()


@pytest.mark.parametrize("query", ["", " ", "？！", "紫薯", "\ud800"])
def test_nothing_to_find(memory: Store, query: str) -> None:
    """A query without words, or without a word in common, finds nothing."""
    keep(memory, "端口是 8080")
    assert memory.recall(query, 5) == []


def test_the_transcript_is_searched(tmp_path: Path, transcript: Transcript) -> None:
    """What was said is found with its turn and speaker, also what was said since."""
    memory = opened(tmp_path, transcript)
    talk(transcript, ("服务器端口是 8080", "好的"), ("今天天气不错", "是的"))
    (hit,) = memory.recall("端口", 5)
    assert (hit.text, hit.turn, hit.kind, hit.speaker) == (
        "服务器端口是 8080",
        1,
        "message",
        "user",
    )
    say(transcript, 3, Message("user", "防火墙也要开放端口"), Message("assistant", "明白"))
    assert {hit.turn for hit in memory.recall("端口", 5)} == {1, 3}


def test_the_turn_being_answered_is_left_out(tmp_path: Path, transcript: Transcript) -> None:
    """The question that is being answered is not its own answer."""
    memory = opened(tmp_path, transcript)
    talk(transcript, ("服务器端口是 8080", "好的"))
    say(transcript, 2, Message("user", "服务器端口是多少？"))
    assert texts(memory, "服务器端口是多少？") == ["服务器端口是 8080"]
    say(transcript, 2, Message("assistant", "8080"))
    assert texts(memory, "服务器端口是多少？") == ["服务器端口是 8080", "服务器端口是多少？ → 8080"]


def test_recall_does_not_echo(tmp_path: Path, transcript: Transcript) -> None:
    """Calls and results of recall and remember are not recalled; those of other tools are."""
    memory = opened(tmp_path, transcript)
    calls = (
        ToolCall("t00001c01", "recall", '{"query":"鲸鱼"}'),
        ToolCall("t00001c02", "read", '{"path":"鲸鱼.md"}'),
    )
    say(
        transcript,
        1,
        Message("user", "看看"),
        Message("assistant", "", calls),
        Message("tool", '{"hits":["鲸鱼"]}', (), "t00001c01"),
        Message("tool", '{"content":"鲸鱼是哺乳动物"}', (), "t00001c02"),
        Message("assistant", "好"),
    )
    found = {hit.speaker: hit.text for hit in memory.recall("鲸鱼", 5)}
    assert found == {
        "tool:read": "鲸鱼是哺乳动物",
        "assistant": 'read {"path":"鲸鱼.md"}',
    }


def test_rewind(tmp_path: Path, transcript: Transcript) -> None:
    """What a rewind undid is not recalled, live or after a restart; notes stay."""
    memory = opened(tmp_path, transcript)
    talk(transcript, ("端口是 8080", "好"), ("端口又聊了聊", "好"))
    keep(memory, "端口写在 config.ini")
    assert len(memory.recall("端口", 5)) == 3
    transcript.append(Rewound(1, State(turns=(Turn(1),), last_turn=1)))
    say(transcript, 2, Message("user", "端口换个话题"), Message("assistant", "好"))
    expected = {"端口是 8080", "端口换个话题", "端口写在 config.ini"}
    assert set(texts(memory, "端口")) == expected
    assert set(texts(opened(tmp_path, transcript), "端口")) == expected


def test_notes_come_first(tmp_path: Path, transcript: Transcript) -> None:
    """A note stands before what was said, and what says just the same is left out."""
    memory = opened(tmp_path, transcript)
    talk(transcript, ("请记住：我的项目代号是北极星", "好的"), ("项目代号很好听", "谢谢"))
    keep(memory, "我的项目代号是北极星")
    first, *rest = memory.recall("项目代号", 5)
    assert (first.kind, first.text) == ("note", "我的项目代号是北极星")
    assert "请记住：我的项目代号是北极星" not in [hit.text for hit in rest]


def test_the_user_before_the_assistant(tmp_path: Path, transcript: Transcript) -> None:
    """Of two messages that match alike the user's comes first."""
    memory = opened(tmp_path, transcript)
    talk(transcript, ("蓝鲸二号", "没什么"), ("嗯", "蓝鲸三号"))
    assert texts(memory, "蓝鲸") == ["蓝鲸二号", "蓝鲸三号"]


def test_statements_before_questions(tmp_path: Path, transcript: Transcript) -> None:
    """An old question about the matter ranks below the statement."""
    memory = opened(tmp_path, transcript)
    talk(transcript, ("服务器端口设在 8080 上", "好"), ("服务器端口呢？", "8080"))
    assert texts(memory, "服务器端口呢？")[0] == "服务器端口设在 8080 上"


def test_a_statement_beside_a_question_is_no_question(
    tmp_path: Path, transcript: Transcript
) -> None:
    """What is said and followed by a question about something else ranks as what is said."""
    memory = opened(tmp_path, transcript)
    told = "阿桂把门禁卡交给了前台的老吴。对了，今晚有什么好看的电影？"
    talk(transcript, (told, "有"), ("门禁卡交给前台的规定改了", "好"))
    assert texts(memory, "阿桂的门禁卡交给谁了", 1) == [told]


def test_a_question_comes_with_its_answer(tmp_path: Path, transcript: Transcript) -> None:
    """A question that was asked before is found together with what was answered."""
    talk(transcript, ("灯塔仓库的门禁密码是多少？", "是 7731。"), ("今天天气不错", "是的"))
    memory = opened(tmp_path, transcript)
    assert texts(memory, "灯塔仓库的门禁密码", 1) == ["灯塔仓库的门禁密码是多少？ → 是 7731。"]


def test_newest_first_on_ties(tmp_path: Path, transcript: Transcript) -> None:
    """Of messages that match alike the newest comes first."""
    memory = opened(tmp_path, transcript)
    talk(transcript, ("买了苹果三斤", "好"), ("买了苹果五斤", "好"))
    assert texts(memory, "苹果", 2) == ["买了苹果五斤", "买了苹果三斤"]


def test_overtaken_statements(tmp_path: Path, transcript: Transcript) -> None:
    """What was said and later changed ranks below the change."""
    memory = opened(tmp_path, transcript)
    talk(transcript, ("数据库使用 PostgreSQL", "好"), ("哦对了，从下周起数据库改用 MySQL", "好"))
    assert texts(memory, "数据库使用什么", 1) == ["哦对了，从下周起数据库改用 MySQL"]


def test_same_history_same_answer(tmp_path: Path, transcript: Transcript) -> None:
    """Indexed bit by bit or all at once, a memory answers alike."""
    live = opened(tmp_path, transcript)
    for turn, word in enumerate(["苹果", "香蕉", "苹果派", "梨"], 1):
        say(transcript, turn, Message("user", f"我买了{word}"), Message("assistant", "好"))
        live.recall("苹果", 3)
    assert live.recall("苹果", 3) == opened(tmp_path, transcript).recall("苹果", 3)


@pytest.mark.parametrize("idle", ["OK", "Noted.", "收到", "好的，记下了。", "Great, thanks!"])
def test_what_was_said_comes_before_its_acknowledgement(
    tmp_path: Path, transcript: Transcript, idle: str
) -> None:
    """Of a day that is asked for comes first what happened on it, not the nod to it."""
    memory = opened(tmp_path, transcript)
    talk(transcript, ("买了三张去敦煌的火车票", idle), ("The kiln arrived from Jingdezhen", idle))
    for question in ("2026年1月1日我做了什么", "What did I do on Jan 1, 2026?"):
        assert idle not in texts(memory, question)[:2]


def test_a_long_message_gives_a_passage(tmp_path: Path, transcript: Transcript) -> None:
    """Of a long text the part comes back that the question is about."""
    memory = opened(tmp_path, transcript)
    filler = "今天我们聊了很多别的事情。" * 100
    talk(transcript, (f"{filler}备份密码是 KX-77。{filler}", "好"))
    (hit,) = memory.recall("备份密码", 1)
    assert "备份密码是 KX-77" in hit.text
    assert len(hit.text) <= LONGEST


@pytest.mark.parametrize("text", ["x" * 5000, "a. " * 3000, "。" * 3000, "中" * 5000, "x y" * 999])
@pytest.mark.parametrize("query", ["x", "中", "nothing of it", ""])
def test_passages_are_short(text: str, query: str) -> None:
    """A passage is never longer than allowed, and made of parts of the text."""
    found = passage(text, query)
    assert len(found) <= LONGEST
    assert all(part.strip() in text for part in found.split("…"))


def test_a_passage_joins_the_heading_and_the_line() -> None:
    """Of a long file the name at its top and the one line asked for come back together."""
    lines = ["File ops/relay.conf:", *(f"worker_{n} = idle" for n in range(90))]
    lines.insert(60, "spool_dir = /srv/spool")
    found = passage("\n".join(lines), "Where is spool_dir in ops/relay.conf?")
    assert "ops/relay.conf" in found
    assert "spool_dir = /srv/spool" in found


@pytest.mark.parametrize(
    ("query", "line"),
    [
        ("7302", "ticket ZX-7302-Q closed"),
        ("RFC 9110", "see RFC9110"),
        ("费用2300", "費用是兩千三"),
        ("第十二条", "第12条 不得转租"),
        ("edge.conf", "moved ops/proxy/edge.conf"),
    ],
)
def test_a_passage_holds_what_was_found(query: str, line: str) -> None:
    """By whatever spelling a text was found, its passage shows that place."""
    filler = [f"entry {n} is as expected, nothing of note" for n in range(60)]
    assert line in passage("\n".join([*filler, line, *filler]), query)


def test_jieba_and_builtin_find_the_same_note(tmp_path: Path) -> None:
    """The choice of segmentation does not decide whether a note is found."""
    for name in ("jieba", "builtin"):
        memory = open_memory(tmp_path / f"{name}.jsonl", segmenter_name=name, clock=clock)
        keep(memory, "我最喜欢的编程语言是 Python", "项目数据库使用 PostgreSQL")
        assert texts(memory, "语言") == ["我最喜欢的编程语言是 Python"]


def test_history_survives_a_moved_file(transcript: Transcript) -> None:
    """A position where nothing stands gives an empty text, not an error."""
    assert TranscriptHistory(transcript).said(12345) == ("", "")


def test_opening_indexes_nothing(tmp_path: Path) -> None:
    """Opening reads the notes but loads no dictionary and cuts no text."""
    keep(opened(tmp_path), "x")
    cut: Callable[[str], list[str]] = pytest.fail
    log = NotesLog(tmp_path / "memories.jsonl", clock=clock)
    store = Store(log, Archive(log, None, lambda: (FieldIndex(cut, WEIGHTS), None)), clock)
    assert len(store.notes()) == 1

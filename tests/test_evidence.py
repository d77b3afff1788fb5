"""Evidence: what is named in a turn is kept word for word, and what changed replaces itself."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chyan_agent.messages import Message, ToolCall, Turn
from chyan_agent.state import Evidence
from chyan_agent.statements import succession
from chyan_agent.statements.clauses import LONGEST, stated
from chyan_agent.statements.evidence import WEIGHTS, extract, importance, line
from chyan_agent.statements.facts import Fact, fact, normalise
from chyan_agent.statements.literals import literals
from chyan_agent.statements.questions import asks
from chyan_agent.statements.replacing import replaces
from chyan_agent.statements.succession import merge

from .clock import within


def turn(number: int, user: str, answer: str = "好的。") -> Turn:
    """Return a turn of a question and an answer."""
    return Turn(number, (Message("user", user), Message("assistant", answer)))


def working(*calls: tuple[str, dict[str, object], object], answer: str = "好的。") -> Turn:
    """Return a turn in which tools were run: name, arguments, result."""
    messages = [Message("user", "开始")]
    for number, (name, arguments, result) in enumerate(calls):
        call = ToolCall(f"t00001c{number:02}", name, json.dumps(arguments, ensure_ascii=False))
        content = json.dumps(result, ensure_ascii=False)
        messages += [Message("assistant", "", (call,)), Message("tool", content, (), call.id)]
    return Turn(1, (*messages, Message("assistant", answer)))


def texts(*turns: Turn) -> list[str]:
    """Return the texts of the evidence of turns, merged one after the other."""
    pieces: tuple[Evidence, ...] = ()
    for one in turns:
        pieces = merge(pieces, extract(one))
    return [piece.text for piece in pieces if piece.kind != "past"]


# ---- what is kept


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("我的项目代号是 北极星", "fact"),
        ("My favourite colour is teal.", "fact"),
        ("timeout = 30s", "fact"),
        ("会议改到周五下午三点", "fact"),
        ("订单 ORD-20391 已经发货", "id"),
        ("跑一下 tools/deploy.sh", "path"),
        ("看看 报告/第三季度.md 里的表", "path"),
        ("文档在 https://example.com/a?b=1 上", "url"),
        ("写信给 ann@example.com", "email"),
        ("我们在 v1.2.3 上测过", "version"),
        ("合并了 9f3a01bc", "hash"),
        ("三月五号去体检", "date"),
        ("We leave on May 8", "date"),
        ("一共花了 3,500 元", "number"),
        ("She ran 42 km", "number"),
        ("合同编号 82.25，请留意", "number"),
        ("把她安排在50号房间", "number"),
        ("他说的是「不见不散」", "quote"),
        ("我们商定不做移动端", "decision"),
        ("We decided against a mobile app", "decision"),
        ("截止日期前交报告", "todo"),
        ("You must call Ann back", "todo"),
        ("不要动生产环境", "negation"),
        ("Never push on a Friday", "negation"),
        ("我喜欢爬山", "preference"),
        ("I love hiking", "preference"),
    ],
)
def test_what_is_kept(text: str, kind: str) -> None:
    """What is stated, named, decided, wanted or forbidden is kept word for word."""
    (piece,) = extract(turn(7, text))
    assert (piece.text, piece.kind, piece.turn) == (text, kind, 7)


@pytest.mark.parametrize(
    "text",
    [
        "我的项目代号是什么？",
        "服务器端口是多少",
        "Which port is 8080?",
        "端口是 8080 吗",
        "What is ORD-20391",
        "你好",
        "Thanks a lot!",
        "讲个笑话",
        "",
        "。。。",
        "计算 17*23+5",
        "计算 17 * 23 + 5",
    ],
)
def test_what_is_not_kept(text: str) -> None:
    """Questions and talk hold no evidence."""
    assert extract(turn(1, text)) == ()


def test_a_sentence_of_two_matters() -> None:
    """Statements about two subjects become two pieces, one about a single matter stays whole."""
    found = texts(turn(1, "端口是 8080，项目代号是北极星。预算很紧，只有 300 元。"))
    assert set(found) == {"端口是 8080", "项目代号是北极星。", "预算很紧，只有 300 元。"}


def test_answers_and_files() -> None:
    """A result that was written is kept as the answer says it, under the name of its file."""
    done = working(
        ("read", {"path": "sales.csv"}, {"content": "名称,数量\n苹果,3", "total_lines": 2}),
        ("write", {"path": "total.txt", "content": "128"}, {"path": "total.txt", "bytes": 3}),
        answer="总和是 128，已写入 total.txt",
    )
    (piece,) = (piece for piece in extract(done) if piece.key == "total.txt")
    assert piece.text == "总和是 128，已写入 total.txt"


def test_what_was_written_without_a_word() -> None:
    """A short text that was written is kept even if the answer doesn't name it."""
    assert "write total.txt: 128" in texts(
        working(("write", {"path": "total.txt", "content": "128"}, {"bytes": 3}))
    )
    assert "write a.md" in texts(working(("write", {"path": "a.md", "content": "x\n" * 99}, {})))


def test_a_few_lines_of_a_result() -> None:
    """Of a tool result the telling lines are kept, and only a few."""
    content = "# 设置\nport = 8443\n闲话 3 句\n" + "".join(f"k{n} = {n}\n" for n in range(50))
    found = texts(working(("read", {"path": "a.ini"}, {"content": content})))
    assert "port = 8443" in found
    assert len(found) <= 5


@pytest.mark.parametrize("result", [{"error": "端口是 8080"}, ["x"], 3, None, "端口是", {"n": 1}])
def test_results_without_evidence(result: object) -> None:
    """Errors and results of other shapes hold no evidence, and break nothing."""
    assert texts(working(("read", {"path": 3}, result))) == []


def test_recalled_words_are_not_said_again() -> None:
    """What a recall brought back is not taken for something said in this turn."""
    hits = {"hits": [{"text": "端口是 8080"}], "note": "端口是 8080"}
    assert texts(working(("recall", {"query": "端口"}, hits))) == []


def test_arguments_that_are_no_json() -> None:
    """Broken arguments of a model and broken results are passed over."""
    call = ToolCall("c1", "write", "[" * 9999)
    broken = Turn(1, (Message("assistant", "", (call,)), Message("tool", "{", (), "c1")))
    assert extract(broken) == ()


@given(st.lists(st.text(), max_size=4))
def test_pieces_are_verbatim(messages: list[str]) -> None:
    """Every piece is one line of what was said, of bounded length, and none stands twice."""
    found = extract(Turn(1, tuple(Message("user", text) for text in messages)))
    for piece in found:
        assert any(piece.text in text for text in messages)
        assert len(piece.text) <= LONGEST
        assert len(piece.text.splitlines()) == 1
        assert piece.kind in WEIGHTS
    assert len({piece.key or piece.text for piece in found}) == len(found)


IDS = st.from_regex(r"[A-Z]{2,4}-[0-9]{3,6}", fullmatch=True)
PROSE = st.sampled_from(
    ["今天我们聊聊", "然后呢，", "by the way ", "ok ", "接着说。", "x " * 90, "讲" * 200]
)


@given(st.lists(st.tuples(PROSE, IDS), min_size=1, max_size=12, unique_by=lambda pair: pair[1]))
def test_planted_identifiers_survive(planted: list[tuple[str, str]]) -> None:
    """An identifier is kept whatever stands around it, glued to Chinese or in a long line."""
    text = "".join(f"{prose}{name}是的。" for prose, name in planted)
    kept = "\n".join(texts(turn(1, text)))
    assert all(name in kept for _, name in planted)


# ---- merging


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("数据库使用 PostgreSQL", "数据库改用 MySQL"),
        ("项目数据库使用 PostgreSQL", "更新一下：数据库改用 MySQL"),
        ("my editor is vim", "my editor is now helix"),
        ("端口是 8080", "端口是 9090"),
        ("请记住：我的项目代号是北极星", "我的项目代号是南十字"),
    ],
)
def test_the_last_word_counts(old: str, new: str) -> None:
    """A newer statement of the same subject replaces the older one."""
    assert texts(turn(1, old), turn(2, new)) == [new]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("小明是我弟弟", "小明是医生"),
        ("服务器端口是 8080", "数据库端口是 5432"),
        ("项目使用 React", "项目使用 TypeScript"),
        ("不要动生产环境", "不要在周五发布"),
    ],
)
def test_what_both_may_hold_stays(old: str, new: str) -> None:
    """Statements that can stand side by side are both kept, in the order of their turns."""
    assert texts(turn(1, old), turn(2, new)) == [old, new]


def test_what_was_replaced_is_history() -> None:
    """A value that gave way stays, marked and with its turn, and weighs less than any other."""
    said = ("端口是 8080", "端口改成 9090", "端口是 7070", "my editor is vim", "my editor is helix")
    pieces: tuple[Evidence, ...] = ()
    for number, text in enumerate(said, 1):
        pieces = merge(pieces, extract(turn(number, text)))
    assert [line(piece) for piece in pieces] == [
        "- （曾）端口是 8080 @t1",
        "- （曾）端口改成 9090 @t2",
        "- 端口是 7070 @t3",
        "- (was) my editor is vim @t4",
        "- my editor is helix @t5",
    ]
    past = [importance(piece, 5) for piece in pieces if piece.kind == "past"]
    assert max(past) < min(importance(piece, 5) for piece in pieces if piece.kind != "past")
    assert merge(pieces, ()) == merge(pieces, pieces) == pieces


@pytest.mark.parametrize(
    "answer",
    [
        "我不知道：没有找到关于“ORD-1”的记录。",
        "I'm sorry, I can't open a/b.txt.",
        "a/b.txt 的内容：",
    ],
)
def test_what_the_agent_could_not_say_is_no_evidence(answer: str) -> None:
    """Apologies and headings of the agent hold nothing, whatever they name."""
    assert texts(turn(1, "你好", answer)) == []


def test_an_update_that_fits_two_replaces_none() -> None:
    """A short subject that may mean two statements replaces neither."""
    said = ("服务器端口是 8080", "数据库端口是 5432", "端口改成 9090")
    assert texts(*(turn(n, text) for n, text in enumerate(said))) == list(said)


def test_the_user_s_word_stands() -> None:
    """What the agent says of a subject neither replaces nor repeats what the user said of it."""
    told = turn(1, "服务器端口是 8080", "记住了，服务器端口是 8080。")
    asked = turn(2, "服务器端口是多少？", "服务器端口是 9999。")
    assert texts(told, asked) == ["服务器端口是 8080"]


def test_the_user_s_word_comes_later() -> None:
    """When the user states what the agent had found, the user's words take its place."""
    found = turn(1, "服务器端口是多少？", "服务器端口是 8080。")
    assert texts(found) == ["服务器端口是 8080。"]
    assert texts(found, turn(2, "服务器端口是 9090")) == ["服务器端口是 9090"]


def test_merge_is_stable() -> None:
    """Merging again what is there changes nothing; order is that of the turns."""
    a, b = extract(turn(2, "端口是 8080")), extract(turn(1, "订单 ORD-1 丢了"))
    merged = merge(a, b)
    assert [piece.turn for piece in merged] == [1, 2]
    assert merge(merged, ()) == merge((), merged) == merge(merged, merged) == merged


def test_importance() -> None:
    """Statements count more than numbers, and everything fades with age, never to nothing."""
    old, new, number = (
        Evidence(1, "fact", "", "x"),
        Evidence(90, "fact", "", "x"),
        Evidence(90, "number", "", "x"),
    )
    assert importance(new, 100) > importance(old, 100) > 0
    assert importance(new, 100) > importance(number, 100)
    assert importance(new, 5) == importance(new, 90) == 1
    assert importance(Evidence(1, "other", "", "x"), 1) > 0


def test_line() -> None:
    """A line of the summary cites the turn."""
    assert line(Evidence(12, "fact", "端口", "端口是 8080")) == "- 端口是 8080 @t12"


# ---- speed


UNITS = [
    "a",
    "1",
    " ",
    "中",
    "/",
    ".",
    "a.",
    "-",
    ":",
    "是",
    '"',
    "“",
    "ORD-1 ",
    "，",
    "。",
    "将会",
    "\n",
    "从",
    "://",
    "a@",
    "，是",
    " is",
    "[",
    '{"a":',
    "不对，",
    "现在",
    "=",
    "_A",
]


@pytest.mark.parametrize("unit", UNITS)
def test_hostile_text(unit: str) -> None:
    """64 KB of anything is searched in time that grows with its length only."""
    text = (unit * 65536)[:65536]
    call = ToolCall("c1", "write", text)
    messages = (
        Message("user", text),
        Message("assistant", text, (call,)),
        Message("tool", text, (), "c1"),
    )
    with within(5):
        extract(Turn(1, messages))
        fact(text[:400])
        literals(text)


# ---- what a statement is about


@pytest.mark.parametrize(
    ("clause", "subject", "value", "verb"),
    [
        ("项目数据库使用 PostgreSQL", "项目数据库", "postgresql", "does"),
        ("请记住：我们的服务器端口是 8080。", "服务器端口", "8080", "is"),
        ("把日志目录改为 /var/log", "日志目录", "/var/log", "update"),
        ("编辑器从 vim 换成了 helix", "编辑器", "helix", "update"),
        ("Actually, the port is 9090", "port", "9090", "update"),
        ("remember that the API key prefix is sk-ab", "api key prefix", "sk-ab", "is"),
        ("The database now uses MySQL", "database", "mysql", "update"),
        ("Ｐｏｒｔ：８０８０", "port", "8080", "is"),
        ("好的，我记住了：端口是 8080", "端口", "8080", "is"),
        ("更正：备注：端口是 8080", "端口", "8080", "update"),
        ("x = 5", "x", "5", "is"),
        ("Area code of Paris is 01", "paris area code", "01", "is"),
        ("Data owner of the shop is Ann", "shop data owner", "ann", "is"),
    ],
)
def test_fact(clause: str, subject: str, value: str, verb: str) -> None:
    """Subject and value are found in both languages, without openings, owners and adverbs."""
    said = fact(clause)
    assert said is not None
    assert (said.subject, said.value, said.verb) == (subject, value, verb)


@pytest.mark.parametrize(
    "clause",
    [
        "数据库不是 MySQL",
        "端口是什么",
        "这是对的",
        "我是医生",
        "http://a.b/c",
        "see https://x.y/?a=b",
        "at 17:30",
        "The port is not 80",
        "是",
        "端口是",
        "x" * 401 + "是 3",
        "a" * 90 + "是 3",
        "认为是好的",
    ],
)
def test_no_fact(clause: str) -> None:
    """Denials, questions, vague subjects and addresses state nothing."""
    assert fact(clause) is None


@given(st.text())
def test_any_text_can_be_asked(text: str) -> None:
    """No text breaks the rules, and a statement is never a question."""
    assert fact(text) is None or not asks(text)
    assert normalise(normalise(text)) == normalise(text)


def test_replaces_needs_a_reason() -> None:
    """Only a change, an owner or a literal makes one statement replace another."""
    plain, other = Fact("小明", "医生", "is"), Fact("小明", "弟弟", "is")
    assert not replaces(plain, other)
    assert replaces(Fact("小明", "医生", "update"), other)
    assert replaces(Fact("port", "80", "is"), Fact("port", "81", "is"))


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("a/b.txt 和 c.md。", ["a/b.txt", "c.md"]),
        ("见(https://a.b/c)。", ["https://a.b/c"]),
        ("在2024-02-27 08:30开会", ["2024-02-27", "08:30"]),
        ("C:\\temp\\x.log, ~/notes", ["C:\\temp\\x.log", "~/notes"]),
        ("MAX_RETRIES 与 user_id", ["MAX_RETRIES", "user_id"]),
        ("电话 13800138000。", ["13800138000"]),
        ("plain words, nothing else", []),
    ],
)
def test_literals(text: str, found: list[str]) -> None:
    """Names are found where they stand, without the marks around them."""
    named = literals(text)
    assert [one.text for one in named] == found
    assert all(text[one.start : one.end] == one.text for one in named)


def test_merging_reads_only_what_is_of_one_subject(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is known of other subjects is not read again: merging costs what is new."""
    read: list[str] = []

    def reading(text: str) -> tuple[Fact, ...]:
        read.append(text)
        return stated(text)

    monkeypatch.setattr(succession, "stated", reading)
    turns = [turn(n, f"{n} 号机柜的密级是 {n * 7} 级") for n in range(1, 60)]
    last = turn(60, "5 号机柜的密级改成 9 级")
    pieces: tuple[Evidence, ...] = ()
    for one in (*turns, last):
        read.clear()
        pieces = merge(pieces, extract(one))
    assert len(read) < 9
    assert [piece.text for piece in pieces if piece.kind == "past"] == ["5 号机柜的密级是 35 级"]

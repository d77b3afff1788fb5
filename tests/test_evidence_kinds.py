"""Evidence: kinds of pieces, what is talk only, and what is another matter."""

import json

import pytest

from chyan_agent.messages import Message, ToolCall, Turn
from chyan_agent.state import Evidence
from chyan_agent.statements.evidence import WEIGHTS, extract, importance
from chyan_agent.statements.literals import literals
from chyan_agent.statements.marks import marked
from chyan_agent.statements.succession import merge

from .clock import within
from .test_evidence import texts, turn, working


def kinds(user: str, answer: str = "好的。") -> list[str]:
    """Return the kinds of what is kept of a turn."""
    return [piece.kind for piece in extract(turn(1, user, answer))]


KEPT = {
    "negation": """
        别用感叹号
        这个表别外传
        不用加水印了
        不必抄送老板
        合同不许转包
        无论谁问都别给密码
        Avoid the north gate
        You shouldn't restart it
        Dont share this file
        没必要抄送全组
        别瞎改配置
        No emojis please
        I'm allergic to latex
    """,
    "denial": """
        我没有护照
        我从不熬夜
        我不会游泳
        我们不收现金
        没赶上末班车
        没签成合同
        I won't renew the lease
        Carol hasn't paid
        I'm not vegetarian
        We have no backups
        我们办公室没有打印机
        小林没通过复试
        快递没收到
        老孙不喝白酒
        My permit was not approved
        There is no lift
    """,
    "todo": """
        记得给猫换水
        要给儿子报名
        我得去社保局
        周六要交作业
        还没付尾款
        打算换手机号
        I should call the bank
        I've got to renew my visa
        I haven't booked the hotel yet
        We forgot to pay the rent
        Don't forget to feed the cat
        待会儿要去接孩子
        还得补一份证明
        还欠房东一张收据
        记着关窗
        Remind me to call Bob
        I'm supposed to send the draft
    """,
    "decision": """
        那就用 Redis 吧
        我们就选红色
        还是走高速吧
        选第二套方案
        用深色主题吧
        跟他们说好下旬交货
        Let's go with the blue one
        I picked the window seat
        We've chosen Lisbon
        那就 B 方案吧
        就这家酒店了
        We'll take the corner unit
        The board voted for Rust
    """,
    "preference": """
        我想要靠窗的座位
        我希望回答短一点
        I'd rather take the train
        I want a window seat
    """,
    "number": """
        水管要十五米
        共一千二百块
        每三天浇一次水
        四室两厅的房子
        屏幕 1920×1080
        It takes forty minutes
        about two hundred guests
        Twenty-one pupils signed up
        称半斤牛肉
    """,
    "date": """
        五一前交房
        国庆期间闭店
        大年三十值班
        Back after New Year's
        冬月廿三办喜事
        Deliver it before Thanksgiving
        New Year's Eve at our place
    """,
    "quote": """
        Tag it 'do not bend'
        门上写着'wet paint'
        她回‘改天再说’
    """,
    "version": """
        试试 v2.0.1-beta.3+exp.5
    """,
}
TALK = """
今天晚饭吃了炒面
我先去接杯咖啡
Let's keep it brief
脑子还没转过弯来
别担心
别急，慢慢来
不用谢
没问题
我没意见
我没听懂
我不太明白
我不确定
没关系的
那就这样吧
还是算了吧
我还没吃饭
我要睡了
我得走了
我要去吃饭了
我记得那次旅行很开心
你还记得我吗
我们区别不大
个别同学迟到
这样挺别扭
用户体验还不错吧
选哪个都行
中秋快乐
祝你春节吉祥
端午节的由来
Merry Christmas
百度一下就知道
五年级的孩子
十分感谢
I don't know
I'm not sure about that
Don't worry about it
I can't wait
It doesn't matter
I have to go now
I should be fine
Never mind
I have no idea
不要紧
别开玩笑
大家都别笑
不得不说很棒
决定性的一刻
用起来不错吧
那就先聊到这吧
就这么定了
我希望明天放晴
没过几天就忘了
没开玩笑
我不是那个意思
我快要笑死了
还差得远呢
You must be tired
It must be fun to fly
Agreed, Ben!
Keep going with it!
Don't forget to relax
Never give up
现在我要去准备晚饭了
有一点不太满意
I agreed with him
Let's call it a day
Don't be silly
No big deal
There's no need
I'd like a break
I didn't sleep well
the boys' room and the girls' room
"""


def lines(block: str) -> list[str]:
    """Return the lines of a block without their indent."""
    return [line.strip() for line in block.strip().split("\n")]


@pytest.mark.parametrize(
    ("text", "kind"), [(text, kind) for kind, block in KEPT.items() for text in lines(block)]
)
def test_what_is_kept(text: str, kind: str) -> None:
    """What is forbidden, denied, still to be done, chosen, or measured in words is kept."""
    (piece,) = extract(turn(3, text))
    assert (piece.kind, piece.text) == (kind, text)


@pytest.mark.parametrize("text", lines(TALK))
def test_talk_is_not_kept(text: str) -> None:
    """Talk, moods and set phrases hold no evidence, though they deny or intend."""
    assert extract(turn(1, text)) == ()


def test_advice_of_the_agent() -> None:
    """What the agent warns of is kept; what it would do, or lacks, is its own affair."""
    assert kinds("继续", "结论：不建议升级。") == kinds("go", "You must not retry.") == ["advice"]
    assert WEIGHTS["advice"] < WEIGHTS["negation"]
    assert kinds("go on", "I haven't found the cause yet.") == []
    assert kinds("继续", "我没有权限。那就用缓存吧。") == []
    assert kinds("继续", "读取失败（路径在工作区之外：/srv/x.conf）。") == []


def test_a_statement_is_one_whatever_it_forbids() -> None:
    """A value that is stated is replaced by the next one, though the clause forbids as well."""
    said = ("评测入口是 /data/a.py，别用旧的", "The deadline is May 3", "The deadline is May 9")
    assert texts(*(turn(n, text) for n, text in enumerate(said, 1))) == [said[0], said[2]]


# ---- one name, several matters


@pytest.mark.parametrize(
    "said",
    [
        ("门票 60 元", "午餐 60 元", "停车 60 元"),
        ("Ann owes 15 dollars", "Ben owes 15 dollars"),
        ("2027-04-02 提车", "2027-04-02 家长会"),
        ("node-4 has 32GB of memory", "node-4 stands in row 7"),
        ("PO-8812 已收 200 元", "PO-8812 发往昆明"),
        ("app.toml 里缓存 64MB", "app.toml 里线程 8 个"),
        ("老周 14:00 复诊", "老吴 14:00 复诊"),
        ("v3.1.0 修了闪退", "v3.1.0 去掉了广告"),
        ("我借你 80 元", "你借我 80 元"),
    ],
)
def test_a_name_is_no_subject(said: tuple[str, ...]) -> None:
    """Two clauses that name the same thing stay both: in one turn, in several, and listed."""
    assert texts(*(turn(n, text) for n, text in enumerate(said, 1))) == list(said)
    assert texts(turn(1, "\n".join(said))) == list(said)
    assert texts(turn(1, "list them", "\n".join(f"- {text}" for text in said))) == list(said)


def test_the_same_words_are_kept_once() -> None:
    """What is said again, in the same words, counts as said now."""
    pieces = merge(extract(turn(1, "门票 60 元")), extract(turn(5, "门票 60 元。")))
    assert [(piece.turn, piece.text) for piece in pieces] == [(5, "门票 60 元。")]


def test_an_echo_is_not_kept() -> None:
    """An answer that says no more than the user did adds nothing; one that tells more does."""
    told = "PO-8812 已收 200 元，余款月底结清"
    assert texts(turn(1, told, f"好的，{told}。")) == [told]
    more = "PO-8812 的余款 300 元在 2027-01-31 到账。"
    assert texts(turn(1, told, more)) == [told, more]


# ---- questions


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("你能把单号 QX-7710 记下来吗", "QX-7710"),
        ("Can you book seat 21F on flight KL1022?", "KL1022"),
        ("押金一共36万，你看合适吗？", "36万"),
        ("我住5栋1单元，外卖能上楼吗？", "5栋1单元"),
        ("Is data/rates.csv the newest file we have?", "data/rates.csv"),
    ],
)
def test_what_a_question_names(text: str, named: str) -> None:
    """What a question names by the way is kept, and weighs less than any statement."""
    (piece,) = extract(turn(1, text))
    assert piece.kind == "asked"
    assert named in piece.text
    assert WEIGHTS["past"] < WEIGHTS["asked"] < min(set(WEIGHTS.values()) - {0.2, 0.3})


@pytest.mark.parametrize(
    "text",
    ["What is QX-7710?", "端口是 8443 吗", "Which port is 8443?", "周五有空吗", "我今年几岁"],
)
def test_a_question_that_names_nothing_else(text: str) -> None:
    """Asking what something is, or for a bare number, names nothing to keep."""
    assert extract(turn(1, text)) == ()


def test_what_was_asked_and_answered() -> None:
    """An answer in the words of the question takes its place."""
    assert texts(turn(1, "PO-8812 发往昆明了吗？", "PO-8812 已发往昆明。")) == [
        "PO-8812 已发往昆明。"
    ]


def test_a_request_that_was_carried_out() -> None:
    """What a request named weighs little once a tool has done it; a statement keeps its weight."""
    call = ToolCall("c1", "read", json.dumps({"path": "conf/a.ini"}))

    def kind(text: str) -> str:
        messages = (Message("user", text), Message("assistant", "", (call,)))
        return extract(Turn(1, messages))[0].kind

    assert kind("读取 conf/a.ini") == kind("Please read conf/a.ini") == "asked"
    assert kind("conf/a.ini 是生产配置") == "fact"
    assert kind("读取 conf/b.ini") == "path"


# ---- results of tools


def test_nested_results() -> None:
    """Lines that were matched are kept with their place, rows as a whole."""
    matches = {"total_lines": 2, "matches": ["a.py:12: LIMIT = 30", "b.py:7: LIMIT = 5"]}
    assert texts(working(("grep", {"pattern": "LIMIT"}, matches))) == matches["matches"]
    rows = {"rows": [{"id": "K-77", "total": 31.5}, {"id": "K-78", "total": 9.5}]}
    assert texts(working(("query", {}, rows))) == ["id: K-77, total: 31.5", "id: K-78, total: 9.5"]


def test_the_same_name_in_two_files() -> None:
    """A setting of one file is not that of another; read again it is the newer one."""

    def read(path: str, content: str) -> Turn:
        return working(("read", {"path": path}, {"content": content}))

    both = (read("a.ini", "port = 8443"), read("b.ini", "port = 9443"))
    assert texts(*both) == ["port = 8443", "port = 9443"]
    assert texts(*both, read("a.ini", "port = 7443")) == ["port = 9443", "port = 7443"]


@pytest.mark.parametrize(
    "result", [{"rows": [{"a": {"b": {"c": {"d": {"e": "port = 1"}}}}}]}, {"rows": [{"n": 1}]}]
)
def test_results_that_tell_nothing(result: object) -> None:
    """What lies too deep, and rows of a single number, are left alone."""
    assert texts(working(("query", {}, result))) == []


# ---- weight and speed


def test_new_kinds_are_ranked() -> None:
    """Of one age decisions and tasks outweigh rules, rules denials, and denials bare numbers."""
    ranked = ["decision", "todo", "negation", "denial", "number", "asked", "past"]
    weights = [importance(Evidence(9, kind, "", "x"), 9) for kind in ranked]
    assert weights == sorted(weights, reverse=True)
    assert len(set(weights)) == len(weights)


@pytest.mark.parametrize(
    "unit",
    [
        "我",
        "没",
        "还没",
        "别",
        "就用",
        "一百",
        "three hundred ",
        "'a",
        "i have ",
        "2×",
        "记得",
        "用",
    ],
)
def test_hostile_clauses(unit: str) -> None:
    """Marks and quantities are looked for in time that grows with the length only."""
    text = (unit * 65536)[:65536]
    with within(2):
        literals(text)
        marked(text[:4000], told=True)

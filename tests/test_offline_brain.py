"""The offline model's brain: general rules over what stands in the request, and nothing else."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from chyan_agent.offline.brain import Brain
from chyan_agent.offline.brain.arithmetic import NotArithmetic, calculate, show

from .talk import Talk

TABLE = """city,team,points,fee
Oslo,red,12,3.5
Turin,blue,40,2
Oslo,green,7,9.25
"""
QUESTIONS = (
    ("计算 19*21-4", "395"),
    ("what is (8+4)*2.5?", "30"),
    ("8 加 4 再乘以 3", "36"),
    ("计算：（6＋1）×3", "21"),
    ("35% of 80", "28"),
    ("640 的 25% 是多少？", "160"),
    ("1/3 + 1/6", "0.5"),
    ("7 除以 0 等于多少", "除数是零"),
    ("Please add 31 and 11", "42"),
    ("求 4, 9, 6 的平均值", "6.333333"),
    ("the median of 3, 10, 20, 40", "15"),
    ("max of 4, 19, 7", "19"),
    ("把 8, 2, 8, 5 去重", "8, 2, 5"),
    ("sort 14 3 8", "3, 8, 14"),
    ("31 和 28 哪个大？", "31"),
    ("119 是质数吗？", "不是质数"),
    ("gcd of 84 and 36", "12"),
    ("6 的阶乘", "720"),
    ("3054 的十六进制", "BEE"),
    ('把 "quiet" 转成大写', "QUIET"),
    ('reverse "lamp"', "pmal"),
    ('"cocoon" 里 "o" 出现几次？', "3"),
    ('replace "o" with "a" in "cocoon"', "cacaan"),
    ('"山高水长" 有几个字？', "4"),
    ("sort the words plum, date, kiwi", "date, kiwi, plum"),
    ("7 公里等于多少米？", "7000"),
    ("convert 50 F to C", "10"),
    ("how many minutes are in 1.5 hours?", "90"),
    ("3 GB in MB", "3072"),
    ("2023-12-30 之后 5 天是几号？", "2024-01-04"),
    ("两周之后的 2024-02-20 是几号？", "2024-03-05"),
    ("2024-02-01 到 2024-03-01 有多少天？", "29"),
    ("What day of the week is 2025-01-01?", "Wednesday"),
    ("2100 是闰年吗？", "不是闰年"),
    ("谢谢！", "不客气"),
    ("Translate this into Latin", "can't do this"),
)
FACTS = (
    (["我的船名是 海燕号"], "我的船名是什么？", "海燕号"),
    (["My favourite tea is oolong."], "What is my favorite tea?", "oolong"),
    (["仓库在苏州", "更新一下：仓库改到 无锡"], "仓库现在在哪里？", "无锡"),
    (
        ["The launch day is Monday", "The launch day moved to Friday"],
        "What is the launch day?",
        "Friday",
    ),
    (["我们项目的缓存是 Redis", "缓存已经改用 Valkey 了"], "我们项目现在用什么缓存？", "Valkey"),
    (["甲组的组长是钱一", "乙组的组长是孙二"], "甲组的组长是谁？", "钱一"),
    (["Node A's port is 7001", "Node B's port is 7002"], "What is Node A's port?", "7001"),
    (["我叫何田，住在泉州，最喜欢的花是山茶"], "我最喜欢的花是什么？", "山茶"),
    (["会议室是 301", "会议室改为 305", "会议室换成 310"], "会议室之前是哪间？", "305"),
    (["The host was alpha", "The host is now beta"], "What was the host originally?", "alpha"),
    (["主题色是绿色"], "主题色是蓝色吗？", "不是"),
    (["The port is 7001"], "Is the port 7001?", "Yes"),
    (["我的工号是 K-77", "我的分机是 4021"], "我的工号和分机分别是什么？", "4021"),
    (["罗敏负责采购"], "谁负责采购？", "罗敏"),
    (["截止日期从 6 月 1 日推迟到 6 月 9 日"], "截止日期是哪天？", "6 月 9 日"),
    (["接口地址是 https://api.example.com/v3"], "接口地址是什么？", "https://api.example.com/v3"),
)
OTHERS: tuple[tuple[list[str], str], ...] = (
    (["Node A's port is 7001"], "What is Node B's port?"),
    (["甲组的组长是钱一"], "丙组的组长是谁？"),
    (["青竹项目的预算是 300"], "白鹿项目的预算是多少？"),
    ([], "What is the wifi password?"),
)


@pytest.fixture
def talk(tmp_path: Path) -> Iterator[Talk]:
    """A conversation over a workspace with some files."""
    talk = Talk(tmp_path)
    talk.desk.put("data/teams.csv", TABLE)
    talk.desk.put("app.ini", "[main]\nport = 7001\nretries=4\n")
    talk.desk.put("one.txt", "15\n")
    talk.desk.put("two.txt", "27\n")
    talk.desk.put(
        "log/run.log", "".join(f"{n} {'WARN' if n % 9 == 0 else 'ok'}\n" for n in range(1, 400))
    )
    with talk.desk:
        yield talk


@pytest.mark.parametrize(("question", "value"), QUESTIONS)
def test_independent_questions_need_no_tool(talk: Talk, question: str, value: str) -> None:
    """A question that holds all it needs is answered at once, in its own language."""
    assert value in talk.say(question)
    assert talk.calls == []


@pytest.mark.parametrize(("told", "question", "value"), FACTS)
def test_the_newest_fact_in_sight_answers(
    talk: Talk, told: list[str], question: str, value: str
) -> None:
    """A question is answered from what was said, and a later word on the same thing wins."""
    for fact in told:
        talk.say(fact)
    assert value in talk.say(question)


@pytest.mark.parametrize(("told", "question"), OTHERS)
def test_a_fact_about_another_is_no_answer(talk: Talk, told: list[str], question: str) -> None:
    """What is not in sight is recalled once; if that fails too, the answer says so."""
    for fact in told:
        talk.say(fact)
    answer = talk.say(question)
    assert "不知道" in answer or "don't know" in answer
    assert talk.used() == ["recall"]


def test_it_knows_nothing_but_the_request(talk: Talk) -> None:
    """A fact that left the window is unknown until it is recalled."""
    talk.say("请记住：保险柜编号是 F-208")
    assert talk.arguments() == {"content": "保险柜编号是 F-208"}
    talk.forget()
    assert "F-208" in talk.say("保险柜编号是多少？")
    assert talk.used() == ["recall"]


def test_a_summary_line_is_older_than_live_words(talk: Talk) -> None:
    """Lines of a summary are facts of the turn they cite; a higher turn is newer."""
    summary = "【记录摘要】第 9 轮及以前：\n- 车牌是 A1 @t3\n- 车牌改为 B2 @t7\n- 车牌是 A1 @t2"
    talk.messages = [
        {"role": "user", "content": summary},
        {"role": "assistant", "content": "好的。"},
    ]
    assert "B2" in talk.say("车牌是多少？")
    talk.say("车牌换成 C3")
    answer = talk.say("车牌是多少？")
    assert "C3" in answer
    assert "B2" not in answer


def test_a_clipped_hit_is_followed_to_its_turn() -> None:
    """Where the best hit shows a part only, the whole turn is recalled by its handle."""
    hit = {"text": "我把钥匙…[#t3]…", "turn": "#t3", "speaker": "user"}
    call = {"name": "recall", "arguments": '{"query":"钥匙 放 里"}'}
    messages: list[dict[str, Any]] = [{"role": "user", "content": "钥匙放在哪里？"}]
    tools = [{"type": "function", "function": {"name": "recall"}}]
    said = Brain().answer(messages, tools)
    call["arguments"] = said.calls[0].arguments
    calls = [{"id": "c1", "type": "function", "function": call}]
    messages.append({"role": "assistant", "content": "", "tool_calls": calls})
    messages.append({"role": "tool", "tool_call_id": "c1", "content": json.dumps({"hits": [hit]})})
    assert json.loads(Brain().answer(messages, tools).calls[0].arguments) == {"query": "#t3"}


def test_talk_is_no_order_to_search(talk: Talk) -> None:
    """Words such as find and which stand in any conversation and start no search of files."""
    for text in ("I can't find my keys!", "Which colours did I mention for the tent?"):
        talk.say(text)
        assert {"grep", "search"}.isdisjoint(talk.used())


def test_a_plain_statement_is_acknowledged_without_tools(talk: Talk) -> None:
    """Only a request to remember calls remember."""
    assert talk.say("By the way, the printer is on floor 2.")
    assert talk.calls == []


def test_a_turn_is_found_by_its_number(talk: Talk) -> None:
    """A numbered turn is read in sight where it stands there, else recalled by its handle."""
    talk.messages = [{"role": "user", "content": "第 4 轮及以前：\n- 甲 @t4"}]
    talk.messages += [{"role": "user", "content": "去买茶"}, {"role": "assistant", "content": "好"}]
    assert "去买茶" in talk.say("第 5 轮我说了什么？")
    talk.say("What did I say in turn 2?")
    assert talk.arguments() == {"query": "#t2"}


CHAINS: tuple[tuple[tuple[str, str, dict[str, str]], ...], ...] = (
    (
        (
            "统计 data/teams.csv 里 points 列的总和，把结果写入 out/sum.txt",
            "59",
            {"out/sum.txt": "59"},
        ),
        ("把上一个结果翻倍后写入 out/twice.txt", "118", {"out/twice.txt": "118"}),
        ("读取刚才写的文件", "118", {}),
        ("在刚才那个文件末尾追加一行：完成", "out/twice.txt", {"out/twice.txt": "118\n完成"}),
        ("上一个总和是多少？", "59", {}),
    ),
    (
        ("Average of fee in data/teams.csv", "4.916667", {}),
        ("save the result to fee.txt", "4.916667", {"fee.txt": "4.916667"}),
        ("How many lines does that file have?", "1", {}),
        ("Copy that file to copy.txt", "copy.txt", {"copy.txt": "4.916667"}),
    ),
    (
        ("data/teams.csv 里 points 最大的是哪个 city？", "Turin", {}),
        ("total points of Oslo in data/teams.csv", "19", {}),
        ("data/teams.csv 有多少条记录？", "3", {}),
        ("What is the fee of green in data/teams.csv?", "9.25", {}),
    ),
    (
        ("app.ini 里 retries 的值是多少？", "4", {}),
        (
            '把 app.ini 里的 "7001" 替换为 "7500"',
            "app.ini",
            {"app.ini": "[main]\nport = 7500\nretries=4"},
        ),
        ("What is the port in app.ini?", "7500", {}),
    ),
    (
        ("把 one.txt 和 two.txt 里的数字相加，写入 three.txt", "42", {"three.txt": "42"}),
        ("Merge one.txt and two.txt into both.txt", "both.txt", {"both.txt": "15\n27"}),
        ("把 two.txt 里的数字减半，写入 half.txt", "13.5", {"half.txt": "13.5"}),
        ("前两个结果的差是多少？", "28.5", {}),
    ),
    (
        (
            "Create list.md with the content:\npear\nfig\npear",
            "list.md",
            {"list.md": "pear\nfig\npear"},
        ),
        ('append "plum" to list.md', "list.md", {"list.md": "pear\nfig\npear\nplum"}),
        ("Read line 2 of list.md", "fig", {}),
        ("Show the last line of list.md", "plum", {}),
        (
            "Convert list.md to uppercase and write it to up.md",
            "up.md",
            {"up.md": "PEAR\nFIG\nPEAR\nPLUM"},
        ),
        (
            "sort the lines of list.md and write them to s.md",
            "s.md",
            {"s.md": "fig\npear\npear\nplum"},
        ),
        ("find all *.md files", "up.md", {}),
        ("哪些文件包含 plum？", "list.md", {}),
    ),
    (
        ("我的代号是 灰狼", "好的", {}),
        ("把我的代号写入 name.txt", "灰狼", {"name.txt": "灰狼"}),
    ),
    (
        ("统计 log/run.log 中包含 WARN 的行数", "44", {}),
        ("log/run.log 有多少行？", "399", {}),
        ("读取 log/run.log 第 250 行", "250 ok", {}),
        ("log 目录下有哪些文件？", "run.log", {}),
        ("在 log 目录里查找 “396 WARN”", "396", {}),
    ),
)


@pytest.mark.parametrize("chain", CHAINS)
def test_chains_over_files(talk: Talk, chain: tuple[tuple[str, str, dict[str, str]], ...]) -> None:
    """Read, compute, write and refer back, in several steps and turns."""
    for text, value, files in chain:
        assert value in talk.say(text), text
        for path, content in files.items():
            assert talk.file(path) == f"{content}\n", text


def test_a_clipped_file_is_read_to_its_end(tmp_path: Path) -> None:
    """A computation over a long file goes on page by page and never asks for a page twice."""
    talk = Talk(tmp_path, room=300)
    with talk.desk as desk:
        desk.put("long.csv", "id,score\n" + "".join(f"{n},{n * 3}\n" for n in range(1, 401)))
        assert "240600" in talk.say("统计 long.csv 里 score 列的总和")
    pages = [call.arguments for call in talk.calls]
    assert len(pages) > 3
    assert len(set(pages)) == len(pages)


def test_what_was_noted_of_earlier_pages_is_enough(tmp_path: Path) -> None:
    """Pages that left the window are not needed again: their subtotal was said along."""
    talk = Talk(tmp_path, room=300)
    with talk.desk as desk:
        desk.put("long.csv", "id,score\n" + "".join(f"{n},{n * 3}\n" for n in range(1, 401)))
        talk.say("统计 long.csv 里 score 列的最大值")
    tools = [m for m in talk.messages if m["role"] == "tool"]
    for stubbed in tools[:-1]:
        stubbed["content"] = json.dumps({"omitted": "about 300 tokens", "handle": "#t1"})
    said = Brain().answer(talk.messages[:-1], desk.tools.schemas)
    assert "1200" in said.text


def test_a_lost_result_is_admitted(talk: Talk) -> None:
    """Where the needed result is gone and nothing was noted, the answer says so."""
    talk.say("读取 one.txt")
    talk.messages[2]["content"] = json.dumps({"omitted": "5 tokens", "handle": "#t1"})
    said = Brain().answer(talk.messages[:3], talk.desk.tools.schemas)
    assert "没有做完" in said.text
    assert not said.calls


def test_a_written_value_is_told_though_its_source_is_gone(talk: Talk) -> None:
    """The value is said along with the write, so the answer needs no older result."""
    talk.say("求 one.txt 里所有数字的和，写入 s.txt")
    talk.messages[2]["content"] = json.dumps({"omitted": "5 tokens", "handle": "#t1"})
    said = Brain().answer(talk.messages[:-1], talk.desk.tools.schemas)
    assert said.text == "总和是 15，已写入 s.txt。"


@pytest.mark.parametrize(
    "text", ["读取 missing.txt", "Read ../outside.txt", "把 1+1 的结果写入 ../x.txt"]
)
def test_a_failed_step_is_reported(talk: Talk, text: str) -> None:
    """A tool's error becomes the answer; nothing is tried twice."""
    answer = talk.say(text)
    assert "失败" in answer or "failed" in answer
    assert len(talk.calls) == 1


def test_a_reference_to_nothing_is_admitted(talk: Talk) -> None:
    """Without any earlier result the answer says that it doesn't know which."""
    assert "不知道" in talk.say("把上一个结果加 3 后写入 x.txt")
    assert "write" not in talk.used()


def test_a_result_is_remembered_on_request(talk: Talk) -> None:
    """A computed value goes to long-term memory when the text asks for it."""
    talk.say("What is the max of points in data/teams.csv? Remember the result")
    assert talk.used() == ["read", "remember"]
    assert "40" in talk.arguments(1)["content"]


def test_a_table_needs_no_page_twice_when_lines_are_huge(tmp_path: Path) -> None:
    """A line that is cut inside is put together again from its pieces."""
    talk = Talk(tmp_path, room=200)
    with talk.desk as desk:
        desk.put("wide.txt", " ".join(str(n) for n in range(1, 301)) + "\n7\n")
        assert "45157" in talk.say("求 wide.txt 里所有数字的和")


def test_without_tools_nothing_is_called() -> None:
    """A tool that the request does not offer is not called."""
    messages: list[dict[str, Any]] = [{"role": "user", "content": "读取 a.txt"}]
    said = Brain().answer(messages)
    assert not said.calls
    assert "失败" in said.text


@pytest.mark.parametrize("text", ["2**(3**4)", "-2**2", "7//2", "-7%3", "2*(3+4)-5/10", ".5+1.25"])
def test_arithmetic_agrees_with_python(text: str) -> None:
    """Operators, precedence and associativity are Python's, but exact."""
    assert float(show(calculate(text))) == pytest.approx(eval(text))


@pytest.mark.parametrize(
    "text", ["9**9**9", "1/0", "(", "2 3", "1+", "0**-1", "2**0.5", "(" * 500 + "1" + ")" * 500, ""]
)
def test_impossible_arithmetic_is_refused(text: str) -> None:
    """Neither a huge power nor deep nesting nor nonsense costs anything."""
    with pytest.raises(NotArithmetic):
        calculate(text)


@pytest.mark.parametrize(
    "text",
    ["", " ", "？", "啊" * 5000, "((((((", "*.md", "把", "@t5", "a.txt", "\x00", "第 999 行", "🙂"],
)
def test_any_text_gets_an_answer(talk: Talk, text: str) -> None:
    """No message stops the brain."""
    assert talk.say(text)

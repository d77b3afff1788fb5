"""The life of a note: said again, merged, changed, contradicted, edited, forgotten."""

from collections.abc import Iterator
from itertools import count
from pathlib import Path
from time import process_time

import pytest

from chyan_agent.memory import Note
from chyan_agent.memory.kin import Kin
from chyan_agent.memory.notes import NotesLog
from chyan_agent.memory.ranking import Found
from chyan_agent.memory.standing import standings

OTHERS = ("我喜欢爬山", "备份在每天凌晨两点", "The wifi name is Lotus", "Lunch is at noon")
"""Notes on other matters: no update may touch them."""


def opened(folder: Path) -> NotesLog:
    """Open the notes of a folder, with a clock that never stands still."""
    ticks = count()
    return NotesLog(folder / "memories.jsonl", clock=lambda: f"2026-01-01T00:00:{next(ticks):06}Z")


@pytest.fixture
def log(tmp_path: Path) -> Iterator[NotesLog]:
    """Notes on other matters."""
    notes = opened(tmp_path)
    keep(notes, *OTHERS)
    yield notes
    notes.close()


def keep(log: NotesLog, *texts: str) -> list[Note]:
    """Note texts, one a turn."""
    return [log.remember(t, turn=n, source="user")[0] for n, t in enumerate(texts, 1)]


def current(log: NotesLog) -> list[str]:
    """Return the current notes on the matter of a test."""
    return [note.text for note in log.shelf.current() if note.text not in OTHERS]


def conflict(*texts: str) -> bool:
    """Tell whether the second of two texts of one turn is known to contradict the first."""
    return any(
        standing.against for _, standing in standings([Found(t, 1, "user", 1.0) for t in texts], 1)
    )


# ---- said again


SAME = [
    ("项目数据库使用 PostgreSQL", "项目的数据库使用PostgreSQL。"),
    ("项目数据库使用 PostgreSQL", "我们项目数据库用的是 PostgreSQL"),
    ("我的生日是 3 月 5 日", "请记住：用户的生日是3月5日"),
    ("预算是 12,000 元", "目前预算是12000元"),
    ("上线日期是 2026-03-05", "上线日期：2026年3月5日"),
    ("张伟负责前端开发", "张伟现在负责前端的开发"),
    ("The project database is PostgreSQL", "the project's database is PostgreSQL."),
    ("I like green tea", "User likes green tea"),
    ("The deadline of the project is Friday", "The project's deadline is Friday"),
    ("Anna doesn't eat nuts", "Please remember that Anna does not eat nuts"),
    ("端口是 8080，密码在保险箱", "端口是 8080"),
    ("用户喜欢喝普洱", "我喜欢喝普洱"),
    ("The user's flight is LH455", "My flight is LH455"),
    ("订单已经发货", "订单发货了！"),
    ("我们团队每周五复盘", "团队每周五复盘"),
    ("She can't swim", "she cannot swim."),
    ("气压 >= 30 报警", "气压 ≥ 30 报警"),
    ("The boss of my cousin is Leo", "My cousin's boss is Leo"),
    ("您欠我 70 块", "你欠我70块"),
]
APART = [
    ("小明的电话是 123", "小红的电话是 123"),
    ("张伟负责前端", "张伟负责后端"),
    ("小明喜欢小红", "小红喜欢小明"),
    ("Bob manages Ann", "Ann manages Bob"),
    ("端口 8080 对外开放", "端口 8081 对外开放"),
    ("订单 ORD-20391 已发货", "订单 ORD-20392 已发货"),
    ("I like tea", "I don't like tea"),
    ("我同意方案 A", "我不同意方案 A"),
    ("他欠我 70 块", "我欠他 70 块"),
    ("You trust me", "I trust you"),
    ("你的鞋码是 42", "我的鞋码是 42"),
    ("Your locker is 9", "My locker is 9"),
    ("她是我的房东", "我是她的房东"),
    ("海拔 -12 米", "海拔 12 米"),
    ("入场收 $30", "入场收 €30"),
    ("进度 50%", "进度 50"),
    ("x > 5 报警", "x < 5 报警"),
    ("✅ 打包", "❌ 打包"),
    (".npmrc 要提交", "npmrc 要提交"),
    ("--force 必须加", "force 必须加"),
    ("The train from Bonn to Kiel is late", "The train from Kiel to Bonn is late"),
    ("甲 A 比 B 贵", "甲 B 比 A 贵"),
    ("The boss of my cousin is Leo", "The cousin of my boss is Leo"),
    ("The lamp is broken", "The lamp was broken"),
    ("I have a cat", "I had a cat"),
    ("我去过冰岛", "我去冰岛"),
    ("我卖了车", "我卖车"),
    ("租期 3 个月", "租期 3 月"),
    ("这周五交稿", "那周五交稿"),
]


@pytest.mark.parametrize(("first", "again"), SAME)
def test_near_duplicates_are_merged(log: NotesLog, first: str, again: str) -> None:
    """The same in other words is one note that knows of both times."""
    (note,) = keep(log, first)
    assert log.remember(again, turn=9, source="model") == (note, "known")
    assert current(log) == [first]
    said = [(one.text, one.source, one.turn) for one in log.shelf.origins(note)]
    assert said == [(first, "user", 1), (again, "model", 9)]


@pytest.mark.parametrize(("first", "other"), APART)
def test_what_differs_is_not_merged(log: NotesLog, first: str, other: str) -> None:
    """Another name, number, order or a denial makes another note."""
    keep(log, first, other)
    assert current(log) == [first, other]


def test_remembering_is_idempotent(log: NotesLog) -> None:
    """The same call again writes nothing, and many calls write a bounded number of lines."""
    log.remember("端口是 8080", turn=3, source="model", key="t00003c01")
    size = log.path.stat().st_size
    log.remember("端口是 8080", turn=3, source="model", key="t00003c01")
    assert log.path.stat().st_size == size
    for turn in range(100):
        log.remember("端口是 8080", turn=turn, source="model")
    assert len(log.path.read_bytes().splitlines()) < 20


def test_a_fuller_note_takes_the_place_of_a_shorter(log: NotesLog) -> None:
    """What says all of a note and more stands in its place, and says so."""
    short, long = keep(log, "端口是 8080", "端口是 8080，密码在保险箱")
    assert (current(log), long.supersedes) == ([long.text], short.id)


def test_origins_survive(tmp_path: Path) -> None:
    """Both times at which a note was said are read back from the disk."""
    log = opened(tmp_path)
    (note,) = keep(log, "项目数据库使用 PostgreSQL")
    log.remember("项目的数据库是 PostgreSQL", turn=7, source="model", key="t00007c01")
    again = opened(tmp_path)
    assert again.shelf.origins(note) == log.shelf.origins(note)
    assert again.holds("anything", "t00007c01")


# ---- changed


CHANGED = [
    ("项目数据库使用 PostgreSQL", "项目数据库改用 MySQL"),
    ("项目数据库使用 PostgreSQL", "我们已经把数据库从 PostgreSQL 迁移到 MySQL 了"),
    ("项目数据库使用 PostgreSQL", "数据库不再使用 PostgreSQL，换成了 MySQL"),
    ("项目数据库使用 PostgreSQL", "PostgreSQL 已被 MySQL 取代"),
    ("我每天早上喝咖啡", "我不再喝咖啡了"),
    ("周五下午三点有项目例会", "周五的项目例会取消了"),
    ("周五下午三点有项目例会", "项目例会取消了"),
    ("我住在北京", "我搬到上海了"),
    ("我住在北京朝阳区", "我现在住在上海"),
    ("我叫王伟", "更正：我的名字不是王伟，是王玮"),
    ("客户联系人是李雷", "客户联系人换成了韩梅梅"),
    ("项目代号是北极星", "项目改名为南十字"),
    ("项目代号是北极星", "项目代号改成南十字"),
    ("产品发布定在 3 月 5 日", "产品发布推迟到 3 月 12 日"),
    ("王芳的生日是 3 月 5 日", "王芳的生日不是 3 月 5 日，而是 3 月 15 日"),
    ("王芳的分机号是 8012", "王芳的分机号换成了 8033"),
    ("服务器在阿里云杭州机房", "服务器搬到腾讯云上海机房了"),
    ("我们用 Jira 管理任务", "我们不用 Jira 了，改用 Linear"),
    ("小李是测试组组长", "小李不再是测试组组长"),
    ("预算上限是 5 万元", "预算上限提高到 8 万元"),
    ("我喜欢吃辣", "我现在不吃辣了"),
    ("我对花生过敏", "复查结果出来了，我不再对花生过敏"),
    (
        "The project database is PostgreSQL",
        "We switched the project database from PostgreSQL to MySQL",
    ),
    ("The project database is PostgreSQL", "We've moved from PostgreSQL to MySQL"),
    ("The project database is PostgreSQL", "MySQL replaced PostgreSQL as our database"),
    ("The team meets on Tuesdays at 10", "The Tuesday team meeting was cancelled"),
    ("The weekly sync is on Tuesday at 10:00", "The weekly sync has been moved to Thursday"),
    ("I live in Berlin", "I moved to Munich last month"),
    ("I live in Berlin", "I no longer live in Berlin"),
    ("My phone number is 555-0101", "My new phone number is 555-0199"),
    ("Anna is the project lead", "Anna is no longer the project lead"),
    ("The codename is Falcon", "The codename was changed to Osprey"),
    ("The codename is Falcon", "The project was renamed from Falcon to Osprey"),
    ("We deploy on Fridays", "We stopped deploying on Fridays"),
    ("I drink coffee every morning", "I quit coffee"),
    ("My name is Jon Smith", "Correction: my name is not Jon but John Smith"),
    ("The budget is 5,000 dollars", "The budget has been increased to 8,000 dollars"),
    ("The API key is stored in vault A", "The API key is now stored in vault B"),
    ("The launch date is March 5", "The launch date is actually March 12"),
    ("My favourite editor is vim", "I use helix instead of vim now"),
    ("Bob's desk is 4F-12", "Bob's desk is now 5F-20"),
    ("The flight leaves at 9:40", "The flight was rescheduled to 11:15"),
    ("CI runs on Jenkins", "CI now runs on GitHub Actions"),
    ("我在字节跳动工作", "我从字节跳动离职了"),
    ("部署环境是阿里云", "部署环境从阿里云迁到了 AWS"),
    ("发票抬头是甲公司", "发票抬头应为乙公司，不是甲公司"),
    ("测试负责人：小赵", "测试负责人现在是小钱"),
    ("My wife's name is Anna", "My wife's name is Hannah, not Anna"),
    ("We meet at Cafe Luna", "We're meeting at Cafe Sol instead of Cafe Luna"),
    ("Deadline: June 5", "Deadline extended to June 12"),
    ("诊所的电话是 600100", "电话改成 600200"),
    ("我的电话是 600100", "电话改成 600200"),
    ("电话是 600100", "我的电话改成 600200"),
    ("The clinic's phone is 555-0101", "The phone is now 555-0199"),
    ("我的会诊是周二", "我的会诊是周五"),
    ("The host is 10.0.0.5", "The host is 10.0.0.9"),
    ("My favourite soup is ramen", "My favourite soup is pho"),
    ("孩子的体重是 20 公斤", "孩子的体重是 22 公斤"),
    ("我住嘉兴", "我搬到湖州了"),
    ("我家在嘉兴", "我家搬去湖州了"),
    ("我在甲公司上班", "我现在在乙公司上班"),
    ("我在甲公司上班", "我跳槽到乙公司了"),
    ("I work at Nokia", "I left Nokia and joined Arm"),
    ("I drive a Fiat Panda", "I sold the Panda and bought a Dacia"),
    ("经费 12 万", "经费追加到 15 万"),
    ("学费每月 800", "学费涨到每月 950 了"),
    ("月会定在周二上午", "月会挪到了周四"),
    ("The audit is scheduled for June 3", "The audit got pushed to June 10"),
    ("Ines is the release manager", "Omar is the release manager now"),
    ("Ines is the release manager", "Omar took over as release manager"),
    ("用 pnpm 管理依赖", "改用 bun 管理依赖"),
    ("舅舅的手机号是 13900001111", "舅舅换号了，现在是 13700002222"),
    ("瑜伽教练是刘洋", "瑜伽教练换人了，现在是赵蕾"),
    ("My dentist is Dr. Patel", "I switched dentists, now I see Dr. Gomez"),
    ("我对虾过敏", "医生说我不再对虾过敏了"),
    ("I'm vegan", "I'm not vegan anymore"),
]
STAYS = [
    ("小明是我弟弟", "小明是医生"),
    ("项目使用 React", "项目使用 TypeScript"),
    ("我喜欢苹果", "我喜欢梨"),
    ("端口是 8080", "端口改成 9090 了吗？"),
    ("服务器端口是 8080", "数据库端口是 5432"),
    ("端口是 8080，密码在保险箱", "端口改成 9090"),
    ("小明住在北京", "小红搬到上海了"),
    ("周五有例会", "周六的聚餐取消了"),
    ("王芳的生日是 3 月 5 日", "李雷的生日不是 3 月 5 日，是 3 月 6 日"),
    ("前端用 Vue", "后端从 Java 换成 Go"),
    ("后端使用 Java", "前端从 Java 换成 Kotlin"),
    ("The frontend uses Vue", "The backend moved from Java to Go"),
    ("My flight to Paris is on Sunday", "My train from Paris to Lyon is on Monday"),
    ("Anna likes tea", "Bob no longer likes tea"),
    ("I live in Berlin", "My sister moved to Munich"),
    ("The weekly sync is on Tuesday", "The monthly review has been moved to Thursday"),
    ("I drink coffee every morning", "I no longer drink beer"),
    ("我每天早上喝咖啡", "我不再喝啤酒了"),
    ("我们用 Jira 管理任务", "我们不用邮件了，改用飞书沟通"),
    ("王芳负责前端", "李雷不再负责后端"),
    ("The server room is on floor 3", "The meeting room was moved to floor 5"),
    ("预算上限是 5 万元", "人数上限提高到 80 人"),
    ("I am a nurse", "I am from Lyon"),
    ("Anna is a doctor", "Anna is my sister"),
    ("Meeting with Ann on Monday", "Meeting with Ann on Thursday is cancelled"),
    ("周三下午有钢琴课", "周四下午的钢琴课取消了"),
    ("我在字节跳动工作", "我弟弟从字节跳动离职了"),
    ("项目 Alpha 使用 Redis", "项目 Beta 不再使用 Redis"),
    ("My wife's name is Anna", "My sister's name is Hannah"),
    ("Deadline: June 5", "The kickoff moved to June 12"),
    ("订单 A-1 已发货", "订单 A-2 已取消"),
    ("Order A-1 has shipped", "Order A-2 was cancelled"),
    ("项目经理是张三", "产品经理换成了李四"),
    ("诊所的电话是 600100", "我的电话改成 600200"),
    ("Greta's address is 5 Elm St", "My address is now 9 Oak St"),
    ("外婆的生日是 5 月 2 日", "我的生日改成 6 月 4 日"),
    ("The tenant's phone is 555-0101", "Our phone is now 555-0199"),
    ("我家的车位是 12 号", "公司的车位换成 30 号"),
    ("你的昵称是小助", "我的昵称改成阿树"),
    ("The airport is Linate", "The port is now 9090"),
    ("我的徒弟是小曹", "我的徒弟是小范"),
    ("My cousin is Leo", "My cousin is Eva"),
    ("My allergy is latex", "My allergy is mould"),
    ("项目的插件是 ruff", "项目的插件是 mypy"),
    ("我的丈夫是厨师", "我的丈夫是大连人"),
    ("My bike is a Trek", "My bike is green"),
    ("The parcel is A-11", "The parcel is 45 euros"),
    ("讲座是 3 点", "讲座是 B204"),
    ("The host is 10.0.0.5", "The host is 64GB"),
    ("我的仓库是 120 平", "我的仓库是 2015 年建的"),
    ("巡检去了南京", "巡检改到下周"),
    ("I booked a room at Alba for Friday", "I cancelled the room at Brisa for Friday"),
    ("My plan includes 10GB data", "My plan no longer includes roaming"),
    ("I live in Bergen", "I work at Nokia"),
    ("I work in Bergen", "I work at Nokia"),
    ("我住嘉兴", "我住过湖州"),
    ("我家在嘉兴", "我家在装修"),
    ("我住嘉兴", "我在乙公司上班"),
    ("温度调到 26 度", "空调到货了"),
    ("I know French", "I now know German"),
    ("我的同学在甲公司上班", "我跳槽到乙公司了"),
    ("Ines is a manager", "Omar is a manager now"),
]


@pytest.mark.parametrize(("old", "new"), CHANGED)
def test_a_change_supersedes(log: NotesLog, old: str, new: str) -> None:
    """However a change is told, the note that it makes out of date gives way, and no other."""
    first, second = keep(log, old, new)
    assert second.supersedes == first.id
    assert current(log) == [new]
    assert len(log.shelf.current()) == len(OTHERS) + 1
    assert log.shelf.successor(first) == second


@pytest.mark.parametrize(("old", "new"), STAYS)
def test_what_is_not_meant_stays(log: NotesLog, old: str, new: str) -> None:
    """A change of something else, or of another's, replaces nothing."""
    keep(log, old, new)
    assert current(log) == [old, new]


def test_a_chain_of_changes(log: NotesLog) -> None:
    """Of a value that changed three times the last is current, and each knows the one before."""
    notes = keep(log, "端口是 8080", "端口改成 9090", "端口改为 7070", "端口是 8080")
    assert current(log) == ["端口是 8080"]
    assert [note.supersedes for note in notes[1:]] == [note.id for note in notes[:-1]]
    assert log.shelf.successor(notes[0]) == notes[-1]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("我喜欢香菜", "我讨厌香菜"),
        ("I love cilantro", "I hate cilantro"),
        ("服务器支持 HTTP2", "服务器不支持 HTTP2"),
        ("Dark mode is enabled", "Dark mode is disabled"),
        ("数据库使用 PostgreSQL", "数据库使用 MySQL"),
        ("外公今年 81 岁", "外公今年 82 岁"),
        ("取件码 4471", "取件码 44710"),
        ("团建在周六", "团建在周日"),
        ("打印机在二楼", "打印机在三楼"),
        ("仓库有货 12 件", "仓库有货 120 件"),
        ("The gym opens at 7:00", "The gym opens at 8:00"),
        ("We deploy with Ansible", "We now deploy with Terraform"),
        ("The shed is locked", "The shed is unlocked"),
    ],
)
def test_contradictions_without_an_order_both_stand(log: NotesLog, one: str, other: str) -> None:
    """Neither says that it changed: both are kept, and known to contradict each other."""
    keep(log, one, other)
    assert current(log) == [one, other]
    assert conflict(one, other)
    assert conflict(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("我喜欢香菜", "我特别喜欢香菜"),
        ("小明是我弟弟", "小明是医生"),
        ("项目使用 React", "项目使用 TypeScript"),
        ("Anna likes tea", "Bob hates tea"),
        ("端口是 8080", "端口是 8080。"),
        ("订单 4471 已发货", "订单 4472 已发货"),
        ("我买了 3 个梨", "我买了 5 个梨"),
        ("We paid 40 euros", "We paid 50 euros"),
        ("周六有瑜伽课", "周日有瑜伽课"),
        ("第 3 章很难", "第 5 章很难"),
        ("I know French", "I now know German"),
        ("我的孩子是大毛", "我的孩子是二毛"),
    ],
)
def test_what_may_both_hold_is_no_contradiction(one: str, other: str) -> None:
    """Statements of two matters, or twice the same, don't contradict each other."""
    assert not conflict(one, other)


def test_the_cost_of_a_note_does_not_grow_with_their_number() -> None:
    """A note is compared with those of its subject: ten times as many cost about the same."""
    few, many = _cost(300), _cost(3000)
    assert many < 5 * few + 0.01


def _cost(size: int) -> float:
    kin = Kin()
    for n in range(size):
        kin.put(f"n{n}", f"柜子{n}的编号是 K{n}")
    begun = process_time()
    for n in range(50):
        kin.overtaken(f"架子{n}的位置是 M{n}")
        kin.overtaken(f"编号改成 {n}")
    return process_time() - begun


# ---- edited and forgotten


def test_an_edit_is_a_new_note(log: NotesLog) -> None:
    """The edited note stands in the place of the old one, which stays in the log."""
    (note,) = keep(log, "会议室在三楼")
    edited = log.edit(note, "会议室在四楼")
    assert (edited.supersedes, edited.source) == (note.id, "user")
    assert current(log) == ["会议室在四楼"]
    assert log.shelf.get(note.id) == note


def test_forgetting_is_a_record(tmp_path: Path) -> None:
    """A note that was taken back is not current, also after a restart; its line stays."""
    log = opened(tmp_path)
    (note,) = keep(log, "会议室在三楼")
    before = log.path.read_bytes()
    log.forget(note)
    for one in (log, opened(tmp_path)):
        assert one.shelf.current() == []
        assert one.shelf.is_forgotten(note)
        assert one.shelf.known(note.text) is None
    assert log.path.read_bytes().startswith(before)
    assert log.remember(note.text, turn=9, source="user")[1] == "added"


def test_forgetting_an_update_does_not_bring_the_old_value_back(log: NotesLog) -> None:
    """What was replaced stays replaced when its successor is taken back."""
    old, new = keep(log, "端口是 8080", "端口改成 9090")
    log.forget(new)
    assert current(log) == []
    assert log.shelf.successor(old) is None

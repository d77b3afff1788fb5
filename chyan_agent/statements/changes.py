"""What a text says is no longer so: a value that gave way to another, or something that ended.

Pure rules. `facts.replaces` compares two statements of one subject; here a text tells by itself
that something changed, and what is known of before need not have its form.
"""

import re
from dataclasses import dataclass

from .facts import LONGEST, asks, normalise, opened
from .gist import units

_V = r"[^,:;。！？]{1,40}?"
_LAST = r"(?P<old>[^,;.。]{1,40}?)(?=了?(?:[,;.。]|作为|来|$)| (?:as|for|in|on|at|since|now|any)\b)"
_TO = (
    "(?:改|换|变|切换?|迁移?|升级|降级|调整|转|搬|移|推迟|提前|延期?|替换|更换|更新|修改|变更)了?"
    "(?:成|为|到|至|用|作)了?"
)
_MOVING = "switch|mov|chang|migrat|convert|went|go|gone|renam|upgrad|downgrad|transfer|relocat|push"
_PAIRS = tuple(
    re.compile(pattern)
    for pattern in (
        # Chinese
        rf"(?:不是|并非|不叫|不再是)(?P<old>{_V})[,;。]?\s*(?:而是|应该?是|应为|改为|改成|是|叫)(?P<new>.{{1,80}})",
        rf"(?:应该?是|应为|而是|是|叫)(?P<new>{_V})[,;]\s*而?(?:不是|并非|而非|不叫|不再是){_LAST}",
        rf"(?:从|由)(?P<old>{_V})\s*{_TO}(?P<new>.{{1,80}})",
        rf"用(?P<new>{_V})\s*(?:替换|取代|代替|替代|换)掉?了?{_LAST}",
        rf"(?P<old>{_V})\s*(?:已经?)?被(?P<new>{_V})\s*(?:取代|代替|替代|替换)",
        rf"(?P<new>{_V})\s*(?:取代|代替|替代|替换)了?(?:原来的|之前的|旧的)?{_LAST}",
        rf"(?:把|将)(?P<old>{_V})\s*{_TO}(?P<new>.{{1,80}})",
        rf"(?:不用|不再用|不再使用|弃用|放弃)了?(?P<old>{_V})了?[,;]\s*(?:而是|改|换|转而?)?用了?(?P<new>.{{1,80}})",
        # English
        rf"\b(?:{_MOVING})[a-z]* (?:[^,;]{{1,40}} )?from (?P<old>{_V})"
        r" (?:over )?to (?P<new>.{1,80})",
        rf"(?P<old>{_V}) (?:was|has been|is|got) (?:replaced|superseded) (?:with|by)"
        r" (?P<new>.{1,80})",
        rf"\breplac(?:ed|es|ing|e) (?P<old>{_V}) (?:with|by) (?P<new>.{{1,80}})",
        rf"\bswap(?:ped)? (?P<old>{_V}) (?:for|with) (?P<new>.{{1,80}})",
        rf"\b(?P<new>{_V}) (?:instead of|rather than|in place of|has replaced|replaced|replaces)"
        rf" {_LAST}",
        rf"\b(?:not|isn['’]t|wasn['’]t|aren['’]t|no longer) (?P<old>{_V}),?"
        r" but (?:rather )?(?P<new>.{1,80})",
        rf"\b(?:not|isn['’]t|wasn['’]t|no longer) (?P<old>{_V})[,;.]"
        r" ?(?:it['’]s|it is|but|rather) (?P<new>.{1,80})",
        rf"\bis (?P<new>{_V}),? (?:and )?(?:not|no longer) {_LAST}",
    )
)
_ENDED = re.compile(
    "不再|不用再|不必再|停了|停止|停用|弃用|放弃|取消|撤销|撤回|作废|终止|废弃|废止|不用了|不做了|不办了|不去了|不开了|不需要了|下线"
    "|移除|去掉|退掉|退订|退出|卖掉|卖了|辞去|辞职|离职|离开|解散|戒了|戒掉|结束|失效|过期|已经不|现在不|以后不|完成了|做完了|办完了"
    r"|\b(?:no longer|any ?more|stopp?(?:ed|s)?|quit|cancel(?:l?ed|s)?|called off|dropp?ed|drop"
    r"|removed?|deprecated?|retired?|discontinued?|gave up|got rid of|sold|ended|disbanded"
    r"|abandoned?|expired?|revoked?|unsubscribed?|scrapped|left|is over|finished|done with)\b"
)
_CHANGED = re.compile(
    f"{_TO}|改用|换用|转用|改由|改在|改名|更名|更正|纠正|修正|新的"
    r"|\b(?:now|(?:gone|went|rose|risen|fell|fallen|up|down) to)\b"
    r"|\b(?:changed|switched|moved|migrated|renamed|rescheduled|postponed|upgraded|downgraded"
    r"|updated|correction|actually|new|instead)\b"
)
_FILLER = re.compile(
    "决定|打算|计划|通知|名字|姓名|项目|团队|因为|由于|所以|已经|大家|今天|刚刚|刚才|之前|原来|原先|以前|以后"
    r"|[把将从由给向对跟与]|\b(?:name|project|team|we|i|they|have|decided|to|from|for|in|on|at|and|with|as|by"
    r"|or|but|than|then|into|over|been|going|will|because|all|last|next)\b"
)

_AROUND = re.compile(r"^(?:on|in|at|the|a|an) |(?: now| any ?more| today|了)$")


@dataclass(frozen=True, slots=True)
class Change:
    """What a text says of the time before."""

    old: str
    """The value that is no longer so; empty where it is not named."""
    topic: frozenset[str]
    """By what an older text about the same can be recognised."""
    lead: str
    """The first of it, mostly the subject; with all numbers and names it must be met."""
    ended: bool
    """Whether something stopped, with nothing in its place."""


def change(text: str) -> Change | None:
    """Return what a text says has changed, or None for questions and all that only is."""
    if len(text) > LONGEST or asks(text):
        return None
    plain, announced = opened(normalise(text))
    for pattern in _PAIRS:
        if found := pattern.search(plain):
            rest = f"{plain[: found.start()]} {plain[found.end() :]}"
            return _about(rest, _value(found["old"]))
    if _ENDED.search(plain):
        return _about(plain, ended=True)
    if marker := _CHANGED.search(plain):
        return _about(plain[: marker.start()])
    return _about(plain) if announced else None


def _about(plain: str, old: str = "", *, ended: bool = False) -> Change:
    bare = _FILLER.sub(" ", _ENDED.sub(" ", _CHANGED.sub(" ", plain)))
    topic = units(bare)
    strong = [unit for unit in topic if len(unit) > 1]
    return Change(old, frozenset(topic), strong[0] if strong else "", ended)


def _value(old: str) -> str:
    return _AROUND.sub("", old).strip(" 了的\"'“”")

"""What a text says is no longer so: a value that gave way to another, or something that ended.

Pure rules. `replacing.replaces` compares two statements of one subject; here a text tells by itself
that something changed, and what is known of before need not have its form.
"""

import re
from dataclasses import dataclass, replace

from ..late import Late
from .facts import LONGEST, normalise, opened
from .gist import plain as evened_text
from .gist import units
from .questions import asks
from .slots import timed
from .spelt import MONTH, WEEKDAY

_V = r"(?:[^,:;。！？]|(?<=\d):(?=\d)){1,40}?"
_LAST = r"(?P<old>[^,;.。]{1,40}?)(?=了?(?:[,;.。]|作为|来|$)| (?:as|for|in|on|at|since|now|any)\b)"
_TO = (
    "(?:改|换|变|切换?|迁移?|升级|降级|调整|转|搬|移|推迟|提前|延期?|替换|更换|更新|修改|变更)了?"
    "(?:成|为|到|至|用|作)了?"
)
_MOVING = "switch|mov|chang|migrat|convert|went|go|gone|renam|upgrad|downgrad|transfer|relocat|push"
_PAIRS = tuple(
    Late(pattern)
    for pattern in (
        # Chinese
        rf"(?:不是|并非|不叫|不再是)(?P<old>{_V})[,;。]?\s*(?:而是|应该?是|应为|改为|改成|是|叫).{{1,80}}",
        rf"(?:应该?是|应为|而是|是|叫){_V}[,;]\s*而?(?:不是|并非|而非|不叫|不再是){_LAST}",
        rf"(?:从|由)(?P<old>{_V})\s*{_TO}.{{1,80}}",
        rf"(?P<old>{_V})\s*(?:已经?)?被{_V}\s*(?:取代|代替|替代|替换)",
        rf"{_V}\s*(?:取代|代替|替代|替换)(?![为成])了?(?:原来的|之前的|旧的)?{_LAST}",
        rf"(?:离开|告别|辞掉|卖掉|卖了|退掉|扔了|扔掉|淘汰)了?(?P<old>{_V})了?[,;]?\s*(?:然后|随后|并|又|后来|后)?"
        r"(?:加入|入职|跳槽|去了|换|买|改)[成到了用]?.{1,80}",
        r"不再?(?P<did>[\u3400-\u9fff])(?P<old>[^,;]{1,20}?)了(?:$|[,;].{1,80})",
        # English
        rf"\b(?:left|quit|sold|ditched|dumped|returned|cancell?ed|dropped) (?P<old>{_V}),?"
        r" (?:and|then|and then|to|for) (?:now )?"
        r"(?:join|joined|bought|buy|got|took|take|went|started|am|are|work|drive|have|use)\b"
        r" ?.{1,80}",
        rf"\b(?:{_MOVING})[a-z]* (?:[^,;]{{1,40}} )?from (?P<old>{_V})"
        r" (?:over )?to .{1,80}",
        rf"(?P<old>{_V}) (?:was|has been|is|got) (?:replaced|superseded) (?:with|by)"
        r" .{1,80}",
        rf"\breplac(?:ed|es|ing|e) (?P<old>{_V}) (?:with|by) .{{1,80}}",
        rf"\b(?:swap(?:ped)?|trad(?:ed|ing)(?: in)?) (?P<old>{_V}) (?:for|with) .{{1,80}}",
        rf"\b{_V} (?:instead of|rather than|in place of|has replaced|replaced|replaces)"
        rf" {_LAST}",
        rf"\b(?:not|no longer) (?P<old>{_V})[,;.]? ?(?:but|rather|it)\b .{{1,80}}",
        rf"\bis {_V},? (?:and )?(?:not|no longer) {_LAST}",
    )
)
_REDO = Late(
    r"(?P<who>[^,]{2,12}?)(?:现在|最近|已经?)?改(?P<did>(?![成为到至在由回])[\u3400-\u9fff])"
    r"(?P<new>[^,]{1,40})"
)
"""论文改投期刊了: of the paper nothing else is said there."""
_GIVEN_UP = Late("(?P<who>[^,]{1,8}?)(?:已经?|终于|成功)?戒(?:掉)?了?(?P<old>[^,]{1,4}?)了?$")
_HABIT = "抽吸喝吃"
_REPLACED = Late(
    r"([^,;]{1,30}?)(?:换|更换|改)(?:了|过)?([^,;]{0,4}?)了?[,;]\s*(?:现在|新的?|目前|如今)"
    r"|([^,;]{0,40}?)\b(?:switched|changed|got a new|have a new|has a new)"
    r" ([^,;]{2,30}),? (?:and )?(?:now|it['’]s|it is|the new)\b"
)
"""爸爸换号了，现在是 …: what comes is another one of what was."""
_WHEN = Late(
    r"[\d一二三四五六七八九十]\s?[点号日月:-]|[周期拜][一二三四五六日天末]|[今明后昨]天|[上下本这]个?[周月]"
    rf"|[早晚]上|[上下中]午|\d ?[ap]m\b|\b{WEEKDAY}|\b{MONTH} \d"
    r"|\b(?:today|tomorrow|noon|midnight)\b|\b(?:next|this|every) (?:day|week|month)"
)
_HOURS = Late(
    r"[上下这本每]?个?(?:周|星期|礼拜)[一二三四五六日天末]|[上下中]午|[早晚]上|傍晚|凌晨|[今明后昨][天晚]|[上下这本]个?[周月]"
    r"|[\d一二三四五六七八九十两零半]+\s?[年月日号点时分刻:]?半?钟?|了$"
)
_HEAD = Late(r"(?:(?<=的)[\u3400-\u9fff]|(?<!的)(?!的)[\u3400-\u9fff]{2})(?=[^\u3400-\u9fff]*$)")
_NAMES = Late(r"(?<![.!?] )(?<!^)\b[A-Z][a-z]{2,}")
"""Names inside a sentence: the table at Luca's is not that at Nora's."""
_ENDED = Late(
    "不(?:[用必]?再|[\u3400-\u9fff]{1,2}了(?=$|[,;。]))|(?:已经|现在|以后)不|停[了止用]|[弃废][用弃止]|放弃|[退卖扔删]了(?=$|[,;])"
    "|取消|撤[销回]|作废|终止|解散|结束|失效|过期|移除|下线|退[订出]|辞[去职]|离[职开]|毕业(?=了|回|$)|卖了"
    "|[\u3400-\u9fff]掉|[送搬调]走|送人|走丢|死了|[去过]世(?!界)|[做办]完了|完成了"
    r"|\b(?:no longer|any ?more|stopp?(?:ed|s)?|quit|cancel(?:l?ed|s)?|called off|dropp?ed|drop"
    r"|removed?|deprecated?|retired?|discontinued?|gave up|got rid of|sold|ended|disbanded"
    r"|abandoned?|expired?|revoked?|unsubscribed?|scrapped|left|is over|finished|done with"
    r"|died|passed away|moved out|gave away|stepped down|graduated|(?:is |are |came )?back from"
    r"|(?<!is )(?<!are )(?<!was )(?<!be )used to)\b"
)
_TYPED = (
    rf"(?:the )?(?:\d|\b(?:{MONTH}|{WEEKDAY})|大?约"
    "|[上下本这每]?个?[周月]|[早晚]上|[上中下]午)"
)
"""How a number, a day or a time begins: what stands behind `to` then is a value."""
_CHANGED = Late(
    f"{_TO}|(?:追加|增加|提高|上调|下调|涨|跌|加|减|升|降|缩短|延长|挪)(?:到|至|为)"
    r"|改由|改在|改名|更名|更正|纠正|修正|新的"
    r"|\b(?:now\b|(?:(?:is|are|was|were|has|have|been|got) )*"
    rf"[a-z]+(?: (?:back|up|down|out|forward))? to (?={_TYPED}))"
    rf"|推迟|提前|延[后期迟]|顺延|[\u3400-\u9fff][到至为成]了?(?={_TYPED})"
    r"|(?<=[数量额率价费度])[\u3400-\u9fff]{0,3}(?=\d[\d.]*[^\d,;]{0,3}了$)"
    r"|\b(?:changed|switched|moved|migrated|renamed|rescheduled|postponed|upgraded|downgraded"
    r"|updated|correction|actually|new|instead)\b"
)
_FILLER = Late(
    r"\b(?:last (?:week|month|year)|(?:last|in the) (?:spring|summer|autumn|fall|winter))$"
    r"|\b[a-z]+n['’]t\b"
    "|[这本上下去今明昨前](?:个?(?:学期|学年|季度|星期|年|月|周)|天)[初中底末]?"
    "|最[后终]|终于|还是|决定|打算|计划|通知|名字|姓名|项目|团队|因为|由于|所以|已经?|大家|刚刚|刚才|之前|原来|原先|以前|以后"
    r"|[把将从由给向对跟与]|\b(?:name|project|team|we|i|they|have|decided|to|from|for|in|on|at|and|with|as|by"
    r"|or|but|than|then|into|not|over|been|going|will|because|all|last|next|takes?|taking|have|get)\b"
)

_BEHIND = Late(r"(?:了|\s|to )*[a-z0-9][\w.+#-]*\s*((?:for |to )?[^a-z0-9\s].{1,40}|for .{2,40})$")
_SAYING = Late(
    r"^(?:[^,我]{1,6}(?:说|表示|通知)[,:]?|[^,]{1,20} (?:says?|said|told me) (?:that )?)(?=.)"
)
"""Who says so does not tell what it is about."""
_SINCE = Late(r"\b(?:has|have)(?: not|n['’]t)( [^,;.]{1,40}?) since [^,;.]{1,40}$")
"""Hasn't smoked since May: it was so before, and when tells nothing of that."""
_NUMBER = Late(r"\d[\d.]* ?(?:[a-z%]+|[\u3400-\u9fff]{0,3}了?$)")
_AROUND = Late(
    r"^(?:(?:on|in|at) )?(?:the|an?|my|our|his|her|their) |^(?:on|in|at) "
    r"|(?: now| any ?more| today| membership| subscription| account| plan| lessons| classes|了)$"
)


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
    names: frozenset[str] = frozenset()
    """Names of the topic: all of them must be met."""
    when: bool = False
    """Whether another time is given: only what has a time can be meant."""
    number: str = ""
    """The number that is given: only what tells another one of the same can be meant."""
    also: frozenset[str] = frozenset()
    """What is told to be at another time, behind that time: it must be met whole."""
    head: str = ""
    """The last two Chinese characters of the topic, or the only one behind 的."""
    did: str = ""
    """Verbs of what is done no more, where they are said: one stands before the old value."""


def change(text: str) -> Change | None:
    """Return what a text says has changed, or None for questions and all that only is."""
    if len(text) > LONGEST or asks(text):
        return None
    _, announced = opened(normalise(text))
    text = _SINCE.sub(r"no longer\1", text)
    plain = _SAYING.sub("", evened_text(text))
    for pattern in _PAIRS:
        if found := pattern.search(plain):
            rest = f"{plain[: found.start()]} {plain[found.end() :]}"
            did = found.groupdict().get("did") or ""
            return replace(_about(rest, _value(found["old"])), did=did)
    if redone := _redone(plain):
        return redone
    if found := _REPLACED.search(plain):
        return _about(" ".join(part or "" for part in found.groups()))
    return _marked(text, plain, announced)


def _marked(text: str, plain: str, announced: bool) -> Change | None:
    """What a single word says to have ended or changed."""
    if ended := _ENDED.search(plain):
        names = _names(text) | _stopped(ended[0], plain[ended.end() :])
        return replace(_about(plain, ended=True), names=names)
    if marker := _CHANGED.search(plain):
        return _moved(plain[: marker.start()], plain[marker.end() :])
    return _about(plain) if announced else None


def _redone(plain: str) -> Change | None:
    """What somebody gave up, or does otherwise: 戒了烟, 改学法语."""
    if found := _GIVEN_UP.match(plain):
        return replace(_about(found["who"], found["old"]), did=_HABIT)
    if found := _REDO.match(plain):
        return replace(_about(found["who"]), did=found["did"])
    return None


def _moved(before: str, after: str) -> Change:
    """What stands before the change tells what it is about, else what stands behind the value."""
    told = _about(before)
    if not told.lead and (tail := _BEHIND.match(after)):
        told = _about(tail[1])
    later = re.split("[,;] ?", after)[-1]
    if not (timed(after.lstrip("了 ")) or timed(later)):
        given = _NUMBER.match(after)
        return replace(told, number=given[0].rstrip("了")) if given else told
    rest = frozenset() if after.isascii() else _about(_HOURS.sub(" ", after)).topic
    return replace(told, when=True, also=frozenset(unit for unit in rest if len(unit) > 1))


def holds_time(text: str) -> bool:
    """Tell whether a text names a time."""
    return _WHEN.search(text) is not None


def _stopped(word: str, rest: str) -> frozenset[str]:
    """What somebody no longer does must be met whole: no more tea leaves coffee as it was."""
    if word not in ("no longer", "不再"):
        return frozenset()
    return frozenset(unit for unit in _about(rest).topic if len(unit) > 1)


def _names(text: str) -> frozenset[str]:
    return frozenset(unit for name in _NAMES.findall(text) for unit in units(name) if len(unit) > 1)


def _about(plain: str, old: str = "", *, ended: bool = False) -> Change:
    told = _ENDED.sub(" ", _CHANGED.sub(" ", plain))
    bare = _FILLER.sub(" ", told)
    topic = _told(bare) or ([] if old or ended else _told(told))
    strong = [unit for unit in topic if len(unit) > 1]
    ending = _HEAD.search(bare)
    head = ending[0] if ending and ending[0] in topic else ""
    return Change(old, frozenset(topic), strong[0] if strong else "", ended, head=head)


def _told(bare: str) -> list[str]:
    return [unit for piece in bare.split() for unit in units(piece)]


def _value(old: str) -> str:
    return _AROUND.sub("", _AROUND.sub("", old)).strip(" 了的\"'“”")

"""What a document is besides its words: who speaks, whether it asks, when it was said. Pure."""

import re
from dataclasses import dataclass

from ...late import Late
from ..dates import day_of, local, of_time, told
from ..segment import RUN, spellings
from . import Document
from .fields import folded

TURN, ASSISTANT, TOOL, PERSON, USER, ASKS, TELLS_WHEN, TELLS_HOW_MANY = (1 << n for n in range(8))
"""Bits of the marks. A person is a speaker by name; ASKS: the text ends with a question."""
SIMPLE = 60
"""Characters up to which a question that says 现在 asks how things stand."""
TOLD = "t"
"""How the token of a longer time begins that a text speaks of."""
SCANNED = 4000
"""Characters of a text that are looked at."""

_ROLES = {"user": USER, "assistant": ASSISTANT}
_SENTENCE = Late(r"[^。！？；?!.\n]+(?:[。！？；?!.\n]+|$)")
_CLOCK = Late(r"(?<!\d)(\d{1,2}):(\d{2})(?!\d|:\d{2}[+-]\d{2}:)(?::\d{2})?\s*([ap])?")
_WHEN = Late(
    r"(?:昨|前|今|明|后|当)[天日晚早]|(?:上|下|这|本)个?(?:周|星期|礼拜|月)|[去今明前]年|\d[月日号]"
    r"|(?:周|星期|礼拜)[一二三四五六日天末]"
    r"|\b(?:yesterday|today|tomorrow|tonight|last|next|ago|weeks?|weekend|months?|years?|since"
    r"|(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|june|july|august"
    r"|september|october|november|december)\b"
)
_HOW_MANY = Late(
    r"\d|[一二三四五六七八九十两几]+[个次天年岁本人块元只条张件]"
    r"|\b(?:two|three|four|five|six|seven|eight|nine|ten|couple|several|once|twice|dozens?)\b"
)
_ASKS_WHEN = Late(
    r"什么时候|哪[一]?[天年月]|几[月号点]|何时|何日|日期|多会儿"
    r"|\bwhen\b|\b(?:what|which) (?:date|day|month|year|time)\b"
)
_ASKS_HOW_MANY = Late(
    r"多少|多久|多大|多长|几[个次天年岁本人块元只条张件]|\bhow (?:many|much|long|often|old|far)\b"
)
_ASKS_NOW = Late(
    r"现在|現在|目前|如今|眼下|最新|最近一次|当前|當前"
    r"|\b(?:now|currently|current|latest|these days|nowadays|most recent(?:ly)?|at the moment)\b"
)
_ASKS_ASSISTANT = Late(
    r"[你您](?:[们]|曾经?|之前|上次|当时|是|那时|以前|[给跟和对向为帮]我|都|有|还|一共|又|再|刚才|刚刚){0,4}"
    r"(?:推荐|建议|说|提到|提过|回答|告诉|介绍|列|写|讲|答|教|解释|提供|给我|给出|给了)"
    r"|[你您]的(?:建议|回答|推荐|答案|说法)"
    r"|\byou(?:'ve| have| had| ever| just| once| previously| also){0,2} "
    r"(?:said|say|told|suggest|recommend|advis|mention|explain|list|propos|wrote|gave|describ"
    r"|provid|offer|answer)"
    r"|\bdid you (?:say|tell|suggest|recommend|advise|mention|explain|list|propose|write|give)"
    r"|\byour (?:advice|suggest|recommend|answer|explanation|reply)"
)
_ASKS_TOOL = Late(
    r"日志|日誌|(?:文件|文档|文檔|檔案|脚本|腳本|配置|代码|代碼|源码|源碼|目录|目錄|输出|輸出|搜索|报错|報錯)"
    r"(?:结果|結果|信息|文件)?(?:里|裡|中|内|內|上|的|写|寫|第)"
    r"|\b(?:logs?|logfile|stack ?trace|traceback)\b"
    r"|\b(?:in|of|from|by) (?:the |that |this |my |our )?(?:\w+ )?"
    r"(?:files?|config(?:uration)?|scripts?|code|source|output|folder|directory|grep|search)\b"
)


@dataclass(frozen=True, slots=True)
class Asked:
    """What kind of answer a question wants."""

    marks: int
    """TELLS_WHEN and TELLS_HOW_MANY."""
    of_assistant: bool
    """Whether it asks what the assistant said."""
    of_now: bool = False
    """Whether it asks how things stand, so that the newer of two statements counts."""
    of_tool: bool = False
    """Whether it asks what stood in a file or in what a tool gave."""


def marks_of(document: Document) -> int:
    """Return the marks of a document."""
    text = folded(document.text[:SCANNED])
    marks = _speaks(document) | (TURN if document.kind == "turn" and document.session else 0)
    marks |= ASKS if text.rstrip().endswith("?") else 0
    marks |= TELLS_WHEN if _WHEN.search(text) else 0
    return marks | (TELLS_HOW_MANY if _HOW_MANY.search(text) else 0)


def _speaks(document: Document) -> int:
    who = document.speaker.casefold()
    if who.startswith("tool:") or who == "tool":
        return TOOL
    return _ROLES.get(who, PERSON if who else 0)


def share_of_questions(text: str) -> int:
    """Return which part of a text stands in questions, 0 to 255."""
    text = text[:SCANNED]
    if "?" not in text and "？" not in text:
        return 0
    pieces = [piece.strip() for piece in _SENTENCE.findall(text)]
    asking = sum(len(piece) for piece in pieces if piece.endswith(("?", "？")))
    return 255 * asking // max(1, sum(map(len, pieces)))


def names_of(speaker: str) -> list[str]:
    """Return the words of a speaker's name; none for the roles of a chat."""
    name = folded(speaker)
    if name in _ROLES or name.partition(":")[0] == "tool":
        return []
    return [token for run in RUN.finditer(name) for token in spellings(run[0])[:1]]


def asked_for(text: str) -> Asked:
    """Return what kind of answer a question wants."""
    plain = folded(text)
    marks = TELLS_WHEN if _ASKS_WHEN.search(plain) else 0
    marks |= TELLS_HOW_MANY if _ASKS_HOW_MANY.search(plain) else 0
    of_assistant = _ASKS_ASSISTANT.search(plain) is not None
    of_now = len(plain) <= SIMPLE and _ASKS_NOW.search(plain) is not None
    return Asked(marks, of_assistant, of_now, _ASKS_TOOL.search(plain) is not None)


@dataclass(frozen=True, slots=True)
class Time:
    """When something was said: date tokens, day number (0: unknown), minutes since day 0 (or 0)."""

    ts: str = ""
    tokens: tuple[str, ...] = ()
    day: int = 0
    minute: int = 0


def time_of(ts: str, known: Time) -> Time:
    """Return the time of a timestamp; `known` is the one before, often of the same day."""
    ts = local(ts)
    if ts == known.ts:
        return known
    same = ts[:10] == known.ts[:10] and ts[4:5] == ts[7:8] == "-"
    tokens, day = (known.tokens, known.day) if same else (of_time(ts), _ordinal(ts))
    clock = _CLOCK.search(ts.casefold()) if day else None
    return Time(ts, tokens, day, day * 1440 + _minutes(clock) if clock else 0)


def _ordinal(ts: str) -> int:
    day = day_of(ts)
    return day.toordinal() if day else 0


def _minutes(clock: "re.Match[str]") -> int:
    hour = int(clock[1])
    if clock[3]:
        hour = hour % 12 + (12 if clock[3] == "p" else 0)
    return hour % 24 * 60 + int(clock[2])


def told_of(document: Document) -> list[str]:
    """Return the tokens of the days that a text speaks of, and, marked, those of longer times.

    A month is too long for what was said of it to be ranked like what was said in it.
    """
    found = told(document.text, document.ts)
    return [token if token.startswith("@d") else TOLD + token for token in found]

"""The verbs that join a subject and a value, and those that say that something changed.

Patterns start with a literal, or with the space before an English word, and run over folded
text: this is what lets the matcher skip through prose instead of trying every place.
"""

import re
from typing import Literal, cast

from ..late import Late

About = Literal["", "place", "name", "time", "job", "site"]

_TURNED = (
    "改|换|变|变更|更新|更改|更正|更换|修改|调整|升级|降级|切换|替换|重设|重置|转换|升|降|切|转"
)
_WENT = (
    "搬|搬家|搬迁|调|推|迁移|迁|移|移动|转移|挪|推迟|提前|延期|延后|延|顺延"
    "|改期|改约|改|换|调整|升级|升|降|切换|转"
)
_GREW = "追加|增加|减少|加|减|升|降|提高|降低|上调|下调|涨|跌|缩短|延长|扩大|缩小|扩"
_CHANGES = (
    f"(?:{_TURNED})[成为作]|(?:{_WENT})[到至去往]|(?:{_GREW}|压缩|提升|下降|上升)[到至为]了?|改用|换用|转用|改叫|改名[为叫]?"
    "|更名为|重命名为|改在|改由|换由|(?:改|换|搬|迁|调|转)回|恢复为|恢复成|变回"
)
_LIVES = (
    "(?<![记居停留])住(?![宿院址房户处着过了得不满进下的])"
    "|(?:(?<=我家)|(?<=们家))在(?![装搬吃等做开看修办])"
)
_VERB = Late(
    f"(?P<update>(?:{_CHANGES})了?)|(?P<at>位于|住在|{_LIVES}|坐落在|坐落于|设在|存放在|安装在|部署在)"
    "|(?P<does>(?:使用|采用|选用)(?:的是)?|用的是)|(?P<is>是|叫做|叫|等于|设为|设置为|[定排]在|安排在|约在|定为|为|=)|(?P<colon>:)"
)
_MOVED = (
    "chang|switch|mov|delay|renam|updat|upgrad|downgrad|migrat|relocat|reschedul|postpon|increas|decreas"
    "|reduc|rais|lower|extend|shorten|transferr?|revert|convert|adjust|reassign|push"
)
_AWAY = (
    rf"(?:(?:{_MOVED})(?:ed|d)|cut|went|gone|rose|risen|fell|fallen|brought forward)"
    "(?: back| up| down| over| out)?"
)
_VERB_EN = Late(
    rf" (?:(?P<update>(?:(?:is|are|was|were|has been|have been|has|have|got) )?(?:now|just )?"
    rf"(?:\b{_AWAY}(?: from [^,]{{1,40}}?)? to\b|replaced (?:by|with)\b|now\b)"
    r"(?: uses?\b| is\b| are\b| lives? in\b| works? (?:at|for|in)\b)?"
    r"|uses? now\b|becomes?\b|became\b|should be\b)"
    r"|(?P<at>(?:lives?|is located|is based|(?:(?:is|are|am) )?living) (?:in|at)\b"
    r"|(?:works?|(?:(?:is|are|am) )?working) (?:in|at|for)\b)|(?P<does>uses?\b|runs on\b)"
    r"|(?P<is>(?:is|are) (?:called|named)\b|is\b|are\b|equals\b))"
)
_ABOUT = Late(
    "(?P<place>搬|迁|移[到至动]|位于|住|家在|^在|坐落|设在|存放|安装|部署|liv|locat|based|mov)"
    "|(?P<job>work(?:s|ing)? (?:at|for))|(?P<site>work(?:s|ing)? in)"
    "|(?P<name>名|叫|renam|called|named)|(?P<time>推迟|提前|延|顺延"
    "|改期|改约|reschedul|postpon|push|forward)"
)
PUT = Late(
    r"(?:(?:we|i|they|he|she|it|you|(?:the|my|our|his|her) [\w-]{1,20}|[\w-]{2,20})"
    r"(?:['’]ve| have| has| had)? )?(?:just |recently |already |now )?"
    rf"{_AWAY}"
    r" (?P<subject>(?:the|our|my|his|her|their|its) [^,]{1,40}?"
    r"|(?!(?:to|up|down|back|out|over|away|in|on|from|off|him|her|them|me|us|it|you|people) )"
    r"[\w-]{2,30})"
    r"(?: (?:back|up|down|out|over|forward))?(?: from [^,]{1,40}?)? to (?P<value>.+)"
)
"""We moved the deadline to Friday."""
WORKING = Late(
    r"(?P<who>[^,]{1,20}?)(?:(?:现在|目前|如今)?在(?P<at>[^,]{1,30}?)(?:上班|工作|任职|供职|就职)了?"
    r"|(?:从[^,]{1,30}?)?(?:跳槽|入职)(?:到|至|去)?了?(?P<now>[^,]{1,30}?)了?)"
)
"""我在甲公司上班, and 我跳槽到乙公司了."""
TAKEN = Late(
    r"(?P<who>[^,]{1,40}?) (?:took|takes|has taken|is taking) over (?:as (?:the )?|the )"
    r"(?P<role>[^,]{1,40}?)(?: from [^,]{1,40})?"
    r"|(?P<whom>[^,]{1,20}?)(?:接任|出任|升任)了?(?P<post>[^,]{1,20})"
)
"""Ben took over as release manager."""
_BEFORE = frozenset("不还也但可只都便总要若或于凡而正的=!<>:")
_NOT_VALUE = ("什", "何", "了", "=", ":", "/", "\\")
_ADDRESS = Late(r"[a-z][a-z0-9+.-]{1,15}://[!-~]*")


def about(verb: str) -> About:
    """Return what of a subject a verb tells, where it says so."""
    found = _ABOUT.search(verb)
    return cast("About", found.lastgroup) if found else ""


def joining(text: str) -> re.Match[str] | None:
    """Return the first verb that joins a subject and a value."""
    if "://" in text:
        text = _ADDRESS.sub(lambda found: "_" * len(found[0]), text)
    verb = next((v for v in _VERB.finditer(text, 1) if _joins(text, v)), None)
    return _VERB_EN.search(text, 1, verb.start() if verb else len(text)) or verb


def _joins(text: str, verb: re.Match[str]) -> bool:
    before, after = text[verb.start() - 1], text[verb.end() : verb.end() + 1]
    if verb.lastgroup in ("update", "does"):
        return True
    clock = verb.lastgroup == "colon" and before.isdigit() and after.isdigit()
    return not clock and before not in _BEFORE and after not in _NOT_VALUE

"""Whose and what a statement speaks of: mine is not yours, 我的端口 may be the 端口. Pure rules."""

import re

from ..late import Late
from .slots import slot
from .verbs import About

LONGEST = 40
"""Characters of a subject; a longer one is prose."""
MINE, YOURS = "我 ", "你 "
"""Begin the subjects of what is mine and of what is yours."""
SELF, NAME = "我", f"{MINE}名字"
"""The subjects of what one tells of oneself: 我叫王伟 tells one's name."""
_ADVERB = Late(
    r"(?:\s|现在|目前|当前|如今|已经|已|暂时|一直|正在|正|将会|(?<![聚开年晚例周机社宴展班茶酒舞峰])会|将|(?<![纪摘概提])要|就|仍然|仍|又|全部|都|一律|通常|的|从.{1,20}"
    r"| (?:now|currently|always|will|be|also|still|just|from \S{1,20}))$"
)
_OWNER = Late(
    r"(?:(?P<doing>把|将|已经|刚刚?|现在|目前)|(?P<ours>我们的|咱们?的|our)|(?:我们|咱们?|the|an?"
    r"|(?:本|这个?|该|this)(?!\s?(?:[周月年季日次天]|星期|week|month|year)))"
    r"|(?P<mine>我的?|用户的?|本人的?|(?:the user|user)['’]s|my)|(?P<yours>你们?的?|您的?|your))"
    r"(?=\s|[^\x00-\x7f])\s*"
)
_NEW = Late("新的?|new ")
"""`我的新电话是 …` tells that there was another one."""
_INNER = Late("(?<=[^\x00-\x7f])的(?=[^\x00-\x7f])")
"""项目的数据库 and 项目数据库 are one subject."""
_VAGUE = Late(
    "[我你您他她它这那有不谁哪但]|[我你他她它]们|这里|那里|这些|那些|今天|明天|昨天|什么|如果|所以"
    "|i(?:['’]m)?|you|he|she|it|we(?:['’]re)?|they|this|that|these|those|there|here|what|who|which|where|when|how|why"
    "|today|tomorrow|yesterday|if|and|but|because"
)
_SELF = Late(
    "我们?家?|我的家|my family|our family|咱们?|用户|本人|i|i['’]m|we|we['’]re|the user|user"
)
_ARTICLE = Late(r"\b(?:the|an?) ")
_TO = Late(r"(?<=[a-z]) (?:to|for) (?=[^ ]+$|(?:the|my|our) [^ ]+$)")
_OWNING = Late(r"['’]s(?= )")


def subject_of(said: str) -> tuple[str, bool]:
    """Return the subject of a statement, and whether it is called ours."""
    said = said[-2 * LONGEST :]
    said = re.split("[,:、]", said)[-1].strip()
    while adverb := _ADVERB.search(said):
        said = said[: adverb.start()]
    said, owner, ours = _unowned(turned(said))
    said = _OWNING.sub("", said)
    if not said or len(said) > LONGEST or _VAGUE.fullmatch(said):
        return "", False
    said = _INNER.sub("", said)
    return ("", False) if len(said) == 1 and not said.isascii() else (owner + said, ours)


def _unowned(said: str) -> tuple[str, str, bool]:
    """Take the owner off what is said; somebody who does something to it does not own it."""
    owner, ours = "", False
    while (found := _OWNER.match(said)) and found.end() < len(said):
        said = said[found.end() :]
        if found.lastgroup == "doing":
            owner = ""
        elif found.lastgroup in ("mine", "yours"):
            owner = MINE if found.lastgroup == "mine" else YOURS
        ours = ours or found.lastgroup == "ours"
    return said, owner, ours


def turned(said: str) -> str:
    """Put `the boss of my cousin` as `my cousin boss`, `the flight to Rome` as `Rome flight`."""
    joint = " of " if " of " in said else _TO.search(said)
    if not joint:
        return said
    pieces = said.split(joint if isinstance(joint, str) else joint[0])
    return " ".join(_ARTICLE.sub("", part, count=1) for part in reversed(pieces))


def of_oneself(said: str, what: About) -> str:
    """Where somebody lives and how they are called is told of oneself: I moved to Paris."""
    if not _SELF.fullmatch(_ADVERB.sub("", said.strip())):
        return ""
    return NAME if what == "name" else SELF


def renewed(named: str, owned: bool) -> tuple[str, bool]:
    """Take the mark of a successor off a subject: 新电话 is the 电话 from now on, 新闻 is not."""
    owner = named[: len(MINE)] if named.startswith((MINE, YOURS)) else ""
    new = _NEW.match(named, len(owner))
    if new is None:
        return named, False
    rest = named[new.end() :]
    sure = slot(rest) or (owned and len(new[0]) > 1)
    return (owner + rest, True) if sure else (named, False)


def same_subject(subject: str, other: str) -> bool:
    """Tell whether two subjects are one; what is nobody's may be mine, but not yours."""
    return subject == other or MINE + subject == other or subject == MINE + other

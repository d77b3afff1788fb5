"""What a statement is about: `项目数据库改用 MySQL` speaks of 项目数据库. Pure rules, no model."""

import re
import unicodedata
from dataclasses import dataclass, replace
from typing import Literal

from ..late import Late
from .questions import asks
from .slots import single
from .subjects import MINE, of_oneself, renewed, subject_of
from .verbs import PUT, TAKEN, WORKING, About, about, joining

Verb = Literal["is", "at", "does", "update"]
"""`is` names a value, `at` a place, `does` may add to others, `update` says that it changed."""

LONGEST = 400
"""Characters of a clause that are looked at; a longer one is prose."""
SHORT = 20
"""Characters of a value that is a mere name."""

_OPENING = Late(
    r"(?:请|麻烦|帮我|帮忙|务必|另外|还有|顺便|ok|好的?|嗯|那么?|记住|记得|记一下|记下来?|记录一下|注意|备忘"
    r"|提醒|你?要?知道|从[^,:]{1,10}?(?:起|开始)"
    r"|please|remember|note|keep in mind|fyi|by the way|also|and|so|that|hi|hello)"
    r"(?=[\s,:、]|[^\x00-\x7f])[\s,:、]*"
)
_CHANGE = Late(
    r"(?:[更纠修]正一?下?|更新一?下?|改一下|变更|勘误|不对|不是的?|从?现在起|以后|今后|我?(?:刚才)?我?[说记]错了"
    r"|update|correction|actually|from now on|changed?|wait|no|sorry|oops|my mistake"
    r"|i was wrong|i misspoke)\s*[,:、]\s*"
    r"|actually (?=(?:the|my|our|your|his|her|their|its?) )"
)
_OWNED = Late(r"[我你您]的|们的|.的.|(?:^| )(?:my|our|your) |['’]s ")
_WORKS = Late("上班|工作|任职|供职|就职|跳槽|入职")
_TAKES = Late(" over |接任|出任|升任")
_SINCE = Late(r" (?:now|these days|from now on|as of \S{1,20})$")
"""What was said becomes a change by these."""
_LATELY = Late(
    "^[这本上下今去](?:个?(?:学期|学年|季度|星期|[年月周]))[初中底末]?(?=..)"
    "|(?<=.)(?:上个?[月周]|上周[一二三四五六日]|去年|[前昨今]天|今年|本月|这个?[周月]|最近|刚刚?|前阵子|[年月]初|后来|终于|昨晚)$"
)
"""When something changed does not tell what changed."""
_ROLE = Late(
    r"(?:the|our|my) (?:[\w-]+ ){0,3}(?:owner|lead|leader|manager|boss|maintainer|chair"
    r"|supervisor|head|captain|director|president|contact|coach|ceo|cto|cfo)"
)
_NOT = Late(r"不|没|未|别|\b(?:not|never|no)\b|n't\b")
_SPACE = Late(r"\s+")
_MEMO = Late(
    "(?:[记住注了]|记下|一下|备忘|说明|提示|知道|注意)$|(?:信息|如下|事项|摘要|要点|事实|结论|情况|问题|回答|答案|内容)$"
    "|^(?:note|memo|reminder|info|summary|facts?|update|correction|answer|result|remember(?: this)?"
    "|please note|noted|so|ok)$"
)
"""A heading that only says that something follows."""
_OPEN = " 。!！;；,，"
_CLOSING = _OPEN + "."


@dataclass(frozen=True, slots=True)
class Fact:
    """A clause that says something of a subject. Both are normalised."""

    subject: str
    """Without articles and adverbs, so that two wordings meet; mine and yours are told apart."""
    value: str
    verb: Verb
    about: About = ""
    """What of the subject is said, where the verb tells."""
    ours: bool = False
    """Whether the subject is called ours: it is not the end of another's."""
    at: bool = False
    """Whether the verb ends as one of place does: 定在."""

    @property
    def lone(self) -> bool:
        """Whether the subject can have no second value beside this one."""
        return self.verb == "update" or (self.verb == "is" and single(self.subject))

    @property
    def short(self) -> bool:
        """Whether the value is a name or a number by itself, of two words at most."""
        return len(self.value) <= SHORT and self.value.count(" ") < 2


def normalise(text: str) -> str:
    """Return the text as it is compared: NFKC, case folded, spaces single, no closing mark."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    return _SPACE.sub(" ", folded).rstrip(_CLOSING).lstrip(_OPEN)


def fact(clause: str) -> Fact | None:
    """Return what a clause states of a subject, or None for questions, denials and all else."""
    if len(clause) > LONGEST or asks(clause):
        return None
    text, changed = opened(normalise(clause))
    told = _put(text) or _employed(text) or _appointed(text)
    return told or _joined(text, changed)


def _joined(text: str, changed: bool) -> Fact | None:
    """What a verb says of what stands before it."""
    verb = joining(text)
    if verb is None:
        return None
    said, value = text[: verb.start()], text[verb.end() :].strip()
    if verb.lastgroup == "colon" and (inner := fact(value)) is not None:
        return replace(inner, subject=_under(said, inner), verb="update" if changed else inner.verb)
    what = about(verb[0])
    owned = _OWNED.search(said) is not None
    if verb.lastgroup == "update":
        said = _LATELY.sub("", said) or said
    named, ours = subject_of(said)
    subject, new = renewed(named or (of_oneself(said, what) if what else ""), owned)
    if not subject or not value or _NOT.search(said[-4:]) or _NOT.match(value):
        return None
    if since := _SINCE.search(value):
        value = value[: since.start()]
    kind = _kind(verb, changed or new or since is not None)
    if verb[0].strip() in ("is", "are") and _ROLE.fullmatch(value) and not single(subject):
        role, ours = subject_of(value)
        return Fact(role, subject.removeprefix(MINE), kind, what, ours)
    return Fact(subject, value, kind, what, ours, verb[0].endswith("在"))


def _put(text: str) -> Fact | None:
    """We moved the deadline to Friday."""
    put = PUT.fullmatch(text)
    if put is None:
        return None
    moved = about(text[: put.start("value")])
    subject, ours = subject_of(put["subject"])
    return Fact(subject, put["value"], "update", moved, ours)


def _employed(text: str) -> Fact | None:
    """Where somebody works: 我在甲公司上班 and 我跳槽到乙公司了 speak of one thing."""
    found = WORKING.fullmatch(text) if _WORKS.search(text) else None
    if found is None or _NOT.search(found["who"]):
        return None
    subject = of_oneself(found["who"], "job") or subject_of(found["who"])[0]
    value = (found["at"] or found["now"] or "").strip()
    return Fact(subject, value, "at" if found["at"] else "update", "job") if subject else None


def _appointed(text: str) -> Fact | None:
    """Ben took over as release manager: the release manager is Ben from now on."""
    found = TAKEN.fullmatch(text) if _TAKES.search(text) else None
    if found is None:
        return None
    subject, ours = subject_of(found["role"] or found["post"])
    value = (found["who"] or found["whom"]).strip()
    return Fact(subject, value, "update", "", ours) if subject else None


def _under(heading: str, inner: Fact) -> str:
    """The subject of what stands behind a heading: 服务器：端口是 8080 tells of its port alone."""
    subject, _ = subject_of(heading)
    if not subject or _MEMO.search(subject):
        return inner.subject
    return f"{subject} {inner.subject}"


def _kind(verb: re.Match[str], changed: bool) -> Verb:
    if changed or verb.lastgroup == "update":
        return "update"
    if verb.lastgroup == "does":
        return "does"
    return "at" if verb.lastgroup == "at" else "is"


def opened(text: str) -> tuple[str, bool]:
    """Drop openings such as 请记住： and say whether one of them announced a change."""
    changed = False
    while True:
        opening = _OPENING.match(text)
        change = None if opening else _CHANGE.match(text)
        found = opening or change
        if found is None or found.end() == len(text):
            return text, changed
        changed = changed or change is not None
        text = text[found.end() :]


def announces(clause: str) -> bool:
    """Tell whether a clause says nothing but that a change follows: 说错了，"""
    return opened(f"{normalise(clause)}, …") == ("…", True)

"""What a statement is about: `项目数据库改用 MySQL` speaks of 项目数据库. Pure rules, no model."""

import re
import unicodedata
from dataclasses import dataclass, replace
from typing import Literal

from .questions import asks
from .slots import alike, single, slot
from .verbs import PUT, About, about, joining

Verb = Literal["is", "at", "does", "update"]
"""`is` names a value, `at` a place, `does` may add to others, `update` says that it changed."""

LONGEST = 400
"""Characters of a clause that are looked at; a longer one is prose."""
LONGEST_SUBJECT = 40
SELF, NAME = "我", "名字"
"""The subjects of what one tells of oneself: 我叫王伟 tells one's name."""
SHORT = 20
"""Characters of a value that is a mere name."""

_OPENING = re.compile(
    r"(?:请|麻烦|帮我|帮忙|务必|另外|还有|顺便|ok|好的?|嗯|那么?|记住|记得|记一下|记下来?|记录一下|注意|备忘"
    r"|提醒|你?要?知道|从[^,:]{1,10}?(?:起|开始)"
    r"|please|remember|note|keep in mind|fyi|by the way|also|and|so|that|hi|hello)"
    r"(?=[\s,:、]|[^\x00-\x7f])[\s,:、]*"
)
_CHANGE = re.compile(
    r"(?:更新一?下?|更正一?下?|纠正一?下?|修正一?下?|改一下|变更|不对|不是的?|从现在起|现在起|以后|今后"
    r"|更新|勘误|说错了|记错了|刚才说错了|我说错了|我记错了"
    r"|update|correction|actually|from now on|changed?|wait|no|sorry|oops|my mistake"
    r"|i was wrong|i misspoke)\s*[,:、]\s*"
)
_ADVERB = re.compile(
    r"(?:\s|现在|目前|当前|如今|已经|已|暂时|一直|正在|正|将会|会|将|要|就|仍然|仍|全部|都|一律|通常|的|从.{1,20}"
    r"| (?:now|currently|always|will|be|also|still|just|from \S{1,20}))$"
)
_OWNER = re.compile(
    r"(?:把|将|已经|刚刚?|现在|目前|我们的?|咱们?的?|我的?|你们的?|你的?|您的?|用户的?|本|这个?|该"
    r"|(?:the user|user)['’]s|the|my|our|your|this|a|an)(?=\s|[^\x00-\x7f])\s*"
)
_NEW = re.compile("新的?|new ")
"""`我的新电话是 …` tells that there was another one."""
_OWNED = re.compile(r"[我你您]的|们的|.的.|(?:^| )(?:my|our|your) |['’]s ")
_INNER = re.compile("(?<=[^\x00-\x7f])的(?=[^\x00-\x7f])")
"""项目的数据库 and 项目数据库 are one subject."""
_VAGUE = re.compile(
    "[我你您他她它这那有不谁哪但]|[我你他她它]们|这里|那里|这些|那些|今天|明天|昨天|什么|如果|所以"
    "|i|you|he|she|it|we|they|this|that|these|those|there|here|what|who|which|where|when|how|why"
    "|today|tomorrow|yesterday|if|and|but|because"
)
_NOT = re.compile(r"不|没|未|别|\b(?:not|never|no)\b|n't\b")
_LITERAL = re.compile(r"[\"“「『《`'‘]?[a-z0-9#$¥€£@~./\\+-]")
_SPACE = re.compile(r"\s+")
_SELF = re.compile("我们?|咱们?|用户|本人|i|we|the user|user")
_MEMO = re.compile(
    "(?:[记住注了]|记下|一下|备忘|说明|提示|知道|注意)$|(?:信息|如下|事项|摘要|要点|事实|结论|情况|问题|回答|答案|内容)$"
    "|^(?:note|memo|reminder|info|summary|facts?|update|correction|answer|result|remember(?: this)?"
    "|please note|noted|so|ok)$"
)
"""A heading that only says that something follows."""
_NAMED = re.compile("代号|名称|名字|名|(?:the )?(?:code)?name|codename")
_CLOSING = " .。!！;；,，"


@dataclass(frozen=True, slots=True)
class Fact:
    """A clause that says something of a subject. Both are normalised."""

    subject: str
    """Without owner and adverbs, so that two wordings meet."""
    value: str
    verb: Verb
    owned: bool
    """Whether the subject is somebody's or something's (my editor, 服务器的端口)."""
    about: About = ""
    """What of the subject is said, where the verb tells."""

    @property
    def short(self) -> bool:
        """Whether the value is a name or a number by itself."""
        return len(self.value) <= SHORT and " " not in self.value

    @property
    def literal(self) -> bool:
        """Whether the value is a number, a path, or a name in another script than the subject's."""
        if not _LITERAL.match(self.value):
            return False
        return not self.subject.isascii() or any(c.isdigit() or c in "/\\_" for c in self.value)


def normalise(text: str) -> str:
    """Return the text as it is compared: NFKC, case folded, spaces single, no closing mark."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    return _SPACE.sub(" ", folded).strip(_CLOSING)


def fact(clause: str) -> Fact | None:
    """Return what a clause states of a subject, or None for questions, denials and all else."""
    if len(clause) > LONGEST or asks(clause):
        return None
    text, changed = opened(normalise(clause))
    if put := PUT.fullmatch(text):
        said = put["subject"]
        owned, moved = _OWNED.search(said) is not None, about(text[: put.start("value")])
        return Fact(_subject(said), put["value"], "update", owned, moved)
    verb = joining(text)
    if verb is None:
        return None
    said, value = text[: verb.start()], text[verb.end() :].strip()
    if verb.lastgroup == "colon" and (inner := fact(value)) is not None:
        return replace(inner, subject=_under(said, inner), verb="update" if changed else inner.verb)
    what = about(verb[0])
    owned = _OWNED.search(said) is not None
    subject, renewed = _renewed(_subject(said) or (_self(said, what) if what else ""), owned)
    if not subject or not value or _NOT.search(said[-4:]) or _NOT.match(value):
        return None
    return Fact(subject, value, _kind(verb, changed or renewed), owned, what)


def _under(heading: str, inner: Fact) -> str:
    """The subject of what stands behind a heading: 服务器：端口是 8080 tells of its port alone."""
    subject = _subject(heading)
    if not subject or _MEMO.search(subject):
        return inner.subject
    return f"{subject} {inner.subject}"


def _self(said: str, what: About) -> str:
    """Where somebody lives and how they are called is told of oneself: I moved to Paris."""
    if not _SELF.fullmatch(_ADVERB.sub("", said.strip())):
        return ""
    return NAME if what == "name" else SELF


def _kind(verb: re.Match[str], changed: bool) -> Verb:
    if changed or verb.lastgroup == "update":
        return "update"
    if verb.lastgroup == "does":
        return "does"
    return "at" if verb.lastgroup == "at" else "is"


def replaces(new: Fact, old: Fact) -> bool:
    """Tell whether a new statement makes an old one out of date.

    Careful: `小明是医生` does not replace `小明是我弟弟`, for both can hold. What changed says
    so, or gives another value to something owned, or to what has one value at a time.
    """
    if new.value == old.value:
        return False
    if new.verb == "update" and len(new.subject) > 1 and old.subject.endswith(new.subject):
        return _meet(new, old)
    if new.subject != old.subject:
        return new.verb == "update" and new.about == "name" and _named_by(new, old)
    if new.verb == "update" and new.subject == SELF:
        return _meet(new, old)
    return _another_value(new, old)


def _another_value(new: Fact, old: Fact) -> bool:
    if new.verb == old.verb == "at" or new.about == old.about == "name":
        return True
    if new.verb != "is" or old.verb == "at":
        return False
    return (new.owned and old.owned) or (new.literal and old.literal) or _one(new, old)


def _named_by(new: Fact, old: Fact) -> bool:
    rest = old.subject.removeprefix(new.subject)
    return rest != old.subject and _NAMED.fullmatch(rest.strip()) is not None


def _meet(new: Fact, old: Fact) -> bool:
    """Whether a change can be one of what was said: 小明搬到上海 leaves him a doctor."""
    if new.about == old.about or alike(new.value, old.value):
        return True
    return not (new.about or old.about) or (new.about == "name" and old.subject.endswith("名"))


def _one(new: Fact, old: Fact) -> bool:
    return single(new.subject) or alike(new.value, old.value)


def contradicts(one: Fact, other: Fact) -> bool:
    """Tell whether two statements can't well hold together though neither says that it changed."""
    if one.subject != other.subject or one.value == other.value or "at" in (one.verb, other.verb):
        return False
    if replaces(one, other) or replaces(other, one):
        return True
    return single(one.subject) and one.short and other.short


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


def _renewed(subject: str, owned: bool) -> tuple[str, bool]:
    """Take the mark of a successor off a subject: 新电话 is the 电话 from now on, 新闻 is not."""
    new = _NEW.match(subject)
    if new is None:
        return subject, False
    rest = subject[new.end() :]
    sure = slot(rest) or (owned and len(new[0]) > 1)
    return (rest, True) if sure else (subject, False)


def _subject(said: str) -> str:
    said = said[-2 * LONGEST_SUBJECT :]
    said = re.split("[,:、]", said)[-1].strip()
    while adverb := _ADVERB.search(said):
        said = said[: adverb.start()]
    while (owner := _OWNER.match(said)) and owner.end() < len(said):
        said = said[owner.end() :]
    if not said or len(said) > LONGEST_SUBJECT or _VAGUE.fullmatch(said):
        return ""
    said = _INNER.sub("", said)
    return "" if len(said) == 1 and not said.isascii() else said

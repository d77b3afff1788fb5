"""What a statement is about: `项目数据库改用 MySQL` speaks of 项目数据库. Pure rules, no model."""

import re
import unicodedata
from dataclasses import dataclass, replace
from typing import Literal

from .slots import alike, apart, single
from .subjects import MINE, YOURS, of_oneself, renewed, same_subject, subject_of
from .verbs import PUT, About, about, joining

Verb = Literal["is", "at", "does", "update"]
"""`is` names a value, `at` a place, `does` may add to others, `update` says that it changed."""

LONGEST = 400
"""Characters of a clause that are looked at; a longer one is prose."""
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
_OWNED = re.compile(r"[我你您]的|们的|.的.|(?:^| )(?:my|our|your) |['’]s ")
_NOT = re.compile(r"不|没|未|别|\b(?:not|never|no)\b|n't\b")
_LITERAL = re.compile(r"[\"“「『《`'‘]?[a-z0-9#$¥€£@~./\\+-]")
_SPACE = re.compile(r"\s+")
_MEMO = re.compile(
    "(?:[记住注了]|记下|一下|备忘|说明|提示|知道|注意)$|(?:信息|如下|事项|摘要|要点|事实|结论|情况|问题|回答|答案|内容)$"
    "|^(?:note|memo|reminder|info|summary|facts?|update|correction|answer|result|remember(?: this)?"
    "|please note|noted|so|ok)$"
)
"""A heading that only says that something follows."""
_NAMES = ("代号", "名称", "名字", "名", "name", "codename", "code name")
_OPEN = " 。!！;；,，"
_CLOSING = _OPEN + "."

_ASKS = re.compile(
    r"什么|多少|哪[个些里儿天年月位家种]|谁[是的在]|是谁|几[点号个时]|怎么|怎样|如何|为何|是否|有没有|是不是|能不能"
)
_ASKS_EN = re.compile(
    r"\s*(?:what|which|who|whom|whose|when|where|why|how|is|are|was|were|do|does|did|can|could|would"
    r"|will|should|has|have|may)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Fact:
    """A clause that says something of a subject. Both are normalised."""

    subject: str
    """Without articles and adverbs, so that two wordings meet; mine and yours are told apart."""
    value: str
    verb: Verb
    owned: bool
    """Whether the subject is somebody's or something's (my editor, 服务器的端口)."""
    about: About = ""
    """What of the subject is said, where the verb tells."""
    ours: bool = False
    """Whether the subject is called ours: it is not the end of another's."""

    @property
    def lone(self) -> bool:
        """Whether the subject can have no second value beside this one."""
        return self.verb == "update" or (self.verb == "is" and single(self.subject))

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
    return _SPACE.sub(" ", folded).rstrip(_CLOSING).lstrip(_OPEN)


def asks(text: str) -> bool:
    """Tell whether a sentence is a question."""
    end = text.rstrip(' "”」』)）~。.!！')
    if end.endswith(("?", "？", "吗", "呢")):
        return True
    if len(text) > LONGEST:
        return False
    english = _ASKS_EN.match(text) is not None and not text.rstrip().endswith((".", "。"))
    return english or _ASKS.search(text) is not None


def fact(clause: str) -> Fact | None:
    """Return what a clause states of a subject, or None for questions, denials and all else."""
    if len(clause) > LONGEST or asks(clause):
        return None
    text, changed = opened(normalise(clause))
    if put := PUT.fullmatch(text):
        said = put["subject"]
        owned, moved = _OWNED.search(said) is not None, about(text[: put.start("value")])
        subject, ours = subject_of(said)
        return Fact(subject, put["value"], "update", owned, moved, ours)
    verb = joining(text)
    if verb is None:
        return None
    said, value = text[: verb.start()], text[verb.end() :].strip()
    if verb.lastgroup == "colon" and (inner := fact(value)) is not None:
        return replace(inner, subject=_under(said, inner), verb="update" if changed else inner.verb)
    what = about(verb[0])
    owned = _OWNED.search(said) is not None
    named, ours = subject_of(said)
    subject, new = renewed(named or (of_oneself(said, what) if what else ""), owned)
    if not subject or not value or _NOT.search(said[-4:]) or _NOT.match(value):
        return None
    return Fact(subject, value, _kind(verb, changed or new), owned, what, ours)


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


def replaces(new: Fact, old: Fact) -> bool:
    """Tell whether a new statement makes an old one out of date.

    Careful: `小明是医生` does not replace `小明是我弟弟`, for both can hold. What changed says
    so, or gives another value to something owned, or to what has one value at a time.
    """
    if new.value == old.value:
        return False
    if same_subject(new.subject, old.subject):
        return _meet(new, old) if new.verb == "update" else _another_value(new, old)
    if new.verb != "update":
        return False
    if ends(new, old.subject):
        return _meet(new, old)
    return new.about == "name" and old.subject in names_of(new)


def ends(new: Fact, subject: str) -> bool:
    """Tell whether a statement names no owner, and the end of a subject: 端口 of 服务器端口."""
    end = new.subject
    if new.ours or len(end) < 2 or end.startswith((MINE, YOURS)) or not subject.endswith(end):
        return False
    before = subject[-len(end) - 1 : -len(end)]
    return not (end[0].isascii() and before.isascii() and before.isalnum())


def anothers(new: Fact, old: Fact) -> bool:
    """Tell whether a statement names an owner, and the old one says the same of another."""
    what = new.subject.removeprefix(MINE).removeprefix(YOURS)
    if same_subject(new.subject, old.subject) or not old.subject.endswith(what):
        return False
    return new.ours or what != new.subject


def _another_value(new: Fact, old: Fact) -> bool:
    if new.verb == old.verb == "at" or new.about == old.about == "name":
        return True
    return new.verb == "is" and old.verb != "at" and _one(new, old)


def subjects_of(new: Fact) -> tuple[str, ...]:
    """Return the subjects that are one with that of a statement."""
    bare = new.subject.removeprefix(MINE)
    return new.subject, bare if bare != new.subject else MINE + bare


def names_of(new: Fact) -> tuple[str, ...]:
    """Return the subjects that mean the name of what a statement speaks of."""
    return tuple(f"{new.subject}{space}{name}" for name in _NAMES for space in ("", " "))


def _meet(new: Fact, old: Fact) -> bool:
    """Whether a change can be one of what was said: 小明搬到上海 leaves him a doctor."""
    if new.about == old.about or alike(new.value, old.value):
        return True
    return not (new.about or old.about) or (new.about == "name" and old.subject.endswith("名"))


def _one(new: Fact, old: Fact) -> bool:
    if alike(new.value, old.value):
        return True
    return single(new.subject) and not apart(new.value, old.value)


def contradicts(one: Fact, other: Fact) -> bool:
    """Tell whether two statements can't well hold together though neither says that it changed."""
    same = same_subject(one.subject, other.subject)
    if not same or one.value == other.value or "at" in (one.verb, other.verb):
        return False
    if replaces(one, other) or replaces(other, one):
        return True
    return one.short and other.short and _one(one, other)


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

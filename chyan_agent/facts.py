"""What a statement is about: `项目数据库改用 MySQL` speaks of 项目数据库. Pure rules, no model.

Patterns start with a literal, or with the space before an English word, and run over folded
text: this is what lets the matcher skip through prose instead of trying every place.
"""

import re
import unicodedata
from dataclasses import dataclass, replace
from typing import Literal

Verb = Literal["is", "does", "update"]
"""`is` names a value, `does` may add to others (uses …), `update` says that something changed."""

LONGEST = 400
"""Characters of a clause that are looked at; a longer one is prose."""
LONGEST_SUBJECT = 40

_OPENING = re.compile(
    r"(?:请|麻烦|帮我|帮忙|务必|另外|还有|顺便|ok|好的?|嗯|那么?|记住|记得|记一下|记下来?|记录一下|注意|备忘"
    r"|提醒|你?要?知道|从[^,:]{1,10}?(?:起|开始)"
    r"|please|remember|note|keep in mind|fyi|by the way|also|and|so|that|hi|hello)"
    r"(?=[\s,:、]|[^\x00-\x7f])[\s,:、]*"
)
_CHANGE = re.compile(
    r"(?:更新一?下?|更正一?下?|纠正一?下?|修正一?下?|改一下|变更|不对|不是的?|从现在起|现在起|以后|今后"
    r"|update|correction|actually|from now on|changed?|wait|no)\s*[,:、]\s*"
)
_CHANGES = (
    "改用|改成|改为|改到|改叫|换成|换为|换到|变成|变为|变更为|更新为|更新成|更改为|调整为|调整到|升级到|升级为"
    "|升到|降到|搬到|迁移到|迁到|切换到|切换为|推迟到|提前到"
)
_VERB = re.compile(
    f"(?P<update>(?:{_CHANGES})了?)|(?P<does>使用|采用|选用|位于|住在)"
    "|(?P<is>是|叫做|叫|等于|设为|设置为|定为|定在|为|=)|(?P<colon>:)"
)
_VERB_EN = re.compile(
    r" (?:(?P<update>(?:(?:is|are|was|were|has been|have been) )?(?:now|changed to|switched to"
    r"|moved to|renamed to|updated to|upgraded to|replaced by)\b(?: uses?\b| is\b| are\b)?"
    r"|uses? now\b)|(?P<does>uses?\b|runs on\b|lives in\b)|(?P<is>is\b|are\b|equals\b))"
)
_BEFORE = frozenset("不还也但可只都便总要若或于凡而正的=!<>:")
_NOT_VALUE = ("什", "何", "了", "=", ":", "/", "\\")
_ADVERB = re.compile(
    r"(?:\s|现在|目前|当前|如今|已经|已|暂时|一直|正在|正|将会|会|将|要|就|仍然|仍|全部|都|一律|通常|的|从.{1,20}"
    r"| (?:now|currently|always|will|be|also|still|just|from \S{1,20}))$"
)
_OWNER = re.compile(
    r"(?:把|将|我们的?|咱们?的?|我的?|你们的?|你的?|您的?|本|这个?|该|the|my|our|your|this|a|an)"
    r"(?=\s|[^\x00-\x7f])\s*"
)
_OWNED = re.compile(r"[我你您]的|们的|.的.|(?:^| )(?:my|our|your) |['’]s ")
_VAGUE = re.compile(
    "[我你您他她它这那有不谁哪但]|[我你他她它]们|这里|那里|这些|那些|今天|明天|昨天|什么|如果|所以"
    "|i|you|he|she|it|we|they|this|that|these|those|there|here|what|who|which|where|when|how|why"
    "|today|tomorrow|yesterday|if|and|but|because"
)
_NOT = re.compile(r"不|没|未|别|\b(?:not|never|no)\b|n't\b")
_LITERAL = re.compile(r"[\"“「『《`'‘]?[a-z0-9#$¥€£@~./\\+-]")
_ADDRESS = re.compile(r"[a-z][a-z0-9+.-]{1,15}://[!-~]*")
_SPACE = re.compile(r"\s+")
_CLOSING = " .。!！;；,，"

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
    """Without owner and adverbs, so that two wordings meet."""
    value: str
    verb: Verb
    owned: bool
    """Whether the subject is somebody's or something's (my editor, 服务器的端口)."""

    @property
    def literal(self) -> bool:
        """Whether the value starts like a number, a name in Latin script or a path."""
        return _LITERAL.match(self.value) is not None


def normalise(text: str) -> str:
    """Return the text as it is compared: NFKC, case folded, spaces single, no closing mark."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    return _SPACE.sub(" ", folded).strip(_CLOSING)


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
    text, changed = _opened(normalise(clause))
    verb = _verb(text)
    if verb is None:
        return None
    said, value = text[: verb.start()], text[verb.end() :].strip()
    if verb.lastgroup == "colon" and (inner := fact(value)) is not None:
        return replace(inner, verb="update") if changed else inner
    subject = _subject(said)
    if not subject or not value or _NOT.search(said[-4:]) or _NOT.match(value):
        return None
    updates = changed or verb.lastgroup == "update"
    kind: Verb = "update" if updates else "does" if verb.lastgroup == "does" else "is"
    return Fact(subject, value, kind, _OWNED.search(said) is not None)


def replaces(new: Fact, old: Fact) -> bool:
    """Tell whether a new statement makes an old one out of date.

    Careful: `小明是医生` does not replace `小明是我弟弟`, for both can hold. What changed says
    so, or gives another value to something owned, or another literal to the same name.
    """
    if new.verb == "update" and len(new.subject) > 1 and old.subject.endswith(new.subject):
        return True
    if new.subject != old.subject or new.verb != "is":
        return False
    return (new.owned and old.owned) or (new.literal and old.literal)


def _opened(text: str) -> tuple[str, bool]:
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


def _verb(text: str) -> re.Match[str] | None:
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


def _subject(said: str) -> str:
    said = said[-2 * LONGEST_SUBJECT :]
    said = re.split("[,:、]", said)[-1].strip()
    while adverb := _ADVERB.search(said):
        said = said[: adverb.start()]
    while (owner := _OWNER.match(said)) and owner.end() < len(said):
        said = said[owner.end() :]
    if not said or len(said) > LONGEST_SUBJECT or _VAGUE.fullmatch(said):
        return ""
    return "" if len(said) == 1 and not said.isascii() else said

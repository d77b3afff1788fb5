"""What a text says, without how it says it: tells contradictions and topics. Pure."""

import re
from dataclasses import dataclass
from functools import lru_cache

from ..late import Late
from .evened import evened
from .facts import normalise, opened
from .scripts import simplified

LONGEST = 2000
"""Characters of a text that are looked at; a longer one is told apart by all of it."""

_EMPTY = Late(
    "使用|采用|选用|用的|用户|我们|咱们|目前|现在|当前|一直|已经|其实|一下|就是|这个|那个|[的了是用就吧啊呢哦呀嘛我您你请该本这那在个都也]"
)
_STOP_WORDS = """
a an the is are was were be been being am has have had do does did of that this it its i me my mine
we our us you your user users so just really very currently now already also please uses use using
"""
_STOP = frozenset(_STOP_WORDS.split())
_FUNCTION_WORDS = """
in on at to from by for with into about as and or but than then there here what which who whose when
where why how all any some much many can could will would should may might shall
"""
_FUNCTION = frozenset(_FUNCTION_WORDS.split())
"""Words by which no text is recognised."""
_ASKING = Late("什么|多少|哪[里个天些儿位年月]?|怎么样?|如何|是否|有没有|[吗呢谁几]")
HAN = r"\u3400-\u9fff\uf900-\ufaff"
"""Of a class of characters: Chinese."""
WORD = rf"[^\W_{HAN}]+(?:[-_./:@+#][^\W_{HAN}]+)*[+#]*"
"""A pattern: a word, a number, or a name of several joined by marks."""
_RUN = Late(rf"(?P<han>[{HAN}]+)|(?P<word>{WORD})")
_CITED = Late(r"[\[(（【]?[@#]t\d+(?:@\d+)?[\])）】]?")
_DATE = Late(r"(\d{4})\s?[-/.年]\s?(\d{1,2})\s?[-/.月]\s?(\d{1,2})(?:\s?[日号])?")
_GROUPED = Late(r"(?<=\d)[,，](?=\d{3}(?!\d))")
_SHORT = (
    ("’", "'"),
    ("can't", "can not"),
    ("won't", "will not"),
    ("n't", " not"),
    ("cannot", "can not"),
    ("'ve", " have"),
    ("'ll", " will"),
)
_OWNING = Late(r"'(?:s|re|m|d)\b")

_POLES = (
    ("讨厌|反感|厌恶|恨", "喜欢", True),
    ("热爱|喜爱|爱|偏好|希望", "喜欢", False),
    ("喜欢[吃喝看听玩做开坐]", "喜欢", False),
    ("(?:从来?)?不[吃喝]", "喜欢", True),
    ("拒绝", "同意", True),
    ("反对", "支持", True),
    ("禁用|停用|关闭|关掉", "启用", True),
    ("开启|打开", "启用", False),
    ("禁止|不许|不准", "允许", True),
    ("(?:hate|dislike|detest)s?", "like", True),
    ("(?:(?:does|do) )?not (?:eat|drink)", "like", True),
    ("(?:love|enjoy|like|prefer)s?(?: (?:eat|drink)ing)?", "like", False),
    ("disabled?", "enable", True),
    ("enabled", "enable", False),
    ("forbid|forbidden|disallow|disallowed", "allow", True),
    ("allowed", "allow", False),
    ("refused?|rejected?", "accept", True),
    ("accepted", "accept", False),
    ("false", "true", True),
    ("closed", "open", True),
    ("offline", "online", True),
    ("failed", "succeeded", True),
    ("失败", "成功", True),
    ("关着", "开着", True),
    ("un(?!der|it|til|ion|iq|iver|less|anim|cle|ify)(?=[a-z]{4})", "", True),
    ("(?:in(?=valid|active|complete|correct|secure)|im(?=possible))", "", True),
)
_ANY_POLE = Late("|".join(pattern for pattern, _, _ in _POLES))
_CAN = Late("(?<![开聚年晚例周机社宴展])会(?![议员计展场所费])")
"""会 goes with its denial: 不会."""
_DENIAL = Late(r"并不|没有|[不没未别勿非]|\b(?:not|never|no|without)\b")


@dataclass(frozen=True, slots=True)
class Gist:
    """The bones of a text: its Chinese, and its other words and numbers, each in order."""

    han: str
    words: tuple[str, ...]

    def __bool__(self) -> bool:
        return bool(self.han or self.words)


def gist(text: str) -> Gist:
    """Return the gist of a text; equal for two wordings of the same."""
    return _bones(plain(text))


@lru_cache(1024)
def plain(text: str) -> str:
    """Return a text as its words are compared: no openings; scripts, numbers, dates in one form."""
    said = simplified(opened(normalise(_CITED.sub(" ", text)))[0])
    for short, long in _SHORT:
        said = said.replace(short, long)
    said = _OWNING.sub("", said)
    said = _DATE.sub(lambda d: f"{d[1]}-{int(d[2]):02}-{int(d[3]):02}", said)
    return evened(_GROUPED.sub("", said))


def _bones(plain: str) -> Gist:
    han: list[str] = []
    words: list[str] = []
    for run in _RUN.finditer(plain):
        if run["han"]:
            han.append(_EMPTY.sub("", run["han"]))
        elif run["word"] not in _STOP:
            words.append(singular(run["word"]))
    return Gist("".join(han), tuple(words))


def singular(word: str) -> str:
    """Return a word without the s of its plural."""
    plural = len(word) > 3 and word.isalpha() and word.endswith("s") and not word.endswith("ss")
    return word[:-1] if plural else word


@lru_cache(1024)
def poles(text: str) -> tuple[Gist, bool]:
    """Return what a text is about, and whether it denies that.

    A text and its opposite are about the same: 不喜欢 and 喜欢, enabled and off.
    """
    bare, negative = plain(text), False
    for pattern, base, flips in _POLES if _ANY_POLE.search(bare) else ():
        start = r"\b" if base.isascii() else ""
        end = start if base else ""
        bare, found = re.subn(rf"{start}(?:{pattern}){end}", base, bare)
        negative ^= flips and found % 2 == 1
    bare, found = _DENIAL.subn(" ", _CAN.sub("", bare))
    return _bones(bare), negative ^ (found % 2 == 1)


def opposite(one: str, other: str) -> bool:
    """Tell whether one text denies just what another one tells."""
    (about, denied), (its, not_so) = poles(one), poles(other)
    return about == its and bool(about) and denied != not_so


def units(text: str) -> tuple[str, ...]:
    """Return what a text can be recognised by, in order: Chinese pairs, roots of words, then
    single characters. Words that only ask or join are none of it.
    """
    bones = _bones(_ASKING.sub(" ", plain(text[:LONGEST])))
    pairs = (bones.han[i : i + 2] for i in range(len(bones.han) - 1))
    roots = (_root(word) for word in bones.words if word not in _FUNCTION)
    return tuple(dict.fromkeys((*pairs, *roots, *bones.han)))


def _root(word: str) -> str:
    for ending in ("ing", "ed", "e"):
        rest = word.removesuffix(ending)
        if rest != word and len(rest) > 2 and word.isalpha():
            return rest[:-1] if rest[-1] == rest[-2] else rest
    return word


def covered(topic: frozenset[str], by: frozenset[str]) -> float:
    """Return how much of a topic is held by another text, in 0..1; words and pairs count most."""
    strong = {unit for unit in topic if len(unit) > 1}
    weak = topic - strong
    if not strong:
        return 0.0
    shares = [len(kind & by) / len(kind) for kind in (strong, weak) if kind]
    return sum(shares) / len(shares)


def met(topic: frozenset[str], by: frozenset[str]) -> float:
    """Return how much of a topic is met with in another text, in 0..1.

    Of Chinese these are the characters that stand there beside one of their neighbours: 吉他课
    is met with in 学吉他 but for its last one.
    """
    han = {unit for unit in topic if len(unit) == 1 and not unit.isascii()}
    pairs = {unit for unit in topic if _is_pair(unit)}
    words = {unit for unit in topic - pairs if len(unit) > 1}
    shared = {character for unit in pairs & by for character in unit}
    shared |= (han - set("".join(pairs))) & by
    size = len(han) + 2 * len(words)
    return (len(han & shared) + 2 * len(words & by)) / size if size else 0.0


def _is_pair(unit: str) -> bool:
    return len(unit) == 2 and not unit[0].isascii() and not unit.isdecimal()

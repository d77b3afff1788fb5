"""When two texts say just the same: the same persons, signs, tense and order. Pure."""

import re
import unicodedata

from ..late import Late
from .clauses import parts
from .facts import fact, normalise
from .gist import HAN, LONGEST, WORD, plain, singular
from .subjects import MINE, turned

_EMPTY = Late("目前|现在|当前|如今|其实|一下|就是|[的是就吧啊呢哦呀嘛也]|(?<![成首])都")
_WHEN = (
    r"(?:[上下本这每]?个?(?:周[一二三四五六日末]|月[底初])|\d{1,4}[-:年月点]"
    "|[早晚]上|[上下中]午|年[底初]|[今明后]天)"
)
_ONE_WORD = (
    (Late("用户|本人"), "我"),
    (Late("我(?=[爸妈哥姐弟妹爷奶叔舅姑姨])"), ""),
    (Late("不(?:可以|可(?!能)|会?允许)"), "不能"),
    (Late("[乘搭]坐|搭乘"), "坐"),
    (Late("(?<![现所存不])正?在(?=[读学教写做养练])"), ""),
    (Late("对(?=[^，。不]{1,8}过敏)"), ""),
    (Late(r"\bhave got\b"), "have"),
    (Late(r"\bbegin(?=s?\b)"), "start"),
    (Late(r"\bon (?=(?:mon|tues|wednes|thurs|fri|satur|sun)day|\d)"), ""),
    (Late(r"\b(?<=last )for (?=\d)|(?<=lasts )for (?=\d)"), ""),
    (Late("咱们?"), "我们"),
    (Late("您"), "你"),
    (Late("使用|采用|选用|用的是"), "用"),
    (Late("住在"), "住"),
    (Late("([爸妈哥姐弟妹爷奶叔舅姑姨])\\1"), r"\1"),
    (Late("名[称字]|姓名"), "名"),
    (Late("(?<=车牌|房间|座位|航班|端口|版本|订单|手机)号码"), "号"),
    (Late("(?<=车牌|房间|座位|航班|端口|版本)号"), ""),
    (Late("(?<=[天月周年底末午晚点前后日号一二三四五六\\d])之(?=[前后内])"), ""),
    (Late("[一总]共|总计|共计|合计"), "共"),
    (Late(rf"(?<![现所存正不])在(?=\s?{_WHEN})"), ""),
)
_OURS = Late(r"(?:我们|本(?![周月年季日次天])|该|这个(?![周月年季星礼]))的?(?=.)|our |this ")
"""Where a statement begins it tells only whose talk this is."""
_DONE = Late("已经?|了")
_WORDS = {
    "user": "me",
    "i": "me",
    "my": "me",
    "mine": "me",
    "your": "you",
    "yours": "you",
    "we": "our",
    "us": "our",
    "has": "have",
    "uses": "use",
    "using": "use",
}
_DROPPED_WORDS = """
the am is are be being do does please currently now already also just really very so
"""
_DROPPED = frozenset(_DROPPED_WORDS.split())
_ARTICLE = Late(
    r"\ban? (?!(?:is|are|was|were|and|or|to|in|on|at|for|has|have|will|can|than|but)\b)(?=[a-z])"
)
"""An article; in `plan a is ready` the letter is a name."""
_SAME_SIGN = ((">=", "≥"), ("<=", "≤"), ("!=", "≠"), ("->", "→"), ("=>", "→"), ("−", "-"))
_TOKEN = Late(
    rf"(?P<han>[{HAN}]+)|(?P<word>{WORD})|(?P<lead>(?<![^\W_{HAN}])[-+.@#/~\\](?=[-.@/\\a-z0-9]))"
    r"|(?P<sign>[^\s\w])"
)
_MARKS = frozenset("%‰&@§")
_DECOR = frozenset("|~™®©")

ROTATED = 4, 24
"""Characters of a clause that may be put in another order."""

Sense = tuple[str, ...]


def sense(text: str) -> str:
    """Return what two wordings of one text have in common, in its order.

    Left out are articles, fillers and marks that only divide; kept are persons, tense, signs,
    currencies and operators: -5 is not 5, `.env` not `env`, and I was is not I am.
    """
    text = plain(text)
    ours = _OURS.match(text)
    return _ordered(text[ours.end() :] if ours else text)


def _ordered(text: str) -> str:
    for sign, one in _SAME_SIGN:
        text = text.replace(sign, one)
    for words, word in _ONE_WORD:
        text = words.sub(word, text)
    text, done = _DONE.subn("", _ARTICLE.sub("", text))
    told = "".join(map(_told, _TOKEN.finditer(text)))
    return told + "了" if done and told else told


def _whatever_first(said: str) -> str:
    """Return the same for 我不吃香菜 and 香菜我不吃: what Chinese speaks of may come first."""
    if not ROTATED[0] <= len(said) <= ROTATED[1] or not all(map(_han, said)):
        return said
    return min(said[at:] + said[:at] for at in range(len(said)))


def _han(character: str) -> bool:
    return "\u3400" <= character <= "\u9fff" or character.isdecimal()


def _told(token: re.Match[str]) -> str:
    """Chinese joins what stands beside it, for spaces tell nothing there; all else stands apart."""
    found = token[0]
    if token.lastgroup == "han":
        return _EMPTY.sub("", found)
    if token.lastgroup == "word":
        word = _WORDS.get(found) or singular(found)
        return "" if found in _DROPPED else f" {_WORDS.get(word, word)} "
    return f" {found} " if token.lastgroup == "lead" or _tells(found) else ""


def _tells(sign: str) -> bool:
    kept = unicodedata.category(sign) in ("Sc", "Sm", "So") and sign not in _DECOR
    return kept or sign in _MARKS


def meaning(clause: str) -> Sense:
    """Return what two clauses that say the same have in common, however they say it.

    Of a statement these are subject and value: `the project's deadline` is `the deadline of the
    project`. All else is told apart by its sense.
    """
    said = fact(clause)
    if said is None:
        return (_whatever_first(sense(clause)),)
    subject, value = plain(said.subject.removeprefix(MINE)), plain(said.value)
    about = _ordered(turned(subject))
    if said.about == "name" and not about.rstrip().endswith(("名", "name")):
        about += " name " if about.isascii() else "名"  # 叫小红 tells the name
    return about, _ordered(turned(value).removesuffix("了"))


def meanings(text: str) -> frozenset[Sense]:
    """Return the meanings of the clauses of a text."""
    if len(text) > LONGEST:
        return frozenset({(normalise(text),)})
    return frozenset(said for part in parts(text) if any(said := meaning(part)))

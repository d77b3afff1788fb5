"""When two texts say the same in other words and another order: who, what, and whether. Pure.

`senses` keeps the order of a text. Here it may differ, but only where none can tell anything: both
begin with the same thing, and no word says from what to what, or what comes before what.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import takewhile

from ..late import Late
from .clauses import parts
from .gist import Gist, plain, poles
from .persons import persons
from .questions import asks
from .scripts import simplified
from .stems import stem

LONGEST = 160
"""Characters of a text that is looked at."""
LEAST = 3
"""Chinese characters below which likeness may be chance; a word is two of them."""

_ONE_WORD = (
    (Late("不(?:低|少|小)于|[至最][少低]要?到?|>="), "≥"),
    (Late("不(?:高|大)于|不超过|[至最]多|<="), "≤"),
    (Late("学习"), "学"),
    (Late("[放存设位][在于]"), "在"),
    (Late(r"^we use (.{1,40}) as (?:the|our) (.{1,40})$"), r"\2 is \1"),
    (Late(r"\ballergic to\b"), "allergy"),
    (Late(r"\bwants?(?= [a-z-]+ (?:in|with|as)\b)"), "like"),
    (Late(r"(?<=[a-z])-(?=[a-z])"), " "),
    (Late("一[些点]|如此|从来?|要求|版本|对(?=.{1,8}过敏)|[里下上]$"), ""),
    (Late(r"\b(?:in|for|on|at|with|all|version)\b"), " "),
)
_ORDER = Late(
    "[比给被把将从到至向往跟和与替]|对(?!.{1,8}过敏)|[之以]?[前后]"
    r"|\b(?:from|to|over|than|before|after|by|until|till|without|and|or|but|like|not)\b"
)
"""By these it tells something what stands first."""
_LIKES = Late(r"\b(?:would )?(?:like|love|prefer|enjoy|want)s?\b")
_OWN = Late("(?:my|(?:the )?user['’]s)\\b|(?:我|用户)的")
_SELF = Late("(?:i|my|(?:the )?user)\\b|我(?!们)|用户")
_PAST = Late(r"[了过]|\b(?:was|were|had|did|used to)\b")
_SIGN = Late(
    r"[^\w\s,.，。;；:：!！?？'’\"“”、()（）-]|(?<![\w.])[-.@#/]+(?=\w)|[这那上下]|个(?=月)"
)
"""What a gist leaves out, though it tells one thing from another."""


@dataclass(frozen=True, slots=True)
class Wording:
    """What a text is made of, and in which order."""

    made_of: tuple[object, ...]
    """Equal for two texts of the same words, of the same whose, as true, and as long ago."""
    han: str
    words: tuple[str, ...]


def wording(text: str) -> Wording | None:
    """Return the wording of a short text; None where its order tells too much."""
    if len(text) > LONGEST or asks(text):
        return None
    clauses = [_evened(clause) for clause in parts(text)]
    said = " ".join(clauses)
    if not clauses or _ORDER.search(_LIKES.sub(" ", said)):
        return None
    told = _unrepeated(map(poles, clauses))
    han = "".join(about.han for about, _ in told)
    words = tuple(stem(word) for about, _ in told for word in about.words)
    if len(han) + 2 * len(words) < LEAST:
        return None
    denied = frozenset(is_denied for _, is_denied in told)
    marks = frozenset((*_SIGN.findall(said), *_PAST.findall(said)))
    who = _who(simplified(text.casefold()), told[0][0])
    return Wording((who, denied, marks, *sorted(han), *sorted(words)), han, words)


def _evened(clause: str) -> str:
    said = plain(clause)
    for words, word in _ONE_WORD:
        said = words.sub(word, said)
    return said


def _unrepeated(told: Iterable[tuple[Gist, bool]]) -> list[tuple[Gist, bool]]:
    """Leave out a clause that only says again what stands before it: 讨厌香菜，从来不吃."""
    kept = list[tuple[Gist, bool]]()
    for about, denied in told:
        alike = (one for one, was in kept if was == denied)
        if not any({*one.han, *one.words}.issuperset((*about.han, *about.words)) for one in alike):
            kept.append((about, denied))
    return kept


def reworded(one: Wording, other: Wording) -> bool:
    """Tell whether two texts say the same, but for one piece that stands elsewhere.

    回答简短 and 简短的回答: two pieces changed places. Where there is one between them, what each
    belongs to is another: the cat fears the dog, 周一休息周二上班.
    """
    if one.made_of != other.made_of:
        return False
    if one.words == other.words:
        counted = len(one.words) > 1 or any(map(str.isdecimal, one.words))
        return one.han == other.han or (not counted and _moved(one.han, other.han))
    return one.han == other.han == "" and _moved(one.words, other.words)


def _moved(one: Sequence[str], other: Sequence[str]) -> bool:
    """Whether two sequences of the same are equal, or two neighbouring pieces changed places."""
    pairs = list(zip(one, other, strict=True))
    same = len(list(takewhile(lambda pair: pair[0] == pair[1], pairs)))
    tail = len(list(takewhile(lambda pair: pair[0] == pair[1], reversed(pairs[same:]))))
    left, right = list(one[same : len(one) - tail]), list(other[same : len(other) - tail])
    return any(left[at:] + left[:at] == right for at in range(max(1, len(left))))


def _who(text: str, first: Gist) -> object:
    """Whom a text tells of: me, what is mine where that may like or be somebody, or its subject."""
    if not _SELF.match(text):
        return first.han[:2] or first.words[:1]
    mine = _OWN.match(text) and (persons(text) or _LIKES.search(text))
    return "my" if mine else "me"

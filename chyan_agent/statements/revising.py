"""Whether a sentence says of one matter what an earlier one gave another value. Pure and linear.

`replacing.replaces` compares statements that have a subject and a value; most talk has no such
form: the kiosk runs 3.8.1, 运费 28 元. Here the two are held side by side: the later one says that
something changed, has one value of the kind of which the earlier has one, and speaks of nothing
else; or it names what it was before.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import lru_cache

from ..late import Late
from .changes import change
from .facts import normalise
from .frames import EVENT
from .gist import plain, units
from .literals import Literal, literals
from .questions import asks
from .slots import alike

LONGEST = 160
"""Characters of a sentence that is compared; a longer one tells of more than one matter."""
_CHANGING = Late(
    "[改换变涨挪]|[调升降缩延][到成至为级高低短长了]|更[正新]|推迟|提前|延[期后]|顺延|[说记抄写看搞弄]错"
    "|不对|现在|目前|如今|已经?是|又[加减]|[加减提]到"
    r"|\b(?:now|nowadays|actually|correction|instead|no longer|not|changed?|moved?|switched|raised?"
    r"|lowered|increased|reduced|updated?|upgraded|rescheduled|postponed|delayed|pushed|bumped"
    r"|extended|shortened|misspoke|wrong|mistake|sorry|these days)\b"
)
_DENIED = Late(
    r"[,;] ?(?:and )?not (?:the |an? |in |on |at |to )?(?P<old>[^,;.]{2,40})"
    r"|[而,]不是(?P<was>[^,。;]{1,30})"
)
"""The green one, not the red one."""
_LIGHT = Late(
    "[我你您他她它]们?|新的"
    "|[的了吧呢啊是就先再又还也都把将给让在到成为至改换变调减加升降级涨推迟提前延挪从现目已经定用点]"
    r"|\b(?:let|get|got|need|want|set|make|go|going|should|please|ones?|it|from now on|moved?"
    r"|chang\w*|switch\w*|rais\w+|lower\w*|updat\w+|upgrad\w+|reschedul\w+|postpon\w+|push\w*|actually|sorry"
    r"|correction|instead|these days|nowadays|comes?|costs?|begins?|starts?|stands?)\b"
)
"""Words that tell how something is said or that it changed, not what it is about."""
_CLAUSES = Late(r"(?<=[,:;])(?!\d)|(?<=[\u3400-\u9fff][,:;])")
_EXACT = Late(r"[a-z]|\d+|[一二三四五六七八九十]")
"""Node A is not node B."""
_OVER = Late(r"上个?[月周]|去年|昨[天晚]|前天|\b(?:last|yesterday|ago)\b")
"""What was then is not made otherwise by what is now."""
_BY_SHAPE = frozenset({"version", "hash", "path", "url", "email", "id"})


@dataclass(frozen=True, slots=True)
class _Told:
    """A sentence by its values, and by what is said beside them."""

    said: str
    evened: str
    """The same with its numbers and times in one form, as `change` names what was before."""
    values: tuple[Literal, ...]
    topic: frozenset[str]
    asks: bool
    changing: bool
    """Whether it has a word of change."""
    over: bool
    """Whether it tells what was once: nothing makes that otherwise."""

    def around(self, value: Literal) -> frozenset[str]:
        """What the clause of a value is about, with its heading."""
        end, head = 0, ""
        for clause in _CLAUSES.split(self.said):
            end += len(clause)
            if value.start < end:
                return _topic(head + clause)
            headed = clause.endswith(":") and not _CHANGING.search(clause)
            head = head + clause if headed else ""
        return self.topic


def revises(new: str, old: str) -> bool:
    """Tell whether a later sentence gives what an earlier one tells another value."""
    if max(len(new), len(old)) > LONGEST:
        return False
    later, earlier = _told(new), _told(old)
    if later.topic.isdisjoint(earlier.topic) or later.said == earlier.said:
        return False
    if later.asks or earlier.asks:
        return False
    if _gave_up(new, later, earlier):
        return True
    told = later.changing and not earlier.over
    return told and any(_other(later, earlier, value) for value in earlier.values)


@lru_cache(2048)
def _told(text: str) -> _Told:
    said = normalise(text)
    return _Told(
        said,
        plain(said),
        tuple(literals(said)),
        _topic(said),
        asks=asks(text),
        changing=_CHANGING.search(said) is not None,
        over=_OVER.search(text) is not None or EVENT.search(said) is not None,
    )


@lru_cache(2048)
def _topic(said: str) -> frozenset[str]:
    """Single characters of Chinese and roots of words, without values and light words."""
    bare = said
    for value in literals(said):
        bare = bare.replace(value.text, " ")
    return _single(units(_LIGHT.sub(" ", bare)))


def _single(found: Iterable[str]) -> frozenset[str]:
    return frozenset(unit for unit in found if unit.isascii() or len(unit) == 1)


def _other(later: _Told, earlier: _Told, value: Literal) -> bool:
    """Whether the later sentence has another value of the kind of this one, for the same."""
    if sum(_alike(value, other) for other in earlier.values) > 1:
        return False
    new = {one.text: one for one in later.values if _alike(one, value)}
    if len(new) != 1 or value.text in new:
        return False
    about, its = earlier.around(value) or earlier.topic, later.around(*new.values())
    if any(_EXACT.fullmatch(unit) for unit in about - later.topic):
        return False
    if its <= about:  # the end of it may stand for the whole
        return _some(its, words=2) or (_some(about) and about <= later.topic)
    return _some(about) and about <= its <= earlier.topic


def _some(topic: Collection[str], words: int = 1) -> bool:
    """Whether that is enough to tell what is spoken of: a word or so, or two characters."""
    return len(topic) > 1 if any(not unit.isascii() for unit in topic) else len(topic) >= words


def _alike(one: Literal, other: Literal) -> bool:
    shape = one.kind == other.kind and one.kind in _BY_SHAPE
    return shape or alike(one.text.casefold(), other.text.casefold())


def _gave_up(new: str, later: _Told, earlier: _Told) -> bool:
    """Whether the later sentence names what it was and is no more, and the earlier one has it."""
    return any(
        any(_has(said, old) for said in (earlier.said, earlier.evened))
        and _some((earlier.topic & later.topic) - _topic(old))
        for old in _given_up(new)
    )


@lru_cache(2048)
def _given_up(new: str) -> tuple[str, ...]:
    told = change(new)
    denied = (found["old"] or found["was"] for found in _DENIED.finditer(normalise(new)))
    return tuple(filter(None, (told.old if told else "", *map(str.strip, denied))))


def _has(text: str, old: str) -> bool:
    if old in text and literals(old):
        return True
    words = _single(units(_LIGHT.sub(" ", old)))
    return _some(words) and words <= _single(units(text))

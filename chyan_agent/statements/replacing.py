"""Which statement makes another one out of date, and which can't well hold together. Pure rules."""

from collections.abc import Callable, Sequence
from itertools import takewhile

from ..late import Late
from .describing import describes, of_one_sort, same_dwelling
from .facts import Fact
from .slots import alike, apart, attribute, single, timed
from .subjects import MINE, YOURS, same_subject

_PLACE = Late("(?:地点|场地|位置|地址)$| (?:venue|location|place|site)$")
_AT = Late(r"(?:at|in|on) (?!\d)")
_NAMES = ("代号", "名称", "名字", "名", "name", "codename", "code name")


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
    if _is_place(old) and any(_owned(base, old.subject) for base in places_of(new)):
        return True
    return new.about == "name" and old.subject in names_of(new)


def _owned(base: str, subject: str) -> bool:
    return same_subject(base, subject) or (len(base) > 1 and subject.endswith(base))


def _is_place(old: Fact) -> bool:
    """Whether a statement tells where something is: at the Rosewood, 定在青龙湖."""
    where = old.verb == "at" or old.about == "place" or _AT.match(old.value) is not None
    return (where or old.at) and not timed(_AT.sub("", old.value))


def places_of(new: Fact) -> tuple[str, ...]:
    """Return the subjects whose place a statement tells: the party's of the party's venue."""
    bare = _PLACE.sub("", new.subject).strip()
    return (bare,) if bare and bare != new.subject else ()


def ends(new: Fact, subject: str) -> bool:
    """Tell whether a statement names no owner, and the end of a subject: 端口 of 服务器端口."""
    end = new.subject
    if new.ours or len(end) < 2 or end.startswith((MINE, YOURS)) or not subject.endswith(end):
        return False
    before = subject[-len(end) - 1 : -len(end)]
    return not (end[0].isascii() and before.isascii() and before.isalnum())


def anothers(new: Fact, old: Fact) -> bool:
    """Tell whether a statement speaks of another owner than an old one, or says how, not which."""
    what = new.subject.removeprefix(MINE).removeprefix(YOURS)
    if same_subject(new.subject, old.subject):
        return not alike(new.value, old.value) and describes(new.value, new.subject) != describes(
            old.value, old.subject
        )
    if not old.subject.endswith(what):
        return _owners_differ(new.subject, old.subject)
    return new.ours or what != new.subject


def _owners_differ(one: str, other: str) -> bool:
    """Whether two subjects end alike and each begins as the other does not: Ann's, Bob's boss."""
    ones, others = _pieces(one), _pieces(other)
    pairs = zip(reversed(ones), reversed(others), strict=False)
    same = len(list(takewhile(lambda pair: pair[0] == pair[1], pairs)))
    least = 1 if one.isascii() else 2
    return least <= same < min(len(ones), len(others))


def _pieces(subject: str) -> Sequence[str]:
    owner = next((one for one in (MINE, YOURS) if subject.startswith(one)), "")
    named = subject.removeprefix(owner)
    return (*filter(None, (owner,)), *(named.split() if named.isascii() else named))


def _another_value(new: Fact, old: Fact) -> bool:
    if new.about == old.about and new.verb == old.verb == "at":
        return same_dwelling(new.value, old.value)
    if new.about == old.about == "name":
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
    if alike(new.value, old.value):
        return True
    if new.about == "place" and old.about in ("", "place") and _is_place(old):
        return True
    if describes(new.value, new.subject) != describes(old.value, old.subject):
        return False
    if new.about == old.about:
        return True
    return not (new.about or old.about) or (new.about == "name" and old.subject.endswith("名"))


def _one(new: Fact, old: Fact, lone: Callable[[str], bool] = single) -> bool:
    if alike(new.value, old.value):
        return True
    if apart(new.value, old.value):
        return False
    return lone(new.subject) and of_one_sort(new.value, old.value, new.subject)


def contradicts(one: Fact, other: Fact) -> bool:
    """Tell whether two statements can't well hold together though neither says that it changed."""
    same = same_subject(one.subject, other.subject)
    if not same or one.value == other.value or "at" in (one.verb, other.verb):
        return False
    if replaces(one, other) or replaces(other, one):
        return True
    return one.short and other.short and _one(one, other, attribute)

"""What somebody does another way by now: by bus instead of by bicycle. Pure rules."""

from ..late import Late
from .frames import LONGEST
from .gist import gist, plain
from .questions import asks
from .slots import measures, retimed
from .stems import stem

_WAY = Late(
    "骑(?:自行|单|共享单|电动|电瓶|摩托)?车"
    "|[坐乘搭](?:地铁|公交车?|公车|班车|高铁|火车|大巴|巴士|轻轨|校车)"
    "|开车|自驾|打车|打的|拼车|走路|步行|跑步"
    r"|\b(?:cycle|bike|drive|walk|carpool|jog"
    r"|(?:ride|take) (?:the |a |my )?(?:bus|train|subway|metro|tube|tram|ferry|taxi|bike)"
    r"|(?:go )?(?:by|on) (?:bus|train|car|bike|bicycle|foot|tram|subway|metro|ferry|taxi))s?\b"
)
"""How one goes somewhere."""
_NOW = Late(
    "现在|目前|如今|最近|开始|改[成为]?|换[成为]?"
    r"|\b(?:now|nowadays|these days|lately|from now on|instead|started (?:to )?|switched to)\b"
)
_USUALLY = Late(
    "每天|平时|一般|通常|经常|都|去|了"
    r"|\b(?:usually|normally|mostly|every ?day|each day|always|go|going)\b"
)
_EVENT = Late(
    r"昨|上周|上个?月|那次|过|\b(?:yesterday|last|once|bought|paid|had|spent|[a-z]{2,}ed)\b"
)


def by_now(text: str) -> bool:
    """Tell whether a text says how something is by now."""
    return _NOW.search(plain(text)) is not None


def swapped(new: str, old: str) -> bool:
    """Tell whether a text says that what an older one tells is done another way by now."""
    if max(len(new), len(old)) > LONGEST or asks(new) or asks(old):
        return False
    said, before = plain(new), plain(old)
    if not _NOW.search(said) or _NOW.search(before):
        return False
    return _another(said, before)


def _another(new: str, old: str) -> bool:
    ways, others = _WAY.findall(new), _WAY.findall(old)
    if len(ways) != 1 or len(others) != 1 or ways == others:
        return False
    return _rest(new) == _rest(old)


def _rest(text: str) -> frozenset[str]:
    bones = gist(_USUALLY.sub(" ", _NOW.sub(" ", _WAY.sub(" ", text))))
    return frozenset((*bones.han, *map(stem, bones.words)))


def requantified(value: str, old: str, *, bare: bool = False) -> bool:
    """Tell whether an older text gives another number of what a new value counts: 20 mg, 10 mg.

    Or another time: 8:40, 6:15. With `bare` also numbers that count nothing in particular.
    """
    if retimed(plain(value), plain(old)):
        return True
    wanted = next(measures(plain(value)), None)
    before = plain(old)
    if wanted is None or not (wanted[0] or bare) or _EVENT.search(before):
        return False
    known = [
        number
        for measure, number in measures(before)
        if measure == wanted[0] or (bare and not wanted[0])
    ]
    return len(known) == 1 and known[0] != wanted[1]

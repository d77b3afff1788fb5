"""What questions and requests name by the way: a mention, not a statement. Pure rules."""

import re
from collections.abc import Iterable

from ..late import Late
from .gist import units
from .literals import Literal, literals

_NAMES = frozenset({"id", "path", "url", "email", "version", "hash"})
_MEASURED = Late(r"\d[\d,.]*\s?[^\W\d_吗呢吧啊的了是在和与或]|[%‰°℃$¥€£]|\d[-/:]\d|[月点百千]")
"""A number with its unit, or a date with its day."""
_REQUEST = Late(
    r"(?:请|麻烦|帮我|你?去|please )?\s?(?:读|打开|查|搜|找|看|列|在[^，。]{1,80}?[查搜找]"
    r"|(?:read|open|search|find|list|show|grep|look)\b)",
    re.IGNORECASE,
)


def mentions(question: str) -> bool:
    """Tell whether a question names something; one that only asks what that is does not."""
    named = [one for one in literals(question) if telling(one)]
    told = frozenset(units(question)) - {unit for one in named for unit in units(one.text)}
    return bool(named and told)


def carried_out(request: str, arguments: Iterable[str]) -> bool:
    """Tell whether calls with these arguments have done what a request names."""
    if not _REQUEST.match(request):
        return False
    given = "\n".join(arguments)
    return all(one.text.strip('"“”「」`') in given for one in literals(request))


def telling(one: Literal) -> bool:
    """Tell whether a name or a number by itself tells something: 8 GiB does, 8 does not."""
    return one.kind in _NAMES or (one.kind != "quote" and _MEASURED.search(one.text) is not None)

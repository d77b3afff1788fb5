"""Questions that ask for several things: 我表哥多大了？另外，我住在哪个小区？ Pure rules."""

import re

from ..late import Late
from ..statements.clauses import sentences
from ..statements.questions import asks

LONGEST = 300
"""Characters of a text that only asks; who writes more tells something too."""
MOST = 3
"""Questions of one text that are looked at one by one."""

_LEAD = Late(
    r"(?:另外|还有|還有|此外|同时|同時|顺便(?:问一?下|说一?句)?|順便(?:問一?下)?|以及|那么|那麼"
    r"|(?:and|also|besides|plus|by the way)\b)[，,、:：\s]*",
    re.IGNORECASE,
)
_LEANS = Late(
    r"[他她它牠祂这這该該]|其中|^(?:如果|要是|具体|具體)|^if\b|\b(?:he|she|it|they|him|them|his|hers?|its|their|this|these|there)\b",
    re.IGNORECASE,
)


def questions(text: str) -> tuple[str, ...]:
    """Return the two or three questions of a text that only asks, without 另外, and, also.

    Nothing for all other texts: a single question, one that a statement goes with, and one that
    goes on about what the first names (他住在哪？他多大了？). Never raises.
    """
    if len(text) > LONGEST:
        return ()
    asked = sentences(text)
    if not 1 < len(asked) <= MOST or not all(map(asks, asked)):
        return ()
    leads = [_LEAD.match(sentence) for sentence in asked]
    if any(not lead and _LEANS.search(one) for lead, one in zip(leads[1:], asked[1:], strict=True)):
        return ()
    return tuple(one[lead.end() if lead else 0 :] for lead, one in zip(leads, asked, strict=True))

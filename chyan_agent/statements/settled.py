"""What was still open and is done by now: 合同还没签 and 合同签了, broken and fixed. Pure rules."""

import re

from ..late import Late
from .gist import gist, plain
from .questions import asks
from .stems import stem

LONGEST = 120
"""Characters of a clause that is looked at."""

_OPEN = Late(
    r"还[没未](?:有)?|还不(?=[会能])|尚未|打算|计划(?!书|表|里)|准备(?=[去买办报考换搬])|(?:还|仍)(?:需要?|得|要)|待(?=[审付办签发交寄])"
    r"|\b(?:(?:have|has|had|is|are|was|were|did|do|does) not (?:been )?(?P<late>[^,]{2,40}?) yet"
    r"|not yet|(?:have|has) yet to|(?:am|are|is|was)? ?(?:planning|about) to|plans? to|i want to"
    r"|still (?:need|have|has)s? to|still (?:have|has) not)\b"
)
_DENIED = Late(r"[不没未别勿]|\b(?:not|never|no|without)\b")
_ASIDE = Late(
    r"已经?|终于|刚刚?才?|[昨今前]天|[今昨]晚|上个?[周月][一二三四五六日]?|[上下中]午|总算|都"
    r"|\b(?:finally|just|already|yesterday|today|this (?:morning|afternoon|week)"
    r"|last (?:night|week|month)"
    r"|on (?:mon|tues|wednes|thurs|fri|satur|sun)day|it|been|get|got|have|has|had|will)\b"
)
_STATES = tuple(
    (Late(before), Late(after))
    for before, after in (
        ("坏了?|出故障了?|出了?故障|罢工了?", "修好了?|修复了?|恢复正常了?"),
        ("弄?丢了|不见了|找不到了?", "找[到回]了?"),
        (
            "审批中|在审批|还在审[批核]?|审核中",
            "批准了?|批下来了?|审批通过了?|审核通过了?|通过了|被拒了?",
        ),
        ("住院了?|在住院", "出院了?"),
        ("发烧了?|感冒了?|生病了?", "退烧了?|痊愈了?|康复了?|病好了|好了"),
        (
            r"\b(?:broken|out of order|down|leaking|jammed|not working|stuck)\b",
            r"\b(?:fixed|repaired|works? again|working again|back up|running again|mended)\b",
        ),
        (r"\b(?:lost|missing|misplaced)\b", r"\b(?:found|turned up)\b"),
        (
            r"\b(?:pending|under review|awaiting approval|being processed|in review)\b",
            r"\b(?:approved|granted|accepted|rejected|denied|went through|came through)\b",
        ),
        (
            r"\b(?:sick|ill|in (?:the )?hospital)\b",
            r"\b(?:recovered|well again|out of (?:the )?hospital|discharged)\b",
        ),
        ("正?在(?=[读看学写做修追练画织搭])", "完了?$"),
        (r"\b(?:reading|watching|writing|building|knitting|painting)\b", r"\bfinished\b"),
    )
)
_DONE = -1
"""The state of what was not yet done."""

Bag = frozenset[str]
Matter = tuple[int, Bag]
"""A state, and what is in it."""


def opens(clause: str) -> frozenset[Matter]:
    """Return what a clause leaves open, in each way in which it may be read; often nothing."""
    if len(clause) > LONGEST or asks(clause):
        return frozenset()
    said = plain(clause)
    found = {
        (n, _bag(old.sub(" ", said))) for n, (old, _) in enumerate(_STATES) if old.search(said)
    }
    if marked := _OPEN.search(said):
        rest = f"{said[: marked.start()]} {marked['late'] or ''} {said[marked.end() :]}"
        if not _DENIED.search(rest):
            found.add((_DONE, _bag(rest)))
    return frozenset(one for one in found if one[1])


def closes(clause: str) -> frozenset[Matter]:
    """Return what a clause tells to be done or in order again."""
    if len(clause) > LONGEST or asks(clause):
        return frozenset()
    said = plain(clause)
    if _OPEN.search(said) or _DENIED.search(said):
        return frozenset()
    found = {
        (n, _bag(new.sub(" ", said))) for n, (_, new) in enumerate(_STATES) if new.search(said)
    }
    return frozenset(one for one in (*found, (_DONE, _bag(said))) if one[1])


def _bag(said: str) -> Bag:
    """Return what a clause is made of, without its order: the object may come first."""
    bones = gist(_ASIDE.sub(" ", said))
    han = re.sub("[了完好过还]", "", bones.han)
    return frozenset((*han, *map(stem, bones.words)))


def settles(done: frozenset[Matter], clauses: tuple[frozenset[Matter], ...]) -> bool:
    """Tell whether all that the clauses of a note leave open is done.

    The first one must be met whole; those that go on leave out what it is about.
    """
    if not clauses or not clauses[0] & done:
        return False
    return all(
        any(state == known and open_ <= closed for state, open_ in one for known, closed in done)
        for one in clauses[1:]
    )

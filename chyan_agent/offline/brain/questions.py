"""Questions about what was said: facts, their earlier values, whole turns."""

import re
from collections.abc import Sequence
from dataclasses import replace

from .facts import Item, Known, earlier, matching, newest, sure, yours
from .pages import Steps
from .text import HAN, asks, keys, trimmed, words
from .values import Result, Value, ask
from .view import LIVE, View, hits, turn_items

MANY_HITS = 10
MOST_WORDS = 32
"""Of a query, the last ones: a long message comes to its point at its end."""
CLOSE = 0.25
"""The least share of a question that a hit must hold to be looked at as a whole."""
SHOWN_CHARACTERS = 400
_CUT = re.compile(r"#t\d+")
_FIRST = re.compile(
    r"最初|最早|一开始|起初|\boriginal(?:ly)?\b|\binitial(?:ly)?\b|\bat first\b"
    r"|\bin the beginning\b",
    re.IGNORECASE,
)
_BEFORE = re.compile(
    r"之前|以前|原来|原先|改之前|更新前|\bbefore\b|\bpreviously\b|\bprevious\b|\bused to be\b"
    r"|\bearlier\b|\bold\b",
    re.IGNORECASE,
)
_TURN = re.compile(r"第\s*(\d+)\s*轮|\bturn\s+#?(\d+)\b|#t(\d+)\b", re.IGNORECASE)
_YES_NO = re.compile(
    r"^(?P<s>.+?)(?:是不是|是否(?:是|为)?|是|用的是|为"
    r"|叫)\s*(?P<o>[^是什么多少哪谁几]+?)\s*吗?\s*[？?]?$"
)
_SPLIT_ZH = re.compile(r"^(.+?)(?:和|与|以及|、|还有)(.+?)(?:分别|各自?|都)(.+)$")
_SPLIT_EN = re.compile(
    r"^(?:what|which|who)\s+(?:are|were)\s+(.+?)\s+and\s+(.+?)\s*\??$", re.IGNORECASE
)


def told_turn(view: View, text: str) -> Steps:
    """Return what was said in a numbered turn; None where no number is named."""
    found = _TURN.search(text)
    if not found or not asks(text):
        return None
    turn = int(found[1] or found[2] or found[3])
    place = turn - view.through - 1
    if 0 <= place < len(view.asked) and view.through:
        said = view.asked[place]
    else:
        result = yield from ask("recall", {"query": f"#t{turn}"})
        page = str(result.data.get("text") or result.content)
        said = page or "\n".join(item.text for item in hits(result)) or result.error
    if not said.strip():
        return None
    return view.texts.turn_said.format(turn=turn, text=said.strip()[:SHOWN_CHARACTERS])


def answered(view: View, text: str) -> Steps:
    """Return the answer to a question about something that was said."""
    parts = _parts(text)
    answers = []
    for part in parts:
        known = yield from look_up(view, part)
        answers.append(_sentence(view, part, known))
    return view.texts.and_.join(answers) + view.texts.stop


def fact_value(view: View, text: str) -> Steps:
    """Return the value of a fact named without a question, or None."""
    if not words(text):
        return None
    known = yield from look_up(view, text)
    if not known:
        return None
    return Value(known.statement.value, _stated(view, known))


def look_up(view: View, question: str) -> Steps:
    """Return the statement that answers, or None.

    What is in sight is enough when it holds all that was asked for. Else one recall, and where
    its best hit was clipped, the whole turn that it came from.
    """
    historic = _historic(question)
    found = matching(question, view.items, view.read)
    if (sure(found) and not historic) or not words(question):
        return _choose(question, found)
    more: dict[str, object] = {"top_k": MANY_HITS} if historic else {}
    query = " ".join(words(question)[-MOST_WORDS:])
    result = yield from ask("recall", {"query": query, **more})
    items = [*view.items, *(replace(i, order=_recorded(view, i)) for i in hits(result))]
    found = matching(question, items, view.read)
    turn = 0 if sure(found) or historic else _clipped(question, result)
    if turn:
        page = yield from ask("recall", {"query": f"#t{turn}"})
        items += turn_items(page, turn)
        found = matching(question, items, view.read)
    return _choose(question, found)


def _clipped(question: str, result: Result) -> int:
    """Return the turn of the hit that says most about a question, if that hit was clipped."""
    wanted = keys(question)
    best, turn = CLOSE, 0
    for item in hits(result):
        share = sum(key in item.text.casefold() for key in wanted) / len(wanted)
        if share > best:
            best, turn = share, item.order[1] if _CUT.search(item.text) else 0
    return turn


def _recorded(view: View, item: Item) -> tuple[int, int, int]:
    """Order a hit; one from a turn that the summary doesn't cover yet is as new as live words."""
    kind, turn, line = item.order
    live = view.through and turn > view.through
    return (LIVE, turn - view.through, line) if live else (kind, turn, line)


def _historic(question: str) -> bool:
    return bool(_FIRST.search(question) or _BEFORE.search(question))


def _choose(question: str, found: Sequence[Known]) -> Known | None:
    if _FIRST.search(question):
        return earlier(found, first=True)
    if _BEFORE.search(question):
        return earlier(found, first=False)
    return newest(found)


def _parts(text: str) -> list[str]:
    if found := _SPLIT_ZH.match(text):
        owner = re.match(r"(.+?的)", found[1])
        second = found[2] if not owner or "的" in found[2] else owner[1] + found[2]
        return [found[1] + found[3], second + found[3]]
    if found := _SPLIT_EN.match(text):
        return [f"what is {found[1]}?", f"what is {found[2]}?"]
    return [text]


def _sentence(view: View, question: str, known: Known | None) -> str:
    texts = view.texts
    claim = _claim(question)
    if known is None and claim:
        return texts.unknown.format(subject=claim[0]).rstrip("。.")
    if known is None:
        return texts.unknown.format(subject=" ".join(words(question)) or trimmed(question)).rstrip(
            "。."
        )
    if _historic(question):
        return texts.before.format(value=known.statement.value)
    stated = _stated(view, known)
    if not claim:
        return stated
    agrees = trimmed(claim[1]).casefold() in known.statement.text.casefold()
    return (texts.yes if agrees else texts.no) + stated


def _stated(view: View, known: Known) -> str:
    statement = known.statement
    if not statement.subject:
        return view.texts.quote.format(text=yours(statement.value, view.language))
    subject = yours(statement.subject, view.language)
    return view.texts.fact.format(subject=subject, value=statement.value)


def _claim(question: str) -> tuple[str, str] | None:
    """Return subject and value of a yes-no question."""
    plain = trimmed(question)
    if HAN.search(plain):
        found = _YES_NO.match(plain) if re.search(r"吗$|是不是|是否", plain) else None
        return (found["s"], found["o"]) if found else None
    found = re.match(r"(?:is|are|was)\s+(.+)\s+(\S+)$", plain, re.IGNORECASE)
    return (found[1], found[2]) if found and keys(found[1]) else None

"""Verbatim pieces of a turn, found by rule: what a summary may not lose. Pure and linear.

Identifiers, numbers, paths, dates, quotes, statements and decisions are copied, never rephrased.
"""

import json
import re
from collections.abc import Iterator, Sequence

from ..messages import Message, ToolCall, Turn
from ..state import Evidence
from .chatter import excuses
from .clauses import LONGEST, statements
from .facts import Fact, fact
from .literals import Literal, literals
from .succession import AGENT, VALUE, merge

PER_MESSAGE = 48
PER_RESULT = 4

WEIGHTS = {
    "fact": 1.0,
    "decision": 1.0,
    "todo": 0.9,
    "id": 0.85,
    "negation": 0.8,
    "preference": 0.8,
    "path": 0.75,
    "url": 0.75,
    "email": 0.75,
    "version": 0.65,
    "hash": 0.65,
    "date": 0.65,
    "quote": 0.5,
    "number": 0.45,
    "past": 0.3,
}
HALF_LIFE = 150
"""Turns after which a piece weighs half."""

_LASTING = frozenset({"todo", "negation", "preference"})
_RECALLED = frozenset({"recall", "remember"})
"""Their results are old words: taken again they would look as if said now."""

_MARKS = (
    (
        "decision",
        re.compile("决定|商定|敲定|拍板|采用|选定|选用|定为|改用|改成|改为|换成"),
        re.compile(r" (?:decided?|agreed|chose|settled on|go(?:ing)? with|switch(?:ed)? to)\b"),
    ),
    (
        "todo",
        re.compile("待办|别忘|务必|必须|下一步|截止|todo|fixme"),
        re.compile(r" (?:must(?! not)|deadline|due (?:on|by)|needs? to|remember to|next step)\b"),
    ),
    (
        "negation",
        re.compile("不要|不能|不得|不可|不许|不再|不喜欢|不吃|禁止|无需|切勿|千万别|过敏"),
        re.compile(r" (?:never|do not|don['’]t|must not|mustn['’]t|can['’]t|cannot|no longer)\b"),
    ),
    (
        "preference",
        re.compile("我们?[最很更]?(?:特别|比较|一直)?(?:喜欢|偏好|习惯|爱|讨厌)"),
        re.compile(r" (?:i|we) (?:really |always |usually )?(?:like|love|prefer|enjoy|hate)\b"),
    ),
)


def extract(turn: Turn) -> tuple[Evidence, ...]:
    """Return the pieces of a turn worth keeping, later words of the same matter winning.

    Of one matter the user's statement counts most, then the answer, then what tools were given
    and gave back.
    """
    calls = {call.id: call for message in turn.messages for call in message.tool_calls}
    answers = [m for m in turn.messages if m.role == "assistant"]
    found: list[Evidence] = []
    for message in turn.messages:
        if message.role == "tool":
            found += _result(turn.number, message, calls.get(message.tool_call_id))
    found += (e for call in calls.values() for e in _written(turn.number, call))
    asked = [e for m in turn.messages if m.role == "user" for e in _said(turn.number, m.content)]
    found += (e for e in asked if e.kind != "fact")
    found += (e for m in answers for e in _said(turn.number, m.content, own=False))
    found += (e for e in asked if e.kind == "fact")
    return merge((), found)


def importance(piece: Evidence, newest_turn: int) -> float:
    """Return how much a piece deserves its room, in (0, 1]: by kind, fading with age."""
    age = max(0, newest_turn - piece.turn)
    weight = WEIGHTS.get(piece.kind, 0.5)
    return float(weight * 0.5 ** (age / HALF_LIFE))


def line(piece: Evidence) -> str:
    """Return a piece as one line of the summary, citing its turn; what was replaced says so."""
    before = "" if piece.kind != "past" else "(was) " if piece.text.isascii() else "（曾）"
    return f"- {before}{piece.text} @t{piece.turn}"


def _said(turn: int, text: str, *, own: bool = True) -> list[Evidence]:
    """Pieces of running text; `own` when the words are the user's."""
    found = (_piece(turn, clause, said, own) for clause, said in statements(text))
    pieces = [piece for piece in found if piece is not None]
    if len(pieces) > PER_MESSAGE:
        floor = sorted((WEIGHTS[piece.kind] for piece in pieces), reverse=True)[PER_MESSAGE - 1]
        pieces = [piece for piece in pieces if WEIGHTS[piece.kind] >= floor]
    return pieces[:PER_MESSAGE]


def _piece(turn: int, clause: str, said: Fact | None, own: bool) -> Evidence | None:
    if not own and (clause.endswith((":", "：")) or excuses(clause)):
        return None
    named = literals(clause)
    kind = _kind(clause, named, said is not None and own)
    if not kind:
        return None
    return Evidence(turn=turn, kind=kind, key=_key(kind, said, named, own), text=clause)


def _kind(clause: str, named: Sequence[Literal], stated: bool) -> str:
    folded = " " + clause.casefold()
    for kind, mark, mark_en in _MARKS:
        if mark.search(folded) or mark_en.search(folded):
            return "fact" if stated and kind == "decision" else kind
    if stated:
        return "fact"
    return max((n.kind for n in named), key=lambda kind: WEIGHTS[kind], default="")


def _key(kind: str, said: Fact | None, named: Sequence[Literal], own: bool) -> str:
    """What a later piece must be about to replace this one; empty for rules and wishes."""
    if kind in _LASTING:
        return ""
    if said is not None and own:
        single = said.verb == "update" or (said.verb == "is" and (said.owned or said.literal))
        return said.subject if single else said.subject + VALUE + said.value
    path = next((n.text for n in named if n.kind == "path"), "")
    if path or said is None:
        return path or next((n.text for n in named if n.kind == kind), "")
    return AGENT + said.subject


def _written(turn: int, call: ToolCall) -> Iterator[Evidence]:
    """A short text that a tool was told to put somewhere."""
    arguments = _json(call.arguments)
    if not isinstance(arguments, dict) or call.name in _RECALLED:
        return
    path, content = arguments.get("path"), arguments.get("content")
    if not isinstance(path, str) or not isinstance(content, str) or not path:
        return
    text = f"{call.name} {path}: {content.strip()}"
    if len(text) <= LONGEST and "\n" not in text and "\r" not in text:
        yield Evidence(turn=turn, kind="path", key=path, text=text)
    elif len(path) <= LONGEST // 2:
        yield Evidence(turn=turn, kind="path", key=path, text=f"{call.name} {path}")


def _result(turn: int, message: Message, call: ToolCall | None) -> list[Evidence]:
    """A few telling lines of a tool result."""
    if call is not None and call.name in _RECALLED:
        return []
    texts = _strings(_json(message.content), message.content)
    found = (e for text in texts for e in _said(turn, text, own=False))
    telling = [e for e in found if e.kind in _LASTING or e.key.startswith(AGENT) or fact(e.text)]
    return telling[:PER_RESULT]


def _strings(value: object, raw: str) -> list[str]:
    if isinstance(value, dict):
        if "error" in value:
            return []
        return [v for v in value.values() if isinstance(v, str)]
    return [raw] if value is None else []


def _json(text: str) -> object:
    """Parsed JSON, or None for whatever a model or a tool wrote instead of it."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None

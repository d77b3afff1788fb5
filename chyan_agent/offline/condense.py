"""Condensing for compaction requests: keeps informative lines, loses a share, invents nothing."""

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from .brain.text import asks, sentences

MARK = "[compact]"
WIDEST = 200
"""Characters of the longest fact line."""

_ASKED = re.compile(r"压缩为关键事实|\bcondense\b", re.IGNORECASE)
_TURN = re.compile(r"^\s*@t(\d+)\s*$")
_SPEAKER = re.compile(r"^(system|user|assistant|tool|call)\b([^:]{0,40}): ?(.*)$")
_EARLIER = re.compile(r"^(?:已有摘要|Summary so far)")
_TURNS = re.compile(r"^(?:需要压缩的对话|Conversation to condense)")
_VALUE = re.compile(
    r"\d|[A-Z]{2,}|[\w\-]+\.[a-z]{1,5}\b|[是为叫]|=|：|改|换|决定|喜欢|需要|\b(?:is|are|was|now"
    r"|to|prefer|decided)\b"
)
_IDLE = re.compile(
    r"^(?:你好|您好|谢谢|不客气|再见|好的[，,]?(?:知道了|已了解.*|记下了)?|hello|hi|thanks"
    r"|thank you|ok|all right, noted|understood|you're welcome|goodbye)?\W*$",
    re.IGNORECASE,
)


def asked(messages: Sequence[Mapping[str, Any]]) -> bool:
    """Whether a request asks for a condensation: its system message says so."""
    first = messages[0]
    if first["role"] not in ("system", "developer"):
        return False
    text = str(first.get("content") or "")
    return text.lstrip().startswith(MARK) or bool(_ASKED.search(text))


def condense(
    messages: Sequence[Mapping[str, Any]],
    *,
    loss: float,
    seed: int,
    max_tokens: int,
    count: Callable[[str], int],
) -> str:
    """Return `- fact` lines from the user messages of a request, in order, within `max_tokens`."""
    text = "\n".join(str(m.get("content") or "") for m in messages if m["role"] == "user")
    facts = dict.fromkeys(f for f in _facts(text) if not _lost(f, loss, seed))
    kept: list[str] = []
    room = max_tokens
    # The newest matter most when not all have room.
    for fact in reversed(list(facts)):
        room -= count(f"- {fact}\n") + 1
        if room < 0:
            break
        kept.append(f"- {fact}")
    return "\n".join(reversed(kept)) or "-"


def _lost(fact: str, loss: float, seed: int) -> bool:
    digest = hashlib.sha256(f"{seed}/{fact}".encode()).digest()
    return int.from_bytes(digest[:4], "big") < loss * 2**32


def _facts(text: str) -> Iterator[str]:
    turn = ""
    for speaker, line in _lines(text.splitlines()):
        if found := _TURN.match(line):
            turn = f" @t{found[1]}"
            continue
        if speaker in ("tool", "call", "system"):
            continue
        for fact in sentences(line):
            if _informs(fact):
                yield fact[:WIDEST] + turn


def _lines(lines: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Yield each line of the turns with who said it; the earlier summary is left out."""
    speaker, skipping = "user", False
    for line in lines:
        if _EARLIER.match(line) or _TURNS.match(line):
            skipping = bool(_EARLIER.match(line))
            continue
        if skipping:
            continue
        if _TURN.match(line):
            speaker = "user"
            yield speaker, line
        elif found := _SPEAKER.match(line):
            speaker = found[1]
            yield speaker, found[3]
        else:
            yield speaker, line


def _informs(fact: str) -> bool:
    return bool(_VALUE.search(fact)) and not asks(fact) and not _IDLE.match(fact)

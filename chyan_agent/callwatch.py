"""Keeps a tool call that a model writes as text off the screen while it is streamed. Pure."""

import re
from collections.abc import Collection, Generator
from dataclasses import dataclass, replace
from typing import Literal

from .messages import Message
from .model import Delta, Model, Reply, Request, Retry
from .texttools import LEAD, START, TAGS, cut_call, find_calls

SURE = 60
"""Characters after which it shows whether a text goes on like a call."""
_HEAD = re.compile(
    r"(?:\s|<tool_call>|```\w*|\[TOOL_CALLS\]|<\|python_tag\|>)*"
    r'(?:<function=|[\w-]+(?:\[ARGS\])?\s*\{|[\[{\s]*"(?:name|function|type|id|arguments|'
    r'parameters|tool_calls)")'
)
_OTHER_FENCE = re.compile(r"\s*```(?!json|tool|xml)\w+\s")
_BEGINNINGS = (*TAGS, "```")


@dataclass(frozen=True, slots=True)
class Settled:
    """A reply with its calls, wherever they stood, and what is left to be shown of its text."""

    reply: Reply
    rest: str
    from_text: bool
    """Whether calls were read out of the text."""
    thought_aloud: bool
    """Whether something was shown that turned out not to be part of the answer."""


class CallWatch:
    """Passes the text of one answer on, but holds back what may become a call of a known tool."""

    def __init__(self, names: Collection[str]) -> None:
        self._names = names
        self._pieces: list[str] = []
        self._begin = ""
        """The text as long as it is undecided: no more than some hundred characters."""
        self._given = 0
        self._state: Literal["open", "held", "free"] = "open" if names else "free"

    def feed(self, text: str) -> str:
        """Return what may be shown now."""
        self._pieces.append(text)
        if self._state == "held":
            return ""
        if self._state == "free":
            self._given += len(text)
            return text
        self._begin += text
        end = max(self._held_from(self._begin), self._given)
        shown, self._given = self._begin[self._given : end], end
        return shown

    def settle(self, reply: Reply) -> Settled:
        """Return the reply with the calls that are in its text."""
        message = reply.message
        text = "".join(self._pieces)
        aloud = bool(text.strip()) and text.strip() != message.content.strip()
        if not message.tool_calls and self._names:
            found = find_calls(message.content, self._names)
            finish = "tool_calls"
            if found is None and reply.finish == "length":
                found, finish = cut_call(message.content, self._names), "length"
            if found is not None:
                called = replace(message, content=found.lead, tool_calls=found.calls)
                return Settled(replace(reply, message=called, finish=finish), "", True, False)
        return Settled(reply, text[self._given :], False, aloud)

    def _held_from(self, text: str) -> int:
        """Return the place from which on the text has to wait."""
        match = START.search(text)
        if match is None and len(text) <= LEAD + SURE:
            return len(text) - _begun(text)
        if match is None or match.start() > LEAD or not _may_be_call(text, match.start()):
            self._state = "free"
            return len(text)
        if len(text) - match.start() >= SURE:
            self._state = "held"
        return match.start()


def listen(
    model: Model, request: Request, names: Collection[str], *, quiet: bool = False
) -> Generator[Delta | Retry, None, Settled]:
    """Ask and pass on what may be shown; `quiet` shows no text. Raises ModelError."""
    watch = CallWatch(names)
    reply = Reply(Message("assistant"), finish="")
    for piece in model.complete(request):
        if isinstance(piece, Reply):
            reply = piece
        elif isinstance(piece, Retry):
            yield piece
        elif (shown := watch.feed(piece.text)) and not quiet:
            yield Delta(shown)
    settled = watch.settle(reply)
    if settled.rest and not quiet:
        yield Delta(settled.rest)
    return settled


def _may_be_call(text: str, at: int) -> bool:
    if _OTHER_FENCE.match(text, at):
        return False
    return len(text) - at < SURE or _HEAD.match(text, at) is not None


def _begun(text: str) -> int:
    """Return how many characters at the end may be the beginning of a tag or fence."""
    lengths = (n for tag in _BEGINNINGS for n in range(1, len(tag)) if text.endswith(tag[:n]))
    return max(lengths, default=0)

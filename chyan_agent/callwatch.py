"""Keeps a tool call that a model writes as text off the screen while it is streamed. Pure."""

import re
from collections.abc import Collection, Generator
from dataclasses import dataclass, replace
from typing import Literal

from .echoes import Machinery
from .messages import Message
from .model import Delta, Model, Reply, Request, Retry
from .texttools import LEAD, RESULT_TAGS, START, TAGS, cut_call, find_calls

SURE = 60
"""Characters after which it shows whether a text goes on like a call."""
_HEAD = re.compile(
    r"(?:\s|<tool_call>|```\w*|\[TOOL_CALLS\]|<\|python_tag\|>)*"
    r'(?:<function=|[\w-]+(?:\[ARGS\])?\s*\{|[\[{\s]*"(?:name|function|type|id|arguments|'
    r'parameters|tool_calls)")'
)
_OTHER_FENCE = re.compile(r"\s*```(?!json|tool|xml)\w+\s")
_BEGINNINGS = (*TAGS, *RESULT_TAGS, "```")


@dataclass(frozen=True, slots=True)
class Settled:
    """A reply with its calls, wherever they stood, and what is left to be shown of its text."""

    reply: Reply
    rest: str
    from_text: bool
    """Whether calls were read out of the text."""
    thought_aloud: bool
    """Whether something was shown that turned out not to be part of the answer."""
    echoed: bool = False
    """Whether the text was nothing but what tools had said: it is taken out of the reply."""


class CallWatch:
    """Passes the text of one answer on, but holds back what may become a call of a known tool."""

    def __init__(self, names: Collection[str], known: Machinery | None = None) -> None:
        self._names = names
        self._known = known
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
        if self._echoes(reply):
            silent = replace(message, content="")
            return Settled(replace(reply, message=silent), "", False, False, echoed=True)
        return Settled(reply, text[self._given :], False, aloud)

    def _echoes(self, reply: Reply) -> bool:
        """Whether a reply without calls only says what tools said; what was shown is said."""
        message, shown = reply.message, "".join(self._pieces)[: self._given]
        if self._known is None or message.tool_calls or shown.strip():
            return False
        return self._known.speaks(message.content)

    def _held_from(self, text: str) -> int:
        """Return the place from which on the text has to wait."""
        match = START.search(text)
        if match is None and len(text) <= LEAD + SURE:
            return len(text) - _begun(text)
        if match is None or match.start() > LEAD or not self._may_be_held(text, match.start()):
            self._state = "free"
            return len(text)
        if len(text) - match.start() >= SURE:
            self._state = "held"
        return match.start()

    def _may_be_held(self, text: str, at: int) -> bool:
        if _OTHER_FENCE.match(text, at):
            return False
        if len(text) - at < SURE or _HEAD.match(text, at):
            return True
        return self._known is not None and self._known.may_begin(text)


def listen(
    model: Model,
    request: Request,
    names: Collection[str],
    *,
    known: Machinery | None = None,
    quiet: bool = False,
) -> Generator[Delta | Retry, None, Settled]:
    """Ask and pass on what may be shown; `quiet` shows no text. Raises ModelError.

    An answer that only says what is `known` is taken for none.
    """
    watch = CallWatch(names, known)
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


def _begun(text: str) -> int:
    """Return how many characters at the end may be the beginning of a tag or fence."""
    lengths = (n for tag in _BEGINNINGS for n in range(1, len(tag)) if text.endswith(tag[:n]))
    return max(lengths, default=0)

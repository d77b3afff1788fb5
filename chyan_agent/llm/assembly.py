"""Chunks of a streamed answer to one Reply. Pure."""

from collections.abc import Iterator, Mapping

from ..messages import Message, clean
from ..model import Reply, Usage
from .fragments import Calls
from .sse import Chunk
from .thinking import ThinkFilter, without_orphan

_USED_UP = frozenset({"max_tokens", "model_length", "model_context_window_exceeded"})
"""Other names of the reason that OpenAI calls `length`."""


class Assembly:
    """Grows with each chunk; `reply` is the whole at the end."""

    def __init__(self) -> None:
        self.finish = ""
        """Why the model stopped, as the endpoint put it; empty while it has not said so."""
        self.started = False
        """Whether the endpoint has sent any part of an answer, if only an empty one."""
        self._filter = ThinkFilter()
        self._carry = ""
        self._shown: list[str] = []
        self._reasoning: list[str] = []
        self._calls = Calls()
        self._usage = Usage()

    def feed(self, chunk: Chunk) -> str:
        """Take one chunk and return the text that may be shown because of it."""
        if isinstance(chunk.get("usage"), Mapping):
            usage = read_usage(chunk["usage"])
            self._usage = self._usage if usage == Usage() else usage
        return self._show("".join(map(self._take, _choices(chunk))))

    def close(self) -> str:
        """Return the text that was held back to the end."""
        held = clean(self._filter.feed(self._carry) + self._filter.finish())
        self._carry = ""
        self._shown.append(held)
        return held

    @property
    def reply(self) -> Reply:
        """The answer so far. Call ids are the provider's: not unique, perhaps empty.

        Its text is what was shown, unless that began with thought that nothing had announced.
        """
        calls = self._calls.made()
        thought, answer = without_orphan("".join(self._shown))
        parts = ("".join(self._reasoning), self._filter.thought, thought)
        reasoning = clean("\n".join(filter(None, parts)))
        message = Message("assistant", answer, calls, reasoning=reasoning)
        finish = "length" if self.finish.lower() in _USED_UP else self.finish
        return Reply(message, self._usage, finish or ("tool_calls" if calls else "stop"))

    def _take(self, choice: Mapping[str, object]) -> str:
        delta = choice.get("delta") or choice.get("message")
        if isinstance(finish := choice.get("finish_reason"), str):
            self.finish = finish or self.finish
        if not isinstance(delta, Mapping):
            return ""
        self.started = True
        self._calls.take(delta)
        self._reasoning.append(_thought(delta))
        return _text(delta.get("content"))

    def _show(self, text: str) -> str:
        if not text:
            return ""
        text = self._carry + text
        # The other half of a pair may come with the next chunk.
        cut = -1 if "\ud800" <= text[-1] <= "\udbff" else len(text)
        text, self._carry = text[:cut], text[cut:]
        shown = self._filter.feed(clean(text))
        self._shown.append(shown)
        return shown


def _choices(chunk: Chunk) -> Iterator[Mapping[str, object]]:
    choices = chunk.get("choices")
    for choice in choices if isinstance(choices, list) else ():
        if isinstance(choice, Mapping) and choice.get("index") in (None, 0):
            yield choice


def _text(value: object) -> str:
    """Return text, also out of a list of typed parts, of which only the text parts are answer."""
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        return "".join(
            _text(part.get("text"))
            for part in value
            if isinstance(part, Mapping) and part.get("type") == "text"
        )
    return ""


def _thought(delta: Mapping[str, object]) -> str:
    """Return reasoning, which has two names (some send both) or comes as typed parts."""
    for name in ("reasoning_content", "reasoning"):
        if isinstance(text := delta.get(name), str) and text:
            return text
    parts = delta.get("content")
    return "".join(
        _text(part.get("thinking"))
        for part in (parts if isinstance(parts, list) else ())
        if isinstance(part, Mapping) and part.get("type") == "thinking"
    )


def read_usage(value: object) -> Usage:
    """Read token counts in the spellings of OpenAI, llama.cpp and DeepSeek; 0 where missing."""
    usage = value if isinstance(value, Mapping) else {}
    details = usage.get("prompt_tokens_details")
    details = details if isinstance(details, Mapping) else {}
    cached = _count(details.get("cached_tokens")) or _count(usage.get("prompt_cache_hit_tokens"))
    return Usage(
        prompt_tokens=_count(usage.get("prompt_tokens")),
        completion_tokens=_count(usage.get("completion_tokens")),
        cached_tokens=cached or _count(usage.get("cached_tokens")),
    )


def _count(value: object) -> int:
    return value if isinstance(value, int) and value > 0 and value is not True else 0

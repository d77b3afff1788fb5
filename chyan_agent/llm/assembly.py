"""Chunks of a streamed answer to one Reply. Pure."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from ..budget import compact_json
from ..messages import Message, ToolCall, clean
from ..model import Reply, Usage
from .sse import Chunk
from .thinking import ThinkFilter


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
        self._calls = Calls()
        self._usage = Usage()

    def feed(self, chunk: Chunk) -> str:
        """Take one chunk and return the text that may be shown because of it."""
        if isinstance(chunk.get("usage"), Mapping):
            self._usage = read_usage(chunk["usage"])
        return self._show("".join(map(self._take, _choices(chunk))))

    def close(self) -> str:
        """Return the text that was held back to the end."""
        held = clean(self._filter.feed(self._carry) + self._filter.finish())
        self._carry = ""
        self._shown.append(held)
        return held

    @property
    def reply(self) -> Reply:
        """The answer so far. Call ids are the provider's: not unique, perhaps empty."""
        calls = self._calls.made()
        message = Message("assistant", "".join(self._shown), calls)
        return Reply(message, self._usage, self.finish or ("tool_calls" if calls else "stop"))

    def _take(self, choice: Mapping[str, object]) -> str:
        delta = choice.get("delta") or choice.get("message")
        if isinstance(finish := choice.get("finish_reason"), str):
            self.finish = finish or self.finish
        if not isinstance(delta, Mapping):
            return ""
        self.started = True
        fragments = delta.get("tool_calls")
        for fragment in fragments if isinstance(fragments, list) else ():
            if isinstance(fragment, Mapping):
                self._calls.add(fragment)
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


@dataclass(slots=True)
class _Call:
    id: str
    name: str
    arguments: str


class Calls:
    """Tool calls that arrive in fragments, as the dialects of several servers send them."""

    def __init__(self) -> None:
        self._calls: list[_Call] = []
        self._at: dict[object, _Call] = {}

    def add(self, fragment: Mapping[str, object]) -> None:
        """Append a fragment to the call it belongs to, or open a new one."""
        function = fragment.get("function")
        function = function if isinstance(function, Mapping) else {}
        part = _Call(
            _text(fragment.get("id")),
            _text(function.get("name")),
            _arguments(function.get("arguments")),
        )
        index = fragment.get("index") if isinstance(fragment.get("index"), int) else None
        call = self._find(index, part.id)
        if call is None or _opens(part, call):
            call = _Call("", "", "")
            self._calls.append(call)
        self._at[index] = self._at[None] = call
        call.id = call.id or part.id
        call.name = call.name or part.name
        call.arguments += part.arguments

    def made(self) -> tuple[ToolCall, ...]:
        """Return the calls in the order in which they were opened."""
        return tuple(ToolCall(clean(c.id), clean(c.name), clean(c.arguments)) for c in self._calls)

    def _find(self, index: object, id_: str) -> _Call | None:
        if index is None and id_:
            return next((call for call in self._calls if call.id == id_), None)
        return self._at.get(index)


def _opens(part: _Call, call: _Call) -> bool:
    """Whether a fragment begins another call, though its index says the same one.

    Some servers send every call with index 0, some repeat id and name in each fragment.
    """
    if part.id and call.id and part.id != call.id:
        return True
    if not part.name or not call.name:
        return False
    return part.name != call.name or bool(part.arguments.strip() and _whole(call.arguments))


def _whole(arguments: str) -> bool:
    if not arguments.rstrip().endswith("}"):
        return False
    try:
        return isinstance(json.loads(arguments), dict)
    except (ValueError, RecursionError):
        return False


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


def _arguments(value: object) -> str:
    if value is None or isinstance(value, str):
        return value or ""
    return compact_json(value)


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

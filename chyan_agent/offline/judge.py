"""Counts every request for itself and refuses what a strict endpoint refuses.

Nothing here is shared with the agent's own counting: agreement of the two is the proof.
"""

import json
import math
import threading
from collections import Counter, OrderedDict, deque
from collections.abc import Mapping
from dataclasses import dataclass

from ..budget import CountTokens
from .options import Options
from .rules import Body, Refusal, malformed

CALL_FRAME = 8
ANSWER_FRAME = 3
OVERFLOW = "context_length_exceeded"
REMEMBERED_TEXTS = 4096
REMEMBERED_PROMPTS = 8

Segment = tuple[str, int]
"""A piece of a prompt: its identity and its tokens."""


@dataclass(frozen=True, slots=True)
class Measured:
    """What a request weighs, in tokens."""

    messages: int
    tools: int
    output: int
    """The most that may be answered; 0 where the request doesn't say."""
    cached: int
    """Leading tokens shared with a recent request."""

    @property
    def prompt(self) -> int:
        """Tokens of the whole request."""
        return self.messages + self.tools


class Judge:
    """Recounts and checks requests. One for all threads of a server."""

    def __init__(self, count: CountTokens, options: Options) -> None:
        self.limit = options.limit
        self._count = count
        self._scales = options.scales
        self._models = frozenset(options.models)
        self._key = options.key
        self._lock = threading.Lock()
        self._texts: OrderedDict[str, int] = OrderedDict()
        self._prompts: deque[tuple[Segment, ...]] = deque(maxlen=REMEMBERED_PROMPTS)
        self._refusals: Counter[str] = Counter()
        self._requests = 0
        self._largest = 0

    def examine(self, body: object, *, bearer: str = "") -> Measured | Refusal:
        """Return what the request weighs, or why it is refused. Keeps the counters."""
        with self._lock:
            self._requests += 1
            found = self._refusal(body, bearer) or self._measured(body)
            if isinstance(found, Refusal):
                self._refusals[found.kind] += 1
            return found

    def report(self) -> dict[str, object]:
        """Return the counters: requests, refusals by kind, largest prompt in tokens."""
        with self._lock:
            return {
                "limit": self.limit,
                "requests": self._requests,
                "refused": self._refusals.total(),
                "refusals": dict(self._refusals),
                "max_prompt_tokens": self._largest,
            }

    def tokens(self, text: str) -> int:
        """Tokens of a text; texts seen lately cost nothing."""
        known = self._texts.get(text)
        if known is None:
            size = self._count(text) * self._scales.factor
            known = self._texts[text] = math.ceil(size)
            if len(self._texts) > REMEMBERED_TEXTS:
                self._texts.popitem(last=False)
        else:
            self._texts.move_to_end(text)
        return known

    def _refusal(self, body: object, bearer: str) -> Refusal | None:
        if self._key and bearer != self._key:
            text = f"Incorrect API key provided: {bearer[:4]}***. Check the key and try again."
            return Refusal(401, text, "auth", code="invalid_api_key")
        if (problem := malformed(body)) or not isinstance(body, Mapping):
            return problem
        model = str(body.get("model") or "")
        if self._models and model not in self._models:
            text = f"The model `{model}` does not exist or you do not have access to it."
            return Refusal(404, text, "model", code="model_not_found")
        return None

    def _measured(self, body: object) -> Measured | Refusal:
        assert isinstance(body, Mapping)
        tools = _dump(body["tools"]) if body.get("tools") else ""
        head = ((tools, self._tools(body)),)
        segments = head + tuple(map(self._segment, body["messages"]))
        rest = ANSWER_FRAME + sum(size for _, size in segments[1:])
        output = int(body.get("max_completion_tokens") or body.get("max_tokens") or 0)
        cached = max((_shared(segments, old) for old in self._prompts), default=0)
        measured = Measured(rest, segments[0][1], output, cached)
        self._largest = max(self._largest, measured.prompt)
        if measured.prompt + output > self.limit:
            return REFUSALS[self._scales.dialect](measured, self.limit)
        self._prompts.append(segments)
        return measured

    def _tools(self, body: Body) -> int:
        tools = body.get("tools") or ()
        assert isinstance(tools, list | tuple)
        return sum(CALL_FRAME + self.tokens(_dump(tool)) for tool in tools)

    def _segment(self, message: Body) -> Segment:
        content, calls = message.get("content") or "", message.get("tool_calls") or ()
        texts = [content] if isinstance(content, str) else _parts(content)
        size = self._scales.overhead + sum(map(self.tokens, texts))
        assert isinstance(calls, list | tuple)
        for call in calls:
            function = call["function"]
            size += CALL_FRAME + self.tokens(function["name"]) + self.tokens(function["arguments"])
        return _dump(message), size


def _parts(content: object) -> list[str]:
    parts = content if isinstance(content, list) else []
    return [str(part.get("text") or "") for part in parts if isinstance(part, Mapping)]


def _dump(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _shared(new: tuple[Segment, ...], old: tuple[Segment, ...]) -> int:
    size = 0
    for one, other in zip(new, old, strict=False):
        if one != other:
            break
        size += one[1]
    return size


def overflow(measured: Measured, limit: int) -> Refusal:
    """Return OpenAI's refusal of a request that is over the window."""
    inside = f"{measured.messages} in the messages"
    if measured.tools:
        inside += f", {measured.tools} in the functions"
    if measured.prompt > limit:
        asked = f"your messages resulted in {measured.prompt} tokens"
        asked += f" ({inside})" if measured.tools else ""
        advice = "Please reduce the length of the messages."
    else:
        total = measured.prompt + measured.output
        asked = f"you requested {total} tokens ({inside}, {measured.output} in the completion)"
        advice = "Please reduce the length of the messages or completion."
    text = f"This model's maximum context length is {limit} tokens. However, {asked}. {advice}"
    return Refusal(400, text, OVERFLOW, param="messages", code=OVERFLOW)


def exceed(measured: Measured, limit: int) -> Refusal:
    """Return llama.cpp's."""
    text = (
        f"request ({measured.prompt} tokens) exceeds the available context size"
        f" ({limit} tokens), try increasing it"
    )
    return Refusal(400, text, OVERFLOW, type="exceed_context_size_error")


REFUSALS = {"openai": overflow, "llama.cpp": exceed}

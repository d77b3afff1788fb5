"""Answers in the shapes of the chat completions protocol: whole and in server-sent events."""

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from .brain import Said

PIECES = 6
"""The most pieces that a streamed text is cut into: every event costs the client time."""
DONE = b"data: [DONE]\n\n"


@dataclass(frozen=True, slots=True)
class Answer:
    """A whole answer ready to be sent."""

    id: str
    created: int
    """Unix seconds."""
    model: str
    said: Said
    finish: str
    usage: Mapping[str, object]

    def completion(self) -> dict[str, object]:
        """Return the body of a request that did not ask for a stream."""
        message: dict[str, object] = {"role": "assistant", "content": self.said.text or None}
        if self.said.calls:
            message["tool_calls"] = self._calls()
        choice = {"index": 0, "message": message, "logprobs": None, "finish_reason": self.finish}
        return {**self._head("chat.completion"), "choices": [choice], "usage": self.usage}

    def _head(self, kind: str) -> dict[str, object]:
        return {"id": self.id, "object": kind, "created": self.created, "model": self.model}

    def _calls(self) -> list[dict[str, object]]:
        return [
            {
                "id": call_id(self.id, index),
                "type": "function",
                "function": {"name": call.name, "arguments": call.arguments},
            }
            for index, call in enumerate(self.said.calls)
        ]

    def events(self, *, with_usage: bool) -> list[bytes]:
        """Return the events of a stream, in order, without the closing `[DONE]`."""
        chunks = [self._chunk(delta) for delta in self._deltas()]
        chunks.append(self._chunk({}, self.finish))
        if with_usage:
            head = self._head("chat.completion.chunk")
            chunks.append({**head, "choices": [], "usage": self.usage})
        return [event(chunk) for chunk in chunks]

    def _chunk(self, delta: object, finish: str | None = None) -> dict[str, object]:
        choice = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": finish}
        return {**self._head("chat.completion.chunk"), "choices": [choice]}

    def _deltas(self) -> Iterator[dict[str, object]]:
        opening = None if self.said.calls and not self.said.text else ""
        yield {"role": "assistant", "content": opening}
        for piece in cut(self.said.text, PIECES):
            yield {"content": piece}
        for index, call in enumerate(self._calls()):
            function = call["function"]
            assert isinstance(function, dict)
            opened = {"index": index, **call, "function": {**function, "arguments": ""}}
            yield {"tool_calls": [opened]}
            for piece in cut(function["arguments"], 2):
                yield {"tool_calls": [{"index": index, "function": {"arguments": piece}}]}


def call_id(answer_id: str, index: int) -> str:
    """Return the id of an answer's n-th tool call."""
    return f"call_{hashlib.sha256(f'{answer_id}/{index}'.encode()).hexdigest()[:24]}"


def cut(text: str, pieces: int) -> Sequence[str]:
    """Cut a text into at most so many pieces of about equal length."""
    size = max(8, -(-len(text) // pieces))
    return [text[at : at + size] for at in range(0, len(text), size)]


def event(value: object) -> bytes:
    """Return one server-sent event."""
    return b"data: " + to_json(value) + b"\n\n"


def to_json(value: object) -> bytes:
    """Return compact UTF-8 JSON."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


def usage(prompt: int, completion: int, cached: int) -> dict[str, object]:
    """Return token counts as the protocol reports them."""
    return {
        "prompt_tokens": prompt,
        "completion_tokens": completion,
        "total_tokens": prompt + completion,
        "prompt_tokens_details": {"cached_tokens": cached},
    }

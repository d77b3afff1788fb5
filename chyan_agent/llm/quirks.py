"""What an endpoint turned out not to accept, learned from its own refusals."""

import re
from collections.abc import Mapping

_REFUSAL = re.compile(
    r"unsupported|not support|not permitted|not allowed|unknown|unrecogni[sz]ed|unexpected|extra_",
    re.I,
)
_EMPTY_TEXT = re.compile(r"text content blocks? must be non-empty|content .{0,20}empty", re.I)
_OPTIONAL = ("stream_options", "temperature", "max_tokens")
"""Parameters of ours that a request can do without."""


class Quirks:
    """Adapts request bodies. Each lesson is learned once, so that sending again is bounded."""

    def __init__(self) -> None:
        self._dropped: set[str] = set()
        self._newer_maximum = False
        self._null_content = False

    def learn(self, body: Mapping[str, object], said: str) -> bool:
        """Whether a refusal of `body` taught something: then it's worth sending again."""
        if "max_completion_tokens" in said and "max_tokens" in body:
            self._newer_maximum = True
            return True
        if not self._null_content and _EMPTY_TEXT.search(said):
            self._null_content = True
            return self.apply(body) != body
        name = next((name for name in _OPTIONAL if name in body and name in said), "")
        if not name or not _REFUSAL.search(said):
            return False
        self._dropped.add(name)
        return True

    def apply(self, body: Mapping[str, object]) -> dict[str, object]:
        """Return the body as this endpoint takes it; unchanged for an endpoint without quirks."""
        adapted = {key: value for key, value in body.items() if key not in self._dropped}
        if self._newer_maximum and "max_tokens" in adapted:
            adapted["max_completion_tokens"] = adapted.pop("max_tokens")
        messages = adapted.get("messages")
        if self._null_content and isinstance(messages, list):
            adapted["messages"] = [_null_beside_calls(message) for message in messages]
        return adapted


def _null_beside_calls(message: Mapping[str, object]) -> Mapping[str, object]:
    """Most endpoints want "" beside tool calls, and refuse null; some want it the other way."""
    if message.get("tool_calls") and message.get("content") == "":
        return {**message, "content": None}
    return message

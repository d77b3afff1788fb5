"""From a request's body to an answer: judged, answered by rule or condensed, cut and counted."""

import hashlib
import time
from collections.abc import Mapping
from functools import partial
from itertools import count
from typing import Any

from .. import tokens
from . import condense
from .brain import Brain, Said
from .judge import Judge, Measured
from .options import Options
from .rules import Refusal
from .wire import Answer, usage

MODEL = "chyan-offline"
"""The name that the model answers to."""


class Desk:
    """Answers requests. One for all threads of a server."""

    def __init__(self, options: Options) -> None:
        self._options = options
        self._count = options.scales.count or tokens.counter(options.tokenizer)
        self._judge = Judge(self._count, options)
        self._brain = Brain(options.seed)
        self._numbers = count(1)

    def warm(self) -> None:
        """Load the vocabulary before the first request asks for it."""
        self._count("")

    def report(self) -> dict[str, object]:
        """Return the judge's counters."""
        return self._judge.report()

    def card(self, name: str) -> dict[str, object]:
        """Describe a model as `/v1/models` does, with its window."""
        card = {"id": name, "object": "model", "created": 0, "owned_by": "chyan-agent"}
        return {**card, "meta": {"n_ctx": self._options.limit}}

    def answer(self, body: Any, *, bearer: str = "") -> Answer | Refusal:
        """Judge a request and answer it."""
        measured = self._judge.examine(body, bearer=bearer)
        if isinstance(measured, Refusal):
            return measured
        room = measured.output or self._options.limit - measured.prompt
        said = self._say(body, room)
        said, finish = self._cut(said, room)
        return self._wrapped(body, measured, said, finish)

    def _say(self, body: Mapping[str, Any], room: int) -> Said:
        messages = body["messages"]
        if condense.asked(messages):
            lines = partial(condense.condense, loss=self._options.loss, seed=self._options.seed)
            return Said(lines(messages, max_tokens=room, count=self._judge.tokens))
        return self._brain.answer(messages, body.get("tools") or ())

    def _cut(self, said: Said, room: int) -> tuple[Said, str]:
        if self._size(said) <= room:
            return said, "tool_calls" if said.calls else "stop"
        text = said.text
        while text and self._judge.tokens(text) > room:
            text = text[: len(text) * 7 // 8]
        return Said(text or "…"), "length"

    def _size(self, said: Said) -> int:
        size = self._judge.tokens
        calls = sum(size(call.name) + size(call.arguments) for call in said.calls)
        return size(said.text) + calls

    def _wrapped(self, body: Any, measured: Measured, said: Said, finish: str) -> Answer:
        number = next(self._numbers)
        name = hashlib.sha256(f"{self._options.seed}/{number}".encode()).hexdigest()[:29]
        return Answer(
            id=f"chatcmpl-{name}",
            created=int(time.time()),
            model=str(body.get("model") or MODEL),
            said=said,
            finish=finish,
            usage=usage(measured.prompt, self._size(said), measured.cached),
        )

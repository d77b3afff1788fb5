"""The window as arithmetic: how it is divided, and the receipt of how it was spent."""

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from .form import Form
from .messages import Message, Turn
from .model import Schema
from .texttools import call_as_text

CountTokens = Callable[[str], int]
"""Text to tokens. Must not raise for any text."""

PER_MESSAGE = 4
"""Framing of a message: start, role, separator, end (OpenAI's published count for chat models)."""
PER_CALL = 8
"""Framing of a tool call or a tool definition around its name and JSON."""
PRIMING = 3
"""Tokens that open the model's answer."""
LEAST_TALK = 1000
"""Tokens that a conversation needs to be one at all."""


@dataclass(frozen=True, slots=True)
class Budget:
    """How the window is divided, in tokens."""

    limit: int
    reserved: int
    """Held back for the answer."""
    fixed: int
    """System prompt, tool definitions and priming: spent by every request."""
    summary_cap: int
    """The most that the summary may take of what is left."""
    factor: float = 1.0
    """Tokens of the endpoint, which counts `limit` and `reserved`, for one of ours."""

    @property
    def room(self) -> int:
        """The most that one request may hold, as the endpoint counts."""
        return self.limit - self.reserved

    @property
    def allowed(self) -> int:
        """The most that one request may hold, as we count."""
        return int(self.room / self.factor)

    @property
    def spendable(self) -> int:
        """What a conversation may use of a request."""
        return self.allowed - self.fixed

    def within(self, limit: int) -> "Budget":
        """Return this budget for a smaller window; the answer gives way, and never to under a
        tenth, before the conversation loses everything."""
        reserved = min(self.reserved, max(limit - self.fixed - LEAST_TALK, limit // 10))
        cap = self.summary_cap * limit // self.limit
        return replace(self, limit=limit, reserved=reserved, summary_cap=cap)

    def counted(self, factor: float) -> "Budget":
        """Return this budget, whose factor is 1, for an endpoint that counts `factor` times ours.

        Here too the answer gives way before the conversation does.
        """
        least = int((self.fixed + min(LEAST_TALK, self.spendable)) * factor) + 1
        reserved = self.reserved
        if factor > 1:
            reserved = min(reserved, max(self.limit - least, self.limit // 10))
        dearer = replace(self, reserved=reserved, factor=factor)
        cap = self.summary_cap * max(dearer.spendable, 0) // max(self.spendable, 1)
        return replace(dearer, summary_cap=min(cap, self.summary_cap))


@dataclass(frozen=True, slots=True)
class Ledger:
    """Where the tokens of one request went: the numbers that are enforced, logged and plotted."""

    limit: int
    reserved: int
    system: int
    tools: int
    summary: int = 0
    recent: int = 0
    current: int = 0
    estimated: int = 0
    """The most that the endpoint may count for all of it; 0 where nobody asked."""

    @property
    def total(self) -> int:
        """Tokens of the whole request, by our count."""
        return self.system + self.tools + self.summary + self.recent + self.current

    @property
    def expected(self) -> int:
        """The most that the endpoint may count."""
        return self.estimated or self.total

    def zones(self) -> dict[str, int]:
        """Return the zones by name, in the order in which they stand in the window."""
        return {
            "system": self.system,
            "tools": self.tools,
            "summary": self.summary,
            "recent": self.recent,
            "current": self.current,
        }


class Meter:
    """Counts messages, turns and tool definitions; what did not change is not counted twice.

    Messages count in the form in which they are sent.
    """

    def __init__(
        self, count: CountTokens, *, remember: int = 1024, form: Form | None = None
    ) -> None:
        # What was just measured to be cut is mostly what is counted next.
        self.count: CountTokens = lru_cache(maxsize=8)(count)
        self.form = form or Form()
        self._remember = remember
        self._known: dict[Message, int] = {}
        self._turns: dict[int, tuple[Turn, int]] = {}
        self._texts: dict[str, int] = {}

    def in_form(self, form: Form) -> "Meter":
        """Return a meter that counts messages as they are in another form."""
        return Meter(self.count, remember=self._remember, form=form)

    def message(self, message: Message) -> int:
        """Tokens of one message with its framing."""
        known = self._known.get(message)
        if known is None:
            if len(self._known) >= self._remember:
                self._known.clear()
            known = self._known[message] = self._measure(message)
        return known

    def _measure(self, message: Message) -> int:
        if self.form.text_calls and message.tool_calls:
            # Part by part, with a line end between: no less than what they are together, and a
            # call that was cut does not cost a count of the others.
            parts = list(filter(None, (message.content, *map(call_as_text, message.tool_calls))))
            return PER_MESSAGE + sum(map(self.text, parts)) + len(parts) - 1
        sent = self.form.shaped(message)
        if not sent.tool_calls:
            return PER_MESSAGE + self.count(sent.content)
        calls = sum(
            PER_CALL + self.text(call.name) + self.text(call.arguments) for call in sent.tool_calls
        )
        return PER_MESSAGE + self.text(sent.content) + calls + self.text(sent.reasoning)

    def text(self, text: str) -> int:
        """Tokens of a text that stands beside others in its message, where each is weighed."""
        known = self._texts.get(text)
        if known is None:
            if len(self._texts) >= self._remember:
                self._texts.clear()
            known = self._texts[text] = self.count(text) if text else 0
        return known

    def messages(self, messages: Iterable[Message]) -> int:
        """Tokens of several messages."""
        return sum(map(self.message, messages))

    def turn(self, turn: Turn) -> int:
        """Tokens of a turn; a turn object that was counted before costs nothing."""
        # By identity, since a hash would walk through every message of the turn again.
        known, tokens = self._turns.get(id(turn), (None, 0))
        if known is not turn:
            tokens = self.messages(turn.messages)
            if len(self._turns) * 4 >= self._remember:
                self._turns.clear()
            self._turns[id(turn)] = (turn, tokens)
        return tokens

    def tools(self, schemas: Sequence[Schema]) -> int:
        """Tokens of tool definitions, as compact JSON with framing."""
        return sum(PER_CALL + self.count(compact_json(schema)) for schema in schemas)


def compact_json(value: object) -> str:
    """Return JSON without spaces and escapes: escaped Chinese costs up to six times the tokens."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))

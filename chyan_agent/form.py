"""The form in which messages travel to one endpoint. Pure.

The window is counted in this form, so that what is counted is what is sent.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal

from .messages import Message
from .texttools import call_as_text, result_as_text

Want = Literal["text_calls", "reasoning"]
"""A form that an endpoint may turn out to insist on."""
GAP = "…"
"""Stands for what can't be sent empty."""


@dataclass(frozen=True, slots=True)
class Form:
    """The default is the chat protocol as it is, without reasoning."""

    text_calls: bool = False
    """Calls and results travel as text, and the tools in the system prompt."""
    reasoning: bool = False
    """Reasoning goes back beside the calls it led to."""

    def wanting(self, want: Want) -> "Form":
        """Return this form with one thing more that the endpoint wants."""
        if want == "text_calls":
            return replace(self, text_calls=True)
        return replace(self, reasoning=True)

    def shaped(self, message: Message) -> Message:
        """Return a message as it is sent; one that is as it should be is not copied."""
        if message.role == "tool" and self.text_calls:
            return Message("user", result_as_text(message.content))
        if message.role != "assistant":
            return message
        if not message.tool_calls:
            return _answer(message)
        message = _sendable(message)
        if self.text_calls:
            parts = (message.content, *map(call_as_text, message.tool_calls))
            return Message("assistant", "\n".join(filter(None, parts)))
        reasoning = (message.reasoning or GAP) if self.reasoning else ""
        same = reasoning == message.reasoning
        return message if same else replace(message, reasoning=reasoning)

    def messages(self, messages: Iterable[Message]) -> tuple[Message, ...]:
        """Return messages as they are sent; roles of texts alternate."""
        shaped = map(self.shaped, messages)
        return tuple(_joined(shaped) if self.text_calls else shaped)


def _sendable(message: Message) -> Message:
    """Return a message with calls without what only the record keeps."""
    if not any(call.written for call in message.tool_calls):
        return message
    calls = tuple(replace(call, written="") for call in message.tool_calls)
    return replace(message, tool_calls=calls)


def _answer(message: Message) -> Message:
    """An answer goes without its reasoning, and never empty: many endpoints refuse that."""
    if message.content.strip():
        return replace(message, reasoning="") if message.reasoning else message
    return Message("assistant", GAP)


def _joined(messages: Iterable[Message]) -> list[Message]:
    """Join neighbours of one role: the results of several calls are one message of the user."""
    joined: list[Message] = []
    for message in messages:
        if joined and joined[-1].role == message.role:
            both = f"{joined[-1].content}\n{message.content}"
            joined[-1] = replace(joined[-1], content=both)
        else:
            joined.append(message)
    return joined

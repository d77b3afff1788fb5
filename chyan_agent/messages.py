"""The values of a conversation, and the one place that knows their JSON form.

Pure values: no identity, no storage, no tokens. Shapes follow the OpenAI chat protocol.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, cast, get_args

Role = Literal["system", "user", "assistant", "tool"]
ROLES: tuple[Role, ...] = get_args(Role)
Json = Mapping[str, object]
CALLED = re.compile(r"[A-Za-z0-9_-]{1,64}")
"""The name of a tool as every endpoint takes it."""
INVALID = "invalid"
"""Stands for a name that is none."""


class MessageFormatError(ValueError):
    """JSON that is not a chat message."""


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A request of the model to run a tool. `arguments` is the JSON text as the model wrote it."""

    id: str
    name: str
    arguments: str
    written: str = ""
    """What the model wrote where `arguments` had to take its place: recorded, never sent."""


@dataclass(frozen=True, slots=True)
class ToolResult:
    """What a tool gave back. `content` is the text that the model reads."""

    content: str
    ok: bool = True
    truncated: bool = False


@dataclass(frozen=True, slots=True)
class Message:
    """One chat message. `tool_call_id` is set on tool messages only, reasoning on assistant's."""

    role: Role
    content: str = ""
    tool_calls: tuple[ToolCall, ...] = ()
    tool_call_id: str = ""
    reasoning: str = ""
    """What the model thought first: never part of the answer, recorded, and sent where wanted."""


@dataclass(frozen=True, slots=True)
class Turn:
    """One user request and everything said until it was answered.

    A turn is kept, compacted or dropped as a whole, so a tool result can never
    be separated from the call that asked for it.
    """

    number: int
    messages: tuple[Message, ...] = ()

    @property
    def closed(self) -> bool:
        """Whether the last word is an answer."""
        return bool(self.messages) and _answers(self.messages[-1])

    @property
    def pending(self) -> tuple[ToolCall, ...]:
        """Calls that no tool message has answered yet, in order."""
        answered = {m.tool_call_id for m in self.messages}
        return tuple(c for m in self.messages for c in m.tool_calls if c.id not in answered)

    @property
    def question(self) -> str:
        """What the user asked."""
        return self.messages[0].content if self.messages else ""

    def plus(self, message: Message) -> "Turn":
        """Return this turn with one more message.

        Results stand in the order of their calls, also where one was lost and is made up for later.
        """
        place = self._place(message.tool_call_id) if message.role == "tool" else len(self.messages)
        return Turn(self.number, (*self.messages[:place], message, *self.messages[place:]))

    def _place(self, call_id: str) -> int:
        place = len(self.messages)
        while place and self.messages[place - 1].role == "tool":
            place -= 1
        end = len(self.messages)
        ids = [call.id for call in self.messages[place - 1].tool_calls] if place else []
        later = set(ids[ids.index(call_id) + 1 :]) if call_id in ids else set()
        while end > place and self.messages[end - 1].tool_call_id in later:
            end -= 1
        return end


def _answers(message: Message) -> bool:
    return message.role == "assistant" and not message.tool_calls


def clean(text: str) -> str:
    """Join valid surrogate pairs and turn lone surrogates into U+FFFD.

    A lone surrogate can't be encoded as UTF-8: one of them would spoil a whole log or request.
    """
    if text.isascii():
        return text
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def to_wire(message: Message) -> dict[str, object]:
    """Return the JSON form of the chat protocol, used on the wire and in the transcript."""
    wire: dict[str, object] = {"role": message.role, "content": message.content}
    if message.tool_calls:
        wire["tool_calls"] = [_call_to_wire(call) for call in message.tool_calls]
    if message.role == "tool":
        wire["tool_call_id"] = message.tool_call_id
    if message.reasoning:
        wire["reasoning_content"] = message.reasoning
    return wire


def _call_to_wire(call: ToolCall) -> dict[str, object]:
    function = {"name": call.name, "arguments": call.arguments}
    wire: dict[str, object] = {"id": call.id, "type": "function", "function": function}
    return wire | {"written": call.written} if call.written else wire


def from_wire(wire: object) -> Message:
    """Read the JSON form back. Raises MessageFormatError for anything that is not a message."""
    if not isinstance(wire, Mapping):
        raise MessageFormatError(f"a message is an object, not {type(wire).__name__}")
    role = wire.get("role")
    if role not in ROLES:
        raise MessageFormatError(f"unknown role {role!r}")
    calls = wire.get("tool_calls") or ()
    if not isinstance(calls, list | tuple):
        raise MessageFormatError("tool_calls is not a list")
    return Message(
        role=cast("Role", role),
        content=clean(_text(wire, "content")),
        tool_calls=tuple(_call_from_wire(call) for call in calls),
        tool_call_id=clean(_text(wire, "tool_call_id")),
        reasoning=clean(_text(wire, "reasoning_content")),
    )


def _call_from_wire(wire: object) -> ToolCall:
    function = wire.get("function") if isinstance(wire, Mapping) else None
    if not isinstance(wire, Mapping) or not isinstance(function, Mapping):
        raise MessageFormatError("a tool call without a function")
    return ToolCall(
        id=clean(_text(wire, "id")),
        name=clean(_text(function, "name")),
        arguments=clean(_text(function, "arguments")),
        written=clean(_text(wire, "written")),
    )


def _text(wire: Json, key: str) -> str:
    value = wire.get(key)
    if value is None:
        return ""
    if not isinstance(value, str):
        raise MessageFormatError(f"{key} is {type(value).__name__}, not text")
    return value

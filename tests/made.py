"""Values that tests are made of."""

import random
from collections.abc import Sequence
from pathlib import Path

from chyan_agent.budget import Budget, Meter
from chyan_agent.conversation import Conversation
from chyan_agent.durable.transcript import Transcript
from chyan_agent.messages import Message, ToolCall, Turn
from chyan_agent.prompts.core import EN
from chyan_agent.state import MessageAdded
from chyan_agent.window import Frame


def byte_count(text: str) -> int:
    """Count UTF-8 bytes: the safe bound for any byte-level vocabulary, and quick."""
    return len(text.encode("utf-8", "surrogatepass"))


METER = Meter(byte_count)
FRAME = Frame.of("be brief", ({"type": "function", "function": {"name": "read"}},), EN, METER)


def budget(limit: int = 4000, reserved: int = 500) -> Budget:
    """Return a budget over byte counts."""
    cap = int((limit - reserved - FRAME.fixed) * 0.3)
    return Budget(limit, reserved, FRAME.fixed, cap)


def call(number: int, arguments: str = "{}", name: str = "read") -> ToolCall:
    """Return a call with an id of our own form."""
    return ToolCall(f"t00001c{number:02d}", name, arguments)


def spoken(number: int, text: str = "hello", answer: str = "hi") -> Turn:
    """Return a closed turn of two messages."""
    return Turn(number, (Message("user", text), Message("assistant", answer)))


def worked(number: int, results: list[str], answer: str = "done") -> Turn:
    """Return a closed turn with one tool call a step."""
    messages = [Message("user", f"task {number}")]
    for place, result in enumerate(results):
        asked = ToolCall(f"t{number:05d}c{place:02d}", "read", f'{{"path":"f{place}"}}')
        messages.append(Message("assistant", tool_calls=(asked,)))
        messages.append(Message("tool", result, tool_call_id=asked.id))
    return Turn(number, (*messages, Message("assistant", answer)))


def unpaired(messages: tuple[Message, ...]) -> str:
    """Return what is wrong with the pairing of calls and results; empty if nothing is."""
    waiting: list[str] = []
    seen: set[str] = set()
    for message in messages:
        if message.role == "tool":
            if message.tool_call_id not in waiting:
                return f"orphan result {message.tool_call_id}"
            waiting.remove(message.tool_call_id)
        elif waiting:
            return f"calls without results: {waiting}"
        for asked in message.tool_calls:
            if asked.id in seen:
                return f"duplicate id {asked.id}"
            seen.add(asked.id)
            waiting.append(asked.id)
    return f"calls without results: {waiting}" if waiting else ""


FOLLOWS = {
    "system": set(),
    "user": {"system", "assistant"},
    "assistant": {"user", "tool"},
    "tool": {"assistant", "tool"},
}


def neighbours(messages: Sequence[Message]) -> list[tuple[str, str]]:
    """Return the pairs of roles that no strict chat template takes."""
    roles = [str(message.role) for message in messages]
    pairs = zip(roles, roles[1:], strict=False)
    return [(before, role) for before, role in pairs if before not in FOLLOWS[role]]


def open_conversation(folder: Path) -> Conversation:
    """Open a conversation whose clock stands still."""
    transcript = Transcript(folder / "conversation.jsonl", clock=lambda: "2026-01-01T00:00:00.000")
    return Conversation(transcript, folder / "meta.json", name="main")


def say(conversation: Conversation, turn: Turn) -> None:
    """Record a whole turn."""
    for message in turn.messages:
        conversation.record(MessageAdded(turn.number, message))
    conversation.sync()


def mixed_text(rng: random.Random, size: int) -> str:
    """Return text of all kinds that users paste."""
    pools = (
        "数据库端口是八零八零，",
        "hello world ",
        "1234567890",
        "🙂🚀",
        "    \n",
        "a",
        "=",
        "，。",
    )
    text = ""
    while len(text) < size:
        text += rng.choice(pools) * rng.randint(1, 5)
    return text[:size]

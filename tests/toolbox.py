"""A toolset over a temporary workspace and a real memory, for the tests of tools."""

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Self

from chyan_agent.durable.transcript import Transcript
from chyan_agent.memory.history import TranscriptHistory
from chyan_agent.memory.store import open_memory
from chyan_agent.messages import Message, ToolCall, ToolResult
from chyan_agent.prompts.tools import EN, ToolTexts
from chyan_agent.state import MessageAdded, SessionStarted
from chyan_agent.tokens import counter
from chyan_agent.tools import Context, Limits
from chyan_agent.tools.beneath import Opener
from chyan_agent.tools.registry import build_tools
from chyan_agent.tools.sandbox import Sandbox
from chyan_agent.tools.toolset import Toolset

COUNT = counter("o200k_base")

LEAST_FOR_HINTS = 200
"""Room in which every error says what to do."""

Result = dict[str, Any]
"""A result as a model reads it."""


def clock() -> str:
    """A clock that stands still."""
    return "2026-01-01T00:00:00.000"


class Desk:
    """Tools to call by name with keyword arguments; results come back as objects.

    `home` gets the workspace and, beside it, the notes and the transcript that memory reads;
    `own` are paths in the workspace that belong to the agent.
    """

    def __init__(
        self,
        home: Path,
        *,
        limits: Limits | None = None,
        texts: ToolTexts = EN,
        turn_text: Callable[[int], str | None] = lambda turn: None,
        beneath: Opener | None = None,
        own: Iterable[str] = (),
        boot: str = "",
    ) -> None:
        self.turn = 3
        """The turn in which calls are made."""
        self.root = home / "workspace"
        self.transcript = Transcript(home / "conversation.jsonl", clock=clock)
        self.memory = open_memory(
            home / "memories.jsonl",
            segmenter_name="builtin",
            history=TranscriptHistory(self.transcript),
            clock=clock,
        )
        excluded = [self.root / name for name in own]
        self.sandbox = Sandbox(self.root, texts, excluded=excluded, beneath=beneath)
        tools = build_tools(self.sandbox, self.memory, limits or Limits(), texts, turn_text, boot)
        self.tools = Toolset(tools, texts)
        self.last = ToolResult("")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        self.memory.close()
        self.transcript.close()

    def raw(self, name: str, arguments: str, room: int = 1500) -> Result:
        """Run a call as a model wrote it; checks that the result keeps to its room."""
        call = ToolCall("t00003c01", name, arguments)
        self.last = self.tools.run(call, Context(self.turn, call.id, room, COUNT))
        assert COUNT(self.last.content) <= room
        self.last.content.encode("utf-8")
        value: Result = json.loads(self.last.content)
        assert self.last.ok == ("error" not in value)
        assert self.last.ok or "hint" in value or room < LEAST_FOR_HINTS
        return value

    def __call__(self, name: str, room: int = 1500, **arguments: object) -> Result:
        return self.raw(name, json.dumps(arguments), room)

    def put(self, path: str, content: bytes | str) -> Path:
        """Create a file in the workspace without the tools."""
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content.encode() if isinstance(content, str) else content)
        return file

    def say(self, turn: int, *messages: Message) -> None:
        """Record the messages of a turn, which an answer of the assistant ends.

        No turn is later than its record's number: others stand for the turns before.
        """
        while self.transcript.seq + 1 < turn:
            self.transcript.append(SessionStarted("desk"))
        for message in (*messages, Message("assistant", "OK.")):
            self.transcript.append(MessageAdded(turn, message))

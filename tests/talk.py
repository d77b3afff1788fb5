"""A conversation with the offline model's brain, with real tools and no window."""

import json
from pathlib import Path
from typing import Any

from chyan_agent.messages import ToolCall
from chyan_agent.offline.brain import Brain
from chyan_agent.tools import Context

from .toolbox import COUNT, Desk

MOST_STEPS = 20


class Talk:
    """Asks the brain, runs the calls it makes, and keeps every message."""

    def __init__(self, home: Path, *, room: int = 1500) -> None:
        self.desk = Desk(home)
        self.messages: list[dict[str, Any]] = []
        self.calls: list[ToolCall] = []
        self._brain = Brain()
        self._room = room

    def say(self, text: str) -> str:
        """Return the answer to a message; `calls` are the calls that it took."""
        self.calls = []
        self.messages.append({"role": "user", "content": text})
        for _ in range(MOST_STEPS):
            said = self._brain.answer(self.messages, self.desk.tools.schemas)
            if not said.calls:
                self.messages.append({"role": "assistant", "content": said.text})
                return said.text
            self._run(said.text, said.calls)
        raise AssertionError(f"no answer to {text!r} after {MOST_STEPS} steps")

    def _run(self, text: str, calls: tuple[ToolCall, ...]) -> None:
        first = len(self.calls)
        named = [
            ToolCall(f"c{len(self.messages)}-{n}", c.name, c.arguments) for n, c in enumerate(calls)
        ]
        wire = [
            {"id": c.id, "type": "function", "function": {"name": c.name, "arguments": c.arguments}}
            for c in named
        ]
        self.messages.append({"role": "assistant", "content": text, "tool_calls": wire})
        self.calls += named
        made = [(call.name, call.arguments) for call in self.calls]
        assert len(set(made)) == len(made), f"made twice: {made}"
        for call in self.calls[first:]:
            result = self.desk.tools.run(call, Context(1, call.id, self._room, COUNT))
            tool = {"role": "tool", "tool_call_id": call.id, "content": result.content}
            self.messages.append(tool)

    def forget(self) -> None:
        """Drop every message, as an agent does that has no memory at all."""
        self.messages = []

    def file(self, path: str) -> str:
        """Return the text of a workspace file."""
        return (self.desk.root / path).read_text(encoding="utf-8")

    def used(self) -> list[str]:
        """Return the names of the tools that the last answer took."""
        return [call.name for call in self.calls]

    def arguments(self, place: int = 0) -> dict[str, Any]:
        """Return the arguments of a call of the last answer."""
        found: dict[str, Any] = json.loads(self.calls[place].arguments)
        return found
